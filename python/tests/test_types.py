"""The types hold: mypy of package, tests and examples, and stubtest of what is compiled."""

from __future__ import annotations

import subprocess
import sys

import pytest
from common import ROOT

pytest.importorskip("mypy")


def run(*command: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT / "python", capture_output=True, text=True
    )
    return ran.stdout + ran.stderr if ran.returncode else ""


def test_mypy_finds_nothing() -> None:
    assert run("mypy", "--python-version", f"3.{max(sys.version_info[1], 10)}") == ""


def test_stubs_are_what_there_is() -> None:
    assert run("mypy.stubtest", "finale._finale", "--concise") == ""
