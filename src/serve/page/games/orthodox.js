// Orthodox chess, and whatever has wins, draws and losses with a distance.

import { histogram } from "../chart.js";
import { plies } from "../dom.js";

/** A result from White's view: 1, 0, -1; null if it is not known. */
export const whiteView = (wdl, turn) => {
  const value = { win: 1, draw: 0, loss: -1 }[wdl];
  return value == null ? null : turn === "w" ? value : -value || 0;
};

export const orthodox = {
  summary: "The yardstick: who mates, and how fast.",
  rules: [
    "The FIDE laws of movement. Checkmate wins, stalemate is a draw, and so is a game without end.",
    "Repetition and the fifty-move rule are not looked at. Tables do not cover castling.",
  ],
  /** Men to look at on the page of all games; without them those of the first position are. */
  cover: "8/5pk1/4p1p1/3n4/1P1B4/5KP1/3R3P/2r5",
  examples: [
    ["8/8/8/3k4/8/8/8/K6R w - - 0 1", "King and rook mate a bare king in at most 31 plies"],
    ["8/8/8/8/8/1k6/1P6/1K6 b - - 0 1", "A rook's pawn would draw; does this one?"],
    ["8/8/8/8/8/8/k1P5/2K5 w - - 0 1", "Which turns win with the pawn, and which only draw?"],
  ],
  /** What wins and losses are called. */
  end: "mates",
  lost: "mated",

  /**
   * The fields of a position as the page shows them: `white` is the result from White's view,
   * `short` a number for a square, `strength` 0 to 1 how good the result is for its winner.
   */
  worth(fields, turn) {
    const white = whiteView(fields.wdl, turn);
    const { dtm } = fields;
    return {
      white,
      short: dtm == null || !white ? "" : String(dtm),
      strength: dtm == null ? 0.3 : 1 / (1 + dtm / 16),
    };
  },

  /** The name of a group of turns; `mover` is 1, 0 or -1 as the result is for who plays it. */
  group(turn, mover) {
    return { 1: "Winning", 0: "Drawing", "-1": "Losing" }[mover] ?? "Not in the tables";
  },

  /** What stands beside a turn: the distance after it. */
  metric(turn) {
    if (turn.dtm == null) return "";
    return turn.dtm === 0 ? "ends it" : `${turn.wdl === "win" ? this.lost : this.end} in ${plies(turn.dtm)}`;
  },

  /** What a turn costs against the best of its group. */
  cost(turn, best) {
    const delay = Math.abs((turn.dtm ?? 0) - (best.dtm ?? 0));
    return turn.wdl === "draw" || !delay ? "" : `${turn.wdl === "win" ? "−" : "+"}${delay}`;
  },

  /** What costs are counted in, and how a group says so. */
  unit: "plies",
  costs: "cost in plies",

  /** What the histogram of a table counts along; null if the game has none. */
  bins: "plies to the end",

  /** Controls of the game's own state. */
  controls: () => null,

  /** The chart of the game's own question. */
  chart: (context) => histogram(context, {
    title: "All positions with these men, by result and distance",
    groups: { win: "wins", draw: "draws", loss: "losses" },
    unit: "plies to the end",
    here: ({ answer }) => [answer.wdl, answer.dtm ?? 0],
  }),
};

export const games = { orthodox };
