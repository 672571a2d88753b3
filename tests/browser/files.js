// A server of plain files for the tests of a page without a server of ours: slow, forgetful and
// without ranges where a test wants it so.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const KINDS = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
  ".wasm": "application/wasm", ".json": "application/json",
};

/**
 * Hands out a folder under `/some/where/`. `manner` may be changed at any time: `delay` in
 * milliseconds, `fails` as the share of requests for tables that fail, `ranges` whether it knows
 * them, `cut` whether it ends bodies early. `asked` collects what is asked of tables, `given` the other
 * files that are handed out.
 */
export async function files(folder) {
  const manner = { delay: 0, fails: 0, ranges: true, cut: false };
  const asked = [];
  const given = [];
  let turn = 0;
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://here").pathname).replace(/^\/some\/where\//, "");
    const file = join(folder, normalize(path || "index.html"));
    const isTable = file.endsWith(".ftb");
    const range = request.headers.range?.match(/^bytes=(\d+)-(\d+)$/);
    if (isTable) asked.push({ path, range: request.headers.range, time: Date.now() });
    if (manner.delay) await new Promise((resolve) => setTimeout(resolve, manner.delay));
    // Every so many, so that each run meets the same failures.
    const fails = isTable && manner.fails && ++turn % Math.round(1 / manner.fails) === 0;
    if (fails) {
      if (turn % 2) return request.socket.destroy();
      response.writeHead(503).end();
      return;
    }
    let size;
    try {
      const found = statSync(file);
      if (!found.isFile()) throw new Error("a folder");
      size = found.size;
    } catch {
      response.writeHead(404).end("no such file");
      return;
    }
    if (!isTable) given.push(file);
    const headers = { "Content-Type": KINDS[extname(file)] ?? "application/octet-stream" };
    if (range && manner.ranges) {
      const [start, end] = [Number(range[1]), Math.min(Number(range[2]), size - 1)];
      const length = end - start + 1;
      if (manner.cut && length > 1) {
        response.writeHead(206, { ...headers, "Content-Length": length, "Content-Range": `bytes ${start}-${end}/${size}` });
        createReadStream(file, { start, end: start + Math.floor(length / 2) - 1 })
          .on("data", (data) => response.write(data)).on("close", () => request.socket.destroy());
        return;
      }
      response.writeHead(206, { ...headers, "Content-Length": length, "Content-Range": `bytes ${start}-${end}/${size}` });
      createReadStream(file, { start, end }).pipe(response);
    } else {
      response.writeHead(200, { ...headers, "Content-Length": size });
      createReadStream(file).pipe(response);
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${server.address().port}/some/where/`;
  return { base, folder, manner, asked, given, close: () => { server.closeAllConnections(); server.close(); } };
}
