"""The tables of a game: positions are asked, one or many at once, and whole tables are read."""

from __future__ import annotations

import os
from types import TracebackType
from typing import (
    Any,
    Generic,
    List,
    Literal,
    Optional,
    Protocol,
    Sequence,
    Type,
    TypeVar,
    Union,
    overload,
)

import numpy as np
import numpy.typing as npt

from . import _finale
from .answers import (
    Answer,
    ChessAnswer,
    ChessPly,
    HighAnswer,
    HighPly,
    Line,
    NoroAnswer,
    NoroPly,
    Ply,
    StylishAnswer,
    StylishPly,
    TiebrakerAnswer,
    TiebrakerPly,
    answer,
    line,
)
from .columns import Columns
from .errors import UncoveredPositionError
from .position import Position, keywords
from .watching import watching

__all__ = ["BoardLike", "PositionLike", "Table", "Tablebase", "open_tablebase"]

#: Bytes of unpacked parts of tables that are kept in memory: enough for all that KPvKP leads to.
CACHE = 256 << 20

_StrPath = Union[str, "os.PathLike[str]"]
_Default = TypeVar("_Default")
_AnswerT = TypeVar("_AnswerT", bound=Answer[Any])
_PlyT = TypeVar("_PlyT", bound=Ply)

#: What the boards of python-chess call the games there are.
_VARIANTS = {
    "chess": "orthodox",
    "kingofthehill": "koth",
    "antichess": "antichess",
    "atomic": "atomic",
    "racingkings": "racingkings",
}

#: Results as python-chess has them.
_WDL = {"win": 1, "draw": 0, "loss": -1}


class BoardLike(Protocol):
    """A board of python-chess, or what has a FEN as those do."""

    def fen(self) -> str:
        """The FEN."""
        ...


PositionLike = Union[str, Position, BoardLike]


class Table:
    """A whole table, such as ``tables.table("KBNvK")``.

    Its positions are numbered from 0; ``len(table)`` is how many numbers there are. Positions that
    symmetries make equal share a number, and some numbers are no position's.
    """

    __slots__ = ("_tables", "_material", "_size")

    def __init__(self, tables: _finale.Tables, material: str) -> None:
        self._tables = tables
        self._material = tables.named(material)
        self._size = tables.size(material)

    @property
    def material(self) -> str:
        """The material as the table is named: ``KRvK`` also where ``KvKR`` was asked for."""
        return self._material

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"<Table {self._material}: {self._size} numbers>"

    def columns(
        self,
        side: Optional[Literal["w", "b", "white", "black"]] = None,
        *,
        only: Optional[Sequence[str]] = None,
        start: int = 0,
        stop: Optional[int] = None,
        progress: bool = False,
    ) -> Columns:
        """The table as columns, a row for each legal position.

        ``side`` is who is to move, None for either; ``only`` names the columns that are wanted;
        ``start`` and ``stop`` are the numbers of the positions, from the first to before the last.
        Rows are in the order of numbers. It runs on all cores, without Python's lock.

        The columns are ``number``, ``weight`` (how many placements of the men the row stands for,
        symmetric ones and those of like men counted once: sums of it are what ``stats`` counts),
        ``to_move``, the square of each man (``white_king``, ``white_rook_1``), ``en_passant``,
        those of the game's modes (``last_capture``; ``mode`` and ``disk``; ``checks_left_white``
        and ``checks_left_black``), and the members of answers by their names (an object's as
        ``mate_by``). High Chess is seen at full vitalities, Norochess before the first turn,
        Stylish at 0:0. Where statistics count positions in which a pawn can be taken in passing,
        they are rows, too: with the square in ``en_passant`` and no number.

        Raises ``ValueError`` for a column that there is not, and for Black to move in a table of
        equal sides, which are counted with White to move; and what ``probe`` raises.
        """
        white = None if side is None else _is_white(side)
        with watching(progress) as watch:
            raw = self._tables.columns(
                self._material,
                white,
                start,
                self._size if stop is None else stop,
                None if only is None else list(only),
                watch,
            )
        return Columns(raw)

    def fens(self, numbers: npt.ArrayLike) -> List[Optional[str]]:
        """The FENs of the positions with these numbers; None for a number that is no position's."""
        wanted = np.asarray(numbers)
        if wanted.size and wanted.dtype.kind not in "iu":
            raise ValueError("numbers are whole")
        return self._tables.fens(
            self._material, np.ascontiguousarray(wanted.ravel(), dtype=np.int64)
        )

    def numbers(self, fens: Sequence[PositionLike]) -> npt.NDArray[np.int64]:
        """The numbers of these positions, each that of one which symmetries make equal.

        -1 for positions that have none here: of other men, with a pawn that can be taken in
        passing, or at the end of a game. Raises ``ValueError`` for a FEN that is none.
        """
        return self._tables.numbers(self._material, _joined(fens), len(fens))


