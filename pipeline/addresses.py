"""What a written reference to a clause means: `Section 4.2`, `§ 4 Abs. 2`, `cl. 7.3(b)`, `Schedule 2, paragraph 4`.

Comes in: a reference as anybody may write it, or an anchor as we make it. Goes out: its keys, the likeliest first: a
kind and a number's path in the form of an anchor (`section-7-3-b`), Roman numbers of the first part as figures, so
that `Article 4` and `Article IV` are one. A text without a number gives none. Whether there is such a clause is for
the caller.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import chain

from pipeline import numbering
from pipeline.numbering import ANNEXES, BY_WORD
from pipeline.terms import plainly

KINDS = ("section", "article", "chapter", "part", "item", "schedule", "appendix")
ALIKE = (("section", "article", "item"), ("chapter",), ("part",), ANNEXES)  # those that are taken for each other
SHORT = {
    "section": "s ss sect secs sections clauses cl cls clausula zif ziff ziffern paragraf paragraph paragraphs para "
    "paras par klauzule klausel odeljka odeljku odeljci subsection punkt pkt tacke tacki",
    "article": "arts articles artikeln artikels clana clanu clanom clanovi",
    "schedule": "schedules sched sch anlagen anl priloga prilogu",
    "appendix": "app apps appx annexes exhibits exh ex anh anhangs dodatka dodatku aneks",
    "chapter": "chap ch kap",
    "part": "parts",
}
_BELOW = """subsection subclause subparagraph paragraph paragraphs para paras par absatz abs stav stava stavu nr nummer
lit litera buchstabe buchst point item tacka tacke tacki alineja alinea satz sentence"""
BELOW = frozenset(_BELOW.split())
IGNORED = {"satz", "sentence"}
PAGES = {"page", "pages", "p", "pp", "seite", "seiten", "strana", "strani", "line", "lines", "zeile"}
OF = {"of", "to", "in", "der", "des", "zu", "zum", "zur", "von", "iz", "uz"}
KIND_BY_WORD = {plainly(word) or word: kind for word, kind in BY_WORD.items()} | {
    word: kind for kind, words in SHORT.items() for word in words.split()
}
STEP = re.compile(
    r"(?P<sign>§+)|\((?P<inner>[^\W_]{1,5})\)|(?P<number>\d{1,4}[A-Za-z]?(?:[.\-–_]\d{1,4}[A-Za-z]?)*\.?)"
    r"|(?P<coded>[A-ZА-Я](?:[.\-–_]\d{1,3})+)|(?P<word>[^\W\d_]+(?:-[^\W\d_]+)*)"
)
ANCHOR = re.compile(
    r"#?(?P<kind>section|article|chapter|part|item|schedule|appendix)[-_](?P<path>[a-z0-9]+(?:[-_][a-z0-9]+)*)"
)
JOINED = re.compile(r"\s+(?:and|und|i|и|or|oder|ili|или|&)\s+|\s*;\s*|,\s*(?=\()", re.IGNORECASE)
LOOSE = re.compile(r"\([^\W_]{1,5}\)")


@dataclass(frozen=True)
class Address:
    """A kind ("" where none was written) and a path. paragraph: its last part was called a paragraph, by its place."""

    kind: str
    path: tuple[str, ...]
    paragraph: bool = False

    def anchors(self) -> tuple[str, ...]:
        """Anchors to look up (as `key` gives them), the likeliest first."""
        kinds = next((alike for alike in ALIKE if self.kind in alike), KINDS)
        ordered = sorted(kinds, key=lambda kind: kind != self.kind)
        return tuple(key(f"{kind}-{'-'.join(self.path)}") for kind in ordered)

    @property
    def above(self) -> Address:
        return Address(self.kind, self.path[:-1])


def key(anchor: str) -> str:
    """An anchor as it is looked up: small letters, the first number in figures, no zeros in front."""
    kind, *path = anchor.lower().split("-")
    if path and (len(path[0]) > 1 or path[0] in "ivx") and numbering.ROMAN_ONLY.fullmatch(path[0]):
        path[0] = str(numbering.value(path[0], "roman"))
    return "-".join([kind, *(part.lstrip("0") or part for part in path)])


def parse(written: str) -> tuple[Address, ...]:
    """The addresses in a reference: one, or several where it names several (`Sections 4.2 and 4.5`)."""
    found: list[Address] = []
    for part in JOINED.split(unicodedata.normalize("NFKC", written)):
        before = found[-1] if found else Address("", ())
        if before.path and LOOSE.fullmatch(part.strip()):  # 7.3(a) and (b)
            found.append(Address(before.kind, (*before.path[:-1], *plainly(part).split())))
            continue
        address = _one(part.strip(), before.kind)
        if address:
            found.append(address)
    return tuple(found)


def _one(written: str, kind: str) -> Address | None:
    if match := ANCHOR.fullmatch(written.lower()):
        return Address(match["kind"], tuple(re.split("[-_]", match["path"])))
    parts = _parts(written)
    if not parts:
        return None
    annex = next((index for index, part in enumerate(parts) if part.kind in ANNEXES), 0)
    if annex and parts[annex].after_of:  # paragraph 4 of Schedule 2
        parts = [*parts[annex:], *parts[:annex]]
    path = tuple(chain.from_iterable(part.path for part in parts))
    first = parts[0]
    if first.kind in ANNEXES and len(path) > 2 and path[1] == path[0]:  # Appendix B, B-3
        path = path[1:]
    return Address(first.kind or kind, path, len(parts) > 1 and parts[-1].counted)


@dataclass
class _Part:
    """A number with what the word in front of it says. counted: it is a paragraph's place (`Abs. 2`)."""

    kind: str
    path: tuple[str, ...]
    counted: bool
    after_of: bool


def _parts(written: str) -> list[_Part]:
    """The numbers of a reference in order; what follows the first other word (a title) is left out."""
    parts: list[_Part] = []
    word, of = "", False
    for step in STEP.finditer(written):
        if step["sign"]:
            word = "section"
        elif step["word"] and not _is_number(step["word"], word):
            plain = plainly(step["word"]).replace(" ", "")
            if plain in KIND_BY_WORD or plain in BELOW or (plain in PAGES and not parts):
                word = plain
            elif plain in OF and parts:
                of = True
            elif parts:
                break
        elif word in IGNORED or word in PAGES:
            word = ""
        else:
            below = bool(parts) and (word in BELOW or not word)
            kind = "" if below else str(KIND_BY_WORD.get(word, ""))
            parts.append(_Part(kind, _path(step), below and bool(word), of))
            word, of = "", False
    return parts


def _is_number(text: str, after: str) -> bool:
    """Whether a word of letters is a number: `Article IV`, `Appendix B`."""
    roman = bool(numbering.ROMAN_ONLY.fullmatch(text)) and text.isupper()
    lettered = bool(after) and len(text) == 1 and (text.isupper() or after in BELOW)
    return lettered or (roman and len(text) > 1)


def _path(step: re.Match[str]) -> tuple[str, ...]:
    return tuple(plainly(step[0].replace("_", " ")).split())
