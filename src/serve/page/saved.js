// The board of a position and its chart as one picture, to keep.

import { h, s } from "./dom.js";
import { source } from "./source.js";

/** What our style sheet says of a drawing. */
const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "text-anchor", "font-size", "font-family"];

/** Sizes of the parts, and the space around them. */
const [BOARD, CHART, MARGIN, LINE] = [480, 540, 24, 30];

/** A copy of a drawing that looks as it does here where there is no style sheet. */
function alone(drawing) {
  const copy = drawing.cloneNode(true);
  const all = (root) => [root, ...root.querySelectorAll("*")];
  const copies = all(copy);
  all(drawing).forEach((element, at) => {
    const style = getComputedStyle(element);
    STYLES.forEach((name) => copies[at].setAttribute(name, style.getPropertyValue(name)));
  });
  return copy;
}

/** Places a drawing within another. */
function placed(drawing, x, y, width) {
  const [, , wide, high] = drawing.getAttribute("viewBox").split(" ").map(Number);
  const height = width * high / wide;
  Object.entries({ x, y, width, height }).forEach(([name, value]) => drawing.setAttribute(name, value));
  return height;
}

/** The picture as text: the board from the server, the chart as it is shown, and what is said. */
async function drawn({ game, fen, side, chart, words }) {
  const text = await source.picture(game, fen, side);
  const board = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  const beside = chart ? [alone(chart)] : [];
  const heights = [placed(board, MARGIN, MARGIN, BOARD),
    ...beside.map((drawing) => placed(drawing, BOARD + 2 * MARGIN, MARGIN, CHART))];
  const below = MARGIN + Math.max(...heights);
  const width = BOARD + 2 * MARGIN + (chart ? CHART + MARGIN : 0);
  const height = below + LINE * words.length + MARGIN;
  const style = getComputedStyle(document.body);
  const lines = words.map((line, at) => s("text", {
    x: MARGIN, y: below + LINE * (at + 1), fill: style.color, "font-size": at === 0 ? 20 : 14,
    "font-family": "Georgia, serif", textLength: 9 * line.length > width ? width - 2 * MARGIN : null,
    lengthAdjust: "spacingAndGlyphs",
  }, line));
  const whole = s("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height },
    s("rect", { width, height, fill: style.backgroundColor }), board, beside, lines);
  return new XMLSerializer().serializeToString(whole);
}

/** Saves the picture of a position as a file. */
export async function save(shown) {
  const url = URL.createObjectURL(new Blob([await drawn(shown)], { type: "image/svg+xml" }));
  h("a", { href: url, download: `finale-${shown.game}-${shown.fen.split(" ")[0].replace(/\W+/g, "-")}.svg` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
