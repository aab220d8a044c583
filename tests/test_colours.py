"""Colours of type as evidence of headings: which tell, which do not, and how they are named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import colours, outline
from pipeline.features import Features
from pipeline.profiles import OutlineProfile, Weights
from tests.draw import Put, column, pdf, reading

BLUE, DARK_BLUE, GREY, WHITE = 0x2E74B5, 0x1F4D78, 0x8A8A8A, 0xFFFFFF
BY_COLOUR = OutlineProfile(by_bookmarks=False)
TITLES = ("Scope of the work", "Delivery of goods", "Prices and payment", "Terms of the lease")


def features(path: Path, pages: Iterable[Iterable[Put]]) -> Features:
    return outline.features(reading(pdf(path, pages)))


def coloured(path: Path, colour: int, text: int = 0) -> Features:
    """Four pages, each with a title in a colour between two columns of text, all of one size and weight."""
    return features(
        path,
        (
            [
                *(put._replace(colour=text) for put in column(72, 80, 12, at * 31)),
                Put(72, 250, title, colour=colour),
                *(put._replace(colour=text) for put in column(72, 280, 12, at * 17)),
            ]
            for at, title in enumerate(TITLES)
        ),
    )


def titles(found: Features, profile: OutlineProfile = BY_COLOUR) -> tuple[str, ...]:
    return tuple(heading.title for heading in outline.build(found, profile).headings)


@pytest.mark.parametrize("colour", [BLUE, DARK_BLUE, 0xC00000, 0x0B5D5E])
def test_lines_in_a_rare_colour_are_headings(tmp_path: Path, colour: int) -> None:
    found = coloured(tmp_path / "a.pdf", colour)
    assert titles(found) == TITLES
    assert titles(found, replace(BY_COLOUR, by_colour=False)) == ()
    assert titles(found, replace(BY_COLOUR, weights=Weights(colour=0.5))) == ()


def test_black_titles_over_grey_text_are_headings_and_grey_ones_over_black_are_not(tmp_path: Path) -> None:
    assert titles(coloured(tmp_path / "a.pdf", 0, 0x606B73)) == TITLES
    assert titles(coloured(tmp_path / "b.pdf", GREY)) == ()


def test_white_lines_on_dark_fills_are_no_headings(tmp_path: Path) -> None:
    assert titles(coloured(tmp_path / "a.pdf", WHITE)) == ()


def test_the_colour_of_links_in_the_text_tells_no_headings(tmp_path: Path) -> None:
    pages = [
        [*column(72, 80, 12, at), *(Put(290, 80 + 12 * row, "and see there", colour=BLUE) for row in range(9)),
         Put(72, 250, title, colour=BLUE), *column(72, 280, 12, at * 17)]
        for at, title in enumerate(TITLES)
    ]  # fmt: skip
    assert titles(features(tmp_path / "a.pdf", pages)) == ()


def test_notes_in_colour_that_end_as_sentences_do_are_text(tmp_path: Path) -> None:
    pages = [
        [*column(72, 80, 12, at), Put(72, 250, f"Mind {title.lower()}.", colour=BLUE), *column(72, 280, 12, at * 17)]
        for at, title in enumerate(TITLES)
    ]
    assert features(tmp_path / "a.pdf", pages).palette.telling == frozenset()


def test_the_evidence_is_told_in_words(tmp_path: Path) -> None:
    found = coloured(tmp_path / "a.pdf", BLUE)
    line = next(line for line in found.lines if line.text == TITLES[1])
    why = outline.decide(found, BY_COLOUR).why(line.at)
    assert (why.level, why.speaks_for) == (1, ("set in blue, the text is black", "on its own line"))
    weak = outline.decide(found, replace(BY_COLOUR, weights=Weights(colour=0.5))).why(line.at)
    assert weak.speaks_for == ("set in blue, the text is black (weight 0.5)",)
    text = outline.decide(found, BY_COLOUR).why(line.at - 1)
    assert "in black, as the text is" in text.against


def test_colours_are_named() -> None:
    names = {0: "black", 0x1D2327: "black", GREY: "grey", WHITE: "white", BLUE: "blue", DARK_BLUE: "blue",
             0xC00000: "red", 0xD9822B: "orange", 0x0B5D5E: "teal", 0x2E8B57: "green", 0x7030A0: "violet"}  # fmt: skip
    assert {colour: colours.name(colour) for colour in names} == names
