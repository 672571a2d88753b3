// What turns do, and what is said of them.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { FOR_SERVERS, TABLES, answered, api, at, base, fenOf, open, query, serve } from "./harness.js";

/** Games of a file, as a user has one. */
const VARIANTS = ["--variants", new URL("../tables/variants.ini", import.meta.url).pathname];

const ROOK = "8/8/8/3k4/8/8/8/K6R w - - 0 1";

/** Lets questions about positions wait until it is called. */
async function hold(page) {
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route(/api\/v1\/\w+\?/, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

const clipboard = async (page) => {
  await page.waitForSelector("text=Copied");
  return page.evaluate(() => navigator.clipboard.readText());
};

test("turns of a position that is left cannot be played, nor by a double click", FOR_SERVERS, async () => {
  const page = await open(query("orthodox", ROOK));
  await answered(page);
  const release = await hold(page);
  await page.locator(".turn").nth(2).click();
  await page.locator(".turn").nth(5).click();
  await page.click("#best");
  release();
  await answered(page, (fen) => fen.includes(" b "));
  assert.equal(await page.locator(".played li").count(), 1);
  // The answer may be there before the second click.
  await page.locator(".turn").first().dblclick({ delay: 60 });
  await answered(page, (fen) => fen.includes(" w "));
  await page.waitForTimeout(100);
  assert.equal(await page.locator(".played li").count(), 2);
  await page.done();
});

test("high: without tables only what ends the game is said to", async () => {
  const missing = "8/8/8/3k4/4q3/8/8/K6R w - - 9+9 0 1";
  const page = await open(query("high", missing), { refused: [404] });
  await answered(page);
  assert.equal(await page.locator(".turn >> text=ends it").count(), 0);
  await page.done();
  const last = await open(query("high", missing.replace("9+9", "1+9")), { refused: [404] });
  await answered(last);
  assert.ok(await last.locator(".turn >> text=ends it").count() > 5);
  await last.done();
});

test("high: White's wins and Black's are on two sides of the chart's axis", async () => {
  const page = await open("?game=high&table=KRvK");
  await page.waitForSelector(".chart rect.black-side");
  const boxes = (tone) => page.locator(`.chart >> nth=0 >> rect.${tone}`).evaluateAll((all) =>
    all.map((rect) => [Number(rect.getAttribute("y")), Number(rect.getAttribute("height"))]));
  const axis = Math.max(...(await boxes("white-side")).map(([y, height]) => y + height));
  for (const [y] of await boxes("black-side")) assert.ok(y >= axis - 1.1, `${y} is above ${axis}`);
  await page.done();
});

test("what if keeps whose turn it is", async () => {
  const page = await open(query("orthodox", "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1"));
  await answered(page);
  await page.click("[data-mode=whatif]");
  await page.click(at("e2"));
  await page.click(".tools >> text=Black to move");
  await page.click(at("e1"));
  await page.waitForSelector("text=The white king of e1");
  const pressed = () => page.textContent(".tools [aria-pressed=true]");
  assert.equal(await pressed(), "Black to move");
  await page.click(at("h1"));
  assert.match(await answered(page, (fen) => fen === "8/8/8/3k4/8/8/4P3/7K b - - 0 1"), /\w/);
  await page.waitForSelector(".tint");
  assert.equal(await pressed(), "Black to move");
  await page.done();
});

test("copied records say who has won, and name the game as other programs do", async () => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const page = await open(query("orthodox", "8/8/8/8/8/1K6/7R/1k6 w - - 0 1"), { permissions });
  await answered(page);
  await page.click("#line");
  await page.click("text=Copy PGN of the line");
  const line = await clipboard(page);
  await page.click("#best");
  await answered(page, (fen) => fen.includes(" b "));
  await page.click(".history >> text=Copy PGN");
  const text = await clipboard(page);
  assert.equal(text, "[Result \"1-0\"]\n[SetUp \"1\"]\n[FEN \"8/8/8/8/8/1K6/7R/1k6 w - - 0 1\"]\n\n1. Rh1# 1-0\n");
  assert.equal(line, text);
  await page.done();
  const hill = await open(query("koth", "8/8/8/8/2k5/8/8/K6R w - - 0 1"), { permissions });
  await answered(hill);
  await hill.click("#best");
  await answered(hill, (fen) => fen.includes(" b "));
  await hill.click(".history >> text=Copy PGN");
  const going = await clipboard(hill);
  assert.match(going, /\[Result "\*"\]\n\[Variant "King of the Hill"\]/);
  assert.match(going, /\*\n$/);
  await hill.done();
});

test("shares are rounded so that all is all and none is none", async () => {
  const page = await open("");
  const said = await page.evaluate(async () => {
    const { percent } = await import("./dom.js");
    return [[10, 10], [0, 10], [1, 2], [1, 3], [9995, 10_000], [5, 10_000], [1, 1e6], [999_999, 1e6]]
      .map(([part, whole]) => percent(part, whole));
  });
  assert.deepEqual(said, ["100 %", "0 %", "50 %", "33 %", "99.95 %", "0.05 %", "< 0.01 %", "> 99.99 %"]);
  await page.done();
});

test("promotions and pawns that are dropped upon are chosen on the board", async () => {
  const page = await open(query("orthodox", "8/4P3/8/8/8/2k5/8/K7 w - - 0 1"));
  await answered(page);
  const place = async (page, selector) => {
    const { x, y } = await page.locator(selector).boundingBox();
    return [Math.round(x), Math.round(y)];
  };
  await page.locator(at("e7")).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  assert.equal(await page.getAttribute(".chooser", "role"), "dialog");
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  assert.match(await focused(), /^e8=Q\+?: white queen$/);
  assert.deepEqual(await place(page, ".chooser button >> nth=0"), await place(page, at("e8")));
  assert.deepEqual(await place(page, ".chooser button >> nth=2"), await place(page, at("e6")));
  await page.keyboard.press("ArrowDown");
  assert.match(await focused(), /^e8=/);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".chooser").count(), 0);
  assert.match(await focused(), /^e8, /);
  await page.done();

  const drop = await open(query("orphic", "8/8/8/3k4/8/8/4P3/8[K] w - - 0 1"));
  await answered(drop);
  await drop.locator(".reserve .spare").focus();
  await drop.keyboard.press("Enter");
  await drop.locator(at("e2")).focus();
  await drop.keyboard.press("Enter");
  assert.deepEqual(await place(drop, ".chooser [aria-label$='pawn to d3']"), await place(drop, at("d3")));
  await drop.done();
});

