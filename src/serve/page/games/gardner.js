// Gardner's Minichess: chess on five files and ranks.

import { orthodox } from "./orthodox.js";

export const games = {
  gardner: {
    ...orthodox,
    cover: null,
    summary: "Chess on five files and five ranks, the smallest board that all men fit on.",
    rules: [
      "The men move as in chess; pawns never walk two squares and promote on the fifth rank.",
      "Checkmate wins; stalemate and endless play are draws. There is no castling.",
    ],
    examples: [
      ["5/1k3/5/5/K3R w - - 0 1", "A rook needs less time on a small board"],
      ["5/5/1k3/3P1/3K1 w - - 0 1", "How far is it for a pawn?"],
      ["5/2k2/5/5/K3Q w - - 0 1", "A queen mates sooner, too"],
    ],
  },
};
