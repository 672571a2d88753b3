#!/usr/bin/env python3
"""Solves King of the Hill with python-chess's moves, and compares finale's answers with that.

Positions that a symmetry of the board or a swap of colours makes the same are solved once, by
working back from the ends; then every position is looked up with `finale probe koth --batch`.
Without --finale it only solves, and --facts and --samples write down what it found. Exit code: 0
if all agree, 1 if not or if a position could not be looked up.

A position counts as legal if the men stand on different squares, no pawn on the first or eighth
rank, the Kings apart, the side not to move not in check, and the King of the side to move not on
d4, e4, d5 or e5 (the game would have ended a turn before). If the other King stands there, the
game is over and the side to move has lost.
"""

import argparse
import itertools
import json
import random
import subprocess
import sys
import tempfile
from array import array
from collections import Counter
from collections.abc import Iterator

import chess
import chess.variant

THREE_MEN = ["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]
ROLES = {
    "K": chess.KING,
    "Q": chess.QUEEN,
    "R": chess.ROOK,
    "B": chess.BISHOP,
    "N": chess.KNIGHT,
    "P": chess.PAWN,
}
# A position: the men, White to move or not, and their squares in the order of the name.
Position = tuple[str, bool, tuple[int, ...]]


def maps_of_the_board() -> list[list[int]]:
    """The eight symmetries: nothing, the mirror of the files, and those that move ranks too."""
    maps = []
    for swap, rank_flip, file_flip in itertools.product((False, True), (0, 7), (0, 7)):
        maps.append([])
        for square in chess.SQUARES:
            file = chess.square_file(square) ^ file_flip
            rank = chess.square_rank(square) ^ rank_flip
            maps[-1].append(chess.square(rank, file) if swap else chess.square(file, rank))
    return maps


def by_king(maps: list[list[int]], home: set[int]) -> list[list[list[int]]]:
    """For each square of the first King, the maps that bring it into a part of the board."""
    return [[image for image in maps if image[square] in home] for square in chess.SQUARES]


MAPS = maps_of_the_board()
# With pawns only the files may be mirrored.
PAWN_MAPS = MAPS[:2]
LEFT = {square for square in chess.SQUARES if chess.square_file(square) < 4}
TRIANGLE = {square for square in LEFT if chess.square_rank(square) <= chess.square_file(square)}
TO_LEFT = by_king(PAWN_MAPS, LEFT)
TO_TRIANGLE = by_king(MAPS, TRIANGLE)


def swap_sides(material: str) -> str:
    white, black = material.split("v")
    return f"{black}v{white}"


def is_stored(material: str) -> bool:
    """Whether a material has a table of its own; else the one with colours swapped serves."""
    white, black = material.split("v")
    strength = [(len(men), ["KQRBNP".index(letter) for letter in men]) for men in (white, black)]
    (more, ours), (fewer, theirs) = strength
    return more > fewer or (more == fewer and ours <= theirs)


def canonical(material: str, white_to_move: bool, squares: tuple[int, ...]) -> Position:
    """The position that stands for all images of one, colours swapped included."""
    white, black = material.split("v")
    if not is_stored(material) or (white == black and not white_to_move):
        squares = tuple(square ^ 56 for square in squares[len(white) :] + squares[: len(white)])
        material, white_to_move = swap_sides(material), not white_to_move
    maps = (TO_LEFT if "P" in material else TO_TRIANGLE)[squares[0]]
    return material, white_to_move, min(tuple(m[square] for square in squares) for m in maps)


def images(position: Position) -> set[Position]:
    """The positions that a canonical one stands for, colours not swapped."""
    material, white_to_move, squares = position
    maps = PAWN_MAPS if "P" in material else MAPS
    return {(material, white_to_move, tuple(m[square] for square in squares)) for m in maps}


def mirrored(position: Position) -> Position:
    """The same position with colours swapped."""
    material, white_to_move, squares = position
    white = material.index("v")
    squares = tuple(square ^ 56 for square in squares[white:] + squares[:white])
    return swap_sides(material), not white_to_move, squares


def men(material: str) -> list[chess.Piece]:
    white, black = material.split("v")
    pieces = [chess.Piece(ROLES[letter], chess.WHITE) for letter in white]
    return pieces + [chess.Piece(ROLES[letter], chess.BLACK) for letter in black]


def set_up(board: chess.Board, position: Position) -> None:
    material, white_to_move, squares = position
    board.clear_board()
    for piece, square in zip(men(material), squares):
        board.set_piece_at(square, piece)
    board.turn = white_to_move


def read(board: chess.Board) -> Position:
    """The men and the side to move; like men of a side are not told apart."""
    names, squares = [], []
    for color in chess.COLORS:
        ours = board.occupied_co[color]
        for letter, role in ROLES.items():
            for square in chess.scan_forward(ours & board.pieces_mask(role, color)):
                names.append(letter)
                squares.append(square)
        names.append("v")
    return "".join(names[:-1]), board.turn, tuple(squares)


def fen(position: Position) -> str:
    board = chess.variant.KingOfTheHillBoard(None)
    set_up(board, position)
    return board.fen()


def closure(materials: list[str]) -> list[str]:
    """The stored materials that some materials lead to, themselves included."""
    found: list[str] = []
    waiting = list(materials)
    while waiting:
        material = waiting.pop()
        if not is_stored(material):
            material = swap_sides(material)
        if material in found:
            continue
        found.append(material)
        for at, letter in enumerate(material):
            if letter == "P":
                waiting += [replaced(material, at, role) for role in "QRBN"]
            if letter not in "Kv":
                waiting.append(replaced(material, at, ""))
    return found


def replaced(material: str, at: int, letter: str) -> str:
    sides = (material[:at] + letter + material[at + 1 :]).split("v")
    return "v".join("".join(sorted(side, key="KQRBNP".index)) for side in sides)


def legal_classes(material: str) -> Iterator[Position]:
    """Every canonical legal position of a material."""
    board = chess.variant.KingOfTheHillBoard(None)
    pieces = men(material)
    symmetric = material == swap_sides(material)
    homes = [sorted(LEFT if "P" in material else TRIANGLE)]
    for piece in pieces[1:]:
        homes.append(chess.SQUARES[8:56] if piece.piece_type == chess.PAWN else chess.SQUARES)
    for squares in itertools.product(*homes):
        if len(set(squares)) < len(squares):
            continue
        for white_to_move in (True,) if symmetric else (True, False):
            position = (material, white_to_move, squares)
            if position != canonical(*position):
                continue
            set_up(board, position)
            if not board.was_into_check() and not board.is_variant_win():
                yield position


class Solution:
    """The plies to the end of every canonical position; odd if the side to move wins."""

    def __init__(self, materials: list[str]) -> None:
        self.positions: list[Position] = []
        for material in closure(materials):
            self.positions += legal_classes(material)
        self.number = {position: at for at, position in enumerate(self.positions)}
        self.over = bytearray(len(self.positions))
        # None for a draw. The successors of position n are ends[n]..ends[n + 1] of `links`.
        self.plies: list[int | None] = [None] * len(self.positions)
        self.links = array("I")
        self.ends = array("Q", [0])
        self.look()
        self.settle()

    def look(self) -> None:
        """Finds the successors of every position, and the positions that are lost as they stand."""
        board = chess.variant.KingOfTheHillBoard(None)
        for at, position in enumerate(self.positions):
            set_up(board, position)
            if board.is_variant_loss():
                self.over[at] = True
                self.plies[at] = 0
            else:
                for move in list(board.legal_moves):
                    board.push(move)
                    self.links.append(self.number[canonical(*read(board))])
                    board.pop()
                if self.ends[-1] == len(self.links) and board.is_check():
                    self.plies[at] = 0
            self.ends.append(len(self.links))

    def settle(self) -> None:
        """Works back from the lost positions: each position settles when its plies are known."""
        count = len(self.positions)
        starts = array("Q", bytes(8 * (count + 1)))
        for target in self.links:
            starts[target + 1] += 1
        for at in range(count):
            starts[at + 1] += starts[at]
        free = array("Q", starts)
        sources = array("I", bytes(4 * len(self.links)))
        for source in range(count):
            for target in self.links[self.ends[source] : self.ends[source + 1]]:
                sources[free[target]] = source
                free[target] += 1
        unsettled = array("I", (self.ends[at + 1] - self.ends[at] for at in range(count)))
        settled = [at for at in range(count) if self.plies[at] == 0]
        for plies in itertools.count(1):
            if not settled:
                break
            following = []
            for target in settled:
                for source in sources[starts[target] : starts[target + 1]]:
                    # A turn to a lost position wins; if all turns lead to won ones, it is lost.
                    unsettled[source] -= 1
                    if self.plies[source] is None and (plies % 2 or not unsettled[source]):
                        self.plies[source] = plies
                        following.append(source)
            settled = following

    def of(self, material: str) -> Iterator[tuple[Position, bool, int | None]]:
        """The canonical positions of a stored material: whether the game is over, and the plies."""
        for position, over, plies in zip(self.positions, self.over, self.plies):
            if position[0] == material:
                yield position, bool(over), plies


def answer(plies: int | None) -> dict[str, str | int | None]:
    """What a probe must say."""
    wdl = "draw" if plies is None else "win" if plies % 2 else "loss"
    return {"wdl": wdl, "dtm": plies}


def histogram(counts: Counter[int], parity: int) -> str:
    pairs = [f"{plies}:{counts[plies]}" for plies in sorted(counts) if plies % 2 == parity]
    return " ".join(pairs) or "-"


def write_facts(solution: Solution, materials: list[str], path: str) -> None:
    """Counts of all placements, by side to move and whether the game is over."""
    headings = ["table", "turn", "game", "placements", "wins", "draws", "losses"]
    headings += ["plies of wins", "plies of losses", "longest win"]
    with open(path, "w") as facts:
        print(*headings, sep="\t", file=facts)
        for material in materials:
            for turn, game in itertools.product("wb", ("on", "over")):
                counts: Counter[int] = Counter()
                draws, longest = 0, None
                for position, over, plies in solution.of(material):
                    if (position[1], over) != (turn == "w", game == "over"):
                        continue
                    weight = len(images(position))
                    if plies is None:
                        draws += weight
                        continue
                    counts[plies] += weight
                    if plies % 2 and (longest is None or plies > longest[0]):
                        longest = plies, fen(position)
                wins = sum(count for plies, count in counts.items() if plies % 2)
                losses = counts.total() - wins
                # Of two equal sides the table has White to move only.
                if not wins + draws + losses:
                    continue
                row = [material, turn, game, wins + draws + losses, wins, draws, losses]
                row += [histogram(counts, 1), histogram(counts, 0), longest[1] if longest else "-"]
                print(*row, sep="\t", file=facts)


def write_samples(solution: Solution, materials: list[str], path: str, each: int) -> None:
    """Some positions of each table: the longest win and loss, an end, and some at random.

    Every other one is written with colours swapped.
    """
    choose = random.Random(0)
    with open(path, "w") as samples:
        for material in materials:
            classes = list(solution.of(material))
            results: dict[str, list] = {"win": [], "draw": [], "loss": []}
            for entry in classes:
                results[answer(entry[2])["wdl"]].append(entry)
            chosen = [entry for entry in classes if entry[1]][:1]
            for wdl in ("win", "loss"):
                chosen += sorted(results[wdl], key=lambda entry: -entry[2])[:1]
            for entries in results.values():
                chosen += choose.sample(entries, min(each, len(entries)))
            for at, (position, _, plies) in enumerate(chosen):
                position = choose.choice(sorted(images(position)))
                text = fen(mirrored(position) if at % 2 else position)
                expected = json.dumps(answer(plies), separators=(",", ":"))
                print(text, expected, sep="\t", file=samples)


def compare(solution: Solution, materials: list[str], finale: str, tables: str) -> bool:
    """Looks up every legal position of some tables, also with colours swapped.

    Returns whether all agree.
    """
    print(f"{'table':<6}{'positions':>12}{'different':>12}")
    agree = True
    for material in materials:
        expected = []
        with tempfile.TemporaryFile("w+") as fens:
            for position, _, plies in solution.of(material):
                for image in sorted(images(position)):
                    fens.write(f"{fen(image)}\n{fen(mirrored(image))}\n")
                    expected += [plies, plies]
            fens.seek(0)
            command = [finale, "probe", "koth", "--batch", "--tables", tables]
            run = subprocess.run(command, stdin=fens, stdout=subprocess.PIPE, check=True, text=True)
        answers = run.stdout.splitlines()
        if len(answers) != len(expected):
            sys.exit(f"{finale} answered {len(answers)} of {len(expected)} positions of {material}")
        different, example = 0, ""
        for line, plies in zip(answers, expected):
            ours, theirs = json.loads(line), answer(plies)
            if "error" in ours:
                sys.exit(f"{ours['fen']}: {ours['error']}")
            if any(ours[name] != value for name, value in theirs.items()):
                different += 1
                found = {name: ours[name] for name in theirs}
                example = example or f"{ours['fen']}: {found} here, {theirs} there"
        print(f"{material:<6}{len(expected):>12}{different:>12}", flush=True)
        if example:
            print(f"      such as {example}")
        agree = agree and not different
    return agree


def material_of(text: str) -> str:
    """A material that this solver can do: no set of like men, and no chance to pass a pawn."""
    white, _, black = text.partition("v")
    for side in (white, black):
        if not side.startswith("K") or list(side) != sorted(set(side), key="KQRBNP".index):
            message = f"{text} is not a King and different men on each side, such as KRvKB"
            raise argparse.ArgumentTypeError(message)
    if "P" in white and "P" in black:
        message = f"{text} has pawns on both sides, and en passant is not solved"
        raise argparse.ArgumentTypeError(message)
    return text if is_stored(text) else swap_sides(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "materials",
        nargs="*",
        type=material_of,
        help="such as KRvKR; without any, all of three men",
    )
    parser.add_argument("--finale", help="the program to compare, such as target/release/finale")
    parser.add_argument(
        "--tables", default="tables", help="the folder that `finale build` writes to (tables)"
    )
    parser.add_argument("--facts", metavar="FILE", help="write counts of results and plies")
    parser.add_argument("--samples", metavar="FILE", help="write some positions and their answers")
    parser.add_argument("--each", type=int, default=12, help="samples at random of each result")
    args = parser.parse_args()
    materials = args.materials or THREE_MEN
    solution = Solution(materials)
    if args.facts:
        write_facts(solution, materials, args.facts)
    if args.samples:
        write_samples(solution, materials, args.samples, args.each)
    if args.finale and not compare(solution, materials, args.finale, args.tables):
        sys.exit(1)


if __name__ == "__main__":
    main()
