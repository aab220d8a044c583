"""Quotes without a place, found on the lines of their page.

Comes in: what an engine found in an excerpt. Goes out: the same with places, where the words are there. Each line is
given to one item only, in the order in which the engine named them, so that equal rows go to lines of their own.
What is not found keeps no place: the pipeline says so, and invents none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from pipeline.engine import Excerpt, Found, Item, Quote, RawHeading, RawRow, RawTotal
from pipeline.model import Line, Place, Word, around

ENOUGH = 0.6  # share of an item's words that its line must have
FEWEST = 3  # words of an item on its first line, where it goes on below


def placed(found: Found, excerpt: Excerpt) -> Found:
    """`found` with a place for each item and quote that an engine only quoted."""
    if all(item.box for item in found.items):
        return found
    items: list[Item] = []
    for page, page_lines in zip(excerpt.pages, excerpt.lines, strict=True):
        items += _on_page(page_lines, [item for item in found.items if item.page == page.number])
    known = {page.number for page in excerpt.pages}
    items += [item for item in found.items if item.page not in known]
    return replace(found, items=tuple(items))


def _on_page(page_lines: Sequence[Line], items: Sequence[Item]) -> list[Item]:
    taken = [item.box for item in items if item.box]
    free = [at for at, line in enumerate(page_lines) if line.box not in taken]
    printed = [Counter(word.text for word in line.words) for line in page_lines]
    done = []
    last = -1
    for item in items:
        at = _likest(Counter(_words(item)), printed, free, last) if item.box is None else None
        if at is None:
            done.append(item)
            continue
        following = [page_lines[other] for other in free if other > at][:3]
        free.remove(at)
        last = at
        done.append(_at(item, page_lines[at], following))
    return done


def _likest(wanted: Counter[str], printed: Sequence[Counter[str]], free: Sequence[int], last: int) -> int | None:
    """The free line that has most of the words; of several the first below the last item's, for items come in order."""
    counts = {at: _met(wanted, printed[at]) for at in free}
    count = wanted.total()
    counts = {at: met for at, met in counts.items() if _suffices(met, count, printed[at].total())}
    most = max(counts.values(), default=0)
    same = [at for at, met in counts.items() if met == most]
    return next((at for at in same if at > last), same[0]) if same else None


def _suffices(met: int, wanted: int, printed: int) -> bool:
    """Whether an item stands on a line: by most of its words, or, where it goes on below, by most of the line's."""
    if met >= ENOUGH * wanted:
        return met > 0
    return met >= max(FEWEST, ENOUGH * printed, ENOUGH * wanted / 2)


def _words(item: Item) -> list[str]:
    match item:
        case RawRow() | RawTotal():
            label = item.label.split() if isinstance(item, RawTotal) else []
            return [*label, *(word for quote in item.quotes for word in quote.text.split())]
        case _:
            return (item.text if hasattr(item, "text") else item.name).split()


def _met(wanted: Counter[str], printed: Counter[str]) -> int:
    """How many of the wanted words stand on a line, each of the line's words counted once."""
    return sum(min(count, printed[word]) for word, count in wanted.items())


def _at(item: Item, line: Line, following: Sequence[Line]) -> Item:
    if isinstance(item, RawHeading):
        named = _naming(item.name.split(), line)
        bold = all(word.bold for word in named)
        return replace(item, box=around([word.box for word in named]), stands_out=item.stands_out or bold)
    if not isinstance(item, RawRow | RawTotal):
        return replace(item, box=line.box)
    taken: set[int] = set()
    quotes = tuple(_quote(quote, [line, *following], taken) for quote in item.quotes)
    return replace(item, box=line.box, quotes=quotes)


def _naming(name: Sequence[str], line: Line) -> Sequence[Word]:
    """The words of a name within its heading."""
    parts = (line.words[at : at + len(name)] for at in range(len(line.words) - len(name) + 1))
    return next((part for part in parts if [word.text for word in part] == list(name)), line.words)


def _quote(quote: Quote, near: Sequence[Line], taken: set[int]) -> Quote:
    """The quote with the place of its words, looked for on the row's line and on those just below it."""
    rest = quote.text.split()
    met: list[Word] = []
    for line in near:
        for word in line.words:
            if rest and id(word) not in taken and word.text == rest[0]:
                met.append(word)
                taken.add(id(word))
                rest.pop(0)
        if not rest:
            return replace(quote, places=(Place(line.page, around([word.box for word in met])),))
    return quote
