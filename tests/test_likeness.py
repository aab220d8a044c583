"""Which template a document looks like, and that nothing is called close that is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pipeline import files, likeness, outline
from pipeline.likeness import Known
from pipeline.profiles import Fingerprint, Profile

NORVIK = Fingerprint(
    body_size=9.0,
    page_width=595.0,
    page_height=842.0,
    tier_ratios=(1.8, 1.3),
    fonts=("NorvikSans",),
    running=("Norvik Supply statement #/#", "Page # of #"),
    columns=("date", "description", "amount"),
)
PLAIN = Fingerprint(body_size=10.0, page_width=595.0, page_height=842.0, fonts=("TimesNewRoman",))


def taken(path: Path) -> Fingerprint:
    reading = files.read(path, Profile())
    return likeness.taken(reading, outline.features(reading))


def test_a_fingerprint_says_what_a_sample_looks_like(samples: Path) -> None:
    found = taken(samples / "agreement.pdf")
    assert (found.page_width, found.page_height) == (595, 842)
    assert found.body_size > 8
    assert found.fonts
    assert all("#" not in line or any(map(str.isalpha, line)) for line in found.running)
    assert taken(samples / "agreement.pdf") == found
    statement = taken(samples / "statement.pdf")
    assert {"invoice no", "description", "amount eur"} <= set(statement.columns)


def test_the_template_itself_comes_first_and_is_close() -> None:
    ranking = likeness.ranked(NORVIK, [Known("plain", PLAIN, "kept"), Known("norvik", NORVIK, "kept")])
    assert [(one.name, one.likeness, one.close) for one in ranking] == [("norvik", 1.0, True), ("plain", 0.133, False)]
    assert ranking[0].speaks_for == (
        "pages of 595 × 842 points",
        "text of 9 pt",
        "2 of 2 heading sizes",
        "1 of 1 fonts: norviksans",
        "2 of 2 running lines: norvik supply statement 0 0, page 0 of 0",
        "3 of 3 column titles: date, description, amount",
    )
    assert ranking[0].against == ()
    assert "text of 9 pt, not 10 pt" in ranking[1].against
    assert "no fonts in common" in ranking[1].against


def test_what_all_documents_have_in_common_is_never_close() -> None:
    [suggestion] = likeness.ranked(PLAIN, [Known("plain", PLAIN, "kept")])
    assert not suggestion.close
    assert suggestion.likeness < likeness.CLOSE
    assert likeness.ranked(NORVIK, [Known("empty", Fingerprint(), "kept")])[0].likeness == 0


def test_a_document_that_shows_less_than_the_template_is_still_close() -> None:
    short = replace(NORVIK, tier_ratios=(1.8,), running=("Norvik Supply statement #/#",), columns=())
    assert likeness.ranked(short, [Known("norvik", NORVIK, "kept")])[0].close


def test_a_profile_known_in_several_ways_stands_once_with_the_likest() -> None:
    ranking = likeness.ranked(NORVIK, [Known("norvik", PLAIN, "a.pdf"), Known("norvik", NORVIK, "b.pdf")])
    assert [(one.name, one.basis) for one in ranking] == [("norvik", "b.pdf")]


def test_the_samples_are_not_taken_for_each_other(samples: Path) -> None:
    known = [Known(name, taken(samples / f"{name}.pdf"), "") for name in ("agreement", "catalogue", "statement")]
    for one in known:
        ranking = likeness.ranked(one.fingerprint, known)
        assert ranking[0].name == one.name
        assert [other.name for other in ranking[1:] if other.close] == []


def test_files_of_one_family_are_close_and_others_are_not(shared: Path) -> None:
    folder = shared / "outline"
    names = ("OpenCL-Registry__OpenCL_Ext", "OpenCL-Registry__OpenCL_C", "docling__llncsdoc")
    known = [Known(name, taken(folder / f"{name}.pdf"), "") for name in names]
    ranking = likeness.ranked(known[0].fingerprint, known[1:])
    assert [(one.name, one.close) for one in ranking] == [(names[1], True), (names[2], False)]
