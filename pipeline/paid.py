"""What a run of Claude is likely to cost, said and confirmed before it, and what it took, said after it.

Comes in: an engine of any name, what it is to read, and how a person can be asked. Goes out: a line; nothing where the
engine costs nothing. Refuses, as EngineError: a run that was not confirmed, or that is too dear to start unattended.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING

from pipeline import passes, statements
from pipeline.engine import Named, RowReader
from pipeline.model import EngineError, Reading
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


def estimate(engine: Named, run: Callable[[Claude], object], counted: bool = False) -> Estimate | None:
    """What a run is likely to take; None: the engine costs nothing.

    run: the work, given an engine that asks nobody: it has the replies of the journal, else that there is nothing.
    counted: the server counts the tokens, which sends it the document.
    """
    paid = claude(engine)
    if paid is None:
        return None
    rehearsed, noted = paid.rehearsing()
    run(rehearsed)
    return paid.estimate(noted.missing, len(noted.numbers), counted)


def rows(engine: Named, reading: Reading, profile: StatementProfile, counted: bool = False) -> Estimate | None:
    """What reading a statement is likely to take; a second try at pages whose sums fail is left out of account."""
    return estimate(engine, lambda reader: read_windows(reading, profile, reader), counted)


def read_windows(reading: Reading, profile: StatementProfile, reader: RowReader) -> object:
    """What a reader of a statement is asked, window by window; nothing is concluded from it."""
    cut = statements.windows(len(reading.pages), profile.chunk_pages, profile.overlap)
    return list(passes.read(reading, cut, profile, reader))


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
