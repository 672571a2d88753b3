"""What tables say, as objects: the members have the names, types and meanings of ``docs/json.md``.

Each game has classes of its own, which only differ in what a type checker knows of them. An answer
can be pickled and compared, and shows itself in a notebook.
"""

from __future__ import annotations

from typing import Any, Dict, Generic, List, Literal, Optional, Type, TypedDict, TypeVar, Union

from . import notebook

__all__ = [
    "Answer",
    "ChessAnswer",
    "ChessPly",
    "HighAnswer",
    "HighPly",
    "Line",
    "Mate",
    "NoroAnswer",
    "NoroPly",
    "Ply",
    "Said",
    "Side",
    "StylishAnswer",
    "StylishPly",
    "TiebrakerAnswer",
    "TiebrakerPly",
]

Side = Literal["white", "black"]


class Mate(TypedDict):
    """Who could mate if nobody could be exhausted, and in how many plies."""

    by: Side
    plies: int


class Said:
    """Members by name, as attributes."""

    __slots__ = ("_members",)

    _members: Dict[str, Any]

    def __init__(self, members: Dict[str, Any]) -> None:
        self._members = members

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._members[name]
        except KeyError:
            there = ", ".join(self._members)
            words = f"this {type(self).__name__} has no `{name}`; it has {there}"
            raise AttributeError(words) from None

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._members]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Said) or type(self) is not type(other):
            return NotImplemented
        return self._members == other._members

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> Dict[str, Any]:
        return self._members

    def __setstate__(self, members: Dict[str, Any]) -> None:
        self._members = members

    def __repr__(self) -> str:
        shown = (f"{name}={value!r}" for name, value in self._members.items())
        return f"{type(self).__name__}({', '.join(shown)})"

    def as_dict(self) -> Dict[str, Any]:
        """The members as ``finale probe --json`` prints them."""
        return {name: _plain(value) for name, value in self._members.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Said):
        return value.as_dict()
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value


class _Chess:
    __slots__ = ()

    wdl: Literal["win", "draw", "loss"]
    """The result by best play, for the side to move."""
    dtm: Optional[int]
    """Plies to mate or whichever end comes; 0 if the game is over; None in a draw, and where tables
    hold results alone."""


class _High:
    __slots__ = ()

    winner: Side
    """Who wins at the vitalities of the position."""
    plies: Optional[int]
    """Plies to the end there, the winner hurrying; None if the table has no distances."""
    by: Optional[Literal["mate", "exhaustion"]]
    """How the game ends that way; None if the table has no distances."""
    slack: Optional[int]
    """How many points of vitality the winner could do without; None if the game is over."""
    staircase: List[int]
    """For each vitality of White from 1 to full: the greatest of Black against which White wins."""
    mate: Optional[Mate]
    """Who could mate if nobody could be exhausted."""


class _Noro:
    __slots__ = ()

    result: Literal["white", "draw", "black"]
    """Who wins at the score of the position."""
    win_at: Union[int, Literal["-inf", "inf"]]
    """The least lead of White that wins."""
    draw_at: Union[int, Literal["-inf", "inf"]]
    """The least lead of White that does not lose."""
    margin: Optional[int]
    """White's points minus Black's at the end, if both sides play for that once they know who wins;
    None where the table does not tell."""
    slack: Optional[int]
    """How many points the winner could do without; None in a draw, or if none would matter."""
    plies_left: int
    """How many plies may still be played."""


class _Tiebraker:
    __slots__ = ()

    points: int
    """White's share of the 100 points."""
    distance: Optional[int]
    """Plies to the next conversion or the end; None where infinite play gives these points, and
    where tables hold results alone."""
    by: str
    """How the game ends that way, in words."""
    quiet: Optional[int]
    """Where perpetual check decides: the quiet moves its giver needs before only checks follow."""


class _Stylish:
    __slots__ = ()

    margin: int
    """White's points minus Black's in the end, those so far included."""
    to_gain: int
    """The part of the margin that is still to come."""
    distance: Optional[int]
    """Plies to the next capture or promotion, or the end; None where a draw gives the margin, and
    where tables hold results alone."""


class Ply(Said):
    """A turn, with what is said of the position after it."""

    __slots__ = ()

    uci: str
    """The turn in UCI notation."""
    san: str
    """The turn in short notation."""
    fen: str
    """In lines: the position after it."""

    def __str__(self) -> str:
        return str(self.san)


class ChessPly(Ply, _Chess):
    """A turn of orthodox chess, King of the Hill or Orphic Chess."""

    __slots__ = ()


class HighPly(Ply, _High):
    """A turn of High Chess."""

    __slots__ = ()


class NoroPly(Ply, _Noro):
    """A turn of Norochess."""

    __slots__ = ()


class TiebrakerPly(Ply, _Tiebraker):
    """A turn of Tiebraker Chess."""

    __slots__ = ()


class StylishPly(Ply, _Stylish):
    """A turn of Stylish victory or stylish fail."""

    __slots__ = ()

    scores: int
    """In answers: the points that the turn scores, for the mover."""
    reasons: List[str]
    """In answers: what for."""


PlyT = TypeVar("PlyT", bound=Ply)
PlyT_co = TypeVar("PlyT_co", bound=Ply, covariant=True)


class Answer(Said, Generic[PlyT_co]):
    """What best play makes of a position."""

    __slots__ = ()

    fen: str
    """The position, with all fields."""
    game: str
    """The name of the game."""
    material: Optional[str]
    """The material of its table; None if it has none because the game is over."""
    turns: List[PlyT_co]
    """Every turn, best first, if they were asked for."""

    def _repr_html_(self) -> str:
        return notebook.answer_table(self.as_dict())


class ChessAnswer(Answer[ChessPly], _Chess):
    """An answer in orthodox chess, King of the Hill or Orphic Chess."""

    __slots__ = ()


class HighAnswer(Answer[HighPly], _High):
    """An answer in High Chess."""

    __slots__ = ()


class NoroAnswer(Answer[NoroPly], _Noro):
    """An answer in Norochess."""

    __slots__ = ()


class TiebrakerAnswer(Answer[TiebrakerPly], _Tiebraker):
    """An answer in Tiebraker Chess."""

    __slots__ = ()


class StylishAnswer(Answer[StylishPly], _Stylish):
    """An answer in Stylish victory or stylish fail."""

    __slots__ = ()


class Line(Said, Generic[PlyT_co]):
    """Best play from a position."""

    __slots__ = ()

    fen: str
    """The position it starts from."""
    game: str
    """The name of the game."""
    line: List[PlyT_co]
    """The plies, each with what is said of the position after it."""
    end: str
    """Why it ends there, in words."""

    def __str__(self) -> str:
        return " ".join(map(str, self.line))


_FAMILIES: Dict[str, tuple[Type[Answer[Any]], Type[Ply]]] = {
    "high": (HighAnswer, HighPly),
    "noro": (NoroAnswer, NoroPly),
    "tiebraker": (TiebrakerAnswer, TiebrakerPly),
    "stylish": (StylishAnswer, StylishPly),
}


def answer(members: Dict[str, Any]) -> Answer[Any]:
    """An answer from the members of JSON."""
    kind, ply = _FAMILIES.get(members["game"], (ChessAnswer, ChessPly))
    if "turns" in members:
        members["turns"] = [ply(turn) for turn in members["turns"]]
    return kind(members)


def line(members: Dict[str, Any]) -> Line[Any]:
    """A line from the members of JSON."""
    _, ply = _FAMILIES.get(members["game"], (ChessAnswer, ChessPly))
    members["line"] = [ply(turn) for turn in members["line"]]
    return Line(members)
