"""Positions, played by the full rules of their game."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Literal, NamedTuple, Optional, Union

from . import _finale, notebook

__all__ = ["Position", "Turn"]


class Turn(NamedTuple):
    """A legal turn."""

    uci: str
    """In UCI notation: ``e2e4``, ``e7e8q``, ``0000`` for a pass."""
    san: str
    """In short notation: ``Nf3``, ``e8=Q#``, ``--`` for a pass."""

    def __str__(self) -> str:
        return self.san


def keywords(options: Dict[str, Any]) -> Dict[str, str]:
    """Rule options as text; a path as the text of it."""
    return {
        name: str(os.fspath(value) if isinstance(value, os.PathLike) else value)
        for name, value in options.items()
    }


class Position:
    """A position of a game, which never changes; playing a turn gives another.

    ``fen`` is a FEN as the page of the game's rules defines it, or None for the position every game
    starts from. Rule options go by keyword: ``Position("high", vitality=20)``.

    Positions are equal if their games, options and FENs are, and can be pickled.

    Raises ``ValueError`` for a FEN that is no position, with what is wrong and what would be right,
    for a game or a value there is not, and ``TypeError`` for a rule option the game has not.

    >>> position = Position("high", "8/8/8/3k4/8/8/1BN5/K7 w - - 50+50")
    >>> position.play("Kb1").fen
    '8/8/8/3k4/8/8/1BN5/1K6 b - - 49+50 1 1'
    """

    __slots__ = ("_game", "_options", "_rules", "_fen")

    def __init__(self, game: str, fen: Optional[str] = None, **options: Any) -> None:
        self._game = game
        self._options = keywords(options)
        self._rules = _finale.Rules(game, self._options)
        self._fen = self._rules.initial() if fen is None else self._rules.canonical(fen)

    @property
    def game(self) -> str:
        """The name of the game: ``high``."""
        return self._game

    @property
    def fen(self) -> str:
        """The one canonical FEN, with all fields."""
        return self._fen

    @property
    def turn(self) -> Literal["white", "black"]:
        """Whose turn it is."""
        return "white" if self._rules.white_to_move(self._fen) else "black"

    @property
    def ending(self) -> Optional[str]:
        """How the game has ended, in words, or None while it goes on."""
        return self._rules.ending(self._fen)

    def turns(self) -> List[Turn]:
        """Every legal turn; none exactly if the game is over."""
        return [Turn(uci, san) for uci, san in self._rules.turns(self._fen)]

    def play(self, turn: Union[str, Turn]) -> Position:
        """The position after a turn, in UCI, short or long algebraic notation.

        Raises ``ValueError`` if it is no legal turn here, or could be several.
        """
        text = turn.uci if isinstance(turn, Turn) else turn
        after = object.__new__(type(self))
        after._game, after._options, after._rules = self._game, self._options, self._rules
        after._fen = self._rules.play(self._fen, text)
        return after

    def perft(self, depth: int) -> int:
        """How many sequences of so many turns there are; games that end sooner count for none."""
        return self._rules.perft(self._fen, depth)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self._game, tuple(sorted(self._options.items())), self._fen

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (type(self), self._game, self._fen, self._options)

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self._options.items())
        return f"Position({self._game!r}, {self._fen!r}{options})"

    def __str__(self) -> str:
        """The board as letters, White's men in upper case, the eighth rank first."""
        placement = self._fen.split()[0].split("[")[0]
        ranks = (
            "".join("." * int(c) if c.isdigit() else c for c in rank)
            for rank in placement.split("/")
        )
        return "\n".join(" ".join(rank) for rank in ranks)

    def _repr_svg_(self) -> str:
        return notebook.board(self._fen)


def _made(kind: type[Position], game: str, fen: str, options: Dict[str, str]) -> Position:
    return kind(game, fen, **options)
