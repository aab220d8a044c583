"""What an engine found, held against the words of the pages: the same for each engine, whether it places or quotes.

Comes in: merged entries in reading order, and the pages. Goes out: what speaks against each row, and the lines that
look like rows but are in none. Nothing is mended or dropped. It asks whether each quote stands where it is said to
stand, whether columns keep their order, whether a line was used twice, whether a row's supplier is that of the heading
above it, and whether every line with a figure where rows have their amounts was used.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline import terms
from pipeline.engine import Item, Quote, RawHeading, RawRow
from pipeline.figures import AHEAD
from pipeline.ledger import FIGURES, Entry
from pipeline.model import Box, Page, Place, Word, around

MONEY = ("amount", "debit", "credit")
REACH = 8.0  # of the type size: a row's first line stands no further above its figures
_SUM = re.compile(r"\d[.,]\d\d\D{0,4}$")
_THOUSANDS = re.compile(r"\d{3}(?!\d)")
_GROUP = re.compile(r"[-−(]?\d{1,3}")
SPACE = 0.45  # of the type size: between groups of one figure
NEAR = 1.5  # points: an edge of a column
USUAL = 3  # rows with a value at an edge to make it the column's
ODD = 0.1  # share of rows that put two columns the other way round, up to which they are odd


@dataclass(frozen=True)
class Missed:
    """A line with a figure where rows have their amount, and values where they have others, that is in no item.

    column: the column of money that its figure stands in.
    """

    place: Place
    text: str
    figure: str
    column: str


@dataclass(frozen=True)
class Audit:
    """doubts: by rank of the entry, in words. missed: from the first page on, from the top."""

    doubts: Mapping[int, tuple[str, ...]]
    missed: tuple[Missed, ...]


def audit(entries: Sequence[Entry], pages: Sequence[Page]) -> Audit:
    """All that the pages' own words say against what was found."""
    items = [entry.item for entry in entries]
    texts = {page.number: _Texts(page) for page in pages}
    doubts: dict[int, list[str]] = defaultdict(list)
    for found in (_misquoted(items, texts), _misplaced(items), _twice(items), _misnamed(items), _astray(items)):
        for at, doubt in found:
            doubts[at].append(doubt)
    return Audit({at: tuple(told) for at, told in doubts.items()}, tuple(_missed(items, texts)))


@dataclass(frozen=True)
class _Texts:
    """The words of a page, found by where they stand."""

    page: Page

    @cached_property
    def down(self) -> list[tuple[float, Word]]:
        """The words by their middle, from the top."""
        return sorted(((word.box.middle[1], word) for word in self.page.words), key=lambda each: each[0])

    @cached_property
    def middles(self) -> list[float]:
        return [middle for middle, _ in self.down]

    def within(self, box: Box) -> list[Word]:
        """The words whose middle lies in the box, in lines."""
        held = self.down[bisect_left(self.middles, box.top) : bisect_right(self.middles, box.bottom)]
        return [word for _, word in held if box.x0 <= word.box.middle[0] <= box.x1]

    def beside(self, word: Word) -> list[Word]:
        """The words on one line with a word, from the left."""
        middle, reach = word.box.middle[1], 0.35 * word.box.height
        held = self.down[bisect_left(self.middles, middle - reach) : bisect_right(self.middles, middle + reach)]
        return sorted((other for _, other in held), key=lambda other: other.box.x0)

    def above(self, word: Word) -> list[Word]:
        """The words of the few lines above a word: those of a row whose figures stand on its last line."""
        middle, reach = word.box.middle[1], 0.35 * word.box.height
        held = self.down[
            bisect_left(self.middles, middle - REACH * word.size) : bisect_left(self.middles, middle - reach)
        ]
        return [other for _, other in held]


# ---- quotes


def _misquoted(items: Sequence[Item], texts: Mapping[int, _Texts]) -> Iterator[tuple[int, str]]:
    """Quotes of rows whose words do not stand at their place, or that have none though others of the row do."""
    for at, item in enumerate(items):
        if not isinstance(item, RawRow) or not any(quote.places for quote in item.quotes):
            continue
        for quote in item.quotes:
            name = quote.column.replace("_", " ")
            if not quote.places:
                if quote.column != "supplier":
                    yield at, f"{name} “{quote.text}” was not found on the line"
            elif printed := _other_words(quote, texts):
                yield at, f"{name} was read as “{quote.text}”, but the page has “{printed}” there"


def _other_words(quote: Quote, texts: Mapping[int, _Texts]) -> str:
    """The words at the quote's places, where they are others; empty where they are the same."""
    words = [word.text for place in quote.places for word in texts[place.page].within(place.box.padded(0.5))]
    if not Counter(quote.text.split()) - Counter(words):
        return ""
    mine, theirs = _joined(quote.text, quote.column), _joined("".join(words), quote.column)
    return "" if mine in theirs else " ".join(words) or "nothing"


