"""Invoices: pages → one invoice after the other → fields → typed and checked → confirmed or in review.

Comes in: a `Reading`, a profile, an engine that reads fields. Goes out: `Invoices`. A field is confirmed where what is
printed there and what it stands for are both witnessed, and no check failed; else its reasons say what stayed open.
Nothing that the engine saw is dropped. Refuses with UsageError fields of no known kind, and stops with Cancelled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from pipeline import (
    amounts,
    answered,
    checksums,
    closing,
    completed,
    einvoice,
    issuing,
    items,
    labels,
    marks,
    pictured,
    proofs,
    quoted,
    reread,
    reseen,
    secondread,
    shared,
    totals,
    unfinished,
)
from pipeline.engine import FieldReader, RawField
from pipeline.habits import Habits, habits
from pipeline.marks import Print
from pipeline.model import Cancelled, Check, Extra, Field, Finding, Invoices, Page, Place, Reading, Status
from pipeline.profiles import FieldProfile, Profile
from pipeline.reread import Leaves
from pipeline.secondread import Scans, Typed

SOUND = 0.8  # health of a text layer that alone says what is printed
LAYER = "text layer"
ONLY = "no other"
FORM = "form"
PERSON = "person"
READERS = frozenset({LAYER, "second reader"})  # what says what is printed
NUMBERS = frozenset({"iban", "payment_reference"})  # whose check digits say alone what they are
# what an embedded XML that says the same settles: which of several values it is, what its form left open, how an
# invoice was reckoned and dated
SETTLED = closing.NAMES | {ONLY, FORM, checksums.DATES, proofs.SIGN}
POSTAL = re.compile(r"\d.*,.*\b\d{4,5}\b")  # a house's number and a postal code
CREDITOR = re.compile(r"RF\d\d[A-Z0-9]{1,21}")  # ISO 11649, printed in fours
WHOLE = {  # sums that say that no row of a group is missing
    "line_item": frozenset({closing.LINES, closing.GROSS_LINES}),
    "tax": frozenset({closing.TAXES, closing.BASES}),
}
NO_INVOICE = "no_invoice"
ROW = "the amount of its row is not confirmed"
UNSUMMED = "no sum closes over it, so nothing but its place says what it is"

Progress = Callable[[int, int], None]
Stop = Callable[[], bool]


def extract(
    reading: Reading,
    profile: Profile,
    engine: FieldReader,
    progress: Progress | None = None,
    cancelled: Stop | None = None,
    leaves: Leaves | None = None,
    embedded: Sequence[bytes] = (),
) -> Invoices:
    """The fields of all invoices in a document. progress: invoices done, in all; leaves: pictures of pages, for a
    second read of what no sound text layer holds; embedded: XML files that the document holds.
    """
    wanted = labels.sought(profile.fields)
    kinds = {one.name: one.kind for one in wanted}
    issues = issuing.groups(reading.pages)
    fields: list[Field] = []
    said, unreadable = proofs.read(embedded)
    findings = list(unreadable)
    between: list[Extra] = []
    for number, issue in enumerate(issues, start=1):
        pages = issue.pages
        if cancelled and cancelled():
            raise Cancelled("Stopped: no field of this run was kept.")
        twice = leaves if profile.fields.second_read != "never" else None
        pages, mended = _reseen(pages, reading.document.language, profile.fields, twice)
        raw = quoted.placed(engine.fields(pages, wanted), pages, wanted)
        prints = marks.printed(pages, labels.vocabulary())
        way = _habits(prints, reading.document.language, profile.fields)
        made = [_field(number, one, kinds[one.name], way, pages) for one in raw]
        if twice:
            scans = Scans(pages, twice, way, profile.fields.tolerance, _typed(kinds, way))
            made = _read_twice(made, kinds, scans, profile.fields)
        made = [unfinished.told(one, FORM, pages) for one in made]
        made = [_as_read(one, mended) for one in made if one.value]  # cells that no reader sees anything in are blank
        made = _in_order([*made, *shared.rates(made)])
        made, unseen = proofs.told(made, said, replace(reading, pages=tuple(pages)), alone=len(issues) == 1)
        findings += unseen
        made = proofs.signed(made, [mark.text for mark in prints.marks if mark.is_title])
        made = _owned(_doubted(made, issue.doubt))
        extras = _extras(number, prints, _is_credit(made))
        between += extras
        if twice and any(page.origin == "ocr" for page in pages):  # a text layer misreads no figure
            made = answered.freed(made, answered.rivals(raw), ONLY, profile.fields.tolerance, extras)
        made = list(judged(made, profile.fields, extras))
        if not _is_stated(made) and (missing := _no_invoice(pages, prints, made)):
            findings.append(missing)
            made = [replace(one, status="review", reasons=(missing.message, *one.reasons)) for one in made]
        fields += made
        if progress:
            progress(number, len(issues))
    numbers = tuple(tuple(page.number for page in one.pages) for one in issues)
    return Invoices(tuple(fields), numbers, tuple(findings), tuple(between))


def judged(fields: Sequence[Field], profile: FieldProfile, extras: Sequence[Extra] = ()) -> tuple[Field, ...]:
    """The fields with their sums, check digits and dates made anew, and the status that follows. extras: amounts that
    stand between the sums.
    """
    proven = proofs.checks(fields, profile.tolerance, extras)
    whole = _whole(fields, proven) | {(one, "line_item") for one in completed.invoices(fields, profile.tolerance)}
    found = []
    for at, field in enumerate(fields):
        kept = tuple(check for check in field.checks if check.check not in proofs.NAMES)
        checks = (*kept, *proven.get(at, ()))
        reasons = _open(replace(field, checks=checks))
        if not reasons and (missing := _uncounted(field, whole)):
            reasons = (missing,)
        status: Status = "review" if reasons else "confirmed"
        found.append(replace(field, checks=checks, reasons=reasons, status=status))
    return tuple(_by_row(found))


def _by_row(fields: Sequence[Field]) -> Iterator[Field]:
    """The fields, those of an item in review where its amount is: what tells its row from others is open then."""
    sure = {(one.invoice, one.name) for one in fields if one.status == "confirmed"}
    for field in fields:
        base, number = labels.bare(field.name)
        amount = (field.invoice, labels.numbered("line_item_amount", number))
        decided = any(check.check == PERSON and check.outcome == "passed" for check in field.checks)
        if labels.group_of(base) == "line_item" and amount not in sure and field.status == "confirmed" and not decided:
            yield replace(field, status="review", reasons=(ROW,))
        else:
            yield field


# ---- status


def _open(field: Field) -> tuple[str, ...]:
    """What stays open about a field, in words; nothing where both questions have their witness."""
    passed = {check.check for check in field.checks if check.outcome == "passed"}
    if PERSON in passed:
        return ()
    embedded = einvoice.EMBEDDED in passed
    settled = SETTLED if embedded else frozenset()
    found = [check.detail for check in field.checks if check.outcome == "failed" and check.check not in settled]
    cut = field.name.endswith("_tax_id") and reread.CUT in {check.detail for check in field.checks}
    if not passed & READERS and not embedded and (checksums.CHECKSUM not in passed or cut):
        found.append("one reader only has seen what is printed there")
    known = embedded or (checksums.CHECKSUM in passed and field.name in NUMBERS)
    if not known and (missing := _unassigned(field.name, passed)):
        found.append(missing)
    return tuple(dict.fromkeys(found))


def _unassigned(name: str, passed: set[str]) -> str:
    """What is missing to tell what a value stands for, or nothing."""
    base, _ = labels.bare(name)
    if secondread.BY_LABEL not in passed and (base != "line_item_tax_rate" or closing.BY_RATE not in passed):
        return "no label says what it is"
    summed = labels.standard().get(base) == "amount" or labels.group_of(base) == "tax"
    return UNSUMMED if summed and not passed & closing.NAMES else ""


def _whole(fields: Sequence[Field], proven: Mapping[int, Sequence[Check]]) -> frozenset[tuple[int, str]]:
    """The groups of rows, by invoice, of which a sum over an amount of each row says that none is missing."""
    rows: dict[tuple[int, str], set[int]] = {}
    summed: dict[tuple[int, str], set[int]] = {}
    for at, field in enumerate(fields):
        name, number = labels.bare(field.name)
        if group := labels.group_of(name):
            rows.setdefault((field.invoice, group), set()).add(number)
            closed = {check.check for check in proven.get(at, ()) if check.outcome == "passed"}
            if closed & WHOLE[group]:
                summed.setdefault((field.invoice, group), set()).add(number)
    return frozenset(key for key, numbers in summed.items() if numbers == rows[key])


def _uncounted(field: Field, whole: frozenset[tuple[int, str]]) -> str:
    """Why a row's number stays open: on a scan, rows may have been passed over."""
    group = labels.group_of(labels.bare(field.name)[0])
    sure = not group or (field.invoice, group) in whole
    layer = any(check.check in (LAYER, PERSON) and check.outcome == "passed" for check in field.checks)
    return "" if sure or layer else "no sum over the rows tells that all of them were found"


