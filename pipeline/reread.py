"""Values of scanned pages read a second time, each on its crop alone, by readers that know nothing of the first read.

Comes in: values as first read with their places, the pages, their pictures. Goes out: `Seen` for each: a `Check` of
what two readers say, and the text to go by. Refuses what the readers refuse: `EngineError` where one is not installed.

Latin letters and figures are read by RapidOCR, Cyrillic by Tesseract's `Cyrillic` model. Where the second read differs
from the first, a third reader looks at the crop, and the value is what the two readers of the crop agree on, if they
do. A code inside Cyrillic is read by RapidOCR besides; where its letters look the same in both scripts it stays open:
no reader of its picture can tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal

from pipeline import alike, amounts, crops, ocr, rapid, scripts
from pipeline.crops import Crop
from pipeline.engine import CropRead, CropReader
from pipeline.habits import Habits
from pipeline.leaf import Leaf
from pipeline.model import Box, Check, Page, Place, around
from pipeline.rapid import RapidReader
from pipeline.tesseract import CYRILLIC, TesseractReader

Script = Literal["latin", "cyrillic"]
Leaves = Callable[[Page], Leaf]
BOTH_SCRIPTS = 0.02  # share of Cyrillic letters from which a page is in both
APART = 0.5  # of a word's height: middles that far from each other are two lines
NOTHING = CropRead("", 0.0, "")
TWINS = frozenset("ABEKMHOPCTYXJaeopcyxjАВЕКМНОРСТУХЈаеорсухј")
LATIN_TWINS = frozenset(filter(str.isascii, TWINS))
ROMAN = frozenset({"П", "Ш", "ІІ", "Il", "ll", "lI"})  # what II and III are read as among Cyrillic letters
EDGES = " |[]{}_~"  # what Tesseract makes of a rule at an end
UNACCENTED = frozenset("cdszCDSZ")  # letters that may have lost an accent
ENDS = ".,;:'`-_"
KEPT = 3000  # crops whose reads are kept, some kilobytes each
LOST_SPACE = re.compile(r"[^\W\d][.,]\d")  # `бр.7`
CUT = "the crop may not hold the whole value: other words touch it"
SERBIAN = "srp_latn"
ACCENTED = frozenset("čćžšđČĆŽŠĐ")


@dataclass(frozen=True)
class Value:
    """A value as first read. kind: amount, rate, date, identifier or text; beside: words that are in the same script,
    such as the description in a unit's row; part: of a phrase, whose other words may touch it.
    """

    kind: str
    text: str
    places: tuple[Place, ...]
    beside: str = ""
    part: bool = False


@dataclass(frozen=True)
class Seen:
    """What came of a value's second read. text: the value to go by; second: what the second reader saw."""

    text: str
    second: str
    check: Check


@dataclass
class _Piece:
    """The words of one line, or a code in it; text: as first read. model: of Tesseract, who is asked where readers
    differ. reads: what the second reader saw, and again on the cleaned crop; third: what the third one saw on that.
    """

    text: str
    script: Script
    crop: Crop
    model: str
    codes: tuple[_Piece, ...] = ()
    reads: tuple[CropRead, ...] = ()
    third: CropRead = NOTHING

    def second(self, look: int = 0) -> str:
        """What the second reader saw; its codes as the reader of Latin letters sees them."""
        return self._with_codes(self.reads[look].text, [code.reads[look].text for code in self.codes])

    def last(self) -> str:
        """The same by the third reader."""
        return self._with_codes(self.third.text, [code.third.text for code in self.codes])

    def _with_codes(self, text: str, codes: Sequence[str]) -> str:
        words, mine = text.split(), self.text.split()
        if len(words) != len(mine):
            return text
        for code, seen in zip(self.codes, codes, strict=True):
            words[mine.index(code.text)] = seen
        return " ".join(words)


@dataclass(frozen=True)
class _Open:
    """A page as pieces are cut from it. levels: its words' boxes in the leaf; both: it holds both scripts."""

    page: Page
    sheet: crops.Sheet
    levels: tuple[Box, ...]
    both: bool
    model: str


def seen(values: Sequence[Value], pages: Sequence[Page], leaves: Leaves, habits: Habits) -> tuple[Seen, ...]:
    """Each value read again, in order."""
    rapid.warm()
    by_number = {page.number: page for page in pages}
    numbers = sorted({place.page for value in values for place in value.places})
    opened = {number: _opened(by_number[number], leaves) for number in numbers}
    cut = [
        [piece for place in value.places for piece in _pieces(opened[place.page], place.box, value)] for value in values
    ]
    _look([piece for parts in cut for piece in parts])
    agreed = [_agree(value, parts, habits) for value, parts in zip(values, cut, strict=True)]
    _look_again([piece for agree, parts in zip(agreed, cut, strict=True) if not agree for piece in parts])
    accents = [parts for agree, value, parts in zip(agreed, values, cut, strict=True) if agree and value.kind == "text"]
    _look_for_accents([piece for parts in accents for piece in parts])
    both = any(page.both for page in opened.values())
    return tuple(_judged(value, parts, habits, both) for value, parts in zip(values, cut, strict=True))


