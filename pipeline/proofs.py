"""What else speaks for or against the fields of an invoice: its sums, check digits, dates, and the XML inside its file.

Comes in: `Field`s, the contents of XML files that nobody vouches for. Goes out: `Check`s by the index of their field,
and for an embedded XML the fields with its check and findings about it. Refuses nothing: an XML that cannot be read is
a finding.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from pipeline import checksums, closing, einvoice, folding, located
from pipeline.einvoice import Stated
from pipeline.model import Check, Extra, Field, Finding, Reading

NAMES = closing.NAMES | {checksums.CHECKSUM, checksums.DATES}  # what is made anew whenever a value changes
UNREADABLE = "embedded_xml_unreadable"
UNSEEN = "embedded_xml_only"
SIGN = "sign of a credit note"
TOTALS = frozenset({"net_total", "tax_total", "gross_total"})
CREDITS = ("avoir", "gutschrift", "credit", "abono", "odobrenj")  # in titles, as `folding.plain` has them
SHOWN = ("invoice_number", "issue_date", "supply_date", "due_date", "net_total", "tax_total", "gross_total")


def checks(
    fields: Sequence[Field], tolerance: Decimal, extras: Sequence[Extra] = ()
) -> Mapping[int, tuple[Check, ...]]:
    """The sums, check digits and dates of fields that may be of several invoices. extras: what stands between sums."""
    found: dict[int, list[Check]] = defaultdict(list)
    for made in (closing.checks(fields, tolerance, extras), checksums.dates(fields)):
        for at, more in made.items():
            found[at] += more
    for invoice in {one.invoice for one in fields}:
        country = checksums.country([one for one in fields if one.invoice == invoice])
        for at, one in enumerate(fields):
            if one.invoice == invoice and (check := checksums.check(one.name, one.normalised, country)):
                found[at].append(check)
    return {at: tuple(more) for at, more in found.items()}


def read(files: Sequence[bytes]) -> tuple[tuple[Stated, ...], tuple[Finding, ...]]:
    """What embedded XML files state of invoices; those of other kinds state nothing."""
    said: list[Stated] = []
    findings = []
    for content in files:
        try:
            found = einvoice.stated(content)
        except einvoice.Unreadable as error:
            findings.append(Finding(UNREADABLE, "warning", str(error)))
        else:
            said += [found] if found else []
    return tuple(said), tuple(findings)


def told(
    fields: Sequence[Field], said: Sequence[Stated], reading: Reading, alone: bool
) -> tuple[list[Field], list[Finding]]:
    """The fields of one invoice with what the XML about it says, and those that only it could tell among what the
    pages print. reading: of the invoice's pages; alone: the file holds no other invoice.
    """
    about = _about(fields, said, alone)
    if about is None or not fields:
        return list(fields), []
    made = einvoice.checks(fields, about)
    checked = [replace(one, checks=(*one.checks, made[at])) if at in made else one for at, one in enumerate(fields)]
    checked += located.fields(reading, about, checked, fields[0].invoice)
    seen = {one.name for one in checked}
    unseen = [
        Finding(UNSEEN, "info", f"The embedded XML says {name.replace('_', ' ')} {about.one(name)}; none was read.")
        for name in SHOWN
        if about.one(name) and name not in seen
    ]
    return checked, unseen


def signed(fields: Sequence[Field], titles: Sequence[str]) -> list[Field]:
    """With a check that fails where totals of a credit note are negative: books have them either way round, and the
    page does not tell. titles: what the document calls itself.
    """
    if not any(word in folding.plain(title) for title in titles for word in CREDITS):
        return list(fields)
    open_ = Check(SIGN, "failed", "a credit note below nought: whether it counts as printed or turned is not said")
    return [
        replace(one, checks=(*one.checks, open_)) if one.name in TOTALS and one.normalised.startswith("-") else one
        for one in fields
    ]


def _about(fields: Sequence[Field], said: Sequence[Stated], alone: bool) -> Stated | None:
    """The XML of this invoice: the one with its number; where the file holds one invoice, any."""
    numbers = {one.normalised for one in fields if one.name == "invoice_number"}
    named = [one for one in said if one.one("invoice_number") in numbers]
    return named[0] if named else said[0] if said and alone else None
