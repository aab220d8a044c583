from __future__ import annotations

from pathlib import Path

import pytest

from pipeline import outline, worker
from pipeline.model import Place, Section
from pipeline.profiles import OutlineProfile, ReadingProfile
from pipeline.witness import Pages, begins


@pytest.fixture(scope="module")
def catalogue(samples: Path) -> Pages:
    reading = worker.read(samples / "catalogue.pdf", ReadingProfile())
    return Pages(reading, outline.build(outline.features(reading), OutlineProfile()).sections)


def _words(pages: Pages, places: tuple[Place, ...]) -> list[str]:
    """The words in the boxes, read from the pages themselves."""
    return [
        word.text
        for place in places
        for word in pages.reading.pages[place.page - 1].words
        if place.box.holds(*word.box.middle)
    ]


def _tabled(pages: Pages) -> Section:
    return next(section for section in pages.sections if section.tables and section.anchor)


def test_a_table_row_has_a_place_for_each_cell(catalogue: Pages) -> None:
    section = _tabled(catalogue)
    row = section.tables[0].rows[0]
    quote = " | ".join(cell.text.replace("\n", " ") for cell in row.cells)
    found = catalogue.place(quote, section)
    assert found.match == "normalised"
    assert [place.box for place in found.places] == [place.box for cell in row.cells for place in cell.places]


def test_every_paragraph_and_row_of_the_catalogue_is_placed_word_for_word(catalogue: Pages) -> None:
    wrong = []
    for section in catalogue.sections[:60]:
        for paragraph in filter(None, section.content.split("\n")):
            found = catalogue.place(paragraph, section)
            letters = "".join(char for char in "".join(_words(catalogue, found.places)) if char.isalnum())
            if sorted(letters) != sorted(char for char in paragraph if char.isalnum()):
                wrong.append((section.section_id, paragraph, found.match))
    assert wrong == []


def test_of_equal_words_those_of_the_section_are_marked(catalogue: Pages) -> None:
    sentence = "Test certificates can be supplied on request"
    heads = [section for section in catalogue.sections if sentence in section.content][:4]
    assert len(heads) == 4
    places = [begins(catalogue.place(sentence, section)) for section in heads]
    assert len(set(places)) == 4
    for section, place in zip(heads, places, strict=True):
        assert place
        assert place.page >= section.page


def test_what_is_not_there_has_no_place(catalogue: Pages) -> None:
    found = catalogue.place("this is printed nowhere in the catalogue")
    assert (found.places, found.match) == ((), "missing")
    assert begins(found) is None
    assert catalogue.printed("this is printed nowhere in the catalogue") is None


def test_of_a_quote_that_breaks_off_what_is_there_is_marked(catalogue: Pages) -> None:
    section = next(section for section in catalogue.sections if len(section.content.split("\n")[0]) > 80)
    first = section.content.split("\n")[0]
    found = catalogue.place(f"{first[:60]} and then something else entirely", section)
    assert found.match == "fuzzy"
    assert "".join(_words(catalogue, found.places)).startswith(first[:50].replace(" ", ""))
