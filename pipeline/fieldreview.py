"""The review queue of invoices: each field that is not confirmed as a question, and what people decided of fields.

Comes in: the `Invoices` of a document as a run found them, the profile's field part, the decisions on the document.
Goes out: `JudgedFields`: the fields as people have them, checked anew, and the questions that are left. Fields of one
invoice that lack the same witness are one question. Refuses, as UsageError: values that are no plain amount or date, a
column that is not the field's; as Overtaken: what somebody decided meanwhile.
A decision on a field counts where the field stands: the same words on the same place, whichever run read them. What a
person gave for a field counts, too, where a later run reads it elsewhere. Those on other kinds of results, such as the
rows of a statement, are left alone.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from pipeline import asked, decisions, fieldnames, invoices, labels, settled
from pipeline.asked import Choice, Item, Question, Read, Target
from pipeline.decisions import Action, Decision, Mark, Part, Value
from pipeline.model import Box, Check, Field, Finding, Invoices, Place, UsageError, around
from pipeline.profiles import FieldProfile

PERSON = invoices.PERSON
FIELD = decisions.FIELD
FINDING = f"{FIELD} finding: "  # how the marks of findings begin
GIVEN = f"{FIELD} given"  # the kind of marks of fields that people give where none was read
PLACE = "place"  # the column that says where such a field stands, as `told_places` has it
INVOICE = "invoice "  # how the target of a choice begins that is about an invoice, not about a question
LOST = "decision_lost"
DEAR = ("iban", "payment_reference", "invoice_number", "supplier_tax_id", "buyer_tax_id", "currency", "due_date")
FIXES = {LOST: "Decide the field again, or approve this to let the decision go."}
ZERO = Decimal(0)


@dataclass(frozen=True)
class JudgedFields:
    """The fields of a document with the decisions on them, as `asked.Judged` has it. marks: of each field."""

    sha256: str
    invoices: Invoices
    marks: tuple[Mark, ...]
    profile: FieldProfile
    made: tuple[Decision, ...]
    standing: Mapping[str, tuple[Decision, ...]]

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """Every field, in reading order."""
        pairs = zip(self.invoices.fields, self.marks, strict=True)
        return tuple(_item(number, field, mark) for number, (field, mark) in enumerate(pairs))

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """What is in review, the dearest first."""
        causes: dict[tuple[int, tuple[str, ...]], list[Item]] = defaultdict(list)
        told = {one.message for one in self.invoices.findings}
        for item, field in zip(self.items, self.invoices.fields, strict=True):
            if field.status == "review" and not (field.reasons and told.issuperset(field.reasons)):
                causes[field.invoice, field.reasons].append(item)
        found = [self._of_fields(invoice, reasons, items) for (invoice, reasons), items in causes.items()]
        found += [self._of_finding(one) for one in self.invoices.findings if one.severity != "info"]
        return tuple(sorted(map(self._adding, found), key=lambda one: (-one.stake, one.page or 0, one.id)))

    @property
    def verdict(self) -> str:
        """Whether anything is left for a person."""
        return "human_review" if self.questions else "auto_import"

    @property
    def follows(self) -> tuple[str, ...]:
        """The checks that fail, a line each."""
        failed = (
            f"invoice {field.invoice}: {check.detail}"
            for field in self.invoices.fields
            for check in field.checks
            if check.outcome == "failed"
        )
        return tuple(dict.fromkeys(failed)) or ("no check fails",)

    def targets(self, choice: Choice) -> Sequence[Target]:
        """The fields that a choice is about."""
        question, item = asked.find(self, choice.target)
        if choice.action == "add" and choice.target.startswith(INVOICE):
            number = choice.target.removeprefix(INVOICE)
            return [self._given(int(number) if number.isdecimal() else 0, choice.parts[0])]
        if question and choice.action == "add":
            return [self._given(self._invoice(question), choice.parts[0])]
        if item and choice.action == "correct" and item.values[0].column != (name := choice.parts[0][0].column):
            wanted = item.values[0].column
            raise UsageError(f"This is the field {wanted}, not {name[:40]!r}: correct it with --value {wanted}=…")
        return asked.usual(self, choice)

    def checked(self, part: Part, action: Action) -> Part:
        """The one typed value in plain form, under the field's own name; of one that is added, where it stands, too."""
        values = [one for one in part if one.column != PLACE or action != "add"]
        if len(values) != 1:
            raise UsageError("Give one value for the field: --value gross_total=1847.00")
        [(name, text)] = values
        told = told_places(given_places(part)) if action == "add" else ""
        return (Value(name, _plainly(name, text, self.profile)), *((Value(PLACE, told),) if told else ()))

    def _given(self, invoice: int, part: Part) -> Target:
        """The field that a person gives where none was read."""
        if not 1 <= invoice <= len(self.invoices.pages):
            raise UsageError(f"There is no such invoice: they count from 1 to {len(self.invoices.pages)}.")
        lacking, name = self.lacking(invoice), next((one.column for one in part if one.column != PLACE), "")
        if name not in lacking:
            known = ", ".join(lacking) or "none"
            raise UsageError(f"{name[:40]!r} is no field that this invoice lacks ({known}). Correct what was read.")
        return Target(_given_mark(self.sha256, invoice, name), "")

    def lacking(self, invoice: int) -> tuple[str, ...]:
        """The fields that are sought and that nobody found on an invoice, apart from those of items and taxes."""
        read = {labels.bare(one.name)[0] for one in self.invoices.fields if one.invoice == invoice}
        return tuple(one.name for one in labels.sought(self.profile) if not one.group and one.name not in read)

    def _invoice(self, question: Question) -> int:
        """Which invoice a question is about, 0 where none is known."""
        if question.items:
            return self.invoices.fields[question.items[0].number].invoice
        return _on_page(self.invoices, question.page)

    def _adding(self, question: Question) -> Question:
        """The question with the fields that its invoice lacks, to be given."""
        invoice = self._invoice(question)
        wanted = self.lacking(invoice) if invoice else ()
        if not wanted:
            return question
        blanks = tuple(Value(name, "") for name in wanted)
        return replace(question, actions=("approve", "add"), adds="field", blanks=blanks)

    def _of_fields(self, invoice: int, reasons: tuple[str, ...], items: list[Item]) -> Question:
        fields, first = [self.invoices.fields[item.number] for item in items], items[0]
        alone = len(items) == 1
        named = fieldnames.shown(fields[0].name) if alone else f"{len(items)} fields for one reason"
        return Question(
            first.mark.id if alone else _joint(self.sha256, invoice, reasons), "field", first.mark,
            f"{named}, invoice {invoice}", reasons, _fix(fields), max(map(self._stake, fields)),
            self._currency(invoice), first.page, first.box, tuple(items), each=True,
        )  # fmt: skip

    def _of_finding(self, finding: Finding) -> Question:
        mark = _finding_mark(finding, self.sha256)
        number = _on_page(self.invoices, finding.page)
        concerned = [one for one in self.invoices.fields if one.invoice == number and finding.kind != LOST]
        return Question(
            mark.id, "finding", mark, finding.kind.replace("_", " ").capitalize(), (finding.message,),
            FIXES.get(finding.kind, "Look at the page, and approve this where the fields are right all the same."),
            max(map(self._stake, concerned), default=ZERO), self._currency(number), finding.page, finding.box,
        )  # fmt: skip

    def _stake(self, field: Field) -> Decimal:
        """The amount that depends on a field: itself, or the whole invoice where money may go astray by it."""
        if fieldnames.kind(field.name, self.profile) == "amount":
            return abs(_number(field.normalised))
        mates = [one for one in self.invoices.fields if (one.invoice, one.name) == (field.invoice, "gross_total")]
        return max((abs(_number(one.normalised)) for one in mates if field.name in DEAR), default=ZERO)

    def _currency(self, invoice: int) -> str:
        found = (one.normalised for one in self.invoices.fields if (one.invoice, one.name) == (invoice, "currency"))
        return next(found, "")


