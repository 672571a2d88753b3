"""Tests of the workflow on Slurm, which `slurm-test` runs on one that it has started."""

import random
import subprocess
import sys
import time
import unittest

from room import FINALE, KILLS, SEED, TestSet


class OnSlurm(TestSet):
    """The workflow runs on two nodes with one core each, which share a folder."""

    WHERE = [
        "slurm",
        "--slurm-no-account",
        # Jobs are short here, so Snakemake asks often.
        "--slurm-init-seconds-before-status-checks=2",
        "--seconds-between-status-checks=3",
    ]

    # Starting a job takes some seconds.
    JOB_SECONDS = 0.5

    def test_cancelled(self):
        """The tables are those of a single build, though jobs are cancelled and Snakemake is killed."""
        print(f"\ncancels by the seed {SEED}", file=sys.stderr)
        luck = random.Random(SEED)
        cancelled = 0
        workflow = self.start()
        while cancelled < KILLS and workflow.poll() != 0:
            time.sleep(luck.uniform(0, 10))
            if workflow.poll():
                print("a job was cancelled too often; started again", file=sys.stderr)
                workflow = self.start()
            if not (jobs := slurm("squeue", "--noheader", "--states=running", "--format=%i").split()):
                continue
            job = luck.choice(jobs)
            slurm("scancel", job)
            cancelled += 1
            print(f"cancelled job {job}", file=sys.stderr)
            if cancelled == KILLS // 2:
                workflow.kill()
                workflow.wait()
                print("killed Snakemake, and started it again", file=sys.stderr)
                workflow = self.start()
        workflow.wait()
        self.run_well()
        self.assert_same()
        states = [state.split()[0] for state in accounts("state")]
        count = {state: states.count(state) for state in sorted(set(states))}
        tables = len(list(self.tables.rglob("*.ftb")))
        print(f"jobs: {count}; {tables} tables as a single build makes them", file=sys.stderr)

    def test_more_memory(self):
        """A job that Slurm ends for its memory is tried again with more."""
        # The first time it takes more memory than it asked for.
        greedy = f"exec {sys.executable} -c 'import time; x = b\"x\" * (800 << 20); time.sleep(600)'"
        finale = self.program(
            "finale",
            f'[[ "$*" != *"--part 0.0"* ]] || ! mkdir tried 2>/dev/null || {greedy}',
            f'{FINALE} "$@"',
        )
        self.configure(builds={"orthodox": "KvK"}, finale=str(finale))
        self.run_well()
        print("state and memory of the last jobs:", *accounts("state,reqmem")[-2:], file=sys.stderr)

    def test_another_finale_on_a_node(self):
        """A node with another version does nothing, and says why."""
        finale = self.program(
            "finale",
            '[ "$SLURMD_NODENAME $1" != "node2 -V" ] || { echo finale 0.0.9; exit; }',
            f'{FINALE} "$@"',
        )
        self.configure(builds={"orthodox": "--men 3"}, finale=str(finale))
        self.assert_fails("error: the node node2 has finale 0.0.9, but the plan was made by finale ")


def accounts(fields: str) -> list[str]:
    """What Slurm has noted of each job since it was started, a line each."""
    return slurm("sacct", "--allocations", "--noheader", "--parsable2", f"--format={fields}").splitlines()


def slurm(*command: str) -> str:
    """What a command of Slurm prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    unittest.main(verbosity=2)
