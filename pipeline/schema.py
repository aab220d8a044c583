"""The tables of the store, as migrations: each a small function, run in one transaction, in order.

Comes in: a connection to a store of any age. Goes out: the same at the newest schema. Refuses, as StoreError:
a store that a newer version wrote, and a database that is none of ours. A migration that shipped is never edited.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from pipeline.model import StoreError

APPLICATION_ID = 0x50775774  # "PwWt" in the file's header says whose database it is


def _documents(db: sqlite3.Connection) -> None:
    db.execute(
        """CREATE TABLE documents (
            sha256 TEXT PRIMARY KEY CHECK (length(sha256) = 64),
            name TEXT NOT NULL,
            size INTEGER NOT NULL,
            pages INTEGER,
            kind TEXT,
            language TEXT NOT NULL DEFAULT '',
            added TEXT NOT NULL,
            state TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'read', 'failed')),
            error TEXT NOT NULL DEFAULT ''
        ) STRICT"""
    )


def _readings(db: sqlite3.Connection) -> None:
    db.execute(
        """CREATE TABLE readings (
            id INTEGER PRIMARY KEY,
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            profile TEXT NOT NULL,
            reader TEXT NOT NULL,
            kind TEXT NOT NULL,
            language TEXT NOT NULL,
            bookmarks TEXT NOT NULL,
            UNIQUE (sha256, profile, reader)
        ) STRICT"""
    )
    db.execute(
        """CREATE TABLE pages (
            reading INTEGER NOT NULL REFERENCES readings ON DELETE CASCADE,
            number INTEGER NOT NULL,
            width REAL NOT NULL,
            height REAL NOT NULL,
            origin TEXT NOT NULL,
            health REAL NOT NULL,
            reasons TEXT NOT NULL,
            words BLOB NOT NULL,
            boxes BLOB NOT NULL,
            sizes BLOB NOT NULL,
            font_ids BLOB NOT NULL,
            rotations BLOB NOT NULL,
            confidences BLOB NOT NULL,
            fonts TEXT NOT NULL,
            UNIQUE (reading, number)
        ) STRICT"""
    )


def _results(db: sqlite3.Connection) -> None:
    db.execute(
        """CREATE TABLE statements (
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            profile TEXT NOT NULL,
            engine TEXT NOT NULL,
            reader TEXT NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (sha256, profile, engine, reader)
        ) STRICT"""
    )
    db.execute(
        """CREATE TABLE truths (
            sha256 TEXT PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
            body TEXT NOT NULL
        ) STRICT"""
    )


def _jobs(db: sqlite3.Connection) -> None:
    db.execute(
        """CREATE TABLE jobs (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            profile TEXT NOT NULL,
            engine TEXT NOT NULL,
            state TEXT NOT NULL DEFAULT 'queued'
                CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
            done INTEGER NOT NULL DEFAULT 0,
            total INTEGER NOT NULL DEFAULT 0,
            message TEXT NOT NULL DEFAULT '',
            unwanted INTEGER NOT NULL DEFAULT 0,
            attempts INTEGER NOT NULL DEFAULT 0,
            created TEXT NOT NULL,
            finished TEXT
        ) STRICT"""
    )
    db.execute("CREATE INDEX jobs_documents ON jobs (sha256)")
    # a double click makes one job; one that is being cancelled does not stand in the way of the next
    db.execute(
        """CREATE UNIQUE INDEX jobs_live ON jobs (kind, sha256, profile, engine)
        WHERE state IN ('queued', 'running') AND NOT unwanted"""
    )


def _drawn(db: sqlite3.Connection) -> None:
    """What is drawn on a page, as packed columns; nothing on pages that were read before (x'66': no floats)."""
    for name in ("rules", "cells"):
        db.execute(f"ALTER TABLE pages ADD COLUMN {name} BLOB NOT NULL DEFAULT x'66'")


def _drafts(db: sqlite3.Connection) -> None:
    """A reading is kept page by page; until it is complete nobody is served it."""
    db.execute("ALTER TABLE readings ADD COLUMN complete INTEGER NOT NULL DEFAULT 1")
    db.execute("ALTER TABLE readings ADD COLUMN repaired TEXT NOT NULL DEFAULT ''")


def _own(db: sqlite3.Connection) -> None:
    """How a document's pages are to be read, as a person chose it; whether it is locked; what readings were read with,
    so that the next one takes over the pages that stay as they are; how many sections were found.
    """
    db.execute("ALTER TABLE documents ADD COLUMN own TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE documents ADD COLUMN locked INTEGER NOT NULL DEFAULT 0")
    db.execute("ALTER TABLE readings ADD COLUMN settings TEXT NOT NULL DEFAULT ''")
    db.execute(
        """CREATE TABLE outlines (
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            profile TEXT NOT NULL,
            reader TEXT NOT NULL,
            sections INTEGER NOT NULL,
            PRIMARY KEY (sha256, profile)
        ) STRICT"""
    )


def _parses(db: sqlite3.Connection) -> None:
    """Each section tree that was made of a document: what it was made with, and its sections."""
    db.execute(
        """CREATE TABLE parses (
            id INTEGER PRIMARY KEY,
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            profile TEXT NOT NULL,
            reader TEXT NOT NULL,
            settings TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            made TEXT NOT NULL,
            UNIQUE (sha256, profile, reader)
        ) STRICT"""
    )
    db.execute(
        """CREATE TABLE sections (
            parse INTEGER NOT NULL REFERENCES parses ON DELETE CASCADE,
            section_id TEXT NOT NULL,
            parent_id TEXT,
            page INTEGER NOT NULL,
            title TEXT NOT NULL,
            content TEXT NOT NULL,
            level INTEGER NOT NULL,
            number TEXT,
            anchor TEXT,
            position INTEGER NOT NULL,
            places TEXT NOT NULL,
            tables TEXT NOT NULL,
            PRIMARY KEY (parse, section_id),
            FOREIGN KEY (parse, parent_id) REFERENCES sections (parse, section_id)
        ) STRICT"""
    )
    db.execute("CREATE INDEX sections_parent ON sections (parse, parent_id)")


def _context(db: sqlite3.Connection) -> None:
    """What the headers and footers of a section's pages say that the text does not."""
    db.execute("ALTER TABLE sections ADD COLUMN context TEXT NOT NULL DEFAULT '[]'")