def reviewed(sha256: str, found: Invoices, profile: FieldProfile, made: Sequence[Decision]) -> JudgedFields:
    """The fields as people have them, and what is left to ask."""
    made = decisions.of_fields(made)
    standing = decisions.standing(made)
    work = _Work(sha256, standing)
    for field, mark in zip(found.fields, marks(sha256, found.fields), strict=True):
        work.put(field, mark)
    work.finish()
    approved = frozenset(one for one, stack in standing.items() if any(each.action == "approve" for each in stack))
    findings = tuple(
        one
        for one in found.findings
        if not (
            _finding_mark(one, sha256).id in approved
            or (one.kind == invoices.NO_INVOICE and work.completes(found, one))
        )
    )
    after = replace(found, fields=tuple(work.fields), findings=(*findings, *work.told))
    if work.changed or len(findings) < len(found.findings):
        after = _again(after, profile)
    return JudgedFields(sha256, after, tuple(work.marks), profile, made, standing)


def _again(found: Invoices, profile: FieldProfile) -> Invoices:
    """The fields with all that follows from their checks, and from what was found of their invoices, made anew."""
    fields = list(invoices.judged(found.fields, profile, found.extras))
    told = {one.page: one.message for one in found.findings if one.kind == invoices.NO_INVOICE}
    for at, field in enumerate(fields):
        pages = found.pages[field.invoice - 1] if field.invoice <= len(found.pages) else ()
        doubts = tuple(told[page] for page in pages if page in told)
        if doubts and not decided_by(field):
            fields[at] = replace(field, status="review", reasons=(*doubts, *field.reasons))
    return replace(found, fields=tuple(fields))


