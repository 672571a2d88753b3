#!/usr/bin/env python3
"""Compares the plies to mate in the orthodox tables of three men with Gaviota tables.

Looks up every legal position of KQvK, KRvK, KBvK, KNvK and KPvK, both sides to move, in both;
positions that a symmetry of the board makes the same are looked up once. Exit code: 0 if all
agree, 1 if not or if a position could not be looked up.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator

import chess
import chess.gaviota

PIECES = {
    "KQvK": chess.QUEEN,
    "KRvK": chess.ROOK,
    "KBvK": chess.BISHOP,
    "KNvK": chess.KNIGHT,
    "KPvK": chess.PAWN,
}


def positions(piece: int) -> Iterator[tuple[chess.Board, int]]:
    """Every legal position of White's King and a piece against the King, up to symmetry.

    With each comes the number of positions it stands for. The board is the same object every
    time, with other men on it.
    """
    board = chess.Board(None)
    symmetries = SYMMETRIES[:2] if piece == chess.PAWN else SYMMETRIES
    for king in chess.SQUARES:
        for other_king in chess.SQUARES:
            if chess.square_distance(king, other_king) < 2:
                continue
            for square in chess.SQUARES:
                if square in (king, other_king):
                    continue
                if piece == chess.PAWN and chess.square_rank(square) in (0, 7):
                    continue
                men = (king, other_king, square)
                images = {tuple(symmetry[man] for man in men) for symmetry in symmetries}
                if men != min(images):
                    continue
                board.clear_board()
                board.set_piece_at(king, chess.Piece(chess.KING, chess.WHITE))
                board.set_piece_at(other_king, chess.Piece(chess.KING, chess.BLACK))
                board.set_piece_at(square, chess.Piece(piece, chess.WHITE))
                for board.turn in chess.COLORS:
                    if not board.was_into_check():
                        yield board, len(images)


def symmetries() -> list[list[int]]:
    """The eight maps of the board to itself: nothing, the mirror of the files, and the rest."""
    maps = []
    for swap in (False, True):
        for rank_flip in (0, 7):
            for file_flip in (0, 7):
                squares = []
                for square in chess.SQUARES:
                    file = chess.square_file(square) ^ file_flip
                    rank = chess.square_rank(square) ^ rank_flip
                    squares.append(chess.square(rank, file) if swap else chess.square(file, rank))
                maps.append(squares)
    return maps


SYMMETRIES = symmetries()


def published(tables: chess.gaviota.PythonTablebase, board: chess.Board) -> tuple[str, int | None]:
    """Win, draw or loss and the plies to mate; Gaviota has 0 for both a draw and a mated side."""
    plies = tables.probe_dtm(board)
    if plies > 0:
        return "win", plies
    if plies < 0:
        return "loss", -plies
    return ("loss", 0) if board.is_checkmate() else ("draw", None)


def compare(args: argparse.Namespace, tables: chess.gaviota.PythonTablebase, name: str) -> bool:
    """Compares a table and prints what it finds; tells whether all agree."""
    with tempfile.TemporaryFile("w+") as fens:
        expected = []
        count = 0
        for board, weight in positions(PIECES[name]):
            fens.write(board.fen() + "\n")
            expected.append(published(tables, board))
            count += weight
        fens.flush()
        fens.seek(0)
        command = [args.finale, "probe", "orthodox", "--batch", "--tables", args.tables]
        answers = subprocess.run(
            command, stdin=fens, stdout=subprocess.PIPE, check=True, text=True
        ).stdout.splitlines()
    if len(answers) != len(expected):
        sys.exit(f"{args.finale} answered {len(answers)} of {len(expected)} positions of {name}")
    different = 0
    example = ""
    for line, theirs in zip(answers, expected):
        answer = json.loads(line)
        if "error" in answer:
            sys.exit(f"{answer['fen']}: {answer['error']}")
        ours = (answer["wdl"], answer["dtm"])
        if ours != theirs:
            different += 1
            example = example or f"{answer['fen']}: {ours} here, {theirs} in Gaviota"
    print(f"{name:<6}{count:>12}{len(expected):>12}{different:>12}", flush=True)
    if example:
        print(f"      such as {example}")
    return different == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("finale", help="the program, such as target/release/finale")
    parser.add_argument("tables", help="the folder that `finale build` writes to")
    parser.add_argument("gaviota", help="the folder with the files *.gtb.cp4")
    args = parser.parse_args()
    # Not the native library, which does not look into the tables of a lone Bishop or Knight.
    with chess.gaviota.PythonTablebase() as tables:
        tables.add_directory(args.gaviota)
        print(f"{'table':<6}{'positions':>12}{'compared':>12}{'different':>12}")
        agree = [compare(args, tables, name) for name in PIECES]
    sys.exit(0 if all(agree) else 1)


if __name__ == "__main__":
    main()
