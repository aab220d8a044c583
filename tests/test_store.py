from __future__ import annotations

import io
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from array import array
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline import files, records, schema, store
from pipeline.model import (
    Bookmark,
    Box,
    Cell,
    Check,
    Document,
    DocumentError,
    Finding,
    Font,
    OverLimit,
    Page,
    Place,
    Reading,
    Reconciliation,
    Row,
    Scope,
    Section,
    Source,
    Statement,
    StoreError,
    Table,
    TableCell,
    TableRow,
    Window,
)
from pipeline.store import JobOptions, Kept, Key, PageHealth, Store, Tree

SCHEMAS = Path(__file__).parent / "schemas"
HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"  # sha256 of b"hello"
KEY = Key("0123456789ab", "1")
UNSHARE = ["unshare", "--mount", "--map-root-user"]


@pytest.fixture
def kept(tmp_path: Path) -> Store:
    return Store(tmp_path / "home", patience=0.3)


def add(kept: Store, content: bytes = b"hello", name: str = "a.pdf") -> str:
    return kept.add_file(io.BytesIO(content), name).sha256


def page(number: int, words: list[str]) -> Page:
    count = len(words)
    return Page(
        number=number,
        width=595.25,
        height=842.0,
        origin="text",
        health=0.93,
        reasons=("3 of 4 words have no Unicode map",),
        text="\n".join(words),
        boxes=array("f", [0.1, 1.5, 2.25, 3.0] * count),
        sizes=array("f", [9.96] * count),
        font_ids=array("H", [0, 1] * (count // 2) + [0] * (count % 2)),
        rotations=array("h", [-90] * count),
        confidences=array("f", [0.5] * count),
        fonts=(Font("Čitko-Bold", True, False, 0x0B5D5E), Font("", False, True)),
        rules=array("f", [1.0, 2.0, 30.0, 2.0, -1.0]),
        cells=array("f", [0.0, 1.0, 2.0, 30.0, 14.5] * number),
    )


def reading(sha256: str, pages: tuple[Page, ...]) -> Reading:
    document = Document(sha256, "a.pdf", len(pages), "mixed", "sr")
    return Reading(document, pages, (Bookmark("Члан 5", 1, 1, None), Bookmark("b", 2, 2, 71.5)))


def tree(*titles: str) -> Tree:
    """Sections under each other, the last with a table over two pages."""
    box = Box(1.0, 2.5, 3.0, 4.5)
    cells = (TableCell("8 €", 1, 2, 1, (Place(1, box), Place(2, box))),)
    table = Table(("item", "price", "price"), (), (TableRow(cells, (Place(1, box),)),), (Place(1, box),), True)
    sections = tuple(
        Section(f"sec_{at}", f"sec_{at - 1}" if at else None, at, f"{at}.", title, at + 1, f"section-{at}",
                f"Text of {title}.\n„Члан“", (Place(at + 1, box),), (table,) * (at == len(titles) - 1),
                ("Part X-204",) * at)
        for at, title in enumerate(titles)
    )  # fmt: skip
    return Tree(sections, 'name = "x"\n', "{}")


def statement() -> Statement:
    box = Box(1.0, 2.5, 3.0, 0.1 + 0.2)
    cell = Cell("amount", "-1234.50", Source((Place(1, box), Place(2, box)), "1.234,50-", "normalised"))
    row = Row((cell,), 1, box, (1, 2), "review", ("no header",), (Check("sum", "open", "…"),))
    scope = Scope("supplier", "Ђорђе д.о.о.", None, "EUR", Decimal("10.00"), Decimal("-1E+2"), 3)
    bare = Scope("document", "", 4, "", None, Decimal("0.00"), 0)
    findings = (Finding("total", "error", "differs", 4, box), Finding("gap", "info", "none"))
    return Statement(
        (row, row), Reconciliation("human_review", (scope, bare)), findings, (Window(1, 1, 5),), ("amount",)
    )


# ---------------------------------------------------------------- files


def test_a_file_is_kept_under_its_hash(kept: Store) -> None:
    stored = kept.add_file(io.BytesIO(b"hello"), "Ugovor č. 5.pdf")
    assert stored == store.Stored(HELLO, "Ugovor č. 5.pdf", 5, known=False)
    assert kept.path(HELLO).read_bytes() == b"hello"
    assert kept.path(HELLO) == kept.home / "files" / f"{HELLO}.pdf"
    [entry] = kept.documents()
    assert (entry.name, entry.size, entry.pages, entry.kind, entry.state, entry.done) == (
        "Ugovor č. 5.pdf", 5, None, None, "new", (),
    )  # fmt: skip


def test_the_same_bytes_are_recognised_under_another_name(kept: Store, tmp_path: Path) -> None:
    add(kept)
    (tmp_path / "b.pdf").write_bytes(b"hello")
    again = kept.add_file(tmp_path / "b.pdf", "b.pdf")
    assert again == store.Stored(HELLO, "a.pdf", 5, known=True)
    assert len(kept.documents()) == 1


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\x\\a.pdf", "a.pdf"),
        ("a\x00b\n\u202ec.pdf", "a b c.pdf"),
        ("\udcff.pdf", "?.pdf"),
        ("..", ".."),
        ("", "document.pdf"),
        ("a" * 300, "a" * 200),
    ],
)
def test_a_name_is_display_text_and_never_a_path(kept: Store, name: str, shown: str) -> None:
    assert kept.add_file(io.BytesIO(b"hello"), name).name == shown
    assert [path.name for path in (kept.home / "files").iterdir()] == [f"{HELLO}.pdf"]


