"""The review queue: what is asked, what decisions do to rows and sums, and two people at once."""

from __future__ import annotations

import csv
import json
import sqlite3
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline import asked, decisions, docket, records, review, rowfiles, run, settled
from pipeline.asked import Choice
from pipeline.checks import Missing
from pipeline.cli import main
from pipeline.decisions import Action, Overtaken, Part, Value
from pipeline.docket import Case
from pipeline.model import Box, Place, Statement, StoreError, UsageError
from pipeline.profiles import Profile, StatementProfile
from pipeline.review import Reviewed
from pipeline.statements import Book
from pipeline.store import Store
from tests.drawn import HEADER, Line, item, pdf, statement

SAW, GLUE, TAPE = (
    item("A-1", "Saw", "2", "10.00", "20.00"),
    item("A-2", "Glue", "4", "2.50", "10.00"),
    item("A-3", "Tape", "5", "1.00", "5.00"),
)
WRONG = item("A-2", "Glue", "4", "2.50", "70.00")  # 4 × 2.50 is 10.00


def stored(home: Path, path: Path) -> tuple[Store, Case]:
    """A store with the rows of a document, and what is asked of it."""
    store = Store(home)
    sha256 = store.add_file(path, path.name).sha256
    run.rows(store, sha256, Profile())
    return store, docket.cases(store)[0]


@pytest.fixture
def altered(home: Path, tmp_path: Path) -> tuple[Store, Case]:
    """Three rows, one of them 60.00 too dear for the printed total and for its own price."""
    return stored(home, statement(tmp_path / "altered.pdf", SAW, WRONG, TAPE, printed="35.00"))


@pytest.fixture
def short(home: Path, tmp_path: Path) -> tuple[Store, Case]:
    """Two rows that are 5.00 less than the printed total."""
    return stored(home, statement(tmp_path / "short.pdf", SAW, GLUE, printed="35.00"))


def values(**given: str) -> tuple[Part, ...]:
    return (tuple(Value(column, value) for column, value in given.items()),)


def decided(store: Store, case: Case, target: str, action: Action, *parts: Part, by: str = "Ana") -> Case:
    return docket.decide(store, case, Choice(target, action, parts, by))[0]


def statement_of(case: Case) -> Statement:
    assert isinstance(case.judged, Reviewed)
    return case.judged.statement


def amounts(case: Case) -> list[str | None]:
    return [row.value("amount") for row in statement_of(case).rows]


def verdict(case: Case) -> str:
    return statement_of(case).reconciliation.action


def glue(case: Case) -> str:
    """The id of the row of invoice A-2."""
    return next(one.mark.id for one in case.judged.items if one.value("invoice_number") == "A-2")


# ---- what is asked


def test_a_wrong_amount_and_the_sum_it_spoils_are_one_question(altered: tuple[Store, Case]) -> None:
    case = altered[1]
    [question] = case.judged.questions
    assert (question.kind, question.stake, question.currency, question.page) == ("sum", Decimal("60.00"), "EUR", 1)
    assert question.why == ("printed 35.00, rows sum to 95.00: 60.00 EUR too much",)
    assert question.fix == (
        "Row 2 with the amount 10.00 would make the sum agree: compare it with the page. "
        "Else reject the row that is too much, or correct one."
    )
    assert [one.value("invoice_number") for one in question.items] == ["A-2", "A-1", "A-3"]


def test_a_statement_that_agrees_asks_nothing(home: Path, tmp_path: Path) -> None:
    case = stored(home, statement(tmp_path / "good.pdf", SAW, GLUE, TAPE, printed="35.00"))[1]
    assert (verdict(case), case.judged.questions) == ("auto_import", ())


def test_rows_that_lack_the_same_are_one_question(home: Path, tmp_path: Path) -> None:
    rows = [((40.0, f"A-{n}"), (180.0, "Saw"), (-400.0, "2"), (-470.0, "5.00"), (-555.0, "10.00")) for n in (1, 2)]
    case = stored(home, statement(tmp_path / "undated.pdf", *rows, SAW, printed="40.00"))[1]
    [question] = case.judged.questions
    assert (question.kind, question.cause, question.stake) == ("rows", "2 rows for one reason", Decimal("20.00"))
    assert question.why == ("no date on the line",)