def _library(db: sqlite3.Connection) -> None:
    """What is searched: of each document one section tree, its words, and its chunks as vectors."""
    db.execute(
        """CREATE TABLE shelves (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            sha256 TEXT NOT NULL UNIQUE REFERENCES documents ON DELETE CASCADE,
            parse INTEGER NOT NULL UNIQUE REFERENCES parses ON DELETE CASCADE,
            model TEXT NOT NULL DEFAULT '',
            first_chunk INTEGER NOT NULL DEFAULT 0,
            heads BLOB NOT NULL DEFAULT x''
        ) STRICT"""
    )
    db.execute(
        """CREATE TABLE passages (
            id INTEGER PRIMARY KEY,
            shelf INTEGER NOT NULL REFERENCES shelves ON DELETE CASCADE,
            parse INTEGER NOT NULL,
            section_id TEXT NOT NULL,
            anchor TEXT,
            path TEXT NOT NULL,
            FOREIGN KEY (parse, section_id) REFERENCES sections (parse, section_id) ON DELETE CASCADE
        ) STRICT"""
    )
    db.execute("CREATE INDEX passages_shelf ON passages (shelf)")
    db.execute("CREATE UNIQUE INDEX passages_section ON passages (parse, section_id)")
    db.execute("CREATE INDEX passages_anchor ON passages (anchor)")
    db.execute("CREATE INDEX passages_path ON passages (path)")
    db.execute(
        """CREATE TABLE chunks (
            id INTEGER PRIMARY KEY,
            passage INTEGER NOT NULL REFERENCES passages ON DELETE CASCADE,
            section_id TEXT NOT NULL,
            parent_id TEXT,
            part INTEGER NOT NULL,
            vector BLOB NOT NULL
        ) STRICT"""
    )
    db.execute("CREATE INDEX chunks_passage ON chunks (passage)")
    searched_words(db)
    db.execute(
        """CREATE TRIGGER passages_gone AFTER DELETE ON passages
        BEGIN DELETE FROM passage_words WHERE rowid = old.id; END"""
    )


