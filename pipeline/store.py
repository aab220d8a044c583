"""One SQLite file and its folder: documents, what was read from them, results, jobs, pictures of pages.

Comes in: streams of uploaded bytes, Readings, Statements. Goes out: the same, typed and exact. Refuses: files over
200 MB (OverLimit); a disk that is full, locked, read-only or damaged (StoreError, one line, nothing half done).

    home/store.db              everything but the bytes of documents
    home/files/<sha256>.pdf    the documents, by content; a user's file name is display text, never a path
    home/cache/<sha256>/       pictures of pages, made again when missing
    home/profiles/             the user's own profiles

A `Store` holds no connection: every operation opens its own, so one may be used from many threads.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import shutil
import sqlite3
import time
from array import array
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple
from urllib.parse import quote

from pipeline import eventlog, passages, records, schema
from pipeline.model import (
    Bookmark,
    Document,
    DocumentError,
    Font,
    Kind,
    Origin,
    OverLimit,
    Page,
    Place,
    Reading,
    Section,
    Statement,
    StoreError,
    Table,
)

MAX_BYTES = 200_000_000
CHUNK = 1 << 20
CACHE_BYTES = 500_000_000
STALE_SECONDS = 24 * 3600
MAX_ATTEMPTS = 10
ROOM_TO_WORK = 1 << 20

JobKind = Literal["ingest", "rows", "fields", "verify"]
JobState = Literal["queued", "running", "done", "failed", "cancelled"]
EntryState = Literal["new", "read", "failed"]


class Key(NamedTuple):
    """What a stored result depends on besides the document: profile id, reader version, engine (results only)."""

    profile: str
    reader: str
    engine: str = ""


@dataclass(frozen=True)
class Stored:
    """A file that was taken in; `known`: the same bytes were there already (under `name`)."""

    sha256: str
    name: str
    size: int
    known: bool


@dataclass(frozen=True)
class Entry:
    """A document as lists show it. pages and kind are None until it was read; `error` says why it was not.

    done: what the store holds of it, of "read", "rows", "fields" and "truth". own: how its pages are to be read, where
    a person chose that for this document (see ways.py). locked: it asks for a password.
    """

    sha256: str
    name: str
    size: int
    pages: int | None
    kind: Kind | None
    language: str
    added: datetime
    state: EntryState
    error: str
    done: tuple[str, ...]
    own: str = ""
    locked: bool = False


class Tree(NamedTuple):
    """What a parse keeps: the sections, the profile's TOML text, and what the document looks like, packed."""

    sections: tuple[Section, ...]
    settings: str
    fingerprint: str


@dataclass(frozen=True)
class Parse:
    """A section tree in the store, without its sections: its number, what it was made of and with, when, and how many
    sections it has.
    """

    number: int
    sha256: str
    key: Key
    settings: str
    fingerprint: str
    made: datetime
    count: int


class PageHealth(NamedTuple):
    """Where a page's words come from, how far they can be trusted (0..1), why not further, whether it has none."""

    page: int
    origin: Origin
    health: float
    reasons: tuple[str, ...]
    empty: bool


@dataclass(frozen=True)
class Overview:
    """What is known of a reading without its words. repaired: what had to be mended first; empty: nothing."""

    pages: tuple[PageHealth, ...]
    repaired: str


class Kept(NamedTuple):
    """A whole reading that the store holds, and the settings it was read with, as they were given."""

    key: Key
    settings: str


@dataclass(frozen=True)
class Draft:
    """A reading that is being made: its number in the store, and the pages that an earlier run kept, from the first."""

    number: int
    pages: tuple[Page, ...]


@dataclass(frozen=True)
class JobOptions:
    """What a job is run with: a profile as TOML text, and the engine's name."""

    profile: str = ""
    engine: str = "local"


@dataclass(frozen=True)
class Job:
    """A piece of long work over one document. `message` is the error of a failed job; asker: who wanted it, or empty;
    started: None until somebody began.
    """

    id: str
    kind: JobKind
    sha256: str
    options: JobOptions
    state: JobState
    done: int
    total: int
    message: str
    created: datetime
    finished: datetime | None
    asker: str = ""
    started: datetime | None = None

    @property
    def live(self) -> bool:
        return self.state in ("queued", "running")


