// Orphic Chess: men in reserve, dropped on the board.

import { h } from "../dom.js";
import { isWhite } from "../fen.js";
import { NAMES } from "../men.js";
import { orthodox } from "./orthodox.js";

const RULES = [
  "The board begins with pawns only. Each side holds its other men in reserve, the king too, and drops them on empty squares, or on its own pawns, which then step to another square of its second to fourth rank.",
  "While its king is in reserve a side cannot be in check, and its men on the board only capture.",
  "Mate wins, stalemate is a draw. Captured men do not return.",
];

/** How many of each there can be in reserve. */
const MOST = { K: 1, Q: 1, R: 2, E: 2, B: 2, N: 2 };

function controls({ fen, set, reserveMen }) {
  const count = (man) => [...fen.reserve].filter((other) => other === man).length;
  const write = (man, number) => {
    const others = [...fen.reserve].filter((other) => other !== man).join("");
    set({ reserve: others + man.repeat(number) });
  };
  const stepper = (man) => {
    const [number, most] = [count(man), MOST[man.toUpperCase()]];
    const name = `${isWhite(man) ? "White" : "Black"}'s ${NAMES[man.toUpperCase()]}`;
    const step = (by, sign, words) => h("button", {
      type: "button", disabled: number + by < 0 || number + by > most,
      "aria-label": `${words} ${name} in reserve`, onclick: () => write(man, number + by),
    }, sign);
    return h("span", { class: "stepper" }, step(-1, "−", "One less"),
      h("b", { class: number ? "" : "none" }, `${man.toUpperCase()}${number > 1 ? number : ""}`),
      step(1, "+", "One more"));
  };
  const row = (name, change) => h("div", { class: "reserve-row" }, h("span", {}, name),
    [...reserveMen].map((man) => stepper(change(man))));
  return h("div", { class: "controls" },
    h("h3", {}, "Reserves"),
    row("White", (man) => man), row("Black", (man) => man.toLowerCase()),
    h("p", { class: "hint" }, "Drag a man from beside the board, or pick it and then a square. "
      + "Dropped on a pawn, it moves the pawn: then pick where that goes."));
}

const both = {
  ...orthodox,
  cover: null,
  rules: RULES,
  controls,
};

const orphic = {
  ...both,
  summary: "The men wait in reserve, the king among them.",
  reserveMen: "KQRBN",
  examples: [
    ["8/8/8/3k4/8/8/8/4K3[R] w - - 0 1", "A rook in hand: where to drop it?"],
    ["8/8/8/3k4/8/8/8/8[KQ] w - - 0 1", "King and queen still to come"],
    ["8/8/8/8/8/8/3P4/3K4[k] w - - 0 1", "The black king waits in reserve"],
  ],
};

const elks = {
  ...both,
  summary: "Orphic Chess with elks: rooks on dark squares, knights on light ones.",
  rules: [...RULES, "Elks stand in for rooks: an elk moves as a rook from dark squares and as a knight from light ones."],
  reserveMen: "KQEBN",
  examples: [
    ["8/8/8/8/8/2k5/8/K7[E] w - - 0 1", "The longest mate with the elk in hand"],
    ["E7/8/8/2k5/8/8/8/7K w - - 0 1", "The longest mate of the elk: 43 plies"],
  ],
};

export const games = { orphic, "orphic-elks": elks };
