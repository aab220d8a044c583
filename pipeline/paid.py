"""What a run of Claude is likely to cost, said and confirmed before it, and what it took, said after it.

Comes in: an engine of any name, what it is to read, and how a person can be asked. Goes out: a line; nothing where the
engine costs nothing. Refuses, as EngineError: a run that was not confirmed, or that is too dear to start unattended.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import TYPE_CHECKING

from pipeline import passes, statements
from pipeline.engine import Named, Query
from pipeline.model import EngineError, Reading, Section
from pipeline.profiles import StatementProfile

if TYPE_CHECKING:
    from pipeline.budget import Estimate
    from pipeline.claude import Claude

Asker = Callable[[str], bool]


def claude(engine: Named) -> Claude | None:
    """The engine, if it is one that is paid."""
    if engine.name != "claude":
        return None
    from pipeline.claude import Claude

    return engine if isinstance(engine, Claude) else None


def rows(engine: Named, reading: Reading, profile: StatementProfile) -> Estimate | None:
    """What reading a statement is likely to take."""
    paid = claude(engine)
    if paid is None:
        return None
    cut = statements.windows(len(reading.pages), profile.chunk_pages, profile.overlap)
    kept = _kept(paid, reading, profile)
    return paid.estimate_rows(passes.excerpts(reading, cut)[kept:], passes.wanted(profile), kept)


def _kept(paid: Claude, reading: Reading, profile: StatementProfile) -> int:
    """How many windows the journal answers, from the first on."""
    from pipeline import journal
    from pipeline.caller import NotKept

    if not journal.entries(paid.caller.store, paid.caller.sha256, 1):
        return 0
    cut = statements.windows(len(reading.pages), profile.chunk_pages, profile.overlap)
    known = 0
    with suppress(NotKept):
        for _ in passes.read(reading, cut, profile, paid.replaying()):
            known += 1
    return known


def clauses(engine: Named, query: Query, sections: Sequence[Section]) -> Estimate | None:
    """What looking for clauses is likely to take."""
    paid = claude(engine)
    if paid is None:
        return None
    from pipeline.claude import find_prompts

    return paid.estimate(find_prompts(query, sections))


def bound(engine: Named) -> Estimate | None:
    """What a run takes at most, where more is not known before it: its limit."""
    paid = claude(engine)
    if paid is None:
        return None
    from pipeline.budget import Estimate

    account = paid.caller.account
    return Estimate(account.model, 1, 0, 0, 0, account.run_dollars, 0, False, "the limit of a run")


def confirm(engine: Named, estimate: Estimate | None, asked: Asker | None) -> None:
    """Whether the run may start. asked: puts a question to a person; None: nobody is there, so nobody is waited for."""
    paid = claude(engine)
    if paid is None or estimate is None or not estimate.calls:
        return
    most: Decimal = paid.caller.account.unattended_dollars
    if asked is None:
        if estimate.dollars > most:
            raise EngineError(f"This may cost about ${estimate.dollars:.2f}, more than ${most}: confirm it with --yes.")
    elif not asked("Go on? [y/N] "):
        raise EngineError("It was not confirmed: nothing was asked, and nothing is to be paid.")


def told(engine: Named) -> str:
    """What the run took until now; empty: the engine costs nothing."""
    paid = claude(engine)
    if paid is None:
        return ""
    from pipeline import journal

    took = journal.total(paid.caller.store, paid.caller.run)
    calls = f"{took.calls} call{'' if took.calls == 1 else 's'}"
    return f"Claude took {calls}, {took.usage.sent:,} tokens in, {took.usage.output:,} out: ${took.dollars:.4f}"
