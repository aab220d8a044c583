"""Which of Tesseract's languages read which script. Pure.

Comes in: the script's name as Tesseract tells it, a language code, and what is installed. Goes out: names of
Tesseract's languages, the best first; none where nothing that is installed reads the script.
"""

from __future__ import annotations

from collections.abc import Set

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


def readers(script: str, installed: Set[str]) -> tuple[str, ...]:
    """What is installed for the script."""
    return tuple(name for name in BY_SCRIPT.get(script, ()) if name in installed)


def known(code: str, installed: Set[str]) -> tuple[str, ...]:
    """What reads the language of that ISO 639-1 code, without a doubt. Serbian is printed in both scripts at once."""
    if code == "sr":
        return tuple(name for name in SERBIAN if name in installed)
    name = BY_CODE.get(code, "")
    return (name,) if name in installed else ()