def _look(pieces: Sequence[_Piece]) -> None:
    """Have each piece read by the second reader for its script, both readers at once."""
    latin = [piece for piece in pieces if piece.script == "latin"] + [code for piece in pieces for code in piece.codes]
    cyrillic = [piece for piece in pieces if piece.script == "cyrillic"]
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(_read, TesseractReader(CYRILLIC), cyrillic)
        for piece, read in zip(latin, _read(RapidReader(), latin), strict=True):
            piece.reads += (read,)
        for piece, read in zip(cyrillic, waiting.result(), strict=True):
            piece.reads += (read,)


def _look_again(pieces: Sequence[_Piece]) -> None:
    """Have them read once more without what is paler than ink, and by a third reader."""
    every = [*pieces, *(code for piece in pieces for code in piece.codes)]
    for piece in every:
        piece.crop = replace(piece.crop, png=crops.cleaned(piece.crop.png))
    _look(pieces)
    for model in sorted({piece.model for piece in every}):
        asked = [piece for piece in every if piece.model == model]
        for piece, read in zip(asked, _read(TesseractReader(model), asked), strict=True):
            piece.third = read


def _look_for_accents(pieces: Sequence[_Piece]) -> None:
    """Have those that may lack an accent read by a third reader: both others lose it at times."""
    asked = [piece for piece in pieces if piece.model == SERBIAN and UNACCENTED & set(piece.text)]
    for piece, read in zip(asked, _read(TesseractReader(SERBIAN), asked), strict=True):
        piece.third = read


def _read(reader: CropReader, pieces: Sequence[_Piece]) -> tuple[CropRead, ...]:
    """What the reader sees on each crop; one that it saw before is not read again."""
    crops = [piece.crop.png for piece in pieces]
    new = list(dict.fromkeys(png for png in crops if (reader.name, png) not in _read_before))
    if len(_read_before) + len(new) > KEPT:
        _read_before.clear()
        new = list(dict.fromkeys(crops))
    _read_before.update(zip([(reader.name, png) for png in new], reader.read(new), strict=True))
    return tuple(_read_before[reader.name, png] for png in crops)


_read_before: dict[tuple[str, bytes], CropRead] = {}  # words of a page are cut out once alone and once as values


# ---------------------------------------------------------------- what the readers say


def _second(parts: Sequence[_Piece], look: int = 0) -> str:
    """The second read of all parts; nothing where one of them shows nothing."""
    reads = [part.second(look) for part in parts]
    return " ".join(reads) if all(reads) else ""


def _agree(value: Value, parts: Sequence[_Piece], habits: Habits) -> bool:
    """Whether the second read says what the first does: of the value, or of all words in its place, of which it is one
    part.
    """
    second, words = _second(parts), " ".join(part.text for part in parts)
    if alike.same(value.kind, value.text, second, habits):
        return True
    return alike.same("text", words, second, habits) and alike.signs(value.text) in alike.signs(second)


def _judged(value: Value, parts: Sequence[_Piece], habits: Habits, both: bool) -> Seen:
    second = _second(parts)
    if not value.part and not all(part.crop.whole for part in parts):
        return Seen(value.text, second, Check(alike.NAME, "open", CUT))
    if _agree(value, parts, habits):
        if lost := _lost(parts):
            return Seen(value.text, second, Check(alike.NAME, "open", lost))
        return _settled(value, value.text, second, f"{_names(parts)} reads {second} too", both)
    third = " ".join(part.last() for part in parts).strip(EDGES)
    for read in (second,) if value.kind == "text" else (second, _second(parts, 1)):
        if alike.same(value.kind, value.text, read, habits):
            return _settled(value, value.text, read, f"{_names(parts)} reads {read} too", both)
        if alike.same(value.kind, read, third, habits) and alike.sound(value.kind, read, habits):
            told = f"“{value.text}” on the page; on the crop, {_names(parts)} and {parts[0].third.reader} read {read}"
            return _settled(value, read, read, told, both)
    return Seen(value.text or second, second, alike.compare(value.kind, value.text, second, habits))


def _lost(parts: Sequence[_Piece]) -> str:
    """The accent that a third reader sees and the two that agree do not."""
    for part in parts:
        if sum(char in ACCENTED for char in part.third.text) > sum(char in ACCENTED for char in part.text):
            return f"{alike.told(part.text, part.third.text)}: an accent may be lost"
    return ""


def _settled(value: Value, text: str, second: str, told: str, both: bool) -> Seen:
    """Two readers agree: passed, where their letters cannot be those of the other script."""
    doubt = _doubt(value, text) if both else ""
    if value.kind == "text":
        doubt = doubt or (_weak(value.text, text) if text != value.text else _joined(text, second))
        doubt = doubt or _alike_missed(value, text)
    return Seen(text, second, Check(alike.NAME, "open" if doubt else "passed", doubt or told))


