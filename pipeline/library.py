"""The sections of all documents as one library: found by words, by codes and numbers, by what texts say alike.

Comes in: a `Store`, documents by sha256, questions. Goes out: `Hit`s, best first; where a section stands (its
breadcrumb) and what stands under it (its subtree), each by one recursive statement. Of each document the tree that was
made last is searched. Refuses nothing but what the store refuses: an unknown document or section has no breadcrumb, no
subtree and no hits.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from pipeline import folding, numbering, passages, ranking, vectors
from pipeline.model import Section
from pipeline.ranking import Scope
from pipeline.store import SECTION_COLUMNS, Store, section
from pipeline.vectors import Vectors

SOFTENED = 60  # how little the first ranks stand out when ranks are joined
HOLDS, NUMBERED = 1.0, 2.0  # what an exact code and an exact section number add: more than any two ranks
HOLDERS = 50
MERGED = 500  # pages of the index that are written in one go: about 2 MB
DOTTED = re.compile(r"\d{1,3}(\.\d{1,3})+")
TAIL = re.compile(r"\s*\([^()]{1,4}\)$")

BREADCRUMB = """WITH RECURSIVE up (parse, section_id, parent_id, number, title, height) AS (
    SELECT s.parse, section_id, parent_id, number, title, 0
    FROM shelves JOIN sections s USING (parse) WHERE (sha256, section_id) = (?, ?)
    UNION ALL
    SELECT s.parse, s.section_id, s.parent_id, s.number, s.title, height + 1
    FROM up JOIN sections s ON (s.parse, s.section_id) = (up.parse, up.parent_id) WHERE height < 100
) SELECT section_id, number, title FROM up ORDER BY height DESC"""
SUBTREE = f"""WITH RECURSIVE down (parse, section_id) AS (
    SELECT s.parse, section_id FROM shelves JOIN sections s USING (parse) WHERE (sha256, section_id) = (?, ?)
    UNION
    SELECT s.parse, s.section_id FROM down JOIN sections s ON (s.parse, s.parent_id) = (down.parse, down.section_id)
) SELECT {SECTION_COLUMNS} FROM down JOIN sections USING (parse, section_id) ORDER BY position"""
SECTIONS = f"SELECT {SECTION_COLUMNS} FROM shelves JOIN sections USING (parse) WHERE sha256 = ?"


class Hit(NamedTuple):
    """A section that was found; why: what speaks for it, in words."""

    sha256: str
    section_id: str
    parent_id: str | None
    score: float
    why: str


class Crumb(NamedTuple):
    """A section on the way from the root to another one, or that one."""

    section_id: str
    number: str | None
    title: str


class Library:
    """The library in a store. Holds no connection, but the short vectors of what was searched last."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._vectors = Vectors()

    # ------------------------------------------------------------ keeping

    def index(self, sha256: str, parse: int) -> None:
        """From now on the document is searched by this tree, its vectors included; nothing where it is so already."""
        with self.store.snapshot() as db:
            known = db.execute("SELECT 1 FROM shelves WHERE (sha256, parse) = (?, ?)", (sha256, parse)).fetchone()
        if not known:
            with self.store.transaction() as db:
                passages.put(db, sha256, parse)
        vectors.make(self.store, sha256)

    def remove(self, sha256: str) -> None:
        """The document is searched no longer, until a tree of it is made or indexed again."""
        with self.store.transaction() as db:
            passages.drop(db, sha256)

    def lacking(self) -> list[str]:
        """Documents that have a section tree but are not searched, or not yet by what their texts say alike."""
        with self.store.snapshot() as db:
            rows = db.execute(
                "SELECT DISTINCT p.sha256 FROM parses p LEFT JOIN shelves s ON s.sha256 = p.sha256"
                " WHERE s.id IS NULL OR s.model != ? ORDER BY p.sha256",
                (vectors.model(),),
            )
            return [row[0] for row in rows]

    def catch_up(self, sha256s: Iterable[str] | None = None) -> int:
        """Index what is lacking, or these: kept by an older version, or without vectors yet. How many documents."""
        return sum(self._caught_up(sha256) for sha256 in (self.lacking() if sha256s is None else sha256s))

    def rebuild(self) -> int:
        """Index all documents anew, whatever state the index is in; how many."""
        with self.store.transaction() as db:
            passages.clear(db)
        return self.catch_up()

    def tidy(self) -> None:
        """Take the words of deleted documents out of the file, a part at a time, so that others may write between."""
        with self.store.snapshot() as db:
            pages = -MERGED if db.execute("SELECT 1 FROM upkeep WHERE deleted").fetchone() else 0
        while pages:
            with self.store.transaction() as db:
                if passages.merge(db, pages):
                    pages = MERGED
                else:
                    db.execute("UPDATE upkeep SET deleted = 0")
                    pages = 0
            if not pages:
                self.store.settle()

    def _caught_up(self, sha256: str) -> bool:
        with self.store.transaction() as db:
            passages.put_newest(db, sha256)
        return vectors.make(self.store, sha256)

    # ------------------------------------------------------------ trees

    def documents(self) -> list[str]:
        """The sha256 of each document that is searched, the newest tree first."""
        with self.store.snapshot() as db:
            return [row[0] for row in db.execute("SELECT sha256 FROM shelves ORDER BY id DESC")]

    def counts(self) -> dict[str, int]:
        """How many sections of each document are searched."""
        with self.store.snapshot() as db:
            rows = db.execute(
                "SELECT sha256, count(*) FROM shelves JOIN passages ON shelf = shelves.id GROUP BY sha256"
            )
            return dict(rows.fetchall())

    def breadcrumb(self, sha256: str, section_id: str) -> tuple[Crumb, ...]:
        """The sections that a section stands under, from the root down, and itself last."""
        with self.store.snapshot() as db:
            return tuple(Crumb(*row) for row in db.execute(BREADCRUMB, (sha256, section_id)))

    def subtree(self, sha256: str, section_id: str) -> tuple[Section, ...]:
        """A section and all that stand under it, in reading order."""
        with self.store.snapshot() as db:
            return tuple(map(section, db.execute(SUBTREE, (sha256, section_id))))

    def section(self, sha256: str, section_id: str) -> Section | None:
        """One section, or None."""
        with self.store.snapshot() as db:
            row = db.execute(f"{SECTIONS} AND section_id = ?", (sha256, section_id)).fetchone()
        return section(row) if row else None

    def sections(self, sha256: str) -> tuple[Section, ...]:
        """All sections of a document, in reading order."""
        with self.store.snapshot() as db:
            return tuple(map(section, db.execute(f"{SECTIONS} ORDER BY position", (sha256,))))

    # ------------------------------------------------------------ searching

    def search(self, query: str, scope: Collection[str] | None = None, k: int = 10) -> tuple[Hit, ...]:
        """The k sections that a query finds best; scope: the documents to look into, None: all."""
        found = _Found()
        with self.store.snapshot() as db:
            within = ranking.scope(db, scope)
            for passage, score, why in _exact(db, query, within):
                found.add(passage, score, why)
            by_words = ranking.matches(db, ranking.terms(query, ranking.languages(db)), within)
            for rank, match in enumerate(by_words, 1):
                found.add(match.passage, 1 / (SOFTENED + rank), ", ".join(match.words))
            near = self._vectors.nearest(db, query, within, list(found.scores))
            for rank, (passage, cosine) in enumerate(near, 1):
                found.add(passage, 1 / (SOFTENED + rank), f"alike {cosine:.2f}")
            return found.hits(db, k)

    def codes(self, code: str, scope: Collection[str] | None = None, k: int = 10) -> tuple[Hit, ...]:
        """The sections of that number (`section 7.3(b)`), then those that hold that code (`X-204`), whole."""
        found = _Found()
        with self.store.snapshot() as db:
            within = ranking.scope(db, scope)
            for passage, why in _numbered(db, code, within):
                found.add(passage, NUMBERED, why)
            for passage, why in _holders(db, code, within):
                found.add(passage, HOLDS, why)
            return found.hits(db, k)


