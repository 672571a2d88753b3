// King of the Hill: orthodox chess with a goal for kings.

import { orthodox } from "./orthodox.js";

export const games = {
  koth: {
    ...orthodox,
    summary: "Orthodox chess in which a king who reaches the middle wins.",
    rules: [
      "All rules of orthodox chess hold. Besides, a king on d4, e4, d5 or e5 wins at once.",
      "Tables count the plies to the end, whichever comes first: mate, or the king in the middle.",
    ],
    end: "wins",
    lost: "lost",
    centre: true,
    cover: "8/2p3p1/5k2/1p1n4/4P3/2N2K2/1P4P1/8",
    examples: [
      ["8/8/8/8/2k5/8/8/K6R w - - 0 1", "The rook must keep a king from the hill"],
      ["8/8/8/8/8/6k1/4P3/1K6 b - - 0 1", "A race to the middle"],
      ["7k/8/8/8/8/8/8/K5B1 w - - 0 1", "A bishop cannot mate, but its king can walk"],
    ],
  },
};
