"""How long `pagewitness sections` takes beside others that read the same PDF, in the same run, as whole processes.

Comes in: a PDF (the sample agreement unless named) and how many rounds. Goes out: for each the median and the least
seconds, and how often ours go into theirs. They take turns, so that a busy machine slows all of them. pdfplumber reads
the words alone; edgeparse, which is compiled, reads to JSON. The latter is timed where a Python has it: this one, or
the one that is named.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
COMMAND = Path(sys.executable).with_name("pagewitness")
OURS = "pagewitness sections --json"
PLUMBER = """
import sys
import pdfplumber
with pdfplumber.open(sys.argv[1]) as pdf:
    print(sum(len(page.extract_words(extra_attrs=["size", "fontname"])) for page in pdf.pages))
"""
EDGEPARSE = "import sys, edgeparse; print(edgeparse.convert(sys.argv[1], format='json'))"


def seconds(command: list[str]) -> float:
    """Wall time of the whole process; what it prints is dropped."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def commands(file: str, edgeparse: str) -> dict[str, list[str]]:
    """What is timed, by name, ours first; `edgeparse` is the Python that may have it."""
    found = {
        OURS: [str(COMMAND), "sections", file, "--json"],
        "pdfplumber extract_words": [sys.executable, "-c", PLUMBER, file],
    }
    if subprocess.run([edgeparse, "-c", "import edgeparse"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        found["edgeparse to JSON"] = [edgeparse, "-c", EDGEPARSE, file]
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file", nargs="?", default=str(ROOT / "sample_docs" / "agreement.pdf"))
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--edgeparse", metavar="PYTHON", default=sys.executable, help="a Python that has edgeparse")
    chosen = options.parse_args()
    timed = commands(chosen.file, chosen.edgeparse)
    taken: dict[str, list[float]] = {name: [] for name in timed}
    for _ in range(chosen.rounds):
        for name, command in timed.items():
            taken[name].append(seconds(command))
    print(f"whole processes, {chosen.rounds} rounds      median   least   ours into theirs")
    for name, each in taken.items():
        ratio = median(each) / median(taken[OURS])
        print(f"{name:31}{median(each):8.2f} s{min(each):6.2f} s{ratio:12.1f}")


if __name__ == "__main__":
    main()
