// Makruk, the chess of Thailand.

import { orthodox } from "./orthodox.js";

export const games = {
  makruk: {
    ...orthodox,
    cover: null,
    summary: "The chess of Thailand: slow men, and pawns that become a Met on the sixth rank.",
    rules: [
      "The Met M moves one square diagonally, the Khon S also one straight ahead; King, Rook and " +
        "Knight move as elsewhere.",
      "Pawns never walk two squares, and become a Met on the sixth rank.",
      "Checkmate wins; stalemate and endless play are draws. The counting of moves is not looked at.",
    ],
    examples: [
      ["8/8/8/3k4/8/8/8/K6R w - - 0 1", "A rook mates, as elsewhere"],
      ["8/8/8/3k4/8/8/3P4/3K4 w - - 0 1", "A pawn becomes a Met, which does not mate"],
      ["k7/8/3S4/K7/8/8/8/8 w - - 0 1", "A khon alone mates from a few squares only"],
    ],
  },
};
