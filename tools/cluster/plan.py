"""From a plan of `finale build --plan --json` to jobs: which parts of which table one job builds."""

from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True)
class Job:
    """Some parts of a table that one job builds, one after the other."""

    parts: tuple[str, ...]
    seconds: float

    @property
    def name(self) -> str:
        """Its last part: when that is there, all are."""
        return self.parts[-1]


class Table:
    """A table of a plan, with the jobs that build what is missing of it."""

    def __init__(self, game: str, planned: dict, job_seconds: float):
        self.game = game
        self.material: str = planned["material"]
        self.exists: bool = planned["exists"]
        self.needs: list[str] = planned["needs"]
        self.positions: int = planned["positions"]
        self.memory: int = planned["memory"]
        self.seconds: float = planned["seconds"]
        self.bytes: int = planned["bytes"]
        missing = [part for part in planned["parts"] if not part["exists"]]
        self.levels = levels(missing, job_seconds)

    @property
    def jobs(self) -> list[Job]:
        """Its jobs, each after all it needs."""
        return [job for level in self.levels for job in level]

    @property
    def is_one_job(self) -> bool:
        """Whether one job builds all that is missing and puts the parts together."""
        return len(self.jobs) <= 1

    def job(self, name: str) -> Job:
        """The job of this name."""
        return next(job for job in self.jobs if job.name == name)

    def jobs_before(self, name: str) -> list[Job]:
        """The jobs that must be done before the one of this name."""
        at = next(at for at, level in enumerate(self.levels) if self.job(name) in level)
        return self.levels[at - 1] if at else []


def levels(parts: list[dict], job_seconds: float) -> list[list[Job]]:
    """Puts parts together into jobs of about `job_seconds` or more. The jobs of a level need nothing
    of each other, and all those of the level before."""
    found: list[list[list[dict]]] = []
    # Parts that need the same need nothing of each other.
    for _, group in groupby(parts, key=lambda part: part["needs"]):
        group = list(group)
        if found and len(found[-1]) == 1 and seconds(found[-1][0] + group) <= job_seconds:
            found[-1][0] += group
            continue
        count = min(len(group), max(1, int(seconds(group) // job_seconds)))
        bounds = [len(group) * at // count for at in range(count + 1)]
        found.append([group[start:end] for start, end in zip(bounds, bounds[1:])])
    return [[Job(tuple(p["part"] for p in run), seconds(run)) for run in level] for level in found]


def seconds(parts: list[dict]) -> float:
    """How long some parts take on two cores."""
    return sum(part["seconds"] for part in parts)