class _Found:
    """Passages, what they score, and why."""

    def __init__(self) -> None:
        self.scores: dict[int, float] = {}
        self.why: dict[int, list[str]] = {}

    def add(self, passage: int, score: float, why: str) -> None:
        self.scores[passage] = self.scores.get(passage, 0.0) + score
        self.why.setdefault(passage, []).append(why)

    def hits(self, db: sqlite3.Connection, k: int) -> tuple[Hit, ...]:
        best = sorted(self.scores, key=lambda passage: (-self.scores[passage], passage))[: max(k, 0)]
        rows: Iterable[tuple[int, str, str, str | None]] = db.execute(
            "SELECT p.id, sha256, p.section_id, parent_id FROM passages p JOIN shelves ON shelves.id = p.shelf"
            " JOIN sections s ON (s.parse, s.section_id) = (p.parse, p.section_id)"
            " WHERE p.id IN (SELECT value FROM json_each(?))",
            (json.dumps(best),),
        )
        known = {passage: (sha256, section_id, parent_id) for passage, sha256, section_id, parent_id in rows}
        return tuple(Hit(*known[one], round(self.scores[one], 6), "; ".join(self.why[one])) for one in best)


def _exact(db: sqlite3.Connection, query: str, within: Scope) -> Iterator[tuple[int, float, str]]:
    """What the section numbers and the codes in a query name: the passage, what that counts, why."""
    for number in _numbers(query):
        for passage, why in _numbered(db, number, within):
            yield passage, NUMBERED, why
    for code in folding.printed_codes(query):
        for passage, why in _holders(db, code, within):
            yield passage, HOLDS, why


