"""Sums, products and balances held against what is printed; the verdict on a document.

Comes in: scopes (a printed total, the sum of its rows) and typed rows. Goes out: `Reconciliation`, `Check`s and
`Finding`s in plain words. Pure: nothing is read, nothing rounded away. Amounts of two currencies are never added.
auto_import needs a printed total of the document, its suppliers or its account over every row, all printed sums
closing within the profile's tolerance, and no row in review; all else is human_review, with the reason said.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

from pipeline import suspects
from pipeline.amounts import plain
from pipeline.model import Check, Finding, Place, Reconciliation, Row, Scope, Severity
from pipeline.profiles import StatementProfile
from pipeline.suspects import Pages, Suspicion, suspicion

UNPROVEN = suspects.UNPROVEN
MONEY = ("amount", "debit", "credit")
SUBTOTAL = "subtotal"  # names a document scope that is printed before the grand total and names no supplier
SIDES = ("debits", "credits")  # name the scopes of an account's two sums
WHOLE = ("document", "supplier", "account")


def closes(scope: Scope, profile: StatementProfile) -> bool:
    """Whether a printed total agrees with its rows: |delta| at most the absolute or the relative tolerance."""
    if scope.delta is None or scope.printed is None:
        return False
    return abs(scope.delta) <= max(profile.tolerance, profile.relative_tolerance * abs(scope.printed))


@dataclass(frozen=True)
class Missing:
    """A line that looks like a row and is in none: where, under which supplier, and its amount where one is read."""

    place: Place
    supplier: str
    currency: str
    amount: Decimal | None
    text: str


@dataclass(frozen=True)
class Facts:
    """What speaks for and against a statement beside its sums: its rows, for each sum the places in them of those that
    it covers (empty: as its name says), and lines that look like rows and are in none.
    """

    rows: Sequence[Row] = ()
    covered: Sequence[Sequence[int]] = ()
    missing: Sequence[Missing] = ()

    def covers(self, scopes: Sequence[Scope]) -> list[tuple[int, ...]]:
        """For each scope, the places of its rows."""
        if self.covered:
            return [tuple(sorted(held)) for held in self.covered]
        return [tuple(at for at, row in enumerate(self.rows) if _is_of(row, scope)) for scope in scopes]


def _is_of(row: Row, scope: Scope) -> bool:
    match scope.scope:
        case "page":
            return row.page == scope.page and row.currency == scope.currency
        case "supplier":
            return row.value("supplier") == scope.name and row.currency == scope.currency
    return row.currency == scope.currency


def reconcile(
    scopes: Sequence[Scope], profile: StatementProfile, facts: Facts = Facts()
) -> tuple[Reconciliation, tuple[Finding, ...]]:
    """The verdict on the scopes, and on the rows' own status, with a finding for each thing that speaks against it."""
    rows = facts.rows
    failing = _failing(scopes, profile, facts)
    off = [one.scope for one in failing]
    left = [line for line in facts.missing if not _stands_in(line, rows)]
    strays = _strays(off, rows)
    settled = [scope for stray in strays for scope in stray.scopes]
    findings = [
        *(_under_another(stray, rows) for stray in strays),
        *_differences([one for one in failing if one.scope not in settled], rows, left),
        *_unread(left, off),
        *_uncovered(scopes, rows),
        *_in_review(rows, off),
    ]
    return Reconciliation("human_review" if findings else "auto_import", tuple(scopes)), tuple(findings)


@dataclass(frozen=True)
class _Failing:
    """A sum that differs, the rows that it covers, and the places among them of those that another sum vouches for."""

    scope: Scope
    rows: tuple[Row, ...]
    cleared: frozenset[int]

    @property
    def delta(self) -> Decimal:
        assert self.scope.delta is not None
        return self.scope.delta


