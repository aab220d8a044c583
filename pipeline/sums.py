"""The scopes of a statement: each printed total with the rows it covers.

Comes in: a `Ledger`. Goes out: `Sums`: scopes, the ranks of the rows that each covers, the checks of running balances,
and findings where printed totals contradict each other. Nothing is judged here; `checks` does.
A subtotal covers its supplier's rows since that supplier's last subtotal; a page's sum is carried − brought forward.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise

from pipeline import checks, terms
from pipeline.amounts import plain
from pipeline.checks import Carry
from pipeline.ledger import Ledger, Posting, Total
from pipeline.model import Check, Finding, Scope

ZERO = Decimal(0)
MONEY = ("amount", "debit", "credit", "balance")
NETTED = "nets to zero, no total is printed"


@dataclass(frozen=True)
class Covering:
    """A scope and the ranks of the rows it covers."""

    scope: Scope
    rows: frozenset[int]


@dataclass
class Sums:
    """What the printed totals say of the rows. balances: by rank of the row."""

    coverings: list[Covering] = field(default_factory=list)
    balances: dict[int, Check] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def sums(ledger: Ledger) -> Sums:
    """All scopes of the ledger, per currency: document, suppliers, pages, accounts."""
    found = Sums()
    totals = _resolved(ledger)
    currencies = sorted({posting.currency for posting in ledger.postings} | {total.currency for total in totals})
    for currency in currencies:
        rows = [posting for posting in ledger.postings if posting.currency == currency]
        mine = [total for total in totals if total.currency == currency]
        if _nets_out(currency, rows, totals):
            scope = Scope("document", NETTED, None, currency, ZERO, ZERO, 0)
            found.coverings.append(_covering(scope, rows))
        else:
            _document(found, currency, rows, mine)
        _suppliers(found, currency, rows, mine)
        _subtotals(found, currency, rows, mine)
        _pages(found, currency, rows, mine)
        if ledger.habits.is_account:
            _accounts(found, currency, rows, mine)
    return found


def _nets_out(currency: str, rows: Sequence[Posting], totals: Sequence[Total]) -> bool:
    """Whether several rows sum to nothing in a currency that no total names, where each other one has its total: a
    list of totals by currency leaves such a one out.
    """
    named = {total.currency for total in totals}
    whole = {total.currency for total in totals if total.kind == "document" and total.value("amount") is not None}
    known = currency and currency not in named and named and named == whole and "" not in whole
    return bool(known) and len(rows) > 1 and _sum(rows) == ZERO and all(row.amount is not None for row in rows)


def _sum(rows: Sequence[Posting]) -> Decimal:
    return sum((row.amount for row in rows if row.amount is not None), ZERO)


def _covering(scope: Scope, rows: Sequence[Posting]) -> Covering:
    """The scope with the sum of its rows on top of what it has computed already (an opening balance)."""
    summed = replace(scope, computed=scope.computed + _sum(rows), rows=len(rows))
    return Covering(summed, frozenset(row.at for row in rows))


# ---- what a total is a total of


def _resolved(ledger: Ledger) -> list[Total]:
    """Totals whose label leaves open what they sum (`Total`, `Übertrag`) by where they stand."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for posting in ledger.postings:
        first.setdefault(posting.page, posting.at)
        last[posting.page] = posting.at
    last_row = max(last.values(), default=-1)
    plain_totals = [total for total in ledger.totals if total.kind == "total" and total.inside]
    grand = any(total.kind == "document" and total.inside for total in ledger.totals)
    groups = len({posting.supplier for posting in ledger.postings if posting.supplier})
    subtotals = any(total.kind == "supplier" for total in ledger.totals)
    each_currency = len({total.currency for total in plain_totals}) == len(plain_totals)
    all_groups = groups > 1 and not (grand or subtotals or each_currency) and len(plain_totals) == groups
    periods = sum(total.kind == "period" for total in ledger.totals)
    each_own = _each_own(ledger.postings, plain_totals)
    resolved = []
    for total in ledger.totals:
        above = first.get(total.page, total.at) < total.at
        if total.kind == "carry" or (total.kind == "carried" and not above):
            below = last.get(total.page, total.at) > total.at
            total = replace(total, kind="carried" if above or not below else "brought")
        elif total.kind == "total":
            final = (total.at > last_row or each_own) and not grand and not all_groups
            subtotal = bool(total.supplier) and not final and not (grand and total.at > last_row)
            total = replace(total, kind="document" if final else "supplier" if subtotal else "total")
        elif total.kind == "period" and total.at > last_row and not grand and periods == 1:
            total = replace(total, kind="document")
        resolved.append(total)
    return resolved


