"""What is asked of invoices, deciding it, and what follows: sums checked anew, decisions that survive reruns."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline import asked, decisions, docket, fieldreview, fieldstore, invoices, run
from pipeline.asked import Choice
from pipeline.cli import main
from pipeline.decisions import Value
from pipeline.fieldreview import JudgedFields
from pipeline.fieldstore import Kept
from pipeline.model import Box, Check, Extra, Field, Finding, Invoices, Place, UsageError
from pipeline.profiles import FieldProfile, Profile, dumps
from pipeline.store import Store

SHA = "a" * 64
PROFILE = FieldProfile()
READ = (Check("text layer", "passed", "sound"), Check("label", "passed", "it stands by its label"))


def field(name: str, value: str, top: float, *checks: Check, second: str | None = None) -> Field:
    places = (Place(1, Box(100, top, 160, top + 10)),)
    return Field(1, name, value, value, places, value, second, "review", (*READ, *checks))


def found(*fields: Field, findings: tuple[Finding, ...] = ()) -> Invoices:
    return Invoices(invoices.judged(fields, PROFILE), ((1, 2),), findings)


NET, TAX = field("net_total", "100.00", 10), field("tax_total", "20.00", 20)
WRONG = field("gross_total", "170.00", 30, second="120.00")  # the page has 120.00
NUMBER = field("invoice_number", "2025-1", 40)
READ_WRONG = found(NET, TAX, WRONG, NUMBER)


def judged(store: Store, result: Invoices, sha256: str) -> JudgedFields:
    return fieldreview.reviewed(sha256, result, PROFILE, decisions.of(store, sha256))


@pytest.fixture
def kept(tmp_path: Path) -> tuple[Store, str]:
    store = Store(tmp_path)
    return store, store.add_file(io.BytesIO(b"hello"), "a.pdf").sha256


def statuses(now: JudgedFields) -> list[tuple[str, str, str]]:
    return [(one.name, one.normalised, one.status) for one in now.invoices.fields]


def test_fields_with_one_reason_are_one_question_and_the_dearest_comes_first() -> None:
    now = fieldreview.reviewed(SHA, READ_WRONG, PROFILE, ())
    [first, *rest] = now.questions
    assert first.stake == 170
    assert {item.values[0].column for item in first.items} >= {"gross_total"}
    assert now.verdict == "human_review"
    assert not any("invoice_number" in item.told for one in now.questions for item in one.items)
    gross = next(item for one in (first, *rest) for item in one.items if item.values[0].column == "gross_total")
    assert [(read.by, read.text) for read in gross.reads] == [
        ("first read", "170.00"),
        ("second reader, on the crop alone", "120.00"),
    ]
    assert gross.box == WRONG.places[0].box


def test_a_correction_makes_the_sums_agree_and_survives_a_rerun(kept: tuple[Store, str]) -> None:
    store, sha256 = kept
    now = judged(store, READ_WRONG, sha256)
    gross = next(item for item in now.items if item.values[0].column == "gross_total")
    asked.decide(store, now, Choice(gross.mark.id, "correct", ((Value("gross_total", "120,00"),),), "Ana"))
    after = judged(store, READ_WRONG, sha256)
    assert statuses(after) == [
        ("net_total", "100.00", "confirmed"),
        ("tax_total", "20.00", "confirmed"),
        ("gross_total", "120.00", "confirmed"),
        ("invoice_number", "2025-1", "confirmed"),
    ]
    assert (after.questions, after.verdict, after.follows) == ((), "auto_import", ("no check fails",))
    assert fieldreview.decided_by(after.invoices.fields[2]).startswith("corrected by Ana")
    asked.decide(store, after, Choice(gross.mark.id, "approve", (), "Eva"))
    after = judged(store, READ_WRONG, sha256)
    assert statuses(after)[2] == ("gross_total", "120.00", "confirmed")  # as it was corrected
    moved = replace(WRONG, name="gross_total", first_read="770.00", value="770.00", normalised="770.00")
    again = judged(store, found(NET, TAX, moved, NUMBER), sha256)  # another reader, the same place
    assert statuses(again)[2] == ("gross_total", "120.00", "confirmed")
    gone = judged(store, found(NET, TAX, NUMBER), sha256)
    assert [one.kind for one in gone.invoices.findings] == ["decision_lost"]
    for _ in range(2):
        asked.decide(store, judged(store, READ_WRONG, sha256), Choice(gross.mark.id, "undo", (), "Ana"))
    assert statuses(judged(store, READ_WRONG, sha256))[2] == ("gross_total", "170.00", "review")


def test_what_is_printed_between_sums_counts_when_they_are_made_anew(kept: tuple[Store, str]) -> None:
    store, sha256 = kept
    extras = (Extra(1, "allowance", Decimal("-5.00")),)
    item = field("line_item_1_amount", "105.00", 50)
    fields = invoices.judged((NET, TAX, field("gross_total", "120.00", 30), item, NUMBER), PROFILE, extras)
    result = Invoices(fields, ((1, 2),), (), extras)
    assert {one.status for one in fields} == {"confirmed"}
    now = judged(store, result, sha256)
    asked.decide(store, now, Choice(now.items[4].mark.id, "approve", (), "Ana"))
    assert judged(store, result, sha256).verdict == "auto_import"


def test_a_rejected_field_is_left_out_and_what_is_approved_is_a_persons(kept: tuple[Store, str]) -> None:
    store, sha256 = kept
    now = judged(store, READ_WRONG, sha256)
    marks = {item.values[0].column: item.mark.id for item in now.items}
    asked.decide(store, now, Choice(marks["gross_total"], "reject", (), "Ana"))
    asked.decide(store, now, Choice(marks["net_total"], "approve", (), "Ana"))
    after = judged(store, READ_WRONG, sha256)
    assert [name for name, _, _ in statuses(after)] == ["net_total", "tax_total", "invoice_number"]
    assert statuses(after)[0] == ("net_total", "100.00", "confirmed")
    assert statuses(after)[1][2] == "review"
    assert [(one.kind, one.severity) for one in after.invoices.findings] == [("rejected", "info")]


def test_pages_that_look_like_no_invoice_are_one_question(kept: tuple[Store, str]) -> None:
    store, sha256 = kept
    odd = Finding("no_invoice", "warning", "This does not look like an invoice: no total was found.", 2)
    result = found(NUMBER, findings=(odd,))
    doubted = replace(result, fields=(replace(result.fields[0], status="review", reasons=(odd.message,)),))
    now = judged(store, doubted, sha256)
    [question] = now.questions
    assert (question.kind, question.page, question.why) == ("finding", 2, (odd.message,))
    asked.decide(store, now, Choice(question.id, "approve", (), "Ana"))
    after = judged(store, doubted, sha256)
    assert (after.questions, statuses(after)[0][2]) == ((), "confirmed")


def test_a_field_that_was_not_read_is_given_and_makes_the_pages_an_invoice(kept: tuple[Store, str]) -> None:
    store, sha256 = kept
    odd = Finding("no_invoice", "warning", "This does not look like an invoice: no invoice number was found.", 1)
    result = found(NET, TAX, field("gross_total", "120.00", 30), findings=(odd,))
    now = judged(store, result, sha256)
    question = next(one for one in now.questions if one.kind == "finding")
    assert (question.actions[-1], question.adds) == ("add", "field")
    assert "invoice_number" in dict(question.blanks) and "net_total" not in dict(question.blanks)
    given = ((Value("invoice_number", " R-77 "),),)
    [made] = asked.decide(store, now, Choice(question.id, "add", given, "Ana"))
    after = judged(store, result, sha256)
    assert (after.questions, statuses(after)[-1]) == ((), ("invoice_number", "R-77", "confirmed"))
    [number] = [one for one in invoices.to_json(after.invoices)["fields"] if one["name"] == "invoice_number"]
    assert (number["page"], number["places"]) == (None, [])
    read = found(*result.fields, field("invoice_number", "R-71", 40))  # a later run reads it, and wrongly
    assert statuses(judged(store, read, sha256))[-1] == ("invoice_number", "R-77", "confirmed")
    asked.decide(store, after, Choice(made.mark.id, "undo", (), "Ana"))
    assert judged(store, result, sha256).questions == now.questions


def test_what_was_corrected_counts_where_a_later_run_reads_it_elsewhere(kept: tuple[Store, str]) -> None:
    store, sha256 = kept
    now = judged(store, READ_WRONG, sha256)
    value = ((Value("gross_total", "120.00"),),)
    asked.decide(store, now, Choice(now.items[2].mark.id, "correct", value, "Ana"))
    moved = found(NET, TAX, field("gross_total", "120.00", 90), NUMBER)
    after = judged(store, moved, sha256)
    assert (after.questions, fieldreview.decided_by(after.invoices.fields[2])[:16]) == ((), "corrected by Ana")
    lost = judged(store, found(NET, TAX, field("gross_total", "125.00", 90), NUMBER), sha256)
    assert [one.kind for one in lost.invoices.findings] == ["decision_lost"]


def test_twins_at_one_place_are_told_apart_and_numbers_of_lines_are_no_part_of_a_mark() -> None:
    one, two = field("line_item_1_amount", "1.00", 50), field("line_item_2_amount", "1.00", 50)
    [first, second] = fieldreview.marks(SHA, [one, two])
    assert (first.field, second.field) == ("line_item_amount", "line_item_amount #2")
    assert fieldreview.marks(SHA, [two])[0] == first


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Value("gross_total", "about 3"), "is no amount"),
        (Value("gross_total", "1,250"), "read in two ways"),
        (Value("iban", "RS1"), "the field gross_total, not 'iban'"),
    ],
)
def test_what_is_no_value_of_the_field_is_refused(kept: tuple[Store, str], value: Value, message: str) -> None:
    store, sha256 = kept
    now = judged(store, READ_WRONG, sha256)
    with pytest.raises(UsageError, match=message):
        asked.decide(store, now, Choice(now.items[2].mark.id, "correct", ((value,),), "Ana"))


def test_the_commands_list_show_and_decide_fields(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = Store(home)
    sha256 = store.add_file(io.BytesIO(b"hello"), "a.pdf").sha256
    fieldstore.save(store, sha256, run.fields_key(Profile(), "local"), Kept(READ_WRONG, dumps(Profile()), 0.5))
    assert main(["review", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    [gross] = [one for question in listed["questions"] for one in question["fields"] if "gross_total" in one["values"]]
    assert gross["box"] == [100, 30, 160, 40]
    assert [read["text"] for read in gross["reads"]] == ["170.00", "120.00"]
    assert main(["review", "decide", gross["id"], "correct", "--value", "gross_total=120.00", "--by", "Ana"]) == 0
    assert "0 open" in capsys.readouterr().out
    assert [case.judged.verdict for case in docket.cases(store)] == ["auto_import"]
    assert main(["review", "show", gross["id"]]) == 0
    assert "corrected by Ana" in capsys.readouterr().out


def test_a_missing_field_is_given_with_its_place_where_nothing_is_asked(kept: tuple[Store, str]) -> None:
    store, sha256 = kept
    result = found(NUMBER)
    now = judged(store, result, sha256)
    assert not now.questions
    assert "due_date" in now.lacking(1)
    assert "invoice_number" not in now.lacking(1)
    given = (Value("due_date", "2025-04-13"), Value("place", "2 100 40 160 52"))
    [made] = asked.decide(store, now, Choice("invoice 1", "add", (given,), "Ana"))
    assert decisions.words(made.parts[0]) == "due date 2025-04-13; place 2 100.0 40.0 160.0 52.0"
    [_, one] = (after := judged(store, result, sha256)).invoices.fields
    assert (one.name, one.normalised, one.status) == ("due_date", "2025-04-13", "confirmed")
    assert one.places == (Place(2, Box(100, 40, 160, 52)),)
    asked.decide(store, after, Choice(made.mark.id, "undo"))
    assert judged(store, result, sha256).invoices.fields == now.invoices.fields
    for target, value, why in (
        ("invoice 2", given, "no such invoice"),
        ("invoice 1", (Value("invoice_number", "7"),), "no field that this invoice lacks"),
        ("invoice 1", (given[0], Value("place", "2 100 40")), "A place is a page and a box"),
    ):
        with pytest.raises(UsageError, match=why):
            asked.decide(store, now, Choice(target, "add", (value,)))
