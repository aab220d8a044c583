"""What the XML inside an invoice says, and whether its page says the same.

Comes in: an embedded XML (Factur-X, ZUGFeRD 1 and 2, XRechnung, any CII or UBL invoice) as bytes that nobody vouches
for, and the fields read from the pages. Goes out: what it states by the names of fields; then a `Check` for each field
that it states something about. It never gives a field its value. Refuses with `Unreadable` what is no XML, has a
document type or entities, or is an invoice in no form that is known; None where it is no invoice at all.

factur-x reads CII and UBL by the numbers that EN 16931 gives its terms (`BT-1`); ZUGFeRD 1, which it does not read, is
brought to the same numbers here. No schema is asked: what an invoice should not have is still what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pipeline import folding
from pipeline.amounts import parse
from pipeline.model import Check, Field, PipelineError

if TYPE_CHECKING:
    from lxml.etree import _Element

EMBEDDED = "embedded XML"
INVOICES = ("CrossIndustryInvoice", "CrossIndustryDocument", "Invoice", "CreditNote")  # what roots are called
FERD = "urn:ferd:CrossIndustryDocument:invoice:1p0"
AMOUNTS = frozenset({"net_total", "tax_total", "gross_total"})
TEXTS = frozenset({"supplier_name", "buyer_name", "supplier_address", "description"})
_LINE = re.compile(r"(line_item|tax)_(\d+)_(\w+)")

HEADER: Mapping[str, str] = {
    "BT-1": "invoice_number", "BT-2": "issue_date", "BT-72": "supply_date", "BT-9": "due_date", "BT-5": "currency",
    "BT-109": "net_total", "BT-110": "tax_total", "BT-112": "gross_total", "BT-83": "payment_reference",
}  # fmt: skip
TAX: Mapping[str, str] = {"BT-119": "rate", "BT-116": "base", "BT-117": "amount"}
ITEM: Mapping[str, str] = {
    "BT-153": "description", "BT-129": "quantity", "BT-146": "unit_price", "BT-152": "tax_rate", "BT-131": "amount",
}  # fmt: skip

# ZUGFeRD 1: the paths of the same terms, by the local names of their elements
SETTLEMENT = ".//{*}ApplicableSupplyChainTradeSettlement"
SUMS = "{*}SpecifiedTradeSettlementMonetarySummation"
FERD_HEADER: Mapping[str, str] = {
    "BT-1": "./{*}HeaderExchangedDocument/{*}ID",
    "BT-2": "./{*}HeaderExchangedDocument/{*}IssueDateTime/{*}DateTimeString",
    "BT-72": ".//{*}ActualDeliverySupplyChainEvent/{*}OccurrenceDateTime/{*}DateTimeString",
    "BT-9": f"{SETTLEMENT}/{{*}}SpecifiedTradePaymentTerms/{{*}}DueDateDateTime/{{*}}DateTimeString",
    "BT-5": f"{SETTLEMENT}/{{*}}InvoiceCurrencyCode",
    "BT-109": f"{SETTLEMENT}/{SUMS}/{{*}}TaxBasisTotalAmount",
    "BT-110": f"{SETTLEMENT}/{SUMS}/{{*}}TaxTotalAmount",
    "BT-112": f"{SETTLEMENT}/{SUMS}/{{*}}GrandTotalAmount",
    "BT-83": f"{SETTLEMENT}/{{*}}PaymentReference",
}
FERD_PARTY: Mapping[str, str] = {
    "name": "./{*}Name", "vat_identifier": "./{*}SpecifiedTaxRegistration/{*}ID[@schemeID='VA']",
    "tax_identifier": "./{*}SpecifiedTaxRegistration/{*}ID[@schemeID='FC']",
}  # fmt: skip
FERD_TAX: Mapping[str, str] = {
    "BT-119": "./{*}ApplicablePercent", "BT-116": "./{*}BasisAmount", "BT-117": "./{*}CalculatedAmount",
}  # fmt: skip
FERD_ITEM: Mapping[str, str] = {
    "BT-153": "./{*}SpecifiedTradeProduct/{*}Name",
    "BT-129": "./{*}SpecifiedSupplyChainTradeDelivery/{*}BilledQuantity",
    "BT-146": "./{*}SpecifiedSupplyChainTradeAgreement/{*}NetPriceProductTradePrice/{*}ChargeAmount",
    "BT-152": "./{*}SpecifiedSupplyChainTradeSettlement/{*}ApplicableTradeTax/{*}ApplicablePercent",
    "BT-131": f"./{{*}}SpecifiedSupplyChainTradeSettlement/{SUMS}/{{*}}LineTotalAmount",
}


class Unreadable(PipelineError):
    """An embedded XML that cannot be read, and why."""


@dataclass(frozen=True)
class Statement:
    """One thing that an XML says: a field's name, and the plain values that would all be right (a tax identifier and a
    tax number).
    """

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Stated:
    """All that an XML says of one invoice."""

    statements: tuple[Statement, ...]

    @cached_property
    def by_name(self) -> Mapping[str, tuple[str, ...]]:
        return {one.name: one.values for one in self.statements}

    def one(self, name: str) -> str:
        """The first value of a name, or empty."""
        return self.by_name.get(name, ("",))[0]


# ---- what the XML says


def stated(content: bytes) -> Stated | None:
    """What the XML says; None where it is about something else than an invoice."""
    root = _root(content)
    name = root.tag.rpartition("}")[2] if isinstance(root.tag, str) else ""
    if name not in INVOICES:
        return None
    terms = _ferd(root) if FERD in root.tag else _terms(root)
    return Stated(tuple(_statements(terms)))


def _root(content: bytes) -> _Element:
    """The root element. Nothing is resolved, fetched or expanded, and what asks for it is refused."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable(f"The XML inside the PDF cannot be read: {_line(error)}") from error
    if root.getroottree().docinfo.doctype:
        raise Unreadable("The XML inside the PDF has a document type, which no invoice has: it is not read.")
    return root


