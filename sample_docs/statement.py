"""A supplier reconciliation statement with its truth: rows, subtotals, and the sum carried at each page's foot.

Comes in: `StatementOptions` and a folder. Goes out: statement.pdf with one drawn string for each cell, and
statement.truth.json. Refuses (ValueError) fewer than two pages or suppliers, or more suppliers than there are trades.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from random import Random
from typing import Literal

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from sample_docs.drawing import A4, Family, Written, canvas, family, wrap, write_truth
from sample_docs.words import DIVISIBLE, TRADES, Language, Numbers, Trade, company_names, count, dotted, money

Layout = Literal["ruled", "zebra", "compact"]
Column = Literal["invoice_number", "date", "description", "quantity", "unit_price", "amount"]


@dataclass(frozen=True)
class StatementOptions:
    """seed and sizes of a statement. `font` empty: Helvetica, or Roboto where Helvetica lacks the letters."""

    seed: int = 2025
    pages: int = 40
    suppliers: int = 8
    language: Language = "en"
    numbers: Numbers = "1.234,56"
    currency: str = "EUR"
    layout: Layout = "ruled"
    font: str = ""
    name: str = "statement"


@dataclass(frozen=True)
class Item:
    """A line item as it will be printed; `trailing` prints its minus behind the figure."""

    invoice: str
    day: date
    supplier: str
    description: str
    quantity: Decimal
    unit_price: Decimal
    trailing: bool

    @property
    def amount(self) -> Decimal:
        return (self.quantity * self.unit_price).quantize(Decimal("0.01"), ROUND_HALF_UP)


@dataclass(frozen=True)
class Event:
    """Something that takes room on a page. `item` only for rows; `value` for a subtotal."""

    kind: Literal["group", "block", "row", "subtotal"]
    supplier: str
    account: str
    text: str = ""
    item: Item | None = None
    value: Decimal = Decimal(0)
    boxed: bool = False


@dataclass(frozen=True)
class Labels:
    """The words of the form in one language."""

    title: str
    subtitle: str
    columns: tuple[str, str, str, str, str, str]
    supplier: str
    continued: str
    account: str
    subtotal: str
    carried: str
    brought: str
    total: str
    page: str
    number: str
    period: str
    customer: str
    currency: str
    printed: str
    note: str
    breakdown: str
    delivery: str
    credit: str


LABELS: dict[Language, Labels] = {
    "en": Labels(
        "Supplier reconciliation statement",
        "All purchase invoices and credit notes posted in the period, by supplier",
        ("Invoice no.", "Date", "Description", "Qty", "Unit price", "Amount"),
        "Supplier:", "(continued)", "Account", "Subtotal", "Carried forward", "Brought forward", "Grand total",
        "Page {} of {}", "Statement no.", "Period", "Customer", "Currency", "Printed",
        "Please compare each line with your ledger and report differences within ten working days. Credit notes are "
        "shown with a minus sign, before or after the figure as the supplier prints it.",
        "Breakdown of consolidated delivery", "delivery note", "Credit for",
    ),
    "de": Labels(
        "Kreditoren-Saldenabstimmung",
        "Alle im Zeitraum gebuchten Rechnungen und Gutschriften, nach Lieferant",
        ("Rechnung", "Datum", "Bezeichnung", "Menge", "Einzelpreis", "Betrag"),
        "Lieferant:", "(Fortsetzung)", "Konto", "Zwischensumme", "Übertrag auf nächste Seite", "Übertrag",
        "Gesamtsumme",
        "Seite {} von {}", "Auszug Nr.", "Zeitraum", "Kunde", "Währung", "Gedruckt",
        "Bitte gleichen Sie jede Zeile mit Ihrer Buchhaltung ab und melden Sie Abweichungen binnen zehn Werktagen. "
        "Gutschriften tragen ein Minus vor oder hinter dem Betrag, so wie der Lieferant es druckt.",
        "Aufstellung der Sammellieferung", "Lieferschein", "Gutschrift zu",
    ),
    "sr": Labels(
        "Izvod otvorenih stavki dobavljača",
        "Svi knjiženi računi i odobrenja u periodu, po dobavljaču",
        ("Broj računa", "Datum", "Opis", "Količina", "Cena", "Iznos"),
        "Dobavljač:", "(nastavak)", "Konto", "Međuzbir", "Prenos na sledeću stranu", "Prenos sa prethodne strane",
        "Ukupno",
        "Strana {} od {}", "Izvod br.", "Period", "Kupac", "Valuta", "Odštampano",
        "Molimo da svaku stavku uporedite sa svojom evidencijom i razlike prijavite u roku od deset radnih dana. "
        "Odobrenja imaju znak minus ispred ili iza iznosa, kako ih dobavljač štampa.",
        "Pregled zbirne isporuke", "otpremnica", "Odobrenje za",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Grid:
    """Where columns stand and how tall rows are, in points; figures end at their x, text starts there."""

    order: tuple[Column, ...]
    x: tuple[float, ...]
    size: float
    row: float
    step: float
    description: float

    def at(self, column: Column) -> float:
        return self.x[self.order.index(column)]


FIGURES: tuple[Column, ...] = ("quantity", "unit_price", "amount")
USUAL: tuple[Column, ...] = ("invoice_number", "date", "description", "quantity", "unit_price", "amount")
DATE_FIRST: tuple[Column, ...] = ("date", "invoice_number", "description", "quantity", "unit_price", "amount")
GRIDS: dict[Layout, Grid] = {
    "ruled": Grid(USUAL, (42, 122, 178, 396, 470, 553), 8.5, 17.2, 10.2, 172),
    "zebra": Grid(USUAL, (44, 118, 172, 404, 474, 551), 8.2, 16.0, 9.8, 184),
    "compact": Grid(DATE_FIRST, (42, 96, 172, 400, 472, 553), 7.8, 13.4, 9.2, 180),
}
INK, GREY, RULE, TINT = HexColor("#1b2733"), HexColor("#5d6b78"), HexColor("#c9d1d9"), HexColor("#eef3f7")
ACCENTS: dict[Layout, Color] = {
    "ruled": HexColor("#1f4e79"), "zebra": HexColor("#5b3a6b"), "compact": HexColor("#2f5d3a")
}  # fmt: skip
LEFT, RIGHT = 42.0, 553.0
FOOT = 66.0


@dataclass(frozen=True)
class TruthValues:
    invoice_number: str
    date: str
    supplier: str
    description: str
    quantity: str
    unit_price: str
    amount: str


@dataclass(frozen=True)
class TruthRow:
    page: int
    values: TruthValues


@dataclass(frozen=True)
class Totals:
    currency: str
    grand_total: str
    suppliers: dict[str, str]
    pages: dict[str, str]


@dataclass(frozen=True)
class StatementTruth:
    rows: tuple[TruthRow, ...]
    totals: Totals


def write(folder: Path, options: StatementOptions) -> Written:
    """Draw the statement and its truth into `folder`."""
    if options.pages < 2 or not 2 <= options.suppliers <= len(TRADES[options.language]):
        raise ValueError(f"a statement has at least 2 pages and 2 to {len(TRADES[options.language])} suppliers")
    pages = _pages_of(options)
    files = Written(folder / f"{options.name}.pdf", folder / f"{options.name}.truth.json")
    _Sheet(files.pdf, options, pages).draw()
    write_truth(files.truth, _truth(pages, options.currency), compact=True)
    return files


def _truth(pages: list[list[Event]], currency: str) -> StatementTruth:
    rows: list[TruthRow] = []
    suppliers: dict[str, str] = {}
    sums: dict[str, str] = {}
    running = Decimal(0)
    for number, events in enumerate(pages, start=1):
        for event in events:
            if event.kind == "subtotal":
                suppliers[event.supplier] = str(event.value)
            if event.item is not None:
                running += event.item.amount
                rows.append(TruthRow(number, _values(event.item)))
        sums[str(number)] = str(running)
    return StatementTruth(tuple(rows), Totals(currency, str(running), suppliers, sums))


def _values(item: Item) -> TruthValues:
    return TruthValues(
        item.invoice, item.day.isoformat(), item.supplier, item.description,
        str(item.quantity), str(item.unit_price), str(item.amount),
    )  # fmt: skip


# ---- what is on the statement


@dataclass(frozen=True)
class Account:
    """One supplier: its name, its trade, how it numbers invoices and where it prints a minus."""

    index: int
    name: str
    number: str
    trade: Trade
    pattern: str
    first: int
    share: float
    trailing: bool


PATTERNS = ("{:05d}", "RE-2025-{:05d}", "2025/{:04d}", "F25{:05d}", "HM-{:05d}", "9{:06d}", "INV{:06d}", "A-{:05d}-25")


def _accounts(options: StatementOptions) -> list[Account]:
    rng = Random(f"{options.seed}:accounts")
    trades = rng.sample(TRADES[options.language], options.suppliers)
    names = sorted(company_names(rng, trades, options.language))
    patterns = rng.sample(PATTERNS, options.suppliers)
    return [
        Account(
            index, name, str(70010 + 7 * index + rng.randrange(6)), next(t for t in trades if f" {t.name} " in name),
            patterns[index], rng.randint(310, 8900), rng.uniform(0.6, 1.6), index % 3 == 1,
        )
        for index, name in enumerate(names)
    ]  # fmt: skip


def _items(account: Account, wanted: int, options: StatementOptions) -> list[Item]:
    """`wanted` line items of one supplier in order of date, many invoices with several lines."""
    rng = Random(f"{options.seed}:items:{account.index}")
    items: list[Item] = []
    number = account.first
    while len(items) < wanted:
        number += rng.randint(1, 9)
        day = date(2025, 7, 1) + timedelta(days=min(91, len(items) * 92 // wanted))
        if rng.random() < 0.06 and items:
            items.append(_credit(rng, account, (number, day), rng.choice(items[-12:]), options.language))
            continue
        lines = rng.choice((1, 1, 1, 2, 2, 3, 4, 5))
        items += [_item(rng, account, number, day, options.language) for _ in range(lines)]
    return items[:wanted]


def _item(rng: Random, account: Account, number: int, day: date, language: Language) -> Item:
    trade = account.trade
    words = [rng.choice(trade.goods), rng.choice(trade.makes), rng.choice(trade.packs)]
    description = f"{words[0]} {words[1]}, {words[2]}"
    if rng.random() < 0.3:
        description = f"{description}, {LABELS[language].delivery} {rng.randint(10200, 98700)}-{rng.choice('ABCD')}"
    low, high = trade.cents
    usual = low * (high / low) ** Random(f"{account.name}:{words[0]}:{words[1]}").random()
    cents = max(1, round(usual * rng.uniform(0.93, 1.07)))
    most = max(1, min(trade.largest, 4_000_000 // cents))
    quantity = Decimal(rng.randint(1, most))
    if words[2] in DIVISIBLE and rng.random() < 0.6:
        quantity += Decimal("0.5")
        cents += cents % 2  # so that the amount is exact to the cent
    return Item(
        account.pattern.format(number),
        day,
        account.name,
        description,
        quantity,
        Decimal(cents).scaleb(-2),
        account.trailing,
    )


def _credit(rng: Random, account: Account, head: tuple[int, date], credited: Item, language: Language) -> Item:
    """A credit note for part of an earlier item."""
    whole = max(1, int(abs(credited.quantity)))
    return replace(
        credited,
        invoice=account.pattern.format(head[0]),
        day=head[1],
        description=f"{LABELS[language].credit} {credited.invoice}: {credited.description.split(',')[0]}",
        quantity=Decimal(-rng.randint(1, whole)),
    )


def _events(account: Account, wanted: int, options: StatementOptions) -> list[Event]:
    """A supplier's heading, rows and subtotal; one supplier has a boxed block, two have a line that occurs twice."""
    items = _items(account, wanted, options)
    middle = len(items) // 2
    if account.index % 3 == 0 and len(items) > 4:
        items[middle + 1] = items[middle]
    rows = [Event("row", account.name, account.number, item=item) for item in items]
    if account.index == 1 and len(items) > 5:
        rows[middle : middle + 4] = _block(rows[middle : middle + 4], options)
    subtotal = sum((item.amount for item in items), Decimal(0))
    return [
        Event("group", account.name, account.number),
        *rows,
        Event("subtotal", account.name, account.number, value=subtotal),
    ]


