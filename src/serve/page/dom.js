// Making elements. Text is always text: nothing here reads HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, listeners (`on…`) and children; empty children are left out. */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same in SVG. */
export function s(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat(3).filter((child) => child != null && child !== false));
  return element;
}

/** Says something to screen readers. */
export function say(text) {
  document.getElementById("said").textContent = text;
}

/** A button. */
export function button(label, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, label);
}

/** A button that copies a text and says so. */
export function copier(label, text) {
  const element = button(label, async () => {
    const copied = await copy(typeof text === "function" ? text() : text);
    element.textContent = copied ? "Copied" : "Could not copy";
    say(element.textContent);
    setTimeout(() => { element.textContent = label; }, 1500);
  }, { class: "small" });
  return element;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers allow that on https and localhost only; elsewhere the old way does.
    const area = h("textarea", { class: "unseen" });
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }
}

/** A number with thin spaces between thousands. */
export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** A part of a whole as people read it; `100 %` are all and `0 %` none. */
export function percent(part, whole) {
  const value = (100 * part) / whole;
  if (part > 0 && value < 0.01) return "< 0.01 %";
  if (part < whole && value > 99.99) return "> 99.99 %";
  return `${value.toFixed(part > 0 && part < whole && (value < 1 || value > 99) ? 2 : 0)} %`;
}

/** `1 ply`, `12 plies`. */
export function plies(number) {
  return `${number} ${number === 1 ? "ply" : "plies"}`;
}

/** `512 B`, `1.2 MB`. */
export function bytes(number) {
  if (number < 1000) return `${number} B`;
  if (number < 1e6) return `${(number / 1e3).toPrecision(3)} kB`;
  return `${(number / 1e6).toPrecision(3)} MB`;
}

/**
 * A slider from 1 to `max` that shows its value: `name` stands before it, with a `note`, and `label`
 * says what it is. `change` gets the value when it is let go.
 */
export function slider({ name, note = "", label, max, value, change }) {
  const shown = h("output", {}, String(value));
  return h("label", { class: "slider" },
    h("span", {}, name, note),
    h("input", {
      type: "range", min: 1, max, value, "aria-label": label,
      oninput: (event) => { shown.textContent = event.target.value; },
      onchange: (event) => change(event.target.value),
    }), shown);
}
