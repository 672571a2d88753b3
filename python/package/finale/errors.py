"""What finale raises, besides ``ValueError`` for a FEN, a material or a value that is none.

The sentences are the library's. What has to do with a table that is not to be had is a
``TablesError``; where nothing is known of a position for want of a table, it is a ``KeyError``, as
in python-chess.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "DamagedTableError",
    "MissingTableError",
    "OtherTableError",
    "TablesError",
    "UncoveredPositionError",
]


class TablesError(Exception):
    """Why tables do not answer."""


class UncoveredPositionError(TablesError, KeyError):
    """No table covers such positions: somebody may still castle, or the men are too many."""

    def __str__(self) -> str:
        # Of a `KeyError` that would be the words in quotes.
        return str(self.args[0]) if self.args else ""


class MissingTableError(TablesError, KeyError):
    """The table that would answer is not there.

    ``material`` is its material, such as ``KBNvK``; ``command`` the call that builds it, such as
    ``finale.build('high', ['KBNvK'], 'tables')``.
    """

    def __init__(self, words: str, material: str = "", command: str = "") -> None:
        super().__init__(words, material, command)
        self.material = material
        self.command = command

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.args


class DamagedTableError(TablesError):
    """A table file is not as it was written; ``finale build --repair`` makes it anew."""


class OtherTableError(TablesError):
    """Where the table should be is one by other rules, of another game or of another finale."""
