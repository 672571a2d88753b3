// Charts, in SVG, with the numbers behind them.

import { grouped, h, percent, s } from "./dom.js";
import { isWhite } from "./fen.js";
import { explained } from "./terms.js";
import { source } from "./source.js";
import { trouble } from "./trouble.js";

const [WIDTH, HEIGHT] = [360, 220];
const EDGE = { left: 44, right: 10, top: 10, bottom: 34 };

/** A chart with a title and, on request, its numbers: a heading and rows. */
export function figure(title, svg, heading, rows, legend) {
  const details = h("details", {}, h("summary", {}, "The numbers"));
  // A long table is made only when somebody wants to see it.
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(table(heading, rows()));
  });
  return h("figure", { class: "chart" }, h("figcaption", {}, explained(title)), svg, legend, details);
}

/** A table of texts and numbers. */
export function table(heading, rows) {
  const cell = (value) => (typeof value === "number" ? grouped(value) : value ?? "");
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Numbers" },
    h("table", {},
      h("thead", {}, h("tr", {}, heading.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((value) =>
        h("td", { class: typeof value === "number" ? "number" : "" }, cell(value))))))));
}

/** Patches of colour with their meaning. */
export const legend = (...entries) => h("p", { class: "legend" },
  entries.map(([tone, text]) => h("span", {}, h("i", { class: tone }), text)));

/** How far a count is, in words and as a bar; `onProgress` hears it from the server. */
export function progress(words) {
  const bar = h("progress", { "aria-label": "Counting" });
  const text = h("p", {}, words);
  const onProgress = ({ done, place, error }) => {
    if (done) bar.value = done;
    else bar.removeAttribute("value");
    text.textContent = error ? `${error[0].toUpperCase()}${error.slice(1)}.`
      : place ? `Number ${place} of the tables that wait to be counted.` : words;
  };
  return { element: h("div", {}, text, bar), onProgress };
}

/** A line through what is shown, with an edge that sets it off from every colour. */
const hereLine = (d) => [s("path", { class: "here-edge", d }), s("path", { class: "here-line", d })];

/** A round step that cuts a range into a few parts. */
function step(range, parts) {
  const raw = Math.max(range / parts, 1e-9);
  const power = 10 ** Math.floor(Math.log10(raw));
  return Math.max(1, [1, 2, 5, 10].find((n) => n * power >= raw) * power);
}

/** An empty plot over `x` and `y`, pairs of the least and the most: the picture and its scales. */
function plot({ x, y, xLabel, yLabel, label, xTurned = false, height = HEIGHT, sign = (n) => n }) {
  const [right, bottom] = [WIDTH - EDGE.right, height - EDGE.bottom];
  const scale = (value, [least, most], from, to) =>
    from + ((value - least) / (most - least || 1)) * (to - from);
  const X = (value) => (xTurned ? scale(value, x, right, EDGE.left) : scale(value, x, EDGE.left, right));
  const Y = (value) => scale(value, y, bottom, EDGE.top);
  const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "plot", role: "img", "aria-label": label });
  const area = s("g");
  const axes = s("g", { class: "axes" });
  const ticks = ([least, most], parts) => {
    const by = step(most - least, parts);
    const first = Math.ceil(least / by) * by;
    return Array.from({ length: Math.floor((most - first) / by + 1e-6) + 1 }, (_, i) => first + i * by);
  };
  for (const value of ticks(x, 6)) {
    axes.append(s("path", { d: `M${X(value)} ${bottom}v4` }),
      s("text", { x: X(value), y: bottom + 14, class: "middle" }, minus(value)));
  }
  for (const value of ticks(y, 4)) {
    axes.append(s("path", { class: "grid", d: `M${EDGE.left} ${Y(value)}H${right}` }),
      s("text", { x: EDGE.left - 5, y: Y(value) + 3.5, class: "end" }, minus(short(sign(value)))));
  }
  axes.append(s("path", { d: `M${EDGE.left} ${EDGE.top}V${bottom}H${right}` }),
    s("text", { x: (EDGE.left + right) / 2, y: height - 3, class: "middle" }, xLabel),
    s("text", { class: "middle", transform: `translate(9 ${(EDGE.top + bottom) / 2}) rotate(-90)` }, yLabel));
  svg.append(area, axes);
  return { svg, area, X, Y, bottom, right };
}

/** With a sign that is as wide as a plus. */
const minus = (value) => String(value).replace("-", "−");

/** `12k` for big numbers on an axis. */
function short(value) {
  if (Math.abs(value) >= 1e6) return `${+(value / 1e6).toPrecision(3)}M`;
  return Math.abs(value) >= 1e4 ? `${+(value / 1e3).toPrecision(3)}k` : String(value);
}

