"""The page Review under AppTest: what is asked, each action, what is refused, two people, an empty queue."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pipeline import decisions, docket, profiles, run
from pipeline.asked import Choice
from pipeline.profiles import Profile
from pipeline.store import Store
from tests.drawn import item, statement
from tests.test_lessons import counted, invoice
from tests.test_review import statement_of

APP = str(Path(__file__).resolve().parent.parent / "app.py")
SAW = item("A-1", "Saw", "2", "10.00", "20.00")
WRONG = item("A-2", "Glue", "4", "2.50", "70.00")  # 4 × 2.50 is 10.00


@pytest.fixture
def altered(home: Path, tmp_path: Path) -> Store:
    store = Store(home)
    path = statement(tmp_path / "altered.pdf", SAW, WRONG, printed="30.00")
    run.rows(store, store.add_file(path, "altered.pdf").sha256, Profile())
    return store


def opened() -> AppTest:
    app = AppTest.from_file(APP, default_timeout=30).run()
    app.switch_page("pages/review.py").run()
    assert not app.exception, app.exception
    return app


def said(app: AppTest) -> str:
    parts = [*app.subheader, *app.text, *app.caption, *app.success, *app.info, *app.error]
    return "\n".join(part.value for part in parts).replace("\\", "").replace("&nbsp;", " ")


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception, app.exception


def field(app: AppTest, label: str, kind: str = "correct") -> str:
    """The key of a field."""
    return next(one.key for one in app.text_input if one.label == label and one.key and one.key.startswith(f"{kind}_"))


def verdict(store: Store) -> str:
    return statement_of(docket.cases(store)[0]).reconciliation.action


def test_the_question_says_what_was_read_why_it_is_asked_and_what_settles_it(altered: Store) -> None:
    app = opened()
    told = said(app)
    assert "The sum of the whole document differs" in told
    assert "altered.pdf, page 1 · 60.00 EUR at stake" in told
    assert "printed 30.00, rows sum to 90.00: 60.00 EUR too much" in told
    assert "In review: quantity × unit price = amount: 4 × 2.50 is 10.00, not 70.00" in told
    assert "Row 2 with the amount 10.00 would make the sum agree: compare it with the page. Else reject" in told
    assert app.text_input(key=field(app, "Amount")).value == "70.00"


def test_a_correction_shows_the_new_sum_at_once_and_undo_asks_again(altered: Store) -> None:
    app = opened()
    app.text_input(key="reviewer").set_value("Ana").run()
    app.text_input(key=field(app, "Amount")).set_value("11,00")
    press(app, "Accept")
    assert "corrected by Ana" in said(app)
    assert "document: 1.00 EUR too much" in said(app)
    app.text_input(key=field(app, "Amount")).set_value("10.00")
    press(app, "Accept")
    assert "all printed sums agree" in said(app)
    assert "Nothing is left to decide." in said(app)
    assert "altered.pdf: auto import" in said(app)
    press(app, "Undo")
    assert "document: 1.00 EUR too much" in said(app)
    assert verdict(altered) == "human_review"


@pytest.mark.parametrize(("label", "action"), [("Accept", "approve"), ("Reject", "reject")])
def test_a_row_is_approved_or_rejected(altered: Store, label: str, action: str) -> None:
    app = opened()
    press(app, label)
    assert verdict(altered) == "human_review"
    [made] = docket.cases(altered)[0].judged.made
    assert made.action == action
    assert "amount 70.00" in made.before


def test_a_row_is_split(altered: Store) -> None:
    app = opened()
    for number, amount in enumerate(("4.00", "6.00")):
        key = next(one.key for one in app.text_input if one.key and one.key.endswith(f"_{number}_amount"))
        app.text_input(key=key).set_value(amount)
    press(app, "Save the split")
    assert verdict(altered) == "auto_import"
    rows = statement_of(docket.cases(altered)[0]).rows
    assert [(row.value("description"), row.value("amount")) for row in rows] == [
        ("Saw", "20.00"),
        ("Glue", "4.00"),
        ("Glue", "6.00"),
    ]


def test_a_missing_row_is_added(altered: Store) -> None:
    app = opened()
    app.text_input(key=field(app, "Amount", "add")).set_value("-60.00")
    press(app, "Save the row")
    assert [row.value("amount") for row in statement_of(docket.cases(altered)[0]).rows] == [
        "20.00",
        "70.00",
        "-60.00",
    ]


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("ten", "amount: “ten” is no amount. Write it as 1847.00 or -1847.00."),
        ("1,250", "amount: “1,250” can be read in two ways. Write it with a point: 1250.00 or 1.25."),
        ("", "amount: a row needs one. Reject the row where it is none."),
    ],
)
def test_what_cannot_be_kept_is_one_line_and_nothing_is_written(altered: Store, typed: str, line: str) -> None:
    app = opened()
    app.text_input(key=field(app, "Amount")).set_value(typed)
    press(app, "Accept")
    assert line in said(app)
    assert docket.cases(altered)[0].judged.made == ()


def test_a_value_that_is_typed_as_it_was_read_is_approved(altered: Store) -> None:
    app = opened()
    app.text_input(key=field(app, "Amount")).set_value(" 70.00 ")
    press(app, "Accept")
    assert [one.action for one in docket.cases(altered)[0].judged.made] == ["approve"]


def test_the_second_of_two_people_is_told_who_was_first(altered: Store) -> None:
    app = opened()
    [case] = docket.cases(altered)
    row = case.judged.questions[0].items[0].mark.id
    docket.decide(altered, case, Choice(row, "reject", (), "Bo"))
    press(app, "Accept")
    assert "This was rejected by Bo, " in said(app)
    assert [(one.who, one.action) for one in decisions.of(altered, case.entry.sha256)] == [("Bo", "reject")]


def test_questions_are_stepped_through_with_the_dearest_first(altered: Store, tmp_path: Path) -> None:
    path = statement(tmp_path / "dear.pdf", SAW, item("A-2", "Glue", "4", "2.50", "910.00"), printed="30.00")
    run.rows(altered, altered.add_file(path, "dear.pdf").sha256, Profile())
    app = opened()
    assert "dear.pdf, page 1 · 900.00 EUR at stake" in said(app)
    press(app, "Skip")
    assert "altered.pdf, page 1 · 60.00 EUR at stake" in said(app)
    press(app, "Back")
    assert "dear.pdf" in said(app)


def test_rows_for_one_reason_are_approved_and_taken_back_together(home: Path, tmp_path: Path) -> None:
    store = Store(home)
    undated = [((40.0, f"A-{n}"), (180.0, "Saw"), (-400.0, "2"), (-470.0, "5.00"), (-555.0, "10.00")) for n in (1, 2)]
    path = statement(tmp_path / "undated.pdf", *undated, SAW, printed="40.00")
    run.rows(store, store.add_file(path, "undated.pdf").sha256, Profile())
    app = opened()
    assert "2 rows for one reason" in said(app)
    press(app, "Accept all 2")
    assert "approved by" in said(app) and ", 2 rows" in said(app)
    assert verdict(store) == "auto_import"
    press(app, "Undo")
    assert verdict(store) == "human_review"
    assert "2 rows for one reason" in said(app)


def test_the_text_of_a_document_is_shown_letter_by_letter(home: Path, tmp_path: Path) -> None:
    store = Store(home)
    path = statement(tmp_path / "odd.pdf", SAW, item("A-2", "**x** <b>$y$", "4", "2.50", "70.00"), printed="30.00")
    run.rows(store, store.add_file(path, "**a** [b].pdf").sha256, Profile())
    app = opened()
    assert app.text[0].value.startswith("**a** [b].pdf, page 1")
    assert all("<b>" not in part.value for part in app.markdown)


def test_a_decision_of_an_earlier_session_is_taken_back(altered: Store) -> None:
    [case] = docket.cases(altered)
    row = case.judged.questions[0].items[0].mark.id
    docket.decide(altered, case, Choice(row, "correct", docket.parts(["amount=10.00"]), "Bo"))
    app = opened()
    assert app.button(key="undo").disabled
    app.session_state["decided"] = True  # opens the list
    app.run()
    press(app, "Take it back")
    assert verdict(altered) == "human_review"
    assert [one.action for one in decisions.of(altered, case.entry.sha256)] == ["correct", "undo"]


def test_a_field_is_given_and_the_label_beside_it_accepted_for_the_profile(home: Path) -> None:
    store = Store(home)
    sha256 = invoice(store, "a.pdf", ("Invoice number:", "Belegkennung:"))
    app = opened()
    assert "no invoice number was found" in said(app)
    [choice] = [one for one in app.selectbox if one.label == "Field"]
    choice.set_value("invoice_number").run()
    [typed] = [one for one in app.text_input if str(one.key).endswith("_invoice_number")]
    typed.set_value("INV-7001")
    press(app, "Save the field")
    app.session_state["lessons"] = True  # opens the list
    app.run()
    assert "“Belegkennung” → Invoice number (1 correction in a.pdf)" in said(app)
    with doing_nothing(store):
        press(app, "Accept")
    assert dict(profiles.load("My documents", store.profiles).fields.labels) == {"invoice_number": ("Belegkennung",)}
    assert [(job.kind, job.sha256) for job in store.jobs(sha256)] == [("fields", sha256)]


def test_a_person_says_what_an_unknown_column_holds(home: Path) -> None:
    store = Store(home)
    sha256 = store.add_file(counted(home / "s.pdf", "Gebinde"), "s.pdf").sha256
    run.rows(store, sha256, Profile())
    app = opened()
    [choice] = [one for one in app.selectbox if one.label == "Holds"]
    choice.set_value("quantity").run()
    with doing_nothing(store):
        press(app, "Save and extract again")
    assert dict(profiles.load("My documents", store.profiles).statement.synonyms) == {"quantity": ("Gebinde",)}
    assert [job.kind for job in store.jobs(sha256)] == ["rows"]


@contextmanager
def doing_nothing(store: Store) -> Iterator[None]:
    """Jobs wait meanwhile: the place of the process that does them is taken."""
    with (store.home / "jobs.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def test_an_empty_queue_says_what_to_do(home: Path) -> None:
    Store(home)
    assert "Nothing was extracted yet. Do that on the pages Statements and Invoices." in said(opened())


def test_the_page_statements_shows_decided_rows(altered: Store) -> None:
    [case] = docket.cases(altered)
    row = case.judged.questions[0].items[0].mark.id
    choice = Choice(row, "correct", docket.parts(["amount=10.00"]), "Ana")
    docket.decide(altered, case, choice)
    app = AppTest.from_file(APP, default_timeout=30).run()
    app.query_params["doc"] = case.entry.sha256
    app.switch_page("pages/statements.py").run()
    assert not app.exception, app.exception
    frame = next(part.value for part in app.dataframe if "status" in part.value)
    assert list(frame["status"]) == ["confirmed", "decided"]
    assert frame["reasons"][1].startswith("corrected by Ana, ")
    assert list(frame["amount"]) == ["20.00", "10.00"]
    assert any("Auto import" in part.value for part in app.success)
