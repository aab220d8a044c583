"""The numbers that pages print of themselves (`Page 4 of 12`, `Seite 4`, `4 / 12`): pages that are missing or twice.

Comes in: the pages. Goes out: a finding for each place where the count leaves pages out, repeats one, or ends before
its own end. A number counts only where it stands alone near the page's edge, and where pages count up: a document that
begins anew with each part says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pipeline.model import Finding, Page, Word

EDGE = 0.12  # of the page's height: where pages are numbered
GAP = 2.0  # of the type size: words further apart say different things
FEWEST = 3  # pages that count themselves without saying how many there are, from which that is believed
YEARS = range(1990, 2100)  # an invoice's number is often one of a year
KIND = "pages_missing"
_OF = "of|von|de|od|di|van|sur|од|из|/"
_NUMBER = re.compile(
    rf"[-–|\s]*(?:(?P<word>page|seite|strana|страна|str|стр|pagina|página|pág|pag|blatt)\.?\s*)?(?P<n>\d{{1,4}})"
    rf"(?:\s*(?:{_OF})\s*(?P<of>\d{{1,4}}))?[-–|\s]*",
    re.IGNORECASE,
)


class Folio(NamedTuple):
    """What a page says of itself: its place in the document, its number, and of how many (0 where it does not say).
    bare: it stands without a word for `page`.
    """

    page: int
    number: int
    of: int
    bare: bool


def findings(pages: Sequence[Page]) -> tuple[Finding, ...]:
    """What the pages' own numbers say is missing, or there twice."""
    folios = [folio for page in pages if (folio := _folio(page))]
    rising = all(after.number >= before.number for before, after in pairwise(folios))
    if not rising or len({folio.of for folio in folios}) > 1:
        return ()
    if len(folios) < (2 if any(folio.of for folio in folios) else FEWEST):
        return ()
    if any(folio.bare for folio in folios) and 3 * len(folios) < 2 * len(pages):
        return ()  # `721/2026` on a page now and then is the number of an invoice
    return (*_jumps(folios), *_cut_off(folios, len(pages)))


def _jumps(folios: Sequence[Folio]) -> Iterator[Finding]:
    for before, after in pairwise(folios):
        lost = (after.number - before.number) - (after.page - before.page)
        where = f"pages {before.page} and {after.page} count themselves {before.number} and {after.number}"
        pages = (after.page, before.page)
        if lost > 0:
            told = f"{where}: {lost} page{'s are' if lost > 1 else ' is'} missing between them"
            yield Finding(KIND, "error", told, after.page, None, pages)
        elif lost < 0 and after.number == before.number:
            yield Finding(KIND, "error", f"{where}: one page may be there twice", after.page, None, pages)


def _cut_off(folios: Sequence[Folio], pages: int) -> Iterator[Finding]:
    last = folios[-1]
    if last.page == pages and 0 < last.number < last.of:
        told = f"page {last.page} counts itself {last.number} of {last.of}: {last.of - last.number} more should follow"
        yield Finding(KIND, "error", told, last.page)


def _folio(page: Page) -> Folio | None:
    """The page's number where one alone stands at its edges."""
    held = [match for text in _texts(page) if (match := _NUMBER.fullmatch(text)) and (match["word"] or match["of"])]
    found = {(int(match["n"]), int(match["of"] or 0), not match["word"]) for match in held}
    number, of, bare = found.pop() if len(found) == 1 else (0, 0, False)
    of_a_year = bare and of in YEARS
    return Folio(page.number, number, of, bare) if number and (number <= of or not of) and not of_a_year else None


def _texts(page: Page) -> Iterator[str]:
    """What stands near the page's edges, words of a line that are close together as one."""
    edge = EDGE * page.height
    near = [word for word in page.words if word.box.bottom < edge or word.box.top > page.height - edge]
    run: list[Word] = []
    for word in sorted(near, key=lambda word: (round(word.box.middle[1]), word.box.x0)):
        last = run[-1] if run else word
        level = abs(word.box.middle[1] - last.box.middle[1]) < 0.5 * last.box.height
        if run and not (level and word.box.x0 - last.box.x1 < GAP * last.size):
            yield " ".join(each.text for each in run)
            run = []
        run.append(word)
    if run:
        yield " ".join(each.text for each in run)
