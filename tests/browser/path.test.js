// Under a path of another site: a proxy takes the path away, and all goes on.

import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { test } from "node:test";
import { answered, base, browser, query } from "./harness.js";

test("under a path everything is found", async (t) => {
  const missed = [];
  const proxy = createServer((asked, reply) => {
    if (!asked.url.startsWith("/finale/")) {
      missed.push(asked.url);
      reply.writeHead(404).end();
      return;
    }
    const { hostname, port } = new URL(base);
    const through = request({ hostname, port, method: asked.method, path: asked.url.slice("/finale".length), headers: asked.headers },
      (answer) => {
        reply.writeHead(answer.statusCode, answer.headers);
        answer.pipe(reply);
      });
    asked.pipe(through);
  });
  await new Promise((resolve) => { proxy.listen(0, "127.0.0.1", resolve); });
  t.after(() => proxy.close());
  const context = await browser.newContext();
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.stack));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  const site = `http:/${"/"}127.0.0.1:${proxy.address().port}/finale/`;
  await page.goto(site);
  await page.waitForSelector(".cards");
  await page.goto(site + query("high", "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1"));
  await answered(page);
  await page.click("#best");
  await answered(page, (fen) => fen.includes(" b "));
  await page.click("[data-mode=whatif]");
  await page.click("#help");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("Escape");
  await page.click(".crumbs a >> nth=0");
  await page.waitForSelector(".chips");
  assert.deepEqual([missed, wrong], [[], []]);
  await context.close();
});
