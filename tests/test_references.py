"""Cross-references: what they mean, what is missing, what is somewhere else."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from pipeline import cli, links, references
from pipeline.model import Finding, Section

PARTS = [
    ("s1", None, "1", "Definitions", "section-1", ""),
    ("s4", None, "4", "Term", "section-4", ""),
    ("s41", "s4", "4.1", "Start", "section-4-1", "Text:\n(a) one;\n(b) two:\n(i) x;\n(ii) y."),
    ("s42", "s4", "4.2", "End", "section-4-2", "The Supplier may (x) stop or (y) leave."),
    ("s43", "s4", "4.3", "After", "section-4-3", ""),
    ("s9", None, "9", "Termination", "section-9", ""),
    ("s91", "s9", "9.1", "Breach", "section-9-1", ""),
    ("s93", "s9", "9.3", "Effects", "section-9-3", "(a) foo;\n(b) bar."),
    ("c5", None, "Члан 5", "Рок", "article-5", "(1) Први.\n(2) Други:\n1) а;\n2) б."),
    ("p5", None, "§ 5", "Laufzeit", "section-5", "(1) Eins.\n(2) Zwei."),
    ("a4", None, "ARTICLE IV", "General", "article-iv", ""),
    ("sch2", None, "Schedule 2", "Fees", "schedule-2", ""),
    ("sch24", "sch2", "4", "Rates", "schedule-2-4", "(a) daily;\n(b) weekly."),
    ("apb", None, "Appendix B", "Forms", "appendix-b", ""),
]


def read(text: str, within: str = "") -> list[tuple[str, str | None, str]]:
    """What the references of a text are, the text standing in a section of its own, or in one of PARTS."""
    sections = [
        Section(name, parent, 1, number, title, 1, anchor, text if name == within else content)
        for name, parent, number, title, anchor, content in PARTS
    ]
    own = within or "here"
    if not within:
        sections.append(Section("here", "s9", 2, "9.9", "Here", 7, "section-9-9", text))
    return [(one.text, one.anchor, one.outcome) for one in references.find(sections) if one.section_id == own]


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("Section 4.1(b)", "section-4-1-b"),
        ("section 4.1(b)(ii)", "section-4-1-b-ii"),
        ("SECTION 4.1(B)(II)", "section-4-1-b-ii"),
        ("Section 4.2(y)", "section-4-2"),
        ("clause 9.1", "section-9-1"),
        ("Schedule 2, paragraph 4", "schedule-2-4"),
        ("Schedule 2, paragraph 4(b)", "schedule-2-4-b"),
        ("Article IV", "article-iv"),
        ("Article 4", "article-iv"),
        ("Appendix B", "appendix-b"),
        ("§ 5 Abs. 2", "section-5-2"),
        ("§ 5 Abs. 2 Satz 1", "section-5-2"),
        ("Ziffer 4.2", "section-4-2"),
        ("члан 5. став 2", "article-5-2"),
        ("члана 5. став 2. тачка 1)", "article-5-2-1"),
        ("član 5", "article-5"),
        ("Anlage 2", "schedule-2"),
        ("this Section", "section-9-9"),
        ("this clause 9.9", "section-9-9"),
    ],
)
def test_a_reference_leads_to_its_anchor(text: str, anchor: str) -> None:
    assert read(f"Subject to {text} above, it is so.") == [(text, anchor, "linked")]


def test_each_number_of_a_list_and_both_ends_of_a_range() -> None:
    assert read("Sections 4.1, 4.2 and 9.3(a) apply.") == [
        ("Sections 4.1", "section-4-1", "linked"),
        ("4.2", "section-4-2", "linked"),
        ("9.3(a)", "section-9-3-a", "linked"),
    ]
    assert [one[0] for one in read("Sections 4.1 to 4.3 apply.")] == ["Sections 4.1", "4.3"]
    assert read("under Section 9.3(a) or (b).")[1] == ("(b)", "section-9-3-b", "linked")


def test_a_number_after_a_reference_that_is_none() -> None:
    assert [one[0] for one in read("as set out in Section 4.1, 30 days after delivery")] == ["Section 4.1"]


@pytest.mark.parametrize("text", ["Exhibit A", "Section 4.1(c)", "Section 12", "član 12", "Schedule 2, paragraph 7"])
def test_what_the_document_does_not_have_is_dangling(text: str) -> None:
    assert read(f"as said in {text}, it is so.") == [(text, None, "dangling")]


@pytest.mark.parametrize(
    "text",
    [
        "Section 13 of the Securities Act of 1933",
        "§ 314 BGB",
        "Art. 6 DSGVO",
        "§§ 305 ff. BGB",
        "Section 4 of the Prospectus",
        "члана 5. Закона о раду",
        "čl. 12. Zakona o radu",
        "Section 409A",
        "ERISA Section 4",
        "Section 8\u2011501 of the UCC",
        "Section 5f.103-1(c) of the United States Treasury Regulations",
        "section 4 and section 9 of the Communications Act",
    ],
)
def test_what_another_instrument_has_is_external(text: str) -> None:
    assert {outcome for _, _, outcome in read(f"as said in {text}, it is so.")} == {"external"}


def test_the_agreement_by_its_own_name_is_no_other_instrument() -> None:
    text = "This deed (this “Facility Agreement”) and Section 4 of the Facility Agreement."
    assert read(text) == [("Section 4", "section-4", "linked")]


def test_a_paragraph_is_sought_in_its_own_schedule() -> None:
    assert read("Under paragraph 4 and Section 4.1(a).", "sch24") == [
        ("paragraph 4", "schedule-2-4", "linked"),
        ("Section 4.1(a)", "section-4-1-a", "linked"),
    ]
    assert read("paragraph 4(b) of Schedule 2")[0] == ("paragraph 4(b)", "schedule-2-4-b", "linked")


def test_a_letter_alone_is_a_paragraph_of_where_it_is_said() -> None:
    assert read("(a) pay;\n(b) deliver under paragraph (a) above.") == [("paragraph (a)", "section-9-9-a", "linked")]
    assert read("clause (ii) of the proviso") == []


def test_a_heading_that_was_read_as_text_is_no_reference() -> None:
    assert read("Section 12. Notices") == []


def test_findings_name_each_missing_part_once() -> None:
    section = Section("here", None, 1, "9.9", "Here", 7, "section-9-9", "Exhibit A, then Exhibit A, then Section 9.9.")
    message = "Exhibit A is referred to in 9.9, and 1 more time, but this file has no such part"
    found = references.find([section])
    assert references.findings(found, [section]) == (Finding("dangling reference", "warning", message, 7),)


def test_a_section_is_no_chapter_of_that_number() -> None:
    sections = [
        Section("ch", None, 1, "CHAPTER VIII", "Appeals", 1, "chapter-viii", ""),
        Section(
            "a", None, 1, "ARTICLE IX", "More", 1, "article-ix", "See section 8, Chapter 8, Section 9 and Article 9."
        ),
    ]
    assert [(one.text, one.anchor) for one in references.find(sections)] == [
        ("section 8", None),
        ("Chapter 8", "chapter-viii"),
        ("Section 9", None),
        ("Article 9", "article-ix"),
    ]


def test_a_condition_is_sought_behind_the_annex_of_that_name() -> None:
    sections = [
        Section("m5", None, 1, "5", "Fees", 1, "section-5", "As in Condition 5 and Clause 5."),
        Section("sc", None, 1, "Schedule 1", "Terms and Conditions", 2, "schedule-1", ""),
        Section("c5", None, 1, "5", "Interest", 3, "section-5-2", ""),
    ]
    assert [one.anchor for one in references.find(sections)] == ["section-5-2", "section-5"]


def test_links_are_told_by_the_command(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["sections", str(samples / "agreement.pdf"), "--links", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {one["outcome"] for one in told["references"]} == {"linked"}
    anchors = {one["anchor"] for one in [*told["sections"], *told["subclauses"]]}
    assert {one["anchor"] for one in told["references"]} <= anchors
    assert "Affiliate" in [one["term"] for one in told["definitions"]]
    assert told["findings"] == []
    assert cli.main(["sections", str(samples / "agreement.pdf"), "--links"]) == 0
    assert "0 to parts that it does not have" in capsys.readouterr().out


def test_missing_parts_are_told_in_words() -> None:
    section = Section("here", None, 1, "9.9", "Here", 7, "section-9-9", "See Exhibit A, § 314 BGB and Section 9.9.")
    assert links.to_text(links.find([section])).splitlines() == [
        "warning: Exhibit A is referred to in 9.9, but this file has no such part (page 7)",
        "1 references lead to a part of this file, 1 to other instruments, 1 to parts that it does not have; "
        "0 defined terms",
    ]


@pytest.mark.parametrize("text", ["section 1 and ", "§ 5 Abs. 2 ", "(a) ", "“a” and ", "Sections 1.1, ", "(the “A”, "])
def test_odd_texts_take_no_long_time(text: str) -> None:
    section = Section("here", None, 1, "1", "Here", 7, "section-1", text * 3000)
    started = time.process_time()
    links.find([section])
    assert time.process_time() - started < 4
