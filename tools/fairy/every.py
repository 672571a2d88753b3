#!/usr/bin/env python3
"""Builds tables of every game of a file and compares them with pyffish, until the time is over.

    python fast_pyffish.py fast
    PYTHONPATH=fast python every.py --finale target/release/finale --variants my.ini \\
        --tables DIR --log done.jsonl --minutes 60

The games are those sections of the file that `finale check` accepts, or those that `--game` names.
For each, materials are chosen so that they cover the men it has, on both sides: those of two and
three men, which are solved (`solve.py`) and compared position by position, and those of up to
`--men` men, of which positions are drawn at random (`solve.py --sample`). Men that move otherwise
than in orthodox chess come first. All games take turns, a material each.

Prints a line for each material: `solved` or `sample`, how many positions were compared,
differences, refusals of positions that a move leads to, and seconds. What finale does not build is told, and is
no difference. The exit code is 1 if anything differs.

finale builds into DIR, and the log gets a line for each material, as JSON. What the log has of a
game with the same rules is not done again, so that another call goes on where one ended. For
another version of finale, take other ones.
"""

import argparse
import itertools
import json
import random
import re
import shlex
import string
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyffish

import perft
import solve

COUNTS = re.compile(r"^(\d+) equal, (\d+) different, (\d+) refused, (\d+) refused to", re.M)
# What pyffish says of a letter that is no man's; it has no name for that.
INVALID_CHAR = -10
# How often a material is put on the board to see whether it has positions.
TRIES = 30
# How many materials of a number of men are looked at; of four men there may be too many for all.
CANDIDATES = 4000
# A solver that takes longer than this is stopped, since the other games wait.
SECONDS = 900


@dataclass
class Section:
    """A game of the file, and the tasks that are left, with what may be said of each."""

    name: str
    rules: dict
    # Where the man P may stand, if that is not where pawns may.
    squares: list[str]
    tasks: Iterator[tuple[str, str]]


def letters_of(game: solve.Game) -> list[str]:
    """The letters of all men, as pyffish takes them in FENs."""
    start = pyffish.start_fen(game.name).split()[0]
    found = []
    with solve.without_complaints():
        for letter in string.ascii_uppercase:
            rank = letter + str(game.files - 1)
            fen = "/".join([rank, *start.split("[")[0].split("/")[1:]]) + " w - - 0 1"
            if pyffish.validate_fen(fen, game.name) != INVALID_CHAR:
                found.append(letter)
    return found


def material(white: str, black: str) -> str:
    return f"{white}v{black}"


def goes_on(game: solve.Game, text: str, chance: random.Random) -> bool:
    """Whether a position of the material was found in which the game goes on."""
    men = solve.read_material(game, text, [])
    for _ in range(TRIES):
        fen = solve.placed_anyhow(game, men, chance, TRIES)
        if fen is None:
            return False
        if pyffish.legal_moves(game.name, fen, []):
            return True
    return False


def moves_alone(game: solve.Game, letter: str, smallest: str) -> set[str]:
    """The moves of a man on an empty board, but for the men of a smallest material."""
    files = string.ascii_lowercase
    ranks = len(game.empty) // game.files
    square = f"{files[game.files // 2 - 1]}{ranks // 2}"
    white, black = smallest.split("v")
    # There may be no second King.
    white = white if letter in white else white + letter
    men = solve.read_material(game, material(white, black), [f"{letter}={square}"])
    chance = random.Random(1)
    found = set()
    for _ in range(TRIES):
        fen = solve.placed_anyhow(game, men, chance, TRIES)
        for move in pyffish.legal_moves(game.name, fen, []) if fen and " w " in fen else []:
            if move.startswith(square):
                found.add(move)
    return found


def walks_on(game: solve.Game, smallest: str) -> bool:
    """Whether a man P goes on to the last rank and stays what it is, as pawns do not."""
    white, black = smallest.split("v")
    ranks = len(game.empty) // game.files
    men = solve.read_material(game, material(white + "P", black), [f"P=*{ranks - 1}"])
    chance = random.Random(1)
    for _ in range(TRIES):
        fen = solve.placed_anyhow(game, men, chance, TRIES)
        for move in pyffish.legal_moves(game.name, fen, []) if fen and " w " in fen else []:
            onto_last = re.fullmatch(rf"[a-z]{ranks - 1}[a-z]{ranks}", move)
            moved = solve.cells(solve.after(game, fen, move).split()[0])[0]
            if onto_last and "P" in moved:
                return True
    return False


