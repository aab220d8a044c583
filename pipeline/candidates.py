"""Where a value may stand, by its kind: the forms in which documents print what data holds in another.

Comes in: a `Leaf` and the `Ground`. Goes out: its spots. Numbers in any notation, dates of any calendar and language,
texts whole or in pieces, codes of currencies and countries by their signs and names. A truth value has no spots.
"""

from __future__ import annotations

from decimal import Decimal

from pipeline import amounts, calendars
from pipeline.ground import Ground, Spot, bare
from pipeline.leaves import Leaf

COUNTRIES = {
    "AE": "UAE|United Arab Emirates|الإمارات", "AT": "Austria|Österreich|Autriche", "AU": "Australia",
    "BA": "Bosna i Hercegovina|Bosnia and Herzegovina", "BE": "Belgium|België|Belgique|Belgien",
    "BG": "Bulgaria|България", "BR": "Brasil|Brazil", "CA": "Canada", "CH": "Switzerland|Schweiz|Suisse|Svizzera",
    "CN": "China|中国|中國", "CY": "Cyprus|Κύπρος", "CZ": "Czech Republic|Czechia|Česká republika|Česko",
    "DE": "Germany|Deutschland|Allemagne|Germania|Alemania|Duitsland", "DK": "Denmark|Danmark", "EE": "Estonia|Eesti",
    "EG": "Egypt|مصر", "ES": "Spain|España|Espagne|Spanien", "FI": "Finland|Suomi", "FR": "France|Frankreich|Francia",
    "GB": "United Kingdom|UK|Great Britain|England|Scotland|Wales", "GR": "Greece|Ελλάδα|Ελλάς", "HK": "Hong Kong|香港",
    "HR": "Croatia|Hrvatska", "HU": "Hungary|Magyarország", "IE": "Ireland|Éire", "IL": "Israel|ישראל", "IN": "India",
    "IT": "Italy|Italia|Italie|Italien", "JP": "Japan|日本", "KR": "Korea|대한민국|한국", "LT": "Lithuania|Lietuva",
    "LU": "Luxembourg|Luxemburg", "LV": "Latvia|Latvija", "MA": "Morocco|Maroc|المغرب", "ME": "Montenegro|Crna Gora",
    "MK": "North Macedonia|Македонија", "MX": "México|Mexico", "NL": "Netherlands|Nederland|Niederlande|Pays-Bas",
    "NO": "Norway|Norge", "NZ": "New Zealand", "PL": "Poland|Polska|Polen", "PT": "Portugal", "RO": "Romania|România",
    "RS": "Serbia|Srbija|Србија", "RU": "Russia|Россия", "SA": "Saudi Arabia|السعودية", "SE": "Sweden|Sverige",
    "SG": "Singapore", "SI": "Slovenia|Slovenija", "SK": "Slovakia|Slovensko", "TH": "Thailand|ไทย",
    "TR": "Turkey|Türkiye", "TW": "Taiwan|台灣|臺灣", "UA": "Ukraine|Україна", "US": "United States|USA|U.S.A.",
    "ZA": "South Africa",
}  # fmt: skip
FEW_LETTERS = 2
OTHERS = (
    ("円", "JPY"), ("元", "CNY"), ("¥", "CNY"), ("￥", "CNY"), ("RMB", "CNY"), ("人民币", "CNY"), ('ש"ח', "ILS"),
    ("원", "KRW"), ("đ", "VND"), ("VNĐ", "VND"), ("新臺幣", "TWD"), ("新台幣", "TWD"), ("NT$", "TWD"),
    ("рубл", "RUB"), ("درهم", "AED"), ("ريال", "SAR"), ("د.إ", "AED"), ("ر.س", "SAR"), ("جنيه", "EGP"),
)  # fmt: skip


def spots(leaf: Leaf, ground: Ground) -> tuple[Spot, ...]:
    """Where the leaf may stand, in the order of the document."""
    match leaf.kind:
        case "number":
            return _number(leaf, ground)
        case "date":
            return ground.texts(leaf.text) if not (isos := meant(leaf.text)) else _dated(leaf.text, isos, ground)
        case "text":
            return ground.texts(leaf.text) or _pieces(leaf.text, ground) or _named(leaf, ground)
    return ()


def meant(text: str) -> frozenset[str]:
    """The ISO dates (or months) that a text may mean."""
    text = text.strip()
    if len(text) == 7 and text[4:5] == "-" and text[:4].isdecimal():
        return frozenset({text})
    if len(text) >= 10 and text[4] == text[7] == "-" and text[:4].isdecimal():
        return frozenset({text[:10]})
    return frozenset(iso for one in calendars.dates(text) for iso in one.isos if len(iso) == len("2025-03-31"))


def _dated(text: str, isos: frozenset[str], ground: Ground) -> tuple[Spot, ...]:
    found = {(spot.cell, spot.start): spot for spot in ground.dates(isos)}
    if meant(text) and not text[:4].isdecimal():  # written as a document would: as printed counts first
        printed = {(spot.cell, spot.start): spot for spot in ground.texts(text)}
        found = printed or found
    return tuple(found[at] for at in sorted(found))


def _number(leaf: Leaf, ground: Ground) -> tuple[Spot, ...]:
    if isinstance(leaf.value, Decimal):
        return ground.numbers(leaf.value)
    amount = amounts.parse(str(leaf.value), None)
    readings = () if amount is None else (amount.value,) if amount.other is None else (amount.value, amount.other)
    found = [spot for value in readings for spot in ground.numbers(value)]
    return tuple(found) or ground.texts(leaf.text)


def _pieces(text: str, ground: Ground) -> tuple[Spot, ...]:
    return ground.pieced(text)


def _named(leaf: Leaf, ground: Ground) -> tuple[Spot, ...]:
    """A code's sign or name: `EUR` by `€`, `DE` by `Deutschland`."""
    code = leaf.text.strip().upper()
    if code in amounts.CODES:
        signs = [*((sign, name) for sign, name in amounts.SIGNS.items()), *OTHERS]
        return tuple(spot for sign, name in signs if name == code for spot in ground.signs(sign))
    names = COUNTRIES.get(code, "") if len(code) == FEW_LETTERS else ""
    return tuple(spot for name in names.split("|") if bare(name) for spot in ground.texts(name))
