"""Killed while documents are added, read, parsed and indexed: what was said to be kept is kept, and the work goes on.

PAGEWITNESS_KILLS says how many times (8); 50 is what the store is held to.
"""

from __future__ import annotations

import io
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from pipeline.library import Library
from pipeline.store import Store

ROOT = Path(__file__).resolve().parent.parent
KILLS = int(os.environ.get("PAGEWITNESS_KILLS", "8"))
DOCUMENTS = 6
# the child says what it has committed, after the fact; then a parent may hold the store to it
INGESTS = """
import sys
from pathlib import Path
from pipeline import run
from pipeline.library import Library
from pipeline.profiles import Profile
from pipeline.store import Store
store, rounds = Store(Path(sys.argv[1])), 0
def tell(*words): print(*words, flush=True)
tell("begins")
for path in sorted(Path(sys.argv[2]).glob("*.pdf")):
    sha256 = store.add_file(path, path.name).sha256
    tell("added", sha256)
    read = run.ingest(store, sha256, Profile())
    tell("read", sha256)
    run.outlined(store, read, Profile())
    tell("parsed", sha256)
    Library(store).catch_up()
    tell("searched", sha256)
tell("ends")
if "again" in sys.argv:
    while True:
        for entry in store.documents():
            store.delete(entry.sha256)
            sha256 = store.add_file(Path(sys.argv[2]) / entry.name, entry.name).sha256
            read = run.ingest(store, sha256, Profile())
            run.outlined(store, read, Profile())
            Library(store).catch_up()
"""


def document(number: int) -> bytes:
    """Twelve pages; each names a part of its own."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=True)
    for page in range(1, 13):
        for line in range(45):
            canvas.drawString(60, 790 - 14 * line, f"Part KX-{number}{page:02d} in line {line} of this text.")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def started(home: Path, folder: Path, *more: str) -> subprocess.Popen[str]:
    """A process that ingests, as soon as it has begun."""
    process = subprocess.Popen(
        [sys.executable, "-c", INGESTS, str(home), str(folder), *more],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    )
    assert process.stdout and process.stdout.readline() == "begins\n"
    return process


def said(process: subprocess.Popen[str]) -> list[list[str]]:
    """The whole lines that a process which has ended wrote, as words."""
    assert process.stdout
    with process.stdout as stream:
        lines = stream.read().splitlines(keepends=True)
    process.wait()
    return [line.split() for line in lines if line.endswith("\n")]


def folder_of_documents(folder: Path) -> Path:
    folder.mkdir()
    for number in range(1, DOCUMENTS + 1):
        (folder / f"{number}.pdf").write_bytes(document(number))
    return folder


def held(store: Store, lines: list[list[str]]) -> None:
    """Everything that was said to be committed is there."""
    names = {entry.sha256: entry for entry in store.documents()}
    parsed, searched = {kept.sha256 for kept in store.parses()}, set(Library(store).documents())
    for what, *sha256 in lines:
        for one in sha256:
            assert one in names, f"{what} and lost"
            assert store.path(one).stat().st_size == names[one].size
            assert what == "added" or names[one].state == "read"
            assert what not in ("parsed", "searched") or (one in parsed and one in searched)


def test_killed_at_random_moments_the_store_is_whole_and_the_work_goes_on(tmp_path: Path) -> None:
    folder, moments = folder_of_documents(tmp_path / "in"), random.Random(6)
    home = tmp_path / "home"
    for round_ in range(KILLS):
        process = started(home, folder, "again")
        time.sleep(moments.uniform(0.0, 0.6 if round_ % 2 else 1.6))
        os.killpg(process.pid, signal.SIGKILL)
        lines = said(process)
        store = Store(home)
        assert store.check() == []
        if ["ends"] not in lines:  # after that it deletes, too
            held(store, lines)
    process = started(home, folder)
    assert said(process)[-1] == ["ends"]
    assert process.returncode == 0
    store = Store(home)
    assert store.check() == []
    assert sorted(entry.name for entry in store.documents()) == [f"{number}.pdf" for number in range(1, DOCUMENTS + 1)]
    names = {entry.sha256: entry.name for entry in store.documents()}
    assert [names[hit.sha256] for hit in Library(store).codes("KX-307")] == ["3.pdf"]
    assert Library(store).lacking() == []
