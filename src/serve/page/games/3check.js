// Three-check chess: how many checks each side has left.

import { h, slider } from "../dom.js";
import { orthodox } from "./orthodox.js";

const MOST = 3;

const left = (fen) => (fen.fields[0] ?? `${MOST}+${MOST}`).split("+").map(Number);

const threeCheck = {
  ...orthodox,
  summary: "Chess in which the third check wins.",
  rules: [
    "The laws of orthodox chess hold. Besides, whoever gives check for the third time wins at once.",
    "A FEN says how many checks White and Black have left, 3+3 at first. Tables count the plies to the end, by mate or by the last check.",
  ],
  end: "wins",
  lost: "lost",
  cover: "8/1k3p2/2p5/3b4/1R4P1/5B2/5PK1/8",
  examples: [
    ["8/8/8/3k4/8/8/8/K6R w - - 3+3 0 1", "Three checks, or mate: which is sooner?"],
    ["8/8/8/3k4/8/8/8/K5B1 w - - 2+3 0 1", "A bishop cannot mate, but it can check"],
    ["8/8/8/8/4k3/8/4P3/4K3 w - - 1+3 0 1", "A pawn that needs a single check"],
  ],

  controls({ fen, set }) {
    const now = left(fen);
    const checks = (name, side) => slider({
      name, label: `Checks that ${name} has left`, max: MOST, value: now[side],
      change: (left) => set({ fields: [now.map((n, at) => (at === side ? left : n)).join("+")] }),
    });
    return h("div", { class: "controls" },
      h("h3", {}, "Checks left"), checks("White", 0), checks("Black", 1));
  },
};

export const games = { "3check": threeCheck };
