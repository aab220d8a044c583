"""What frames a contract without being part of it: its cover page and its signature blocks.

Comes in: the lines of a document. Goes out: the reason for each line that is one or the other, by index. A cover is
only seen in a document that names itself an agreement; a signature block needs a place to sign, and labels beside it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from statistics import median

from pipeline.features import Feature, Features

COVER, SIGNATURE = "cover page", "signature block"
SHORTEST = 4  # pages of a document that has a cover
SPARSE = 0.45  # a cover has at most this share of the letters of the usual page
AGREEMENT = re.compile(
    r"\b(?:agreement|contract|deed|indenture|lease|\w*vertrag|\w*vereinbarung|contrat|accord|contratto|accordo|contrato"
    r"|acuerdo|overeenkomst|ugovor\w*|sporazum\w*|уговор\w*|споразум\w*)\b",
    re.IGNORECASE,
)
LABELS = (
    *("by", "name", "title", "date", "its", "signature", "signed", "place", "witness", "datum", "titel", "ort"),
    *("unterschrift", "nom", "qualité", "lieu", "nome", "titolo", "data", "firma", "nombre", "cargo", "fecha"),
    *("naam", "functie", "handtekening", "ime", "funkcija", "potpis", "mesto", "име", "функција", "потпис", "датум"),
    *("место", "ime i prezime", "име и презиме"),
)
LABELLED = re.compile(rf"(?P<label>{'|'.join(sorted(LABELS, key=len, reverse=True))})\s*:", re.IGNORECASE)
TO_SIGN = re.compile(r"_{5,}|/s/")
SIGNING = frozenset({"by", "signature", "signed", "unterschrift", "firma", "handtekening", "potpis", "потпис"})
PARTY = re.compile(r"\b(?:behalf|signed|für|namens|pour|per conto|por|za|за|u ime|у име)\b", re.IGNORECASE)


def formalities(features: Features, taken: Container[int]) -> dict[int, str]:
    """Lines of the cover and of signature blocks, but for those that the ledger has already."""
    lines = [line for line in features.lines if line.at not in taken and not line.turned]
    return dict.fromkeys(_cover(features, lines), COVER) | dict.fromkeys(_signatures(lines), SIGNATURE)


def _cover(features: Features, lines: Sequence[Feature]) -> list[int]:
    letters: dict[int, int] = defaultdict(int)
    for line in lines:
        letters[line.page] += len(line.text)
    first = [line for line in lines if line.page == 1]
    if len(features.pages) < SHORTEST or not first or letters[1] > SPARSE * median(letters.values()):
        return []
    prose = any(line.block_lines >= 3 and len(line.text) > 60 for line in first)
    clauses = any(line.number and not line.number.bare and line.number.rest for line in first)
    named = any(AGREEMENT.search(line.text) for line in first)
    return [line.at for line in first] if named and not prose and not clauses else []


def _signatures(lines: Sequence[Feature]) -> Iterator[int]:
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and _goes_on(lines, start, end):
            end += 1
        block = lines[start:end]
        if _is_signed(block):
            first = _with_party(lines, start)
            yield from (line.at for line in lines[first:end])
        start = max(end, start + 1)


def _goes_on(lines: Sequence[Feature], start: int, index: int) -> bool:
    """Whether a line is part of the block that began at `start`; one short line may stand between two labels."""
    line = lines[index]
    if line.page != lines[start].page:
        return False
    if _signs(line):
        return True
    following = lines[index + 1] if index + 1 < len(lines) else None
    between = index > start and _signs(lines[index - 1]) and following is not None and _signs(following)
    return between and len(line.text) <= 60 and following is not None and following.page == line.page


def _signs(line: Feature) -> bool:
    return LABELLED.match(line.text) is not None or (TO_SIGN.search(line.text) is not None and len(line.text) < 160)


def _is_signed(block: Sequence[Feature]) -> bool:
    labels = {match["label"].lower() for line in block for match in LABELLED.finditer(line.text)}
    place = any(TO_SIGN.search(line.text) for line in block) or bool(labels & SIGNING)
    return len(block) >= 2 and len(labels) >= 2 and place


def _with_party(lines: Sequence[Feature], start: int) -> int:
    """The first line of the block with the name of the party above it, up to two lines."""
    first = start
    for index in range(start - 1, max(-1, start - 3), -1):
        line = lines[index]
        short = line.page == lines[start].page and len(line.text) <= 90 and not line.text.endswith((".", ";", ":"))
        if not short or not (PARTY.search(line.text) or line.caps or line.bold) or line.number:
            break
        if line.size > 1.1 * lines[start].size:
            break
        first = index
    return first