def _is_white(side: str) -> bool:
    if side not in ("w", "b", "white", "black"):
        raise ValueError(f"{side!r} is no side to move; write 'w', 'b' or None")
    return side[0] == "w"


def _fen(position: PositionLike) -> str:
    """The FEN of a position, however it is given."""
    if isinstance(position, str):
        return position
    if isinstance(position, Position):
        return position.fen
    return position.fen()


def _joined(positions: Sequence[PositionLike]) -> str:
    """FENs, one a line: a single text crosses into the library much faster than many."""
    try:
        return "\n".join(positions)  # type: ignore[arg-type]
    except TypeError:
        return "\n".join(map(_fen, positions))


class Tablebase(Generic[_AnswerT, _PlyT]):
    """The tables of one game in one or more folders; see ``open_tablebase``.

    It may be asked from any number of threads; Python's lock is not held meanwhile. It can be
    pickled: what is unpickled opens the same folders. Positions are FENs, a ``Position``, or boards
    of python-chess.
    """

    __slots__ = ("_tables", "_folders", "_game", "_options", "_contents", "_cache")

    def __init__(
        self,
        folders: Sequence[str],
        game: str,
        options: dict[str, str],
        contents: Optional[str] = None,
        cache: int = CACHE,
    ) -> None:
        self._folders = list(folders)
        self._game, self._options = game, options
        self._contents, self._cache = contents, cache
        self._tables: Optional[_finale.Tables] = self._opened()

    def _opened(self) -> _finale.Tables:
        return _finale.Tables(self._game, self._options, self._folders, self._contents, self._cache)

    @property
    def _open(self) -> _finale.Tables:
        if self._tables is None:
            raise ValueError("these tables are closed")
        return self._tables

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._game

    def materials(self) -> List[str]:
        """The materials that there is a table file of."""
        return self._open.materials()

    def __contains__(self, material: object) -> bool:
        try:
            return isinstance(material, str) and self._open.named(material) in self.materials()
        except ValueError:
            return False

    def probe(self, position: PositionLike, *, turns: bool = True) -> _AnswerT:
        """What best play makes of a position; its turns ranked, unless ``turns`` is false.

        The answer has the members of ``docs/json.md`` as attributes: ``.wdl`` and ``.dtm``,
        ``.winner``, ``.plies``, ``.staircase`` and so on, by the game.

        Raises ``ValueError`` for a FEN that is no position of the game, ``UncoveredPositionError``
        if no table covers such positions, ``MissingTableError`` (both are ``KeyError``) if one is
        not there, ``OtherTableError`` if it is by other rules, and ``DamagedTableError``.
        """
        said: _AnswerT = answer(self._open.probe(_fen(position), turns))  # type: ignore[assignment]
        return said

    @overload
    def get(
        self, position: PositionLike, default: None = None, *, turns: bool = True
    ) -> Optional[_AnswerT]: ...
    @overload
    def get(
        self, position: PositionLike, default: _Default, *, turns: bool = True
    ) -> Union[_AnswerT, _Default]: ...
    def get(self, position: PositionLike, default: Any = None, *, turns: bool = True) -> Any:
        """As ``probe``; ``default`` where a table is not there, or none covers the position."""
        try:
            return self.probe(position, turns=turns)
        except KeyError:
            return default

    def probe_many(
        self,
        positions: Sequence[PositionLike],
        *,
        errors: Literal["raise", "keep"] = "raise",
        progress: bool = False,
    ) -> Columns:
        """The answers to many positions as columns, a row each, by the names of ``probe``.

        It runs on all cores, without Python's lock. FENs as ``str`` are fastest. Raises what
        ``probe`` does, at the first position that cannot be answered, which is named; with
        ``errors="keep"`` such rows have no values, and a column ``error`` says why, None elsewhere.
        """
        if errors not in ("raise", "keep"):
            raise ValueError(f"errors is 'raise' or 'keep', not {errors!r}")
        text = _joined(positions)
        with watching(progress) as watch:
            raw = self._open.answers(text, len(positions), errors == "keep", watch)
        return Columns(raw)

    def table(self, material: str) -> Table:
        """A whole table. Raises what ``probe`` does, and ``ValueError`` for what is no material."""
        return Table(self._open, material)

    def line(self, position: PositionLike, limit: int = 1000) -> Line[_PlyT]:
        """Best play from a position, at most so many plies. Raises what ``probe`` does."""
        return line(self._open.line(_fen(position), limit))

    def stats(
        self, material: str, *, counted_from: Optional[str] = None, progress: bool = False
    ) -> dict[str, Any]:
        """What students of the game ask of a table: the object of ``finale stats --json``.

        ``counted_from`` are other counters than those a game begins with, where its tables answer
        for all: the vitalities of White and Black in High Chess, such as ``"20+50"``.
        """
        with watching(progress) as watch:
            return self._open.stats(material, counted_from, watch)

    # The shape of python-chess's Gaviota prober.

    def add_directory(self, directory: _StrPath) -> None:
        """Another folder, looked into where those before lack a table."""
        self._folders.append(os.fspath(directory))
        self._tables = self._opened()

    def probe_wdl(self, board: PositionLike) -> int:
        """1 if the side to move wins, 0 for a draw, -1 if it loses, as python-chess has it.

        For orthodox chess, and its boards of variants where there is the game. Raises what
        ``probe`` does, and ``ValueError`` for a board of another game.
        """
        said = self._chess(board)
        return _WDL[said.wdl]

    def probe_dtm(self, board: PositionLike) -> int:
        """Plies to mate: above 0 if the side to move wins, below if it loses; else 0.

        As ``probe_wdl``; also raises ``UncoveredPositionError`` where tables hold results alone.
        """
        said = self._chess(board)
        if said.wdl == "draw":
            return 0
        if said.dtm is None:
            raise UncoveredPositionError("these tables tell who wins, but not in how many plies")
        return _WDL[said.wdl] * said.dtm

    @overload
    def get_wdl(self, board: PositionLike, default: None = None) -> Optional[int]: ...
    @overload
    def get_wdl(self, board: PositionLike, default: _Default) -> Union[int, _Default]: ...
    def get_wdl(self, board: PositionLike, default: Any = None) -> Any:
        """As ``probe_wdl``, but ``default`` where ``get`` gives that."""
        try:
            return self.probe_wdl(board)
        except KeyError:
            return default

    @overload
    def get_dtm(self, board: PositionLike, default: None = None) -> Optional[int]: ...
    @overload
    def get_dtm(self, board: PositionLike, default: _Default) -> Union[int, _Default]: ...
    def get_dtm(self, board: PositionLike, default: Any = None) -> Any:
        """As ``probe_dtm``, but ``default`` where ``get`` gives that."""
        try:
            return self.probe_dtm(board)
        except KeyError:
            return default

    def _chess(self, board: PositionLike) -> ChessAnswer:
        variant = getattr(board, "uci_variant", None)
        if variant is not None and _VARIANTS.get(variant) != self._game:
            raise ValueError(f"this is a board of {variant}, and these are tables of {self._game}")
        said = self._open.probe(_fen(board), False)
        if "wdl" not in said:
            raise ValueError(f"answers in {self._game} are more than win, draw and loss; use probe")
        return ChessAnswer(said)

    def close(self) -> None:
        """Closes the tables; asking them raises ``ValueError`` from then on."""
        self._tables = None

    def __enter__(self) -> Tablebase[_AnswerT, _PlyT]:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        if self._tables is None:
            raise ValueError("these tables are closed")
        arguments = (self._folders, self._game, self._options, self._contents, self._cache)
        return type(self), arguments

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self._options.items())
        return f"<Tablebase {self._game} in {', '.join(self._folders)}{options}>"


