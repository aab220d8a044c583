"""The review queue of a statement: what a person must see, as questions, the dearest first; and their decisions.

Comes in: what a run found (`Book`), the decisions on the document. Goes out: `Reviewed`: the statement with what was
decided, judged anew, and the questions that are left. Findings with one cause are one question: a sum that differs
is asked with the rows that it covers, rows that lack the same witness together; a total that was not found can be
given. Refuses, as UsageError: decisions that do not fit the question, values that are no plain amount or date.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from pipeline import asked, checks, decisions, settled
from pipeline.amounts import plain
from pipeline.asked import Choice, Item, Question, Target
from pipeline.decisions import Action, Decision, Mark, Part, Value
from pipeline.ledger import Ledger
from pipeline.model import Finding, Row, Scope, Statement, UsageError
from pipeline.profiles import StatementProfile
from pipeline.settled import STEP, Settled
from pipeline.statements import UNPROVEN, Book, Concluded, conclude
from pipeline.sums import Covering

ZERO = Decimal(0)
NAMING = ("invoice_number", "date", "description", "amount")  # of a row in a list of rows
CHANGES = ("correct", "split")
OWN = ("line", "total", settled.GIVEN)  # kinds of marks besides rows that decisions on a statement are about
OF_A_ROW: tuple[Action, ...] = ("approve", "reject", "correct", "split", "add")
LISTED = 40  # rows of a sum that are listed behind those in review
MISSED = "line_missed"
LOST = "decision_lost"
FIXES = {
    MISSED: "Add the row that the line is, or approve this where it is none.",
    LOST: "Decide the row again, or approve this to let the decision go.",
    "no_total": "Give the printed total if the pages have one. Approving settles the question, not the verdict.",
    "total_unread": "Give the total as the page prints it, or approve this where it is none.",
}
OF_ROWS = ("row", "rows", "total_differs")  # findings that are asked as rows and sums
OF_TOTALS = ("no_total", "total_unread")  # findings that a printed total settles which a person gives
OF_SUMS = ("no_total", "no_rows", "totals_contradict", "subtotal_differs")  # no word of a person makes these agree


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
        if any(one.action == "split" for one in self.standing.get(choice.target, ())) and choice.action in CHANGES:
            raise UsageError("The row was split: decide its parts by their own ids, or undo the split first.")
        return asked.usual(self, choice)

    def _place(self, choice: Choice, question: Question | None, item: Item | None) -> Target:
        """Where a row is added, or what a total is known by that is given."""
        if item or question is None:
            return asked.usual(self, choice)[0]
        if question.adds == "total":
            return Target(settled.given_mark(self.sha256, self.checked(choice.parts[0], "add")), "")
        if question.kind == "sum" and question.items and not question.missed:
            return Target(max(question.items, key=lambda one: one.number).mark, "")
        if question.adds == "":
            return asked.usual(self, choice)[0]
        return Target(Mark(self.sha256, "line", "", question.page, question.box), "")

    def checked(self, part: Part, action: Action) -> Part:
        """Typed values in plain form."""
        known = (*self.columns, *settled.OF_TOTALS) if action == "add" else self.columns
        for value in part:
            if value.column not in known:
                raise UsageError(f"There is no column {value.column!r}. There are: {', '.join(self.columns)}.")
            if value.column == "amount" and not value.value:
                raise UsageError("amount: a row needs one. Reject the row where it is none.")
        return tuple(Value(value.column, settled.plainly(value.column, value.value)) for value in part)


def _fits_total(question: Question, part: Part) -> None:
    """UsageError where this is no correction of a printed total."""
    if question.mark.box is None or {value.column for value in part} != {"amount"}:
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
    queue = _Queue(sha256, result.ledger, items, after, _approved(standing))
    questions = queue.all(_profile(book))
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
    given = {one.mark.page for made in standing.values() for one in made if one.mark.kind == settled.GIVEN}
    kept = tuple(
        one
        for one in statement.findings
        if one.kind in (*OF_ROWS, *OF_SUMS)
        or not (_finding_mark(one, sha256).id in approved or (one.kind == "total_unread" and one.page in given))
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
    for decision in (one for made in standing.values() for one in made if one.mark.kind in (settled.GIVEN, "total")):
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
        found.append(Finding(LOST, "warning", message, mark.page, mark.box))
    return found


def _finding_mark(finding: Finding, sha256: str) -> Mark:
    """What a finding is known by that is about no row and no sum."""
    return Mark(sha256, finding.kind, "" if finding.box else finding.message, finding.page, finding.box)


# ---------------------------------------------------------------- questions


@dataclass(frozen=True)
class _Queue:
    """What questions are made from: rows by their rank, the statement, and what a person approved."""

    sha256: str
    ledger: Ledger
    items: Mapping[int, Item]
    after: Concluded
    approved: set[str]

    def all(self, profile: StatementProfile) -> tuple[Question, ...]:
        """All questions, the dearest first."""
        coverings, findings = self.after.coverings, self.after.statement.findings
        failing = [one for one in coverings if one.scope.printed is not None and not checks.closes(one.scope, profile)]
        lines = [one for one in findings if one.kind in ("total_differs", MISSED) and one.box]
        sums = [question for group in _causes(failing) if (question := self._sum(group, lines))]
        taken = {item.number for question in sums for item in question.items}
        left = [item for item in self.items.values() if item.status == "review" and item.number not in taken]
        told = {line for question in sums for line in question.why}
        others = [self._finding(one) for one in findings if one.severity != "info" and one.message not in told]
        found = [*sums, *self._rows(left), *(question for question in others if question)]
        return tuple(sorted(found, key=lambda one: (-one.stake, one.page or 0, one.id)))

    def _row(self, item: Item) -> Row:
        return self.after.statement.rows[item.number]

    def _stake(self, items: Iterable[Item]) -> Decimal:
        return sum((abs(_amount(self._row(item))) for item in items), ZERO)

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
        items = sorted(
            (self.items[at] for at in covering.rows), key=lambda one: (_likely(self._row(one), delta), one.number)
        )
        review = sum(item.status == "review" for item in items)
        return Question(
            mark.id, "sum", mark, f"The sum of {named} differs", tuple(why), self._mending(items, delta),
            abs(delta), scope.currency, page, box, tuple(items[: max(review, LISTED)]),
            actions=("approve", "add", "correct") if mark.box else ("approve", "add"),
            adds="row", blanks=self._blanks(), missed=line is not None,
        )  # fmt: skip

    def _mending(self, items: Sequence[Item], delta: Decimal) -> str:
        """What makes a sum agree: the amount that the row in doubt would need, where it is one; adding, rejecting."""
        rest = "add the row that is missing" if delta > 0 else "reject the row that is too much"
        rest += ", or correct one."
        doubted = [row for item in items[:2] if _likely(row := self._row(item), delta) == 0]
        if len(doubted) != 1:
            return rest[0].upper() + rest[1:]
        needed = plain(_amount(doubted[0]) + delta)
        hint = f"Row {items[0].number + 1} with the amount {needed} would make the sum agree: compare it with the page."
        return f"{hint} Else {rest}"

    def _blanks(self) -> Part:
        """What can be typed for a row that is added."""
        return tuple(Value(column, "") for column in self.after.statement.columns)

    def _rows(self, items: list[Item]) -> list[Question]:
        """Rows in review outside such sums; those with the same reasons are one question."""
        causes: dict[tuple[str, ...], list[Item]] = defaultdict(list)
        for item in items:
            causes[item.reasons].append(item)
        return [self._for_one_reason(reasons, group) for reasons, group in causes.items()]

    def _for_one_reason(self, reasons: tuple[str, ...], group: list[Item]) -> Question:
        first, alone = group[0], len(group) == 1
        cause = f"A row on page {first.page}" if alone else f"{len(group)} rows for one reason"
        return Question(
            first.mark.id if alone else _joint(self.sha256, reasons), "rows", first.mark, cause, reasons, _fix(reasons),
            self._stake(group), self._row(first).currency, first.page, first.mark.box, tuple(group),
            each=True, blanks=self._blanks(),
        )  # fmt: skip

    def _finding(self, finding: Finding) -> Question | None:
        mark = _finding_mark(finding, self.sha256)
        if finding.kind in OF_ROWS or mark.id in self.approved:
            return None
        fix = FIXES.get(finding.kind, "Approve it where the rows are right all the same.")
        if finding.kind in OF_SUMS and finding.kind not in FIXES:
            fix = "Compare the totals with the page. Approving settles the question, not the verdict."
        stake = ZERO if finding.kind in (MISSED, LOST) else self._stake(self.items.values())
        adds: asked.Adds = "total" if finding.kind in OF_TOTALS else "row" if finding.page else ""
        question = Question(
            mark.id, "finding", mark, finding.kind.replace("_", " ").capitalize(), (finding.message,), fix, stake, "",
            finding.page, finding.box, actions=("approve", "add") if adds else ("approve",), adds=adds,
            blanks=self._blanks(),
        )  # fmt: skip
        return self._for_total(question) if adds == "total" else question

    def _for_total(self, question: Question) -> Question:
        """The question with what can be typed for a total that is given, its page and currency as is likeliest; where
        no page is to blame, one looks below the last row.
        """
        rows = self.after.statement.rows
        currencies = {row.currency for row in rows}
        if question.page is None and rows:
            question = replace(question, page=rows[-1].page, box=rows[-1].box, missed=True)
        about = {"page": str(question.page or 1), "currency": currencies.pop() if len(currencies) == 1 else ""}
        blanks = tuple(Value(column, about.get(column, "")) for column in settled.columns_of_total(self.ledger))
        return replace(question, blanks=blanks)


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


def _likely(row: Row, delta: Decimal) -> int:
    """How likely a row is the one that a sum fails for: the smaller the likelier."""
    if any(check.outcome == "failed" for check in row.checks):
        return 0
    if row.status == "review" and row.reasons != (UNPROVEN,):
        return 1
    if abs(_amount(row)) == abs(delta):
        return 2
    return 3 if row.status == "review" else 4


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
