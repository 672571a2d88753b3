// Turns in UCI notation.

import { index } from "./fen.js";

/**
 * What a turn does on the board. A plus is a promotion to the only kind that such a man becomes.
 */
export function reading(uci) {
  const drop = uci.match(/^([A-Z])@([a-h][1-8])(?::([a-h][1-8]))?$/);
  if (drop) return { from: null, to: index(drop[2]), man: drop[1], relocated: drop[3] };
  const move = uci.match(/^([a-h][1-8])([a-h][1-8])([a-z+]?)$/);
  if (!move) return {};
  return { from: index(move[1]), to: index(move[2]), promotion: move[3] };
}

/** The squares of a turn. */
export function squaresOf(uci) {
  const { from, to } = reading(uci);
  return [from, to].filter((at) => at != null);
}
