"""The pass by words: which sections of the library hold what a query asks for, by BM25.

Comes in: a connection that is reading, a query, the documents to look into. Goes out: `Match`es, best first, with the
words that speak for each. Headings count more than text. A word that very many sections hold names no candidates; it
only orders those that rarer words found, so that a pass takes milliseconds however common the words are.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pipeline import folding, passages
from pipeline.languages import SMALL_WORDS

FEW = 20  # documents whose passages are asked for one by one; more are asked for together
TERMS = 24
CANDIDATES = 200
MET = 100  # sections that are taken as they are met, for words that are too common to be ordered
LOOKED_AT = 2_000  # sections that SQLite orders by BM25: about 5 µs each
COMMON = 5_000  # sections with a word beyond which they are not counted
TITLE, CODES = 3.0, 2.0  # a word in the heading, and a whole code, for so many in the text
K1, B, LETTERS = (
    1.2,
    0.6,
    600.0,
)  # of BM25: how fast repeats fade, how length counts, a usual section's length
LAST = 2**62

ASKING = """what which who whom whose when where why how does do did can could may might will would should must tell show give find me about there
was welche welcher welches wer wann wo warum wie quel quelle quels quelles qui quand où comment che cosa quale quali
quando dove come qué cuál cuáles quién cuándo dónde cómo wat welke wie wanneer waar hoe šta koja koje ko kada gde kako
li has have had it its their they you your our we i on at as an"""
STOP = frozenset(word for small in SMALL_WORDS.values() for one in small for word in folding.words(one)) | frozenset(
    folding.words(ASKING)
)


class Scope(NamedTuple):
    """Where to look: ranges of passages (first, last), and the shelves, where not all within the ranges count."""

    ranges: tuple[tuple[int, int], ...]
    shelves: tuple[int, ...] | None = None


class Match(NamedTuple):
    """A passage and the words of the query that it holds."""

    passage: int
    score: float
    words: tuple[str, ...]


@dataclass(frozen=True)
class Term:
    """A word of a query: as it is shown, and the forms that it may have in the index, one a language. code: it is
    looked for among the codes, not in the text.
    """

    shown: str
    forms: tuple[str, ...]
    code: bool = False

    @property
    def match(self) -> str:
        """The term in FTS5's language."""
        return f"({{codes}} : ({self._forms}))" if self.code else f"({{title body}} : ({self._forms}))"

    @property
    def in_title(self) -> str:
        """The same, in headings alone."""
        return f"({{codes}} : ({self._forms}))" if self.code else f"({{title}} : ({self._forms}))"

    @property
    def _forms(self) -> str:
        return " OR ".join(f'"{form}"' for form in self.forms)

    def count(self, text: str) -> int:
        """How often it stands in text of the index that has a space at either end."""
        return sum(text.count(f" {form} ") for form in self.forms)


def scope(db: sqlite3.Connection, sha256s: Iterable[str] | None) -> Scope:
    """The passages of documents; None: of all."""
    if sha256s is None:
        return Scope(((0, LAST),))
    rows = db.execute(
        "SELECT s.id, min(p.id), max(p.id) FROM shelves s JOIN passages p ON p.shelf = s.id"
        " WHERE s.sha256 IN (SELECT value FROM json_each(?)) GROUP BY s.id",
        (json.dumps(sorted(set(sha256s))),),
    ).fetchall()
    if len(rows) <= FEW:
        return Scope(tuple((first, last) for _, first, last in rows), tuple(shelf for shelf, _, _ in rows))
    return Scope(((0, LAST),), tuple(shelf for shelf, _, _ in rows))


def terms(query: str, languages: Sequence[str]) -> tuple[Term, ...]:
    """What a query asks for: its codes, and its words but the small ones, as documents in these languages have them."""
    codes = folding.whole_codes(query)
    found = {code: Term(code, (code,), code=True) for code in codes}
    inside = {part for code in codes for part in code.split("_")}
    printed = {plain: word for word in folding.printed(query) for plain in folding.words(word)[:1]}
    wanted = {plain: word for plain, word in printed.items() if plain not in inside}
    telling = [plain for plain in wanted if _tells(plain)] or list(wanted)
    for plain in telling:
        word = wanted[plain]
        forms = {form for language in ("", *languages) for form in passages.searched(word, language)}
        if forms:
            found.setdefault(plain, Term(word.lower(), tuple(sorted(forms))))
    return tuple(found.values())[:TERMS]


