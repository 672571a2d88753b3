// Atomic chess: captures explode.

import { orthodox } from "./orthodox.js";

export const games = {
  atomic: {
    ...orthodox,
    summary: "A capture explodes and takes all pieces around with it; who loses the king loses.",
    rules: [
      "A capture removes who is captured, who captures, and every man but pawns on the squares " +
        "around. Who loses the king by that has lost; nobody may blow up the own one.",
      "Kings may stand side by side: there neither can be taken, and neither is in check.",
      "Checkmate wins, too. Stalemate and endless play are draws.",
    ],
    end: "wins",
    lost: "lost",
    cover: "8/5pk1/4np2/8/3Q4/2P5/1PK5/8",
    examples: [
      ["8/8/8/8/3k4/8/8/K6Q w - - 0 1", "A queen must keep the kings apart"],
      ["8/8/8/8/8/1k6/4P3/4K3 w - - 0 1", "A pawn and its king"],
    ],
  },
};
