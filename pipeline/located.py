"""Where the pages print what an embedded XML says and no label told: the field is there, and what it is, the XML knows.

Comes in: what the XML states (`Stated`), the fields read so far, the `Reading`. Goes out: further `Field`s, with the
XML as their witness. What stands nowhere, or only where another field was read, is left to a finding. Refuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipeline import ground
from pipeline.amounts import parse
from pipeline.einvoice import EMBEDDED, Stated
from pipeline.ground import Ground, Spot
from pipeline.model import Check, Field, Place, Reading

DATES = ("issue_date", "supply_date", "due_date")
AMOUNTS = ("net_total", "tax_total", "gross_total")
NUMBERS = ("invoice_number", "iban", "payment_reference", "supplier_tax_id", "buyer_tax_id")
SHORTEST = 4  # signs of a number: shorter ones stand anywhere
_CENTS = re.compile(r"\d[.,]\d\d(?!\d)")


def fields(reading: Reading, said: Stated, known: Sequence[Field], invoice: int) -> list[Field]:
    """Fields of the invoice that were not read, where its pages print them; `reading`: of its pages only."""
    names = {one.name for one in known}
    missing = [name for name in (*DATES, *AMOUNTS, *NUMBERS) if said.one(name) and name not in names]
    if not missing:
        return []
    made: list[Field] = []
    pages = ground.ground(reading)
    for name in missing:
        taken = {place for one in (*known, *made) for place in one.places}
        found = next((spot for spot in _spots(name, said.one(name), pages) if _free(spot, taken)), None)
        if found:
            made.append(_field(invoice, name, said.one(name), found))
    return made


def _spots(name: str, value: str, pages: Ground) -> Iterator[Spot]:
    """Where the value stands in the form of its kind, without a flaw."""
    spots: tuple[Spot, ...] = ()
    if name in DATES:
        spots = pages.dates([value])
    elif name in AMOUNTS:
        amount = parse(value, ".")
        printed = pages.numbers(amount.value) if amount and amount.value else ()
        spots = tuple(spot for spot in printed if _CENTS.search(spot.quote))
    elif len(value) >= SHORTEST and any(map(str.isdigit, value)):
        spots = pages.texts(value)
    return (spot for spot in spots if not spot.flaws)


def _free(spot: Spot, taken: set[Place]) -> bool:
    return not any(
        place.page == other.page and other.box.padded(1).holds(*place.box.middle)
        for place in spot.places
        for other in taken
    )


def _field(invoice: int, name: str, value: str, spot: Spot) -> Field:
    check = Check(EMBEDDED, "passed", f"the embedded XML says {value}")
    return Field(invoice, name, spot.quote, value, spot.places, spot.quote, None, "review", (check,))
