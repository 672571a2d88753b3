"""A balanced sample of the positions of many tables, as Parquet.

Of each table and side to move as many positions are drawn of every result, and of each result
evenly over its distances, so that rare and long wins are there, too. Each row has the FEN, the
material, what the table says, and the best turns: those that keep the result and the distance of
the best one.

    python examples/sample.py --game high --tables tables --each 50 sample.parquet
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np
import numpy.typing as npt
import pyarrow
import pyarrow.parquet

import finale

#: Of each game, the columns of the result and of the distance; of others `wdl` and `dtm`.
SAID: Dict[str, Tuple[str, Optional[str]]] = {
    "high": ("winner", "plies"),
    "noro": ("result", None),
    "stylish": ("to_gain", "distance"),
    "tiebraker": ("points", "distance"),
}


def evenly(distances: npt.NDArray[Any], count: int, rng: np.random.Generator) -> npt.NDArray[Any]:
    """The places of so many distances, each as likely whether many or few are equal to it."""
    _, kinds, sizes = np.unique(distances, return_inverse=True, return_counts=True)
    chances = 1 / sizes[kinds]
    count = min(count, len(distances))
    return rng.choice(len(distances), count, replace=False, p=chances / chances.sum())


def drawn(
    table: finale.Table, said: Tuple[str, Optional[str]], each: int, rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """The numbers of the positions of a table that are drawn."""
    result, distance = said
    names = ["number", "to_move", result] + ([distance] if distance else [])
    columns = table.columns(only=names)
    # Those in which a pawn can be taken in passing have no number.
    has_number = columns["number"] >= 0
    numbers: List[npt.NDArray[Any]] = []
    for side in ("white", "black"):
        for value in np.unique(columns[result]):
            here = has_number & (columns["to_move"] == side) & (columns[result] == value)
            if here.any():
                distances = columns[distance][here] if distance else np.zeros(here.sum())
                numbers.append(columns["number"][here][evenly(distances, each, rng)])
    return np.concatenate(numbers)


def best_turns(answer: finale.Answer[Any], said: Tuple[str, Optional[str]]) -> List[str]:
    """The turns that are as good as the first."""
    members = [name for name in said if name]
    if not answer.turns:
        return []
    best = [getattr(answer.turns[0], name) for name in members]
    return [turn.san for turn in answer.turns if [getattr(turn, name) for name in members] == best]


def rows(tables: finale.Tablebase[Any, Any], each: int, seed: int) -> Iterator[Dict[str, Any]]:
    """A row for each position that is drawn."""
    said, rng = SAID.get(tables.game, ("wdl", "dtm")), np.random.default_rng(seed)
    result, distance = said
    for material in tables.materials():
        table = tables.table(material)
        for fen in table.fens(drawn(table, said, each, rng)):
            assert fen is not None
            answer = tables.probe(fen)
            yield {
                "fen": fen,
                "material": material,
                "result": str(getattr(answer, result)),
                "distance": getattr(answer, distance) if distance else None,
                "best_turns": best_turns(answer, said),
            }


def main() -> None:
    """Draws the sample and writes it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("output", type=Path)
    parser.add_argument("--game", default="orthodox", choices=finale.GAMES)
    parser.add_argument("--tables", type=Path, default=Path("tables"))
    parser.add_argument("--each", type=int, default=50, help="positions of each result")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with finale.open_tablebase(args.tables, game=args.game) as tables:
        sample = pyarrow.Table.from_pylist(list(rows(tables, args.each, args.seed)))
    pyarrow.parquet.write_table(sample, args.output)
    print(f"{args.output}: {sample.num_rows} positions")


if __name__ == "__main__":
    main()