_Folders = Union[_StrPath, Sequence[_StrPath]]
_ChessGame = Literal[
    "orthodox", "koth", "antichess", "atomic", "3check", "knightmate", "makruk",
    "racingkings", "gardner", "losalamos", "orphic", "orphic-elks"
]
_Contents = Optional[Literal["result", "distance"]]


@overload
def open_tablebase(
    folder: _Folders = ...,
    *,
    game: _ChessGame = ...,
    contents: _Contents = ...,
    cache: int = ...,
    **options: Any,
) -> Tablebase[ChessAnswer, ChessPly]: ...
@overload
def open_tablebase(
    folder: _Folders = ...,
    *,
    game: Literal["high"],
    contents: _Contents = ...,
    cache: int = ...,
    **options: Any,
) -> Tablebase[HighAnswer, HighPly]: ...
@overload
def open_tablebase(
    folder: _Folders = ...,
    *,
    game: Literal["noro"],
    contents: _Contents = ...,
    cache: int = ...,
    **options: Any,
) -> Tablebase[NoroAnswer, NoroPly]: ...
@overload
def open_tablebase(
    folder: _Folders = ...,
    *,
    game: Literal["tiebraker"],
    contents: _Contents = ...,
    cache: int = ...,
    **options: Any,
) -> Tablebase[TiebrakerAnswer, TiebrakerPly]: ...
@overload
def open_tablebase(
    folder: _Folders = ...,
    *,
    game: Literal["stylish"],
    contents: _Contents = ...,
    cache: int = ...,
    **options: Any,
) -> Tablebase[StylishAnswer, StylishPly]: ...
@overload
def open_tablebase(
    folder: _Folders = ...,
    *,
    game: str,
    contents: _Contents = ...,
    cache: int = ...,
    **options: Any,
) -> Tablebase[Any, Any]: ...
def open_tablebase(
    folder: _Folders = "tables",
    *,
    game: str = "orthodox",
    contents: _Contents = None,
    cache: int = CACHE,
    **options: Any,
) -> Tablebase[Any, Any]:
    """Opens the tables of a game.

    ``folder`` is one or several, each with a folder for each game; they are looked into when a
    position is asked for. Instead of a folder there may be the address of one with an ``index.json``,
    ``https://…``, which is read by ranges. ``game`` is one of ``GAMES``, such as ``orthodox`` or ``high``, or
    one that ``load_variants`` has made known. ``contents`` says which to ask where there are
    several tables of a material: those of ``"result"`` alone or those of ``"distance"``, by default
    the ones that hold most. ``cache`` is how many bytes of unpacked parts of tables are kept.

    The rule options of the game go by keyword, as those of the command line: ``vitality=20``,
    ``revitalise="both"``, ``elimination="score"``, ``moves="10+3"``, ``king="free"``,
    ``scores="sheet.toml"``.

    Raises ``ValueError`` for a game or a value there is not, ``TypeError`` for an option the game
    has not.

    >>> with open_tablebase("tables", game="high") as tables:
    ...     tables.probe("8/8/8/3k4/8/8/8/K6R w - - 50+50").winner
    'white'
    """
    folders = [folder] if isinstance(folder, (str, os.PathLike)) else folder
    return Tablebase([os.fspath(one) for one in folders], game, keywords(options), contents, cache)
