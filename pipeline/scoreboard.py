"""How the results in the store fare against the truths beside them: for each document what is right, what waits for a
person, and what is wrong without anybody having been told.

Comes in: a `Store`. Goes out: a `Scored` for each result with a truth, the worst first, with decisions in place. Rows
are told by the document's verdict: of one that is in review, somebody is told. Refuses what the store refuses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pipeline import evaluate, fieldtruth, run
from pipeline.charts import FATES, FieldShare
from pipeline.model import Statement, UsageError
from pipeline.store import Store


@dataclass(frozen=True)
class Scored:
    """A result against its truth. counts: values by fate, in the order of `charts.FATES`; page: where to look first, 0
    where nothing is wrong.
    """

    sha256: str
    name: str
    kind: Literal["rows", "fields"]
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


def scored(store: Store) -> tuple[Scored, ...]:
    """Those with silent errors first, then those of which least is right."""
    found = [one for entry in store.documents() for one in _of(store, entry.sha256, entry.name)]
    return tuple(sorted(found, key=lambda one: (-one.silent, one.right / max(1, one.expected), one.name)))


def _of(store: Store, sha256: str, name: str) -> Iterator[Scored]:
    text = store.truth(sha256)
    if text is None:
        return
    for _, key in run.current(store, sha256):
        result = run.reviewed(store, sha256, key)
        truth = _rows_truth(text)
        if result and truth:
            counts, page = _rows(result.statement, truth)
            yield Scored(sha256, name, "rows", counts, page)
    for _, key in run.current_fields(store, sha256):
        judged = run.judged_fields(store, sha256, key)
        known = _fields_truth(text)
        if judged and known:
            scores = fieldtruth.scores(judged[0].invoices, known, judged[0].profile)
            off = [one for one in scores if one.outcome != "right"]
            first = sorted(off, key=lambda one: not one.silent)
            yield Scored(sha256, name, "fields", tuple(map(_fates(scores).count, range(len(FATES)))), _page(first))


def _rows_truth(text: str) -> evaluate.Truth | None:
    try:
        return evaluate.read_truth(text)
    except UsageError:
        return None  # it is about something else


def _fields_truth(text: str) -> tuple[fieldtruth.TruthField, ...]:
    try:
        return fieldtruth.read(text)
    except UsageError:
        return ()


def _rows(statement: Statement, truth: evaluate.Truth) -> tuple[tuple[int, ...], int]:
    """Rows of the truth, and those that are in none, by fate; and the page on which most is wrong."""
    frame = evaluate.page_accuracy(statement, truth)
    expected, found, right = (int(frame[name].sum()) for name in ("expected", "found", "right"))
    page = 0
    if max(expected, found) > right:
        page = int(frame.sort("accuracy", "page")["page"][0])
    if statement.reconciliation.action == "auto_import":
        return (right, 0, 0, max(expected, found) - right, 0), page
    held = min(right, sum(row.status == "review" for row in statement.rows))
    return (right - held, held, found - right, 0, max(0, expected - found)), page


def _fates(scores: tuple[fieldtruth.Score, ...]) -> list[int]:
    """The fate of each value, by its place in FATES."""
    fates = []
    for one in scores:
        confirmed = one.status == "confirmed"
        match one.outcome:
            case "right":
                fates.append(0 if confirmed else 1)
            case "missing":
                fates.append(4)
            case _:
                fates.append(3 if confirmed else 2)
    return fates


def _page(off: list[fieldtruth.Score]) -> int:
    return next((one.page for one in off if one.page), 0)
