"""Draws an invoice in the layouts and languages of several countries, as pictures, one a page.

Comes in: a `Deal` (what is invoiced), a `Look` (how it looks), dots per inch. Goes out: `Sheet`s with a picture and the
boxes of fields in pixels. Refuses nothing. Places in this module are points from the upper left corner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from sample_docs.invoices_sheet import LEFT, RIGHT, Anchor, Deal, Item, Party, Pen, Pixels, Sheet, joined, mixed
from sample_docs.tongues import Tongue, fours
from sample_docs.words import count, money


@dataclass(frozen=True)
class Look:
    """labels: one printed word for each thing; script: puts words into the script of the invoice. head: the
    supplier's side; facts: number and dates with the label before the value, or over it; taxes: on lines of the sums,
    or in a table of their own; sign: whether the currency stands by the gross total.
    """

    tongue: Tongue
    labels: Mapping[str, str]
    script: Callable[[str], str]
    font: str
    ink: tuple[int, int, int]
    dates: str
    head: Literal["left", "right"]
    facts: Literal["before", "over"]
    taxes: Literal["lines", "table"]
    article: bool
    ruled: bool
    sign: bool


def sheets(deal: Deal, look: Look, dpi: int) -> list[Sheet]:
    """The pages of an invoice, clean."""
    return _Letter(deal, look, dpi).drawn()


def printed_date(day: date, look: Look) -> str:
    return look.script(day.strftime(look.dates).replace("{month}", look.tongue.months[day.month - 1]))


@dataclass(frozen=True)
class _Column:
    """A column of lines: its name, where it begins or ends (or its middle), how it is set."""

    name: str
    x: float
    anchor: Anchor


class _Letter:
    """Draws one invoice; goes on to a new page when the lines reach its foot."""

    def __init__(self, deal: Deal, look: Look, dpi: int) -> None:
        self.deal, self.look, self.dpi = deal, look, dpi
        self.pen = self._page()
        self.done: list[Sheet] = []
        self.y = 0.0
        self.columns = self._columns()

    def drawn(self) -> list[Sheet]:
        self._supplier()
        self._buyer()
        self._facts()
        self._heads()
        for number, item in enumerate(self.deal.items, start=1):
            self._item(number, item)
        self._sums()
        self._payment()
        self.done.append(self.pen.sheet)
        return self.done

    def _page(self) -> Pen:
        pen = Pen(self.look.font, self.look.ink, self.dpi)
        pen.sheet.owner = self.look.script(self.deal.supplier.name)
        pen.sheet.paid = self.look.script("PLAĆENO") if self.look.tongue.country == "rs" else "PAID"
        return pen

    def _label(self, name: str) -> str:
        label = self.look.labels[name]
        return label if name == "iban" else self.look.script(label)

    def _money(self, value: Decimal) -> str:
        return money(value, self.look.tongue.numbers)

    def _noted(self, name: str, value: str, normalised: str, box: Pixels) -> Pixels:
        self.pen.note(name, value, normalised, box)
        return box

    # ---- the head

    def _supplier(self) -> None:
        pen, who = self.pen, self.deal.supplier
        x, anchor = self._head()
        name, address = self.look.script(who.name), mixed(self.look.script, who.address)
        self._noted("supplier_name", name, name, pen.text(x, 52, name, 15, True, anchor))
        self._noted("supplier_address", address, address, pen.text(x, 67, address, 8.5, False, anchor))
        self._identifier("supplier_tax_id", who, (x, 81), anchor)
        title = self._label("title")
        pen.text(LEFT if anchor == "rs" else RIGHT, 56, title, 20, True, "ls" if anchor == "rs" else "rs")

    def _head(self) -> tuple[float, Anchor]:
        return (LEFT, "ls") if self.look.head == "left" else (RIGHT, "rs")

    def _identifier(self, name: str, who: Party, at: tuple[float, float], anchor: Anchor = "ls") -> None:
        pen, label = self.pen, f"{self._label('tax_id')}: "
        if anchor == "rs":
            box = pen.text(at[0], at[1], who.tax_id, 8.5, False, "rs")
            pen.text(box[0] / pen.scale - 3, at[1], label.strip(), 8.5, False, "rs")
        else:
            start = pen.text(at[0], at[1], label, 8.5)[2] / pen.scale + 3
            box = pen.text(start, at[1], who.tax_id, 8.5)
        self._noted(name, who.tax_id, who.tax_id, box)

    def _buyer(self) -> None:
        pen, who = self.pen, self.deal.buyer
        pen.text(LEFT, 128, self._label("buyer"), 8)
        name = self.look.script(who.name)
        self._noted("buyer_name", name, name, pen.text(LEFT, 143, name, 11, True))
        pen.text(LEFT, 157, mixed(self.look.script, who.address), 9)
        self._identifier("buyer_tax_id", who, (LEFT, 171))

    def _facts(self) -> None:
        """Number, dates and currency: beside the buyer, each behind its label, or below, each under its label."""
        facts = [("invoice_number", "number", self.deal.number, self.deal.number)]
        for name, label, day in (
            ("issue_date", "issued", self.deal.issued), ("supply_date", "supplied", self.deal.supplied),
            ("due_date", "due", self.deal.due),
        ):  # fmt: skip
            facts.append((name, label, printed_date(day, self.look), day.isoformat()))
        if not self.look.sign:
            facts.append(("currency", "currency", self.look.tongue.currency, self.look.tongue.currency))
        for place, (name, label, shown, plain) in enumerate(facts):
            shown = self.look.script(shown) if name == "currency" else shown
            box = self._fact(place, f"{self._label(label)}", shown, 105.0 * 5 / len(facts))
            self._noted(name, shown, plain, box)
            if name == "issue_date":
                self.pen.sheet.streak = box[0] + (box[2] - box[0]) * 0.62
        self.y = 252.0 if self.look.facts == "over" else 236.0

    def _fact(self, place: int, label: str, shown: str, wide: float) -> Pixels:
        if self.look.facts == "over":
            x = LEFT + place * wide
            self.pen.text(x, 202, label, 7.5)
            return self.pen.text(x, 216, shown, 9, True)
        y = 128 + place * 16
        self.pen.text(338, y, f"{label}:", 9)
        return self.pen.text(RIGHT, y, shown, 9, True, "rs")

    # ---- the lines

    def _columns(self) -> tuple[_Column, ...]:
        start = LEFT + 52 if self.look.article else LEFT + 22
        first = _Column("article", LEFT + 2, "ls") if self.look.article else _Column("no", LEFT + 14, "rs")
        return (
            first, _Column("description", start, "ls"), _Column("quantity", 314, "rs"), _Column("unit", 338, "ms"),
            _Column("price", 428, "rs"), _Column("rate", 478, "rs"), _Column("amount", RIGHT - 3, "rs"),
        )  # fmt: skip

    def _heads(self) -> None:
        if self.look.ruled:
            self.pen.box(LEFT, self.y - 13, RIGHT, self.y + 5, fill=(228, 231, 236))
        for column in self.columns:
            shown = "#" if column.name == "no" else self._label(column.name)
            self.pen.text(column.x, self.y, shown, 7.5, True, column.anchor)
        self.pen.line(LEFT, self.y + 5, RIGHT, self.y + 5, 0.8)
        self.y += 5

    def _item(self, number: int, item: Item) -> None:
        if self.y > 752:
            self._next_page()
        y = self.y + 13
        script, numbers = self.look.script, self.look.tongue.numbers
        cells = {
            "description": mixed(script, item.what), "quantity": count(item.quantity, numbers),
            "unit": script(item.unit), "price": self._money(item.price),
            "rate": f"{item.rate}%" if self.look.ruled else str(item.rate), "amount": self._money(item.amount),
            "no": str(number), "article": f"{4100 + 37 * number}",
        }  # fmt: skip
        plain = {
            "description": cells["description"], "quantity": str(item.quantity), "unit": cells["unit"],
            "price": str(item.price), "rate": str(item.rate), "amount": str(item.amount),
        }  # fmt: skip
        for column in self.columns:
            box = self.pen.text(column.x, y, cells[column.name], 8.5, False, column.anchor)
            if column.name == "description" and item.site:
                site = mixed(script, item.site)
                box = joined(box, self.pen.text(column.x, y + 11, site, 8.5))
                cells["description"], plain["description"] = (
                    f"{cells['description']}\n{site}",
                    f"{plain['description']} {site}",
                )
            if column.name in plain:
                known = {"price": "unit_price", "rate": "tax_rate"}.get(column.name, column.name)
                self._noted(f"line_item_{number}_{known}", cells[column.name], plain[column.name], box)
        self.y += 30 if item.site else 19
        if self.look.ruled:
            self.pen.line(LEFT, self.y, RIGHT, self.y, 0.4)

    def _next_page(self) -> None:
        self.pen.text(RIGHT, 806, f"{self._label('page')} {len(self.done) + 1}", 8, anchor="rs")
        self.done.append(self.pen.sheet)
        self.pen = self._page()
        self.pen.text(LEFT, 52, f"{self._label('number')} {self.deal.number}", 9, True)
        self.y = 86.0
        self._heads()

    # ---- sums

    def _sums(self) -> None:
        if self.y > 600:
            self._next_page()
        self.y += 26
        taxes = self.deal.taxes()
        if self.look.taxes == "table":
            self._tax_table(taxes)
        self._sum("net_total", self._label("net"), sum((base for _, base, _ in taxes), Decimal(0)))
        if self.look.taxes == "lines":
            for place, (rate, base, amount) in enumerate(taxes, start=1):
                self._tax_line(place, rate, base, amount)
        if self.look.taxes == "table" or len(taxes) > 1:
            self._sum("tax_total", self._label("tax"), sum((tax for _, _, tax in taxes), Decimal(0)))
        self.pen.line(330, self.y - 8, RIGHT, self.y - 8)
        self.y += 6
        gross = sum((base + tax for _, base, tax in taxes), Decimal(0))
        box = self._sum("gross_total", self._label("gross"), gross)
        self.pen.sheet.stamp = (box[0] * 0.8 + box[2] * 0.2, (box[1] + box[3]) / 2 + 8)

    def _sum(self, name: str, label: str, value: Decimal) -> Pixels:
        """One sum with its label; by the gross total the currency stands, where it is printed nowhere else."""
        bold = name == "gross_total"
        size = 11 if bold else 9
        self.pen.text(330, self.y, label, size, bold)
        right = RIGHT - 3.0
        if bold and self.look.sign:
            code = self.look.script(self.look.tongue.currency)
            box = self.pen.text(right, self.y, code, size, True, "rs")
            self._noted("currency", code, self.look.tongue.currency, box)
            right = box[0] / self.pen.scale - 4
        shown = self._money(value)
        box = self._noted(name, shown, str(value), self.pen.text(right, self.y, shown, size, bold, "rs"))
        self.y += 17
        return box

    def _tax_line(self, place: int, rate: Decimal, base: Decimal, amount: Decimal) -> None:
        """`VAT 20% (Net 1.234,00)   246,80` over two columns."""
        pen = self.pen
        start = pen.text(330, self.y, f"{self._label('vat')} ", 9)[2] / pen.scale + 3
        box = self._noted(f"tax_{place}_rate", f"{rate}%", str(rate), pen.text(start, self.y, f"{rate}%", 9))
        start = pen.text(box[2] / pen.scale + 5, self.y, f"({self._label('base')} ", 8)[2] / pen.scale + 2
        box = self._noted(
            f"tax_{place}_base", self._money(base), str(base), pen.text(start, self.y, self._money(base), 8)
        )
        pen.text(box[2] / pen.scale + 1, self.y, ")", 8)
        box = pen.text(RIGHT - 3, self.y, self._money(amount), 9, False, "rs")
        self._noted(f"tax_{place}_amount", self._money(amount), str(amount), box)
        if len({item.rate for item in self.deal.items}) == 1:
            self._noted("tax_total", self._money(amount), str(amount), box)
        self.y += 17

    def _tax_table(self, taxes: list[tuple[Decimal, Decimal, Decimal]]) -> None:
        """Rate, base and amount in columns to the left of the sums."""
        pen = self.pen
        places = (LEFT + 44, LEFT + 140, LEFT + 220)
        for x, label in zip(places, ("rate", "base", "vat"), strict=True):
            pen.text(x, self.y, self._label(label), 7.5, True, "rs")
        for number, (rate, base, amount) in enumerate(taxes, start=1):
            y = self.y + 15 * number
            shown = (f"{rate}%", self._money(base), self._money(amount))
            for x, name, value, plain in zip(
                places, ("rate", "base", "amount"), shown, (rate, base, amount), strict=True
            ):
                self._noted(f"tax_{number}_{name}", value, str(plain), pen.text(x, y, value, 8.5, False, "rs"))

    def _payment(self) -> None:
        pen = self.pen
        self.y += 44
        pen.text(LEFT, self.y, self._label("bank"), 8.5, True)
        account = self.deal.account
        for name, label, value, plain in (
            ("iban", "iban", fours(account), account),
            ("payment_reference", "reference", self.deal.reference, self.deal.reference),
        ):
            self.y += 15
            start = pen.text(LEFT, self.y, f"{self._label(label)}: ", 9)[2] / pen.scale + 3
            self._noted(name, value, plain, pen.text(start, self.y, value, 9))
        pen.text(LEFT, self.y + 34, self._label("thanks"), 9)