def _tells(word: str) -> bool:
    return word not in STOP and (len(word) > 1 or word.isdigit())


def languages(db: sqlite3.Connection) -> list[str]:
    """The languages of the store's documents."""
    return [row[0] for row in db.execute("SELECT DISTINCT language FROM documents ORDER BY language") if row[0]]


def matches(db: sqlite3.Connection, asked: Sequence[Term], within: Scope) -> list[Match]:
    """The passages that hold the terms, best first, `CANDIDATES` at most."""
    counts = {term: _count(db, term, within) for term in asked}
    passages = _candidates(db, counts, within)
    rows = db.execute(
        "SELECT rowid, title, body, codes FROM passage_words WHERE rowid IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(passages)),),
    )
    total = max(db.execute("SELECT count(*) FROM shelves").fetchone()[0] * 100, *counts.values(), 1) if counts else 1
    weights = {term: math.log(1 + (total - count + 0.5) / (count + 0.5)) for term, count in counts.items()}
    found = [_scored(row, weights) for row in rows]
    return sorted((one for one in found if one.score > 0), key=lambda one: (-one.score, one.passage))[:CANDIDATES]


def holders(db: sqlite3.Connection, codes: Sequence[str], within: Scope, most: int) -> list[int]:
    """The passages that hold one of the folded codes, in their order; `most` at most."""
    return sorted(_found(db, Term("", tuple(codes), code=True).match, within))[:most]


def _count(db: sqlite3.Connection, term: Term, within: Scope) -> int:
    """In how many passages of the ranges a term stands; not counted beyond `COMMON`."""
    return sum(
        db.execute(
            "SELECT count(*) FROM (SELECT 1 FROM passage_words WHERE passage_words MATCH ? AND rowid BETWEEN ? AND ?"
            f" LIMIT {COMMON})",
            (term.match, *between),
        ).fetchone()[0]
        for between in within.ranges
    )


def _candidates(db: sqlite3.Connection, counts: dict[Term, int], within: Scope) -> set[int]:
    """The passages with rare terms, by BM25; with common ones where all stand together, or in the heading."""
    rare, looked_at = [], 0
    for term in sorted(counts, key=lambda term: (counts[term], term.shown)):
        if counts[term] and looked_at + counts[term] <= LOOKED_AT:
            rare.append(term)
            looked_at += counts[term]
    common = [term for term in counts if counts[term] and term not in rare]
    found: set[int] = set()
    if rare:
        found |= _found(db, " OR ".join(term.match for term in rare), within, ordered=within.ranges[0][1] == LAST)
    if common:
        found |= _found(db, " AND ".join(term.match for term in common), within)
        found |= _found(db, " AND ".join(term.in_title for term in common), within)
        for term in common:
            found |= _found(db, term.in_title, within)
    return found


def _found(db: sqlite3.Connection, match: str, within: Scope, ordered: bool = False) -> set[int]:
    """Passages that match: the best ones, or the first ones that are met."""
    order, most = ("ORDER BY bm25(passage_words, 4, 1, 3)", CANDIDATES) if ordered else ("", MET)
    shelves = "" if within.shelves is None else "AND passages.shelf IN (SELECT value FROM json_each(?))"
    arguments = [] if within.shelves is None else [json.dumps(within.shelves)]
    found: set[int] = set()
    for first, last in within.ranges:
        rows = db.execute(
            "SELECT passage_words.rowid FROM passage_words JOIN passages ON passages.id = passage_words.rowid"
            f" WHERE passage_words MATCH ? AND passage_words.rowid BETWEEN ? AND ? {shelves} {order} LIMIT {most}",
            (match, first, last, *arguments),
        )
        found.update(row[0] for row in rows)
    return found


def _scored(row: tuple[int, str, str, str], weights: dict[Term, float]) -> Match:
    passage, title, body, codes = row
    heading, text, whole = f" {title} ", f" {body} ", f" {codes} "
    score, held = 0.0, []
    for term, weight in weights.items():
        count = CODES * term.count(whole) if term.code else TITLE * term.count(heading) + term.count(text)
        if count:
            score += weight * count * (K1 + 1) / (count + K1 * (1 - B + B * len(text) / LETTERS))
            held.append(term.shown)
    return Match(passage, score, tuple(held))
