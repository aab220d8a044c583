"""Values as an extraction of the sample statement might give them, made to be wrong in known places.

Comes in: the folder that holds statement.truth.json. Goes out: statement.wrong_values.json, the rows of the first
supplier; `WRONG` says what is wrong with it, and nothing else is. Refuses nothing.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

NAME = "statement.wrong_values.json"
SUPPLIER = "Amberlow Office Ltd"
LEFT_OUT = 40  # the row that is left out, from 0
WRONG = (
    "row 3: a digit of the amount",
    "rows 8 and 9: their amounts exchanged",
    "row 13: quantity and unit price exchanged",
    "row 20: day and month of the date exchanged",
    "row 26: the letter O for a zero in the invoice number",
    "row 31: the amount with a minus",
    "row 36: a word of another product",
    "a row between rows 40 and 41 left out",
    "the supplier's total, by a thousand",
)
Row = dict[str, Any]


def write(folder: Path) -> Path:
    """Write the file; the same bytes each time."""
    truth = json.loads((folder / "statement.truth.json").read_text(encoding="utf-8"))
    rows = [_row(one["values"]) for one in truth["rows"] if one["values"]["supplier"] == SUPPLIER]
    _spoil(rows)
    total = float(truth["totals"]["suppliers"][SUPPLIER]) + 1000
    values = {"supplier": {"name": SUPPLIER, "total": round(total, 2)}, "checked": True, "rows": rows}
    path = folder / NAME
    path.write_text(json.dumps(values, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path


def _row(values: dict[str, str]) -> Row:
    numbers = {name: float(values[name]) for name in ("quantity", "unit_price", "amount")}
    texts = {name: values[name] for name in ("invoice_number", "date", "description")}
    return {**texts, **numbers, "quantity": int(values["quantity"])}


def _spoil(rows: list[Row]) -> None:
    """What `WRONG` says."""
    rows[2]["amount"] = round(rows[2]["amount"] + 30, 2)
    rows[7]["amount"], rows[8]["amount"] = rows[8]["amount"], rows[7]["amount"]
    rows[12]["quantity"], rows[12]["unit_price"] = rows[12]["unit_price"], rows[12]["quantity"]
    rows[19]["date"] = "2025-16-07"
    rows[25]["invoice_number"] = rows[25]["invoice_number"].replace("INV0", "INVO")
    rows[30]["amount"] = -rows[30]["amount"]
    rows[35]["description"] = rows[35]["description"].replace("Envelope", "Notebook")
    del rows[LEFT_OUT]