class Endless(io.RawIOBase):
    """A stream that only counts what was taken from it."""

    def __init__(self, size: int) -> None:
        self.left = size
        self.largest = 0

    def read(self, size: int = -1) -> bytes:
        self.largest = max(self.largest, size)
        taken = min(size, self.left)
        self.left -= taken
        return bytes(taken)


def test_a_file_over_200_mb_is_refused_and_leaves_nothing(kept: Store) -> None:
    source = Endless(200_000_001)
    with pytest.raises(OverLimit, match=r"^big.pdf is larger than 200 MB"):
        kept.add_file(source, "big.pdf")  # type: ignore[arg-type]
    assert source.largest == 1 << 20
    assert list((kept.home / "files").iterdir()) == []
    assert kept.documents() == []


def test_a_stream_that_breaks_leaves_nothing(kept: Store) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise ConnectionResetError(104, "Connection reset by peer")

    with pytest.raises(StoreError, match="Connection reset by peer"):
        kept.add_file(Broken(), "a.pdf")
    assert list((kept.home / "files").iterdir()) == []


def test_a_missing_file_is_the_documents_error(kept: Store, tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"none\.pdf cannot be read: No such file"):
        kept.add_file(tmp_path / "none.pdf", "none.pdf")


def test_adding_again_mends_a_file_that_was_lost(kept: Store) -> None:
    add(kept)
    kept.path(HELLO).unlink()
    with pytest.raises(StoreError, match="Add the file again"):
        kept.path(HELLO)
    assert kept.check() == ["a.pdf: its file is missing; add it again"]
    add(kept)
    assert kept.path(HELLO).read_bytes() == b"hello"
    assert kept.check() == []


@pytest.mark.parametrize("odd", ["", "../store.db", "a" * 63, HELLO.upper(), HELLO + "\n"])
def test_only_a_hash_leads_to_a_path(kept: Store, odd: str) -> None:
    for operation in (kept.path, kept.delete, lambda sha256: kept.image(sha256, 1, 72)):
        with pytest.raises(StoreError, match="no document of the store"):
            operation(odd)


def test_delete_takes_rows_file_and_pictures(kept: Store) -> None:
    add(kept)
    other = add(kept, b"other", "b.pdf")
    kept.save_reading(reading(HELLO, (page(1, ["a"]),)), KEY)
    kept.save_statement(HELLO, KEY, statement())
    kept.save_truth(HELLO, "{}")
    kept.save_image(HELLO, 1, 72, b"png")
    kept.add_job("ingest", HELLO, JobOptions())
    kept.delete(HELLO)
    kept.delete(HELLO)
    assert [entry.sha256 for entry in kept.documents()] == [other]
    assert not [path for path in kept.home.rglob("*") if HELLO in path.name]
    with sqlite3.connect(kept.file) as db:
        left = [db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in
                ("readings", "pages", "statements", "truths", "jobs")]  # fmt: skip
    db.close()
    assert left == [0, 0, 0, 0, 0]


def test_a_delete_that_fails_keeps_the_file(kept: Store) -> None:
    add(kept)
    with locked(kept), pytest.raises(StoreError, match="busy"):
        kept.delete(HELLO)
    assert kept.path(HELLO).read_bytes() == b"hello"
    assert len(kept.documents()) == 1


# ---------------------------------------------------------------- what was read


def test_a_reading_comes_back_exactly(kept: Store) -> None:
    add(kept)
    given = reading(HELLO, (page(1, ["Здраво", "½", "a\ud800b", "\x00"]), page(2, [])))
    kept.save_reading(given, KEY)
    back = kept.reading(HELLO, KEY)
    assert back == given
    assert back and [p.words for p in back.pages] == [p.words for p in given.pages]
    assert [column.typecode for column in (back.pages[0].boxes, back.pages[0].font_ids)] == ["f", "H"]
    [entry] = kept.documents()
    assert (entry.pages, entry.kind, entry.language, entry.state, entry.done) == (2, "mixed", "sr", "read", ("read",))


