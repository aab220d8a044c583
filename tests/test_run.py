from __future__ import annotations

import io
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from pipeline import files, likeness, outline, profiles, run, statements, ways, worker
from pipeline.local import LocalEngine
from pipeline.model import Cancelled, Locked, NotAPdf, StoreError, UsageError
from pipeline.profiles import OutlineProfile, Profile, ReadingProfile, StatementProfile
from pipeline.store import Store

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def kept(tmp_path: Path) -> Store:
    return Store(tmp_path / "home")


def pdf(pages: int) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(300, 400), invariant=True)
    for number in range(1, pages + 1):
        canvas.drawString(30, 350, f"This is page {number} of the contract and it is for the reader")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def add(kept: Store, content: bytes, name: str = "a.pdf") -> str:
    return kept.add_file(io.BytesIO(content), name).sha256


def test_a_document_is_read_once(kept: Store) -> None:
    sha256 = add(kept, pdf(3), "Ugovor.pdf")
    told: list[tuple[int, int]] = []
    first = run.ingest(kept, sha256, Profile(), lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert (first.document.sha256, first.document.name, first.document.pages) == (sha256, "Ugovor.pdf", 3)
    assert (first.document.kind, first.document.language) == ("digital", "en")
    assert first.pages[2].text.split("\n")[:4] == ["This", "is", "page", "3"]
    kept.path(sha256).unlink()  # what follows cannot open the file
    assert run.reading(kept, sha256, Profile()) == first
    assert run.ingest(kept, sha256, Profile(), lambda *_: told.append((0, 0))) == first
    assert len(told) == 3


def test_without_a_store_it_reads_the_same(kept: Store, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf(2))
    alone = files.read(tmp_path / "a.pdf", Profile())
    assert alone == run.reading(kept, add(kept, pdf(2)), Profile())


def test_only_what_changes_the_reading_makes_another_one() -> None:
    plain = run.reading_key(Profile())
    assert run.reading_key(Profile(name="x", outline=OutlineProfile(by_bold=False))) == plain
    assert run.reading_key(Profile(reading=ReadingProfile(ocr="always"))) != plain
    assert run.result_key(Profile(outline=OutlineProfile(by_bold=False)), "local") != run.result_key(Profile(), "local")
    assert run.result_key(Profile(), "claude") != run.result_key(Profile(), "local")


def test_a_language_that_is_installed_later_reads_scans_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    named, never = ReadingProfile(languages=("eng",)), ReadingProfile(ocr="never")
    keys = [run.reading_key(Profile(reading=part)) for part in (named, never)]
    (tmp_path / "deu.traineddata").write_bytes(b"")
    assert [run.reading_key(Profile(reading=part)) for part in (named, never)] == keys
    free = run.reading_key(Profile())
    (tmp_path / "eng.traineddata").write_bytes(b"")
    assert run.reading_key(Profile(reading=named)) != keys[0]
    assert run.reading_key(Profile()) != free
    assert run.reading_key(Profile(reading=never)) == keys[1]
    assert run.reading_key(Profile(reading=ReadingProfile(ocr="never", ocr_pages="2"))).reader.endswith("/deu+eng")


def test_a_page_that_is_read_another_way_leaves_the_others_alone(kept: Store) -> None:
    sha256 = add(kept, pdf(4))
    first = run.ingest(kept, sha256, Profile())
    own = Profile(reading=ReadingProfile(ocr_pages="3"))
    second = run.ingest(kept, sha256, own)
    assert [page.origin for page in second.pages] == ["text", "text", "ocr", "text"]
    assert second.document.kind == "mixed"
    assert [new == old for new, old in zip(second.pages, first.pages, strict=True)] == [True, True, False, True]
    third = run.ingest(kept, sha256, Profile(reading=ReadingProfile(ocr_pages="3", text_pages="4")))
    assert third.pages[:3] == second.pages[:3]
    assert len(kept.readings(sha256)) == 2  # the plain one, and the newest
    assert run.ingest(kept, sha256, Profile()).pages == first.pages


def test_pages_that_stay_are_not_read_again(kept: Store, tmp_path: Path) -> None:
    sha256 = add(kept, pdf(4))
    first = run.ingest(kept, sha256, Profile())
    # pages of the kept reading are told from pages read now by a mark that no reader makes
    marked = replace(first, pages=tuple(replace(page, reasons=("from before",)) for page in first.pages))
    kept.drop_reading(sha256, run.reading_key(Profile()))
    draft = kept.draft(sha256, run.reading_key(Profile()), ways.written(ReadingProfile()))
    kept.add_pages(draft, marked.pages)
    kept.finish_reading(draft, marked.document, ())
    read = run.ingest(kept, sha256, Profile(reading=ReadingProfile(text_pages="2-3")))
    assert [page.reasons for page in read.pages] == [("from before",), (), (), ("from before",)]


def test_a_locked_document_is_opened_once_and_keeps_no_password(kept: Store) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, encrypt=StandardEncryption("pa55-w0rd", canPrint=0))
    canvas.drawString(30, 350, "Nobody reads this without a key")
    canvas.save()
    sha256 = add(kept, buffer.getvalue())
    with pytest.raises(Locked, match="locked"):
        run.ingest(kept, sha256, Profile())
    with pytest.raises(Locked, match="password is wrong"):
        run.unlock(kept, sha256, Profile(), run.Unlock("guess", 72))
    entry = kept.document(sha256)
    assert entry is not None and entry.locked and "locked with a password" in entry.error
    told: list[tuple[int, int]] = []
    run.unlock(kept, sha256, Profile(), run.Unlock("pa55-w0rd", 72), lambda done, total: told.append((done, total)))
    assert told == [(1, 1), (1, 1)]
    entry = kept.document(sha256)
    assert entry is not None and entry.locked and entry.state == "read"
    assert run.page_image(kept, sha256, 1, 72).read_bytes()[:4] == b"\x89PNG"
    assert "Nobody" in run.reading(kept, sha256, Profile()).pages[0].text
    for file in filter(Path.is_file, kept.home.rglob("*")):
        assert b"pa55-w0rd" not in file.read_bytes()
    assert "pa55" not in repr(run.Unlock("pa55-w0rd", 72))


