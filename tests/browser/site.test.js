// The explorer without a server: `finale site` writes a folder, and a plain web server hands it out.
// FINALE_WASM names the program of the page, which tools/site/build makes.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { files } from "./files.js";
import { TABLES, answered, api, asked, at, fenOf, open, query, removeSite, writeSite } from "./harness.js";

const WASM = process.env.FINALE_WASM;
const options = { skip: WASM ? false : "FINALE_WASM names no program of a page" };

/** Positions of each table that are compared with the server's answers. */
const SAMPLE = Number(process.env.SITE_SAMPLE ?? 2);

let folder, site;

before(async () => {
  if (!WASM) return;
  folder = writeSite();
  site = await files(folder);
});

after(() => {
  site?.close();
  if (folder) removeSite(folder);
});

/** A page of the site; over a line that fails, what browsers say of that is expected. */
const visit = (place, { from = site.base, failing = false } = {}) =>
  open(place, { from, away: failing, refused: failing ? [503] : [] });

/** What the page is told of positions: its own source, asked in the page. */
const ask = (page, questions) => page.evaluate(async (questions) => {
  const { source } = await import("./source.js");
  const answers = [];
  for (const [name, ...rest] of questions) {
    try {
      answers.push(await source[name](...rest));
    } catch (error) {
      answers.push({ refused: error.status, ...error.reply });
    }
  }
  return answers;
}, questions);

/** What the server tells. */
async function served(path) {
  const response = await fetch(`${asked}api/v1${path}`);
  const reply = await response.json();
  return response.ok ? reply : { refused: response.status, ...reply };
}

/** FENs of every table there is, drawn by chance. */
function sample(game, material) {
  const found = spawnSync(process.env.FINALE, ["find", game, material, "weight > 0", "--sample", SAMPLE,
    "--seed", "7", "--tables", TABLES], { encoding: "utf8" });
  assert.equal(found.status, 0, found.stderr);
  return found.stdout.trim().split("\n").filter(Boolean);
}

const encoded = (fen) => encodeURIComponent(fen);

test("site: its answers are the server's", options, async () => {
  const page = await visit("");
  let compared = 0;
  for (const { game, initial } of (await api("")).games) {
    const { tables } = await api(`${game}/tables`);
    const fens = [initial, "8/8/8/8/8/8/8/8 w - - 0 1", ...tables.flatMap(({ material }) => sample(game, material))];
    const answers = await ask(page, fens.map((fen) => ["position", game, fen]));
    for (const [k, fen] of fens.entries()) {
      const expected = await served(`/${game}?words=true&fen=${encoded(fen)}`);
      delete expected.build;
      assert.deepEqual(words(answers[k]), words(expected), `${game} ${fen}`);
      compared++;
    }
  }
  assert.ok(compared > 100, `${compared} positions`);
  await page.done();
});

/** An answer without what the server says to who runs it: where tables lie and what builds them. */
const words = ({ error, build, ...answer }) => answer;

test("site: lines, other squares, records, lists and counts are the server's", options, async () => {
  const page = await visit("");
  const fen = "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1";
  const [line, whatIf, tables, stats, histogram, names] = await ask(page, [
    ["line", "high", fen], ["whatIf", "high", fen, "h1"], ["tables", "high", 3],
    ["stats", "high", "KRvK"], ["histogram", "orthodox", "KRvK"], ["names", "high", "KRvK"],
  ]);
  assert.deepEqual(line, await served(`/high/line?max=600&fen=${encoded(fen)}`));
  assert.deepEqual(whatIf, await served(`/high/what-if?square=h1&fen=${encoded(fen)}`));
  assert.deepEqual(tables.tables, (await served("/high/tables?men=3")).tables);
  assert.deepEqual(stats, await served("/high/stats/KRvK"));
  assert.deepEqual(histogram, await served("/orthodox/histogram/KRvK"));
  assert.deepEqual(names, await served("/high/find/KRvK"));
  const record = '[Variant "High Chess"]\n[FEN "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1"]\n\n1. Rh5+ *\n';
  const [replayed, found] = await ask(page, [
    ["replay", "high", record], ["find", "high", "KRvK", { query: "wins", limit: 1 }],
  ]);
  const response = await fetch(`${asked}api/v1/high/replay`, { method: "POST", body: record });
  assert.deepEqual(replayed, await response.json());
  assert.equal(found.refused, 404);
  assert.match(found.error, /looks at all of a table/);
  await page.done();
});

test("site: a visitor plays a turn, and goes back", options, async () => {
  const page = await visit(query("orthodox", "8/8/8/4k3/8/8/8/K6R w - - 0 1"));
  assert.match(await answered(page), /White mates/i);
  await page.locator(".turns button, .turn").first().click();
  await answered(page, (fen) => fen.includes(" b "));
  await page.goBack();
  await answered(page, (fen) => fen.includes(" w "));
  assert.ok(await page.locator(at("h1")).isVisible());
  assert.ok(fenOf(page).startsWith("8/8/8/4k3"));
  await page.done();
});

