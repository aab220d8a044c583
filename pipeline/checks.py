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

from pipeline.amounts import plain
from pipeline.model import Check, Finding, Place, Reconciliation, Row, Scope, Severity
from pipeline.profiles import StatementProfile

UNPROVEN = "no sum, product or balance that closes proves the amount"
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


def reconcile(
    scopes: Sequence[Scope], profile: StatementProfile, rows: Sequence[Row] = (), missing: Sequence[Missing] = ()
) -> tuple[Reconciliation, tuple[Finding, ...]]:
    """The verdict on the scopes, and on the rows' own status, with a finding for each thing that speaks against it."""
    failing = [scope for scope in scopes if scope.printed is not None and not closes(scope, profile)]
    left = [line for line in missing if not _stands_in(line, rows)]
    strays = _strays(failing, rows)
    settled = [scope for stray in strays for scope in stray.scopes]
    findings = [
        *(_under_another(stray, rows) for stray in strays),
        *_differences([scope for scope in failing if scope not in settled], rows, left),
        *_unread(left, failing),
        *_uncovered(scopes),
        *_in_review(rows, failing),
    ]
    return Reconciliation("human_review" if findings else "auto_import", tuple(scopes)), tuple(findings)


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


def _differences(failing: list[Scope], rows: Sequence[Row], missing: Sequence[Missing]) -> list[Finding]:
    """One finding for each cause: scopes that differ by the same sum are named together, the narrowest first."""
    causes: dict[tuple[str, Decimal], list[Scope]] = defaultdict(list)
    for scope in failing:
        if scope.delta is not None:
            causes[scope.currency, scope.delta].append(scope)
    groups: list[list[Scope]] = []
    for group in causes.values():
        pages = [scope for scope in group if scope.scope == "page"]
        groups += [[scope] for scope in group] if len(pages) > 1 else [sorted(group, key=lambda one: WIDTH[one.scope])]
    return [_difference(group, rows, _explaining(group[0], missing)) for group in groups]


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
    """The lines in no row that make up the scope's difference to the cent; none where they do not."""
    within = [line for line in missing if line.currency == scope.currency and _holds(scope, line)]
    return within if within and sum((line.amount or Decimal(0) for line in within), Decimal(0)) == scope.delta else []


def _holds(scope: Scope, line: Missing) -> bool:
    match scope.scope:
        case "page":
            return scope.page == line.place.page
        case "supplier":
            return scope.name == line.supplier
    return True


def _difference(group: list[Scope], rows: Sequence[Row], lost: list[Missing]) -> Finding:
    narrowest = group[0]
    surplus = _surplus(narrowest, rows)
    page = lost[0].place.page if lost else surplus.page if surplus else _printed_on(group)
    names = [named(scope) for scope in group if scope.scope != "document"] or [named(narrowest)]
    if lost and narrowest.scope != "page":
        names = [_pages(line.place.page for line in lost), *(name for name in names if "whole document" not in name)]
    suppliers = {line.supplier for line in lost} if lost else _suppliers_on(narrowest, rows)
    if len(suppliers) == 1 and (supplier := suppliers.pop()) and not any(one.scope == "supplier" for one in group):
        names.append(f"supplier {supplier}")
    also = " (the document's total differs by the same)" if len(group) > 1 and group[-1].scope == "document" else ""
    message = f"{', '.join(dict.fromkeys(names))}: {_lost(narrowest, lost)}{difference(narrowest)}{also}"
    if surplus:
        message += f", the amount of one row, on page {surplus.page}"
    box = lost[0].place.box if lost else surplus.box if surplus else None
    return Finding("total_differs", "error", message + _read_in(page, rows), page, box)


def _printed_on(group: Sequence[Scope]) -> int | None:
    return next((scope.page for scope in group if scope.page is not None), None)


def _surplus(scope: Scope, rows: Sequence[Row]) -> Row | None:
    """The one row of a supplier or of the document that has the amount by which its sum is too large, or the last of
    equal ones that stand on one page.
    """
    if scope.scope not in ("supplier", "document") or scope.delta is None:
        return None
    own = [row for row in rows if row.currency == scope.currency]
    if scope.scope == "supplier":
        own = [row for row in own if row.value("supplier") == scope.name]
    same = [row for row in own if row.value("amount") == plain(-scope.delta)]
    kinds = {(row.page, tuple((cell.column, cell.value) for cell in row.cells)) for row in same}
    return same[-1] if len(kinds) == 1 else None


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


def _uncovered(scopes: Sequence[Scope]) -> list[Finding]:
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
            findings.append(Finding("no_total", "error", message))
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
            findings.append(Finding("rows", severity, f"{where}: {len(group)} rows: {reason}", first.page, first.box))
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