def _each_own(rows: Sequence[Posting], totals: Sequence[Total]) -> bool:
    """Whether plain totals stand below rows of their own that they sum to the cent, as those of several documents in
    one file do.
    """
    since = -1
    for total in totals:
        covered = [row for row in rows if since < row.at < total.at and row.currency == total.currency]
        if not covered or total.value("amount", "balance") != _sum(covered):
            return False
        since = total.at
    return len(totals) > 1


# ---- document


def _document(found: Sums, currency: str, rows: list[Posting], totals: list[Total]) -> None:
    """The grand total. Printed several times it must be the same, unless rows stand between: then each has its own."""
    grand = [total for total in totals if total.kind == "document" and total.value("amount", "balance") is not None]
    base = _opening_line(totals)
    first_row = min((row.at for row in rows), default=0)
    last_row = max((row.at for row in rows), default=0)
    ahead = [total for total in grand if total.at < first_row]
    after = [total for total in grand if total.at >= first_row and (total.inside or total.at > last_row)]
    taxes = [total for total in totals if total.kind == "tax" and total.inside and total.at > first_row]
    segments: list[tuple[Total, list[Posting]]] = []
    for total in after:
        since = segments[-1][0].at if segments else -1
        covered = [row for row in rows if since < row.at < total.at]
        if covered or not segments:
            segments.append((total, covered))
        elif total.inside and not _repeats(total, segments[-1][0], taxes):
            found.findings.append(_contradiction(segments[-1][0], total))
    if not segments:
        values = {total.value("amount", "balance") for total in ahead}
        printed = values.pop() if len(values) == 1 else None
        page = ahead[0].page if printed is not None else None
        found.coverings.append(_covering(Scope("document", "", page, currency, printed, base, 0), rows))
        return
    for total, covered in segments:
        scope = Scope("document", "", total.page, currency, total.value("amount", "balance"), base, 0)
        plainly = _covering(scope, covered)
        due = _tax_before(total, taxes, covered[-1].at if covered else first_row)
        found.coverings.append(
            plainly if plainly.scope.delta != due else _covering(replace(scope, computed=base + due), covered)
        )
        base = ZERO
    left = [row for row in rows if row.at > segments[-1][0].at]
    if left:
        found.coverings.append(
            _covering(Scope("document", "rows after the grand total", None, currency, None, ZERO, 0), left)
        )


def _tax_before(total: Total, taxes: Sequence[Total], since: int) -> Decimal:
    """The tax that is printed between a row or a total and a total."""
    return sum((tax.value("amount") or ZERO for tax in taxes if since < tax.at < total.at), ZERO)


def _repeats(total: Total, before: Total, taxes: Sequence[Total]) -> bool:
    """Whether a total says the same as the one before it, or the same with the tax between the two."""
    value, printed = total.value("amount", "balance"), before.value("amount", "balance")
    assert value is not None and printed is not None
    return value in (printed, printed + _tax_before(total, taxes, before.at))


def _opening_line(totals: list[Total]) -> Decimal:
    """A balance of the period before that stands among the rows is part of the total."""
    lines = [total for total in totals if total.kind == "opening" and total.inside]
    return lines[0].value("amount") or ZERO if lines else ZERO


def _contradiction(first: Total, second: Total) -> Finding:
    values = [value for total in (first, second) if (value := total.value("amount", "balance")) is not None]
    message = f"two totals contradict each other: {plain(values[0])} on page {first.page}"
    return Finding(
        "totals_contradict", "error", f"{message}, {plain(values[1])} on page {second.page}", second.page, second.box
    )