def _failing(scopes: Sequence[Scope], profile: StatementProfile, facts: Facts) -> list[_Failing]:
    sums = [(scope, held) for scope, held in zip(scopes, facts.covers(scopes), strict=True)]
    sound = [frozenset(held) for scope, held in sums if closes(scope, profile)]
    return [
        _Failing(scope, tuple(facts.rows[at] for at in held), _cleared(held, sound))
        for scope, held in sums
        if scope.printed is not None and not closes(scope, profile)
    ]


def _cleared(held: Sequence[int], sound: Sequence[frozenset[int]]) -> frozenset[int]:
    """The places in `held` of rows that a sum that agrees vouches for. Where one over all of them agrees, no amount is
    wrong: a row is in the wrong place, which the sums within it do not tell.
    """
    own = frozenset(held)
    if any(own <= others for others in sound):
        return frozenset()
    known = frozenset().union(*sound)
    return frozenset(place for place, at in enumerate(held) if at in known)


def _stands_in(line: Missing, rows: Sequence[Row]) -> bool:
    """Whether a row has its amount on the line by now."""
    return any(_has_amount_at(row, line) for row in rows if row.page == line.place.page)


def _has_amount_at(row: Row, line: Missing) -> bool:
    """By its cell's place; a row that a person added has none, but the line's box or its amount."""
    middle = line.place.box.middle[1]
    money = [cell for cell in row.cells if cell.column in MONEY]
    places = [place for cell in money for place in cell.source.places if place.page == line.place.page]
    if places:
        return any(place.box.top <= middle <= place.box.bottom for place in places)
    same = line.amount is not None and any(
        cell.value in (plain(line.amount), plain(abs(line.amount))) for cell in money
    )
    return same or row.box.top <= middle <= row.box.bottom


def _differences(failing: list[_Failing], rows: Sequence[Row], missing: Sequence[Missing]) -> list[Finding]:
    """One finding for each cause: scopes that differ by the same sum are named together, the narrowest first."""
    causes: dict[tuple[str, Decimal], list[_Failing]] = defaultdict(list)
    for one in failing:
        causes[one.scope.currency, one.delta].append(one)
    groups: list[list[_Failing]] = []
    for group in causes.values():
        pages = [one for one in group if one.scope.scope == "page"]
        alone = [[one] for one in group]
        groups += alone if len(pages) > 1 else [sorted(group, key=lambda one: WIDTH[one.scope.scope])]
    return [_difference(group, rows, missing) for group in groups]


WIDTH = {"page": 0, "supplier": 1, "account": 2, "document": 3}


@dataclass(frozen=True)
class _Stray:
    """A row that one supplier lacks to the cent and that stands under another; the sums that fail by it."""

    row: Row
    lacking: Scope
    scopes: tuple[Scope, ...]


def _strays(failing: Sequence[Scope], rows: Sequence[Row]) -> list[_Stray]:
    """Rows under a wrong supplier: where only suppliers' sums fail by an amount, and one row alone explains it."""
    wider = {(scope.currency, scope.delta) for scope in failing if scope.scope != "supplier"}
    found: list[_Stray] = []
    for scope in failing:
        if scope.scope != "supplier" or scope.delta is None or (scope.currency, scope.delta) in wider:
            continue
        row = _only_row(scope.name, scope.currency, scope.delta, rows)
        if row is None:
            continue
        other = [one for one in failing if one.name == row.value("supplier") and one.delta == -scope.delta]
        over = [one for one in other if one.scope == "supplier" and one.currency == scope.currency]
        if over or not _has_sum(row.value("supplier"), failing):
            found.append(_Stray(row, scope, (scope, *over)))
    return found


def _has_sum(supplier: str | None, failing: Sequence[Scope]) -> bool:
    return any(scope.scope == "supplier" and scope.name == supplier for scope in failing)


def _only_row(supplier: str, currency: str, amount: Decimal, rows: Sequence[Row]) -> Row | None:
    """The one row of the amount that stands under another supplier, beside rows of this one where several do."""
    held = [
        at
        for at, row in enumerate(rows)
        if row.currency == currency and row.value("supplier") != supplier and row.value("amount") == plain(amount)
    ]
    beside = [at for at in held if supplier in (one.value("supplier") for one in rows[max(0, at - 1) : at + 2])]
    chosen = beside or held
    return rows[chosen[0]] if len(chosen) == 1 else None


