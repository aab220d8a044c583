"""What a reader's faults come to: a simulated fault in a drawn statement, and whether the pipeline stops it.

Comes in: how many runs of each kind, sizes in pages, a seed. Goes out: for each kind how many runs ended in review,
named the right page, or were imported wrong (must be none), or right all the same (another window healed them); and for
clean runs how many rows are right and how many documents imported. All faults are a simulation (`pipeline.faulty`).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from pipeline import worker
from pipeline.engine import Excerpt, Found, RawTotal, RowReader, Summary, Wanted
from pipeline.faulty import KINDS, FaultKind, FaultyReader, Simulation
from pipeline.local import LocalEngine
from pipeline.model import Reading, Statement
from pipeline.profiles import Profile, ReadingProfile
from pipeline.statements import extract
from sample_docs.statement import StatementOptions, write

PAGE_SUMS = ("carried", "brought", "carry", "page")
WHOLE = ("total_differs", "no_total")  # findings on sums, of which those of a page are named by their message


@dataclass(frozen=True)
class WithoutPageSums:
    """A reader of a statement as if it printed no sums of pages: only suppliers' and the document's remain."""

    inner: RowReader
    name: str = "without page sums"

    def rows(self, excerpt: Excerpt, columns: tuple[Wanted, ...], summary: Summary) -> Found:
        found = self.inner.rows(excerpt, columns, summary)
        kept = [item for item in found.items if not (isinstance(item, RawTotal) and item.kind in PAGE_SUMS)]
        return replace(found, items=tuple(kept))


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
        yield Drawn(options.name, reading, clean, values(clean) == truth, page_sums)
        files.pdf.unlink()


def values(statement: Statement) -> list[tuple[str, ...]]:
    return [tuple(cell.value for cell in row.cells) for row in statement.rows]


def outcome(document: Drawn, kind: FaultKind, seed: int) -> tuple[str, str]:
    """How one fault ends (`localised`, `elsewhere`, `healed`, `wrong`, `none`), and the fault with what was found."""
    page = Random(f"{seed}:{kind}").choice(sorted({row.page for row in document.clean.rows}))
    simulation = Simulation((kind,), seed, pages=frozenset({page}), most=1)
    faulty = FaultyReader(reader(document.page_sums), simulation)
    statement = extract(document.reading, Profile(), faulty)
    if not faulty.injected:
        return "none", ""
    told = f"{document.name}, page {page}: {faulty.injected[0].before} -> {faulty.injected[0].after}"
    if statement.reconciliation.action == "auto_import":
        return ("healed" if values(statement) == values(document.clean) else "wrong"), told
    named = pages_named(statement)
    told += "".join(f"\n    {finding.message}" for finding in statement.findings)
    return ("localised" if named == {page} else "elsewhere"), told


def pages_named(statement: Statement) -> set[int]:
    """The pages that the verdict points at: those of rows, lines and page sums, else of wider sums."""
    close: set[int] = set()
    wide: set[int] = set()
    for finding in statement.findings:
        if finding.severity == "info" or finding.page is None:
            continue
        narrow = finding.kind not in WHOLE or finding.message.startswith(f"page {finding.page}")
        (close if narrow else wide).add(finding.page)
    return close or wide


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=25, help="documents; each gets one fault of each kind")
    options.add_argument("--sizes", type=int, nargs="+", default=[2, 3, 5, 8, 12, 20, 40], help="pages")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    options.add_argument("--without-page-sums", action="store_true", help="as if the pages printed no sums")
    options.add_argument("--show", action="store_true", help="print each fault that was not localised")
    chosen = options.parse_args()
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in chosen.kinds}
    clean: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        documents = drawn(Path(folder), chosen.runs, chosen.sizes, chosen.seed, not chosen.without_page_sums)
        for number, document in enumerate(documents):
            imported = document.clean.reconciliation.action == "auto_import"
            clean.update(runs=1, right=document.right, imported=imported, wrong=imported and not document.right)
            for kind in chosen.kinds:
                ended, told = outcome(document, kind, chosen.seed + number)
                counts[kind][ended] += 1
                if chosen.show and ended not in ("localised", "none"):
                    print(f"{kind} {ended}: {told}")
    print("simulated fault   runs  review  right page  healed  imported wrong")
    for kind, count in counts.items():
        runs = count.total() - count["none"]
        review = count["localised"] + count["elsewhere"]
        print(f"{kind:16}{runs:6}{review:8}{count['localised']:12}{count['healed']:8}{count['wrong']:16}")
    print(
        f"clean runs {clean['runs']}: rows all right {clean['right']}, imported {clean['imported']}, "
        f"imported wrong {clean['wrong']}"
    )


if __name__ == "__main__":
    main()