def _numbers(query: str) -> Iterator[str]:
    """The section numbers that a query names (`section 7.3(b)`, `Schedule 2`, `§ 5`, `7.3`), or that it consists of."""
    printed = [word.strip("?.,;:!") for word in query.split()]
    for word, number in pairwise(["", *printed]):
        bare = TAIL.sub("", TAIL.sub("", number))
        if _keyword(f"{word} {bare}"):
            yield f"{word} {number}"
        elif len(printed) == 1 or DOTTED.fullmatch(bare):
            yield number


def _numbered(db: sqlite3.Connection, number: str, within: Scope) -> Iterator[tuple[int, str]]:
    """The passages of a section number; where `7.3(b)` is no section, of `7.3`."""
    asked = number.strip()
    while asked:
        path = passages.path(asked)
        rows = _pathed(db, path, within) if path else []
        if rows:
            keyword = _keyword(asked)
            same = [one for one in rows if keyword and (one[1] or "").startswith(f"{keyword}-")]
            for passage, _ in same or rows:
                yield passage, f"is {asked}"
            return
        shorter = TAIL.sub("", asked)
        asked = shorter if shorter != asked else ""


def _keyword(number: str) -> str:
    """What a number is called (`Article IV`: article), or nothing."""
    found = numbering.parse(number[:1].upper() + number[1:])
    return found.keyword if found else ""


def _pathed(db: sqlite3.Connection, path: str, within: Scope) -> list[tuple[int, str | None]]:
    shelves = None if within.shelves is None else json.dumps(within.shelves)
    return db.execute(
        "SELECT id, anchor FROM passages WHERE path = ?"
        f" AND (? IS NULL OR shelf IN (SELECT value FROM json_each(?))) ORDER BY id LIMIT {HOLDERS}",
        (path, shelves, shelves),
    ).fetchall()


def _holders(db: sqlite3.Connection, code: str, within: Scope) -> Iterable[tuple[int, str]]:
    """The passages that hold a code as a whole."""
    forms = folding.codes(code)[:2]
    found = ranking.holders(db, forms, within, HOLDERS) if forms else []
    return [(passage, f"holds {code}") for passage in found]
