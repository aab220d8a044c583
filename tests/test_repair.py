"""Damaged and locked files: read from a repaired copy that is said, or refused in a line that says which it is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
import pytest

from pipeline import run, worker
from pipeline.model import Damaged, Locked, NotAPdf, Reading
from pipeline.profiles import Profile, ReadingProfile
from pipeline.store import Store
from tests.draw import Put, pdf, reading

SECRET = "Ključ-4711"
NEVER = ReadingProfile(ocr="never")


def three(tmp_path: Path) -> bytes:
    """A PDF of three pages, as a file would hold it: one object after another, none packed."""
    return pdf(tmp_path / "whole.pdf", [[Put(72, 100, text)] for text in ("First", "Second", "Third")]).read_bytes()


def written(tmp_path: Path, content: bytes, refused: bool = True) -> Path:
    """The file; `refused`: it is one that PDFium does not open."""
    path = tmp_path / "damaged.pdf"
    path.write_bytes(content)
    if refused:
        with pytest.raises(pdfium.PdfiumError):
            pdfium.PdfDocument(path)
    return path


def texts(read: Reading) -> list[str]:
    return [page.text for page in read.pages]


def test_a_sound_file_is_not_repaired(tmp_path: Path) -> None:
    read = reading(written(tmp_path, three(tmp_path), refused=False))
    assert (texts(read), read.document.repaired) == (["First", "Second", "Third"], "")
    assert read.pages[0].reasons == ()


def test_a_file_without_root_is_read(tmp_path: Path) -> None:
    read = reading(written(tmp_path, three(tmp_path).replace(b"/Root", b"/Rood")))
    assert texts(read) == ["First", "Second", "Third"]
    assert "repaired copy: its list of pages was broken" in read.document.repaired
    assert read.pages[0].reasons == (read.document.repaired,)
    assert read.pages[1].reasons == ()


def test_a_file_whose_catalog_and_end_are_cut_off_is_read(tmp_path: Path) -> None:
    whole = three(tmp_path)
    cut, count = re.subn(
        rb"\d+ 0 obj\s*<<[^>]*/Type /Catalog.*?endobj", b"", whole[: whole.index(b"xref")], flags=re.DOTALL
    )
    assert count == 1
    assert texts(reading(written(tmp_path, cut))) == ["First", "Second", "Third"]


def test_a_file_whose_pages_are_listed_nowhere_is_read(tmp_path: Path) -> None:
    read = reading(written(tmp_path, three(tmp_path).replace(b"/Kids", b"/Kidz"), refused=False))
    assert texts(read) == ["First", "Second", "Third"]
    assert "the pages were collected one by one" in read.document.repaired


def test_pages_that_are_collected_inherit_what_their_list_gave_them(tmp_path: Path) -> None:
    with pikepdf.open(pdf(tmp_path / "whole.pdf", [[Put(72, 100, "Turned")]])) as document:
        document.pages[0].MediaBox = pikepdf.Array([0, 0, 300, 900])
        del document.pages[0].obj["/Rotate"]
        document.Root.Pages.Rotate = 90
        document.save(tmp_path / "turned.pdf", object_stream_mode=pikepdf.ObjectStreamMode.disable)
    read = reading(written(tmp_path, (tmp_path / "turned.pdf").read_bytes().replace(b"/Root", b"/Rood")))
    assert [(page.text, page.width, page.height) for page in read.pages] == [("Turned", 900.0, 300.0)]


def test_a_page_that_the_table_of_objects_misplaces_comes_from_the_repaired_copy(tmp_path: Path) -> None:
    whole = three(tmp_path)
    pages = [match.start(1) for match in re.finditer(rb"(\d+) 0 obj\s*<<\s*/Contents", whole)]
    place = b"%010d 00000 n" % pages[1]
    assert whole.count(place) == 1
    read = reading(written(tmp_path, whole.replace(place, b"%010d 00000 n" % (pages[1] + 40)), refused=False))
    assert texts(read) == ["First", "Second", "Third"]
    assert read.document.repaired.startswith("The file was read from a repaired copy: ")
    assert read.pages[1].reasons == (read.document.repaired,)


@pytest.mark.parametrize("count", [10, 1_100, 300_000])
def test_what_stands_before_the_header_is_skipped(tmp_path: Path, count: int) -> None:
    junk = (b"Content-Type: application/pdf\r\n" * (count // 31 + 1))[:count]
    read = reading(written(tmp_path, junk + three(tmp_path), refused=count > 1_000))
    assert texts(read) == ["First", "Second", "Third"]
    assert (f"{count} bytes that are no PDF" in read.document.repaired) == (count > 1_000)


def test_a_file_without_a_header_is_read(tmp_path: Path) -> None:
    read = reading(written(tmp_path, three(tmp_path).replace(b"%PDF-1.", b"%XXX-1.")))
    assert texts(read) == ["First", "Second", "Third"]
    assert "its header was missing" in read.document.repaired


@pytest.mark.parametrize("length", [b"3", b"999999"])
def test_wrong_lengths_are_mended(tmp_path: Path, length: bytes) -> None:
    content = re.sub(rb"/Length \d+", b"/Length " + length, three(tmp_path)).replace(b"startxref", b"startxreg")
    assert texts(reading(written(tmp_path, content, refused=False))) == ["First", "Second", "Third"]


def test_a_repaired_page_is_drawn(tmp_path: Path) -> None:
    path = written(tmp_path, three(tmp_path).replace(b"/Root", b"/Rood"))
    assert worker.render(path, 3, 72).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("content", "kind", "says"),
    [
        (b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj", Damaged, "no page that can be read"),
        (b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 1 0 R/Kids[1 0 R]>>endobj", Damaged, "no page that can be read"),
        (b"PK\x03\x04" + b"%PDF-1.7 1 0 obj /Page", NotAPdf, "a ZIP or Office file"),
        (b"<" * 5_000, NotAPdf, "looks like text"),
        (b"%PDF-1.7\n1 0 obj<</Filter/BrotliDecode/Type/ObjStm>>stream\nxxx\nendstream", Damaged, "Brotli"),
    ],
)
def test_what_cannot_be_repaired_is_refused_by_its_kind(
    tmp_path: Path, content: bytes, kind: type[Exception], says: str
) -> None:
    with pytest.raises(kind, match=says) as caught:
        reading(written(tmp_path, content))
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------- passwords


def locked(tmp_path: Path, user: str = SECRET, owner: str = "owner", revision: int = 6) -> Path:
    with pikepdf.open(pdf(tmp_path / "open.pdf", [[Put(72, 100, "Confidential")]])) as document:
        modern = revision > 4
        lock = pikepdf.Encryption(owner=owner, user=user, R=revision, aes=modern, metadata=modern)  # type: ignore[arg-type]
        document.save(tmp_path / "locked.pdf", encryption=lock)
    return tmp_path / "locked.pdf"


def test_without_a_password_and_with_a_wrong_one_the_refusals_differ(tmp_path: Path) -> None:
    path = locked(tmp_path)
    with pytest.raises(Locked, match="locked with a password"):
        worker.read(path, NEVER)
    with pytest.raises(Locked, match="password is wrong") as caught:
        worker.read(path, NEVER, access=worker.Access(password="Ključ-4712"))
    assert "4712" not in str(caught.value)


@pytest.mark.parametrize("revision", [2, 3, 6])
def test_either_password_opens(tmp_path: Path, revision: int) -> None:
    path = locked(tmp_path, "gräfin", "owner", revision)
    for password in ("gräfin", "owner"):
        read = worker.read(path, NEVER, access=worker.Access(password=password))
        assert (texts(read), read.document.repaired) == (["Confidential"], "")
    assert worker.render(path, 1, 72, worker.Access(password="owner")).startswith(b"\x89PNG")


def test_a_password_is_tried_as_pdf_2_writes_it(tmp_path: Path) -> None:
    read = worker.read(locked(tmp_path, "IX"), NEVER, access=worker.Access(password="\u2168\u00ad"))
    assert texts(read) == ["Confidential"]


def test_a_file_that_only_its_owner_may_change_opens(tmp_path: Path) -> None:
    read = reading(locked(tmp_path, user=""))
    assert (texts(read), read.document.repaired) == (["Confidential"], "")


def test_a_locked_and_damaged_file_opens_with_its_password(tmp_path: Path) -> None:
    path = locked(tmp_path)
    path.write_bytes(re.sub(rb"startxref\s+\d+", b"startxref\n1", path.read_bytes()).replace(b"/Kids", b"/Kidz"))
    for password, fault in (("", "locked"), ("no", "wrong")):
        with pytest.raises(Locked, match=fault):
            worker.read(path, NEVER, access=worker.Access(password=password))
    assert texts(worker.read(path, NEVER, access=worker.Access(password=SECRET))) == ["Confidential"]


def test_a_password_is_kept_nowhere(tmp_path: Path) -> None:
    kept = Store(tmp_path / "home")
    sha256 = kept.add_file(locked(tmp_path), "locked.pdf").sha256
    profile = Profile(reading=NEVER)
    with pytest.raises(Locked):
        run.ingest(kept, sha256, profile)
    with pytest.raises(Locked, match="wrong"):
        run.ingest(kept, sha256, profile, password="not " + SECRET)
    assert texts(run.ingest(kept, sha256, profile, password=SECRET)) == ["Confidential"]
    assert run.page_image(kept, sha256, 1, 72, SECRET).is_file()
    assert texts(run.reading(kept, sha256, profile)) == ["Confidential"]
    assert SECRET not in repr(worker.Access(password=SECRET))
    files = [path for path in kept.home.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if SECRET.encode() in path.read_bytes()]


def command(path: Path, *options: str, variable: str = "", typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pipeline.cli", "words", str(path), "--json", *options],
        env={**os.environ, "PAGEWITNESS_PASSWORD": variable},
        cwd=run.PACKAGE.parent,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_takes_a_password_in_three_ways(tmp_path: Path) -> None:
    path = locked(tmp_path)
    for done in (
        command(path, "--password", SECRET),
        command(path, "--password", "-", typed=SECRET + "\n"),
        command(path, variable=SECRET),
    ):
        assert (done.returncode, done.stderr) == (0, "")
        assert '"text":"Confidential"' in done.stdout
    for refused, says in ((command(path), "locked with a password"), (command(path, variable="no"), "is wrong")):
        assert refused.returncode == 3
        assert says in refused.stderr
        assert refused.stderr.count("\n") == 1


def test_the_command_says_what_was_repaired(tmp_path: Path) -> None:
    done = command(written(tmp_path, three(tmp_path).replace(b"/Root", b"/Rood")))
    assert '"repaired":"The file was read from a repaired copy: its list of pages was broken' in done.stdout


def test_a_loop_in_the_list_of_pages_is_undone(tmp_path: Path) -> None:
    whole = three(tmp_path)
    [node] = re.findall(rb"(\d+) 0 obj\s*<<\s*/Count", whole)
    content = re.sub(rb"/Kids \[ (\d+ 0 R) (\d+ 0 R) \d+ 0 R \]", rb"/Kids [ \1 \2 " + node + rb" 0 R ]", whole)
    read = reading(written(tmp_path, content, refused=False))
    assert texts(read) == ["First", "Second", "Third"]
    assert read.pages[2].reasons == (read.document.repaired,)


def test_a_page_that_is_nowhere_is_said_to_be_damaged(tmp_path: Path) -> None:
    whole = three(tmp_path)
    [first] = re.findall(rb"/Kids \[ (\d+) 0 R", whole)
    gone = re.sub(rb"\n" + first + rb" 0 obj.*?endobj", b"", whole, count=1, flags=re.DOTALL)
    read = reading(written(tmp_path, gone, refused=False))
    assert texts(read) == ["", "Second", "Third"]
    assert read.pages[0].reasons == ("the page is damaged and cannot be read",)
    assert read.document.repaired == ""
