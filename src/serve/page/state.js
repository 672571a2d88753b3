// Where the reader is: a game, a position in it, and the turns that led there and were taken back.

/** The parts of the address: `game`, `fen`, `table`, `about`. Plus signs are plus signs. */
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

/** The address of some parts. */
export function address(parts) {
  const pairs = Object.entries(parts).filter(([, value]) => value != null).map(([name, value]) => {
    const text = encodeURIComponent(String(value).replaceAll(" ", "_"));
    return text === "" ? name : `${name}=${text.replace(/%(2F|2B|5B|5D|3A)/g, decodeURIComponent)}`;
  });
  return `?${pairs.join("&")}`;
}

/** A game record: the position shown, what was played to it, what can be played again. */
export class Record {
  constructor(fen) {
    this.steps = [{ fen, san: null, uci: null }];
    this.at = 0;
  }

  /** A record that was read, shown at its end. */
  static read({ start, turns }) {
    const record = new Record(start);
    record.steps.push(...turns.map((turn) => ({ ...turn, lost: turn.thrown_away })));
    record.go(turns.length);
    return record;
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

  /** Plays a turn; what had been taken back is forgotten unless it begins with this turn. */
  play({ san, uci, fen, comment, ending }) {
    if (this.steps[this.at + 1]?.uci === uci) {
      this.at += 1;
      return;
    }
    this.steps.splice(this.at + 1);
    this.steps.push({ fen, san, uci, comment, ending });
    this.at += 1;
  }

  /** Goes to a step, as near as there is one. */
  go(at) {
    this.at = Math.max(0, Math.min(at, this.steps.length - 1));
  }

  /** A server's spelling of the position shown. */
  respell(fen) {
    this.steps[this.at].fen = fen;
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

  /** The record as PGN. */
  pgn(title) {
    const turns = this.numbered(this.at).map(({ label, san }) => `${label} ${san}`.trim());
    const tags = [["Variant", title], ["SetUp", "1"], ["FEN", this.steps[0].fen]];
    return tags.map(([name, value]) => `[${name} "${value}"]\n`).join("")
      + `\n${[...turns, "*"].join(" ").replace(/(.{60,79}) /g, "$1\n")}\n`;
  }
}