def test_the_dearest_comes_first(home: Path, tmp_path: Path) -> None:
    undated = ((40.0, "A-9"), (180.0, "Saw"), (-400.0, "2"), (-470.0, "5.00"), (-555.0, "10.00"))
    store, _ = stored(home, statement(tmp_path / "cheap.pdf", undated, SAW, printed="30.00"))
    dear = statement(tmp_path / "dear.pdf", SAW, WRONG, TAPE, printed="35.00")
    run.rows(store, store.add_file(dear, "dear.pdf").sha256, Profile())
    found = docket.list_json(docket.cases(store))
    assert [(one["document"]["name"], one["stake"]) for one in found["questions"]] == [
        ("dear.pdf", "60.00"),
        ("cheap.pdf", "10.00"),
    ]


# ---- what decisions do


def test_a_correction_recomputes_the_sums_at_once_and_undo_takes_it_back(altered: tuple[Store, Case]) -> None:
    store, case = altered
    case = decided(store, case, glue(case), "correct", *values(amount="9.00"))
    assert [scope.delta for scope in statement_of(case).reconciliation.scopes] == [Decimal("1.00")]
    assert verdict(case) == "human_review"
    case = decided(store, case, glue(case), "correct", *values(amount="10.00"))
    assert (verdict(case), case.judged.questions, amounts(case)) == ("auto_import", (), ["20.00", "10.00", "5.00"])
    assert rowfiles.refusal(statement_of(case)) == ""
    assert b",corrected by Ana" not in rowfiles.made(statement_of(case), "accounting")
    assert b'"corrected by Ana, ' in rowfiles.made(statement_of(case), "csv")
    assert [check.detail[:16] for check in statement_of(case).rows[1].checks if check.check == settled.PERSON] == [
        "corrected by Ana"
    ]
    case = decided(store, case, glue(case), "undo", by="Bo")
    assert (verdict(case), amounts(case)) == ("human_review", ["20.00", "9.00", "5.00"])
    case = decided(store, case, glue(case), "undo", by="Bo")
    assert amounts(case) == ["20.00", "70.00", "5.00"]
    with pytest.raises(UsageError, match="nothing to undo"):
        decided(store, case, glue(case), "undo")
    assert [(one.sequence, one.action, one.who) for one in case.judged.made] == [
        (1, "correct", "Ana"),
        (2, "correct", "Ana"),
        (3, "undo", "Bo"),
        (4, "undo", "Bo"),
    ]
    assert case.judged.made[0].before.endswith("quantity 4; unit price 2.50; amount 70.00")


def test_approving_a_row_does_not_make_sums_agree(altered: tuple[Store, Case]) -> None:
    store, case = altered
    case = decided(store, case, glue(case), "approve")
    assert statement_of(case).rows[1].status == "confirmed"
    assert verdict(case) == "human_review"
    [question] = case.judged.questions
    case = decided(store, case, question.id, "approve")
    assert (case.judged.questions, verdict(case)) == ((), "human_review")
    assert rowfiles.refusal(statement_of(case)) != ""


def test_a_rejected_row_is_left_out_and_named(altered: tuple[Store, Case]) -> None:
    store, case = altered
    rejected = glue(case)
    case = decided(store, case, rejected, "reject")
    assert amounts(case) == ["20.00", "5.00"]
    [told] = [one for one in statement_of(case).findings if one.kind == "rejected"]
    assert (told.severity, told.page) == ("info", 1)
    assert told.message.endswith("description Glue; quantity 4; unit price 2.50; amount 70.00")
    case = decided(store, case, rejected, "undo")
    assert amounts(case) == ["20.00", "70.00", "5.00"]


