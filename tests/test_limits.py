"""Hostile documents, by real files: what they cost, what is said, and that everything else goes on."""

from __future__ import annotations

import os
import signal
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipeline import limits, run, worker
from pipeline.limits import Limits
from pipeline.model import Damaged, DocumentError, OverLimit, UsageError
from pipeline.profiles import Profile, ReadingProfile
from pipeline.store import Store
from tests.draw import Put, pdf, reading

NEVER = ReadingProfile(ocr="never")
LEAN = worker.Access(Limits(page_seconds=20.0, memory_mb=700))
QUICK = worker.Access(Limits(page_seconds=1.0))
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def stream(content: bytes, entries: bytes = b"") -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(content), content)


def packed(content: bytes) -> bytes:
    return stream(zlib.compress(content), b"/Filter/FlateDecode")


def document(path: Path, contents: list[bytes], more: list[bytes] | None = None, resources: bytes = b"") -> Path:
    """A PDF with a page for each content stream; object 3 is the font F1, `more` begin at object 4."""
    more = more or []
    first = 4 + len(more)
    kids = b" ".join(b"%d 0 R" % (first + 2 * index) for index in range(len(contents)))
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(contents)), FONT]
    objects += more
    for content in contents:
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R/Resources<</Font<</F1 3 0 R>>%s>>>>"
            % (len(objects) + 2, resources)
        )
        objects.append(content)
    body, places = bytearray(b"%PDF-1.7\n"), []
    for number, entry in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, entry)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    body += b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        table,
        len(objects) + 1,
        len(body),
    )
    path.write_bytes(body)
    return path


def says(text: str) -> bytes:
    return stream(b"BT /F1 12 Tf 72 700 Td (%s) Tj ET" % text.encode())


def bomb(megabytes: int) -> bytes:
    """A content stream of spaces that is a few kilobytes in the file: compressed twice."""
    packer = zlib.compressobj()
    start = packer.compress(b"BT ET ") + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(b" " * (1 << 20))) + packer.flush(zlib.Z_FULL_FLUSH)
    twice = zlib.compress(start + block * megabytes + packer.flush(zlib.Z_FINISH), 9)
    return stream(twice, b"/Filter[/FlateDecode/FlateDecode]")


def endless() -> bytes:
    return packed(b"0 0 m 1 1 l S\n" * 4_000_000)


