#!/usr/bin/env python3
"""Solves endings of games that Fairy-Stockfish knows, and compares another program with that.

The games are the built-in ones of the package `pyffish` and those that a file `variants.ini`
defines. All rules come from pyffish: this program only works back from the ends of the game. It is
separate from finale, and shares nothing with it, so that the two can check each other; and because
pyffish is under the GPL, which finale is not.

    pip install pyffish
    python solve.py --game chess --material KQvK
    python solve.py --variants my.ini --game mygame --material KQvK \\
        --against "finale probe mygame --variants my.ini --batch --tables DIR"
    python solve.py --variants my.ini --game mygame --material KQRvKN --sample 2000 \\
        --against "finale probe mygame --variants my.ini --batch --tables DIR"
    python solve.py --variants my.ini --game mygame --material KQvK --perft 3 --positions 500 \\
        --against "finale perft mygame --variants my.ini --json"

Without --against it prints how many positions are won, drawn and lost, and the longest win. With
it, every position is sent to the command, a FEN a line, which answers a line each: a JSON object
with `wdl` (win, draw or loss for the side to move) and perhaps `dtm` (plies to the end of the game,
null in a draw), or with `error`. With --perft, the command is run for each position with the FEN
and the depth as two more arguments, and prints a JSON object with `count`. The exit code is 1 if
anything differs.

With --sample, nothing is solved: positions are drawn at random, the command is asked about them and
all that their moves lead to, and what it says of each must follow from what it says of those. This
takes seconds for materials of any size. A value that is wrong everywhere alike may stay unseen, and
so may one that is rarely wrong.

The package from PyPI prepares the game anew in every call, which takes more than a millisecond:
KQvK would take hours. `fast_pyffish.py` builds one that does not.

**What counts as a position:** the men of the material on different squares, pawns (the letter P)
not on the first and last rank if --squares does not say otherwise, either side to move, no
castling, nothing to take in passing, no checks given so far; if pyffish finds nothing wrong with
the FEN, and the side that has just moved is not in check. Blocked squares (`*`) stay where the
start position has them. A position in which the game is over by a rule of the game is kept.

Some of these positions can't arise, such as those with the King of the side to move on its goal.
pyffish does not tell which. If the command refuses one, that is a difference only if a position
that was looked at has a move to it.

**What is left out:** n-fold repetition, the n-move rule, counting rules, and what only a player may
claim. pyffish is always given a fresh position with its counters at zero.
"""

import argparse
import contextlib
import functools
import itertools
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyffish

RESULTS = ["draw", "win", "loss"]
DRAW, WIN, LOSS = range(3)
SHOWN = 10
# How often men are put on the board before their material is taken to have no legal position.
TRIES = 10_000
# A call that takes longer is one that prepares the game anew.
SLOW_CALL = 0.0003


@dataclass
class Game:
    """A game, and what FENs of it look like."""

    name: str
    files: int
    # What stands on each square of the empty board, from a8 to h1: nothing, or a blocked square.
    empty: list[str]
    # The field of men in hand, if the game has one.
    hand: str
    # The fields between the side to move and the counters.
    state: str
    # Whether FENs must tell men that were pawns (`Q~`), because they are pawns again once taken.
    tells_promoted: bool


@dataclass
class Man:
    letter: str
    squares: list[int]


@contextlib.contextmanager
def without_complaints() -> Iterator[None]:
    """pyffish writes to stderr what is wrong with a FEN; of a million FENs nobody wants that."""
    sys.stderr.flush()
    kept = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def cells(placement: str) -> list[list[str]]:
    """The squares of each rank of a FEN; a number, which may have two digits, is empty squares."""
    ranks = []
    for rank in placement.split("[")[0].split("/"):
        ranks.append([])
        for part in re.findall(r"\d+|\+?[^\d+]~?", rank):
            ranks[-1] += [""] * int(part) if part.isdigit() else [part]
    return ranks


