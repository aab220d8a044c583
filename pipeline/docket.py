"""The review queue over the documents of the store: what is asked of each, and deciding it by its id.

Comes in: a store, ids of questions, rows or decisions (or their beginnings). Goes out: `Case`s, JSON by contract,
lines of text. Refuses, as UsageError: ids that are none, or are several; as Overtaken: what was decided meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from pipeline import decisions, review, run
from pipeline.amounts import plain
from pipeline.decisions import Decision, Part, Value
from pipeline.model import Statement, UsageError
from pipeline.review import Choice, Item, Question, Reviewed
from pipeline.store import Entry, Key, Store

SHORTEST = 6


@dataclass(frozen=True)
class Case:
    """A document of the store, the result that is reviewed, and what is asked of it."""

    entry: Entry
    key: Key
    reviewed: Reviewed


def cases(store: Store, document: str = "") -> tuple[Case, ...]:
    """The documents with rows, or those whose id or name begins so; those with the dearest question first."""
    kept = [case(store, sha256, key) for sha256, key in run.current(store)]
    found = [
        one for one in kept if one and (one.entry.sha256.startswith(document) or one.entry.name.startswith(document))
    ]
    return tuple(sorted(found, key=lambda one: -max((asked.stake for asked in one.reviewed.questions), default=-1)))


def case(store: Store, sha256: str, key: Key) -> Case | None:
    """A document with a result of it; None where one of them is gone."""
    entry, now = store.document(sha256), run.reviewed(store, sha256, key)
    return Case(entry, key, now) if entry and now else None


def asked(found: Sequence[Case]) -> list[tuple[Question, Case]]:
    """The questions of all cases, the dearest first."""
    pairs = [(question, case) for case in found for question in case.reviewed.questions]
    return sorted(pairs, key=lambda pair: -pair[0].stake)


def decide(store: Store, case: Case, choice: Choice) -> tuple[Case, tuple[Decision, ...]]:
    """Keep a decision; the case as it is afterwards, and what was written."""
    made = review.decide(store, case.reviewed, choice)
    now = run.reviewed(store, case.entry.sha256, case.key)
    return replace(case, reviewed=now or case.reviewed), made


def find(found: tuple[Case, ...], beginning: str) -> tuple[Case, str]:
    """The case that an id belongs to, and the whole id."""
    if len(beginning) < SHORTEST:
        raise UsageError(f"An id has {SHORTEST} characters or more. The open ones: pagewitness review list")
    named = {(case.entry.sha256, id): case for case in found for id in _ids(case.reviewed) if id.startswith(beginning)}
    if len(named) != 1:
        what = "Several questions have" if named else "No question, row or decision has"
        raise UsageError(f"{what} an id that begins with {beginning!r}. The open ones: pagewitness review list")
    [((_, whole), case)] = named.items()
    return case, whole


def _ids(now: Reviewed) -> set[str]:
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
        "questions": [question_json(case, question) for question, case in asked(found)],
        "documents": [
            {
                "sha256": case.entry.sha256,
                "name": case.entry.name,
                "action": case.reviewed.statement.reconciliation.action,
                "open": len(case.reviewed.questions),
                "decisions": [decision_json(one) for one in case.reviewed.made],
            }
            for case in found
        ],
    }


def question_json(case: Case, question: Question) -> dict[str, Any]:
    """A question with its rows, as `review show` prints it."""
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
        "sequence": case.reviewed.sequence(question.mark.id),
        "rows": [item_json(case.reviewed, item) for item in question.items],
    }


def item_json(now: Reviewed, item: Item) -> dict[str, Any]:
    """A row of a question."""
    return {
        "id": item.mark.id,
        "row": item.number + 1,
        "page": item.row.page,
        "box": list(item.row.box.rounded()),
        "values": {cell.column: cell.value for cell in item.row.cells},
        "status": item.row.status,
        "reasons": list(item.row.reasons),
        "sequence": now.sequence(item.mark.id),
    }


def decision_json(made: Decision) -> dict[str, Any]:
    """A decision as the audit has it."""
    return {
        "finding": made.mark.id,
        "sequence": made.sequence,
        "action": made.action,
        "values": [{value.column: value.value for value in part} for part in made.parts],
        "before": made.before,
        "page": made.mark.page,
        "who": made.who,
        "when": made.made.isoformat(),
    }


def show_json(case: Case, whole: str) -> dict[str, Any]:
    """A question, or a row, with what was decided."""
    now = case.reviewed
    asked = next((question_json(case, one) for one in now.questions if one.id == whole), {})
    row = next((item_json(now, item) for item in now.items if item.mark.id == whole), {})
    made = [decision_json(one) for one in now.made if one.mark.id == whole]
    return {**(asked or row), "decisions": made}


def decided_json(case: Case, made: tuple[Decision, ...]) -> dict[str, Any]:
    """What was written, and the verdict and the sums that follow."""
    statement = case.reviewed.statement
    return {
        "decisions": [decision_json(one) for one in made],
        "action": statement.reconciliation.action,
        "open": len(case.reviewed.questions),
        "differs": [
            {"scope": scope.scope, "name": scope.name, "currency": scope.currency, "delta": plain(scope.delta)}
            for scope in statement.reconciliation.scopes
            if scope.delta
        ],
    }


def list_text(found: tuple[Case, ...]) -> str:
    """A line for each question, the dearest first, and one for each document."""
    lines = [f"{one.id}  {_stake(one)}  {case.entry.name}, {_where(one)}{one.cause}" for one, case in asked(found)]
    for case in found:
        action = case.reviewed.statement.reconciliation.action.replace("_", " ")
        open_ones, made = len(case.reviewed.questions), len(case.reviewed.made)
        lines.append(f"{case.entry.name}: {action}, {open_ones} open, {made} decisions")
    return "\n".join(lines) or "No document of the store has rows. Extract them in the app, page Statements."


def show_text(case: Case, whole: str) -> str:
    """A question, or a row, with all that is known of it and what was decided."""
    now = case.reviewed
    lines = []
    for one in now.questions:
        if one.id == whole:
            lines += [f"{case.entry.name}, {_where(one)}{one.cause}", *one.why, one.fix]
            lines += [_item_line(item) for item in one.items]
    if not lines:
        lines = [_item_line(item) for item in now.items if item.mark.id == whole]
    lines += [f"{one.sequence}. {one.told}: {one.before}" for one in now.made if one.mark.id == whole]
    return "\n".join(lines)


def told(case: Case, made: tuple[Decision, ...]) -> str:
    """What was decided, by how much sums differ now, and the verdict that follows."""
    statement = case.reviewed.statement
    action = statement.reconciliation.action.replace("_", " ")
    what = f"{decisions.DONE[made[0].action]} by {made[0].who}{f', {len(made)} rows' if len(made) > 1 else ''}"
    return "\n".join([what, *(_differing(statement)), f"verdict: {action}, {len(case.reviewed.questions)} open"])


def _differing(statement: Statement) -> list[str]:
    """Sums that differ, those by the same amount on one line; or that all agree."""
    groups: dict[tuple[Decimal, str], list[str]] = {}
    for scope in statement.reconciliation.scopes:
        if scope.delta:
            name = scope.name if scope.scope == "page" else f"{scope.scope} {scope.name}".strip()
            groups.setdefault((scope.delta, scope.currency), []).append(name)
    lines = [
        f"{', '.join(names)}: {plain(abs(delta))} {currency} {'missing' if delta > 0 else 'too much'}".replace(
            "  ", " "
        )
        for (delta, currency), names in groups.items()
    ]
    return lines or ["all printed sums agree"]


def _stake(one: Question) -> str:
    return f"{one.stake:>12,f} {one.currency:<3}"


def _where(one: Question) -> str:
    return f"page {one.page}: " if one.page else ""


def _item_line(item: Item) -> str:
    reasons = f" ({'; '.join(item.row.reasons)})" if item.row.reasons else ""
    return f"  {item.mark.id}  page {item.row.page}, {item.row.status}: {review.row_words(item.row)}{reasons}"
