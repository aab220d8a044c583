"""Cover sheets of exhibits: pages that say `EXHIBIT A`, a title, `[see attached]`, and nothing else.

Comes in: `Features` and what the ledger holds already. Goes out: the lines of such sheets that are no part of the text,
by index. The exhibit's name stays a heading, for what follows belongs to it; only where the next page is headed
by the same name does the whole sheet go. A page with a sentence on it is no sheet.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence

from pipeline import wording
from pipeline.features import Feature, Features
from pipeline.numbering import ANNEXES

SHEET = "exhibit cover sheet"
MOST_LINES, LONGEST = 8, 90
FIRST = 4  # lines of the next page among which its name is looked for


def sheets(features: Features, taken: Container[int]) -> Iterator[int]:
    """Indexes of the lines of cover sheets that go to the ledger."""
    by_page: dict[int, list[Feature]] = defaultdict(list)
    for line in features.lines:
        if line.at not in taken and not line.turned:
            by_page[line.page].append(line)
    for page, lines in by_page.items():
        named = _named(lines) if len(lines) <= MOST_LINES else None
        if named is None:
            continue
        again = any(_is_same(named, line) for line in by_page.get(page + 1, ())[:FIRST])
        yield from (line.at for line in lines if again or re.fullmatch(wording.ATTACHED, line.text))


def _named(lines: Sequence[Feature]) -> Feature | None:
    """The line with the exhibit's name, if the page is a cover sheet."""
    plain = [line for line in lines if not re.fullmatch(wording.ATTACHED, line.text)]
    if not plain or any(len(line.text) > LONGEST or line.text.endswith((".", ";")) for line in plain):
        return None
    first = plain[0]
    return first if first.number and first.number.keyword in ANNEXES else None


def _is_same(named: Feature, line: Feature) -> bool:
    one, other = named.number, line.number
    return one is not None and other is not None and one.label.casefold() == other.label.casefold()
