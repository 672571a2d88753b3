// The explorer as people meet it, game by game.

import assert from "node:assert/strict";
import { test } from "node:test";
import { FOR_SERVERS, SITE, TABLES, answered, api, at, base, browser, drag, fenOf, look, open, query } from "./harness.js";

/** What a visit may send through the wire before it shows something, in bytes. */
const FIRST_VISIT = 60_000;

const slide = (label, value) => async (page) => {
  await page.locator(`input[aria-label="${label}"]`).evaluate((input, value) => {
    input.value = value;
    input.dispatchEvent(new Event("input"));
    input.dispatchEvent(new Event("change"));
  }, value);
};

const GAMES = [
  {
    game: "orthodox", fen: "8/8/8/8/8/3K4/6R1/k7 w - - 0 1", says: /White mates in/,
    edit: async (page) => page.click("text=White to move"), edited: / b - - /,
    illegal: "8/8/8/3k4/8/8/8/K2R4 w - - 0 1", why: /in check/,
    missing: "8/8/8/3k4/4q3/8/8/K6R w - - 0 1", build: "finale build orthodox KQvKR",
  },
  {
    game: "koth", fen: "8/8/8/8/2k5/8/8/K6R w - - 0 1", says: /White/,
    edit: async (page) => page.click("text=White to move"), edited: / b - - /,
    illegal: "8/8/8/8/2k5/8/8/K6 w - - 0 1", why: /Rank 1/,
    missing: "8/8/8/8/2k5/4q3/8/K6R w - - 0 1", build: "finale build koth KQvKR",
  },
  {
    game: "3check", fen: "8/8/8/3k4/8/8/8/K6R w - - 3+3 0 1", says: /White wins in/,
    edit: slide("Checks that White has left", "1"), edited: / 1\+3 /,
    illegal: "8/8/8/3k4/8/8/8/K6R w - - 4+3 0 1", why: /at most 3/,
    missing: "8/8/8/3k4/4q3/8/8/K6R w - - 3+3 0 1", build: "finale build 3check KQvKR",
  },
  {
    game: "high", fen: "8/8/8/3k4/8/8/8/K7 w - - 4+9 0 1", says: /Black wins/,
    edit: slide("White's vitality", "7"), edited: / 7\+9 /,
    illegal: "8/8/8/3k4/8/8/8/K6R w - - 51+50 0 1", why: /51/,
    missing: "8/8/8/3k4/8/8/1BN5/K7 w - - 50+50 0 1", build: "finale build high KBNvK",
  },
  {
    game: "noro", fen: "8/8/3q4/8/8/2R5/8/8 w - - 19+15 0 45", says: /White wins at 19-15/,
    edit: slide("Move number", "47"), edited: / 47$/,
    illegal: "8/8/3q4/8/8/2R5/8/8 w - - 19+15 0 61", why: /61 is too high/,
    missing: "8/8/3q4/8/8/2RRR3/8/8 w - - 0+0 0 1", build: "finale build noro RRRvQ",
  },
  {
    game: "orphic", fen: "8/4P3/8/8/8/8/8/k7[K] w - - 0 1", says: /White mates in/,
    edit: async (page) => page.click("[aria-label=\"One more White's queen in reserve\"]"), edited: /\[[QK]+\]/,
    refused: [404],
    illegal: "8/8/8/3k4/8/8/8/4K3[E] w - - 0 1", why: /E/,
    missing: "8/8/8/3k4/8/8/8/4K3[RN] w - - 0 1", build: "finale build orphic 'K[RN]vK'",
  },
  {
    game: "orphic-elks", fen: "8/8/8/8/8/3K4/8/k7[E] w - - 0 1", says: /White mates in/,
    edit: async (page) => page.click("[aria-label=\"One less White's elk in reserve\"]"), edited: /k7 w/,
    illegal: "8/8/8/8/8/2k5/8/K7[R] w - - 0 1", why: /R/,
    missing: "8/8/8/8/8/2k5/8/K7[EN] w - - 0 1", build: "finale build orphic-elks 'K[EN]vK'",
  },
  {
    game: "stylish", fen: "8/8/8/8/8/3K4/6R1/k7 w - - 0+0 - 0 1", says: /margin 110/,
    edit: async (page) => page.fill("[aria-label=\"Black's points\"]", "25").then(() => page.keyboard.press("Enter")),
    edited: / 0\+25 /,
    illegal: "8/8/P7/3k4/8/8/K7/8 w - - 0+0 x 0 1", why: /x/,
    missing: "8/8/8/3k4/4q3/8/8/K6R w - - 0+0 - 0 1", build: "finale build stylish KQvKR",
  },
  {
    game: "tiebraker", fen: "8/8/8/8/8/3K4/8/k5R1 b - - normal 0 1", says: /White 100/,
    edit: async (page) => page.selectOption("[aria-label=Mode]", "accepted b"), edited: /^\S*d\S* b - - accepted/,
    illegal: "8/8/6k1/8/8/2K5/8/Q7 b - - accepted 0 1", why: /disk/,
    missing: "8/8/8/3k4/4q3/8/8/K6R w - - normal 0 1", build: "finale build tiebraker KQvKR",
  },
];

