"""Items that are all there though one amount is misread: with that row's product in its place the sum closes.

Comes in: fields of invoices, a tolerance. Goes out: the invoices whose rows are complete by that. Refuses nothing. It
says that no row was passed over; what the amount itself is stays open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from pipeline import alike, labels
from pipeline.amounts import parse
from pipeline.model import Field

CENT = Decimal("0.01")
FIGURES = ("quantity", "unit_price", "amount")
LEAST = 3  # rows

Row = Mapping[str, Decimal]


def invoices(fields: Sequence[Field], tolerance: Decimal) -> frozenset[int]:
    """The invoices of which one product fails, and whose other amounts with that product come to the net total."""
    return frozenset(number for number in {one.invoice for one in fields} if _is_whole(fields, number, tolerance))


def _is_whole(fields: Sequence[Field], invoice: int, tolerance: Decimal) -> bool:
    mine = [one for one in fields if one.invoice == invoice]
    net = next((parse(one.normalised, ".") for one in mine if one.name == "net_total" and _is_read_twice(one)), None)
    rows: dict[int, dict[str, Decimal]] = {}
    numbers = set()
    for one in mine:
        name, number = labels.bare(one.name)
        if labels.group_of(name) == "line_item":
            numbers.add(number)
            if (part := name.removeprefix("line_item_")) in FIGURES and (found := parse(one.normalised, ".")):
                rows.setdefault(number, {})[part] = found.value
    full = [row for row in rows.values() if set(row) == set(FIGURES)]
    if net is None or len(full) != len(numbers) or len(full) < LEAST:
        return False
    failing = [row for row in full if _product(row) != row["amount"]]
    return len(failing) == 1 and abs(sum(map(_product, full)) - net.value) <= tolerance


def _product(row: Row) -> Decimal:
    return (row["quantity"] * row["unit_price"]).quantize(CENT)


def _is_read_twice(field: Field) -> bool:
    return any(check.check == alike.NAME and check.outcome == "passed" for check in field.checks)
