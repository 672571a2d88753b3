// How boards look: at home, on paper, and how large the men are.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, api, look, open, query } from "./harness.js";

const ROOK = "8/8/8/3k4/8/8/8/K6R w - - 0 1";

test("every game has men worth looking at, and leads to a position with a table", async () => {
  const page = await open("");
  await page.waitForSelector(".cards");
  const boards = await page.locator(".cards a").evaluateAll((cards) => cards.map((card) =>
    ({ men: card.querySelectorAll(".man").length, looks: card.querySelector(".thumb").innerHTML, href: card.getAttribute("href") })));
  assert.equal(boards.length, (await api("")).games.length);
  for (const { men, href } of boards) assert.ok(men >= 8, `${href}: ${men}`);
  // Games whose first position is that of chess do not all look the same.
  assert.ok(new Set(boards.map(({ looks }) => looks)).size >= boards.length - 1);
  await page.done();
  await look("home", "");
});

test("men fill their squares, and stay within them", async () => {
  const page = await open(query("orthodox", "8/8/8/3k4/8/8/8/K5Q1 w - - 0 1"));
  await answered(page);
  const shares = await page.locator(".square .man").evaluateAll((men) => men.map((man) => {
    const square = man.closest(".square").getBoundingClientRect();
    const boxes = [...man.querySelectorAll("path")].map((path) => path.getBoundingClientRect());
    const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
    return { tall: (bottom - top) / square.height, within: top >= square.top && bottom <= square.bottom };
  }));
  for (const { tall, within } of shares) {
    assert.ok(tall > 0.8 && within, JSON.stringify(shares));
  }
  await page.done();
});

test("on paper there are squares, by day, and nothing to press", async () => {
  const page = await open(query("orthodox", ROOK), { theme: "dark" });
  await answered(page);
  await page.emulateMedia({ media: "print" });
  const style = (selector, name) => page.locator(selector).first().evaluate((element, name) => getComputedStyle(element)[name], name);
  assert.equal(await style(".board", "webkitPrintColorAdjust"), "exact");
  assert.equal(await style(".square", "webkitPrintColorAdjust"), "exact", "squares have it from the board");
  assert.equal(await style(".square.dark", "backgroundColor"), "rgb(169, 181, 165)");
  for (const selector of [".top", "#run", ".paste", "footer"]) {
    assert.equal(await page.locator(selector).first().isVisible(), false, selector);
  }
  await page.screenshot({ path: new URL("shots/print.png", import.meta.url).pathname, fullPage: true });
  await page.done();
});
