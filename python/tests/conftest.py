"""Tables for the tests: those that ship with the repository, and some of four men."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from common import FOUR_MEN, SHIPPED

import finale


@pytest.fixture(params=finale.GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """Every game there is, one after the other."""
    name: str = request.param
    return name


@pytest.fixture
def tables(game: str) -> Any:
    """The tables of a game that ship."""
    return finale.open_tablebase(SHIPPED, game=game)


@pytest.fixture(scope="session")
def four_men(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with orthodox tables of four men."""
    if FOUR_MEN is not None:
        return Path(FOUR_MEN)
    folder = tmp_path_factory.mktemp("four")
    finale.build("orthodox", ["KQvKR", "KPvKP"], folder, level=1)
    return folder
