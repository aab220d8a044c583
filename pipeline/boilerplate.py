"""The boilerplate ledger: running headers and footers, page numbers, contents lists, covers and signatures.

Comes in: `Features` and an `OutlineProfile`. Goes out: which lines are boilerplate, why, on how many pages their
like was found, and the entries of a contents list as evidence for headings. Nothing is deleted here: what the
ledger holds is listed line by line, and a line whose pattern the profile keeps is left where it is.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import quantiles
from typing import NamedTuple

from pipeline import exhibits, numbering, stamps
from pipeline.features import Feature, Features
from pipeline.formalities import formalities
from pipeline.numbering import Numbering
from pipeline.profiles import OutlineProfile

BAND = 0.16  # share of the page height in which headers and footers stand
DEPTH = 5  # lines from the edge
SAME_PLACE = 0.02  # of the page height
MOST_PARTS = 3  # of a header or footer; what has more is a row of a table
AMOUNT = re.compile(r"\d[.,]\d\d(?!\d)\W*$")  # what ends in one is a row: a sum carried forward
NAMING = re.compile(r"[^\W\d_]{3,}.*[^\W\d_]{3,}|[^\W\d_]{8,}")  # a part that says more than a label does
COUNTED = 3  # pages on which a number counts along with them
DIGITS = re.compile(r"\d+")
PAGE_WORDS = "page|seite|strana|страна|str|стр|pagina|página|pág|pag|blatt|s"
OF_PAGES = "of|von|de|od|di|van|sur|од|из|/"  # between a page's number and how many there are
PAGE_NUMBER = re.compile(
    rf"[^\w§]*(?:(?:{PAGE_WORDS})\.?\s*)?(?P<n>\d{{1,4}}|[ivxlc]{{1,7}})"
    rf"\W*(?:(?:{OF_PAGES})\s*\d+)?\W*",
    re.IGNORECASE,
)
LEADERS = re.compile(r"(?:[.․…·_]\s?){3,}")
ENTRY = re.compile(
    r"^(?P<title>.*?\S)\s*(?P<leaders>(?:[.․…·_]\s?){2,}|\s)\s*(?P<page>\d{1,4}|[ivxlc]{1,7}|[A-Z]-\d{1,3})$"
)
ENTRY_ENDS = frozenset("0123456789ivxlc")
COLUMN_TITLES = re.compile(rf"(?:{stamps.PAGE})(?: no\.?)?", re.IGNORECASE)
CONTENTS_TITLES = (
    *("contents", "table of contents", "index", "inhalt", "inhaltsverzeichnis", "sommaire", "table des matières"),
    *("indice", "índice", "inhoud", "inhoudsopgave", "sadržaj", "садржај", "目次"),
)


class Entry(NamedTuple):
    """A line of a contents list: number as printed (or ""), title, printed page, level by its indent (0: all alike)."""

    number: str
    title: str
    page: str
    level: int


class Reason(NamedTuple):
    """Why a line is boilerplate, and on how many pages its like was found."""

    reason: str
    repeats: int


@dataclass(frozen=True)
class Ledger:
    """Boilerplate lines by index, and what the contents list says."""

    lines: dict[int, Reason]
    entries: tuple[Entry, ...]


def ledger(features: Features, profile: OutlineProfile) -> Ledger:
    """The ledger of the document under `profile`."""
    esigned = _reasons(stamps.esigned(features)) if profile.strip_formalities else {}
    found = dict(esigned)
    if profile.strip_formalities:
        found |= _reasons(stamps.notes(features))
    if profile.strip_boilerplate:
        found |= _reasons(stamps.stamps(features, profile.repeats))
        edges = list(_edges(features, found))
        found |= _running(features, edges, profile.repeats)
        found |= _page_numbers(edges, found)
        found |= _numbered_titles(features, edges, found)
    if profile.strip_margins:
        found |= _margins(features, profile.margin, found)
    contents, entries = _contents(features, found)
    if profile.strip_contents:
        found |= contents
    if profile.strip_formalities:
        framed = formalities(features, found.keys() | contents.keys(), esigned.keys())
        found |= {at: Reason(why, 1) for at, why in framed.items()}
        found |= {at: Reason(exhibits.SHEET, 1) for at in exhibits.sheets(features, found.keys() | contents.keys())}
    if profile.strip_boilerplate:
        found |= _reasons(stamps.secrets(features, found.keys() | contents.keys()))
    kept = set(profile.keep)
    if kept:
        found = {index: why for index, why in found.items() if pattern(features.lines[index].text) not in kept}
    return Ledger(found, entries)


def _reasons(found: Mapping[int, tuple[str, int]]) -> dict[int, Reason]:
    return {at: Reason(*why) for at, why in found.items()}


def pattern(text: str) -> str:
    """The text with its digits as #: what repeats of a running line have in common."""
    return DIGITS.sub("#", " ".join(text.split()))