# ---- from what was read to fields


def _reseen(
    pages: tuple[Page, ...], language: str, profile: FieldProfile, leaves: Leaves | None
) -> tuple[tuple[Page, ...], reseen.Mended]:
    """The pages with words that were misread mended, where there are pictures for a second read."""
    if leaves is None or not any(page.origin == "ocr" for page in pages):
        return pages, {}
    return reseen.pages(pages, leaves, _habits(marks.printed(pages, labels.vocabulary()), language, profile))


def _as_read(field: Field, mended: reseen.Mended) -> Field:
    return replace(field, first_read=reseen.first(field.first_read, field.places, mended)) if mended else field


def _doubted(fields: Sequence[Field], doubt: str) -> list[Field]:
    """The fields, each with the doubt whether its pages are one invoice, where there is one."""
    checks = (Check(issuing.PARTED, "failed", doubt),) if doubt else ()
    return [replace(field, checks=(*field.checks, *checks)) for field in fields]


def _field(invoice: int, raw: RawField, kind: str, way: Habits, pages: Sequence[Page]) -> Field:
    """The field with what its text, its label and its page say of it."""
    normalised, doubt = normal(raw.name, kind, raw.text, way)
    checks = [*_layer(raw.places, pages), *_label(raw)]
    if doubt:
        checks.append(Check(FORM, "failed", doubt))
    if raw.name == "invoice_number" and " " in normalised and not _layer(raw.places, pages):
        checks.append(Check(FORM, "failed", f"“{raw.text}” may be one word"))
    if raw.name in ("supplier_name", "supplier_address") and not raw.label and not _layer(raw.places, pages):
        checks.append(Check(FORM, "open", "on a scan the words beside it may be parts of it"))
    if not _layer(raw.places, pages) and (scanned := unfinished.doubt(raw, kind, pages)):
        checks.append(Check(ONLY, "failed", scanned))
    checks += [Check(ONLY, "failed", one) for one in raw.doubts]
    if raw.rivals:
        told = ", ".join(f"“{one}”" for one in raw.rivals[:3])
        checks.append(Check(ONLY, "failed", f"{answered.AS_WELL}{told} as well"))
    name = labels.numbered(raw.name, raw.number)
    return Field(invoice, name, raw.text, normalised, raw.places, raw.text, None, "review", tuple(checks))


