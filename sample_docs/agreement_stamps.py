"""What is stamped on some agreements: line numbers, Bates numbers, watermarks, drafts, signatures, exhibit sheets.

Comes in: a language, a seed and which stamps are wanted. Goes out: `Stamps`: the words to print. Refuses nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal

Extra = Literal["lines", "bates", "watermark", "draft", "esign", "sheets"]


@dataclass(frozen=True)
class Signer:
    """Who signs for a party: name, office, and the day as printed."""

    name: str
    office: str
    day: str


@dataclass(frozen=True)
class Stamps:
    """The words of all stamps, and which are wanted. esigned: lines of an electronic signature; {} takes the name."""

    wanted: frozenset[Extra]
    watermark: str
    draft: str
    attached: str
    esigned: tuple[str, ...]
    signers: tuple[Signer, Signer]
    prefix: str
    first: int

    def has(self, extra: Extra) -> bool:
        return extra in self.wanted

    def bates(self, page: int) -> str:
        return f"{self.prefix}{self.first + page - 1:07d}"


NONE = Stamps(frozenset(), "", "", "", (), (Signer("", "", ""), Signer("", "", "")), "", 0)
WORDS = {
    "en": (
        "DRAFT", "Draft 12/3/2026", "[see attached]", ("DocuSigned by:", "{}", "3F2A9B1C4D5E4F6..."),
        (Signer("Ana Norvik", "Director", "12 March 2026"), Signer("Peter Velm", "Chief Executive", "13 March 2026")),
    ),
    "de": (
        "ENTWURF", "Entwurf vom 12.3.2026", "[siehe Anlage]",
        ("Digital unterschrieben von {}", "Datum: 2026.03.12 10:22:11 +01'00'"),
        (Signer("Anna Norvik", "Geschäftsführerin", "12.3.2026"), Signer("Peter Velmont", "Vorstand", "13.3.2026")),
    ),
    "sr-Latn": (
        "NACRT", "Nacrt od 12.3.2026.", "(u prilogu)", ("Digitalno potpisao {}", "Datum: 12.3.2026. 10:22:11"),
        (Signer("Ana Norvik", "direktor", "12.3.2026."), Signer("Petar Velmont", "predsednik", "13.3.2026.")),
    ),
    "sr-Cyrl": (
        "НАЦРТ", "Нацрт од 12.3.2026.", "(у прилогу)", ("Дигитално потписао {}", "Датум: 12.3.2026. 10:22:11"),
        (Signer("Ана Норвик", "директор", "12.3.2026."), Signer("Петар Велмонт", "председник", "13.3.2026.")),
    ),
}  # fmt: skip


def stamps(language: Literal["en", "de", "sr-Latn", "sr-Cyrl"], seed: int, wanted: tuple[Extra, ...]) -> Stamps:
    """The stamps of an agreement; the same for the same seed."""
    if not wanted:
        return NONE
    rng = Random(f"{seed}:stamps")
    watermark, draft, attached, esigned, signers = WORDS[language]
    prefix, first = rng.choice(("NVK", "VEL-", "ALD_")), rng.randint(1, 99_000)
    return Stamps(frozenset(wanted), watermark, draft, attached, esigned, signers, prefix, first)