# ---------------------------------------------------------------- headers and footers


class _Edge(NamedTuple):
    """A line near the top or bottom edge of its page: its rank from that edge, its place (0..1), and what of its text
    is held against the others.
    """

    line: Feature
    band: str
    rank: int
    place: float
    text: str


def _edges(features: Features, taken: Container[int]) -> Iterator[_Edge]:
    by_page: dict[int, list[Feature]] = defaultdict(list)
    for line in features.lines:
        if line.at not in taken:
            by_page[line.page].append(line)
    for page, lines in by_page.items():
        height = features.pages[page - 1][1]
        down = sorted(lines, key=lambda line: line.box.top)
        for band, ordered in (("header", down), ("footer", down[::-1])):
            for rank, line in enumerate(ordered[:DEPTH]):
                middle = line.box.middle[1] / height
                if rank == 0 or (middle if band == "header" else 1 - middle) <= BAND:
                    yield _Edge(line, band, rank, middle, line.text)


def _running(features: Features, edges: Sequence[_Edge], repeats: int) -> dict[int, Reason]:
    """Lines whose like stands at the same place on `repeats` pages in a row (or every second one), with nothing
    but their like outside them.
    """
    found = _repeated((part for edge in edges for part in _parts(edge)), repeats + 1)
    found |= _repeated(edges, repeats)
    outermost: dict[int, Reason] = {}
    beside: dict[tuple[int, str], list[_Edge]] = defaultdict(list)
    for edge in edges:
        beside[edge.line.page, edge.band].append(edge)
    for edge, count in sorted(found.values(), key=lambda item: item[0].rank):
        if numbering.keyword(edge.line.text):
            continue  # `CHAPTER`, over its number
        outside = [other for other in beside[edge.line.page, edge.band] if other.rank < edge.rank]
        if all(other.line.at in outermost or _is_number(other.line) for other in outside):
            outermost[edge.line.at] = Reason(f"running {edge.band}", count)
    return _above_text(features, outermost)


def _parts(edge: _Edge) -> Iterator[_Edge]:
    """The line, and each of its long parts with wide gaps between them: one may change where another stays."""
    yield edge
    if 2 <= edge.line.cells <= MOST_PARTS and not AMOUNT.search(edge.line.text):
        yield from (edge._replace(text=part) for part in edge.line.parts if NAMING.search(part))


def _repeated(edges: Iterable[_Edge], repeats: int) -> dict[int, tuple[_Edge, int]]:
    """Lines whose text is that of lines at the same place on `repeats` pages in a row, and on how many it is."""
    groups: dict[tuple[str, str, int], list[_Edge]] = defaultdict(list)
    for edge in edges:
        groups[edge.band, pattern(edge.text), len(DIGITS.findall(edge.text))].append(edge)
    found: dict[int, tuple[_Edge, int]] = {}
    for group in groups.values():
        if len(group) < repeats:
            continue
        for like in _alike(group):
            if len(like) < repeats:
                continue
            counts = {place: len(pages) for place, pages in _by_place(like).items() if _chain(pages) >= repeats}
            for edge in like:
                if edge.place in counts:
                    found[edge.line.at] = (edge, counts[edge.place])
    return found


def _by_place(like: Sequence[_Edge]) -> dict[float, set[int]]:
    """For each place of lines that are alike, the pages on which one of them stands there."""
    return {
        place: {edge.line.page for edge in like if abs(edge.place - place) < SAME_PLACE}
        for place in {edge.place for edge in like}
    }


def _alike(group: list[_Edge]) -> list[list[_Edge]]:
    """Lines of one pattern whose digits are the same, but for those that count along with the pages."""
    figures = [tuple(map(int, DIGITS.findall(edge.text))) for edge in group]
    counting = set()
    for position in range(len(figures[0])):
        offsets = Counter(figure[position] - edge.line.page for figure, edge in zip(figures, group, strict=True))
        own = position == 0 and all(_own_number(edge.line) for edge in group)
        if not own and offsets.most_common(1)[0][1] >= max(2, 0.5 * len(group)):
            counting.add(position)
    parts: dict[tuple[int, ...], list[_Edge]] = defaultdict(list)
    for figure, edge in zip(figures, group, strict=True):
        parts[tuple(n for position, n in enumerate(figure) if position not in counting)].append(edge)
    return list(parts.values())


