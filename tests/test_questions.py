"""Questions in bulk: what a file of them may be, what comes out, and when an answer counts as right."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import outline, questions, worker
from pipeline.answer import Book
from pipeline.local import LocalEngine
from pipeline.model import UsageError
from pipeline.profiles import Profile
from pipeline.questions import Question


@pytest.fixture(scope="module")
def book(samples: Path) -> Book:
    profile = Profile()
    reading = worker.read(samples / "catalogue.pdf", profile.reading)
    return Book(outline.build(outline.features(reading), profile.outline).sections, reading)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("question\nWhich category is X-204 in?\n", (Question("Which category is X-204 in?"),)),
        ("Who is it?\nSection 4.2\n\n", (Question("Who is it?"), Question("Section 4.2"))),
        ("\ufeffQuestion;Expected\r\nWho?;\r\n", (Question("Who?", ""),)),
        ('question,expected,sections\n"Where?",A / B,3.1; 10\n', (Question("Where?", "A / B", ("3.1", "10")),)),
        ("id\tquestion\n1\tWho  is\tit\n", (Question("Who is"),)),
        ("Where, then, is X-204?\n", (Question("Where, then, is X-204?"),)),
    ],
)  # fmt: skip
def test_files_of_questions(text: str, found: tuple[Question, ...]) -> None:
    assert questions.read(text) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "There is no question in the file. Name a column question; expected and sections are optional."),
        ("question,expected\n", "There is no question in the file. Name a column question"),
        ("ask,answer\nWho?,me\n", "The questions have the columns ask, answer. Name a column question"),
        ('question\n"Who\n', "line 1 of the questions is no CSV: unexpected end of data"),
        ("question\n" + "Who?\n" * 10_001, "The file has 10,001 questions; 10,000 can be asked at once."),
    ],
)
def test_files_that_hold_no_questions(text: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        questions.read(text)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        (Question("Which category is X-204 in?"), None),
        (Question("Which category is X-204 in?", "stainless steel (304/316)"), True),
        (Question("Which category is X-204 in?", "Stainless Steel (304/316)", ("4.2",)), True),
        (Question("Which category is X-204 in?", "Stainless Steel (304/316)", ("4.3",)), False),
        (Question("Which category is X-204 in?", "Hex Bolts"), False),
        (Question("Which category is X-204 in?", ""), False),
        (Question("Which category is X-999 in?", ""), True),
        (Question("Which category is X-999 in?", "Hex Bolts"), False),
        (Question("Under which heading is C-300 listed?", None, ("Lubricants", "3.1.1")), True),
        (Question("Under which heading is C-300 listed?", None, ("Lubricants",)), False),
        (Question("Under which heading is C-300 listed?", "Cutting Discs / Lubricants"), True),
    ],
)
def test_when_an_answer_is_right(question: Question, right: bool | None, book: Book) -> None:
    (found,) = questions.ask([question], book, LocalEngine())
    assert found.right is right


def test_the_shipped_list_is_answered_whole(book: Book, samples: Path) -> None:
    asked = questions.read((samples / "catalogue.questions.csv").read_text(encoding="utf-8"))
    done: list[tuple[int, int]] = []
    found = questions.ask(asked, book, LocalEngine(), lambda *step: done.append(step))
    (tally,) = questions.tallies(found)
    assert (tally.kind, tally.asked, tally.answered, tally.known, tally.right, tally.wrong) == (
        "membership", 100, 100, 100, 100, 0,
    )  # fmt: skip
    assert (len(done), done[-1]) == (100, (100, 100))
    weight = questions.weight([one.answer for one in found], book)
    assert weight.question <= 500
    assert weight.ratio > 100
    assert questions.to_text(found, book).splitlines()[1].split() == [
        "membership", "100", "100", "96", "100", "of", "100", "0",
    ]  # fmt: skip


def test_how_kinds_fared(book: Book) -> None:
    asked = [
        Question("Which category is X-204 in?", "Hex Bolts"),
        Question("What is the price of X-204?", "7.00 EUR"),
        Question("What is the price of X-205?"),
    ]
    membership, attribute, every = questions.tallies(questions.ask(asked, book, LocalEngine()))
    assert (membership.kind, membership.right, membership.wrong) == ("membership", 0, 1)
    assert (attribute.kind, attribute.asked, attribute.known, attribute.right, attribute.wrong) == (
        "attribute",
        2,
        1,
        1,
        0,
    )
    assert (every.kind, every.asked, every.answered, every.known, every.right) == ("all", 3, 3, 2, 1)


def test_no_cell_of_the_answers_is_a_formula(book: Book) -> None:
    (found,) = questions.ask([Question('=HYPERLINK("x","Which category is X-204 in?")')], book, LocalEngine())
    found = replace(found, answer=replace(found.answer, answer="@SUM(A1)"))
    (row,) = csv.DictReader(io.StringIO(questions.to_csv([found]).decode("utf-8-sig")))
    assert row["question"].startswith("'=HYPERLINK")
    assert row["answer"] == "'@SUM(A1)"
    assert "expected" not in row


def test_a_row_of_the_answers(book: Book) -> None:
    found = questions.ask(
        [Question("Under which heading is C-300 listed?", "Lubricants", ("10.3",))], book, LocalEngine()
    )
    (row,) = csv.DictReader(io.StringIO(questions.to_csv(found).decode("utf-8-sig")))
    assert int(row.pop("tokens")) < 500
    assert row == {
        "question": "Under which heading is C-300 listed?",
        "kind": "membership",
        "answer": "Cutting Discs / Lubricants",
        "section_id": "sec_3_1_1_cutting_discs",
        "number": "3.1.1",
        "title": "Cutting Discs",
        "alternatives": "sec_10_3_lubricants",
        "page": "13",
        "quote": row["quote"],
        "status": "review",
        "expected": "Lubricants",
        "sections": "10.3",
        "right": "no",
    }
    assert row["quote"].startswith("C-300 | ")
