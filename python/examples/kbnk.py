"""Bishop and Knight against the bare King in High Chess, in two figures.

In orthodox chess White mates wherever it keeps its men. Here turns that keep away from the centre
cost vitality, and who has none left has lost. The first figure shows how long White's wins take and
how much vitality they need: by mate, or by waiting until the bare King is exhausted. The second
shows where that King holds out longest.

    python examples/kbnk.py --tables tables --output examples

builds the table if it is missing, which takes some seconds, and draws the figures.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import numpy.typing as npt

import finale

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.colors import LogNorm  # noqa: E402

MATERIAL = "KBNvK"

Floats = npt.NDArray[np.float64]


def wins_by_need(columns: finale.Columns) -> Floats:
    """For each number of moves (rows) and least vitality that White needs: how many positions.

    Of those that White wins at full vitalities.
    """
    won = columns["winner"] == "white"
    steps = columns["staircase"][won]
    # White needs as much as it takes to win against a full vitality of Black, whose is full here.
    least = (steps < steps.shape[1]).sum(axis=1) + 1
    weights, moves = columns["weight"][won], (columns["plies"][won] + 1) // 2
    counts: Floats = np.zeros((moves.max() + 1, least.max() + 1))
    np.add.at(counts, (moves, least), weights)
    return counts


def images(squares: npt.NDArray[np.int8], symmetry: int) -> npt.NDArray[np.int64]:
    """Squares seen through one of the eight symmetries of the board."""
    files, ranks = squares.astype(int) % 8, squares.astype(int) // 8
    if symmetry & 1:
        files = 7 - files
    if symmetry & 2:
        ranks = 7 - ranks
    if symmetry & 4:
        files, ranks = ranks, files
    seen: npt.NDArray[np.int64] = 8 * ranks + files
    return seen


def plies_by_square(columns: finale.Columns) -> Floats:
    """For each square of the bare King, a row a rank: the mean plies to the end that White wins.

    A row of the table stands for all that symmetries make of it; of these the ones are taken in
    which the Bishop is on dark squares.
    """
    won = columns["winner"] == "white"
    weights, plies = columns["weight"][won] / 8, columns["plies"][won]
    kings, bishops = columns["black_king"][won], columns["white_bishop"][won]
    sums, counts = np.zeros(64), np.zeros(64)
    for symmetry in range(8):
        king, bishop = images(kings, symmetry), images(bishops, symmetry)
        dark = (bishop % 8 + bishop // 8) % 2 == 0
        counts += np.bincount(king[dark], weights[dark], minlength=64)
        sums += np.bincount(king[dark], weights[dark] * plies[dark], minlength=64)
    mean: Floats = (sums / counts).reshape(8, 8)
    return mean


def draw_wins(counts: Floats, path: Path) -> None:
    """How many positions take so many moves and need so much vitality, as a map."""
    figure, axes = plt.subplots(figsize=(4.6, 3.9), layout="constrained")
    high, wide = counts.shape
    shown = np.ma.masked_equal(counts, 0)
    edges = np.arange(wide + 1) - 0.5, np.arange(high + 1) - 0.5
    shade = axes.pcolormesh(*edges, shown, cmap="cividis", norm=LogNorm())
    axes.set(
        xlabel="least vitality that White needs", ylabel="moves to the end", xlim=(0.5, wide - 0.5)
    )
    axes.set_title(
        "KBN v K in High Chess, White to move:\nby mate below, by exhaustion above", fontsize=10
    )
    figure.colorbar(shade, label="positions")
    figure.savefig(path, dpi=100)


def draw_plies(plies: Floats, path: Path) -> None:
    """The mean plies to the end, on a board."""
    figure, axes = plt.subplots(figsize=(4.6, 3.9), layout="constrained")
    shade: Any = axes.imshow(plies, origin="lower", cmap="cividis_r")
    middle = (plies.min() + plies.max()) / 2
    for square, value in enumerate(plies.ravel()):
        color = "white" if value > middle else "black"
        axes.text(
            square % 8,
            square // 8,
            f"{value:.0f}",
            ha="center",
            va="center",
            color=color,
            fontsize=8,
        )
    axes.set_xticks(range(8), list("abcdefgh"))
    axes.set_yticks(range(8), list("12345678"))
    axes.set_title(
        "Plies to the end, by the bare King's square;\nBishop on dark squares, White to move",
        fontsize=10,
    )
    figure.colorbar(shade, label="mean plies where White wins")
    figure.savefig(path, dpi=100)


def main() -> None:
    """Builds the table if need be, and draws both figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tables", type=Path, default=Path("tables"))
    parser.add_argument("--output", type=Path, default=Path("."))
    args = parser.parse_args()
    finale.build("high", [MATERIAL], args.tables, progress=True)
    with finale.open_tablebase(args.tables, game="high") as tables:
        columns = tables.table(MATERIAL).columns("w")
    draw_wins(wins_by_need(columns), args.output / "kbnk-wins.png")
    draw_plies(plies_by_square(columns), args.output / "kbnk-plies.png")
    weights = columns["weight"]
    share = weights[columns["winner"] == "white"].sum() / weights.sum()
    mates = (columns["winner"] == "white") & (columns["by"] == "mate")
    by_mate = weights[mates].sum() / weights.sum()
    print(f"White to move wins {share:.2%} of all positions, {by_mate:.2%} by mate;")
    print(f"the longest takes {columns['plies'].max()} plies")


if __name__ == "__main__":
    main()