def test_a_row_is_split_and_its_parts_are_decided_by_themselves(altered: tuple[Store, Case]) -> None:
    store, case = altered
    whole = glue(case)
    parts = (*values(amount="4.00", quantity="", unit_price=""), *values(amount="7.00", description="Glue, more"))
    case = decided(store, case, whole, "split", *parts)
    assert amounts(case) == ["20.00", "4.00", "7.00", "5.00"]
    assert [row.value("description") for row in statement_of(case).rows] == ["Saw", "Glue", "Glue, more", "Tape"]
    assert verdict(case) == "human_review"
    with pytest.raises(UsageError, match="decide its parts by their own ids"):
        decided(store, case, whole, "correct", *values(amount="5.00"))
    second = case.judged.items[2].mark.id
    case = decided(store, case, second, "correct", *values(amount="6.00"), by="Bo")
    assert (amounts(case), verdict(case)) == (["20.00", "4.00", "6.00", "5.00"], "auto_import")
    assert settled.decided_by(statement_of(case).rows[2]).startswith("corrected by Bo, ")
    assert amounts(decided(store, case, second, "reject")) == ["20.00", "4.00", "5.00"]


def test_what_was_said_of_a_part_waits_while_its_split_is_undone(altered: tuple[Store, Case]) -> None:
    store, case = altered
    whole, parts = glue(case), (*values(amount="4.00"), *values(amount="7.00"))
    case = decided(store, case, whole, "split", *parts)
    case = decided(store, case, case.judged.items[2].mark.id, "correct", *values(amount="6.00"))
    case = decided(store, case, whole, "undo")
    assert amounts(case) == ["20.00", "70.00", "5.00"]
    assert [one.kind for one in statement_of(case).findings if one.kind == "decision_lost"] == []
    case = decided(store, case, whole, "split", *parts)
    assert amounts(case) == ["20.00", "4.00", "7.00", "5.00"]


def test_a_part_is_split_further(altered: tuple[Store, Case]) -> None:
    store, case = altered
    case = decided(store, case, glue(case), "split", *values(amount="4.00"), *values(amount="6.00"))
    case = decided(store, case, case.judged.items[1].mark.id, "split", *values(amount="1.00"), *values(amount="3.00"))
    assert (amounts(case), verdict(case)) == (["20.00", "1.00", "3.00", "6.00", "5.00"], "auto_import")


def test_a_row_that_was_added_is_corrected_and_rejected(short: tuple[Store, Case]) -> None:
    store, case = short
    [question] = case.judged.questions
    case = decided(store, case, question.id, "add", *values(description="Tape", amount="4.00"))
    added = case.judged.items[2].mark.id
    case = decided(store, case, added, "correct", *values(amount="5.00"))
    assert (amounts(case), verdict(case)) == (["20.00", "10.00", "5.00"], "auto_import")
    assert amounts(decided(store, case, added, "reject")) == ["20.00", "10.00"]


@pytest.fixture
def untotalled(home: Path, tmp_path: Path) -> tuple[Store, Case]:
    """Two rows under which no total is printed."""
    return stored(home, pdf(tmp_path / "untotalled.pdf", [[(100, HEADER), (120, SAW), (140, GLUE)]]))


def test_a_printed_total_that_was_missed_is_given(untotalled: tuple[Store, Case]) -> None:
    store, case = untotalled
    question = next(one for one in case.judged.questions if one.cause == "No total")
    assert (question.adds, dict(question.blanks)["page"], verdict(case)) == ("total", "1", "human_review")
    case = decided(store, case, question.id, "add", *values(amount="30,00", page="1"))
    [scope] = [one for one in statement_of(case).reconciliation.scopes if one.scope == "document"]
    assert (scope.printed, scope.computed, scope.page) == (Decimal("30.00"), Decimal("30.00"), 1)
    assert (verdict(case), case.judged.questions) == ("auto_import", ())
    [told] = [one for one in statement_of(case).findings if one.kind == "total_decided"]
    assert told.message.startswith("page 1: the printed total (amount 30.00; page 1) was given by Ana, ")
    [made] = case.judged.made
    assert verdict(decided(store, case, made.mark.id, "undo")) == "human_review"


