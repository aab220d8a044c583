"""The review queue of a statement: what a person must see, as questions, the dearest first; and their decisions.

Comes in: what a run found (`Book`), the decisions on the document. Goes out: `Reviewed`: the statement with what was
decided, judged anew, and the questions that are left. Findings with one cause are one question: a sum that differs
is asked with the rows that it covers, rows that lack the same witness together. Refuses, as UsageError: decisions that
do not fit the question, values that are no plain amount or date; as Overtaken: what somebody decided meanwhile.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from pipeline import checks, decisions, settled
from pipeline.amounts import plain
from pipeline.decisions import Action, Decision, Mark, Part, Value
from pipeline.ledger import Ledger
from pipeline.model import Box, Finding, Row, Scope, Statement, UsageError
from pipeline.profiles import StatementProfile
from pipeline.settled import STEP, Settled
from pipeline.statements import UNPROVEN, Book, Concluded, conclude
from pipeline.store import Store
from pipeline.sums import Covering

Kind = Literal["sum", "rows", "finding"]
ZERO = Decimal(0)
LISTED = 40  # rows of a sum that are listed behind those in review
MISSED = "line_missed"
LOST = "decision_lost"
FIXES = {
    MISSED: "Add the row that the line is, or approve this where it is none.",
    LOST: "Decide the row again, or approve this to let the decision go.",
}
OF_ROWS = ("row", "rows", "total_differs")  # findings that are asked as rows and sums
OF_SUMS = ("no_total", "no_rows", "totals_contradict", "subtotal_differs")  # no word of a person makes these agree


@dataclass(frozen=True)
class Item:
    """A row of a question, and its number among the statement's rows (from 0)."""

    mark: Mark
    row: Row
    number: int


@dataclass(frozen=True)
class Question:
    """One cause, whatever it speaks against. why: what was found; fix: what settles it; stake: the amount that
    depends on it; items: the rows concerned, the likeliest first; box: where to look on the page; missed: there
    stands a line that is in no row.
    """

    id: str
    kind: Kind
    mark: Mark
    cause: str
    why: tuple[str, ...]
    fix: str
    stake: Decimal
    currency: str
    page: int | None
    box: Box | None
    items: tuple[Item, ...] = ()
    missed: bool = False


@dataclass(frozen=True)
class Reviewed:
    """A statement with its decisions. made: all of them; standing: by finding, those that no undo took back."""

    sha256: str
    statement: Statement
    questions: tuple[Question, ...]
    items: tuple[Item, ...]
    columns: tuple[str, ...]
    made: tuple[Decision, ...]
    standing: Mapping[str, tuple[Decision, ...]]

    def sequence(self, finding: str) -> int:
        """The last sequence of a finding, 0 where nothing was decided."""
        return decisions.sequences(self.made).get(finding, 0)


@dataclass(frozen=True)
class Choice:
    """What a person decides. target: the id of a question, a row or a decision; sequence: what they saw decided
    last, or None for what is decided now.
    """

    target: str
    action: Action
    parts: tuple[Part, ...] = ()
    who: str = ""
    sequence: int | None = None


# ---------------------------------------------------------------- a statement with its decisions


@dataclass(frozen=True)
class Ground:
    """What a run found in a document, and what its rows and totals are known by, before any decision.

    marks: of each row, by its rank; known: the rank of each row and printed total, by the id of its mark.
    """

    sha256: str
    book: Book
    marks: Mapping[int, Mark]
    known: Mapping[str, int]


def ground(sha256: str, book: Book) -> Ground:
    """What decisions are applied to; made once for a book."""
    marks = settled.marks(book.ledger, sha256)
    known = {mark.id: at for at, mark in marks.items()} | _known_totals(book.ledger, conclude(book), sha256)
    return Ground(sha256, book, marks, known)


def reviewed(on: Ground, made: Sequence[Decision]) -> Reviewed:
    """The statement as people have it, and what is left to ask."""
    sha256, book = on.sha256, on.book
    standing = decisions.standing(made)
    fitting = {finding: stack for finding, stack in standing.items() if finding in on.known or _changes(stack)}
    result = settled.apply(book.ledger, on.known, fitting)
    approved = {finding for finding, made in standing.items() if any(one.action == "approve" for one in made)}
    further = (*book.findings, *_told(result))
    after = conclude(replace(book, ledger=result.ledger, findings=further), dict(result.checks))
    statement = _without(after.statement, sha256, approved)
    after = replace(after, statement=statement)
    marks = {at * STEP: mark for at, mark in on.marks.items()} | dict(result.marks)
    ranks = [posting.at for posting in result.ledger.postings]
    items = tuple(Item(marks[at], row, n) for n, (at, row) in enumerate(zip(ranks, statement.rows, strict=True)))
    asked = _Asked(sha256, result.ledger, dict(zip(ranks, items, strict=True)), approved)
    profile = StatementProfile(tolerance=book.tolerance, relative_tolerance=book.relative_tolerance)
    questions = asked.all(after, profile)
    columns = settled.columns(book.ledger)
    return Reviewed(sha256, statement, questions, items, columns, tuple(made), standing)


