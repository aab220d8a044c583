"""Rows and totals as printed, turned into typed postings: the document's habits are inferred, cells converted.

Comes in: engine items in reading order with the windows that read them, the pages, the profile. Goes out: `Ledger`:
postings and totals with exact values, each posting with the reasons that speak against it. Nothing is guessed: a cell
that does not convert, or converts in two ways, keeps its printed text and says so.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from pipeline import amounts, suppliers, terms
from pipeline.amounts import Amount, Separator, plain
from pipeline.engine import Column, Item, Quote, RawHeading, RawRow, RawTotal, is_asked
from pipeline.model import Box, Cell, Page, Place, Source, around
from pipeline.profiles import StatementProfile
from pipeline.taxes import Taxed, taxed
from pipeline.terms import TotalKind

ITEMS = ("invoice_number", "date", "supplier", "description", "quantity", "unit_price", "amount")
ACCOUNT = ("date", "description", "debit", "credit", "amount", "balance")
FIGURES = ("quantity", "unit_price", "amount", "debit", "credit", "balance")


@dataclass(frozen=True)
class Entry:
    """An item in reading order; `windows` that read it."""

    item: Item
    windows: tuple[int, ...]


@dataclass(frozen=True)
class Habits:
    """How the document prints. day_first None: dates such as 03/04/2025 are there and nothing settles them.

    spaced: thousands are set apart by spaces. dollar: what `$` stands for.
    """

    separator: Separator
    day_first: bool | None
    years: tuple[int, ...]
    currency: str
    is_account: bool
    spaced: bool = False
    dollar: str = "USD"

    def code(self, currency: str) -> str:
        """The currency of an amount: its own, with a bare `$` as the document's dollar, else the document's."""
        return (self.dollar if currency == "USD" else currency) or self.currency


@dataclass(frozen=True)
class Posting:
    """A typed row. `at`: its rank among all entries; amount None where none could be read; inherits: columns whose
    value is that of the row above, though the document does not show that it prints such values once.
    """

    at: int
    page: int
    box: Box
    windows: tuple[int, ...]
    cells: tuple[Cell, ...]
    supplier: str
    currency: str
    amount: Decimal | None
    quantity: Decimal | None = None
    unit_price: Decimal | None = None
    balance: Decimal | None = None
    inherits: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    taxed: Taxed = Taxed()


@dataclass(frozen=True)
class Total:
    """A typed printed total; `values` by column. supplier: the group it stands in or names."""

    at: int
    page: int
    kind: TotalKind
    supplier: str
    values: tuple[tuple[str, Decimal], ...]
    currency: str
    inside: bool
    box: Box | None

    def value(self, *columns: str) -> Decimal | None:
        """The value in the first of `columns` that has one."""
        have = dict(self.values)
        return next((have[column] for column in columns if column in have), None)


@dataclass(frozen=True)
class Ledger:
    """All typed entries. empty: columns without any value; unread: totals that could not be read, with their page."""

    postings: tuple[Posting, ...]
    totals: tuple[Total, ...]
    habits: Habits
    columns: tuple[str, ...]
    empty: tuple[Column, ...] = ()
    unread: tuple[tuple[int, str], ...] = ()


def ledger(
    entries: Sequence[Entry], columns: Sequence[Column], pages: Sequence[Page], profile: StatementProfile
) -> Ledger:
    """Type all entries by the habits of the whole document."""
    items = [entry.item for entry in entries]
    habits = _habits(items, columns, pages, profile)
    headings = [None] * len(items) if habits.is_account else suppliers.above(items)
    postings: list[Posting] = []
    totals: list[Total] = []
    unread: list[tuple[int, str]] = []
    for at, entry in enumerate(entries):
        match entry.item:
            case RawRow():
                previous = postings[-1] if postings else None
                posting = _Typist(habits).posting(at, entry, headings[at], previous)
                postings.append(replace(posting, taxed=taxed(entry.item, columns, habits.separator.decimal)))
            case RawTotal() as raw:
                total = _total(at, raw, headings[at], habits)
                if total.values:
                    totals.append(total)
                else:
                    unread.append((raw.page, f"{raw.label} {' '.join(quote.text for quote in raw.quotes)}"))
            case _:
                pass
    present = {cell.column for posting in postings for cell in posting.cells}
    shown = present | ({"currency"} if _with_codes(items) else set())
    order = ACCOUNT if habits.is_account else ITEMS
    names = tuple(name for name in dict.fromkeys((*order, *ITEMS)) if name in present)
    if habits.is_account:
        postings = _signed(postings, totals)
        if _dates_once(postings, totals):
            postings = [replace(posting, inherits=()) for posting in postings]
    elif not any(posting.currency for posting in postings):
        postings = _by_subtotals(postings, totals)
    return Ledger(tuple(postings), tuple(totals), habits, names, _empty(columns, shown), tuple(unread))


def _by_subtotals(postings: Sequence[Posting], totals: Sequence[Total]) -> list[Posting]:
    """Rows without any currency in that of the subtotal below them, where it is their supplier's."""
    subtotals = [total for total in totals if total.kind == "supplier"]
    ends = [total.at for total in subtotals]
    found = []
    for posting in postings:
        below = subtotals[bisect(ends, posting.at) :][:1]
        own = next((total.currency for total in below if total.supplier == posting.supplier), "")
        found.append(replace(posting, currency=own))
    return found


