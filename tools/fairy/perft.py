#!/usr/bin/env python3
"""Counts sequences of moves in every game of a file by finale and by pyffish, and compares.

    pip install pyffish
    python perft.py --finale target/release/finale
    python perft.py --finale target/release/finale --variants my.ini --positions 200

The games are those sections of the file that `finale check` accepts, and the built-in ones that
pyffish knows too; `--game` picks some. For each, the sequences of `--depth` moves are counted from
the start position and from positions that random legal play of pyffish leads to; where that would
be more than about `--limit` sequences, of one move less. The same seed gives the same positions.

A game in which finale knows no castling is played without: the rights are taken from its FENs, and
its line says so.

A difference prints the game, the FEN and both counts for each first move they differ in, and then
goes down the first of these to a position in which the moves themselves differ. The exit code is 1
if there is any.
"""

import argparse
import json
import random
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pyffish

import solve

# The games of finale's collection, which have the same names there.
COLLECTION = """
    nocastle raazuvaa torpedo asean ai-wok chaturanga shatranj amazon nightrider grasshopper hoppelpoppel
    newzealand misere losers codrus extinction kinglet threekings nocheckatomic atomar almost sortofalmost
    chigorin perfect 5check horde coregal legan
""".split()

# The games that finale knows without a file, and pyffish's names of them.
BUILT_IN = {
    "orthodox": "chess",
    "koth": "kingofthehill",
    "antichess": "antichess",
    "atomic": "atomic",
    "3check": "3check",
    "knightmate": "knightmate",
    "makruk": "makruk",
    "racingkings": "racingkings",
    "gardner": "gardner",
    "losalamos": "losalamos",
} | {name: name for name in COLLECTION}


@dataclass
class Finale:
    """The program, with the file of variants it reads."""

    program: str
    variants: Path | None

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess:
        command = [self.program, *arguments]
        if self.variants is not None:
            command += ["--variants", str(self.variants)]
        return subprocess.run(command, capture_output=True, text=True)

    def games(self) -> dict[str, dict]:
        """The sections of the file that can be built, with their departures from chess."""
        if self.variants is None:
            return {}
        said = self("check", str(self.variants), "--json")
        if not said.stdout:
            raise ValueError(said.stderr.strip())
        sections = json.loads(said.stdout)
        return {one["name"]: one["rules"] for one in sections if one["rules"] is not None}

    def perft(self, game: str, fen: str, depth: int) -> dict:
        """What it counts behind each first move, or why it counts nothing."""
        said = self("perft", game, fen, str(depth), "--divide", "--json")
        return json.loads(said.stdout) if said.stdout else {"error": said.stderr.strip()}


@dataclass
class Place:
    """A position, what pyffish counts behind each first move, and how deep."""

    fen: str
    depth: int
    turns: dict[str, int]


def without_castling(fen: str) -> str:
    placement, side, _, *others = fen.split(" ")
    return " ".join([placement, side, "-", *others])


def counted(name: str, fen: str, depth: int) -> dict[str, int]:
    """How many sequences of moves begin with each."""
    if depth == 0:
        return {}
    moves = pyffish.legal_moves(name, fen, [])
    return {
        move: solve.perft(name, fen, [move], depth - 1) if depth > 1 else 1 for move in moves
    }


def place(name: str, fen: str, depth: int, limit: int) -> Place:
    """Counts from a position, less deep where there are many moves."""
    moves = len(pyffish.legal_moves(name, fen, []))
    while depth > 1 and moves**depth > limit:
        depth -= 1
    return Place(fen, depth, counted(name, fen, depth))


def starts(name: str, castles: bool, positions: int, seed: int) -> list[str]:
    """The start position, and others that moves at random lead to."""
    game = solve.load_game(name, None)
    start = solve.reduced(pyffish.get_fen(name, pyffish.start_fen(name), []))
    start = start if castles else without_castling(start)
    chance = random.Random(f"{seed} {name}")
    played = [solve.played_at_random(game, chance, start) for _ in range(positions)]
    return list(dict.fromkeys([start, *played]))


