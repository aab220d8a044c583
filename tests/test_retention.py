"""What is deleted leaves nothing behind: looked for byte by byte in all files of the data folder."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline import cli, decisions, history, journal, posts, profiles, retention, run, valuestore, verifications
from pipeline.decisions import Mark, Value
from pipeline.journal import Call, Outcome
from pipeline.library import Library
from pipeline.model import Box, UsageError
from pipeline.posts import Post
from pipeline.store import JobOptions, Store
from pipeline.supplied import Supplied
from pipeline.tokens import Usage
from tests.draw import Put, pdf
from tests.test_journal import CENT, anything

WORDS = ("Quartzfell", "quartzfell", "Mirkovac", "Ulmenried")  # of the document alone
KEPT_WORD = "Sandwick"


def filled(store: Store, folder: Path) -> str:
    """A document with everything that can be made of it."""
    text = [Put(60, 80, "1 Quartzfell Scope", 16, "Helvetica-Bold"), Put(60, 110, "The Quartzfell mill of Mirkovac.")]
    path = pdf(folder / "Ulmenried.pdf", [text])
    sha256 = store.add_file(path, path.name).sha256
    profile = profiles.load("default")
    run.parse(store, sha256, profile)
    run.rows(store, sha256, profile)
    run.fields(store, sha256, profile)
    run.page_image(store, sha256, 1, 72)
    history.add(store, sha256, history.Asked("Whose is Quartzfell?", "Mirkovac", None, 1, "confirmed"))
    mark = Mark(sha256, "value", "Quartzfell", 1, Box(1, 2, 3, 4))
    decisions.keep(store, [decisions.Decision(mark, 1, "correct", "Ana", ((Value("a", "Mirkovac"),),), "Quartzfell")])
    verifications.supply(store, sha256, Supplied("Ulmenried.json", '{"mill": "Mirkovac"}'))
    run.verify_supplied(store, sha256, profile)
    [past] = verifications.history(store, sha256)
    held = verifications.of(store, past.number, run.verify_key(profile))
    assert held
    valuestore.save(store, sha256, "Ulmenried.json", held.verified)
    call = Call("a" * 64, "rows", sha256, "run1", "claude-sonnet-5-5", "1")
    journal.answered(store, journal.begin(store, call, CENT, anything), "Quartzfell", Outcome(Usage(9), CENT))
    journal.failed(store, journal.begin(store, call, CENT, anything), "Mirkovac is no JSON", Outcome())
    posts.ask(store, 1, Post(0, 7, sha256, mark.id, 0, "Is it Quartzfell?", None, "waiting", None))
    posts.settle(store, 1, posts.Outcome(5, 7, ("corrected: Mirkovac",)))
    for post in posts.unsent(store, 1):
        posts.mark(store, post, "open" if post.finding else "closed", 3)
    store.save_truth(sha256, '{"rows": "Quartzfell"}')
    store.add_job("ingest", sha256, JobOptions())
    return sha256


def holds(home: Path, text: str) -> list[str]:
    """All files whose bytes hold the text."""
    return [str(path) for path in home.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def test_nothing_of_a_deleted_document_is_left_in_any_file(home: Path, tmp_path: Path) -> None:
    store = Store(home)
    other = pdf(tmp_path / "other.pdf", [[Put(60, 80, "1 Sandwick", 16, "Helvetica-Bold"), Put(60, 99, "Sandwick.")]])
    kept = store.add_file(other, other.name).sha256
    run.parse(store, kept, profiles.load("default"))
    sha256 = filled(store, tmp_path)
    assert all(holds(home, text) for text in (*WORDS, sha256))
    found = dict(retention.left(store, {sha256, "Ulmenried"}))
    assert found.keys() >= {"store.db", f"files/{sha256}.pdf", f"cache/{sha256}"}
    assert found["store.db"] == {sha256, "Ulmenried"}
    assert cli.main(["store", "delete", sha256[:12], "--yes"]) == 0
    for text in (*WORDS, sha256):
        assert holds(home, text) == []
        assert not [path for path in home.rglob("*") if text in path.name]
    assert [entry.sha256 for entry in store.documents()] == [kept]
    assert holds(home, KEPT_WORD)
    assert Library(store).counts() == {kept: 1}
    assert [one.fault for one in journal.entries(store)] == ["", ""]
    assert journal.spent(store, Call("b" * 64, "rows", kept, "run2", "m", "1")).day == CENT
    assert store.check() == []


def test_what_is_meant_is_named_by_id_or_name_and_never_guessed(home: Path, tmp_path: Path) -> None:
    store = Store(home)
    for number in range(2):
        path = pdf(tmp_path / f"{number}.pdf", [[Put(60, 80, f"Sheet {number}")]])
        store.add_file(path, "sheet.pdf")
    with pytest.raises(UsageError, match=r"'sheet\.pdf' is more than one document: "):
        retention.named(store, ["sheet.pdf"])
    with pytest.raises(UsageError, match="No document of the store is called 'sheet'"):
        retention.named(store, ["sheet"])
    first, second = store.documents()
    assert retention.named(store, [first.sha256[:8], second.sha256, first.sha256]) == (first, second)


def test_age_decides_what_is_kept_and_nothing_goes_unasked(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store(home)
    path = pdf(tmp_path / "a.pdf", [[Put(60, 80, "Sheet")]])
    store.add_file(path, "a.pdf")
    now = datetime.now(UTC)
    assert retention.older(store, 30, now + timedelta(days=29)) == ()
    assert [one.name for one in retention.older(store, 30, now + timedelta(days=31))] == ["a.pdf"]
    assert cli.main(["store", "delete", "--older-than", "0"]) == 2
    assert "Nothing was deleted" in capsys.readouterr().err
    assert cli.main(["store", "delete"]) == 2
    assert cli.main(["store", "delete", "--older-than", "1", "--yes"]) == 0
    assert len(store.documents()) == 1
    assert cli.main(["store", "delete", "--older-than", "0", "--yes"]) == 0
    assert store.documents() == []


def test_a_store_is_its_owners_alone_even_in_a_folder_that_was_there_before(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.file.stat().st_mode & 0o777 == 0o600


def test_vacuum_gives_the_disk_back(home: Path, tmp_path: Path) -> None:
    store = Store(home)
    path = pdf(tmp_path / "a.pdf", [[Put(60, 80, "Sheet")]])
    sha256 = store.add_file(path, "a.pdf").sha256
    store.save_truth(sha256, "x" * 3_000_000)
    assert cli.main(["store", "delete", "a.pdf", "--yes"]) == 0
    before = store.file.stat().st_size
    assert "less than before" in retention.vacuum(store)
    assert store.file.stat().st_size < before - 2_500_000
