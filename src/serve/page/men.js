// The men, drawn for this page in one style: a plinth, a body, and what tells them apart.

import { s } from "./dom.js";

const PLINTH = "M22 91v-3a7 7 0 0 1 7-7h42a7 7 0 0 1 7 7v3z";
const SKIRT = "M33 81c1-6 3-10 4-15h26c1 5 3 9 4 15z";

/** Outlines in a square of 100; `bars` are strokes with an outline, `lines` strokes alone. */
const SHAPES = {
  K: {
    fill: [PLINTH, SKIRT,
      "M50 37c6-12 31-11 31 8 0 10-9 15-12 22H31c-3-7-12-12-12-22 0-19 25-20 31-8z"],
    bars: ["M50 11v20M43 18h14"],
    lines: ["M50 38v28", "M33 66.500c10-3 24-3 34 0"],
  },
  Q: {
    fill: [PLINTH, SKIRT,
      "M32 67 18 35l18 17-2-26 13 24 3-28 3 28 13-24-2 26 18-17-14 32z",
      ...[[17, 31], [33, 22], [50, 17], [67, 22], [83, 31]].map(
        ([x, y]) => `M${x - 5} ${y}a5 5 0 1 1 10 0a5 5 0 1 1-10 0z`)],
    lines: ["M33 66.500c10-3 24-3 34 0"],
  },
  R: {
    fill: [PLINTH, "M34 81 37 47h26l3 34z", "M28 47V23h11v9h6v-9h10v9h6v-9h11v24z"],
    lines: ["M37 56h26"],
  },
  B: {
    fill: [PLINTH, "M35 81c0-8 4-12 5-18h20c1 6 5 10 5 18z",
      "M50 21c14 9 21 19 20 30-.5 6-4 10-8 12H38c-4-2-7.500-6-8-12-1-11 6-21 20-30z",
      "M44.500 15.500a5.500 5.500 0 1 1 11 0a5.500 5.500 0 1 1-11 0z"],
    lines: ["M50 33v17M42 41h16", "M38 63h24"],
  },
  N: {
    fill: [PLINTH,
      "M34 81c-2-17 14-21 14-34-5 5-11 7-15 12-3 4-6 5-9 3-4-2-5-6-3-10 4-8 9-14 11-23l-2-13 11 8c22-4 38 15 33 57z"],
    lines: ["M55 31c11 9 14 25 11 42", "M33 38l3-1"],
  },
  P: {
    fill: [PLINTH, "M35 81c2-9 9-13 10-27h10c1 14 8 18 10 27z",
      "M37 37a13 13 0 1 1 26 0a13 13 0 1 1-26 0z", "M36 50h28v5H36z"],
    lines: [],
  },
  // The elk looks at us from between its antlers.
  E: {
    fill: [PLINTH, "M36 81c1-7 5-10 6-16h16c1 6 5 9 6 16z",
      "M39 41 29 37c2 7 6 9 11 10l3 16c1 7 13 7 14 0l3-16c5-1 9-3 11-10l-10 4c-6-5-16-5-22 0z"],
    bars: ["M44 41C34 36 27 28 27 12M28 26 16 17M33 33l-17-2",
      "M56 41c10-5 17-13 17-29M72 26l12-9M67 33l17-2"],
    lines: ["M46 52v1M54 52v1"],
  },
  // The disk is a king who may not move.
  D: {
    fill: ["M12 54a38 38 0 1 1 76 0a38 38 0 1 1-76 0z"],
    lines: ["M19 54a31 31 0 1 1 62 0a31 31 0 1 1-62 0z", "M50 29v12M44.500 34.500h11",
      "M50 49c4-8 20-7 20 5 0 7-6 9-8 15H38c-2-6-8-8-8-15 0-12 16-13 20-5zM50 49v19"],
  },
};

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
    shape.bars?.map((d) => s("path", { d, class: "bar" })),
    shape.bars?.map((d) => s("path", { d, class: "bar core" })),
    shape.fill.map((d) => s("path", { d })),
    shape.lines.map((d) => s("path", { d, class: "line" })));
}
