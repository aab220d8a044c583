"""What the review queue asks, whatever kind of result it is about, and what a person decides of it.

A kind of result (rows of a statement, fields of invoices, values of a verified extraction) joins the queue by giving a
`Judged`: the result of one document with the decisions on it, as `Question`s with `Item`s. It is frozen, and made anew
after each decision. `docket.cases` gathers them; the page Review and `review list` draw them without knowing of kinds.

What a new kind writes:
    1. a frozen dataclass with the attributes of `Judged`; each `Item` known by a `Mark` that a later run gives again
       (sha256, kind, field, page, box around its words), so that decisions survive reruns;
    2. a function (result, decisions) → that dataclass, which puts decided values in place of those read;
    3. its line in `docket.results` and `docket._judged`.
Refuses, as UsageError: choices that fit nothing that is asked; as Overtaken: what somebody decided meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, NamedTuple, Protocol

from pipeline import decisions
from pipeline.decisions import Action, Decision, Mark, Part
from pipeline.model import Box, Status, UsageError
from pipeline.store import Store

Adds = Literal["", "row", "total", "field"]
NEEDED = {"correct": 1, "add": 1, "split": 2}  # rows of values that an action takes


class Read(NamedTuple):
    """What one reader saw; `by` names it in words, such as `text layer` or `second reader, on the crop`."""

    by: str
    text: str


@dataclass(frozen=True)
class Item:
    """One thing that is decided by itself: a row, a field, a value.

    number: its place in the result, from 0; page, box: where it stands, box None where it stands nowhere; told: what it
    is, on one line; values: what can be typed for it, as it is now (empty: nothing); reads: what each reader saw, none
    where the value itself says it; reasons: why it is in review, in words; actions: what can be done with it.
    """

    mark: Mark
    number: int
    page: int
    box: Box | None
    told: str
    values: Part
    status: Status
    reasons: tuple[str, ...] = ()
    reads: tuple[Read, ...] = ()
    actions: tuple[Action, ...] = ("approve", "reject", "correct")

    def value(self, column: str) -> str:
        """What stands in a column now; empty where nothing does."""
        return dict(self.values).get(column, "")

    @property
    def words(self) -> str:
        """Its values on one line, as a decision keeps what it was before."""
        return decisions.words(self.values)


@dataclass(frozen=True)
class Question:
    """One cause, whatever it speaks against.

    kind: of this kind of result; cause: the question in a few words; why: what was found, a line each; fix: what
    settles it; stake: the amount that depends on it, 0 where none does; page, box: where to look; items: what is
    concerned, the likeliest first; each: approving the question approves every item; actions: what can be done with
    the question itself; adds: what `add` brings; blanks: what can be typed for that, prefilled; missed: at the box
    stands what is in no item, so look there; given: what a person said it is held against, which `correct` replaces;
    corrects: what can be typed for that, as it stands.
    """

    id: str
    kind: str
    mark: Mark
    cause: str
    why: tuple[str, ...]
    fix: str
    stake: Decimal
    currency: str
    page: int | None
    box: Box | None
    items: tuple[Item, ...] = ()
    each: bool = False
    actions: tuple[Action, ...] = ("approve",)
    adds: Adds = ""
    blanks: Part = ()
    missed: bool = False
    given: Mark | None = None
    corrects: Part = ()


@dataclass(frozen=True)
class Choice:
    """What a person decides. target: the id of a question, an item or a decision; sequence: what they saw decided
    last, or None for what is decided now.
    """

    target: str
    action: Action
    parts: tuple[Part, ...] = ()
    who: str = ""
    sequence: int | None = None


class Target(NamedTuple):
    """A finding that a choice is about, and what it was before, in words."""

    mark: Mark
    before: str


class Judged(Protocol):
    """The result of a document with its decisions. made: all of them; standing: by finding, those that no undo took
    back; verdict: `auto_import`, `human_review` or the like; follows: what is still wrong, a line each.
    """

    @property
    def sha256(self) -> str: ...
    @property
    def questions(self) -> tuple[Question, ...]: ...
    @property
    def items(self) -> tuple[Item, ...]: ...
    @property
    def made(self) -> tuple[Decision, ...]: ...
    @property
    def standing(self) -> Mapping[str, tuple[Decision, ...]]: ...
    @property
    def verdict(self) -> str: ...
    @property
    def follows(self) -> tuple[str, ...]: ...

    def targets(self, choice: Choice) -> Sequence[Target]:
        """The findings that a choice is about; `usual` gives them where a kind needs nothing else."""

    def checked(self, part: Part, action: Action) -> Part:
        """Typed values in plain form; UsageError where one is none, or the column is not known."""


def sequence(now: Judged, finding: str) -> int:
    """The last sequence of a finding, 0 where nothing was decided."""
    return decisions.sequences(now.made).get(finding, 0)


def place(question: Question, item: Item | None) -> tuple[int | None, Box | None]:
    """Where to look: at the item, unless it stands nowhere, or at a line that is in none."""
    if item and item.box and not question.missed:
        return item.page, item.box
    return question.page, question.box


def find(now: Judged, target: str) -> tuple[Question | None, Item | None]:
    """The question or item with that id."""
    question = next((one for one in now.questions if one.id == target), None)
    return question, next((one for one in now.items if one.mark.id == target), None)


def decide(store: Store, now: Judged, choice: Choice) -> tuple[Decision, ...]:
    """Keep what a person decides; the decisions that were written, one for each finding."""
    made = decided(now, choice)
    decisions.keep(store, made)
    return made


def decided(now: Judged, choice: Choice) -> tuple[Decision, ...]:
    """What a choice would write, one decision for each finding."""
    _counted(choice)
    targets = now.targets(choice)
    parts = tuple(now.checked(part, choice.action) for part in choice.parts)
    who = decisions.name(choice.who)
    made = []
    for mark, before in targets:
        seen = choice.sequence if choice.sequence is not None and len(targets) == 1 else sequence(now, mark.id)
        made.append(Decision(mark, seen + 1, choice.action, who, parts, before))
    return tuple(made)


def _counted(choice: Choice) -> None:
    """UsageError where the values are too few or too many for the action."""
    wanted, action = NEEDED.get(choice.action, 0), choice.action
    if wanted == 2 and len(choice.parts) < 2:
        raise UsageError("A split needs the values of two rows or more: --value amount=100.00 --value amount=212.40")
    if wanted == 1 and (len(choice.parts) != 1 or not choice.parts[0]):
        raise UsageError(f"To {action} a row, give its values once each: --value amount=312.40")
    if wanted == 0 and choice.parts:
        raise UsageError(f"To {action} needs no values: leave --value out, or correct the row.")


def usual(now: Judged, choice: Choice) -> list[Target]:
    """The findings that a choice is about, where it needs nothing that only its kind knows."""
    question, item = find(now, choice.target)
    if choice.action == "undo":
        return [_undone(now, choice.target)]
    if item:
        if choice.action not in (*item.actions, "add"):
            raise UsageError(f"Here {choice.action} does nothing. What does: {', '.join(item.actions)}.")
        return [Target(item.mark, item.words)]
    if question is None:
        return [_again(now, choice.target)]
    if choice.action not in question.actions:
        raise UsageError(_no_single(question))
    if question.each:
        return [Target(one.mark, one.words) for one in question.items]
    return [Target(question.mark, "; ".join(question.why))]


def _no_single(question: Question) -> str:
    ids = ", ".join(one.mark.id for one in question.items[:5])
    return f"This is no single row: decide one by its id{f' ({ids})' if ids else ''}."


def _undone(now: Judged, target: str) -> Target:
    made = now.standing.get(target)
    if not made:
        raise UsageError("There is nothing to undo: no decision stands here.")
    return Target(made[-1].mark, made[-1].told)


def _again(now: Judged, target: str) -> Target:
    """A finding that is not asked any more, such as a row that was rejected; it can be decided again."""
    made = now.standing.get(target)
    if made is None:
        raise UsageError(f"There is no question {target!r}. The open ones: pagewitness review list")
    return Target(made[-1].mark, made[-1].before)
