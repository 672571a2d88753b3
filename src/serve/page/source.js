// Where answers come from: a server, or, on a page that says where its tables are, the browser itself.

import { Refused } from "./refused.js";

export { Refused };

/** Where the tables of a page without a server are. */
const TABLES = document.querySelector('meta[name="tables"]')?.content;

const BASE = "api/v1";

/** How often a question is asked again when the server is busy. */
const PATIENCE = 5;

/** How many histograms are kept: positions of one table show the same. */
const KEPT = 16;

async function ask(path, query = {}, { signal, onProgress, text } = {}) {
  const pairs = Object.entries(query).map(([k, v]) => `${k}=${encodeURIComponent(v)}`);
  if (TABLES) {
    const here = await import("./here.js");
    return here.ask(TABLES, path, pairs.join("&"), { signal, text });
  }
  const address = `${BASE}${path}${pairs.length ? "?" + pairs.join("&") : ""}`;
  for (let refused = 0; ; ) {
    let response, reply;
    try {
      response = await fetch(address, text == null ? { signal } : { signal, method: "POST", body: text });
      reply = await response.json();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Refused(0, {});
    }
    const busy = response.status === 503 && refused++ < PATIENCE;
    if (response.status === 202 || busy) {
      onProgress?.(reply);
      const seconds = Number(response.headers.get("Retry-After")) || 1;
      await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
      signal?.throwIfAborted();
    } else if (response.ok) {
      return reply;
    } else {
      throw new Refused(response.status, reply);
    }
  }
}

const histograms = new Map();

/** A histogram, kept once it is there. */
async function histogram(game, material, options) {
  const name = `${game} ${material}`;
  const found = histograms.get(name) ?? await ask(`/${game}/histogram/${path(material)}`, {}, options);
  histograms.delete(name);
  histograms.set(name, found);
  if (histograms.size > KEPT) histograms.delete(histograms.keys().next().value);
  return found;
}

export const source = {
  /** Whether the server is there. */
  health: (signal) => ask("", {}, { signal }),
  /** The games there are. */
  games: () => ask(""),
  /** A position: its answer, in words too, and its turns. */
  position: (game, fen, signal) => ask(`/${game}`, { fen, words: true }, { signal }),
  /** Best play from a position. */
  line: (game, fen, signal) => ask(`/${game}/line`, { fen, max: 600 }, { signal }),
  /** The answers with the man of a square on every other. */
  whatIf: (game, fen, square, signal) => ask(`/${game}/what-if`, { fen, square }, { signal }),
  /** The board of a position, drawn as SVG, with the first rank of a side (`white`, `black`) below. */
  picture: async (game, fen, side) => {
    const response = await fetch(`${BASE}/${game}/picture.svg?fen=${encodeURIComponent(fen)}&side=${side}`).catch(() => ({ status: 0 }));
    if (!response.ok) throw new Refused(response.status, await response.json?.() ?? {});
    return response.text();
  },
  /** A text of one or more game records, judged. */
  replay: (game, text, signal) => ask(`/${game}/replay`, {}, { signal, text }),
  /** The tables there are and those up to so many men that are not. */
  tables: (game, men, signal) => ask(`/${game}/tables`, { men }, { signal }),
  /** Positions of a table that answer a question; `onProgress` hears how far the search is. */
  find: (game, material, { query, sort, limit }, options) =>
    ask(`/${game}/find/${path(material)}`, { query, sort, limit }, options),
  /** The names that a question about a table can use. */
  names: (game, material, signal) => ask(`/${game}/find/${path(material)}`, {}, { signal }),
  /** What students ask of a table; `onProgress` hears how far the count is. */
  stats: (game, material, options) => ask(`/${game}/stats/${path(material)}`, {}, options),
  /** How many positions of a table have which answer. */
  histogram,
};

const path = encodeURIComponent;