def _line(error: Exception) -> str:
    """What a library says, on one line of a bearable length."""
    return " ".join(str(error).split())[:160]


def _terms(root: _Element) -> dict[str, Any]:
    """The terms of EN 16931 that the XML gives, as factur-x reads them: texts, groups of terms, lists of groups."""
    import facturx

    try:
        found: dict[str, Any] = facturx.parse_ubl_cii_xml(root, check_xsd=False, date_as="string")
    except Exception as error:  # factur-x raises its refusals as Exception
        raise Unreadable(f"The XML inside the PDF is an invoice of an unknown form: {_line(error)}") from error
    return found


def _ferd(root: _Element) -> dict[str, Any]:
    """As `_terms`, of ZUGFeRD 1."""
    found: dict[str, Any] = _texts(root, FERD_HEADER)
    for group, role in (("BG-4", "Seller"), ("BG-7", "Buyer")):
        party = root.find(f".//{{*}}ApplicableSupplyChainTradeAgreement/{{*}}{role}TradeParty")
        found[group] = _texts(party, FERD_PARTY) if party is not None else {}
    found["BG-16"] = [{"BT-84": text} for text in _all(root, ".//{*}PayeePartyCreditorFinancialAccount/{*}IBANID")]
    taxes = root.iterfind(f"{SETTLEMENT}/{{*}}ApplicableTradeTax")
    found["BG-23"] = [_texts(tax, FERD_TAX) for tax in taxes]
    found["BG-25"] = [_texts(item, FERD_ITEM) for item in root.iterfind(".//{*}IncludedSupplyChainTradeLineItem")]
    return found


def _texts(node: _Element, paths: Mapping[str, str]) -> dict[str, Any]:
    return {term: texts[0] for term, path in paths.items() if (texts := _all(node, path))}


def _all(node: _Element, path: str) -> list[str]:
    return [text for found in node.iterfind(path) if (text := "".join(found.itertext()).strip())]


def _statements(terms: Mapping[str, Any]) -> Iterator[Statement]:
    for term, name in HEADER.items():
        if value := terms.get(term):
            yield Statement(name, (_plain(name, str(value)),))
    for group, who in (("BG-4", "supplier"), ("BG-7", "buyer")):
        yield from _party(terms.get(group) or {}, who)
    if accounts := _accounts(terms):
        yield Statement("iban", tuple(accounts))
    for group, parts, name in (("BG-23", TAX, "tax"), ("BG-25", ITEM, "line_item")):
        for number, entry in enumerate(terms.get(group) or [], start=1):
            for term, part in parts.items():
                if value := entry.get(term):
                    yield Statement(f"{name}_{number}_{part}", (_plain(part, str(value)),))


def _accounts(terms: Mapping[str, Any]) -> list[str]:
    """All accounts to pay to, wherever the terms of payment stand."""
    groups = terms.get("BG-16") or []
    entries = [groups] if isinstance(groups, dict) else groups
    inner = [account for entry in entries for account in _listed(entry.get("BG-17"))]
    found = [str(entry["BT-84"]) for entry in [terms, *entries, *inner] if entry.get("BT-84")]
    return list(dict.fromkeys("".join(filter(str.isalnum, one)).upper() for one in found))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []


