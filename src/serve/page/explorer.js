// A position: wires board, answer, state and record together.

import { refusal, turns, verdict } from "./answer.js";
import { Board } from "./board.js";
import { chooser } from "./chooser.js";
import { button, copier, h, say } from "./dom.js";
import { changed, cleared, fenIn, index, isWhite, mirrored, parse, square, swapped, write } from "./fen.js";
import { keepFocus } from "./focus.js";
import { recordBox } from "./match.js";
import { named } from "./men.js";
import { source } from "./source.js";
import { Record, address, embedded } from "./state.js";
import { retry } from "./trouble.js";
import { reading, squaresOf } from "./uci.js";
import { addressOf, recordAt } from "./visit.js";

/** How long a turn is looked at when best play plays itself, in milliseconds, by how it is called. */
const PACES = { slow: 1500, steady: 700, fast: 250 };

/** The page of a position, in `place`; `parts` are those of its address. */
export class Explorer {
  constructor(place, game, know, parts) {
    this.place = place;
    this.game = game;
    this.know = know;
    // Some games have a man more than their materials.
    this.kinds = know.men ?? game.men;
    this.mode = "play";
    this.flip = false;
    this.pace = "steady";
    this.build();
    this.visit(parts);
  }

  /** Shows what an address names. */
  async visit(parts) {
    this.stop();
    const spaced = (text) => text?.replaceAll("_", " ");
    const fen = spaced(parts.fen) ?? this.know.examples[0][0];
    const named = { ...parts, game: this.game.game, fen, from: spaced(parts.from) };
    this.record = new Record(fen);
    const signal = this.begin();
    this.draw();
    try {
      this.record = await recordAt(named, signal);
    } catch (error) {
      if (error.name !== "AbortError") this.fail(error, () => this.visit(parts));
      return;
    }
    if (signal.aborted) return;
    const { problem } = this.record;
    this.look("stay");
    if (problem) this.note(`The turns in the address cannot be played: ${problem}.`);
  }

  get fen() {
    return parse(this.record.fen);
  }

  /** What game records call the game; other programs take orthodox chess for granted. */
  get variant() {
    return this.game.game === "orthodox" ? null : this.game.title;
  }

  /** Ends what goes on, for another page takes its place. */
  close() {
    this.stop();
    this.asking?.abort();
  }

  build() {
    this.board = new Board({
      onPick: (piece, dragged) => this.pick(piece, dragged),
      onDrop: (piece, to, dragged) => this.drop(piece, to, dragged),
      onSquare: () => this.pick(null),
      onReserve: (piece, side) => this.toReserve(piece, side),
      onKey: (event, at) => this.squareKey(event, at),
    });
    const part = (className) => h("div", { class: className });
    this.parts = Object.fromEntries(["above", "below", "tools", "answer", "ranked", "state", "history", "charts"]
      .map((name) => [name, part(name)]));
    // What is said here is read out; so the element stays, and what is in it changes.
    this.parts.verdict = h("div", { role: "status" }, skeleton());
    this.parts.note = h("p", { class: "note", role: "status" });
    this.parts.choices = part("choices");
    this.board.element.append(this.parts.choices);
    this.parts.answer.append(this.parts.verdict, this.parts.state, this.parts.ranked);
    const fen = h("input", {
      id: "fen", type: "text", spellcheck: "false", autocomplete: "off", "aria-label": "FEN",
      onchange: (event) => {
        const fen = fenIn(event.target.value);
        this.edit(parse(fen), fen);
      },
    });
    this.fenBox = fen;
    const modes = h("div", { class: "modes", role: "group", "aria-label": "What the board does" },
      [["play", "Play"], ["setup", "Set up"], ["whatif", "What if?"]].map(([mode, label]) =>
        button(label, () => this.setMode(mode), { "data-mode": mode })));
    this.modes = modes;
    this.place.className = "explorer";
    this.place.replaceChildren(
      h("h1", { class: "unseen" }, this.game.title),
      h("div", { class: "left" },
        h("div", { class: "bar" }, modes, h("div", { class: "bar" },
          button("⇅", () => { this.flip = !this.flip; this.draw(); }, { "aria-label": "Turn the board round", title: "Turn the board round" }),
          this.turnButton = button("", () => this.edit({ ...this.fen, turn: this.fen.turn === "w" ? "b" : "w", passing: "-" })))),
        this.parts.above, this.board.element, this.parts.below, this.parts.note, this.parts.tools,
        this.parts.history, h("div", { class: "fen" }, fen, copier("Copy FEN", () => this.record.fen),
          button("Save picture", () => this.savePicture(), { class: "small", title: "The board and its chart as a file (SVG)" })),
        recordBox(this.game.game, (record) => this.load(record))),
      h("div", { class: "right" },
        h("p", { class: "crumbs" },
          h("a", { href: address({ game: this.game.game, about: "" }) }, `${this.game.title}: rules and tables`),
          this.tableLink = h("a", { hidden: true }),
          // Within a page of another site: the way out.
          embedded && (this.wayOut = h("a", { target: "_blank", rel: "noopener" }, "Open in finale ↗"))),
        this.parts.answer, this.parts.charts));
  }