def searched_words(db: sqlite3.Connection) -> None:
    """The index of words, empty. The text is folded before it comes in; the low line joins the parts of a code."""
    db.execute(
        """CREATE VIRTUAL TABLE passage_words USING fts5 (
            title, body, codes, tokenize = "unicode61 remove_diacritics 2 tokenchars '_'"
        )"""
    )


def _asked(db: sqlite3.Connection) -> None:
    """Questions that were asked of a document, and what was answered."""
    db.execute(
        """CREATE TABLE asked (
            id INTEGER PRIMARY KEY,
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            question TEXT NOT NULL,
            answer TEXT NOT NULL,
            asked TEXT NOT NULL
        ) STRICT"""
    )
    db.execute("CREATE INDEX asked_document ON asked (sha256)")


def _upkeep(db: sqlite3.Connection) -> None:
    """What the library's upkeep is told: that documents were deleted, whose words are to leave the index."""
    db.execute("CREATE TABLE upkeep (deleted INTEGER NOT NULL) STRICT")
    db.execute("INSERT INTO upkeep VALUES (0)")
    db.execute("CREATE TRIGGER documents_gone AFTER DELETE ON documents BEGIN UPDATE upkeep SET deleted = 1; END")


def _decisions(db: sqlite3.Connection) -> None:
    """What people said of findings, never changed; and what a statement's rows and totals were concluded from."""
    db.execute(
        """CREATE TABLE decisions (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            finding TEXT NOT NULL,
            sequence INTEGER NOT NULL CHECK (sequence > 0),
            mark TEXT NOT NULL,
            action TEXT NOT NULL CHECK (action IN ('approve', 'correct', 'reject', 'split', 'add', 'undo')),
            parts TEXT NOT NULL,
            before TEXT NOT NULL,
            who TEXT NOT NULL,
            made TEXT NOT NULL,
            UNIQUE (finding, sequence)
        ) STRICT"""
    )
    db.execute("CREATE INDEX decisions_document ON decisions (sha256)")
    db.execute(
        """CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions
        BEGIN SELECT RAISE(ABORT, 'a decision is never changed'); END"""
    )
    db.execute(
        """CREATE TRIGGER decisions_end BEFORE DELETE ON decisions
        WHEN EXISTS (SELECT 1 FROM documents WHERE sha256 = old.sha256)
        BEGIN SELECT RAISE(ABORT, 'a decision ends with its document'); END"""
    )
    db.execute("ALTER TABLE statements ADD COLUMN book TEXT NOT NULL DEFAULT ''")


def _invoices(db: sqlite3.Connection) -> None:
    """The fields that were read from a document's invoices, and the seconds that it took."""
    db.execute(
        """CREATE TABLE invoices (
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            profile TEXT NOT NULL,
            engine TEXT NOT NULL,
            reader TEXT NOT NULL,
            settings TEXT NOT NULL,
            seconds REAL NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (sha256, profile, engine)
        ) STRICT"""
    )


