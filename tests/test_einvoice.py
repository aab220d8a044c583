"""The XML inside an invoice: what it states, what of it is refused, and how it is held against the page."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from pipeline import einvoice, worker
from pipeline.einvoice import Unreadable, checks, stated
from pipeline.model import Field
from tests.einvoices import CII, FERD, UBL, attached, drawn

LAUGHS = '<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))


def _said(xml: str = CII) -> einvoice.Stated:
    found = stated(xml.encode())
    assert found is not None
    return found


def _field(name: str, plain: str, invoice: int = 1) -> Field:
    return Field(invoice, name, plain, plain, (), plain, None, "review")


def _outcomes(xml: str, **values: str) -> dict[str, str]:
    fields = [_field(name, plain) for name, plain in values.items()]
    return {fields[at].name: made.outcome for at, made in checks(fields, _said(xml)).items()}


def test_factur_x_states_header_taxes_and_lines() -> None:
    assert {one.name: one.values for one in _said().statements} == {
        "invoice_number": ("RG-2044",), "issue_date": ("2025-03-14",), "due_date": ("2025-04-13",),
        "currency": ("EUR",), "net_total": ("100.00",), "tax_total": ("19.00",), "gross_total": ("119.00",),
        "payment_reference": ("RG-2044",), "supplier_name": ("Grauwinkel Technik GmbH",),
        "supplier_tax_id": ("DE136695976",), "buyer_name": ("Eschenrode Wohnbau AG",),
        "iban": ("DE02120300000000202051",), "tax_1_rate": ("19",), "tax_1_base": ("100.00",),
        "tax_1_amount": ("19.00",), "line_item_1_description": ("Dachlatte",), "line_item_1_quantity": ("40",),
        "line_item_1_unit_price": ("2.50",), "line_item_1_tax_rate": ("19",), "line_item_1_amount": ("100.00",),
    }  # fmt: skip


def test_zugferd_1_and_ubl_state_the_same_kinds_of_things() -> None:
    old = _said(FERD)
    assert old.by_name["supplier_tax_id"] == ("DE136695976", "20111340209")
    names = (
        "invoice_number",
        "issue_date",
        "net_total",
        "tax_total",
        "gross_total",
        "tax_1_rate",
        "line_item_1_amount",
    )
    assert [old.one(name) for name in names] == ["471102", "2013-03-05", "198.00", "37.62", "235.62", "19.00", "198.00"]
    other = _said(UBL)
    names = ("invoice_number", "issue_date", "due_date", "currency", "net_total", "tax_total", "gross_total")
    assert [other.one(name) for name in names] == [
        "FV-7/2025", "2025-05-02", "2025-05-16", "PLN", "100.00", "23.00", "123.00",
    ]  # fmt: skip


def test_what_is_no_invoice_states_nothing() -> None:
    assert stated(b"<order><ID>1</ID></order>") is None


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "cannot be read"),
        (b"%PDF-1.7", "cannot be read"),
        (CII.replace("</ram:ID>", "", 1).encode(), "cannot be read"),
        (b'<Invoice xmlns="urn:example:unknown"/>', "an unknown form"),
        (f"<!DOCTYPE Invoice [{LAUGHS}]><Invoice>&a9;</Invoice>".encode(), "amplification"),
        (b'<!DOCTYPE Invoice [<!ENTITY a SYSTEM "file:///etc/passwd">]><Invoice>&a;</Invoice>', "has a document type"),
        (b'<!DOCTYPE Invoice SYSTEM "http://127.0.0.1:9/x.dtd"><Invoice/>', "has a document type"),
        (b"<Invoice>" * 5000 + b"</Invoice>" * 5000, "cannot be read"),
    ],
    ids=["empty", "no-xml", "broken", "unknown", "laughs", "entity", "dtd", "deep"],
)
def test_hostile_and_broken_xml_is_refused_at_once(content: bytes, told: str) -> None:
    began = time.monotonic()
    with pytest.raises(Unreadable, match=told):
        stated(content)
    assert time.monotonic() - began < 5


def test_what_the_page_says_otherwise_fails_with_both_values() -> None:
    fields = [_field("gross_total", "191.00"), _field("issue_date", "2025-03-14"), _field("supply_date", "2025-03-01")]
    found = checks(fields, _said())
    assert {at: made.outcome for at, made in found.items()} == {0: "failed", 1: "passed"}
    assert found[0].detail == "the page says 191.00, but the embedded XML 119.00"


@pytest.mark.parametrize(
    ("name", "plain", "outcome"),
    [
        ("net_total", "100", "passed"), ("net_total", "119.00", "failed"), ("gross_total", "100.00", "failed"),
        ("invoice_number", "RG 2044", "passed"), ("invoice_number", "RG-2O44", "failed"),
        ("supplier_name", "GRAUWINKEL Technik GmbH", "passed"), ("supplier_name", "Grauwinkel Technik", "open"),
        ("supplier_name", "Eschenrode Wohnbau AG", "failed"), ("iban", "DE02120300000000202051", "passed"),
        ("iban", "DE88200800000970375700", "failed"), ("due_date", "2025-03-14", "failed"),
    ],
)  # fmt: skip
def test_each_kind_is_compared_by_its_own_measure(name: str, plain: str, outcome: str) -> None:
    assert _outcomes(CII, **{name: plain}) == {name: outcome}


def test_lines_and_taxes_are_matched_by_their_figures_not_by_their_number() -> None:
    two = CII.replace(
        "<ram:ApplicableHeaderTradeAgreement>",
        CII[CII.index("<ram:IncludedSupply") : CII.index("<ram:ApplicableHeaderTradeAgreement>")]
        .replace("Dachlatte", "Kehrblech").replace("100.00", "37.50").replace(">40<", ">15<")
        + "<ram:ApplicableHeaderTradeAgreement>",
    )  # fmt: skip
    lines = {"line_item_1_description": "Kehrblech", "line_item_1_amount": "37.50", "line_item_1_quantity": "16"}
    assert _outcomes(two, **lines) == {
        "line_item_1_description": "passed", "line_item_1_amount": "passed", "line_item_1_quantity": "failed",
    }  # fmt: skip
    assert _outcomes(CII, tax_2_rate="19", tax_2_base="100.00", tax_2_amount="91.00") == {
        "tax_2_rate": "passed", "tax_2_base": "passed", "tax_2_amount": "failed",
    }  # fmt: skip


def test_attachments_come_out_of_the_worker_and_others_stay(tmp_path: Path) -> None:
    files = {"factur-x.xml": CII.encode(), "picture.png": b"\x89PNG", "Übersicht.XML": b"<a/>"}
    found = worker.attachments(drawn(tmp_path / "invoice.pdf", files=files))
    assert {(one.name, one.content) for one in found} == {("factur-x.xml", CII.encode()), ("Übersicht.XML", b"<a/>")}


def test_attachments_that_are_too_large_or_too_many_stay_inside(tmp_path: Path) -> None:
    large = b"<a>" + b" " * (5 << 20) + b"</a>"
    assert worker.attachments(drawn(tmp_path / "large.pdf", files={"factur-x.xml": large})) == ()
    many = attached(drawn(tmp_path / "many.pdf"), {f"{n}.xml": b"<a/>" for n in range(20)})
    assert len(worker.attachments(many)) == 8