def _own_number(line: Feature) -> bool:
    """A heading's number, which may count along with the pages by chance."""
    return line.number is not None and not line.number.bare and bool(line.number.keyword or line.number.rest)


def _chain(pages: set[int]) -> int:
    """The most pages that follow each other by one or two."""
    best = run = 0
    last = -9
    for page in sorted(pages):
        run = run + 1 if page - last <= 2 else 1
        best, last = max(best, run), page
    return best


def _above_text(features: Features, running: dict[int, Reason]) -> dict[int, Reason]:
    """Without what stands no higher than text begins on other pages: the header of a table that goes on."""
    tops: dict[int, float] = {}
    for line in features.lines:
        if line.at not in running:
            tops[line.page] = min(line.box.top, tops.get(line.page, line.box.top))
    if len(tops) < 2:
        return running
    begins = quantiles(tops.values(), n=4)[0]
    rows = {index for index, reason in running.items() if features.lines[index].cells >= 3 or reason.repeats < 8}
    return {
        index: reason
        for index, reason in running.items()
        if reason.reason != "running header" or index not in rows or features.lines[index].box.top < begins - 2
    }


def _is_number(line: Feature) -> bool:
    return PAGE_NUMBER.fullmatch(line.text) is not None


def _page_numbers(edges: Sequence[_Edge], running: dict[int, Reason]) -> dict[int, Reason]:
    """Lines at an edge that are a page's number and count along with the pages."""
    candidates: list[tuple[Feature, int]] = []
    for edge in edges:
        match = PAGE_NUMBER.fullmatch(edge.line.text)
        if (
            match
            and edge.line.at not in running
            and edge.rank <= 1 + sum(other in running for other in range(edge.line.at - DEPTH, edge.line.at + DEPTH))
        ):
            style: numbering.Style = "decimal" if match["n"].isdigit() else "roman"
            candidates.append((edge.line, edge.line.page - numbering.value(match["n"], style)))
    offsets: dict[int, set[int]] = defaultdict(set)
    for line, offset in candidates:
        offsets[offset].add(line.page)
    return {
        line.at: Reason("page number", len(offsets[offset]))
        for line, offset in candidates
        if len(offsets[offset]) >= 2 or (offset == 0 and not line.bold)
    }


def _numbered_titles(features: Features, edges: Sequence[_Edge], running: Container[int]) -> dict[int, Reason]:
    """Running titles that change from page to page, told by the page number at their end or, with a wide gap, at
    their start: it counts along with the pages on lines at the same place, with nothing but the ledger outside.
    """
    groups: dict[tuple[str, int, int], list[_Edge]] = defaultdict(list)
    ranks: Counter[tuple[int, str]] = Counter()
    for edge in sorted(edges, key=lambda edge: edge.rank):
        if edge.line.at in running:
            ranks[edge.line.page, edge.band] += 1
        elif edge.rank == ranks[edge.line.page, edge.band] and edge.line.size <= 1.1 * features.body_size:
            for side, number in _outer_numbers(edge.line):
                groups[edge.band, side, edge.line.page - number].append(edge)
    found: dict[int, Reason] = {}
    for group in groups.values():
        pages = _by_place(group)
        for edge in group:
            if len(pages[edge.place]) >= COUNTED:
                found[edge.line.at] = Reason(f"running {edge.band}", len(pages[edge.place]))
    return found


def _outer_numbers(line: Feature) -> Iterator[tuple[int, int]]:
    """The numbers that may be the page's, 0 for one at the start of the line, 1 for one at its end."""
    first, *_, last = line.text.split() if " " in line.text else (line.text, "")
    if line.cells >= 2 and first.isdecimal() and line.parts[0] == first:
        yield 0, int(first)
    itself = line.number is not None and not line.number.rest  # `ARTICLE 3`
    if not itself and last.isdecimal() and len(last) <= 4 and not AMOUNT.search(line.text):
        yield 1, int(last)


def _margins(features: Features, margin: float, found: dict[int, Reason]) -> dict[int, Reason]:
    lines = {}
    for line in features.lines:
        height = features.pages[line.page - 1][1]
        if line.at not in found and not margin <= line.box.middle[1] / height <= 1 - margin:
            lines[line.at] = Reason(f"within {margin:.0%} of the page's edge", 1)
    return lines


# ---------------------------------------------------------------- contents lists


