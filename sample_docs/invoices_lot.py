"""Any number of invoices by seed, each a file of its own, scanned and as it was before: other layouts, languages, dpi.

Comes in: `LotOptions` and a folder. Goes out: invoice_0001_scan.pdf (pictures only), invoice_0001_digital.pdf (text
layer, fonts embedded) and so on, each with its truth. Refuses nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from random import Random

from reportlab.pdfgen.canvas import Canvas

from sample_docs import invoices, invoices_letter, invoices_sheet
from sample_docs.drawing import A4, Written, canvas, family, write_truth
from sample_docs.invoices import CENT, InvoicesOptions, InvoicesTruth, TruthField, TruthPage
from sample_docs.invoices_letter import Look
from sample_docs.invoices_sheet import Deal, Item, Mark, Party, Sheet, Stroke
from sample_docs.scan import scanned, write_pictures
from sample_docs.tongues import TONGUES, Tongue, iban, reference, tax_id
from sample_docs.words import cyrillic

Draw = Callable[[int], list[Sheet]]  # an invoice at so many dots per inch
DIGITAL_DPI = 288  # the boxes of a digital one are measured at this
DPIS = (150, 200, 200, 200, 250, 300)
SERBIAN = 0.6  # share of invoices in Serbian, half of them in Cyrillic
FONTS = ("NotoSans", "NotoSerif", "Roboto", "DejaVuSerifCondensed")
INKS = ((28, 28, 32), (40, 40, 48), (20, 24, 44))


@dataclass(frozen=True)
class LotOptions:
    """How many invoices, and of which seed; the same seed gives the same bytes, whatever the number."""

    seed: int = 1
    invoices: int = 100


def write(folder: Path, options: LotOptions) -> list[Written]:
    """Draw the invoices into `folder`: for each its scan, then its digital form."""
    written = []
    for number in range(1, options.invoices + 1):
        rng = Random(f"{options.seed}:lot:{number}")
        draw = _drawer(rng, number)
        name = f"invoice_{number:04d}"
        written.append(_scan(folder, f"{name}_scan", draw, rng))
        written.append(_digital(folder, f"{name}_digital", draw(DIGITAL_DPI)))
    return written


def _files(folder: Path, name: str) -> Written:
    folder.mkdir(parents=True, exist_ok=True)
    return Written(folder / f"{name}.pdf", folder / f"{name}.truth.json")


def _scan(folder: Path, name: str, draw: Draw, rng: Random) -> Written:
    options = InvoicesOptions(dpi=rng.choice(DPIS))
    pictures: list[bytes] = []
    fields: list[TruthField] = []
    pages: list[TruthPage] = []
    for page, sheet in enumerate(draw(options.dpi), start=1):
        _moved(sheet, rng)
        done = invoices.damage(rng, options)
        done = replace(done, streak=max(1, round(done.streak * options.dpi / 200)))
        scan = scanned(sheet, done, options.dpi)
        pictures.append(scan.jpeg)
        fields += invoices.known(1, page, scan)
        pages.append(invoices.noted(page, 1, done))
    files = _files(folder, name)
    write_pictures(files.pdf, pictures)
    write_truth(files.truth, InvoicesTruth(tuple(fields), tuple(pages)), compact=True)
    return files


def _moved(sheet: Sheet, rng: Random) -> None:
    """Put stamp and streak elsewhere on some pages: over any field, anywhere, or nowhere."""
    if sheet.stamp and rng.random() < 0.4:
        x0, top, x1, bottom = rng.choice(sheet.fields).box
        sheet.stamp = ((x0 + x1) / 2, (top + bottom) / 2)
    lot = rng.random()
    if lot < 0.2:
        sheet.streak = None
    elif lot < 0.5:
        sheet.streak = rng.uniform(0.05, 0.95) * sheet.picture.width


def _digital(folder: Path, name: str, sheets: list[Sheet]) -> Written:
    files = _files(folder, name)
    made = canvas(files.pdf, "Invoice", "sample_docs")
    fields: list[TruthField] = []
    scale = 72 / DIGITAL_DPI
    for page, sheet in enumerate(sheets, start=1):
        for stroke in sheet.strokes:
            _stroke(made, stroke)
        for mark in sheet.marks:
            _mark(made, mark)
        made.showPage()
        for field in sheet.fields:
            x0, top, x1, bottom = (round(side * scale, 2) for side in field.box)
            fields.append(TruthField(1, field.name, field.value, field.normalised, page, (x0, top, x1, bottom)))
    made.save()
    write_truth(files.truth, InvoicesTruth(tuple(fields), ()), compact=True)
    return files


def _stroke(made: Canvas, stroke: Stroke) -> None:
    x0, top, x1, bottom = stroke.box
    made.setLineWidth(stroke.width)
    made.setStrokeColorRGB(70 / 255, 70 / 255, 76 / 255)
    if not stroke.outline:
        made.line(x0, A4[1] - top, x1, A4[1] - bottom)
        return
    if stroke.fill:
        made.setFillColorRGB(*(share / 255 for share in stroke.fill))
    made.rect(x0, A4[1] - bottom, x1 - x0, bottom - top, stroke=int(not stroke.fill), fill=int(bool(stroke.fill)))


def _mark(made: Canvas, mark: Mark) -> None:
    family(mark.font.split("-")[0])
    made.setFont(mark.font, mark.size)
    made.setFillColorRGB(*(share / 255 for share in mark.ink))
    match mark.anchor:
        case "ls":
            made.drawString(mark.x, A4[1] - mark.y, mark.text)
        case "rs":
            made.drawRightString(mark.x, A4[1] - mark.y, mark.text)
        case "ms":
            made.drawCentredString(mark.x, A4[1] - mark.y, mark.text)


# ---- what is on an invoice


def _drawer(rng: Random, number: int) -> Draw:
    """An invoice of the lot: a form as the committed sample's, or a letter in any language."""
    serbian = rng.random() < SERBIAN
    if serbian and rng.random() < 0.5:
        options = InvoicesOptions(longest=rng.randint(9, 20))
        deal, form = invoices.deal(rng, number, options), invoices.form(rng, number, options)
        return lambda dpi: invoices_sheet.sheets(deal, form, dpi)
    language = "sr" if serbian else rng.choice([name for name in TONGUES if name != "sr"])
    tongue = TONGUES[language]
    letter, look = _deal(rng, number, tongue), _look(rng, tongue)
    return lambda dpi: invoices_letter.sheets(letter, look, dpi)