def _owned(fields: Sequence[Field]) -> list[Field]:
    """The fields, the supplier's tax number in doubt where a scan shows no buyer: his number is the one that was read
    at times.
    """
    if {"buyer_name", "buyer_tax_id"} & {one.name for one in fields}:
        return list(fields)
    doubt = Check(ONLY, "failed", "it may be the buyer's: no buyer was found")
    return [
        replace(one, checks=(*one.checks, doubt))
        if one.name == "supplier_tax_id" and LAYER not in {check.check for check in one.checks}
        else one
        for one in fields
    ]


def _typed(kinds: Mapping[str, str], way: Habits) -> Typed:
    """Gives a field another text as its value."""

    def typed(field: Field, text: str) -> Field:
        name = labels.bare(field.name)[0]
        normalised, doubt = normal(name, kinds[name], text, way)
        kept = tuple(check for check in field.checks if (check.check, check.outcome) != (FORM, "failed"))
        checks = (*kept, Check(FORM, "failed", doubt)) if doubt else kept
        return replace(field, value=text, normalised=normalised, checks=checks)

    return typed


def _read_twice(fields: list[Field], kinds: Mapping[str, str], scans: Scans, profile: FieldProfile) -> list[Field]:
    """With a second read of the fields that need one, or of all where the profile says so; those of a sound text
    layer are held against the picture.
    """
    every = profile.second_read == "always"
    asked = [at for at, one in enumerate(fields) if every or LAYER not in {check.check for check in one.checks}]
    read = secondread.read([fields[at] for at in asked], kinds, scans) if asked else []
    layered = [at for at in range(len(fields)) if at not in set(asked)]
    read += pictured.held([fields[at] for at in layered], kinds, scans)
    for at, field in zip((*asked, *layered), read, strict=True):
        fields[at] = field
    return fields


