#!/usr/bin/env python3
"""Invents games at random, as a file `variants.ini` for `every.py` and `perft.py`.

    python invent.py --games 200 --seed 1 > invented.ini
    finale check invented.ini

Each game has a board, men and ends drawn from what docs/variants.md says. Rules that cannot go
together come up as well: `finale check` refuses those games, and the others are played. Men are
such as Fairy-Stockfish moves as their notation says (docs/variants.md, Men, has the others).
"""

import argparse
import random
import string

LEAPS = ["W", "F", "D", "N", "A", "H", "C", "Z", "G"]
PREDEFINED = [
    "fers", "alfil", "fersAlfil", "silver", "aiwok", "bers", "archbishop", "chancellor", "amazon",
    "knibis", "biskni", "kniroo", "rookni", "shogiPawn", "lance", "shogiKnight", "gold",
    "dragonHorse", "clobber", "breakthrough", "cannon", "soldier", "horse", "elephant",
    "janggiElephant", "banner", "wazir", "centaur",
]  # fmt: skip


class Inventor:
    """Draws the lines of one game after the other."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def leap(self) -> str:
        """A leap, some ways of it alone, perhaps for moves or for captures alone."""
        atom = self.chance.choice(LEAPS)
        ways = ["f", "b", "fb", "s", "l", "fl", "fr", "fs"]
        way = self.chance.choice(ways) if self.often(0.3) and atom in "WFDAHG" else ""
        if self.often(0.2) and atom in "NCZ":
            way = self.chance.choice(["f", "b", "fh", "bh", "ff", "fs", "hr", "hl"])
        kind = self.chance.choice(["m", "c"]) if self.often(0.25) else ""
        lame = "n" if self.often(0.15) and not way and atom in "NDAZ" else ""
        return kind + way + lame + atom

    def ride(self) -> str:
        """Moves along lines, limited or over a hurdle perhaps."""
        kind = self.chance.choice(["m", "c"]) if self.often(0.15) else ""
        way = self.chance.choice(["f", "b", "fb", "s"]) if self.often(0.2) else ""
        return kind + way + self.chance.choice(
            ["R", "B", "Q", "R", "B", "W2", "W3", "F2", "F3", "pR", "pB", "gR", "gQ", "NN", "R3"]
        )

    def movement(self) -> str:
        parts = [self.ride()] if self.often(0.4) else []
        while not parts or self.often(0.35):
            part = self.leap()
            # The same atom twice may be a ride, or another kind of move for other programs.
            if part[-1] not in "".join(parts):
                parts.append(part)
        first = self.chance.choice(["fmnD", "fD", "mN", "fmR3", "sW2", "mnA", "bmpR"])
        if self.often(0.15) and not {*first}.intersection("".join(parts), string.ascii_uppercase):
            parts.append("i" + first)
        return "".join(parts)

    def men(self) -> tuple[list[str], list[str]]:
        """The keys of pieces, and their letters."""
        lines, letters = [], []
        free = [letter for letter in string.ascii_lowercase if letter not in "kp"]
        self.chance.shuffle(free)
        for number in range(1, self.chance.choice([2, 2, 3, 3, 4]) + 1):
            letter = free.pop()
            if self.often(0.35):
                lines.append(f"{self.chance.choice(PREDEFINED)} = {letter}")
            elif self.often(0.3):
                kind = self.chance.choice(["queen", "rook", "bishop", "knight"])
                lines.append(f"{kind} = {letter}")
            else:
                lines.append(f"customPiece{number} = {letter}:{self.movement()}")
            letters.append(letter)
        return lines, letters

    def squares(self, files: int, ranks: int) -> str:
        """Some squares: one or two ranks, files or single ones."""
        found = []
        for _ in range(self.chance.randint(1, 2)):
            file = string.ascii_lowercase[self.chance.randrange(files)]
            rank = self.chance.randint(1, ranks)
            found.append(self.chance.choice([f"*{rank}", f"{file}*", f"{file}{rank}"]))
        return " ".join(found)

    def royal(self, letters: list[str]) -> list[str]:
        """What is royal, and how it moves."""
        if self.often(0.6):
            return ["king = k"]
        if self.often(0.3):
            return [f"king = k:{self.chance.choice(['N', 'KN', 'W', 'F', 'WD', 'fKbF'])}"]
        other = self.chance.choice(letters)
        types = self.chance.choice(["k", "k", "*", "k" + other, other])
        lines = [
            "king = -",
            "commoner = k",
            f"extinctionValue = {self.chance.choice(['loss', 'loss', 'loss', 'win'])}",
            f"extinctionPieceTypes = {types}",
        ]
        if self.often(0.15):
            lines.append("extinctionPieceCount = 1")
        if self.often(0.4):
            lines.append("extinctionPseudoRoyal = true")
            if self.often(0.3):
                lines.append("dupleCheck = true")
        elif self.often(0.2):
            lines.append("extinctionOpponentPieceCount = 2")
            if self.often(0.3):
                lines.append("extinctionClaim = true")
        return lines

    def pawns(self, letters: list[str], ranks: int) -> list[str]:
        """Where pawns walk two or three squares, where they promote and what they become."""
        chance, lines = self.chance, ["pawn = p"]
        last, first = f"*{ranks}", "*1"
        double = ranks > 4 and self.often(0.5)
        lines.append(f"doubleStep = {str(double).lower()}")
        if double:
            lines.append("doubleStepRegionWhite = *2")
            lines.append(f"doubleStepRegionBlack = *{ranks - 1}")
        triple = ranks > 5 and self.often(0.25)
        if triple:
            lines.append("tripleStepRegionWhite = *2")
            lines.append(f"tripleStepRegionBlack = *{ranks - 1}")
        if double or triple:
            if self.often(0.2):
                lines.append("enPassantRegion = -")
            elif self.often(0.2):
                lines.append("enPassantRegion = a* b*")
            elif self.often(0.1):
                lines.append("enPassantRegion = *3")
        if self.often(0.25):
            last, first = f"*{ranks - 1} *{ranks}", "*1 *2"
        lines += [f"promotionRegionWhite = {last}", f"promotionRegionBlack = {first}"]
        types = "".join(chance.sample(letters, chance.randint(1, len(letters))))
        lines.append(f"promotionPieceTypes = {types}")
        if self.often(0.15):
            lines.append("mandatoryPawnPromotion = false")
        if self.often(0.1):
            side = chance.choice(["", "White"])
            lines.append(f"promotionPawnTypes{side} = p{chance.choice(letters)}")
        return lines

    def promoting(self, letters: list[str], ranks: int, has_pawns: bool) -> list[str]:
        """Men that become others."""
        if len(letters) < 2 or not self.often(0.15):
            return []
        one, other = self.chance.sample(letters, 2)
        found = [f"promotedPieceType = {one}:{other}"]
        if self.often(0.4):
            found.append("mandatoryPiecePromotion = true")
        if self.often(0.3):
            found.append("piecePromotionOnCapture = true")
        if not has_pawns:
            found += [f"promotionRegionWhite = *{ranks}", "promotionRegionBlack = *1"]
        return found

    def ends(self, letters: list[str], files: int, ranks: int) -> list[str]:
        """What ends the game, and what limits turns."""
        chance = self.chance
        values = ["win", "loss"]
        men = ["k", "k", *letters]
        drawn = [
            (0.35, lambda: [f"stalemateValue = {chance.choice(values)}"]),
            (0.1, lambda: ["checkmateValue = win"]),
            (0.1, lambda: ["mustCapture = true"]),
            (0.1, lambda: ["blastOnCapture = true"]),
            (0.05, lambda: ["blastOnCapture = true", f"blastImmuneTypes = {chance.choice(letters)}"]),
            (0.06, lambda: ["checking = false"]),
            (0.1, lambda: ["checkCounting = true"]),
            (0.06, lambda: ["flyingGeneral = true"]),
            (0.06, lambda: [f"pass{chance.choice(['', 'White', 'Black'])} = true"]),
            (0.08, lambda: [f"passOnStalemate{chance.choice(['', 'White', 'Black'])} = true"]),
            (0.05, lambda: ["stalematePieceCount = true"]),
            (0.06, lambda: [f"mutuallyImmuneTypes = {chance.choice(letters)}"]),
            (0.25, lambda: self.flag(men, files, ranks)),
        ]
        return [line for share, lines in drawn if self.often(share) for line in lines()]

    def flag(self, men: list[str], files: int, ranks: int) -> list[str]:
        man = self.chance.choice([*men, "*"])
        lines = [f"flagPiece = {man}"]
        if self.often(0.5):
            lines += [f"flagRegionWhite = *{ranks}", "flagRegionBlack = *1"]
        else:
            lines.append(f"flagRegion = {self.squares(files, ranks)}")
        if man == "k" and self.often(0.2):
            lines.append("flagMove = true")
        if self.often(0.15):
            lines.append("flagPieceSafe = true")
        if self.often(0.1):
            lines.append("flagPieceCount = 2")
        return lines

    def homes(self, lines: list[str], ranks: int) -> list[str]:
        """From where men make their first moves, and that nobody takes them in passing after it."""
        if not any("i" in line.partition(":")[2] for line in lines):
            return []
        said = {line.split(" = ")[0] for line in lines}
        wanted = {
            "doubleStepRegionWhite": "*1 *2",
            "doubleStepRegionBlack": f"*{ranks} *{ranks - 1}",
            "enPassantRegion": "-",
        }
        return [f"{key} = {value}" for key, value in wanted.items() if key not in said]

    def regions(self, keys: list[str], ranks: int) -> list[str]:
        """Where a man may go."""
        if not self.often(0.15):
            return []
        key = self.chance.choice(keys)
        name = key[0].upper() + key[1:]
        half = (ranks + 1) // 2
        white = " ".join(f"*{rank}" for rank in range(1, half + 1))
        black = " ".join(f"*{ranks + 1 - rank}" for rank in range(1, half + 1))
        return [f"mobilityRegionWhite{name} = {white}", f"mobilityRegionBlack{name} = {black}"]

    def start(self, letters: list[str], files: int, ranks: int, has_pawns: bool) -> str:
        """A first position that has all men."""
        # Several of a kind may be what the game needs.
        more = self.chance.choice(["", "", "k", letters[0]])
        home = ("k" + "".join(letters) + more)[:files]
        rest = letters[files - 1 :]
        home += str(files - len(home)) if len(home) < files else ""
        empty = str(files)
        rows = [home]
        if has_pawns:
            rows.append("p" * files)
        elif rest:
            rows.append("".join(rest) + (str(files - len(rest)) if len(rest) < files else ""))
        middle = [empty] * (ranks - 2 * len(rows))
        upper = [row.upper() for row in reversed(rows)]
        return f"startFen = {'/'.join([*rows, *middle, *upper])} w - - 0 1"

    def game(self, name: str) -> str:
        """The lines of a section."""
        files, ranks = self.chance.randint(3, 6), self.chance.randint(4, 6)
        if self.often(0.15):
            files = ranks = 8
        lines, letters = self.men()
        keys = [line.split(" = ")[0] for line in lines]
        has_pawns = self.often(0.5)
        if has_pawns:
            lines += self.pawns(letters, ranks)
        lines += self.promoting(letters, ranks, has_pawns)
        lines += self.royal(letters)
        lines += self.homes(lines, ranks)
        lines += self.ends(letters, files, ranks)
        lines += self.regions(keys, ranks)
        board = [f"maxFile = {string.ascii_lowercase[files - 1]}", f"maxRank = {ranks}"]
        start = self.start(letters, files, ranks, has_pawns)
        return "\n".join([f"[{name}]", *board, *lines, start]) + "\n"


def games(count: int, seed: int) -> str:
    """The text of a file with so many games, the same for the same seed."""
    inventor = Inventor(seed)
    return "\n".join(inventor.game(f"invented-{seed}-{number}") for number in range(count))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=100, help="how many [100]")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn [1]")
    given = parser.parse_args()
    print(games(given.games, given.seed), end="")


if __name__ == "__main__":
    main()