@pytest.mark.parametrize(
    ("typed", "scopes"),
    [
        ({"opening": "100.00", "closing": "119.50"}, ["1"]),
        ({"debits": "12.50", "credits": "32.00"}, ["credits", "debits"]),
    ],
)
def test_balances_or_sides_of_an_account_are_given(
    home: Path, tmp_path: Path, typed: dict[str, str], scopes: list[str]
) -> None:
    lines: list[Line] = [
        (110, [(40, "*Date"), (110, "*Details"), (-400, "*Paid out"), (-480, "*Paid in")]),
        (130, [(40, "2026-02-03"), (110, "Corner shop"), (-400, "12.50")]),
        (150, [(40, "2026-02-04"), (110, "Salary"), (-480, "32.00")]),
    ]
    store, case = stored(home, pdf(tmp_path / "bank.pdf", [lines]))
    question = next(one for one in case.judged.questions if one.adds == "total")
    assert [column for column, _ in question.blanks] == ["opening", "closing", "debits", "credits", "page", "currency"]
    case = decided(store, case, question.id, "add", *values(page="1", **typed))
    named = {scope.name: scope.delta for scope in statement_of(case).reconciliation.scopes if scope.scope == "account"}
    assert (sorted(named), set(named.values())) == (scopes, {Decimal("0.00")})
    assert verdict(case) == "auto_import"


def test_a_total_that_is_given_must_agree_with_its_rows(untotalled: tuple[Store, Case]) -> None:
    store, case = untotalled
    question = next(one for one in case.judged.questions if one.cause == "No total")
    with pytest.raises(UsageError, match="page: “x” is no page number"):
        decided(store, case, question.id, "add", *values(amount="35.00", page="x"))
    case = decided(store, case, question.id, "add", *values(amount="35.00", page="1"))
    assert (verdict(case), case.judged.follows) == ("human_review", ("document: 5.00 EUR missing",))


def test_a_total_that_was_given_wrongly_is_corrected(untotalled: tuple[Store, Case]) -> None:
    store, case = untotalled
    question = next(one for one in case.judged.questions if one.cause == "No total")
    case = decided(store, case, question.id, "add", *values(amount="35.00", page="1"))
    question = next(one for one in case.judged.questions if one.kind == "sum")
    assert ("correct" in question.actions, dict(question.corrects)) == (True, {"amount": "35.00", "page": "1"})
    case = decided(store, case, question.id, "correct", *values(amount="30.00", page="1"))
    assert (verdict(case), case.judged.follows) == ("auto_import", ("all printed sums agree",))
    case = decided(store, case, case.judged.made[-1].mark.id, "undo")
    assert (verdict(case), case.judged.follows) == ("human_review", ("document: 5.00 EUR missing",))


def test_rows_are_added_to_a_document_in_which_none_was_found(home: Path, tmp_path: Path) -> None:
    lines: list[Line] = [(100, [(40, "Saw"), (-400, "20.00")]), (120, [(40, "Glue"), (-400, "10.00")])]
    store, case = stored(home, pdf(tmp_path / "untitled.pdf", [lines]))
    question = next(one for one in case.judged.questions if one.cause == "No rows")
    assert (question.page, question.adds, amounts(case)) == (1, "row", [])
    assert {"description", "amount"} <= {column for column, _ in question.blanks}
    case = decided(store, case, question.id, "add", *values(description="Saw", amount="20.00"))
    question = next(one for one in case.judged.questions if one.cause == "No total")
    case = decided(store, case, question.id, "add", *values(amount="30.00", page="1"))
    question = next(one for one in case.judged.questions if one.kind == "sum")
    case = decided(store, case, question.id, "add", *values(description="Glue", amount="10.00"))
    assert (amounts(case), case.judged.follows) == (["20.00", "10.00"], ("all printed sums agree",))


def test_a_missing_row_is_added_where_the_sum_lacks_it(short: tuple[Store, Case]) -> None:
    store, case = short
    [question] = case.judged.questions
    assert question.fix == "Add the row that is missing, or correct one."
    case = decided(store, case, question.id, "add", *values(description="Tape", amount="5.00"))
    assert (verdict(case), amounts(case)) == ("auto_import", ["20.00", "10.00", "5.00"])
    [made] = case.judged.made
    case = decided(store, case, made.mark.id, "undo")
    assert (verdict(case), amounts(case)) == ("human_review", ["20.00", "10.00"])


