"""What the tests of the workflow have in common: a folder to run it in, and a set of tables.

CLUSTER_MEN says how many men the tables have (4), CLUSTER_KILLS how many times jobs or Snakemake are
killed (20), CLUSTER_SEED at which moments, and FINALE which program to test.
"""

import filecmp
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import psutil

HERE = Path(__file__).resolve().parent
FINALE = os.environ["FINALE"]
MEN = int(os.environ.get("CLUSTER_MEN", 4))
KILLS = int(os.environ.get("CLUSTER_KILLS", 20))
SEED = int(os.environ.get("CLUSTER_SEED", time.time()))
# Parts so small that tables with a pawn have a dozen; and High tables that take little time.
MAKE = "--level 1 --part-size 10000" if MEN == 3 else "--level 1 --part-size 500000 --contents result"


class Room(unittest.TestCase):
    """A folder in which the workflow runs."""

    # Where it runs: two jobs at a time.
    WHERE = ["one-machine", "--cores", "2"]
    # How long a job is at least, so that some tables are several.
    JOB_SECONDS = 0.01

    def setUp(self):
        self.room = Path(tempfile.mkdtemp(prefix="finale-cluster-"))
        self.addCleanup(shutil.rmtree, self.room)
        self.addCleanup(self.kill_all)

    def configure(self, **config):
        """Says what to build."""
        usual = {
            "finale": FINALE,
            "make": MAKE,
            "threads": 1,
            "memory": 4000,
            "job_seconds": self.JOB_SECONDS,
        }
        # YAML reads JSON.
        (self.room / "config.yaml").write_text(json.dumps(usual | config))

    def start(self, *args: str, path: str | None = None) -> subprocess.Popen:
        """Starts the workflow. What it says goes to the file `said`."""
        command = [HERE / "build", *self.WHERE, *args, "--configfile", "config.yaml"]
        with open(self.room / "said", "w") as said:
            return subprocess.Popen(
                command,
                cwd=self.room,
                env=os.environ | ({"PATH": path} if path else {}),
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
            )

    def run_workflow(self, *args: str, path: str | None = None) -> tuple[int, str]:
        """Runs the workflow; how it ended, and what it said."""
        code = self.start(*args, path=path).wait()
        return code, (self.room / "said").read_text()

    def run_well(self, *args: str) -> str:
        """Runs the workflow, which must succeed."""
        code, said = self.run_workflow(*args)
        self.assertEqual(code, 0, said)
        return said

    def assert_fails(self, *sentences: str, path: str | None = None):
        """The workflow fails and says these sentences."""
        code, said = self.run_workflow(path=path)
        self.assertEqual(code, 1, said)
        for sentence in sentences:
            self.assertIn(sentence, said)

    def program(self, name: str, *lines: str) -> Path:
        """A script in the room."""
        path = self.room / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(["#!/bin/bash", *lines, ""]))
        path.chmod(0o755)
        return path

    def processes(self) -> list[psutil.Process]:
        """All processes that run in the room."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.cwd() == str(self.room):
                    found.append(process)
            except psutil.Error:
                continue  # It has ended, or is none of ours.
        return found

    def kill_all(self):
        """Kills every process of the room."""
        while processes := self.processes():
            for process in processes:
                kill(process)
            time.sleep(0.01)


def name(process: psutil.Process) -> str:
    """What program a process runs; nothing once it has ended."""
    try:
        return process.name()
    except psutil.Error:
        return ""


def kill(process: psutil.Process):
    """Kills a process, unless it has ended."""
    try:
        process.send_signal(signal.SIGKILL)
    except psutil.NoSuchProcess:
        pass


class TestSet(Room):
    """A folder in which the workflow builds some tables, and the same as a single build makes them."""

    GAMES = {"orthodox": "", "high": "--vitality 5"}

    @classmethod
    def setUpClass(cls):
        cls.single = Path(tempfile.mkdtemp(prefix="finale-single-"))
        cls.addClassCleanup(shutil.rmtree, cls.single)
        for game in cls.GAMES:
            cls.build(game, cls.single)

    @classmethod
    def build(cls, game: str, tables: Path) -> str:
        """Builds the tables of a game by a single command; what it says."""
        options = f"--men {MEN} {MAKE} {cls.GAMES[game]}".split()
        command = [FINALE, "build", game, *options, "--tables", tables]
        return subprocess.run(command, check=True, stderr=subprocess.PIPE, text=True).stderr

    def setUp(self):
        super().setUp()
        self.configure(builds={game: f"--men {MEN}" for game in self.GAMES}, rules=self.GAMES)
        self.tables = self.room / "tables"

    def assert_same(self):
        """All tables are those of a single build, and there is nothing else."""
        for game in self.GAMES:
            # Removes what the killed left behind.
            self.assertIn("nothing to build", self.build(game, self.tables))
            names = sorted(os.listdir(self.single / game))
            self.assertEqual(sorted(os.listdir(self.tables / game)), names)
            match, *others = filecmp.cmpfiles(self.single / game, self.tables / game, names, shallow=False)
            self.assertEqual((match, *others), (names, [], []))
