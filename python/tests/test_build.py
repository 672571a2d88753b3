"""Tables are built, shown while they are, and stopped."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest
from common import SHIPPED

import finale


def test_tables_are_built_as_those_that_ship(tmp_path: Path) -> None:
    assert finale.build("koth", ["KRvK"], tmp_path) == ["KvK", "KRvK"]
    for name in ("KvK", "KRvK"):
        built, shipped = (folder / "koth" / f"{name}.ftb" for folder in (tmp_path, SHIPPED))
        assert built.read_bytes() == shipped.read_bytes()


def test_all_of_so_many_men(tmp_path: Path) -> None:
    assert finale.build("tiebraker", folder=tmp_path, men=2) == ["KvK"]


def test_progress_is_shown(tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    finale.build("high", ["KBNvK"], tmp_path, vitality=8, progress=True)
    assert "solving KBNvK" in capsys.readouterr().err
    monkeypatch.undo()
    pytest.importorskip("tqdm")
    finale.open_tablebase(tmp_path, game="high", vitality=8).table("KBNvK").columns(progress=True)


# What a shell starts in the background is deaf to SIGINT, and so would be what it starts.
SCRIPT = """
    import signal, sys, finale
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print("begins", flush=True)
    try:
        finale.build({game!r}, [{material!r}], sys.argv[1])
    except KeyboardInterrupt:
        print("stopped", flush=True)
        raise SystemExit(3)
    print("finished", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise")
@pytest.mark.parametrize(
    ("game", "material"), [("high", "KBBvKN"), ("orthodox", "KQRvKQ"), ("noro", "KQRvRB")]
)
def test_control_c_stops_a_build(tmp_path: Path, game: str, material: str) -> None:
    script = textwrap.dedent(SCRIPT).format(game=game, material=material)
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begins\n"
    time.sleep(3)
    asked = time.monotonic()
    process.send_signal(signal.SIGINT)
    try:
        rest, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    code = process.returncode
    if rest == "finished\n":
        pytest.skip("it was finished before it could be stopped")
    assert (rest, code) == ("stopped\n", 3)
    assert time.monotonic() - asked < 10
    # What is finished is whole, and nothing else is left.
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all(path.suffix == ".ftb" and not path.name.startswith(".") for path in left), left
    assert not (tmp_path / game / f"{material}.ftb").exists()
    for path in left:
        finale.open_tablebase(tmp_path, game=game).table(path.stem)


def test_what_watches_may_raise() -> None:
    tables: Any = finale.open_tablebase(SHIPPED, game="noro")

    def watch(*_: Any) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        # So long that somebody looks.
        for _ in range(100):
            tables._open.stats("KQvR", None, watch)
