// A server and a browser for the tests of a file, and what its tests do with them. Screenshots go to
// shots/, to be looked at.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { files } from "./files.js";

const SHOTS = new URL("shots/", import.meta.url).pathname;
const SHIPPED = new URL("../../tables", import.meta.url).pathname;
/** A copy of the tables that ship, without larger ones that somebody has built beside them. */
export const TABLES = mkdtempSync(join(tmpdir(), "finale-tables-"));
export const SIZES = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const THEMES = ["light", "dark"];

/** Whether the pages are a site's, without a server of ours, and what then is left out. */
export const SITE = Boolean(process.env.SITE);
export const FOR_SERVERS = { skip: SITE ? "a server does that" : false };

/** Where the pages are, and where a server is that answers programs, too. */
export let base, asked, browser;

let server, site;

/** Starts a server over the tables, with more options: its address, and the process. */
export async function serve(...options) {
  const started = spawn(process.env.FINALE, ["serve", "--listen", "127.0.0.1:0", "--tables", TABLES, ...options]);
  const address = await new Promise((resolve, reject) => {
    let said = "";
    started.stderr.on("data", (data) => {
      said += data;
      const address = said.match(/http:\/\/\S+\//);
      if (address) resolve(address[0]);
    });
    started.on("exit", () => reject(new Error(`the server ended: ${said}`)));
  });
  return { address, process: started };
}

/**
 * Writes the page without a server, with the program that FINALE_WASM names; the folder. That takes a
 * minute, so files of tests share one where FINALE_SITE says where: who comes first writes it.
 */
export function writeSite() {
  const shared = process.env.FINALE_SITE;
  if (shared && existsSync(shared)) return shared;
  const folder = shared || join(mkdtempSync(join(tmpdir(), "finale-site-")), "site");
  const { status, stderr } = spawnSync(process.env.FINALE,
    ["site", folder, "--tables", TABLES, "--program", process.env.FINALE_WASM], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return folder;
}

/** Removes what `writeSite` wrote, unless it is shared. */
export function removeSite(folder) {
  if (!process.env.FINALE_SITE) rmSync(join(folder, ".."), { recursive: true });
}

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  const men = (table) => basename(table, ".ftb").replace(/[v[\]]/g, "").length;
  cpSync(SHIPPED, TABLES, {
    recursive: true,
    filter: (path) => !path.endsWith(".ftb") || men(path) <= 3,
  });
  const served = await serve();
  base = served.address;
  asked = base;
  server = served.process;
  if (SITE) {
    // The same pages, handed out by a server of plain files.
    site = await files(writeSite());
    base = site.base;
  }
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  server?.kill();
  if (site) {
    site.close();
    removeSite(site.folder);
  }
  rmSync(TABLES, { recursive: true });
});

/**
 * A page that fails the test at errors in the console, at scripts that throw, and at requests to
 * anywhere else. `refused` are statuses that the test provokes; `away` says that it keeps the
 * server away for a while; `from` is where the pages are, if elsewhere. What else is given goes to
 * the browser.
 */
export async function open(query, { from = base, theme = "light", refused = [], away = false, ...more } = {}) {
  const context = await browser.newContext({ viewport: SIZES.desk, colorScheme: theme, ...more });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.stack));
  page.on("console", (message) => {
    const expected = refused.some((status) => message.text().includes(`status of ${status} `))
      || (away && message.text().includes("net::ERR_"));
    if (["error", "warning"].includes(message.type()) && !expected) wrong.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(from)) wrong.push(`a request to ${request.url()}`);
  });
  page.done = async () => {
    assert.deepEqual(wrong, []);
    await context.close();
  };
  await page.goto(from + query);
  return page;
}

export const query = (game, fen) => `?game=${game}&fen=${fen.replaceAll(" ", "_")}`;

export async function api(path) {
  const response = await fetch(`${asked}api/v1${path && `/${path}`}`);
  return response.json();
}

/** The position in the address bar. */
export const fenOf = (page) => {
  const fen = new URLSearchParams(new URL(page.url()).search.replaceAll("+", "%2B")).get("fen");
  return fen.replaceAll("_", " ");
};

/** Waits for the answer to a position whose FEN passes a test. */
export async function answered(page, fits = () => true) {
  await page.waitForFunction(() => document.querySelector("#verdict .headline")
    && !document.querySelector(".answer.waiting"));
  const start = Date.now();
  while (!fits(fenOf(page))) {
    assert.ok(Date.now() - start < 10_000, `${fenOf(page)} is not what was to come`);
    await page.waitForTimeout(20);
  }
  await page.waitForFunction(() => !document.querySelector(".answer.waiting"));
  return page.textContent("#verdict .headline");
}

export const at = (square) => `[data-square="${"abcdefgh".indexOf(square[0]) + 8 * (square[1] - 1)}"]`;

export async function drag(page, from, to) {
  const middle = async (selector) => {
    const box = await page.locator(selector).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...await middle(from));
  await page.mouse.down();
  await page.mouse.move(...await middle(to), { steps: 5 });
  await page.mouse.up();
}

/** Texts whose contrast with what is behind them is too low for WCAG AA. */
function lowContrast() {
  const parse = (text) => {
    const numbers = text.match(/[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? [0, 0, 0, 0];
    const [r, g, b, a = 1] = numbers;
    return text.startsWith("color(") ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
  };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const behind = (element) => {
    if (!element) return [255, 255, 255, 1];
    const own = parse(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, behind(element.parentElement));
  };
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const found = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const box = element.getBoundingClientRect();
    const idle = element.closest("button:disabled, .unseen, noscript, svg, option");
    if (!texts.currentNode.data.trim() || !box.width || idle) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    const [one, two] = [light(over(parse(style.color), ground)), light(ground)].sort((a, b) => b - a);
    const large = parseFloat(style.fontSize) >= 24;
    const ratio = (one + 0.05) / (two + 0.05);
    if (ratio < (large ? 3 : 4.5)) {
      found.add(`${ratio.toFixed(2)} ${style.color} on ${ground}: ${texts.currentNode.data.slice(0, 40)}`);
    }
  }
  return [...found];
}

/** Looks at a page in both themes at both sizes. */
export async function look(name, query, prepare = async () => {}, refused = []) {
  for (const theme of THEMES) {
    const page = await open(query, { theme, refused });
    await page.waitForSelector("#verdict .headline, .cards, .report");
    await prepare(page);
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await page.waitForTimeout(200);
      await page.screenshot({ path: `${SHOTS}${name}-${theme}-${size}.png`, fullPage: true });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${name}, ${size}: ${wide} pixels too wide`);
      assert.deepEqual(await page.evaluate(lowContrast), [], `${name}, ${theme}, ${size}`);
    }
    await page.done();
  }
}
