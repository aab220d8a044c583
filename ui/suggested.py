"""Topics that clauses can be asked for, in the language of the document.

Comes in: a `Desk`. Goes out: names, each of which `topics.asked` takes for its topic. Refuses nothing: a document in
another language has the English names.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline import topics
from ui.desk import Desk

MOST = 12
WITHIN_DISPUTE = "jurisdiction"  # asked for alone, it is taken for the topic of disputes
GERMAN = {
    "termination": "Kündigung",
    "liability": "Haftung",
    "confidentiality": "Vertraulichkeit",
    "payment": "Zahlung",
    "governing_law": "Anwendbares Recht",
    "assignment": "Abtretung",
    "indemnity": "Freistellung",
    "force_majeure": "Höhere Gewalt",
    "warranty": "Gewährleistung",
    "insurance": "Versicherung",
    "intellectual_property": "Geistiges Eigentum",
    "data_protection": "Datenschutz",
    "notices": "Mitteilungen",
    "dispute": "Streitigkeiten",
    "renewal": "Verlängerung",
    "subcontracting": "Unterauftragnehmer",
    "audit": "Prüfungsrecht",
    "non_competition": "Wettbewerbsverbot",
    "amendment": "Vertragsänderung",
}
SERBIAN = {
    "termination": "Raskid",
    "liability": "Odgovornost",
    "confidentiality": "Poverljivost",
    "payment": "Plaćanje",
    "governing_law": "Merodavno pravo",
    "assignment": "Ustupanje",
    "indemnity": "Obeštećenje",
    "force_majeure": "Viša sila",
    "warranty": "Garancija",
    "insurance": "Osiguranje",
    "intellectual_property": "Intelektualna svojina",
    "data_protection": "Zaštita podataka",
    "notices": "Obaveštenja",
    "dispute": "Sporovi",
    "renewal": "Produženje",
    "subcontracting": "Podizvođači",
    "audit": "Revizija",
    "non_competition": "Zabrana konkurencije",
}
CYRILLIC = str.maketrans(
    "abvgdđežzijklmnoprstćufhcčšABVGDĐEŽZIJKLMNOPRSTĆUFHCČŠ", "абвгдђежзијклмнопрстћуфхцчшАБВГДЂЕЖЗИЈКЛМНОПРСТЋУФХЦЧШ"
)
DIGRAPHS = (("lj", "љ"), ("nj", "њ"), ("dž", "џ"))


def names(desk: Desk) -> tuple[str, ...]:
    """The topics that the headings of the document name; the first that ship, where they name none."""
    chosen = desk.topics or tuple(topics.shipped())
    spoken = named(desk.book.reading.document.language, [section.title for section in desk.book.sections])
    return tuple(spoken[name] for name in chosen[:MOST] if name in spoken)


def named(language: str, titles: Sequence[str]) -> dict[str, str]:
    """Each topic in a language, in the script of the titles."""
    if language == "de":
        return GERMAN
    if language == "sr":
        cyrillic = any("\u0400" <= letter <= "\u04ff" for title in titles for letter in title)
        return {name: in_cyrillic(text) for name, text in SERBIAN.items()} if cyrillic else SERBIAN
    return {name: name.replace("_", " ").capitalize() for name in topics.shipped() if name != WITHIN_DISPUTE}


def in_cyrillic(text: str) -> str:
    """Serbian in Latin letters, in Cyrillic ones."""
    for latin, cyrillic in DIGRAPHS:
        text = text.replace(latin, cyrillic)
    return text.translate(CYRILLIC)