  /** Lets go of what was known and asked; the signal says when that of now is let go of. */
  begin() {
    this.asking?.abort();
    this.asking = new AbortController();
    this.selected = null;
    this.choice = null;
    this.whatIf = null;
    this.whatIfSide = null;
    this.line = null;
    this.error = null;
    this.answer = null;
    this.tuned = false;
    this.note("");
    this.parts.answer.classList.add("waiting");
    return this.asking.signal;
  }

  /**
   * Asks about the position shown, and shows what is said. Its address becomes the next one that the
   * browser goes back to; it takes the place of the last one (`replace`), or is there (`stay`).
   */
  async look(way = "push") {
    const signal = this.begin();
    const fen = this.record.fen;
    this.writeAddress(way);
    this.draw();
    const { ending } = this.record;
    let answer = null;
    try {
      // Of a game that is over not every FEN can be asked about.
      answer = ending ? { ending, words: [ending], turns: [] }
        : await source.position(this.game.game, fen, signal);
    } catch (error) {
      if (error.name === "AbortError") return undefined;
      this.error = error;
    }
    this.answer = answer;
    const known = this.answer ?? this.error.reply;
    if (known.fen && known.fen !== fen) {
      this.record.respell(known.fen);
      this.writeAddress("replace");
    }
    this.parts.answer.classList.remove("waiting");
    this.draw();
    this.show();
    if (this.mode === "whatif" && this.kept != null && this.fen.men[this.kept]) this.askWhatIf(this.kept);
    return this.answer;
  }

  writeAddress(way) {
    const next = addressOf(this.game.game, this.record);
    if (embedded) this.wayOut.href = next.replace("&embed=1", "");
    // Who goes back from a page of another site leaves that page.
    if (way === "push" && !embedded && next !== location.search) history.pushState(null, "", next);
    else history.replaceState(null, "", next);
  }

  async savePicture() {
    const { fen } = this.record;
    const words = [this.parts.verdict.querySelector(".headline")?.textContent ?? "", `${this.game.title}: ${fen}`];
    try {
      const { save } = await import("./saved.js");
      await save({ game: this.game.game, fen, side: this.flip ? "black" : "white", words, chart: this.parts.charts.querySelector(".plot") });
    } catch (error) {
      this.note(error.message);
    }
  }

  /** Shows why there is nothing to show. */
  fail(error, again) {
    this.error = error;
    this.parts.answer.classList.remove("waiting");
    this.show(again);
  }

  /** Says something that nobody should miss, below the board. */
  note(text) {
    this.parts.note.textContent = text;
  }

  /** Draws something anew, and leaves the focus where it was or to what comes closest. */
  keepFocus(draw) {
    keepFocus(this.place, draw, (had) => {
      const [place, wanted] = had.matches(".turn") ? [this.parts.ranked, ".turn"]
        : had.closest(".history") ? [this.parts.history, ".current, button:enabled"]
          : had.closest(".state") ? [this.parts.state, "input, select, button:enabled"] : [];
      const last = had.matches(".turn") ? "#verdict" : ".square[tabindex='0']";
      return () => place?.querySelector(wanted) ?? this.place.querySelector(last);
    });
  }

  get turns() {
    return (this.answer ?? this.error?.reply)?.turns ?? [];
  }

  /** The panel beside the board; `again` asks once more if there is no answer. */
  show(again = () => this.look("stay")) {
    this.keepFocus(() => this.showAnswer(again));
  }

