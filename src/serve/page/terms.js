// Words that the page uses in a sense of its own, made links to what they mean.

import { h } from "./dom.js";

/** The words, in the forms in which texts have them, by the names of their explanations. */
const FORMS = {
  turn: "turns?", ply: "ply|plies", slack: "slack", conversion: "conversions?|converts", placement: "placements?",
  staircase: "staircase", vitality: "vitality|vitalities", zugzwang: "zugzwang", "keeping turn": "keeping_turns?",
};

const ANY = new RegExp(`\\b(?:${Object.values(FORMS).join("|")})\\b`, "gi");

/** The name of the explanation of a word. */
const nameOf = (word) => Object.keys(FORMS).find((name) => new RegExp(`^(?:${FORMS[name]})$`, "i").test(word));

/** A word that leads to its explanation. */
export const term = (name, text = name) =>
  h("a", { class: "term", href: `#word-${name.replace(" ", "-")}`, "data-word": name }, text);

/** A text whose words of that kind lead to their explanations, each the first time it is there. */
export function explained(text) {
  const parts = [];
  const met = new Set();
  let from = 0;
  for (const found of String(text).matchAll(ANY)) {
    const name = nameOf(found[0]);
    if (met.has(name)) continue;
    met.add(name);
    parts.push(text.slice(from, found.index), term(name, found[0]));
    from = found.index + found[0].length;
  }
  return [...parts, String(text).slice(from)];
}
