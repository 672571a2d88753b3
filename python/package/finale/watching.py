"""How long work shows itself: a bar of tqdm where that is installed, else lines on stderr."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional

__all__ = ["Watch", "watching"]

#: Gets what is done, which part of the work that is, and how many of how many steps are done.
Watch = Callable[[str, int, int, int], None]


@contextmanager
def watching(progress: bool) -> Iterator[Optional[Watch]]:
    """What shows how work goes on, if that is wanted."""
    if not progress:
        yield None
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.close()


class _Bar:
    """A bar for each part of the work."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
        except ImportError:
            self._tqdm: Any = None
        else:
            self._tqdm = tqdm
        self._bar: Any = None
        self._part = 0

    def __call__(self, what: str, part: int, done: int, steps: int) -> None:
        if part != self._part:
            self._part = part
            self._begin(what, steps)
        if self._bar is not None:
            self._bar.update(min(done, steps) - self._bar.n)

    def _begin(self, what: str, steps: int) -> None:
        self.close()
        if self._tqdm is None:
            print(what, file=sys.stderr)
        else:
            self._bar = self._tqdm(total=steps, desc=what, leave=False)

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