test("what cannot be done is said where all can see it", async () => {
  const page = await open(query("orthodox", ROOK));
  await answered(page);
  await page.click(at("h1"));
  await page.click(at("g3"));
  await page.waitForSelector(".note >> text=No legal turn");
  await page.click(at("a1"));
  assert.equal(await page.locator(".note").isVisible(), false);
  await page.done();
});

test("every game that is over can be kept by its address", async () => {
  for (const [game, fen, uci, says] of [
    ["high", "8/8/8/3k4/8/8/8/K6R w - - 1+9 0 1", "h1h2", /Black wins by exhaustion/],
    ["noro", "8/8/3q4/8/8/2R5/8/8 b - - 19+15 0 60", null, /wins|draw/i],
  ]) {
    const { turns } = await api(`${game}?words=1&fen=${fen.replaceAll(" ", "_")}`);
    const over = turns.find((turn) => (uci ? turn.uci === uci : turn.ending));
    const page = await open(query(game, fen));
    await answered(page);
    await page.locator(`[data-uci="${over.uci}"]`).click();
    await answered(page, (shown) => shown === over.fen);
    assert.match(await page.textContent("#verdict"), says);
    await page.reload();
    assert.match(await answered(page), says);
    assert.equal(await page.locator(".played li").count(), 1);
    assert.equal(fenOf(page), over.fen);
    assert.ok(page.url().startsWith(base));
    await page.done();
  }
});

test("a man that may promote is asked whether it does", FOR_SERVERS, async () => {
  const built = spawnSync(process.env.FINALE, ["build", "staying", "KNvK", "--tables", TABLES, ...VARIANTS]);
  assert.equal(built.status, 0, String(built.stderr));
  const { address, process: server } = await serve(...VARIANTS);
  const page = await open(query("staying", "3k/2N1/4/4/K3 w - - 0 1"), { from: address, refused: [404] });
  await answered(page);
  const choose = async (words) => {
    await page.locator(at("c4")).focus();
    await page.keyboard.press("Enter");
    await page.locator(at("a5")).focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.getAttribute(".chooser", "aria-label"), "What does the white knight become?");
    await page.click(`.chooser [aria-label$='${words}']`);
  };
  await choose("white queen");
  await answered(page, (shown) => shown.startsWith("Q2k/4/4/4/K3 b"));
  await page.reload();
  await answered(page, (shown) => shown.startsWith("Q2k/4/4/4/K3 b"));
  await page.keyboard.press("ArrowLeft");
  await answered(page, (shown) => shown.startsWith("3k/2N1/4/4/K3 w"));
  await choose("white knight");
  await answered(page, (shown) => shown.startsWith("N2k/4/4/4/K3 b"));
  await page.done();
  server.kill();
});