@pytest.mark.parametrize("amount", [Decimal("5.00"), None])
def test_a_line_that_is_in_no_row_is_asked_with_the_sum_it_spoils(
    short: tuple[Store, Case], amount: Decimal | None
) -> None:
    store, case = short
    line = Place(1, Box(40, 123, 555, 130))  # between the two rows
    book = records.unpack(Book, store.book(case.entry.sha256, case.result.key))
    book = replace(book, missing=(Missing(line, "", "EUR", amount, "A-9 Tape 5.00"),))
    now = review.reviewed(review.ground(case.entry.sha256, book), ())
    [question] = now.questions
    assert (question.kind, question.missed, question.page, question.box) == ("sum", True, 1, line.box)
    asked.decide(store, now, Choice(question.id, "add", values(description="Tape", amount="5.00"), "Ana"))
    after = review.reviewed(review.ground(case.entry.sha256, book), decisions.of(store, case.entry.sha256))
    assert [row.value("amount") for row in after.statement.rows] == ["20.00", "5.00", "10.00"]
    assert (after.statement.rows[1].box, after.statement.reconciliation.action) == (line.box, "auto_import")


def test_a_side_of_an_account_is_corrected_with_its_amount(home: Path, tmp_path: Path) -> None:
    lines: list[Line] = [
        (60, [(40, "Opening balance"), (200, "100.00")]),
        (80, [(40, "Closing balance"), (200, "120.50")]),
        (110, [(40, "*Date"), (110, "*Details"), (-400, "*Paid out"), (-480, "*Paid in"), (-555, "*Balance")]),
        (130, [(40, "2026-02-03"), (110, "Corner shop"), (-400, "12.50"), (-555, "87.50")]),
        (150, [(40, "2026-02-04"), (110, "Salary"), (-480, "32.00"), (-555, "120.50")]),
    ]
    store, case = stored(home, pdf(tmp_path / "bank.pdf", [lines]))
    [question] = case.judged.questions
    assert question.fix.startswith("Row 2 with the amount 33.00 would make the sum agree")
    case = decided(store, case, question.items[0].mark.id, "correct", *values(credit="33.00"))
    assert (verdict(case), amounts(case)) == ("auto_import", ["-12.50", "33.00"])
    case = decided(store, case, question.items[0].mark.id, "correct", *values(amount="-33.00"))
    row = statement_of(case).rows[1]
    assert (row.value("debit"), row.value("credit"), verdict(case)) == ("33.00", None, "human_review")


def test_a_printed_total_that_was_misread_is_corrected(short: tuple[Store, Case]) -> None:
    store, case = short
    [question] = case.judged.questions
    case = decided(store, case, question.id, "correct", *values(amount="30.00"))
    assert (verdict(case), case.judged.questions) == ("auto_import", ())
    assert statement_of(case).reconciliation.scopes[0].printed == Decimal("30.00")
    case = decided(store, case, question.id, "undo")
    assert verdict(case) == "human_review"


def test_decisions_survive_a_rerun_with_other_windows_and_a_new_store_object(altered: tuple[Store, Case]) -> None:
    store, case = altered
    decided(store, case, glue(case), "correct", *values(amount="10.00"))
    other = replace(Profile(), statement=StatementProfile(chunk_pages=2, overlap=0))
    again = run.decided(Store(store.home), case.entry.sha256, other)
    assert again.reconciliation.action == "auto_import"
    assert [row.value("amount") for row in again.rows] == ["20.00", "10.00", "5.00"]


def test_a_decision_that_fits_no_row_any_more_is_told(altered: tuple[Store, Case]) -> None:
    store, case = altered
    mark = replace(case.judged.items[1].mark, page=7)
    decisions.keep(store, [decisions.Decision(mark, 1, "correct", "Ana", values(amount="1.00"), "amount 2.00")])
    now = run.reviewed(store, case.entry.sha256, case.result.key)
    assert now is not None
    [lost] = [one for one in now.statement.findings if one.kind == "decision_lost"]
    assert "but this run has nothing there: amount 2.00" in lost.message
    assert now.statement.reconciliation.action == "human_review"
    [question] = [one for one in now.questions if one.kind == "finding"]
    assert question.fix == "Decide the row again, or approve this to let the decision go."
    asked.decide(store, now, Choice(question.id, "approve", (), "Ana"))
    now = run.reviewed(store, case.entry.sha256, case.result.key)
    assert now is not None
    assert [one.kind for one in now.statement.findings if one.kind == "decision_lost"] == []


