"""Looks for what no file of the project may hold: a registry's address, or a path of somebody's machine.

Comes in: the files that git knows or would take up. Goes out: one line a fault, and exit code 1 where there is one.
Binary files are passed over.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

FAULTS = {
    "address of a package registry": re.compile(
        r"pypi\.org|pythonhosted\.org|registry\.npmjs|(?:deb|security)\.debian\.org|conda\.anaconda"
        r"|https?://\S*/simple\b|--(?:extra-)?index-url[ =]|--find-links[ =]|\.whl[#]"
    ),
    "path of one machine": re.compile(r"(?<![\w.~/:-])/(?:home|Users|root|work|workspace|builds)/\w"),
}


def files() -> list[Path]:
    """Tracked files and new ones that are not ignored, as they lie in the working tree."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def faults(text: str) -> Iterator[tuple[int, str, str]]:
    """Line number (from 1), what is wrong, and the text that shows it."""
    for number, line in enumerate(text.splitlines(), 1):
        for fault, pattern in FAULTS.items():
            if found := pattern.search(line):
                yield number, fault, found.group()


def main() -> int:
    count = 0
    for path in files():
        raw = path.read_bytes()
        if b"\0" in raw or raw.startswith(b"%PDF"):
            continue
        for number, fault, shown in faults(raw.decode(errors="replace")):
            count += 1
            print(f"{path.relative_to(ROOT)}:{number}: {fault}: {shown}")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
