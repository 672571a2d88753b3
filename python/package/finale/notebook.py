"""How positions and answers show themselves in a notebook."""

from __future__ import annotations

from html import escape
from typing import Any, Dict, List

from . import _finale

__all__ = ["answer_table", "board"]

#: As many turns are shown, the best.
FEW = 12

#: What is said elsewhere, or takes too much room.
LEFT_OUT = {"fen", "turns", "staircase", "reasons", "uci", "san"}


def board(fen: str) -> str:
    """The men of a FEN as SVG, in the style of the explorer."""
    return _finale.board_picture(fen, False)


def answer_table(answer: Dict[str, Any]) -> str:
    """An answer, by its members, as HTML: the board, what is said, and the best turns."""
    said = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th>"
        f"<td style='text-align:left'>{_shown(value)}</td></tr>"
        for name, value in answer.items()
        if name not in LEFT_OUT
    )
    fen = answer["fen"]
    turns = answer.get("turns", [])
    return (
        "<div style='display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start'>"
        f"<div>{board(fen)}<br><code>{escape(fen)}</code></div>"
        f"<div><table>{said}</table>{_turns(turns)}</div></div>"
    )


def _turns(turns: List[Dict[str, Any]]) -> str:
    if not turns:
        return ""
    names = [name for name in turns[0] if name not in LEFT_OUT]
    head = "".join(f"<th>{escape(name)}</th>" for name in ["turn", *names])
    rows = "".join(
        f"<tr><td><b>{escape(turn['san'])}</b></td>"
        + "".join(f"<td>{_shown(turn[name])}</td>" for name in names)
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
