"""Endgame tablebases for chess games that need more than a board, and for orthodox chess.

>>> import finale
>>> with finale.open_tablebase("tables", game="high") as tables:
...     answer = tables.probe("8/8/8/3k4/8/8/8/K6R w - - 50+50")
...     answer.winner, answer.plies, answer.turns[0].san
('white', 31, 'Rh4')

``open_tablebase`` opens the tables of a game; ``build`` makes them; ``Position`` plays by its full
rules. ``docs/json.md`` of the project says what every member of an answer means.
"""

from __future__ import annotations

from ._finale import __version__, game_names
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
)
from .building import build
from .columns import Columns
from .errors import (
    DamagedTableError,
    MissingTableError,
    OtherTableError,
    TablesError,
    UncoveredPositionError,
)
from .position import Position, Turn
from .tables import Table, Tablebase, open_tablebase
from .variants import load_variants

__all__ = [
    "GAMES",
    "Answer",
    "ChessAnswer",
    "ChessPly",
    "Columns",
    "DamagedTableError",
    "HighAnswer",
    "HighPly",
    "Line",
    "MissingTableError",
    "NoroAnswer",
    "NoroPly",
    "OtherTableError",
    "Ply",
    "Position",
    "StylishAnswer",
    "StylishPly",
    "Table",
    "Tablebase",
    "TablesError",
    "TiebrakerAnswer",
    "TiebrakerPly",
    "Turn",
    "UncoveredPositionError",
    "__version__",
    "build",
    "load_variants",
    "open_tablebase",
]

#: The names of all games.
GAMES: tuple[str, ...] = tuple(game_names())
