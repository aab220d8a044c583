"""Labels of fields: what they mean, in each language, and what a profile adds."""

from __future__ import annotations

import pytest

from pipeline import labels
from pipeline.engine import Sought
from pipeline.model import UsageError
from pipeline.profiles import FieldProfile


def meant(text: str) -> list[str]:
    found = labels.vocabulary().at([labels.token(word) for word in text.split()], 0)
    return [meaning.name for meaning in found[1]] if found else []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Invoice #", "invoice_number"), ("Rechnungs-Nr.:", "invoice_number"), ("N.º de factura", "invoice_number"),
        ("Račun br.", "invoice_number"), ("Рачун бр.", "invoice_number"), ("Date d'échéance", "due_date"),
        ("Data fattura", "issue_date"), ("Vervaldatum", "due_date"), ("Датум промета", "supply_date"),
        ("Termin płatności:", "due_date"), ("Montant EUR HT", "net_total"), ("Order no.", "order_number"),
    ],
)  # fmt: skip
def test_labels_are_known_in_each_language(text: str, name: str) -> None:
    assert meant(text)[0] == name


def test_a_word_that_ends_like_an_invoice_is_a_title() -> None:
    assert meant("Mietrechnung") == ["compound"]
    assert meant("Abrechnung") == []


def test_a_profile_adds_labels_of_its_own() -> None:
    wanted = Sought("meter", "identifier", ("Zähler",))
    found = labels.vocabulary([wanted]).at([labels.token("Zähler:")], 0)
    assert found and found[1][0].name == "meter"


def test_a_field_of_no_known_kind_is_refused() -> None:
    with pytest.raises(UsageError, match="meter"):
        labels.sought(FieldProfile(names=("meter",)))


def test_numbers_of_groups_go_into_names_and_out() -> None:
    assert labels.numbered("line_item_amount", 3) == "line_item_3_amount"
    assert labels.bare("tax_2_rate") == ("tax_rate", 2)
    assert labels.bare("net_total") == ("net_total", 0)