def test_a_reading_is_found_under_its_own_key_only(kept: Store) -> None:
    add(kept)
    kept.save_reading(reading(HELLO, (page(1, ["old"]),)), KEY)
    assert kept.reading(HELLO, Key(KEY.profile, "2")) is None
    assert kept.reading(HELLO, Key("", "1")) is None
    kept.save_reading(reading(HELLO, (page(1, ["other", "profile"]),)), Key("", "1"))
    kept.save_reading(reading(HELLO, (page(1, ["new"]),)), Key(KEY.profile, "2"))
    assert kept.reading(HELLO, KEY) is None  # an upgrade replaces what nobody can ask for
    assert [len(found.pages[0]) for key in (Key("", "1"), Key(KEY.profile, "2"))
            if (found := kept.reading(HELLO, key))] == [2, 1]  # fmt: skip


def test_52_pages_of_34_000_words_load_in_a_tenth_of_a_second(kept: Store) -> None:
    add(kept)
    words = [f"word{n}" for n in range(660)]
    kept.save_reading(reading(HELLO, tuple(page(n, words) for n in range(1, 53))), KEY)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        back = kept.reading(HELLO, KEY)
        times.append(time.perf_counter() - start)
    assert back and sum(map(len, back.pages)) == 34_320
    assert min(times) < 0.1


def test_a_failed_document_says_why_until_it_is_read(kept: Store) -> None:
    add(kept)
    kept.mark_failed(HELLO, "The file is not a PDF.")
    entry = kept.document(HELLO)
    assert entry and (entry.state, entry.error) == ("failed", "The file is not a PDF.")
    kept.save_reading(reading(HELLO, ()), KEY)
    entry = kept.document(HELLO)
    assert entry and (entry.state, entry.error) == ("read", "")


def test_a_reading_of_a_deleted_document_is_refused(kept: Store) -> None:
    with pytest.raises(StoreError, match="not in the store"):
        kept.save_reading(reading(HELLO, ()), KEY)
    assert kept.document(HELLO) is None


def test_a_statement_comes_back_exactly(kept: Store) -> None:
    add(kept)
    key = Key("p", "1", "local")
    kept.save_statement(HELLO, key, statement())
    kept.save_statement(HELLO, key, statement())
    back = kept.statement(HELLO, key)
    assert back == statement()
    assert back and [str(scope.computed) for scope in back.reconciliation.scopes] == ["-1E+2", "0.00"]
    assert isinstance(back.rows[0].cells[0].source.places[0].box, Box)
    assert kept.statement(HELLO, Key("p", "1", "claude")) is None
    assert kept.documents()[0].done == ("rows",)


def test_a_statement_that_cannot_be_understood_is_none(kept: Store) -> None:
    add(kept)
    kept.save_statement(HELLO, KEY, statement())
    with sqlite3.connect(kept.file) as db:
        db.execute("UPDATE statements SET body = replace(body, '\"rows\":', '\"lines\":')")
    db.close()
    assert kept.statement(HELLO, KEY) is None


# ---------------------------------------------------------------- section trees


def test_a_section_tree_comes_back_exactly(kept: Store) -> None:
    add(kept)
    assert kept.parse(HELLO, KEY) is None
    kept.save_parse(HELLO, KEY, tree("Scope", "Fees", "Late fees"))
    found = kept.parse(HELLO, KEY)
    assert found is not None
    assert (found.sha256, found.key, found.settings, found.count) == (HELLO, KEY, 'name = "x"\n', 3)
    assert kept.parsed(found.number) == tree("Scope", "Fees", "Late fees").sections
    assert kept.parsed(found.number + 1) is None


def test_the_table_of_sections_is_the_articles(kept: Store) -> None:
    add(kept)
    kept.save_parse(HELLO, KEY, tree("Scope", "Fees", "Late fees"))
    db = sqlite3.connect(kept.file)
    below = db.execute(
        "WITH RECURSIVE below AS (SELECT section_id, title FROM sections WHERE section_id = 'sec_1' UNION ALL"
        " SELECT s.section_id, s.title FROM sections s JOIN below b ON s.parent_id = b.section_id)"
        " SELECT title FROM below"
    ).fetchall()
    plan = db.execute("EXPLAIN QUERY PLAN SELECT * FROM sections WHERE parse = 1 AND parent_id = 'sec_1'").fetchall()
    db.close()
    assert below == [("Fees",), ("Late fees",)]
    assert "sections_parent" in plan[0][3]


def test_each_parse_is_kept_and_the_same_tree_once(kept: Store) -> None:
    add(kept)
    newer, other = Key(KEY.profile, "2"), Key("ba9876543210", "1")
    kept.save_parse(HELLO, KEY, tree("Scope"))
    kept.save_parse(HELLO, other, tree("Scope"))
    kept.save_parse(HELLO, newer, tree("Scope"))  # an upgrade that changed nothing
    assert [parse.key for parse in kept.parses(HELLO)] == [other, newer]
    kept.save_parse(HELLO, KEY, tree("Scope", "Fees"))
    assert [(parse.key, parse.count) for parse in kept.parses(HELLO)] == [(KEY, 2), (other, 1), (newer, 1)]
    kept.save_parse(HELLO, KEY, tree("Fees"))  # the same key can have another tree only where that was damaged
    assert [(parse.key, parse.count) for parse in kept.parses(HELLO)] == [(KEY, 1), (other, 1), (newer, 1)]
    kept.save_parse(HELLO, newer, tree("Fees"))
    assert [(parse.key, parse.count) for parse in kept.parses(HELLO)] == [(newer, 1), (other, 1)]
    assert kept.check() == []


