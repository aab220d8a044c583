"""What faults come to: one in a drawn statement, whether the pipeline stops it, and which page it names.

Comes in: how many runs of each kind, sizes in pages, a seed. Faults are a simulation (`pipeline.faulty`): of a reader
that drops, alters, merges, doubles or invents a row, gives it another supplier, currency, column, digit or sign, or
leaves out a page's rows; and of a file in which a page is missing (`leaf`). Goes out: for each kind how many runs ended
in review, named the right page first, alone, or among others; were imported wrong (must be none), or right all the same
(another window healed them); and for clean runs how many rows are right and how many documents imported. With `--once`
the reader errs once only: how often a second try of the guilty window alone mends it. With `--boundary` faults fall on
the first and last rows of windows, on the pages that two of them share.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Literal, get_args

from pipeline import worker
from pipeline.engine import Excerpt, Found, Item, RawLine, RawTotal, RowReader, Summary, Wanted
from pipeline.faulty import KINDS, MIDDLE, FaultKind, FaultyReader, Simulation
from pipeline.local import LocalEngine
from pipeline.model import Reading, Statement
from pipeline.profiles import Profile, ReadingProfile
from pipeline.statements import extract
from sample_docs.statement import StatementOptions, write

Kind = Literal[FaultKind, "leaf"]  # leaf: a page is missing in the file itself
ALL: tuple[Kind, ...] = (*KINDS, "leaf")
Ended = Literal["alone", "first", "among", "elsewhere", "mended", "healed", "wrong", "none"]
ENDED: tuple[Ended, ...] = get_args(Ended)
REVIEW: tuple[Ended, ...] = ("alone", "first", "among", "elsewhere")
EDGES = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)  # faults fall on a call's first and last rows
PAGE_SUMS = ("carried", "brought", "carry", "page")


@dataclass(frozen=True)
class WithoutPageSums:
    """A reader of a statement as if it printed no sums of pages: only suppliers' and the document's remain."""

    inner: RowReader
    name: str = "without page sums"

    def rows(self, excerpt: Excerpt, columns: tuple[Wanted, ...], summary: Summary) -> Found:
        found = self.inner.rows(excerpt, columns, summary)
        return replace(found, items=tuple(map(_no_page_sum, found.items)))


def _no_page_sum(item: Item) -> Item:
    """The item; a page's sum as a line that is no total."""
    if isinstance(item, RawTotal) and item.kind in PAGE_SUMS:
        return RawLine(item.page, item.label, item.box)
    return item


def reader(page_sums: bool) -> RowReader:
    return LocalEngine() if page_sums else WithoutPageSums(LocalEngine())


@dataclass(frozen=True)
class Drawn:
    """A statement that was drawn, read once, with what it gives to a reader without faults."""

    name: str
    reading: Reading
    clean: Statement
    right: bool
    page_sums: bool = True


@dataclass(frozen=True)
class Way:
    """How faults are done. once: the reader errs the first time only; boundary: where windows meet."""

    once: bool = False
    boundary: bool = False


def drawn(folder: Path, count: int, sizes: list[int], seed: int, page_sums: bool = True) -> Iterator[Drawn]:
    """Statements of all languages, number formats and layouts, by the seed."""
    for number in range(count):
        rng = Random(f"{seed}:{number}")
        options = StatementOptions(
            seed=seed + number,
            pages=sizes[number % len(sizes)],
            suppliers=rng.choice((2, 3, 5, 8)),
            language=rng.choice(("en", "de", "sr")),
            numbers=rng.choice(("1.234,56", "1,234.56", "1 234,56")),
            currency=rng.choice(("EUR", "USD", "CHF")),
            layout=rng.choice(("ruled", "zebra", "compact")),
            name=f"drawn-{number}",
        )
        try:
            files = write(folder, options)
        except ValueError:  # so many suppliers do not fit so few pages
            continue
        reading = worker.read(files.pdf, ReadingProfile())
        clean = extract(reading, Profile(), reader(page_sums))
        truth = [tuple(row["values"].values()) for row in json.loads(files.truth.read_text())["rows"]]
        yield Drawn(options.name, reading, clean, [each[:-1] for each in values(clean)] == truth, page_sums)
        files.pdf.unlink()


def values(statement: Statement) -> list[tuple[str, ...]]:
    """The values of all rows, and the currency of each."""
    return [(*(cell.value for cell in row.cells), row.currency) for row in statement.rows]


