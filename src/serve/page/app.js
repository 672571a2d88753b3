// The page: reads the address and shows what it names. What a kind of page needs is loaded with it.

import { h } from "./dom.js";
import { knowledge } from "./games/index.js";
import { source } from "./source.js";
import { address, embedded, readAddress } from "./state.js";
import { trouble } from "./trouble.js";

const main = document.getElementById("main");
let games = [];
let leave = new AbortController();
let explorer = null;

function theme() {
  const names = { auto: "◐ Auto", light: "○ Light", dark: "● Dark" };
  const element = document.getElementById("theme");
  let saved = "auto";
  // Some browsers refuse storage; the choice then lasts as long as the page.
  try { saved = localStorage.theme ?? "auto"; } catch { /* nothing to remember */ }
  const show = () => {
    document.documentElement.dataset.theme = saved;
    element.textContent = names[saved];
    element.setAttribute("aria-label", `${names[saved]}: colours`);
  };
  element.addEventListener("click", () => {
    const list = Object.keys(names);
    saved = list[(list.indexOf(saved) + 1) % list.length];
    try { localStorage.theme = saved; } catch { /* nothing to remember */ }
    show();
  });
  show();
}

async function route() {
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  const parts = readAddress();
  const found = games.find(({ game }) => game === parts.game);
  document.querySelectorAll("#games a").forEach((link) => {
    if (link.dataset.game === found?.game) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });
  document.getElementById("pick").value = found?.game ?? "";
  const shown = [found && parts.table, found?.title, "finale"].filter(Boolean);
  document.title = found ? shown.join(" · ") : "finale: endgames, looked up";
  if (found && !parts.table && !("about" in parts)) {
    // Within a game the board stays as it is turned and set.
    if (explorer?.game === found) {
      explorer.visit(parts);
      return;
    }
    explorer?.close();
    explorer = null;
    const [{ Explorer }, know] = await Promise.all([import("./explorer.js"), knowledge(found.game)]);
    if (signal.aborted) return;
    explorer = new Explorer(main, found, know, parts);
    return;
  }
  explorer?.close();
  explorer = null;
  const pages = await import("./pages.js");
  const context = { ...found, signal };
  const content = await (!found ? pages.home(games, parts.game)
    : parts.table ? pages.aboutTable({ ...context, ...parts })
      : pages.aboutGame(context));
  if (signal.aborted) return;
  main.className = "";
  main.replaceChildren(content);
}

/** Goes to an address within the page. */
function go(href) {
  history.pushState(null, "", href);
  route();
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

async function start() {
  theme();
  if (embedded) (await import("./embedded.js")).tellHeight();
  await begin();
}

async function begin() {
  try {
    const reply = await source.games();
    games = reply.games;
    document.getElementById("about").textContent = ` · finale ${reply.version}`;
  } catch (error) {
    main.replaceChildren(trouble(error, begin, leave.signal));
    return;
  }
  document.getElementById("games").replaceChildren(...games.map(({ game, title }) =>
    h("a", { href: address({ game }), "data-game": game }, title.replace(/^Stylish.*/, "Stylish").replace(/ chess\b/i, ""))));
  const pick = document.getElementById("pick");
  pick.replaceChildren(h("option", { value: "" }, "…"), ...games.map(({ game, title }) => h("option", { value: game }, title)));
  pick.addEventListener("change", () => go(address(pick.value ? { game: pick.value } : {})));
  const help = async (word) => (await import("./help.js")).help(word);
  document.getElementById("help").addEventListener("click", () => help());
  document.addEventListener("click", (event) => {
    const word = event.target.closest("[data-word]");
    if (word) {
      event.preventDefault();
      help(word.dataset.word);
      return;
    }
    const link = event.target.closest("a[href^='?']");
    if (!link || link.target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.getAttribute("href"));
  });
  document.addEventListener("keydown", (event) => {
    const writes = event.target.matches("input:not([type=range]), textarea, select");
    if (event.key === "?" && !writes) help();
    else explorer?.key(event);
  });
  addEventListener("popstate", route);
  route();
}

start();