def load_game(name: str, variants: Path | None) -> Game:
    if variants is not None:
        pyffish.load_variant_config(variants.read_text(encoding="utf-8"))
    if name not in pyffish.variants():
        raise ValueError(f"pyffish knows no game {name!r}")
    # The start position as the file has it may leave fields out.
    placement, _, state = reduced(pyffish.get_fen(name, pyffish.start_fen(name), [])).split(" ", 2)
    ranks = cells(placement)
    # No castling and nothing to take in passing; only the number of checks to give may stay.
    checks = [field for field in state.split() if "+" in field]
    return Game(
        name=name,
        files=len(ranks[0]),
        empty=[cell if cell == "*" else "" for rank in ranks for cell in rank],
        hand="[]" if "[" in placement else "",
        state=" ".join(["-", "-", *checks]),
        tells_promoted=pyffish.captures_to_hand(name),
    )


def reduced(fen: str) -> str:
    """A FEN with its counters at zero, so that equal positions have equal FENs."""
    placement, side, castling, passing, *others = fen.split()
    # Where moves are counted after the last pawn, the limit stands in place of that square.
    if passing.isdigit():
        passing = "-"
    checks = [field for field in others if "+" in field]
    return " ".join([placement, side, castling, passing, *checks, "0 1"])


@functools.cache
def rank_text(rank: tuple[str, ...]) -> str:
    parts = []
    for man, squares in itertools.groupby(rank):
        count = len(list(squares))
        parts.append(man * count if man else str(count))
    return "".join(parts)


def placement_text(game: Game, board: list[str]) -> str:
    starts = range(0, len(board), game.files)
    ranks = [rank_text(tuple(board[start : start + game.files])) for start in starts]
    return "/".join(ranks) + game.hand


def squares_of(game: Game, text: str) -> list[int]:
    """Squares as a variants.ini writes them: `d4 e4`, or `*7` for a whole rank."""
    found = []
    ranks = len(game.empty) // game.files
    for square in text.split():
        match = re.fullmatch(r"([a-z*])(\d+)", square)
        if match is None or not 1 <= int(match[2]) <= ranks:
            raise ValueError(f"{square!r} is no square of {game.name}")
        start = (ranks - int(match[2])) * game.files
        file = ord(match[1]) - ord("a")
        if match[1] != "*" and file >= game.files:
            raise ValueError(f"{square!r} is no square of {game.name}")
        found += range(start, start + game.files) if match[1] == "*" else [start + file]
    return sorted(set(found))


def read_material(game: Game, material: str, regions: list[str]) -> list[Man]:
    """The men of both sides, like men side by side, with the squares they may stand on."""
    sides = re.fullmatch(r"((?:\+?[A-Z])+)v((?:\+?[A-Z])+)", material)
    if sides is None:
        raise ValueError(f"{material!r} is no material like KQvK")
    ranks = len(game.empty) // game.files
    inner = range(game.files, game.files * (ranks - 1))
    allowed = {"P": list(inner), "p": list(inner)}
    for region in regions:
        letter, squares = region.split("=")
        allowed[letter] = squares_of(game, squares)
    free = [square for square, cell in enumerate(game.empty) if not cell]
    men = []
    for side, letter_of in ((sides[1], str.upper), (sides[2], str.lower)):
        for man in sorted(re.findall(r"\+?[A-Z]", side)):
            letter = letter_of(man)
            squares = set(allowed.get(letter, free))
            men.append(Man(letter, [square for square in free if square in squares]))
    return men


def placements(game: Game, men: list[Man]) -> Iterator[str]:
    """Every way to put the men on the board; like men are not told apart."""
    board = list(game.empty)

    def put(at: int, least: int) -> Iterator[str]:
        if at == len(men):
            yield placement_text(game, board)
            return
        man = men[at]
        for square in man.squares:
            if board[square] or square < least:
                continue
            board[square] = man.letter
            like = at + 1 < len(men) and men[at + 1].letter == man.letter
            yield from put(at + 1, square if like else 0)
            board[square] = ""

    return put(0, 0)


def fen_of(game: Game, placement: str, side: str) -> str:
    return f"{placement} {side} {game.state} 0 1"


def is_legal(game: Game, placement: str, side: str) -> bool:
    """Whether pyffish takes the FEN, and the side not to move could not be taken its King."""
    if pyffish.validate_fen(fen_of(game, placement, side), game.name) != pyffish.FEN_OK:
        return False
    other = "b" if side == "w" else "w"
    return not pyffish.gives_check(game.name, fen_of(game, placement, other), [])