for (const entry of GAMES) {
  const { game, fen } = entry;

  test(`${game}: a link opens, and says what a program hears`, async () => {
    const page = await open(query(game, fen));
    assert.match(await answered(page), entry.says);
    const answer = await api(`${game}?words=1&fen=${fen.replaceAll(" ", "_")}`);
    assert.equal(await page.locator(".turn").count(), answer.turns.length);
    assert.equal(await page.locator(".turn").first().getAttribute("data-uci"), answer.turns[0].uci);
    await page.locator(".turn").first().hover();
    await page.done();
  });

  test(`${game}: best play goes to the end, and back`, async () => {
    const { line, end } = await api(`${game}/line?fen=${fen.replaceAll(" ", "_")}`);
    const page = await open(query(game, fen));
    await answered(page);
    for (const [number, { fen }] of line.entries()) {
      // Space is enough; a button does the same.
      if (number % 2) await page.click("#best");
      else await page.keyboard.press(" ");
      await answered(page, (shown) => shown === fen);
    }
    assert.match(await page.textContent(".answer"), new RegExp(end.slice(0, 12)));
    assert.equal(await page.locator(".history .played li").count(), line.length);
    await page.click("body", { position: { x: 5, y: 5 } });
    await page.keyboard.press("ArrowLeft");
    await answered(page, (shown) => shown === (line.at(-2)?.fen ?? fen));
    await page.click("[aria-label='To the beginning']");
    await answered(page, (shown) => shown === fen);
    await page.click("#line");
    await page.waitForSelector(".line .played li");
    assert.equal(await page.locator(".line .played li").count(), line.length);
    await page.done();
  });

  test(`${game}: its state can be edited`, async () => {
    const page = await open(query(game, fen), { refused: entry.refused });
    await answered(page);
    await entry.edit(page);
    await answered(page, (shown) => entry.edited.test(shown));
    await page.done();
  });

  test(`${game}: an impossible position says why, a missing table what builds it`, async () => {
    const page = await open(query(game, entry.illegal), { refused: [400] });
    assert.equal(await answered(page), "This cannot be");
    assert.match(await page.textContent("#verdict"), entry.why);
    await page.done();
    const other = await open(query(game, entry.missing), { refused: [404] });
    assert.equal(await answered(other), "No table for this yet");
    // A page without a server names no command: its visitors have no such folder.
    if (!SITE) assert.equal(await other.textContent("#verdict code"), `${entry.build} --tables ${TABLES}`);
    // Turns can be played all the same.
    await other.locator(".turn").first().click();
    await answered(other, (shown) => shown.includes(" b "));
    await other.done();
  });

  // A page without a server has the same styles.
  test(`${game}: looks right in both themes at both sizes`, { skip: SITE }, () => look(game, query(game, fen)));
}

for (const [game, fen, man, to] of [
  ["orthodox", "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1", "e2", "e6"],
  ["high", "8/8/8/8/4k3/8/4P3/4K3 w - - 20+20 0 1", "e2", "a6"],
]) {
  test(`${game}: what if a man stood elsewhere`, async () => {
    const page = await open(query(game, fen));
    await answered(page);
    await page.click("[data-mode=whatif]");
    await page.click(at(man));
    await page.waitForSelector(".tint");
    const reply = await api(`${game}/what-if?square=${man}&fen=${fen.replaceAll(" ", "_")}`);
    for (const [side, name] of [["white", "White"], ["black", "Black"]]) {
      await page.click(`.tools >> text=${name} to move`);
      for (const [square, answer] of Object.entries(reply[side])) {
        const label = await page.getAttribute(at(square), "aria-label");
        assert.ok(label.endsWith(answer.error ?? answer.words), `${square}: ${label}`);
      }
    }
    await page.click(at(to));
    await answered(page, (shown) => shown !== fen);
    await page.waitForSelector(".tint");
    await page.done();
    await look(`${game}-what-if`, query(game, fen), async (page) => {
      await page.click("[data-mode=whatif]");
      await page.click(at(man));
      await page.waitForSelector(".tint");
    });
  });
}

