// Going about: the browser's own ways, links, and a server that is away.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, at, base, fenOf, open, query } from "./harness.js";

const ROOK = "8/8/8/3k4/8/8/8/K6R w - - 0 1";

const played = (page) => page.locator(".history > div > .played button").allTextContents();

/** Plays the best turn so many times; the position after each. */
async function playBest(page, times) {
  const fens = [fenOf(page)];
  for (let turn = 0; turn < times; turn++) {
    await page.click("#best");
    await answered(page, (fen) => !fens.includes(fen));
    fens.push(fenOf(page));
  }
  return fens;
}

test("the browser goes back through the game, and a link carries the line", async () => {
  const page = await open("");
  await page.waitForSelector(".cards");
  await page.click(".cards a >> nth=0");
  await answered(page, (fen) => fen === ROOK);
  const fens = await playBest(page, 3);
  const turns = await played(page);
  assert.equal(turns.length, 3);
  const link = page.url();
  await page.click("[aria-label='Turn the board round']");
  await page.goBack();
  await answered(page, (fen) => fen === fens[2]);
  assert.deepEqual(await played(page), turns.slice(0, 2));
  await page.goBack();
  await answered(page, (fen) => fen === fens[1]);
  await page.goForward();
  await page.goForward();
  await answered(page, (fen) => fen === fens[3]);
  assert.deepEqual(await played(page), turns);
  // The board is still turned.
  assert.equal(await page.locator(".squares > :first-child").getAttribute("data-square"), "7");
  await page.reload();
  await answered(page, (fen) => fen === fens[3]);
  assert.deepEqual(await played(page), turns);
  await page.keyboard.press("ArrowLeft");
  await answered(page, (fen) => fen === fens[2]);
  await page.reload();
  await answered(page, (fen) => fen === fens[2]);
  assert.deepEqual(await played(page), turns);
  assert.equal(await page.locator(".played .current").textContent(), turns[1]);
  for (let back = 0; back < 6 && fenOf(page) !== ROOK; back++) await page.goBack();
  await page.done();

  const other = await open(link.slice(base.length));
  await answered(other, (fen) => fen === fens[3]);
  assert.deepEqual(await played(other), turns);
  await other.done();
});

test("a line in a link that cannot be played leaves the position", async () => {
  const page = await open(`${query("orthodox", ROOK)}&from=8/8/8/3k4/8/8/8/K6R_w_-_-_0_1&line=h1h2_a1a9`);
  await answered(page, (fen) => fen === ROOK);
  await page.waitForSelector(".note >> text=a1a9");
  assert.deepEqual(await played(page), []);
  await page.done();
});

test("what played itself out is one step to go back", async () => {
  const page = await open(query("orthodox", "8/8/8/8/8/3K4/6R1/k7 w - - 0 1"));
  await answered(page);
  await page.click("#run");
  await page.waitForFunction(() => document.querySelectorAll(".history > div > .played li").length >= 2);
  await page.click("#run");
  await page.waitForTimeout(200);
  await answered(page);
  await page.goBack();
  await answered(page, (fen) => fen === "8/8/8/8/8/3K4/6R1/k7 w - - 0 1");
  await page.done();
});

test("a server that is away is asked again, by hand and by itself", async () => {
  const page = await open(query("orthodox", ROOK), { away: true });
  await answered(page);
  const away = (route) => route.abort();
  await page.route("**/api/**", away);
  await page.click("#best");
  await page.waitForSelector("#verdict >> text=No answer");
  await page.waitForSelector("#verdict >> text=Retry");
  await page.unroute("**/api/**", away);
  await page.waitForSelector("#verdict >> text=/Black|White/", { timeout: 20_000 });
  await page.click("[aria-label='Back (left arrow)']");
  await answered(page, (fen) => fen === ROOK);
  await page.route("**/api/**", away);
  // Nothing that fails does so in silence.
  await page.click("#line");
  await page.waitForSelector(".note >> text=cannot be reached");
  await page.click("[data-mode=whatif]");
  await page.click(at("h1"));
  await page.waitForSelector(".note >> text=cannot be reached");
  await page.click("[data-mode=play]");
  await page.click("#best");
  await page.waitForSelector("#verdict >> text=Retry");
  await page.unroute("**/api/**", away);
  await page.click("#verdict >> text=Retry");
  await page.waitForSelector("#verdict >> text=/mated|White mates/");
  await page.done();
});

