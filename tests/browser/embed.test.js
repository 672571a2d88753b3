// Positions within pages of other sites, and pictures to keep.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { answered, at, browser, fenOf, open, query, serve } from "./harness.js";

const ROOK = "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1";

/** A page of another site with a position of a server in it. */
async function host(finale) {
  const page = `<!doctype html><title>A page</title><script src="${finale}embed.js"></script>
    <finale-board game="high" fen="${ROOK}"></finale-board>`;
  const server = createServer((_, reply) => reply.setHeader("content-type", "text/html").end(page));
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  return server;
}

/** Opens the page of a host; what the console says is kept. */
async function visit(server) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.stack));
  await page.goto(`http:/${"/"}localhost:${server.address().port}/`);
  return { context, page, said };
}

test("a page of another site shows a position, if it may", async (t) => {
  const allowed = await serve("--frame", `http:/${"/"}localhost:*`);
  t.after(() => allowed.process.kill());
  const inside = await host(allowed.address);
  t.after(() => inside.close());
  const { context, page, said } = await visit(inside);
  const frame = page.frameLocator("finale-board iframe");
  await frame.locator("#verdict .headline").waitFor();
  assert.equal(await frame.locator(".top").isVisible(), false);
  assert.equal(await frame.locator(".paste").isVisible(), false);
  await frame.locator(".turn").first().click();
  await frame.locator(".played li").waitFor();
  const out = await frame.locator(".crumbs a[target]").getAttribute("href");
  assert.match(out, /^\?game=high&fen=.*_b_/);
  assert.doesNotMatch(out, /embed/);
  // All of it is seen: the frame is as high as what is in it.
  const height = () => page.locator("finale-board iframe").evaluate((element) => element.clientHeight);
  const needed = () => frame.locator("body").evaluate((body) => body.scrollHeight);
  await page.waitForTimeout(500);
  assert.ok(Math.abs(await height() - await needed()) < 3, `${await height()} for ${await needed()}`);
  await page.locator("finale-board").evaluate((board) => {
    board.setAttribute("game", "orthodox");
    board.setAttribute("fen", "8/8/8/3k4/8/8/8/K6R w - - 0 1");
  });
  await frame.locator("#verdict >> text=White mates").waitFor();
  assert.deepEqual(said, []);
  await context.close();

  const refused = await serve("--frame", `http:/${"/"}localhost:1`);
  t.after(() => refused.process.kill());
  const outside = await host(refused.address);
  t.after(() => outside.close());
  const other = await visit(outside);
  await other.page.waitForTimeout(1000);
  assert.match(other.said.join(), /frame-ancestors/);
  await other.context.close();
});

test("the board and its chart are saved as a picture that needs no style sheet", async () => {
  const page = await open(query("high", ROOK));
  await answered(page);
  await page.waitForSelector(".chart .plot");
  await page.click("[aria-label='Turn the board round']");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Save picture")]);
  assert.equal(download.suggestedFilename(), "finale-high-8-8-8-3k4-8-8-8-K6R.svg");
  const svg = readFileSync(await download.path(), "utf8");
  assert.match(svg, /<title>white king<\/title>/i);
  assert.match(svg, /White&apos;s vitality|White's vitality/);
  assert.match(svg, /High Chess: 8\/8\/8\/3k4\/8\/8\/8\/K6R w - - 50\+50 0 1/);
  assert.ok(svg.includes((await page.textContent("#verdict .headline")).slice(0, 12)));
  assert.doesNotMatch(svg, /var\(--/);
  await page.done();
  // As it is seen.
  const context = await browser.newContext({ viewport: { width: 1116, height: 620 } });
  const seen = await context.newPage();
  await seen.setContent(svg);
  await seen.screenshot({ path: new URL("shots/saved.png", import.meta.url).pathname });
  const fills = await seen.locator("svg svg >> nth=1").locator("path, rect, circle").evaluateAll((all) =>
    all.map((shape) => shape.getAttribute("fill")));
  assert.ok(new Set(fills).size > 2, fills.join());
  await context.close();
});

test("within a page of another site nothing is left behind in the history", async () => {
  const page = await open(`${query("orthodox", "8/8/8/8/8/3K4/6R1/k7 w - - 0 1")}&embed=1`);
  await answered(page);
  const before = await page.evaluate(() => history.length);
  await page.click("#best");
  await answered(page, (fen) => fen.includes(" b "));
  assert.equal(await page.evaluate(() => history.length), before);
  assert.match(page.url(), /&embed=1$/);
  assert.equal(await page.locator(at("a1")).count(), 1);
  assert.ok(fenOf(page));
  await page.done();
});