def _layer(places: Sequence[Place], pages: Sequence[Page]) -> list[Check]:
    """A sound text layer says what is printed."""
    held = {page.number: page for page in pages}
    on = [held[place.page] for place in places if place.page in held]
    if not on or not all(page.origin == "text" and page.health >= SOUND for page in on):
        return []
    return [Check(LAYER, "passed", "the page's text layer is sound")]


def _label(raw: RawField) -> list[Check]:
    return [Check(secondread.BY_LABEL, "passed", f"it stands by “{raw.label}”")] if raw.label else []


def normal(name: str, kind: str, text: str, way: Habits) -> tuple[str, str]:
    """A value as printed in its plain form, and what is wrong with its form, in words, or nothing."""
    match kind:
        case "date":
            return _date(text, way)
        case "amount" | "rate":
            found = amounts.parse(text, way.decimal, percent=kind == "rate")
            if found is None and amounts.PLUS in text:
                return _summed(text, way)
            if found is None:
                return text, f"“{text}” is no amount"
            open_ = found.ambiguous and found.other is not None
            return amounts.plain(found.value), f"“{text}” can be read in two ways" if open_ else ""
        case "identifier":
            return _identifier(name, text), ""
    if name.endswith("_name") and POSTAL.search(text):
        return " ".join(text.split()), f"“{text}” looks like an address"
    if name == "currency":
        code = amounts.currency(text)
        return code or text, "" if code else f"“{text}” is no currency that is known"
    return " ".join(text.split()), ""


