// The library in a worker: it answers from tables of which only those bytes are here that a question
// took so far. An answer that lacks some says which; all of them are fetched at once, and the same is
// asked again.

"use strict";

/** How often bytes are asked for again, and how long after the first time, in milliseconds. */
const TRIES = 6;
const PAUSE = 250;

/** The most requests at once. */
const AT_ONCE = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What cannot be had: a status as a server's, and why. */
class Lacking extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

let tables;
let library = null;
const left = new Set();
const underWay = new Map();

const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** Something of this site; asked for again while the way to it or the server fails. */
async function get(address, range, read) {
  for (let tries = 1; ; tries++) {
    let pause = PAUSE * 2 ** (tries - 1) * (0.5 + Math.random());
    try {
      const response = await fetch(address, range ? { headers: { Range: `bytes=${range[0]}-${range[1] - 1}` } } : {});
      if (response.ok) {
        const found = await read(response);
        if (found != null) return found;
      } else if (response.status < 500 && response.status !== 429) {
        throw new Lacking(response.status, `${address} cannot be read (${response.status}).`);
      }
      const seconds = Number(response.headers.get("Retry-After"));
      if (seconds > 0) pause = 1000 * Math.min(seconds, 30);
    } catch (error) {
      if (error instanceof Lacking) throw error;
    }
    if (tries === TRIES) throw new Lacking(0, "The tables cannot be reached.");
    await sleep(pause);
  }
}

/** Calls a function of the library with texts and bytes; what it replies. */
function call({ exports }, name, ...parts) {
  const bytes = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  let at = exports.finale_buffer(bytes.reduce((sum, part) => sum + part.length, 0));
  for (const part of bytes) {
    new Uint8Array(exports.memory.buffer).set(part, at);
    at += part.length;
  }
  const length = exports[name]();
  const reply = new Uint8Array(exports.memory.buffer, exports.finale_reply(), length);
  return JSON.parse(decoder.decode(reply));
}

/** The program, which may have been compressed where the server does not do that. */
async function unpacked(program) {
  const [first, second] = new Uint8Array(program);
  if (first !== 0x1f || second !== 0x8b) return program;
  const stream = new Response(program).body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** Loads the library and tells it which tables there are. */
async function load() {
  const text = (response) => response.text();
  const optional = (error) => {
    if (error.status !== 404) throw error;
    return undefined;
  };
  const [program, index, variants] = await Promise.all([
    get("finale.wasm", null, (response) => response.arrayBuffer()),
    get(`${tables}index.json`, null, text),
    get(`${tables}variants.ini`, null, text).catch(optional),
  ]);
  const { instance } = await WebAssembly.instantiate(await unpacked(program), {});
  const { error } = call(instance, "finale_open", JSON.stringify({ index, variants }));
  if (error) throw new Lacking(500, `${tables}index.json: ${error}`);
  return instance;
}

/** Fetches bytes of a table, if nobody is at it, and hands them to the library. */
function bring(instance, { file, start, end }) {
  const key = `${file} ${start} ${end}`;
  const address = tables + file.split("/").map(encodeURIComponent).join("/");
  const fetched = underWay.get(key) ?? get(address, [start, end], async (response) => {
    const bytes = new Uint8Array(await response.arrayBuffer());
    // A server that knows no ranges sends the whole file.
    const found = response.status === 206 ? bytes : bytes.subarray(start, end);
    return found.length === end - start ? found : null;
  }).then((bytes) => {
    const { error } = call(instance, "finale_bring", `${JSON.stringify({ file, start, end })}\n`, bytes);
    if (error) throw new Lacking(500, `${file}: ${error}`);
  }).finally(() => underWay.delete(key));
  underWay.set(key, fetched);
  return fetched;
}

async function bringAll(instance, wanted) {
  const rest = [...wanted];
  const next = async () => {
    for (let one = rest.shift(); one; one = rest.shift()) await bring(instance, one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function answer({ id, path, query, body }) {
  library ??= load().catch((error) => {
    library = null;
    throw error;
  });
  const instance = await library;
  const question = JSON.stringify({ path, query, body });
  for (;;) {
    if (left.delete(id)) return null;
    let found;
    try {
      found = call(instance, "finale_ask", question);
    } catch {
      // What has failed once is in no state to go on.
      library = null;
      return { status: 500, reply: { error: "The page failed; this is a bug." } };
    }
    if (found.error) return { status: 500, reply: found };
    if (!found.wanted) return found;
    await bringAll(instance, found.wanted);
  }
}

addEventListener("message", async ({ data }) => {
  if (data.tables) {
    tables = data.tables;
  } else if (data.leave) {
    left.add(data.id);
  } else {
    try {
      const found = await answer(data);
      if (found) postMessage({ id: data.id, ...found });
    } catch ({ status = 500, message }) {
      postMessage({ id: data.id, status, reply: { error: message } });
    }
    left.delete(data.id);
  }
});
