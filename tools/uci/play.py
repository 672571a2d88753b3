#!/usr/bin/env python3
"""Plays games from random positions with `finale uci` or `finale xboard`, through python-chess.

The engine plays both sides. python-chess knows the rules and refuses illegal turns; `finale probe
--batch` says beforehand what each position is worth. Checked is that every position that is won is
won in just as many plies as the table says, that drawn positions stay drawn (for a number of
plies), and that each score on the way is that of the table. Exit code: 0 if all of that holds, 1
if not.
"""

import argparse
import json
import random
import subprocess
import sys
import time
from collections import Counter

import chess
import chess.engine
import chess.variant

GAMES = {"orthodox": chess.Board, "koth": chess.variant.KingOfTheHillBoard}


def random_position(game: str, material: str, chance: random.Random) -> chess.Board:
    """A legal position of these men that is not over, either side to move."""
    white, black = material.split("v")
    men = [chess.Piece.from_symbol(letter) for letter in white.upper() + black.lower()]
    while True:
        board = GAMES[game].empty()
        for man, square in zip(men, chance.sample(chess.SQUARES, len(men))):
            board.set_piece_at(square, man)
        board.turn = chance.choice(chess.COLORS)
        if board.is_valid() and any(board.legal_moves) and not board.is_variant_end():
            return board


def probe(finale: str, game: str, tables: str, fens: list[str]) -> list[dict]:
    """What the tables say of each position."""
    command = [finale, "probe", game, "--batch", "--tables", tables]
    ran = subprocess.run(command, input="\n".join(fens), capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def relative(answer: dict) -> chess.engine.Score:
    """The score that an engine should give for the side to move."""
    if answer["wdl"] == "draw":
        return chess.engine.Cp(0)
    moves = (answer["dtm"] + 1) // 2
    return chess.engine.Mate(moves if answer["wdl"] == "win" else -moves)


def play(
    engine: chess.engine.SimpleEngine,
    board: chess.Board,
    answer: dict,
    longest_draw: int,
    game: object,
) -> tuple[int, str | None]:
    """Plays a game, and gives its plies and what was wrong with it."""
    winner = {"win": board.turn, "draw": None, "loss": not board.turn}[answer["wdl"]]
    left = answer["dtm"] if winner is not None else longest_draw
    start = board.fen()
    plies = 0
    while any(board.legal_moves) and not board.is_variant_end() and plies < left:
        limit = chess.engine.Limit(time=1)
        info = chess.engine.INFO_SCORE
        done = engine.play(board, limit, game=game, info=info)
        if done.move is None:
            return plies, f"{start}: no turn in {board.fen()}"
        score = done.info.get("score")
        now = dict(answer, wdl="draw")
        if winner is not None:
            now = {"wdl": "win" if board.turn == winner else "loss", "dtm": left - plies}
        if score is None or score.relative != relative(now):
            return plies, f"{start}: {score} in {board.fen()}, where it should be {relative(now)}"
        board.push(done.move)
        plies += 1
    outcome = board.outcome()
    if winner is None:
        # A draw by lack of material is one all the same.
        lost = outcome is not None and outcome.winner is not None
        return plies, f"{start}: a draw is lost in {board.fen()}" if lost else None
    if outcome is None or outcome.winner != winner or plies != answer["dtm"]:
        return plies, f"{start}: not won after {plies} plies of {answer['dtm']}: {board.fen()}"
    return plies, None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("finale", help="the program")
    parser.add_argument("tables", help="the folder of tables")
    parser.add_argument("materials", nargs="+", help="such as KRvK")
    parser.add_argument("--game", choices=GAMES, default="orthodox")
    parser.add_argument("--protocol", choices=["uci", "xboard"], default="uci")
    parser.add_argument("--games", type=int, default=1000, help="of each material")
    parser.add_argument("--longest-draw", type=int, default=40, help="plies of drawn games")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    protocols = {"uci": chess.engine.UciProtocol, "xboard": chess.engine.XBoardProtocol}
    started = [args.finale, args.protocol]
    chance = random.Random(args.seed)
    wrong = 0
    for material in args.materials:
        boards = [random_position(args.game, material, chance) for _ in range(args.games)]
        fens = [board.fen() for board in boards]
        answers = probe(args.finale, args.game, args.tables, fens)
        results = Counter()
        plies = 0
        start = time.monotonic()
        with chess.engine.SimpleEngine.popen(protocols[args.protocol], started) as engine:
            engine.configure({"TablePath": args.tables})
            for number, (board, answer) in enumerate(zip(boards, answers)):
                played, problem = play(engine, board, answer, args.longest_draw, number)
                plies += played
                results[answer["wdl"]] += 1
                if problem is not None:
                    wrong += 1
                    print(f"{material}: {problem}", file=sys.stderr)
        seconds = time.monotonic() - start
        print(
            f"{material}: {args.games} games ({results['win']} won, {results['loss']} lost, "
            f"{results['draw']} drawn for the side to move), {plies} turns in {seconds:.1f} s, "
            f"{1000 * seconds / max(plies, 1):.1f} ms each"
        )
    print(f"{wrong} games went wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