# ---- suppliers


def _suppliers(found: Sums, currency: str, rows: list[Posting], totals: list[Total]) -> None:
    """One scope for each supplier with a subtotal: its subtotals together, and each of them a finding if it fails."""
    parts: dict[str, list[tuple[Total, list[Posting]]]] = defaultdict(list)
    names = {terms.plainly(row.supplier): row.supplier for row in rows}
    taken: set[int] = set()
    for total in totals:
        if total.kind != "supplier" or total.value("amount") is None:
            continue
        name = _supplier_of(total, rows, names)
        if terms.is_name(total.supplier) and not terms.plainly(total.supplier).startswith(terms.plainly(name) or "?"):
            message = f"page {total.page}: a subtotal names “{total.supplier}”, but no row stands under that name"
            found.findings.append(Finding("supplier_unsure", "warning", message, total.page, total.box))
        covered = [row for row in rows if row.supplier == name and row.at < total.at and row.at not in taken]
        taken |= {row.at for row in covered}
        parts[name].append((total, covered))
    base = _opening_line(totals)
    for name, group in parts.items():
        if not name:
            for total, covered in group:
                scope = Scope("document", checks.SUBTOTAL, total.page, currency, total.value("amount"), base, 0)
                found.coverings.append(_covering(scope, covered))
                base = ZERO
            continue
        printed = sum((total.value("amount") or ZERO for total, _ in group), ZERO)
        covered = [row for _, mine in group for row in mine]
        whole = _covering(Scope("supplier", name, group[-1][0].page, currency, printed, ZERO, 0), covered)
        found.coverings.append(whole)
        if len(group) > 1 and whole.scope.delta == 0:
            found.findings += _unequal(name, group)


def _subtotals(found: Sums, currency: str, rows: list[Posting], totals: list[Total]) -> None:
    """One scope for each subtotal of a month or another period: the rows since the one before."""
    since = -1
    for total in totals:
        if total.kind == "period" and (printed := total.value("amount")) is not None:
            covered = [row for row in rows if since < row.at < total.at]
            scope = Scope("document", checks.SUBTOTAL, total.page, currency, printed, ZERO, 0)
            found.coverings.append(_covering(scope, covered))
            since = total.at


def _supplier_of(total: Total, rows: list[Posting], names: dict[str, str]) -> str:
    """The supplier a subtotal names (a column may print the name cut short), else the one whose rows stand above it."""
    wanted = terms.plainly(total.supplier)
    if wanted in names:
        return names[wanted]
    short = [name for name in names if name and wanted.startswith(name)]
    if wanted and len(short) == 1:
        return names[short[0]]
    above = [row for row in rows if row.at < total.at]
    return above[-1].supplier if above else total.supplier


def _unequal(name: str, group: list[tuple[Total, list[Posting]]]) -> list[Finding]:
    found = []
    for total, covered in group:
        value = total.value("amount")
        if value is not None and value != _sum(covered):
            message = f"page {total.page}, supplier {name}: the subtotal {plain(value)} does not fit its rows, "
            message += f"which sum to {plain(_sum(covered))}, though the supplier's subtotals together do"
            found.append(Finding("subtotal_differs", "error", message, total.page, total.box))
    return found


# ---- pages


def _pages(found: Sums, currency: str, rows: list[Posting], totals: list[Total]) -> None:
    """Pages with a printed sum of their own, or with sums carried from page to page."""
    by_page: dict[int, list[Posting]] = defaultdict(list)
    for row in rows:
        by_page[row.page].append(row)
    own = {t.page: t.value("amount") for t in totals if t.kind == "page" and t.value("amount") is not None}
    carries = _carries(totals)
    by_supplier = _carried_by_supplier(carries, by_page, totals)
    before: Carry | None = None
    if not by_supplier:
        found.findings += _broken(carries)
    for page in sorted({*by_page, *carries, *own}):
        carry = carries.get(page)
        mine = by_page.get(page, [])
        printed = own.get(page)
        if printed is None and carry is not None:
            if by_supplier:
                printed, mine = _supplier_page(carry, mine, totals)
            else:
                printed = checks.page_sum(carry, before)
        before = carry or (Carry(page, None, None) if mine else before)
        if printed is not None:
            scope = Scope("page", f"page {page}", page, currency, printed, ZERO, 0)
            found.coverings.append(_covering(scope, mine))


