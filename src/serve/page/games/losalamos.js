// Los Alamos chess: six files and ranks, and no bishops.

import { orthodox } from "./orthodox.js";

export const games = {
  losalamos: {
    ...orthodox,
    cover: null,
    summary: "The chess of MANIAC I in 1956: six files and ranks, and no bishops.",
    rules: [
      "The men move as in chess; pawns never walk two squares and become a Queen, Rook or Knight " +
        "on the sixth rank.",
      "Checkmate wins; stalemate and endless play are draws. There is no castling.",
    ],
    examples: [
      ["6/1k4/6/6/6/K4R w - - 0 1", "A rook drives the king to the edge"],
      ["6/6/1k4/3P2/3K2/6 w - - 0 1", "King and pawn"],
      ["5k/6/6/6/6/KQ4 w - - 0 1", "A queen mates soon"],
    ],
  },
};
