// Who uses the page by keys, hears it, or sees it in other colours.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, at, fenOf, open, query } from "./harness.js";

const HIGH = query("high", "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1");

const focused = (page) => page.evaluate(() => {
  const { id, className, textContent } = document.activeElement;
  return document.activeElement.getAttribute("aria-label") ?? `${id}${className} ${textContent}`;
});

test("sliders keep the focus, press after press", async () => {
  const page = await open(HIGH);
  await answered(page);
  await page.locator("[aria-label=\"White's vitality\"]").focus();
  for (const left of [49, 48, 47]) {
    await page.keyboard.press("ArrowLeft");
    await answered(page, (fen) => fen.includes(` ${left}+50 `));
    assert.equal(await focused(page), "White's vitality");
  }
  await page.goBack();
  await answered(page, (fen) => fen.includes(" 50+50 "));
  await page.done();
});

test("the focus stays where somebody is at work", async () => {
  const page = await open(HIGH);
  await answered(page);
  await page.locator(".turn").nth(3).focus();
  await page.keyboard.press("Enter");
  await answered(page, (fen) => fen.includes(" b "));
  assert.match(await focused(page), /^turn /);
  await page.keyboard.press("Enter");
  await answered(page, (fen) => fen.includes(" w "));
  await page.locator("[aria-label='Back (left arrow)']").focus();
  await page.keyboard.press("Enter");
  await answered(page, (fen) => fen.includes(" b "));
  assert.equal(await focused(page), "Back (left arrow)");
  await page.keyboard.press("Enter");
  await answered(page, (fen) => fen.includes(" w "));
  // There is nothing to go back to, and the focus is still in the record.
  assert.ok(await page.evaluate(() => document.activeElement.closest(".history") != null));
  await page.locator(at("d5")).focus();
  await page.keyboard.press("f");
  assert.match(await focused(page), /^d5, black king/);
  await page.done();

  const reserve = await open(query("orphic", "8/8/8/3k4/8/8/8/4K3[R] w - - 0 1"));
  await answered(reserve);
  await reserve.locator(".reserve .spare").focus();
  await reserve.keyboard.press("Enter");
  assert.equal(await focused(reserve), "white rook in reserve");
  assert.ok(await reserve.locator(".spare.selected").count());
  await reserve.keyboard.press("f");
  assert.equal(await focused(reserve), "white rook in reserve");
  await reserve.done();
});

test("the verdict is read out from a place that stays", async () => {
  const page = await open(HIGH);
  await answered(page);
  const region = await page.locator("[role=status]:has(> #verdict)").elementHandle();
  await page.click("#best");
  await answered(page, (fen) => fen.includes(" b "));
  assert.ok(await region.evaluate((element) => element.isConnected && element.querySelector(".headline")));
  await page.fill("#fen", "nonsense");
  await page.done();
});

/** What is wrong with the names and headings of a page. */
function badNames() {
  const wrong = [];
  const words = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  const seen = (element) => {
    const copy = element.cloneNode(true);
    copy.querySelectorAll(".unseen, [aria-hidden=true], svg").forEach((part) => part.remove());
    return words(copy.textContent);
  };
  for (const element of document.querySelectorAll("button, a")) {
    if (element.hidden || element.closest("[hidden]")) continue;
    const label = element.getAttribute("aria-label");
    if (label != null && !words(label).includes(seen(element))) wrong.push(`${label} shows ${seen(element)}`);
    if (label == null && !element.textContent.trim()) wrong.push(`no name: ${element.outerHTML.slice(0, 80)}`);
    if (element.matches("a:not([href])")) wrong.push(`leads nowhere: ${element.outerHTML.slice(0, 80)}`);
  }
  const titles = document.querySelectorAll("h1").length;
  if (titles !== 1) wrong.push(`${titles} titles`);
  return wrong;
}

test("names say what is seen, and every page has one title", async () => {
  for (const [place, ready, refused] of [
    ["", ".cards"], [HIGH, ".turn"], ["?game=orphic&about", ".chips"], ["?game=high&table=KRvK", ".report"],
    [query("orthodox", "8/8/8/3k4/4q3/8/8/K6R w - - 0 1"), ".turn", [404]],
    [query("orthodox", "nonsense"), "#verdict .headline", [400]],
  ]) {
    const page = await open(place, { refused: refused ?? [] });
    await page.waitForSelector(ready);
    assert.deepEqual(await page.evaluate(badNames), [], place);
    if (ready === ".turn" && !refused) {
      await page.click("[data-mode=whatif]");
      await page.click(at("h1"));
      await page.waitForSelector(".tint");
      assert.deepEqual(await page.evaluate(badNames), [], "what if");
      await page.click("[data-mode=setup]");
      assert.deepEqual(await page.evaluate(badNames), [], "set up");
      assert.match(fenOf(page), /50\+50/);
    }
    await page.done();
  }
});

/** Parts of charts and legends that neither their colour nor their edge sets off from the card. */
function faint() {
  const light = (text) => text.match(/[\d.]+/g).slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (one, two) => {
    const [more, less] = [light(one), light(two)].sort((a, b) => b - a);
    return (more + 0.05) / (less + 0.05);
  };
  const card = getComputedStyle(document.querySelector(".chart")).backgroundColor;
  const shapes = ".plot .white-side, .plot .black-side, .plot .draw-side, .plot .win-fill, .plot .loss-fill, .plot .here, .plot .here-line, .legend i";
  return [...document.querySelectorAll(shapes)].map((shape) => {
    const { fill, stroke, backgroundColor, borderTopColor } = getComputedStyle(shape);
    const colors = shape.matches("i") ? [backgroundColor, borderTopColor] : [fill, stroke];
    const best = Math.max(...colors.filter((color) => color.startsWith("rgb")).map((color) => ratio(color, card)));
    return [shape.getAttribute("class"), best];
  }).filter(([, best]) => best < 3);
}

test("charts are seen against their card in both themes", async () => {
  for (const theme of ["light", "dark"]) {
    for (const [place, ready] of [
      [HIGH, ".plot .here"], [query("noro", "8/8/3q4/8/8/2R5/8/8 w - - 19+15 0 25"), ".plot .here"],
      ["?game=high&table=KRvK", ".chart rect"], ["?game=orthodox&table=KPvK", ".chart rect"],
    ]) {
      const page = await open(place, { theme });
      await page.waitForSelector(ready);
      assert.deepEqual(await page.evaluate(faint), [], `${theme} ${place}`);
      await page.done();
    }
  }
});

test("where the reader chooses the colours, squares and results keep theirs", async () => {
  const page = await open(HIGH, { forcedColors: "active" });
  await answered(page);
  const ground = (selector) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).backgroundColor);
  assert.notEqual(await ground(at("a1")), await ground(at("b1")));
  assert.notEqual(await ground("i.white-side"), await ground("i.black-side"));
  assert.notEqual(await ground("[data-mode=play]"), await ground("[data-mode=setup]"));
  await page.done();
});
