"""How long our words, lines and blocks take against the words of other readers, in the same run.

Comes in: a PDF (the sample agreement unless named) and how many rounds. Goes out: for each reader the median seconds
of a warm pass over all pages, how many words it found, and its time as a ratio of ours. The readers take turns, each
in a process of its own, so that a busy machine slows all. The peers are no dependencies of the project: those that
are not installed are named (`pip install pymupdf pdf_oxide edgeparse`).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
READERS = {
    "pagewitness (words, lines, blocks)": """
from pathlib import Path
from pipeline import layout, worker
from pipeline.profiles import ReadingProfile
def read(path):
    pages = worker.read(Path(path), ReadingProfile(ocr="never")).pages
    return sum(len(line.words) for page in pages for line in layout.lines(page))
""",
    "pdfplumber extract_words": """
import pdfplumber
def read(path):
    with pdfplumber.open(path) as pdf:
        return sum(len(page.extract_words(extra_attrs=["size", "fontname"])) for page in pdf.pages)
""",
    "pymupdf get_text words": """
import fitz
def read(path):
    return sum(len(page.get_text("words")) for page in fitz.open(path))
""",
    "pdf_oxide extract_words": """
import pdf_oxide
def read(path):
    document = pdf_oxide.PdfDocument(path)
    return sum(len(document.extract_words(page)) for page in range(document.page_count()))
""",
    "edgeparse convert json": """
import edgeparse
def read(path):
    return len(edgeparse.convert(path, format="json", raster_table_ocr=False).split())
""",
}
TIMED = """
import sys, time
read(sys.argv[1])
start = time.perf_counter()
words = read(sys.argv[1])
print(time.perf_counter() - start, words)
"""


def timed(code: str, path: str) -> tuple[float, int] | None:
    """Seconds of a warm pass and the words found; None where the reader is not installed or fails."""
    command = [sys.executable, "-c", code + TIMED, path]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode:
        return None
    seconds, words = done.stdout.split()[-2:]
    return float(seconds), int(words)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file", nargs="?", default=str(ROOT / "sample_docs" / "agreement.pdf"))
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    found: dict[str, list[tuple[float, int]]] = {name: [] for name in READERS}
    for _ in range(chosen.rounds):
        for name, code in READERS.items():
            if result := timed(code, str(Path(chosen.file).resolve())):
                found[name].append(result)
    ours = median(seconds for seconds, _ in found[next(iter(READERS))])
    for name, results in found.items():
        if not results:
            print(f"{name:36} not installed")
            continue
        seconds = median(seconds for seconds, _ in results)
        print(f"{name:36} {seconds:7.2f} s  {results[0][1]:7d} words  {seconds / ours:6.1f} × ours")


if __name__ == "__main__":
    main()