  showAnswer(again) {
    const { answer, error, fen, know, parts } = this;
    const calls = {
      show: (turn) => this.point(turn), hide: () => this.board.arrow(),
      play: (turn) => this.play(turn),
    };
    const known = answer ?? { ...error.reply };
    parts.verdict.replaceChildren(answer ? verdict(know, answer, fen)
      : refusal(error, copier, [0, 500, 503].includes(error.status) && retry(error, again, this.asking.signal)));
    parts.ranked.replaceChildren(answer || known.turns ? turns(know, known, fen, calls) : "");
    this.tableLink.hidden = !answer?.material;
    this.tableLink.textContent = answer?.material ? `The table ${answer.material}` : "";
    this.tableLink.href = address({ game: this.game.game, table: answer?.material });
    this.showState();
    const context = {
      game: this.game.game, answer, fen, set: (more) => this.set(more), signal: this.asking.signal,
    };
    parts.charts.replaceChildren(answer && !answer.ending ? know.chart(context) ?? "" : "");
    this.drawHistory();
  }

  showState() {
    const controls = this.know.controls({
      fen: this.fen, options: this.game.options, set: (more) => this.set(more),
      answer: this.answer ?? this.error?.reply, play: (turn) => this.play(turn),
      reserveMen: this.know.reserveMen,
    });
    this.parts.state.replaceChildren(controls ?? "");
  }

  showHistory() {
    this.keepFocus(() => this.drawHistory());
  }

  drawHistory() {
    const { record } = this;
    const best = this.turns[0];
    const step = (label, words, by, disabled) =>
      button(label, () => this.goTo(record.at + by), { "aria-label": words, title: words, disabled });
    const played = record.numbered();
    this.parts.history.replaceChildren(h("div", {},
      h("div", { class: "bar steps" },
        step("«", "To the beginning", -Infinity, record.at === 0),
        step("‹", "Back (left arrow)", -1, record.at === 0),
        step("›", "Forward (right arrow)", 1, record.at === record.steps.length - 1),
        button("Best turn", () => this.play(best), { id: "best", disabled: !best || !this.answer, title: "Play the best turn (space)",
          onmouseenter: () => this.point(best), onmouseleave: () => this.board.arrow(),
          onfocus: (event) => event.target.matches(":focus-visible") && this.point(best), onblur: () => this.board.arrow() }),
        this.runButton = button(this.running ? "Pause" : "Play it out", () => (this.running ? this.stop() : this.run()),
          { id: "run", disabled: !best || !this.answer }),
        h("select", { id: "pace", "aria-label": "Speed", title: "How fast it is played out", onchange: (event) => { this.pace = event.target.value; } },
          Object.keys(PACES).map((pace) => h("option", { selected: pace === this.pace }, pace))),
        button("To the end", () => this.skip(), { id: "skip", disabled: !best || !this.answer, title: "Play the best line at once" }),
        button("Show the line", () => this.showLine(), { id: "line", disabled: !best || !this.answer })),
      played.length > 0 && h("ol", { class: "played", "aria-label": "Turns played" }, played.map(({ label, san, at, comment, lost, sign }) =>
        h("li", {}, h("span", {}, label), h("button", {
          type: "button", class: at === record.at ? "current" : "",
          "aria-current": at === record.at ? "step" : null, title: [comment, lost].filter(Boolean).join("; "),
          onclick: () => this.goTo(at),
        }, `${san}${sign ?? ""}`)))),
      played.length > 0 && copier("Copy PGN", () => record.pgn(this.variant)),
      this.line && this.lineList()));
  }

  lineList() {
    const shown = this.line;
    const { end, record } = shown;
    return h("section", { class: "line" }, h("h3", {}, "Best line"),
      h("ol", { class: "played" }, record.numbered().map(({ label, san, at }) =>
        h("li", {}, h("span", {}, label), h("button", {
          type: "button", onclick: () => {
            // Of a position that is left there is no line any more.
            if (this.line !== shown) return;
            record.steps.slice(1, at + 1).forEach((step) => this.record.play(step));
            this.look();
          },
        }, san)))),
      h("p", { class: "hint" }, `${end}.`),
      copier("Copy PGN of the line", () => record.pgn(this.variant)));
  }

  async showLine() {
    const line = await this.askLine();
    if (!line) return;
    this.line = line;
    this.showHistory();
  }

  /** Plays the best line to its end. */
  async skip() {
    this.stop();
    const line = await this.askLine();
    if (!line) return;
    line.record.steps.slice(1).forEach((step) => this.record.play(step));
    this.look();
  }

