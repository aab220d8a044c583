"""Defined terms: in the three languages, in brackets, in lists; quoted words that define nothing."""

from __future__ import annotations

import pytest

from pipeline import definitions
from pipeline.model import Section


def terms(text: str) -> list[str]:
    section = Section("sec_1", None, 1, "1", "Definitions", 1, "section-1", text)
    found = definitions.find([section])
    assert all(one.term in text[one.start : one.end] for one in found)
    return [one.term for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“Affiliate” means any entity.", ["Affiliate"]),
        ('"Term" has the meaning given in Section 4.', ["Term"]),
        ("“Tax” or “Taxes” means any tax.", ["Tax", "Taxes"]),
        ("“Control” (including “controlled”) means the power.", ["Control"]),
        ("“person” includes a company.", ["person"]),
        ('Acme Ltd (the "Supplier") and Beta Ltd (“Client”).', ["Supplier", "Client"]),
        ("the deed (as amended, the “Base Indenture”)", ["Base Indenture"]),
        ("(collectively, the “Parties” and each a “Party”)", ["Parties", "Party"]),
        ("„Dienste“ bezeichnet die Leistungen.", ["Dienste"]),
        ("Die Muster GmbH (nachfolgend „Auftragnehmer“ genannt)", ["Auftragnehmer"]),
        ("„Услуге“ означава све радње.", ["Услуге"]),
        ("„Usluge“ označava sve radnje.", ["Usluge"]),
        ("Друштво (у даљем тексту: Наручилац)", ["Наручилац"]),
        ("Društvo (u daljem tekstu: „Naručilac“)", ["Naručilac"]),
        ("He said “hello” and left (see “Notices”).", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_a_definition_has_the_anchor_of_the_paragraph_that_it_stands_in() -> None:
    text = "In this Act:\n(a) “Board” means the board;\n(b) “child” means a person under eighteen."
    found = definitions.find([Section("sec_2", None, 1, "2", "Definitions", 1, "section-2", text)])
    assert [(one.term, one.anchor, text[one.start : one.end]) for one in found] == [
        ("Board", "section-2-a", "“Board”"),
        ("child", "section-2-b", "“child”"),
    ]


def test_a_definition_in_a_section_without_a_number_has_no_anchor() -> None:
    found = definitions.find([Section("sec_x", None, 1, None, "Parties", 1, None, "Acme (the “Client”)")])
    assert [(one.term, one.section_id, one.anchor) for one in found] == [("Client", "sec_x", None)]
