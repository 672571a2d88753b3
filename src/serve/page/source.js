// Where answers come from. Every question of the page goes through here, so that another source,
// such as tables read by the browser itself, can take the place of the server.

const BASE = "api/v1";

/** A question that was not answered: `message` says why; `reply` is all that was said. */
export class Refused extends Error {
  constructor(status, reply) {
    super(reply.error ?? "The server cannot be reached.");
    this.status = status;
    this.reply = reply;
  }
}

async function ask(path, query = {}, { signal, onProgress, text } = {}) {
  const pairs = Object.entries(query).map(([k, v]) => `${k}=${encodeURIComponent(v)}`);
  const address = `${BASE}${path}${pairs.length ? "?" + pairs.join("&") : ""}`;
  for (;;) {
    let response, reply;
    try {
      response = await fetch(address, text == null ? { signal } : { signal, method: "POST", body: text });
      reply = await response.json();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Refused(0, {});
    }
    if (response.status === 202) {
      onProgress?.(reply.done);
      await new Promise((resolve) => setTimeout(resolve, 400));
      signal?.throwIfAborted();
    } else if (response.ok) {
      return reply;
    } else {
      throw new Refused(response.status, reply);
    }
  }
}

export const source = {
  /** The games there are. */
  games: () => ask(""),
  /** A position: its answer, in words too, and its turns. */
  position: (game, fen, signal) => ask(`/${game}`, { fen, words: true }, { signal }),
  /** Best play from a position. */
  line: (game, fen, signal) => ask(`/${game}/line`, { fen, max: 600 }, { signal }),
  /** The answers with the man of a square on every other. */
  whatIf: (game, fen, square, signal) => ask(`/${game}/what-if`, { fen, square }, { signal }),
  /** A text of one or more game records, judged. */
  replay: (game, text, signal) => ask(`/${game}/replay`, {}, { signal, text }),
  /** The tables there are and those up to so many men that are not. */
  tables: (game, men, signal) => ask(`/${game}/tables`, { men }, { signal }),
  /** What students ask of a table; `onProgress` hears the part that is counted. */
  stats: (game, material, options) => ask(`/${game}/stats/${path(material)}`, {}, options),
  /** How many positions of a table have which answer. */
  histogram: (game, material, options) => ask(`/${game}/histogram/${path(material)}`, {}, options),
};

const path = encodeURIComponent;