def nested(path: Path) -> Path:
    """Forms that draw each other ten times, twelve deep: 10^12 words."""
    forms = []
    for depth in range(12):
        body = b"/X Do " * 10 if depth < 11 else b"BT /F1 9 Tf 10 10 Td (deep) Tj ET"
        used = b"/Resources<</Font<</F1 3 0 R>>/XObject<</X %d 0 R>>>>" % (5 + depth)
        forms.append(stream(body, b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]" + used))
    return document(path, [says("before"), stream(b"/X Do " * 10), says("after")], forms, b"/XObject<</X 4 0 R>>")


def test_a_bomb_costs_its_page(tmp_path: Path) -> None:
    path = document(tmp_path / "a.pdf", [says("before"), bomb(2_000), says("after")])
    assert path.stat().st_size < 100_000
    read = worker.read(path, NEVER, access=LEAN)
    assert [page.text for page in read.pages] == ["before", "", "after"]
    assert read.pages[1].reasons == ("the page is left out: it needs more than 700 MB of memory, or is malformed",)
    assert read.pages[1].health == 0.0
    assert [page.reasons for page in (read.pages[0], read.pages[2])] == [(), ()]


def test_an_endless_page_costs_its_time_and_nothing_else(tmp_path: Path) -> None:
    path = document(tmp_path / "a.pdf", [says("before"), endless(), says("after")])
    told: list[tuple[int, int]] = []
    start = time.monotonic()
    read = worker.read(path, NEVER, lambda done, total: told.append((done, total)), QUICK)
    assert 1 <= time.monotonic() - start < 15
    assert [page.text for page in read.pages] == ["before", "", "after"]
    assert read.pages[1].reasons == ("the page is left out: it takes longer than 1 s to read",)
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_forms_within_forms_cost_their_page(tmp_path: Path) -> None:
    read = worker.read(nested(tmp_path / "a.pdf"), NEVER, access=LEAN)
    assert [page.text for page in read.pages] == ["before", "", "after"]
    assert read.pages[1].reasons[0].startswith("the page is left out: it ")


def test_a_document_of_one_such_page_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(OverLimit, match="No page of the PDF can be read; the last one takes longer than 1 s") as caught:
        worker.read(document(tmp_path / "a.pdf", [endless()]), NEVER, access=QUICK)
    assert "\n" not in str(caught.value)
    assert reading(pdf(tmp_path / "b.pdf", [[Put(72, 100, "Next")]])).pages[0].text == "Next"


def test_too_many_such_pages_are_refused_by_number(tmp_path: Path) -> None:
    path = document(tmp_path / "a.pdf", [says("a"), bomb(2_000), says("b"), bomb(2_000), says("c")])
    few = worker.Access(Limits(page_seconds=5.0, memory_mb=700, lost_pages=1))
    with pytest.raises(OverLimit, match="Page 2, 4 of the PDF needs more than 700 MB"):
        worker.read(path, NEVER, access=few)


@contextmanager
def killer(after: float) -> Iterator[None]:
    """Kills each worker of this process that lives longer than `after` seconds."""
    done = threading.Event()
    seen: dict[int, float] = {}

    def work() -> None:
        while not done.wait(0.05):
            for child in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
                for process in map(int, child.read_text().split()):
                    if time.monotonic() - seen.setdefault(process, time.monotonic()) > after:
                        os.killpg(process, signal.SIGKILL)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def test_a_page_on_which_the_worker_dies_twice_is_left_out(tmp_path: Path) -> None:
    worker.close()
    path = document(tmp_path / "a.pdf", [says("before"), endless(), says("after")])
    with killer(2.0):
        read = worker.read(path, NEVER, access=worker.Access(Limits(page_seconds=60.0)))
    assert [page.text for page in read.pages] == ["before", "", "after"]
    assert read.pages[1].reasons == ("the page is left out: it crashes the reader",)


def test_drawing_such_a_page_is_refused_in_one_line(tmp_path: Path) -> None:
    path = document(tmp_path / "a.pdf", [says("before"), endless()])
    with pytest.raises(OverLimit, match="Page 2 cannot be drawn: it takes longer than 1 s"):
        worker.render(path, 2, 72, QUICK)
    assert worker.render(path, 1, 72).startswith(b"\x89PNG")


def test_sizes_pages_and_the_whole_time_are_limited(tmp_path: Path) -> None:
    path = pdf(tmp_path / "a.pdf", [[Put(72, 100, "Text")]] * 40)
    with pytest.raises(OverLimit, match="40 pages, more than 39"):
        worker.read(path, NEVER, access=worker.Access(Limits(pages=39)))
    with pytest.raises(OverLimit, match="longer than 0 s"):
        worker.read(path, NEVER, access=worker.Access(Limits(total_seconds=0.0)))
    with pytest.raises(Damaged, match="the page is 595 × 842 points; the limit is 800"):
        worker.read(path, NEVER, access=worker.Access(Limits(page_points=800.0)))
    path.write_bytes(path.read_bytes() + bytes(1 << 20))
    with pytest.raises(OverLimit, match=r"1\.0 MB, more than 1 MB"):
        worker.read(path, NEVER, access=worker.Access(Limits(file_mb=1)))
    assert len(worker.read(path, NEVER).pages) == 40


def test_a_hostile_document_in_the_store_is_kept_with_what_could_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGEWITNESS_MAX_PAGE_SECONDS", "1")
    kept = Store(tmp_path / "home")
    bad = kept.add_file(document(tmp_path / "a.pdf", [says("before"), endless()]), "a.pdf").sha256
    worst = kept.add_file(document(tmp_path / "b.pdf", [endless()]), "b.pdf").sha256
    profile = Profile(reading=NEVER)
    assert [page.text for page in run.ingest(kept, bad, profile).pages] == ["before", ""]
    with pytest.raises(DocumentError):
        run.ingest(kept, worst, profile)
    assert {entry.name: entry.state for entry in kept.documents()} == {"a.pdf": "read", "b.pdf": "failed"}


# ---------------------------------------------------------------- settings


def test_limits_come_from_settings_and_then_from_variables(tmp_path: Path) -> None:
    assert limits.load(tmp_path, {}) == Limits()
    (tmp_path / "settings.toml").write_text("[limits]\npage_seconds = 30\nlost_pages = 2\n")
    assert limits.load(tmp_path, {}) == Limits(page_seconds=30.0, lost_pages=2)
    given = {"PAGEWITNESS_MAX_PAGE_SECONDS": "7.5", "PAGEWITNESS_MAX_MEMORY_MB": "1000"}
    assert limits.load(tmp_path, given) == Limits(page_seconds=7.5, lost_pages=2, memory_mb=1000)


@pytest.mark.parametrize(
    ("text", "variables", "fault"),
    [
        ("[limits]\npage_second = 3\n", {}, "did you mean page_seconds"),
        ("[limits]\nmemory_mb = 3\n", {}, "memory_mb must be between 500 and"),
        ("limits = 3\n", {}, r"must be a table, \[limits\]"),
        ("[limits\n", {}, "settings.toml cannot be used"),
        ("", {"PAGEWITNESS_MAX_PAGES": "many"}, "PAGEWITNESS_MAX_PAGES must be a number, not 'many'"),
        ("", {"PAGEWITNESS_MAX_PAGES": "1.5"}, "pages must be a whole number"),
    ],
)
def test_a_wrong_limit_is_named(tmp_path: Path, text: str, variables: dict[str, str], fault: str) -> None:
    (tmp_path / "settings.toml").write_text(text)
    with pytest.raises(UsageError, match=fault):
        limits.load(tmp_path, variables)