def test_sections_are_counted_once(kept: Store) -> None:
    read = run.ingest(kept, add(kept, pdf(2)), Profile())
    key = run.sections_key(Profile())
    assert kept.sections(read.document.sha256, key) is None
    run.count_sections(kept, read, Profile())
    assert kept.sections(read.document.sha256, key) == 0


def test_cancelling_leaves_the_document_unread(kept: Store) -> None:
    sha256 = add(kept, pdf(5))
    told: list[int] = []
    with pytest.raises(Cancelled):
        run.ingest(kept, sha256, Profile(), lambda done, _: told.append(done), lambda: len(told) == 2)
    assert told == [1, 2]
    assert kept.reading(sha256, run.reading_key(Profile())) is None
    assert [entry.state for entry in kept.documents()] == ["new"]
    assert run.ingest(kept, sha256, Profile()).document.pages == 5


KILLED = """
import os, signal, sys
from pathlib import Path
from pipeline import run
from pipeline.profiles import Profile
from pipeline.store import Store
def step(done, total):
    if done == 60:
        os.kill(os.getpid(), signal.SIGKILL)
run.ingest(Store(Path(sys.argv[1])), sys.argv[2], Profile(), step)
"""


def test_a_killed_reading_is_not_served_and_goes_on_where_it_was(kept: Store, tmp_path: Path) -> None:
    sha256 = add(kept, pdf(100))
    process = subprocess.run([sys.executable, "-c", KILLED, str(kept.home), sha256], cwd=ROOT, check=False)
    assert process.returncode == -signal.SIGKILL
    key = run.reading_key(Profile())
    assert kept.reading(sha256, key) is None
    assert [(entry.state, entry.done) for entry in kept.documents()] == [("new", ())]
    assert [page.number for page in kept.draft(sha256, key).pages] == list(range(1, 51))
    told: list[tuple[int, int]] = []
    read = run.ingest(kept, sha256, Profile(), lambda done, total: told.append((done, total)))
    assert told == [(page, 100) for page in range(51, 101)]
    (tmp_path / "a.pdf").write_bytes(pdf(100))
    assert read.pages == files.read(tmp_path / "a.pdf", Profile()).pages
    assert run.reading(kept, sha256, Profile()) == read


def test_two_processes_may_read_the_same_document(kept: Store) -> None:
    sha256 = add(kept, pdf(60))
    told: list[int] = []

    def step(done: int, total: int) -> None:
        told.append(done)
        if done == 40:
            run.ingest(kept, sha256, Profile())  # another one begins later and is done earlier

    read = run.ingest(kept, sha256, Profile(), step)
    assert len(told) == 60
    assert run.reading(kept, sha256, Profile()) == read
    assert kept.check() == []


