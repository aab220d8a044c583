"""Whether lines in columns are a table: enough rows that share the columns, and of a kind that tables have.

Comes in: `Band`s of lines and what is drawn between them. Goes out: a verdict. Prose in columns, lists with hanging
markers, forms of labels and values, and code are no tables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from pipeline.bands import Band, Cuts, Entry, is_figure
from pipeline.lanes import Lane, Row

MARKER = re.compile(
    r"[•◦▪■●○–—·*‣➢✓\-o]|\(?(?:\d{1,3}(?:\.\d{1,3})*|[ivxlc]{1,6}|[a-zA-ZÀ-ɏЀ-ӿ]|([a-z])\1|lj|nj|dž)[.):]*"
    r"|§+\s?\d*\.?|\[\d+\]"
)
CODE = re.compile(
    r"[{};]$|^#\s?(?:define|include|if|endif|pragma)\b|^(?:typedef|const|static|struct|return|import|def|void)\b|//|::|->"
)
LABEL = re.compile(r".*:")
LONG = 60  # characters over several columns: running text
ALIGNED = 2.5  # points: edges closer than this are one


def is_table(bands: Sequence[Band], columns: Sequence[Lane], cuts: Cuts) -> bool:
    """Enough rows with cells in the same columns, and of a kind that tables have."""
    least = 2 if _headed(bands, cuts) else 3
    full = [band for band in bands if len(band.columns) > 1 and any(entry.columns == 1 for entry in band.entries)]
    if len(full) < least or len(full) < 0.4 * len(bands):
        return False
    cells = [[entry for band in full for entry in band.entries if entry.column == at] for at in range(len(columns))]
    texts = [[entry.text for entry in column if entry.columns == 1] for column in cells]
    running = sum(entry.columns > 1 and len(entry.text) > LONG for band in bands for entry in band.entries)
    if running > 0.2 * len(bands):
        return False
    if sum(_aligned(column) for column in cells) < min(len(columns), max(2, 0.7 * len(columns))):
        return False
    if _is_list(texts) or 2 * sum(map(_is_code, full)) > len(full):
        return False
    if len(columns) == 2:
        figures = sum(map(is_figure, texts[1]))
        labels = sum(bool(LABEL.fullmatch(text)) for text in texts[0])
        if labels > 0.4 * len(texts[0]) or len(texts[1]) < 3:
            return False
        return figures >= 0.6 * len(texts[1]) or (_set_off(bands, cuts) and _wide_apart(full))
    if sum(len(band.columns) for band in full) < 0.4 * len(full) * len(columns):
        return False
    figures = sum(is_figure(text) for column in texts[1:] for text in column)
    if figures >= 0.15 * sum(map(len, texts[1:])):
        return True
    return _wide_apart(full) and (len(full) > 3 or _set_off(bands, cuts))


def _headed(bands: Sequence[Band], cuts: Cuts) -> bool:
    """Whether the first line is set off as a header, over figures: then one row makes a table."""
    parted = 1 in cuts.at or abs(cuts.shades[0] - cuts.shades[min(1, len(bands) - 1)]) > 0.01
    return parted and not bands[0].figures and len(bands) > 1 and bool(bands[1].figures) and len(bands[0].columns) > 2


def _set_off(bands: Sequence[Band], cuts: Cuts) -> bool:
    """Whether the first line, of titles for all columns, is bold over others, ruled off, or on a ground of its own."""
    first, rest = bands[0], bands[1:]
    short = all(len(entry.text) <= LONG // 2 for entry in first.entries)
    bold = first.bold and not any(band.bold for band in rest)
    return short and len(first.entries) > 1 and (bold or abs(cuts.shades[0] - cuts.shades[1]) > 0.01)


def _is_code(band: Band) -> bool:
    return CODE.search(" ".join(entry.text for entry in band.entries)) is not None


def _is_list(texts: Sequence[Sequence[str]]) -> bool:
    """Whether all columns but the last are markers, and that is text: a list, also one within another."""
    markers = [sum(bool(MARKER.fullmatch(text)) for text in column) >= 0.6 * len(column) for column in texts[:-1]]
    return all(markers) and sum(map(is_figure, texts[-1])) < 0.4 * max(1, len(texts[-1]))


def is_marked(rows_: Sequence[Row]) -> bool:
    """Whether most lines are a marker and text: the cheap look that most lists end with."""
    pairs = [row for row in rows_ if len(row.parts) == 2]
    marked = sum(len(row.parts[0]) == 1 and bool(MARKER.fullmatch(row.parts[0][0].text)) for row in pairs)
    return marked >= 0.6 * len(rows_) and not any(is_figure(" ".join(w.text for w in row.parts[1])) for row in pairs)


def _wide_apart(bands: Sequence[Band]) -> bool:
    return median(_gap(one, other) for band in bands for one, other in pairwise(band.entries)) >= 1.5


def _gap(left: Entry, right: Entry) -> float:
    """White space between two cells in type sizes."""
    return (right.box.x0 - left.box.x1) / max(1.0, left.pieces[0].words[0].size)


def _aligned(cells: Sequence[Entry]) -> bool:
    """Whether most of a column's cells share their left, right or middle."""
    boxes = [entry.box for entry in cells if entry.columns == 1]
    if len(boxes) < 2:
        return False
    sides = ([box.x0 for box in boxes], [box.x1 for box in boxes], [box.middle[0] for box in boxes])
    figures = sum(is_figure(entry.text) for entry in cells)
    share = 0.45 if figures >= 0.8 * len(boxes) else 0.6  # figures may be set on two edges, prose on none
    return any(_sharing(side) >= share * len(boxes) for side in sides)


def _sharing(values: Sequence[float]) -> int:
    """How many values lie within `ALIGNED` of one."""
    ordered = sorted(values)
    best = start = 0
    for at, value in enumerate(ordered):
        while value - ordered[start] > 2 * ALIGNED:
            start += 1
        best = max(best, at - start + 1)
    return best