def _calls(db: sqlite3.Connection) -> None:
    """Calls to a model: what was asked (as a hash), what came back, what it took. The reply goes with its document;
    what it cost stays. nanodollars: of a call without a reply, what it may cost at most.
    """
    db.execute(
        """CREATE TABLE calls (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            request TEXT NOT NULL,
            purpose TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            run TEXT NOT NULL,
            model TEXT NOT NULL,
            prompt TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('sent', 'answered', 'failed')),
            reply TEXT,
            fault TEXT NOT NULL DEFAULT '',
            input INTEGER NOT NULL DEFAULT 0,
            output INTEGER NOT NULL DEFAULT 0,
            cache_write INTEGER NOT NULL DEFAULT 0,
            cache_read INTEGER NOT NULL DEFAULT 0,
            nanodollars INTEGER NOT NULL,
            seconds REAL NOT NULL DEFAULT 0,
            made TEXT NOT NULL
        ) STRICT"""
    )
    for column in ("request", "sha256", "run", "made"):
        db.execute(f"CREATE INDEX calls_{column} ON calls ({column})")
    db.execute(
        """CREATE TRIGGER documents_calls AFTER DELETE ON documents
        BEGIN UPDATE calls SET reply = NULL WHERE sha256 = old.sha256; END"""
    )


def _extractions(db: sqlite3.Connection) -> None:
    """Values that somebody made of a document, as they were held against it and sent to review."""
    db.execute(
        """CREATE TABLE extractions (
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            name TEXT NOT NULL,
            made TEXT NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (sha256, name)
        ) STRICT"""
    )


def _queue(db: sqlite3.Connection) -> None:
    """The review queue in its order: of each result (key: packed) its open questions; worth: what depends on one, in
    about one currency. It is made anew where it is missing: a result or a decision that is written takes it away.
    """
    db.execute(
        """CREATE TABLE queue_results (
            id INTEGER PRIMARY KEY,
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            stamp TEXT NOT NULL,
            verdict TEXT NOT NULL,
            decided INTEGER NOT NULL,
            UNIQUE (sha256, kind, key)
        ) STRICT"""
    )
    db.execute(
        """CREATE TABLE queue_questions (
            result INTEGER NOT NULL REFERENCES queue_results ON DELETE CASCADE,
            position INTEGER NOT NULL,
            question TEXT NOT NULL,
            worth REAL NOT NULL,
            PRIMARY KEY (result, position)
        ) STRICT, WITHOUT ROWID"""
    )
    db.execute("CREATE INDEX queue_order ON queue_questions (worth DESC, result, position)")
    for table in ("statements", "invoices", "extractions", "decisions"):
        for event in ("INSERT", "UPDATE", "DELETE"):
            row = "old" if event == "DELETE" else "new"
            db.execute(
                f"CREATE TRIGGER queue_{table}_{event.lower()} AFTER {event} ON {table}"
                f" BEGIN DELETE FROM queue_results WHERE sha256 = {row}.sha256; END"
            )


def _chats(db: sqlite3.Connection) -> None:
    """Questions and lines sent to chats, and which updates of a bot were dealt with."""
    db.execute("CREATE TABLE bots (bot INTEGER PRIMARY KEY, next INTEGER NOT NULL) STRICT")
    db.execute(
        """CREATE TABLE posts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            bot INTEGER NOT NULL,
            chat INTEGER NOT NULL,
            sha256 TEXT REFERENCES documents ON DELETE CASCADE,
            finding TEXT NOT NULL DEFAULT '',
            sequence INTEGER NOT NULL DEFAULT 0,
            text TEXT NOT NULL,
            answers INTEGER,
            state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'open', 'closed')),
            message INTEGER,
            made TEXT NOT NULL
        ) STRICT"""
    )
    db.execute("CREATE INDEX posts_messages ON posts (bot, chat, message)")
    db.execute("CREATE INDEX posts_states ON posts (bot, state)")


def _verifications(db: sqlite3.Connection) -> None:
    """Values that were supplied for a document, and what the page said of them, newest result only. digest: of the
    values and their schema; profile, reader: what the result was made with, empty where there is none yet.
    """
    db.execute(
        """CREATE TABLE verifications (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            sha256 TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
            digest TEXT NOT NULL,
            supplied TEXT NOT NULL,
            name TEXT NOT NULL,
            text TEXT NOT NULL,
            schema_name TEXT NOT NULL,
            schema TEXT NOT NULL,
            profile TEXT NOT NULL DEFAULT '',
            reader TEXT NOT NULL DEFAULT '',
            body TEXT NOT NULL DEFAULT '',
            seconds REAL NOT NULL DEFAULT 0,
            total INTEGER,
            in_review INTEGER,
            UNIQUE (sha256, digest)
        ) STRICT"""
    )