def _dates_once(postings: Sequence[Posting], totals: Sequence[Total]) -> bool:
    """Whether the document shows that it prints a date once for the movements of a day: several rows lack theirs, no
    page prints one twice, and the days of each account go one way.
    """
    ends = [total.at for total in totals if total.kind in ("opening", "closing")]
    printed = [
        (bisect(ends, posting.at), cell.value, posting.page)
        for posting in postings
        if not posting.inherits
        for cell in posting.cells
        if cell.column == "date"
    ]
    days = [(account, day) for account, day, _ in printed]
    ordered = days == sorted(days) or days == sorted(days, key=lambda each: (-each[0], each[1]), reverse=True)
    lacking = sum(bool(posting.inherits) for posting in postings)
    return lacking >= 3 and len(set(days)) > 1 and ordered and len(set(printed)) == len(printed)


def _empty(columns: Sequence[Column], present: set[str]) -> tuple[Column, ...]:
    """Titled columns that no row fills; one side of an account may well stay empty."""
    asked = {column.name: column for column in columns if column.asked}
    sides = {"debit", "credit"} if present & {"debit", "credit"} else set()
    return tuple(column for name, column in asked.items() if present and name not in present | sides)


def _with_codes(items: Sequence[Item]) -> bool:
    """Whether a figure of each row was read with its currency."""
    rows = [item for item in items if isinstance(item, RawRow)]
    texts = [[quote.text for quote in row.quotes if quote.column in FIGURES] for row in rows]
    return bool(rows) and all(any(map(amounts.currency, figures)) for figures in texts)


CORE = {"date", "description"}


def unknown(items: Sequence[Item], columns: Sequence[Column]) -> list[Column]:
    """Columns with a title that is not known, where what they hold may be missed: figures, dates, or a core column;
    and those taken for codes or units where they hold sums.
    """
    rows = [item for item in items if isinstance(item, RawRow)]
    held: dict[str, list[str]] = {"unknown": [], "other": []}
    for row in rows:
        for quote in row.quotes:
            if quote.column in held:
                held[quote.column].append(quote.text)
    texts = held["unknown"]
    typed = sum(bool(amounts.parse(text, None) or amounts.date(text, True, 2000)) for text in texts)
    names = {column.name for column in columns}
    lacks = CORE - names or not names & {"invoice_number", "debit", "credit", "balance"}
    missed = {"unknown"} if texts and (lacks or 3 * typed > len(texts)) else set()
    if 3 * sum(map(_is_sum, held["other"])) > len(rows) > 0:
        missed.add("other")
    return [column for column in columns if column.name in missed]


def _is_sum(text: str) -> bool:
    amount = amounts.parse(text, None)
    return amount is not None and amount.places == 2


# ---- habits


