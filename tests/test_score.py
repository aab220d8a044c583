"""The score of an outline: each figure by hand on a few headings, and the samples against their truth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline import files, outline, score
from pipeline.model import Bookmark, Section, UsageError
from pipeline.profiles import OutlineProfile, Profile
from pipeline.score import Entry

TRUTH = (
    Entry("Services", 1, 3),
    Entry("1.1 Scope of the services", 2, 3),
    Entry("1.2 Fees", 2, 4),
    Entry("Termination", 1, 5),
)


def test_the_same_headings_score_one() -> None:
    result = score.score(TRUTH, TRUTH)
    assert (result.precision, result.recall, result.f1, result.levels, result.parents) == (1, 1, 1, 1, 1)
    assert (result.matched, result.found, result.expected, result.deeper, result.shift) == (4, 4, 4, 0, 0)
    assert (result.missed, result.surplus) == ((), ())


def test_titles_match_with_their_number_and_without() -> None:
    found = (
        Entry("SERVICES", 1, 3, "1"),
        Entry("Scope of  the services.", 2, 3, "1.1"),
        Entry("Fees", 2, 4),
        Entry("Termination", 1, 5, "Article 2"),
    )
    assert score.score(found, TRUTH).matched == 4


def test_nearly_the_same_title_matches_and_another_does_not() -> None:
    assert score.score((Entry("Scope of the servises", 2, 3),), TRUTH).pairs == ((0, 1),)
    assert score.score((Entry("Scope of the licence", 2, 3),), TRUTH).matched == 0


@pytest.mark.parametrize(("page", "matched"), [(4, 1), (5, 1), (6, 1), (3, 0), (7, 0), (None, 1)])
def test_pages_may_differ_by_one(page: int | None, matched: int) -> None:
    assert score.score((Entry("Termination", 1, page),), TRUTH).matched == matched


def test_each_heading_is_used_once_and_the_nearest_first() -> None:
    truth = (Entry("Notes", 1, 1), Entry("Notes", 1, 2), Entry("Notes", 1, 3))
    result = score.score((Entry("Notes", 1, 2), Entry("Notes", 1, 3)), truth)
    assert result.pairs == ((0, 1), (1, 2))
    assert result.missed == (Entry("Notes", 1, 1),)
    assert score.score(truth, truth[:1]).matched == 1


def test_what_is_missed_and_what_is_too_much() -> None:
    extra = Entry("Invented", 1, 4)
    result = score.score((*TRUTH[:3], extra), TRUTH)
    assert (result.precision, result.recall, result.f1) == (0.75, 0.75, 0.75)
    assert result.missed == (TRUTH[3],)
    assert result.surplus == (extra,)


def test_what_is_deeper_than_the_truth_goes_is_not_held_against_it() -> None:
    result = score.score((TRUTH[0], Entry("Detail", 3, 3), *TRUTH[1:], Entry("More detail", 4, 5)), TRUTH)
    assert (result.precision, result.deeper, result.surplus) == (1.0, 2, ())


def test_levels_may_all_be_shifted_and_parents_are_those_that_matched() -> None:
    deeper = tuple(entry._replace(level=entry.level + 1) for entry in TRUTH)
    result = score.score((Entry("The agreement", 1, 1), *deeper), TRUTH)
    assert (result.levels, result.shift, result.parents) == (1.0, 1, 1.0)
    flat = tuple(entry._replace(level=1) for entry in TRUTH)
    result = score.score(flat, TRUTH)
    assert (result.levels, result.shift, result.parents) == (0.5, 0, 0.5)


def test_nothing_found_and_nothing_expected() -> None:
    assert (score.score((), TRUTH).f1, score.score(TRUTH, ()).f1, score.score((), ()).f1) == (0, 0, 0)
    assert score.score((), TRUTH).missed == TRUTH


def test_the_catalogue_without_its_outline_is_scored_against_it(samples: Path) -> None:
    read = files.read(samples / "catalogue.pdf", Profile())
    found = outline.build(outline.features(read), OutlineProfile(by_bookmarks=False))
    result = score.score(score.of_sections(found.sections), score.of_bookmarks(read.bookmarks))
    assert (result.expected, result.matched, result.deeper) == (48, 48, 47)  # its outline names two of the three levels
    assert (result.recall, result.levels, result.parents) == (1.0, 1.0, 1.0)
    assert [entry.title for entry in result.surplus] == ["Hollinmarsh Industrial Supply"]  # the title on its cover
    assert result.precision == 48 / 49


def test_entries_come_from_sections_bookmarks_and_text() -> None:
    sections = (
        Section("sec_preamble", None, 0, None, "", 1, None, "Before."),
        Section("sec_1_scope", None, 1, "1", "Scope", 2, "section-1", "Text."),
    )
    assert score.of_sections(sections) == (Entry("Scope", 1, 2, "1"),)
    assert score.of_bookmarks((Bookmark("1 Scope", 1, 2, 71.5),)) == (Entry("1 Scope", 1, 2),)
    text = '[{"title": "Scope", "level": 1, "page": 2, "y": 3}, {"title": "Fees", "level": 2}]'
    assert score.loads(text) == (Entry("Scope", 1, 2), Entry("Fees", 2, None))
    assert score.loads('{"sections": [{"number": "1", "title": "Scope", "level": 1, "page": 2}]}') == (
        Entry("Scope", 1, 2, "1"),
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("title,level", "is no JSON"),
        ("3", "must be a JSON list"),
        ('{"rows": []}', "must be a JSON list"),
        ('[{"title": "Scope", "level": 1, "page": 1}, {"title": "Fees", "level": "2"}]', "Entry 2 of the truth"),
        ('[{"title": "Scope", "level": 0}]', "Entry 1 of the truth"),
        ("[[1]]", "Entry 1 of the truth"),
    ],
)
def test_other_text_is_refused(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        score.loads(text)


def test_the_agreement_is_all_found(samples: Path) -> None:
    reading = files.read(samples / "agreement.pdf", Profile())
    found = score.of_sections(outline.build(outline.features(reading), Profile().outline).sections)
    truth = score.loads((samples / "agreement.truth.json").read_text(encoding="utf-8"))
    result = score.score(found, truth)
    assert (result.recall, result.levels, result.parents) == (1, 1, 1)
    assert json.loads(json.dumps(score.to_json(result)))["recall"] == 1
