#!/usr/bin/env python3
"""What a rule of chess is worth in the endgame: orthodox materials under several rules.

Builds all orthodox materials of up to so many men under each rule, counts who wins, and writes a
page in Markdown. Needs nothing but finale and Python 3.9.

    cargo build --release
    python tools/laboratory/laboratory.py --finale target/release/finale --tables my-tables \\
        > docs/laboratory.md

The rules are orthodox chess, the other built-in games played with the same men, and the sections of
a file of variants (docs/variants.md), by default rules.ini beside this program. --variants names
another, and --built-in other games to take in.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

OVER = "the game is over with these men"

BEGINNING = """\
# A laboratory of rules

What is a rule of chess worth when few men are left? All {count} orthodox materials of 3 to {men} men,
under {rules} rules: every placement is counted, and every win is exact. Made by one command, which
takes anybody's rules:

```sh
{command}
```

A rule is a few lines in a [file](variants.md); those of this page are in
[rules.ini](../tools/laboratory/rules.ini), but for the games that are built in. Where a rule changes
how men move, they keep their letters: in *Knights leap on in the same direction*, KNvK is a King
and such a Knight against a King.
"""

SUMMARY = """
## Who wins

All placements of these men with White, who has the stronger men in orthodox chess or as strong
ones, to move and with Black to move, no symmetry removed; en passant is counted, castling is not.
*Men decide* is the number of materials in which the game is over before it begins.

| rule | White wins | drawn | Black wins | longest win of the side to move, plies | in | men decide |
|---|---|---|---|---|---|---|
"""

MATERIALS = """
## By material

White's wins in a hundred placements with White to move; *over* where the men decide.

"""

CHANGES = """
## Who gains

The materials in which White's share of wins with White to move changes most against orthodox chess, in
points of a hundred.

| rule | up | down |
|---|---|---|
"""


@dataclass
class Counted:
    """What came of a material: placements by result for White, and the longest win."""

    white: list[int] = field(default_factory=lambda: [0, 0, 0])
    black: list[int] = field(default_factory=lambda: [0, 0, 0])
    longest: tuple[int, str, str] = (0, "", "")

    def share(self) -> float:
        """White's wins with White to move, in a hundred."""
        return 100 * self.white[0] / max(1, sum(self.white))


@dataclass
class Rule:
    """A rule, and what came of each material; none where the men decide."""

    name: str
    title: str
    counted: dict[str, Counted | None] = field(default_factory=dict)


