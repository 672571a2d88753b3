"""The shape of ``chess.gaviota``: a program written for it works after changing this import.

>>> import finale.gaviota as gaviota            # instead of: import chess.gaviota
>>> with gaviota.open_tablebase("tables") as tables:  # doctest: +SKIP
...     tables.probe_dtm(board)

The tables are finale's, of orthodox chess; everything else of ``open_tablebase`` is there, too.
"""

from __future__ import annotations

import os
from typing import Any, Union

from .answers import ChessAnswer, ChessPly
from .errors import MissingTableError
from .tables import Tablebase
from .tables import open_tablebase as _open

__all__ = ["MissingTableError", "PythonTablebase", "open_tablebase", "open_tablebase_native"]

PythonTablebase = Tablebase[ChessAnswer, ChessPly]


def open_tablebase(directory: Union[str, "os.PathLike[str]"]) -> Tablebase[ChessAnswer, ChessPly]:
    """Opens the tables of orthodox chess in a folder, which has a folder ``orthodox``."""
    return _open(directory, game="orthodox")


def open_tablebase_native(
    directory: Union[str, "os.PathLike[str]"], *, libgtb: Any = None, LibraryLoader: Any = None
) -> Tablebase[ChessAnswer, ChessPly]:
    """The same; no library is loaded."""
    return open_tablebase(directory)
