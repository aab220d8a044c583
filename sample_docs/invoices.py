"""Scanned Serbian invoices in one file with their truth: fields with boxes on the page as it lies in the scanner.

Comes in: `InvoicesOptions` and a folder. Goes out: invoices_scanned.pdf (pictures only) and its truth.
Refuses nothing. Money is Decimal; every sum closes; tax identifiers and IBANs carry valid check digits, but the numbers
lie in ranges that are not in use.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from random import Random
from typing import Literal

from sample_docs.drawing import Written, write_truth
from sample_docs.invoices_sheet import Deal, Form, Item, Party, sheets
from sample_docs.scan import Damage, Scan, scanned, write_pictures
from sample_docs.words import cyrillic

Scripts = Literal["latin", "cyrillic", "mixed"]
CENT = Decimal("0.01")


@dataclass(frozen=True)
class InvoicesOptions:
    """seed and sizes. Ranges are (from, to): skew in degrees, noise and blur as sigma (blur in pixels at 200 dpi),
    JPEG quality, opacity of the stamp (0..1), width of the streak in pixels. longest: lines on a long invoice.
    """

    seed: int = 477
    invoices: int = 6
    dpi: int = 200
    skew: tuple[float, float] = (-1.5, 1.5)
    blur: tuple[float, float] = (0.6, 1.2)
    noise: tuple[float, float] = (10.0, 20.0)
    quality: tuple[int, int] = (40, 70)
    stamp: tuple[float, float] = (0.3, 0.5)
    streak: tuple[int, int] = (2, 4)
    scripts: Scripts = "mixed"
    longest: int = 24
    name: str = "invoices_scanned"


@dataclass(frozen=True)
class TruthField:
    """covered: the streak lies over most of one of its glyphs, so that nobody can be sure of it."""

    invoice: int
    name: str
    value: str
    normalised: str
    page: int
    box: tuple[float, float, float, float]
    covered: bool = False


@dataclass(frozen=True)
class TruthPage:
    """What was done to a page: skew in degrees (counter-clockwise), blur and noise sigma, JPEG quality."""

    page: int
    invoice: int
    skew: float
    blur: float
    noise: float
    quality: int
    stamp: float
    streak: int


@dataclass(frozen=True)
class InvoicesTruth:
    fields: tuple[TruthField, ...]
    pages: tuple[TruthPage, ...]


def write(folder: Path, options: InvoicesOptions) -> Written:
    """Draw the scans and their truth into `folder`."""
    pictures: list[bytes] = []
    fields: list[TruthField] = []
    pages: list[TruthPage] = []
    for number in range(1, options.invoices + 1):
        rng = Random(f"{options.seed}:invoice:{number}")
        for sheet in sheets(deal(rng, number, options), form(rng, number, options), options.dpi):
            done = damage(rng, options)
            scan = scanned(sheet, done, options.dpi)
            pictures.append(scan.jpeg)
            page = len(pictures)
            fields += known(number, page, scan)
            pages.append(noted(page, number, done))
    files = Written(folder / f"{options.name}.pdf", folder / f"{options.name}.truth.json")
    write_pictures(files.pdf, pictures)
    write_truth(files.truth, InvoicesTruth(tuple(fields), tuple(pages)), compact=True)
    return files


def known(invoice: int, page: int, scan: Scan) -> list[TruthField]:
    """The fields of one scanned page."""
    return [
        TruthField(invoice, name, value, normalised, page, box, covered)
        for (name, value, normalised, box), covered in zip(scan.fields, scan.covered, strict=True)
    ]


def damage(rng: Random, options: InvoicesOptions) -> Damage:
    """Within the ranges; noise and quality lean to the small side, as scans that people mail do."""
    low, high = options.quality
    return Damage(
        seed=rng.getrandbits(32),
        skew=round(rng.uniform(*options.skew), 3),
        blur=round(rng.uniform(*options.blur), 3),
        noise=round(rng.triangular(*options.noise, options.noise[0]), 2),
        quality=round(rng.triangular(low, high, low)),
        stamp=round(rng.uniform(*options.stamp), 3),
        streak=rng.randint(*options.streak),
    )


def noted(page: int, invoice: int, done: Damage) -> TruthPage:
    return TruthPage(page, invoice, done.skew, done.blur, done.noise, done.quality, done.stamp, done.streak)


# ---- check digits


def tax_id(eight: str) -> str:
    """A PIB: eight digits and the check digit of ISO 7064 MOD 11,10."""
    rest = 10
    for digit in eight:
        rest = (rest + int(digit)) % 10 or 10
        rest = rest * 2 % 11
    return eight + str((11 - rest) % 10)


def iban(bank: str, account: str) -> str:
    """A Serbian IBAN, unspaced: three digits of bank, thirteen of account, two national and two IBAN check digits."""
    national = 98 - int(bank + account + "00") % 97
    number = f"{bank}{account}{national:02d}"
    return f"RS{98 - int(number + '272800') % 97:02d}{number}"


def reference(digits: str) -> str:
    """A payment reference of model 97: two check digits before the digits."""
    return f"97 {98 - int(digits + '00') % 97:02d}-{digits}"


# ---- what is on an invoice

SUPPLIERS = (
    ("Ledozor Klima d.o.o.", "klima"), ("Žubor Instalacije d.o.o.", "voda"), ("Čvorak Elektro d.o.o.", "struja"),
    ("Vetrilo Term d.o.o.", "klima"), ("Ćilimar Oprema d.o.o.", "papir"), ("Šumoplast Promet d.o.o.", "papir"),
    ("Đinđer Servis d.o.o.", "voda"), ("Munjovod Gradnja d.o.o.", "struja"),
)  # fmt: skip
BUYERS = ("Zlatni Klas Promet d.o.o.", "Pekara Belogaj d.o.o.", "Njegovan Hotel d.o.o.", "Džep Market a.d.")
STREETS = ("Lipova", "Đurđevdanska", "Vodenička", "Šljivićeva", "Ćuprijska", "Njivska", "Žitna")
TOWNS = ("11429 Novi Brod", "21483 Belogaj", "34227 Zelenbrod", "18266 Gornja Lipa", "25999 Ravnište")
SITES = (
    "Đurđevdan 12",
    "lokal br. 7",
    "magacin 2",
    "po zapisniku 41/25",
    "objekat Žitna 3",
    "II sprat",
    "hitna intervencija",
)
GOODS = {
    "klima": (
        ("Servis klima uređaja", "usl", 4500), ("Dopuna freona R32", "kg", 6900), ("Zamena filtera G4 592x592",
        "kom", 1850),
        ("Čišćenje spoljne jedinice", "usl", 3200), ("Ugradnja klima uređaja 12k", "usl", 14500),
        ("Bakarna cev 1/4\"", "m", 980), ("Nosač spoljne jedinice", "kom", 2350), ("Izlazak na teren", "usl", 1500),
    ),
    "voda": (
        ("Zamena ventila DN25", "kom", 2480), ("Čišćenje kanalizacije", "h", 5200), ("PPR cev fi20", "m", 185),
        ("Detekcija curenja", "usl", 7900), ("Bojler 80 l", "kom", 24990), ("Sifon za lavabo", "kom", 890),
        ("Ugradnja vodomera", "usl", 6400), ("Rad vodoinstalatera", "h", 2200),
    ),
    "struja": (
        ("Kabl PP-Y 3x2,5", "m", 168), ("Automatski osigurač B16", "kom", 540), ("Zamena razvodne table", "usl", 18500),
        ("LED reflektor 50W", "kom", 3290), ("Merenje otpora uzemljenja", "usl", 9800), ("Rad električara", "h", 2400),
        ("Utičnica šuko", "kom", 620), ("Fotoćelija", "kom", 1750),
    ),
    "papir": (
        ("Fotokopir papir A4 80g", "pak", 690), ("Toner crni 2600 str.", "kom", 4850), ("Registrator široki", "kom",
        385),
        ("Kartonska kutija 40x30x30", "kom", 145), ("Streč folija 500 mm", "kom", 1190), ("Školska sveska A5", "kom",
        120),
        ("Đačka tabla", "kom", 5600), ("Koverta B5", "pak", 450),
    ),
}  # fmt: skip
REDUCED = ("Školska sveska A5", "Đačka tabla", "PPR cev fi20", "Detekcija curenja")


def deal(rng: Random, number: int, options: InvoicesOptions) -> Deal:
    """One invoice: who, when, what. Every third one is long enough for two pages."""
    name, trade = rng.choice(SUPPLIERS) if number > len(SUPPLIERS) else SUPPLIERS[(number * 3) % len(SUPPLIERS)]
    issued = date(2025, 3, 3) + timedelta(days=rng.randrange(240))
    lines = options.longest if number % 3 == 0 else rng.randint(3, 8)
    serial = rng.randint(112, 989)
    return Deal(
        supplier=_party(rng, name),
        buyer=_party(rng, rng.choice(BUYERS)),
        number=rng.choice((f"2025-{serial:04d}", f"{serial}/25", f"R-{serial}/2025", f"IF25-{serial:05d}")),
        issued=issued,
        supplied=issued - timedelta(days=rng.randrange(4)),
        due=issued + timedelta(days=rng.choice((8, 15, 30, 45))),
        account=iban(rng.choice(("391", "397", "951")), f"{rng.randrange(10**11):013d}"),
        reference=reference(f"{rng.randint(10, 99)}{serial:04d}25"),
        items=tuple(_item(rng, trade) for _ in range(lines)),
    )


def _party(rng: Random, name: str) -> Party:
    street = f"{rng.choice(STREETS)} {rng.randint(2, 148)}, {rng.choice(TOWNS)}"
    return Party(name, street, tax_id(f"19{rng.randrange(10**6):06d}"), f"0{rng.randrange(10**7):07d}")


def _item(rng: Random, trade: str) -> Item:
    what, unit, usual = rng.choice(GOODS[trade])
    site = rng.choice(SITES) if rng.random() < 0.45 else ""
    quantity = Decimal(rng.randint(1, 24 if unit in ("m", "kom", "pak") else 6))
    if unit in ("h", "kg", "m") and rng.random() < 0.5:
        quantity += Decimal("0.5")
    price = (Decimal(usual) * Decimal(rng.randint(90, 112)) / 100).quantize(CENT, ROUND_HALF_UP)
    amount = (quantity * price).quantize(CENT, ROUND_HALF_UP)
    return Item(what, site, quantity, unit, price, Decimal(10 if what in REDUCED else 20), amount)


# which of form, names and goods are in Cyrillic, from invoice to invoice
MIXES = (
    (True, False, True), (True, False, False), (True, True, True), (False, False, True), (False, True, False),
    (False, False, False),
)  # fmt: skip


def form(rng: Random, number: int, options: InvoicesOptions) -> Form:
    """How the invoice looks: script of its form and of its contents, font, ruling, merged tax cells."""
    labels, names, goods = {
        "latin": (False, False, False),
        "cyrillic": (True, True, True),
        "mixed": MIXES[number % len(MIXES)],
    }[options.scripts]
    return Form(
        labels=cyrillic if labels else str,
        names=cyrillic if names else str,
        goods=cyrillic if goods else str,
        font=rng.choice(("NotoSans", "NotoSerif", "Roboto", "DejaVuSerifCondensed")),
        ruled=rng.random() < 0.6,
        merged=rng.random() < 0.6,
        ink=rng.choice(((28, 28, 32), (40, 40, 48), (20, 24, 44))),
        paid=rng.choice(("PLAĆENO", "PRIMLJENO", "OVERENO")),
    )
