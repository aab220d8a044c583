"""Printed counts of rows (`34 invoices`, `Anzahl Posten: 34`, `Број ставки: 34`) held against the rows found.

Comes in: the pages and the typed rows. Goes out: a finding for each count that fits neither the document's rows or
invoices, nor those of its page, of the supplier above it, or of one side of an account. A count stands alone on its
line, behind a label, or in brackets; a number in running text or in a row is none.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from pipeline.ledger import Posting
from pipeline.model import Finding, Page, Place, Word, around

_ROWS = """line items|items|lines|entries|transactions|postings|documents|rows|posten|positionen|buchungen|umsätze
|belege|zeilen|écritures|opérations|lignes|pièces|movimenti|operazioni|righe|voci|movimientos|operaciones|líneas|partidas
|stavki|stavke|transakcija|ставки|ставке|трансакција"""
_INVOICES = "invoices|rechnungen|factures|fatture|facturas|računa|faktura|рачуна|фактура"
_LABELS = r"""(?:total )?number of|no\.? of|anzahl(?: der)?|nombre (?:de |des |d['’] ?)|numero (?:di|de|delle|dei)
|número de|(?:ukupan )?broj|(?:укупан )?број"""
_NUMBER = r"\d{1,3}(?:[.,'’]\d{3})+|\d{1,5}"


def _bare(pattern: str) -> str:
    return pattern.replace("\n", "")


_NOUN = f"(?P<noun>{_bare(_ROWS)}|{_bare(_INVOICES)})"
_LABELLED = re.compile(rf"(?:{_bare(_LABELS)}) ?{_NOUN} ?:? (?P<number>{_NUMBER})", re.IGNORECASE)
_COUNTED = re.compile(rf"(?P<number>{_NUMBER}) {_NOUN}", re.IGNORECASE)


@dataclass(frozen=True)
class Count:
    """A printed count of rows: its words as printed, and where they stand."""

    number: int
    text: str
    place: Place


def find(pages: Sequence[Page]) -> tuple[Count, ...]:
    """The counts that the pages print, in reading order."""
    return tuple(count for page in pages for count in _on_page(page))


def is_count(text: str) -> bool:
    """Whether a text is a count of rows and nothing else."""
    return any(pattern.fullmatch(text.strip().rstrip(".:")) for pattern in (_LABELLED, _COUNTED))


def _on_page(page: Page) -> Iterator[Count]:
    text = page.text.replace("\n", " ")
    ends = list(accumulate(len(word) + 1 for word in page.text.split("\n")))
    taken: set[int] = set()
    for pattern in (_LABELLED, _COUNTED):
        for found in pattern.finditer(text):
            first, last = bisect_right(ends, found.start()), bisect_right(ends, found.end() - 1)
            if taken.isdisjoint(range(first, last + 1)) and _alone(page.words, first, last, found[0]):
                taken |= set(range(first, last + 1))
                number = int("".join(filter(str.isdigit, found["number"])))
                box = around([word.box for word in page.words[first : last + 1]])
                yield Count(number, found[0], Place(page.number, box))


def _alone(words: Sequence[Word], first: int, last: int, text: str) -> bool:
    """Whether the words stand apart from others of their line, or in brackets, and are nothing but the count."""
    printed = " ".join(word.text for word in words[first : last + 1])
    if printed == f"({text})":
        return True
    if printed.rstrip(".:") != text.rstrip(".:"):
        return False
    before = first == 0 or _apart(words[first - 1], words[first])
    return before and (last + 1 == len(words) or _apart(words[last], words[last + 1]))


def _apart(left: Word, right: Word) -> bool:
    same_line = min(left.box.bottom, right.box.bottom) - max(left.box.top, right.box.top) > 0.4 * right.box.height
    return not same_line or not -right.size < right.box.x0 - left.box.x1 < right.size


def check(counts: Sequence[Count], postings: Sequence[Posting]) -> tuple[Finding, ...]:
    """A finding for each count that no set of rows fits."""
    return tuple(
        _differs(count, postings) for count in counts if not _in_row(count, postings) and _off(count, postings)
    )


def _in_row(count: Count, postings: Sequence[Posting]) -> bool:
    page, box = count.place
    return any(row.page == page and row.box.top <= box.middle[1] <= row.box.bottom for row in postings)


def _off(count: Count, postings: Sequence[Posting]) -> bool:
    """Whether the count is none of those that it may be."""
    page, box = count.place
    above = [row for row in postings if (row.page, row.box.top) < (page, box.top)]
    supplier = above[-1].supplier if above else ""
    sets = [
        list(postings),
        above,
        [row for row in postings if row.page == page],
        [row for row in above if row.supplier == supplier],
        [row for row in postings if row.amount is not None and row.amount < 0],
        [row for row in postings if row.amount is not None and row.amount > 0],
    ]
    return all(count.number not in (len(rows), _invoices(rows)) for rows in sets)


def _invoices(rows: Sequence[Posting]) -> int:
    """How many different invoices the rows are of."""
    return len({(row.supplier, cell.value) for row in rows for cell in row.cells if cell.column == "invoice_number"})


def _differs(count: Count, postings: Sequence[Posting]) -> Finding:
    page, box = count.place
    invoices = _invoices(postings)
    found = f"{len(postings)} rows" + (f" of {invoices} invoices" if invoices else "")
    return Finding("count_differs", "error", f"page {page}: printed “{count.text}”, but {found} were found", page, box)
