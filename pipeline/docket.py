"""The review queue over the documents of the store: what is asked of each, and deciding it by its id.

Comes in: a store, ids of questions, items or decisions (or their beginnings). Goes out: `Case`s, JSON by contract,
lines of text. Refuses, as UsageError: ids that are none, or are several; as Overtaken: what was decided meanwhile.
A further kind of result is named in `results` and `_judged`; `asked` says what it gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from pipeline import asked, decisions, run, valuereview, valuestore, worth
from pipeline.amounts import plain
from pipeline.asked import Choice, Item, Judged, Question
from pipeline.decisions import Decision, Part, Value
from pipeline.model import UsageError
from pipeline.review import Reviewed
from pipeline.store import Entry, Key, Store

SHORTEST = 6

Kind = Literal["rows", "fields", "values"]


class Result(NamedTuple):
    """A result in the store that the queue asks about. key: of values, its profile is the name they were sent under."""

    kind: Kind
    sha256: str
    key: Key


@dataclass(frozen=True)
class Case:
    """A document of the store, one result of it, and what is asked of that."""

    entry: Entry
    result: Result
    judged: Judged


def results(store: Store, document: str = "") -> tuple[Result, ...]:
    """The newest result of each kind that this version made of each document, or of the one with this sha256."""
    rows = [Result("rows", sha256, key) for sha256, key in run.current(store, document)]
    fields = [Result("fields", sha256, key) for sha256, key in run.current_fields(store, document)]
    named = [one for one in valuestore.names(store) if document in ("", one[0])]
    return (*rows, *fields, *(Result("values", sha256, Key(name, "")) for sha256, name in named))


def case(store: Store, one: Result) -> Case | None:
    """A document with a result of it; None where one of them is gone."""
    entry, now = store.document(one.sha256), _judged(store, one)
    return Case(entry, one, now) if entry and now else None


def _judged(store: Store, one: Result) -> Judged | None:
    match one.kind:
        case "rows":
            return run.reviewed(store, one.sha256, one.key)
        case "fields":
            found = run.judged_fields(store, one.sha256, one.key)
            return found[0] if found else None
        case "values":
            return valuereview.of(store, one.sha256, one.key.profile)


def cases(store: Store, document: str = "") -> tuple[Case, ...]:
    """The documents with results, or those whose id or name begins so; those with the dearest question first."""
    found = [made for one in results(store) if (made := case(store, one)) and _named(made.entry, document)]
    return tuple(sorted(found, key=lambda one: -max(map(worth.of, one.judged.questions), default=-1.0)))


def _named(entry: Entry, document: str) -> bool:
    return entry.sha256.startswith(document) or entry.name.startswith(document)


def questions(found: Sequence[Case]) -> list[tuple[Question, Case]]:
    """The questions of all cases, the dearest first."""
    pairs = [(question, case) for case in found for question in case.judged.questions]
    return sorted(pairs, key=lambda pair: -worth.of(pair[0]))


def decide(store: Store, case: Case, choice: Choice) -> tuple[Case, tuple[Decision, ...]]:
    """Keep a decision; the case as it is afterwards, and what was written."""
    made = asked.decide(store, case.judged, choice)
    return replace(case, judged=_judged(store, case.result) or case.judged), made


def find(found: tuple[Case, ...], beginning: str) -> tuple[Case, str]:
    """The case that an id belongs to, and the whole id."""
    if len(beginning) < SHORTEST:
        raise UsageError(f"An id has {SHORTEST} characters or more. The open ones: pagewitness review list")
    named = {(case.entry.sha256, id): case for case in found for id in _ids(case.judged) if id.startswith(beginning)}
    if len(named) != 1:
        what = "Several questions have" if named else "No question, row or decision has"
        raise UsageError(f"{what} an id that begins with {beginning!r}. The open ones: pagewitness review list")
    [((_, whole), case)] = named.items()
    return case, whole


def _ids(now: Judged) -> set[str]:
    return {*(one.id for one in now.questions), *(one.mark.id for one in now.items), *now.standing}


def parts(given: Sequence[str]) -> tuple[Part, ...]:
    """Rows from `column=value` texts: a column that is given again begins, or belongs to, the next row."""
    rows: list[dict[str, str]] = []
    for text in given:
        column, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--value {text[:40]!r} is no column=value. Write it as --value amount=312.40")
        column = column.strip().lower().replace(" ", "_")
        row = next((row for row in rows if column not in row), None)
        if row is None:
            rows.append(row := {})
        row[column] = value.strip()
    return tuple(tuple(Value(column, value) for column, value in row.items()) for row in rows)


# ---- JSON and text


def list_json(found: tuple[Case, ...]) -> dict[str, Any]:
    """All questions, the dearest first, and of each document the verdict and what was decided."""
    return {
        "questions": [question_json(case, question) for question, case in questions(found)],
        "documents": [
            {
                "sha256": case.entry.sha256,
                "name": case.entry.name,
                "result": case.result.kind,
                "action": case.judged.verdict,
                "open": len(case.judged.questions),
                "decisions": [decisions.to_json(one) for one in case.judged.made],
            }
            for case in found
        ],
    }


def question_json(case: Case, question: Question) -> dict[str, Any]:
    """A question with its items, as `review show` prints it; they are called as their kind of result is: `rows`."""
    return {
        "id": question.id,
        "document": {"sha256": case.entry.sha256, "name": case.entry.name},
        "kind": question.kind,
        "cause": question.cause,
        "why": list(question.why),
        "fix": question.fix,
        "stake": plain(question.stake),
        "currency": question.currency,
        "page": question.page,
        "box": list(question.box.rounded()) if question.box else None,
        "actions": list(question.actions),
        "sequence": asked.sequence(case.judged, question.mark.id),
        case.result.kind: [item_json(case.judged, item) for item in question.items],
    }


def item_json(now: Judged, item: Item) -> dict[str, Any]:
    """A row, a field or a value of a question."""
    return {
        "id": item.mark.id,
        "row": item.number + 1,
        "page": item.page,
        "box": list(item.box.rounded()) if item.box else None,
        "values": {column: value for column, value in item.values if value},
        "reads": [{"by": read.by, "text": read.text} for read in item.reads],
        "status": item.status,
        "reasons": list(item.reasons),
        "actions": list(item.actions),
        "sequence": asked.sequence(now, item.mark.id),
    }


def show_json(case: Case, whole: str) -> dict[str, Any]:
    """A question, or an item, with what was decided."""
    question, item = asked.find(case.judged, whole)
    found = question_json(case, question) if question else item_json(case.judged, item) if item else {}
    return {**found, "decisions": [decisions.to_json(one) for one in case.judged.made if one.mark.id == whole]}


def decided_json(case: Case, made: tuple[Decision, ...]) -> dict[str, Any]:
    """What was written, and the verdict that follows; of a statement the sums that differ, too."""
    now = case.judged
    told = {
        "decisions": [decisions.to_json(one) for one in made],
        "action": now.verdict,
        "open": len(now.questions),
        "follows": list(now.follows),
    }
    if isinstance(now, Reviewed):
        told["differs"] = [
            {"scope": scope.scope, "name": scope.name, "currency": scope.currency, "delta": plain(scope.delta)}
            for scope in now.statement.reconciliation.scopes
            if scope.delta
        ]
    return told


def list_text(found: tuple[Case, ...]) -> str:
    """A line for each question, the dearest first, and one for each document."""
    lines = [f"{one.id}  {_stake(one)}  {case.entry.name}, {_where(one)}{one.cause}" for one, case in questions(found)]
    for case in found:
        open_ones, made = len(case.judged.questions), len(case.judged.made)
        lines.append(f"{case.entry.name}: {verdict(case)}, {open_ones} open, {made} decisions")
    return (
        "\n".join(lines)
        or "No document of the store has rows or fields. Extract them in the app, pages Statements and Invoices."
    )


def show_text(case: Case, whole: str) -> str:
    """A question, or an item, with all that is known of it and what was decided."""
    question, item = asked.find(case.judged, whole)
    lines = []
    if question:
        lines = [f"{case.entry.name}, {_where(question)}{question.cause}", *question.why, question.fix]
        lines += [_item_line(one) for one in question.items]
    elif item:
        lines = [_item_line(item)]
    lines += [f"{one.sequence}. {one.told}: {one.before}" for one in case.judged.made if one.mark.id == whole]
    return "\n".join(lines)


def told(case: Case, made: tuple[Decision, ...]) -> str:
    """What was decided, what is still wrong, and the verdict that follows."""
    several = f", {len(made)} {case.result.kind}" if len(made) > 1 else ""
    what = f"{decisions.DONE[made[0].action]} by {made[0].who}{several}"
    return "\n".join([what, *case.judged.follows, f"verdict: {verdict(case)}, {len(case.judged.questions)} open"])


def verdict(case: Case) -> str:
    """The verdict on a result, in words."""
    return case.judged.verdict.replace("_", " ")


def _stake(one: Question) -> str:
    return f"{one.stake:>12,f} {one.currency:<3}"


def _where(one: Question) -> str:
    return f"page {one.page}: " if one.page else ""


def _item_line(item: Item) -> str:
    reasons = f" ({'; '.join(item.reasons)})" if item.reasons else ""
    return f"  {item.mark.id}  page {item.page}, {item.status}: {item.words}{reasons}"
