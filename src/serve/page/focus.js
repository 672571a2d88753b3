// The focus of the keyboard, kept where things are drawn anew.

const FOCUSABLE = "a[href], button, input, select, summary, textarea, [tabindex]";

const nameOf = (element) =>
  element.id || element.getAttribute("aria-label") || element.textContent;

/**
 * Draws something in `root` anew. What had the focus has it again, or what has its name now;
 * `instead` says how to find what takes its place if there is no such thing, or it cannot be used
 * any more.
 */
export function keepFocus(root, draw, instead) {
  const had = document.activeElement;
  if (!root.contains(had)) return draw();
  const name = nameOf(had);
  const alike = () => [...root.querySelectorAll(FOCUSABLE)].filter((other) => nameOf(other) === name);
  const number = alike().indexOf(had);
  // Afterwards it may stand nowhere.
  const find = instead(had);
  draw();
  if (document.activeElement === had) return undefined;
  const again = had.isConnected ? had : had.matches(".turn") ? null : alike()[number];
  const next = again && !again.disabled ? again : find();
  return next?.focus({ preventScroll: true });
}
