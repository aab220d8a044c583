"""Why a line is a heading, or is none, in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import outline
from pipeline.features import Features
from pipeline.profiles import OutlineProfile, Weights
from pipeline.reasons import Why
from tests.draw import Put, column, pdf, reading

PLAIN = OutlineProfile()


@pytest.fixture(scope="module")
def features(tmp_path_factory: pytest.TempPathFactory) -> Features:
    """Four pages, each with a running header, a large chapter title, a bold line and text."""
    pages = [
        [
            Put(72, 30, "Norvik Supply", 8),
            Put(72, 100, f"Chapter {name}", 20),
            *column(72, 130, 12, at * 31),
            Put(72, 340, "Delivery of goods", 10, "Helvetica-Bold"),
            *column(72, 370, 12, at * 17),
        ]
        for at, name in enumerate(["one", "two", "three", "four"])
    ]
    folder: Path = tmp_path_factory.mktemp("reasons")
    return outline.features(reading(pdf(folder / "doc.pdf", pages)))


def asked(features: Features, text: str, profile: OutlineProfile = PLAIN) -> Why:
    return outline.decide(features, profile).why(next(line.at for line in features.lines if line.text.startswith(text)))


def test_a_heading_says_its_evidence_and_what_it_lacks(features: Features) -> None:
    why = asked(features, "Chapter two")
    assert (why.level, why.begins, why.page) == (1, True, 2)
    assert why.speaks_for == ("20 pt against a body of 10 pt", "on its own line")
    assert why.against == ("not bold", "without a number", "not in capitals")


def test_evidence_that_weighs_too_little_is_told_with_its_weight(features: Features) -> None:
    assert asked(features, "Delivery").level == 2
    why = asked(features, "Delivery", replace(PLAIN, weights=Weights(bold=0.4)))
    assert why.level is None
    assert why.speaks_for == ("bold on a line of its own (weight 0.4)",)
    assert why.against[0] == "what holds weighs 0.4 together, and it takes 1"


def test_a_line_of_text_says_what_it_lacks(features: Features) -> None:
    text = next(line for line in features.lines if line.page == 1 and line.size == 10 and not line.starts)
    why = outline.decide(features, PLAIN).why(text.at)
    assert (why.level, why.speaks_for) == (None, ())
    assert "goes on in the paragraph of the line above" in why.against
    assert "10 pt, no larger than the text’s 10 pt" in why.against


def test_a_line_set_aside_says_why(features: Features) -> None:
    why = asked(features, "Norvik")
    assert why.level is None
    assert why.against[0].startswith("set aside as running header, its like is on 4 pages")


def test_a_switch_that_is_off_is_told(features: Features) -> None:
    why = asked(features, "Chapter two", replace(PLAIN, by_size=False))
    assert why.level is None
    assert "not looked at: size" in why.against


def test_outline_and_reasons_agree(features: Features) -> None:
    titles = {heading.title for heading in outline.build(features, PLAIN).headings}
    decided = outline.decide(features, PLAIN)
    assert {line.text for line in features.lines if decided.why(line.at).begins} == titles