@pytest.mark.parametrize(
    ("column", "typed", "plain"),
    [
        ("amount", "1847", "1847"),
        ("amount", "1.847,00", "1847.00"),
        ("amount", "-12.50", "-12.50"),
        ("date", "31.12.2025", "2025-12-31"),
        ("description", " two  words ", "two words"),
    ],
)
def test_typed_values_become_plain(column: str, typed: str, plain: str) -> None:
    assert settled.plainly(column, typed) == plain


@pytest.mark.parametrize(
    ("column", "typed", "line"),
    [
        ("amount", "ten", "amount: “ten” is no amount. Write it as 1847.00 or -1847.00."),
        ("amount", "1,250", "amount: “1,250” can be read in two ways. Write it with a point: 1250.00 or 1.25."),
        ("date", "03/04/2025", "date: “03/04/2025” can be read in two ways. Write it as 2025-03-31."),
        ("date", "soon", "date: “soon” is no date. Write it as 2025-03-31."),
    ],
)
def test_typed_values_that_are_none_are_refused(column: str, typed: str, line: str) -> None:
    with pytest.raises(UsageError) as refused:
        settled.plainly(column, typed)
    assert str(refused.value) == line


# ---- two people


def test_a_double_click_is_one_decision(altered: tuple[Store, Case]) -> None:
    store, case = altered
    for _ in range(2):  # the second click was made over the same page as the first
        docket.decide(store, case, Choice(glue(case), "reject", (), "Ana"))
    assert len(decisions.of(store, case.entry.sha256)) == 1


def test_the_second_of_two_people_is_told(altered: tuple[Store, Case]) -> None:
    store, case = altered
    docket.decide(store, case, Choice(glue(case), "reject", (), "Ana"))
    with pytest.raises(Overtaken, match=r"^This was rejected by Ana, .* meanwhile\. Look at it again"):
        docket.decide(store, case, Choice(glue(case), "approve", (), "Bo"))
    assert [one.who for one in decisions.of(store, case.entry.sha256)] == ["Ana"]


RACER = """
import sys
from pathlib import Path
from pipeline import docket
from pipeline.decisions import Overtaken
from pipeline.asked import Choice
from pipeline.store import Store
store = Store(Path(sys.argv[1]))
case = docket.cases(store)[0]
print("ready", flush=True)
sys.stdin.readline()
try:
    docket.decide(store, case, Choice(sys.argv[2], "approve", (), sys.argv[3]))
    print("won")
except Overtaken as error:
    print(error)
"""


def test_of_processes_at_once_one_decides_and_the_others_are_told(altered: tuple[Store, Case]) -> None:
    store, case = altered
    names = ("Ana", "Bo", "Cleo", "Dan")
    running = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, str(store.home), glue(case), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    for process in running:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told = [process.communicate()[0].strip() for process in running]
    [made] = decisions.of(store, case.entry.sha256)
    assert told.count("won") == 1 and names[told.index("won")] == made.who
    assert all(f"approved by {made.who}" in line for line in told if line != "won")


def test_decisions_are_never_changed_and_end_with_their_document(altered: tuple[Store, Case]) -> None:
    store, case = altered
    decided(store, case, glue(case), "approve")
    db = sqlite3.connect(store.file)
    for change in ("UPDATE decisions SET who = 'Bo'", "DELETE FROM decisions"):
        with pytest.raises(sqlite3.IntegrityError, match="a decision"):
            db.execute(change)
    db.close()
    store.delete(case.entry.sha256)
    assert decisions.of(store, case.entry.sha256) == ()
    with pytest.raises(StoreError, match="not in the store"):
        docket.decide(store, case, Choice(glue(case), "approve", (), "Ana"))


# ---- the commands


