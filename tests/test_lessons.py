"""What corrections teach: labels and titles on drawn pages, known to the profile then and found by the next run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import asked, docket, fieldreview, lessons, pointed, profiles, run
from pipeline.asked import Choice
from pipeline.decisions import Action, Value
from pipeline.fieldreview import JudgedFields
from pipeline.model import Field
from pipeline.profiles import Profile
from pipeline.store import Store
from tests import draw
from tests.drawn import pdf
from tests.test_invoices import COLUMNS, HEAD, ITEMS, TOTALS


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "home")


def invoice(store: Store, name: str, *changes: tuple[str, str], profile: Profile | None = None) -> str:
    """The plain invoice with other labels, its fields read; its sha256."""
    puts = [*HEAD, *COLUMNS, *ITEMS, *TOTALS]
    for old, new in changes:
        puts = [put._replace(text=put.text.replace(old, new)) for put in puts]
    path = draw.pdf(store.home / name, [puts])
    sha256 = store.add_file(path, name).sha256
    run.fields(store, sha256, profile or Profile())
    return sha256


def fields(store: Store, sha256: str) -> dict[str, Field]:
    [result] = [one for one in docket.results(store, sha256) if one.kind == "fields"]
    found = run.judged_fields(store, sha256, result.key)
    assert found
    return {one.name: one for one in found[0].invoices.fields}


def decide(store: Store, sha256: str, target: str, action: Action, column: str, value: str) -> None:
    [case] = [case for case in docket.cases(store) if case.entry.sha256 == sha256]
    question = next((one for one in case.judged.questions if one.kind == target), None)
    item = next((one for one in case.judged.items if column in dict(one.values)), None)
    chosen = question.id if question else item.mark.id if item else ""
    asked.decide(store, case.judged, Choice(chosen, action, ((Value(column, value),),), "Ana"))


def told(store: Store, profile: Profile) -> list[tuple[str, str, str, int]]:
    return [(one.part, one.name, one.words, one.times) for one in lessons.of(store, profile)]


def test_a_field_given_beside_an_unknown_label_teaches_it_and_the_next_run_finds_it(store: Store) -> None:
    one = invoice(store, "one.pdf", ("Invoice number:", "Belegkennung:"))
    two = invoice(store, "two.pdf", ("Invoice number:", "Belegkennung"), ("INV-7001", "INV-7002"))
    assert "invoice_number" not in fields(store, one)
    decide(store, one, "finding", "add", "invoice_number", "INV-7001")
    assert told(store, Profile()) == [("fields", "invoice_number", "Belegkennung", 1)]
    decide(store, two, "finding", "add", "invoice_number", "INV-7002")
    [lesson] = lessons.of(store, Profile())
    assert (lesson.times, lesson.languages, set(lesson.documents)) == (2, (), {one, two})

    profile = replace(lessons.taught(Profile(), lesson), name="mine")
    profiles.save(profile, store.profiles)
    saved = profiles.load("mine", store.profiles)
    assert dict(saved.fields.labels) == {"invoice_number": ("Belegkennung",)}
    assert lessons.of(store, saved) == ()
    three = invoice(store, "three.pdf", ("Invoice number:", "Belegkennung:"), ("INV-7001", "INV-7003"), profile=saved)
    number = fields(store, three)["invoice_number"]
    assert (number.normalised, number.status) == ("INV-7003", "confirmed")
    run.fields(store, one, saved)  # what was given is now read, and stays a person's
    [again] = [one for one in fields(store, one).values() if one.name == "invoice_number"]
    assert (again.normalised, again.places[0].page) == ("INV-7001", 1)


@pytest.mark.parametrize(
    ("change", "field", "value", "words"),
    [
        (("Due date:", "Settle until:"), "due_date", "2025-04-13", "Settle until"),
        (("Invoice total", "Grand sum"), "gross_total", "150.00", "Grand sum"),
        (("Invoice date:", "Made out"), "issue_date", "2025-03-14", "Made out"),
        (("Due date:", "N.º fin:"), "due_date", "2025-04-13", "N.º fin"),
    ],
)
def test_dates_and_amounts_are_found_in_the_form_of_the_page(
    store: Store, change: tuple[str, str], field: str, value: str, words: str
) -> None:
    sha256 = invoice(store, "a.pdf", change, ("Invoice number:", "Ourmark"))
    decide(store, sha256, "finding", "add", field, value)
    assert told(store, Profile()) == [("fields", field, words, 1)]
    saved = lessons.taught(Profile(), lessons.of(store, Profile())[0])
    run.fields(store, sha256, saved)
    assert fields(store, sha256)[field].normalised == value


def test_a_label_over_its_value_is_learned_and_one_that_names_another_field_is_not(store: Store) -> None:
    over = draw.Put(330, 190, "Settlement key"), draw.Put(330, 203, "SK-44-1")
    path = draw.pdf(
        store.home / "a.pdf", [[put for put in (*HEAD, *COLUMNS, *ITEMS, *TOTALS, *over) if "INV" not in put.text]]
    )
    sha256 = store.add_file(path, "a.pdf").sha256
    run.fields(store, sha256, Profile())
    decide(store, sha256, "finding", "add", "supply_date", "2025-04-13")  # stands behind `Due date:`
    decide(store, sha256, "finding", "add", "invoice_number", "SK-44-1")
    assert told(store, Profile()) == [("fields", "invoice_number", "Settlement key", 1)]


def test_of_two_places_the_one_that_a_person_pointed_at_teaches(store: Store) -> None:
    sha256 = invoice(store, "a.pdf", ("Invoice number:", "Belegkennung"), ("Order number: PO-5512", "Zeichen INV-7001"))
    [case] = docket.cases(store)
    assert told(store, Profile()) == []
    [page] = run.reading(store, sha256, Profile()).pages
    at = next(
        at for at, word in enumerate(page.words) if word.text == "INV-7001" and page.words[at - 1].text == "Zeichen"
    )
    now = case.judged
    assert isinstance(now, JudgedFields)
    pointed_at = pointed.value(page, pointed.framed(page, page.words[at].box), "payment_reference", now.profile, "en")
    assert (pointed_at.plain, pointed_at.doubt) == ("INV-7001", "")
    part = (Value("payment_reference", "INV-7001"), Value("place", fieldreview.told_places(pointed_at.places)))
    asked.decide(store, now, Choice("invoice 1", "add", (part,), "Ana"))
    assert told(store, Profile()) == [("fields", "payment_reference", "Zeichen", 1)]


def test_a_value_whose_label_is_known_or_that_stands_nowhere_teaches_nothing(store: Store) -> None:
    sha256 = invoice(store, "a.pdf", ("Invoice number:", "Belegkennung:"))
    decide(store, sha256, "", "correct", "due_date", "2025-04-14")
    decide(store, sha256, "", "correct", "gross_total", "150.00")
    assert told(store, Profile()) == []


def counted(path: Path, *titles: str) -> Path:
    """A statement whose quantities stand under a title that nobody knows, over one line or two."""
    head = [(92 + 10 * n, ((-400, f"*{title}"),)) for n, title in enumerate(titles[:-1])]
    last = 92 + 10 * (len(titles) - 1)
    named = ((40, "*Invoice no."), (110, "*Date"), (180, "*Description"), (-400, f"*{titles[-1]}"))
    rows = [
        (120 + 20 * n, ((40, f"A-{n}"), (110, "2025-07-01"), (180, text), (-400, count), (-470, price), (-555, amount)))
        for n, (text, count, price, amount) in enumerate(SOLD)
    ]
    priced = ((-470, "*Unit price"), (-555, "*Amount EUR"))
    return pdf(path, [[*head, (last, (*named, *priced)), *rows, (200, ((180, "Grand total"), (-555, "45.00")))]])


SOLD = (("Saw", "2", "10.00", "20.00"), ("Glue", "4", "2.50", "10.00"), ("Nails", "5", "3.00", "15.00"))


def test_a_figure_under_an_unknown_title_teaches_it_and_the_next_run_has_the_column(store: Store) -> None:
    sha256 = store.add_file(counted(store.home / "s.pdf", "Gebinde"), "s.pdf").sha256
    run.rows(store, sha256, Profile())
    [case] = docket.cases(store)
    assert [lessons.title(one) for one in case.judged.questions] == ["Gebinde"]
    for number, count in ((1, "4"), (2, "5")):
        row = case.judged.items[number].mark.id
        asked.decide(store, case.judged, Choice(row, "correct", ((Value("quantity", count),),), "Ana"))
    assert told(store, Profile()) == [("statement", "quantity", "Gebinde", 2)]
    learned = lessons.taught(Profile(), lessons.of(store, Profile())[0])
    assert dict(learned.statement.synonyms) == {"quantity": ("Gebinde",)}
    found = run.rows(store, sha256, learned)
    assert [row.value("quantity") for row in found.rows] == ["2", "4", "5"]
    assert found.reconciliation.action == "auto_import"