def _under_another(stray: _Stray, rows: Sequence[Row]) -> Finding:
    row, name = stray.row, stray.row.value("supplier") or "no name"
    assert stray.lacking.delta is not None
    money = f"{plain(stray.lacking.delta)} {stray.lacking.currency}".strip()
    where = f"page {row.page}, supplier {stray.lacking.name}"
    message = f"{where}: its total lacks {money}, and a row of that amount stands under {name}"
    return Finding("total_differs", "error", message + _read_in(row.page, rows), row.page, row.box)


def _explaining(scope: Scope, missing: Sequence[Missing]) -> list[Missing]:
    """The lines in no row that make up the scope's difference to the cent, all of them or one alone; else none."""
    mine = [line for line in missing if line.currency == scope.currency]
    within = [line for line in mine if _holds(scope, line)]
    if within and sum((line.amount or Decimal(0) for line in within), Decimal(0)) == scope.delta:
        return within
    alone = [line for line in mine if line.amount == scope.delta and (line in within or scope.scope != "page")]
    return alone if len(alone) == 1 else []


def _holds(scope: Scope, line: Missing) -> bool:
    match scope.scope:
        case "page":
            return scope.page == line.place.page
        case "supplier":
            return scope.name == line.supplier
    return True


def _difference(group: list[_Failing], rows: Sequence[Row], missing: Sequence[Missing]) -> Finding:
    narrowest = group[0].scope
    lost = _explaining(narrowest, missing)
    lines = [line for line in missing if _holds(narrowest, line) or not group[0].rows]
    found = _lying_on(lost) if lost else _where(group, rows, lines)
    page = found.pages[0] if found.pages else None
    message = f"{', '.join(_named(group, found, rows, lost))}: {_lost(narrowest, lost)}{difference(narrowest)}"
    if len(group) > 1 and group[-1].scope.scope == "document":
        message += " (the document's total differs by the same)"
    if not lost and group[0].rows:
        message += _told(found)
    box = lost[0].place.box if lost else found.row.box if found.row else None
    pages = found.pages if len(found.pages) > 1 else ()
    return Finding("total_differs", "error", message + _read_in(page, rows), page, box, pages)


def _named(group: list[_Failing], found: Suspicion, rows: Sequence[Row], lost: list[Missing]) -> list[str]:
    """The page to blame where there is one, the sums, and the supplier of the rows concerned."""
    narrowest = group[0].scope
    names = [named(one.scope) for one in group if one.scope.scope != "document"] or [named(narrowest)]
    if (lost or (found.sure and group[0].rows)) and narrowest.scope != "page":
        within = _pages(line.place.page for line in lost) if lost else f"page {found.pages[0]}"
        names = [within, *(name for name in names if "whole document" not in name)]
    suppliers = {line.supplier for line in lost} if lost else _suppliers_on(narrowest, rows)
    if len(suppliers) == 1 and (one := suppliers.pop()) and not any(each.scope.scope == "supplier" for each in group):
        names.append(f"supplier {one}")
    return list(dict.fromkeys(names))


def _lying_on(lines: Sequence[Missing], others: Sequence[int] = ()) -> Suspicion:
    """The pages of the lines, then others."""
    pages = dict.fromkeys(line.place.page for line in lines)
    return Suspicion(tuple(dict.fromkeys((*pages, *others))), sure=len(pages) == 1)


def _where(group: Sequence[_Failing], rows: Sequence[Row], open_lines: Sequence[Missing]) -> Suspicion:
    """The pages that the difference may lie on: that of a page's sum, those that evidence names, else of its rows."""
    one = group[0]
    printed_on = next((held.scope.page for held in group if held.scope.page is not None), None)
    held = {row.page for row in rows}
    bare = [page for page in range(1, max(held, default=0)) if page not in held]
    found = suspicion(one.delta, one.rows or rows, one.cleared, Pages(printed_on, bare))
    if one.scope.scope == "page" and one.scope.page is not None:
        row = found.row if found.row and found.row.page == one.scope.page else None
        return Suspicion((one.scope.page,), True, row, found.why if row else "")
    if not (found.sure and found.row) and (other := _in_other_currency(one, rows)):
        return Suspicion((other.page,), True, other, "the amount of one row that is in another currency")
    return _lying_on(open_lines, found.pages) if open_lines and not (found.sure and found.row) else found


