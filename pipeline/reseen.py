"""Words of scanned pages read again before fields are looked for: labels and figures that OCR misread hide fields.

Comes in: pages, their pictures, the habits of the document. Goes out: the pages with the words that two other readers
of their crops agree on, against the first; and which words these are. Refuses what the readers refuse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from pipeline import alike, amounts, checksums, reread, scripts
from pipeline.habits import Habits
from pipeline.model import Page, Place, Word, around
from pipeline.reread import Leaves, Value

SURE = 0.6  # confidence: a word below is read again
TAX_DIGITS = 9
TAX_LABELS = ("pib:", "пиб:")
ALL = 0.85  # share of a page's words in one script that makes it the page's
FEW = 12  # words that tell nothing of a page
SAMPLE = 20
APART = 0.6  # of the type size: between an amount and its cents at most
_BEGUN = re.compile(r"\d{1,3}([.,]\d{3})*[.,]")
NEAR = 4  # words before and behind that tell the script
LEVEL = 0.5  # of the type size
FIGURES = 2  # in a word that is read again whatever its confidence

Mended = Mapping[Place, tuple[str, str]]  # each word as first read, and as it is now


def pages(held: Sequence[Page], leaves: Leaves, way: Habits) -> tuple[tuple[Page, ...], Mended]:
    """The pages with doubtful words as two other readers see them, and which these are."""
    values = [value for page in held for value in _doubtful(page)]
    told: dict[Place, tuple[str, str]] = {}
    for value, one in zip(values, reread.seen(values, held, leaves, way), strict=True):
        text = _mended(value, one.text, way) if one.check.outcome == "passed" else _pointed(value.text, way)
        if text != value.text:
            told[value.places[0]] = value.text, text
    mended = tuple(_with(page, told) for page in held)
    for page in mended:
        told.update(_tax_labels(page))
    return tuple(_joined(_with(page, told)) for page in held), told


def _joined(page: Page) -> Page:
    """The page with amounts in one piece whose cents were read apart (`308.888,` `16`)."""
    words: list[Word] = []
    for word in page.words:
        last = words[-1] if words else None
        apart = last is None or not (_BEGUN.fullmatch(last.text) and len(word.text) == 2 and word.text.isdigit())
        if last is None or apart or not _level(last, word) or word.box.x0 - last.box.x1 > APART * word.size:
            words.append(word)
        else:
            words[-1] = last._replace(text=last.text + word.text, box=around([last.box, word.box]))
    return page.with_words(words) if len(words) < len(page) else page


def _tax_labels(page: Page) -> Mended:
    """Short labels right before a number with the check digit of a Serbian tax number: `PIB:` is misread most."""
    found = {}
    for label, number in pairwise(page.words):
        digits = number.text.strip(".,;")
        short = (
            label.font == "ocr" and label.text[-1] in ":;." and 2 < len(label.text) < 7 and label.text[:-1].isalpha()
        )
        near = 0 < number.box.x0 - label.box.x1 < 2 * label.size and _level(label, number)
        if not (short and near and len(digits) == TAX_DIGITS and digits.isdigit()):
            continue
        proven = checksums.check("tax_id", digits, "RS")
        if proven and proven.outcome == "passed" and label.text.casefold() not in TAX_LABELS:
            found[Place(page.number, label.box)] = label.text, "PIB:"
    return found


def first(text: str, places: Sequence[Place], mended: Mended) -> str:
    """The text of a field in these places as it was first read."""
    for place, (before, after) in mended.items():
        if any(place.page == one.page and one.box.holds(*place.box.middle) for one in places):
            text = text.replace(after, before, 1)
    return text


def _doubtful(page: Page) -> Iterator[Value]:
    """Words with figures, those that the first reader was not sure of, and those in another script than beside them."""
    words = page.words
    prevailing = _prevailing(words)
    for at, word in enumerate(words):
        if word.font != "ocr" or not any(map(str.isalnum, word.text)):
            continue
        near = [one for one in words[max(0, at - NEAR) : at + NEAR + 1] if one is not word and _level(word, one)]
        beside = prevailing or " ".join(one.text for one in near if any(map(str.isalpha, one.text)))
        figures = sum(map(str.isdigit, word.text))
        alien = bool(beside) and not figures and reread.script(word.text) != reread.script(beside)
        if figures >= FIGURES or alien or (word.confidence < SURE and len(word.text) > 1):
            yield Value(_kind(word), word.text, (Place(page.number, word.box),), beside, part=True)


def _prevailing(words: Sequence[Word]) -> str:
    """Words that tell the script of a page nearly all of which is in one script; else nothing."""
    sure = [word.text for word in words if word.confidence >= SURE and sum(map(str.isalpha, word.text)) > 2]
    cyrillic = [text for text in sure if reread.script(text) == "cyrillic"]
    latin = [text for text in sure if reread.script(text) == "latin"]
    major = max(cyrillic, latin, key=len)
    return " ".join(major[:SAMPLE]) if len(major) >= ALL * len(sure) and len(major) >= FEW else ""


def _level(word: Word, other: Word) -> bool:
    """Whether another word stands on the same line."""
    return abs(word.box.middle[1] - other.box.middle[1]) < LEVEL * word.size


def _kind(word: Word) -> str:
    return "identifier" if any(map(str.isdigit, word.text)) else "text"


def _pointed(text: str, way: Habits) -> str:
    """An amount in cents with the points and commas of its document, where they are others."""
    digits = alike.cents(text)
    read = amounts.parse(text, way.decimal) if digits and way.decimal else None
    apart = read is None or 100 * read.value != int(digits)
    return alike.printed(digits, way.decimal) if digits and way.decimal and apart else text


def _mended(value: Value, second: str, way: Habits) -> str:
    """The word as the others see it; of an amount in cents only its digits, since points and commas are seen worst."""
    first = value.text
    if " " in second or (scripts.is_cyrillic(first) != scripts.is_cyrillic(second) and not value.beside):
        return first
    read = alike.cents(second)
    return alike.printed(read, way.decimal) if read and way.decimal else second


def _with(page: Page, told: Mended) -> Page:
    words = [
        word._replace(text=told[place][1]) if (place := Place(page.number, word.box)) in told else word
        for word in page.words
    ]
    return page.with_words(words) if words != list(page.words) else page