/** High Chess: who wins at which pair of vitalities. A click sets them. */
export function vitalities({ answer, set }, [white, black]) {
  const steps = answer.staircase;
  const full = steps.length;
  const { svg, area, X, Y } = plot({
    x: [0.5, full + 0.5], y: [0.5, full + 0.5], height: 300,
    xLabel: "White's vitality", yLabel: "Black's vitality",
    label: `Who wins at which vitalities; now White has ${white} and Black ${black}. ${answer.words?.at(-1) ?? ""}`,
  });
  svg.classList.add("pick");
  const [low, high] = [Y(0.5), Y(full + 0.5)];
  area.append(s("rect", { class: "black-side", x: X(0.5), y: high, width: X(full + 0.5) - X(0.5), height: low - high }));
  const path = steps.map((t, i) => `V${Y(t + 0.5)}H${X(i + 1.5)}`).join("");
  area.append(s("path", { class: "white-side", d: `M${X(0.5)} ${low}${path}V${low}z` }),
    ...hereLine(`M${X(white)} ${low}V${high}M${X(0.5)} ${Y(black)}H${X(full + 0.5)}`),
    s("circle", { class: "here", cx: X(white), cy: Y(black), r: 5 }));
  svg.addEventListener("click", (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const value = (at, from, to) => Math.round(0.5 + ((at - from) / (to - from)) * full);
    const [w, b] = [value(point.x, X(0.5), X(full + 0.5)), value(point.y, low, high)];
    if (w >= 1 && w <= full && b >= 1 && b <= full) set({ fields: [`${w}+${b}`] });
  });
  return figure("Who wins at which vitalities", svg, ["White has", "White wins against at most"],
    () => steps.map((t, i) => [i + 1, t]),
    legend(["white-side", "White wins"], ["black-side", "Black wins"], ["here", "now; click to change"]));
}

/** Norochess: the leads White needs, at every number of plies to go. */
export function alongTheClock({ answer, fen }, difference) {
  const along = answer.along ?? [];
  const finite = along.flatMap(({ win_at, draw_at }) => [win_at, draw_at]).filter(Number.isFinite);
  const least = Math.min(difference, ...finite, 0) - 2;
  const most = Math.max(difference, ...finite, 0) + 2;
  const last = along.at(-1)?.plies_left ?? 1;
  const { svg, area, X, Y } = plot({
    x: [0, last], y: [least, most], xTurned: true,
    xLabel: "plies to go", yLabel: "White's lead",
    label: `The lead White needs, by plies to go; now it is ${difference} with ${answer.plies_left} plies to go.`,
  });
  const clip = (bound) => (bound === "-inf" ? least : bound === "inf" ? most : bound - 0.5);
  const region = (tone, from, to) => {
    const edge = (bound) => along.map((entry) => `${X(entry.plies_left)} ${Y(Math.max(least, Math.min(most, bound(entry))))}`);
    area.append(s("path", { class: tone, d: `M${[...edge(from), ...edge(to).reverse()].join("L")}z` }));
  };
  region("white-side", (entry) => clip(entry.win_at), () => most);
  region("draw-side", (entry) => clip(entry.draw_at), (entry) => clip(entry.win_at));
  region("black-side", () => least, (entry) => clip(entry.draw_at));
  area.append(...hereLine(`M${X(answer.plies_left)} ${Y(least)}V${Y(most)}`),
    s("circle", { class: "here", cx: X(answer.plies_left), cy: Y(difference), r: 5 }));
  const side = fen.turn === "w" ? "White" : "Black";
  const tells = along.some((entry) => entry.margin != null);
  return figure(`The lead White needs with ${side} to move, along the clock`, svg,
    ["plies to go", "to win", "to draw", ...(tells ? ["lead at the end"] : [])],
    () => along.map((entry) => [entry.plies_left, String(entry.win_at), String(entry.draw_at),
      ...(tells ? [entry.margin] : [])]),
    legend(["white-side", "White wins"], ["draw-side", "draw"], ["black-side", "Black wins"], ["here", "now"]));
}

/** Tiebraker: what each kind of turn comes to. */
export function byChoice({ answer, fen }) {
  const best = new Map();
  const names = { declare: "Declare", option1: "Option 1", option2: "Option 2" };
  for (const turn of answer.turns ?? []) {
    const name = names[turn.uci] ?? (fen.fields[0] === "declared" ? "Accept" : "Just move");
    if (turn.points != null && !best.has(name)) best.set(name, turn);
  }
  if (!best.size) return null;
  const side = fen.turn === "w" ? "White" : "Black";
  const rows = [...best].map(([name, turn]) => [name, turn.san, fen.turn === "w" ? turn.points : 100 - turn.points]);
  const height = 34 * rows.length + 8;
  const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "plot", role: "img",
    "aria-label": rows.map(([name, , points]) => `${name}: ${points} points`).join("; ") });
  const most = Math.max(...rows.map((row) => row[2]));
  rows.forEach(([name, san, points], i) => {
    const y = 34 * i + 8;
    svg.append(s("rect", { class: "track", x: 92, y, width: 220, height: 20, rx: 4 }),
      s("rect", { class: points === most ? "win-fill" : "draw-side", x: 92, y, width: 2.2 * points, height: 20, rx: 4 }),
      s("text", { class: "end", x: 84, y: y + 14 }, name),
      s("text", { x: 320, y: y + 14 }, String(points)));
  });
  return figure(`Points for ${side}, by what it does`, svg, ["choice", "turn", "points"], () => rows);
}