def legal_positions(game: Game, men: list[Man]) -> list[str]:
    fens = []
    with without_complaints():
        for placement in placements(game, men):
            for side in "wb":
                if is_legal(game, placement, side):
                    fens.append(fen_of(game, placement, side))
    return fens


def outcome(value: int) -> int:
    """What pyffish's value of an end means, which is seen by the side to move."""
    known = {pyffish.VALUE_DRAW: DRAW, pyffish.VALUE_MATE: WIN, -pyffish.VALUE_MATE: LOSS}
    if value not in known:
        # pyffish says nothing of a wrong value in a file, and then gives a number of its own.
        raise ValueError(f"pyffish gives an end the value {value}; is a value in the file wrong?")
    return known[value]


def moves_or_end(game: Game, fen: str) -> tuple[list[str], int | None]:
    """The moves of a position or, if there are none, the result for the side to move."""
    # Where a game is over by a rule of the game, pyffish gives no moves; test.py makes sure of it.
    moves = pyffish.legal_moves(game.name, fen, [])
    if moves:
        return moves, None
    over, value = pyffish.is_immediate_game_end(game.name, fen, [])
    # Mate and stalemate are no immediate ends.
    return [], outcome(value if over else pyffish.game_result(game.name, fen, []))


class Graph:
    """Positions, numbered, with all that moves lead to, however many captures that takes.

    The moves of position n lead to targets[starts[n]] .. targets[starts[n + 1]].
    """

    def __init__(self, game: Game, fens: list[str]) -> None:
        self.game = game
        self.fens = list(fens)
        self.number = {fen: at for at, fen in enumerate(self.fens)}
        self.starts = array("Q", [0])
        self.targets = array("I")
        # What the game ended with, where it has.
        self.ends: dict[int, int] = {}
        # The positions that were asked for; those behind them follow.
        self.asked = len(self.fens)
        self.explore()

    def explore(self) -> None:
        start = time.monotonic()
        at = 0
        while at < len(self.fens):
            self.look(at)
            at += 1
            if at % 100_000 == 0:
                took = time.monotonic() - start
                note(f"{at} of {len(self.fens)} positions so far, {took:.0f} s")

    def look(self, at: int) -> None:
        fen = self.fens[at]
        moves, end = moves_or_end(self.game, fen)
        if end is not None:
            self.ends[at] = end
        for move in moves:
            self.targets.append(self.numbered(after(self.game, fen, move)))
        self.starts.append(len(self.targets))

    def numbered(self, fen: str) -> int:
        at = self.number.setdefault(fen, len(self.fens))
        if at == len(self.fens):
            self.fens.append(fen)
        return at

    def moves_to(self) -> tuple[array, array]:
        """The graph the other way round: where each position is reached from."""
        starts = array("Q", bytes(8 * (len(self.fens) + 1)))
        for target in self.targets:
            starts[target + 1] += 1
        for at in range(len(self.fens)):
            starts[at + 1] += starts[at]
        free = array("Q", starts)
        sources = array("I", bytes(4 * len(self.targets)))
        for at in range(len(self.fens)):
            for target in self.targets[self.starts[at] : self.starts[at + 1]]:
                sources[free[target]] = at
                free[target] += 1
        return starts, sources


def after(game: Game, fen: str, move: str) -> str:
    promoted = game.tells_promoted
    return reduced(pyffish.get_fen(game.name, fen, [move], False, False, promoted))


@dataclass
class Solution:
    graph: Graph
    # For each position, the result for the side to move, and the plies to the end of the game.
    results: bytearray
    plies: array
    # Which positions a move leads to.
    reached: bytearray


