"""Exceptions have the library's sentences, and say what would help."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path
from typing import Any, Callable, List, Tuple, Type

import pytest
from common import SHIPPED

import finale

ROOK = "8/8/8/3k4/8/8/8/K6R w - - 0 1"


def test_a_missing_table_is_named_with_what_builds_it(tmp_path: Path) -> None:
    tables = finale.open_tablebase(tmp_path, game="high", vitality=7)
    with pytest.raises(finale.MissingTableError) as raised:
        tables.probe("8/8/8/3k4/8/8/1BN5/K7 w - - 5+5")
    error = raised.value
    assert isinstance(error, KeyError)
    assert error.material == "KBNvK"
    assert error.command == f"finale.build('high', ['KBNvK'], '{tmp_path}', vitality='7')"
    assert (
        str(error)
        == f"there is no table for KBNvK in {tmp_path}/high; build it with `{error.command}`"
    )
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.material, again.command) == (
        str(error),
        error.material,
        error.command,
    )


def test_what_builds_it_builds_it(tmp_path: Path) -> None:
    tables = finale.open_tablebase(tmp_path)
    with pytest.raises(finale.MissingTableError) as raised:
        tables.probe(ROOK)
    assert eval(raised.value.command) == ["KvK", "KRvK"]
    assert tables.probe(ROOK).wdl == "win"


def test_default_where_a_table_may_be_missing(tmp_path: Path) -> None:
    tables = finale.open_tablebase(tmp_path)
    assert tables.get(ROOK) is None
    assert tables.get(ROOK, default=17) == 17
    assert tables.get("r3k2r/8/8/8/8/8/8/4K3 b kq", default=18) == 18
    with pytest.raises(ValueError):
        tables.get("nonsense")
    answer = finale.open_tablebase(SHIPPED).get(ROOK)
    assert answer is not None and answer.dtm is not None


def test_positions_that_no_table_covers() -> None:
    tables = finale.open_tablebase(SHIPPED)
    with pytest.raises(finale.UncoveredPositionError, match="tables do not cover castling rights"):
        tables.probe("4k3/8/8/8/8/8/8/4K2R w K -")
    with pytest.raises(KeyError, match="at most 6 men"):
        tables.probe(finale.Position("orthodox").fen.replace("KQkq", "-"))


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("", "the FEN is empty"),
        ("8/8/8/8/8/8/8/K7 w", "Black has 0 kings; each side has exactly one"),
        ("8/8/8/3k4/8/8/8/K6R x", "`x` is not a side to move"),
        ("8/8/8/3k4/8/8/8/K6R w - - 50+50", "only the two counters may follow"),
    ],
)
def test_a_wrong_fen_is_a_value_error(fen: str, words: str) -> None:
    tables = finale.open_tablebase(SHIPPED)
    for ask in (tables.probe, tables.line, lambda fen: finale.Position("orthodox", fen)):
        with pytest.raises(ValueError, match=words.replace("+", r"\+").replace("(", r"\(")):
            ask(fen)
    with pytest.raises(ValueError, match="position 1, "):
        tables.probe_many([ROOK, fen])


def test_errors_of_many_can_be_kept() -> None:
    tables = finale.open_tablebase(SHIPPED)
    fens = [ROOK, "nonsense", "8/8/8/3k4/8/8/8/KQ5R w", "4k3/8/8/8/8/8/8/4K2R w K -", ROOK]
    with pytest.raises(ValueError, match="position 1, `nonsense`: the placement has 1 rank"):
        tables.probe_many(fens)
    with pytest.raises(finale.MissingTableError, match="position 1, .*KQRvK") as raised:
        tables.probe_many([ROOK, fens[2]])
    assert raised.value.material == "KQRvK"
    columns = tables.probe_many(fens, errors="keep")
    assert columns["wdl"].tolist() == ["win", "", "", "", "win"]
    assert columns["dtm"].tolist()[1:4] == [-1, -1, -1]
    errors = columns["error"].tolist()
    assert errors[0] is None and errors[4] is None
    assert errors[1].startswith("the placement")
    assert "finale.build('orthodox', ['KQRvK']" in errors[2]
    assert "castling" in errors[3]


def test_what_is_asked_wrongly() -> None:
    tables: Any = finale.open_tablebase(SHIPPED)
    wrong: Any = "moves"
    asked: List[Tuple[Callable[[], Any], Type[Exception], str]] = [
        (
            lambda: finale.open_tablebase(SHIPPED, game="draughts"),
            ValueError,
            "`draughts` is no game; there are",
        ),
        (
            lambda: finale.open_tablebase(SHIPPED, game="high", vitality=0),
            ValueError,
            "vitality='0'",
        ),
        (
            lambda: finale.open_tablebase(SHIPPED, game="high", moves=3),
            TypeError,
            "it has vitality, revitalise",
        ),
        (lambda: finale.open_tablebase(SHIPPED, elks=1), TypeError, "it has none"),
        (
            lambda: finale.open_tablebase(SHIPPED, contents=wrong),
            ValueError,
            "no tables of `moves`",
        ),
        (lambda: tables.table("KBNK"), ValueError, "not a material"),
        (lambda: tables.table("KKvK"), ValueError, "2 Kings"),
        (lambda: tables.table("KRvK").columns("x"), ValueError, "no side to move"),
        (lambda: tables.table("KvK").columns("b"), ValueError, "with Black to move"),
        (
            lambda: tables.table("KRvK").columns(only=["dtz"]),
            ValueError,
            "there is no column `dtz`",
        ),
        (lambda: tables.table("KRvK").fens([0.5]), ValueError, "whole"),
        (lambda: tables.table("KRvK").columns()["dtz"], KeyError, "dtz"),
        (lambda: tables.table("KRvK").columns().words("dtm"), ValueError, "has no words"),
        (lambda: tables.probe_many([ROOK, "8/8\n8"]), ValueError, "no line breaks"),
        (lambda: tables.probe_many([ROOK], errors="ignore"), ValueError, "'keep'"),
        (lambda: finale.build("high", ["KXvK"]), ValueError, "there is no X in this game"),
        (lambda: finale.build("high", ["KvK"], level=40), ValueError, "1 to 22"),
        (lambda: finale.build("high", men=9), ValueError, "2 to 6"),
    ]
    for ask, kind, words in asked:
        with pytest.raises(kind) as raised:
            ask()
        assert words in str(raised.value)


def test_a_damaged_table_is_told(tmp_path: Path) -> None:
    shutil.copytree(SHIPPED / "orthodox", tmp_path / "orthodox")
    path = tmp_path / "orthodox" / "KRvK.ftb"
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    tables = finale.open_tablebase(tmp_path)
    with pytest.raises(finale.DamagedTableError, match="KRvK.ftb is damaged"):
        tables.probe(ROOK)
    path.write_bytes(b"something else entirely, which is no table at all" * 10)
    with pytest.raises(finale.DamagedTableError, match="not a table file"):
        tables.table("KRvK")
    path.write_bytes(whole)
    assert tables.probe(ROOK).wdl == "win"


def test_folders_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="Not a directory"):
        finale.build("orthodox", ["KvK"], tmp_path / "file" / "tables")


def test_closed_tables() -> None:
    with finale.open_tablebase(SHIPPED) as tables:
        assert tables.probe(ROOK).wdl == "win"
    with pytest.raises(ValueError, match="closed"):
        tables.probe(ROOK)
    with pytest.raises(ValueError, match="closed"):
        pickle.dumps(tables)
