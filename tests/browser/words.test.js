// Words and keys, and the unit that distances are in.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, at, fenOf, look, open, query } from "./harness.js";

const ROOK = "8/8/8/3k4/8/8/8/K6R w - - 0 1";

test("what a word means is a click away, and nothing is lost by it", async () => {
  const page = await open(query("high", "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1"));
  await answered(page);
  const before = page.url();
  await page.locator(".group [data-word=slack]").first().click();
  await page.waitForSelector("dialog[open] dt.asked");
  assert.equal(await page.textContent("dt.asked"), "slack");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "slack");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog[open]").count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.word), "slack");
  await page.click(".chart [data-word=vitality]");
  await page.waitForSelector("dialog[open] dt.asked >> text=vitality");
  await page.click("dialog >> text=Close");
  assert.equal(page.url(), before);
  await page.goto(page.url().replace(/\?.*/, "?game=orthodox&table=KPvK"));
  await page.waitForSelector(".report");
  const words = await page.locator(".report [data-word], .finder [data-word]").evaluateAll((all) => all.map((a) => a.dataset.word));
  assert.ok(words.includes("zugzwang") || words.includes("ply") || words.includes("turn"), words.join());
  await page.done();
});

test("a question mark lists the keys, and keys of the page are not for the list", async () => {
  const page = await open(query("orthodox", ROOK));
  await answered(page);
  await page.locator(at("a1")).focus();
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  assert.match(await page.textContent("dialog table"), /Space.*plays the best turn/);
  await page.keyboard.press(" ");
  await page.keyboard.press("f");
  await page.waitForTimeout(200);
  assert.equal(fenOf(page), ROOK);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.square), "0");
  await page.focus("#fen");
  await page.keyboard.press("?");
  await page.waitForTimeout(200);
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await page.done();
  await look("help", query("orthodox", ROOK), async (page) => {
    await page.click("#help");
    await page.waitForSelector("dialog[open]");
  });
});

test("a browser without dialogs shows the words all the same", async () => {
  const page = await open("");
  await page.addInitScript(() => {
    delete HTMLDialogElement.prototype.showModal;
    delete HTMLDialogElement.prototype.close;
    // To it a dialog is an element like others.
    addEventListener("DOMContentLoaded", () => new MutationObserver(() =>
      document.querySelector("dialog:not([open])")?.setAttribute("open", "")).observe(document.body, { childList: true }));
  });
  await page.goto(page.url() + query("high", "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1"));
  await answered(page);
  await page.locator(".group [data-word=slack]").first().click();
  await page.waitForSelector("dt.asked >> text=slack");
  await page.click("dialog >> text=Close");
  assert.equal(await page.locator("dialog").count(), 0);
  await page.done();
});

test("distances are in plies, in turns as in charts", async () => {
  for (const [game, fen] of [["orthodox", ROOK], ["tiebraker", "8/8/8/3k4/8/8/8/K6R w - - normal 0 1"],
    ["high", "8/8/8/3k4/8/8/8/K6R w - - 50+12 0 1"]]) {
    const page = await open(query(game, fen));
    await answered(page);
    for (const metric of await page.locator(".turn .metric").allTextContents()) {
      if (/ in \d/.test(metric)) assert.match(metric, / in \d+ (ply|plies)/, game);
    }
    await page.done();
  }
  const page = await open(query("orthodox", "8/8/8/8/8/3K4/6R1/k7 w - - 0 1"));
  await answered(page);
  const turn = page.locator(".turn").first();
  const after = await page.evaluate(() => fetch("api/v1/orthodox?turns=true&fen=8/8/8/8/8/3K4/6R1/k7_w_-_-_0_1").then((reply) => reply.json()));
  assert.equal(await turn.locator(".metric").textContent(), `mates in ${after.turns[0].dtm} plies`);
  await page.done();
});
