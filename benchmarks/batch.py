"""Many documents in one run: none lost, none doubled, memory, the rate against one process, killed again and again.

Comes in: how many documents, how often the run is killed, a seed. They are drawn first: statements and plain reports of
2 to 14 pages, one in twenty of them pictures of its pages, a few very long ones. Goes out: a table of what was asked
and what was seen. `--one` also times one process over the same documents, by itself and with the forks that it reads
ahead by; all read with OMP_THREAD_LIMIT=1.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from pipeline import worker
from pipeline.spawn import BESIDE
from pipeline.store import Store
from sample_docs.statement import StatementOptions, write

ROOT = Path(__file__).resolve().parent.parent
SIZE = (595.0, 842.0)
SCANNED = 20  # one in so many
LONG = 100  # one in so many has 80 pages


def report(seed: int, pages: int) -> bytes:
    """Numbered parts with words of their own."""
    chance, buffer = random.Random(seed), io.BytesIO()
    canvas = Canvas(buffer, SIZE, invariant=True)
    for number in range(1, pages + 1):
        canvas.setFont("Helvetica-Bold", 15)
        canvas.drawString(60, 790, f"{number} Part {seed} about delivery {chance.randrange(10_000)}")
        canvas.setFont("Helvetica", 10)
        for line in range(44):
            canvas.drawString(
                60, 760 - 15 * line, f"Line {line} of page {number}: item {chance.randrange(10**8)} is due."
            )
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def pictured(path: Path, pages: int) -> bytes:
    """The same pages as pictures, without text."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, SIZE, invariant=True)
    for page in range(1, pages + 1):
        canvas.drawImage(ImageReader(io.BytesIO(worker.render(path, page, 150))), 0, 0, *SIZE)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def draw(folder: Path, documents: int, seed: int) -> int:
    """Draw so many documents; how many pages they have."""
    chance, total = random.Random(seed), 0
    for number in range(documents):
        pages = 80 if number % LONG == LONG - 1 else chance.randint(2, 14)
        path = folder / f"{number:05d}.pdf"
        if number % 3 == 0 and pages < 80:
            options = StatementOptions(seed=seed * 100_000 + number, pages=pages, suppliers=2, name=path.stem)
            write(folder, options).pdf.with_suffix(".truth.json").unlink()
        else:
            path.write_bytes(report(seed * 100_000 + number, pages))
        if number % SCANNED == SCANNED // 2:
            pages = min(pages, 6)
            path.write_bytes(pictured(path, pages))
        total += pages
    return total


def started(folder: Path, out: Path, home: Path, do: str, *more: str, forks: bool = True) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "pipeline", "batch", str(folder), "-o", str(out), "--do", do, "--json", *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PAGEWITNESS_HOME": str(home), "OMP_THREAD_LIMIT": "1", BESIDE: "" if forks else "1"},
        start_new_session=True,
    )


def watched(process: subprocess.Popen[str], megabytes: list[float]) -> None:
    """Note the memory of a process and all below it, twice a second, until it ends."""
    while process.poll() is None:
        resident = 0.0
        for one in _family(process.pid):
            with suppress(psutil.Error):  # it has ended
                resident += one.memory_info().rss / 1e6
        megabytes.append(resident)
        time.sleep(0.5)


def _family(number: int) -> Iterator[psutil.Process]:
    try:
        head = psutil.Process(number)
        yield head
        yield from head.children(recursive=True)
    except psutil.Error:
        return


def whole(
    folder: Path, out: Path, home: Path, do: str, *more: str, forks: bool = True
) -> tuple[float, list[float], dict[str, list[str]]]:
    """A run to its end: seconds, memory over time in MB, what it said."""
    megabytes: list[float] = []
    began = time.monotonic()
    process = started(folder, out, home, do, *more, forks=forks)
    watched(process, megabytes)
    seconds = time.monotonic() - began
    assert process.stdout
    return seconds, megabytes, json.loads(process.stdout.read())


def content(out: Path) -> dict[str, str]:
    return {
        path.relative_to(out).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }


def kept(home: Path) -> list[tuple[str, int | None, int]]:
    """Each document of the store: its hash, pages, how many readings."""
    store = Store(home)
    assert store.check() == []
    return sorted((one.sha256, one.pages, len(store.readings(one.sha256))) for one in store.documents())


def killed(folder: Path, out: Path, home: Path, do: str, moments: list[float]) -> int:
    """Kill a run at these seconds after its start, then let it end; how often it was killed."""
    kills = 0
    for moment in moments:
        process = started(folder, out, home, do)
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1
    process = started(folder, out, home, do)
    process.communicate()
    return kills


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--documents", type=int, default=1200)
    options.add_argument("--kills", type=int, default=5)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--do", choices=["sections", "rows", "fields"], default="rows")
    options.add_argument("--one", action="store_true", help="time one process, too")
    chosen = options.parse_args()
    with TemporaryDirectory(prefix="pagewitness-batch-") as name:
        base = Path(name)
        folder = base / "in"
        folder.mkdir()
        pages = draw(folder, chosen.documents, chosen.seed)
        print(f"{chosen.documents} documents, {pages} pages, seed {chosen.seed}", flush=True)
        seconds, megabytes, said = whole(folder, base / "out", base / "home", chosen.do)
        names = sorted(path.name for path in folder.glob("*.pdf"))
        rest = megabytes[len(megabytes) // 4 :] or megabytes
        half = len(rest) // 2 or 1
        print(
            f"by workers: {seconds:.0f} s, {chosen.documents / seconds:.2f} documents/s, {pages / seconds:.1f} pages/s"
        )
        print(f"done {len(said['done'])}, failed {len(said['failed'])}, lost {len(set(names) - set(said['done']))}")
        print(f"memory: at most {max(megabytes):.0f} MB; mean {sum(rest[:half]) / half:.0f} MB, later ", end="")
        print(f"{sum(rest[half:]) / max(1, len(rest) - half):.0f} MB", flush=True)
        undisturbed, store = content(base / "out"), kept(base / "home")
        print(f"in the store: {len(store)} documents, {max(count for _, _, count in store)} readings of one at most")
        if chosen.one:
            for forks in (False, True):
                out, home = base / f"out-{forks}", base / f"home-{forks}"
                alone, _, _ = whole(folder, out, home, chosen.do, "--workers", "0", forks=forks)
                same, named = content(out) == undisturbed, "with forks" if forks else "by itself"
                print(
                    f"one process {named}: {alone:.0f} s, so workers are {alone / seconds:.2f} times as fast;", end=" "
                )
                print(f"same results: {same}", flush=True)
        if chosen.kills:
            chance = random.Random(chosen.seed)
            moments = [chance.uniform(4.0, max(5.0, 1.4 * seconds / chosen.kills)) for _ in range(chosen.kills)]
            kills = killed(folder, base / "out2", base / "home2", chosen.do, moments)
            same = content(base / "out2") == undisturbed and kept(base / "home2") == store
            print(f"killed {kills} times at random: the end state is the same: {same}")


if __name__ == "__main__":
    main()
