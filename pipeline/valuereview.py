"""The review queue of verified values: each that the page does not bear out as a question, and what people decided.

Comes in: what `verify` found of values that somebody made (`send` keeps it), the decisions on the document. Goes out:
`JudgedValues`: the values as people have them, and the questions that are left. Values of one column that fail for one
reason are one question. Refuses, as UsageError: values that are none of their type; as Overtaken: what somebody decided
meanwhile.
A decision is about a value at its path in its place: another value there is asked about anew.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, lru_cache

from pipeline import asked, decisions, settled, valuestore, verifiedfiles
from pipeline.asked import Choice, Item, Question, Read, Target
from pipeline.decisions import VALUE, Action, Decision, Mark, Part
from pipeline.leaves import DATE_TEXT, Path, Value as Plain
from pipeline.model import Source, UsageError
from pipeline.store import Store
from pipeline.verify import Verdict, Verified
from pipeline.witness import begins

MISSING = f"{VALUE} missing"  # the kind of marks of rows that the values lack
MONEY = ("amount", "total", "price", "sum", "net", "gross", "tax", "vat", "debit", "credit", "balance", "due", "paid")
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
ZERO = Decimal(0)

Cause = tuple[Path, str]  # a column and why its values fail


@dataclass(frozen=True)
class Ground:
    """Values before any decision, with what is asked of them: made once for what was sent.

    marks, items: of each value; causes: of each column and reason the numbers of its values; asked: its question.
    """

    sha256: str
    name: str
    found: Verified
    marks: tuple[Mark, ...]
    items: tuple[Item, ...]
    causes: Mapping[Cause, tuple[int, ...]]
    asked: Mapping[Cause, Question]
    numbers: Mapping[str, int]


@dataclass(frozen=True)
class JudgedValues:
    """Values with the decisions on them, as `asked.Judged` has it. decided: those that a person settled, by number;
    gone: those that a person rejected.
    """

    on: Ground
    decided: Mapping[int, Verdict]
    gone: Mapping[int, Verdict]
    made: tuple[Decision, ...]
    standing: Mapping[str, tuple[Decision, ...]]

    @property
    def sha256(self) -> str:
        """The document."""
        return self.on.sha256

    @property
    def name(self) -> str:
        """What the values were sent under."""
        return self.on.name

    @cached_property
    def verified(self) -> Verified:
        """The values as people have them, without those that they rejected."""
        kept = ((number, one) for number, one in enumerate(self.on.found.values) if number not in self.gone)
        missing = (one for one in self.on.found.missing if _missing_mark(self.sha256, one).id not in self.standing)
        return Verified(tuple(self.decided.get(number, one) for number, one in kept), tuple(missing))

    @property
    def rejected(self) -> tuple[Verdict, ...]:
        """The values that were rejected; the reason says by whom."""
        return tuple(self.gone.values())

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What each value of `verified` is known by."""
        return tuple(mark for number, mark in enumerate(self.on.marks) if number not in self.gone)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """Every value that was not rejected, in the order of the JSON."""
        return tuple(
            _item(number, self.decided[number], item.mark) if number in self.decided else item
            for number, item in enumerate(self.on.items)
            if number not in self.gone
        )

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """What is in review, the dearest first."""
        settled = self.decided.keys() | self.gone.keys()
        found = []
        for cause, numbers in self.on.causes.items():
            left = [self.on.items[number] for number in numbers if number not in settled]
            if left:
                whole = len(left) == len(numbers)
                found.append(self.on.asked[cause] if whole else _question((self.sha256, self.name), cause, left))
        found += [_of_missing(self.sha256, one) for one in self.verified.missing]
        return tuple(sorted(found, key=lambda one: (-one.stake, one.page or 0, one.id)))

    @property
    def verdict(self) -> str:
        """Whether anything is left for a person."""
        return "human_review" if self.questions else "auto_import"

    @property
    def follows(self) -> tuple[str, ...]:
        """How many values are in review, or that none is."""
        left = self.verified.count("review")
        return (f"{left} values in review" if left else "no value is in review",)

    def targets(self, choice: Choice) -> Sequence[Target]:
        """The values that a choice is about."""
        return asked.usual(self, choice)

    def checked(self, part: Part, action: Action) -> Part:
        """The one typed value in plain form, under the value's own name."""
        if len(part) != 1:
            raise UsageError("Give one value: --value total=1847.00")
        [(column, text)] = part
        named = [name for name in self.on.numbers if name == column] or self._likely(column)
        if len(named) != 1:
            raise UsageError(f"There is no value {column[:60]!r}.")
        value = self.on.found.values[self.on.numbers[named[0]]].value
        return (decisions.Value(named[0], _plainly(value, text)),)

    def _likely(self, column: str) -> list[str]:
        """The names that are the same but for capitals and spaces, as commands take names of columns."""
        return [name for name in self.on.numbers if name.lower().replace(" ", "_") == column]


def _question(whose: tuple[str, str], cause: Cause, items: Sequence[Item]) -> Question:
    """What is asked of values of one column that fail for one reason."""
    (sha256, name), (column, reason), first = whose, cause, items[0]
    ids = "\0".join((sha256, VALUE, json.dumps(list(column)), reason))
    alone = len(items) == 1
    named = first.values[0].column if alone else f"{len(items)} values of {verifiedfiles.named(column)} for one reason"
    return Question(
        first.mark.id if alone else hashlib.sha256(ids.encode()).hexdigest()[:16], "value", first.mark,
        f"{named}, of {name}", (reason,), "Compare it with the page: approve it, or correct what differs.",
        max(_stake(column, item.values[0].value) for item in items), "",
        first.page if first.box else None, first.box, tuple(items), each=True,
    )  # fmt: skip