def _block(rows: list[Event], options: StatementOptions) -> list[Event]:
    """The rows as one invoice of four lines under a small heading of their own."""
    first = rows[0].item
    assert first is not None
    same = [replace(row.item, invoice=first.invoice, day=first.day) for row in rows if row.item is not None]
    text = f"{LABELS[options.language].breakdown} {first.invoice}"
    heading = Event("block", first.supplier, rows[0].account, text=text, boxed=True)
    return [heading, *(replace(row, item=item, boxed=True) for row, item in zip(rows, same, strict=True))]


def _stream(accounts: list[Account], total: int, options: StatementOptions) -> list[Event]:
    whole = sum(account.share for account in accounts)
    return [
        event
        for account in accounts
        for event in _events(account, max(8, round(total * account.share / whole)), options)
    ]


# ---- how it falls on pages


def _height(event: Event, grid: Grid, font: Family) -> float:
    match event.kind:
        case "group":
            return 27.0
        case "block":
            return 18.0
        case "subtotal":
            return 25.0
        case "row":
            assert event.item is not None
            lines = wrap(event.item.description, font.regular, grid.size, grid.description)
            return grid.row + (len(lines) - 1) * grid.step


def _top(page: int) -> float:
    """Where rows may begin on a page, measured from the page's foot."""
    return A4[1] - (222.0 if page == 1 else 98.0)