def test_a_deleted_document_takes_its_trees_along(kept: Store) -> None:
    add(kept)
    kept.save_parse(HELLO, KEY, tree("Scope", "Fees", "Late fees"))
    kept.delete(HELLO)
    assert kept.parses() == []
    db = sqlite3.connect(kept.file)
    assert db.execute("SELECT count(*) FROM sections").fetchone() == (0,)
    db.close()
    with pytest.raises(StoreError, match="not in the store"):
        kept.save_parse(HELLO, KEY, tree("Scope"))


def test_a_tree_that_cannot_be_understood_is_none(kept: Store) -> None:
    add(kept)
    kept.save_parse(HELLO, KEY, tree("Scope"))
    db = sqlite3.connect(kept.file)
    db.execute("UPDATE sections SET places = '[[1]]'")
    db.commit()
    db.close()
    [parse] = kept.parses()
    assert kept.parsed(parse.number) is None


def test_a_thousand_sections_load_in_a_tenth_of_a_second(kept: Store) -> None:
    add(kept)
    [section] = tree("Scope").sections
    many = tuple(replace(section, section_id=f"sec_{at}", content="word " * 200) for at in range(1000))
    kept.save_parse(HELLO, KEY, Tree(many, "", ""))
    [parse] = kept.parses(HELLO)
    took = []
    for _ in range(5):
        start = time.process_time()
        assert len(kept.parsed(parse.number) or ()) == 1000
        took.append(time.process_time() - start)
    assert min(took) < 0.1, took


def test_truth_is_kept_beside_a_document(kept: Store) -> None:
    add(kept)
    assert kept.truth(HELLO) is None
    kept.save_truth(HELLO, '{"rows": []}')
    kept.save_truth(HELLO, '{"rows": [1]}')
    assert kept.truth(HELLO) == '{"rows": [1]}'
    assert kept.documents()[0].done == ("truth",)


@pytest.mark.parametrize(
    "text", ['[["a",1,2]]', '[["a","1",1,null]]', '[{"title":"a"}]', "{}", "[", '[["a",true,1,"x"]]']
)
def test_unpacking_refuses_what_is_not_of_the_type(text: str) -> None:
    with pytest.raises(ValueError, match="not a packed"):
        records.unpack(tuple[Bookmark, ...], text)


@pytest.mark.parametrize("packed", [b"", b"x1234", b"f123"])
def test_unpacking_a_column_refuses_what_is_none(packed: bytes) -> None:
    with pytest.raises(ValueError, match=r"not a packed column|multiple of item size"):
        records.unpack_column(packed)


def test_a_column_rests_little_endian() -> None:
    assert records.pack_column(array("H", [1, 258])) == b"H\x01\x00\x02\x01"


