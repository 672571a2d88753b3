"""Building tables."""

from __future__ import annotations

import os
from typing import Any, List, Literal, Optional, Sequence, Union

from . import _finale
from .position import keywords
from .watching import watching

__all__ = ["build"]


def build(
    game: str,
    materials: Union[str, Sequence[str]] = (),
    folder: Union[str, "os.PathLike[str]"] = "tables",
    *,
    men: Optional[int] = None,
    contents: Optional[Literal["result", "distance"]] = None,
    memory: int = 1 << 30,
    level: Optional[int] = None,
    progress: bool = False,
    **options: Any,
) -> List[str]:
    """Builds what is missing of the tables of some materials and all they need, on all cores.

    ``materials`` are such as ``["KBNvK"]``; with ``men`` also every one with up to so many men that
    can arise in a game. ``contents="result"`` makes much smaller tables that tell who wins and
    nothing more. ``memory`` is how many bytes big arrays may take before they go to scratch files
    in the folder, ``level`` the effort of compression from 1 to 22, by default 17; rule options go
    by keyword, as in ``open_tablebase``. With ``progress`` a bar of tqdm shows how it goes on,
    where that is installed.

    Returns the materials of the tables that were missing, in the order they were built in. Ctrl-C
    stops the work: what is unfinished goes away, finished tables stay, and the same call goes on.

    Raises ``ValueError`` for what is no material of the game or no value, ``TypeError`` for an
    option the game has not, ``OSError`` where room or permission is lacking, and
    ``DamagedTableError`` or ``OtherTableError`` for tables that are there and in the way.

    >>> build("high", ["KRvK"], "tables")  # doctest: +SKIP
    ['KvK', 'KRvK']
    """
    if level is not None and not 1 <= level <= 22:
        raise ValueError(f"level is from 1 to 22, not {level}")
    if men is not None and not 2 <= men <= 6:
        raise ValueError(f"men is from 2 to 6, not {men}")
    named = [materials] if isinstance(materials, str) else list(materials)
    with watching(progress) as watch:
        return _finale.build(
            game, keywords(options), named, men, os.fspath(folder), contents, memory, level, watch
        )