def promoting_men(game: solve.Game, rules: dict) -> dict[str, str]:
    """Where men stand that must promote elsewhere, by their letters."""
    if not rules.get("mandatoryPiecePromotion") or rules.get("piecePromotionOnCapture"):
        return {}
    files = string.ascii_lowercase[: game.files]
    ranks = len(game.empty) // game.files
    found = {}
    for pair in rules["promotedPieceType"].split():
        for letter, side, last in ((pair[0].upper(), "White", 8), (pair[0], "Black", 1)):
            there = rules.get(f"promotionRegion{side}", " ".join(f"{file}{last}" for file in files))
            squares = (f"{file}{rank + 1}" for rank in range(ranks) for file in files)
            found[letter] = " ".join(square for square in squares if square not in there.split())
    return found


def features(text: str) -> set[tuple[str, ...]]:
    """What a material can show: men of each side, and men that meet."""
    white, black = text.split("v")
    found = {("white", man) for man in white} | {("black", man) for man in black}
    found |= {("with", *sorted(pair)) for pair in itertools.combinations(white, 2)}
    found |= {("with", *sorted(pair)) for pair in itertools.combinations(black, 2)}
    found |= {("against", *pair) for pair in itertools.product(white, black)}
    return found


def worth(feature: tuple[str, ...], special: set[str]) -> int:
    men = sum(man in special for man in feature[1:])
    return 1 + 4 * men + (6 if feature[0] in ("white", "black") else 0)


def chosen(candidates: list[str], special: set[str], seen: set, count: int) -> list[str]:
    """Materials that show as much as possible, the best first."""
    left = {text: features(text) for text in candidates}
    found = []
    while left and len(found) < count:
        def gain(text: str) -> tuple[int, int]:
            new = sum(worth(feature, special) for feature in left[text] - seen)
            return new, -len(text)

        best = max(left, key=gain)
        if gain(best)[0] == 0:
            break
        seen |= left.pop(best)
        found.append(best)
    return found


def materials(game: solve.Game, total: int) -> list[str]:
    """Materials of so many men that have positions in which the game goes on, in any order."""
    chance = random.Random(f"{game.name} {total}")
    letters = sorted(letters_of(game), key=lambda letter: (letter != "K", letter))

    def sides(size: int) -> list[str]:
        return ["".join(one) for one in itertools.combinations_with_replacement(letters, size)]

    splits = [(white, total - white) for white in range(1, total)]
    pairs = [pair for one, other in splits for pair in itertools.product(sides(one), sides(other))]
    texts = [material(*pair) for pair in chance.sample(pairs, min(len(pairs), CANDIDATES))]
    return [text for text in texts if goes_on(game, text, chance)]


def special_men(game: solve.Game, smallest: str) -> set[str]:
    """The letters of men that move otherwise than those of orthodox chess."""
    plain = solve.load_game("chess", None)
    return {
        letter
        for letter in letters_of(game)
        if letter not in "KQRBNP"
        or moves_alone(game, letter, smallest) != moves_alone(plain, letter, "KvK")
    }


def tasks(game: solve.Game, small: list[str], men: int, count: int) -> Iterator[tuple[str, str]]:
    """A look at everything first, since it takes little, then what takes longer."""
    special = special_men(game, small[0]) if small else set()
    seen = set()
    solved = chosen(small, special, seen, count)
    for text in solved:
        yield "sample", text
    large = [text for total in range(4, men + 1) for text in materials(game, total)]
    sampled = chosen(large, special, seen, count)
    for other, text in itertools.zip_longest(sampled, solved):
        if other is not None:
            yield "sample", other
        if text is not None:
            yield "solved", text


