"""Fields of invoices against truth: which are right, which are wrong and said so, which are wrong and confirmed.

Comes in: `Invoices`, and truth as JSON (`X.truth.json` beside a sample, or what the command `fields` prints) or CSV
with the columns invoice, name and value. Goes out: a `Score` for each field of either side. Refuses, as UsageError: a
truth that cannot be understood. Invoices are matched by their pages, line items and taxes by what they hold, not by
their numbers: a line that was missed makes one line wrong, not all behind it.
"""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from pipeline import amounts, fieldnames, labels
from pipeline.model import Field, Invoices, Status, UsageError
from pipeline.profiles import FieldProfile

Outcome = Literal["right", "wrong", "missing", "extra"]


@dataclass(frozen=True)
class TruthField:
    """A field that is known. normalised: as `Field.normalised`, or empty where only the printed value is known; page: 0
    where it is not known.
    """

    invoice: int
    name: str
    value: str
    normalised: str = ""
    page: int = 0


@dataclass(frozen=True)
class Score:
    """A field of the truth, the field that was found for it, or one that the truth does not have (`extra`).

    page: 0 where it is not known; status: of the field that was found.
    """

    page: int
    name: str
    outcome: Outcome
    status: Status | None
    expected: str
    found: str

    @property
    def silent(self) -> bool:
        """Whether it is wrong and nobody was told."""
        return self.outcome == "wrong" and self.status == "confirmed"


def read(text: str, name: str = "truth.json") -> tuple[TruthField, ...]:
    """Truth from JSON text, or from CSV text where `name` ends with .csv."""
    try:
        found = tuple(_csv(text) if name.lower().endswith(".csv") else _json(text))
    except (ValueError, TypeError, KeyError, AttributeError, csv.Error) as error:
        raise UsageError(
            f"{name} is no truth: it needs fields with invoice, name and value. Look at"
            " sample_docs/invoices_scanned.truth.json."
        ) from error
    if not found:
        raise UsageError(f"{name} holds no fields. Look at sample_docs/invoices_scanned.truth.json for the shape.")
    return found


def known(text: str | None) -> tuple[TruthField, ...]:
    """The truth about fields in a text, empty where it holds none: one about rows or sections says nothing of them."""
    try:
        return read(text) if text else ()
    except UsageError:
        return ()


def to_json(truth: Iterable[TruthField], beside: str | None = None) -> str:
    """The truth as JSON text that `read` understands. beside: the document's truth so far, whose other parts stay."""
    old = json.loads(beside) if beside else {}
    fields = [
        {"invoice": one.invoice, "name": one.name, "value": one.value, "normalised": one.normalised, "page": one.page}
        for one in truth
    ]
    return json.dumps({**(old if isinstance(old, dict) else {}), "fields": fields}, ensure_ascii=False)


def _json(text: str) -> Iterator[TruthField]:
    told: Any = json.loads(text)
    for one in told["fields"] if isinstance(told, dict) else told:
        yield _field(one)


def _csv(text: str) -> Iterator[TruthField]:
    body = text.removeprefix("\ufeff")
    separator = max(",;\t", key=body.split("\n", 1)[0].count)
    for row in csv.DictReader(io.StringIO(body), delimiter=separator, strict=True):
        yield _field({key: (value or "").removeprefix("'") for key, value in row.items() if key})


def _field(one: Mapping[str, Any]) -> TruthField:
    value, normalised = (str(one.get(key) or "") for key in ("value", "normalised"))
    if not (one["name"] and (value or normalised)):
        raise ValueError("a field without a name or a value")
    return TruthField(int(one.get("invoice") or 1), str(one["name"]), value, normalised, int(one.get("page") or 0))


# ---------------------------------------------------------------- comparing


def scores(found: Invoices, truth: Sequence[TruthField], profile: FieldProfile) -> tuple[Score, ...]:
    """Each field of the truth with what was found for it, then what was found beside, in the order of the truth.

    Only names that the truth has are looked for among what was found beside.
    """
    compare = _Compare(profile)
    matched = _matched_invoices(found, truth)
    left = {id(field): field for field in found.fields}
    made = []
    for invoice, known in _by_invoice(truth).items():
        here = [field for field in found.fields if field.invoice == matched.get(invoice)]
        for one, field in zip(known, compare.pairs(known, here), strict=True):
            if field:
                left.pop(id(field))
            made.append(compare.score(one, field))
    names = {labels.bare(one.name)[0] for one in truth}
    extra = [field for field in left.values() if labels.bare(field.name)[0] in names]
    return (*made, *(Score(_page(field), field.name, "extra", field.status, "", field.value) for field in extra))


def _by_invoice(truth: Iterable[TruthField]) -> dict[int, list[TruthField]]:
    groups: dict[int, list[TruthField]] = defaultdict(list)
    for one in truth:
        groups[one.invoice].append(one)
    return groups


def _matched_invoices(found: Invoices, truth: Sequence[TruthField]) -> dict[int, int]:
    """Which invoice of the result each one of the truth is: the one that shares most of its fields' pages, else the one
    with the same number.
    """
    owners = {page: number for number, pages in enumerate(found.pages, 1) for page in pages}
    matched = {}
    for invoice, known in _by_invoice(truth).items():
        votes = Counter(owners[one.page] for one in known if one.page in owners)
        matched[invoice] = votes.most_common(1)[0][0] if votes else invoice
    return matched


