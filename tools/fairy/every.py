#!/usr/bin/env python3
"""Holds tables of every game of a file against pyffish, every position of them.

    pip install pyffish
    python every.py --finale target/release/finale --variants my.ini --tables DIR --log done.txt

The games are those sections of the file that `finale check` accepts. The materials are chosen so
that every kind of man of a game is in one: each kind alone against the King, then the kinds in
pairs, one for each side. They are taken in rounds, the first material of every game, then the
second, until there are none left or `--minutes` are over. Each is solved by solve.py in a process
of its own and compared with tables that finale builds into DIR.

A line for each says how many positions were compared; what solve.py says of differences is shown
as it is. Lines go to the log, too, and what stands there is not done again. The exit code is 1 if
anything is different.
"""

import argparse
import itertools
import json
import shlex
import subprocess
import sys
import time
from pathlib import Path


def accepted(finale: str, variants: str) -> dict[str, str]:
    """The letters of the men of each section that can be built, by its name."""
    command = [finale, "check", variants, "--json"]
    sections = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    rules = {one["name"]: one["rules"] for one in sections if one["rules"] is not None}
    return {name: departures.get("men", "kqrbnp") for name, departures in rules.items()}


def materials(men: str) -> list[str]:
    """Two and three men that show every kind, where a King is needed on both sides or not."""
    letters = men.upper()
    king = "K" if "K" in letters else ""
    kinds = [letter for letter in letters if letter != "K"]
    alone = [f"{king}{kind}v{king}" for kind in kinds] if king else []
    # Neighbours, so that there are as many pairs as kinds.
    pairs = [f"{one}v{other}" for one, other in itertools.pairwise(kinds)] if not king else []
    return alone + pairs


def compare(given: argparse.Namespace, game: str, material: str) -> tuple[str, bool | None]:
    """What solve.py makes of a material: a line, and whether all is the same; `None` if there is no
    such table."""
    options = ["--variants", given.variants, "--tables", given.tables]
    build = [given.finale, "build", game, material, *options]
    built = subprocess.run(build, capture_output=True, text=True)
    if built.returncode != 0:
        return built.stderr.strip().splitlines()[-1], None
    probe = shlex.join([given.finale, "probe", game, "--batch", *options])
    solver = [sys.executable, str(Path(__file__).with_name("solve.py"))]
    solver += ["--variants", given.variants, "--game", game, "--material", material]
    start = time.monotonic()
    solved = subprocess.run([*solver, "--against", probe], capture_output=True, text=True)
    seconds = time.monotonic() - start
    said = solved.stdout.strip().splitlines()
    same = solved.returncode == 0
    line = said[-1] if said else solved.stderr.strip()
    if not same:
        line = "\n".join([*said, *solved.stderr.strip().splitlines()[-3:]])
    return f"{line} ({seconds:.0f} s)", same


def main() -> None:
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--finale", required=True, help="the program")
    reader.add_argument("--variants", required=True, help="a file variants.ini")
    reader.add_argument("--tables", required=True, help="where tables are built")
    reader.add_argument("--log", required=True, type=Path, help="what has been compared")
    reader.add_argument("--minutes", type=float, default=60.0, help="when to stop (60)")
    given = reader.parse_args()
    end = time.monotonic() + 60 * given.minutes
    done = given.log.read_text(encoding="utf-8").splitlines() if given.log.exists() else []
    known = {tuple(line.split()[:2]) for line in done}
    games = {name: materials(men) for name, men in accepted(given.finale, given.variants).items()}
    rounds = itertools.zip_longest(*([(g, m) for m in all] for g, all in games.items()))
    all_same = not any(line.split()[2:3] == ["different:"] for line in done)
    with given.log.open("a", encoding="utf-8") as log:
        for game, material in filter(None, itertools.chain.from_iterable(rounds)):
            if time.monotonic() > end:
                break
            if (game, material) in known:
                continue
            said, same = compare(given, game, material)
            verdict = {None: "no table:", True: "same:", False: "different:"}[same]
            line = f"{game} {material} {verdict} {said}"
            print(line, flush=True)
            print(line, file=log, flush=True)
            all_same &= same is not False
    sys.exit(0 if all_same else 1)


if __name__ == "__main__":
    main()