def _joined(text: str, column: str) -> str:
    """Without spaces; words without the hyphens that break them."""
    bare = "".join(text.split())
    return bare if column in FIGURES else bare.replace("-", "").replace("\u00ad", "")


# ---- columns


def _misplaced(items: Sequence[Item]) -> Iterator[tuple[int, str]]:
    """Rows whose values stand in another order than those of nearly all rows: a value is in its neighbour's column."""
    pairs = {at: list(_pairs(item)) for at, item in enumerate(items) if isinstance(item, RawRow)}
    whole = Counter(pair for found in pairs.values() for pair in found)
    by_page: dict[int, Counter[tuple[str, str]]] = defaultdict(Counter)
    for at, found in pairs.items():
        by_page[items[at].page].update(found)
    for at, found in pairs.items():
        page = by_page[items[at].page]
        for left, right in found:
            if _odd(whole, left, right) and (page[left, right] < USUAL or _odd(page, left, right)):
                names = " and ".join(name.replace("_", " ") for name in (left, right))
                yield at, f"{names} stand the other way round than in other rows"
                break


def _odd(counts: Counter[tuple[str, str]], left: str, right: str) -> bool:
    mine, others = counts[left, right], counts[right, left]
    return mine <= ODD * (mine + others)


def _pairs(row: RawRow) -> Iterator[tuple[str, str]]:
    """Each two columns of the row's first line, the left one first."""
    if row.box is None or row.box.width < row.box.height:
        return
    held = [(quote.places[0].box.middle[0], quote.column) for quote in row.quotes if _on_line(quote, row)]
    columns = [column for _, column in sorted(held)]
    for at, left in enumerate(columns):
        for right in columns[at + 1 :]:
            yield left, right


def _on_line(quote: Quote, row: RawRow) -> bool:
    place = quote.places[0] if quote.places else None
    return place is not None and place.page == row.page and bool(row.box and place.box.top < row.box.bottom)


# ---- lines and suppliers


def _twice(items: Sequence[Item]) -> Iterator[tuple[int, str]]:
    """Rows that stand where another one does."""
    taken: set[tuple[int, Box]] = set()
    for at, item in enumerate(items):
        if not isinstance(item, RawRow) or item.box is None:
            continue
        places = {(place.page, place.box) for quote in item.quotes if quote.column in MONEY for place in quote.places}
        if places & taken:
            yield at, "the line was read as two rows"
        taken |= places


def _astray(items: Sequence[Item]) -> Iterator[tuple[int, str]]:
    """Rows with a value that stands on the line of another row, which has that column's value elsewhere; one that both
    have is printed for both.
    """
    lines: dict[int, list[tuple[float, float, RawRow]]] = defaultdict(list)
    for item in items:
        if isinstance(item, RawRow) and item.box is not None:
            lines[item.page].append((item.box.top, item.box.bottom, item))
    for held in lines.values():
        held.sort(key=lambda line: line[:2])
    for at, item in enumerate(items):
        if not isinstance(item, RawRow) or item.box is None:
            continue
        for quote in item.quotes:
            place = quote.places[0] if quote.places else None
            if place is None or place.page != item.page or item.box.top <= place.box.middle[1] <= item.box.bottom:
                continue
            other = _row_at(lines[item.page], place.box.middle[1])
            theirs = other and next((one for one in other.quotes if one.column == quote.column), None)
            if theirs and theirs.places[:1] != quote.places[:1]:
                yield at, f"{quote.column.replace('_', ' ')} “{quote.text}” stands on the line of another row"


def _row_at(lines: Sequence[tuple[float, float, RawRow]], y: float) -> RawRow | None:
    """The row on whose first line the height is; lines from the top."""
    at = bisect_right(lines, y, key=lambda line: line[0]) - 1
    return lines[at][2] if at >= 0 and y <= lines[at][1] else None


def _misnamed(items: Sequence[Item]) -> Iterator[tuple[int, str]]:
    """Rows with a supplier that is neither printed on their line nor named by the heading above them."""
    headings = [item for item in items if isinstance(item, RawHeading)]
    labelled = any(heading.labelled for heading in headings)
    above = ""
    for at, item in enumerate(items):
        if isinstance(item, RawHeading) and (item.labelled or not labelled):
            above = item.name
        elif isinstance(item, RawRow):
            name = next((quote.text for quote in item.quotes if quote.column == "supplier" and not quote.places), "")
            if name and terms.plainly(name) != terms.plainly(above):
                heading = f"it stands under the heading “{above}”" if above else "no heading above it names one"
                yield at, f"the row was given the supplier “{name}”, but {heading}"


