"""Where one invoice ends and the next begins, among the pages of a document.

Comes in: `Page`s. Goes out: groups of pages, one for each invoice. A page begins an invoice where it names another
number than the pages before it; a page that names none goes on with the invoice before it. Refuses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline import claims, labels, marks
from pipeline.figures import TableLine
from pipeline.labels import Vocabulary
from pipeline.model import Page

_CONTINUED = frozenset({
    "nastavak", "continued", "fortsetzung", "suite", "segue", "continuacion", "vervolg", "pokracovani", "ciag dalszy",
})  # fmt: skip
_ALIKE = str.maketrans("OQDILZSBG", "000112586")


def groups(pages: Sequence[Page]) -> list[tuple[Page, ...]]:
    """The pages of each invoice, in order; at least one group where there are pages."""
    vocabulary = labels.vocabulary()
    found: list[list[Page]] = []
    current = ""
    for page in pages:
        number, continued = _number(page, vocabulary)
        if not found or (number and current and number != current and not continued):
            found.append([])
            current = ""
        found[-1].append(page)
        current = current or number
    return [tuple(group) for group in found]


def _number(page: Page, vocabulary: Vocabulary) -> tuple[str, bool]:
    """The invoice number that a page names, lookalikes as one, and whether it says that it goes on."""
    prints = marks.printed((page,), vocabulary)
    titled = [claim for claim in claims.titled(prints) if claim.name == "invoice_number"]
    strong = [claim for claim in claims.claims(prints, "invoice_number", "number") if not claim.weak]
    named = [*titled, *strong]
    if not named:
        return "", False
    text = "".join(filter(str.isalnum, named[0].text)).upper().translate(_ALIKE)
    return text, _goes_on(prints.lines[named[0].line])


def _goes_on(line: TableLine) -> bool:
    return not _CONTINUED.isdisjoint(labels.plainly(line.text).split())