def test_pictures_are_kept_and_the_oldest_go_first(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    add(kept)
    path = kept.save_image(HELLO, 1, 72, b"12345")
    assert (path, path.read_bytes()) == (kept.home / "cache" / HELLO / "1-72.png", b"12345")
    assert kept.image(HELLO, 1, 72) == path
    assert kept.image(HELLO, 2, 72) is None
    newer = kept.save_image(HELLO, 2, 72, b"12345")
    orphan = kept.save_image("f" * 64, 1, 72, b"12345")
    age(path, 60)
    monkeypatch.setattr(store, "CACHE_BYTES", 9)
    kept.tidy()
    assert [p.exists() for p in (path, newer, orphan)] == [False, True, False]


def test_tidy_drops_what_a_broken_upload_left_yesterday(kept: Store) -> None:
    old, fresh = kept.home / "files" / "1.part", kept.home / "files" / "2.part"
    for partial in (old, fresh):
        partial.write_bytes(b"half")
    age(old, 90_000)
    kept.tidy()
    assert [old.exists(), fresh.exists()] == [False, True]


def test_tidy_forgets_jobs_that_ended_a_month_ago(kept: Store) -> None:
    add(kept)
    made = [kept.add_job("rows", HELLO, JobOptions(f"version = {n}")).id for n in range(1, 4)]
    kept.cancel_job(made[0])
    kept.cancel_job(made[1])
    with sqlite3.connect(kept.file) as db:
        db.execute("UPDATE jobs SET created = '2020-01-31', finished = '2020-01-31' WHERE id = ?", (made[0],))
        db.execute("UPDATE jobs SET created = '2020-01-31' WHERE id = ?", (made[2],))
    db.close()
    kept.tidy()
    assert [job.id for job in kept.jobs()] == [made[2], made[1]]


def age(path: Path, seconds: float) -> None:
    when = time.time() - seconds
    os.utime(path, (when, when))


# ---------------------------------------------------------------- migrations


def old_store(home: Path, version: int) -> Path:
    """A store as version `version` of the schema made it, with a document in it."""
    (home / "files").mkdir(parents=True)
    (home / "files" / f"{HELLO}.pdf").write_bytes(b"hello")
    db = sqlite3.connect(home / "store.db")
    db.executescript((SCHEMAS / f"{version}.sql").read_text())
    db.execute(
        f"INSERT INTO documents (sha256, name, size, added) VALUES ('{HELLO}', 'a.pdf', 5, '2025-01-31T10:00:00')"
    )
    db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {version}")
    db.commit()
    db.close()
    return home


def tables(file: Path) -> list[tuple[str, str]]:
    db = sqlite3.connect(file)
    found = db.execute(
        "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    db.close()
    return sorted(found)


def test_a_reading_is_looked_over_without_its_words(kept: Store) -> None:
    kept.add_file(io.BytesIO(b"hello"), "a.pdf")
    assert kept.overview(HELLO, KEY) is None
    draft = kept.draft(HELLO, KEY, "settings")
    kept.add_pages(draft, [page(1, ["a"]), page(2, [])])
    assert kept.overview(HELLO, KEY) is None  # not before it is whole
    assert kept.page(HELLO, KEY, 1) is None
    kept.finish_reading(draft, replace(reading(HELLO, (page(1, []), page(2, []))).document, repaired="mended"), ())
    found = kept.overview(HELLO, KEY)
    assert found is not None and found.repaired == "mended"
    assert found.pages == tuple(
        PageHealth(n, "text", 0.93, ("3 of 4 words have no Unicode map",), n == 2) for n in (1, 2)
    )
    assert kept.page(HELLO, KEY, 1) == page(1, ["a"])
    assert kept.page(HELLO, KEY, 3) is None
    assert kept.readings(HELLO) == [Kept(KEY, "settings")]
    kept.drop_reading(HELLO, KEY)
    assert kept.readings(HELLO) == []


def test_a_document_keeps_its_own_ways_and_that_it_is_locked(kept: Store) -> None:
    kept.add_file(io.BytesIO(b"hello"), "a.pdf")
    kept.mark_failed(HELLO, "locked", locked=True)
    kept.mark_failed(HELLO, "damaged")
    kept.set_own(HELLO, "own")
    entry = kept.document(HELLO)
    assert entry is not None
    assert (entry.own, entry.locked, entry.error) == ("own", True, "damaged")


def test_the_number_of_sections_is_kept_by_its_key(kept: Store) -> None:
    kept.add_file(io.BytesIO(b"hello"), "a.pdf")
    kept.save_sections(HELLO, KEY, 12)
    assert kept.sections(HELLO, KEY) == 12
    assert kept.sections(HELLO, KEY._replace(reader="newer")) is None


@pytest.mark.parametrize("version", range(1, len(schema.MIGRATIONS) + 1))
def test_every_older_store_is_brought_up_to_date(tmp_path: Path, version: int) -> None:
    kept = Store(old_store(tmp_path / "old", version))
    assert tables(kept.file) == tables(Store(tmp_path / "new").file)
    assert [entry.name for entry in kept.documents()] == ["a.pdf"]
    kept.save_reading(reading(HELLO, (page(1, ["a"]),)), KEY)
    kept.save_statement(HELLO, KEY, statement())
    kept.save_parse(HELLO, KEY, tree("a", "b"))
    assert [parse.count for parse in kept.parses(HELLO)] == [2]
    assert kept.add_job("ingest", HELLO, JobOptions()).state == "queued"
    assert kept.check() == []


def test_fonts_that_were_kept_without_their_colour_are_black() -> None:
    assert records.unpack(tuple[Font, ...], '[["Serif",true,false],["Sans",false,true,255]]') == (
        Font("Serif", True, False, 0),
        Font("Sans", False, True, 0x0000FF),
    )
    for odd in ('[["Serif",true]]', '[["Serif",true,false,0,1]]', '[["Serif",true,false,"red"]]'):
        with pytest.raises(ValueError, match="not a packed"):
            records.unpack(tuple[Font, ...], odd)


def test_the_kept_schema_texts_are_what_the_migrations_make(tmp_path: Path) -> None:
    newest = len(schema.MIGRATIONS)
    assert sorted(int(path.stem) for path in SCHEMAS.iterdir()) == list(range(1, newest + 1))
    old = old_store(tmp_path / "old", newest) / "store.db"
    assert tables(old) == tables(Store(tmp_path / "new").file)


def test_a_migration_that_fails_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    home = old_store(tmp_path, 2)
    db = sqlite3.connect(home / "store.db")
    db.execute("CREATE TABLE truths (mine TEXT)")  # stands in the way of the third
    db.commit()
    before = tables(home / "store.db")
    with pytest.raises(StoreError, match="table truths already exists"):
        Store(home)
    assert tables(home / "store.db") == before
    assert db.execute("PRAGMA user_version").fetchone() == (2,)
    db.close()


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    kept = Store(tmp_path)
    db = sqlite3.connect(kept.file)
    db.execute("PRAGMA user_version = 99")
    db.close()
    before = kept.file.read_bytes()
    with pytest.raises(StoreError, match=r"written by a newer version \(schema 99, this one knows 23\)\. Upgrade"):
        Store(tmp_path)
    assert kept.file.read_bytes() == before


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "store.db")
    db.execute("CREATE TABLE documents (theirs TEXT)")
    db.close()
    before = (tmp_path / "store.db").read_bytes()
    with pytest.raises(StoreError, match="another program's database"):
        Store(tmp_path)
    assert (tmp_path / "store.db").read_bytes() == before


def test_many_may_open_a_new_store_at_once(tmp_path: Path) -> None:
    code = (
        f"from pathlib import Path; from pipeline.store import Store; print(Store(Path({str(tmp_path)!r})).documents())"
    )
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(4)]
    assert [process.communicate()[0] for process in running] == [b"[]\n"] * 4
    assert Store(tmp_path).check() == []