def send(store: Store, sha256: str, name: str, verified: Verified) -> JudgedValues:
    """Put what is in review of some values into the queue, under a name such as that of their file."""
    name = decisions.name(name)
    valuestore.save(store, sha256, name, verified)
    return reviewed(sha256, name, verified, decisions.of(store, sha256))


def of(store: Store, sha256: str, name: str) -> JudgedValues | None:
    """What was sent under the name, with the decisions on it; None where nothing was."""
    found = valuestore.of(store, sha256, name)
    return reviewed(sha256, name, found, decisions.of(store, sha256)) if found else None


def reviewed(sha256: str, name: str, found: Verified, made: Sequence[Decision]) -> JudgedValues:
    """The values as people have them, and what is left to ask."""
    made = decisions.of_values(made)
    standing = decisions.standing(made)
    on = _ground(sha256, name, _Same(found))
    decided, gone = {}, {}
    for number, mark in enumerate(on.marks):
        if stack := standing.get(mark.id):
            verdict = found.values[number]
            if stack[-1].action == "reject":
                gone[number] = replace(verdict, reason=stack[-1].told)
            else:
                decided[number] = _settled(verdict, stack)
    return JudgedValues(on, decided, gone, made, standing)


class _Same:
    """Values that are known by being the same object, which is quick to compare."""

    def __init__(self, found: Verified) -> None:
        self.found = found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.found is other.found

    def __hash__(self) -> int:
        return id(self.found)


@lru_cache(maxsize=4)
def _ground(sha256: str, name: str, values: _Same) -> Ground:
    found = values.found
    marks = tuple(mark_of(sha256, verdict) for verdict in found.values)
    pairs = enumerate(zip(found.values, marks, strict=True))
    items = tuple(_item(number, verdict, mark) for number, (verdict, mark) in pairs)
    causes: dict[Cause, list[int]] = defaultdict(list)
    for number, verdict in enumerate(found.values):
        if verdict.status == "review":
            causes[_column(verdict.path), verdict.reason].append(number)
    asking = {
        cause: _question((sha256, name), cause, [items[number] for number in numbers])
        for cause, numbers in causes.items()
    }
    numbers = {item.values[0].column: number for number, item in enumerate(items)}
    held = {cause: tuple(numbers) for cause, numbers in causes.items()}
    return Ground(sha256, name, found, marks, items, held, asking, numbers)


def mark_of(sha256: str, verdict: Verdict) -> Mark:
    """What a value is known by: its path, itself, and where it stands."""
    place = begins(verdict.source)
    field = f"{json.dumps(list(verdict.path), ensure_ascii=False)} = {verifiedfiles.plain(verdict.value)}"
    return Mark(sha256, VALUE, field, place.page if place else None, place.box if place else None)


def _missing_mark(sha256: str, one: Source) -> Mark:
    place = begins(one)
    return Mark(
        sha256, MISSING, "" if place else one.quote, place.page if place else None, place.box if place else None
    )


def _settled(verdict: Verdict, made: Sequence[Decision]) -> Verdict:
    """The value as a person has it, with the last correction."""
    given = [one.parts[0][0].value for one in made if one.action == "correct"]
    value = _typed(verdict.value, given[-1]) if given else verdict.value
    return replace(verdict, value=value, status="confirmed", reason=made[-1].told)


def _item(number: int, verdict: Verdict, mark: Mark) -> Item:
    name, text = verifiedfiles.named(verdict.path), verifiedfiles.plain(verdict.value)
    printed = Read("printed in its place" if verdict.source.match == "missing" else "the page", verdict.source.quote)
    reads = (Read("the values", text), printed) if verdict.source.quote else ()
    reasons = (verdict.reason,) if verdict.reason else ()
    values = (decisions.Value(name, text),)
    return Item(mark, number, mark.page or 1, mark.box, f"{name}: {text}", values, verdict.status, reasons, reads)


def _of_missing(sha256: str, one: Source) -> Question:
    mark = _missing_mark(sha256, one)
    return Question(
        mark.id, "missing", mark, "A line looks like a row that the values lack", (one.quote,),
        "Add the row to the values and send them again, or approve this where the line is none.", ZERO, "",
        mark.page, mark.box, missed=True,
    )  # fmt: skip


def _column(path: Path) -> Path:
    """The path without the number of its row."""
    return tuple(step for step in path if isinstance(step, str))


def _stake(column: Path, text: str) -> Decimal:
    """The amount that a value is, where it is one by its name, or has cents."""
    if not NUMBER.fullmatch(text):
        return ZERO
    value, name = Decimal(text), str(column[-1]).casefold() if column else ""
    has_cents = -int(value.as_tuple().exponent) == 2
    return abs(value) if has_cents or any(word in name for word in MONEY) else ZERO


def _plainly(value: Plain, text: str) -> str:
    """What was typed in place of a value, in the plain form of its type."""
    text = " ".join(text.split())
    if not text:
        raise UsageError("Type the value as the page has it, or reject it where the page has none.")
    match value:
        case bool():
            if text.casefold() not in ("true", "false"):
                raise UsageError(f"“{text[:40]}” is neither true nor false.")
            return text.casefold()
        case Decimal():
            return settled.plainly("amount", text)
        case _ if DATE_TEXT.fullmatch(value):
            return settled.plainly("date", text)
    return text


def _typed(like: Plain, text: str) -> Plain:
    """What was typed, as the type of what it takes the place of."""
    if isinstance(like, bool):
        return text == "true"
    return Decimal(text) if isinstance(like, Decimal) else text
