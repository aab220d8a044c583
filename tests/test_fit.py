"""What a profile does on a document, what it warns of, and restored lines as rules."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline import files, fit, outline
from pipeline.features import Features
from pipeline.model import Reading
from pipeline.profiles import Fingerprint, OutlineProfile, Profile, Weights
from pipeline.score import Score
from tests.draw import Put, column, pdf, reading

HEADER = "Norvik Supply · Statement 7"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Reading, Features]:
    """Six pages with a running header, a chapter each, and a line of its own at the foot."""
    pages = [
        [
            Put(72, 30, HEADER, 8),
            Put(72, 100, f"Chapter {name}", 20),
            *column(72, 130, 30, at * 31),
            Put(300, 810, f"Page {at + 1} of 6", 8),
        ]
        for at, name in enumerate(["one", "two", "three", "four", "five", "six"])
    ]
    read = reading(pdf(tmp_path_factory.mktemp("fit") / "doc.pdf", pages))
    return read, outline.features(read)


def tuned(**values: object) -> Profile:
    return Profile(outline=replace(OutlineProfile(), **values))  # type: ignore[arg-type]


def test_a_profile_that_fits_says_what_it_does(drawn: tuple[Reading, Features]) -> None:
    found = fit.check(*drawn, Profile())
    assert (found.sections, found.levels, found.body_size) == (6, ((1, 6),), 10)
    assert found.tiers == ((20, 1, 6),)
    assert found.removed == (("running header", 6), ("running footer", 6))
    assert (found.own_outline, found.warnings) == (None, ())
    assert json.loads(json.dumps(fit.to_json(found)))["tiers"] == [{"size": 20, "level": 1, "lines": 6}]


def test_tiers_without_lines_and_tiers_of_the_body_are_warned_of(drawn: tuple[Reading, Features]) -> None:
    found = fit.check(*drawn, tuned(tier_ratios=(2.5, 2.0, 1.4, 1.0)))
    assert [tier.lines for tier in found.tiers] == [0, 6, 0, 180]
    assert found.warnings == (
        "tier 1 (25 pt): no line has this size; the nearest is 20 pt",
        "tier 3 (14 pt): no line has this size; the nearest is 10 pt",
        "tier 4 (10 pt) is not larger than the body (10 pt), so it makes no heading",
    )


def test_a_tier_that_other_settings_leave_without_headings_says_which(drawn: tuple[Reading, Features]) -> None:
    def idle(**changes: Any) -> list[str]:
        profile = OutlineProfile(tier_ratios=(2.0,), by_bold=False, by_caps=False, by_numbering=False)
        return list(fit.idle_tiers(outline.decide(drawn[1], replace(profile, **changes))))

    assert idle() == []
    assert idle(tier_ratios=()) == []
    assert idle(by_size=False) == ["size is switched off, so tiers make no heading"]
    assert idle(weights=Weights(size=0.5)) == [
        "tier 1 (20 pt): size weighs 0.5, so it takes other evidence to make its lines headings"
    ]
    rows = replace(drawn[1], lines=tuple(line._replace(starts=False) for line in drawn[1].lines))
    decided = outline.decide(rows, OutlineProfile(tier_ratios=(2.0,)))
    assert list(fit.idle_tiers(decided)) == [
        "tier 1 (20 pt): none of the lines of this size is a heading; ask one why not"
    ]


def test_no_heading_and_a_rule_without_lines_are_warned_of(drawn: tuple[Reading, Features]) -> None:
    off = tuned(by_size=False, by_bold=False, by_caps=False, by_numbering=False, keep=("Long ago #",))
    assert fit.check(*drawn, off).warnings == ("no heading was found", "no line is like the restored 'Long ago #'")


def test_a_document_that_looks_otherwise_than_the_profiles_is_warned_of(drawn: tuple[Reading, Features]) -> None:
    other = Fingerprint(body_size=7, page_width=595, page_height=842, running=("Another firm's list #",))
    [warning] = fit.check(*drawn, replace(Profile(), fingerprint=other)).warnings
    assert warning.startswith("it does not look like the profile's documents: text of 10 pt, not 7 pt;")


def test_the_documents_own_outline_is_what_the_rest_is_scored_against(samples: Path) -> None:
    def own_outline(name: str) -> Score | None:
        read = files.read(samples / f"{name}.pdf", Profile())
        return fit.check(read, outline.features(read), Profile()).own_outline

    assert own_outline("agreement") is None
    found = own_outline("catalogue")
    assert found is not None
    assert (found.expected, found.matched, found.levels) == (48, 48, 1.0)


def test_rules_list_the_ledger_by_pattern(drawn: tuple[Reading, Features]) -> None:
    features = drawn[1]
    header, footer = fit.rules(features, OutlineProfile())
    assert (header.pattern, header.text) == ("Norvik Supply · Statement #", HEADER)
    assert (header.pages, header.reason, header.repeats) == ((1, 2, 3, 4, 5, 6), "running header", 6)
    assert (footer.pattern, footer.text, header.kept, footer.kept) == ("Page # of #", "Page 1 of 6", False, False)


def test_a_restored_line_is_text_and_its_rule_can_be_taken_back(drawn: tuple[Reading, Features]) -> None:
    features = drawn[1]
    kept = fit.restored(Profile(), HEADER)
    assert kept.outline.keep == ("Norvik Supply · Statement #",)
    assert fit.restored(kept, "Norvik Supply · Statement 8") == kept
    found = outline.build(features, kept.outline)
    assert sum(HEADER in section.content for section in found.sections) >= 5
    assert {line.text for line in found.removed} == {f"Page {page} of 6" for page in range(1, 7)}
    assert [(rule.pattern, rule.kept) for rule in fit.rules(features, kept.outline)] == [
        ("Norvik Supply · Statement #", True),
        ("Page # of #", False),
    ]
    assert fit.set_aside(kept, HEADER) == Profile()
    assert fit.set_aside(Profile(), HEADER) == Profile()