def _in_other_currency(one: _Failing, rows: Sequence[Row]) -> Row | None:
    """The one row of another currency that has the amount that lacks."""
    held = [row for row in rows if row.currency != one.scope.currency and row.value("amount") == plain(one.delta)]
    return held[0] if len(held) == 1 else None


def _told(found: Suspicion) -> str:
    """The evidence in words; without any, where the rows stand."""
    if found.why and found.row:
        return f", {found.why}, on page {found.row.page}"
    if len(found.pages) < 2:
        return ""
    first, last = min(found.pages), max(found.pages)
    return f"; its rows stand on pages {first} to {last}, look first on page {found.pages[0]}"


def _suppliers_on(scope: Scope, rows: Sequence[Row]) -> set[str]:
    """The suppliers of a page's rows."""
    if scope.scope != "page":
        return set()
    return {row.value("supplier") or "" for row in rows if row.page == scope.page}


def _lost(scope: Scope, lost: Sequence[Missing]) -> str:
    """`4 rows are missing, 312.40 EUR short; ` where lines in no row make up the difference."""
    if not lost or scope.delta is None:
        return ""
    count = f"{len(lost)} rows are" if len(lost) > 1 else "1 row is"
    money = f"{plain(abs(scope.delta))} {scope.currency}".strip()
    return f"{count} missing, {money} {'short' if scope.delta > 0 else 'over'}; "


def _read_in(page: int | None, rows: Sequence[Row]) -> str:
    """The windows that read the page, where rows say so."""
    numbers = sorted({number for row in rows if row.page == page for number in row.windows})
    return f", read in window{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}" if numbers else ""


def _pages(pages: Iterable[int]) -> str:
    numbers = sorted(set(pages))
    return f"page{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"


def _unread(missing: Sequence[Missing], failing: Sequence[Scope]) -> list[Finding]:
    """Lines in no row that no difference accounts for, one finding a page."""
    told = {id(line) for scope in failing for line in _explaining(scope, missing)}
    by_page: dict[int, list[Missing]] = defaultdict(list)
    for line in missing:
        if id(line) not in told:
            by_page[line.place.page].append(line)
    findings = []
    for page, lines in by_page.items():
        first = lines[0]
        many = f"{len(lines)} lines look like rows and are in none, the first" if len(lines) > 1 else ""
        what = many or "a line looks like a row and is in none"
        message = f"page {page}: {what}: “{first.text[:120]}”"
        findings.append(Finding("line_missed", "warning", message, page, first.place.box))
    return findings


def named(scope: Scope) -> str:
    """What a sum covers, in words."""
    match scope.scope:
        case "page":
            return f"page {scope.page}"
        case "document":
            return "the whole document" + (f", page {scope.page}" if scope.page else "")
    return f"{scope.scope} {scope.name}".strip()


def difference(scope: Scope) -> str:
    """What is printed, what the rows give, and which way they part."""
    assert scope.printed is not None and scope.delta is not None
    money = f" {scope.currency}" if scope.currency else ""
    way = "missing" if scope.delta > 0 else "too much"
    sums = f"printed {plain(scope.printed)}, rows sum to {plain(scope.computed)}"
    return f"{sums}: {plain(abs(scope.delta))}{money} {way}"


