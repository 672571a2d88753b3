// Answers without a server: a worker has the library, and reads tables that lie beside the page.
// What only whole tables tell was counted when the page was made, and lies beside them.

import { Refused } from "./refused.js";

let worker = null;
let last = 0;
const waiting = new Map();

function start(tables) {
  worker = new Worker("reader.js");
  worker.addEventListener("message", ({ data: { id, status, reply } }) => {
    waiting.get(id)?.({ status, reply });
    waiting.delete(id);
  });
  worker.addEventListener("error", () => {
    // It could not be loaded; the next question tries again.
    const all = [...waiting.values()];
    waiting.clear();
    worker = null;
    all.forEach((settle) => settle({ status: 0, reply: {} }));
  });
  worker.postMessage({ tables: new URL(tables, document.baseURI).href });
}

/** A file that was made with the page; `lacking` says what it means if there is none. */
async function made(address, lacking, signal) {
  let response;
  try {
    response = await fetch(address, { signal });
    if (response.ok) return await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, {});
  }
  throw new Refused(response.status, { error: lacking });
}

/** Asks as a server would be asked; `tables` is the folder of tables. */
export async function ask(tables, path, query, { signal, text } = {}) {
  const count = path.match(/^\/(\w+)\/(stats|histogram)\/(.+)$/);
  if (count) {
    const file = `${tables}${count[2]}/${count[1]}/${count[3]}.json`;
    return made(file, "This table was not counted for this page.", signal);
  }
  // Who looks round needs no library yet.
  if (!path) return made(`${tables}games.json`, "The tables of this page are not whole.", signal);
  if (!worker) start(tables);
  const id = ++last;
  const { status, reply } = await new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    waiting.set(id, resolve);
    signal?.addEventListener("abort", () => {
      // What has been answered the worker has forgotten.
      if (!waiting.delete(id)) return;
      worker?.postMessage({ id, leave: true });
      reject(signal.reason);
    });
    worker.postMessage({ id, path: path.slice(1), query, body: text ?? undefined });
  });
  if (status !== 200) throw new Refused(status, reply);
  return reply;
}
