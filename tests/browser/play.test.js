// Best play that plays itself, and men that move.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, api, at, drag, fenOf, open, query } from "./harness.js";

const ROOK = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
const played = (page) => page.locator(".history > div > .played li").count();

test("it is played out as fast as one likes, pauses, goes on, and skips to the end", async () => {
  const { line } = await api(`orthodox/line?fen=${ROOK.replaceAll(" ", "_")}`);
  const page = await open(query("orthodox", ROOK));
  await answered(page);
  await page.selectOption("#pace", "fast");
  await page.click("#run");
  assert.equal(await page.textContent("#run"), "Pause");
  await page.waitForFunction(() => document.querySelectorAll(".history > div > .played li").length >= 3);
  // An arrow says what comes next.
  await page.waitForSelector(".arrows .shaft");
  await page.click("#run");
  assert.equal(await page.textContent("#run"), "Play it out");
  await answered(page);
  const paused = await played(page);
  await page.waitForTimeout(800);
  assert.ok(await played(page) <= paused + 1 && paused < line.length);
  assert.equal(await page.inputValue("#pace"), "fast");
  await page.click("#run");
  await page.waitForFunction((before) => document.querySelectorAll(".history > div > .played li").length > before, await played(page));
  await page.click("#skip");
  await answered(page, (fen) => fen === line.at(-1).fen);
  assert.equal(await played(page), line.length);
  assert.match(await page.textContent("#verdict"), /checkmate/);
  await page.keyboard.press("ArrowLeft");
  await answered(page, (fen) => fen === line.at(-2).fen);
  await page.done();
});

test("the best turn is pointed at", async () => {
  const page = await open(query("orthodox", ROOK));
  await answered(page);
  assert.equal(await page.locator(".arrows .shaft").count(), 0);
  await page.hover("#best");
  assert.equal(await page.locator(".arrows .shaft").count(), 1);
  await page.hover("#line");
  assert.equal(await page.locator(".arrows .shaft").count(), 0);
  await page.done();
});

/** Counts men that slide, from before the page has scripts. */
const watch = (page) => page.evaluate(() => {
  window.slides = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function slide(frames, options) {
    window.slides.push(`${this.closest("[data-square]").dataset.square} ${frames[0].transform}`);
    return animate.call(this, frames, options);
  };
});

test("men slide, but for those that were dragged and for who wants no motion", async () => {
  const page = await open(query("orthodox", ROOK));
  await answered(page);
  await watch(page);
  const slides = () => page.evaluate(() => window.slides);
  await page.locator("[data-uci=h1h4]").click();
  await answered(page, (fen) => fen.includes(" b "));
  const [first, ...more] = await slides();
  assert.match(first, /^31 translate\(0px, \d+(\.\d+)?px\)$/, "from below");
  assert.deepEqual(more, []);
  await page.keyboard.press("ArrowLeft");
  await answered(page, (fen) => fen === ROOK);
  assert.match((await slides())[1], /^7 translate\(0px, -/, "and back");
  await drag(page, at("h1"), at("h5"));
  await page.waitForTimeout(300);
  assert.equal((await slides()).length, 2);
  assert.equal(await page.locator(".sliding").count(), 0);
  assert.ok(fenOf(page));
  await page.done();

  const still = await open(query("orthodox", ROOK), { reducedMotion: "reduce" });
  await answered(still);
  await watch(still);
  await still.click("#best");
  await answered(still, (fen) => fen.includes(" b "));
  assert.deepEqual(await still.evaluate(() => window.slides), []);
  await still.done();
});
