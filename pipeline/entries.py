"""The entries of products: the rows and lines of a section that a code stands in, and as what it stands there.

Comes in: a section, the parts of it to look at, codes. Goes out: `Entry`s in order. Listed is a product where its code
is the row's own (the first cell, or the column of codes) or begins a line; elsewhere it is only mentioned. Refuses
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline import attributes, folding, verbatim
from pipeline.model import Section, Table, TableRow

CELL = " | "
MARKS = r"[\s./_‐‑‒–−-]?"
LEAD = re.compile(r"^[\s•◦▪■●○‣·*–-]*(?:(?:item|article|part|product|code|no|nr)\.?:?\s+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Entry:
    """A row or line with a code. cells and header: of a table's row, else empty; column: of the cell with the code."""

    section: Section
    text: str
    cells: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    column: int = 0
    listed: bool = False
    table: Table | None = None
    row: TableRow | None = None

    @property
    def page(self) -> int:
        """The page that it begins on, as far as that is known: a line's is its section's."""
        return self.row.places[0].page if self.row and self.row.places else self.section.page


@lru_cache(maxsize=256)
def code_pattern(code: str) -> re.Pattern[str]:
    """A code as it may be printed: in any case, with another mark or none between its letters and figures; whole."""
    parts = re.findall(r"[^\W\d_]+|\d+|[.,](?=\d)|/", folding.plain(code))
    inner = MARKS.join("[x×]" if part == "x" else re.escape(part) for part in parts)
    return re.compile(rf"(?<![^\W_])(?<![^\W_][-./]){inner}(?![^\W_])(?![-./][^\W_])", re.IGNORECASE)


def is_row(text: str) -> bool:
    """Whether a line of a section's content is a row of a table."""
    return CELL in text


def find(section: Section, spans: Sequence[tuple[int, int]], codes: Sequence[str]) -> Iterator[Entry]:
    """The entries in these parts of the section's content that hold all the codes."""
    patterns = [code_pattern(code) for code in codes]
    lines = [section.content[start:end] for start, end in spans]
    for text in lines:
        if all(pattern.search(text) for pattern in patterns):
            yield _row(section, text, patterns[0]) if is_row(text) else _line(section, text, patterns[0])


def titled(section: Section, codes: Sequence[str]) -> bool:
    """Whether the section's own title holds the codes: it is about that product alone."""
    return all(code_pattern(code).search(section.title) for code in codes)


def _line(section: Section, text: str, pattern: re.Pattern[str]) -> Entry:
    begins = pattern.match(text, LEAD.match(text).end()) if LEAD.match(text) else None  # type: ignore[union-attr]
    return Entry(section, text, listed=begins is not None and not _goes_on(text[begins.end() :]))


def _goes_on(rest: str) -> bool:
    """Whether a sentence goes on behind the code: `X-204 is replaced by …`, which lists nothing."""
    return re.match(r"\s+(?:is|are|was|were|has|have|may|must|shall|can|ist|wird|sind|je|su|se)\b", rest) is not None


def _row(section: Section, text: str, pattern: re.Pattern[str]) -> Entry:
    table, row = _found(section, text)
    header = table.header if table else ()
    cells = tuple(" ".join(cell.split()) for cell in row.texts(len(header))) if row else tuple(text.split(CELL))
    column = next((at for at, cell in enumerate(cells) if pattern.search(cell)), 0)
    whole = bool(pattern.fullmatch(cells[column].strip()))
    coded = column < len(header) and attributes.is_code(header[column])
    return Entry(section, text, cells, header, column, whole and (column == 0 or coded), table, row)


def _found(section: Section, text: str) -> tuple[Table | None, TableRow | None]:
    sought = verbatim.needle(text)
    for table in section.tables:
        for row in table.rows:
            if verbatim.needle(CELL.join(row.texts(len(table.header)))) == sought:
                return table, row
    return None, None