def _contents(features: Features, running: dict[int, Reason]) -> tuple[dict[int, Reason], tuple[Entry, ...]]:
    """Lines of contents lists, their title line with them, and the entries."""
    lines = [line for line in features.lines if line.at not in running and not line.turned]
    matches = [_entry(line) for line in lines]
    found: dict[int, Reason] = {}
    entries: list[Entry] = []
    start = 0
    while start < len(lines):
        titled = lines[start].text.strip(" :.").casefold() in CONTENTS_TITLES
        first = start + 1 if titled else start
        last = _list_end(matches, first)
        if last is not None and _is_list(matches[first : last + 1], titled):
            part = lines[start : last + 1]
            found |= {line.at: Reason("contents list", 1) for line in part}
            entries += _joined(part[1:] if titled else part)
            start = last + 1
        else:
            start += 1
    return found, tuple(entries)


def _entry(line: Feature) -> re.Match[str] | None:
    if line.text[-1] not in ENTRY_ENDS or not (line.cells >= 2 or LEADERS.search(line.text)):
        return None
    match = ENTRY.match(line.text)
    return match if match and any(map(str.isalpha, match["title"])) else None


def _list_end(matches: list[re.Match[str] | None], first: int) -> int | None:
    """The last entry of a run that begins at or right after `first` and has gaps of two lines at most."""
    last, gap, begun = None, 0, False
    for index in range(first, len(matches)):
        if matches[index]:
            last, gap, begun = index, 0, True
        else:
            gap += 1
            if gap > (4 if begun else 3):
                break
    return last


def _is_list(matches: list[re.Match[str] | None], titled: bool) -> bool:
    """Whether a run is a contents list: enough entries, most with leaders or a title above, and pages that rise."""
    entries = [match for match in matches if match]
    if len(entries) < (3 if titled else 5) or (matches[0] is None and not titled):
        return False
    leaders = sum(LEADERS.search(match["leaders"]) is not None for match in entries)
    if not titled and leaders < 0.6 * len(entries):
        return False
    pages = [int(match["page"]) for match in entries if match["page"].isdigit()]
    rising = sum(one <= other for one, other in itertools.pairwise(pages))
    return rising >= 0.8 * (len(pages) - 1)


def _joined(lines: Sequence[Feature]) -> Iterator[Entry]:
    """Entries with titles that were broken over lines put together; a line with a number of its own and no page
    (`Part I` over its items) is an entry too.
    """
    levels = _indents(lines)
    pending: list[Feature] = []
    for line in lines:
        if COLUMN_TITLES.fullmatch(line.text):
            continue
        if pending and line.number and pending[0].number and not line.number.bare:
            yield _made(pending, "", levels)
            pending = []
        pending.append(line)
        if match := _entry(line):
            yield _made(pending, match["page"], levels)
            pending = []
        elif len(pending) > 4:
            pending = []


def _made(lines: Sequence[Feature], page: str, levels: dict[float, int]) -> Entry:
    text = " ".join(line.text for line in lines)
    match = ENTRY.match(text) if page else None
    title = LEADERS.sub(" ", match["title"] if match else text).strip()
    number = numbering.parse(title)
    edge = min(levels, key=lambda edge: abs(edge - lines[0].box.x0))
    rest = number.rest if number else title
    return Entry(number.label if number else "", rest or title, page, levels[edge] if len(levels) > 1 else 0)


def _indents(lines: Sequence[Feature]) -> dict[float, int]:
    """Left edges of entries → levels from 1; edges within four points are one. One edge where indents say nothing:
    numbers of another depth stand at the same edge, or a deeper number further left.
    """
    depths: dict[float, set[int]] = {}
    for line in sorted(_starts(lines), key=lambda line: line.box.x0):
        edge = next((edge for edge in depths if line.box.x0 - edge < 4), line.box.x0)
        depths.setdefault(edge, set())
        if line.number and line.number.style in ("decimal", "coded", "roman") and _own(line.number):
            depths[edge].add(_depth(line.number))
    told = [found for _, found in sorted(depths.items()) if found]
    sound = all(len(found) == 1 for found in told) and all(max(a) < min(b) for a, b in pairwise(told))
    if not depths or not sound:
        return {0.0: 1}
    return {edge: level for level, edge in enumerate(sorted(depths), 1)}


def _own(number: Numbering) -> bool:
    return not number.bare or number.style == "decimal"


def _depth(number: Numbering) -> int:
    """How deep a number is by its own form: articles and chapters above sections, parts above all."""
    if number.keyword == "part":
        return 0
    if number.keyword in ("chapter", "article", "schedule", "appendix"):
        return 1
    return number.depth + (1 if number.keyword in ("section", "item") and number.depth == 1 else 0)


def _starts(lines: Sequence[Feature]) -> Iterator[Feature]:
    """The first lines of entries."""
    new = True
    for line in lines:
        if new:
            yield line
        new = _entry(line) is not None