# ---------------------------------------------------------------- many at once


def test_many_threads_share_one_store(kept: Store) -> None:
    patient = Store(kept.home)
    add(patient)

    def work(number: int) -> int:
        sha256 = add(patient, f"document {number % 10}".encode())
        patient.save_reading(reading(sha256, (page(1, ["a", "b"]),)), KEY)
        patient.add_job("ingest", HELLO, JobOptions())
        found = patient.reading(sha256, KEY)
        return len(found.pages[0]) if found else 0

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(80))) == [2] * 80
    assert len(patient.documents()) == 11
    assert len(patient.jobs()) == 1
    assert patient.check() == []


def test_uploads_of_the_same_file_at_once_make_one_document(kept: Store) -> None:
    patient = Store(kept.home)
    with ThreadPoolExecutor(8) as pool:
        stored = list(pool.map(lambda _: patient.add_file(io.BytesIO(b"hello"), "a.pdf"), range(16)))
    assert sorted(one.known for one in stored) == [False] + [True] * 15
    assert [path.name for path in (kept.home / "files").iterdir()] == [f"{HELLO}.pdf"]


# ---------------------------------------------------------------- trouble with the disk


class locked:
    """Another connection that is in the middle of a write."""

    def __init__(self, kept: Store) -> None:
        self.db = sqlite3.connect(kept.file, isolation_level=None)

    def __enter__(self) -> None:
        self.db.execute("BEGIN IMMEDIATE")

    def __exit__(self, *_: object) -> None:
        self.db.close()


def test_a_locked_store_can_be_read_and_says_that_it_is_busy(kept: Store) -> None:
    add(kept)
    with locked(kept):
        assert len(kept.documents()) == 1
        start = time.monotonic()
        with pytest.raises(StoreError, match=r"^The store in .* is busy: another program keeps writing"):
            add(kept, b"other")
        assert 0.25 < time.monotonic() - start < 3
    assert [path.name for path in (kept.home / "files").iterdir()] == [f"{HELLO}.pdf"]
    add(kept, b"other")
    assert len(kept.documents()) == 2


def test_a_write_waits_for_another(kept: Store) -> None:
    patient = Store(kept.home, patience=10)
    lock = locked(kept)
    with lock:
        waiting = threading.Thread(target=add, args=(patient,))
        waiting.start()
        time.sleep(0.3)
        assert patient.documents() == []
    waiting.join()
    assert len(patient.documents()) == 1


def test_a_file_that_is_no_database_is_said_to_be_damaged(tmp_path: Path) -> None:
    (tmp_path / "store.db").write_bytes(b"not a database" * 1000)
    with pytest.raises(StoreError, match=r"store\.db in .* is damaged\. Put a backup in its place"):
        Store(tmp_path)


def test_a_damaged_page_is_reported_and_the_rest_survives(kept: Store) -> None:
    add(kept)
    kept.save_reading(reading(HELLO, tuple(page(n, ["word"] * 900) for n in range(1, 9))), KEY)
    content = bytearray(kept.file.read_bytes())
    words = content.index(b"word\nword") // 4096 * 4096
    content[words : words + 3 * 4096] = b"\xff" * (3 * 4096)
    kept.file.write_bytes(content)
    assert any(line.startswith("store.db: ") for line in kept.check())
    with pytest.raises(StoreError, match="damaged"):
        kept.reading(HELLO, KEY)
    assert kept.path(HELLO).read_bytes() == b"hello"


