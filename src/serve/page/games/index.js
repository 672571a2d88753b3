// What the page knows of each game, loaded when it is needed. A game that is not listed is shown
// as orthodox chess is.

/** The modules of the games; each exports what it knows of them by their names. */
const MODULES = {
  orthodox: "orthodox", koth: "koth", antichess: "antichess", atomic: "atomic", "3check": "3check",
  knightmate: "knightmate", makruk: "makruk", racingkings: "racingkings",
  gardner: "gardner", losalamos: "losalamos", high: "high", noro: "noro", orphic: "orphic", "orphic-elks": "orphic", stylish: "stylish", tiebraker: "tiebraker",
};

/** What the page knows of a game. */
export async function knowledge(name) {
  const { games } = await import(`./${MODULES[name] ?? "orthodox"}.js`);
  return games[name] ?? games.orthodox;
}