def test_the_audit_as_csv_says_who_did_what_and_starts_no_formula(
    altered: tuple[Store, Case], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    store, case = altered
    decided(store, case, glue(case), "correct", *values(amount="10.00", description="=HYPERLINK(1)"), by="=cmd()|A1")
    [first] = docket.cases(store)
    decided(store, first, glue(case), "undo", by="Bo")
    target = tmp_path / "audit.csv"
    assert main(["review", "audit", "-o", str(target)]) == 0
    capsys.readouterr()
    with target.open(encoding="utf-8-sig", newline="") as stream:
        one, two = csv.DictReader(stream)
    assert (one["who"], one["action"], one["document"], one["page"]) == ("'=cmd()|A1", "correct", "altered.pdf", "1")
    assert one["before"].endswith("amount 70.00") and one["after"] == "amount 10.00; description =HYPERLINK(1)"
    assert one["when"].endswith("+00:00") and (two["who"], two["action"], two["sequence"]) == ("Bo", "undo", "2")
    assert not any(value.startswith(("=", "+", "-", "@")) for line in (one, two) for value in line.values())


def test_the_commands_list_show_and_decide(altered: tuple[Store, Case], capsys: pytest.CaptureFixture[str]) -> None:
    row = glue(altered[1])
    assert main(["review", "list", "--strict"]) == 1
    assert "60.00 EUR  altered.pdf, page 1: The sum of " in capsys.readouterr().out
    assert main(["review", "show", row[:8], "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["id"], shown["values"]["amount"], shown["sequence"], shown["decisions"]) == (row, "70.00", 0, [])
    assert main(["review", "decide", row, "correct", "--value", "amount=10,00", "--by", "Ana", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["action"], told["open"], told["differs"]) == ("auto_import", 0, [])
    assert [(one["who"], one["values"]) for one in told["decisions"]] == [("Ana", [{"amount": "10.00"}])]
    assert main(["review", "list", "--strict", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["questions"] == []
    assert main(["review", "decide", row, "undo"]) == 0
    assert capsys.readouterr().out.endswith("verdict: human review, 1 open\n")


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        (["abcdef", "approve"], 2, "No question, row or decision has an id that begins with 'abcdef'"),
        (["ROW", "correct"], 2, "To correct a row, give its values once each: --value amount=312.40"),
        (["ROW", "correct", "--value", "price=1"], 2, "There is no column 'price'. There are: invoice_number"),
        (["ROW", "correct", "--value", "amount"], 2, "--value 'amount' is no column=value"),
        (["ROW", "split", "--value", "amount=1"], 2, "A split needs the values of two rows or more"),
        (["ROW", "approve", "--sequence", "3"], 5, "What you look at is older than the store."),
    ],
)
def test_what_cannot_be_decided_is_one_line(
    altered: tuple[Store, Case], capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, line: str
) -> None:
    row = glue(altered[1])
    assert main(["review", "decide", *(row if text == "ROW" else text for text in arguments)]) == code
    told = capsys.readouterr().err
    assert line in told and told.count("\n") == 1


def test_rows_of_a_file_have_what_was_decided_of_it_in_the_store(
    altered: tuple[Store, Case], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, case = altered
    decided(store, case, glue(case), "correct", *values(amount="10.00"))
    file = str(tmp_path / "altered.pdf")
    assert main(["rows", file, "--json", "--strict"]) == 0
    told, said = capsys.readouterr()
    found = json.loads(told)
    assert [row["values"]["amount"] for row in found["rows"]] == ["20.00", "10.00", "5.00"]
    assert [(one["who"], one["action"]) for one in found["decisions"]] == [("Ana", "correct")]
    assert said.startswith("pagewitness: what Ana decided of this file in the store holds here, too (1 in all)")
    assert main(["rows", file, "--json", "--strict", "--as-read"]) == 1
    told, said = capsys.readouterr()
    assert (json.loads(told)["decisions"], said) == ([], "")
    assert main(["rows", file, "--format", "accounting", "--as-read"]) == 1
    assert "nothing was exported" in capsys.readouterr().err
    assert main(["rows", file, "--format", "accounting"]) == 0


def test_decisions_on_fields_of_the_same_document_are_nothing_to_its_rows(altered: tuple[Store, Case]) -> None:
    store, case = altered
    mark = decisions.Mark(case.entry.sha256, "field", "iban", 1, Box(10, 10, 60, 20))
    decisions.keep(store, [decisions.Decision(mark, 1, "correct", "Ana", values(iban="X"), "iban Y")])
    now = run.reviewed(store, case.entry.sha256, case.result.key)
    assert now is not None and [one.kind for one in now.questions] == ["sum"]


def test_an_empty_store_says_what_to_do(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "list"]) == 0
    assert capsys.readouterr().out == (
        "No document of the store has rows or fields. Extract them in the app, pages Statements and Invoices.\n"
    )