class Finale:
    """The program."""

    def __init__(self, program: Path, tables: Path, variants: Path) -> None:
        self.program = program
        self.variants = variants
        self.options = ["--tables", str(tables)]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs a command that knows the games of the file."""
        command = [self.program, *arguments, "--variants", str(self.variants)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def well(self, *arguments: str) -> str:
        """What a command prints that has to succeed."""
        ran = self.run(*arguments)
        if ran.returncode != 0:
            sys.exit(f"finale {' '.join(arguments)}: {ran.stderr.strip()}")
        return ran.stdout

    def materials(self, men: int) -> list[str]:
        """The orthodox materials of 3 to so many men."""
        plan = json.loads(
            self.well("build", "orthodox", "--men", str(men), "--plan", "--json", *self.options)
        )
        names = [table["material"] for table in plan["tables"]]
        return [name for name in names if len(name) > len("KvK")]

    def count(self, game: str, material: str) -> Counted | None:
        """Builds and counts a material."""
        # Packed in haste: they are counted once.
        built = self.run("build", game, material, "--level", "1", *self.options)
        if built.returncode != 0:
            if OVER in built.stderr:
                return None
            sys.exit(f"{game} {material}: {built.stderr.strip()}")
        report = json.loads(self.well("stats", game, material, "--json", *self.options))
        counted = Counted()
        for row in report["results"]:
            results = [row["wins"], row["draws"], row["losses"]]
            # Of two equal sides the table knows White to move only.
            if row["to_move"] in ("white", "either"):
                counted.white = results
            if row["to_move"] in ("black", "either"):
                counted.black = results[::-1]
        longest = [row for row in report["longest"] if row["result"] == "win"]
        for row in longest:
            counted.longest = max(counted.longest, (row["plies"], material, row["example"]))
        return counted


def sections(finale: Finale) -> list[Rule]:
    """The rules of the file."""
    checked = json.loads(finale.run("check", str(finale.variants), "--json").stdout)
    rules = []
    for section in checked:
        if section["refusals"]:
            sys.exit(f"{section['name']}: {section['refusals'][0]['reason']}")
        title = finale.well("rules", section["name"]).split("\n", 1)[0]
        rules.append(Rule(section["name"], title))
    return rules


def percent(part: int, whole: int) -> str:
    """A share in a hundred that does not round anything away."""
    share = 100 * part / whole
    text = f"{share:.1f}"
    if text == "0.0" and part > 0:
        return "< 0.1"
    if text == "100.0" and part < whole:
        return "> 99.9"
    return text


def summary(rule: Rule) -> str:
    """A line of the first table."""
    there = [counted for counted in rule.counted.values() if counted is not None]
    sums = [sum(c.white[i] + c.black[i] for c in there) for i in range(3)]
    plies, material, fen = max(counted.longest for counted in there)
    example = f"{material}, `{fen}`" if plies else "–"
    shares = " | ".join(percent(part, sum(sums)) for part in sums)
    return f"| {rule.title} | {shares} | {plies} | {example} | {len(rule.counted) - len(there)} |\n"


def by_material(rules: list[Rule]) -> str:
    """The second table, a column a rule."""
    lines = ["| | " + " | ".join(rule.title for rule in rules) + " |"]
    lines.append("|---" * (len(rules) + 1) + "|")
    for material in rules[0].counted:
        cells = []
        for rule in rules:
            counted = rule.counted[material]
            over = counted is None
            cells.append("over" if over else percent(counted.white[0], sum(counted.white)))
        lines.append(f"| {material} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def changes(usual: Rule, rule: Rule) -> str:
    """A line of the third table."""
    found = []
    for material, counted in rule.counted.items():
        before = usual.counted[material]
        if counted is not None and before is not None:
            found.append((counted.share() - before.share(), material))
    found.sort()
    up = [f"{name} +{change:.1f}" for change, name in found[::-1][:3] if change >= 0.05]
    down = [f"{name} −{-change:.1f}" for change, name in found[:3] if change <= -0.05]
    return f"| {rule.title} | {', '.join(up) or '–'} | {', '.join(down) or '–'} |\n"


def main() -> None:
    """Writes the page."""
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--finale", type=Path, default=Path("finale"))
    parser.add_argument("--tables", type=Path, required=True, help="a folder for the tables")
    parser.add_argument("--variants", type=Path, default=here / "rules.ini")
    parser.add_argument("--built-in", nargs="*", default=["koth", "atomic", "antichess"])
    parser.add_argument("--men", type=int, default=4)
    args = parser.parse_args()
    finale = Finale(args.finale, args.tables, args.variants)
    rules = [Rule("orthodox", "orthodox chess")]
    for name in args.built_in:
        rules.append(Rule(name, finale.well("rules", name).split("\n", 1)[0]))
    rules += sections(finale)
    materials = finale.materials(args.men)
    for rule in rules:
        print(rule.title, file=sys.stderr)
        for material in materials:
            rule.counted[material] = finale.count(rule.name, material)
    command = "python tools/laboratory/laboratory.py --finale target/release/finale --tables my-tables"
    head = BEGINNING.format(
        count=len(materials), men=args.men, rules=len(rules), command=command
    )
    page = head + SUMMARY + "".join(summary(rule) for rule in rules)
    page += CHANGES + "".join(changes(rules[0], rule) for rule in rules[1:])
    page += MATERIALS + by_material(rules)
    sys.stdout.write(page)


if __name__ == "__main__":
    main()
