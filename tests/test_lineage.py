"""What section trees were before: older parses, earlier versions of a file, and where their ids lead."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from pipeline import lineage, run
from pipeline.lineage import Present, Traced
from pipeline.model import StoreError, UsageError
from pipeline.profiles import OutlineProfile, Profile
from pipeline.store import Parse, Store
from tests.draw import Put, pdf

COARSE = Profile(name="coarse", outline=OutlineProfile(by_size=False, max_tiers=1, by_bookmarks=False))
FEW = Profile(name="few", outline=OutlineProfile(by_size=False))
PLAIN = Profile(name="plain", outline=OutlineProfile(by_size=False, by_bold=False))
FIRM = "sec_hollinmarsh_industrial_supply"  # a heading of the catalogue by its size and weight
TEXTS = {
    "Term": "This agreement begins on the first of March and ends after two years unless it is renewed.",
    "Fees": "The fees are invoiced each month and are paid within thirty days of the date of the invoice.",
    "Notices": "Notices are given in writing and are sent by post to the address on the first page.",
    "Law": "The law of the place where the seller has its seat applies, and its courts decide alone.",
}


@pytest.fixture
def kept(tmp_path: Path) -> Store:
    return Store(tmp_path / "home")


def deal(folder: Path, *titles: str) -> bytes:
    """A page with a heading and a paragraph for each title."""
    puts = []
    for top, title in enumerate(titles):
        puts += [Put(60, 80 + 70 * top, title, 16, "Helvetica-Bold"), Put(60, 104 + 70 * top, TEXTS[title], 9)]
    return pdf(folder / "drawn.pdf", [puts]).read_bytes()


def add(kept: Store, content: bytes, name: str) -> str:
    return kept.add_file(io.BytesIO(content), name).sha256


def ids(kept: Store, number: int) -> list[str]:
    return [section.section_id for section in kept.parsed(number) or ()]


def traced(kept: Store, newer: Parse, asked: str) -> Traced:
    return lineage.trace(kept, Present(newer.sha256, kept.parsed(newer.number) or (), Profile()), asked)


def test_another_profile_gives_another_tree_and_old_ids_lead_on(kept: Store) -> None:
    sha256 = kept.add_file(run.sample_path("agreement.pdf"), "agreement.pdf").sha256
    fine, coarse = run.parse(kept, sha256, Profile()), run.parse(kept, sha256, COARSE)
    assert [one.number for one in kept.parses(sha256)] == [coarse.number, fine.number]
    diff = lineage.changes(kept, fine, coarse)
    assert diff.counts["kept"] > 20
    assert sum(diff.counts.values()) >= fine.count
    assert all(set(diff.resolve(one)) <= set(ids(kept, coarse.number)) for one in ids(kept, fine.number))
    same = lineage.changes(kept, fine, fine).counts
    assert same["kept"] == fine.count == sum(same.values())
    kept.drop_parse(sha256, fine.key)
    with pytest.raises(StoreError, match="not in the store"):
        lineage.changes(kept, fine, coarse)


def test_an_id_of_any_older_tree_leads_to_what_it_became(kept: Store) -> None:
    sha256 = kept.add_file(run.sample_path("catalogue.pdf"), "catalogue.pdf").sha256
    fine, few = run.parse(kept, sha256, Profile()), run.parse(kept, sha256, PLAIN)
    assert FIRM in ids(kept, fine.number)
    found = traced(kept, few, FIRM)
    assert found.ids == ("sec_preamble",)
    assert (found.was.section_id if found.was else "", found.document) == (FIRM, "catalogue.pdf")
    here = traced(kept, fine, FIRM)
    assert (here.ids, here.was) == ((FIRM,), None)
    with pytest.raises(UsageError, match="No section tree of the document has a section 'sec_x'"):
        traced(kept, few, "sec_x")


def test_an_anchor_leads_where_its_section_went(kept: Store) -> None:
    sha256 = kept.add_file(run.sample_path("agreement.pdf"), "agreement.pdf").sha256
    now = run.sections(kept, sha256, Profile())
    assert lineage.trace(kept, Present(sha256, now, Profile()), "section-1-1").ids == ("sec_1_1_defined_terms",)
    without = tuple(section for section in now if section.anchor != "section-1-1")
    found = lineage.trace(kept, Present(sha256, without, Profile()), "section-1-1")
    assert found.was is not None
    assert found.was.section_id == "sec_1_1_defined_terms"
    assert "sec_1_1_defined_terms" not in found.ids


def test_a_new_version_is_held_against_the_one_before(kept: Store) -> None:
    old = run.parse(kept, add(kept, deal(kept.home.parent, "Term", "Fees", "Notices"), "Deal v1.pdf"), Profile())
    assert lineage.before(kept, old, Profile()) is None
    new = run.parse(kept, add(kept, deal(kept.home.parent, "Term", "Law", "Notices"), "Deal v2.pdf"), Profile())
    found = lineage.before(kept, new, Profile())
    assert found is not None
    assert (found.document.name, found.profile, len(found.sections)) == ("Deal v1.pdf", "default", 3)
    assert {kind: count for kind, count in found.diff.counts.items() if count} == {"kept": 2, "added": 1, "removed": 1}
    assert lineage.before(kept, old, Profile()) is None  # what came later is no earlier version
    assert traced(kept, new, "sec_fees").ids == ()
    assert traced(kept, new, "sec_term").ids == ("sec_term",)


def test_a_version_that_was_only_read_is_held_against_too(kept: Store) -> None:
    run.ingest(kept, add(kept, deal(kept.home.parent, "Term", "Fees"), "deal.pdf"), Profile())
    new = run.parse(kept, add(kept, deal(kept.home.parent, "Term", "Fees", "Law"), "deal.pdf"), Profile())
    found = lineage.before(kept, new, Profile())
    assert found is not None
    assert found.diff.counts["added"] == 1


def test_an_id_of_a_version_that_was_only_read_leads_on(kept: Store) -> None:
    run.ingest(kept, add(kept, deal(kept.home.parent, "Term", "Fees"), "deal.pdf"), Profile())
    new = run.parse(kept, add(kept, deal(kept.home.parent, "Law", "Term"), "deal.pdf"), Profile())
    assert traced(kept, new, "sec_fees").ids == ()


def test_another_parse_of_the_document_comes_before_its_versions(kept: Store) -> None:
    run.parse(kept, add(kept, deal(kept.home.parent, "Term", "Fees"), "deal.pdf"), Profile())
    sha256 = add(kept, deal(kept.home.parent, "Term", "Law"), "deal.pdf")
    run.parse(kept, sha256, Profile())
    found = lineage.before(kept, run.parse(kept, sha256, FEW), FEW)
    assert found is not None
    assert (found.document.sha256, found.profile) == (sha256, "default")


def test_files_of_like_names_without_common_sections_are_no_versions(kept: Store) -> None:
    run.parse(kept, add(kept, deal(kept.home.parent, "Term", "Fees"), "scan 1.pdf"), Profile())
    new = run.parse(kept, add(kept, deal(kept.home.parent, "Notices", "Law"), "scan 2.pdf"), Profile())
    assert lineage.before(kept, new, Profile()) is None


def test_a_file_of_another_name_with_the_same_text_is_a_version(kept: Store) -> None:
    agreement = run.sample_path("agreement.pdf").read_bytes()
    run.parse(kept, add(kept, agreement, "Signed by both.pdf"), Profile())
    run.parse(kept, kept.add_file(run.sample_path("catalogue.pdf"), "catalogue.pdf").sha256, Profile())
    new = run.parse(kept, add(kept, agreement + b"\n%", "Final.pdf"), Profile())
    found = lineage.before(kept, new, Profile())
    assert found is not None
    assert (found.document.name, found.diff.counts["kept"]) == ("Signed by both.pdf", len(found.sections))


def test_trees_of_the_document_and_of_its_other_versions_can_be_compared(kept: Store) -> None:
    first = run.parse(kept, add(kept, deal(kept.home.parent, "Term"), "Offer 2024-07.pdf"), Profile())
    again = run.parse(kept, first.sha256, FEW)
    newer = run.parse(kept, add(kept, deal(kept.home.parent, "Fees"), "Offer 2025-01.pdf"), Profile())
    run.parse(kept, add(kept, deal(kept.home.parent, "Law"), "Report.pdf"), Profile())
    assert [one.number for one in lineage.comparable(kept, newer.sha256)] == [newer.number, again.number]
    assert [one.number for one in lineage.comparable(kept, first.sha256)] == [again.number, first.number, newer.number]
