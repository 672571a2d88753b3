// The pages beside the board: all games, one game, one table.

import { bytes, copier, grouped, h } from "./dom.js";
import { progress, tableHistogram } from "./chart.js";
import { parse } from "./fen.js";
import { knowledge } from "./games/index.js";
import { thumbnail } from "./board.js";
import { source } from "./source.js";
import { address } from "./state.js";
import { finder } from "./finder.js";
import { explained } from "./terms.js";
import { trouble } from "./trouble.js";

/** All games; `wanted` is a name in the address that none of them has. */
export async function home(games, wanted) {
  const known = new Map(await Promise.all(games.map(async ({ game }) => [game, await knowledge(game)])));
  return h("div", { class: "home" },
    wanted && h("p", { class: "trouble", role: "alert" }, `There is no game “${wanted}” here. These are there:`),
    h("h1", {}, "Perfect play, in chess and in games that bend it"),
    h("p", { class: "lead" }, "Pick a game, set up any position with a few men, and see who wins, how fast, and what every turn is worth."),
    h("ul", { class: "cards" }, games.map(({ game, title, initial }) => {
      const know = known.get(game);
      const [fen] = know.examples[0];
      return h("li", {}, h("a", { href: address({ game, fen }) },
        thumbnail(parse(know.cover ?? initial)), h("span", {}, h("b", {}, title), h("small", {}, know.summary))));
    })));
}

/** One game: its rules in short, and its tables. */
export async function aboutGame({ game, title, options, signal }) {
  const know = await knowledge(game);
  const place = h("div", {}, h("progress", { "aria-label": "Looking for tables" }));
  const men = h("select", { "aria-label": "Men", onchange: () => list(Number(men.value)) },
    [2, 3, 4].map((n) => h("option", { value: n, selected: n === 3 }, `up to ${n} men`)));
  const list = (most) => source.tables(game, most, signal).then((found) => {
    place.replaceChildren(shelf(found, most));
  }).catch((error) => {
    if (error.name !== "AbortError") place.replaceChildren(trouble(error, () => list(most), signal));
  });
  list(3);
  const plain = Object.entries(options).filter(([, value]) => typeof value !== "object");
  return h("article", { class: "about" },
    h("h1", {}, title), h("p", { class: "lead" }, know.summary),
    h("div", { class: "columns" },
      h("section", {}, h("h2", {}, "The rules in short"), know.rules.map((rule) => h("p", {}, typeof rule === "function" ? rule(options) : rule)),
        plain.length > 0 && h("p", { class: "hint" }, "Played here with ",
          plain.map(([name, value]) => `${name} ${value}`).join(", "), ".")),
      h("section", {}, h("h2", {}, "Positions to begin with"),
        h("ul", { class: "cards small" }, know.examples.map(([fen, text]) =>
          h("li", {}, h("a", { href: address({ game, fen }) }, thumbnail(parse(fen)), h("span", {}, text))))))),
    h("h2", {}, "Tables ", men), place);

  function shelf({ tables, missing }, most) {
    const sizes = new Map();
    const at = (men) => sizes.get(men) ?? sizes.set(men, { there: [], missing: [] }).get(men);
    tables.forEach((table) => at(table.men).there.push(table));
    missing.forEach((table) => at(table.men).missing.push(table));
    const total = tables.reduce((sum, table) => sum + (table.bytes ?? 0), 0);
    // A server for the public tells nobody what builds its tables.
    const build = missing[0]?.build;
    const where = build?.match(/ --tables .*$/)?.[0] ?? "";
    const command = build && `finale build ${game} --men ${most}${where}`;
    return h("div", { class: "shelf" },
      h("p", {}, `${tables.length} tables, ${bytes(total)} in all`,
        missing.length ? `; ${missing.length} with up to ${most} men are missing.${command ? " This builds them:" : ""}`
          : `; none with up to ${most} men is missing.`),
      command && h("div", { class: "command" }, h("code", {}, command), copier("Copy", command)),
      [...sizes].sort((a, b) => a[0] - b[0]).map(([men, { there, missing }]) => h("section", {},
        h("h3", {}, `${men} men`),
        h("ul", { class: "chips" }, there.map(chip), missing.map(gap)))));
  }

  function chip(table) {
    return h("li", {}, h("a", {
      href: address({ game: table.game, table: table.material }),
      class: table.error || table.other_options ? "bad" : "",
      title: table.error ?? (table.other_options ? "built by other rule options" : ""),
    }, table.material, h("small", {}, table.bytes ? bytes(table.bytes) : "damaged")));
  }

  function gap(table) {
    return h("li", {}, h("a", {
      href: address({ game: table.game, table: table.material }), class: "gone",
      "aria-label": `${table.material}, missing`, title: table.build,
    }, table.material));
  }
}

