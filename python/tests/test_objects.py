"""Answers and columns as objects: pickled, shown, handed to others; threads, processes, memory."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, List

import numpy as np
import pytest
from common import SHIPPED, material_of, some_fens

import finale


def test_answers_are_pickled_and_shown(game: str, tables: Any) -> None:
    fen = some_fens(tables, material_of(game), 8)[0]
    answer = tables.probe(fen)
    again = pickle.loads(pickle.dumps(answer))
    assert again == answer == copy.deepcopy(answer) and again.turns == answer.turns
    assert answer != tables.probe(fen, turns=False)
    shown = answer._repr_html_()
    assert "<svg" in shown and "<table>" in shown
    if answer.turns:
        assert f"<b>{answer.turns[0].san}</b>" in shown
    assert repr(answer).startswith(type(answer).__name__ + "(fen=")
    line = tables.line(fen, 6)
    assert pickle.loads(pickle.dumps(line)) == line
    assert len(str(line).split()) == len(line.line)


def test_tables_are_pickled() -> None:
    tables = finale.open_tablebase(SHIPPED, game="high", contents="distance")
    again = pickle.loads(pickle.dumps(tables))
    fen = "8/8/8/3k4/8/8/8/K6R w - - 50+50"
    assert again.probe(fen) == tables.probe(fen)
    assert repr(again) == repr(tables)


def test_arrays_show_memory_that_is_kept() -> None:
    plies = finale.open_tablebase(SHIPPED, game="high").table("KRvK").columns("w")["plies"]
    # The columns are gone; their memory is not.
    assert plies.dtype == np.int32 and not plies.flags.writeable and plies.max() > 20
    with pytest.raises(ValueError):
        plies[0] = 1


def test_dtypes_are_as_documented(game: str, tables: Any) -> None:
    columns = tables.table(material_of(game)).columns()
    for name, array in columns.items():
        if name == "margin" and game == "noro":
            expected: Any = np.float32
        elif name in ("number", "margin", "to_gain"):
            expected = np.int64
        elif name in ("weight", "points", "staircase") or name.startswith("checks_left"):
            expected = np.uint8
        elif name in ("win_at", "draw_at"):
            expected = np.float32
        elif name == "en_passant" or name.startswith(("white_", "black_")):
            expected = np.int8
        elif array.dtype.kind == "U":
            assert columns.codes(name).dtype == np.int8
            assert [*columns.words(name), ""][columns.codes(name)[0]] == array[0]
            continue
        else:
            expected = np.int32
        assert array.dtype == expected, name
        assert array.shape[0] == columns.rows
    assert list(columns) == list(columns.keys()) and name in columns and "nonsense" not in columns
    assert repr(columns).startswith(f"<Columns: {columns.rows} rows of number, weight")


def test_arrow(game: str, tables: Any) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    columns = tables.table(material_of(game)).columns()
    table = pyarrow.table(columns)
    table.validate(full=True)
    assert table.num_rows == columns.rows and table.column_names == list(columns)
    batch = pyarrow.record_batch(columns)
    assert batch.num_rows == columns.rows and pyarrow.schema(columns) == table.schema
    for name, array in columns.items():
        arrow = table[name]
        if arrow.null_count:
            if array.dtype.kind == "U":
                absent = columns.codes(name) == -1
            else:
                absent = np.isnan(array) if array.dtype.kind == "f" else array == -1
            assert arrow.null_count == absent.sum()
            arrow, array = arrow.drop_null(), array[~absent]
        values = arrow.to_pylist()[::97]
        assert values == array[::97].tolist(), name


def test_errors_in_arrow() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    tables = finale.open_tablebase(SHIPPED)
    columns = tables.probe_many(["8/8/8/3k4/8/8/8/K6R w", "nonsense"], errors="keep")
    rows = pyarrow.table(columns).to_pylist()
    assert rows[0]["wdl"] == "win" and rows[0]["error"] is None
    assert rows[1]["wdl"] is None and rows[1]["dtm"] is None and "rank" in rows[1]["error"]
    empty = tables.probe_many([])
    assert empty.rows == 0 and pyarrow.table(empty).num_rows == 0


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    tables = finale.open_tablebase(SHIPPED, game="high")
    columns = tables.table("KBvK").columns()
    frame = polars.DataFrame(columns)
    wins = frame.group_by("to_move", "winner").agg(polars.col("weight").cast(polars.Int64).sum())
    counts = {(row[0], row[1]): row[2] for row in wins.iter_rows()}
    for row in tables.stats("KBvK")["who_wins"]:
        for side in ("white", "black"):
            assert counts.get((row["to_move"], side), 0) == row[side]
    assert frame["staircase"].to_numpy().shape == (columns.rows, 50)


def test_parts_of_tables() -> None:
    table = finale.open_tablebase(SHIPPED).table("KQvK")
    whole = table.columns()
    assert table.columns("w").rows + table.columns("black").rows == whole.rows
    middle = len(table) // 3
    parts = [table.columns(stop=middle), table.columns(start=middle)]
    assert np.concatenate([part["dtm"] for part in parts]).tolist() == whole["dtm"].tolist()
    some = table.columns("b", only=["dtm", "weight"])
    assert list(some) == ["weight", "dtm"] and len(some) == 2


def test_many_threads_ask() -> None:
    tables = finale.open_tablebase(SHIPPED, game="high")
    fens = some_fens(tables, "KQvK", 400)
    alone = [tables.probe(fen, turns=False) for fen in fens]
    with ThreadPoolExecutor(8) as pool:
        fresh = finale.open_tablebase(SHIPPED, game="high")
        assert list(pool.map(lambda fen: fresh.probe(fen, turns=False), fens)) == alone
        plies = pool.map(lambda _: fresh.probe_many(fens)["plies"].tolist(), range(8))
        assert all(found == [answer.plies for answer in alone] for found in plies)


def test_other_threads_go_on() -> None:
    """Python's lock is not held while a table is read."""
    table = finale.open_tablebase(SHIPPED, game="noro").table("KQvR")
    turns, over = 0, threading.Event()

    def read() -> None:
        table.columns()
        over.set()

    reader = threading.Thread(target=read)
    reader.start()
    while not over.is_set():
        turns += 1
    reader.join()
    assert turns > 100


def ask(fens: List[str]) -> List[int]:
    tables = finale.open_tablebase(SHIPPED)
    dtm: List[int] = tables.probe_many(fens)["dtm"].tolist()
    return dtm


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_forked_processes_ask() -> None:
    """A child has none of its parent's threads, and makes its own."""
    tables = finale.open_tablebase(SHIPPED)
    fens = some_fens(tables, "KRvK", 5000)
    here = ask(fens)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(ask, [fens, fens]) == [here, here]


def resident() -> int:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="memory is asked of /proc")
def test_nothing_leaks_over_a_million_probes() -> None:
    tables = finale.open_tablebase(SHIPPED)
    fens = some_fens(tables, "KQvK", 10_000)

    def many(times: int) -> None:
        for _ in range(times):
            columns = tables.probe_many(fens)
            columns["dtm"].sum(), columns["wdl"]
            columns.__arrow_c_stream__(), columns.__arrow_c_array__()

    def one_by_one(times: int) -> None:
        for fen in fens[:times]:
            tables.probe(fen)
            tables.get(fen)
            with pytest.raises(finale.MissingTableError):
                tables.probe("8/8/8/3k4/8/8/8/KQ5R w")

    many(10)
    one_by_one(1000)
    before = resident()
    many(100)
    one_by_one(5000)
    assert resident() - before < 16 << 20
