// Phones, upright and on their side, and browsers of some years ago.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, at, base, open, query } from "./harness.js";

const HIGH = query("high", "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1");
const PHONE = { isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

test("a browser that has no light-dark() shows squares and men", async () => {
  const page = await open("");
  const css = await (await fetch(`${base}style.css`)).text();
  await page.route("**/style.css", (route) => route.fulfill({
    contentType: "text/css", body: css.replaceAll("light-dark(", "no-such(").replaceAll("color-mix(", "no-such("),
  }));
  await page.goto(base + HIGH);
  await answered(page);
  const style = (selector, name) => page.locator(selector).first().evaluate((element, name) =>
    getComputedStyle(element)[name], name);
  assert.notEqual(await style(at("a1"), "backgroundColor"), await style(at("b1"), "backgroundColor"));
  assert.notEqual(await style(".man.white path:not([class])", "fill"), await style(".man.black path:not([class])", "fill"));
  await page.click(at("h1"));
  assert.match(await style(at("h4"), "backgroundImage"), /gradient/);
  assert.notEqual(await style("body", "color"), await style("body", "backgroundColor"));
  await page.done();
});

test("a phone on its side has the board on the screen, and what is said beside it", async () => {
  const page = await open(HIGH, { ...PHONE, viewport: { width: 844, height: 390 } });
  await answered(page);
  const box = (selector) => page.locator(selector).first().boundingBox();
  const board = await box(".board");
  assert.ok(board.height <= 390, `${board.height}`);
  assert.ok(board.width >= 8 * 40, `${board.width}`);
  const [verdict, slider] = [await box("#verdict"), await box("input[type=range] >> nth=1")];
  assert.ok(verdict.x >= board.x + board.width, "the verdict is beside the board");
  assert.ok(slider.y + slider.height - verdict.y <= 390, "sliders and verdict are seen together");
  const touch = (square) => page.locator(at(square)).evaluate((element) => getComputedStyle(element).touchAction);
  assert.equal(await touch("e4"), "auto");
  assert.equal(await touch("h1"), "none");
  await page.done();
});

test("upright, sliders and verdict are seen together", async () => {
  const page = await open(HIGH, { ...PHONE, viewport: { width: 390, height: 844 } });
  await answered(page);
  const box = (selector) => page.locator(selector).first().boundingBox();
  const [verdict, slider] = [await box("#verdict"), await box("input[type=range] >> nth=1")];
  // Half of the screen has both, so that the board's lower half may be in view, too.
  assert.ok(slider.y + slider.height - verdict.y <= 844 / 2);
  await page.done();
});

/** What fingers cannot hit, and fields that a phone would enlarge. */
function small() {
  const found = [];
  for (const element of document.querySelectorAll("button, select, input, summary, textarea, .crumbs a, .chips a")) {
    const { width, height } = element.getBoundingClientRect();
    if (!width || element.closest(".unseen, #games")) continue;
    if (Math.min(width, height) < 43.9) found.push(`${Math.round(width)}×${Math.round(height)} ${element.outerHTML.slice(0, 90)}`);
    const isField = element.matches("select, textarea, input[type=text], input[type=number]");
    if (isField && parseFloat(getComputedStyle(element).fontSize) < 16) found.push(`small letters: ${element.outerHTML.slice(0, 90)}`);
  }
  return found;
}

test("fingers can hit everything, and fields are not enlarged", async () => {
  for (const viewport of [{ width: 390, height: 844 }, { width: 360, height: 740 }, { width: 844, height: 390 }]) {
    for (const [place, ready] of [
      [HIGH, ".turn"], [query("noro", "8/8/3q4/8/8/2R5/8/8 w - - 19+15 0 25"), ".turn"],
      [query("orphic", "8/8/8/3k4/8/8/8/4K3[R] w - - 0 1"), ".turn"],
      [query("tiebraker", "8/8/6k1/8/8/2D5/8/Q7 b - - accepted 0 1"), ".turn"], ["?game=high&about", ".chips"],
    ]) {
      const page = await open(place, { ...PHONE, viewport });
      await page.waitForSelector(ready);
      if (ready === ".turn") {
        await page.click("#best");
        await page.waitForSelector(".played li");
        await page.click(".paste summary");
        await page.click("[data-mode=setup]");
      }
      assert.deepEqual(await page.evaluate(small), [], `${viewport.width} ${place}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${place}: ${wide} pixels too wide`);
      await page.done();
    }
  }
});