def _page(field: Field) -> int:
    return field.places[0].page if field.places else 0


@dataclass(frozen=True)
class _Compare:
    """Compares values by what their fields hold."""

    profile: FieldProfile

    def pairs(self, known: Sequence[TruthField], here: Sequence[Field]) -> list[Field | None]:
        """For each field of the truth the one that was found for it."""
        numbers = self._numbers(known, here)
        by_name = {field.name: field for field in reversed(here)}
        return [by_name.get(numbers.get(one.name, one.name)) for one in known]

    def _numbers(self, known: Sequence[TruthField], here: Sequence[Field]) -> dict[str, str]:
        """What each numbered name of the truth is called in the result: lines that hold the most of the same first."""
        lines, others = _lines((one.name, one) for one in known), _lines((field.name, field) for field in here)
        rated = sorted(
            (-self._alike(mine, theirs), abs(at[1] - to[1]), at, to)
            for at, mine in lines.items()
            for to, theirs in others.items()
            if at[0] == to[0]
        )
        taken: dict[tuple[str, int], tuple[str, int]] = {}
        for _, _, at, to in rated:
            if at not in taken and to not in taken.values():
                taken[at] = to
        return {
            one.name: labels.numbered(part, taken.get((labels.group_of(part), number), ("", -1))[1])
            for one in known
            for part, number in [labels.bare(one.name)]
            if number
        }

    def _alike(self, mine: Mapping[str, TruthField], theirs: Mapping[str, Field]) -> int:
        return sum(part in theirs and self.same(one, theirs[part]) for part, one in mine.items())

    def same(self, one: TruthField, field: Field) -> bool:
        """Whether the field holds what is known of it."""
        kind = fieldnames.kind(one.name, self.profile)
        if one.normalised:
            return _plain(one.normalised, kind) == _plain(field.normalised, kind)
        return _plain(one.value, kind) in (_plain(field.value, kind), _plain(field.normalised, kind))

    def score(self, one: TruthField, field: Field | None) -> Score:
        expected = one.normalised or one.value
        if field is None:
            return Score(one.page, one.name, "missing", None, expected, "")
        outcome: Outcome = "right" if self.same(one, field) else "wrong"
        return Score(
            one.page or _page(field), one.name, outcome, field.status, expected, field.normalised or field.value
        )


def _lines(named: Iterable[tuple[str, Any]]) -> dict[tuple[str, int], dict[str, Any]]:
    """What is numbered, by group and number: its parts by their names."""
    found: dict[tuple[str, int], dict[str, Any]] = defaultdict(dict)
    for name, value in named:
        base, number = labels.bare(name)
        if number:
            found[labels.group_of(base), number][base] = value
    return found


def _plain(text: str, kind: str) -> str:
    """A value as it is compared: numbers without trailing zeros, text with single spaces."""
    if kind in ("amount", "rate"):
        try:
            return amounts.plain(Decimal(text.rstrip("% ")).normalize())
        except InvalidOperation:
            read = amounts.parse(text, None)
            return amounts.plain(read.value.normalize()) if read else text
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    return plain.replace(" ", "") if kind == "identifier" else plain


# ---------------------------------------------------------------- counting


@dataclass(frozen=True)
class Tally:
    """Of a page or a field: how many are right and confirmed, right and in review, wrong and in review, wrong and
    confirmed, missing.
    """

    of: str
    confirmed: int = 0
    right: int = 0
    doubted: int = 0
    silent: int = 0
    missing: int = 0

    @property
    def counts(self) -> tuple[int, ...]:
        """In the order of `charts.FATES`."""
        return self.confirmed, self.right, self.doubted, self.silent, self.missing

    @property
    def count(self) -> int:
        return sum(self.counts)

    def plus(self, score: Score) -> Tally:
        """With one more field; what the truth does not have counts for nothing."""
        match score:
            case Score(outcome="right"):
                part = "confirmed" if score.status == "confirmed" else "right"
            case Score(outcome="wrong"):
                part = "silent" if score.silent else "doubted"
            case Score(outcome="missing"):
                part = "missing"
            case _:
                return self
        return replace(self, **{part: getattr(self, part) + 1})


def by_page(made: Iterable[Score]) -> dict[int, Tally]:
    """A tally for each page, from the first."""
    found: dict[int, Tally] = {}
    for score in made:
        found[score.page] = found.get(score.page, Tally(f"page {score.page}")).plus(score)
    return {page: found[page] for page in sorted(found)}


def by_field(made: Iterable[Score]) -> tuple[Tally, ...]:
    """A tally for each field without its number, in the order in which fields are sought."""
    found: dict[str, Tally] = {}
    for score in made:
        base, _ = labels.bare(score.name)
        found[base] = found.get(base, Tally(fieldnames.shown(base))).plus(score)
    order = [*labels.standard(), *found]
    return tuple(found[base] for base in sorted(found, key=order.index))
