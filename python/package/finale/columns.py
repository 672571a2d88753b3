"""Columns: what is said of many positions, a row each."""

from __future__ import annotations

from typing import Any, Iterator, List, Mapping, Optional

import numpy as np
import numpy.typing as npt

from . import _finale

__all__ = ["Columns"]


class Columns(Mapping[str, "npt.NDArray[Any]"]):
    """Columns of equal length, by name, as numpy arrays and as Arrow.

    ``columns["plies"]`` is an array with a row for each position. ``len(columns)`` is how many
    columns there are, ``columns.rows`` how many rows. The arrays show memory that is not copied,
    and are read-only; words are made into an array when they are asked for.

    =======================  ==========================  ======================================
    what it holds            dtype and shape             where there is no value
    =======================  ==========================  ======================================
    numbers of positions     int64 (rows,)               -1
    weights, points, checks  uint8 (rows,)               every row has one
    squares, a1 = 0, b1 = 1  int8 (rows,)                -1
    plies, slack             int32 (rows,)               -1
    margins                  int64 (rows,)               every row has one
    leads that are needed    float32 (rows,)             every row has one; may be infinite
    margins of Norochess     float32 (rows,)             NaN
    words                    str (rows,)                 ``""``; of their ``codes``, int8, -1
    staircases               uint8 (rows, vitality)      every row has one
    errors                   object (rows,)              None
    =======================  ==========================  ======================================

    In Arrow (``pyarrow.table(columns)``, ``polars.DataFrame(columns)``, and whatever else takes
    ``__arrow_c_stream__``) what has no value is null, words are a dictionary, and staircases lists
    of a fixed size.
    """

    __slots__ = ("_raw",)

    def __init__(self, raw: _finale.RawColumns) -> None:
        self._raw = raw

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self._raw)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        array = self._raw.array(name)
        if isinstance(array, list):
            errors = np.empty(len(array), dtype=object)
            errors[:] = array
            return errors
        words = self._raw.words(name)
        if words is None:
            return array
        # The last word is what -1 counts to from the end.
        texts: npt.NDArray[Any] = np.asarray([*words, ""])[array]
        return texts

    def codes(self, name: str) -> npt.NDArray[np.int8]:
        """The places of a column's words among its [words](Columns.words), -1 for none.

        Raises ``ValueError`` if the column has no words.
        """
        self.words(name)
        codes: npt.NDArray[np.int8] = self._raw.array(name)  # type: ignore[assignment]
        return codes

    def words(self, name: str) -> List[str]:
        """The words that a column can have, in the order of its codes.

        Raises ``ValueError`` if the column has none.
        """
        words = self._raw.words(name)
        if words is None:
            raise ValueError(f"the column `{name}` has no words")
        return words

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw.names())

    def __len__(self) -> int:
        return len(self._raw.names())

    def __contains__(self, name: object) -> bool:
        return name in self._raw.names()

    def __repr__(self) -> str:
        return f"<Columns: {self.rows} rows of {', '.join(self)}>"

    def __arrow_c_schema__(self) -> object:
        """The schema as a capsule of the Arrow C data interface."""
        return self._raw.__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: Optional[object] = None) -> tuple[object, object]:
        """Schema and rows as capsules of the Arrow C data interface."""
        schema, array = self._raw.__arrow_c_array__(requested_schema)
        return schema, array

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        """The rows as a capsule of the Arrow C stream interface."""
        return self._raw.__arrow_c_stream__(requested_schema)
