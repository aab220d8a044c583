"""What questions ask for."""

from __future__ import annotations

import pytest

from pipeline import inquiry


@pytest.mark.parametrize(
    ("question", "kind", "codes", "written"),
    [
        ("Which category is X-204 in?", "membership", ("X-204",), ()),
        ("In welcher Warengruppe steht X-204?", "membership", ("X-204",), ()),
        ("У којој категорији је X-204?", "membership", ("X-204",), ()),
        ("Where is M8x40 listed?", "membership", ("M8x40",), ()),
        ("Which section is 6.2.1 in?", "membership", ("6.2.1",), ()),
        ("Which category do hoses belong to?", "membership", (), ()),
        ("What is the thread of X-204?", "attribute", ("X-204",), ()),
        ("What is the price of article 471122?", "attribute", ("471122",), ()),
        ("What does the part X-204 cost?", "attribute", ("X-204",), ()),
        ('What does "Affiliate" mean?', "definition", (), ()),
        ("Was bedeutet „Dienste“?", "definition", (), ()),
        ("Шта значи „Услуге“?", "definition", (), ()),
        ("Section 7.3(b)", "section", (), ("Section 7.3(b)",)),
        ("What does clause 9.1 say?", "section", (), ("clause 9.1",)),
        ("Schedule 2, paragraph 4", "section", (), ("Schedule 2, paragraph 4",)),
        ("What does 4.2 say?", "section", (), ("4.2",)),
        ("Šta piše u članu 5?", "section", (), ("članu 5",)),
        ("Which clauses deal with termination?", "clauses", (), ()),
        ("Which chapter deals with penalties?", "clauses", (), ()),
        ("What is the notice period in section 4.2?", "fact", (), ("section 4.2",)),
        ("What is the rent from 1st May 2025 for 30 days?", "fact", (), ()),
    ],
)
def test_kinds_codes_and_numbers(question: str, kind: str, codes: tuple[str, ...], written: tuple[str, ...]) -> None:
    found = inquiry.parse(question)
    assert (found.kind, found.codes, found.written) == (kind, codes, written)


@pytest.mark.parametrize(
    ("question", "expected", "topic"),
    [
        ("What is the notice period for termination?", "duration", ("notice", "termination")),
        ("How long must records be kept?", "duration", ("records", "kept")),
        ("How much is the rent?", "amount", ("rent",)),
        ("What is the interest rate on late payments?", "rate", ("interest", "late", "payments")),
        ("When is the rent due?", "time", ("rent", "due")),
        ("What is the notice address?", "place", ("notice",)),
        ("What is the governing law?", "", ("governing", "law")),
        ("Wie lange ist die Kündigungsfrist?", "duration", ("kundigungsfrist",)),
    ],
)
def test_the_type_of_an_answer_and_what_it_is_about(question: str, expected: str, topic: tuple[str, ...]) -> None:
    found = inquiry.parse(question)
    assert (found.expected, inquiry.topic(found)) == (expected, topic)


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ('What does "Force Majeure Event" mean?', "force majeure event"),
        ("What is the definition of Affiliate?", "affiliate"),
        ("Who is the Supplier?", "supplier"),
        ("Kako je definisan pojam „Usluge“?", "usluge"),
        ("When does the agreement start?", "effective date"),
    ],
)
def test_terms_that_may_be_asked_for(question: str, subject: str) -> None:
    assert inquiry.parse(question).subjects[0] == subject
