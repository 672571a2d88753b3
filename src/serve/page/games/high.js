// High Chess: two vitalities, and who is High.

import { h, plies, slider } from "../dom.js";
import { vitalities } from "../chart.js";
import { orthodox } from "./orthodox.js";

/** Steps of a king to the nearest of the four squares in the middle. */
function steps(at) {
  const off = (n) => Math.max(3 - n, n - 4, 0);
  return Math.max(off(at & 7), off(at >> 3));
}

const points = (fen, full) => {
  const [white, black] = (fen.fields[0] ?? `${full}+${full}`).split("+").map(Number);
  return [white || full, black || full];
};

const mateIn = ({ mate, winner }) =>
  mate && mate.by === winner && mate.plies > 0 ? mate.plies : null;

const high = {
  ...orthodox,
  summary: "Nobody draws: who stays away from the centre runs out of vitality.",
  rules: [
    "The side whose king is nearer to the centre is High, the other Low; at equal distances Black is High. Both begin with full vitality.",
    "A turn that mates wins. Otherwise a vital turn (a capture, a pawn's move, the end of a castling right) restores the mover's vitality; any other costs the mover a point if it is Low then, and with the last point the game.",
    "Who is not in check may pass. There are no draws.",
  ],
  cover: "8/2p5/3k4/1p4p1/4K3/2P3P1/1R4r1/8",
  examples: [
    ["8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1", "The rook need not mate: it exhausts"],
    ["8/8/8/3k4/8/8/8/K5Q1 w - - 50+50 0 1", "With how little vitality does a queen still win?"],
    ["8/8/8/8/4k3/8/4P3/4K3 w - - 20+20 0 1", "A pawn is a well of vitality"],
  ],

  worth(fields) {
    const white = { white: 1, black: -1 }[fields.winner] ?? null;
    const mate = mateIn(fields);
    const short = fields.plies ?? null;
    return {
      white,
      short: short != null ? String(short) : mate != null ? `#${mate}` : String(fields.slack ?? ""),
      strength: fields.slack == null ? 1 : 0.25 + fields.slack / 66,
    };
  },

  group: (turn, mover) => ({ 1: "Winning", "-1": "Losing" }[mover] ?? "Not in the tables"),

  metric(turn, side) {
    const mate = mateIn(turn);
    if (turn.plies) {
      const won = (turn.winner === "white") === (side === "w");
      const how = turn.by === "mate" ? ["mates", "mated"] : ["exhausts", "exhausted"];
      return `${how[won ? 0 : 1]} in ${plies(turn.plies)}`;
    }
    const parts = [mate != null && `can mate in ${plies(mate)}`, turn.slack != null && `slack ${turn.slack}`];
    return parts.filter(Boolean).join(", ") || (turn.ending ? "ends it" : "");
  },

  cost(turn, best) {
    const lost = Math.abs((best.slack ?? 0) - (turn.slack ?? 0));
    if (turn.slack == null || best.slack == null || !lost) return "";
    return `−${lost}`;
  },

  draws: false,
  centre: true,
  unit: "points of slack",
  bins: "vitality the winner needs, both full",
  costs: "cost in slack",

  controls({ fen, options, set }) {
    const full = Number(options.vitality ?? 50);
    const now = points(fen, full);
    const kings = [fen.men.indexOf("K"), fen.men.indexOf("k")];
    const [white, black] = kings.map(steps);
    const isHigh = white < black ? 0 : 1;
    const names = ["White", "Black"];
    const vitality = (side) => slider({
      name: names[side], label: `${names[side]}'s vitality`, max: full, value: now[side],
      note: isHigh === side && !kings.includes(-1) ? h("b", {}, "High") : "",
      change: (left) => set({ fields: [now.map((n, at) => (at === side ? left : n)).join("+")] }),
    });
    const why = kings.includes(-1) ? "" : white === black
      ? `Both kings are ${white} from the centre, so Black is High.`
      : `${names[isHigh]} is High: its king is ${Math.min(white, black)} from the centre, the other ${Math.max(white, black)}.`;
    return h("div", { class: "controls" },
      h("h3", {}, "Vitality"), vitality(0), vitality(1),
      h("p", { class: "hint" }, `${why} A quiet turn costs whoever is Low after it a point.`));
  },

  chart: (context) => vitalities(context, points(context.fen, context.answer.staircase.length)),
};

export const games = { high };