test("site: few rounds and few bytes make a cold answer", options, async () => {
  site.asked.length = 0;
  site.manner.delay = 150;
  const page = await visit("");
  const [answer] = await ask(page, [["position", "orthodox", "8/8/8/4k3/8/8/1P6/K7 w - - 0 1"]]);
  site.manner.delay = 0;
  assert.ok(answer.turns.length > 0, JSON.stringify(answer));
  // Requests that are under way at the same time are one round.
  const times = site.asked.map(({ time }) => time).sort((a, b) => a - b);
  const rounds = times.filter((time, k) => k === 0 || time - times[k - 1] > 100).length;
  const bytes = site.asked.reduce((sum, { range }) => {
    const [, start, end] = range.match(/(\d+)-(\d+)/);
    return sum + (end - start) + 1;
  }, 0);
  console.log(`a cold answer takes ${rounds} rounds, ${site.asked.length} requests and ${bytes} bytes`);
  assert.ok(rounds <= 6 && bytes <= 1 << 20, `${rounds} rounds, ${bytes} bytes`);
  await page.done();
});

test("site: a first visit is small, and smaller before the program is wanted", options, async () => {
  site.given.length = 0;
  const page = await visit(query("high", "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1"));
  await answered(page);
  const parts = { program: 0, page: 0 };
  for (const file of new Set(site.given)) {
    const part = file.endsWith(".wasm") ? "program" : file.endsWith("index.json") ? null : "page";
    if (part) parts[part] += gzipSync(readFileSync(file), { level: 9 }).length;
  }
  console.log(`a first visit takes ${parts.page} bytes of the page and ${parts.program} of the program`);
  assert.ok(parts.page > 0 && parts.page <= 100_000, `${parts.page} bytes`);
  // Another compiler than that of docs/measurements.md makes it larger.
  assert.ok(parts.program > 0 && parts.program <= 500_000, `${parts.program} bytes`);
  await page.done();
});

test("site: over a bad line every answer comes and is right", options, async () => {
  Object.assign(site.manner, { delay: 20, fails: 0.2 });
  const page = await visit("", { failing: true });
  const fens = ["KQvK", "KRvK", "KPvK"].flatMap((material) => sample("orthodox", material));
  const answers = await ask(page, fens.map((fen) => ["position", "orthodox", fen]));
  Object.assign(site.manner, { delay: 0, fails: 0 });
  for (const [k, fen] of fens.entries()) {
    assert.deepEqual(answers[k], await served(`/orthodox?words=true&fen=${encoded(fen)}`), fen);
  }
  await page.done();
});

test("site: a server without ranges will do", options, async () => {
  site.manner.ranges = false;
  const page = await visit("");
  const fen = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
  const [answer] = await ask(page, [["position", "orthodox", fen]]);
  site.manner.ranges = true;
  assert.deepEqual(answer, await served(`/orthodox?words=true&fen=${encoded(fen)}`));
  await page.done();
});

test("site: python's server of files will do", options, async (t) => {
  const server = spawn("python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder]);
  t.after(() => server.kill());
  const port = await new Promise((resolve, reject) => {
    server.stdout.on("data", (data) => resolve(String(data).match(/port (\d+)/)?.[1]));
    server.on("error", reject);
  });
  const from = `http://127.0.0.1:${port}/`;
  const page = await visit(query("high", "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1"), { from });
  assert.match(await answered(page), /White wins/);
  await page.done();
});

test("site: damage and cut answers are told, not believed", options, async () => {
  const path = join(folder, "tables/orthodox/KRvK.ftb");
  const whole = readFileSync(path);
  const fen = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
  const damaged = Buffer.from(whole);
  for (let k = 64; k < damaged.length / 2; k++) damaged[k] ^= 0x55;
  writeFileSync(path, damaged);
  try {
    const page = await visit("");
    const [answer] = await ask(page, [["position", "orthodox", fen]]);
    assert.equal(answer.refused, 500, JSON.stringify(answer));
    assert.match(answer.error, /cannot be read/);
    await page.done();
  } finally {
    writeFileSync(path, whole);
  }
  site.manner.cut = true;
  const page = await visit("", { failing: true });
  const [answer] = await ask(page, [["position", "orthodox", fen]]);
  site.manner.cut = false;
  assert.equal(answer.refused, 0, JSON.stringify(answer));
  // Once the line is better, the same is answered.
  const [again] = await ask(page, [["position", "orthodox", fen]]);
  assert.deepEqual(again, await served(`/orthodox?words=true&fen=${encoded(fen)}`));
  await page.done();
});
