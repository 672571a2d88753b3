// The men, drawn for this page in one style.

import { s } from "./dom.js";
import { SHAPES } from "./shapes.js";

export const NAMES = {
  K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn", E: "elk",
  D: "disk",
};

/** `white king` */
export const named = (man) =>
  `${man === man.toUpperCase() ? "white" : "black"} ${NAMES[man.toUpperCase()] ?? "man"}`;

/** The picture of a man, by its letter. */
export function picture(man) {
  const shape = SHAPES[man.toUpperCase()] ?? SHAPES.P;
  const side = man === man.toUpperCase() ? "white" : "black";
  return s("svg", { viewBox: "0 0 100 100", class: `man ${side}`, "aria-hidden": "true" },
    shape.bars.map((d) => s("path", { d, class: "bar" })),
    shape.bars.map((d) => s("path", { d, class: "bar core" })),
    shape.fill.map((d) => s("path", { d })),
    shape.lines.map((d) => s("path", { d, class: "line" })));
}