  /** The best line from the position shown, as a record, and how it ends; nothing if it cannot be had. */
  async askLine() {
    const { signal } = this.asking;
    const { game } = this.game;
    const { fen } = this.record;
    try {
      const { line, end } = await source.line(game, fen, signal);
      // The server judges a record, so the line says how the game ends, as a game that was played.
      const uci = line.map((turn) => turn.uci).join("_");
      const record = await recordAt({ game, fen: line.at(-1).fen, from: fen, line: uci }, signal);
      return signal.aborted ? null : { end, record };
    } catch (error) {
      if (error.name !== "AbortError") this.note(error.message);
      return null;
    }
  }

  /** The board and what belongs to it, from what is known now. */
  draw() {
    this.keepFocus(() => this.drawBoard());
  }

  drawBoard() {
    const { fen } = this;
    const marks = new Map();
    const picked = this.selected;
    if (this.mode === "play" && picked) {
      for (const { to } of this.targets(picked)) marks.set(to, fen.men[to] ? "capture" : "move");
    }
    const last = this.record.last ? squaresOf(this.record.last) : [];
    this.board.show({
      files: fen.files, ranks: fen.ranks, men: fen.men, flip: this.flip, marks, last, picked,
      selected: typeof picked?.from === "number" ? picked.from : null, tints: this.tints(),
      centre: this.know.centre, slide: this.slide(),
    });
    this.board.arrow();
    if (this.fenBox !== document.activeElement) this.fenBox.value = this.record.fen;
    const name = fen.turn === "w" ? "White" : "Black";
    this.turnButton.replaceChildren(h("i", { class: `side ${name.toLowerCase()}` }), `${name} to move`);
    this.turnButton.title = "Give the other side the move";
    this.modes.querySelectorAll("button").forEach((element) =>
      element.setAttribute("aria-pressed", element.dataset.mode === this.mode));
    const top = this.flip ? "w" : "b";
    this.parts.above.replaceChildren(...this.beside(top));
    this.parts.below.replaceChildren(...this.beside(top === "w" ? "b" : "w"));
    this.parts.tools.replaceChildren(...this.tools());
    this.parts.choices.replaceChildren(this.choice ? chooser({
      turns: this.choice, fen, flip: this.flip, play: (turn) => this.play(turn),
      cancel: () => { this.choice = null; this.draw(); },
    }) : "");
    this.board.element.dataset.mode = this.mode;
  }

  /** From where to where a man slides: one turn on from the position shown last, or one back. */
  slide() {
    const { steps, at } = this.record;
    const { shown, dragged } = this;
    this.shown = steps[at].fen;
    this.dragged = false;
    // What was dragged is there already.
    if (dragged || !shown || shown === this.shown) return null;
    if (shown === steps[at - 1]?.fen) return squaresOf(steps[at].uci);
    return shown === steps[at + 1]?.fen ? squaresOf(steps[at + 1].uci).reverse() : null;
  }

  /** Beside the board: the reserve of a side, and spare men when setting up. */
  beside(side) {
    const { fen, know } = this;
    const rows = [];
    const own = (man) => isWhite(man) === (side === "w");
    const cased = (man) => (side === "w" ? man : man.toLowerCase());
    const isPicked = (man, from) => this.selected?.man === man && this.selected.from === from;
    const offer = (man, from, label) => {
      const element = this.board.spare(man, from, label);
      element.classList.toggle("selected", isPicked(man, from));
      return element;
    };
    if (know.reserveMen) {
      const held = [...fen.reserve].filter(own);
      rows.push(h("div", { class: "reserve", "data-reserve": side, "aria-label": `${side === "w" ? "White" : "Black"}'s reserve`, role: "group" },
        h("span", {}, "in reserve"), held.map((man) => offer(man, "reserve", `${named(man)} in reserve`))));
    }
    if (this.mode === "setup") {
      rows.push(h("div", { class: "spares", role: "group", "aria-label": "Spare men" },
        [...this.kinds].map((man) => offer(cased(man), "spare", `spare ${named(cased(man))}`))));
    }
    return rows;
  }