def _deal(rng: Random, number: int, tongue: Tongue) -> Deal:
    issued = date(2025, 1, 7) + timedelta(days=rng.randrange(340))
    serial = rng.randint(112, 98765)
    year = issued.year
    lines = rng.randint(18, 26) if number % 9 == 0 else rng.randint(1, 6)
    serbian = tongue.country == "rs"
    return Deal(
        supplier=_party(rng, tongue, rng.choice(tongue.suppliers)),
        buyer=_party(rng, tongue, rng.choice(tongue.buyers)),
        number=rng.choice(
            (f"{year}-{serial:05d}", f"{serial}", f"R{year}{serial:05d}", f"{serial}/{year % 100}", f"INV-{serial}")
        ),
        issued=issued,
        supplied=issued - timedelta(days=rng.randrange(9)),
        due=issued + timedelta(days=rng.choice((8, 14, 30, 45, 60))),
        account=_account(rng) if serbian else iban(rng, tongue),
        reference=invoices.reference(f"{rng.randint(10, 99)}{serial:05d}25") if serbian else reference(rng),
        items=tuple(_item(rng, tongue) for _ in range(lines)),
    )


def _account(rng: Random) -> str:
    return invoices.iban(rng.choice(("391", "397", "951")), f"{rng.randrange(10**11):013d}")


def _party(rng: Random, tongue: Tongue, name: str) -> Party:
    street, house = rng.choice(tongue.streets), rng.randint(2, 148)
    line = f"{house} {street}" if tongue.country in ("gb", "fr") else f"{street} {house}"
    known = invoices.tax_id(f"19{rng.randrange(10**6):06d}") if tongue.country == "rs" else tax_id(rng, tongue)
    return Party(name, f"{line}, {rng.choice(tongue.towns)}", known, "")


def _item(rng: Random, tongue: Tongue) -> Item:
    what, unit, usual = rng.choice(tongue.goods)
    site = f"{tongue.labels['article'][0]} {rng.randint(1100, 9800)}" if rng.random() < 0.2 else ""
    quantity = Decimal(rng.randint(1, 40)) + (Decimal("0.5") if rng.random() < 0.15 else 0)
    price = (Decimal(usual) * Decimal(rng.randint(83, 121)) / 100).quantize(CENT, ROUND_HALF_UP)
    rate = tongue.rates[0] if rng.random() < 0.8 else tongue.rates[1]
    amount = (quantity * price).quantize(CENT, ROUND_HALF_UP)
    return Item(what, site, quantity, unit, price, Decimal(rate), amount)


def _look(rng: Random, tongue: Tongue) -> Look:
    return Look(
        tongue=tongue,
        labels={name: rng.choice(ways) for name, ways in tongue.labels.items()},
        script=cyrillic if tongue.country == "rs" and rng.random() < 0.5 else str,
        font=rng.choice(FONTS),
        ink=rng.choice(INKS),
        dates=rng.choice(tongue.dates),
        head=rng.choice(("left", "right")),
        facts=rng.choice(("before", "over")),
        taxes=rng.choice(("lines", "table")),
        article=rng.random() < 0.3,
        ruled=rng.random() < 0.6,
        sign=rng.random() < 0.4,
    )
