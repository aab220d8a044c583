"""What may be spent on calls to a model, and what a run is likely to take, in exact US dollars.

Comes in: an `Account`'s limits, what was spent, what the next call may cost at most; the requests of a run with their
tokens. Goes out: nothing, where the call may be made; `Estimate`s. Refuses, as EngineError: the call that could break a
limit, before it is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from pipeline.account import Account
from pipeline.journal import Spent
from pipeline.model import EngineError

CENT = Decimal("0.01")
OUTPUT_A_SECOND = 70  # tokens that a model writes, as a rule of thumb


def check(account: Account, spent: Spent, most: Decimal) -> None:
    """Whether a call that may cost `most` fits into what is left of each limit."""
    for name, used, limit in (
        ("document", spent.document, account.document_dollars),
        ("run", spent.run, account.run_dollars),
        ("day", spent.day, account.day_dollars),
    ):
        if used + most > limit:
            raise EngineError(
                f"The limit of ${limit} for a {name} could be broken by the next call: ${used:.4f} are spent, it may "
                f"cost ${most:.4f}. What was read is kept: raise {name}_dollars in settings.toml, or in the app, and "
                "run it again."
            )


@dataclass(frozen=True)
class Estimate:
    """What a run is likely to take. calls: to be made; kept: that the journal answers, for nothing. counted: by the
    server's own count; otherwise the tokens are our estimate. at_most: fewer calls may do.
    """

    model: str
    calls: int
    kept: int
    input: int
    output: int
    dollars: Decimal
    seconds: float
    counted: bool
    priced: str
    at_most: bool = False

    def to_text(self) -> str:
        """In a line, for a person."""
        kept = f" ({self.kept} more are in the journal, for nothing)" if self.kept else ""
        how = "counted by the server" if self.counted else "estimated"
        most = "at most " if self.at_most and self.calls else ""
        calls = f"{most}{self.calls} call{'' if self.calls == 1 else 's'}"
        return (
            f"{self.model}: {calls}{kept}, {self.input:,} tokens in ({how}), "
            f"about {self.output:,} out, about ${max(self.dollars, CENT) if self.calls else Decimal(0):.2f} "
            f"({self.priced}), about {max(1, round(self.seconds))} s"
        )


def together(estimates: Sequence[Estimate]) -> Estimate:
    """What several runs take, one after another; at least one."""
    first = estimates[0]
    return Estimate(
        first.model,
        sum(one.calls for one in estimates),
        sum(one.kept for one in estimates),
        sum(one.input for one in estimates),
        sum(one.output for one in estimates),
        sum((one.dollars for one in estimates), Decimal(0)),
        sum(one.seconds for one in estimates),
        all(one.counted for one in estimates),
        first.priced,
        any(one.at_most for one in estimates),
    )


def seconds(outputs: list[int], at_once: int) -> float:
    """How long calls with so many tokens of output take, so many at once."""
    return sum(2 + output / OUTPUT_A_SECOND for output in outputs) / max(1, at_once)
