"""Tables by address."""

from __future__ import annotations

import http.server
import os
import re
import subprocess
import threading
from pathlib import Path
from typing import Iterator

import finale
import pytest
from common import SHIPPED, some_fens

pytestmark = pytest.mark.skipif("FINALE" not in os.environ, reason="FINALE names no program")


class Handler(http.server.BaseHTTPRequestHandler):
    """Hands out the tables that ship, by ranges."""

    index = b""

    def do_GET(self) -> None:
        path = self.path.lstrip("/")
        if path == "index.json":
            return self.reply(200, self.index)
        try:
            content = (SHIPPED / path).read_bytes()
        except OSError:
            return self.reply(404, b"")
        ranges = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        assert ranges, "tables are read by ranges"
        return self.reply(206, content[int(ranges[1]) : int(ranges[2]) + 1])

    def reply(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [os.environ["FINALE"], "list", "--json", "--tables", str(SHIPPED)]
    Handler.index = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


@pytest.mark.parametrize("game, material", [("high", "KRvK"), ("orthodox", "KPvK"), ("noro", "QvR")])
def test_answers_from_far_are_those_from_here(
    address: str, game: str, material: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FINALE_CACHE", str(tmp_path))
    with finale.open_tablebase(SHIPPED, game=game) as here:
        with finale.open_tablebase(address, game=game) as far:
            for fen in some_fens(here, material, 50):
                assert far.probe(fen) == here.probe(fen)
    assert any(tmp_path.iterdir()), "what came is kept"


def test_what_is_not_there_is_told(address: str) -> None:
    with finale.open_tablebase(address) as far:
        with pytest.raises(finale.MissingTableError) as missing:
            far.probe("8/8/8/3k4/8/8/8/KBN4R w - - 0 1")
    assert "'tables'" in str(missing.value)
    with pytest.raises(OSError, match="404"):
        finale.open_tablebase(f"{address}/nowhere")