def test_a_store_whose_folder_vanished_says_so(kept: Store) -> None:
    shutil.rmtree(kept.home)
    with pytest.raises(StoreError, match="cannot be opened"):
        kept.documents()
    with pytest.raises(StoreError):
        add(kept)
    assert not kept.file.exists()


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(StoreError, match="not a folder, or holds a file"):
        Store(tmp_path / "home")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "files").write_text("")
    with pytest.raises(StoreError, match="not a folder, or holds a file"):
        Store(tmp_path / "other")


PRELUDE = """
import io, subprocess, sys
from pathlib import Path
from pipeline.model import StoreError
from pipeline.store import JobOptions, Store
def attempt(work):
    try:
        work()
        print("done")
    except StoreError as error:
        print(error)
home = Path(sys.argv[1])
"""


def run_script(script: str, home: Path, before: list[str]) -> list[str]:
    command = [*before, sys.executable, "-c", PRELUDE + script, str(home)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parent.parent)
    if "unshare" in ended.stderr:
        pytest.skip("this system lets nobody mount")
    assert ended.stderr == ""
    return ended.stdout.splitlines()


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    script = """
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(home)], check=True)
store = Store(home)
first = store.add_file(io.BytesIO(b"hello"), "a.pdf").sha256
attempt(lambda: store.add_file(io.BytesIO(bytes(2_000_000)), "b.pdf"))
print(*sorted(path.name[:8] for path in home.glob("files/*")))
(home / "filler").write_bytes(bytes(1024)); filler = (home / "filler").open("ab", buffering=0)
try:
    while filler.write(bytes(4096)): pass
except OSError: filler.close()
attempt(lambda: store.save_truth(first, "x" * 300_000))
attempt(lambda: store.save_image(first, 1, 72, bytes(9000)))
attempt(lambda: store.add_file(io.BytesIO(bytes(9000)), "c.pdf"))
print(*(entry.name for entry in Store(home).documents()), store.truth(first), *home.rglob("*.part"))
(home / "filler").unlink()
attempt(lambda: store.save_truth(first, "x" * 300_000))
print(len(store.truth(first)), store.path(first).read_bytes(), store.check())
"""
    lines = run_script(script, tmp_path, UNSHARE)
    full = f"The disk that holds {tmp_path} is full. Free some space and try again; nothing that was kept is lost."
    assert lines == [
        full,
        "2cf24dba",
        full,
        full,
        full,
        "a.pdf None",
        "done",
        "300000 b'hello' []",
    ]


def test_a_read_only_disk_says_so(tmp_path: Path) -> None:
    script = """
subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(home)], check=True)
store = Store(home)
first = store.add_file(io.BytesIO(b"hello"), "a.pdf").sha256
subprocess.run(["mount", "-o", "remount,ro", str(home)], check=True)
attempt(lambda: store.add_file(io.BytesIO(b"other"), "b.pdf"))
attempt(lambda: store.save_truth(first, "{}"))
attempt(lambda: store.delete(first))
print([entry.name for entry in Store(home).documents()], store.path(first).read_bytes())
"""
    lines = run_script(script, tmp_path, UNSHARE)
    assert lines[0].startswith(f"The folder {tmp_path} cannot be written. Make it writable, or set PAGEWITNESS_HOME")
    assert all("cannot be opened for writing" in line for line in lines[1:3])
    assert lines[3:] == ["['a.pdf'] b'hello'"]


def test_a_limit_on_the_size_of_files_is_one_line_too(tmp_path: Path) -> None:
    script = """
import resource
store = Store(home)
first = store.add_file(io.BytesIO(b"hello"), "a.pdf").sha256
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
attempt(lambda: store.add_file(io.BytesIO(bytes(2_000_000)), "b.pdf"))
attempt(lambda: store.save_truth(first, "x" * 1_000_000))
print(len(store.documents()), store.truth(first), store.check())
"""
    lines = run_script(script, tmp_path, [])
    assert "is full" in lines[0]
    assert "fails or is full" in lines[1]
    assert lines[2] == "1 None []"


# ---------------------------------------------------------------- care


def test_a_backup_is_a_whole_store(kept: Store, tmp_path: Path) -> None:
    add(kept)
    kept.save_truth(HELLO, "{}")
    (tmp_path / "copy").mkdir()
    kept.backup(tmp_path / "copy" / "store.db")
    kept.backup(tmp_path / "copy" / "store.db")
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["store.db"]
    copy = Store(tmp_path / "copy")
    assert copy.truth(HELLO) == "{}"
    assert copy.check() == ["a.pdf: its file is missing; add it again"]