  tools() {
    const { fen } = this;
    if (this.mode === "setup") {
      return [h("div", { class: "bar" },
        button("Clear", () => this.edit(cleared(fen))),
        button("Mirror", () => this.edit(mirrored(fen))),
        button("Swap colours", () => this.edit(swapped(fen))),
        button("✕ Remove", () => this.drop(this.selected, null), {
          disabled: typeof this.selected?.from !== "number", title: "Take the man away (Delete)" })),
      h("p", { class: "hint" }, "Drag men anywhere; drop one beside the board to take it away. On a square, letters put men.")];
    }
    if (this.mode === "whatif") {
      const { whatIf } = this;
      if (!whatIf) return [h("p", { class: "hint" }, "What if a man stood elsewhere? Pick it.")];
      const side = (letter, label) => button(label, () => { this.whatIfSide = letter; this.draw(); },
        { "aria-pressed": String(this.sideAsked === letter) });
      return [h("div", { class: "bar" }, h("div", { class: "modes", role: "group", "aria-label": "To move" },
        side("w", "White to move"), side("b", "Black to move")),
      h("p", { class: "legend" }, h("span", {}, h("i", { class: "white-side" }), "White wins"),
        this.know.draws !== false && h("span", {}, h("b", {}, "= "), "even"), h("span", {}, h("i", { class: "black-side" }), "Black wins"))),
      h("p", { class: "hint" }, `The ${named(whatIf.man)} of ${whatIf.square} on every square. Click one to put it there.`)];
    }
    return [];
  }

  setMode(mode) {
    this.mode = mode;
    this.selected = null;
    this.whatIf = null;
    this.whatIfSide = null;
    this.kept = null;
    this.note("");
    this.draw();
  }

  /** Who is to move in a what-if. */
  get sideAsked() {
    return this.whatIfSide ?? this.fen.turn;
  }

  /** The turns of a piece: where it can go. */
  targets(piece) {
    return this.turns.flatMap((turn) => {
      const { from, to, man } = reading(turn.uci);
      if (to == null) return [];
      const fits = typeof piece.from === "number" ? piece.from === from
        : piece.from === "reserve" && man === piece.man.toUpperCase() && isWhite(piece.man) === (this.fen.turn === "w");
      return fits ? [{ turn, to }] : [];
    });
  }

  pick(piece, dragged) {
    if (this.mode === "whatif" && piece && typeof piece.from === "number") {
      if (!dragged) this.askWhatIf(piece.from);
      return;
    }
    const same = piece && this.selected?.from === piece.from && this.selected.man === piece.man;
    this.selected = same && !dragged ? null : piece;
    this.choice = null;
    this.note("");
    this.draw();
  }

  drop(piece, to, dragged) {
    if (!piece) return;
    this.selected = null;
    this.note("");
    if (this.mode === "setup" || piece.from === "spare") return this.put(piece, to);
    if (this.mode === "whatif") {
      // A click on another man asks about that one.
      const other = to != null && to !== piece.from && this.fen.men[to];
      if (other && !dragged) return this.askWhatIf(to);
      return to == null || other ? this.draw() : this.put(piece, to);
    }
    const fits = to == null ? [] : this.targets(piece).filter((target) => target.to === to).map(({ turn }) => turn);
    this.dragged = dragged && fits.length === 1;
    if (fits.length === 1 && !reading(fits[0].uci).relocated) return this.play(fits[0]);
    if (fits.length) {
      this.choice = fits;
    } else if (!dragged && to != null && this.fen.men[to]) {
      // A click on another man picks that one.
      this.selected = { man: this.fen.men[to], from: to };
    } else if (to !== piece.from && to != null) {
      this.note("No legal turn. To put men anywhere, choose Set up.");
    }
    this.draw();
    this.parts.choices.querySelector("button")?.focus({ preventScroll: true });
  }

  /** Puts a man on a square, or takes it away. */
  put(piece, to) {
    const { fen } = this;
    const men = [...fen.men];
    let { reserve } = fen;
    if (typeof piece.from === "number") men[piece.from] = "";
    if (piece.from === "reserve") reserve = reserve.replace(piece.man, "");
    if (to != null) men[to] = piece.man;
    if (this.mode === "whatif") this.kept = to;
    const turn = this.mode === "whatif" ? this.sideAsked : fen.turn;
    this.edit(changed(fen, men, { reserve, turn }));
    // A spare man can be put several times.
    if (piece.from === "spare" && to != null) {
      this.selected = piece;
      this.draw();
    }
  }

  toReserve(piece, side) {
    const man = side === "w" ? piece.man.toUpperCase() : piece.man.toLowerCase();
    if (this.mode !== "setup" || piece.from === "reserve" || !this.know.reserveMen.includes(man.toUpperCase())) return this.draw();
    const { fen } = this;
    const men = fen.men.map((other, at) => (at === piece.from ? "" : other));
    this.edit(changed(fen, men, { reserve: fen.reserve + man }));
  }

