"""What the tables of a plan (`finale build --plan --json`, from stdin) take on one machine and on many.

    finale build high --men 6 --plan --json | python scale.py --job-seconds 1800 --nodes 1 10 100

Rates that were measured can take the place of the plan's. A node works on one job at a time, with two cores,
as the times of the plan are meant. Nodes take the jobs in the order of the plan, as soon as what they need is
there; time in the queue, and for starting jobs, is left out.
"""

import argparse
import heapq
import json
import sys
from collections import defaultdict
from collections.abc import Iterator

from plan import Table

# Putting parts together copies so many bytes a second.
COPIED = 1e7


def jobs(tables: list[Table]) -> Iterator[tuple[str, float, list[str]]]:
    """All jobs of some tables, each after those it needs: a name, seconds, and the names of those."""
    for table in tables:
        before = table.needs
        for level in table.levels:
            names = [f"{table.material} {job.name}" for job in level]
            for name, job in zip(names, level):
                yield name, job.seconds, before
            before = names
        is_joined = not table.is_one_job
        yield table.material, table.bytes / COPIED if is_joined else 0.0, before


def longest_chain(tables: list[Table]) -> tuple[float, list[str]]:
    """The jobs that take longest one after the other, and how long."""
    ends: dict[str, tuple[float, str | None]] = {}
    for name, seconds, needs in jobs(tables):
        last = max(needs, key=lambda need: ends[need][0], default=None)
        ends[name] = (seconds + (ends[last][0] if last else 0), last)
    name = max(ends, key=lambda name: ends[name][0])
    seconds, chain = ends[name][0], []
    while name:
        if not chain or chain[-1] != name.split()[0]:
            chain.append(name.split()[0])
        name = ends[name][1]
    return seconds, chain[::-1]


def clock(tables: list[Table], nodes: int) -> float:
    """How many seconds so many nodes take."""
    waits: dict[str, int] = {}
    needed_by = defaultdict(list)
    seconds_of = {}
    for name, seconds, needs in jobs(tables):
        seconds_of[name] = seconds
        waits[name] = len(needs)
        for need in needs:
            needed_by[need].append(name)
    order = {name: at for at, name in enumerate(seconds_of)}
    ready = [(order[name], name) for name, count in waits.items() if count == 0]
    heapq.heapify(ready)
    running: list[tuple[float, str]] = []
    now = 0.0
    while ready or running:
        while ready and len(running) < nodes:
            _, name = heapq.heappop(ready)
            heapq.heappush(running, (now + seconds_of[name], name))
        now, done = heapq.heappop(running)
        for name in needed_by[done]:
            waits[name] -= 1
            if waits[name] == 0:
                heapq.heappush(ready, (order[name], name))
    return now


def main():
    """Prints what the plan on stdin takes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--job-seconds", type=float, default=1800, help="as in config.yaml")
    parser.add_argument("--nodes", type=int, nargs="*", default=[1, 10, 100, 1000])
    parser.add_argument("--core-ns", type=float, help="nanoseconds of a core that a position takes")
    parser.add_argument("--bytes-each", type=float, help="bytes that a position takes in a file")
    args = parser.parse_args()
    plan = json.load(sys.stdin)
    planned = plan["tables"]
    for table in planned:
        for thing in [table, *table["parts"]]:
            if args.core_ns:
                thing["seconds"] = thing["positions"] * args.core_ns / 1e9 / 2
            if args.bytes_each:
                thing["bytes"] = int(thing["positions"] * args.bytes_each)
    tables = [Table(plan["game"], table, args.job_seconds) for table in planned]
    seconds = sum(table.seconds for table in tables)
    print(f"tables          {len(tables):>12,}")
    print(f"parts           {sum(len(table['parts']) for table in planned):>12,}")
    print(f"jobs            {sum(max(1, len(t.jobs)) + (not t.is_one_job) for t in tables):>12,}")
    print(f"positions       {sum(table.positions for table in tables):>12,}")
    print(f"core-hours      {seconds * 2 / 3600:>12,.1f}")
    print(f"bytes           {sum(table.bytes for table in tables):>12,}")
    greediest = max(tables, key=lambda table: table.memory)
    print(f"most memory     {greediest.memory:>12,}  {greediest.material}")
    for limit in [16, 64, 256, 1024]:
        more = sum(table.memory > limit << 30 for table in tables)
        print(f"over {limit:>4} GiB   {more:>12,}")
    chain, materials = longest_chain(tables)
    print(f"longest chain   {chain / 3600:>12,.1f} h  {' '.join(materials)}")
    for nodes in args.nodes:
        took = clock(tables, nodes)
        print(f"{nodes:>5} nodes     {took / 3600:>12,.1f} h, {seconds / took / nodes:>4.0%} busy")


if __name__ == "__main__":
    main()
