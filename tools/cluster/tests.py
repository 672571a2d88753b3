"""Tests of the workflow on one machine, which `test` runs with the pinned Snakemake."""

import json
import random
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path

import psutil

from room import FINALE, KILLS, SEED, Room, TestSet, kill, name


class SameBytes(TestSet):
    """Tables come out as a single build makes them, whatever happens."""

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
        # Whoever only looks disturbs nobody.
        self.run_well("--dry-run")
        self.assertFalse((self.room / "plans").exists())
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
        self.assert_fails("says: error: ", "there is no X")

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
            "finale", f'if [ "$1" = -V ]; then echo finale 0.0.9; else {FINALE} "$@"; fi'
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
        scratch = "free some disk space, or name a folder on another disk with --scratch"
        # With so little memory that scratch files are needed.
        few = {"memory": 257, "memory_margin": 0.1}
        self.configure(builds={"high": "KQvK"}, scratch=str(full), **few)
        self.assert_fails("error: no room to work in: ", scratch)
        self.configure(builds={"high": "KQvK"}, tables=str(full))
        self.assert_fails("error: ", "No space left on device")


if __name__ == "__main__":
    unittest.main(verbosity=2)