def _paginate(events: list[Event], grid: Grid, font: Family) -> list[list[Event]]:
    heights = [_height(event, grid, font) for event in events]
    pages: list[list[Event]] = [[]]
    y = _top(1) - 18
    for index, event in enumerate(events):
        need = heights[index]
        if event.kind == "group":
            need += heights[index + 1]
        if event.kind == "block":
            need += sum(heights[index + 1 : index + 5])
        if y - need < FOOT + 22:
            pages.append([])
            y = _top(len(pages)) - 18 - (27.0 if event.kind != "group" else 0.0)
        y -= heights[index]
        pages[-1].append(event)
    if y < FOOT + 22 + 40:  # the grand total needs room below the last subtotal
        pages.append([])
    return pages


def _pages_of(options: StatementOptions) -> list[list[Event]]:
    """Exactly `options.pages` pages: as many rows as they hold, less a few."""
    grid, font, accounts = GRIDS[options.layout], _font(options), _accounts(options)

    def pages(total: int) -> list[list[Event]]:
        return _paginate(_stream(accounts, total, options), grid, font)

    low, high = 8 * len(accounts), options.pages * 60
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if len(pages(middle)) <= options.pages else (low, middle - 1)
    rng = Random(f"{options.seed}:size")
    for total in range(low - rng.randint(4, 11), low + 1):
        found = pages(total)
        if len(found) == options.pages and found[-1]:
            return _twins_over_break(found, grid, font)
    raise ValueError(f"{len(accounts)} suppliers do not fit {options.pages} pages")


