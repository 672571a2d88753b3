// What the page knows of each game. One that is not listed is shown as orthodox chess is.

import { orthodox } from "./orthodox.js";
import { high } from "./high.js";
import { noro } from "./noro.js";
import { orphic, elks } from "./orphic.js";
import { stylish } from "./stylish.js";
import { tiebraker } from "./tiebraker.js";

const GAMES = { orthodox, high, noro, orphic, "orphic-elks": elks, stylish, tiebraker };

GAMES.koth = {
  ...orthodox,
  summary: "Orthodox chess in which a king who reaches one of the four squares in the middle wins.",
  rules: ["All rules of orthodox chess hold. Besides, a king on d4, e4, d5 or e5 wins at once.",
    "Tables count the plies to the end, whichever comes first: mate, or the king in the middle."],
  end: "wins",
  men: "KQRBNP",
  examples: [["8/8/8/8/2k5/8/8/K6R w - - 0 1", "The rook must keep a king from the hill"]],
};

/** What the page knows of a game. */
export const knowledge = (name) => GAMES[name] ?? orthodox;
