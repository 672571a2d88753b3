// Within a page of another site: less is shown, and that page hears how high we are.

/** Tells the page around us our height, now and whenever it changes. */
export function tellHeight() {
  document.documentElement.dataset.embed = "";
  const tell = () => parent.postMessage({ finale: { height: Math.ceil(document.body.getBoundingClientRect().height) } }, "*");
  new ResizeObserver(tell).observe(document.body);
}
