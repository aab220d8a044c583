"""Fields against truth: what counts as right, as told, as silent; lines matched by what they hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline import fieldtruth
from pipeline.fieldtruth import Score, TruthField
from pipeline.model import Box, Field, Invoices, Place, Status, UsageError
from pipeline.profiles import FieldProfile

PROFILE = FieldProfile()


def field(name: str, normalised: str, status: Status = "confirmed", page: int = 1, invoice: int = 1) -> Field:
    places = (Place(page, Box(0, 0, 10, 10)),)
    return Field(invoice, name, normalised, normalised, places, normalised, None, status)


def outcomes(found: Invoices, *truth: TruthField) -> list[tuple[str, str, str | None]]:
    return [(one.name, one.outcome, one.status) for one in fieldtruth.scores(found, truth, PROFILE)]


def test_a_wrong_value_is_silent_only_where_it_was_confirmed() -> None:
    found = Invoices(
        (field("gross_total", "120.0"), field("net_total", "101.00"), field("iban", "RS1", "review")), ((1,),)
    )
    truth = (
        TruthField(1, "gross_total", "120,00", "120.00", 1),
        TruthField(1, "net_total", "100,00", "100.00", 1),
        TruthField(1, "iban", "RS 2", "RS2", 1),
        TruthField(1, "due_date", "1.2.2025", "2025-02-01", 1),
    )
    made = fieldtruth.scores(found, truth, PROFILE)
    assert [one.outcome for one in made] == ["right", "wrong", "wrong", "missing"]
    assert [one.silent for one in made] == [False, True, False, False]
    [page] = fieldtruth.by_page(made).values()
    assert (page.confirmed, page.right, page.doubted, page.silent, page.missing, page.count) == (1, 0, 1, 1, 1, 4)
    assert [one.of for one in fieldtruth.by_field(made)] == ["Due date", "Net total", "Gross total", "IBAN"]


def test_a_line_that_was_missed_makes_one_line_missing() -> None:
    found = Invoices(
        (
            field("line_item_1_description", "Glue"),
            field("line_item_1_amount", "2.00"),
            field("line_item_2_description", "Rope"),
            field("line_item_2_amount", "3.00"),
        ),
        ((1,),),
    )
    truth = [
        TruthField(1, f"line_item_{number}_{part}", value, value, 1)
        for number, (description, amount) in enumerate([("Saw", "1.00"), ("Glue", "2.00"), ("Rope", "3.00")], 1)
        for part, value in (("description", description), ("amount", amount))
    ]
    assert [outcome for _, outcome, _ in outcomes(found, *truth)] == ["missing", "missing", *["right"] * 4]


def test_invoices_are_matched_by_their_pages_and_what_is_beside_is_told() -> None:
    found = Invoices(
        (field("gross_total", "9.00", page=3, invoice=1), field("gross_total", "5.00", page=4, invoice=2)), ((3,), (4,))
    )
    assert outcomes(found, TruthField(7, "gross_total", "5.00", "", 4)) == [
        ("gross_total", "right", "confirmed"),
        ("gross_total", "extra", "confirmed"),
    ]
    assert outcomes(found, TruthField(7, "net_total", "5.00", "", 4)) == [("net_total", "missing", None)]


def test_truth_is_read_from_json_and_csv_and_goes_beside_the_truth_of_rows(samples: Path) -> None:
    truth = fieldtruth.read((samples / "invoices_scanned.truth.json").read_text())
    assert len(truth) == 537
    assert truth[0] == TruthField(1, "supplier_name", "Vetrilo Term d.o.o.", "Vetrilo Term d.o.o.", 1)
    text = "\ufeffinvoice;name;value;page\r\n2;gross_total;1.847,00;3\r\n"
    assert fieldtruth.read(text, "truth.csv") == (TruthField(2, "gross_total", "1.847,00", "", 3),)
    both = fieldtruth.to_json(truth[:1], '{"rows": [1]}')
    assert both.startswith('{"rows": [1], "fields": [{"invoice": 1,')
    assert fieldtruth.read(both) == truth[:1]
    assert fieldtruth.read(fieldtruth.to_json(truth[:1])) == truth[:1]


@pytest.mark.parametrize("text", ["{}", "[]", "nothing", '{"fields": [{"name": "x"}]}', '{"fields": 3}'])
def test_what_is_no_truth_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"invoices_scanned\.truth\.json"):
        fieldtruth.read(text)


def test_scores_say_what_was_expected_and_what_was_found() -> None:
    [made] = fieldtruth.scores(
        Invoices((field("issue_date", "2025-01-02", "review"),), ((1,),)),
        [TruthField(1, "issue_date", "1.2.2025", "2025-02-01", 1)],
        PROFILE,
    )
    assert made == Score(1, "issue_date", "wrong", "review", "2025-02-01", "2025-01-02")
