"""Redraws the samples: `python -m sample_docs [--out DIR] [--only NAME]`.

Comes in: a folder (this one by default), a sample's name. Goes out: its PDF and truth; the same bytes each time.
Refuses a name that is none.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from sample_docs import agreement, catalogue, invoices, statement
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
            return statement.write(folder, statement.StatementOptions())
        case _:
            raise ValueError(f"no sample named {name!r}; known: {', '.join(NAMES)}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m sample_docs", description="Redraw the sample documents.")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="folder to draw into")
    parser.add_argument("--only", choices=NAMES, help="draw this one only")
    options = parser.parse_args()
    for name in [options.only] if options.only else NAMES:
        written = draw(name, options.out)
        print(f"{written.pdf}  {written.pdf.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
