"""What speaks against a statement as questions, those with one cause as one, the dearest first.

Comes in: the statement as people have it, its rows as items, what they approved. Goes out: `Question`s: a sum that
differs with the rows that it covers, the likeliest first; rows that lack the same witness together; each other finding,
with a total to be given where none was found. Nothing is decided here; `review` does.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from pipeline import asked, checks, given, settled
from pipeline.amounts import plain
from pipeline.asked import Item, Question
from pipeline.decisions import Mark, Part, Value
from pipeline.given import Given
from pipeline.ledger import Ledger
from pipeline.model import Finding, Row, Scope
from pipeline.profiles import StatementProfile
from pipeline.statements import UNPROVEN, Concluded
from pipeline.sums import Covering

ZERO = Decimal(0)
LISTED = 40  # rows of a sum that are listed behind those in review
MISSED = "line_missed"
LOST = "decision_lost"
FIXES = {
    MISSED: "Add the row that the line is, or approve this where it is none.",
    LOST: "Decide the row again, or approve this to let the decision go.",
    "no_rows": "Add the rows as the pages have them, or name the columns in the profile's synonyms and extract anew.",
    "no_total": "Give the printed total if the pages have one. Approving settles the question, not the verdict.",
    "total_unread": "Give the total as the page prints it, or approve this where it is none.",
}
OF_ROWS = ("row", "rows", "total_differs")  # findings that are asked as rows and sums
OF_TOTALS = ("no_total", "total_unread")  # findings that a printed total settles which a person gives
OF_SUMS = ("no_total", "no_rows", "totals_contradict", "subtotal_differs")  # no word of a person makes these agree


def known_by(finding: Finding, sha256: str) -> Mark:
    """What a finding is known by that is about no row and no sum."""
    return Mark(sha256, finding.kind, "" if finding.box else finding.message, finding.page, finding.box)


@dataclass(frozen=True)
class Causes:
    """What questions are made from: rows by their rank, the statement, what a person approved, totals they gave."""

    sha256: str
    ledger: Ledger
    items: Mapping[int, Item]
    after: Concluded
    approved: set[str]
    given: Sequence[Given] = ()

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
        total = settled.total_of(self.ledger, covering)
        typed = next((one for one in self.given if one.total == total), None)
        return Question(
            mark.id, "sum", mark, f"The sum of {named} differs", tuple(why), self._mending(items, delta),
            abs(delta), scope.currency, page, box, tuple(items[: max(review, LISTED)]),
            actions=("approve", "add", "correct") if mark.box or typed else ("approve", "add"),
            adds="row", blanks=self._blanks(), missed=line is not None,
            given=typed.mark if typed else None, corrects=typed.part if typed else (),
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
        columns = self.after.statement.columns if self.items else settled.columns(self.ledger)
        return tuple(Value(column, "") for column in columns)

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
        mark = known_by(finding, self.sha256)
        if finding.kind in OF_ROWS or mark.id in self.approved:
            return None
        fix = FIXES.get(finding.kind, "Approve it where the rows are right all the same.")
        if finding.kind in OF_SUMS and finding.kind not in FIXES:
            fix = "Compare the totals with the page. Approving settles the question, not the verdict."
        stake = ZERO if finding.kind in (MISSED, LOST) else self._stake(self.items.values())
        if finding.kind == "no_rows":
            finding = replace(finding, page=1)  # where one looks first
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
        blanks = tuple(Value(column, about.get(column, "")) for column in given.columns(self.ledger))
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
