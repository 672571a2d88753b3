"""Tests of the workflow, which `test` runs with the pinned Snakemake.

CLUSTER_MEN says how many men the tables of the test set have (4), CLUSTER_KILLS how many times jobs or Snakemake are
killed (20), CLUSTER_SEED at which moments, and FINALE which program to test.
"""

import filecmp
import json
import os
import random
import shutil
import signal
import subprocess
import sys
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
# Parts so small that tables with a pawn have a dozen.
MAKE = f"--level 1 --part-size {10_000 if MEN == 3 else 500_000}"


class Room(unittest.TestCase):
    """A folder in which the workflow runs."""

    def setUp(self):
        self.room = Path(tempfile.mkdtemp(prefix="finale-cluster-"))
        self.addCleanup(shutil.rmtree, self.room)
        self.addCleanup(self.kill_all)

    def configure(self, **config):
        """Says what to build; small jobs, so that there are of all kinds."""
        usual = {"finale": FINALE, "make": MAKE, "threads": 1, "memory": 4000, "job_seconds": 0.01}
        # YAML reads JSON.
        (self.room / "config.yaml").write_text(json.dumps(usual | config))

    def start(self, *args: str, path: str | None = None) -> subprocess.Popen:
        """Starts the workflow with two jobs at a time. What it says goes to the file `said`."""
        command = [HERE / "build", "one-machine", "--configfile", "config.yaml", "--cores", "2", *args]
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


class SameBytes(Room):
    """Tables come out as a single build makes them, whatever happens."""

    # With little vitality, High tables take little time.
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
            match, *others = filecmp.cmpfiles(
                self.single / game, self.tables / game, names, shallow=False
            )
            self.assertEqual((match, *others), (names, [], []))

    def test_undisturbed(self):
        said = self.run_well("--quiet", "rules")
        for rule in ["table ", "parts ", "join "]:
            self.assertIn(f"\n{rule}", said, "the jobs are not of all kinds")
        self.assert_same()
        plan = self.room / "plans/orthodox.json"
        listed = subprocess.run([FINALE, "list", "--plan", plan], cwd=self.room, capture_output=True)
        self.assertIn(b": all there", listed.stdout)
        # What is there is not built again, however old what it was made from.
        before = {file: file.stat().st_mtime_ns for file in self.tables.rglob("*.ftb")}
        (self.tables / "orthodox/KQvK.ftb").touch()
        self.assertIn("Nothing to be done", self.run_well())
        before.pop(self.tables / "orthodox/KQvK.ftb")
        self.assertEqual(before, {file: file.stat().st_mtime_ns for file in before})

    def test_verified(self):
        self.configure(builds={"orthodox": "KPvK"})
        self.run_well("verified")
        verified = self.room / "verified/orthodox"
        self.assertEqual(json.loads((verified / "KPvK.json").read_text())["wrong"], 0)
        self.assertEqual(len(list(verified.iterdir())), 6)

    def a_build(self, workflow: subprocess.Popen, luck: random.Random) -> psutil.Process | None:
        """Some process that builds, as soon as there is one; None if the workflow ends before."""
        while workflow.poll() is None:
            builds = [process for process in self.processes() if name(process) == Path(FINALE).name]
            if builds:
                return luck.choice(builds)
            time.sleep(0.01)
        return None

    def test_killed(self):
        print(f"\nkills by the seed {SEED}", file=sys.stderr)
        luck = random.Random(SEED)
        killed = {"a job": 0, "Snakemake": 0, "all": 0}
        finished = 0
        while sum(killed.values()) < KILLS:
            workflow = self.start()
            was_hit = False
            while sum(killed.values()) < KILLS:
                time.sleep(luck.uniform(0, 1.5))
                if not (build := self.a_build(workflow, luck)):
                    break
                victim = luck.choice(list(killed))
                killed[victim] += 1
                if victim == "a job":
                    kill(build)
                    was_hit = True
                    continue
                # Without Snakemake its jobs go on, beside those of the next.
                workflow.kill() if victim == "Snakemake" else self.kill_all()
                break
            if (code := workflow.wait()) == 0:
                finished += 1
                self.assert_same()
                shutil.rmtree(self.tables)
            elif code > 0:
                self.assertTrue(was_hit, (self.room / "said").read_text())
        self.run_well()
        self.assert_same()
        print(f"killed: {killed}; finished in between: {finished}", file=sys.stderr)


class BadInput(Room):
    """What is wrong is told in a sentence."""

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

    def test_no_snakemake(self):
        self.assert_fails("error: there is no Snakemake; install it with `pip install", path="/usr/bin:/bin")

    def test_old_snakemake(self):
        self.program("snakemake", "echo 7.32.4")
        path = f"{self.room}/bin:/usr/bin:/bin"
        self.assert_fails("error: Snakemake 7.32.4 is too old, 9.27 is needed; install it", path=path)

    def test_nothing_to_build(self):
        self.configure()
        self.assert_fails("nothing to build: name games and materials under `builds`")

    def test_no_such_material(self):
        self.configure(builds={"high": "KXvK"})
        self.assert_fails("says: error: ", "`X`")

    def test_no_finale(self):
        self.configure(builds={"high": "KvK"}, finale="nowhere/finale")
        self.assert_fails("there is no finale here: nowhere/finale: No such file or directory")

    def test_no_finale_on_a_node(self):
        # It makes the plan, and is gone when the job begins.
        finale = self.program("finale", f'{FINALE} "$@" && rm "$0"')
        self.configure(builds={"high": "KvK"}, finale=str(finale))
        self.assert_fails("error: there is no finale on the node ")

    def test_another_finale_on_a_node(self):
        finale = self.program(
            "finale", f'if [ "$1" = --version ]; then echo finale 0.0.9; else {FINALE} "$@"; fi'
        )
        self.configure(builds={"high": "KvK"}, finale=str(finale))
        self.assert_fails("has finale 0.0.9, but the plan was made by finale ")

    def test_full_disk(self):
        full = self.room / "full"
        full.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "finale-test", full]
        if subprocess.run(mount, capture_output=True).returncode != 0:
            self.skipTest("only root can mount a small disk")
        self.addCleanup(subprocess.run, ["umount", "--lazy", full], check=True)
        scratch = "free some disk space, or allow more --memory"
        self.configure(builds={"high": "KQvK"}, scratch=str(full), memory=129)
        self.assert_fails("error: no room to work in: ", scratch)
        self.configure(builds={"high": "KQvK"}, tables=str(full))
        self.assert_fails("error: ", "No space left on device")


if __name__ == "__main__":
    unittest.main(verbosity=2)
