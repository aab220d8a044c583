from __future__ import annotations

import pytest

from pipeline import addresses
from pipeline.contract import Contract, contract
from pipeline.model import Section


def _section(
    number: str | None, title: str, anchor: str | None, content: str = "Text.", parent: str | None = None
) -> Section:
    return Section(anchor or title.lower(), parent, 1, number, title, 1, anchor, content)


def _document() -> Contract:
    return contract(
        [
            _section("4.2", "Termination for Convenience", "section-4-2", "First.\nSecond."),
            _section("4.5", "Change of Control", "section-4-5"),
            _section(
                "7.3", "Exceptions", "section-7-3", "It does not hold for:\n(a) one;\n(b) two:\n(i) three;\n(ii) four."
            ),
            _section("Article IV", "Payment", "article-iv"),
            _section("Schedule 2", "Levels", "schedule-2", ""),
            _section("4", "Credits", "schedule-2-4", "Text.", "schedule-2"),
            _section("Appendix B", "Transition", "appendix-b", ""),
            _section("B-3", "End", "appendix-b-3", "Text.", "appendix-b"),
            _section("Члан 9", "Отказ", "article-9"),
            _section(None, "Signatures", None),
        ]
    )


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("section-4-2", ["section-4-2"]),
        ("#section-4-2", ["section-4-2"]),
        ("section_4_2", ["section-4-2"]),
        ("Section 4.2", ["section-4-2"]),
        ("SECTION 4.2.", ["section-4-2"]),
        ("4.2", ["section-4-2"]),
        ("§ 4.2", ["section-4-2"]),
        ("§4.2", ["section-4-2"]),
        ("Ziffer 4.2", ["section-4-2"]),
        ("(Section 4.2)", ["section-4-2"]),
        ("see clause 4.2 above", ["section-4-2"]),
        ("Section 4.2 – Termination for Convenience", ["section-4-2"]),
        ("Termination for convenience", ["section-4-2"]),
        ("Section 4.2 Abs. 2", ["section-4-2"]),
        ("Section 4.2 Abs. 3", []),
        ("Sections 4.2 and 4.5", ["section-4-2", "section-4-5"]),
        ("cl. 7.3(b)", ["section-7-3-b"]),
        ("7.3 (b)", ["section-7-3-b"]),
        ("7.3(b)(ii)", ["section-7-3-b-ii"]),
        ("7.3(z)", []),
        ("sections 7.3(a) and (b)", ["section-7-3-a", "section-7-3-b"]),
        ("Article 4", ["article-iv"]),
        ("Art. IV", ["article-iv"]),
        ("Schedule 2, paragraph 4", ["schedule-2-4"]),
        ("paragraph 4 of Schedule 2", ["schedule-2-4"]),
        ("Appendix B-3", ["appendix-b-3"]),
        ("Appendix B, B-3", ["appendix-b-3"]),
        ("Annex B para 3", ["appendix-b-3"]),
        ("B-3", ["appendix-b-3"]),
        ("члан 9", ["article-9"]),
        ("čl. 9", ["article-9"]),
        ("Appendix 2", []),
        ("Section 2", []),
        ("Section 99.1", []),
        ("signatures", ["signatures"]),
        ("nonsense", []),
        ("", []),
    ],
)
def test_a_written_reference_names_its_clause(written: str, meant: list[str]) -> None:
    assert [span.name for span in _document().named(written)] == meant


def test_roman_and_arabic_numbers_of_articles_are_one() -> None:
    assert addresses.key("article-iv") == addresses.key("article-4") == "article-4"
    assert addresses.key("appendix-c-03") == "appendix-c-3"