def test_a_document_that_is_deleted_while_it_is_read_is_a_store_error(kept: Store) -> None:
    sha256 = add(kept, pdf(60))
    with pytest.raises(StoreError, match="not in the store"):
        run.ingest(kept, sha256, Profile(), lambda done, _: kept.delete(sha256) if done == 40 else None)


def test_what_cannot_be_read_says_so_in_the_list(kept: Store) -> None:
    sha256 = add(kept, b"", "empty.pdf")
    with pytest.raises(NotAPdf, match="The file is empty") as caught:
        run.ingest(kept, sha256, Profile())
    [entry] = kept.documents()
    assert (entry.state, entry.error, entry.done) == ("failed", str(caught.value), ())


def test_an_unknown_or_changed_document_is_a_store_error(kept: Store) -> None:
    with pytest.raises(StoreError, match="Add the file again"):
        run.reading(kept, "f" * 64, Profile())
    sha256 = add(kept, pdf(1))
    kept.path(sha256).write_bytes(pdf(2))
    with pytest.raises(StoreError, match=r"a\.pdf was changed on the disk"):
        run.reading(kept, sha256, Profile())


# ---------------------------------------------------------------- rows


def test_rows_are_extracted_once(kept: Store) -> None:
    sha256 = kept.add_file(run.sample_path("statement.pdf"), "statement.pdf").sha256
    told: list[tuple[int, int]] = []
    first = run.rows(kept, sha256, Profile(), lambda done, total: told.append((done, total)))
    assert first == statements.extract(
        files.read(run.sample_path("statement.pdf"), Profile()), Profile(), LocalEngine()
    )
    assert len(first.rows) > 100
    assert told[:40] == [(page, 40) for page in range(1, 41)]
    assert told[-1] == (len(first.windows), len(first.windows))
    kept.path(sha256).unlink()  # what follows cannot open the file
    assert run.rows(kept, sha256, Profile(), lambda *_: told.append((0, 0))) == first
    assert (0, 0) not in told
    assert kept.documents()[0].done == ("read", "rows")
    other = Profile(statement=StatementProfile(chunk_pages=10))
    assert run.rows(kept, sha256, other).windows[0].last == 10  # from the kept reading


def test_rows_that_were_cancelled_are_not_kept(kept: Store) -> None:
    sha256 = kept.add_file(run.sample_path("statement.pdf"), "statement.pdf").sha256
    told: list[tuple[int, int]] = []
    with pytest.raises(Cancelled):
        run.rows(kept, sha256, Profile(), lambda *step: told.append(step), lambda: len(told) == 42)
    assert len(told) == 42
    assert kept.documents()[0].done == ("read",)


def test_an_engine_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match="no engine named 'oracle'"):
        run.engine("oracle")


# ---------------------------------------------------------------- pictures


def test_a_page_is_drawn_once(kept: Store) -> None:
    sha256 = add(kept, pdf(2))
    run.ingest(kept, sha256, Profile())
    path = run.page_image(kept, sha256, 2, 144)
    assert path == kept.home / "cache" / sha256 / "2-144.png"
    assert struct.unpack(">II", path.read_bytes()[16:24]) == (600, 800)
    kept.path(sha256).unlink()
    assert run.page_image(kept, sha256, 2, 144) == path


def test_drawing_and_reading_take_turns(kept: Store) -> None:
    sha256 = add(kept, pdf(3))
    first, second = run.page_image(kept, sha256, 1, 72), run.page_image(kept, sha256, 2, 72)
    assert first.read_bytes() != second.read_bytes()
    assert [len(page) for page in run.reading(kept, sha256, Profile()).pages] == [13, 13, 13]
    assert run.page_image(kept, sha256, 3, 72).read_bytes() != second.read_bytes()


@pytest.mark.parametrize(("page", "dpi", "reason"), [
    (0, 72, "no page 0: pages count from 1 to 2"),
    (3, 72, "no page 3: pages count from 1 to 2"),
    (1, 23, "24 to 300 dpi, not at 23"),
    (1, 301, "24 to 300 dpi, not at 301"),
])  # fmt: skip
def test_a_page_that_is_not_there_is_refused(kept: Store, page: int, dpi: int, reason: str) -> None:
    sha256 = add(kept, pdf(2))
    run.ingest(kept, sha256, Profile())
    with pytest.raises(UsageError, match=reason):
        run.page_image(kept, sha256, page, dpi)


