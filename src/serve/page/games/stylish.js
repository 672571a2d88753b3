// Stylish victory or stylish fail: points so far, and the last capturer.

import { h } from "../dom.js";
import { histogram } from "../chart.js";
import { orthodox } from "./orthodox.js";

const signed = (n) => (n > 0 ? `+${n}` : String(n).replace("-", "−"));
const points = (fen) => (fen.fields[0] ?? "0+0").split("+").map((n) => Number(n) || 0);

const stylish = {
  ...orthodox,
  summary: "Chess for points: who is mated may still win.",
  rules: [
    "Moves are those of orthodox chess. Captures, promotions and checkmates score, and the weaker the man that does it, the more.",
    "The result is the margin: White's points less Black's. In a draw the side with less force is paid for it.",
  ],
  cover: "8/P4k2/4p1n1/3r4/2B5/5P2/1K4pR/8",
  examples: [
    ["8/8/P7/3k4/8/8/K7/8 w - - 0+0 - 0 1", "To queen, or to mate with something weaker?"],
    ["8/8/8/3k4/8/8/8/K6R w - - 0+0 - 0 1", "A rook mates from afar for 110"],
  ],

  worth(fields) {
    if (fields.margin == null) return { white: null, short: "", strength: 0 };
    return {
      white: Math.sign(fields.margin),
      short: signed(fields.margin),
      strength: 0.25 + Math.min(Math.abs(fields.margin), 200) / 270,
    };
  },

  group(turn, mover, best) {
    if (turn.margin == null) return "Not in the tables";
    return turn.margin === best.margin ? `Best: margin ${signed(turn.margin)}` : "Worse";
  },

  /** Only the best margin is good here. */
  tone: (turn, mover, best) =>
    (turn.margin == null ? "unknown" : turn.margin === best.margin ? "win" : "loss"),

  metric: (turn) => [turn.margin == null ? "" : signed(turn.margin), turn.scores ? `scores ${turn.scores}` : ""]
    .filter(Boolean).join(", "),

  cost(turn, best, turnOf, overall) {
    const lost = Math.abs((turn.margin ?? 0) - (overall.margin ?? 0));
    return turn.margin == null || !lost ? "" : `−${lost}`;
  },

  unit: "points",
  bins: "margin, White's points less Black's",
  costs: "cost in points",

  controls({ fen, set }) {
    const [white, black] = points(fen);
    const last = fen.fields[1] ?? "-";
    const input = (name, value, change) => h("label", {}, `${name} `, h("input", {
      type: "number", min: 0, max: 9999, value, "aria-label": `${name}'s points`,
      onchange: (event) => change(Math.max(0, Math.min(9999, Number(event.target.value) || 0))),
    }));
    return h("div", { class: "controls" },
      h("h3", {}, "Points so far"),
      h("div", { class: "pair" },
        input("White", white, (n) => set({ fields: [`${n}+${black}`, last] })),
        input("Black", black, (n) => set({ fields: [`${white}+${n}`, last] }))),
      h("label", {}, "Last to capture ", h("select", {
        onchange: (event) => set({ fields: [`${white}+${black}`, event.target.value] }),
      }, [["-", "nobody yet"], ["w", "White"], ["b", "Black"]].map(([value, name]) =>
        h("option", { value, selected: value === last }, name)))),
      h("p", { class: "hint" },
        "If neither side can mate any more, the last to capture gets 50."));
  },

  chart: (context) => histogram(context, {
    title: "All positions with these men, by the margin still to come",
    groups: { margin: "margin" },
    unit: stylish.bins,
    here: ({ answer }) => ["margin", answer.to_gain],
    signed: true,
  }),
};

export const games = { stylish };
