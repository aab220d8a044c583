"""Long documents, which two processes read in turns: all that is known of short ones holds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pikepdf
import pytest

from pipeline import __main__, cli, reader, worker
from pipeline.limits import Limits
from pipeline.model import Damaged, Locked, Page, Reading
from pipeline.profiles import ReadingProfile
from tests.draw import Put, pdf
from tests.test_limits import bomb, document, endless, says

NEVER = ReadingProfile(ocr="never")
PAGES = reader.LONG + 5


def numbered(path: Path, pages: int = PAGES) -> Path:
    return pdf(path, [[Put(72, 100, f"Page {number}")] for number in range(1, pages + 1)])


def texts(read: Reading) -> list[str]:
    return [page.text.replace("\n", " ") for page in read.pages]


@pytest.mark.parametrize("pages", [reader.LONG - 1, reader.LONG, reader.LONG + 1, 60])
def test_pages_come_in_their_order(tmp_path: Path, pages: int) -> None:
    seen: list[int] = []
    path = numbered(tmp_path / "a.pdf", pages)
    read = worker.read(path, NEVER, lambda done, total: seen.append(done))
    assert texts(read) == [f"Page {number}" for number in range(1, pages + 1)]
    assert seen == list(range(1, pages + 1))


def test_reading_may_begin_in_the_middle(tmp_path: Path) -> None:
    parts = list(worker.stream(numbered(tmp_path / "a.pdf", 40), NEVER, first=8))
    assert [part.text for part in parts if isinstance(part, Page)] == [f"Page\n{n}" for n in range(8, 41)]


@pytest.mark.parametrize("place", [5, 6])
def test_a_page_that_hangs_costs_its_time_whoever_reads_it(tmp_path: Path, place: int) -> None:
    contents = [says(f"Page {number}") for number in range(1, PAGES + 1)]
    contents[place - 1] = endless()
    path = document(tmp_path / "a.pdf", contents)
    began = time.monotonic()
    read = worker.read(path, NEVER, access=worker.Access(Limits(page_seconds=1.5)))
    assert time.monotonic() - began < 15
    left = [page.number for page in read.pages if page.reasons]
    assert left == [place]
    assert read.pages[place - 1].reasons == ("the page is left out: it takes longer than 1.5 s to read",)
    assert texts(read)[-1] == f"Page {PAGES}"


@pytest.mark.parametrize("place", [5, 6])
def test_a_page_that_needs_too_much_memory_costs_itself(tmp_path: Path, place: int) -> None:
    contents = [says(f"Page {number}") for number in range(1, PAGES + 1)]
    contents[place - 1] = bomb(2_000)
    lean = worker.Access(Limits(page_seconds=30.0, memory_mb=700))
    read = worker.read(document(tmp_path / "a.pdf", contents), NEVER, access=lean)
    assert [page.number for page in read.pages if page.reasons] == [place]
    assert "needs more than 700 MB" in read.pages[place - 1].reasons[0]
    assert [text for text in texts(read) if text] == [f"Page {n}" for n in range(1, PAGES + 1) if n != place]


def test_a_password_opens_all_pages(tmp_path: Path) -> None:
    with pikepdf.open(numbered(tmp_path / "a.pdf")) as plain:
        plain.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(owner="o", user="u"))
    read = worker.read(tmp_path / "locked.pdf", NEVER, access=worker.Access(password="u"))
    assert texts(read) == [f"Page {number}" for number in range(1, PAGES + 1)]
    with pytest.raises(Locked):
        worker.read(tmp_path / "locked.pdf", NEVER)


def test_what_was_repaired_is_said_on_the_first_page(tmp_path: Path) -> None:
    path = numbered(tmp_path / "a.pdf")
    path.write_bytes(path.read_bytes().replace(b"/Root", b"/Rood"))
    read = worker.read(path, NEVER)
    assert texts(read) == [f"Page {number}" for number in range(1, PAGES + 1)]
    assert [page.number for page in read.pages if page.reasons] == [1]
    assert read.document.repaired.startswith("The file was read from a repaired copy")


@pytest.mark.parametrize("place", [6, 7])
def test_a_page_from_a_repaired_copy_says_so_and_so_do_those_after_it(tmp_path: Path, place: int) -> None:
    content = numbered(tmp_path / "a.pdf").read_bytes()
    pages = [match.start() for match in re.finditer(rb"\d+ 0 obj\n<<\n/Contents", content)]
    offset = b"%010d" % pages[place - 1]
    assert content.count(offset) == 1
    (tmp_path / "b.pdf").write_bytes(content.replace(offset, b"%010d" % (pages[place - 1] + 100)))
    read = worker.read(tmp_path / "b.pdf", NEVER)
    assert texts(read) == [f"Page {number}" for number in range(1, PAGES + 1)]
    assert [page.number for page in read.pages if page.reasons] == list(range(place, PAGES + 1))


def test_a_document_of_which_no_page_can_be_read_is_refused(tmp_path: Path) -> None:
    wide = document(tmp_path / "a.pdf", [says("x")] * PAGES)
    wide.write_bytes(wide.read_bytes().replace(b"[0 0 595 842]", b"[0 0 595 942]"))
    with pytest.raises(Damaged, match="No page of the PDF can be read: the page is 595 × 942 points"):
        worker.read(wide, NEVER, access=worker.Access(Limits(page_points=900)))


def test_who_stops_listening_stops_both(tmp_path: Path) -> None:
    worker.close()
    others = set(_children())
    parts = worker.stream(numbered(tmp_path / "a.pdf", 400), NEVER)
    assert next(parts) == worker.Opened(400)
    next(parts)
    (group,) = {os.getpgid(int(child)) for child in _children() if child not in others}
    assert len(_members(group)) == 1 + (len(os.sched_getaffinity(0)) > 1)
    del parts
    end = time.monotonic() + 10
    while _members(group) and time.monotonic() < end:
        time.sleep(0.05)
    assert _members(group) == []


def _children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


def _members(group: int) -> list[str]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(stat.parent.name)
    return found


def test_the_reader_starts_ahead_for_each_command_that_reads() -> None:
    (commands,) = (action.choices for action in cli._parser()._actions if action.dest == "==SUPPRESS==")
    assert isinstance(commands, dict)
    reading = {name for name, parser in commands.items() if "--password" in parser._option_string_actions}
    assert set(__main__.READING) == reading


def test_the_reader_starts_with_little() -> None:
    asked = "import sys, pipeline.reader, pipeline.pdf; print(*(name for name in sys.modules if 'model' in name))"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert said.strip() == ""
