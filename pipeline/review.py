"""A statement with what people decided of it, as the review queue has it.

Comes in: what a run found (`Book`), the decisions on the document. Goes out: `Reviewed`: the statement with what was
decided, judged anew, and the questions that are left (`causes`).
Refuses, as UsageError: decisions that do not fit the question, values that are no plain amount or date.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from pipeline import asked, causes, decisions, given, settled
from pipeline.amounts import plain
from pipeline.asked import Choice, Item, Question, Target
from pipeline.causes import Causes
from pipeline.decisions import Action, Decision, Mark, Part, Value
from pipeline.ledger import Ledger
from pipeline.model import Finding, Row, Scope, Statement, UsageError
from pipeline.profiles import StatementProfile
from pipeline.settled import STEP, Settled
from pipeline.statements import Book, Concluded, conclude

NAMING = ("invoice_number", "date", "description", "amount")  # of a row in a list of rows
CHANGES = ("correct", "split")
OWN = ("line", "total", given.TOTAL)  # kinds of marks besides rows that decisions on a statement are about
OF_A_ROW: tuple[Action, ...] = ("approve", "reject", "correct", "split", "add")


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

    @property
    def verdict(self) -> str:
        """What the reconciliation concludes."""
        return self.statement.reconciliation.action

    @property
    def follows(self) -> tuple[str, ...]:
        """The sums that differ, those by the same amount on one line; or that all agree."""
        return tuple(_differing(self.statement.reconciliation.scopes)) or ("all printed sums agree",)

    def targets(self, choice: Choice) -> Sequence[Target]:
        """The findings that a choice is about."""
        question, item = asked.find(self, choice.target)
        if choice.action == "add" and (item or question):
            return [self._place(choice, question, item)]
        if question and question.kind == "sum" and choice.action == "correct":
            _fits_total(question, choice.parts[0])
            if question.given:
                return [Target(question.given, "; ".join(question.why))]
        if any(one.action == "split" for one in self.standing.get(choice.target, ())) and choice.action in CHANGES:
            raise UsageError("The row was split: decide its parts by their own ids, or undo the split first.")
        return asked.usual(self, choice)

    def _place(self, choice: Choice, question: Question | None, item: Item | None) -> Target:
        """Where a row is added, or what a total is known by that is given."""
        if item or question is None:
            return asked.usual(self, choice)[0]
        if question.adds == "total":
            return Target(given.mark(self.sha256, self.checked(choice.parts[0], "add")), "")
        if question.kind == "sum" and question.items and not question.missed:
            return Target(max(question.items, key=lambda one: one.number).mark, "")
        if question.adds == "":
            return asked.usual(self, choice)[0]
        return Target(Mark(self.sha256, "line", "", question.page, question.box), "")

    def checked(self, part: Part, action: Action) -> Part:
        """Typed values in plain form."""
        known = (*self.columns, *given.COLUMNS) if action in ("add", "correct") else self.columns
        for value in part:
            if value.column not in known:
                raise UsageError(f"There is no column {value.column!r}. There are: {', '.join(self.columns)}.")
            if value.column == "amount" and not value.value:
                raise UsageError("amount: a row needs one. Reject the row where it is none.")
        return tuple(Value(value.column, settled.plainly(value.column, value.value)) for value in part)


def _fits_total(question: Question, part: Part) -> None:
    """UsageError where this is no correction of a printed total."""
    typed = {value.column for value in part}
    if question.given and typed <= {value.column for value in question.corrects}:
        return
    if question.mark.box is None or typed != {"amount"}:
        raise UsageError(
            "Of a sum only the printed total can be corrected, with amount=…: here, decide one of its rows."
        )


def _differing(scopes: Sequence[Scope]) -> list[str]:
    """Sums that differ, those by the same amount on one line."""
    groups: dict[tuple[Decimal, str], list[str]] = defaultdict(list)
    for scope in scopes:
        if scope.delta:
            name = scope.name if scope.scope == "page" else f"{scope.scope} {scope.name}".strip()
            groups[scope.delta, scope.currency].append(name)
    return [
        " ".join(
            filter(None, (f"{', '.join(names)}:", plain(abs(delta)), currency, "missing" if delta > 0 else "too much"))
        )
        for (delta, currency), names in groups.items()
    ]


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
    made = decisions.of_rows(made)
    standing = decisions.standing(made)
    waiting = settled.idle(made, standing)
    fitting = {
        finding: stack
        for finding, stack in standing.items()
        if finding not in waiting and (finding in on.known or _changes(stack))
    }
    result = settled.apply(book.ledger, on.known, fitting)
    further = (*book.findings, *_told(result, fitting))
    after = conclude(replace(book, ledger=result.ledger, findings=further), dict(result.checks))
    after = replace(after, statement=_without(after.statement, sha256, standing))
    columns = settled.columns(book.ledger)
    marks = {at * STEP: mark for at, mark in on.marks.items()} | dict(result.marks)
    ranks = [posting.at for posting in result.ledger.postings]
    rows = dict(zip(ranks, enumerate(after.statement.rows), strict=True))
    shown = tuple(name for name in columns if name in after.statement.columns)
    items = {at: _item(marks[at], number, row, (columns, shown)) for at, (number, row) in rows.items()}
    asking = Causes(sha256, result.ledger, items, after, _approved(standing), result.given)
    questions = asking.all(_profile(book))
    return Reviewed(sha256, after.statement, questions, tuple(items.values()), columns, tuple(made), standing)


def _profile(book: Book) -> StatementProfile:
    return StatementProfile(tolerance=book.tolerance, relative_tolerance=book.relative_tolerance)


def _item(mark: Mark, number: int, row: Row, columns: tuple[Sequence[str], Sequence[str]]) -> Item:
    """A row as it is asked; columns: all that can be typed, and those that every row shows."""
    usable, shown = columns
    values = tuple(Value(name, row.value(name) or "") for name in usable if name in shown or row.value(name))
    said = settled.decided_by(row) or ("in review" if row.status == "review" else "confirmed")
    named = (row.value(name) for name in NAMING)
    told = f"Row {number + 1}: {' · '.join(filter(None, named))} ({said})"
    box = row.box if row.box.height else None
    return Item(mark, number, row.page, box, told, values, row.status, row.reasons, actions=OF_A_ROW)


def _approved(standing: Mapping[str, Sequence[Decision]]) -> set[str]:
    return {finding for finding, made in standing.items() if any(one.action == "approve" for one in made)}


def _without(statement: Statement, sha256: str, standing: Mapping[str, Sequence[Decision]]) -> Statement:
    """The statement without the findings that a person approved, or gave the total of; sums that differ stay."""
    approved = _approved(standing)
    totalled = {one.mark.page for made in standing.values() for one in made if one.mark.kind == given.TOTAL}
    kept = tuple(
        one
        for one in statement.findings
        if one.kind in (*causes.OF_ROWS, *causes.OF_SUMS)
        or not (causes.known_by(one, sha256).id in approved or (one.kind == "total_unread" and one.page in totalled))
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
    """Whether they are about a row, or change one or a total; others settle a question, or are of another result."""
    return any(one.mark.kind == "row" or (one.mark.kind in OWN and one.action != "approve") for one in made)


def _told(result: Settled, standing: Mapping[str, Sequence[Decision]]) -> list[Finding]:
    """What decisions took away, which totals people gave or corrected, and which decisions fit nothing any more."""
    found = []
    for posting, decision in result.rejected:
        message = f"page {posting.page}: row {decision.told}: {decisions.words(settled.values(posting))}"
        found.append(Finding("rejected", "info", message, posting.page, posting.box))
    for decision in (one for made in standing.values() for one in made if one.mark.kind in (given.TOTAL, "total")):
        if decision.parts:
            mark, values = decision.mark, decisions.words(decision.parts[0])
            where = f"page {mark.page}: " if mark.page else ""
            what = f"{where}the printed total ({values}) was {'given' if decision.action == 'add' else 'corrected'}"
            message = f"{what} by {decision.who}, {decision.when}"
            found.append(Finding("total_decided", "info", message, mark.page, mark.box))
    for decision in result.lost:
        mark = decision.mark
        message = f"{f'page {mark.page}: ' if mark.page else ''}{decision.told}, but this run has nothing there: "
        message += decision.before or "decide it again"
        found.append(Finding(causes.LOST, "warning", message, mark.page, mark.box))
    return found