def _carries(totals: list[Total]) -> dict[int, Carry]:
    """Sums brought and carried forward, by page; those of a running balance are no sums of rows."""
    carries: dict[int, Carry] = {}
    for total in totals:
        value = total.value("amount")
        if value is None or total.kind not in ("brought", "carried"):
            continue
        carry = carries.get(total.page, Carry(total.page, None, None))
        if total.kind == "brought":
            carries[total.page] = Carry(total.page, value, carry.carried)
        else:
            carries[total.page] = Carry(total.page, carry.brought, value)
    return carries


def _broken(carries: dict[int, Carry]) -> list[Finding]:
    """Where a page brings forward another sum than the page before carried."""
    found = []
    for page, carry in carries.items():
        before = carries.get(page - 1)
        if before and None not in (before.carried, carry.brought) and before.carried != carry.brought:
            assert before.carried is not None and carry.brought is not None
            sums = f"page {page - 1} carries {plain(before.carried)} forward, page {page} brings {plain(carry.brought)}"
            message = f"{sums}: rows between them may be missing, or a sum is misread"
            found.append(Finding("carry_breaks", "error", message, page, None, (page, page - 1)))
    return found


def _carried_by_supplier(carries: dict[int, Carry], by_page: dict[int, list[Posting]], totals: list[Total]) -> bool:
    """Whether carried sums start anew with each supplier: where that fits more pages than going on does.

    Only pages on which a supplier ends can tell the two apart.
    """
    as_document = as_supplier = 0
    before: Carry | None = None
    for page, carry in sorted(carries.items()):
        mine = by_page.get(page, [])
        printed, group = _supplier_page(carry, mine, totals)
        if carry.carried is not None and len(group) < len(mine):
            as_document += checks.page_sum(carry, before) == _sum(mine)
            as_supplier += printed == _sum(group) if group else carry.carried == 0
        before = carry
    return as_supplier > as_document


def _supplier_page(carry: Carry, mine: list[Posting], totals: list[Total]) -> tuple[Decimal | None, list[Posting]]:
    """A page's carried sum where it counts the last supplier alone: that supplier's rows on the page."""
    ends = [total.at for total in totals if total.kind == "supplier" and total.page == carry.page]
    ends += [above.at for above, below in pairwise(mine) if above.supplier != below.supplier]
    since = max(ends, default=-1)
    group = [row for row in mine if row.at > since]
    if carry.carried is None or not group:
        return None, []
    return carry.carried - (ZERO if len(group) < len(mine) else carry.brought or ZERO), group


# ---- accounts


def _accounts(found: Sums, currency: str, rows: list[Posting], totals: list[Total]) -> None:
    """Opening balance + movements = closing balance, for each account or period of the document."""
    periods = _periods(found, rows, totals)
    for number, (opening, closing, mine) in enumerate(periods, start=1):
        start = opening.value(*reversed(MONEY)) if opening else None
        _running(found, start, mine)
        end = closing.value(*reversed(MONEY)) if closing else None
        if start is not None and end is not None:
            page = closing.page if closing else None
            found.coverings.append(_covering(Scope("account", str(number), page, currency, end, start, 0), mine))
    parts = sorted((mine for _, _, mine in periods if mine), key=lambda mine: mine[0].at)
    for kind, sign in (("debits", -1), ("credits", 1)):
        _sides(found, [total for total in totals if total.kind == kind], [*parts, rows], sign)


