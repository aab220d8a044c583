"""Lines to running text: paragraphs joined over line, column and page breaks, table rows with their cells apart.

Comes in: `Feature` lines of one section, in order. Goes out: a string, a line of it a paragraph, list item or row.
Cells of a row are parted by ` | `. A hyphen at a line's end goes where a small letter follows, unless the word has
hyphens of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.features import Feature

CELL = " | "
SOFT = "\u00ad"
BULLETS = frozenset("•◦▪■●○–—·*‣➢✓-")
TABLE_CELLS = 3
ENDS = tuple(".:;!?…")


def paragraphs(lines: Sequence[Feature]) -> str:
    """The text of the lines."""
    table = _table_rows(lines)
    parts: list[str] = []
    for index, line in enumerate(lines):
        text = CELL.join(line.parts) if table[index] else line.text
        previous = lines[index - 1] if index else None
        if previous and parts and not table[index] and not table[index - 1] and _goes_on(parts[-1], previous, line):
            parts[-1] = _joined(parts[-1], text)
        else:
            parts.append(text)
    return "\n".join(parts).replace(SOFT, "")


def _table_rows(lines: Sequence[Feature]) -> list[bool]:
    """Rows of a table: three cells or more, or two beside a row that has as many or more."""
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
