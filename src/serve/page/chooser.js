// Several turns fit: which man one becomes, or whether it stays what it is, or where a pawn goes that
// is dropped upon. They stand on the board, where their men would be.

import { button, h } from "./dom.js";
import { index, seen } from "./fen.js";
import { named, picture } from "./men.js";
import { reading } from "./uci.js";

/** The turns to choose from, over the board; `play(turn)` plays one, `cancel()` none. */
export function chooser({ turns, fen, flip, play, cancel }) {
  const cased = (man) => (fen.turn === "w" ? man.toUpperCase() : man.toLowerCase());
  const { from, to } = reading(turns[0].uci);
  const promotes = turns.some((turn) => reading(turn.uci).promotion);
  // What stands there after a turn: a short turn names what a man has become.
  const after = (turn) => cased(turn.san.match(/=([A-Z])/)?.[1] ?? fen.men[from]);
  // Men to promote to stand below each other, from the edge to the middle of the board.
  const inward = to >> 3 >= fen.ranks / 2 ? -8 : 8;
  const places = seen(fen, flip);
  const on = (at, element) => {
    const place = places.indexOf(at);
    element.style.gridArea = `${Math.floor(place / fen.files) + 1} / ${place % fen.files + 1}`;
    return element;
  };
  const choices = turns.map((turn, number) => {
    const { relocated } = reading(turn.uci);
    const man = promotes ? after(turn) : cased("P");
    const words = promotes ? named(man) : `pawn to ${relocated}`;
    return on(promotes ? to + inward * number : index(relocated), button(picture(man), () => play(turn),
      { "aria-label": `${turn.san}: ${words}`, title: turn.words ?? turn.san }));
  });
  const none = button("✕", cancel, { "aria-label": "Cancel", title: "Cancel (Escape)" });
  const keys = (event) => {
    const all = [...choices, none];
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") cancel();
    else if (step) all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return h("div", {
    class: "chooser", role: "dialog", onkeydown: keys,
    "aria-label": promotes ? `What does the ${named(fen.men[from])} become?` : "Where does the pawn go?",
    onclick: (event) => { if (event.target === event.currentTarget) cancel(); },
  }, choices, on(promotes ? to + inward * turns.length : to, none));
}