def _sides(found: Sums, totals: list[Total], parts: list[list[Posting]], sign: int) -> None:
    """Printed sums of debits, or of credits: each of the period above or below it, of its page, or of all rows."""
    seen: set[tuple[Decimal, frozenset[int]]] = set()
    for total in totals:
        value = total.value("amount", "debit", "credit")
        if value is None:
            continue
        scope = Scope("account", total.kind, total.page, total.currency, sign * abs(value), ZERO, 0)
        sided = ([row for row in rows if (row.amount or ZERO) * sign > 0] for rows in _around(total, parts))
        found_in = [_covering(scope, rows) for rows in sided]
        covering = next((one for one in found_in if one.scope.delta == 0), found_in[-1 if len(parts) < 3 else 0])
        if (abs(value), covering.rows) not in seen:
            seen.add((abs(value), covering.rows))
            found.coverings.append(covering)


def _around(total: Total, parts: list[list[Posting]]) -> list[list[Posting]]:
    """The rows that a sum may cover, by where it stands: those of periods, the last of `parts` being all rows."""
    *periods, rows = parts
    above = [part for part in periods if part and part[0].at < total.at][-1:]
    below = [part for part in periods if part and part[0].at > total.at][:1]
    return [*above, *below, [row for row in rows if row.page == total.page], rows]


def _periods(
    found: Sums, rows: list[Posting], totals: list[Total]
) -> list[tuple[Total | None, Total | None, list[Posting]]]:
    """The rows between opening balances, each with its opening and its closing balance."""
    periods: list[tuple[Total | None, Total | None, list[Posting]]] = [(None, None, [])]
    marks = [total for total in totals if total.kind in ("opening", "closing", "brought")]
    events: list[Posting | Total] = [*rows, *marks]
    newest_first = _newest_first(rows, marks)
    events.sort(key=lambda event: event.at, reverse=newest_first)
    for event in events:
        opening, closing, mine = periods[-1]
        if isinstance(event, Posting):
            mine.append(event)
        elif event.kind == "closing":
            if closing and closing.value(*reversed(MONEY)) != event.value(*reversed(MONEY)):
                found.findings.append(_balances_differ(closing, event))
            periods[-1] = (opening, event, mine)
        elif mine and event.kind == "opening" and closing is None and event.value(*reversed(MONEY)) == mine[-1].balance:
            continue  # `Saldo anterior` on each page: the balance of the row above, brought forward
        elif mine and (event.kind == "opening" or (closing and (closing.at > mine[0].at) != newest_first)):
            periods.append((event, None, []))
        elif event.kind == "opening" or (opening is None and not mine):
            if opening and event.kind == "opening" and opening.value(*reversed(MONEY)) != event.value(*reversed(MONEY)):
                found.findings.append(_balances_differ(opening, event))
            periods[-1] = (event, closing, mine)
    return periods


def _newest_first(rows: Sequence[Posting], marks: Sequence[Total]) -> bool:
    """Whether the table begins with its closing balance and ends with its opening balance."""
    inside = [total for total in marks if total.inside]
    if len(inside) < 2 or not rows:
        return False
    first, last = inside[0], inside[-1]
    ends = first.kind == "closing" and last.kind in ("opening", "brought")
    return ends and first.at < rows[0].at and last.at > rows[-1].at


def _balances_differ(first: Total, second: Total) -> Finding:
    a, b = first.value(*reversed(MONEY)), second.value(*reversed(MONEY))
    message = f"two {first.kind} balances contradict each other: {a} on page {first.page}, {b} on page {second.page}"
    return Finding("totals_contradict", "error", message, second.page, second.box)


def _running(found: Sums, start: Decimal | None, rows: list[Posting]) -> None:
    """Each printed balance against the one before and the movements since; from below where the newest stand first."""
    down, up = _balances(start, rows), _balances(start, rows[::-1])
    better = up if _passed(up) > _passed(down) else down
    found.balances.update(better)


def _passed(balances: dict[int, Check]) -> int:
    return sum(check.outcome == "passed" for check in balances.values())


def _balances(start: Decimal | None, rows: list[Posting]) -> dict[int, Check]:
    balances: dict[int, Check] = {}
    before, moved = start, ZERO
    since: list[int] = []
    for row in rows:
        moved += row.amount or ZERO
        since.append(row.at)
        if row.balance is None:
            continue
        if before is not None:
            balances.update(dict.fromkeys(since, checks.balance(before, moved, row.balance)))
        before, moved, since = row.balance, ZERO, []
    return balances
