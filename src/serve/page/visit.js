// The record in the address: it can be kept and sent, and the browser goes back through it.

import { source } from "./source.js";
import { Record, address } from "./state.js";

/** Servers refuse addresses that are much longer; then the position alone is in it. */
const LONGEST = 8000;

/** The records of this visit by their addresses: to go back needs no server. */
const met = new Map();

/** The address of a record of a game, which is remembered. */
export function addressOf(game, record) {
  const { fen, steps } = record;
  const line = steps.slice(1).map(({ uci }) => uci).join("_");
  const whole = line && address({ game, fen, from: steps[0].fen, line });
  const short = whole && whole.length <= LONGEST ? whole : address({ game, fen });
  met.set(short, record.copy());
  return short;
}

/**
 * The record that the parts of an address name: a position, and the turns it is in the midst of. If
 * they cannot be played it has a `problem`, and the position alone.
 */
export async function recordAt({ game, fen, from, line }, signal) {
  const known = met.get(address({ game, fen, from, line }));
  if (known) return known.copy();
  if (!from || !line) return new Record(fen);
  const text = `[FEN "${from.replace(/["\n]/g, "")}"]\n\n${line.replaceAll("_", " ")} *\n`;
  const { games: [read] } = await source.replay(game, text, signal);
  if (read.error) return Object.assign(new Record(fen), { problem: read.error });
  const record = Record.read(read);
  const at = record.steps.findIndex((step) => step.fen === fen);
  record.go(at < 0 ? record.steps.length : at);
  return record;
}
