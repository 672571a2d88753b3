// A client in TypeScript, by the types that openapi-typescript makes: what compiles is described, and
// what it asks is answered.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./made/api.js";

const client = createClient<paths>({ baseUrl: process.argv[2] });
const fen = "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1";
const path = { game: "orthodox", material: "KRvK" } as const;

const position = await client.GET("/api/v1/{game}", { params: { path: { game: "high" }, query: { fen } } });
assert.equal(position.data?.fen, fen);
assert.equal(position.data.winner, "white");
assert.match(position.data.turns?.[0]?.uci ?? "", /^[a-h][1-8][a-h][1-8]$/);

// @ts-expect-error: games are enumerated.
const unknown = await client.GET("/api/v1/{game}", { params: { path: { game: "checkers" }, query: { fen } } });
assert.match(unknown.error?.error ?? "", /is no game/);

/** Asks until a count over a table is done. */
async function counted<T extends object>(ask: () => Promise<{ data?: T | components["schemas"]["Counting"] }>): Promise<T> {
  for (;;) {
    const { data } = await ask();
    assert.ok(data);
    if (!("status" in data)) return data as T;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

const histogram = await counted<components["schemas"]["Histogram"]>(() =>
  client.GET("/api/v1/{game}/histogram/{material}", { params: { path } }));
assert.equal(histogram.white.reduce((sum, [, , count]) => sum + Number(count), 0), 175_168);

const report = await counted<components["schemas"]["Report"]>(() =>
  client.GET("/api/v1/{game}/stats/{material}", { params: { path } }));
for (const { columns, rows } of report.page.sections) {
  for (const row of rows) assert.equal(row.length, columns.length);
}

const many = await client.POST("/api/v1/{game}", { params: { path: { game: "orthodox" } }, body: { fens: [fen, "8/8/8/3k4/8/8/8/K6R w"] } });
assert.deepEqual(many.data?.answers.map((answer) => "error" in answer), [true, false]);

const lichess = await client.GET("/antichess", { params: { query: { fen: "8/8/8/3k4/8/8/8/7R w - - 0 1" } } });
assert.equal(lichess.data?.dtm, null);
assert.equal(typeof lichess.data?.dtw, "number");
console.log("the client in TypeScript was answered");