def opened(name: str, rules: dict, given: argparse.Namespace) -> Section | None:
    if name not in pyffish.variants():
        print(f"{name}: pyffish does not know it", flush=True)
        return None
    game = solve.load_game(name, None)
    if len(game.empty) == game.files:
        # How men and pawns move is tried out in the middle and on the last ranks.
        print(f"{name}: a board of one rank is not looked into", flush=True)
        return None
    small = materials(game, 2) + materials(game, 3)
    squares = []
    if "P" in letters_of(game) and small and walks_on(game, small[0]):
        ranks = [f"*{rank + 1}" for rank in range(len(game.empty) // game.files)]
        # Pawns that need not promote stand on the last rank, and not on the first.
        first = 1 if rules.get("mandatoryPawnPromotion") is False else 0
        squares = [
            f"P={' '.join(ranks[first:])}",
            f"p={' '.join(ranks[: len(ranks) - first])}",
        ]
    squares += [f"{letter}={there}" for letter, there in promoting_men(game, rules).items()]
    return Section(name, rules, squares, tasks(game, small, given.men, given.materials))


def build(section: Section, text: str, given: argparse.Namespace) -> str:
    """Builds a table, and those it needs; what finale says if it does not."""
    options = ["--tables", str(given.tables), "--variants", str(given.variants)]
    command = [given.finale, "build", section.name, text, "--memory", given.memory, *options]
    said = subprocess.run(command, capture_output=True, text=True)
    return said.stderr.strip() if said.returncode else ""


def compared(section: Section, how: str, text: str, given: argparse.Namespace) -> dict:
    """Compares one material with what pyffish says."""
    began = time.monotonic()
    wrong = build(section, text, given)
    if wrong:
        return {"not_built": wrong}
    options = ["--tables", given.tables, "--variants", given.variants]
    asking = [given.finale, "probe", section.name, "--batch", *options]
    command = [sys.executable, str(Path(solve.__file__)), "--variants", str(given.variants)]
    command += ["--game", section.name, "--material", text]
    command += ["--against", shlex.join(map(str, asking))]
    for squares in section.squares:
        command += ["--squares", squares]
    command += ["--sample", str(given.sample)] if how == "sample" else ["--all-reached"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"failed": f"stopped after {SECONDS} s"}
    counts = COUNTS.search(said.stdout)
    if counts is None:
        return {"failed": said.stderr.strip()[-400:] or f"exit code {said.returncode}"}
    equal, different, refused, unreachable = map(int, counts.groups())
    return {
        "positions": equal + different,
        "different": different,
        "refused": refused,
        "unreachable": unreachable,
        "seconds": round(time.monotonic() - began, 1),
        "examples": said.stdout[counts.end() :].splitlines()[1:] if said.returncode else [],
    }


def told(name: str, how: str, text: str, came: dict) -> str:
    start = f"{name:20} {how} {text:8}"
    if "positions" not in came:
        what = "not built" if "not_built" in came else "failed"
        lines = (came.get("not_built") or came["failed"]).splitlines()
        return f"{start} {what}: {lines[-1]}"
    line = (
        f"{start} {came['positions']:7} positions, {came['different']} different, "
        f"{came['refused']} refused, {came['seconds']} s"
    )
    return "\n".join([line, *came["examples"]])


def is_wrong(came: dict) -> bool:
    return "failed" in came or bool(came.get("different") or came.get("refused"))


def key(name: str, rules: dict, how: str, text: str) -> str:
    return json.dumps([name, rules, how, text], sort_keys=True)


def done_before(log: Path) -> dict[str, dict]:
    if not log.exists():
        return {}
    text = log.read_text(encoding="utf-8")
    # A call that was stopped may have left a piece of a line.
    lines = [json.loads(line) for line in text.splitlines() if line.endswith("}")]
    return {key(*line["task"]): line["came"] for line in lines}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--finale", required=True, metavar="PROGRAM", help="the program finale")
    parser.add_argument("--variants", required=True, type=Path, metavar="FILE")
    parser.add_argument("--tables", required=True, type=Path, metavar="DIR", help="where to build")
    parser.add_argument("--log", required=True, type=Path, metavar="FILE", help="what is done")
    parser.add_argument("--minutes", type=float, default=10, help="when to stop [10]")
    parser.add_argument("--game", action="append", help="only this game; repeatable")
    parser.add_argument("--men", type=int, default=4, help="how many men at most [4]")
    parser.add_argument("--materials", type=int, default=20, help="of each kind, a game [20]")
    parser.add_argument("--sample", type=int, default=1000, help="positions of a sample [1000]")
    parser.add_argument("--only", choices=["solved", "sample"], help="do only these")
    parser.add_argument("--memory", default="1G", help="for building tables [1G]")
    return parser.parse_args()


def run(given: argparse.Namespace) -> bool:
    """Goes round the games until the time or the work is over; whether all is the same."""
    end = time.monotonic() + 60 * given.minutes
    done = done_before(given.log)
    games = perft.Finale(given.finale, given.variants).games()
    names = given.game or list(games)
    pyffish.load_variant_config(given.variants.read_text(encoding="utf-8"))
    waiting = [opened(name, games[name], given) for name in names]
    sections = [section for section in waiting if section is not None]
    same = len(sections) == len(waiting)
    while sections and time.monotonic() < end:
        section = sections.pop(0)
        task = next(section.tasks, None)
        if task is None:
            continue
        sections.append(section)
        how, text = task
        if given.only not in (None, how):
            continue
        name = key(section.name, section.rules, how, text)
        came = done.get(name)
        if came is None:
            came = compared(section, how, text, given)
            with given.log.open("a", encoding="utf-8") as file:
                line = {"task": [section.name, section.rules, how, text], "came": came}
                file.write(json.dumps(line) + "\n")
            print(told(section.name, how, text, came), flush=True)
        elif is_wrong(came):
            print(told(section.name, how, text, came), flush=True)
        same = same and not is_wrong(came)
    return same


if __name__ == "__main__":
    solve.exit_with(lambda: run(arguments()))