test("orthodox: the chart has the whole table, and its numbers on request", async () => {
  const page = await open(query("orthodox", "8/8/8/3k4/8/8/8/K6R w - - 0 1"));
  await page.waitForSelector(".chart .plot .here");
  const { white } = await api("orthodox/histogram/KRvK");
  assert.equal(await page.locator(".chart rect").count(), white.length);
  await page.click(".chart summary");
  // The browser tells the page of the click when it finds the time.
  await page.waitForSelector(".chart tbody tr");
  assert.equal(await page.locator(".chart tbody tr").count(), white.length);
  await page.done();
});

test("high: a click on the chart sets both vitalities", async () => {
  const page = await open(query("high", "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1"));
  const chart = page.locator(".chart .plot");
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.5);
  await answered(page, (shown) => !shown.includes("50+50"));
  const [white, black] = fenOf(page).split(" ")[4].split("+").map(Number);
  assert.ok(white > 15 && white < 35 && black > 15 && black < 35, `${white}+${black}`);
  await page.done();
});

test("men are moved by drag, by clicks and by keys", async () => {
  const page = await open(query("orthodox", "8/8/8/3k4/8/8/8/K6R w - - 0 1"));
  await answered(page);
  await drag(page, at("h1"), at("h4"));
  await answered(page, (shown) => shown.startsWith("8/8/8/3k4/7R/8/8/K7 b"));
  await page.click(at("d5"));
  assert.equal(await page.getAttribute(at("c5"), "data-mark"), "move");
  await page.click(at("c5"));
  await answered(page, (shown) => shown.startsWith("8/8/8/2k5/7R/8/8/K7 w"));
  // No legal turn: nothing happens.
  await drag(page, at("h4"), at("g6"));
  await page.locator(at("a1")).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await answered(page, (shown) => shown.startsWith("8/8/8/2k5/7R/8/K7/8 b"));
  await page.done();
});

test("promotions ask for the man", async () => {
  const page = await open(query("orthodox", "8/4P3/8/8/8/2k5/8/K7 w - - 0 1"));
  await answered(page);
  await drag(page, at("e7"), at("e8"));
  assert.equal(await page.locator(".chooser button").count(), 5);
  await page.click(".chooser [aria-label^='e8=R']");
  await answered(page, (shown) => shown.startsWith("4R3/"));
  await page.done();
});

test("a man from the reserve drops on a pawn, which then goes elsewhere", async () => {
  const page = await open(query("orphic", "8/8/8/3k4/8/8/4P3/8[K] w - - 0 1"));
  await answered(page);
  await page.click(".reserve .spare");
  await page.click(at("e2"));
  await page.click(".chooser [aria-label$='pawn to d3']");
  await answered(page, (shown) => shown.startsWith("8/8/8/3k4/8/3P4/4K3/8 b"));
  await page.done();
});

test("positions are set up with spare men, letters and buttons", async () => {
  const page = await open(query("orthodox", "8/8/8/3k4/8/8/8/K6R w - - 0 1"), { refused: [400, 404] });
  await answered(page);
  await page.click("[data-mode=setup]");
  await drag(page, at("h1"), ".fen");
  await answered(page, (shown) => shown.startsWith("8/8/8/3k4/8/8/8/K7 "));
  await drag(page, "[aria-label='spare white queen']", at("c2"));
  await answered(page, (shown) => shown.startsWith("8/8/8/3k4/8/8/2Q5/K7 "));
  await page.locator(at("h8")).focus();
  await page.keyboard.press("n");
  await answered(page, (shown) => shown.startsWith("7n/8/8/3k4/8/8/2Q5/K7 "));
  await page.locator(at("h8")).focus();
  await page.keyboard.press("Delete");
  await answered(page, (shown) => shown.startsWith("8/8/8/3k4/8/8/2Q5/K7 "));
  await page.click("text=Swap colours");
  await answered(page, (shown) => shown.startsWith("k7/2q5/8/8/3K4/8/8/8 b"));
  await page.click("text=Mirror");
  await answered(page, (shown) => shown.startsWith("7k/5q2/8/8/4K3/8/8/8 b"));
  await page.fill("#fen", "8/8/8/8/8/5K2/8/3Q3k b");
  await page.keyboard.press("Enter");
  await answered(page, (shown) => shown === "8/8/8/8/8/5K2/8/3Q3k b - - 0 1");
  await page.done();
});

