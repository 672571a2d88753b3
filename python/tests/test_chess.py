"""Orthodox chess in python-chess's own shape, and against its probers."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from typing import Any, Iterator, List

import numpy as np
import pytest
from common import ORACLE, SHIPPED, some_fens

import finale
import finale.gaviota

chess = pytest.importorskip("chess")
chess_gaviota = pytest.importorskip("chess.gaviota")
chess_syzygy = pytest.importorskip("chess.syzygy")
chess_variant = pytest.importorskip("chess.variant")

needs_oracle = pytest.mark.skipif(ORACLE is None, reason="FINALE_ORACLE names no folder")


def test_boards_are_taken() -> None:
    board = chess.Board("8/8/8/3k4/8/8/8/K6R w - - 0 1")
    with finale.open_tablebase(SHIPPED) as tables:
        answer = tables.probe(board)
        assert tables.probe_wdl(board) == 1 and tables.probe_dtm(board) == answer.dtm
        assert tables.probe_many([board, board.fen()])["dtm"].tolist() == [answer.dtm] * 2
        assert (
            tables.table("KRvK").numbers([board]).tolist()
            == tables.table("KRvK").numbers([board.fen()]).tolist()
        )
        board.push_san("Rh4")
        assert tables.probe_wdl(board) == -1 and tables.probe_dtm(board) < 0
        mate = chess.Board("7k/5KQ1/8/8/8/8/8/8 b - - 0 1")
        assert (tables.probe_wdl(mate), tables.probe_dtm(mate)) == (-1, 0)
        queens = chess.Board("8/8/8/3k4/8/8/8/KQ5R w - - 0 1")
        assert tables.get_wdl(queens) is None and tables.get_wdl(queens, 7) == 7
        assert tables.get_dtm(queens, default=8) == 8
        with pytest.raises(KeyError):
            tables.probe_wdl(queens)
        with pytest.raises(KeyError):
            tables.probe_dtm(chess.Board())


def test_boards_of_variants_are_those_of_games() -> None:
    koth = finale.open_tablebase(SHIPPED, game="koth")
    board = chess_variant.KingOfTheHillBoard("8/8/8/k7/8/8/3K4/8 w - - 0 1")
    assert koth.probe_wdl(board) == 1 and koth.probe_dtm(board) == 3
    with pytest.raises(ValueError, match="a board of chess, and these are tables of koth"):
        koth.probe_wdl(chess.Board(board.fen()))
    with pytest.raises(ValueError, match="a board of kingofthehill"):
        finale.open_tablebase(SHIPPED).get_wdl(board)
    high = finale.open_tablebase(SHIPPED, game="high")
    with pytest.raises(ValueError, match="use probe"):
        high.probe_wdl(finale.Position("high", "8/8/8/3k4/8/8/8/K6R w - - 50+50"))


def program(gaviota: Any, folder: Any, board: Any) -> List[Any]:
    """A program written for python-chess's Gaviota prober."""
    found: List[Any] = []
    with gaviota.open_tablebase(folder) as tablebase:
        found += [tablebase.probe_dtm(board), tablebase.probe_wdl(board)]
        found += [tablebase.get_dtm(board), tablebase.get_wdl(board, None)]
        try:
            tablebase.probe_dtm(chess.Board("8/8/8/3k4/8/8/8/KQRB4 w - - 0 1"))
        except gaviota.MissingTableError:
            found.append("missing")
        found.append(tablebase.get_wdl(chess.Board(), default="none"))
    return found


def test_a_program_works_after_changing_an_import() -> None:
    board = chess.Board("8/8/8/8/8/2k5/8/KR6 b - - 0 1")
    found = program(finale.gaviota, str(SHIPPED), board)
    assert found == [found[0], -1 if found[0] else 0, found[0], found[1], "missing", "none"]
    if ORACLE is not None:
        assert found == program(chess_gaviota, os.path.join(ORACLE, "gaviota"), board)


def samples(tables: Any, materials: List[str], count: int) -> Iterator[Any]:
    for material in materials:
        for fen in some_fens(tables, material, count):
            yield chess.Board(fen)


@needs_oracle
def test_distances_are_gaviotas() -> None:
    tables = finale.open_tablebase(SHIPPED)
    with chess_gaviota.PythonTablebase() as gaviota:
        gaviota.add_directory(os.path.join(str(ORACLE), "gaviota"))
        for board in samples(tables, [m for m in tables.materials() if m != "KvK"], 200):
            assert tables.probe_dtm(board) == gaviota.probe_dtm(board), board.fen()
            assert tables.probe_wdl(board) == gaviota.probe_wdl(board), board.fen()


@needs_oracle
def test_results_are_syzygys(four_men: Path) -> None:
    tables = finale.open_tablebase([four_men, SHIPPED])
    with chess_syzygy.open_tablebase(os.path.join(str(ORACLE), "syzygy")) as syzygy:
        for board in samples(tables, tables.materials(), 200):
            # Its draws by fifty moves are none here.
            wdl = syzygy.probe_wdl(board)
            assert tables.probe_wdl(board) == (wdl > 0) - (wdl < 0), board.fen()


@needs_oracle
def test_whole_tables_have_the_results_of_syzygy() -> None:
    tables = finale.open_tablebase(SHIPPED)
    rng = random.Random(3)
    with chess_syzygy.open_tablebase(os.path.join(str(ORACLE), "syzygy")) as syzygy:
        for material in ("KRvK", "KPvK"):
            columns = tables.table(material).columns()
            men = [name for name in columns if name.startswith(("white_", "black_"))]
            for row in rng.sample(range(columns.rows), 300):
                board = chess.Board(None)
                for man in men:
                    color, role = man.split("_")[:2]
                    piece = chess.Piece(chess.PIECE_NAMES.index(role), color == "white")
                    board.set_piece_at(int(columns[man][row]), piece)
                board.turn = columns["to_move"][row] == "white"
                assert board.is_valid()
                wdl = {"win": 2, "draw": 0, "loss": -2}[columns["wdl"][row]]
                assert syzygy.probe_wdl(board) == wdl, board.fen()


@needs_oracle
def test_many_are_much_faster_than_a_loop(four_men: Path) -> None:
    """Slack for a busy machine; `python/README.md` has figures of a quiet one."""
    tables = finale.open_tablebase(four_men)
    fens = some_fens(tables, "KQvKR", 4000) * 10
    tables.probe_many(fens)
    start = time.perf_counter()
    tables.probe_many(fens)
    ours = (time.perf_counter() - start) / len(fens)
    boards = [chess.Board(fen) for fen in fens[:2000]]
    with chess_syzygy.open_tablebase(os.path.join(str(ORACLE), "syzygy")) as syzygy:
        found = [syzygy.probe_wdl(board) for board in boards]
        start = time.perf_counter()
        found = [syzygy.probe_wdl(board) for board in boards]
        theirs = (time.perf_counter() - start) / len(boards)
    wdl = tables.probe_many(fens[:2000]).codes("wdl")
    assert np.sign(found).tolist() == (wdl - 1).tolist()
    assert theirs / ours > 10