def _habits(
    items: Sequence[Item], columns: Sequence[Column], pages: Sequence[Page], profile: StatementProfile
) -> Habits:
    quotes = [quote for item in items if isinstance(item, RawRow | RawTotal) for quote in item.quotes]
    figures = [quote.text for quote in quotes if quote.column in FIGURES]
    dates = [quote.text for quote in quotes if quote.column == "date"]
    names = {column.name for column in columns} | {quote.column for quote in quotes}
    currency = _currency(items, columns, figures, profile)
    dollar = _dollar(pages, profile) if "USD" in (currency, *map(amounts.currency, figures)) else "USD"
    full = [found for text in _dates_in(pages, dates) if (found := amounts.date(text, True))]
    separator = _separator(figures, pages, profile)
    return Habits(
        separator,
        _day_first(dates, pages, profile, [column.title for column in columns]),
        tuple(sorted({int(found.iso[:4]) for found in full})),
        dollar if currency == "USD" else currency,
        bool({"debit", "credit", "balance"} & names) or any(_is_balance(item) for item in items),
        _spaced(figures, separator.decimal),
        dollar,
    )


_SPACED = re.compile(r"\d \d")
_GROUPED = re.compile(r"\d([.,'’])\d{3}(?!\d)")


def _spaced(figures: Sequence[str], decimal: str | None) -> bool:
    """Whether a space between digits groups thousands: more figures have one than have another separator there."""
    spaced = sum(bool(_SPACED.search(text)) for text in figures)
    return spaced > sum(any(mark != decimal for mark in _GROUPED.findall(text)) for text in figures)


def _is_balance(item: Item) -> bool:
    return isinstance(item, RawTotal) and item.kind in ("opening", "closing", "debits", "credits")


def _separator(figures: Sequence[str], pages: Sequence[Page], profile: StatementProfile) -> Separator:
    """By the profile, by the tables' amounts, and only where these say nothing by all amounts of the document."""
    if profile.decimal != "auto":
        return Separator(profile.decimal, ("set in the profile",), ())
    told = amounts.separator(figures)
    if told.decimal is None and not any("contradict" in line for line in told.evidence):
        words = [word for page in pages for word in page.text.split("\n") if any(c.isdigit() for c in word)]
        wider = amounts.separator([*figures, *words])
        told = wider if wider.decimal else told
    return told


_SLASHED = re.compile(r"(\d{1,2})(?:/(\d{1,2})(?:/\d{2,4})?|-(\d{1,2})-\d{2,4})")


def _day_first(
    texts: Iterable[str], pages: Sequence[Page], profile: StatementProfile, titles: Sequence[str]
) -> bool | None:
    """Day before month, where a date of the document shows it, else by the language of the columns' titles, else where
    the profile says that the month comes first; its default was chosen by nobody, so it settles nothing.
    """
    cells = set(texts)
    open_dates = any((found := amounts.date(text, True, 2000)) and found.ambiguous for text in cells)
    words = {word.strip(".,;()") for page in pages for word in page.text.split("\n") if "/" in word or "-" in word}
    votes = set()
    for text in {*cells, *words}:
        parts = _SLASHED.fullmatch(text)
        if parts and (text in cells or text.count("/") != 1):  # elsewhere `1/19` is the first of 19 pages
            first, second = int(parts[1]), int(parts[2] or parts[3])
            if first <= 31 and second <= 31 and (first > 12) != (second > 12):
                votes.add(first > 12)
    if len(votes) == 1:
        return votes.pop()
    if not votes and profile.day_first and terms.puts_day_first(titles):
        return True
    return None if open_dates and profile.day_first else profile.day_first


def _dates_in(pages: Sequence[Page], dates: Sequence[str]) -> Iterable[str]:
    """Full dates of the document, looked for only where dates of rows lack their year."""
    if all(amounts.date(text, True) for text in dates):
        return
    for page in pages:
        words = page.text.split("\n")
        for at, word in enumerate(words):
            if any(c.isdigit() for c in word):
                yield from (" ".join(words[at : at + size]).strip(".,;") for size in (1, 2, 3))
            elif word[:1].isalpha():
                yield " ".join(words[at : at + 3]).strip(".,;")


def _currency(
    items: Sequence[Item], columns: Sequence[Column], figures: Sequence[str], profile: StatementProfile
) -> str:
    """The currency of amounts that print none: of the columns' titles, of totals, of amounts, of the column of
    currencies, else the profile's.
    """
    titles = [column.title for column in columns if column.name in FIGURES]
    labels = [item.label for item in items if isinstance(item, RawTotal)]
    rows = [item for item in items if isinstance(item, RawRow)]
    named = [quote.text for row in rows for quote in row.quotes if quote.column == "currency"]
    for texts in (titles, labels, figures, named):
        found = {code for text in texts if (code := amounts.currency(text))}
        if len(found) == 1:
            return found.pop()
    return profile.currency