test("records are read: one on the board, several as a match", async () => {
  const one = (white, turns) => `[White "${white}"]\n[Black "Ben"]\n[SetUp "1"]\n`
    + `[FEN "8/8/8/8/8/1k6/8/K6R b - - 0 1"]\n\n${turns}\n\n`;
  const page = await open(query("orthodox", GAMES[0].fen));
  await answered(page);
  await page.click(".paste summary");
  await page.fill(".paste textarea", one("Anna", "1... Kc2 2. Rd1 *"));
  await page.click(".paste .bar button");
  await answered(page, (shown) => shown.startsWith("8/8/8/8/8/8/2k5/K2R4 b"));
  assert.deepEqual(await page.locator(".history .played button").allTextContents(), ["Kc2?!", "Rd1??"]);
  await page.fill(".paste textarea", one("Anna", "1... Kc2 2. Rd1 *") + one("Carl", "1... Kc2 1-0") + one("Dora", "1... Ka9"));
  await page.click(".paste .bar button");
  await page.waitForSelector(".games li");
  assert.equal(await page.locator(".games li").count(), 3);
  assert.match(await page.locator(".games li").nth(2).textContent(), /^Dora – Ben, line 15: line 20/);
  assert.match(await page.textContent(".paste .sum"), /^Carl wins the match, 1 to 0\.$/);
  await page.click(".games >> text=Carl");
  await answered(page, (shown) => shown.startsWith("8/8/8/8/8/8/2k5/K6R w"));
  await page.done();
});

test("a table begins with its story, whose positions are a click away", async () => {
  const page = await open("?game=orthodox&table=KRvK");
  await page.waitForSelector(".story p");
  const story = await page.locator(".story p").allTextContents();
  assert.match(story[0], /^White, to move, wins all 175,168 positions\.$/);
  assert.ok(story.length >= 3, story.join("\n"));
  assert.equal(await page.locator(".story a >> text=Find all").count() > 0, true);
  await page.locator(".story a >> text=Show it").first().click();
  await answered(page);
  await page.done();
});

test("a table finds positions, and its address remembers what was asked", FOR_SERVERS, async () => {
  const page = await open("?game=orthodox&table=KPvK", { refused: [400] });
  await page.fill("#find", "wins and keeping_turns = 1");
  await page.fill("#sort", "-dtm");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".found li");
  const texts = await page.locator(".found li").allTextContents();
  assert.equal(texts.length, 24);
  assert.match(texts[0], /^White to move: White wins, mates in /);
  assert.match(page.url(), /&find=wins%20and%20keeping_turns%20%3D%201&sort=-dtm$/);
  await page.reload();
  await page.waitForSelector(".found li");
  assert.equal(await page.inputValue("#find"), "wins and keeping_turns = 1");
  await page.click("text=Names to ask for");
  await page.waitForSelector(".names code");
  await page.fill("#find", "wins and many");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".finder pre");
  assert.match(await page.textContent(".finder pre"), /\n +\^{4}$/);
  await page.click("text=turns = 0");
  await page.waitForSelector(".found li");
  await look("find", "?game=orthodox&table=KPvK&find=wins%20and%20keeping_turns%20%3D%201");
  await page.locator(".found a").first().click();
  await answered(page);
  await page.done();
});