def _summed(text: str, way: Habits) -> tuple[str, str]:
    """An amount that stands in several cells (`405,67 + 55,98`)."""
    parts = [amounts.parse(part, way.decimal) for part in text.split(amounts.PLUS)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or any(part.ambiguous and part.other is not None for part in known):
        return text, f"“{text}” is no sum of amounts"
    return amounts.plain(sum((part.value for part in known), Decimal(0))), ""


def _date(text: str, way: Habits) -> tuple[str, str]:
    found = amounts.date(text, way.day_first)
    if found is None:
        return text, f"“{text}” is no date"
    return found.iso, f"day and month of “{text}” may change places" if found.ambiguous and not way.sure else ""


def _identifier(name: str, text: str) -> str:
    """A number without what surrounds it; accounts and tax numbers without spaces and dots."""
    if name == "iban" or name.endswith("tax_id"):
        return "".join(filter(str.isalnum, text)).upper()
    bare = "".join(filter(str.isalnum, text)).upper()
    if name == "payment_reference" and CREDITOR.fullmatch(bare):
        return " ".join(bare[at : at + 4] for at in range(0, len(bare), 4))
    return " ".join(text.split()).strip("#:,;. ")


def _is_credit(fields: Sequence[Field]) -> bool:
    return any(field.name == "gross_total" and field.normalised.startswith("-") for field in fields)


def _extras(invoice: int, prints: Print, credit: bool) -> list[Extra]:
    """What stands between the items and what is to be paid. credit: a credit note, whose allowances may add."""
    found = totals.between(prints, items.find(prints).lines)
    return [Extra(invoice, "rounding" if credit else kind, value) for kind, value in found]


def _habits(prints: Print, language: str, profile: FieldProfile) -> Habits:
    found = habits(prints.lines, language, profile.day_first)
    return found if profile.decimal == "auto" else replace(found, decimal=profile.decimal)


def _in_order(fields: Sequence[Field]) -> list[Field]:
    """The fields, those of an item or a tax together, in the order in which they are sought."""
    order = {name: at for at, name in enumerate(labels.standard())}

    def place(field: Field) -> tuple[bool, int, int]:
        name, number = labels.bare(field.name)
        return bool(number), number, order.get(name, 99)

    return sorted(fields, key=place)


def _is_stated(fields: Sequence[Field]) -> bool:
    """Whether an embedded XML says the total that the page has: these pages are its invoice."""
    passed = {
        check.check for one in fields if one.name == "gross_total" for check in one.checks if check.outcome == "passed"
    }
    return einvoice.EMBEDDED in passed


def _is_titled(prints: Print) -> bool:
    """Whether scanned pages call themselves an invoice: its number may be what OCR misread."""
    titled = any(mark.is_title and mark.means("invoice") for mark in prints.marks)
    return titled and all(word.font == "ocr" for line in prints.lines for word in line.words)


def _no_invoice(pages: Sequence[Page], prints: Print, fields: Sequence[Field]) -> Finding | None:
    """A line that says so where nothing shows that pages are an invoice."""
    names = {one.name for one in fields}
    summed = bool(names & {"gross_total", "net_total"})
    if summed and ("invoice_number" in names or _is_titled(prints)):
        return None
    lacking = "no invoice number" if summed else "no total" if "invoice_number" in names else "neither number nor total"
    message = f"This does not look like an invoice: {lacking} was found."
    return Finding(NO_INVOICE, "warning", message, pages[0].number if pages else None)


# ---- for a person, and as JSON


def to_text(found: Invoices) -> str:
    """Each field with its status, and why it is in review."""
    review = sum(field.status == "review" for field in found.fields)
    lines = [f"{len(found.pages)} invoices, {len(found.fields)} fields, {review} of them in review"]
    for field in found.fields:
        value = " ".join(field.value.split())
        why = f": {'; '.join(field.reasons)}" if field.reasons else ""
        lines.append(f"{field.invoice}  {field.name}  {value}  {field.status}{why}")
    return "\n".join([*lines, *(f"{finding.severity}: {finding.message}" for finding in found.findings)])


def to_json(found: Invoices, engine: str = "local") -> dict[str, Any]:
    """The contract's keys; boxes with two decimals."""
    return {
        "fields": [_field_json(field) for field in found.fields],
        "invoices": [{"invoice": number, "pages": list(pages)} for number, pages in enumerate(found.pages, start=1)],
        "findings": [
            {"kind": one.kind, "severity": one.severity, "message": one.message, "page": one.page}
            for one in found.findings
        ],
        "engine": engine,
    }


def _field_json(field: Field) -> dict[str, Any]:
    first = field.places[0] if field.places else None
    return {
        "invoice": field.invoice,
        "name": field.name,
        "value": field.value,
        "normalised": field.normalised,
        "page": first.page if first else None,
        "box": list(first.box.rounded()) if first else None,
        "places": [{"page": place.page, "box": list(place.box.rounded())} for place in field.places],
        "first_read": field.first_read,
        "second_read": field.second_read,
        "status": field.status,
        "reasons": list(field.reasons),
        "checks": [{"check": one.check, "outcome": one.outcome, "detail": one.detail} for one in field.checks],
    }
