#!/usr/bin/env python3
"""Lists the games that a file `variants.ini` defines, as the package `pyffish` understands them.

    pip install pyffish
    python sections.py variants.ini

Prints a line per section: its name, its parent, whether pyffish knows the game once the file is
loaded (`known`, `built in` if it knew a game of that name before, or `missing`), whether it finds
the start position well-formed, the number of moves there, and its FEN. What pyffish itself says of
the file goes to stderr. The exit code is 1 if a game is missing or its start position is not
well-formed.
"""

import re
import sys
from pathlib import Path

import pyffish


def sections(text: str) -> list[tuple[str, str]]:
    """The names of all sections with those of their parents, which may be empty."""
    found = []
    for line in text.splitlines():
        header = re.match(r"\s*\[([^\]:]+)(?::([^\]]*))?\]", line)
        if header:
            found.append((header[1].strip(), (header[2] or "").strip()))
    return found


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: sections.py FILE")
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    before = set(pyffish.variants())
    pyffish.load_variant_config(text)
    after = set(pyffish.variants())
    good = True
    for name, parent in sections(text):
        if name not in after:
            good = False
            print(f"{name:24} {parent:16} missing")
            continue
        known = "built in" if name in before else "known"
        fen = pyffish.start_fen(name)
        formed = pyffish.validate_fen(fen, name) == pyffish.FEN_OK
        good = good and formed
        moves = len(pyffish.legal_moves(name, fen, []))
        well = "well-formed" if formed else "not well-formed"
        print(f"{name:24} {parent:16} {known:8} {well} {moves:4} {fen}", flush=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
