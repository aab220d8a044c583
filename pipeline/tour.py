"""A tour of four samples: what a careless reader says, the check that catches it, and what is right.

Comes in: a sample as it was read. Goes out: a `Stop`: every claim of a careless reader, with what was done to it on
purpose (`fault`; empty: nothing), what the checks say of it, what is right, and where that stands. The reader is a
simulation, and called so; the checks are those of the commands, and see nothing of what was done.
Refuses nothing: a document that is no such sample gives fewer claims.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from pipeline import answer, citations, invoices, statements, witness
from pipeline.answer import Book, Given
from pipeline.citations import Cited
from pipeline.engine import Query
from pipeline.faulty import FaultyReader, Injected, Simulation
from pipeline.local import LocalEngine
from pipeline.model import Field, Finding, Outline, Place, Reading, Row, Statement
from pipeline.profiles import Profile
from pipeline.reread import Leaves

CODE = re.compile(r"[A-Z]{1,4}-\d{2,5}")
FIGURES = re.compile(r"\d")
PRODUCTS = 6
MISREAD = {"1": "7", "7": "1", "0": "8", "8": "0", "5": "6", "6": "5", "3": "8", "9": "4", "4": "9", "2": "7"}
MISSED = frozenset({21})  # the page of the statement on which rows are left out
ROWS = 4
MISREAD_FIELDS = ("tax_total", "due_date")
SHOWN = ("supplier_tax_id", "invoice_number", "issue_date", "due_date", "net_total", "tax_total", "gross_total", "iban")


@dataclass(frozen=True)
class Claim:
    """What the careless reader says. fault: what the simulation did to it, empty where it says what stands there;
    doubted: whether the checks hold it back, and why; right: what is right, where the checks tell; place: of that.
    """

    said: str
    fault: str
    doubted: bool
    why: str
    right: str
    place: Place | None

    @property
    def silent(self) -> bool:
        """Wrong, and nobody was told."""
        return bool(self.fault) and not self.doubted


@dataclass(frozen=True)
class Stop:
    """A sample's claims. result: what is known after the checks, in a sentence."""

    claims: tuple[Claim, ...]
    result: str

    @property
    def faults(self) -> int:
        return sum(bool(claim.fault) for claim in self.claims)

    @property
    def caught(self) -> int:
        return sum(bool(claim.fault) and claim.doubted for claim in self.claims)

    @property
    def alarms(self) -> int:
        """Right claims that are held back."""
        return sum(not claim.fault and claim.doubted for claim in self.claims)


# ---------------------------------------------------------------- a catalogue: which section a product is in


def catalogue(reading: Reading, outline: Outline) -> Stop:
    """Products with the section they are in; two of them are put into the section of another."""
    book = Book(outline.sections, reading)
    engine = LocalEngine()
    asked = ((code, answer.ask(f"Which category is {code} in?", book, engine)) for code in _codes(outline))
    found = list(islice(((code, one.given[0]) for code, one in asked if len(one.given) == 1), PRODUCTS))
    claims = [_product(book, found, at) for at in range(len(found))]
    wrong = sum(claim.doubted for claim in claims)
    return Stop(tuple(claims), f"{wrong} products stand in other sections than was said, and it is known in which.")


def _codes(outline: Outline) -> Iterator[str]:
    """A code of each table, for other tables first."""
    for section in outline.sections:
        for table in section.tables[:1]:
            for row in table.rows[:1]:
                yield from CODE.findall(" ".join(cell.text for cell in row.cells))[:1]


def _product(book: Book, found: Sequence[tuple[str, Given]], at: int) -> Claim:
    code, given = found[at]
    other = found[(at + 2) % len(found)][1]
    swapped = at in (1, 4) and other.section != given.section
    named = (other if swapped else given).verdict.cited.anchor
    verdict = book.checker.verdict(Cited(named, given.quote))
    said = book.retriever.by_id[named]
    return Claim(
        f"{code} is in {said.number or ''} {said.title}",
        f"the section of {found[(at + 2) % len(found)][0]} is named" if swapped else "",
        verdict.verdict != "verified",
        verdict.reason,
        " › ".join(section.title for section in given.above),
        witness.begins(verdict.source),
    )


# ---------------------------------------------------------------- an agreement: every clause about termination