test("pages of games and tables are there, and lead to positions", async () => {
  const page = await open("?game=high&about");
  const { missing, tables } = await api("high/tables?men=3");
  await page.waitForSelector(".chips");
  assert.equal(await page.locator(".chips li").count(), missing.length + tables.length);
  await page.click("text=KRvK");
  await page.waitForSelector(".report");
  await page.waitForSelector(".chart");
  await page.locator(".report a[href^='?']").first().click();
  await answered(page);
  await page.goBack();
  await page.waitForSelector(".report");
  await page.done();
  await look("home", "");
  await look("high-rook", query("high", "8/8/8/3k4/8/8/8/K6R w - - 50+12 0 1"));
  await look("tiebraker-disk", query("tiebraker", "8/8/6k1/8/8/2D5/8/Q7 b - - accepted 0 1"));
  await look("about", "?game=orphic&about", (page) => page.waitForSelector(".chips"));
  await look("table", "?game=orthodox&table=KPvK", (page) => page.waitForSelector(".chart"));
  await look("missing", query("orthodox", GAMES[0].missing), undefined, [404]);
});

test("every position that the page proposes has its table", async () => {
  const page = await open("");
  await page.waitForSelector(".cards");
  for (const game of (await api("")).games) {
    await page.goto(`${base}?game=${game.game}&about`);
    await page.waitForSelector(".cards");
    const links = await page.locator(".cards a").evaluateAll((links) => links.map((link) => link.href));
    assert.ok(links.length > 1, game.game);
    for (const link of links) {
      const fen = new URL(link).search.match(/fen=([^&]*)/)[1];
      const { error } = await api(`${game.game}?fen=${fen}`);
      assert.equal(error, undefined, link);
    }
  }
  await page.done();
});

test("men without a picture stand as their letters", async () => {
  const page = await open(query("knightmate", "8/8/8/3k4/8/8/3M4/K7 w - - 0 1"));
  const commoner = page.locator('[data-square="11"]');
  assert.equal(await commoner.locator(".letter").textContent(), "M");
  assert.match(await commoner.getAttribute("aria-label"), /white M/);
  await page.click("[data-mode=setup]");
  const spares = page.locator(".spares .man");
  assert.equal(await spares.count(), 2 * "KQRBMP".length);
  await page.done();
});

test("a small board is drawn, played on and set up as the large one", async () => {
  const page = await open(query("gardner", "5/4P/1k3/5/K4 w - - 0 1"), { refused: [404] });
  await answered(page);
  assert.equal(await page.locator(".squares .square").count(), 25);
  const board = await page.locator(".board").boundingBox();
  assert.ok(Math.abs(board.width - board.height) < 2, "a square board is square");
  const corner = await page.locator(at("a1")).boundingBox();
  assert.ok(Math.abs(corner.x - board.x) < 2 && Math.abs(5 * corner.width - board.width) < 5);
  await drag(page, at("e4"), at("e5"));
  // The squares to choose from begin on the last rank.
  const choice = page.locator(".chooser [aria-label^='e5=R']");
  const [there, last] = [await choice.boundingBox(), await page.locator(at("e4")).boundingBox()];
  assert.ok(Math.abs(there.x - last.x) < 4 && Math.abs(there.y - last.y) < 4);
  await choice.click();
  await answered(page, (shown) => shown.startsWith("4R/5/1k3/5/K4 b"));
  await page.locator(at("b3")).focus();
  for (const key of ["Enter", "ArrowDown", "ArrowLeft", "ArrowLeft"]) await page.keyboard.press(key);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.square), "8", "a2");
  await page.keyboard.press("Escape");
  await page.click("[data-mode=setup]");
  await page.click("text=Mirror");
  await answered(page, (shown) => shown.startsWith("R4/5/3k1/5/4K b"));
  await page.click("text=Swap colours");
  await answered(page, (shown) => shown.startsWith("4k/5/3K1/5/r4 w"));
  await page.click("[aria-label='Turn the board round']");
  const first = await page.locator(at("a1")).boundingBox();
  assert.ok(first.x > board.x + 3.5 * corner.width && first.y < board.y + corner.height);
  await page.done();
});

test("a first visit loads little", FOR_SERVERS, async () => {
  for (const place of ["", query("high", GAMES[1].fen), "?game=high&about"]) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const files = [];
    page.on("response", (response) => {
      if (!response.url().includes("/api/")) files.push(response.request().sizes());
    });
    await page.goto(base + place, { waitUntil: "networkidle" });
    await page.waitForSelector("#verdict .headline, .cards");
    const bytes = (await Promise.all(files)).reduce((sum, size) => sum + size.responseBodySize, 0);
    assert.ok(bytes > FIRST_VISIT / 4 && bytes < FIRST_VISIT, `${place || "home"}: ${bytes} bytes`);
    await context.close();
  }
});
