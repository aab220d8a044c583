"""Which sections are looked at for a question, in which order, and what of them is sent."""

from __future__ import annotations

import pytest

from pipeline.model import Section
from pipeline.retrieval import Retriever, Step


def section(number: str, title: str, content: str, parent: str | None = None) -> Section:
    anchor = f"section-{number.replace('.', '-')}"
    return Section(f"sec_{number}", parent, number.count(".") + 1, number, title, 1, anchor, content)


POLICY = (
    section("1", "Travel", "All travel is approved in advance by the head of the department."),
    section("1.1", "Flights", "Flights are booked in economy class. Exceptions are listed in Section 2.", "sec_1"),
    section("1.2", "Hotels", "Hotels cost no more than EUR 120 a night.", "sec_1"),
    section("2", "Directors", "Directors may fly in business class."),
    section("3", "Parts", "Code | Product\nX-204 | hex bolt\nX-205 | washer\nThe table is new."),
    section("4", "Notes", "X-204 is shown on the cover."),
    section("5", "Pets", "Dogs stay at home."),
)


def steps(question: str) -> list[Step]:
    return list(Retriever(POLICY).steps(question))


def test_a_number_is_looked_up_alone() -> None:
    (step,) = steps("What does section 1.1 say?")
    assert step.what == "the number section 1.1"
    assert [passage.section_id for passage in step.passages] == ["sec_1.1"]


def test_a_number_that_is_not_there_gives_nothing() -> None:
    assert [step.passages for step in steps("Section 9.9")] == [()]


def test_a_section_comes_with_those_below() -> None:
    (step,) = steps("Section 1")
    assert [(passage.section_id, passage.why) for passage in step.passages] == [
        ("sec_1", "Section 1 is asked for"),
        ("sec_1.1", "stands in Section 1"),
        ("sec_1.2", "stands in Section 1"),
    ]


def test_where_a_code_is_listed_comes_before_where_it_is_mentioned() -> None:
    step = steps("Which category is X-204 in?")[0]
    assert (step.what, [passage.section_id for passage in step.passages]) == ("the code X-204", ["sec_3", "sec_4"])
    assert "X-205" not in step.passages[0].text


def test_what_is_sent_begins_with_what_the_section_stands_under() -> None:
    (step,) = steps("What does section 1.1 say?")
    assert step.passages[0].text.split("\n") == [
        "1 Travel",
        "All travel is approved in advance by the head of the department.",
        "[sec_1.1] 1.1 Flights",
        "Flights are booked in economy class. Exceptions are listed in Section 2.",
    ]


def test_references_are_followed_a_step_and_said() -> None:
    found = steps("Which class are flights booked in?")
    assert found[0].passages[0].section_id == "sec_1.1"
    whys = {passage.section_id: passage.why for step in found for passage in step.passages}
    assert whys.keys() >= {"sec_1", "sec_1.2", "sec_2"}
    near = {passage.section_id: passage.why for passage in found[1].passages}
    told = {**{passage.section_id: passage.why for passage in found[0].passages}, **near}
    assert told["sec_2"] in ("1.1 Flights refers to it as Section 2", "its words", "like it in meaning")


def test_no_section_is_sent_twice() -> None:
    sent = [passage.section_id for step in steps("Who approves travel?") for passage in step.passages]
    assert len(sent) == len(set(sent))


@pytest.mark.parametrize("question", ["", "?", "the of and"])
def test_a_question_without_words_gives_steps_all_the_same(question: str) -> None:
    assert all(isinstance(step, Step) for step in steps(question))