def solve(graph: Graph) -> Solution:
    """Works back from the ends, one more ply at a time.

    A move to a lost position wins, at once known to be the shortest; a position whose moves all
    lead to won ones is lost, and the last of them that became known is the longest. What stays
    open is a draw.
    """
    size = len(graph.fens)
    results = bytearray(size)
    plies = array("i", [-1]) * size
    starts, sources = graph.moves_to()
    reached = bytearray(starts[at + 1] > starts[at] for at in range(size))
    escapes = array("I", (graph.starts[at + 1] - graph.starts[at] for at in range(size)))
    level = [at for at, end in graph.ends.items() if end != DRAW]
    for at in level:
        results[at], plies[at] = graph.ends[at], 0
    depth = 0
    while level:
        depth += 1
        found = []
        for at in level:
            lost = results[at] == LOSS
            for source in sources[starts[at] : starts[at + 1]]:
                if results[source] != DRAW:
                    continue
                escapes[source] -= 1
                if lost or escapes[source] == 0:
                    results[source] = WIN if lost else LOSS
                    plies[source] = depth
                    found.append(source)
        level = found
    return Solution(graph, results, plies, reached)


def note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def summary(solution: Solution) -> list[str]:
    """Counts and the longest wins of the positions that were asked for."""
    graph = solution.graph
    lines = []
    for side, name in (("w", "White"), ("b", "Black")):
        ours = [at for at in range(graph.asked) if graph.fens[at].split(" ", 2)[1] == side]
        counts = [0, 0, 0]
        for at in ours:
            counts[solution.results[at]] += 1
        over = sum(at in graph.ends for at in ours)
        lines.append(
            f"{name} to move: {len(ours)} positions, {counts[WIN]} won, {counts[DRAW]} drawn, "
            f"{counts[LOSS]} lost; the game is over in {over}"
        )
        for result in (WIN, LOSS):
            decided = [at for at in ours if solution.results[at] == result]
            if decided:
                longest = max(decided, key=lambda at: solution.plies[at])
                plies = solution.plies[longest]
                lines.append(f"  longest {RESULTS[result]}: {plies} plies, {graph.fens[longest]}")
    unreached = solution.reached[: graph.asked].count(0)
    behind = len(graph.fens) - graph.asked
    lines.append(f"to {unreached} of these positions no move was seen")
    lines.append(f"{behind} more positions lie behind these, {len(graph.targets)} moves in all")
    return lines


def answers(command: str, fens: list[str]) -> Iterator[dict]:
    """What a command that reads FENs answers, in their order."""
    with tempfile.TemporaryFile("w+") as file:
        file.writelines(f"{fen}\n" for fen in fens)
        file.seek(0)
        arguments = shlex.split(command)
        with subprocess.Popen(arguments, stdin=file, stdout=subprocess.PIPE, text=True) as asked:
            count = 0
            for count, line in enumerate(asked.stdout, 1):
                yield json.loads(line)
    if count != len(fens):
        raise ValueError(f"{command!r} answered {count} lines of {len(fens)}")


def difference(result: int, plies: int | None, answer: dict) -> str | None:
    """How an answer differs from what was found; plies that are not known are not compared."""
    expected = None if result == DRAW else plies
    known = result == DRAW or plies is not None
    if answer.get("wdl") != RESULTS[result] or (known and answer.get("dtm", expected) != expected):
        said = " ".join(str(answer[key]) for key in ("wdl", "dtm") if answer.get(key) is not None)
        return f"{said}, here {RESULTS[result]} {'' if expected is None else expected}".rstrip()
    return None


class Comparison:
    """What came of comparing, and examples of differences."""

    def __init__(self) -> None:
        self.equal = self.unequal = self.refused = self.unreachable = 0
        self.examples: list[str] = []
        self.refusals: list[str] = []

    def compared(self, fen: str, differs: str | None) -> None:
        self.equal += differs is None
        self.unequal += differs is not None
        if differs is not None and len(self.examples) < SHOWN:
            self.examples.append(f"  {fen}: {differs}")

    def no_answer(self, fen: str, reached: bool, error: str) -> None:
        """The command knows nothing of a position; that matters if a move leads to it."""
        self.refused += reached
        self.unreachable += not reached
        if reached and len(self.refusals) < SHOWN:
            self.refusals.append(f"  refused: {fen}: {error}")

    def tell(self) -> bool:
        """Prints it; whether all is the same."""
        print(
            f"{self.equal} equal, {self.unequal} different, {self.refused} refused, "
            f"{self.unreachable} refused to which no move was seen"
        )
        for line in self.examples + self.refusals:
            print(line)
        return self.unequal == 0 and self.refused == 0


