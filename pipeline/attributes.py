"""What the columns of product tables are called, and which properties a product's own text tells by their form.

Comes in: words of a question, a table's header. Goes out: the column that is asked for, or where in a text a thread, a
grade or a material stands. English, German and Serbian. A property that no column and no form tells gives None.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline import folding
from pipeline.stems import stem

CURRENCY = r"eur|usd|gbp|chf|rsd|din|kn|bam|\w*euro|[€$£]"
COLUMNS = {
    "price": r"(?:(?:unit|list|net|gross|sales|retail|catalogue|current) )?(?:prices?|costs?)|much|\w*preise?|kostet|"
    r"kosten|"
    r"(?:jedinicna )?cen[aeiu]|kosta|kostaju",
    "pack": r"(?:(?:many|units?|pieces?|pcs|quantity|number) )*pack(?:s|ages?|aging|ing)?(?: (?:size|quantity|units?|"
    r"contains?|contents?))?|ve|"
    r"verpackungseinheit|packung(?:seinheit|sgrosse)?|pakovanj\w",
    "code": r"(?:product|part|item|article|order|ordering)? ?(?:codes?|numbers?|no)|sku|ref(?:erence)?|artikelnummer|"
    r"artikel nr|bestellnummer|"
    r"sifr\w|kataloski broj",
    "product": r"products?|product names?|names?|descriptions?|items?|artikel|bezeichnung|beschreibung|produkt|naziv|"
    r"opis|proizvod\w?|artikal",
    "thread": r"threads?(?: sizes?)?|gewinde(?:grosse)?|navoj\w?",
    "material": r"materials?|werkstoffe?|materijal\w?|made",
    "grade": r"(?:steel |material |strength )?grades?|(?:strength|property) class|gute(?:klasse)?|festigkeitsklasse|"
    r"klas[ae]",
    "length": r"lengths?|lange|duzin[aeu]",
    "width": r"widths?|breite|sirin[aeu]",
    "height": r"heights?|hohe|visin[aeu]",
    "diameter": r"diameters?|dia|durchmesser|precnik\w?|bore",
    "weight": r"weights?|mass|weigh|weighs|gewicht|masse|wiegt|tezin[aeu]|mas[aeu]",
    "size": r"sizes?|dimensions?|grosse|abmessung(?:en)?|masse|velicin[aeu]|dimenzij\w",
    "colour": r"colou?rs?|farbe|boj[aeu]",
    "finish": r"finish(?:es)?|coatings?|surface|oberflache|zavrsna obrada",
    "voltage": r"voltages?|spannung|napon\w?",
    "power": r"power|wattage|leistung|snag[aeu]",
    "stock": r"stock|availability|available|lager(?:bestand)?|zalih\w|stanje",
    "delivery": r"(?:delivery|lead) times?|lieferzeit|rok isporuke",
    "warranty": r"warranty|guarantee|garantie|gewahrleistung|garancij\w",
}  # fmt: skip
PATTERNS = {name: re.compile(rf"(?<!\w)(?:{pattern})(?!\w)") for name, pattern in COLUMNS.items()}
_SOLD = """
    sold come comes product item part article one each single unit units piece pieces available proizvod proizvoda
    artikel artikels produkt produkts artikla komad stuck catalogue made
"""
SOLD = frozenset(_SOLD.split())  # words that say no more than that something is a product
FORMS = {
    "thread": re.compile(r"(?<![\w.])(?:M\d{1,3}(?:[.,]\d+)?(?:\s?[x×]\s?\d+(?:[.,]\d+)?)*|(?:G|R|Rp|NPT)\s?\d/\d|"
    r"\d/\d\"?[- ]\d+ UN[CF])(?![\w.])"),
    "grade": re.compile(r"(?<![^\s,;])(?:\d{3}L? grade|grade \d{1,3}(?:\.\d)?L?|A[24](?:-\d\d)?)(?![^\s,;])"),
    "material": re.compile(
        r"(?:(?<=^)|(?<=, ))(?:\d{3}L? grade|grade \d{3}L?|A[24](?:-\d\d)?|(?:(?:stainless|spring|carbon|tool|mild|"
        r"high-carbon) )?steel|"
        r"brass|copper|aluminium|nylon|PTFE|rubber|bronze|titanium)(?=,|$)"
    ),
}  # fmt: skip
EUROS = {"euro": "eur", "euros": "eur", "eur": "eur", "eura": "eur", "evra": "eur"}
MONEY = re.compile(rf"(?<!\w)(?:{CURRENCY})(?!\w)")
UNIT = re.compile(rf"(?i)(?<![^\W_])(?:{CURRENCY}|mm|cm|m|kg|g|l|ml|v|w|kw|bar|nm|n|%|°c)(?![^\W_])")
NUMBER = re.compile(r"[+-]?\d[\d.,' ]*")


def column(words: Sequence[str], header: Sequence[str], row: str, language: str) -> int | None:
    """The column of a header that words ask for: each word is its title's, means the same, or stands in the row."""
    asked = " ".join(words)
    held = set(folding.words(row)) | SOLD
    best: tuple[int, int] | None = None
    for index, title in enumerate(header):
        rest = _without(asked, title, language)
        if len(rest) < len(words) and all(word in held for word in rest) and (best is None or len(rest) < best[0]):
            best = len(rest), index
    return best[1] if best else None


def _without(asked: str, title: str, language: str) -> list[str]:
    """The words that a column's title leaves over."""
    plain = " ".join(folding.words(title))
    own = {stem(word, language) for word in plain.split()} | {EUROS[word] for word in plain.split() if word in EUROS}
    for name, pattern in PATTERNS.items():
        if pattern.search(plain) or (name == "price" and is_price(title)):
            asked = pattern.sub(" ", asked)
    return [word for word in asked.split() if EUROS.get(word, stem(word, language)) not in own]


def told(words: Sequence[str], text: str) -> str | None:
    """What a product's text says of the property that words ask for, by its form; None where that is not plain."""
    asked = " ".join(words)
    for name, form in FORMS.items():
        if PATTERNS[name].search(asked):
            held = set(folding.words(text)) | SOLD
            rest = PATTERNS[name].sub(" ", asked).split()
            found = list(dict.fromkeys(match[0] for match in form.finditer(text)))
            return found[0] if len(found) == 1 and all(word in held for word in rest) else None
    return None


def with_unit(cell: str, title: str) -> str:
    """A bare number with the unit that its column's title names."""
    unit = UNIT.search(title)
    return f"{cell} {unit[0]}" if unit and NUMBER.fullmatch(cell.strip()) else cell


def is_price(title: str) -> bool:
    """Whether a column holds prices."""
    plain = f" {folding.plain(title)} "
    return bool(PATTERNS["price"].search(plain) or MONEY.search(plain))


def is_code(title: str) -> bool:
    """Whether a column holds the codes of products."""
    return bool(PATTERNS["code"].search(" ".join(folding.words(title))))


def describes(title: str) -> bool:
    """Whether a column says what a product is: its name, its size."""
    plain = " ".join(folding.words(title))
    return any(PATTERNS[name].search(plain) for name in ("product", "size", "thread", "grade", "material"))