/** Whether the table of a position has the colours the other way round. */
function swapped({ answer, fen }) {
  const order = "KQREBNP";
  const letters = (men, white) => [...men].filter((man) => man && isWhite(man) === white)
    .map((man) => man.toUpperCase().replace("D", "K")).sort((a, b) => order.indexOf(a) - order.indexOf(b)).join("");
  const side = (white) => {
    const hand = letters([...fen.reserve], white);
    return letters(fen.men, white) + (hand ? `[${hand}]` : "");
  };
  return answer.material !== `${side(true)}v${side(false)}`;
}

/** A histogram of the position's whole table, with the position in it. */
export function histogram(context, spec) {
  const { answer, game, signal, fen } = context;
  if (!answer.material) return null;
  const turned = swapped(context);
  const mover = (fen.turn === "w") !== turned ? "white" : "black";
  const [group, number] = spec.here(context);
  const here = [group, spec.signed && turned ? -number : number];
  return tableHistogram({ game, material: answer.material, signal }, spec, mover, here);
}

/** A histogram of a table, for a side to move. */
export function tableHistogram({ game, material, signal }, spec, mover, here) {
  const place = h("div", { class: "waiting" });
  const count = () => {
    const { element, onProgress } = progress("Counting all positions…");
    place.replaceChildren(element);
    place.className = "waiting";
    source.histogram(game, material, { signal, onProgress }).then((found) => {
      const side = found[mover].length ? mover : "white";
      place.replaceChildren(bars(found[side], spec, here, { material, side, equal: !found.black.length }));
      place.className = "";
    }).catch((error) => {
      if (error.name !== "AbortError") place.replaceChildren(trouble(error, count, signal));
    });
  };
  count();
  return place;
}

/** Results whose bars hang below the axis. */
const BELOW = ["loss", "black"];

function bars(bins, spec, here, { material, side, equal }) {
  const shown = bins.filter(([group]) => group !== "draw");
  const draws = bins.filter(([group]) => group === "draw").reduce((sum, bin) => sum + bin[2], 0);
  const total = bins.reduce((sum, bin) => sum + bin[2], 0);
  const mover = equal ? "the side" : side === "white" ? "White" : "Black";
  const title = `${spec.title} (${material}, ${mover} to move)`;
  const heading = ["group", spec.unit, "positions"];
  const summary = Object.entries(spec.groups).map(([group, name]) => {
    const count = bins.filter((bin) => bin[0] === group).reduce((sum, bin) => sum + bin[2], 0);
    return [group, count, `${name} ${percent(count, total)}`];
  }).filter(([, count]) => count);
  const tone = { win: "win-fill", loss: "loss-fill", draw: "draw-side", white: "white-side", black: "black-side" };
  const patches = summary.length < 2 ? [] : summary.map(([group, , text]) => [tone[group] ?? "win-fill", text]);
  if (!shown.length) {
    return figure(title, h("p", { class: "hint" }, `All ${grouped(draws)} positions are drawn.`), heading, () => bins);
  }
  const numbers = shown.map((bin) => bin[1]);
  const [least, most] = [Math.min(...numbers, spec.signed ? 0 : Infinity), Math.max(...numbers, 1)];
  const hangs = ([group]) => BELOW.includes(group);
  const up = Math.max(1, ...shown.filter((bin) => !hangs(bin)).map((bin) => bin[2]));
  const down = Math.max(0, ...shown.filter(hangs).map((bin) => bin[2]));
  const names = [shown.find(hangs), shown.find((bin) => !hangs(bin))].filter(Boolean)
    .map(([group]) => spec.groups[group]);
  const width = Math.max(3, Math.min(14, 0.8 * 300 / (most - least + 1)));
  const { svg, area, X, Y } = plot({
    x: [least - 1, most + 1], y: [-down, shown.every(hangs) ? 0 : up],
    xLabel: spec.unit, yLabel: down ? names.join(" and ") : "positions",
    label: `${title}: ${summary.map((entry) => entry[2]).join(", ")}`,
    sign: down ? Math.abs : undefined,
  });
  for (const [group, number, count] of shown) {
    const y = hangs([group]) ? -count : count;
    const isHere = here && group === here[0] && number === here[1];
    area.append(s("rect", {
      class: tone[group] ?? "win-fill", x: X(number) - width / 2, width,
      y: Math.min(Y(0), Y(y)), height: Math.max(1, Math.abs(Y(y) - Y(0))),
    }, s("title", {}, `${number}: ${grouped(count)} positions`)));
    if (isHere) {
      area.append(s("path", { class: "here", d: `M${X(number)} ${Y(y) + (y < 0 ? 3 : -3)}l-5 ${y < 0 ? 8 : -8}h10z` }));
    }
  }
  if (here) patches.push(["here", here[0] === "draw" ? "this one is drawn" : "this one"]);
  return figure(title, svg, heading, () => bins.map(([group, number, count]) => [spec.groups[group] ?? group, number, count]),
    legend(...patches));
}
