"""Asks a server with the client that openapi-python-client makes."""

import sys
import time
from io import BytesIO

from made.client import Client
from made.client.api.lichess import atomic
from made.client.api.positions import line, probe, what_if
from made.client.api.records import replay
from made.client.api.server import games
from made.client.api.tables import find, histogram, stats, tables
from made.client.models import Counting, Found, GameName, Histogram, Report
from made.client.types import File

client = Client(base_url=sys.argv[1].rstrip("/"), raise_on_unexpected_status=True, timeout=60)
fen = "8/8/8/3k4/8/8/8/K6R w - - 0 1"
game = GameName.ORTHODOX


def counted(ask, **more):
    """Asks until a count over a table is done."""
    while isinstance(reply := ask.sync(game, "KRvK", client=client, **more), Counting):
        time.sleep(1)
    return reply


assert {known.game for known in games.sync(client=client).games} == set(GameName)
position = probe.sync(game, client=client, fen=fen)
assert (position.fen, position.wdl, position.dtm) == (fen, "win", 29)
assert len(line.sync(game, client=client, fen=fen, max_=3).line) == 3
assert what_if.sync(game, client=client, fen=fen, square="h1").white["h4"]["wdl"] == "win"
assert "KRvK" in [table.material for table in tables.sync(game, client=client).tables]
found = counted(find, query="wins", limit=2)
assert isinstance(found, Found) and len(found.found) == 2
bins = counted(histogram)
assert isinstance(bins, Histogram)
assert sum(count for _, _, count in bins.white) == 175_168
report = counted(stats)
assert isinstance(report, Report)
assert all(len(row) == len(part.columns) for part in report.page.sections for row in part.rows)
text = f'[FEN "{fen}"]\n\n1. Rh4 *\n'.encode()
assert replay.sync(game, client=client, body=File(payload=BytesIO(text))).games[0]["start"] == fen
assert atomic.sync(client=client, fen="8/8/8/8/3k4/8/8/K6Q w - - 0 1").category == "win"
print("the client in Python was answered")
