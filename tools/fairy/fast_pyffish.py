#!/usr/bin/env python3
"""Builds a pyffish that is some hundred times as fast for many calls on one game.

    python fast_pyffish.py FOLDER
    PYTHONPATH=FOLDER python solve.py ...

The package from PyPI computes the tables of its move generator in every call, although they depend
on the game alone. This program takes the source from PyPI, has it compute them only if the game is
another one than in the call before, and installs the package into FOLDER. It needs a C++ compiler
and a few minutes. Rules and answers are the same; the package stays under the GPL.
"""

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VERSION = "0.0.90"
EVERY_TIME = "    UCI::init_variant(v);\n"
IF_ANOTHER = """\
    static const Variant* prepared = nullptr;
    if (v != prepared)
        UCI::init_variant(prepared = v);
"""


def pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)


def prepare_once(source: Path) -> None:
    file = source / "src" / "pyffish.cpp"
    text = file.read_text(encoding="utf-8")
    if text.count(EVERY_TIME) != 1:
        sys.exit(f"error: the source of pyffish {VERSION} is not as expected")
    file.write_text(text.replace(EVERY_TIME, IF_ANOTHER), encoding="utf-8")


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: fast_pyffish.py FOLDER")
    with tempfile.TemporaryDirectory() as folder:
        pip("download", "--no-deps", "--no-binary", ":all:", "-d", folder, f"pyffish=={VERSION}")
        with tarfile.open(Path(folder) / f"pyffish-{VERSION}.tar.gz") as archive:
            archive.extractall(folder, filter="data")
        source = Path(folder) / f"pyffish-{VERSION}"
        prepare_once(source)
        pip("install", "--no-deps", "--upgrade", "--target", sys.argv[1], str(source))


if __name__ == "__main__":
    main()