test("a page that begins without its server goes on with it", async () => {
  for (const place of ["", query("orthodox", ROOK), "?game=orthodox&about", "?game=orthodox&table=KRvK"]) {
    const page = await open("", { away: true });
    await page.waitForSelector(".cards");
    const away = (route) => route.abort();
    await page.route("**/api/**", away);
    await page.goto(base + place);
    await page.waitForSelector(".trouble >> text=Retry");
    await page.unroute("**/api/**", away);
    await page.waitForSelector("#verdict .headline, .cards, .chips, .report", { timeout: 20_000 });
    await page.done();
  }
});

test("a busy server is asked again when it says", async () => {
  const page = await open("", { refused: [503] });
  await page.waitForSelector(".cards");
  let refusals = 2;
  await page.route("**/stats/**", (route) => (refusals-- > 0
    ? route.fulfill({ status: 503, headers: { "Retry-After": "1" }, json: { error: "too many tables are being counted; ask again later" } })
    : route.continue()));
  await page.goto(`${base}?game=orthodox&table=KRvK`);
  await page.waitForSelector("text=Too many tables are being counted");
  await page.waitForSelector(".report");
  await page.done();
});

test("while an answer is on its way its place is kept, and nothing jumps", async () => {
  const page = await open("");
  await page.waitForSelector(".cards");
  await page.route("**/api/v1/orthodox**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await page.addInitScript(() => {
    window.jumps = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => { window.jumps += entry.value; }))
      .observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(base + query("orthodox", ROOK));
  await page.waitForSelector(".skeleton");
  await answered(page);
  await page.waitForSelector(".chart .plot");
  await page.waitForTimeout(200);
  const jumps = await page.evaluate(() => window.jumps);
  assert.ok(jumps < 0.1, `${jumps}`);
  await page.done();
});

test("Clear leaves two kings", async () => {
  for (const [game, fen, left] of [
    ["orthodox", "8/8/8/3k4/8/8/4P3/K6R w - - 0 1", "8/8/8/3k4/8/8/8/K7"],
    ["orphic", "8/8/8/3k4/8/8/4P3/8[KR] w - - 0 1", "8/8/8/3k4/8/8/8/8[K]"],
    ["noro", "8/8/3q4/8/8/2R5/8/8 w - - 19+15 0 25", "4k3/8/8/8/8/8/8/4K3"],
  ]) {
    const page = await open(query(game, fen), { refused: [400, 404] });
    await answered(page);
    await page.click("[data-mode=setup]");
    await page.click("text=Clear");
    await answered(page, (shown) => shown.split(" ")[0] === left);
    await page.done();
  }
});

test("what people paste for a FEN is understood", async () => {
  const page = await open(query("orthodox", "8/8/8/8/8/3K4/6R1/k7 w - - 0 1"));
  await answered(page);
  const host = "https:/" + "/lichess.org";
  for (const text of [
    `[FEN "${ROOK}"]`, `[Event "?"] [SetUp "1"] [FEN "${ROOK}"] 1. Rh2 *`,
    `${host}/analysis/${ROOK.replaceAll(" ", "_")}`,
    `${host}/analysis/standard/${ROOK.replaceAll(" ", "_")}?color=white#3`,
    `${host}/editor/${encodeURI(ROOK)}`, `${base}${query("orthodox", ROOK)}`, ROOK.replaceAll(" ", "_"),
  ]) {
    await page.fill("#fen", "8/8/8/8/8/3K4/6R1/k7 b - - 0 1");
    await page.keyboard.press("Enter");
    await answered(page, (fen) => fen.includes(" b "));
    await page.fill("#fen", text);
    await page.keyboard.press("Enter");
    await answered(page, (fen) => fen === ROOK);
  }
  await page.done();
});

test("a game that is not there is said not to be", async () => {
  const page = await open("?game=checkers");
  await page.waitForSelector(".trouble >> text=There is no game “checkers” here");
  await page.waitForSelector(".cards");
  await page.done();
});
