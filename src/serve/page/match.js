// Game records that people paste: one is shown on the board, several are summed as a match.

import { button, h } from "./dom.js";
import { source } from "./source.js";

/** A box for the text of records of a game; `load` shows one of them. */
export function recordBox(game, load) {
  const text = h("textarea", { rows: 6, spellcheck: "false", "aria-label": "Game records" });
  const found = h("div", { class: "found", role: "status" });
  const read = button("Read", async () => {
    // A button that is disabled would lose the focus.
    if (read.ariaBusy === "true") return;
    read.ariaBusy = "true";
    try {
      found.replaceChildren(...shown(await source.replay(game, text.value), load));
    } catch (error) {
      found.replaceChildren(h("p", { class: "error" }, error.message));
    }
    read.ariaBusy = null;
  });
  return h("details", { class: "paste" }, h("summary", {}, "Read a game record, or a match of several"),
    text, h("div", { class: "bar" }, read), found);
}

function shown({ games, players, after_normal_games: afterNormal, result }, load) {
  if (games.length === 1) {
    const [only] = games;
    if (only.error) return [h("p", { class: "error" }, only.error)];
    load(only);
    return [h("p", {}, `${only.white} – ${only.black}: ${only.result}.`)];
  }
  // Points are nobody's in games without them.
  const columns = ["wins", "draws", "losses", "points", "points_against"].filter((name) =>
    players.some((player) => player[name] != null));
  const rows = players.map((player) => h("tr", {}, h("th", { scope: "row" }, player.player),
    columns.map((name) => h("td", { class: "number" }, String(player[name])))));
  return [
    h("ol", { class: "games" }, games.map((one) => h("li", {}, one.error
      ? h("span", { class: "error" }, `${one.white} – ${one.black}, line ${one.line}: ${one.error}`)
      : [button(`${one.white} – ${one.black}`, () => load(one), { class: "small" }),
        ` ${one.result}${one.counted ? "" : "; not counted"}`]))),
    players.length > 0 && h("table", {},
      h("thead", {}, h("tr", {}, ["player", ...columns].map((name) =>
        h("th", { scope: "col" }, name.replace("_", " "))))),
      h("tbody", {}, rows)),
    afterNormal && h("p", {}, `After the normal games ${afterNormal}.`),
    h("p", { class: "sum" }, `${result[0].toUpperCase()}${result.slice(1)}.`),
  ].filter(Boolean);
}