def _without(statement: Statement, sha256: str, approved: set[str]) -> Statement:
    """The statement without the findings that a person approved; sums that differ stay what they are."""
    kept = tuple(
        one
        for one in statement.findings
        if one.kind in (*OF_ROWS, *OF_SUMS) or _finding_mark(one, sha256).id not in approved
    )
    if len(kept) == len(statement.findings):
        return statement
    settled_all = not any(one.severity != "info" for one in kept)
    verdict = replace(statement.reconciliation, action="auto_import" if settled_all else "human_review")
    return replace(statement, findings=kept, reconciliation=verdict)


def _known_totals(ledger: Ledger, before: Concluded, sha256: str) -> dict[str, int]:
    known = {}
    for covering in before.coverings:
        if total := settled.total_of(ledger, covering):
            known[settled.sum_mark(ledger, covering, sha256).id] = total.at
    return known


def _changes(made: Sequence[Decision]) -> bool:
    """Whether decisions are about a row or change something; others only settle a question."""
    return any(decision.mark.kind == "row" or decision.action != "approve" for decision in made)


def _told(result: Settled) -> list[Finding]:
    """What decisions took away, and which of them fit nothing any more."""
    found = []
    for posting, decision in result.rejected:
        message = f"page {posting.page}: row {decision.told}: {settled.words(posting)}"
        found.append(Finding("rejected", "info", message, posting.page, posting.box))
    for decision in result.lost:
        mark = decision.mark
        message = f"{f'page {mark.page}: ' if mark.page else ''}{decision.told}, but this run has nothing there: "
        message += decision.before or "decide it again"
        found.append(Finding(LOST, "warning", message, mark.page, mark.box))
    return found


def _finding_mark(finding: Finding, sha256: str) -> Mark:
    """What a finding is known by that is about no row and no sum."""
    return Mark(sha256, finding.kind, "" if finding.box else finding.message, finding.page, finding.box)


# ---------------------------------------------------------------- questions