def test_pages_of_a_locked_or_unknown_document(kept: Store) -> None:
    with pytest.raises(StoreError):
        run.page_image(kept, "../../etc/passwd", 1, 72)
    with pytest.raises(NotAPdf):
        run.page_image(kept, add(kept, b"Dear Sir"), 1, 72)
    assert list((kept.home / "cache").glob("*/*")) == []


# ---------------------------------------------------------------- section trees


def test_sections_are_made_once_and_served_as_they_were(kept: Store) -> None:
    sha256 = kept.add_file(run.sample_path("agreement.pdf"), "agreement.pdf").sha256
    made = run.sections(kept, sha256, Profile())
    read = run.reading(kept, sha256, Profile())
    assert made == outline.build(outline.features(read), OutlineProfile()).sections
    kept.drop_reading(sha256, run.reading_key(Profile()))
    kept.path(sha256).unlink()  # what follows can neither read nor open the file
    assert run.sections(kept, sha256, Profile()) == made
    assert [(one.count, profiles.loads(one.settings)) for one in kept.parses(sha256)] == [(len(made), Profile())]


def test_sections_that_cannot_be_understood_are_made_again(kept: Store) -> None:
    sha256 = add(kept, pdf(2))
    made = run.sections(kept, sha256, Profile())
    db = sqlite3.connect(kept.file)
    db.execute("UPDATE sections SET places = 'x'")
    db.commit()
    db.close()
    assert run.sections(kept, sha256, Profile()) == made


def test_a_profile_is_suggested_for_a_document_like_those_read_with_it(kept: Store) -> None:
    sha256 = kept.add_file(run.sample_path("statement.pdf"), "July.pdf").sha256
    read = run.reading(kept, sha256, Profile())
    features = outline.features(read)
    assert likeness.suggested(run.suggest(read, features, kept.profiles, kept)) is None
    norvik = Profile(name="Aldermoor", outline=OutlineProfile(max_tiers=2))
    profiles.save(norvik, kept.profiles)
    assert likeness.suggested(run.suggest(read, features, kept.profiles, kept)) is None
    run.sections(kept, sha256, norvik)
    suggestion, *_ = run.suggest(read, features, kept.profiles, kept)
    assert (suggestion.name, suggestion.close, suggestion.basis) == ("Aldermoor", True, "July.pdf was read with it")
    profiles.save(replace(norvik, fingerprint=likeness.taken(read, features)), kept.profiles)
    suggestion, *_ = run.suggest(read, features, kept.profiles, None)
    assert (suggestion.close, suggestion.likeness) == (True, 1.0)
    (kept.profiles / "broken.toml").write_text("x = 1")
    assert likeness.suggested(run.suggest(read, features, kept.profiles, kept)) == "Aldermoor"


# ---------------------------------------------------------------- samples


def test_samples_come_with_their_truth_and_once(kept: Store) -> None:
    stored = run.add_samples(kept)
    assert [one.name for one in stored] == run.samples()
    assert "statement.pdf" in run.samples()
    assert not any(one.known for one in stored)
    statement = stored[run.samples().index("statement.pdf")]
    truth = (ROOT / "sample_docs" / "statement.truth.json").read_text(encoding="utf-8")
    assert kept.truth(statement.sha256) == truth
    kept.save_truth(statement.sha256, '{"mine": 1}')
    assert [replace(one, known=False) for one in run.add_samples(kept)] == stored
    assert kept.truth(statement.sha256) == '{"mine": 1}'


def test_a_sample_has_a_path_from_any_folder(tmp_path: Path) -> None:
    code = "from pipeline import run; print(run.sample_path('statement.pdf'))"
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == str(ROOT / "sample_docs" / "statement.pdf")
    with pytest.raises(UsageError, match=r"no sample named '\.\./README\.md'"):
        run.sample_path("../README.md")


def test_a_sample_is_known_when_a_user_uploads_it(kept: Store, tmp_path: Path) -> None:
    run.add_samples(kept)
    shutil.copy(run.sample_path("statement.pdf"), tmp_path / "mine.pdf")
    again = kept.add_file(tmp_path / "mine.pdf", "mine.pdf")
    assert (again.known, again.name, again.sha256) == (True, "statement.pdf", worker.sha256(tmp_path / "mine.pdf"))
