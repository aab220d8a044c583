"""Invoices tampered with: in the XML, on the page, in the text layer. Each ends in review, with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline import invoices, proofs, run, worker
from pipeline.model import Field, Invoices
from pipeline.profiles import Profile
from tests.einvoices import CII, drawn

HEADER = ("invoice_number", "issue_date", "due_date", "net_total", "tax_total", "gross_total")


def _read(path: Path) -> Invoices:
    profile = Profile()
    reading = worker.read(path, profile.reading)
    embedded = [one.content for one in worker.attachments(path)]
    engine = run.engine("local")
    return invoices.extract(reading, profile, engine, leaves=worker.leaves(path), embedded=embedded)


def _one(found: Invoices, name: str) -> Field:
    [field] = [field for field in found.fields if field.name == name]
    return field


def _with_xml(path: Path, xml: str = CII, changes: dict[str, str] | None = None) -> Invoices:
    return _read(drawn(path, changes, {"factur-x.xml": xml.encode()}))


def test_page_and_xml_that_agree_confirm_each_other(tmp_path: Path) -> None:
    found = _with_xml(tmp_path / "invoice.pdf")
    assert [(name, _one(found, name).status) for name in HEADER] == [(name, "confirmed") for name in HEADER]
    assert found.findings == ()
    checks = {check.check: check.outcome for check in _one(found, "gross_total").checks}
    assert checks["embedded XML"] == checks["net + tax = gross"] == checks["text layer and picture"] == "passed"


@pytest.mark.parametrize(
    ("old", "new", "name", "told"),
    [
        (">119.00</ram:Gr", ">191.00</ram:Gr", "gross_total", "the page says 119.00, but the embedded XML 191.00"),
        ("20250314", "20250413", "issue_date", "the page says 2025-03-14, but the embedded XML 2025-04-13"),
        ("<ram:ID>RG-2044", "<ram:ID>RG-2O44", "invoice_number", "the page says RG-2044, but the embedded XML RG-2O44"),
        ("DE0212030", "DE0212031", "iban", "but the embedded XML DE02120310000000202051"),
    ],
    ids=["gross", "issue-date", "number", "account"],
)  # fmt: skip
def test_an_altered_xml_is_seen(old: str, new: str, name: str, told: str, tmp_path: Path) -> None:
    field = _one(_with_xml(tmp_path / "invoice.pdf", CII.replace(old, new)), name)
    assert field.status == "review"
    assert any(told in reason for reason in field.reasons), field.reasons


ALTERED = (
    ("Gesamtbetrag", "191,00 EUR", "gross_total"), ("Nettobetrag", "119,00 EUR", "net_total"),
    ("IBAN:", "DE02 1203 0000 0000 2020 15", "iban"), ("USt-IdNr.:", "DE136695967", "supplier_tax_id"),
)  # fmt: skip
UNPROVEN = (("Rechnungsdatum:", "13.04.2025", "issue_date"), ("Rechnungsnummer:", "RG-2045", "invoice_number"))


@pytest.mark.parametrize(("label", "printed", "name"), [*ALTERED, *UNPROVEN])
def test_a_page_that_says_otherwise_than_its_xml_is_in_review(
    label: str, printed: str, name: str, tmp_path: Path
) -> None:
    field = _one(_with_xml(tmp_path / "invoice.pdf", changes={label: printed}), name)
    assert field.status == "review", field
    assert any("but the embedded XML" in reason for reason in field.reasons)


@pytest.mark.parametrize(("label", "printed", "name"), ALTERED)
def test_an_altered_page_is_in_review_without_an_xml(label: str, printed: str, name: str, tmp_path: Path) -> None:
    field = _one(_read(drawn(tmp_path / "invoice.pdf", {label: printed})), name)
    assert field.status == "review", field


def test_net_and_gross_that_changed_places_are_in_review_without_an_xml(tmp_path: Path) -> None:
    path = drawn(tmp_path / "swapped.pdf", {"Nettobetrag": "119,00 EUR", "Gesamtbetrag": "100,00 EUR"})
    found = [field for field in _read(path).fields if field.name in ("net_total", "gross_total")]
    assert {field.status for field in found} == {"review"}


def test_due_before_issue_is_in_review_on_both(tmp_path: Path) -> None:
    found = _read(drawn(tmp_path / "dates.pdf", {"Fällig am:": "13.02.2025"}))
    for name in ("issue_date", "due_date"):
        assert "due on 2025-02-13, before the issue on 2025-03-14" in _one(found, name).reasons


def test_a_forged_text_layer_shows_on_the_fields_that_are_paid_by(tmp_path: Path) -> None:
    """The page shows another total than its layer says, over whose figures all sums close."""
    sums = {"Nettobetrag": "900,00 EUR", "MwSt. 19 %": "171,00 EUR", "Gesamtbetrag": "1071,00 EUR", "Menge": "360",
            "Gesamtpreis": "900,00"}  # fmt: skip
    found = _read(drawn(tmp_path / "forged.pdf", sums, shown={"Gesamtbetrag": "1011,00 EUR"}))
    field = _one(found, "gross_total")
    assert (field.status, field.value) == ("review", "1071,00 EUR")
    assert field.reasons == ("the text layer says “1071,00 EUR”, but the picture shows “1011,00 EUR” there",)
    assert _one(found, "net_total").status == "confirmed"
    found = _read(drawn(tmp_path / "item.pdf", shown={"Gesamtpreis": "700,00"}))
    told = [field.reasons[0] for field in found.fields if field.status == "review"]
    assert any("but the picture shows “700,00” there" in one for one in told)
    assert _one(found, "line_item_1_amount").status == "review"


def test_an_xml_that_cannot_be_read_is_a_finding_and_costs_nothing_else(tmp_path: Path) -> None:
    found = _with_xml(tmp_path / "invoice.pdf", "<!DOCTYPE a [<!ENTITY b 'c'>]><Invoice>&b;</Invoice>")
    [finding] = found.findings
    assert finding.kind == "embedded_xml_unreadable"
    assert "document type" in finding.message
    assert _one(found, "gross_total").status == "confirmed"


def test_what_only_the_xml_tells_apart_is_found_on_the_page(tmp_path: Path) -> None:
    """A date with no label that is known is taken for the due date where the XML says so; one not printed is told."""
    found = _with_xml(tmp_path / "told.pdf", changes={"Fällig am:": ""})
    assert "due_date" not in {field.name for field in found.fields}
    assert [finding.message for finding in found.findings] == [
        "The embedded XML says due date 2025-04-13; none was read."
    ]
    unlabelled = CII.replace("20250413", "20250402")
    found = _with_xml(tmp_path / "moved.pdf", unlabelled, {"Fällig am:": "", "note": "Bis zum 02.04.2025"})
    due = _one(found, "due_date")
    assert (due.status, due.value, due.normalised) == ("confirmed", "02.04.2025", "2025-04-02")
    assert due.places[0].box.top > 500


def test_the_sign_of_a_credit_note_is_for_a_person_unless_its_xml_says_it() -> None:
    totals = [
        Field(1, name, text, text, (), text, None, "review")
        for name, text in (("gross_total", "-119.00"), ("net_total", "100.00"), ("line_item_1_amount", "-5.00"))
    ]
    noted = proofs.signed(totals, ["Gutschrift"])
    assert [[check.outcome for check in one.checks] for one in noted] == [["failed"], [], []]
    assert proofs.signed(totals, ["Rechnungskorrektur"]) == totals
