// The answer to a position: a sentence, and the turns in groups, best first.

import { button, h } from "./dom.js";
import { explained } from "./terms.js";

/** How many turns of a group are shown at once. The style sheet knows the number too. */
const FEW = 16;

const TONES = { 1: "win", 0: "draw", "-1": "loss" };

/** What a position's fields are for who is to move there, turned for who moved before. */
export function forMover(know, turn, side) {
  const { white } = know.worth(turn, side === "w" ? "b" : "w");
  return white == null ? null : side === "w" ? white : -white || 0;
}

/** The answer: its sentence and its reasons. */
export function verdict(know, answer, fen) {
  const { white } = know.worth(answer, fen.turn);
  const [first = "", ...more] = answer.words ?? [];
  const headline = first.charAt(0).toUpperCase() + first.slice(1);
  const tone = white == null ? "" : white === 0 ? "draw" : white === 1 ? "white" : "black";
  return h("section", { class: `verdict ${tone}`, id: "verdict", tabindex: -1 },
    h("p", { class: "headline" }, /[.!?]$/.test(headline) ? headline : `${headline}.`),
    answer.standing && h("p", {}, `So far: ${answer.standing}.`),
    more.map((line) => h("p", line.startsWith(" ") ? { class: "indented" } : {}, explained(line.trim()))));
}

/** What is wrong, or missing, in the words of the server; and a button to ask again where that may help. */
export function refusal(error, copier, retry) {
  const { status, message, reply = {} } = error;
  const title = status === 0 ? "No answer" : status === 400 ? "This cannot be" :
    reply.missing ? "No table for this yet" : status === 404 ? "Not in the tables" : "That went wrong";
  return h("section", { class: "verdict refused", id: "verdict", tabindex: -1 },
    h("p", { class: "headline" }, title),
    h("p", {}, reply.build ? `The table ${reply.missing} has not been built. This command builds it:`
      : message.charAt(0).toUpperCase() + message.slice(1) + (/[.!?)]$/.test(message) ? "" : ".")),
    reply.build && h("div", { class: "command" }, h("code", {}, reply.build), copier("Copy", reply.build)),
    retry && h("p", {}, retry),
    reply.turns?.length > 0 && h("p", { class: "hint" }, "You can play on all the same."));
}

/** The turns in groups; `calls` are `show(turn)`, `hide()` and `play(turn)`. */
export function turns(know, answer, fen, calls) {
  const found = answer.turns ?? [];
  if (!found.length) {
    return h("p", { class: "hint" }, answer.ending ? `The game is over: ${answer.ending}.` : "There is no turn.");
  }
  const groups = [];
  const overall = found[0];
  for (const turn of found) {
    const mover = forMover(know, turn, fen.turn);
    const name = know.group(turn, mover, overall, fen.turn);
    let group = groups.find((group) => group.name === name);
    if (!group) {
      const tone = know.tone?.(turn, mover, overall) ?? TONES[mover] ?? "unknown";
      groups.push(group = { name, tone, best: turn, turns: [] });
    }
    group.turns.push(turn);
  }
  return h("section", { class: "turns", "aria-label": "Turns, best first" },
    groups.map(({ name, tone, best, turns }) => h("div", { class: `group ${tone}` },
      h("h3", {}, h("i", { class: "dot" }), name, h("span", {}, String(turns.length)),
        turns.some((turn) => know.cost(turn, best, fen.turn, overall)) && h("small", {}, explained(know.costs))),
      list(turns.map((turn) => row(turn, best))))));

  /** The first of many turns; the others on request. */
  function list(rows) {
    const element = h("ul", {}, rows);
    if (rows.length <= FEW) return element;
    element.className = "few";
    const more = button(`Show all ${rows.length}`, () => {
      element.className = "";
      more.remove();
    }, { class: "small" });
    return [element, more];
  }

  function row(turn, best) {
    const cost = know.cost(turn, best, fen.turn, overall);
    const words = turn.words ?? "no table for what follows";
    return h("li", {}, h("button", {
      type: "button", class: "turn", "data-uci": turn.uci, title: words,
      onmouseenter: () => calls.show(turn), onmouseleave: () => calls.hide(),
      onfocus: (event) => event.target.matches(":focus-visible") && calls.show(turn), onblur: () => calls.hide(),
      // The second click of a double click is not meant for what may stand here by then.
      onclick: (event) => event.detail < 2 && calls.play(turn),
    }, h("b", {}, turn.san === "--" ? "pass" : turn.san), " ",
    h("span", { class: "metric" }, know.metric(turn, fen.turn)), " ",
    h("span", { class: "cost" }, cost, cost && h("span", { class: "unseen" }, ` ${know.unit}`))));
  }
}
