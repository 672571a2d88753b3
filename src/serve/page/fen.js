// FENs as values that can be changed. The server is the judge of them; this reads whatever it can.

export const FILES = "abcdefgh";

/** The board of chess. */
export const CHESS = { files: 8, ranks: 8 };

/** The name of a square, 0 to 63 from a1; those of a smaller board are some of them. */
export const square = (index) => FILES[index & 7] + ((index >> 3) + 1);

/** The number of a square's name. */
export const index = (name) => FILES.indexOf(name[0]) + 8 * (Number(name[1]) - 1);

/** The squares of a board as they are seen, row by row from the top. */
export function seen({ files, ranks }, flip) {
  const rows = Array.from({ length: files * ranks }, (_, place) =>
    8 * (ranks - 1 - Math.floor(place / files)) + place % files);
  return flip ? rows.reverse() : rows;
}

export const isWhite = (man) => man === man.toUpperCase();

/**
 * The parts of a FEN: `files`, `ranks`, `men` (64 letters or ""), `reserve` (letters), `turn`, `castling`,
 * `passing`, `fields` (those between and the counters), `halfmove`, `fullmove`.
 */
export function parse(text) {
  const [placement = "", turn = "w", castling = "-", passing = "-", ...rest] =
    text.trim().split(/[\s_]+/);
  const [rows, reserve = ""] = placement.replace("]", "").split("[");
  const men = Array(64).fill("");
  const lines = (rows || "8/8/8/8/8/8/8/8").split("/").slice(0, 8);
  const width = (row) => [...row].reduce((sum, letter) => sum + (Number(letter) || 1), 0);
  const [files, ranks] = [Math.min(8, Math.max(1, width(lines[0]))), lines.length];
  lines.forEach((row, down) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) file += Number(letter);
      else if (file < files) men[8 * (ranks - 1 - down) + file++] = letter;
    }
  });
  const isCounter = (field) => /^\d+$/.test(field);
  const counters = [];
  while (rest.length && counters.length < 2 && isCounter(rest.at(-1))) counters.unshift(rest.pop());
  const [halfmove = "0", fullmove = "1"] = counters;
  return {
    files, ranks, men, reserve, castling, passing, fields: rest, halfmove, fullmove,
    turn: turn === "b" ? "b" : "w",
  };
}

/**
 * The FEN in what people paste: itself, a tag of a game record, or the address of a position here
 * or on a page of analysis, whose path ends with the eight ranks.
 */
export function fenIn(text) {
  const tag = text.match(/\[FEN\s+"([^"]*)"/i);
  if (tag) return tag[1].trim();
  const part = text.match(/[?&]fen=([^&#]*)/);
  const path = text.trim().split("/").length > 8 ? text.trim().split(/[?#]/)[0].split("/").slice(-8).join("/") : text;
  const found = part ? part[1] : path;
  try {
    return decodeURIComponent(found).replaceAll("_", " ").trim();
  } catch {
    return found.trim();
  }
}

/** The same without any man but the kings; where there is none it stands on its first square. */
export function cleared(fen) {
  const kings = (white) => (man) => man && isWhite(man) === white && "KD".includes(man.toUpperCase());
  const men = fen.men.map((man) => (kings(true)(man) || kings(false)(man) ? man : ""));
  const reserve = [...fen.reserve].filter((man) => "Kk".includes(man)).join("");
  const file = Math.min(4, fen.files - 1);
  for (const [man, rank, step] of [["K", 0, 1], ["k", fen.ranks - 1, -1]]) {
    const [home, other] = [8 * rank + file, 8 * (rank + step) + file];
    if (men.some(kings(man === "K")) || reserve.includes(man)) continue;
    men[men[home] ? other : home] = man;
  }
  return changed(fen, men, { reserve });
}

/** The text of a FEN's parts. */
export function write(fen) {
  const rows = [];
  for (let rank = fen.ranks - 1; rank >= 0; rank--) {
    rows.push(fen.men.slice(8 * rank, 8 * rank + fen.files).map((man) => man || "1").join("")
      .replace(/1+/g, (free) => free.length));
  }
  const reserve = fen.reserve ? `[${fen.reserve}]` : "";
  return [rows.join("/") + reserve, fen.turn, fen.castling, fen.passing, ...fen.fields,
    fen.halfmove, fen.fullmove].join(" ");
}

/** The same men after some change of the placement: nobody castles or takes in passing. */
export function changed(fen, men, more = {}) {
  return { ...fen, men, castling: "-", passing: "-", ...more };
}

/** Left and right exchanged. */
export const mirrored = (fen) =>
  changed(fen, fen.men.map((_, i) => fen.men[(i & 56) + fen.files - 1 - (i & 7)] ?? ""));

/** White and Black exchanged, the board turned upside down. */
export function swapped(fen) {
  const other = (man) => (isWhite(man) ? man.toLowerCase() : man.toUpperCase());
  const opposite = (i) => 8 * (fen.ranks - 1 - (i >> 3)) + (i & 7);
  return changed(fen, fen.men.map((_, i) => other(fen.men[opposite(i)] ?? "")), {
    turn: fen.turn === "w" ? "b" : "w",
    reserve: [...fen.reserve].map(other).join(""),
  });
}