def compare(solution: Solution, command: str, all_reached: bool) -> bool:
    """Asks the command about every position; whether all is the same."""
    fens = solution.graph.fens
    asked = fens if all_reached else fens[: solution.graph.asked]
    found = Comparison()
    for at, answer in enumerate(answers(command, asked)):
        if "error" in answer:
            found.no_answer(fens[at], bool(solution.reached[at]), answer["error"])
        else:
            found.compared(fens[at], difference(solution.results[at], solution.plies[at], answer))
    return found.tell()


def follows(behind: list[dict]) -> tuple[int, int | None]:
    """The result of a position and the plies, from the answers about all its moves lead to."""
    known = [(RESULTS.index(answer["wdl"]), answer.get("dtm")) for answer in behind]
    wins = [plies for result, plies in known if result == LOSS]
    if wins:
        return WIN, None if None in wins else min(wins) + 1
    if any(result == DRAW for result, _ in known):
        return DRAW, None
    plies = [plies for _, plies in known]
    return LOSS, None if None in plies else max(plies) + 1


def compare_sample(game: Game, fens: list[str], command: str) -> bool:
    """Asks about positions and what their moves lead to; whether each follows from the others."""
    found = Comparison()
    behind = {}
    ends = {}
    for fen in fens:
        moves, ends[fen] = moves_or_end(game, fen)
        behind[fen] = [after(game, fen, move) for move in moves]
    reached = dict.fromkeys(other for others in behind.values() for other in others)
    asked = list(dict.fromkeys([*fens, *reached]))
    said = dict(zip(asked, answers(command, asked), strict=True))
    # What cannot arise, and is refused, may lead to more of the kind.
    sources = [fen for fen in behind if "error" not in said[fen]]
    arising = dict.fromkeys(other for fen in sources for other in behind[fen])
    for fen in asked:
        answer = said[fen]
        if "error" in answer:
            found.no_answer(fen, fen in arising, answer["error"])
            continue
        end = ends[fen] if fen in ends else moves_or_end(game, fen)[1]
        if end is not None:
            found.compared(fen, difference(end, 0, answer))
        elif fen in behind and not any("error" in said[other] for other in behind[fen]):
            result, plies = follows([said[other] for other in behind[fen]])
            found.compared(fen, difference(result, plies, answer))
    return found.tell()


def perft(name: str, fen: str, path: list[str], depth: int) -> int:
    """How many sequences of `depth` moves follow those of `path`."""
    moves = pyffish.legal_moves(name, fen, path)
    if depth == 1:
        return len(moves)
    return sum(perft(name, fen, [*path, move], depth - 1) for move in moves)


def placed_anyhow(game: Game, men: list[Man], chance: random.Random, tries: int) -> str | None:
    """A legal position of a material, whether the game is over there or not, if one is found."""
    # On few ranks there may be none for pawns.
    if not all(man.squares for man in men):
        return None
    with without_complaints():
        for _ in range(tries):
            board = list(game.empty)
            for man in men:
                board[chance.choice(man.squares)] = man.letter
            placement, side = placement_text(game, board), chance.choice("wb")
            complete = sum(cell not in ("", "*") for cell in board) == len(men)
            if complete and is_legal(game, placement, side):
                return fen_of(game, placement, side)
    return None


def placed_at_random(game: Game, men: list[Man], chance: random.Random) -> str:
    """A legal position of a material in which the game goes on."""
    for _ in range(TRIES):
        fen = placed_anyhow(game, men, chance, TRIES)
        if fen is None:
            break
        if pyffish.legal_moves(game.name, fen, []):
            return fen
    raise ValueError(f"no position of these men was found in which {game.name} goes on")


def played_at_random(game: Game, chance: random.Random, start: str | None = None) -> str:
    """A position of a game from a start, that of the game by default, in which the game goes on."""
    fen = start or reduced(pyffish.get_fen(game.name, pyffish.start_fen(game.name), []))
    for _ in range(chance.randrange(80)):
        moves = pyffish.legal_moves(game.name, fen, [])
        following = after(game, fen, chance.choice(moves)) if moves else fen
        if not pyffish.legal_moves(game.name, following, []):
            break
        fen = following
    return fen


