"""The pass by words: which sections of the library hold what a query asks for, by BM25.

Comes in: a connection that is reading, a query, the documents to look into. Goes out: `Match`es, best first, with the
words that speak for each. Headings count more than text. A word that very many sections hold names no candidates; it
only orders those that rarer words found, so that a pass takes milliseconds however common the words are.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pipeline import folding, passages
from pipeline.languages import SMALL_WORDS

FEW = 20  # ranges of passages that are asked for one by one; more are sifted from all
TERMS = 24
CANDIDATES = 200
SIFTED = 4_000  # sections that are met to be sifted by document
MET = 100  # sections that are taken as they are met, for words that are too common to be ordered
LOOKED_AT = 2_000  # sections that SQLite orders by BM25: about 5 µs each
COMMON = 5_000  # sections with a word beyond which they are not counted
TITLE, CODES = 3.0, 2.0  # a word in the heading, and a whole code, for so many in the text
K1, B, LETTERS = (
    1.2,
    0.6,
    600.0,
)  # of BM25: how fast repeats fade, how length counts, a usual section's length
EVERYWHERE = ((0, 2**62),)

ASKING = """what which who whom whose when where why how does do did can could may might will would should must tell
show give find me about there was welche welcher welches wer wann wo warum wie quel quelle quels quelles
qui quand où comment che cosa quale quali quando dove come qué cuál cuáles quién cuándo dónde cómo wat
welke wie wanneer waar hoe šta koja koje ko kada gde kako li has have had it its their they you your our
we i on at as an"""
STOP = frozenset(word for small in SMALL_WORDS.values() for one in small for word in folding.words(one)) | frozenset(
    folding.words(ASKING)
)


class Scope(NamedTuple):
    """Where to look: ranges of passages (first, last), and the shelves that they are of; None: all."""

    ranges: tuple[tuple[int, int], ...]
    shelves: tuple[int, ...] | None = None

    @property
    def sifted(self) -> bool:
        """Whether the ranges hold more than the shelves, so that what is found in them is to be sifted."""
        return self.shelves is not None and self.ranges == EVERYWHERE


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
        return Scope(EVERYWHERE)
    rows = db.execute(
        "SELECT s.id, min(p.id), max(p.id) FROM shelves s JOIN passages p ON p.shelf = s.id"
        " WHERE s.sha256 IN (SELECT value FROM json_each(?)) GROUP BY s.id ORDER BY 2",
        (json.dumps(sorted(set(sha256s))),),
    ).fetchall()
    ranges: list[tuple[int, int]] = []
    for _, first, last in rows:  # a document's passages are neighbours, and so are often those of several
        if ranges and ranges[-1][1] + 1 == first:
            ranges[-1] = ranges[-1][0], last
        else:
            ranges.append((first, last))
    return Scope(tuple(ranges) if len(ranges) <= FEW else EVERYWHERE, tuple(shelf for shelf, _, _ in rows))


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
    return _met(db, Term("", tuple(codes), code=True).match, within, most)[:most]


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
    """The passages with rare terms, the best of them; with common ones where all stand together, or in the heading."""
    rare: dict[Term, int] = {}
    for term, count in sorted(counts.items(), key=lambda one: (one[1], one[0].shown)):
        if count and sum(rare.values()) + count <= LOOKED_AT:
            rare[term] = count
    common = [term for term in counts if counts[term] and term not in rare]
    found: set[int] = set()
    if rare and within.ranges == EVERYWHERE:
        found.update(_best(db, list(rare), within))
    elif rare:
        found |= _weighed(db, rare, within)
    if common:
        found.update(_met(db, " AND ".join(term.match for term in common), within)[:MET])
        found.update(_met(db, " AND ".join(term.in_title for term in common), within)[:MET])
        for term in common:
            found.update(_met(db, term.in_title, within)[:MET])
    return found


def _best(db: sqlite3.Connection, rare: Sequence[Term], within: Scope) -> list[int]:
    """The passages with any of the terms, by SQLite's BM25, which looks at each section of the library that has one."""
    order = f"ORDER BY bm25(passage_words, 4, 1, 3) LIMIT {LOOKED_AT if within.sifted else CANDIDATES}"
    return _found(db, " OR ".join(term.match for term in rare), within, order)[:CANDIDATES]


def _weighed(db: sqlite3.Connection, rare: dict[Term, int], within: Scope) -> set[int]:
    """The same among few documents, whose sections are looked at alone: by which terms they have, and where."""
    weights: dict[int, float] = defaultdict(float)
    for term, count in rare.items():
        for match, factor in ((term.match, 1.0), (term.in_title, TITLE)):
            for passage in _met(db, match, within, LOOKED_AT):
                weights[passage] += factor / math.log(count + 2)
    return set(sorted(weights, key=lambda passage: (-weights[passage], passage))[:CANDIDATES])


def _met(db: sqlite3.Connection, match: str, within: Scope, most: int = MET) -> list[int]:
    """The first passages that match, in their order."""
    return _found(db, match, within, f"LIMIT {SIFTED if within.sifted else most}")[:most]


def _found(db: sqlite3.Connection, match: str, within: Scope, order: str) -> list[int]:
    """The passages of the scope among those that match, as the order and its limit have them."""
    columns = "rowid AS passage FROM passage_words"
    query = f"SELECT {columns} WHERE passage_words MATCH ? AND rowid BETWEEN ? AND ? {order}"
    if not within.sifted:
        return [row[0] for between in within.ranges for row in db.execute(query, (match, *between))]
    [between] = within.ranges
    rows = db.execute(
        f"SELECT id FROM ({query}) CROSS JOIN passages ON id = passage"  # CROSS keeps the order
        " WHERE shelf IN (SELECT value FROM json_each(?))",
        (match, *between, json.dumps(within.shelves)),
    )
    return [row[0] for row in rows]


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