@dataclass(frozen=True)
class _Asked:
    """What questions are made from: rows by their rank, and the findings that a person approved."""

    sha256: str
    ledger: Ledger
    items: Mapping[int, Item]
    approved: set[str]

    def all(self, after: Concluded, profile: StatementProfile) -> tuple[Question, ...]:
        failing = [
            one for one in after.coverings if one.scope.printed is not None and not checks.closes(one.scope, profile)
        ]
        lines = [one for one in after.statement.findings if one.kind in ("total_differs", MISSED) and one.box]
        sums = [question for group in _causes(failing) if (question := self._sum(group, lines))]
        taken = {item.number for question in sums for item in question.items}
        left = [item for item in self.items.values() if item.row.status == "review" and item.number not in taken]
        told = {line for question in sums for line in question.why}
        others = [
            self._finding(one) for one in after.statement.findings if one.severity != "info" and one.message not in told
        ]
        found = [*sums, *self._rows(left), *(question for question in others if question)]
        return tuple(sorted(found, key=lambda one: (-one.stake, one.page or 0, one.id)))

    def _sum(self, group: list[Covering], lines: list[Finding]) -> Question | None:
        """Sums that differ by the same, asked by the narrowest of them; None where a person approved it."""
        covering, scope = group[0], group[0].scope
        mark = settled.sum_mark(self.ledger, covering, self.sha256)
        if mark.id in self.approved:
            return None
        delta = scope.delta or ZERO
        named = "the whole document" if scope.scope == "document" else checks.named(scope)
        others = [checks.named(one.scope) for one in group[1:]]
        why = [checks.difference(scope), *(f"{name} differs by the same" for name in others)]
        line = next((one for one in lines if _explains(one, scope)), None)
        if line and line.kind == MISSED:
            why.append(line.message)
        page, box = (line.page, line.box) if line else (scope.page, mark.box)
        items = sorted((self.items[at] for at in covering.rows), key=lambda item: (_likely(item, delta), item.number))
        review = sum(item.row.status == "review" for item in items)
        return Question(
            mark.id, "sum", mark, f"The sum of {named} differs", tuple(why), _mending(items, delta),
            abs(delta), scope.currency, page, box, tuple(items[: max(review, LISTED)]), missed=line is not None,
        )  # fmt: skip

    def _rows(self, items: list[Item]) -> list[Question]:
        """Rows in review outside such sums; those with the same reasons are one question."""
        causes: dict[tuple[str, ...], list[Item]] = defaultdict(list)
        for item in items:
            causes[item.row.reasons].append(item)
        found = []
        for reasons, group in causes.items():
            first, row = group[0].mark, group[0].row
            stake = sum((abs(_amount(item.row)) for item in group), ZERO)
            number = first.id if len(group) == 1 else _joint(self.sha256, reasons)
            cause = f"A row on page {row.page}" if len(group) == 1 else f"{len(group)} rows for one reason"
            found.append(
                Question(
                    number, "rows", first, cause, reasons, _fix(reasons), stake, row.currency, row.page, first.box,
                    tuple(group),
                )
            )  # fmt: skip
        return found

    def _finding(self, finding: Finding) -> Question | None:
        mark = _finding_mark(finding, self.sha256)
        if finding.kind in OF_ROWS or mark.id in self.approved:
            return None
        fix = FIXES.get(finding.kind, "Approve it where the rows are right all the same.")
        if finding.kind in OF_SUMS:
            fix = "Compare the totals with the page. Approving settles the question, not the verdict."
        about_all = finding.kind not in (MISSED, LOST)
        stake = sum((abs(_amount(item.row)) for item in self.items.values()), ZERO) if about_all else ZERO
        cause = finding.kind.replace("_", " ").capitalize()
        return Question(
            mark.id, "finding", mark, cause, (finding.message,), fix, stake, "", finding.page, finding.box
        )  # fmt: skip


def _mending(items: Sequence[Item], delta: Decimal) -> str:
    """What makes a sum agree: the amount that the likeliest row would need, where one stands out; adding, rejecting."""
    rest = "add the row that is missing" if delta > 0 else "reject the row that is too much"
    rest += ", or correct one."
    if items and _likely(items[0], delta) == 0 and (len(items) == 1 or _likely(items[1], delta) > 0):
        needed = plain(_amount(items[0].row) + delta)
        hint = f"Row {items[0].number + 1} with the amount {needed} would make the sum agree: compare it with the page."
        return f"{hint} Else {rest}"
    return rest[0].upper() + rest[1:]


def _explains(finding: Finding, scope: Scope) -> bool:
    """Whether the finding shows a line that the sum may lack."""
    if finding.kind == "total_differs":
        return checks.difference(scope) in finding.message
    return (scope.delta or ZERO) > 0 and (scope.scope != "page" or scope.page == finding.page)


def _causes(failing: list[Covering]) -> list[list[Covering]]:
    """Failing sums by cause: one page's, supplier's and the document's that differ by the same, the narrowest first."""
    groups: dict[tuple[str, Decimal | None], list[Covering]] = defaultdict(list)
    for covering in failing:
        groups[covering.scope.currency, covering.scope.delta].append(covering)
    found = []
    for group in groups.values():
        pages = [covering for covering in group if covering.scope.scope == "page"]
        if len(pages) > 1:
            found += [[covering] for covering in group]
        else:
            found.append(sorted(group, key=lambda one: checks.WIDTH[one.scope.scope]))
    return found


def _likely(item: Item, delta: Decimal) -> int:
    """How likely a row is the one that a sum fails for: the smaller the likelier."""
    if any(check.outcome == "failed" for check in item.row.checks):
        return 0
    if item.row.status == "review" and item.row.reasons != (UNPROVEN,):
        return 1
    if abs(_amount(item.row)) == abs(delta):
        return 2
    return 3 if item.row.status == "review" else 4


def _amount(row: Row) -> Decimal:
    value = row.value("amount") or ""
    try:
        return Decimal(value) if value else ZERO
    except ArithmeticError:
        return ZERO


def _joint(sha256: str, reasons: tuple[str, ...]) -> str:
    return hashlib.sha256("\0".join((sha256, *reasons)).encode()).hexdigest()[:16]


def _fix(reasons: tuple[str, ...]) -> str:
    if reasons == (UNPROVEN,):
        return "Compare the amounts with the page: nothing else witnesses them."
    return "Compare the row with the page: approve it, or correct what differs."