def test_a_backup_does_not_replace_the_store(kept: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot replace the store itself"):
        kept.backup(kept.file)
    with pytest.raises(
        StoreError, match=r"The backup .*none/store\.db was not written \(unable to open database file\)"
    ):
        kept.backup(tmp_path / "none" / "store.db")


def test_check_sees_a_changed_file(kept: Store) -> None:
    add(kept)
    kept.path(HELLO).write_bytes(b"hello!")
    assert kept.check() == ["a.pdf: its file was changed; add it again"]


def test_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PAGEWITNESS_HOME", str(tmp_path / "mine"))
    assert files.home() == tmp_path / "mine"
    monkeypatch.delenv("PAGEWITNESS_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert files.home() == tmp_path / "pagewitness"


def test_the_home_folder_is_private(kept: Store) -> None:
    assert kept.home.stat().st_mode & 0o777 == 0o700


# ---------------------------------------------------------------- jobs


def test_a_double_click_makes_one_job(kept: Store) -> None:
    add(kept)
    first = kept.add_job("rows", HELLO, JobOptions("", "local"))
    assert (first.state, first.done, first.total, first.message, first.live) == ("queued", 0, 0, "", True)
    assert kept.add_job("rows", HELLO, JobOptions("", "local")) == first
    other = kept.add_job("rows", HELLO, JobOptions("version = 2", "local"))
    kind = kept.add_job("ingest", HELLO, JobOptions("", "local"))
    assert len({first.id, other.id, kind.id}) == 3
    assert kept.jobs(HELLO) == [kind, other, first]
    assert kept.jobs("f" * 64) == []


def test_jobs_are_claimed_oldest_first_and_once(kept: Store) -> None:
    documents = [add(kept, f"document {n}".encode(), f"{n}.pdf") for n in range(20)]
    ids = [kept.add_job("rows", sha256, JobOptions("version = 1")).id for sha256 in documents]
    patient = Store(kept.home)
    with ThreadPoolExecutor(4) as pool:
        claimed = [job.id for job in pool.map(lambda _: patient.claim_job(), range(25)) if job]
    assert sorted(claimed) == sorted(ids)
    assert kept.claim_job() is None
    again = kept.add_job("rows", documents[0], JobOptions("version = 1"))
    assert (again.id, again.state) == (ids[0], "running")
    assert kept.add_job("ingest", documents[0], JobOptions()).state == "queued"
    assert kept.claim_job() is None  # a document has one running job at a time


def test_a_job_advances_and_ends(kept: Store) -> None:
    add(kept)
    job_id = kept.add_job("rows", HELLO, JobOptions()).id
    kept.advance_job(job_id, 1, 9)
    assert kept.claim_job() == kept.job(job_id)
    kept.advance_job(job_id, 3, 9)
    job = kept.job(job_id)
    assert job and (job.state, job.done, job.total, job.finished) == ("running", 3, 9, None)
    kept.finish_job(job_id, "failed", "It is locked.")
    job = kept.job(job_id)
    assert job and (job.state, job.message, job.live) == ("failed", "It is locked.", False)
    assert job.finished and job.finished >= job.created
    assert kept.add_job("rows", HELLO, JobOptions()).id != job_id
    assert kept.job("none") is None


def test_cancelling_a_queued_job_ends_it(kept: Store) -> None:
    add(kept)
    job = kept.add_job("rows", HELLO, JobOptions())
    kept.cancel_job(job.id)
    after = kept.job(job.id)
    assert after and after.state == "cancelled" and after.finished
    assert kept.claim_job() is None


def test_a_running_job_that_is_cancelled_makes_room_for_the_next(kept: Store) -> None:
    add(kept)
    job = kept.add_job("rows", HELLO, JobOptions())
    kept.claim_job()
    assert kept.job_wanted(job.id)
    kept.cancel_job(job.id)
    assert not kept.job_wanted(job.id)
    assert kept.add_job("rows", HELLO, JobOptions()).id != job.id


def test_a_deleted_document_takes_its_running_job_along(kept: Store) -> None:
    add(kept)
    job = kept.add_job("rows", HELLO, JobOptions())
    kept.claim_job()
    kept.delete(HELLO)
    assert not kept.job_wanted(job.id)
    kept.finish_job(job.id, "cancelled")
    assert kept.jobs() == []


def test_what_a_killed_process_left_is_queued_again(kept: Store) -> None:
    add(kept)
    wanted, unwanted = (kept.add_job("rows", HELLO, JobOptions(f"version = {n}")).id for n in (1, 2))
    for _ in range(2):
        kept.claim_job()
    kept.cancel_job(unwanted)
    assert kept.requeue_jobs() == 1
    assert [job.state for job in kept.jobs()] == ["cancelled", "queued"]
    for _ in range(9):
        assert kept.claim_job()
        kept.requeue_jobs()
    job = kept.job(wanted)
    assert job and (job.state, job.message[:37]) == ("failed", "The work was killed again and again. ")


def test_a_job_of_an_unknown_document_is_refused(kept: Store) -> None:
    with pytest.raises(StoreError, match="not in the store"):
        kept.add_job("rows", "f" * 64, JobOptions())
