"""Draws a clean invoice as pictures, one a page, and notes where each field came to stand.

Comes in: a `Deal` (what is invoiced), a `Form` (how it looks), dots per inch. Goes out: `Sheet`s with a picture and the
boxes of fields in pixels. Refuses nothing. Places in this module are points from the upper left corner.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import Literal, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from sample_docs.drawing import A4, FONTS
from sample_docs.words import count, dotted, money

Anchor = Literal["ls", "rs", "ms"]
Pixels = tuple[float, float, float, float]
LEFT, RIGHT = 46.0, 549.0
NUMBERS: Literal["1.234,56"] = "1.234,56"


class Party(NamedTuple):
    name: str
    address: str
    tax_id: str
    register: str


class Item(NamedTuple):
    """A line; `site` is the second line of its description cell."""

    what: str
    site: str
    quantity: Decimal
    unit: str
    price: Decimal
    rate: Decimal
    amount: Decimal


@dataclass(frozen=True)
class Deal:
    supplier: Party
    buyer: Party
    number: str
    issued: date
    supplied: date
    due: date
    account: str
    reference: str
    items: tuple[Item, ...]

    def taxes(self) -> list[tuple[Decimal, Decimal, Decimal]]:
        """Rate, base and amount, the highest rate first."""
        found = []
        for rate in sorted({item.rate for item in self.items}, reverse=True):
            base = sum((item.amount for item in self.items if item.rate == rate), Decimal(0))
            found.append((rate, base, (base * rate / 100).quantize(Decimal("0.01"), ROUND_HALF_UP)))
        return found


@dataclass(frozen=True)
class Form:
    """labels, names, goods: put text into the script they are printed in. merged: equal tax rates share a cell."""

    labels: Callable[[str], str]
    names: Callable[[str], str]
    goods: Callable[[str], str]
    font: str
    ruled: bool
    merged: bool
    ink: tuple[int, int, int]
    paid: str


class Field(NamedTuple):
    """name, value as printed, plain value, box in pixels."""

    name: str
    value: str
    normalised: str
    box: Pixels


class Mark(NamedTuple):
    """Text as it was put on a page, in points, for those who draw the page again."""

    x: float
    y: float
    text: str
    size: float
    font: str
    ink: tuple[int, int, int]
    anchor: Anchor


class Stroke(NamedTuple):
    """A line, the outline of a box, or a filled box, in points."""

    box: Pixels
    width: float
    fill: tuple[int, int, int] | None = None
    outline: bool = False


@dataclass
class Sheet:
    """A page: its picture, fields, and where stamp (centre) and streak (x) go, in pixels, if they do. marks and
    strokes: what was drawn, in points.
    """

    picture: Image.Image
    fields: list[Field] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)
    stamp: tuple[float, float] | None = None
    streak: float | None = None
    paid: str = ""
    owner: str = ""


def mixed(change: Callable[[str], str], text: str) -> str:
    """`text` in its script, except codes, sizes and Roman figures, which stay Latin."""
    return " ".join(word if _code(word) else change(word) for word in text.split(" "))


def _code(word: str) -> bool:
    return set(word) <= set("IVX") or any(letter.isdigit() or letter in "WXYQ" for letter in word)


@cache
def _font(name: str, pixels: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONTS / f"{name}.ttf"), pixels)


class Pen:
    """Writes on a page in points and gives the pixels that the ink takes."""

    def __init__(self, font: str, ink: tuple[int, int, int], dpi: int) -> None:
        self.font, self.ink, self.scale = font, ink, dpi / 72
        size = (round(A4[0] * self.scale), round(A4[1] * self.scale))
        self.sheet = Sheet(Image.new("RGB", size, (255, 255, 254)))
        self.draw = ImageDraw.Draw(self.sheet.picture)

    def text(self, x: float, y: float, text: str, size: float = 9, bold: bool = False, anchor: Anchor = "ls") -> Pixels:
        cut = f"{self.font}-{'Bold' if bold else 'Regular'}"
        font = _font(cut, round(size * self.scale))
        place = (x * self.scale, y * self.scale)
        self.sheet.marks.append(Mark(x, y, text, size, cut, self.ink, anchor))
        self.draw.text(place, text, font=font, fill=self.ink, anchor=anchor)
        x0, top, x1, bottom = self.draw.textbbox(place, text, font=font, anchor=anchor)
        return float(x0), float(top), float(x1), float(bottom)

    def note(self, name: str, printed: str, normalised: str, box: Pixels) -> None:
        self.sheet.fields.append(Field(name, printed, normalised, box))

    def line(self, x0: float, y0: float, x1: float, y1: float, width: float = 0.6) -> None:
        places = [value * self.scale for value in (x0, y0, x1, y1)]
        self.sheet.strokes.append(Stroke((x0, y0, x1, y1), width))
        self.draw.line(places, fill=(70, 70, 76), width=max(1, round(width * self.scale)))

    def box(self, x0: float, y0: float, x1: float, y1: float, fill: tuple[int, int, int] | None = None) -> None:
        places = [value * self.scale for value in (x0, y0, x1, y1)]
        self.sheet.strokes.append(Stroke((x0, y0, x1, y1), 0.7, fill, outline=True))
        self.draw.rectangle(places, fill=fill, outline=None if fill else (70, 70, 76), width=2)


def sheets(deal: Deal, form: Form, dpi: int) -> list[Sheet]:
    """The pages of an invoice, clean."""
    return _Invoice(deal, form, dpi).drawn()


def joined(one: Pixels, two: Pixels) -> Pixels:
    return min(one[0], two[0]), min(one[1], two[1]), max(one[2], two[2]), max(one[3], two[3])


COLUMNS = {"no": 62.0, "unit": 318.0, "quantity": 366.0, "price": 432.0, "rate": 466.0, "amount": 545.0}
BORDERS = (LEFT, 66.0, 300.0, 334.0, 370.0, 436.0, 472.0, RIGHT)
HEADS: tuple[tuple[str, str, Anchor], ...] = (
    ("no", "Rb.", "rs"), ("unit", "J.m.", "ms"), ("quantity", "Kol.", "rs"), ("price", "Cena", "rs"),
    ("rate", "PDV %", "rs"), ("amount", "Iznos", "rs"),
)  # fmt: skip


class _Invoice:
    """Draws one invoice; goes on to a new page when the lines reach its foot."""

    def __init__(self, deal: Deal, form: Form, dpi: int) -> None:
        self.deal, self.form, self.dpi = deal, form, dpi
        self.pen = Pen(form.font, form.ink, dpi)
        self.done: list[Sheet] = []
        self.y = 0.0
        self.top = self.run_top = 0.0
        self.run: list[int] = []

    def drawn(self) -> list[Sheet]:
        self._supplier()
        self._title()
        self._buyer()
        self._dates()
        self.y = 268.0
        self._heads()
        for number, item in enumerate(self.deal.items, start=1):
            self._item(number, item)
        self._close_run()
        self._table_end()
        self._totals()
        self._payment()
        self.done.append(self.pen.sheet)
        return self.done

    def _label(self, text: str) -> str:
        return self.form.labels(text)

    def _supplier(self) -> None:
        who, pen = self.deal.supplier, self.pen
        pen.box(LEFT, 40, LEFT + 34, 74, fill=(196, 202, 210))
        pen.text(LEFT + 17, 65, self.form.names(who.name)[0], 22, bold=True, anchor="ms")
        x = LEFT + 44
        name, address = self.form.names(who.name), mixed(self.form.names, who.address)
        pen.note("supplier_name", name, name, pen.text(x, 54, name, 14, bold=True))
        pen.note("supplier_address", address, address, pen.text(x, 69, address, 9))
        label = f"{self._label('PIB')}: "
        start = pen.text(x, 83, label, 9)[2] / pen.scale + 2
        box = pen.text(start, 83, who.tax_id, 9)
        pen.note("supplier_tax_id", who.tax_id, who.tax_id, box)
        pen.text(box[2] / pen.scale + 14, 83, f"{self._label('Matični broj')}: {who.register}", 9)

    def _title(self) -> None:
        pen = self.pen
        start = pen.text(LEFT, 128, self._label("Račun br."), 17, bold=True)[2] / pen.scale
        number = self.deal.number
        pen.note("invoice_number", number, number, pen.text(start + 7, 128, number, 17, bold=True))
        pen.sheet.owner = self.form.names(self.deal.supplier.name)
        pen.sheet.paid = self._label(self.form.paid)

    def _buyer(self) -> None:
        who, pen = self.deal.buyer, self.pen
        pen.box(300, 142, RIGHT, 224)
        pen.text(308, 157, f"{self._label('Kupac')}:", 8)
        name = self.form.names(who.name)
        pen.note("buyer_name", name, name, pen.text(308, 174, name, 11, bold=True))
        pen.text(308, 190, mixed(self.form.names, who.address), 9)
        start = pen.text(308, 208, f"{self._label('PIB')}: ", 9)[2] / pen.scale + 2
        pen.note("buyer_tax_id", who.tax_id, who.tax_id, pen.text(start, 208, who.tax_id, 9))

    def _dates(self) -> None:
        pen = self.pen
        rows = (
            ("issue_date", "Datum izdavanja", self.deal.issued), ("supply_date", "Datum prometa", self.deal.supplied),
            ("due_date", "Rok plaćanja", self.deal.due),
        )  # fmt: skip
        for index, (name, label, day) in enumerate(rows):
            y = 158 + index * 19
            pen.text(LEFT, y, f"{self._label(label)}:", 9.5)
            printed = f"{dotted(day)}."
            box = pen.text(LEFT + 118, y, printed, 9.5, bold=True)
            pen.note(name, printed, day.isoformat(), box)
            if name == "issue_date":
                pen.sheet.streak = box[0] + (box[2] - box[0]) * 0.62
        pen.text(LEFT, 215, f"{self._label('Valuta')}:", 9.5)
        currency = self._label("RSD")
        pen.note("currency", currency, "RSD", pen.text(LEFT + 118, 215, currency, 9.5))

    # ---- the table

    def _heads(self) -> None:
        pen = self.pen
        pen.box(LEFT, self.y - 14, RIGHT, self.y + 6, fill=(222, 226, 231))
        pen.text(72, self.y, self._label("Opis dobra / usluge"), 8, bold=True)
        for column, label, anchor in HEADS:
            pen.text(COLUMNS[column], self.y, self._label(label), 8, bold=True, anchor=anchor)
        self.top = self.y - 14
        self.y += 6
        self.run_top = self.y

    def _item(self, number: int, item: Item) -> None:
        height = 31.0 if item.site else 19.0
        if self.y + height > 780:
            self._next_page()
        if self.run and self.deal.items[self.run[-1] - 1].rate != item.rate:
            self._close_run()
        self.run.append(number)
        self._cells(number, item, self.y + 13)
        self.y += height
        self.pen.line(LEFT, self.y, BORDERS[5], self.y, 0.4)
        self.pen.line(BORDERS[6], self.y, RIGHT, self.y, 0.4)
        if not self.form.merged:
            self._close_run()

    def _cells(self, number: int, item: Item, y: float) -> None:
        pen, at = self.pen, f"line_item_{number}_"
        pen.text(COLUMNS["no"], y, f"{number}.", 8.5, anchor="rs")
        what = mixed(self.form.goods, item.what)
        box = pen.text(72, y, what, 8.5)
        if item.site:
            site = mixed(self.form.goods, item.site)
            box = joined(box, pen.text(72, y + 12, site, 8.5))
            what = f"{what}\n{site}"
        pen.note(f"{at}description", what, what.replace("\n", " "), box)
        unit = self.form.goods(item.unit)
        pen.note(f"{at}unit", unit, unit, pen.text(COLUMNS["unit"], y, unit, 8.5, anchor="ms"))
        for name, value, printed in (
            ("quantity", item.quantity, count(item.quantity, NUMBERS)), ("price",
            item.price, money(item.price, NUMBERS)),
            ("amount", item.amount, money(item.amount, NUMBERS)),
        ):  # fmt: skip
            box = pen.text(COLUMNS[name], y, printed, 8.5, anchor="rs")
            pen.note(at + ("unit_price" if name == "price" else name), printed, str(value), box)

    def _close_run(self) -> None:
        """Print the tax rate once for the lines since the last one, in the middle of their merged cell."""
        if not self.run:
            return
        pen = self.pen
        rate = self.deal.items[self.run[0] - 1].rate
        middle = (self.run_top + self.y) / 2 + 3
        printed = f"{rate}%" if self.form.ruled else f"{rate}"
        box = pen.text(COLUMNS["rate"], middle, printed, 8.5, anchor="rs")
        for number in self.run:
            pen.note(f"line_item_{number}_tax_rate", printed, str(rate), box)
        pen.line(BORDERS[5], self.y, BORDERS[6], self.y, 0.4)
        self.run, self.run_top = [], self.y

    def _table_end(self) -> None:
        for x in BORDERS if self.form.ruled else (LEFT, RIGHT):
            self.pen.line(x, self.top, x, self.y)
        self.pen.line(LEFT, self.y, RIGHT, self.y, 1.0)

    def _next_page(self, going_on: bool = True) -> None:
        """going_on: the table does; else there are only sums to come."""
        self._close_run()
        self._table_end()
        self.pen.text(RIGHT, 800, f"{self._label('Strana')} {len(self.done) + 1}", 8, anchor="rs")
        self.done.append(self.pen.sheet)
        self.pen = Pen(self.form.font, self.form.ink, self.dpi)
        self.pen.sheet.paid, self.pen.sheet.owner = self.done[-1].paid, self.done[-1].owner
        heading = f"{self._label('Račun br.')} {self.deal.number}, {self._label('nastavak')}"
        self.pen.text(LEFT, 60, heading, 10, bold=True)
        self.y = 96.0
        if going_on:
            self._heads()

    # ---- sums

    def _totals(self) -> None:
        if self.y > 610:
            self._next_page(going_on=False)
            self.y = 84.0
        self.y += 18
        net = Decimal(0)
        tax = Decimal(0)
        for index, (rate, base, amount) in enumerate(self.deal.taxes(), start=1):
            self._tax_line(index, rate, base, amount)
            net, tax = net + base, tax + amount
        self.pen.line(330, self.y - 9, RIGHT, self.y - 9)
        self._sum("net_total", "Ukupno bez PDV", net, 9.5)
        self._sum("tax_total", "Ukupno PDV", tax, 9.5)
        self.y += 4
        self.pen.box(330, self.y - 14, RIGHT, self.y + 8)
        x0, top, x1, bottom = self._sum("gross_total", "ZA UPLATU", net + tax, 12)
        self.pen.sheet.stamp = (x0 * 0.8 + x1 * 0.2, (top + bottom) / 2 + 8)

    def _tax_line(self, index: int, rate: Decimal, base: Decimal, amount: Decimal) -> None:
        pen, y = self.pen, self.y
        start = pen.text(200, y, f"{self._label('Osnovica za PDV')} ", 9)[2] / pen.scale + 3
        printed = f"{rate}%"
        pen.note(f"tax_{index}_rate", printed, str(rate), pen.text(start, y, printed, 9))
        shown = money(base, NUMBERS)
        pen.note(f"tax_{index}_base", shown, str(base), pen.text(410, y, shown, 9, anchor="rs"))
        pen.text(424, y, self._label("PDV"), 9)
        shown = money(amount, NUMBERS)
        pen.note(f"tax_{index}_amount", shown, str(amount), pen.text(COLUMNS["amount"], y, shown, 9, anchor="rs"))
        self.y += 17

    def _sum(self, name: str, label: str, value: Decimal, size: float) -> Pixels:
        bold = name == "gross_total"
        self.y += 3
        self.pen.text(338, self.y, f"{self._label(label)}:", size, bold=bold)
        shown = money(value, NUMBERS)
        box = self.pen.text(COLUMNS["amount"], self.y, shown, size, bold=bold, anchor="rs")
        self.pen.note(name, shown, str(value), box)
        self.y += 15
        return box

    def _payment(self) -> None:
        pen = self.pen
        self.y += 26
        start = pen.text(LEFT, self.y, f"{self._label('Račun za uplatu')} (IBAN): ", 9)[2] / pen.scale + 3
        account = self.deal.account
        shown = " ".join(account[n : n + 4] for n in range(0, len(account), 4))
        pen.note("iban", shown, account, pen.text(start, self.y, shown, 9))
        self.y += 16
        start = pen.text(LEFT, self.y, f"{self._label('Poziv na broj')}: ", 9)[2] / pen.scale + 3
        number = self.deal.reference
        pen.note("payment_reference", number, number, pen.text(start, self.y, number, 9))
        self.y += 40
        for x in (LEFT, 380):
            pen.line(x, self.y + 14, x + 150, self.y + 14, 0.5)
        pen.text(LEFT + 75, self.y + 26, self._label("fakturisao"), 7.5, anchor="ms")
        pen.text(455, self.y + 26, self._label("primio"), 7.5, anchor="ms")
