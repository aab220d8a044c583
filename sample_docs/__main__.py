"""Redraws the samples: `python -m sample_docs [--out DIR] [--only NAME]`; or draws further invoices to measure with:
`python -m sample_docs --out DIR --invoices 100 --seed 7`.

Comes in: a folder (this one by default), a sample's name, or how many invoices of which seed. Goes out: PDFs and their
truth; the same bytes each time. Refuses a name that is none, and invoices without a folder.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from sample_docs import agreement, catalogue, invoices, invoices_lot, statement, statement_values
from sample_docs.drawing import Written

NAMES = ("agreement", "catalogue", "invoices_scanned", "statement")


def draw(name: str, folder: Path) -> Written:
    """The sample `name` as committed, drawn into `folder`."""
    match name:
        case "agreement":
            return agreement.write(folder, agreement.AgreementOptions())
        case "catalogue":
            return catalogue.write(folder, catalogue.CatalogueOptions())
        case "invoices_scanned":
            return invoices.write(folder, invoices.InvoicesOptions())
        case "statement":
            written = statement.write(folder, statement.StatementOptions())
            statement_values.write(folder)
            return written
        case _:
            raise ValueError(f"no sample named {name!r}; known: {', '.join(NAMES)}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m sample_docs", description="Redraw the sample documents.")
    parser.add_argument("--out", type=Path, help="folder to draw into (the samples' own)")
    parser.add_argument("--only", choices=NAMES, help="draw this one only")
    parser.add_argument("--invoices", type=int, metavar="N", help="draw N invoices in place of the samples")
    parser.add_argument("--seed", type=int, default=1, help="seed of those invoices")
    options = parser.parse_args()
    if options.invoices and not options.out:
        parser.error("--invoices needs a folder: --out DIR")
    folder = options.out or Path(__file__).parent
    if options.invoices:
        files = invoices_lot.write(folder, invoices_lot.LotOptions(options.seed, options.invoices))
    else:
        files = [draw(name, folder) for name in ([options.only] if options.only else NAMES)]
    for written in files:
        print(f"{written.pdf}  {written.pdf.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
