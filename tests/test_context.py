"""What running lines say that the text does not is kept as context of pages and sections, and said so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pipeline import fit, outline, render
from pipeline.model import Outline
from pipeline.profiles import OutlineProfile, Profile
from tests.draw import Put, column, pdf, reading

PLAIN = OutlineProfile()
PARTS = ("X-204", "X-310")


def parts(texts: Sequence[str] = ()) -> list[list[Put]]:
    """Six pages, three to a part; its number stands in the header alone, the firm in the text, too. texts: lines that
    begin the pages.
    """
    return [
        [
            Put(72, 40, "Norvik Supply", 8),
            Put(420, 40, f"Part {PARTS[page // 3]} of 12.03.2025", 8),
            *([Put(72, 90, ("Pumps", "Valves")[page // 3], 16)] if page % 3 == 0 else []),
            *[Put(72, 104, text) for text in texts],
            *column(72, 130, 30, page),
            Put(72, 700, "All goods come from Norvik Supply."),
            Put(280, 810, f"Page {page + 1} of 6", 8),
        ]
        for page in range(6)
    ]


def built(folder: Path, pages: list[list[Put]], profile: OutlineProfile = PLAIN) -> Outline:
    return outline.build(outline.features(reading(pdf(folder / "doc.pdf", pages))), profile)


def test_a_part_number_of_the_header_alone_is_kept_with_page_and_section(tmp_path: Path) -> None:
    found = built(tmp_path, parts())
    headers = [line for line in found.removed if line.reason == "running header"]
    first, second = "Part X-204 of 12.03.2025", "Part X-310 of 12.03.2025"
    assert [line.context for line in headers] == [(first,)] * 3 + [(second,)] * 3
    assert [(section.title, section.context) for section in found.sections] == [
        ("Pumps", (first,)), ("Valves", (second,))
    ]  # fmt: skip


def test_page_numbers_and_what_the_text_says_too_are_no_context(tmp_path: Path) -> None:
    found = built(tmp_path, parts())
    footers = [line for line in found.removed if line.reason == "running footer"]
    assert (len(footers), {line.context for line in footers}) == (6, {()})
    said = built(tmp_path, parts([f"Part {number} is dated 12.03.2025." for number in PARTS]))
    assert {line.context for line in said.removed} == {()}
    assert {section.context for section in said.sections} == {()}


def test_a_number_that_counts_with_the_pages_is_none_and_one_that_does_not_is(tmp_path: Path) -> None:
    pages = [[Put(72, 40, f"REF/9912 {page + 40}", 8), *column(72, 100, 30, page)] for page in range(4)]
    assert [line.context for line in built(tmp_path, pages).removed] == [("REF/9912",)] * 4


def test_a_section_over_two_parts_has_the_context_of_both(tmp_path: Path) -> None:
    pages = parts()
    del pages[3][2]  # the second heading
    [section] = built(tmp_path, pages).sections
    assert section.context == ("Part X-204 of 12.03.2025", "Part X-310 of 12.03.2025")


def test_a_restored_header_is_text_and_no_context(tmp_path: Path) -> None:
    keep = ("Norvik Supply Part X-# of #.#.#",)
    found = built(tmp_path, parts(), replace(PLAIN, keep=keep))
    assert {section.context for section in found.sections} == {()}
    assert "Part X-310" in found.sections[1].content


def test_context_is_in_the_json_and_in_the_rules_of_the_ledger(tmp_path: Path) -> None:
    read = reading(pdf(tmp_path / "doc.pdf", parts()))
    features = outline.features(read)
    told = render.sections_json(read, outline.build(features, PLAIN), Profile())
    first, second = "Part X-204 of 12.03.2025", "Part X-310 of 12.03.2025"
    assert [page["context"] for page in told["pages"]] == [[first]] * 3 + [[second]] * 3
    assert [section["context"] for section in told["sections"]] == [[first], [second]]
    assert [line["context"] for line in told["removed"] if line["page"] == 4] == [[second], []]
    header, footer = fit.rules(features, PLAIN)
    assert (header.context, footer.context) == ((first, second), ())


def test_why_says_what_is_kept(tmp_path: Path) -> None:
    decided = outline.decide(outline.features(reading(pdf(tmp_path / "doc.pdf", parts()))), PLAIN)
    assert decided.why(0).against == (
        "set aside as running header, its like is on 3 pages; restore it in the list of lines set aside",
        "found nowhere else, so kept as context of its page: “Part X-204 of 12.03.2025”",
    )
