"""The sections that are searched, inside the store's file: one tree a document, the one that was made last.

Comes in: a connection that is writing, a document, the number of one of its trees. Goes out: rows of `shelves` (a
document and its tree), `passages` (a section each) and `passage_words` (FTS5 over the folded text). Refuses nothing:
what is there already stays, and another tree of the same document makes room.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import lru_cache

from pipeline import folding, numbering, records, schema, stems


def put(db: sqlite3.Connection, sha256: str, parse: int) -> None:
    """From now on the document is searched by this tree. Within a transaction."""
    if db.execute("SELECT 1 FROM shelves WHERE (sha256, parse) = (?, ?)", (sha256, parse)).fetchone():
        return
    drop(db, sha256)
    shelf = db.execute("INSERT INTO shelves (sha256, parse) VALUES (?, ?)", (sha256, parse)).lastrowid
    [last] = db.execute("SELECT coalesce(max(id), 0) FROM passages").fetchone()
    rows = db.execute(
        "SELECT section_id, anchor, number, title, content, context FROM sections WHERE parse = ? ORDER BY position",
        (parse,),
    ).fetchall()
    [language] = db.execute("SELECT language FROM documents WHERE sha256 = ?", (sha256,)).fetchone()
    numbered = list(enumerate(rows, last + 1))
    db.executemany(
        "INSERT INTO passages (id, shelf, parse, section_id, anchor, path) VALUES (?, ?, ?, ?, ?, ?)",
        ((number, shelf, parse, row[0], row[1], path(row[2] or "")) for number, row in numbered),
    )
    db.executemany(
        "INSERT INTO passage_words (rowid, title, body, codes) VALUES (?, ?, ?, ?)",
        ((number, *_searched(language, *row[2:])) for number, row in numbered),
    )


def put_newest(db: sqlite3.Connection, sha256: str) -> None:
    """A document that is not searched is from now on, by its newest tree, where it has one. Within a transaction."""
    if db.execute("SELECT 1 FROM shelves WHERE sha256 = ?", (sha256,)).fetchone():
        return
    [newest] = db.execute("SELECT max(id) FROM parses WHERE sha256 = ?", (sha256,)).fetchone()
    if newest is not None:
        put(db, sha256, newest)


def drop(db: sqlite3.Connection, sha256: str) -> None:
    """The document is searched no longer. Within a transaction."""
    db.execute("DELETE FROM shelves WHERE sha256 = ?", (sha256,))


def clear(db: sqlite3.Connection) -> None:
    """No document is searched any longer, and the index of words is a new one, whatever befell the old. Within a
    transaction.
    """
    db.execute("DROP TABLE passage_words")
    schema.searched_words(db)
    db.execute("DELETE FROM shelves")


def problems(db: sqlite3.Connection) -> Iterator[str]:
    """What is wrong with the library, in words. Within a transaction that writes, though nothing is changed."""
    try:
        db.execute("INSERT INTO passage_words (passage_words) VALUES ('integrity-check')")
    except sqlite3.DatabaseError as error:
        yield f"the index of words is damaged ({error})"
        return
    counts = {
        "sections without words": "SELECT count(*) FROM passages WHERE id NOT IN (SELECT rowid FROM passage_words)",
        "words without a section": "SELECT count(*) FROM passage_words WHERE rowid NOT IN (SELECT id FROM passages)",
        "documents without all their sections": "SELECT count(*) FROM shelves s WHERE"
        " (SELECT count(*) FROM passages WHERE shelf = s.id) !="
        " (SELECT count(*) FROM sections WHERE parse = s.parse)",
    }
    for name, query in counts.items():
        [count] = db.execute(query).fetchone()
        if count:
            yield f"{count} {name}"


def merge(db: sqlite3.Connection, pages: int) -> bool:
    """Take what was deleted out of the index of words, a part at a time; whether there is more to do. pages: how many
    are written, below zero at the first call. Within a transaction.
    """
    before = db.total_changes
    db.execute("INSERT INTO passage_words (passage_words, rank) VALUES ('merge', ?)", (pages,))
    return db.total_changes - before >= 2  # so SQLite documents it


def path(number: str) -> str:
    """The parts of a printed number, joined: `Section 7.3` is 7-3, `Article IV` is 4; empty where there is none."""
    found = numbering.parse(number[:1].upper() + number[1:])
    if found is None:
        return ""
    if found.style == "roman":
        return "-".join(str(numbering.value(part, found.style)) for part in found.path)
    return "-".join(word for part in found.path for word in folding.words(part))


def searched(text: str, language: str) -> list[str]:
    """The words of a text as they are looked for: plain stems; what holds a figure stays as it is."""
    return [one for word in folding.printed(text) for one in _stems(word, language)]


@lru_cache(maxsize=65536)
def _stems(word: str, language: str) -> tuple[str, ...]:
    if any(char.isdigit() for char in word):
        return tuple(folding.words(word))
    return tuple(folding.words(stems.stem(word, language)))


def _searched(language: str, number: str | None, title: str, content: str, context: str) -> tuple[str, str, str]:
    """Title, body and codes of a section, as they are looked for."""
    heading = f"{number or ''} {title}"
    body = "\n".join([content, *_context(context)])
    codes = dict.fromkeys(folding.codes(f"{heading}\n{body}"))
    return " ".join(searched(heading, language)), " ".join(searched(body, language)), " ".join(codes)


def _context(packed: str) -> tuple[str, ...]:
    try:
        return records.unpack(tuple[str, ...], packed) if packed != "[]" else ()
    except ValueError:
        return ()
