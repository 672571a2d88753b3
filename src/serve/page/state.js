// Where the reader is: a game, a position in it, and the turns that led there and were taken back.

import { plies } from "./dom.js";

/** The parts of the address: `game`, `fen`, `from` and `line`, `table`, `find` and `sort`, `about`, `embed`. Plus signs are plus signs. */
export function readAddress() {
  const parts = {};
  for (const pair of location.search.slice(1).split("&").filter(Boolean)) {
    const [name, value = ""] = pair.split("=");
    try {
      parts[name] = decodeURIComponent(value);
    } catch {
      parts[name] = value;
    }
  }
  return parts;
}

/** Whether the page is shown within one of another site. */
export const embedded = "embed" in readAddress();

/** The address of some parts; within a page of another site we stay there, but for what is `outside`. */
export function address(parts, outside = !embedded) {
  const pairs = Object.entries(parts).filter(([, value]) => value != null).map(([name, value]) => {
    const text = encodeURIComponent(String(value).replaceAll(" ", "_"));
    return text === "" ? name : `${name}=${text.replace(/%(2F|2B|5B|5D|3A|40)/g, decodeURIComponent)}`;
  });
  return `?${(outside ? pairs : [...pairs, "embed=1"]).join("&")}`;
}

/** What a turn of a judged record cost, in words, with the sign of its glyph as players write it. */
function cost({ thrown_away: thrown, plies_lost: lostPlies, glyph }) {
  const lost = thrown ?? (lostPlies && `${plies(lostPlies)} lost`);
  return { lost, sign: { 2: "?", 4: "??", 6: "?!" }[glyph] ?? "", glyph };
}

/** A game record: the position shown, what was played to it, what can be played again. */
export class Record {
  constructor(fen) {
    this.steps = [{ fen, san: null, uci: null }];
    this.at = 0;
  }

  /** A record that was read, shown at its end. */
  static read({ start, turns, pgn_result: played, recorded_result: recorded }) {
    const record = new Record(start);
    record.steps.push(...turns.map((turn) => ({ ...turn, ...cost(turn) })));
    record.go(turns.length);
    // Who resigned or agreed to a draw is in the record alone.
    record.steps[record.at].result = played === "*" ? recorded ?? "*" : played;
    return record;
  }

  /** A record of the same turns that can go its own way. */
  copy() {
    const copy = new Record(this.fen);
    copy.steps = [...this.steps];
    copy.at = this.at;
    return copy;
  }

  get fen() {
    return this.steps[this.at].fen;
  }

  get last() {
    return this.steps[this.at].uci;
  }

  /** How the game ended in the position shown, as far as the turn to it told. */
  get ending() {
    return this.steps[this.at].ending;
  }

  /** The result in the position shown, as PGN has it. */
  get result() {
    return this.steps[this.at].result ?? "*";
  }

  /** Plays a turn; what had been taken back is forgotten unless it begins with this turn. */
  play({ san, uci, fen, comment, ending, pgn_result, result = pgn_result }) {
    if (this.steps[this.at + 1]?.uci === uci) {
      this.at += 1;
      return;
    }
    this.steps.splice(this.at + 1);
    this.steps.push({ fen, san, uci, comment, ending, result });
    this.at += 1;
  }

  /** Goes to a step, as near as there is one. */
  go(at) {
    this.at = Math.max(0, Math.min(at, this.steps.length - 1));
  }

  /** A server's spelling of the position shown. */
  respell(fen) {
    this.steps[this.at] = { ...this.steps[this.at], fen };
  }

  /** The turns up to the one shown, numbered as in PGN. */
  numbered(end = this.steps.length - 1) {
    const first = this.steps[0].fen.split(" ");
    let number = Number(first.at(-1)) || 1;
    let white = first[1] !== "b";
    return this.steps.slice(1, end + 1).map((step, index) => {
      const label = white ? `${number}.` : index === 0 ? `${number}...` : "";
      if (!white) number += 1;
      white = !white;
      return { ...step, label, at: index + 1 };
    });
  }

  /** The record as PGN; `variant` names the game unless it is orthodox chess, as other programs want it. */
  pgn(variant) {
    const { result } = this;
    const turns = this.numbered(this.at).map(({ label, san, glyph }) => `${label} ${san}${glyph ? ` $${glyph}` : ""}`.trim());
    const tags = [["Result", result], variant && ["Variant", variant], ["SetUp", "1"], ["FEN", this.steps[0].fen]];
    return tags.filter(Boolean).map(([name, value]) => `[${name} "${value}"]\n`).join("")
      + `\n${[...turns, result].join(" ").replace(/(.{60,79}) /g, "$1\n")}\n`;
  }
}
