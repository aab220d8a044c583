"""Where one invoice ends and the next begins, among the pages of a document.

Comes in: `Page`s. Goes out: groups of pages, one for each invoice, and why a group is doubtful where it is. A page
begins an invoice where it names another number than the pages before it, counts as page 1 again, or, on a scan whose
number was not read, looks like a first page. A page that says that it goes on, or that shows nothing of its own, goes
on. On a scan a number may be misread: one that is nearly the same is another invoice's only on a first page. Refuses
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipeline import claims, labels, marks
from pipeline.figures import TableLine
from pipeline.labels import Vocabulary
from pipeline.marks import Print
from pipeline.model import Page

_CONTINUED = frozenset({
    "nastavak", "continued", "fortsetzung", "suite", "segue", "continuacion", "vervolg", "pokracovani", "ciag dalszy",
})  # fmt: skip
_PAGE = r"(?:page|pag|pagina|seite|strana|str|blad|bladzijde|strona)"
_COUNTED = re.compile(
    rf"\b{_PAGE} (?P<page>\d{{1,3}})(?: (?:of|von|de|di|od|van|sur|z|ze)?\s?(?P<of>\d{{1,3}}))?(?!\S)"
)
_ALONE = re.compile(r"(?P<page>\d{1,2})\s?/\s?(?P<of>\d{1,2})")
_ALIKE = str.maketrans("OQDILZSBG", "000112586")
PARTED = "one invoice"  # the check
NEAR = 2  # signs in which a number of a scan may differ and be the same
HEAD, EDGE = 0.5, 0.1  # of the page: where a first page names parties and dates, where pages are counted
ROWS = 3  # lines of amounts: a page of an invoice, not of its terms
TOLD = 2  # what a first page shows at least of title, date, supplier, buyer

UNNUMBERED = "page {page} sums up again but names no number: it may be an invoice of its own"
OTHER = "page {page} is read as a part of this invoice but names {number}"


@dataclass(frozen=True)
class Issue:
    """The pages of one invoice. doubt: why it may not be one, in words, or nothing."""

    pages: tuple[Page, ...]
    doubt: str = ""


@dataclass(frozen=True)
class _Face:
    """What a page tells of its place. number: of the invoice, lookalikes as one, and as printed; page, of: as it counts
    itself, 0 where it does not; first: it looks like a first page; summed: it shows what is to be paid; rows: it shows
    rows of amounts.
    """

    number: str
    printed: str
    page: int
    of: int
    goes_on: bool
    first: bool
    summed: bool
    rows: bool
    scanned: bool


def groups(pages: Sequence[Page]) -> list[Issue]:
    """The invoices, in order; at least one where there are pages."""
    vocabulary = labels.vocabulary()
    found: list[list[Page]] = []
    faces: list[_Face] = []
    doubts: list[str] = []
    for page in pages:
        face = _face(page, vocabulary)
        if not found or _begins(face, faces):
            found.append([])
            doubts.append("")
            faces = []
        elif doubt := _doubt(face, faces):
            doubts[-1] = doubts[-1] or doubt.format(page=page.number, number=face.printed)
        found[-1].append(page)
        faces.append(face)
    return [Issue(tuple(group), doubt) for group, doubt in zip(found, doubts, strict=True)]


def _begins(face: _Face, before: Sequence[_Face]) -> bool:
    """Whether the page begins another invoice than the pages before it."""
    number = next((one.number for one in before if one.number), "")
    summed = any(one.summed for one in before)
    if face.number and number:
        if face.number == number or (_near(face.number, number) and (face.goes_on or face.page > 1)):
            return False
        if face.goes_on or face.page > 1:
            return face.first or (face.scanned and summed)
        return face.first or not (face.scanned and _near(face.number, number))
    if face.goes_on or face.page > 1:
        return False
    if face.page == 1 and (face.number or face.first):
        return True
    return face.scanned and (summed or any(one.first for one in before)) and (face.first or (summed and face.rows))


def _doubt(face: _Face, before: Sequence[_Face]) -> str:
    """Why a page of a scan may not belong to the pages before it."""
    number = next((one.number for one in before if one.number), "")
    if not face.scanned:
        return ""
    if face.number and number and not _near(face.number, number):
        return OTHER
    counted = face.goes_on or face.page > 1 or face.number == number != ""
    return UNNUMBERED if face.summed and not counted and any(one.summed for one in before) else ""


# ---------------------------------------------------------------- what a page tells


def _face(page: Page, vocabulary: Vocabulary) -> _Face:
    prints = marks.printed((page,), vocabulary)
    named = _named(prints)
    at, of = _counted(prints, page)
    ahead = [prints.lines[named.line]] if named else []
    return _Face(
        _folded(named.text) if named else "",
        named.text if named else "",
        at,
        of,
        any(_goes_on(line) for line in ahead),
        _looks_first(prints, page),
        any(mark.means("gross_total") and prints.lines[mark.line].figures for mark in prints.marks),
        sum(len(line.figures) > 1 for line in prints.lines) >= ROWS,
        page.origin == "ocr",
    )


def _named(prints: Print) -> claims.Claim | None:
    """The invoice number that a page names."""
    titled = (claim for claim in claims.titled(prints) if claim.name == "invoice_number")
    strong = (claim for claim in claims.claims(prints, "invoice_number", "number") if not claim.weak)
    return next(titled, None) or next(strong, None)


def _folded(number: str) -> str:
    return "".join(filter(str.isalnum, number)).upper().translate(_ALIKE)


def _near(one: str, other: str) -> bool:
    """Whether one may be the other, misread."""
    return _edits(one, other) <= min(NEAR, max(len(one), len(other)) // 3)


def _edits(one: str, other: str) -> int:
    """Signs to put in, take out or change to make one the other."""
    row = list(range(len(other) + 1))
    for at, sign in enumerate(one, start=1):
        changed = [at]
        for left, ((corner, above), theirs) in enumerate(zip(pairwise(row), other, strict=True)):
            changed.append(min(corner + (sign != theirs), above + 1, changed[left] + 1))
        row = changed
    return row[-1]


def _goes_on(line: TableLine) -> bool:
    words = labels.plainly(line.text).split()
    return any(_edits(word, known) <= len(known) // 5 for word in words for known in _CONTINUED)


def _counted(prints: Print, page: Page) -> tuple[int, int]:
    """The number that a page gives itself near its upper or lower edge, and of how many; 0 where it gives none."""
    edges = [line for line in prints.lines if not EDGE < line.box.middle[1] / page.height < 1 - EDGE]
    for line in edges:
        text = labels.plainly(line.text.replace("/", " / "))
        if found := _COUNTED.search(" ".join(text.split())) or _ALONE.fullmatch(line.text.strip()):
            at, of = int(found["page"]), int(found["of"] or 0)
            if at > 0 and (not of or at <= of):
                return at, of
    return 0, 0


def _looks_first(prints: Print, page: Page) -> bool:
    """Whether the upper part of a page shows what only the first page of an invoice does."""
    ahead = [mark for mark in prints.marks if mark.box.top < HEAD * page.height]
    return sum(_shows(prints, ahead)) >= TOLD


def _shows(prints: Print, ahead: Sequence[marks.Mark]) -> Iterable[bool]:
    dated = {claim.mark for claim in claims.claims(prints, "issue_date", "date")}
    yield any(mark.is_title for mark in ahead)
    yield not dated.isdisjoint(ahead)
    yield any(mark.means("buyer") for mark in ahead)
    yield any(mark.means("supplier") or mark.means("tax_id") for mark in ahead)
