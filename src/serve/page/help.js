// What keys do, and what words mean: a dialog over the page.

import { button, h } from "./dom.js";

const KEYS = [
  ["?", "shows this"],
  ["arrows on a square", "go to the next square"],
  ["Enter", "picks a man, and puts it"],
  ["Escape", "lets go of the man picked, and leaves what is chosen from"],
  ["letters, Delete", "in Set up: put a man (capitals are White's), take it away"],
  ["Space", "plays the best turn"],
  ["← → Home", "back and forward through what was played, and to its beginning"],
  ["F", "turns the board round"],
];

const WORDS = {
  turn: "What a player does when on move: a move on the board, a pass, a drop, a declaration.",
  ply: "One turn of one player. All distances here are in plies: a mate in three moves takes five.",
  conversion: "A turn after which there are other men: a capture or a promotion. There is no way back from it. Where a game has modes, a change of the mode is one, too.",
  slack: "How much the winner could do without: points of vitality in High Chess, points of the score in Norochess. With a slack of 0 one point less would not win.",
  vitality: "In High Chess, the points that a side has left. With the last one it loses.",
  staircase: "In High Chess, all pairs of vitalities at which White wins, and all at which Black does. The border between them has the form of steps.",
  placement: "The men on certain squares. Positions that are mirror images of each other count once as a position, and each as a placement.",
  "keeping turn": "A turn after which the result is the same as before. Where there is one only, it must be found.",
  zugzwang: "Who is to move would be better off if it were the other's turn.",
};

/** Browsers before 2022 have no dialogs: there it stands at the end of the page. */
const close = () => (dialog.close ? dialog.close() : dialog.remove());

const dialog = h("dialog", { class: "help", "aria-labelledby": "help-title" },
  h("div", { class: "bar" }, h("h2", { id: "help-title" }, "Keys and words"),
    button("Close", close, { class: "small" })),
  h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Keys and words" },
    h("h3", {}, "Keys"),
    h("table", {}, h("tbody", {}, KEYS.map(([key, does]) => h("tr", {}, h("th", { scope: "row" }, key), h("td", {}, does))))),
    h("h3", {}, "Words"),
    h("dl", {}, Object.entries(WORDS).map(([word, meaning]) =>
      [h("dt", { id: `word-${word.replace(" ", "-")}`, tabindex: -1 }, word), h("dd", {}, meaning)]))));

/** Shows the dialog, at a word if one is named; it is gone when somebody clicks beside it. */
export function help(word) {
  if (!dialog.isConnected) {
    document.body.append(dialog);
    dialog.addEventListener("click", (event) => { if (event.target === dialog) close(); });
    // The keys of the page are not those of the dialog.
    dialog.addEventListener("keydown", (event) => event.stopPropagation());
  }
  if (!dialog.open) dialog.showModal?.();
  const entry = word && dialog.querySelector(`#word-${word.replace(" ", "-")}`);
  dialog.querySelectorAll("dt").forEach((other) => other.classList.toggle("asked", other === entry));
  entry?.focus();
  entry?.scrollIntoView({ block: "center" });
}
