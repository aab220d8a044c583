"""How much depends on a question, in about one currency: what puts the review queue in its order, and reckons nothing.

Comes in: a `Question`. Goes out: about how many euros its stake is (worth.toml); an unknown currency counts as euros.
"""

from __future__ import annotations

import tomllib
from decimal import Decimal
from functools import cache
from pathlib import Path

from pipeline.asked import Question

TABLE = Path(__file__).parent / "worth.toml"


def of(question: Question) -> float:
    """What depends on a question, in about euros; 0 where no amount does."""
    return float(question.stake / _units().get(question.currency, Decimal(1)))


@cache
def _units() -> dict[str, Decimal]:
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {name: Decimal(str(units)) for name, units in table.items()}
