// The board: 64 buttons, of which a small board has some. It shows a view and tells what is done with it; it knows no game.

import { CHESS, FILES, seen, square } from "./fen.js";
import { h, s } from "./dom.js";
import { named, picture } from "./men.js";

/** How long a man slides, in milliseconds. */
const SLIDE = 160;

/** How far a pointer moves, in pixels, before a press becomes a drag. */
const SLACK = 5;

/**
 * A board. It calls
 * - `onPick(piece)` when a man is chosen, by a click or the beginning of a drag; a piece is
 *   `{ man, from }` with the number of its square, or `"spare"` or `"reserve"`;
 * - `onDrop(piece, to)` when it is put on a square, or, with `to` null, beside the board;
 * - `onSquare(index)` when a square without a man is clicked;
 * - `onKey(event, index)` for keys that do not move the focus.
 */
export class Board {
  constructor(calls) {
    this.calls = calls;
    this.focused = 4;
    this.view = { ...CHESS, men: Array(64).fill(""), flip: false, marks: new Map(), tints: null };
    this.squares = Array.from({ length: 64 }, (_, index) => h("button", {
      type: "button",
      class: `square ${((index & 7) + (index >> 3)) % 2 ? "light" : "dark"}`,
      "data-square": index,
      onpointerdown: (event) => this.press(event, index),
      onclick: (event) => { if (event.detail === 0) this.click(index); },
      onkeydown: (event) => this.key(event, index),
      onfocus: () => this.focusOn(index, false),
    }));
    this.overlay = s("svg", { class: "arrows", "aria-hidden": "true" });
    this.grid = h("div", { class: "squares", role: "group", "aria-label":
      "Board. Arrow keys move, Enter picks and puts, Space plays the best turn." });
    this.centre = h("i", { class: "centre", hidden: true });
    this.element = h("div", { class: "board" }, this.grid, this.centre, this.overlay);
    this.order();
  }

  /** Shows a view: `files`, `ranks`, `men`, `flip`, `selected`, `marks` (square → class), `tints`, `last`, `centre`, `slide`. */
  show(view) {
    const turned = ["flip", "files", "ranks"].some((what) => view[what] !== this.view[what]);
    this.view = view;
    if (turned) this.order();
    this.centre.hidden = !view.centre;
    this.squares.forEach((element, index) => {
      const man = view.men[index];
      const tint = view.tints?.[index];
      if (element.dataset.man !== man) {
        element.dataset.man = man;
        element.replaceChildren(...(man ? [picture(man)] : []));
      }
      element.querySelector(".tint")?.remove();
      if (tint) element.prepend(h("span", { class: `tint ${tint.tone}`, "aria-hidden": "true" }, tint.text));
      element.classList.toggle("selected", view.selected === index);
      element.classList.toggle("last", view.last?.includes(index) ?? false);
      element.dataset.mark = view.marks.get(index) ?? "";
      const words = [square(index), man ? named(man) : "empty"];
      if (view.marks.has(index)) words.push("can go here");
      if (tint) words.push(tint.words);
      element.setAttribute("aria-label", words.join(", "));
      element.title = tint?.words ?? "";
    });
    if (view.slide) this.slide(view.slide);
  }

