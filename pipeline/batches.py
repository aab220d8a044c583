"""Calls sent as Message Batches, at half the price: submitted, waited for across restarts, taken into the journal.

Comes in: a `Caller`, and what the journal does not answer (`NotKept`). Goes out: how many calls were sent or still
wait; the replies are in the journal, where the same run finds them. Each reply is known by the hash of its request, so
that their order, other runs and other documents make no difference. A batch of which it is unknown whether it arrived
(the process was killed, the connection broke) is looked for on the server before anything is sent again: nothing is
paid for twice. What expired or broke is sent again, as often as `TRIES` says. Refuses, as EngineError: a limit that not
even the next call fits into, a server without batches; `hopeless` says what can never succeed, or was cancelled.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from pipeline import budget, journal, tokens
from pipeline.caller import WAITS, Caller, NotKept, used
from pipeline.claude import Claude
from pipeline.engine import Excerpt, Found, RawField, Sought, Summary, Wanted
from pipeline.journal import Outcome, Posted
from pipeline.model import EngineError, Page

if TYPE_CHECKING:
    from anthropic.types.messages import MessageBatch, MessageBatchIndividualResponse
    from anthropic.types.messages.batch_create_params import Request

TRIES = 3  # of a call that expires or breaks
MOST_CALLS = 10_000  # in one batch; the service takes 100,000
MOST_BYTES = 150_000_000  # in one batch; the service takes 256 MB
SLACK = timedelta(minutes=2)  # by which clocks may differ
UNNAMED = "new-"  # how a batch is called that has no id yet
PASSING = ("api_error", "overloaded_error", "rate_limit_error", "timeout_error")  # errors that a second try may mend


class Unanswered(Exception):
    """Replies are still to come, and nothing more can be asked until they do."""


@dataclass
class Gathering:
    """Claude as far as the journal answers; what it does not is gathered, and nobody is asked."""

    engine: Claude
    missing: list[NotKept] = field(default_factory=list)
    name: str = "claude"

    def __post_init__(self) -> None:
        self.engine = self.engine.replaying()

    def rows(self, excerpt: Excerpt, columns: tuple[Wanted, ...], summary: Summary) -> Found:
        try:
            return self.engine.rows(excerpt, columns, summary)
        except NotKept as one:
            self.missing.append(one)
            return Found((), ())

    def fields(self, pages: Sequence[Page], sought: Sequence[Sought]) -> tuple[RawField, ...]:
        try:
            return self.engine.fields(pages, sought)
        except NotKept as one:
            self.missing.append(one)
            return ()

    def parted(self, done: int, total: int) -> None:
        """Told of each part that was asked for; Unanswered behind the last, where replies are missing."""
        if done == total and self.missing:
            raise Unanswered


def hopeless(caller: Caller, one: NotKept) -> str:
    """Why a call is not sent again in this run; empty: it may be sent."""
    faults = journal.faults(caller.store, one.call.request, one.call.run)
    if not faults:
        return ""
    last = faults[-1]
    if last == "canceled":
        return "its batch was cancelled. Run it again to send it anew."
    if last.startswith("errored") and not last.startswith(tuple(f"errored: {kind}" for kind in PASSING)):
        return last
    return f"tried {len(faults)} times: {last}. Run it again to go on." if len(faults) >= TRIES else ""


# ---------------------------------------------------------------- submitting


def unsent(caller: Caller, missing: Iterable[NotKept]) -> list[NotKept]:
    """What does not wait in a batch yet, equal calls once."""
    wanted = {one.call.request: one for one in missing}
    waiting = {one.request for one in journal.posted(caller.store, wanted)}
    return [one for request, one in wanted.items() if request not in waiting]


def submit(caller: Caller, missing: Sequence[NotKept]) -> int:
    """Send what does not wait in a batch yet; how many calls were sent. What limits do not allow is left for later,
    EngineError where that is all and nothing waits.
    """
    waits = waiting(caller, missing)
    sent = 0
    for part in _parts(caller, unsent(caller, missing)):
        name = UNNAMED + secrets.token_hex(8)
        begun, refusal = _begun(caller, [one for one, _ in part], name)
        if begun:
            _create(caller, [request for one, request in part if one.call.request in begun], name, begun)
            sent += len(begun)
        if refusal:
            if not sent and not waits:
                raise refusal
            break
    return sent


def _parts(caller: Caller, missing: Sequence[NotKept]) -> Iterator[list[tuple[NotKept, Request]]]:
    """The calls as requests, as many together as one batch takes."""
    part: list[tuple[NotKept, Request]] = []
    size = 0
    for one in missing:
        system, messages, config = caller.request(one.prompt)
        request: Request = {
            "custom_id": one.call.request,
            "params": {
                "model": one.call.model,
                "max_tokens": one.room,
                "system": system,
                "messages": messages,
                "output_config": config,
            },
        }
        weight = len(json.dumps(request))
        if part and (len(part) == MOST_CALLS or size + weight > MOST_BYTES):
            yield part
            part, size = [], 0
        part.append((one, request))
        size += weight
    if part:
        yield part


def _begun(caller: Caller, missing: Sequence[NotKept], name: str) -> tuple[dict[str, int], EngineError | None]:
    """The numbers of the calls in the journal, by request, as far as limits allow; and the refusal of the next one."""
    begun: dict[str, int] = {}
    for one in missing:
        most = one.most * tokens.batch_share()
        try:
            begun[one.call.request] = journal.begin(
                caller.store,
                one.call,
                most,
                lambda spent, most=most: budget.check(caller.account, spent, most),  # type: ignore[misc]
                name,
            )
        except EngineError as refusal:
            return begun, refusal
    return begun, None


def _create(caller: Caller, requests: Sequence[Request], name: str, begun: dict[str, int]) -> None:
    """Send one batch, again where the server is busy. Where it is unknown whether it arrived it is looked for first;
    where that stays unknown its calls keep their name, and the next run looks for it.
    """
    import anthropic

    client, wait = caller.client.with_options(max_retries=0), WAITS[0]  # the SDK would send it twice
    model = requests[0]["params"]["model"]
    for attempt in range(caller.account.retries + 1):
        try:
            return journal.rename_batch(caller.store, name, client.messages.batches.create(requests=requests).id)
        except (anthropic.APIConnectionError, anthropic.InternalServerError, anthropic.RateLimitError) as error:
            if _found(caller, journal.posted(caller.store, begun)):
                return None
            if attempt == caller.account.retries:
                caller.refuse(error, model)
        except anthropic.APIError as error:
            _fail(caller, begun.values(), "it was refused")
            caller.refuse(error, model)
        except anthropic.AnthropicError as error:
            _fail(caller, begun.values(), "it was refused")
            raise EngineError(f"Claude takes no batches here: {error}. Read single files, by rows or fields.") from None
        time.sleep(wait)
        wait = min(2 * wait, WAITS[1])
    raise AssertionError("the last attempt returns or raises")


# ---------------------------------------------------------------- collecting


def waiting(caller: Caller, missing: Iterable[NotKept]) -> int:
    """How many of the calls wait in batches, by the journal."""
    wanted = {one.call.request for one in missing}
    return sum(one.request in wanted for one in journal.posted(caller.store, wanted))


def collect(caller: Caller, missing: Iterable[NotKept]) -> int:
    """Take the results of batches that ended into the journal; how many of the missing calls still wait."""
    wanted = {one.call.request for one in missing}
    waiting = journal.posted(caller.store, wanted)
    left = 0
    for batch, group in groupby(sorted(waiting, key=lambda one: (one.batch, one.number)), lambda one: one.batch):
        calls = list(group)
        found = _found(caller, calls) if batch.startswith(UNNAMED) else _retrieved(caller, batch, calls[0].model)
        if found is None:
            _fail(caller, [one.number for one in calls], "expired: the server does not have its batch")
        elif found.processing_status == "ended":
            _take(caller, found, calls)
        else:
            left += sum(one.request in wanted for one in calls)
    return left


def cancel(caller: Caller, missing: Iterable[NotKept]) -> int:
    """Cancel the batches in which these calls wait; how many. What was answered before stays and is paid for."""
    import anthropic

    waiting = journal.posted(caller.store, {one.call.request for one in missing})
    names = sorted({one.batch for one in waiting if not one.batch.startswith(UNNAMED)})
    for name in names:
        try:
            caller.client.messages.batches.cancel(name)
        except anthropic.ConflictError:
            continue  # it ended meanwhile
        except anthropic.APIError as error:
            caller.refuse(error, waiting[0].model)
    return len(names)


def _retrieved(caller: Caller, batch: str, model: str) -> MessageBatch | None:
    """The batch as it stands; None: the server does not have it (any more)."""
    import anthropic

    try:
        return caller.client.messages.batches.retrieve(batch)
    except anthropic.NotFoundError:
        return None
    except anthropic.APIError as error:
        caller.refuse(error, model)


def _found(caller: Caller, calls: Sequence[Posted]) -> MessageBatch | None:
    """The batch of calls of which it is unknown whether they arrived, looked for among those that the server has."""
    import anthropic

    name, since = calls[0].batch, min(one.made for one in calls) - SLACK
    try:
        for one in caller.client.messages.batches.list(limit=100):
            if one.created_at < since:
                break  # the newest come first
            if sum(one.request_counts.model_dump().values()) == len(calls) and not journal.is_batch(
                caller.store, one.id
            ):
                journal.rename_batch(caller.store, name, one.id)
                return one
    except anthropic.NotFoundError:
        return None
    except anthropic.APIError as error:
        caller.refuse(error, calls[0].model)
    return None


def _take(caller: Caller, batch: MessageBatch, calls: Sequence[Posted]) -> None:
    """Each call's result into the journal, in whatever order they come."""
    import anthropic
    import httpx2

    waiting = {one.request: one for one in calls}
    seconds = (batch.ended_at - batch.created_at).total_seconds() if batch.ended_at else 0.0
    try:
        for result in caller.client.messages.batches.results(batch.id):
            if one := waiting.pop(result.custom_id, None):
                _note(caller, one, result, seconds)
    except anthropic.APIError as error:
        caller.refuse(error, calls[0].model)
    except (httpx2.HTTPError, anthropic.AnthropicError, ValueError) as error:
        raise EngineError(f"The results of batch {batch.id} broke off: {error}. Run it again to go on.") from None
    _fail(caller, [one.number for one in waiting.values()], "expired: its batch ended without a result for it")


def _note(caller: Caller, one: Posted, told: MessageBatchIndividualResponse, seconds: float) -> None:
    match told.result.type:
        case "succeeded":
            usage = used(told.result.message.usage)
            dollars = tokens.highest(one.model).cost(usage) * tokens.batch_share()
            reply = told.result.message.model_dump_json(exclude_none=True, warnings=False)
            journal.answered(caller.store, one.number, reply, Outcome(usage, dollars, seconds))
        case "errored":
            error = told.result.error.error
            _fail(caller, [one.number], f"errored: {error.type}: {' '.join(error.message.split())}")
        case kind:
            _fail(caller, [one.number], kind)


def _fail(caller: Caller, numbers: Iterable[int], fault: str) -> None:
    for number in numbers:
        journal.failed(caller.store, number, caller.key.struck(fault), Outcome())