def marks(sha256: str, fields: Sequence[Field]) -> tuple[Mark, ...]:
    """What each field is known by: what it is called apart from its number, and where its words stand."""
    seen: Counter[Mark] = Counter()
    found = []
    for field in fields:
        page = field.places[0].page if field.places else None
        boxes = [place.box for place in field.places if place.page == page]
        name = labels.bare(field.name)[0] if boxes else f"{field.invoice} {field.name}"
        mark = Mark(sha256, FIELD, name, page, around(boxes) if boxes else None)
        seen[mark] += 1
        found.append(replace(mark, field=f"{name} #{seen[mark]}") if seen[mark] > 1 else mark)
    return tuple(found)


class _Work:
    """Collects the fields of a document as people have them. told: what decisions took away, or did not find."""

    def __init__(self, sha256: str, standing: Mapping[str, Sequence[Decision]]) -> None:
        self.sha256 = sha256
        self.left = dict(standing)
        self.fields: list[Field] = []
        self.marks: list[Mark] = []
        self.told: list[Finding] = []
        self.changed = False

    def put(self, field: Field, mark: Mark) -> None:
        """A field that was read, with what was decided of it."""
        given = self.left.pop(_given_mark(self.sha256, field.invoice, field.name).id, ())
        made = (*given, *self.left.pop(mark.id, ()))
        self.changed = self.changed or bool(made)
        if made and made[-1].action == "reject":
            page, box = mark.page, mark.box
            self.told.append(Finding("rejected", "info", f"{_named(field)} {made[-1].told}: {field.value}", page, box))
            return
        self._keep(_settled(field, made) if made else field, mark)

    def finish(self) -> None:
        """Fields that people gave, and the decisions that fit no field any more."""
        for made in self.left.values():
            last = made[-1]
            if last.mark.kind == GIVEN and last.action != "reject":
                self.changed = True
                invoice, _, name = last.mark.field.partition(" ")
                places = given_places(next((part for one in made if one.action == "add" for part in one.parts), ()))
                blank = Field(int(invoice), name, "", "", places, "", None, "review", ())
                self._keep(_settled(blank, made), last.mark)
            elif last.mark.kind == FIELD and (at := self._elsewhere(made)) is not None:
                self.changed = True
                self.fields[at] = _settled(self.fields[at], made)
            elif last.mark.kind == FIELD:
                where = f"page {last.mark.page}: " if last.mark.page else ""
                message = f"{where}{last.told}, but this run has nothing there: {last.before}"
                self.told.append(Finding(LOST, "warning", message, last.mark.page, last.mark.box))

    def _elsewhere(self, made: Sequence[Decision]) -> int | None:
        """The field that this run reads in another place as a person corrected it."""
        name, value = made[-1].mark.field.partition(" #")[0], last_given(made)
        found = [
            at for at, one in enumerate(self.fields) if (labels.bare(one.name)[0], one.normalised) == (name, value)
        ]
        return found[0] if len(found) == 1 and made[-1].action == "correct" else None

    def completes(self, found: Invoices, finding: Finding) -> bool:
        """Whether people gave what made pages look like no invoice."""
        number = _on_page(found, finding.page)
        names = {one.name for one in self.fields if one.invoice == number}
        given = any(mark.kind == GIVEN and mark.field.startswith(f"{number} ") for mark in self.marks)
        return given and "invoice_number" in names and not names.isdisjoint({"gross_total", "net_total"})

    def _keep(self, field: Field, mark: Mark) -> None:
        self.fields.append(field)
        self.marks.append(mark)