  /** Lets the man that stands on the second of two squares come from the first. */
  slide([from, to]) {
    const man = to == null ? null : this.squares[to].querySelector(".man");
    if (!man?.animate || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const { files } = this.view;
    const [[x, y], [a, b]] = [from, to].map((index) => {
      const place = this.places.indexOf(index);
      return [place % files, Math.floor(place / files)];
    });
    const size = this.squares[to].getBoundingClientRect().width;
    // It passes above the men between.
    this.squares[to].classList.add("sliding");
    man.animate([{ transform: `translate(${(x - a) * size}px, ${(y - b) * size}px)` }, { transform: "none" }],
      { duration: SLIDE, easing: "ease-out" }).onfinish = () => this.squares[to].classList.remove("sliding");
  }

  /** Draws an arrow, or a ring where a man is dropped; nothing without squares. */
  arrow(from, to) {
    const { files } = this.view;
    const at = (index) => {
      const place = this.places.indexOf(index);
      return [place % files + 0.5, Math.floor(place / files) + 0.5];
    };
    this.overlay.replaceChildren();
    if (to == null) return;
    const [x, y] = at(to);
    if (from == null) {
      this.overlay.append(s("circle", { cx: x, cy: y, r: 0.44 }));
      return;
    }
    const [a, b] = at(from);
    const length = Math.hypot(x - a, y - b);
    const [dx, dy] = [(x - a) / length, (y - b) / length];
    const point = (along, aside) =>
      `${(x - dx * along - dy * aside).toFixed(3)} ${(y - dy * along + dx * aside).toFixed(3)}`;
    this.overlay.append(
      s("path", { class: "shaft", d: `M${a + dx * 0.3} ${b + dy * 0.3}L${point(0.42, 0)}` }),
      s("path", { class: "head", d: `M${point(0.1, 0)}L${point(0.5, 0.21)}L${point(0.5, -0.21)}z` }));
  }

  /** A man beside the board that can be dragged or clicked onto it. */
  spare(man, from, label) {
    const element = h("button", {
      type: "button", class: "spare", "aria-label": label,
      onpointerdown: (event) => this.press(event, null, { man, from }),
      onclick: (event) => { if (event.detail === 0) this.calls.onPick({ man, from }); },
    }, picture(man));
    return element;
  }

  /** Puts the squares where they are seen; the one with the focus keeps it. */
  order() {
    const had = this.grid.contains(document.activeElement) ? document.activeElement : null;
    const { files, ranks, flip } = this.view;
    this.places = seen(this.view, flip);
    if (!this.places.includes(this.focused)) this.focused = 0;
    this.places.forEach((index, place) => {
      const element = this.squares[index];
      element.dataset.rank = place % files === 0 ? (index >> 3) + 1 : "";
      element.dataset.file = place >= files * (ranks - 1) ? FILES[index & 7] : "";
      element.tabIndex = index === this.focused ? 0 : -1;
    });
    this.element.style.setProperty("--files", files);
    this.element.style.setProperty("--ranks", ranks);
    this.overlay.setAttribute("viewBox", `0 0 ${files} ${ranks}`);
    this.grid.replaceChildren(...this.places.map((index) => this.squares[index]));
    had?.focus({ preventScroll: true });
  }

  focusOn(index, move = true) {
    this.squares[this.focused].tabIndex = -1;
    this.focused = index;
    this.squares[index].tabIndex = 0;
    if (move) this.squares[index].focus();
  }

  key(event, index) {
    const steps = { ArrowUp: 8, ArrowDown: -8, ArrowLeft: -1, ArrowRight: 1 };
    const step = (steps[event.key] ?? 0) * (this.view.flip ? -1 : 1);
    if (step && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      const [file, rank] = [(index & 7) + (step % 8), (index >> 3) + Math.trunc(step / 8)];
      const { files, ranks } = this.view;
      if (file >= 0 && file < files && rank >= 0 && rank < ranks) this.focusOn(8 * rank + file);
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.click(index);
    } else {
      this.calls.onKey(event, index);
    }
  }

  click(index) {
    const man = this.view.men[index];
    if (this.view.picked && this.view.picked.from !== index) {
      this.calls.onDrop(this.view.picked, index);
    } else if (man) {
      this.calls.onPick({ man, from: index });
    } else {
      this.calls.onSquare(index);
    }
  }

  /** A pointer goes down on a square or a spare man: a click, or a drag once it moves. */
  press(event, index, spare) {
    if (event.button !== 0) return;
    const element = event.currentTarget;
    const man = spare?.man ?? this.view.men[index];
    const piece = spare ?? { man, from: index };
    const [startX, startY] = [event.clientX, event.clientY];
    let ghost = null;
    const move = (event) => {
      if (!man) return;
      if (!ghost && Math.hypot(event.clientX - startX, event.clientY - startY) > SLACK) {
        ghost = h("div", { class: "ghost" }, picture(man));
        const size = this.squares[0].getBoundingClientRect().width;
        ghost.style.width = ghost.style.height = `${size}px`;
        document.body.append(ghost);
        element.classList.add("lifted");
        if (this.view.picked?.from !== piece.from) this.calls.onPick(piece, true);
      }
      if (ghost) ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
    };
    const end = (event) => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", end);
      document.removeEventListener("pointercancel", end);
      element.classList.remove("lifted");
      ghost?.remove();
      if (event.type === "pointercancel") return;
      if (!ghost) {
        if (spare) this.calls.onPick(piece);
        else this.click(index);
        return;
      }
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const target = under?.closest("[data-square], [data-reserve]");
      if (target?.dataset.reserve) this.calls.onReserve?.(piece, target.dataset.reserve);
      else this.calls.onDrop(piece, target ? Number(target.dataset.square) : null, true);
    };
    // Spare men are drawn anew when one is picked, so the document listens, not the man.
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", end);
    document.addEventListener("pointercancel", end);
  }
}

/** A small picture of the men of a FEN, not to be played with. */
export function thumbnail(fen) {
  const element = h("div", { class: "thumb", "aria-hidden": "true" }, seen(fen, false).map((index) => {
    const shade = ((index & 7) + (index >> 3)) % 2 ? "light" : "dark";
    return h("i", { class: shade }, fen.men[index] ? picture(fen.men[index]) : null);
  }));
  element.style.setProperty("--files", fen.files);
  return element;
}