def outcome(document: Drawn, kind: Kind, seed: int, way: Way = Way()) -> tuple[Ended, str]:
    """How one fault ends, and the fault with what was found."""
    pages = _pages(document, way)
    if not pages or (kind == "leaf" and len(document.reading.pages) < 3):
        return "none", ""
    page = Random(f"{seed}:{kind}").choice(pages)
    if kind == "leaf":
        page = min(max(page, 2), len(document.reading.pages) - 1)
        statement = extract(_without(document.reading, page), Profile(), reader(document.page_sums))
        return _ended(document, statement, {page - 1, page}, f"{document.name}: page {page} is missing")
    curve = EDGES if way.boundary else MIDDLE
    simulation = Simulation((kind,), seed, curve, frozenset({page}), most=1, stubborn=not way.once)
    faulty = FaultyReader(reader(document.page_sums), simulation)
    statement = extract(document.reading, Profile(), faulty)
    if not faulty.injected:
        return "none", ""
    told = f"{document.name}, page {page}: {faulty.injected[0].before} -> {faulty.injected[0].after}"
    return _ended(document, statement, {page}, told)


def _pages(document: Drawn, way: Way) -> list[int]:
    """The pages that a fault may fall on: those with rows, or of these those that two windows share."""
    held = sorted({row.page for row in document.clean.rows})
    shared = {window.last for window in document.clean.windows[:-1]}
    return [page for page in held if page in shared] if way.boundary else held


def _without(reading: Reading, lost: int) -> Reading:
    """The reading as if the file lacked a page."""
    left = [page for page in reading.pages if page.number != lost]
    pages = tuple(replace(page, number=number) for number, page in enumerate(left, start=1))
    return replace(reading, pages=pages, document=replace(reading.document, pages=len(pages)))


def _ended(document: Drawn, statement: Statement, right: set[int], told: str) -> tuple[Ended, str]:
    told += "".join(f"\n    {finding.message}" for finding in statement.findings)
    if statement.reconciliation.action == "auto_import":
        if values(statement) != values(document.clean):
            return "wrong", told
        return ("mended" if any(one.kept for one in statement.second_tries) else "healed"), told
    found = [one for one in statement.findings if one.severity != "info" and one.page]
    named = [one.page for one in found]
    if right & set(named):
        return ("alone" if set(named) <= right else "first" if named[0] in right else "among"), told
    return ("among" if right & {page for one in found for page in one.pages} else "elsewhere"), told


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=25, help="documents; each gets one fault of each kind")
    options.add_argument("--sizes", type=int, nargs="+", default=[2, 3, 5, 8, 12, 20, 40], help="pages")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=float, default=float("inf"), help="no further document after that")
    options.add_argument("--kinds", nargs="+", choices=ALL, default=list(ALL))
    options.add_argument("--without-page-sums", action="store_true", help="as if the pages printed no sums")
    options.add_argument("--once", action="store_true", help="the reader errs the first time only")
    options.add_argument("--boundary", action="store_true", help="faults where windows meet")
    options.add_argument("--show", action="store_true", help="print each fault of which the page was not named first")
    chosen = options.parse_args()
    counts: dict[Kind, Counter[Ended]] = {kind: Counter() for kind in chosen.kinds}
    clean: Counter[str] = Counter()
    way, until = Way(chosen.once, chosen.boundary), time.monotonic() + chosen.seconds
    with tempfile.TemporaryDirectory() as folder:
        documents = drawn(Path(folder), chosen.runs, chosen.sizes, chosen.seed, not chosen.without_page_sums)
        for number, document in enumerate(takewhile(lambda _: time.monotonic() < until, documents)):
            imported = document.clean.reconciliation.action == "auto_import"
            clean.update(runs=1, right=document.right, imported=imported, wrong=imported and not document.right)
            for kind in chosen.kinds:
                ended, told = outcome(document, kind, chosen.seed + number, way)
                counts[kind][ended] += 1
                if chosen.show and ended in ("among", "elsewhere", "wrong"):
                    print(f"{kind} {ended}: {told}")
    _report(counts, clean)


def _report(counts: dict[Kind, Counter[Ended]], clean: Counter[str]) -> None:
    print("simulated fault  runs  review  page alone  page first  among  elsewhere  mended  healed  imported wrong")
    for kind, count in counts.items():
        runs = count.total() - count["none"]
        review = sum(count[ended] for ended in REVIEW)
        first = count["alone"] + count["first"]
        among = first + count["among"]
        print(
            f"{kind:15}{runs:6}{review:8}{count['alone']:12}{first:12}{among:7}{count['elsewhere']:11}"
            f"{count['mended']:8}{count['healed']:8}{count['wrong']:16}"
        )
    print(
        f"clean runs {clean['runs']}: rows all right {clean['right']}, imported {clean['imported']}, "
        f"imported wrong {clean['wrong']}"
    )


if __name__ == "__main__":
    main()
