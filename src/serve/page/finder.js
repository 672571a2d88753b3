// A box on the page of a table: positions that answer a question, as boards.

import { button, grouped, h, say } from "./dom.js";
import { progress } from "./chart.js";
import { parse } from "./fen.js";
import { thumbnail } from "./board.js";
import { source } from "./source.js";
import { address } from "./state.js";
import { explained } from "./terms.js";

/** Positions that are shown at first, and at most. */
const FIRST = 24;
const MOST = 200;

/** Questions that fit any game. */
const EXAMPLES = ["keeping_turns = 1", "zugzwang", "captures > 0", "turns = 0"];

/** The box; `query` and `sort` are those of the address. */
export function finder({ game, table, signal, find: query, sort = "" }) {
  const attributes = { type: "text", spellcheck: "false", autocapitalize: "off", autocomplete: "off" };
  const box = h("input", { ...attributes, id: "find", value: query ?? "", placeholder: "wins and keeping_turns = 1" });
  const order = h("input", { ...attributes, id: "sort", value: sort, placeholder: "nothing" });
  const place = h("div", { "aria-live": "polite" });
  const names = h("div", { class: "scroll names" });
  let leave = new AbortController();
  signal.addEventListener("abort", () => leave.abort());

  const look = async (limit) => {
    leave.abort();
    leave = new AbortController();
    const asked = { query: box.value.trim(), sort: order.value.trim() };
    if (asked.query === "") {
      place.replaceChildren();
      return;
    }
    // Names have underscores, which stand for spaces elsewhere in addresses.
    const pairs = [["find", asked.query], ["sort", asked.sort]].filter(([, text]) => text !== "");
    const question = pairs.map(([name, text]) => `&${name}=${encodeURIComponent(text)}`).join("");
    history.replaceState(null, "", address({ game, table }) + question);
    const { element, onProgress } = progress("Looking through the table…");
    place.replaceChildren(element);
    try {
      show(await source.find(game, table, { ...asked, limit }, { signal: leave.signal, onProgress }), limit);
    } catch (error) {
      if (error.name === "AbortError") return;
      place.replaceChildren(h("pre", { class: "trouble", role: "alert" }, error.message));
    }
  };

  const show = ({ positions, placements, complete, found }, limit) => {
    const words = positions === 0 ? "No position answers to that."
      : `${grouped(positions)}${complete ? "" : " or more"} position${positions === 1 ? "" : "s"}, ${grouped(placements)} placements. `;
    say(words);
    place.replaceChildren(
      h("p", {}, explained(words),
        !complete && button("Count all", () => look(0), { class: "small" }), " ",
        found.length < positions && limit < MOST && button(`Show ${MOST}`, () => look(MOST), { class: "small" })),
      h("ul", { class: "cards found" }, found.map(({ fen, brief }) =>
        h("li", {}, h("a", { href: address({ game, fen }), title: fen }, thumbnail(parse(fen)),
          h("span", {}, `${parse(fen).turn === "w" ? "White" : "Black"} to move: ${brief}`))))));
  };

  const list = async () => {
    if (names.childElementCount > 0) return;
    try {
      const found = await source.names(game, table, signal);
      names.replaceChildren(h("table", {}, h("tbody", {}, found.names.map(({ name, tells }) =>
        h("tr", {}, h("td", {}, h("code", {}, name)), h("td", {}, explained(tells)))))));
    } catch (error) {
      if (error.name !== "AbortError") names.replaceChildren(h("p", { class: "trouble" }, error.message));
    }
  };

  const example = (text) => button(text, () => {
    box.value = text;
    look(FIRST);
  }, { class: "small" });
  if (query) look(FIRST);
  return h("section", { class: "finder" }, h("h2", {}, "Find positions"),
    h("form", { onsubmit: (event) => { event.preventDefault(); look(FIRST); } },
      h("label", { for: "find" }, "that answer to"), box,
      h("label", { for: "sort" }, "the lowest first by"), order,
      h("button", {}, "Find")),
    h("p", { class: "hint" }, "For example ", EXAMPLES.map((text) => [example(text), " "])),
    h("details", { ontoggle: list }, h("summary", {}, "Names to ask for"), names),
    place);
}