# ---- lines in no row


def _missed(items: Sequence[Item], texts: Mapping[int, _Texts]) -> Iterator[Missed]:
    """Lines that fill a column of money and another one, and are in no item."""
    by_page: dict[int, list[Item]] = defaultdict(list)
    for item in items:
        for number in _pages(item):
            by_page[number].append(item)
    everywhere = _edges(items)
    for number, page in texts.items():
        edges = _edges(by_page[number]) or everywhere
        sums = [word for word in page.page.words if _SUM.search(word.text)] if edges else []
        columns = {word: name for word in sums for name in MONEY if _near(_end(word, page), edges, (name,))}
        taken = _Taken.of(box for item in by_page[number] for box in _boxes(item, page.page)) if columns else _Taken()
        for word in sorted(columns, key=lambda word: word.box.top):
            if taken.holds(word):
                continue
            line = page.beside(word)
            above = [other for other in page.above(word) if not taken.holds(other)]
            if _filled([*line, *above], edges) >= 3:
                place = Place(number, around([other.box for other in line]))
                yield Missed(place, " ".join(other.text for other in line), _whole(word, line), columns[word])


@dataclass(frozen=True)
class _Taken:
    """Boxes by their top, and the height of the tallest: whether one holds a word is asked for every sum of a page."""

    boxes: Sequence[Box] = ()
    tops: Sequence[float] = ()
    tallest: float = 0.0

    @classmethod
    def of(cls, boxes: Iterable[Box]) -> _Taken:
        held = sorted(boxes, key=lambda box: box.top)
        return cls(held, [box.top for box in held], max((box.height for box in held), default=0.0))

    def holds(self, word: Word) -> bool:
        x, y = word.box.middle
        near = slice(bisect_left(self.tops, y - self.tallest), bisect_right(self.tops, y))
        return any(box.holds(x, y) for box in self.boxes[near])


def _whole(word: Word, line: Sequence[Word]) -> str:
    """The figure that ends with the word: with the groups of thousands that a space sets apart from it."""
    groups = [word]
    for before in reversed(line[: line.index(word)]):
        after = groups[-1]
        near = after.box.x0 - before.box.x1 < SPACE * word.size
        if not (near and _THOUSANDS.match(after.text) and _GROUP.fullmatch(before.text)):
            break
        groups.append(before)
    return " ".join(group.text for group in reversed(groups))


def _pages(item: Item) -> set[int]:
    """The pages that an item stands on: of a row that a page's end breaks both."""
    quotes = item.quotes if isinstance(item, RawRow) else ()
    return {item.page, *(place.page for quote in quotes for place in quote.places)}


def _end(word: Word, page: _Texts) -> float:
    """Where a figure ends on the right: with the currency or the mark behind it."""
    behind = next((other for other in page.beside(word) if other.box.x0 > word.box.x0), None)
    close = behind is not None and behind.text in AHEAD and behind.box.x0 - word.box.x1 < word.size
    return behind.box.x1 if behind is not None and close else word.box.x1


def _edges(items: Sequence[Item]) -> dict[str, frozenset[int]]:
    """Where columns end, of figures, or begin, in whole points; only edges that several rows share."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for item in items:
        if isinstance(item, RawRow):
            for quote in item.quotes:
                if quote.places and quote.places[0].page == item.page:
                    box = quote.places[0].box
                    counts[quote.column][round(box.x1 if quote.column in FIGURES else box.x0)] += 1
    usual = {name: frozenset(at for at, n in found.items() if n >= USUAL) for name, found in counts.items()}
    return {name: found for name, found in usual.items() if found}


def _near(x: float, edges: Mapping[str, frozenset[int]], columns: Sequence[str]) -> bool:
    return any(abs(x - edge) <= NEAR for name in columns for edge in edges.get(name, ()))


def _filled(line: Sequence[Word], edges: Mapping[str, frozenset[int]]) -> int:
    """How many columns have a word of the line at their edge."""
    return sum(
        any(_near(word.box.x1 if name in FIGURES else word.box.x0, edges, (name,)) for word in line) for name in edges
    )


def _boxes(item: Item, page: Page) -> Iterator[Box]:
    """What an item takes of a page: a row where its quotes stand, anything else its line, over the page's width."""
    places = [place for quote in item.quotes for place in quote.places] if isinstance(item, RawRow) else []
    if places:
        yield from (place.box.padded(1) for place in places if place.page == page.number)
    elif item.box is not None:
        yield Box(0.0, item.box.top - 1, page.width, item.box.bottom + 1)
