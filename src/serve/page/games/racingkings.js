// Racing Kings: first on the eighth rank.

import { orthodox } from "./orthodox.js";

export const games = {
  racingkings: {
    ...orthodox,
    cover: null,
    summary: "The first king on the eighth rank wins, and nobody may give check.",
    rules: [
      "A king that reaches the eighth rank wins. If it is White's, Black has one more turn, and draws " +
        "if its king gets there, too.",
      "Nobody may give check. Stalemate and endless play are draws.",
    ],
    end: "wins",
    lost: "lost",
    examples: [
      ["8/8/8/8/8/8/k6K/7Q w - - 0 1", "A queen bars the way"],
      ["8/8/2K5/8/3k4/8/8/6R1 b - - 0 1", "Black is behind: does the rook matter?"],
      ["8/1k6/8/6K1/8/8/8/5n2 w - - 0 1", "A king that is nearly there"],
    ],
  },
};
