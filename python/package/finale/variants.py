"""Games from files."""

from __future__ import annotations

import os
from pathlib import Path

from ._finale import load_variants as _load

__all__ = ["load_variants"]


def load_variants(path: str | os.PathLike[str]) -> dict[str, list[str]]:
    """Makes the games of a file of variants known by the names of its sections.

    The file is in the notation of Fairy-Stockfish's ``variants.ini``, as far as ``docs/variants.md``
    of the project says. Returns for each section what stands in its way, line by line; where the
    list is empty, ``open_tablebase``, ``build`` and ``Position`` know the game from now on.

    Raises ``OSError`` if the file cannot be read, and ``ValueError`` if it has no sections.

    >>> with open("my.ini", "w") as file:
    ...     _ = file.write("[hasty:chess]\\nstalemateValue = loss\\n[drops:chess]\\npieceDrops = true\\n")
    >>> load_variants("my.ini")["hasty"]
    []
    >>> load_variants("my.ini")["drops"]
    ['line 4: `pieceDrops`: this rule is not known at the value `true`']
    """
    return dict(_load(Path(path).read_text(encoding="utf-8", errors="replace")))
