"""Where on its pages a quote stands: the boxes of its words, line by line.

Comes in: a `Reading`, the sections that were made of it, a quote and the section it stands in. Goes out: a `Source`
with a place for every line, so that a quote over a page's end, a column's end or several cells has places on each
side. Only what counts is compared (`verbatim`). A quote that is not there has no places and is `missing`; one of
which a part only is there has the places of that part and is `fuzzy`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, islice
from typing import NamedTuple

from pipeline import layout, verbatim
from pipeline.model import Line, Match, Place, Reading, Section, Source, Word, around
from pipeline.verbatim import Bare

LEAST = 12  # characters of a quote that may stand apart from the rest of it
SEED = 24  # characters that a quote is looked for by
WAYS = 40  # places at which a quote may begin that are looked at
PARTS = 12  # that a quote is followed through
LONGEST = 10**9  # characters on a page
PARTED = " | "  # between the cells of a row, as sections have it


@dataclass(frozen=True)
class _Stream:
    """The words of a page in reading order: the line of each, where each begins in the text, and what counts of it."""

    words: tuple[Word, ...]
    lines: tuple[int, ...]
    begins: tuple[int, ...]
    bare: Bare

    def places(self, page: int, start: int, end: int) -> Iterator[Place]:
        """A place for each line of the bare text [start, end)."""
        first, stop = self.bare.slice(start, end)
        held = range(bisect_right(self.begins, first) - 1, bisect_left(self.begins, stop))
        for _, line in groupby(held, key=lambda at: self.lines[at]):
            yield Place(page, around([self.words[at].box for at in line]))


def _stream(lines: Iterable[Line]) -> _Stream:
    words: list[Word] = []
    numbers: list[int] = []
    begins: list[int] = []
    length = 0
    for number, line in enumerate(lines):
        for word in line.words:
            words.append(word)
            numbers.append(number)
            begins.append(length)
            length += len(word.text) + 1
    return _Stream(tuple(words), tuple(numbers), tuple(begins), verbatim.bare(" ".join(word.text for word in words)))


class _Part(NamedTuple):
    """A part of a quote: [start, end) of what counts on a page."""

    page: int
    start: int
    end: int


class _Extent(NamedTuple):
    """From a place in reading order up to another: pages, and where on them what counts begins and ends."""

    page: int
    start: int
    last: int
    end: int


@dataclass(frozen=True)
class Pages:
    """The pages of a document to find quotes on; a page is laid out when it is first looked at."""

    reading: Reading
    sections: tuple[Section, ...]
    _streams: dict[int, _Stream] = field(default_factory=dict, repr=False, compare=False)

    def place(self, quote: str, section: Section | None = None, nth: int = 0) -> Source:
        """Where the quote stands in the section, else anywhere. nth: of how many it is there, from 0."""
        sought = verbatim.needle(quote)
        everywhere = _Extent(1, 0, len(self.reading.pages), LONGEST)
        best: list[_Part] = []
        for extent in (self._extent(section), everywhere) if section else (everywhere,):
            ways = list(islice(self._ways(sought, extent), nth + WAYS)) or self._broken(sought, extent)
            whole = [way for way in ways if _length(way) == len(sought)]
            way = whole[min(nth, len(whole) - 1)] if whole else []
            if section and len(way) != 1 and (places := _in_tables(sought, section, nth)):
                return Source(places, quote, "normalised")
            if way:
                return self._source(quote, way, self._match(quote, way))
            best = max([best, *ways], key=_length)
        return self._source(quote, best, "fuzzy") if best else Source((), quote, "missing")

    def printed(self, quote: str) -> Source | None:
        """Where the quote stands in whole words on a page, be it outside of all sections; None where it does not."""
        sought = verbatim.needle(quote)
        for page in self.reading.pages:
            stream = self._page(page.number)
            at = next(verbatim.occurrences(stream.bare, sought), None)
            if at is not None:
                return self._source(quote, [_Part(page.number, at, at + len(sought))], "normalised")
        return None

    def _source(self, quote: str, way: Sequence[_Part], match: Match) -> Source:
        places = (place for part in way for place in self._page(part.page).places(part.page, part.start, part.end))
        return Source(tuple(places), quote, match)

    def _match(self, quote: str, way: Sequence[_Part]) -> Match:
        printed = []
        for part in way:
            bare = self._page(part.page).bare
            printed.append(bare.text[slice(*bare.slice(part.start, part.end))])
        return "exact" if " ".join(printed) == " ".join(quote.split()).strip(verbatim.ENDS) else "normalised"

    def _page(self, number: int) -> _Stream:
        if number not in self._streams:
            page = self.reading.pages[number - 1]
            self._streams[number] = _stream(layout.lines(page))
        return self._streams[number]

    def _extent(self, section: Section) -> _Extent:
        """From the section's heading to the next one's."""
        at = self.sections.index(section)
        page, start = self._start(section)
        if at + 1 == len(self.sections):
            return _Extent(page, start, len(self.reading.pages), LONGEST)
        return _Extent(page, start, *self._start(self.sections[at + 1]))

    def _start(self, section: Section) -> tuple[int, int]:
        if not section.places:
            return section.page, 0
        page, box = section.places[0]
        stream = self._page(page)
        for word, begin in zip(stream.words, stream.begins, strict=True):
            if box.holds(*word.box.middle):
                return page, stream.bare.index(begin)
        return page, 0

    def _ways(self, sought: str, extent: _Extent) -> Iterator[list[_Part]]:
        """The ways in which the text, or some of it, stands within the extent, in reading order."""
        seen: set[tuple[int, int]] = set()
        for size in (SEED, LEAST):
            for page in range(extent.page, extent.last + 1):
                bare = self._page(page).bare.bare
                at, stop = (
                    (extent.start if page == extent.page else 0),
                    (extent.end if page == extent.last else LONGEST),
                )
                while sought and (at := bare.find(sought[:size], at, stop)) >= 0:
                    if (page, at) not in seen:
                        seen.add((page, at))
                        yield self._followed(sought, page, at, extent.last)
                    at += 1
            if seen:
                return

    def _broken(self, sought: str, extent: _Extent) -> list[list[_Part]]:
        """Ways of a text of which only the first few characters stand before a page's or a column's end."""
        for size in range(1, min(LEAST, len(sought) - LEAST) + 1):
            for way in self._ways(sought[size:], extent):
                page = way[0].page
                for before, end in ((page - 1, LONGEST), (page, way[0].start)):
                    at = self._page(before).bare.bare.rfind(sought[:size], 0, end) if before else -1
                    if at >= 0:
                        return [[_Part(before, at, at + size), *way]]
        return []

    def _followed(self, sought: str, page: int, at: int, last: int) -> list[_Part]:
        """The parts of the text from a place on, as far as they are there."""
        parts: list[_Part] = []
        done = 0
        while len(parts) < PARTS:
            size = _shared(sought, done, self._page(page).bare.bare, at)
            parts.append(_Part(page, at, at + size))
            done += size
            following = self._next(sought[done : done + LEAST], parts[-1], last)
            if done == len(sought) or following is None:
                break
            page, at = following
        return parts

    def _next(self, seed: str, before: _Part, last: int) -> tuple[int, int] | None:
        """Where a text goes on that broke off: further down its page, else on the next one, else above."""
        for page, start in ((before.page, before.end), (before.page + 1, 0), (before.page, 0)):
            if page <= min(last + 1, len(self.reading.pages)):
                at = self._page(page).bare.bare.find(seed, start)
                if at >= 0:
                    return page, at
        return None


def begins(source: Source) -> Place | None:
    """The page on which a source begins, and the box of all of it that stands there; None where it has no place."""
    if not source.places:
        return None
    page = source.places[0].page
    return Place(page, around([place.box for place in source.places if place.page == page]))


def _in_tables(sought: str, section: Section, nth: int) -> tuple[Place, ...]:
    """The cells of the section's tables that hold the text, where it goes from cell to cell along the rows."""
    cells = [cell for table in section.tables for row in (*table.heads, *table.rows) for cell in row.cells]
    bare = verbatim.bare(PARTED.join(cell.text for cell in cells))
    begins = [bare.index(at) for at in accumulate((len(cell.text) + len(PARTED) for cell in cells), initial=0)]
    at = -1
    for _ in range(nth + 1):
        following = bare.bare.find(sought, at + 1)
        at = at if following < 0 <= at else following
    if at < 0 or not sought:
        return ()
    held = range(bisect_right(begins, at) - 1, bisect_left(begins, at + len(sought)))
    return tuple(place for index in held if begins[index] < begins[index + 1] for place in cells[index].places)


def _length(way: Sequence[_Part]) -> int:
    return sum(part.end - part.start for part in way)


def _shared(one: str, at: int, other: str, start: int) -> int:
    """How many characters the two have in common from these places on."""
    size = 0
    for mine, theirs in zip(one[at:], islice(other, start, None), strict=False):
        if mine != theirs:
            break
        size += 1
    return size