def _uncovered(scopes: Sequence[Scope], found: Sequence[Row]) -> list[Finding]:
    """Currencies whose rows no printed total covers."""
    by_currency: dict[str, list[Scope]] = defaultdict(list)
    for scope in scopes:
        by_currency[scope.currency].append(scope)
    findings = []
    if not any(scope.rows for scope in scopes):
        findings.append(
            Finding("no_rows", "error", "no row was found: no table with known column titles, or none with rows")
        )
    for currency, group in by_currency.items():
        rows = sum(scope.rows for scope in group if scope.scope == "document" and scope.name != SUBTOTAL)
        if rows and not covered(group, rows):
            where = f" in {currency}" if currency and len(by_currency) > 1 else ""
            message = f"no printed total was found that covers all {rows} rows{where}: nothing proves that they are all"
            pages = {row.page for row in found if row.currency == currency}
            findings.append(Finding("no_total", "error", message, pages.pop() if len(pages) == 1 else None))
    return findings


def covered(scopes: Sequence[Scope], rows: int) -> bool:
    """Whether printed totals of one kind (document, suppliers, balances, or both sides) cover all `rows`."""
    kinds: dict[str, int] = defaultdict(int)
    for scope in scopes:
        if scope.printed is not None and scope.scope in WHOLE and scope.name != SUBTOTAL:
            kinds["sides" if scope.name in SIDES else scope.scope] += scope.rows
    return any(count >= rows for count in kinds.values())


def _in_review(rows: Sequence[Row], failing: Sequence[Scope]) -> list[Finding]:
    """One finding for each reason, with its pages; a row's own place where it is the only one.

    Rows that lack but a sum that closes wait for the sums that fail, which have findings of their own.
    """
    by_reason: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.status == "review":
            by_reason[row.reasons[0] if row.reasons else "not confirmed"].append(row)
    findings = []
    for reason, group in by_reason.items():
        first = group[0]
        pages = sorted({row.page for row in group})
        if len(group) == 1:
            findings.append(Finding("row", "warning", f"page {first.page}: {reason}", first.page, first.box))
        else:
            shown = ", ".join(map(str, pages[:8])) + (" …" if len(pages) > 8 else "")
            where = f"page{'s' * (len(pages) > 1)} {shown}"
            severity: Severity = "info" if reason == UNPROVEN and failing else "warning"
            message = f"{where}: {len(group)} rows: {reason}"
            findings.append(Finding("rows", severity, message, first.page, first.box, tuple(pages)))
    return findings


# ---- arithmetic of one row


def product(quantity: Decimal, unit_price: Decimal, amount: Decimal) -> Check:
    """quantity × unit price = amount, rounded as the amount is printed; a credit may carry its minus on one alone."""
    exact = quantity * unit_price
    smallest = Decimal(1).scaleb(int(amount.as_tuple().exponent))
    rounded = {exact.quantize(smallest, how) for how in (ROUND_HALF_UP, ROUND_HALF_EVEN)}
    name = "quantity × unit price = amount"
    if amount in rounded or (amount < 0 and -amount in rounded):
        return Check(name, "passed", f"{plain(quantity)} × {plain(unit_price)} = {plain(amount)}")
    detail = f"{plain(quantity)} × {plain(unit_price)} is {plain(max(rounded))}, not {plain(amount)}"
    return Check(name, "failed", detail)


def balance(before: Decimal, movement: Decimal, after: Decimal) -> Check:
    """previous balance + movement = balance."""
    name = "previous balance + movement = balance"
    sums = f"{plain(before)} + {plain(movement)}"
    if before + movement == after:
        return Check(name, "passed", f"{sums} = {plain(after)}")
    return Check(name, "failed", f"{sums} is {plain(before + movement)}, not {plain(after)}")


@dataclass(frozen=True)
class Carry:
    """What a page carries over: sums brought and carried forward as printed, None where there is none."""

    page: int
    brought: Decimal | None
    carried: Decimal | None


def page_sum(carry: Carry, before: Carry | None) -> Decimal | None:
    """The sum of a page's rows by its carried sums: carried − brought, else − what the page before carried."""
    if carry.carried is None:
        return None
    if carry.brought is not None:
        return carry.carried - carry.brought
    if before is not None:
        return None if before.carried is None else carry.carried - before.carried
    return carry.carried
