"""Quotes without a place, found on the lines of their page.

Comes in: what an engine found in an excerpt. Goes out: the same with places, where the words are there. Each line is
given to one item only, in the order in which the engine named them, so that equal rows go to lines of their own.
What is not found keeps no place: the pipeline says so, and invents none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.engine import Excerpt, Found, Item, Quote, RawRow, RawTotal
from pipeline.model import Line, Place, Word, around


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
    free = [line for line in page_lines if line.box not in taken]
    done = []
    for item in items:
        wanted = _words(item)
        best = max(free, key=lambda line: _shared(wanted, line), default=None) if item.box is None else None
        if best is None or _shared(wanted, best) < 0.6:
            done.append(item)
            continue
        following = free[free.index(best) + 1 : free.index(best) + 4]
        free.remove(best)
        done.append(_at(item, best, following))
    return done


def _words(item: Item) -> list[str]:
    match item:
        case RawRow() | RawTotal():
            label = item.label.split() if isinstance(item, RawTotal) else []
            return [*label, *(word for quote in item.quotes for word in quote.text.split())]
        case _:
            return (item.text if hasattr(item, "text") else item.name).split()


def _shared(wanted: Sequence[str], line: Line) -> float:
    """The share of the wanted words that stand on the line, each of the line's words counted once."""
    left = [word.text for word in line.words]
    met = 0
    for word in wanted:
        if word in left:
            left.remove(word)
            met += 1
    return met / len(wanted) if wanted else 0.0


def _at(item: Item, line: Line, following: Sequence[Line]) -> Item:
    if not isinstance(item, RawRow | RawTotal):
        return replace(item, box=line.box)
    taken: set[int] = set()
    quotes = tuple(_quote(quote, [line, *following], taken) for quote in item.quotes)
    return replace(item, box=line.box, quotes=quotes)


def _quote(quote: Quote, near: Sequence[Line], taken: set[int]) -> Quote:
    """The quote with the boxes of its words, looked for on the row's line and on those just below it."""
    rest = quote.text.split()
    places = []
    for line in near:
        met: list[Word] = []
        for word in line.words:
            if rest and id(word) not in taken and word.text == rest[0]:
                met.append(word)
                taken.add(id(word))
                rest.pop(0)
        if met:
            places.append(Place(line.page, around([word.box for word in met])))
        if not rest:
            return replace(quote, places=tuple(places))
    return quote