def compare_perft(game: Game, fens: list[str], depth: int, command: str | None) -> bool:
    """Counts sequences of moves from each position; whether the command counts the same."""
    equal = unequal = total = 0
    for fen in fens:
        count = perft(game.name, fen, [], depth)
        total += count
        if command is None:
            print(f"{fen}: {count}")
            continue
        said = subprocess.run(
            [*shlex.split(command), fen, str(depth)], stdout=subprocess.PIPE, text=True
        ).stdout
        counted = json.loads(said)["count"] if said else None
        equal += counted == count
        unequal += counted != count
        if counted != count and unequal <= SHOWN:
            print(f"  {fen}: {counted}, here {count}")
        if counted != count and unequal == 1:
            for move in pyffish.legal_moves(game.name, fen, []):
                behind = perft(game.name, fen, [move], depth - 1) if depth > 1 else 1
                print(f"    {move}: {behind}")
    print(f"{len(fens)} positions, {total} sequences of {depth} moves")
    if command is not None:
        print(f"{equal} equal, {unequal} different")
    return unequal == 0


def is_slow() -> bool:
    """Whether each call of pyffish prepares the game anew."""
    start_fen = pyffish.start_fen("chess")
    pyffish.gives_check("chess", start_fen, [])
    start = time.perf_counter()
    for _ in range(10):
        pyffish.gives_check("chess", start_fen, [])
    return (time.perf_counter() - start) / 10 > SLOW_CALL


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--variants", type=Path, metavar="FILE", help="a file variants.ini")
    parser.add_argument("--game", required=True, help="a game of the file or of pyffish")
    parser.add_argument("--material", help="like KQvK; with --perft it may be left out")
    parser.add_argument(
        "--squares",
        action="append",
        default=[],
        metavar="MAN=SQUARES",
        help="where a man may stand, like 'P=*2 *3' for White and 'p=*6 *7' for Black; repeatable",
    )
    parser.add_argument("--against", metavar="COMMAND", help="the command to compare with")
    parser.add_argument(
        "--all-reached",
        action="store_true",
        help="compare also the positions that moves lead to from those of the material",
    )
    parser.add_argument(
        "--sample", type=int, metavar="N", help="check N positions at random, do not solve"
    )
    parser.add_argument("--perft", type=int, metavar="DEPTH", help="count moves, do not solve")
    parser.add_argument(
        "--positions",
        type=int,
        default=100,
        metavar="N",
        help="with --perft: how many positions, of the material or else of random games",
    )
    parser.add_argument("--seed", type=int, default=1, help="the seed of chance")
    given = parser.parse_args()
    if given.material is None and given.perft is None:
        parser.error("--material is needed without --perft")
    if given.sample is not None and given.against is None:
        parser.error("--sample compares, so it needs --against")
    return given


def run(given: argparse.Namespace) -> bool:
    game = load_game(given.game, given.variants)
    men = read_material(game, given.material, given.squares) if given.material else []
    if is_slow():
        note("this pyffish is slow, see fast_pyffish.py")
    if given.perft is not None:
        chance = random.Random(given.seed)
        fens = []
        for _ in range(given.positions):
            placed = placed_at_random(game, men, chance) if men else played_at_random(game, chance)
            fens.append(placed)
        return compare_perft(game, fens, given.perft, given.against)
    if given.sample is not None:
        chance = random.Random(given.seed)
        drawn = [placed_anyhow(game, men, chance, TRIES) for _ in range(given.sample)]
        fens = list(dict.fromkeys(fen for fen in drawn if fen is not None))
        return compare_sample(game, fens, given.against)
    start = time.monotonic()
    fens = legal_positions(game, men)
    note(f"{len(fens)} legal positions of {given.material}, {time.monotonic() - start:.0f} s")
    solution = solve(Graph(game, fens))
    print("\n".join(summary(solution)))
    note(f"solved in {time.monotonic() - start:.0f} s")
    return given.against is None or compare(solution, given.against, given.all_reached)


def exit_with(compare: Callable[[], bool]) -> None:
    """Ends the program: 0 if all is the same, 1 if not or if something else is in the way."""
    try:
        same = compare()
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    exit_with(lambda: run(arguments()))
