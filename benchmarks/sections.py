"""How much faster `pagewitness sections` is than reading the same words with pdfplumber, in the same run.

Comes in: a PDF (the sample agreement unless named) and how many rounds. Goes out: the median seconds of both as
whole processes, and their ratio. The two take turns, so that a busy machine slows both.
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
PLUMBER = """
import sys
import pdfplumber
with pdfplumber.open(sys.argv[1]) as pdf:
    print(sum(len(page.extract_words(extra_attrs=["size", "fontname"])) for page in pdf.pages))
"""


def seconds(command: list[str]) -> float:
    """Wall time of the whole process; what it prints is dropped."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file", nargs="?", default=str(ROOT / "sample_docs" / "agreement.pdf"))
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(chosen.rounds):
        ours.append(seconds([str(COMMAND), "sections", chosen.file, "--json"]))
        theirs.append(seconds([sys.executable, "-c", PLUMBER, chosen.file]))
    print(f"pagewitness sections --json   {median(ours):7.2f} s  (median of {chosen.rounds}, whole process)")
    print(f"pdfplumber extract_words      {median(theirs):7.2f} s")
    print(f"ratio                         {median(theirs) / median(ours):7.1f}")


if __name__ == "__main__":
    main()
