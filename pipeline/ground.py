"""The pages of a document as ground to find values on: cells on level lines, and every place where a value may stand.

Comes in: a `Reading`. Goes out: a `Ground`: its cells, and `Spot`s for a number, a date or a text. Numbers are found by
their value in any notation, dates by what they mean, texts by their letters and figures alone (case, spaces and
punctuation aside; diacritics and look-alike letters count). Refuses nothing: what stands nowhere has no spots.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import islice
from typing import Literal, NamedTuple

from pipeline import amounts, calendars, layout, numerals, sheet, tables
from pipeline.model import Box, Line, Match, Page, Place, Reading, Word, around
from pipeline.sheet import Sheet

Flaw = Literal["sign", "unit", "part", "year", "scattered", "within"]
MOST = 400  # places of one value that are looked at
LONGEST, WAYS = 60, 12  # words of a text that may stand in pieces; places it may begin at
REACH, ASIDE = 3.2, 14.0  # line heights down to the next piece, and aside of it
TELLING = 6  # letters of a text that may go on over lines
OVERLAP = 3.0  # points that words of one line may stand over each other
STACKED, DOWN = 1.2, 4  # heights from one character to the next of a line down the page; different ones that make one
COLONS = (":", "：")
PERCENTS = ("%", "％", "٪")
FINALS = frozenset("ךםןףץ")


class Cell(NamedTuple):
    """Words of a line without a wide gap, in reading order; `level`: its line, counted from the top of its page;
    box: where it would stand were the page level; begins: where in the text each word begins.
    """

    page: int
    level: int
    box: Box
    text: str
    begins: tuple[int, ...]
    words: tuple[Word, ...]

    def box_of(self, start: int, end: int) -> Box:
        """The box of text[start:end], level."""
        at = bisect_right(self.begins, start) - 1
        if self.begins[at] == start and end - start == len(self.words[at].text):
            return self.words[at].box
        return around([box for _, box in self._parts(start, end)])

    def _parts(self, start: int, end: int) -> Iterator[tuple[Word, Box]]:
        first = max(0, bisect_right(self.begins, start) - 1)
        for at in range(first, len(self.words)):
            begin, word = self.begins[at], self.words[at]
            if begin >= end:
                return
            size = max(1, len(word.text))
            left, right = max(0, start - begin) / size, min(size, end - begin) / size
            box = word.box
            yield word, box._replace(x0=box.x0 + left * box.width, x1=box.x0 + right * box.width)


class Spot(NamedTuple):
    """A place where a value may stand: in which cell and where in its text (for a text over several cells, in the
    first), its level box, the lines it covers, the words as printed, and what speaks against it.
    """

    cell: int
    start: int
    end: int
    page: int
    level: int
    last: int
    box: Box
    places: tuple[Place, ...]
    quote: str
    match: Match
    flaws: frozenset[Flaw] = frozenset()


class _Stream(NamedTuple):
    """The words of a page in one order as one string of what counts; starts: where in it each word begins; edges:
    whether a word or a part of one may begin there.
    """

    bare: str
    starts: tuple[int, ...]
    cells: tuple[tuple[int, int], ...]
    edges: bytes


@dataclass(frozen=True)
class Ground:
    """A document's cells in order, their sheets, and the indices over them."""

    reading: Reading
    sheets: tuple[Sheet, ...]
    cells: tuple[Cell, ...]
    _spots: dict[tuple[int, int, int], Spot] = field(default_factory=dict, repr=False, compare=False)
    _streams: dict[int, tuple[_Stream, ...]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def levels(self) -> Mapping[tuple[int, int], tuple[int, ...]]:
        """The cells of each line, by page and level, from the left."""
        found = defaultdict(list)
        for index, cell in enumerate(self.cells):
            found[cell.page, cell.level].append(index)
        return {at: tuple(sorted(held, key=lambda one: self.cells[one].box.x0)) for at, held in found.items()}

    @cached_property
    def _numbers(self) -> Mapping[Decimal, tuple[tuple[int, numerals.Numeral], ...]]:
        found = defaultdict(list)
        for index, cell in enumerate(self.cells):
            for numeral in numerals.numerals(cell.text):
                for value in numeral.values:
                    found[value].append((index, numeral))
        return {value: tuple(held) for value, held in found.items()}

    @cached_property
    def _dates(self) -> Mapping[str, tuple[tuple[int, calendars.Dated], ...]]:
        found = defaultdict(list)
        for index, cell in enumerate(self.cells):
            for dated in calendars.dates(cell.text):
                for iso in dated.isos:
                    found[iso].append((index, dated))
        return {iso: tuple(held) for iso, held in found.items()}

    @cached_property
    def _factors(self) -> frozenset[int]:
        """The units that the document announces for its amounts."""
        return frozenset(numerals.note(cell.text) for cell in self.cells) - {1}

    @cached_property
    def _years(self) -> frozenset[str]:
        return frozenset(iso[:4] for iso in self._dates if not iso.startswith("--"))

    def numbers(self, value: Decimal) -> tuple[Spot, ...]:
        """Where the number is printed, in any notation; those without a flaw first."""
        size, spots = abs(value), []
        for factor, flawed in ((1, False), (100, False), *((factor, True) for factor in sorted(self._factors))):
            sought = size * 100 if factor == 100 and not flawed else size / factor
            for index, numeral in self._numbers.get(sought, ())[:MOST]:
                if factor == 100 and not flawed and not numeral.percent:
                    continue
                spots.append(self._number(index, numeral, value))
        for unit in sorted(set(numerals.FACTORS.values())):
            held = self._numbers.get(size / unit, ())[:MOST] if size >= unit else ()
            spots += [self._number(index, one, value) for index, one in held if one.factor == unit]
        unique = {(spot.cell, spot.start, spot.end): spot for spot in reversed(spots)}
        return tuple(sorted(unique.values(), key=lambda spot: (len(spot.flaws), spot.cell, spot.start)))

    def _number(self, index: int, numeral: numerals.Numeral, value: Decimal) -> Spot:
        flaws: set[Flaw] = {"part"} if numeral.part else set()
        if value and not numeral.either and numeral.negative != (value < 0):
            flaws.add("sign")
        return self._spot(index, numeral.start, numeral.end, "normalised", frozenset(flaws))

    def dates(self, isos: Iterable[str]) -> tuple[Spot, ...]:
        """Where one of the dates is printed; a day without its year where the year stands elsewhere."""
        spots = {}
        for iso in isos:
            for index, dated in self._dates.get(iso, ())[:MOST]:
                spots[index, dated.start, dated.end] = self._spot(index, dated.start, dated.end, "normalised")
            for index, dated in self._dates.get(f"--{iso[5:]}", ())[:MOST] if iso[:4] in self._years else ():
                spots.setdefault(
                    (index, dated.start, dated.end),
                    self._spot(index, dated.start, dated.end, "normalised", frozenset({"year"})),
                )
        return tuple(spot for _, spot in sorted(spots.items()))

    @cached_property
    def typed(self) -> Mapping[str, tuple[Spot, ...]]:
        """Every number and every date of the document, whatever its value."""
        numbers, dated = [], []
        for index, cell in enumerate(self.cells):
            within = calendars.dates(cell.text)
            dated += [self._spot(index, one.start, one.end, "normalised") for one in within]
            for numeral in numerals.numerals(cell.text):
                inside = any(one.start <= numeral.start and numeral.end <= one.end for one in within)
                if not numeral.part and not inside:
                    numbers.append(self._spot(index, numeral.start, numeral.end, "normalised"))
        return {"number": tuple(numbers), "date": tuple(dated)}

    def percent(self, spot: Spot) -> bool:
        """Whether a % stands at a number."""
        text = self.cells[spot.cell].text
        return text[spot.end :].lstrip()[:1] in PERCENTS or text[: spot.start].rstrip()[-1:] in PERCENTS

    def leads(self, spot: Spot) -> bool:
        """Whether a text begins its cell, or is all that stands there after a colon."""
        text = self.cells[spot.cell].text
        return spot.start == 0 or (text[: spot.start].rstrip()[-1:] in COLONS and spot.end >= len(text.rstrip(" .,;")))

    def signs(self, sign: str) -> tuple[Spot, ...]:
        """Where a sign of a currency stands, apart from letters."""
        found = []
        for index, cell in enumerate(self.cells):
            at = cell.text.find(sign)
            around_it = cell.text[max(0, at - 1) : at] + cell.text[at + len(sign) : at + len(sign) + 1]
            if at >= 0 and not (sign[0].isalpha() and any(char.isalpha() for char in around_it)):
                found.append(self._spot(index, at, at + len(sign), "normalised"))
        return tuple(found[:MOST])

    def pieced(self, text: str) -> tuple[Spot, ...]:
        """Where the words of a text stand in pieces near each other, such as the lines of a cell or of an address."""
        words = text.split()
        found = []
        for page in range(1, len(self.sheets) + 1) if 1 < len(words) <= LONGEST else ():
            for stream in self._page(page)[1:]:
                for spot in self._assembled(words, stream, text):
                    found.append(spot)
        return tuple(found)

    def _assembled(self, words: Sequence[str], stream: _Stream, text: str) -> Iterator[Spot]:
        first = self._piece(words, stream)
        for start, end, count in first[:WAYS]:
            held = list(range(bisect_right(stream.starts, start) - 1, bisect_right(stream.starts, end - 1)))
            at = count
            while at < len(words):
                ways = self._piece(words[at:], stream)
                near = [way for way in ways if self._close(stream, held[-1], way[0])]
                if not near:
                    break
                start, end, count = min(near, key=lambda way: abs(way[0] - stream.starts[held[-1]]))
                held += range(bisect_right(stream.starts, start) - 1, bisect_right(stream.starts, end - 1))
                at += max(count, 1)
            if at >= len(words):
                order = [stream.cells[one] for one in sorted(dict.fromkeys(held))]
                last = self.cells[order[-1][0]]
                stop = last.begins[order[-1][1]] + len(last.words[order[-1][1]].text)
                yield self.joined(order, self.cells[order[0][0]].begins[order[0][1]], stop, text)

    def _piece(self, words: Sequence[str], stream: _Stream) -> list[tuple[int, int, int]]:
        """The places of the longest beginning of the words that stands together, and how many words that is."""
        best: list[tuple[int, int, int]] = []
        for count in range(1, len(words) + 1):
            sought = bare("".join(words[:count])) if count == 1 else "".join(map(bare, words[:count]))
            if not sought:
                continue
            ways = [(start, end, count) for start, end in islice(_occurrences(stream, sought), MOST)]
            if not ways:
                break
            best = ways
        return best

    def _close(self, stream: _Stream, before: int, start: int) -> bool:
        """Whether a piece that begins there may belong to the words before it: a little below, or on the line."""
        one = self.cells[stream.cells[before][0]]
        at = stream.cells[bisect_right(stream.starts, start) - 1]
        other = self.cells[at[0]]
        word, last = other.words[at[1]].box, one.words[stream.cells[before][1]].box
        if at == stream.cells[before] or (at[0] == stream.cells[before][0] and at[1] < stream.cells[before][1]):
            return False
        down = -0.5 * last.height <= word.top - last.top <= REACH * max(last.height, 6.0)
        return down and word.x0 - one.box.x1 < ASIDE * max(last.height, 6.0) and one.box.x0 - word.x1 < 12 * last.height

    def whole(self, cell: int) -> Spot:
        """A cell as a spot."""
        return self._spot(cell, 0, len(self.cells[cell].text), "exact")

    def line(self, cells: Sequence[int]) -> Spot:
        """Cells of one line as a spot."""
        words = [(index, at) for index in cells for at in range(len(self.cells[index].words))]
        text = " ".join(self.cells[index].text for index in cells)
        return self.joined(words, 0, len(self.cells[cells[-1]].text), text)

    def texts(self, text: str) -> tuple[Spot, ...]:
        """Where the text stands: in one line, or going on over lines in reading order."""
        sought = bare(text)
        spots: dict[tuple[int, int], Spot] = {}
        for page in range(1, len(self.sheets) + 1) if sought else ():
            for stream in self._page(page):
                for start, end in _occurrences(stream, sought):
                    spot = self._text(text, stream, start, end)
                    if spot.level == spot.last or sum(map(str.isalpha, text)) >= TELLING:
                        spots.setdefault((spot.cell, spot.start), spot)
                    if len(spots) >= MOST:
                        break
        return tuple(spots[at] for at in sorted(spots))

    def _text(self, text: str, stream: _Stream, start: int, end: int) -> Spot:
        first, last = bisect_right(stream.starts, start) - 1, bisect_right(stream.starts, end - 1) - 1
        held = stream.cells[first : last + 1]
        begin = self._within(held[0], start - stream.starts[first], first_of=True)
        stop = self._within(held[-1], end - stream.starts[last], first_of=False)
        return self.joined(held, begin, stop, text)

    def _within(self, at: tuple[int, int], offset: int, first_of: bool) -> int:
        """Where in its cell's text the letter is that begins, or ends, what counts up to the offset."""
        cell = self.cells[at[0]]
        word = cell.words[at[1]].text
        seen = 0
        for index, char in enumerate(word):
            if seen >= offset and (bare(char) or not first_of):
                return cell.begins[at[1]] + index
            seen = len(bare(word[: index + 1]))
        return cell.begins[at[1]] + len(word)

    def joined(self, words: Sequence[tuple[int, int]], start: int, end: int, text: str) -> Spot:
        """The spot of words by (cell, word), from `start` in the first one's cell to `end` in the last one's."""
        runs: dict[int, list[int]] = defaultdict(list)
        for cell, word in words:
            runs[cell].append(word)
        boxes, places = [], []
        for index, held in runs.items():
            one, last = self.cells[index], max(held)
            begin = start if index == words[0][0] else one.begins[min(held)]
            stop = end if index == words[-1][0] else one.begins[last] + len(one.words[last].text)
            boxes.append((one.level, one.box_of(begin, max(stop, begin + 1))))
            places.append(self._place(index, begin, max(stop, begin + 1)))
        levels = [level for level, _ in boxes]
        quote = " ".join(self.cells[cell].words[word].text for cell, word in words)
        first = words[0][0]
        page = self.cells[first].page
        match: Match = "exact" if " ".join(text.split()) == quote else "normalised"
        box = around([box for _, box in boxes])
        return Spot(first, start, end, page, min(levels), max(levels), box, tuple(places), quote, match)

    def _spot(self, index: int, start: int, end: int, match: Match, flaws: frozenset[Flaw] = frozenset()) -> Spot:
        at = (index, start, end)
        if at not in self._spots:
            cell = self.cells[index]
            place, quote = self._place(index, start, end), cell.text[start:end]
            box = cell.box_of(start, end)
            self._spots[at] = Spot(index, start, end, cell.page, cell.level, cell.level, box, (place,), quote, match)
        spot = self._spots[at]
        return spot._replace(flaws=flaws) if flaws else spot

    def _place(self, index: int, start: int, end: int) -> Place:
        cell = self.cells[index]
        originals = self.sheets[cell.page - 1].originals
        if not originals:
            return Place(cell.page, cell.box_of(start, end))
        held = [originals.get(word, word).box for word, _ in cell._parts(start, end)]
        return Place(cell.page, around(held))

    def _page(self, number: int) -> tuple[_Stream, ...]:
        """The page's words in reading order, and line by line over its whole width."""
        if number not in self._streams:
            at: dict[Word, tuple[int, int]] = {}
            originals = self.sheets[number - 1].originals
            by_line: list[tuple[int, int]] = []
            for (page, _), held in self.levels.items():
                if page == number:
                    for index in held:
                        for place, word in enumerate(self.cells[index].words):
                            at[originals.get(word, word)] = (index, place)
                            by_line.append((index, place))
            lines = layout.lines(self.reading.pages[number - 1])
            read = [at[word] for line in lines for word in line.words if word in at]
            self._streams[number] = tuple(self._stream(order) for order in (read, by_line))
        return self._streams[number]

    def _stream(self, order: Sequence[tuple[int, int]]) -> _Stream:
        parts = [self.cells[cell].words[word].text for cell, word in order]
        bared = [bare(part) for part in parts]
        starts, length = [], 0
        for part in bared:
            starts.append(length)
            length += len(part)
        return _Stream("".join(bared), tuple(starts), tuple(order), b"".join(map(_edges, parts)) + b"\1")


def ground(reading: Reading) -> Ground:
    """The document's cells and what is needed to find values among them."""
    sheets = tuple(sheet.unruled(page) for page in reading.pages)
    cells: list[Cell] = []
    for page, one in zip(reading.pages, sheets, strict=True):
        backwards = _backwards(page)
        leftward = layout.LEFTWARD.search(page.text) is not None
        for level, line in _levels(one.lines):
            for held in layout.parts(sorted(line, key=lambda word: word.box.x0)):
                words = layout.logical(list(held), False) if leftward else held
                cells.append(_cell(page.number, level, tuple(map(_turned, words)) if backwards else words))
        last = max((cell.level for cell in cells if cell.page == page.number), default=-1)
        lined = [word for line in one.lines for word in line.words]
        for level, words in enumerate((*_across(page, set(lined)), *_stacked(lined)), last + 1):
            cells.append(_cell(page.number, level, words))
    return Ground(reading, sheets, tuple(cells))


def _across(page: Page, level: Set[Word]) -> Iterator[tuple[Word, ...]]:
    """The lines that run another way than the page's: turned in the margin, or down the page."""
    upright, originals = tables.upright(page)
    rest = layout.directions(upright)[1:] if not originals else []
    for turned in rest:
        for row in layout.across([(box, word) for box, word in turned if word not in level]):
            yield tuple(row)


def _stacked(words: Sequence[Word]) -> Iterator[tuple[Word, ...]]:
    """Characters that stand closely under each other, as a line that runs down the page."""
    columns: dict[int, list[Word]] = defaultdict(list)
    for word in words:
        if len(word.text) == 1 and unicodedata.east_asian_width(word.text) in "WF":
            columns[round(word.box.middle[0])].append(word)
    for column in columns.values():
        run: list[Word] = []
        for word in sorted(column, key=lambda one: one.box.top):
            if run and word.box.top - run[-1].box.top > STACKED * run[-1].box.height:
                if len({one.text for one in run}) >= DOWN:
                    yield tuple(run)
                run = []
            run.append(word)
        if len({one.text for one in run}) >= DOWN:
            yield tuple(run)


def _levels(lines: Sequence[Line]) -> Iterator[tuple[int, list[Word]]]:
    """The words of each line, those of lines that stand at one height together."""
    level, held, box = -1, list[Word](), None
    for line in lines:
        if box is not None and _beside(box, line.box) and not _over(held, line.words):
            held += line.words
            continue
        if held:
            yield level, held
        level, held, box = level + 1, list(line.words), line.box
    if held:
        yield level, held


def _beside(one: Box, other: Box) -> bool:
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    return shared > 0.6 * min(one.height, other.height) and max(one.height, other.height) < 2.5 * min(
        one.height, other.height
    )


def _over(above: Sequence[Word], below: Sequence[Word]) -> bool:
    """Whether words stand under others: large ones whose boxes reach into the next line."""
    shared = 0.0
    for one in below:
        for other in above:
            shared = max(shared, min(one.box.x1, other.box.x1) - max(one.box.x0, other.box.x0))
    return shared > OVERLAP


def _cell(page: int, level: int, words: tuple[Word, ...]) -> Cell:
    begins, length = [], 0
    down = len(words) > 1 and words[1].box.top >= words[0].box.middle[1] and len(words[0].text) == 1
    for word in words:
        begins.append(length)
        length += len(word.text) + (not down)
    text = ("" if down else " ").join(word.text for word in words)
    return Cell(page, level, around([word.box for word in words]), text, tuple(begins), words)


def _backwards(page: Page) -> bool:
    """Whether the letters of Hebrew or Arabic words are stored from the left, as some files have them."""
    wrong = right = 0
    for text in page.text.split("\n"):
        word = unicodedata.normalize("NFKC", text.strip(".,:;()\"'"))
        if len(word) > 2 and layout.LEFTWARD.match(word):
            wrong += (word[0] in FINALS) + (word.endswith("لا") and not word.startswith("ال"))
            right += (word[-1] in FINALS) + word.startswith("ال")
    return wrong > right


def _turned(word: Word) -> Word:
    return word._replace(text=word.text[::-1]) if layout.LEFTWARD.search(word.text) else word


def _occurrences(stream: _Stream, sought: str) -> Iterator[tuple[int, int]]:
    """Where the text stands in whole words or parts of words."""
    at = stream.bare.find(sought)
    while at >= 0:
        end = at + len(sought)
        if stream.edges[at] and stream.edges[end]:
            yield at, end
        at = stream.bare.find(sought, at + 1)


@lru_cache(maxsize=65536)
def bare(text: str) -> str:
    """What counts of a text: small letters with their marks, figures, and points between figures."""
    if text.isascii() and text.isalpha():
        return text.lower()
    even = unicodedata.normalize("NFKC", amounts.normal(unicodedata.normalize("NFC", text))).casefold()
    return "".join(
        char if char.isalnum() or unicodedata.combining(char) else _point(even, at) for at, char in enumerate(even)
    )


def _point(text: str, at: int) -> str:
    """A point or comma between figures is kept: 1.5 is not 15."""
    inside = 0 < at < len(text) - 1 and text[at] in ".," and text[at - 1].isdecimal() and text[at + 1].isdecimal()
    return "." if inside else ""


@lru_cache(maxsize=65536)
def _edges(word: str) -> bytes:
    """For each letter of what counts of a word whether a part of it may begin there."""
    marks = bytearray()
    before = ""
    for at, char in enumerate(word):
        size = len(bare(word[: at + 1])) - len(marks)
        kind = _class(char)
        if size > 0:
            marks += bytes([kind != before or kind == "wide"]) + bytes(size - 1)
        before = kind
    return bytes(marks[: len(bare(word))].ljust(len(bare(word)), b"\0"))


def _class(char: str) -> str:
    if char.isdecimal():
        return "figure"
    if unicodedata.east_asian_width(char) in "WF" and char.isalpha():
        return "wide"
    return "letter" if char.isalpha() or unicodedata.combining(char) else "sign"
