"""Lines to running text: paragraphs joined over line, column and page breaks, table rows with their cells apart.

Comes in: `Feature` lines of one section, in order, and the tables. Goes out: a string, a line of it a paragraph, list
item or row. Cells of a row are parted by ` | `, and a table's header stands in front of its rows in each section. A
hyphen at a line's end goes where a small letter follows, unless the word has hyphens of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from pipeline import continued
from pipeline.bands import Band
from pipeline.continued import Spot, Tables
from pipeline.features import Feature

CELL = " | "
SOFT = "\u00ad"
BULLETS = frozenset("•◦▪■●○–—·*‣➢✓-")
TABLE_CELLS = 3
ENDS = tuple(".:;!?…")


def paragraphs(lines: Sequence[Feature], rows: Mapping[int, Spot], tables: Tables) -> str:
    """The text of the lines. rows: the rows that some of them belong to."""
    loose = _loose_rows(lines)
    parts: list[str] = []
    shown: set[Spot] = set()
    for index, line in enumerate(lines):
        if spot := rows.get(line.at):
            if spot not in shown:
                parts += _row(spot, rows, tables, shown)
            continue
        whole = line.text == " ".join(line.parts)  # not the rest of a line that begins with a heading
        text = CELL.join(line.parts) if loose[index] and whole else line.text
        previous = lines[index - 1] if index and lines[index - 1].at not in rows else None
        if previous and parts and not loose[index] and not loose[index - 1] and _goes_on(parts[-1], previous, line):
            parts[-1] = _joined(parts[-1], text)
        else:
            parts.append(text)
    return "\n".join(parts).replace(SOFT, "")


def _row(spot: Spot, rows: Mapping[int, Spot], tables: Tables, shown: set[Spot]) -> Iterator[str]:
    """A row's text; in front of a table's first row its header, where that was not printed in this section."""
    first = not any(other.table == spot.table for other in shown)
    shown.add(spot)
    if first and not tables.is_head(spot):
        for head in tables.wholes[spot.table].heads:
            yield _cells(head, head.lines)
    yield _cells(tables.band(spot), rows)


def _cells(band: Band, present: Collection[int]) -> str:
    """The cells parted; columns without text are kept up to the last that has some."""
    texts: list[str] = []
    for column, lines in continued.cells(band, present):
        text = lines[0]
        for following in lines[1:]:
            text = _joined(text, following)
        texts += [""] * (column - len(texts)) + [text]
    return CELL.join(texts)


def _loose_rows(lines: Sequence[Feature]) -> list[bool]:
    """Lines of three parts or more, or of two beside such a line: rows of what was found to be no table."""
    rows = [line.cells >= TABLE_CELLS for line in lines]
    near = list(rows)
    for index, line in enumerate(lines):
        if line.cells == 2 and not rows[index]:
            around = [other for other in (index - 1, index + 1) if 0 <= other < len(lines)]
            near[index] = any(lines[other].cells >= 2 and lines[other].page == line.page for other in around)
    return near


def _goes_on(text: str, previous: Feature, line: Feature) -> bool:
    """Whether a line goes on with the paragraph of the line before it."""
    if line.text[:1] in BULLETS or (line.number and line.number.style == "parenthesised"):
        return False
    if line.page == previous.page and line.block == previous.block:
        return True
    broken = line.page != previous.page or line.above > 50
    return broken and not text.endswith(ENDS) and line.text[:1].islower()


def _joined(text: str, following: str) -> str:
    word = text.rpartition(" ")[2]
    if text.endswith(SOFT):
        return text[:-1] + following
    if len(word) > 2 and word.endswith("-") and word[-2].isalpha() and following[:1].islower():
        return (text if "-" in word[:-1] else text[:-1]) + following
    return f"{text} {following}"
