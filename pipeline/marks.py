"""Labels on the lines of an invoice: where each stands and what it means.

Comes in: `Page`s and a `Vocabulary`. Goes out: `Print`s: a page's lines over its whole width, and the `Mark`s on them.
A label begins a phrase, or is followed by a colon; in the middle of a phrase only what is no single word counts.
Refuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline import labels, layout, lookalike, scripts, sheet
from pipeline.figures import PHRASE, TableLine
from pipeline.labels import BETWEEN, TOTALS, Meaning, Vocabulary, token
from pipeline.model import Box, Page, Place, Word, around
from pipeline.sheet import Sheet

_RULES = "|¦{}[]_"  # what OCR makes of lines that are drawn
CYRILLIC = 0.05  # of its letters: a page whose labels are in Cyrillic
SURE = 6  # letters of a word that is a label though one of them was misread
_SPECKS = re.compile(r"(?<=\d[.,]\d\d)[.,;:'’`]+$")  # what OCR makes of dirt behind an amount
APART = 1.5  # ems between the words of a label at most
_GLUED = re.compile(
    r"(?P<label>[^\W\d][^\d:]{1,40}:)(?=[^\s/\\:])|(?P<sign>(?:[nN][°º]|№|#|[Nn][ro]\.|бр\.|br\.))(?=[\w-]*\d)"
)


@dataclass(frozen=True)
class Mark:
    """A label: the line it stands on (of all lines of the invoice), its words on that line, and what it may mean."""

    line: int
    start: int
    stop: int
    meanings: tuple[Meaning, ...]
    text: str
    box: Box
    colon: bool

    def means(self, name: str) -> Meaning | None:
        return next((meaning for meaning in self.meanings if meaning.name == name), None)

    @property
    def is_title(self) -> bool:
        return any(meaning.part == "titles" for meaning in self.meanings)


def is_sum(mark: Mark) -> bool:
    """Whether the label is one of an amount outside of items."""
    return any(mark.means(name) for name in (*TOTALS, *BETWEEN))


@dataclass(frozen=True)
class Print:
    """The lines of an invoice from the top of its first page to the end of the last, and the labels on them.

    sheets: of each page; starts: the first line of each page.
    """

    sheets: tuple[Sheet, ...]
    lines: tuple[TableLine, ...]
    marks: tuple[Mark, ...]

    @cached_property
    def by_line(self) -> dict[int, list[Mark]]:
        found: dict[int, list[Mark]] = {}
        for mark in self.marks:
            found.setdefault(mark.line, []).append(mark)
        return found

    @cached_property
    def _sheets(self) -> dict[int, Sheet]:
        return {one.page: one for one in self.sheets}

    def sheet(self, page: int) -> Sheet:
        return self._sheets[page]

    def place(self, line: int, words: Sequence[Word]) -> Place:
        """Where words of a line stand on their page, as printed."""
        return self.sheet(self.lines[line].page).place(words)

    def stop(self, mark: Mark, weak: bool = True) -> int:
        """The word of the line where the next label begins, or its end. weak: also one that may mean others."""
        others = [one for one in self.by_line[mark.line] if weak or not all(each.weak for each in one.meanings)]
        following = [other.start for other in others if other.start >= mark.stop]
        return min(following, default=len(self.lines[mark.line].words))


def printed(pages: Sequence[Page], vocabulary: Vocabulary) -> Print:
    """The lines of the pages with their labels."""
    sheets = tuple(sheet.sheet(parted(page)) for page in pages)
    lines = [TableLine(line.page, line.words, line.box, line.block) for one in sheets for line in one.lines]
    by_ocr = {page.number: page for page in pages if page.origin == "ocr"}
    in_cyrillic = {number for number, page in by_ocr.items() if _is_cyrillic(page)}
    marks = []
    for at, line in enumerate(lines):
        said = [token(word.text) for word in line.words]
        plain = said
        if line.page in by_ocr:
            known = labels.two_scripts() if line.page in in_cyrillic else {}
            plain = [_mended(*pair, vocabulary, known) for pair in zip(line.words, said, strict=True)]
        marks += _marks(line, at, vocabulary, (said, plain))
    return Print(sheets, tuple(lines), tuple(marks))


def parted(page: Page) -> Page:
    """The page with words parted where a label ends inside of one (`Customer:2`, `n°562044387`)."""
    words = [part for word in page.words for part in _parts(word)]
    if page.origin == "ocr":
        words = [word._replace(text=text) for word in words if (text := _SPECKS.sub("", word.text.strip(_RULES)))]
    return page if words == list(page.words) else page.with_words(words)


def _parts(word: Word) -> Iterator[Word]:
    if len(word.text) > 3 and word.text[-1] in ":;)" and word.text[-2].isdigit() and "(" not in word.text:
        word = word._replace(text=word.text[:-1])
    found = None if word.vertical or word.rotation else _GLUED.match(word.text)
    if not found or found.end() == len(word.text) or "://" in word.text:
        yield word
        return
    at = word.box.x0 + word.box.width * found.end() / len(word.text)
    yield word._replace(text=word.text[: found.end()], box=word.box._replace(x1=at))
    yield from _parts(word._replace(text=word.text[found.end() :], box=word.box._replace(x0=at)))


def _marks(line: TableLine, at: int, vocabulary: Vocabulary, words: tuple[list[str], list[str]]) -> list[Mark]:
    """The labels on a line. words: as they were read, and as they are likely to be printed, as `token` has them."""
    read, plain = words
    found: list[Mark] = []
    start = 0
    while start < len(plain):
        mark = _mark(line, at, start, vocabulary.at(plain[: _together(line.words, start)], start))
        if mark and _guessed(mark, read[start : mark.stop], plain[start : mark.stop]):
            mark = None
        if mark:
            found.append(mark)
        start = mark.stop if mark else start + 1
    return found


def _together(words: Sequence[Word], start: int) -> int:
    """Where the words that stand together from `start` on end."""
    stop = start + 1
    while stop < len(words) and layout.gap(words[stop - 1], words[stop]) <= APART:
        stop += 1
    return stop


def _is_cyrillic(page: Page) -> bool:
    letters = [char for char in page.text if char.isalpha()]
    return sum(map(scripts.is_cyrillic, letters)) > CYRILLIC * len(letters)


def _mended(word: Word, said: str, vocabulary: Vocabulary, known: Mapping[str, str]) -> str:
    """A word as it stands in the vocabulary where OCR misread a letter. known: labels for whose Cyrillic letters it
    took Latin ones (`Kynau:` for `Купац:`).
    """
    plain = vocabulary.mended(said)
    if not known or plain in vocabulary.longest or not (word.text.isascii() and word.text.endswith((":", ";"))):
        return plain
    return lookalike.named([word.text], known) or plain


def _guessed(mark: Mark, read: Sequence[str], plain: Sequence[str]) -> bool:
    """Whether a label is no more than a short word that differs in a letter (`Džep` is no `rep`)."""
    return len(read) == 1 and not mark.colon and read != plain and len(read[0]) < SURE


def _mark(line: TableLine, at: int, start: int, known: tuple[int, tuple[Meaning, ...]] | None) -> Mark | None:
    """The label that begins at a word, unless its words stand apart or it is only a word in a sentence."""
    if not known:
        return None
    size, meanings = known
    words = line.words[start : start + size]
    if sum(word.text.count("(") - word.text.count(")") for word in line.words[:start]) > 0:
        return None  # what stands in brackets behind a label only explains it
    stop = start + size
    colon = words[-1].text.endswith((":", ";")) or (stop < len(line.words) and line.words[stop].text[0] in ":;")
    begins = (
        start == 0
        or layout.gap(line.words[start - 1], words[0]) > PHRASE
        or line.words[start - 1].text[-1] in ":;•·|.,-–—%"
    )
    strong = size > 1 and any(not meaning.weak for meaning in meanings)
    if not (colon or begins or strong):
        return None
    text = " ".join(word.text for word in words)
    return Mark(at, start, stop, meanings, text, around([word.box for word in words]), colon)