DOLLARS = frozenset({"USD", "AUD", "CAD", "HKD", "MXN", "NZD", "SGD", "TWD"})


def _dollar(pages: Sequence[Page], profile: StatementProfile) -> str:
    """Which dollar `$` is: the profile's, or the only one that the document names; else taken for USD."""
    if profile.currency in DOLLARS:
        return profile.currency
    words = {word.strip("().,:") for page in pages for word in page.text.split("\n")}
    named = {code for code in DOLLARS if code in words} | ({"USD"} if "US$" in words else set())
    return named.pop() if len(named) == 1 else "USD"


# ---- rows


class _Typist:
    """Converts the cells of one row, collecting what speaks against it."""

    def __init__(self, habits: Habits) -> None:
        self.habits = habits
        self.cells: dict[str, Cell] = {}
        self.values: dict[str, Amount] = {}
        self.reasons: list[str] = []

    def posting(self, at: int, entry: Entry, heading: RawHeading | None, previous: Posting | None) -> Posting:
        raw = entry.item
        assert isinstance(raw, RawRow)
        for quote in raw.quotes:
            if is_asked(quote.column):
                self._cell(quote)
        supplier = self._supplier(heading)
        inherits = ("date",) if self._inherited_date(previous) else ()
        amount = self._amount(raw)
        self.reasons += raw.doubts
        boxes = [place.box for quote in raw.quotes for place in quote.places if place.page == raw.page]
        box = around([*boxes, *([raw.box] if raw.box else [])] or [Box(0.0, 0.0, 0.0, 0.0)])
        if not boxes:
            self.reasons.append("these words were not found on the page")
        currency = next((v.currency for v in self.values.values() if v.currency), "")
        return Posting(
            at, raw.page, box, entry.windows, tuple(self.cells[name] for name in ordered(self.cells)), supplier,
            self._currency_cell() or self.habits.code(currency), amount, self._number("quantity"),
            self._number("unit_price"), self._number("balance"), inherits, tuple(dict.fromkeys(self.reasons)),
        )  # fmt: skip

    def _cell(self, quote: Quote) -> None:
        value = quote.text
        if quote.column in FIGURES:
            value = self._figure(quote)
        elif quote.column == "date":
            value = self._date(quote.text)
        self.cells[quote.column] = Cell(quote.column, value, _source(quote))

    def _figure(self, quote: Quote) -> str:
        amount = amounts.parse(quote.text, self.habits.separator.decimal)
        if amount is None:
            self.reasons.append(f"{words(quote.column)} “{quote.text}” is no amount")
            return quote.text
        if _SPACED.search(quote.text) and not self.habits.spaced:
            self.reasons.append(f"{words(quote.column)} “{quote.text}” may be two figures")
        if amount.ambiguous:
            either = " or ".join(plain(value) for value in (amount.value, amount.other) if value is not None)
            self.reasons.append(f"{words(quote.column)} “{quote.text}” may be {either}: the document does not tell")
            return quote.text
        if self.habits.is_account and amount.mark:
            amount = replace(amount, value=abs(amount.value) * (1 if amount.mark == "CR" else -1))
        self.values[quote.column] = amount
        return plain(amount.value)

    def _date(self, text: str) -> str:
        day_first = self.habits.day_first
        found = amounts.date(text, day_first is not False)
        if found is None:
            years = {self._in_year(text, year) for year in self.habits.years} - {None}
            if len(years) == 1:
                found = years.pop()
        if found is None:
            self.reasons.append(f"date “{text}” is no date, or its year is not printed")
            return text
        if found.ambiguous and day_first is None:
            self.reasons.append(f"date “{text}”: the document does not tell whether day or month comes first")
        return found.iso

    def _in_year(self, text: str, year: int) -> amounts.Date | None:
        return amounts.date(text, self.habits.day_first is not False, year)

    def _supplier(self, heading: RawHeading | None) -> str:
        if "supplier" not in self.cells and heading:
            places = (Place(heading.page, heading.box),) if heading.box else ()
            self.cells["supplier"] = Cell("supplier", heading.name, _source(Quote("supplier", heading.name, places)))
        return self.cells["supplier"].value if "supplier" in self.cells else ""

    def _inherited_date(self, previous: Posting | None) -> bool:
        """Bank statements print a date once for the movements of a day: the one above holds."""
        if "date" in self.cells or previous is None or not self.habits.is_account:
            return False
        above = next((cell for cell in previous.cells if cell.column == "date"), None)
        if above:
            self.cells["date"] = above
        return above is not None

    def _amount(self, raw: RawRow) -> Decimal | None:
        """The signed amount; of a bank statement credit − debit, or by a column that says debit or credit."""
        if "amount" in self.values:
            amount = self.values["amount"].value
            kind = self._direction()
            if kind and amount > 0:
                amount *= kind
                cell = self.cells["amount"]
                self.cells["amount"] = replace(cell, value=plain(amount))
            return amount
        sides = [name for name in ("debit", "credit") if name in self.values and self.values[name].value]
        if len(sides) == 1 and "amount" not in self.cells:
            side = sides[0]
            value = self.values[side].value
            amount = (-abs(value) if side == "debit" else value) if value else value
            self.cells["amount"] = replace(self.cells[side], column="amount", value=plain(amount))
            return amount
        if len(sides) == 2:
            self.reasons.append("debit and credit on one line")
        elif not any(name in self.cells for name in ("amount", "debit", "credit")):
            self.reasons.append("no amount on the line")
        return None

    def _direction(self) -> int:
        word = terms.plainly(self.cells["type"].value) if "type" in self.cells else ""
        if word in ("debit", "dr", "d", "soll", "s", "debet", "duguje"):
            return -1
        return 1 if word in ("credit", "cr", "c", "haben", "h", "potrazuje") else 0

    def _number(self, column: str) -> Decimal | None:
        return self.values[column].value if column in self.values else None

    def _currency_cell(self) -> str:
        return amounts.currency(self.cells["currency"].value) if "currency" in self.cells else ""


