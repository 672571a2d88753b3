// What the page does when a question is not answered: it says so, and asks again.

import { button, h } from "./dom.js";
import { source } from "./source.js";

/** How long it waits before it looks for a server that is away, in milliseconds: at first, and at most. */
const [FIRST, MOST] = [1000, 15_000];

/** Waits until a server that is away is back; never ends once the signal is aborted. */
async function back(signal) {
  for (let pause = FIRST; ; pause = Math.min(2 * pause, MOST)) {
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      addEventListener("online", resolve, { once: true, signal });
      signal.addEventListener("abort", () => clearTimeout(timer));
    });
    try {
      return await source.health(signal);
    } catch { /* still away */ }
  }
}

/** A button that asks again; it does so by itself when a server that was away is back. */
export function retry(error, again, signal) {
  const element = button("Retry", () => again());
  if (error.status === 0) {
    back(signal).then(() => {
      // Whoever has pressed it, or gone elsewhere, has asked already.
      if (element.isConnected && !signal.aborted) again();
    });
  }
  return element;
}

/** What went wrong, with a button that asks again. */
export function trouble(error, again, signal) {
  return h("div", { class: "trouble", role: "alert" },
    h("p", {}, error.message), retry(error, again, signal));
}
