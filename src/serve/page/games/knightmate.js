// Knightmate: the king moves as a knight.

import { orthodox } from "./orthodox.js";

export const games = {
  knightmate: {
    ...orthodox,
    cover: null,
    summary: "The king moves as a knight, and two commoners stand in the knights' place.",
    rules: [
      "The king moves, and gives check, as a knight. Checkmate wins.",
      "The commoner M moves as a king elsewhere, and is a man like others.",
      "Pawns become queens, rooks, bishops or commoners. There is no castling here. Stalemate and " +
        "endless play are draws.",
    ],
    examples: [
      ["8/8/8/8/3k4/8/8/KQ6 w - - 0 1", "A queen mates alone, in seven plies"],
      ["8/8/8/3k4/8/8/3M4/K7 w - - 0 1", "One commoner does not mate a king that leaps"],
      ["8/8/8/3k4/8/8/3P4/3K4 w - - 0 1", "What can a pawn become?"],
    ],
  },
};