def ordered(cells: dict[str, Cell]) -> list[str]:
    """The columns of a row as rows list them."""
    order = list(dict.fromkeys((*ITEMS[:4], "debit", "credit", *ITEMS[4:], "balance", "currency", "type")))
    return sorted(cells, key=lambda name: order.index(name) if name in order else len(order))


def words(column: str) -> str:
    """A column's name as it is said to a person."""
    return column.replace("_", " ")


def _source(quote: Quote) -> Source:
    return Source(quote.places, quote.text, "exact" if quote.places else "missing")


def _signed(postings: list[Posting], totals: list[Total]) -> list[Posting]:
    """Amounts of an account that prints no signs, signed by the balances before and after each."""
    amounts_read = [posting.amount for posting in postings if posting.amount is not None]
    columns = {cell.column for posting in postings for cell in posting.cells}
    if columns & {"debit", "credit", "type"} or not all(posting.balance is not None for posting in postings):
        return postings
    if any(amount < 0 for amount in amounts_read):
        return postings
    openings = [total for total in totals if total.kind in ("opening", "brought")]
    before = openings[0].value("balance", "amount") if openings else None
    signed = []
    for posting in postings:
        if before is not None and posting.amount and posting.balance == before - posting.amount:
            posting = _negated(posting)
        before = posting.balance
        signed.append(posting)
    return signed


def _negated(posting: Posting) -> Posting:
    assert posting.amount is not None
    amount = -posting.amount
    cells = tuple(replace(cell, value=plain(amount)) if cell.column == "amount" else cell for cell in posting.cells)
    return replace(posting, amount=amount, cells=cells)


# ---- totals


def _total(at: int, raw: RawTotal, heading: RawHeading | None, habits: Habits) -> Total:
    values = []
    codes = [amounts.currency(raw.label)]
    for quote in raw.quotes:
        amount = amounts.parse(quote.text, habits.separator.decimal)
        if amount and not amount.ambiguous:
            value = amount.value
            if habits.is_account and amount.mark:
                value = abs(value) * (1 if amount.mark == "CR" else -1)
            values.append((quote.column, value))
            codes.append(amount.currency)
    currency = habits.code(next((code for code in codes if code), ""))
    return Total(
        at,
        raw.page,
        raw.kind,
        raw.name or (heading.name if heading else ""),
        tuple(values),
        currency,
        raw.inside,
        raw.box,
    )