def _posted(db: sqlite3.Connection) -> None:
    """Calls that wait for their reply in a message batch: its id, or a name of ours while it has none."""
    db.execute("ALTER TABLE calls ADD COLUMN batch TEXT NOT NULL DEFAULT ''")
    db.execute("CREATE INDEX calls_batch ON calls (batch) WHERE batch != ''")


def _measured(db: sqlite3.Connection) -> None:
    """How ways to ask a model fared against truth, each time that it was measured."""
    db.execute(
        """CREATE TABLE measures (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            suite TEXT NOT NULL,
            arm TEXT NOT NULL,
            model TEXT NOT NULL,
            prompt TEXT NOT NULL,
            made TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT"""
    )


def _forgotten(db: sqlite3.Connection) -> None:
    """Of the calls about a deleted document only what they cost stays: neither its id nor what went wrong with it."""
    db.execute("DROP TRIGGER documents_calls")
    db.execute(
        """CREATE TRIGGER documents_calls AFTER DELETE ON documents
        BEGIN UPDATE calls SET reply = NULL, sha256 = '', fault = '' WHERE sha256 = old.sha256; END"""
    )
    db.execute(
        "UPDATE calls SET sha256 = '', fault = ''"
        " WHERE sha256 != '' AND NOT EXISTS (SELECT 1 FROM documents WHERE sha256 = calls.sha256)"
    )


def _askers(db: sqlite3.Connection) -> None:
    """Who wanted a job, so that nobody waits behind all of another's, and when it was begun."""
    db.execute("ALTER TABLE jobs ADD COLUMN asker TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE jobs ADD COLUMN started TEXT")


Migration = Callable[[sqlite3.Connection], None]
MIGRATIONS: tuple[Migration, ...] = (
    *(_documents, _readings, _results, _jobs, _drawn, _drafts, _own, _parses, _context),
    *(_library, _asked, _upkeep, _decisions, _invoices, _calls, _extractions, _queue, _chats),
    *(_verifications, _posted, _measured, _forgotten, _askers),
)


def migrate(db: sqlite3.Connection, place: str) -> None:
    """Bring the database to the newest schema; `place` names it in errors."""
    db.execute("BEGIN")
    start = version(db, place)
    db.execute("COMMIT")
    if start < len(MIGRATIONS):
        db.execute("PRAGMA journal_mode = WAL")
    for number in range(start + 1, len(MIGRATIONS) + 1):
        _apply(db, number)


def version(db: sqlite3.Connection, place: str) -> int:
    """The schema's version, 0 for an empty database. Within a transaction, for others may be migrating."""
    [owner] = db.execute("PRAGMA application_id").fetchone()
    [found] = db.execute("PRAGMA user_version").fetchone()
    [tables] = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if owner != APPLICATION_ID and (owner or found or tables):
        raise StoreError(
            f"The file store.db in {place} is another program's database. Set PAGEWITNESS_HOME to another folder."
        )
    if found > len(MIGRATIONS):
        raise StoreError(
            f"The store in {place} was written by a newer version (schema {found}, this one knows"
            f" {len(MIGRATIONS)}). Upgrade pagewitness, or set PAGEWITNESS_HOME to another folder."
        )
    return int(found)


def _apply(db: sqlite3.Connection, number: int) -> None:
    """One migration, unless another process was faster."""
    db.execute("BEGIN IMMEDIATE")
    try:
        if db.execute("PRAGMA user_version").fetchone() == (number - 1,):
            MIGRATIONS[number - 1](db)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {number}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
