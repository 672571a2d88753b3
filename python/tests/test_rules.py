"""Positions are played by the full rules, pickled, compared and drawn."""

from __future__ import annotations

import pickle
import xml.etree.ElementTree as xml

import pytest

import finale
from finale import Position

MEN = "8/8/8/3k4/8/8/1BN5/K7 w - - 50+50"


def test_positions_are_played() -> None:
    position = Position("high", MEN)
    assert (position.fen, position.turn, position.ending) == (MEN + " 0 1", "white", None)
    after = position.play("Kb1")
    assert after.fen == "8/8/8/3k4/8/8/1BN5/1K6 b - - 49+50 1 1"
    assert position.play("a1b1") == after == position.play(finale.Turn("a1b1", "Kb1"))
    assert ("0000", "--") in position.turns() and str(position.turns()[0]) == position.turns()[
        0
    ].san
    with pytest.raises(ValueError, match="is not a legal turn"):
        position.play("Kh8")
    mate = Position("orthodox", "7k/5KQ1/8/8/8/8/8/8 b")
    assert mate.turns() == [] and mate.ending == "White wins by checkmate"


@pytest.mark.parametrize(("game", "counts"), [("orthodox", [20, 400, 8902]), ("high", [21, 441])])
def test_turns_are_counted(game: str, counts: list[int]) -> None:
    assert [Position(game).perft(depth) for depth in range(1, len(counts) + 1)] == counts


def test_every_game_begins(game: str) -> None:
    start = Position(game)
    assert start.turn == "white" and start.turns()
    assert start.play(start.turns()[0]).turn in ("white", "black")


def test_positions_are_values() -> None:
    position = Position("high", "8/8/8/3k4/8/8/1BN5/K7 w - - 5+5", vitality=5)
    assert pickle.loads(pickle.dumps(position)) == position
    assert (
        len(
            {position, Position("high", position.fen, vitality="5"), Position("high", position.fen)}
        )
        == 2
    )
    assert position != position.fen
    assert eval(repr(position), {"Position": Position}) == position


def test_boards_are_drawn() -> None:
    position = Position("orphic")
    for fen_of in ("orphic", "tiebraker", "orphic-elks"):
        svg = xml.fromstring(Position(fen_of)._repr_svg_())
        assert len(svg.findall("{http://www.w3.org/2000/svg}rect")) == 64
    men = Position("orthodox")._repr_svg_()
    assert (
        men.count("<title>black pawn</title>") == 8 and men.count("<title>white king</title>") == 1
    )
    assert str(Position("orthodox")).split("\n")[7] == "R N B Q K B N R"
    assert str(position).count("\n") == 7
