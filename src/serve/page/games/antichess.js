// Antichess: who has no turn has won.

import { orthodox } from "./orthodox.js";

export const games = {
  antichess: {
    ...orthodox,
    summary: "Who can capture must, and who has no men left, or no turn, has won.",
    rules: [
      "Men move as in orthodox chess. Who can capture must; which capture is free.",
      "The king is a man like others: it can be captured, and a pawn may become one.",
      "Who has no men, or no turn, has won. Endless play is a draw.",
    ],
    end: "wins",
    lost: "lost",
    cover: "8/1p4b1/8/3k4/P5n1/2R5/5P2/3K4",
    examples: [
      ["8/8/8/3k4/8/8/8/7R w - - 0 1", "A rook against a king: who gets rid of it first?"],
      ["8/8/7p/8/8/8/P7/8 w - - 0 1", "Two pawns, far apart"],
      ["K7/7p/8/8/8/8/8/8 w - - 0 1", "A king waits for a pawn"],
    ],
  },
};