  /** Another position, from which a new record begins. */
  edit(fen, text, way) {
    this.stop();
    this.record = new Record(text ?? write(fen));
    this.look(way);
  }

  /** Shows a record that was read, from its end. */
  load(read) {
    this.stop();
    this.record = Record.read(read);
    this.look();
  }

  /** Changes the game's own state. A slider that is moved on and on leaves one step to go back. */
  set(more) {
    const way = this.tuned ? "replace" : "push";
    this.edit({ ...this.fen, ...more }, null, way);
    this.tuned = true;
  }

  /** Plays a turn of the position shown, unless it is one of a position that is left. */
  play(turn, way) {
    if (!turn?.fen || !this.turns.includes(turn)) return undefined;
    this.record.play(turn);
    say(`${turn.san}.`);
    return this.look(way);
  }

  goTo(at) {
    this.stop();
    this.record.go(at);
    this.look();
  }

  async run() {
    this.running = true;
    const run = (this.runs = {});
    this.runButton.textContent = "Pause";
    const met = new Set();
    while (this.running && this.runs === run) {
      const best = this.answer?.turns?.[0];
      const identity = this.record.fen.split(" ").slice(0, -2).join(" ");
      if (!best || met.has(identity)) break;
      met.add(identity);
      // The browser goes back to where it began.
      await this.play(best, met.size > 1 ? "replace" : "push");
      if (this.runs !== run) break;
      // What comes next.
      this.point(this.turns[0]);
      await new Promise((resolve) => setTimeout(resolve, PACES[this.pace]));
    }
    if (this.runs === run) this.stop();
  }

  stop() {
    this.running = false;
    this.runs = null;
    if (this.runButton) this.runButton.textContent = "Play it out";
  }

  point(turn) {
    const { from, to } = reading(turn?.uci ?? "");
    this.board.arrow(from, to);
  }

  async askWhatIf(from) {
    this.kept = from;
    try {
      const reply = await source.whatIf(this.game.game, this.record.fen, square(from), this.asking.signal);
      this.whatIf = reply;
      this.selected = { man: this.fen.men[from], from };
    } catch (error) {
      if (error.name === "AbortError") return;
      this.note(error.message);
    }
    this.draw();
  }

  /** What each square says in a what-if. */
  tints() {
    if (!this.whatIf) return null;
    const side = this.sideAsked;
    const answers = this.whatIf[side === "w" ? "white" : "black"];
    const tints = Array(64).fill(null);
    for (const [name, answer] of Object.entries(answers)) {
      if (answer.error) {
        tints[index(name)] = { tone: "cannot", text: "", words: answer.error };
        continue;
      }
      const { white, short, strength } = this.know.worth(answer, side);
      const level = Math.max(1, Math.min(4, Math.ceil(4 * strength)));
      const tone = white === 0 ? "even" : `${white === 1 ? "white-side" : "black-side"} level${level}`;
      tints[index(name)] = { tone, text: short || (white === 0 ? "=" : ""), words: answer.words };
    }
    return tints;
  }

  squareKey(event, at) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") this.pick(null);
    if (this.mode !== "setup") return;
    const man = event.key;
    if (man === "Delete" || man === "Backspace") {
      event.preventDefault();
      this.put({ man: "", from: at }, null);
    } else if (man.length === 1 && this.kinds.includes(man.toUpperCase())) {
      this.put({ man, from: "spare" }, at);
      this.selected = null;
      this.draw();
    }
  }

  key(event) {
    const target = event.target;
    const onSquare = target.dataset?.square != null;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches("input, select, textarea, summary") || (target.matches("button, a") && !onSquare && event.key === " ")) return;
    const act = { " ": () => this.answer && this.play(this.turns[0]), ArrowLeft: () => this.goTo(this.record.at - 1),
      ArrowRight: () => this.goTo(this.record.at + 1), Home: () => this.goTo(0), f: () => { this.flip = !this.flip; this.draw(); } };
    if (onSquare && this.mode === "setup" && event.key === "f") return;
    if (act[event.key]) {
      event.preventDefault();
      act[event.key]();
    }
  }
}

/** Where the verdict will stand. */
const skeleton = () => h("section", { class: "verdict skeleton", "aria-hidden": "true" },
  ["headline", "", ""].map((name) => h("p", { class: name })));
