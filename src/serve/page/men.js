// The men, drawn for this page in one style.

import { s } from "./dom.js";
import { SHAPES } from "./shapes.js";

export const NAMES = {
  K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn", E: "elk",
  D: "disk",
};

/** `white king` */
export const named = (man) =>
  `${man === man.toUpperCase() ? "white" : "black"} ${NAMES[man.toUpperCase()] ?? man.toUpperCase()}`;

/** The picture of a man, by its letter. */
export function picture(man) {
  const letter = man.toUpperCase();
  const shape = SHAPES[letter];
  const side = man === letter ? "white" : "black";
  const attributes = { viewBox: "0 0 100 100", class: `man ${side}`, "aria-hidden": "true" };
  if (!shape) {
    // A kind that only a file of variants knows stands as its letter on a disc.
    return s("svg", attributes, s("path", { d: "M12 50a38 38 0 1 1 76 0a38 38 0 1 1-76 0z" }),
      s("text", { x: 50, y: 67, class: "letter" }, letter));
  }
  return s("svg", attributes,
    shape.bars.map((d) => s("path", { d, class: "bar" })),
    shape.bars.map((d) => s("path", { d, class: "bar core" })),
    shape.fill.map((d) => s("path", { d })),
    shape.lines.map((d) => s("path", { d, class: "line" })));
}