# ---------------------------------------------------------------- deciding


def decide(store: Store, now: Reviewed, choice: Choice) -> tuple[Decision, ...]:
    """Keep what a person decides; the decisions that were written, one for each finding."""
    targets = _targets(now, choice)
    parts = tuple(_checked(part, now.columns) for part in choice.parts)
    who = decisions.name(choice.who)
    made = []
    for mark, before in targets:
        last = now.sequence(mark.id)
        if choice.sequence is not None and len(targets) == 1:
            last = choice.sequence
        made.append(Decision(mark, last + 1, choice.action, who, parts, before))
    decisions.keep(store, made)
    return tuple(made)


def _targets(now: Reviewed, choice: Choice) -> list[tuple[Mark, str]]:
    """The findings that a choice is about, each with what was read there."""
    question = next((one for one in now.questions if one.id == choice.target), None)
    item = next((one for one in now.items if one.mark.id == choice.target), None)
    _fits(choice, question, item)
    if choice.action == "undo":
        return [_undone(now, choice.target)]
    if item:
        return [_item_target(now, item, choice.action)]
    if question is None:
        return [_rejected(now, choice)]
    match question.kind:
        case _ if choice.action == "add" and (question.missed or question.kind == "finding"):
            return [(Mark(now.sha256, "line", "", question.page, question.box), "")]
        case "sum" if choice.action == "add" and question.items:
            last = max(question.items, key=lambda one: one.number)
            return [(last.mark, "")]
        case "rows":
            return [(one.mark, row_words(one.row)) for one in question.items]
    return [(question.mark, "; ".join(question.why))]


def _fits(choice: Choice, question: Question | None, item: Item | None) -> None:
    """UsageError where the action cannot be done to this, or its values are too few or too many."""
    wanted = {"correct": 1, "add": 1, "split": 2}.get(choice.action, 0)
    if wanted == 2 and len(choice.parts) < 2:
        raise UsageError("A split needs the values of two rows or more: --value amount=100.00 --value amount=212.40")
    if wanted == 1 and (len(choice.parts) != 1 or not choice.parts[0]):
        raise UsageError(f"To {choice.action} a row, give its values once each: --value amount=312.40")
    if wanted == 0 and choice.parts:
        raise UsageError(f"To {choice.action} needs no values: leave --value out, or correct the row.")
    if item or question is None or choice.action in ("approve", "undo"):
        return
    if choice.action == "add" and (question.kind == "sum" or question.page):
        return
    if question.kind == "sum" and choice.action == "correct":
        if question.mark.box is None or {value.column for value in choice.parts[0]} != {"amount"}:
            raise UsageError(
                "Of a sum only the printed total can be corrected, with amount=…: here, decide one of its rows."
            )
        return
    rows = ", ".join(one.mark.id for one in question.items[:5])
    raise UsageError(f"This is no single row: decide one by its id{f' ({rows})' if rows else ''}.")


def _item_target(now: Reviewed, item: Item, action: Action) -> tuple[Mark, str]:
    made = now.standing.get(item.mark.id, ())
    if action in ("correct", "split") and any(one.action == "split" for one in made):
        raise UsageError("The row was split: undo that first, then split it as it is.")
    return item.mark, row_words(item.row)


def _rejected(now: Reviewed, choice: Choice) -> tuple[Mark, str]:
    """A finding that is not asked any more, such as a row that was rejected; it can be decided again."""
    made = now.standing.get(choice.target)
    if made is None:
        raise UsageError(f"There is no question {choice.target!r}. The open ones: pagewitness review list")
    return made[-1].mark, made[-1].before


def _undone(now: Reviewed, target: str) -> tuple[Mark, str]:
    made = now.standing.get(target)
    if not made:
        raise UsageError("There is nothing to undo: no decision stands here.")
    return made[-1].mark, made[-1].told


def _checked(part: Part, columns: Sequence[str]) -> Part:
    for value in part:
        if value.column not in columns:
            raise UsageError(f"There is no column {value.column!r}. There are: {', '.join(columns)}.")
        if value.column == "amount" and not value.value:
            raise UsageError("amount: a row needs one. Reject the row where it is none.")
    return tuple(Value(value.column, settled.plainly(value.column, value.value)) for value in part)


def row_words(row: Row) -> str:
    """A row's values on one line."""
    return "; ".join(f"{cell.column.replace('_', ' ')} {cell.value}" for cell in row.cells)