def _party(party: Mapping[str, Any], who: str) -> Iterator[Statement]:
    if names := [str(party[key]) for key in ("name", "biz_name") if party.get(key)]:
        yield Statement(f"{who}_name", tuple(dict.fromkeys(names)))
    keys = ("vat_identifier", "tax_identifier", "tax_registration_identifier")
    if numbers := [str(party[key]) for key in keys if party.get(key)]:
        yield Statement(f"{who}_tax_id", tuple(dict.fromkeys(map(_bare, numbers))))


def _plain(name: str, value: str) -> str:
    """A value of the XML as a field's plain value: dates as ISO, figures without idle noughts' spelling."""
    if name.endswith("_date"):
        digits = "".join(filter(str.isdigit, value))
        return f"{digits[:4]}-{digits[4:6]}-{digits[6:8]}" if len(digits) >= 8 else value
    return " ".join(value.split())


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text)).upper()


# ---- against the page


def checks(fields: Sequence[Field], said: Stated) -> dict[int, Check]:
    """By a field's index: whether the XML says the same of it. Fields of which it says nothing have none."""
    matched = _matched(fields, said)
    found = {}
    for at, one in enumerate(fields):
        name = matched.get(at, "" if _LINE.fullmatch(one.name) else one.name)
        if values := said.by_name.get(name):
            found[at] = _compared(one, values)
    return found


def _compared(one: Field, values: tuple[str, ...]) -> Check:
    if any(_same(one, value) for value in values):
        return Check(EMBEDDED, "passed", f"the embedded XML says {values[0]}")
    told = " or ".join(values)
    part = one.name.rpartition("_")[2] if _LINE.fullmatch(one.name) else one.name
    if part in TEXTS and any(_within(one.normalised, value) for value in values):
        return Check(EMBEDDED, "open", f"the embedded XML says “{told}”, which is not all the same")
    return Check(EMBEDDED, "failed", f"the page says {one.normalised}, but the embedded XML {told}")


def _same(one: Field, value: str) -> bool:
    mine, other = parse(one.normalised, "."), parse(value, ".")
    part = match[3] if (match := _LINE.fullmatch(one.name)) else one.name
    if part in AMOUNTS | {*TAX.values(), *ITEM.values()} - TEXTS:
        return mine is not None and other is not None and mine.value == other.value
    if part in TEXTS:
        return _words(one.normalised) == _words(value)
    if part.endswith("_date"):
        return one.normalised == value
    return _bare(one.normalised) == _bare(value)


def _words(text: str) -> str:
    return "".join(filter(str.isalnum, folding.plain(text)))


def _within(one: str, other: str) -> bool:
    mine, theirs = _words(one), _words(other)
    return bool(mine and theirs) and (mine in theirs or theirs in mine)


def _matched(fields: Sequence[Field], said: Stated) -> dict[int, str]:
    """For fields of lines and taxes, what the XML calls theirs: by rate, or by amount and order."""
    found: dict[int, str] = {}
    groups: dict[tuple[str, int], list[int]] = {}
    for at, one in enumerate(fields):
        if match := _LINE.fullmatch(one.name):
            groups.setdefault((match[1], int(match[2])), []).append(at)
    for group, key in (("tax", "rate"), ("line_item", "amount")):
        theirs = _numbers(said, group)
        mine = [number for name, number in sorted(groups) if name == group]
        taken: set[int] = set()
        for number in mine:
            keyed = [at for at in groups[group, number] if fields[at].name.endswith(f"_{key}")]
            value = parse(fields[keyed[0]].normalised, ".") if keyed else None
            other = _nearest(said, group, key, number, value.value if value else None, set(theirs) - taken)
            if other is None and len(mine) == len(theirs) and number in set(theirs) - taken:
                other = number  # as many as the XML has: the figure itself differs
            if other is not None:
                taken.add(other)
                for at in groups[group, number]:
                    found[at] = re.sub(r"_\d+_", f"_{other}_", fields[at].name, count=1)
    return found


def _numbers(said: Stated, group: str) -> list[int]:
    parts = (_LINE.fullmatch(name) for name in said.by_name)
    return sorted({int(match[2]) for match in parts if match and match[1] == group})


def _nearest(said: Stated, group: str, key: str, number: int, value: Decimal | None, left: set[int]) -> int | None:
    """The entry of the XML with this figure, that of the same number first."""
    figures = {other: parse(said.one(f"{group}_{other}_{key}"), ".") for other in left}
    same = [other for other, figure in figures.items() if figure and figure.value == value]
    return min(same, key=lambda other: (other != number, other), default=None)