def knows_castling(finale: Finale, game: str, name: str) -> bool:
    """Whether finale takes the castling rights of the start position, if it has any."""
    fen = pyffish.get_fen(name, pyffish.start_fen(name), [])
    if "error" not in finale.perft(game, fen, 0):
        return True
    # If something else is wrong with it, the comparison will tell.
    return "error" in finale.perft(game, without_castling(fen), 0)


def difference(finale: Finale, game: str, name: str, here: Place, said: dict) -> list[str]:
    """What to say of a position in which the counts differ."""
    lines = [f"  {game}: {here.fen}"]
    if "error" in said:
        return [*lines, f"    refused: {said['error']}"]
    turns = said["turns"]
    only_here = sorted(set(here.turns) - set(turns))
    only_there = sorted(set(turns) - set(here.turns))
    if only_here or only_there:
        lines.append(f"    only pyffish moves {' '.join(only_here) or '-'}")
        lines.append(f"    only finale moves  {' '.join(only_there) or '-'}")
        return lines
    differing = [move for move in here.turns if here.turns[move] != turns[move]]
    for move in differing:
        lines.append(f"    {move}: finale {turns[move]}, pyffish {here.turns[move]}")
    if not differing:
        return lines
    fen = solve.reduced(pyffish.get_fen(name, here.fen, [differing[0]]))
    below = Place(fen, here.depth - 1, counted(name, fen, here.depth - 1))
    said_below = finale.perft(game, fen, below.depth)
    if said_below.get("turns") == below.turns:
        return [*lines, f"    after {differing[0]} all is equal if finale is given {fen}"]
    return lines + difference(finale, game, name, below, said_below)


def compare(finale: Finale, game: str, given: argparse.Namespace) -> bool:
    """Compares one game; whether all is the same."""
    name = BUILT_IN.get(game, game)
    if name not in pyffish.variants():
        print(f"{game}: pyffish does not know it", flush=True)
        return False
    began = time.monotonic()
    castles = knows_castling(finale, game, name)
    fens = starts(name, castles, given.positions, given.seed)
    here = [place(name, fen, given.depth, given.limit) for fen in fens]
    with ThreadPoolExecutor(given.jobs) as pool:
        there = list(pool.map(lambda one: finale.perft(game, one.fen, one.depth), here))
    unequal = [at for at, one in enumerate(here) if there[at].get("turns") != one.turns]
    total = sum(sum(one.turns.values()) for one in here)
    print(
        f"{game}: {len(here)} positions, {total} sequences of up to "
        f"{max(one.depth for one in here)} moves, {len(unequal)} positions different, "
        f"{time.monotonic() - began:.1f} s{'' if castles else ', no castling'}",
        flush=True,
    )
    for at in unequal[: given.shown]:
        print("\n".join(difference(finale, game, name, here[at], there[at])), flush=True)
    return not unequal


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--finale", required=True, metavar="PROGRAM", help="the program finale")
    parser.add_argument("--variants", type=Path, metavar="FILE", help="a file variants.ini")
    parser.add_argument("--game", action="append", help="only this game; repeatable")
    parser.add_argument("--depth", type=int, default=3, help="how many moves deep [3]")
    parser.add_argument("--positions", type=int, default=50, help="random ones a game [50]")
    parser.add_argument("--limit", type=int, default=100_000, help="sequences a position [100000]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shown", type=int, default=3, help="differences printed a game [3]")
    parser.add_argument("--jobs", type=int, default=2, help="how many finale run at once [2]")
    return parser.parse_args()


def run(given: argparse.Namespace) -> bool:
    finale = Finale(given.finale, given.variants)
    if given.variants is not None:
        pyffish.load_variant_config(given.variants.read_text(encoding="utf-8"))
    games = given.game or [*BUILT_IN, *finale.games()]
    # No game is left out because another one differs.
    return all([compare(finale, game, given) for game in games])


if __name__ == "__main__":
    solve.exit_with(lambda: run(arguments()))
