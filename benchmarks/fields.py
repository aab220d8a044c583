"""What second reads of scanned invoices cost: a page with all of them, beside a plain Tesseract pass of its picture.

`python benchmarks/fields.py [FILE] [--runs N]`: prints the times of each run, of this tool and of tesserocr used
plainly, one after the other on the same machine, and the bound: that pass and 35 ms a field. FILE: an invoice of which
the truth lies beside it; by default the sample.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from PIL import Image

from pipeline import ocr, reread, worker
from pipeline.habits import Habits
from pipeline.model import Box, Place, Reading
from pipeline.profiles import ReadingProfile
from pipeline.reread import Value

SAMPLE = Path(__file__).resolve().parent.parent / "sample_docs" / "invoices_scanned.pdf"
LANGUAGES = "srp+srp_latn+eng"
MS_A_FIELD = 35
DPI = 200
HABITS = Habits(",", True)
PLAIN = """
import sys, time
from tesserocr import PSM, PyTessBaseAPI
from PIL import Image
folder, languages, *pictures = sys.argv[1:]
engine = PyTessBaseAPI(path=folder, lang=languages, psm=PSM.AUTO)
for path in pictures:
    with Image.open(path) as opened:
        picture = opened.convert("L")
    began = time.monotonic()
    engine.SetImage(picture)
    engine.SetSourceResolution(200)
    engine.Recognize()
    engine.GetUTF8Text()
    print(time.monotonic() - began)
"""


def values(reading: Reading, truth: Path) -> list[Value]:
    """The words in the places of all fields, by page, as a first reader gives them."""
    pages = {page.number: page for page in reading.pages}
    fields = json.loads(truth.read_text(encoding="utf-8"))["fields"]
    found = []
    for field in fields:
        box = Box(*field["box"]).padded(0.5)
        words = [word.text for word in pages[field["page"]].words if box.holds(*word.box.middle)]
        found.append(Value(_kind(field["name"]), " ".join(words), (Place(field["page"], box),)))
    return found


def _kind(name: str) -> str:
    if name.endswith("_date"):
        return "date"
    if name.endswith(("_total", "_amount", "_price", "_quantity", "_base", "_rate")):
        return "amount"
    return "identifier" if name.endswith(("_id", "_number", "iban", "_reference")) else "text"


def ours(path: Path) -> tuple[float, float, int]:
    """Seconds to read all pages, and to read all fields again; how many fields."""
    began = time.monotonic()
    reading = worker.read(path, ReadingProfile())
    first = time.monotonic() - began
    asked = values(reading, path.with_suffix(".truth.json"))
    began = time.monotonic()
    for page in reading.pages:
        reread.seen(
            [value for value in asked if value.places[0].page == page.number], [page], worker.leaves(path), HABITS
        )
    return first, time.monotonic() - began, len(asked)


def plain(pictures: list[Path], folder: str) -> float:
    """Seconds of a plain pass over all pages, without starting up."""
    command = [sys.executable, "-c", PLAIN, folder, LANGUAGES, *map(str, pictures)]
    told = subprocess.run(command, check=True, capture_output=True, text=True, env={"OMP_THREAD_LIMIT": "1"})
    return sum(map(float, told.stdout.split()))


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("file", nargs="?", type=Path, default=SAMPLE)
    arguments.add_argument("--runs", type=int, default=3)
    asked = arguments.parse_args()
    with TemporaryDirectory() as folder:
        pictures = []
        pages = len(worker.read(asked.file, ReadingProfile(ocr="never")).pages)
        for number in range(1, pages + 1):
            pictures.append(Path(folder) / f"{number}.png")
            with Image.open(BytesIO(worker.render(asked.file, number, DPI))) as drawn:
                drawn.convert("L").save(pictures[-1])
        shares = []
        for run in range(1, asked.runs + 1):
            peer = plain(pictures, str(ocr.data_folder()))
            first, second, fields = ours(asked.file)
            bound = peer + fields * MS_A_FIELD / 1000
            shares.append((first + second) / bound)
            print(
                f"run {run}: plain pass {peer:.2f} s; read {first:.2f} s + {fields} second reads {second:.2f} s"
                f" ({1000 * second / fields:.1f} ms a field); bound {bound:.2f} s; {shares[-1]:.2f} of it"
            )
    print(f"median: {median(shares):.2f} of the bound, {pages} pages")
    return int(median(shares) > 1)


if __name__ == "__main__":
    sys.exit(main())