def _settled(field: Field, made: Sequence[Decision]) -> Field:
    """The field as a person has it, with the last correction; nothing speaks against it any more."""
    checks = (*field.checks, Check(PERSON, "passed", made[-1].told))
    checked = replace(field, status="confirmed", reasons=(), checks=checks)
    given = last_given(made)
    return replace(checked, value=given, normalised=given) if given else checked


def last_given(made: Sequence[Decision]) -> str:
    """What people gave last for a field; empty where they gave nothing."""
    return next((one.parts[0][0].value for one in reversed(made) if one.action in ("correct", "add")), "")


def told_places(places: Sequence[Place]) -> str:
    """Places as a decision keeps them: the page and the box of each, in points (`2 100.0 40.0 160.0 52.0`)."""
    return "; ".join(f"{page} {' '.join(f'{edge:.1f}' for edge in box)}" for page, box in places)


def given_places(part: Part) -> tuple[Place, ...]:
    """Where a person said that a value stands; UsageError where that is no page and box."""
    told = next((value for column, value in part if column == PLACE), "")
    try:
        numbers = [one.split() for one in told.split(";") if one.strip()]
        return tuple(Place(int(page), Box(*map(float, edges))) for page, *edges in numbers)
    except (TypeError, ValueError) as error:
        raise UsageError("A place is a page and a box in points: --value place='1 100 40 160 52'") from error


def decided_by(field: Field) -> str:
    """Who settled a field, and when; empty where nobody did."""
    return next((check.detail for check in field.checks if check.check == PERSON), "")


def _item(number: int, field: Field, mark: Mark) -> Item:
    reads = [Read("first read", field.first_read)]
    if field.second_read is not None:
        reads.append(Read("second reader, on the crop alone", field.second_read))
    return Item(
        mark, number, mark.page or 1, mark.box, f"{_named(field)}: {field.value}",
        (Value(field.name, field.normalised or field.value),), field.status, field.reasons, tuple(reads),
    )  # fmt: skip


def _named(field: Field) -> str:
    return f"{fieldnames.shown(field.name)}, invoice {field.invoice}"


def _fix(fields: Sequence[Field]) -> str:
    if any(field.second_read is not None and field.second_read != field.first_read for field in fields):
        return "Look at the crop, and approve what is printed there or correct it."
    return "Compare it with the page: approve it, or correct what differs."


def _finding_mark(finding: Finding, sha256: str) -> Mark:
    return Mark(sha256, FINDING + finding.kind, "" if finding.box else finding.message, finding.page, finding.box)


def _given_mark(sha256: str, invoice: int, name: str) -> Mark:
    return Mark(sha256, GIVEN, f"{invoice} {name}", None, None)


def _on_page(found: Invoices, page: int | None) -> int:
    """Which invoice has the page, 0 where none has."""
    return next((number for number, pages in enumerate(found.pages, 1) if page in pages), 0)


def _joint(sha256: str, invoice: int, reasons: tuple[str, ...]) -> str:
    return hashlib.sha256("\0".join((sha256, FIELD, str(invoice), *reasons)).encode()).hexdigest()[:16]


def _plainly(name: str, text: str, profile: FieldProfile) -> str:
    match fieldnames.kind(name, profile):
        case "amount" | "rate":
            return settled.plainly("amount", text)
        case "date":
            return settled.plainly("date", text)
    return " ".join(text.split())


def _number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except ArithmeticError:
        return ZERO
