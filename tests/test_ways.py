"""How pages are read as a person chose it: the text that is kept, single pages put in and taken out."""

from __future__ import annotations

import pytest

from pipeline import ways
from pipeline.profiles import OutlineProfile, Profile, ReadingProfile
from pipeline.ways import Choice


@pytest.mark.parametrize(
    ("by_ocr", "by_text", "page", "way", "expected"),
    [
        ("", "", 7, "always", ("7", "")),
        ("", "", 7, "never", ("", "7")),
        ("7", "", 7, "never", ("", "7")),
        ("7", "", 7, "document", ("", "")),
        ("3-9", "", 5, "document", ("3-4,6-9", "")),
        ("12-", "", 12, "never", ("13-", "12")),
        ("1,3", "", 2, "always", ("1-3", "")),
        ("1-2", "4", 4, "always", ("1-2,4", "")),
    ],
)
def test_a_page_is_put_in_and_taken_out(
    by_ocr: str, by_text: str, page: int, way: Choice, expected: tuple[str, str]
) -> None:
    changed = ways.with_page(ReadingProfile(ocr_pages=by_ocr, text_pages=by_text), page, way)
    assert (changed.ocr_pages, changed.text_pages) == expected
    assert ways.of_page(changed, page) == way


def test_the_whole_document_forgets_single_pages() -> None:
    changed = ways.with_document(ReadingProfile(ocr_pages="3", languages=("deu",)), "never")
    assert changed == ReadingProfile(ocr="never", languages=("deu",))
    assert ways.of_page(changed, 3) == "document"


def test_a_page_goes_back_to_automatic_where_all_others_are_read_by_ocr() -> None:
    everywhere = ReadingProfile(ocr="always", ocr_pages="")
    changed = ways.with_page(everywhere, 3, "auto")
    assert (changed.way(2), changed.way(3), changed.way(4)) == ("always", "auto", "always")
    assert ways.of_page(changed, 3) == "auto"
    assert ways.choices(changed) == ("document", "auto", "never")
    assert ways.own(Profile(), ways.written(changed)).reading == changed
    assert ways.with_page(changed, 3, "document") == everywhere
    assert ways.with_document(changed, "auto") == ReadingProfile()


def test_the_documents_own_ways_stand_in_for_the_profiles() -> None:
    profile = Profile(
        reading=ReadingProfile(ocr="always", text_pages="2", languages=("deu",)), outline=OutlineProfile(by_bold=False)
    )
    text = ways.written(ReadingProfile(ocr_pages="5-", languages=("srp",)))
    own = ways.own(profile, text)
    assert own.reading == ReadingProfile(ocr_pages="5-", languages=("deu",))
    assert own.outline == profile.outline
    assert ways.own(profile, "") == profile
    assert ways.own(profile, "nonsense = [") == profile
