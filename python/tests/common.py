"""What the tests share: where tables are, and positions out of them."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any, List

import finale

#: The repository.
ROOT = Path(__file__).resolve().parents[2]

#: The tables of up to three men that ship.
SHIPPED = ROOT / "tables"

#: A folder with tables of other programs, ``syzygy`` and ``gaviota``; what needs it is left out
#: without it.
ORACLE = os.environ.get("FINALE_ORACLE")

#: A folder with orthodox tables of four men, of finale; without it some are built.
FOUR_MEN = os.environ.get("FINALE_FOUR_MEN")

#: Materials of games that have none of a Rook against nothing.
MATERIALS = {"noro": "QvR", "orphic": "K[R]vK", "orphic-elks": "KEvK"}


def material_of(game: str) -> str:
    """A material of a game whose table ships."""
    return MATERIALS.get(game, "KRvK")


def some_fens(
    tables: finale.Tablebase[Any, Any], material: str, count: int, seed: int = 1
) -> List[str]:
    """Positions of a table, drawn at random."""
    table = tables.table(material)
    numbers = random.Random(seed).choices(range(len(table)), k=8 * count)
    fens = [fen for fen in table.fens(numbers) if fen is not None]
    assert len(fens) >= count // 2
    return fens[:count]
