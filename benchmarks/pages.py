"""What a page costs: words, lines and blocks against pdfplumber's words alone, and 1 000 pages against 50.

Comes in: a PDF (the sample agreement unless named) and how many rounds. Goes out: seconds, milliseconds a page,
megabytes and their ratios, all of one run; readers take turns, so that a busy machine slows both.
The long documents hold the file's own pages again and again, each with objects of its own.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import pikepdf

ROOT = Path(__file__).resolve().parent.parent
LIMIT_MB = 400

# A run of its own for each, for memory is measured at its peak: argument 1 is the PDF, 2 where a store may be.
OURS = """
import sys, time
from pathlib import Path
from pipeline import layout, pdf
from pipeline.profiles import ReadingProfile
def once():
    book = pdf.Book(Path(sys.argv[1]), pdf.Access())
    pages = [pdf.read_page(book, n, ReadingProfile(ocr="never"), lambda: None) for n in range(1, len(book) + 1)]
    words = sum(len(line.words) for page in pages for line in layout.lines(page))
    book.close()
    return words
once()
start = time.perf_counter()
words = once()
print(time.perf_counter() - start, words)
"""
PLUMBER = """
import sys, time
import pdfplumber
start = time.perf_counter()
with pdfplumber.open(sys.argv[1]) as pdf:
    words = sum(len(page.extract_words(extra_attrs=["size", "fontname"])) for page in pdf.pages)
print(time.perf_counter() - start, words)
"""
INGEST = """
import os, sys, time
from pathlib import Path
from pipeline import run, worker
from pipeline.profiles import Profile, ReadingProfile
from pipeline.store import Store
store = Store(Path(sys.argv[2]))
sha256 = store.add_file(Path(sys.argv[1]), "long.pdf").sha256
worker.warm()
start = time.perf_counter()
read = run.ingest(store, sha256, Profile(reading=ReadingProfile(ocr="never")))
print(time.perf_counter() - start, len(read.pages))
"""


def measured(code: str, *arguments: Path) -> tuple[float, int, float, float]:
    """Seconds and count that the code prints, and the peak megabytes of its process and of its children's largest."""
    wrapped = code + (
        "\nimport resource"
        "\nfor who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):"
        "\n    print(resource.getrusage(who).ru_maxrss / 1024)"
    )
    if "worker.warm()" in code:
        wrapped = wrapped.replace("\nimport resource", "\nworker.close()\nimport resource", 1)
    done = subprocess.run(
        [sys.executable, "-c", wrapped, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    seconds, count, own, children = done.stdout.split()
    return float(seconds), int(count), float(own), float(children)


def long_document(source: Path, pages: int, target: Path) -> Path:
    """The source's pages again and again, until there are `pages`."""
    with pikepdf.new() as long:
        while len(long.pages) < pages:
            with pikepdf.open(source) as document:  # opened each time: no page shares its objects with its twin
                count = min(len(document.pages), pages - len(long.pages))
                long.add_pages_from(document, range(count), outlines="ignore")
        long.save(target)
    return target


def against_pdfplumber(source: Path, rounds: int) -> None:
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(rounds):
        seconds, words, _, _ = measured(OURS, source)
        ours.append(seconds)
        seconds, their_words, _, _ = measured(PLUMBER, source)
        theirs.append(seconds)
    print(f"words, lines and blocks, warm, one process  {median(ours):8.2f} s   {words} words")
    print(f"pdfplumber extract_words alone              {median(theirs):8.2f} s   {their_words} words")
    print(f"ratio                                       {median(theirs) / median(ours):8.1f}")


def by_length(source: Path, rounds: int) -> None:
    per_page: dict[int, list[float]] = {50: [], 1_000: []}
    own = children = 0.0
    with tempfile.TemporaryDirectory() as folder:
        files = {pages: long_document(source, pages, Path(folder) / f"{pages}.pdf") for pages in per_page}
        for turn in range(rounds):
            for pages, file in files.items():
                stores = [Path(folder) / f"store-{pages}-{turn}-{n}" for n in range(5 if pages == 50 else 1)]
                runs = [measured(INGEST, file, store) for store in stores]  # five short ones are steadier than one
                per_page[pages].append(median(run[0] for run in runs) / pages)
                own, children = max([own, *(run[2] for run in runs)]), max([children, *(run[3] for run in runs)])
    short, long = (1_000 * median(per_page[pages]) for pages in (50, 1_000))
    print(f"into the store, a page of 50                {short:8.2f} ms")
    print(f"into the store, a page of 1 000             {long:8.2f} ms")
    print(f"ratio                                       {long / short:8.2f}")
    print(f"peak memory, each process that reads        {children:8.0f} MB   (two read long documents)")
    print(f"peak memory, the process that keeps         {own:8.0f} MB   (all together at most {LIMIT_MB})")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file", nargs="?", type=Path, default=ROOT / "sample_docs" / "agreement.pdf")
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    against_pdfplumber(chosen.file, chosen.rounds)
    by_length(chosen.file, chosen.rounds)


if __name__ == "__main__":
    main()
