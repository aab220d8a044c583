"""Which of Tesseract's languages read which script, and which language a page that was read poorly is in. Pure.

Comes in: the script's name as Tesseract tells it, words, and what is installed. Goes out: names of Tesseract's
languages, the best first; none where nothing that is installed reads the script, or too little speaks for a language.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Set

from pipeline.languages import SMALL_WORDS

LATIN = (
    "eng deu fra ita spa nld srp_latn por pol ces slk slv hrv bos ron hun swe dan nor fin tur est lav lit cat sqi "
    "isl gle vie ind msa Latin"
)
BY_SCRIPT = {
    "Latin": tuple(LATIN.split()),
    "Cyrillic": ("srp", "rus", "ukr", "bul", "mkd", "bel", "Cyrillic"),
    "Greek": ("ell", "Greek"),
    "Hebrew": ("heb", "Hebrew"),
    "Arabic": ("ara", "fas", "urd", "Arabic"),
    "Han": ("chi_sim", "chi_tra", "HanS", "HanT"),
    "Japanese": ("jpn", "Japanese"),
    "Hangul": ("kor", "Hangul"),
    "Korean": ("kor", "Hangul"),
    "Thai": ("tha", "Thai"),
    "Devanagari": ("hin", "mar", "nep", "Devanagari"),
    "Bengali": ("ben", "Bengali"),
    "Armenian": ("hye", "Armenian"),
    "Georgian": ("kat", "Georgian"),
}
BY_CODE = {"en": "eng", "de": "deu", "fr": "fra", "it": "ita", "es": "spa", "nl": "nld"}
SERBIAN = ("srp", "srp_latn", "eng")
FORMS = {
    "en": "invoice total date amount number page quantity price item payment due balance subtotal cash change receipt "
    "thank you customer order bill qty unit description account statement address company paid rounding",
    "de": "rechnung datum betrag summe mwst ust kunde menge preis einzelpreis gesamt netto brutto seite zahlung "
    "bezeichnung strasse steuer kundennummer lieferung artikel bei",
    "fr": "facture date montant tva total client quantite prix page designation ttc reglement adresse commande numero "
    "reference vous nous",
    "it": "fattura data importo iva totale cliente quantita prezzo pagina descrizione imponibile pagamento codice via",
    "es": "factura fecha importe iva total cliente cantidad precio pagina descripcion pago numero calle periodo",
    "nl": "factuur datum bedrag btw totaal klant aantal prijs pagina omschrijving betaling nummer",
    "sr": "racun faktura datum iznos pdv ukupno kupac prodavac kolicina kol cena strana roba usluga usluge dobra opis "
    "placanja placanje rok valuta pib naziv popust osnovica broj adresa ulica izdavanja prometa uplatu poziv obveznik",
}
LEAST = 3  # words
CLEAR = 1.5  # times as many as for any other language
SHARE = 0.03


def is_cyrillic(text: str) -> bool:
    """Whether Cyrillic letters are in it."""
    return any("Ѐ" <= char <= "ӿ" for char in text)


def readers(script: str, installed: Set[str]) -> tuple[str, ...]:
    """What is installed for the script."""
    return tuple(name for name in BY_SCRIPT.get(script, ()) if name in installed)


def known(code: str, installed: Set[str]) -> tuple[str, ...]:
    """What reads the language of that ISO 639-1 code, without a doubt. Serbian is printed in both scripts at once."""
    if code == "sr":
        return tuple(name for name in SERBIAN if name in installed)
    name = BY_CODE.get(code, "")
    return (name,) if name in installed else ()


def spoken(words: Iterable[str]) -> str:
    """ISO 639-1 code of the language that small words and the words of forms speak for; "" where it is not clear.
    Accents do not count: a poor reading has lost them.
    """
    printed = [_folded(word) for word in words]
    hits = {code: sum(word in known for word in printed) for code, known in SPOKEN.items()}
    (best, most), (_, second) = sorted(hits.items(), key=lambda item: -item[1])[:2]
    return best if most >= max(LEAST, CLEAR * second, SHARE * len(printed)) else ""


def _folded(word: str) -> str:
    apart = unicodedata.normalize("NFKD", word.casefold().replace("đ", "dj"))
    return "".join(char for char in apart if char.isalpha())


SPOKEN = {
    code: frozenset(_folded(word) for word in (*small, *FORMS.get(code, "").split()) if len(word) > 1)
    for code, small in SMALL_WORDS.items()
}
