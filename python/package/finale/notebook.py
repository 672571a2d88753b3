"""How positions and answers show themselves in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from . import _finale

if TYPE_CHECKING:
    from .answers import Answer, Ply

__all__ = ["answer_table", "board"]

#: As many turns are shown, the best.
FEW = 12

#: What is said elsewhere, or takes too much room.
LEFT_OUT = {"fen", "turns", "staircase", "reasons", "uci", "san"}


def board(fen: str) -> str:
    """The men of a FEN as SVG, in the style of the explorer."""
    return _finale.board_picture(fen, False)


def answer_table(answer: Answer[Any]) -> str:
    """An answer as HTML: the board, what is said, and the best turns."""
    said = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th>"
        f"<td style='text-align:left'>{_shown(value)}</td></tr>"
        for name, value in answer.as_dict().items()
        if name not in LEFT_OUT
    )
    turns = getattr(answer, "turns", [])
    return (
        "<div style='display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start'>"
        f"<div>{board(answer.fen)}<br><code>{escape(answer.fen)}</code></div>"
        f"<div><table>{said}</table>{_turns(turns)}</div></div>"
    )


def _turns(turns: list[Ply]) -> str:
    if not turns:
        return ""
    names = [name for name in turns[0].as_dict() if name not in LEFT_OUT]
    head = "".join(f"<th>{escape(name)}</th>" for name in ["turn", *names])
    rows = "".join(
        f"<tr><td><b>{escape(turn.san)}</b></td>"
        + "".join(f"<td>{_shown(turn.as_dict()[name])}</td>" for name in names)
        + "</tr>"
        for turn in turns[:FEW]
    )
    more = len(turns) - FEW
    rest = f"<p>and {more} more</p>" if more > 0 else ""
    return f"<table><tr>{head}</tr>{rows}</table>{rest}"


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, dict):
        return ", ".join(f"{escape(name)} {_shown(one)}" for name, one in value.items())
    return escape(str(value))