class Store:
    """The store in the folder `home`, which is made when it is missing.

    patience: seconds that an operation waits for another's write before it gives up.
    """

    def __init__(self, home: Path, patience: float = 10.0) -> None:
        self.home = home.absolute()
        self.patience = patience
        self.file = self.home / "store.db"
        self.profiles = self.home / "profiles"
        with self.disk():
            for folder in (self.home, self._files, self._cache, self.profiles):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self._current():
            with self.disk():
                self.file.touch(mode=0o600)
            with self._explained(), closing(self._connection("mode=rwc")) as db:
                schema.migrate(db, str(self.home))

    def _current(self) -> bool:
        """Whether the schema is the newest, told by reading alone: a store on a full disk opens, too."""
        if not self.file.exists():
            return False
        with self.snapshot() as db:
            return schema.version(db, str(self.home)) == len(schema.MIGRATIONS)

    # ------------------------------------------------------------ files

    def add_file(self, source: BinaryIO | Path, name: str) -> Stored:
        """Take in a file by its content, a megabyte at a time; OverLimit beyond 200 MB, leaving nothing behind."""
        shown = display_name(name)
        if isinstance(source, Path):
            with _opened(source, shown) as stream:
                return self.add_file(stream, name)
        partial = self._files / f"{secrets.token_hex(8)}.part"
        try:
            with self.disk():
                sha256, size = _copied(source, partial, shown)
            return self._registered(partial, Stored(sha256, shown, size, known=False))
        finally:
            _drop(partial)

    def _registered(self, partial: Path, new: Stored) -> Stored:
        """The row and the file appear together, so that a delete at the same moment takes both or none."""
        with self.disk(), self.transaction() as db:
            added = db.execute(
                "INSERT INTO documents (sha256, name, size, added) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (new.sha256, new.name, new.size, _now()),
            ).rowcount
            [name] = db.execute("SELECT name FROM documents WHERE sha256 = ?", (new.sha256,)).fetchone()
            partial.replace(self._files / f"{new.sha256}.pdf")
        return Stored(new.sha256, name, new.size, known=not added)

    def path(self, sha256: str) -> Path:
        """Where the document's bytes are; StoreError where they are not."""
        if not self.has_file(sha256):
            raise StoreError("The document is not in the store (any more). Add the file again.")
        return self._files / f"{sha256}.pdf"

    def has_file(self, sha256: str) -> bool:
        """Whether the document's bytes are there."""
        return (self._files / f"{_checked(sha256)}.pdf").is_file()

    def delete(self, sha256: str) -> None:
        """Remove a document with all that was made of it. Unknown documents are none to remove."""
        path = self._files / f"{_checked(sha256)}.pdf"
        aside = self._files / f"{secrets.token_hex(8)}.part"
        try:
            with self.disk(), self.transaction() as db:
                db.execute("DELETE FROM documents WHERE sha256 = ?", (sha256,))
                if path.exists():
                    path.replace(aside)
        except StoreError:
            if aside.exists():
                aside.replace(path)
            raise
        with self.disk():
            aside.unlink(missing_ok=True)
            shutil.rmtree(self._cache / sha256, ignore_errors=True)
            eventlog.forget(self.home, sha256)

    # ------------------------------------------------------------ documents

    def documents(self) -> list[Entry]:
        """All documents, the newest first."""
        with self.snapshot() as db:
            return [_entry(row) for row in db.execute(f"{ENTRIES} ORDER BY added DESC, d.rowid DESC")]

    def document(self, sha256: str) -> Entry | None:
        """One document, or None."""
        with self.snapshot() as db:
            row = db.execute(f"{ENTRIES} WHERE d.sha256 = ?", (sha256,)).fetchone()
        return _entry(row) if row else None

    def mark_failed(self, sha256: str, error: str, locked: bool = False) -> None:
        """Note that the document cannot be read, and why; not where another profile could read it."""
        with self.transaction() as db:
            db.execute(
                "UPDATE documents SET state = 'failed', error = ?, locked = locked OR ? WHERE sha256 = ?"
                " AND NOT EXISTS (SELECT 1 FROM readings r WHERE r.sha256 = documents.sha256 AND r.complete)",
                (_text(error), locked, sha256),
            )

    def set_own(self, sha256: str, own: str) -> None:
        """Keep how the document's pages are to be read; empty: as the profile has it."""
        with self.transaction() as db:
            db.execute("UPDATE documents SET own = ? WHERE sha256 = ?", (own, sha256))

    # ------------------------------------------------------------ readings

    def save_reading(self, reading: Reading, key: Key) -> None:
        """Keep a whole reading in place of any other of the same document and profile."""
        document = reading.document
        with self.transaction() as db:
            db.execute("DELETE FROM readings WHERE sha256 = ? AND profile = ?", (document.sha256, key.profile))
            number = _begun(db, document.sha256, key)
            _add_pages(db, number, reading.pages)
            _finish(db, number, document, reading.bookmarks)

    def draft(self, sha256: str, key: Key, settings: str = "") -> Draft:
        """The reading under the key as far as an earlier run came; an empty one where there is none to go on with.

        settings: what it is read with, kept beside it for `readings`.
        """
        with self.transaction() as db:
            number = _begun(db, sha256, key)
            db.execute("UPDATE readings SET settings = ? WHERE id = ?", (settings, number))
            rows = db.execute("SELECT * FROM pages WHERE reading = ? ORDER BY number", (number,)).fetchall()
            try:
                pages = tuple(_page(row[1:]) for row in rows)
            except ValueError:
                pages = ()  # what cannot be understood is read again
            if [page.number for page in pages] != list(range(1, len(rows) + 1)):
                db.execute("DELETE FROM pages WHERE reading = ?", (number,))
                db.execute("UPDATE readings SET complete = 0 WHERE id = ?", (number,))
                pages = ()
        return Draft(number, pages)

    def add_pages(self, draft: Draft, pages: Iterable[Page]) -> None:
        """Keep further pages of a draft; another process that reads the same may have been faster."""
        with self.transaction() as db:
            _add_pages(db, draft.number, pages)

    def finish_reading(self, draft: Draft, document: Document, bookmarks: tuple[Bookmark, ...]) -> None:
        """From now on the draft is the reading of the document under its key, in place of any older one."""
        with self.transaction() as db:
            _finish(db, draft.number, document, bookmarks)

    def reading(self, sha256: str, key: Key) -> Reading | None:
        """The reading that was kept under the key, or None."""
        with self.snapshot() as db:
            head = db.execute(
                "SELECT r.id, d.name, r.kind, r.language, r.repaired, r.bookmarks"
                " FROM readings r JOIN documents d USING (sha256)"
                " WHERE sha256 = ? AND profile = ? AND reader = ? AND complete",
                (sha256, key.profile, key.reader),
            ).fetchone()
            if head is None:
                return None
            number, name, kind, language, repaired, bookmarks = head
            rows = db.execute("SELECT * FROM pages WHERE reading = ? ORDER BY number", (number,)).fetchall()
        try:
            pages = tuple(_page(row[1:]) for row in rows)
            marks = records.unpack(tuple[Bookmark, ...], bookmarks)
        except ValueError:
            return None  # what cannot be understood is read again
        return Reading(Document(sha256, name, len(pages), kind, language, repaired), pages, marks)

    def readings(self, sha256: str) -> list[Kept]:
        """All whole readings of a document, the newest first."""
        with self.snapshot() as db:
            rows = db.execute(
                "SELECT profile, reader, settings FROM readings WHERE sha256 = ? AND complete ORDER BY id DESC",
                (sha256,),
            )
            return [Kept(Key(profile, reader), settings) for profile, reader, settings in rows]

    def drop_reading(self, sha256: str, key: Key) -> None:
        """Forget a reading; it is made again where it is wanted."""
        with self.transaction() as db:
            same = (sha256, key.profile, key.reader)
            db.execute("DELETE FROM readings WHERE (sha256, profile, reader) = (?, ?, ?)", same)

    def overview(self, sha256: str, key: Key) -> Overview | None:
        """What the reading under the key says of each page, without the words; None where there is no such reading."""
        with self.snapshot() as db:
            head = _whole(db, sha256, key)
            rows = db.execute(
                "SELECT number, origin, health, reasons, length(words) FROM pages WHERE reading = ? ORDER BY number",
                (head.number,),
            ).fetchall()
        if not head.number:
            return None
        try:
            pages = [
                PageHealth(number, origin, health, records.unpack(tuple[str, ...], reasons), not length)
                for number, origin, health, reasons, length in rows
            ]
        except ValueError:
            return None  # what cannot be understood is read again
        return Overview(tuple(pages), head.repaired)

    def page(self, sha256: str, key: Key, number: int) -> Page | None:
        """One page of the reading under the key, or None."""
        with self.snapshot() as db:
            reading = _whole(db, sha256, key).number
            row = db.execute("SELECT * FROM pages WHERE (reading, number) = (?, ?)", (reading, number)).fetchone()
        try:
            return _page(row[1:]) if row else None
        except ValueError:
            return None

    # ------------------------------------------------------------ results

    def save_sections(self, sha256: str, key: Key, sections: int) -> None:
        """Keep how many sections a document has."""
        with self.transaction() as db:
            db.execute(
                "INSERT OR REPLACE INTO outlines (sha256, profile, reader, sections) VALUES (?, ?, ?, ?)",
                (sha256, key.profile, key.reader, sections),
            )

    def sections(self, sha256: str, key: Key) -> int | None:
        """How many sections a document has, where that was kept."""
        with self.snapshot() as db:
            row = db.execute(
                "SELECT sections FROM outlines WHERE (sha256, profile, reader) = (?, ?, ?)",
                (sha256, key.profile, key.reader),
            ).fetchone()
        return row[0] if row else None

    def save_parse(self, sha256: str, key: Key, tree: Tree) -> None:
        """Keep a section tree beside the older ones. Where the profile's last one is the same, that one is taken to be
        by this reader: an upgrade that changes nothing adds nothing.
        """
        rows = [_section_values(section) for section in tree.sections]
        about = (key.reader, _text(tree.settings), _text(tree.fingerprint))
        with self.transaction() as db:
            last = db.execute(
                "SELECT max(id) FROM parses WHERE (sha256, profile) = (?, ?)", (sha256, key.profile)
            ).fetchone()
            same = db.execute(SECTIONS, last).fetchall() == rows if last != (None,) else False
            db.execute(
                "DELETE FROM parses WHERE (sha256, profile, reader) = (?, ?, ?) AND (id != ? OR NOT ?)",
                (sha256, key.profile, key.reader, last[0], same),
            )
            if same:
                db.execute("UPDATE parses SET reader = ?, settings = ?, fingerprint = ? WHERE id = ?", (*about, *last))
                passages.put(db, sha256, last[0])
                return
            number = db.execute(
                "INSERT INTO parses (sha256, profile, made, reader, settings, fingerprint) VALUES (?, ?, ?, ?, ?, ?)",
                (sha256, key.profile, _now(), *about),
            ).lastrowid
            db.executemany(
                "INSERT INTO sections (section_id, parent_id, page, title, content, level, number, anchor, places,"
                " tables, context, parse, position) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                ((*row, number, position) for position, row in enumerate(rows)),
            )
            passages.put(db, sha256, int(number or 0))

    def parse(self, sha256: str, key: Key) -> Parse | None:
        """The section tree under the key, without its sections, or None."""
        with self.snapshot() as db:
            same = (sha256, key.profile, key.reader)
            row = db.execute(f"{PARSES} WHERE (sha256, profile, reader) = (?, ?, ?)", same).fetchone()
        return _parse(row) if row else None

    def parses(self, sha256: str | None = None) -> list[Parse]:
        """All section trees of a document, or of all documents, the newest first."""
        with self.snapshot() as db:
            rows = db.execute(f"{PARSES} WHERE ? IS NULL OR sha256 = ? ORDER BY id DESC", (sha256, sha256))
            return [_parse(row) for row in rows]

    def unparsed(self, pages: int) -> list[Entry]:
        """The documents of so many pages at most that were read and have no section tree."""
        with self.snapshot() as db:
            rows = db.execute(
                f"{ENTRIES} WHERE d.state = 'read' AND d.pages <= ?"
                " AND NOT EXISTS (SELECT 1 FROM parses WHERE sha256 = d.sha256) ORDER BY added",
                (pages,),
            )
            return [_entry(row) for row in rows]

    def drop_parse(self, sha256: str, key: Key) -> None:
        """Forget a section tree; it is made again where it is wanted."""
        with self.transaction() as db:
            same = (sha256, key.profile, key.reader)
            db.execute("DELETE FROM parses WHERE (sha256, profile, reader) = (?, ?, ?)", same)

    def parsed(self, number: int) -> tuple[Section, ...] | None:
        """The sections of a tree, in reading order; None where it is gone or cannot be understood."""
        with self.snapshot() as db:
            known = db.execute("SELECT 1 FROM parses WHERE id = ?", (number,)).fetchone()
            rows = db.execute(SECTIONS, (number,)).fetchall()
        try:
            return tuple(map(section, rows)) if known else None
        except ValueError:
            return None  # what cannot be understood is made again

    def save_statement(self, sha256: str, key: Key, statement: Statement, book: str = "") -> None:
        """Keep a result in place of any other of the same document, profile and engine.

        book: what it was concluded from, packed, so that it is concluded again after a decision.
        """
        with self.transaction() as db:
            db.execute(
                "DELETE FROM statements WHERE sha256 = ? AND profile = ? AND engine = ?",
                (sha256, key.profile, key.engine),
            )
            db.execute(
                "INSERT INTO statements (sha256, profile, engine, reader, body, book) VALUES (?, ?, ?, ?, ?, ?)",
                (sha256, key.profile, key.engine, key.reader, records.pack(statement), book),
            )

    def statement(self, sha256: str, key: Key) -> Statement | None:
        """The result that was kept under the key, or None."""
        with self.snapshot() as db:
            row = db.execute(
                "SELECT body FROM statements WHERE sha256 = ? AND profile = ? AND engine = ? AND reader = ?",
                (sha256, key.profile, key.engine, key.reader),
            ).fetchone()
        try:
            return records.unpack(Statement, row[0]) if row else None
        except ValueError:
            return None  # what cannot be understood is extracted again

    def book(self, sha256: str, key: Key) -> str:
        """What the result under the key was concluded from; empty where nothing is kept."""
        with self.snapshot() as db:
            row = db.execute(
                "SELECT book FROM statements WHERE (sha256, profile, engine, reader) = (?, ?, ?, ?)",
                (sha256, key.profile, key.engine, key.reader),
            ).fetchone()
        return str(row[0]) if row else ""

    def statements(self, sha256: str | None = None) -> list[tuple[str, Key]]:
        """The results that are kept of a document, or of all: its sha256 and the key, the newest first."""
        with self.snapshot() as db:
            rows = db.execute(
                "SELECT sha256, profile, reader, engine FROM statements WHERE ? IN (sha256, '') ORDER BY rowid DESC",
                (sha256 or "",),
            ).fetchall()
        return [(row[0], Key(*row[1:])) for row in rows]

    def save_truth(self, sha256: str, text: str) -> None:
        """Keep the truth (JSON text) that the document's results are measured against."""
        with self.transaction() as db:
            db.execute("INSERT OR REPLACE INTO truths (sha256, body) VALUES (?, ?)", (sha256, _text(text)))

    def truth(self, sha256: str) -> str | None:
        """The truth's JSON text, or None."""
        with self.snapshot() as db:
            row = db.execute("SELECT body FROM truths WHERE sha256 = ?", (sha256,)).fetchone()
        return row[0] if row else None

    # ------------------------------------------------------------ pictures

    def image(self, sha256: str, page: int, dpi: int) -> Path | None:
        """The picture of a page, where it was kept."""
        path = self._image_path(sha256, page, dpi)
        return path if path.is_file() else None

    def save_image(self, sha256: str, page: int, dpi: int, png: bytes) -> Path:
        """Keep the picture of a page, whole or not at all."""
        path = self._image_path(sha256, page, dpi)
        partial = path.with_name(f"{secrets.token_hex(8)}.part")
        try:
            with self.disk():
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                partial.write_bytes(png)
                partial.replace(path)
        finally:
            _drop(partial)
        return path

    def _image_path(self, sha256: str, page: int, dpi: int) -> Path:
        return self._cache / _checked(sha256) / f"{int(page)}-{int(dpi)}.png"

    # ------------------------------------------------------------ jobs

    def add_job(self, kind: JobKind, sha256: str, options: JobOptions, asker: str = "") -> Job:
        """A queued job; the one that is queued or running already where it is the same."""
        same = (kind, sha256, options.profile, options.engine)
        with self.transaction() as db:
            db.execute(
                "INSERT INTO jobs (id, kind, sha256, profile, engine, created, asker) VALUES (?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (kind, sha256, profile, engine)"
                " WHERE state IN ('queued', 'running') AND NOT unwanted DO NOTHING",
                (secrets.token_hex(8), *same, _now(), _text(asker)),
            )
            row = db.execute(
                f"{JOBS} WHERE (kind, sha256, profile, engine) = (?, ?, ?, ?)"
                " AND state IN ('queued', 'running') AND NOT unwanted",
                same,
            ).fetchone()
        return _job(row)

    def job(self, job_id: str) -> Job | None:
        """One job, or None."""
        with self.snapshot() as db:
            row = db.execute(f"{JOBS} WHERE id = ?", (job_id,)).fetchone()
        return _job(row) if row else None

    def jobs(self, sha256: str | None = None) -> list[Job]:
        """The jobs of one document, or all, the newest first."""
        with self.snapshot() as db:
            rows = db.execute(f"{JOBS} WHERE ? IS NULL OR sha256 = ? ORDER BY seq DESC", (sha256, sha256))
            return [_job(row) for row in rows]

    def claim_job(self, *, engine: str = "", newcomers: bool = False) -> Job | None:
        """A queued job, running from now on; None where none waits that can be begun.

        It is the oldest of whoever has the fewest running; a document has one running job at a time. engine: only a
        job by that one; newcomers: only a job of somebody who has none running.
        """
        if not self.jobs_waiting():  # so it is at most polls, and then nothing need be locked
            return None
        with self.transaction() as db:
            row = db.execute(
                "SELECT seq, (SELECT count(*) FROM jobs r WHERE r.state = 'running' AND r.asker = jobs.asker) AS busy"
                " FROM jobs WHERE state = 'queued' AND ? IN ('', engine) AND NOT (? AND busy)"
                " AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running' AND r.sha256 = jobs.sha256)"
                " ORDER BY busy, seq LIMIT 1",
                (engine, newcomers),
            ).fetchone()
            if row:
                db.execute(
                    "UPDATE jobs SET state = 'running', done = 0, total = 0, attempts = attempts + 1, started = ?"
                    " WHERE seq = ?",
                    (_now(), row[0]),
                )
            claimed = db.execute(f"{JOBS} WHERE seq = ?", row[:1]).fetchone() if row else None
        return _job(claimed) if claimed else None

    def jobs_waiting(self) -> bool:
        """Whether a job is queued."""
        with self.snapshot() as db:
            return db.execute("SELECT 1 FROM jobs WHERE state = 'queued' LIMIT 1").fetchone() is not None

    def advance_job(self, job_id: str, done: int, total: int) -> None:
        """Note how far a running job is."""
        with self.transaction() as db:
            db.execute("UPDATE jobs SET done = ?, total = ? WHERE id = ? AND state = 'running'", (done, total, job_id))

    def job_wanted(self, job_id: str) -> bool:
        """Whether a running job should go on: nobody cancelled it, and its document is still there."""
        with self.snapshot() as db:
            row = db.execute("SELECT unwanted FROM jobs WHERE id = ? AND state = 'running'", (job_id,)).fetchone()
        return bool(row == (0,))

    def finish_job(self, job_id: str, state: JobState, message: str = "") -> None:
        """Close a running job, or put it back in the queue."""
        with self.transaction() as db:
            db.execute(
                "UPDATE jobs SET state = ?, message = ?, finished = CASE WHEN ? = 'queued' THEN NULL ELSE ? END"
                " WHERE id = ? AND state = 'running'",
                (state, _text(message), state, _now(), job_id),
            )

    def cancel_job(self, job_id: str) -> None:
        """A queued job is cancelled at once, a running one as soon as its process sees it."""
        with self.transaction() as db:
            db.execute(
                "UPDATE jobs SET state = 'cancelled', finished = ? WHERE id = ? AND state = 'queued'", (_now(), job_id)
            )
            db.execute("UPDATE jobs SET unwanted = 1 WHERE id = ? AND state = 'running'", (job_id,))

    def requeue_jobs(self) -> int:
        """Queue again what a killed process left running (only its successor may call this); how many.

        A job whose process died ten times is given up.
        """
        with self.transaction() as db:
            db.execute(
                "UPDATE jobs SET state = 'cancelled', finished = ? WHERE state = 'running' AND unwanted", (_now(),)
            )
            db.execute(
                "UPDATE jobs SET state = 'failed', finished = ?, message = ? WHERE state = 'running' AND attempts >= ?",
                (_now(), "The work was killed again and again. Look into jobs.log in the data folder.", MAX_ATTEMPTS),
            )
            return db.execute("UPDATE jobs SET state = 'queued' WHERE state = 'running'").rowcount

    # ------------------------------------------------------------ care

    def check(self) -> list[str]:
        """What is wrong with the store, in words; empty where it is sound."""
        problems: list[str] = []
        with self.snapshot() as db:
            lines = [str(row[0]) for row in db.execute("PRAGMA integrity_check")]
            problems += [f"store.db: {line}" for line in lines if line != "ok"]
            problems += [f"store.db: {row[0]} refers to what is gone" for row in db.execute("PRAGMA foreign_key_check")]
            files = db.execute("SELECT sha256, name, size FROM documents").fetchall()
        with self.transaction() as db:
            problems += [f"library: {line}; mend it with: pagewitness store reindex" for line in passages.problems(db)]
        for sha256, name, size in files:
            found = self._file_size(sha256)
            if found != size and self.document(sha256):  # else it was deleted meanwhile
                what = "is missing" if found is None else "was changed"
                problems.append(f"{name}: its file {what}; add it again")
        return problems

    def _file_size(self, sha256: str) -> int | None:
        try:
            return (self._files / f"{sha256}.pdf").stat().st_size
        except FileNotFoundError:
            return None

    def backup(self, path: Path) -> None:
        """A consistent copy of store.db at `path`, while others may be writing; the files are not in it."""
        if path.resolve() == self.file.resolve():
            raise StoreError("A backup cannot replace the store itself. Name another file.")
        partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
        try:
            with closing(self._connection()) as db, closing(sqlite3.connect(partial)) as copy:
                db.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, whole by itself
            partial.replace(path)
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"The backup {path} was not written ({_one_line(error)}). Its folder must exist, be writable and have"
                " space for it."
            ) from error
        finally:
            _drop(partial)

    def settle(self) -> None:
        """Bring what was written into store.db itself, and empty the log beside it, unless somebody reads just now."""
        with self._explained(), closing(self._connection()) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def vacuum(self) -> None:
        """Give the room of what was deleted back to the disk."""
        with self._explained(), closing(self._connection()) as db:
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def tidy(self) -> None:
        """Drop what broken uploads left a day ago, jobs that ended a month ago, pictures of what was deleted, and the
        oldest pictures beyond 500 MB."""
        month_ago = (datetime.now(UTC) - timedelta(days=30)).isoformat(timespec="microseconds")
        with self.transaction() as db:
            db.execute("DELETE FROM jobs WHERE finished < ?", (month_ago,))
        with self.disk():
            self._tidied()

    def _tidied(self) -> None:
        folders = list(self._cache.glob("*"))  # before the documents: a new one's pictures stay
        known = {entry.sha256 for entry in self.documents()}
        for folder in folders:
            if folder.name not in known:
                shutil.rmtree(folder, ignore_errors=True)
        for partial, about in _found([*self._files.glob("*.part"), *self._cache.glob("*/*.part")]):
            if time.time() - about.st_mtime > STALE_SECONDS:
                partial.unlink(missing_ok=True)
        kept = 0
        for picture, about in sorted(_found(self._cache.glob("*/*.png")), key=lambda found: -found[1].st_mtime):
            kept += about.st_size
            if kept > CACHE_BYTES:
                picture.unlink(missing_ok=True)

    # ------------------------------------------------------------ the way to the disk

    @property
    def _files(self) -> Path:
        return self.home / "files"

    @property
    def _cache(self) -> Path:
        return self.home / "cache"

    def _connection(
        self, mode: Literal["mode=rw", "mode=rwc", "mode=ro", "immutable=1"] = "mode=rw"
    ) -> sqlite3.Connection:
        db = sqlite3.connect(f"file:{quote(str(self.file))}?{mode}", uri=True, timeout=self.patience)
        db.isolation_level = None
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA secure_delete = ON")  # a deleted contract is gone from the file, too
        return db

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """To write, whole or not at all, alone; StoreError where another keeps writing."""
        with self._explained(), closing(self._connection()) as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """To read, as the store is now, while others may be writing."""
        with self._explained(), closing(self._connection()) as db:
            if self._begun(db):
                yield db
                return
        with self.disk():
            before = self.file.stat().st_mtime_ns
        with self._explained(), closing(self._connection("immutable=1")) as db:
            yield db
        with self.disk():
            after = self.file.stat().st_mtime_ns
        if after != before:
            raise StoreError(f"The store in {self.home} changed while it was read. Try again.")

    def _begun(self, db: sqlite3.Connection) -> bool:
        """Begin to read. False where the disk is full or read-only, so that SQLite cannot make the two files
        beside the database that it needs, and the database is whole without them."""
        try:
            db.execute("BEGIN")
            db.execute("SELECT 1 FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError as error:
            log = self.file.with_name("store.db-wal")
            unwritten = log.exists() and log.stat().st_size > 0
            if unwritten or not self.file.exists() or _code(error) not in NO_ROOM:
                raise
            return False
        return True

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(_database_trouble(error, self.home)) from error

    @contextmanager
    def disk(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreError(_disk_trouble(error, self.home)) from error


ENTRIES = """SELECT d.sha256, d.name, d.size, d.pages, d.kind, d.language, d.added, d.state, d.error,
    d.own, d.locked,
    EXISTS (SELECT 1 FROM readings WHERE sha256 = d.sha256 AND complete),
    EXISTS (SELECT 1 FROM statements WHERE sha256 = d.sha256),
    EXISTS (SELECT 1 FROM invoices WHERE sha256 = d.sha256),
    EXISTS (SELECT 1 FROM truths WHERE sha256 = d.sha256)
    FROM documents d"""
PARSES = """SELECT id, sha256, profile, reader, settings, fingerprint, made,
    (SELECT count(*) FROM sections WHERE parse = parses.id) FROM parses"""
SECTION_COLUMNS = "section_id, parent_id, page, title, content, level, number, anchor, places, tables, context"
SECTIONS = f"SELECT {SECTION_COLUMNS} FROM sections WHERE parse = ? ORDER BY position"
JOBS = "SELECT id, kind, sha256, profile, engine, state, done, total, message, created, finished,"
JOBS += " asker, started FROM jobs"


NO_ROOM = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL)


def display_name(name: str) -> str:
    """A file name to show: the last part of a path, printable, at most 200 characters."""
    last = re.split(r"[/\\]", _text(name))[-1]
    shown = " ".join("".join(c if c.isprintable() else " " for c in last).split())
    return shown[:200] or "document.pdf"


def _checked(sha256: str) -> str:
    """The hash itself: paths are made of nothing else."""
    if not re.fullmatch(r"[0-9a-f]{64}", sha256):
        raise StoreError("That is no document of the store. Choose one from the list of documents.")
    return sha256


def _opened(path: Path, name: str) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise DocumentError(f"{name} cannot be read: {error.strerror}. Check the path.") from error


def _text(text: str) -> str:
    """Text that SQLite can hold: half surrogate pairs (odd file names, broken text layers) become ?."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _copied(source: BinaryIO, partial: Path, name: str) -> tuple[str, int]:
    """Copy a stream to a file that is safely on the disk at the end; its sha256 and size in bytes."""
    digest, size = hashlib.sha256(), 0
    with partial.open("xb") as target:
        while chunk := source.read(CHUNK):
            size += len(chunk)
            if size > MAX_BYTES:
                raise OverLimit(f"{name} is larger than {MAX_BYTES // 1_000_000} MB. Split it and add the parts.")
            digest.update(chunk)
            target.write(chunk)
        target.flush()
        os.fsync(target.fileno())
    return digest.hexdigest(), size


def _found(paths: Iterable[Path]) -> Iterator[tuple[Path, os.stat_result]]:
    """The paths that are still there; others may be removing them at the same time."""
    for path in paths:
        with suppress(FileNotFoundError):
            yield path, path.stat()


def _entry(row: tuple[Any, ...]) -> Entry:
    sha256, name, size, pages, kind, language, added, state, error, own, locked, *held = row
    done = tuple(what for what, there in zip(("read", "rows", "fields", "truth"), held, strict=True) if there)
    when = datetime.fromisoformat(added)
    return Entry(sha256, name, size, pages, kind, language, when, state, error, done, own, bool(locked))


def _parse(row: tuple[Any, ...]) -> Parse:
    number, sha256, profile, reader, settings, fingerprint, made, count = row
    return Parse(number, sha256, Key(profile, reader), settings, fingerprint, datetime.fromisoformat(made), count)


def _section_values(section: Section) -> tuple[object, ...]:
    return (
        section.section_id,
        section.parent_id,
        section.page,
        _text(section.title),
        _text(section.content),
        section.level,
        section.number,
        section.anchor,
        records.pack(section.places),
        records.pack(section.tables),
        records.pack(section.context),
    )


def section(row: tuple[Any, ...]) -> Section:
    """The section of a row of `SECTION_COLUMNS`; ValueError where it cannot be understood."""
    section_id, parent_id, page, title, content, level, number, anchor, places, tables, context = row
    return Section(
        section_id=section_id,
        parent_id=parent_id,
        level=level,
        number=number,
        title=title,
        page=page,
        anchor=anchor,
        content=content,
        places=records.unpack(tuple[Place, ...], places),
        tables=records.unpack(tuple[Table, ...], tables) if tables != "[]" else (),
        context=records.unpack(tuple[str, ...], context),
    )


def _job(row: tuple[Any, ...]) -> Job:
    job_id, kind, sha256, profile, engine, state, done, total, message, created, finished, asker, started = row
    return Job(
        id=job_id,
        kind=kind,
        sha256=sha256,
        options=JobOptions(profile, engine),
        state=state,
        done=done,
        total=total,
        message=message,
        created=datetime.fromisoformat(created),
        finished=datetime.fromisoformat(finished) if finished else None,
        asker=asker,
        started=datetime.fromisoformat(started) if started else None,
    )


def _begun(db: sqlite3.Connection, sha256: str, key: Key) -> int:
    """The number of the reading under the key, begun where there is none; drafts of other readers are dropped."""
    same = (sha256, key.profile, key.reader)
    db.execute("DELETE FROM readings WHERE sha256 = ? AND profile = ? AND reader != ? AND NOT complete", same)
    db.execute(
        "INSERT INTO readings (sha256, profile, reader, kind, language, bookmarks, complete)"
        " VALUES (?, ?, ?, '', '', '[]', 0) ON CONFLICT DO NOTHING",
        same,
    )
    [number] = db.execute("SELECT id FROM readings WHERE (sha256, profile, reader) = (?, ?, ?)", same).fetchone()
    return int(number)


class _Head(NamedTuple):
    """A reading's number in the store (0: there is none), and what was repaired."""

    number: int = 0
    repaired: str = ""


def _whole(db: sqlite3.Connection, sha256: str, key: Key) -> _Head:
    row = db.execute(
        "SELECT id, repaired FROM readings WHERE (sha256, profile, reader) = (?, ?, ?) AND complete",
        (sha256, key.profile, key.reader),
    ).fetchone()
    return _Head(*row) if row else _Head()


def _add_pages(db: sqlite3.Connection, number: int, pages: Iterable[Page]) -> None:
    db.executemany(
        f"INSERT INTO pages VALUES ({', '.join('?' * 16)}) ON CONFLICT DO NOTHING",
        ((number, *_page_values(page)) for page in pages),
    )


def _finish(db: sqlite3.Connection, number: int, document: Document, bookmarks: tuple[Bookmark, ...]) -> None:
    [kept] = db.execute("SELECT count(*) FROM pages WHERE reading = ?", (number,)).fetchone()
    found = db.execute(
        "UPDATE readings SET complete = 1, kind = ?, language = ?, repaired = ?, bookmarks = ? WHERE id = ?",
        (document.kind, document.language, _text(document.repaired), records.pack(bookmarks), number),
    ).rowcount
    if not found or kept != document.pages:
        raise StoreError("The document was deleted or read again meanwhile. Add the file again, or try once more.")
    db.execute(
        "DELETE FROM readings WHERE sha256 = ? AND id != ? AND profile = (SELECT profile FROM readings WHERE id = ?)",
        (document.sha256, number, number),
    )
    db.execute(
        "UPDATE documents SET state = 'read', error = '', pages = ?, kind = ?, language = ? WHERE sha256 = ?",
        (document.pages, document.kind, document.language, document.sha256),
    )


def _page_values(page: Page) -> tuple[object, ...]:
    columns: tuple[array[float] | array[int], ...] = (
        page.boxes,
        page.sizes,
        page.font_ids,
        page.rotations,
        page.confidences,
    )
    return (
        page.number,
        page.width,
        page.height,
        page.origin,
        page.health,
        records.pack(page.reasons),
        page.text.encode("utf-8", "surrogatepass"),
        *(records.pack_column(column) for column in columns),
        records.pack(page.fonts),
        records.pack_column(page.rules),
        records.pack_column(page.cells),
    )


def _page(row: tuple[Any, ...]) -> Page:
    number, width, height, origin, health, reasons, words, *columns, fonts, rules, cells = row
    boxes, sizes, font_ids, rotations, confidences = map(records.unpack_column, columns)
    return Page(
        number=number,
        width=width,
        height=height,
        origin=origin,
        health=health,
        reasons=records.unpack(tuple[str, ...], reasons),
        text=words.decode("utf-8", "surrogatepass"),
        boxes=boxes,
        sizes=sizes,
        font_ids=font_ids,
        rotations=rotations,
        confidences=confidences,
        fonts=records.unpack(tuple[Font, ...], fonts),
        rules=records.unpack_column(rules),
        cells=records.unpack_column(cells),
    )


def _drop(path: Path) -> None:
    """Remove a half-written file, if it is there and the disk lets us; `tidy` gets what stays."""
    with suppress(OSError):
        path.unlink()


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary code; 0 where Python itself complains."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _database_trouble(error: sqlite3.Error, home: Path) -> str:
    if "FOREIGN KEY" in str(error):
        return "The document is not in the store (any more). Add the file again."
    match _code(error):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"The store in {home} is busy: another program keeps writing to it. Try again in a moment."
        case sqlite3.SQLITE_FULL:
            return _full(home)
        case sqlite3.SQLITE_IOERR if _room(home) < ROOM_TO_WORK:
            return _full(home)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return (
                f"The file store.db in {home} is damaged. Put a backup in its place, or move it away and add the"
                " documents again: they are all in the folder files."
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return (
                f"The file store.db in {home} cannot be opened for writing. Make the folder writable, or set"
                " PAGEWITNESS_HOME to another one."
            )
        case sqlite3.SQLITE_IOERR:
            return f"The disk that holds {home} fails or is full ({error}). Mend that and try again."
    return f"The store in {home} cannot be used: {_one_line(error)}. Set PAGEWITNESS_HOME to another folder."


def _disk_trouble(error: OSError, home: Path) -> str:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            return _full(home)
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return f"The folder {home} cannot be written. Make it writable, or set PAGEWITNESS_HOME to another folder."
        case errno.ENOTDIR | errno.EEXIST:
            return f"{home} is not a folder, or holds a file where a folder should be. Set PAGEWITNESS_HOME to another."
    return f"The store in {home} cannot be used: {error.strerror}. Set PAGEWITNESS_HOME to another folder."


def _full(home: Path) -> str:
    return f"The disk that holds {home} is full. Free some space and try again; nothing that was kept is lost."


def _room(home: Path) -> int:
    """Free bytes on the disk; enough where that cannot be told."""
    try:
        return shutil.disk_usage(home).free
    except OSError:
        return ROOM_TO_WORK


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".")
