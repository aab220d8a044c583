"""How the results in the store fare against the truths beside them: for each document what is right, what waits for a
person, and what is wrong without anybody having been told.

Comes in: a `Store`. Goes out: a `Scored` for each result with a truth, the worst first, with decisions in place. Rows
are told by the document's verdict: of one that is in review, somebody is told. Refuses what the store refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import Literal

from pipeline import decisions, evaluate, fieldtruth, run
from pipeline.charts import FATES, FieldShare
from pipeline.fieldtruth import Tally
from pipeline.store import Key, Store

Kind = Literal["rows", "fields"]
Found = tuple[tuple[int, ...], int]  # counts by fate, and a page


@dataclass(frozen=True)
class Scored:
    """A result against its truth. counts: values by fate, in the order of `charts.FATES`; page: where to look first, 0
    where nothing is wrong.
    """

    sha256: str
    name: str
    kind: Kind
    counts: tuple[int, ...]
    page: int

    def count(self, *fates: str) -> int:
        """How many values met these fates."""
        return sum(count for fate, count in zip(FATES, self.counts, strict=True) if fate.name in fates)

    @property
    def expected(self) -> int:
        return sum(self.counts)

    @property
    def right(self) -> int:
        return self.count("right, confirmed", "right, in review")

    @property
    def review(self) -> int:
        return self.count("right, in review", "wrong, in review")

    @property
    def silent(self) -> int:
        return self.count("wrong, confirmed")

    @property
    def share(self) -> FieldShare:
        """As `charts.field_shares` draws it."""
        return FieldShare(self.name, self.counts)


@dataclass(frozen=True)
class Case:
    """A result with a truth, and all that its score depends on. decided: how many decisions its document has."""

    sha256: str
    name: str
    kind: Kind
    key: Key
    truth: str
    decided: int


def scored(store: Store) -> tuple[Scored, ...]:
    """All results that have a truth, the worst first."""
    return ordered(score(store, case) for case in cases(store))


def cases(store: Store) -> Iterator[Case]:
    """The newest results of documents with a truth."""
    rows, fields = dict(run.current(store)), dict(run.current_fields(store))
    for entry in store.documents():
        keys: dict[Kind, Key | None] = {"rows": rows.get(entry.sha256), "fields": fields.get(entry.sha256)}
        if any(keys.values()) and (text := store.truth(entry.sha256)):
            decided = len(decisions.of(store, entry.sha256))
            for kind, key in keys.items():
                if key:
                    yield Case(entry.sha256, entry.name, kind, key, text, decided)


def score(store: Store, case: Case) -> Scored | None:
    """A result against its truth; None: it is gone, or the truth is about something else."""
    found = _rows(store, case) if case.kind == "rows" else _fields(store, case)
    return Scored(case.sha256, case.name, case.kind, *found) if found else None


def ordered(found: Iterable[Scored | None]) -> tuple[Scored, ...]:
    """Those with silent errors first, then those of which least is right."""
    return tuple(sorted(filter(None, found), key=lambda one: (-one.silent, one.right / max(1, one.expected), one.name)))


def _rows(store: Store, case: Case) -> Found | None:
    """Rows of the truth, and those that are in none, by fate; and the page on which most is wrong."""
    truth = evaluate.known(case.truth)
    result = run.reviewed(store, case.sha256, case.key) if truth else None
    if not truth or not result:
        return None
    statement = result.statement
    frame = evaluate.page_accuracy(statement, truth)
    expected, found, right = (int(frame[name].sum()) for name in ("expected", "found", "right"))
    page = int(frame.sort("accuracy", "page")["page"][0]) if max(expected, found) > right else 0
    if statement.reconciliation.action == "auto_import":
        return (right, 0, 0, max(expected, found) - right, 0), page
    held = min(right, sum(row.status == "review" for row in statement.rows))
    return (right - held, held, found - right, 0, max(0, expected - found)), page


def _fields(store: Store, case: Case) -> Found | None:
    """Fields of the truth, and those of its names that are in none and so are wrong, by fate; and where to look."""
    truth = fieldtruth.known(case.truth)
    judged = run.judged_fields(store, case.sha256, case.key) if truth else None
    if not judged:
        return None
    made = fieldtruth.scores(judged[0].invoices, truth, judged[0].profile)
    scores = [replace(one, outcome="wrong") if one.outcome == "extra" else one for one in made]
    off = sorted((one for one in made if one.outcome != "right" and one.page), key=lambda one: not one.silent)
    return reduce(Tally.plus, scores, Tally("")).counts, off[0].page if off else 0