/** One table: its story, what students ask of it, and a box for what they ask themselves. */
export async function aboutTable({ game, title, table, signal, find, sort }) {
  const know = await knowledge(game);
  const place = h("div", { class: "waiting" });
  const charts = h("div", { class: "columns" });
  const story = h("div", { class: "story" });
  const heading = h("h1", {}, table);
  const count = () => {
    const { element, onProgress } = progress("Counting all positions…");
    place.replaceChildren(element);
    ask(onProgress);
  };
  const ask = (onProgress) => source.stats(game, table, { signal, onProgress }).then((report) => {
    place.className = "reports";
    heading.textContent = report.page.title;
    // What was written by an earlier version has none.
    story.replaceChildren(...(report.story ?? []).map((told) => sentence(told, game, report.material)));
    place.replaceChildren(...report.page.sections.map((section) => sectionOf(section, game)));
    if (know.bins !== null) addHistograms(report.material);
  }).catch((error) => {
    if (error.name === "AbortError") return;
    const { build } = error.reply ?? {};
    place.replaceChildren(build ? h("p", {}, error.message) : trouble(error, count, signal), build
      ? h("div", { class: "command" }, h("code", {}, build), copier("Copy", build)) : "");
  });
  count();
  return h("article", { class: "about" },
    h("p", { class: "crumbs" }, h("a", { href: address({ game, about: "" }) }, title)),
    heading, story, finder({ game, table, signal, find, sort }), charts, place);

  function addHistograms(material) {
    source.histogram(game, material, { signal }).then((found) => {
      const groups = new Set([...found.white, ...found.black].map((bin) => bin[0]));
      const spec = {
        title: "Positions by result", unit: know.bins ?? "plies to the end",
        groups: Object.fromEntries(["win", "draw", "loss", ...groups].filter((group) => groups.has(group)).map((group) => [group, { win: "wins", draw: "draws", loss: "losses", white: "White wins", black: "Black wins" }[group] ?? group])),
        signed: groups.has("margin"),
      };
      for (const side of ["white", "black"]) {
        if (found[side].length) charts.append(tableHistogram({ game, material, signal }, spec, side, null));
      }
    }).catch((error) => {
      // Some games have none.
      if (error.name === "AbortError" || error.status === 404) return;
      const again = () => {
        charts.replaceChildren();
        addHistograms(material);
      };
      charts.replaceChildren(trouble(error, again, signal));
    });
  }
}

/** A sentence of a table's story, with the position it speaks of and the search for all of those. */
function sentence({ text, fen, query }, game, table) {
  return h("p", {}, explained(text),
    fen && [" ", h("a", { href: address({ game, fen }), title: fen }, "Show it")],
    query && [" ", h("a", { href: `${address({ game, table })}&find=${encodeURIComponent(query)}`, title: query }, "Find all")]);
}

const FEN = /^[A-Za-z1-8]+(\/[A-Za-z1-8]+)*(\[[A-Za-z]*\])? [wb] /;

/** Columns with numbers above this are counts, and have bars; others are distances and the like. */
const MANY = 300;

/** A section of a report: a table whose counts are bars too, and whose FENs are links. */
function sectionOf({ title, columns: names, rows }, game) {
  const counts = names.map((_, c) => rows.some((row) => typeof row[c] === "number"));
  const most = names.map((_, c) => Math.max(...rows.map((row) => Number(row[c]) || 0)));
  const cell = (value, c) => {
    if (typeof value === "number") {
      const meter = rows.length > 1 && most[c] > MANY && h("i", { class: "meter" });
      if (meter) meter.style.width = `${(100 * value) / most[c]}%`;
      return h("td", { class: "number" }, grouped(value), meter);
    }
    if (typeof value === "string" && FEN.test(value)) {
      return h("td", {}, h("a", { href: address({ game, fen: value }), title: value }, "show"));
    }
    return h("td", {}, value == null ? "" : String(value));
  };
  return h("section", { class: "report" }, h("h2", {}, explained(title)),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
      h("table", {},
        h("thead", {}, h("tr", {}, names.map((text, c) => h("th", { scope: "col", class: counts[c] ? "number" : "" }, explained(text))))),
        h("tbody", {}, rows.map((row) => h("tr", {}, row.map(cell)))))));
}

