// Tiebraker Chess: the mode, the disk, the countdown, and the declaration.

import { h, plies } from "../dom.js";
import { byChoice } from "../chart.js";
import { orthodox } from "./orthodox.js";

/** Modes to choose, with whose king is the disk: the side that has it, if any. */
const MODES = [
  ["normal", null, "Normal: nobody has declared"],
  ["declared", "other", "Declared: the other side must answer"],
  ["accepted w", "w", "Accepted: White's king is a disk"],
  ["accepted b", "b", "Accepted: Black's king is a disk"],
  ["option1 w", "w", "Option 1: White's king is the disk"],
  ["option1 b", "b", "Option 1: Black's king is the disk"],
  ["option2:w", null, "Option 2: White's declaration is void"],
  ["option2:b", null, "Option 2: Black's declaration is void"],
];

const modeOf = (fen) => fen.fields[0] ?? "normal";

/** The entry of a mode in the list: it needs the disk to tell. */
function entry(fen) {
  const [mode] = modeOf(fen).split(":");
  if (mode === "option2" || mode === "normal" || mode === "declared") return modeOf(fen);
  return `${mode} ${fen.men.includes("D") ? "w" : "b"}`;
}

/** The men with one side's king as the disk, or nobody's. */
function withDisk(men, side) {
  return men.map((man) => {
    if (man === "K" || man === "D") return side === "w" ? "D" : "K";
    if (man === "k" || man === "d") return side === "b" ? "d" : "k";
    return man;
  });
}

const tiebraker = {
  ...orthodox,
  summary: "A hundred points to split, and one chance to stake the king's freedom.",
  rules: [
    "Moves are those of orthodox chess. Mate pays 100 points, stalemate 60 for who gives it, perpetual check 51 (White) or 55 (Black); otherwise infinite play splits them.",
    "Once in a game a player who is not in check may declare: the king becomes a disk, which never moves. The opponent accepts by moving, or takes option 1 (its own king becomes the disk) or option 2 (nobody's does).",
    "After acceptance whoever can capture must capture or give check. After option 1 twenty plies are free of that. After option 2 the declarer must mate, or loses everything.",
  ],
  cover: "8/3k1p2/6p1/1b6/3D4/2P2N2/5P2/4R3",
  examples: [
    ["8/8/8/3k4/8/8/8/K6R w - - normal 0 1", "King and rook: mate, without a stake"],
    ["8/8/6k1/8/8/2D5/8/Q7 b - - accepted 0 1", "White's king is a disk"],
    ["8/8/8/3k4/8/8/3P4/3K4 w - - normal 0 1", "A pawn, and a chance to declare"],
  ],
  men: "KQRBNPD",

  worth(fields) {
    if (fields.points == null) return { white: null, short: "", strength: 0 };
    return {
      white: Math.sign(fields.points - 50),
      short: String(fields.points),
      strength: 0.2 + Math.abs(fields.points - 50) / 62,
    };
  },

  group(turn, mover, best, side) {
    if (turn.points == null) return "Not in the tables";
    const points = side === "w" ? turn.points : 100 - turn.points;
    return `${points} points for ${side === "w" ? "White" : "Black"}, by ${turn.by}`;
  },

  metric: (turn) => (turn.distance == null ? "" : `converts in ${plies(turn.distance)}`),

  cost(turn, best, side, overall) {
    const lost = Math.abs((turn.points ?? 0) - (overall.points ?? 0));
    return turn.points == null || !lost ? "" : `−${lost}`;
  },

  unit: "points",
  bins: "White's points, before anybody declares",
  costs: "cost in points",

  controls({ fen, set, answer, play }) {
    const mode = modeOf(fen);
    const [kind, count] = mode.split(":");
    const choose = (value) => {
      const [, whose] = MODES.find(([name]) => name === value);
      const side = whose === "other" ? (fen.turn === "w" ? "b" : "w") : whose;
      let field = value.split(" ")[0];
      // With an even count left it is not the disk's owner who moves.
      if (field === "option1") field = `option1:${side === fen.turn ? 19 : 20}`;
      set({ fields: [field], men: withDisk(fen.men, side), castling: "-", passing: "-" });
    };
    const turns = answer?.turns ?? [];
    const action = (uci, label, hint) => {
      const turn = turns.find((turn) => turn.uci === uci);
      return turn && h("button", { type: "button", title: hint, onclick: () => play(turn) }, label);
    };
    return h("div", { class: "controls" },
      h("h3", {}, "Mode"),
      h("select", { "aria-label": "Mode", onchange: (event) => choose(event.target.value) },
        MODES.map(([name, , text]) =>
          h("option", { value: name, selected: name === entry(fen) }, text))),
      kind === "option1" && h("label", {}, "Plies until captures are compulsory ", h("input", {
        type: "number", min: 0, max: 20, step: 2, value: count,
        onchange: (event) => set({ fields: [`option1:${event.target.value}`] }),
      })),
      h("div", { class: "row" },
        action("declare", "Declare", "Turn your king into a disk"),
        action("option1", "Option 1", "Their king is free again, yours becomes the disk"),
        action("option2", "Option 2", "Their king is free again; they must mate")),
      kind === "declared" && h("p", { class: "hint" }, "To accept, make a move."),
      ["accepted", "option1"].includes(kind) && h("p", { class: "hint" }, kind === "accepted" || count === "0"
        ? "Who can capture must capture or give check." : "Captures are free until the count runs out."));
  },

  chart: (context) => byChoice(context),
};

export const games = { tiebraker };
