"""The section tree: headings, levels, ids, the ledger; nothing lost, nothing moved by an insertion."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import outline, subclauses, worker
from pipeline.features import Features
from pipeline.model import Outline, Reading
from pipeline.profiles import OutlineProfile, ReadingProfile, Weights
from sample_docs import agreement as agreements
from sample_docs.agreement import AgreementOptions, Numbering, Tongue
from tests.draw import Put, column, pdf, prose, reading

PLAIN = OutlineProfile()
BOLD = "Helvetica-Bold"


def built(tmp_path: Path, pages: Iterable[Iterable[Put]], profile: OutlineProfile = PLAIN) -> Outline:
    return outline.build(outline.features(reading(pdf(tmp_path / "doc.pdf", pages))), profile)


def tree(result: Outline) -> list[tuple[int, str | None, str]]:
    return [(section.level, section.number, section.title) for section in result.sections]


def chapter(heading: Put, top: float, seed: int, count: int = 6) -> list[Put]:
    return [heading._replace(y=top), *column(72, top + 20, count, seed)]


def numbered(*titles: str) -> list[list[Put]]:
    """A page a title, each numbered and bold at body size, with text under it."""
    return [chapter(Put(72, 0, title, 10, BOLD), 100, index * 11, 20) for index, title in enumerate(titles)]


def test_size_tiers_give_levels(tmp_path: Path) -> None:
    page = [
        *chapter(Put(72, 0, "Opening words", 20), 80, 1),
        *chapter(Put(72, 0, "Part of one", 14), 200, 9),
        *chapter(Put(72, 0, "Another part", 14), 320, 17),
        *chapter(Put(72, 0, "Closing words", 20), 440, 25),
    ]
    result = built(tmp_path, [page])
    assert tree(result) == [
        (1, None, "Opening words"),
        (2, None, "Part of one"),
        (2, None, "Another part"),
        (1, None, "Closing words"),
    ]
    assert result.body_size == 10
    assert [(tier.size, tier.level) for tier in result.tiers] == [(20, 1), (14, 2)]
    assert [section.parent_id for section in result.sections] == [None, "sec_opening_words", "sec_opening_words", None]


def test_jitter_does_not_make_a_tier(tmp_path: Path) -> None:
    page = [
        *chapter(Put(72, 0, "First heading", 12), 80, 1),
        *chapter(Put(72, 0, "Second heading", 11.9), 200, 9),
        *chapter(Put(72, 0, "Third heading", 12), 320, 17),
    ]
    assert [level for level, _, _ in tree(built(tmp_path, [page]))] == [1, 1, 1]


def test_bold_numbered_headings_at_body_size_nest_by_number(tmp_path: Path) -> None:
    result = built(tmp_path, numbered("4. Fasteners", "4.1 Steel", "4.2 Stainless", "5. Tools", "5.1 Saws"))
    assert [(section.level, section.number, section.anchor) for section in result.sections] == [
        (1, "4", "section-4"),
        (2, "4.1", "section-4-1"),
        (2, "4.2", "section-4-2"),
        (1, "5", "section-5"),
        (2, "5.1", "section-5-1"),
    ]


def test_switches_turn_evidence_off(tmp_path: Path) -> None:
    pages = [*numbered("4. Fasteners", "4.1 Steel"), chapter(Put(72, 0, "Larger", 16), 100, 70, 20)]
    assert len(built(tmp_path, pages).sections) == 3
    off = replace(PLAIN, by_bold=False, by_numbering=False)
    assert [title for _, _, title in tree(built(tmp_path, pages, off)) if title] == ["Larger"]
    none = replace(off, by_size=False)
    assert tree(built(tmp_path, pages, none)) == [(0, None, "")]


def test_weights_ask_for_more_than_one_evidence(tmp_path: Path) -> None:
    pages = [*numbered("4. Fasteners", "4.1 Steel"), chapter(Put(72, 0, "Only bold", 10, BOLD), 100, 70, 20)]
    assert [title for _, _, title in tree(built(tmp_path, pages))] == ["Fasteners", "Steel", "Only bold"]
    halves = replace(PLAIN, weights=Weights(bold=0.5, numbering=0.5))
    assert [title for _, _, title in tree(built(tmp_path, pages, halves))] == ["Fasteners", "Steel"]
    nothing = replace(PLAIN, weights=Weights(0, 0, 0, 0, 0))
    assert tree(built(tmp_path, pages, nothing)) == [(0, None, "")]


def test_tier_ratios_of_the_profile_decide(tmp_path: Path) -> None:
    page = [
        *chapter(Put(72, 0, "Large", 20), 80, 1),
        *chapter(Put(72, 0, "Middle", 15), 200, 9),
        *chapter(Put(72, 0, "Small", 12), 320, 17),
    ]
    two = replace(PLAIN, tier_ratios=(1.4,))
    assert tree(built(tmp_path, [page], two)) == [(1, None, "Large"), (1, None, "Middle")]


def test_tiers_set_by_hand_outrank_the_contents_list(features: Features) -> None:
    found = outline.build(features, PLAIN)
    assert [(tier.size, tier.level) for tier in found.tiers] == [(13.5, 1), (11.0, 2)]
    ratios = tuple(tier.size / found.body_size for tier in found.tiers)
    same = outline.build(features, replace(PLAIN, tier_ratios=ratios))
    assert tree(same) == tree(found)
    higher = outline.build(features, replace(PLAIN, tier_ratios=(14 / 9, ratios[1])))
    levels = {section.number: section.level for section in higher.sections}
    assert (levels["Schedule 1"], levels["4"], levels["4.2"]) == (1, 2, 3)


def test_a_title_over_two_lines_is_one_heading(tmp_path: Path) -> None:
    page = [
        Put(72, 80, "A title that is broken over", 16),
        Put(72, 98, "two lines", 16),
        *column(72, 125, 10),
    ]
    assert tree(built(tmp_path, [page])) == [(1, None, "A title that is broken over two lines")]


def test_numbers_in_lists_tables_and_dates_are_no_headings(tmp_path: Path) -> None:
    page = [
        *chapter(Put(72, 0, "Heading", 16), 80, 1, 10),
        Put(90, 250, "1. first item of a list of things"),
        Put(90, 262, "2. second item of a list of things"),
        *(Put(x, 300 + 12 * row, f"{row}.{x}") for row in range(4) for x in (72, 200, 330)),
        Put(72, 370, "12 March 2025"),
        *column(72, 400, 6, 30),
    ]
    assert tree(built(tmp_path, [page])) == [(1, None, "Heading")]


def test_running_headers_footers_and_page_numbers_go_to_the_ledger(tmp_path: Path) -> None:
    pages = [
        [
            Put(72, 40, "Ostrander Master Agreement", 8),
            *chapter(Put(72, 0, f"{n}. Clause of the agreement", 14), 100, n * 13, 30),
            Put(280, 810, f"Page {n} of 5", 8),
        ]
        for n in range(1, 6)
    ]
    result = built(tmp_path, pages)
    assert Counter((line.reason, line.repeats) for line in result.removed) == {
        ("running header", 5): 5,
        ("running footer", 5): 5,
    }
    assert "Ostrander" not in "".join(section.content for section in result.sections)
    assert len(result.sections) == 5


def test_a_header_with_another_title_on_each_page_goes_to_the_ledger(tmp_path: Path) -> None:
    names = ["Saws", "Drills", "Planes", "Files", "Chisels"]
    pages = [
        [Put(72, 40, "Norvik Supply, edition 2025", 8), Put(480, 40, name, 8), *column(72, 100, 30, at),
         Put(72, 800, "Sum carried forward", 8), Put(480, 800, f"{at}40.50", 8)]
        for at, name in enumerate(names)
    ]  # fmt: skip
    removed = built(tmp_path, pages).removed
    assert [(line.text, line.reason, line.repeats) for line in removed] == [
        (f"Norvik Supply, edition 2025 {name}", "running header", 5) for name in names
    ]


def test_a_restored_line_stays_in_the_text(tmp_path: Path) -> None:
    pages = [[Put(72, 40, f"Part X-{n}", 8), *column(72, 100, 30, n), Put(72, 810, "Footer", 8)] for n in range(1, 5)]
    kept = replace(PLAIN, keep=("Footer",))
    removed = built(tmp_path, pages, kept).removed
    assert "Footer" not in {line.text for line in removed}


def test_a_heading_that_repeats_with_another_number_is_no_header(tmp_path: Path) -> None:
    pages = [chapter(Put(72, 0, f"ARTICLE {n}", 14), 60, n * 13, 40) for n in range(1, 7)]
    result = built(tmp_path, pages)
    assert [section.number for section in result.sections] == [f"ARTICLE {n}" for n in range(1, 7)]
    assert result.removed == ()


def test_a_contents_list_names_headings_and_goes_to_the_ledger(tmp_path: Path) -> None:
    titles = ["Scope of work", "Charges", "Term", "Liability", "Law"]
    contents = [
        Put(72, 80, "Contents", 14),
        *(Put(72, 110 + 14 * n, f"{title} {'.' * 60} {n + 2}") for n, title in enumerate(titles)),
    ]
    pages = [contents, *([Put(72, 100, title), *column(72, 130, 20, index)] for index, title in enumerate(titles))]
    result = built(tmp_path, pages)
    assert [section.title for section in result.sections] == titles
    assert {line.reason for line in result.removed} == {"contents list"}
    assert len(result.removed) == 6


def test_numbering_that_restarts_in_schedules_keeps_its_schedule_in_ids(tmp_path: Path) -> None:
    pages = numbered("1. Scope", "2. Price")
    for n in (1, 2):
        pages.append(chapter(Put(72, 0, f"Schedule {n} Annex", 16), 100, 60 + n, 10))
        pages += numbered("1. Scope", "2. Price")
    result = built(tmp_path, pages)
    assert [(section.section_id, section.anchor) for section in result.sections] == [
        ("sec_1_scope", "section-1"),
        ("sec_2_price", "section-2"),
        ("sec_schedule_1_annex", "schedule-1"),
        ("sec_1_scope_schedule_1", "schedule-1-1"),
        ("sec_2_price_schedule_1", "schedule-1-2"),
        ("sec_schedule_2_annex", "schedule-2"),
        ("sec_1_scope_schedule_2", "schedule-2-1"),
        ("sec_2_price_schedule_2", "schedule-2-2"),
    ]


def test_an_appendix_item_is_anchored_under_its_appendix(tmp_path: Path) -> None:
    pages = [chapter(Put(72, 0, "Appendix B Exit", 16), 100, 3, 10), *numbered("B-1 Scope", "B-2 Fees", "B-3 End")]
    assert [section.anchor for section in built(tmp_path, pages).sections] == [
        "appendix-b",
        "appendix-b-1",
        "appendix-b-2",
        "appendix-b-3",
    ]


@pytest.mark.parametrize("by_bookmarks", [True, False])
def test_the_tree_of_the_catalogue_is_that_of_its_truth(samples: Path, by_bookmarks: bool) -> None:
    features = outline.features(reading(samples / "catalogue.pdf"))
    result = outline.build(features, replace(PLAIN, by_bookmarks=by_bookmarks))
    truth = json.loads((samples / "catalogue.truth.json").read_text(encoding="utf-8"))["sections"]
    assert [(one.number, one.title, one.level, one.page) for one in result.sections] == [
        (one["number"], one["title"], one["level"], one["page"]) for one in truth
    ]


def test_of_a_cover_the_title_alone_is_a_heading(tmp_path: Path) -> None:
    cover = [Put(72, 300, "Hollow Steel Sections", 30), Put(72, 340, "Price list 2025", 20, "Helvetica-Bold"),
             Put(72, 700, "NORVIK STEEL WORKS", 14)]  # fmt: skip
    names = ("Round tubes", "Square tubes", "Terms of sale")
    chapters = [
        [Put(72, 80, name, 16), *column(72, 110, 40, at), *column(300, 110, 40, at)] for at, name in enumerate(names)
    ]
    result = built(tmp_path, [cover, *chapters])
    assert [one.title for one in result.headings] == ["Hollow Steel Sections", *names]
    assert result.sections[0].content == "Price list 2025\nNORVIK STEEL WORKS"
    text = [Put(72, 400 + 12 * row, prose(14, row)) for row in range(20)]
    assert len(built(tmp_path, [[*cover, *text], *chapters]).headings) == 6  # it begins with text


def test_numbered_clauses_without_a_title_are_text_with_anchors_of_their_own(tmp_path: Path) -> None:
    page = [
        Put(72, 80, "4. Delivery", 10, "Helvetica-Bold"),
        Put(72, 110, "4.1 The Supplier shall deliver the goods to the door."),
        Put(72, 140, f"4.2 The Customer shall {prose(8)[:-1].lower()}"),
        Put(72, 152, prose(14).lower()),
        Put(72, 182, "4.3 Each party bears its own costs;"),
        *column(72, 220, 20),
    ]
    [section] = built(tmp_path, [page]).sections
    assert (section.title, section.anchor) == ("Delivery", "section-4")
    assert [one.anchor for one in subclauses.of(section)] == ["section-4-1", "section-4-2", "section-4-3"]


def test_names_of_programs_in_capitals_are_no_headings(tmp_path: Path) -> None:
    page = [
        *[Put(72, 80, "ERROR CODES"), *column(72, 110, 12), Put(72, 280, "INVALID_DEVICE -1002")],
        *column(72, 310, 12, 40),
    ]
    features = outline.features(reading(pdf(tmp_path / "doc.pdf", [page])))
    decided = outline.decide(features, PLAIN)
    assert [heading.title for heading in decided.outline.headings] == ["ERROR CODES"]
    name = next(line.at for line in features.lines if line.text.startswith("INVALID"))
    assert "in capitals as a name in a program is" in decided.why(name).against


def test_bookmarks_are_used_unless_the_profile_leaves_them_out(samples: Path) -> None:
    read = worker.read(samples / "agreement.pdf", ReadingProfile(ocr="never"))
    features = outline.features(read)
    marked = replace(features, bookmarks=())
    assert outline.build(marked, PLAIN) == outline.build(features, replace(PLAIN, by_bookmarks=False))


@pytest.mark.parametrize(
    ("language", "numbering"),
    [("en", "article"), ("de", "paragraph"), ("sr-Latn", "article"), ("sr-Cyrl", "decimal")],
)
def test_agreements_in_other_languages_and_numberings_have_their_tree(
    tmp_path: Path, language: Tongue, numbering: Numbering
) -> None:
    options = AgreementOptions(seed=5, pages=46 if language == "en" else 28, language=language, numbering=numbering)
    written = agreements.write(tmp_path, replace(options, vary=True))
    truth = json.loads(written.truth.read_text(encoding="utf-8"))
    result = outline.build(outline.features(reading(written.pdf)), replace(PLAIN, by_bookmarks=False))
    assert [(one.number, one.title, one.level, one.page) for one in result.sections] == [
        (one["number"], one["title"], one["level"], one["page"]) for one in truth["sections"]
    ]
    anchors = {section.anchor: section.page for section in result.sections}
    assert len(truth["termination_clauses"]) == 6
    assert [anchors.get(one["anchor"]) for one in truth["termination_clauses"]] == [
        one["page"] for one in truth["termination_clauses"]
    ]


# ---------------------------------------------------------------- the agreement


@pytest.fixture(scope="module")
def agreement(samples: Path) -> Reading:
    return worker.read(samples / "agreement.pdf", ReadingProfile(ocr="never"))


@pytest.fixture(scope="module")
def features(agreement: Reading) -> Features:
    return outline.features(agreement)


def test_the_agreement_has_the_tree_of_its_truth(samples: Path, features: Features) -> None:
    truth = json.loads((samples / "agreement.truth.json").read_text(encoding="utf-8"))["sections"]
    result = outline.build(features, PLAIN)
    by_id = {section.section_id: section for section in result.sections}

    def parent(section_id: str | None) -> str | None:
        return (by_id[section_id].number or by_id[section_id].title) if section_id else None

    found = [
        {
            "number": section.number,
            "title": section.title,
            "level": section.level,
            "page": section.page,
            "parent": parent(section.parent_id),
        }
        for section in result.sections
    ]
    truth = [{key: section[key] for key in found[0]} for section in truth]
    assert found == truth


def test_the_ledger_of_the_agreement_is_that_of_its_truth(samples: Path, features: Features) -> None:
    truth = json.loads((samples / "agreement.truth.json").read_text(encoding="utf-8"))["boilerplate"]
    reasons = {"cover": "cover page", "contents": "contents list", "signature": "signature block"}
    removed = outline.build(features, PLAIN).removed
    for named, reason in reasons.items():
        drawn = sorted(" ".join(line["text"].split()) for line in truth if line["reason"] == named)
        found = sorted(line.text for line in removed if line.reason == reason)
        assert "".join(found).replace(" ", "") == "".join(drawn).replace(" ", ""), named
    running = Counter(word for line in truth if line["reason"] not in reasons for word in line["text"].split())
    found_running = Counter(word for line in removed if line.reason.startswith("running") for word in line.text.split())
    assert found_running == running


def test_a_signature_block_goes_to_the_ledger_with_its_party(tmp_path: Path) -> None:
    sign = [
        Put(72, 400, "For and on behalf of Norvik Ltd", 10, BOLD),
        Put(72, 430, "By: ____________________"),
        Put(72, 450, "Name: Ana Norvik"),
        Put(72, 470, "Title: ____________________"),
    ]
    page = [*chapter(Put(72, 0, "Law", 16), 80, 3, 10), *sign]
    result = built(tmp_path, [page])
    assert [line.text for line in result.removed] == [put.text for put in sign]
    kept = built(tmp_path, [page], replace(PLAIN, strip_formalities=False))
    assert kept.removed == ()


def test_a_form_without_a_place_to_sign_stays(tmp_path: Path) -> None:
    page = [*column(72, 80, 6), Put(72, 300, "Name: Ana Norvik"), Put(72, 320, "Date: 12 March 2025")]
    assert built(tmp_path, [page]).removed == ()


def test_the_termination_clauses_have_their_anchors(samples: Path, features: Features) -> None:
    truth = json.loads((samples / "agreement.truth.json").read_text(encoding="utf-8"))["termination_clauses"]
    anchors = {section.anchor: section.page for section in outline.build(features, PLAIN).sections}
    assert len(truth) == 6
    assert [anchors.get(clause["anchor"]) for clause in truth] == [clause["page"] for clause in truth]


def test_every_word_is_in_one_section_or_in_the_ledger(agreement: Reading, features: Features) -> None:
    def letters(texts: Iterable[str]) -> Counter[str]:
        return Counter(re.sub(r"\W", "", "".join(texts)))

    result = outline.build(features, PLAIN)
    sections = [text for one in result.sections for text in (one.number or "", one.title, one.content)]
    ledger = [line.text for line in result.removed]
    assert letters([*sections, *ledger]) == letters(word.text for page in agreement.pages for word in page.words)
    words = Counter(re.sub(r"\W", " ", " ".join([*sections, *ledger])).split())
    printed = Counter(
        re.sub(r"\W", " ", " ".join(word.text for page in agreement.pages for word in page.words)).split()
    )
    assert sum((printed - words).values()) <= 2 * sum(line.text.endswith("-") for line in features.lines)


def test_ids_and_anchors_are_unique_and_the_same_each_time(features: Features) -> None:
    one, other = outline.build(features, PLAIN), outline.build(features, PLAIN)
    assert one == other
    ids = [section.section_id for section in one.sections]
    anchors = [section.anchor for section in one.sections if section.anchor]
    assert len(set(ids)) == len(ids)
    assert len(set(anchors)) == len(anchors)


def test_an_inserted_section_moves_no_other_id(tmp_path: Path) -> None:
    before = built(tmp_path, numbered("1. Scope", "2. Price", "3. Law"))
    after = built(tmp_path, numbered("1. Scope", "1.1 A new one", "2. Price", "3. Law"))
    old = {section.section_id for section in before.sections}
    assert old <= {section.section_id for section in after.sections}


def test_a_reworded_title_keeps_its_anchor(tmp_path: Path) -> None:
    before = built(tmp_path, numbered("1. Scope", "2. Price"))
    after = built(tmp_path, numbered("1. Scope of work", "2. Price"))
    assert [section.anchor for section in before.sections] == [section.anchor for section in after.sections]
