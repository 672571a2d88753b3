"""Games from files."""

from __future__ import annotations

from pathlib import Path

import pytest

import finale

GAMES = """\
[python-hasty:chess]
stalemateValue = loss

[python-drops:chess]
pieceDrops = true
"""


def test_games_of_a_file_are_games(tmp_path: Path) -> None:
    path = tmp_path / "my.ini"
    path.write_text(GAMES)
    refused = finale.load_variants(path)
    reason = "line 5: `pieceDrops`: this rule is not known at the value `true`"
    assert refused == {"python-hasty": [], "python-drops": [reason]}
    # Once more does no harm.
    assert finale.load_variants(path) == refused
    stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
    assert str(finale.Position("python-hasty", stalemate).ending) == "White wins by stalemate"
    finale.build("python-hasty", ["KQvK"], tmp_path)
    with finale.open_tablebase(tmp_path, game="python-hasty") as tables:
        assert tables.probe(stalemate).wdl == "loss"
    with pytest.raises(ValueError, match="python-drops"):
        finale.open_tablebase(tmp_path, game="python-drops")


def test_what_is_no_file_of_variants(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        finale.load_variants(tmp_path / "none.ini")
    path = tmp_path / "my.ini"
    path.write_text("king = k\n")
    with pytest.raises(ValueError, match="stands before the first section"):
        finale.load_variants(path)
