"""How ways to ask a model fared, each time that they were measured, and what was published of such ways.

Comes in: a store, `Measure`s. Goes out: the newest measure of each suite, arm and model; `published`, the figures that
others printed of such arms, from the table beside this module: never measured here, and never mixed with what was.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path

from pipeline import records
from pipeline.store import Store

PUBLISHED = Path(__file__).with_name("published.toml")


@dataclass(frozen=True)
class Measure:
    """How an arm fared against truth. model: empty for rules; prompt: version of the prompts; made: date and time
    (UTC); expected, given, right: values that there are, that were given, that of these are right; silent: wrong ones
    that nobody was told of; sent and written: tokens; seconds: the calls' own, one after the other; fault: why it
    ended early.
    """

    suite: str
    arm: str
    model: str
    prompt: str
    made: str
    document: str
    expected: int = 0
    given: int = 0
    right: int = 0
    silent: int = 0
    calls: int = 0
    sent: int = 0
    written: int = 0
    dollars: Decimal = Decimal(0)
    seconds: float = 0.0
    fault: str = ""

    @property
    def accuracy(self) -> float | None:
        """Right of what there is, 0..1."""
        return self.right / self.expected if self.expected and not self.fault else None

    @property
    def invented(self) -> float | None:
        """Wrong of what was given, 0..1."""
        return (self.given - self.right) / self.given if self.given and not self.fault else None


@dataclass(frozen=True)
class Published:
    """What was printed of an arm; None where nothing was. Shares are 0..1; dollars and seconds as `per` says."""

    accuracy: float | None = None
    invented: float | None = None
    dollars: float | None = None
    seconds: float | None = None
    per: str = ""
    of: str = ""


@cache
def published() -> dict[tuple[str, str], Published]:
    """By suite and arm."""
    table = tomllib.loads(PUBLISHED.read_text(encoding="utf-8"))
    return {(suite, arm): Published(**told) for suite, arms in table.items() for arm, told in arms.items()}


def save(store: Store, one: Measure) -> None:
    """Keep a measure beside those before."""
    with store.transaction() as db:
        db.execute(
            "INSERT INTO measures (suite, arm, model, prompt, made, body) VALUES (?, ?, ?, ?, ?, ?)",
            (one.suite, one.arm, one.model, one.prompt, one.made, records.pack(one)),
        )


def kept(store: Store, suite: str) -> tuple[Measure, ...]:
    """The newest measure of each arm, model, version of the prompts and document, the oldest first."""
    with store.snapshot() as db:
        rows = db.execute("SELECT body FROM measures WHERE suite = ? ORDER BY id", (suite,)).fetchall()
    newest: dict[tuple[str, ...], Measure] = {}
    for (body,) in rows:
        one = records.unpack(Measure, body)
        newest[one.arm, one.model, one.prompt, one.document] = one
    return tuple(newest.values())