def _twins_over_break(pages: list[list[Event]], grid: Grid, font: Family) -> list[list[Event]]:
    """Make the first row of some page equal to the last row of the page before, where both take one line."""
    for number in range(len(pages) // 3, len(pages) - 1):
        last, first = pages[number][-1], pages[number + 1][0]
        if last.item is None or first.item is None or last.boxed or first.boxed or last.item.amount < 0:
            continue
        if last.supplier == first.supplier and _height(last, grid, font) == _height(first, grid, font):
            pages[number + 1][0] = replace(first, item=last.item)
            return _summed_again(pages)
    return pages


def _summed_again(pages: list[list[Event]]) -> list[list[Event]]:
    sums: dict[str, Decimal] = {}
    for event in (event for page in pages for event in page if event.item is not None):
        assert event.item is not None
        sums[event.supplier] = sums.get(event.supplier, Decimal(0)) + event.item.amount
    return [
        [replace(event, value=sums[event.supplier]) if event.kind == "subtotal" else event for event in page]
        for page in pages
    ]


def _font(options: StatementOptions) -> Family:
    return family(options.font or ("Roboto" if options.language == "sr" else "Helvetica"))


# ---- how it is drawn


class _Sheet:
    """Draws the pages in order; keeps the running sum and the height reached."""

    def __init__(self, path: Path, options: StatementOptions, pages: list[list[Event]]) -> None:
        self.options, self.pages = options, pages
        self.labels, self.grid, self.font = LABELS[options.language], GRIDS[options.layout], _font(options)
        self.accent = ACCENTS[options.layout]
        rng = Random(f"{options.seed}:form")
        self.number = f"SR-2025-{rng.randint(1040, 9870):05d}"
        self.customer = rng.choice(("Norvelle Procurement B.V.", "Aldermoor Systems Ltd", "Tarnbach Industrie AG"))
        self.canvas: Canvas = canvas(path, f"{self.labels.title} {self.number}", self.customer, compress=False)
        self.sum = Decimal(0)
        self.y = 0.0
        self.striped = False

    def draw(self) -> None:
        for number, events in enumerate(self.pages, start=1):
            self._frame(number)
            self._opening(number, events)
            for event in events:
                self._event(event)
            if number == len(self.pages):
                self._grand_total()
            self._closing()
            self.canvas.showPage()
        self.canvas.save()

    def _text(self, x: float, y: float, text: str, bold: bool = False, size: float | None = None) -> None:
        self.canvas.setFont(self.font.bold if bold else self.font.regular, size or self.grid.size)
        self.canvas.drawString(x, y, text)

    def _ended(self, x: float, y: float, text: str, bold: bool = False, size: float | None = None) -> None:
        self.canvas.setFont(self.font.bold if bold else self.font.regular, size or self.grid.size)
        self.canvas.drawRightString(x, y, text)

    def _rule(self, y: float, width: float = 0.4, colour: Color = RULE) -> None:
        self.canvas.setStrokeColor(colour)
        self.canvas.setLineWidth(width)
        self.canvas.line(LEFT, y, RIGHT, y)

    def _money(self, value: Decimal, trailing: bool = False) -> str:
        return money(value, self.options.numbers, trailing)

    def _frame(self, number: int) -> None:
        """Running header, footer, and on the first page the letterhead."""
        self.canvas.setFillColor(GREY)
        if number > 1:
            self._text(LEFT, A4[1] - 46, f"{self.customer} · {self.labels.title}", size=7.5)
            self._ended(RIGHT, A4[1] - 46, self.number, size=7.5)
            self._rule(A4[1] - 52)
        else:
            self._letterhead()
        self.canvas.setFillColor(GREY)
        self._rule(46)
        self._text(LEFT, 34, f"{self.labels.number} {self.number} · {self.labels.printed} 04.10.2025", size=7.5)
        self._ended(RIGHT, 34, self.labels.page.format(number, len(self.pages)), size=7.5)

    def _letterhead(self) -> None:
        top = A4[1]
        self.canvas.setFillColor(self.accent)
        self.canvas.rect(0, top - 14, A4[0], 14, stroke=0, fill=1)
        self._text(LEFT, top - 56, self.labels.title, bold=True, size=20)
        self.canvas.setFillColor(GREY)
        self._text(LEFT, top - 73, self.labels.subtitle, size=9.5)
        facts = (
            (self.labels.customer, self.customer), (self.labels.number, self.number),
            (self.labels.period, "01.07.2025 – 30.09.2025"), (self.labels.currency, self.options.currency),
        )  # fmt: skip
        for index, (label, value) in enumerate(facts):
            x = LEFT + (0, 168, 300, 440)[index]
            self.canvas.setFillColor(GREY)
            self._text(x, top - 106, label, size=7.5)
            self.canvas.setFillColor(INK)
            self._text(x, top - 119, value, bold=True, size=9.5)
        self._rule(top - 130, 0.8, self.accent)
        self.canvas.setFillColor(GREY)
        for index, line in enumerate(wrap(self.labels.note, self.font.regular, 8.5, RIGHT - LEFT)):
            self._text(LEFT, top - 150 - 12 * index, line, size=8.5)

    def _opening(self, number: int, events: list[Event]) -> None:
        """Column heads, the sum brought forward, and the supplier's name again where its rows go on."""
        self.y = _top(number)
        self._heads()
        if number > 1:
            self.canvas.setFillColor(INK)
            self._text(self.grid.at("description"), self.y - 12, self.labels.brought, bold=True)
            self._ended(self.grid.at("amount"), self.y - 12, self._money(self.sum), bold=True)
        self.y -= 18
        if events and events[0].kind != "group":
            self._group(events[0], self.labels.continued)

    def _heads(self) -> None:
        y = self.y
        self.canvas.setFillColor(self.accent)
        self.canvas.rect(LEFT - 4, y, RIGHT - LEFT + 8, 18, stroke=0, fill=1)
        self.canvas.setFillColor(HexColor("#ffffff"))
        for column, label in zip(USUAL, self.labels.columns, strict=True):
            text = f"{label} {self.options.currency}" if column == "amount" else label
            if column in FIGURES:
                self._ended(self.grid.at(column), y + 5.6, text, bold=True)
            else:
                self._text(self.grid.at(column), y + 5.6, text, bold=True)

    def _event(self, event: Event) -> None:
        self.canvas.setFillColor(INK)
        match event.kind:
            case "group":
                self._group(event, "")
            case "block":
                self._block_heading(event)
            case "row":
                self._row(event)
            case "subtotal":
                self._subtotal(event)

    def _group(self, event: Event, suffix: str) -> None:
        self.canvas.setFillColor(self.accent)
        text = f"{self.labels.supplier} {event.supplier} {suffix}".rstrip()
        self._text(LEFT, self.y - 17, text, bold=True, size=10.5)
        self.canvas.setFillColor(GREY)
        self._ended(RIGHT, self.y - 17, f"{self.labels.account} {event.account}", size=8)
        self._rule(self.y - 23, 0.8, self.accent)
        self.y -= 27
        self.striped = False

    def _block_heading(self, event: Event) -> None:
        self._tint(18)
        self.canvas.setFillColor(INK)
        self._text(self.grid.at("description"), self.y - 12.5, event.text, bold=True, size=self.grid.size - 0.4)
        self.y -= 18

    def _tint(self, height: float) -> None:
        self.canvas.setFillColor(TINT)
        self.canvas.rect(LEFT - 4, self.y - height, RIGHT - LEFT + 8, height, stroke=0, fill=1)

    def _row(self, event: Event) -> None:
        item = event.item
        assert item is not None
        height = _height(event, self.grid, self.font)
        self.striped = not self.striped
        if event.boxed or (self.options.layout == "zebra" and self.striped):
            self._tint(height)
        self.canvas.setFillColor(INK)
        base = self.y - (self.grid.row + self.grid.size * 0.7) / 2
        self._text(self.grid.at("invoice_number"), base, item.invoice)
        self._text(self.grid.at("date"), base, dotted(item.day))
        lines = wrap(item.description, self.font.regular, self.grid.size, self.grid.description)
        for index, line in enumerate(lines):
            self._text(self.grid.at("description"), base - index * self.grid.step, line)
        self._ended(self.grid.at("quantity"), base, count(item.quantity, self.options.numbers, item.trailing))
        self._ended(self.grid.at("unit_price"), base, self._money(item.unit_price))
        self._ended(self.grid.at("amount"), base, self._money(item.amount, item.trailing))
        self.y -= height
        if self.options.layout == "ruled":
            self._rule(self.y)
        self.sum += item.amount

    def _subtotal(self, event: Event) -> None:
        self._text(self.grid.at("description"), self.y - 13, f"{self.labels.subtotal} {event.supplier}", bold=True)
        self._ended(self.grid.at("amount"), self.y - 13, self._money(event.value), bold=True)
        self._rule(self.y - 18, 0.6, INK)
        self.y -= 25

    def _grand_total(self) -> None:
        self.canvas.setFillColor(self.accent)
        label = f"{self.labels.total} {self.options.currency}"
        self._text(self.grid.at("description"), self.y - 22, label, bold=True, size=11)
        self._ended(self.grid.at("amount"), self.y - 22, self._money(self.sum), bold=True, size=11)
        for offset in (28, 30):
            self._rule(self.y - offset, 0.8, self.accent)

    def _closing(self) -> None:
        """The sum of all amounts so far at the foot of the page."""
        self.canvas.setFillColor(INK)
        self._rule(FOOT + 16, 0.6, INK)
        self._text(self.grid.at("description"), FOOT + 4, self.labels.carried, bold=True)
        self._ended(self.grid.at("amount"), FOOT + 4, self._money(self.sum), bold=True)