def _doubt(value: Value, text: str) -> str:
    """Why the script of a value stays open on a page in both, where it does."""
    cyrillic = script(f"{text} {value.beside}") == "cyrillic"
    for word in text.split():
        letters = {char for char in word if char.isalpha()}
        if cyrillic and word in ROMAN:
            return f"“{word}” may be a Roman figure"
        mixed = any(map(str.isdigit, word)) or bool(letters & LATIN_TWINS)
        if cyrillic and word.isalpha() and not all(map(scripts.is_cyrillic, letters)):
            return f"“{word}” in Latin letters among Cyrillic ones"
        if letters and letters <= TWINS and (value.kind == "identifier" or (cyrillic and mixed)):
            return f"the letters of “{word}” look the same in Latin and in Cyrillic"
    return ""


def _weak(first: str, text: str) -> str:
    """Why what two readers of a crop agree on against the first may be wrong all the same: they miss capitals, accents
    and the specks at an end alike.
    """
    if text.casefold() == first.casefold() or (text[-1] in ENDS and not first.endswith(text[-1])):
        return alike.told(first, text)
    lost = {char for char in alike.changed(first, text) if char in UNACCENTED}
    return f"{alike.told(first, text)}: an accent may be lost" if lost else ""


def _alike_missed(value: Value, text: str) -> str:
    """Why it stays open where readers are known to miss the same: a space behind a point, capitals in small words."""
    if LOST_SPACE.search(text):
        return f"“{text}”: a space may be lost"
    capitals = value.beside and text.isupper() and not amounts.currency(text)
    return f"“{text}”: capitals or small letters" if capitals else ""


def _joined(text: str, second: str) -> str:
    """Why it stays open where one reader sees a space in a word that the other does not."""
    if text.split() == second.split():
        return ""
    return f"“{text}”, or “{second}” to a second reader: spaces between words"


def _names(parts: Sequence[_Piece]) -> str:
    return " and ".join(dict.fromkeys(part.reads[0].reader for part in parts))


# ---------------------------------------------------------------- pieces


def _opened(page: Page, leaves: Leaves) -> _Open:
    leaf = leaves(page)
    letters = [char for char in page.text if char.isalpha()]
    spoken = scripts.known(scripts.spoken(page.text.split("\n")), ocr.installed())
    latin = [model for model in spoken if model != "srp"]
    if ACCENTED & set(letters) or any(map(scripts.is_cyrillic, letters)):
        latin = [SERBIAN]
    return _Open(
        page,
        crops.sheet(leaf),
        tuple(leaf.level(word.box) for word in page.words),
        sum(map(scripts.is_cyrillic, letters)) > BOTH_SCRIPTS * len(letters),
        latin[0] if latin else "eng",
    )


def _pieces(opened: _Open, box: Box, value: Value) -> list[_Piece]:
    """What stands in the box, line by line; the whole box where no word was read in it."""
    inside = [at for at, word in enumerate(opened.page.words) if box.holds(*word.box.middle)]
    lettered = opened.both and value.kind in ("text", "date")
    written = script(f"{value.text} {value.beside}") if lettered else "latin"
    if not inside:
        crop = crops.cut(opened.sheet, opened.sheet.leaf.level(box), opened.levels)
        return [_Piece("", written, crop, _model(opened, written, value.kind))]
    return [_piece(opened, line, written, value.kind) for line in _lines(inside, opened.levels)]


def _piece(opened: _Open, line: Sequence[int], script: Script, kind: str) -> _Piece:
    """The crop of a line; in Cyrillic, with crops of the codes in it."""
    texts = [opened.page.words[at].text for at in line]
    level = around([opened.levels[at] for at in line])
    others = [other for at, other in enumerate(opened.levels) if at not in line]
    codes = [at for at, text in zip(line, texts, strict=True) if script == "cyrillic" and _is_code(text)]
    alone = tuple(_piece(opened, [at], "latin", kind) for at in codes) if len(line) > 1 else ()
    crop = crops.cut(opened.sheet, level, others)
    return _Piece(" ".join(texts), script, crop, _model(opened, script, kind), alone)


def _model(opened: _Open, script: Script, kind: str) -> str:
    if script == "cyrillic":
        return "srp"
    return opened.model if kind == "text" else "eng"


def _lines(inside: Sequence[int], levels: Sequence[Box]) -> list[list[int]]:
    """Words, by index, in lines from the top, each from left to right."""
    lines: list[list[int]] = []
    for at in sorted(inside, key=lambda at: levels[at].middle[1]):
        height = median(levels[other].height for other in inside)
        if lines and levels[at].middle[1] - levels[lines[-1][-1]].middle[1] < APART * height:
            lines[-1].append(at)
        else:
            lines.append([at])
    return [sorted(line, key=lambda at: levels[at].x0) for line in lines]


def script(text: str) -> Script:
    """The script of most of its letters that are in one script only; of most letters where all are in both."""
    letters = [char for char in text if char.isalpha()]
    telling = [char for char in letters if char not in TWINS] or letters
    return "cyrillic" if 2 * sum(map(scripts.is_cyrillic, telling)) > len(telling) else "latin"


def _is_code(text: str) -> bool:
    """Whether a word among Cyrillic ones has figures or Latin letters: a number, a type, a size."""
    return any(char.isdigit() or (char.isalpha() and not scripts.is_cyrillic(char)) for char in text)
