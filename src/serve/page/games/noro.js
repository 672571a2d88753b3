// Norochess: a clock of moves, and scores.

import { h, plies, slider } from "../dom.js";
import { alongTheClock } from "../chart.js";
import { orthodox } from "./orthodox.js";

/** What taking the last man does, by rule option. */
const ELIMINATION = {
  loses: "Who takes the last man wins, whatever the score.",
  early: "Who loses the last man before the 48th move loses, whatever the score; later the score decides.",
  score: "Taking the last man ends the game, and the score decides.",
};

const scores = (fen) => (fen.fields[0] ?? "0+0").split("+").map((n) => Number(n) || 0);

const noro = {
  ...orthodox,
  summary: "Captures score, nobody is royal, and the moves are counted.",
  rules: [
    "Men move as in orthodox chess; the king is a man like the others and may be captured. There is no check, no mate, no castling.",
    ({ elimination }) => `Captures score: queen 9, rook 5, bishop 3, knight 3, king 2, pawn 1. ${ELIMINATION[elimination]}`,
    "Each side makes 48 moves; while the scores are equal, up to 12 more. Then the higher score wins. Who cannot move ends the game, and the score decides.",
  ],
  cover: "3q4/5p2/2n3b1/8/1R3N2/4P3/1B3Q2/8",
  examples: [
    ["8/8/3q4/8/8/2R5/8/8 w - - 19+15 0 25", "A rook runs from a queen, four points ahead"],
    ["8/8/3q1q2/8/8/2R5/8/8 w - - 0+0 0 1", "One rook escapes two queens"],
    ["8/8/8/3k4/8/8/8/R7 w - - 0+2 0 44", "Two points behind, with little time"],
  ],

  worth(fields) {
    const white = { white: 1, draw: 0, black: -1 }[fields.result] ?? null;
    const sure = white && fields.slack == null;
    return {
      white,
      short: sure ? "∞" : fields.slack == null ? "" : String(fields.slack),
      strength: sure ? 1 : 0.3 + Math.min(fields.slack ?? 0, 12) / 20,
    };
  },

  metric(turn) {
    if (turn.result === "draw") return "";
    const lead = turn.result === "white" ? turn.margin : -turn.margin;
    const by = turn.margin != null && lead > 0 ? `by ${lead}, ` : "";
    return by + (turn.slack == null ? "at any score" : `slack ${turn.slack}`);
  },

  cost(turn, best) {
    if (turn.margin != null && best.margin != null) {
      const lost = Math.abs(best.margin - turn.margin);
      return lost ? `−${lost}` : "";
    }
    if (turn.slack == null && best.slack != null || turn.result === "draw") return "";
    if (turn.slack == null) return "";
    if (best.slack == null) return "not sure";
    const lost = Math.abs(best.slack - turn.slack);
    return lost ? `−${lost}` : "";
  },

  unit: "points",
  bins: null,
  costs: "cost in points",

  controls({ fen, options, set }) {
    const [regular, overtime] = String(options.moves ?? "48+12").split("+").map(Number);
    const last = regular + overtime;
    const [white, black] = scores(fen);
    const number = Number(fen.fullmove);
    const left = 2 * (last - number + 1) - (fen.turn === "b" ? 1 : 0);
    const score = (name, value, change) => h("label", {}, `${name} `, h("input", {
      type: "number", min: 0, max: 999, value, "aria-label": `${name}'s score`,
      onchange: (event) => change(Math.max(0, Math.min(999, Number(event.target.value) || 0))),
    }));
    return h("div", { class: "controls" },
      h("h3", {}, "Clock and score"),
      slider({
        name: "Move", label: "Move number", max: last, value: number,
        change: (fullmove) => set({ fullmove }),
      }),
      h("p", { class: "hint" }, `At most ${plies(left)} to go${number > regular ? ", in overtime" : ""}.`),
      h("div", { class: "pair" },
        score("White", white, (n) => set({ fields: [`${n}+${black}`] })),
        score("Black", black, (n) => set({ fields: [`${white}+${n}`] }))));
  },

  chart: (context) => {
    const [white, black] = scores(context.fen);
    return alongTheClock(context, white - black);
  },
};

export const games = { noro };
