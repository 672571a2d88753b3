"""Every game: answers one by one, in bulk and as whole tables say the same."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import Any, Dict

import numpy as np
import pytest
from common import ROOT, SHIPPED, material_of, some_fens

import finale


def flat(members: Dict[str, Any], columns: finale.Columns) -> Dict[str, Any]:
    """Members as columns have them: those of objects by themselves."""
    found: Dict[str, Any] = {}
    for name, value in members.items():
        if name in columns:
            found[name] = value
        elif name == "mate":
            found["mate_by"] = value and value["by"]
            found["mate_plies"] = value and value["plies"]
    return found


def in_row(columns: finale.Columns, name: str, row: int) -> Any:
    """A value as JSON has it."""
    value = columns[name][row]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, str):
        return value or None
    if value.dtype == np.float32:
        if np.isnan(value):
            return None
        return str(value) if np.isinf(value) else int(value)
    # Only margins may be below nought.
    return None if value == -1 and name not in ("margin", "to_gain") else int(value)


def test_answers_are_the_same_in_bulk(game: str, tables: Any) -> None:
    fens = some_fens(tables, material_of(game), 300)
    columns = tables.probe_many(fens)
    assert columns.rows == len(fens)
    for row in range(0, len(fens), 7):
        answer = tables.probe(fens[row], turns=False)
        assert not hasattr(answer, "turns")
        for name, value in flat(answer.as_dict(), columns).items():
            assert in_row(columns, name, row) == value, (fens[row], name)
        with_turns = tables.probe(fens[row])
        assert {turn.san for turn in with_turns.turns} == {
            turn.san for turn in finale.Position(game, fens[row]).turns()
        }


def test_numbers_and_positions(game: str, tables: Any) -> None:
    table = tables.table(material_of(game))
    whole = table.columns()
    numbers = whole["number"][whole["number"] >= 0][:: max(1, whole.rows // 500)]
    fens = table.fens(numbers)
    assert None not in fens
    assert table.numbers(fens).tolist() == numbers.tolist()
    assert table.fens([-1, len(table)]) == [None, None]
    assert table.fens([]) == []
    assert table.numbers([finale.Position(game).fen]).tolist() == [-1]
    # The men stand where the columns say.
    man = next(name for name in whole if name.startswith(("white_", "black_")))
    row = whole["number"].tolist().index(numbers[0])
    square = int(whole[man][row])
    board = str(finale.Position(game, fens[0])).split("\n")
    assert board[len(board) - 1 - square // 8].split()[square % 8] != "."


def test_lines_end(game: str, tables: Any) -> None:
    fen = some_fens(tables, material_of(game), 8)[0]
    line = tables.line(fen, 40)
    assert line.game == game and line.fen == finale.Position(game, fen).fen
    position = finale.Position(game, fen)
    for ply in line.line:
        position = position.play(ply.uci)
        assert position.fen == ply.fen
    assert line.end


def test_members_are_those_of_the_types(game: str, tables: Any) -> None:
    answer = tables.probe(some_fens(tables, material_of(game), 8)[0])
    declared = set()
    for kind in type(answer).__mro__:
        declared |= {
            name for name in getattr(kind, "__annotations__", {}) if not name.startswith("_")
        }
    assert set(answer.as_dict()) == declared
    with pytest.raises(AttributeError, match="has no `nonsense`; it has fen, game"):
        answer.nonsense


@pytest.mark.skipif("FINALE" not in os.environ, reason="FINALE names no program")
def test_answers_are_those_of_the_program(game: str, tables: Any) -> None:
    fens = some_fens(tables, material_of(game), 50)
    ran = subprocess.run(
        [os.environ["FINALE"], "probe", game, "--batch", "--turns", "--tables", str(SHIPPED)],
        input="\n".join(fens) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    for fen, line in zip(fens, ran.stdout.splitlines()):
        said = json.loads(line)
        assert tables.probe(fen).as_dict() == {**said, "fen": finale.Position(game, fen).fen}


def weights(columns: finale.Columns, *where: Any) -> int:
    chosen = np.ones(columns.rows, dtype=bool)
    for mask in where:
        chosen &= mask
    return int(columns["weight"][chosen].sum())


@pytest.mark.parametrize("game", ["orthodox", "koth", "orphic", "orphic-elks"])
def test_columns_count_as_statistics_do(game: str) -> None:
    tables = finale.open_tablebase(SHIPPED, game=game)
    for material in tables.materials():
        columns = tables.table(material).columns()
        stats = tables.stats(material)
        for row in stats["results"]:
            side = [] if row["to_move"] == "either" else [columns["to_move"] == row["to_move"]]
            assert weights(columns, *side) == row["positions"], material
            for key, result in [("wins", "win"), ("draws", "draw"), ("losses", "loss")]:
                assert weights(columns, *side, columns["wdl"] == result) == row[key], (
                    material,
                    key,
                )
        for row in stats["longest"]:
            same = [columns["wdl"] == row["result"]]
            if row["to_move"] != "either":
                same.append(columns["to_move"] == row["to_move"])
            chosen = np.logical_and.reduce(same)
            assert columns["dtm"][chosen].max() == row["plies"], material


def test_passing_is_counted(four_men: Any) -> None:
    tables = finale.open_tablebase(four_men)
    columns = tables.table("KPvKP").columns()
    passing = columns["en_passant"] >= 0
    assert passing.any() and (columns["number"][passing] == -1).all()
    (row,) = tables.stats("KPvKP")["results"]
    assert weights(columns) == row["positions"]
    assert weights(columns, columns["wdl"] == "win") == row["wins"]


def test_high_counts() -> None:
    tables = finale.open_tablebase(SHIPPED, game="high")
    columns = tables.table("KBvK").columns()
    for row in tables.stats("KBvK")["who_wins"]:
        here = columns["to_move"] == row["to_move"]
        here &= (columns["en_passant"] >= 0) == row.get("en_passant", False)
        assert weights(columns, here) == row["placements"]
        for side in ("white", "black"):
            assert weights(columns, here, columns["winner"] == side) == row[side]
    full = columns["staircase"].shape[1]
    assert full == 50
    # Who wins at full vitalities stands in the last column of the staircase.
    assert ((columns["staircase"][:, -1] == full) == (columns["winner"] == "white")).all()


def test_noro_counts() -> None:
    tables = finale.open_tablebase(SHIPPED, game="noro")
    for material in ("QvR", "PvP"):
        columns = tables.table(material).columns()
        for row in tables.stats(material)["lead_needed"]:
            here = columns["to_move"] == row["to_move"]
            here &= (columns["en_passant"] >= 0) == row["en_passant"]
            for name in ("win_at", "draw_at"):
                here &= columns[name] == np.float32(row[name])
            assert weights(columns, here) == row["placements"], material


def test_stylish_counts() -> None:
    tables = finale.open_tablebase(SHIPPED, game="stylish")
    columns = tables.table("KPvK").columns()
    for row in tables.stats("KPvK")["margins"]:
        here = (columns["to_move"] == row["to_move"]) & (columns["margin"] == row["margin"])
        here &= columns["last_capture"] == (row["last_capture"] or "nobody").replace("nobody", "")
        here &= (columns["en_passant"] >= 0) == row["en_passant"]
        assert weights(columns, here) == row["placements"]


def test_tiebraker_counts() -> None:
    tables = finale.open_tablebase(SHIPPED, game="tiebraker")
    columns = tables.table("KRvK").columns()
    assert columns.words("mode")[:3] == ["normal", "declared", "accepted"]
    for row in tables.stats("KRvK")["points"]:
        here = (columns["to_move"] == row["to_move"]) & (columns["mode"] == row["mode"])
        here &= (columns["disk"] == (row["disk"] or "")) & (columns["points"] == row["points"])
        assert weights(columns, here) == row["placements"], row


def test_rule_options(tmp_path: Any) -> None:
    built = finale.build("high", ["KQvK"], tmp_path, vitality=5, revitalise="both")
    assert built == ["KvK", "KQvK"]
    assert finale.build("high", ["KQvK"], tmp_path, vitality=5, revitalise="both") == []
    with finale.open_tablebase(tmp_path, game="high", vitality=5, revitalise="both") as tables:
        assert len(tables.probe("8/8/8/2k5/8/8/8/K6Q w - - 5+5").staircase) == 5
        assert tables.stats("KQvK")["revitalise"] == "both"
        assert "KQvK" in tables and "KRvK" not in tables and "nonsense" not in tables
    usual = finale.open_tablebase(tmp_path, game="high")
    with pytest.raises(finale.OtherTableError, match="vitality 5"):
        usual.probe("8/8/8/2k5/8/8/8/K6Q w - - 5+5")
    finale.build("noro", ["RvQ"], tmp_path, elimination="score", moves="4+2")
    noro = finale.open_tablebase(tmp_path, game="noro", elimination="score", moves="4+2")
    assert noro.probe("8/8/8/3q4/8/2R5/8/8 w - - 0+0").plies_left == 12
    finale.build("orphic", men=2, folder=tmp_path, king="free")
    assert finale.open_tablebase(tmp_path, game="orphic", king="free").materials()
    sheet = tmp_path / "sheet.toml"
    sheet.write_text((ROOT / "src/rules/stylish/sheet.toml").read_text())
    assert (
        finale.open_tablebase(SHIPPED, game="stylish", scores=sheet)
        .probe("8/8/8/2k5/8/8/8/K6Q w", turns=False)
        .game
        == "stylish"
    )


def test_statistics_from_other_vitalities() -> None:
    tables = finale.open_tablebase(SHIPPED, game="high")
    assert tables.stats("KBvK", counted_from="20+50")["vitality"] is not None
    with pytest.raises(ValueError, match="two vitalities"):
        tables.stats("KBvK", counted_from="nonsense")
    with pytest.raises(ValueError, match="has no statistics"):
        finale.open_tablebase(SHIPPED).stats("KRvK", counted_from="20+50")


def test_results_alone(tmp_path: Any) -> None:
    finale.build("orthodox", "KRvK", tmp_path, contents="result")
    tables = finale.open_tablebase(tmp_path)
    answer = tables.probe("8/8/8/3k4/8/8/8/K6R w")
    assert (answer.wdl, answer.dtm) == ("win", None)
    assert (tables.probe_many(["8/8/8/3k4/8/8/8/K6R w"])["dtm"] == -1).all()
    with pytest.raises(finale.UncoveredPositionError, match="not in how many plies"):
        tables.probe_dtm(finale.Position("orthodox", "8/8/8/3k4/8/8/8/K6R w"))
    with pytest.raises(ValueError, match="no tables of distance for noro; they are of result"):
        finale.build("noro", "QvR", tmp_path, contents="distance")


def test_several_folders(tmp_path: Any) -> None:
    first = tmp_path / "first" / "orthodox"
    first.mkdir(parents=True)
    shutil.copy(SHIPPED / "orthodox" / "KvK.ftb", first)
    tables = finale.open_tablebase([tmp_path / "first", SHIPPED])
    assert tables.probe("8/8/8/3k4/8/8/8/K6R w").wdl == "win"
    alone = finale.open_tablebase(tmp_path / "first")
    assert alone.get("8/8/8/3k4/8/8/8/K6R w") is None
    alone.add_directory(SHIPPED)
    assert alone.probe("8/8/8/3k4/8/8/8/K6R w").wdl == "win"