def agreement(reading: Reading, outline: Outline) -> Stop:
    """The clauses about termination with their numbers; one quote is changed, one number too, one clause left out."""
    clauses = answer.clauses(Query("termination"), outline.sections, reading, LocalEngine())
    known = [clause for clause in clauses if clause.section and clause.section.anchor]
    checker = citations.Checker(tuple(outline.sections), reading)
    claims = []
    for at, clause in enumerate(known):
        assert clause.section
        right = f"{clause.section.number} {clause.section.title}"
        if at == len(known) - 1:
            fault, why = "left out", "the clauses by rules hold one that was not named"
            claims.append(Claim("(says nothing)", fault, True, why, right, witness.begins(clause.verdict.source)))
            continue
        named, quote, fault = clause.section, clause.quote, ""
        if at == 1:
            quote, fault = _reworded(quote), "the quote is changed"
        elif at == 3 and (other := known[0].section):
            named, fault = other, f"the number of another clause is given ({other.number})"
        verdict = checker.verdict(Cited(named.anchor or named.section_id, quote))
        said = f"{named.number}: “{_short(quote)}”"
        begins = witness.begins(verdict.source) or witness.begins(clause.verdict.source)
        claims.append(Claim(said, fault, verdict.verdict != "verified", verdict.reason, right, begins))
    return Stop(tuple(claims), f"There are {len(known)} clauses about termination, each with its number and its place.")


def _reworded(quote: str) -> str:
    """A quote that says something else: a figure of it, or its last words."""
    if found := FIGURES.search(quote):
        return quote[: found.start()] + MISREAD[found[0]] + quote[found.end() :]
    return f"{quote.rsplit(' ', 3)[0]} at its sole discretion"


def _short(text: str, most: int = 110) -> str:
    return text if len(text) <= most else f"{text[:most].rsplit(' ', 1)[0]} …"


# ---------------------------------------------------------------- a scanned invoice: the VAT on a faint scan


def invoice(reading: Reading, leaves: Leaves) -> Stop:
    """The first page's invoice: figures of its tax and its due date are misread. leaves: pictures of its pages."""
    first = replace(reading, pages=reading.pages[:1])
    found = invoices.extract(first, Profile(), LocalEngine(), leaves=leaves)
    known = [
        field for field in found.fields if field.name in SHOWN and field.second_read and field.first_read == field.value
    ]
    claims = [_value(field) for field in known]
    wrong = sum(claim.doubted for claim in claims)
    return Stop(tuple(claims), f"{len(known)} values were read twice, by readers apart; {wrong} are not what was said.")


def _value(field: Field) -> Claim:
    """A field as it is said, held against the two reads of it, of which neither reader knows the other's."""
    misread = field.name in MISREAD_FIELDS
    said = _misread(field.normalised) if misread else field.normalised
    doubted = said != field.normalised
    why = f"the first reader sees “{field.first_read}” there, the second “{field.second_read}”"
    fault = "a figure is misread" if misread else ""
    name = field.name.replace("_", " ")
    return Claim(f"{name} {said}", fault, doubted, why, field.value, next(iter(field.places), None))


def _misread(value: str) -> str:
    """The value with its last figure taken for one that looks like it."""
    *_, last = FIGURES.finditer(value)
    return value[: last.start()] + MISREAD[last[0]] + value[last.end() :]


# ---------------------------------------------------------------- a statement: line items that must add up


def statement(reading: Reading, told: Callable[[int, int], None] | None = None) -> Stop:
    """The rows of a statement of which four of one page are left out. told: windows read, of how many."""
    engine = FaultyReader(LocalEngine(), Simulation(("drop",), seed=4, curve=(1.0,), pages=MISSED, most=ROWS))
    careless = statements.extract(reading, Profile(), engine, told)
    right = statements.extract(reading, Profile(), LocalEngine())
    claims = [_row(one, careless, right) for one in engine.injected]
    whole = next((scope for scope in right.reconciliation.scopes if scope.scope == "document"), None)
    closes = f"{whole.computed:,} {whole.currency} printed and computed" if whole and not whole.delta else "no total"
    kept = Claim(f"{len(careless.rows)} rows", "", False, "each stands on its page", f"{len(right.rows)} rows", None)
    return Stop((*claims, kept), f"Read with care: {len(right.rows)} rows, {closes}, {right.reconciliation.action}.")


def _row(fault: Injected, careless: Statement, right: Statement) -> Claim:
    held = careless.reconciliation.action == "human_review"
    naming = [one for one in careless.findings if one.page == fault.page or f"page {fault.page}" in one.message]
    row = next((row for row in right.rows if row.page == fault.page and _stands(row, fault.before)), None)
    place = Place(row.page, row.box) if row else None
    return Claim(
        "(says nothing)", f"left out: {fault.before}", held and bool(naming), _first(naming), fault.before, place
    )


def _stands(row: Row, before: str) -> bool:
    """Whether a row is the one that a fault was done to, by what it prints."""
    return all(cell.source.quote in before for cell in row.cells if cell.column in ("date", "amount", "description"))


def _first(findings: Sequence[Finding]) -> str:
    return findings[0].message if findings else ""
