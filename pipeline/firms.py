"""Names of firms on scanned pages: the legal form at their end, which OCR misreads most, and blocks that stand firm.

Comes in: the text of a name; the lines of a block from the name down to the label of its tax number. Goes out: the name
with its legal form as it is written; whether nothing lacks in the block and nothing is read into it. Refuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from pipeline import layout, scripts
from pipeline.model import Word

FORMS = frozenset({
    "doo", "ad", "od", "kd", "szr", "str", "pr", "gmbh", "ag", "kg", "ug", "ohg", "ek", "eg", "mbh", "sarl", "sas",
    "sa", "eurl", "snc", "sasu", "srl", "spa", "sl", "slu", "sc", "bv", "nv", "vof", "cv", "ltd", "limited", "llc",
    "llp", "plc", "inc", "corp", "se", "dd",
    "доо", "ад", "од", "кд", "сзр", "стр", "пр",
})  # fmt: skip
ELL = str.maketrans("I1|", "lll")  # `S.r.I.`
EDGE = 0.4  # of the type size: edges that are closer are one
GAP = 0.8  # of the type size: words of a line that are further apart may have lost one between them
BESIDE = 2.0  # of the type size: what stands nearer may be part of a line
_LIMITED = re.compile(r"[^\s.,]{0,2}[.,][0oOоО][.,][0oOоО][.,]?|[.,]{2}[0oOоО][.,]")  # `д.о.о.` as it is misread
_POSTAL = re.compile(r"\b\d{4,6}\b|\b[A-Z]{1,2}\d[\dA-Z]? \d[A-Z]{2}\b")


def mended(name: str) -> str:
    """The name with the legal form at its end as it is written: `d.o.o.` whichever of its signs were misread."""
    words = name.split()
    if len(words) < 2:
        return name
    if not _LIMITED.fullmatch(words[-1]):
        ell = words[-1].translate(ELL)
        return " ".join([*words[:-1], ell]) if _bare(ell) in FORMS and _bare(words[-1]) not in FORMS else name
    cyrillic = any(map(scripts.is_cyrillic, words[:-1]))
    return " ".join([*words[:-1], "д.о.о." if cyrillic else "d.o.o."])


def is_firm(lines: Sequence[Sequence[Word]], label: Word, page: Sequence[Word]) -> bool:
    """Whether a block is whole: a name with a legal form, a postal code below, the label of a tax number, at one edge,
    and nothing near that may belong to it. page: all words of its page.
    """
    if not 1 < len(lines) < 5 or not _has_form(lines[0]):
        return False
    if not any(_POSTAL.search(" ".join(word.text for word in line)) for line in lines[1:]):
        return False
    if any(layout.gap(left, right) > GAP for line in lines for left, right in pairwise(line)):
        return False
    size = label.size
    left = all(abs(line[0].box.x0 - label.box.x0) < EDGE * size for line in lines)
    right = all(abs(line[-1].box.x1 - lines[0][-1].box.x1) < EDGE * size for line in lines)
    return any(
        there and not any(_is_near(line, other, way) for line in lines for other in page)
        for there, way in ((left, 1), (right, -1))
    )


def _has_form(words: Sequence[Word]) -> bool:
    last = mended(" ".join(word.text for word in words)).split()[-1]
    return _bare(last) in FORMS


def _bare(form: str) -> str:
    return "".join(filter(str.isalnum, form.casefold()))


def _is_near(line: Sequence[Word], other: Word, way: int) -> bool:
    """Whether another word stands near on the line, to its right (1) or left (-1)."""
    if other in line or not any(map(str.isalnum, other.text)):
        return False
    box, size = line[0].box, line[0].size
    level = abs(other.box.middle[1] - line[-1 if way > 0 else 0].box.middle[1]) < 0.5 * size
    apart = other.box.x0 - line[-1].box.x1 if way > 0 else box.x0 - other.box.x1
    return level and -size < apart < BESIDE * size
