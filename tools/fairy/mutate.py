#!/usr/bin/env python3
"""Changes games of a file `variants.ini` at random, as another such file for `every.py`.

    python mutate.py variants.ini --games 1000 --seed 1 > mutated.ini
    finale check mutated.ini

Each game is one of the file, with up to four of its keys gone, new, or at another value: one that
the file has for the key somewhere, or one of those that decide most together (royalty, goals,
checks, explosions, promotions, regions, small boards). Most of what comes out cannot be built, and
`finale check` says why; two versions of finale can be held against each other by that, too. The
others show what rules do to each other that nobody has put together.
"""

import argparse
import random
import re
from pathlib import Path

# What is drawn besides the values of the file itself.
VALUES = {
    "maxRank": ["8", "4", "3"],
    "maxFile": ["8", "4", "1"],
    "king": ["k", "-", "k:N", "k:W"],
    "commoner": ["k", "c", "-"],
    "pawn": ["p", "-"],
    "customPiece1": ["a:iFfW", "a:R", "a:fFifmnD", "-"],
    "mobilityRegionWhiteKing": ["*1", "*"],
    "promotionRegionWhite": ["*8", "*7 *8", "*6", "a8"],
    "promotionRegionBlack": ["*1", "*1 *2"],
    "promotionPieceTypes": ["qrbn", "k", "q", "-", "p"],
    "promotionPawnTypes": ["p", "n", "k", "-"],
    "promotionLimit": ["q:1", "n:1 r:2 k:1"],
    "promotedPieceType": ["p:q", "n:q", "k:q", "r:k", "-"],
    "mandatoryPawnPromotion": ["true", "false"],
    "mandatoryPiecePromotion": ["true", "false"],
    "piecePromotionOnCapture": ["true", "false"],
    "doubleStep": ["true", "false"],
    "doubleStepRegionWhite": ["*2", "*1", "-", "*3"],
    "tripleStepRegionWhite": ["*2", "-"],
    "enPassantRegion": ["-", "*3"],
    "castling": ["true", "false"],
    "checking": ["true", "false"],
    "checkCounting": ["true", "false"],
    "mustCapture": ["true", "false"],
    "pass": ["true", "false"],
    "passOnStalemate": ["true", "false"],
    "stalemateValue": ["loss", "win", "draw"],
    "flyingGeneral": ["true", "false"],
    "blastOnCapture": ["true", "false"],
    "blastImmuneTypes": ["k", "p", "q", "-"],
    "mutuallyImmuneTypes": ["k", "q", "-"],
    "flagPiece": ["k", "q", "*", "-", "p"],
    "flagPieceCount": ["0", "1", "2"],
    "flagPieceSafe": ["true", "false"],
    "flagMove": ["true", "false"],
    "flagRegionWhite": ["*8", "*4", "a1", "-"],
    "flagRegionBlack": ["*1", "d4", "-"],
    "extinctionValue": ["loss", "win", "draw", "none"],
    "extinctionPieceTypes": ["k", "*", "q", "kq", "p"],
    "extinctionPieceCount": ["0", "1", "2"],
    "extinctionOpponentPieceCount": ["0", "2"],
    "extinctionPseudoRoyal": ["true", "false"],
    "dupleCheck": ["true", "false"],
    "startFen": [
        "k7/8/8/8/8/8/8/7K w - - 0 1",
        "kk6/8/8/8/8/8/8/6KK w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
        "k3/4/4/3K w",
    ],
}


def games_of(text: str) -> dict[str, tuple[str, dict[str, str]]]:
    """The games of a file by name: the parent that is not in the file, and all keys with values."""
    found: dict[str, tuple[str, dict[str, str]]] = {}
    keys: dict[str, str] = {}
    for line in text.splitlines():
        if header := re.match(r"\s*\[([^\]:]+)(?::([^\]]*))?\]", line):
            parent = (header[2] or "").strip()
            parent, inherited = found.get(parent, (parent, {}))
            keys = dict(inherited)
            found[header[1].strip()] = (parent, keys)
        elif "=" in line and not line.lstrip().startswith("#"):
            key, value = line.split("=", 1)
            keys[key.strip()] = value.split("#")[0].strip()
    return found


def mutated(text: str, count: int, seed: int) -> str:
    """The text of a file with so many changed games of a file, the same for the same seed."""
    chance = random.Random(seed)
    games = games_of(text)
    values: dict[str, list[str]] = {}
    for _, keys in games.values():
        for key, value in keys.items():
            values.setdefault(key, []).append(value)
    sections = []
    for number in range(count):
        parent, keys = games[chance.choice(list(games))]
        keys = dict(keys)
        for _ in range(chance.randint(0, 4)):
            if keys and chance.random() < 0.25:
                del keys[chance.choice(list(keys))]
                continue
            known = values if chance.random() < 0.3 else VALUES
            key = chance.choice(list(known))
            keys[key] = chance.choice(known[key])
        lines = [f"{key} = {value}" for key, value in keys.items()]
        name = f"mutated-{seed}-{number}"
        sections.append("\n".join([f"[{name}:{parent}]" if parent else f"[{name}]", *lines]) + "\n")
    return "\n".join(sections)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help="the games that are changed")
    parser.add_argument("--games", type=int, default=1000, help="how many [1000]")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn [1]")
    given = parser.parse_args()
    print(mutated(given.file.read_text(encoding="utf-8"), given.games, given.seed), end="")


if __name__ == "__main__":
    main()
