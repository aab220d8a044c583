"""Profiles: whole round trips, and every mistake refused by name."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline import profiles
from pipeline.model import UsageError
from pipeline.profiles import Fingerprint, OutlineProfile, Profile, ReadingProfile, StatementProfile, Weights

CHANGED = Profile(
    name="Norvik statements",
    version=3,
    note='They changed their "template" in May.',
    reading=ReadingProfile(languages=("deu", "eng")),
    outline=OutlineProfile(tier_ratios=(1.8, 1.3), by_bold=False, keep=("Part X-#",), weights=Weights(caps=0.5)),
    statement=StatementProfile(tolerance=Decimal("0.05"), synonyms={"amount": ("iznos", "Betrag")}),
    fingerprint=Fingerprint(body_size=9.5, tier_ratios=(1.8,), fonts=("Norvik Sans",), running=('"Norvik" #/#',)),
)


def test_a_profile_survives_toml() -> None:
    assert profiles.loads(profiles.dumps(CHANGED)) == CHANGED
    assert profiles.loads(profiles.dumps(Profile())) == Profile()


def test_only_what_differs_is_written() -> None:
    assert profiles.dumps(Profile(outline=OutlineProfile(by_caps=False))) == (
        'name = "default"\nversion = 1\n\n[outline]\nby_caps = false\n'
    )


def test_differences_are_the_values_that_tune() -> None:
    assert [value.name for value in profiles.differences(Profile(), CHANGED)] == [
        "reading.languages",
        "outline.tier_ratios",
        "outline.by_bold",
        "outline.keep",
        "outline.weights.caps",
        "statement.tolerance",
        "statement.synonyms",
    ]
    assert profiles.differences(Profile(), CHANGED)[1] == ("outline.tier_ratios", [], [1.8, 1.3])
    light = Profile(outline=OutlineProfile(weights=Weights(bold=0.5)))
    assert profiles.differences(light, Profile()) == (("outline.weights.bold", 0.5, 1.0),)
    assert profiles.differences(CHANGED, replace(CHANGED, name="x", fingerprint=Fingerprint())) == ()


def test_the_id_is_that_of_the_values() -> None:
    renamed = replace(CHANGED, name="other", version=9, note="", fingerprint=Fingerprint())
    assert renamed.id() == CHANGED.id()
    assert CHANGED.id() != Profile().id()
    assert len(CHANGED.id()) == 12
    assert Profile().id() == "44136fa355b3"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[outline]\nby_bolt = true", "unknown key 'by_bolt'; did you mean by_bold?"),
        ("colour = 1", "unknown key 'colour'"),
        ("[outline]\nby_bold = 1", "by_bold must be true or false, not 1"),
        ("[outline]\nmax_tiers = 2.5", "max_tiers must be a whole number, not 2.5"),
        ("[outline]\nmargin = 0.9", "margin must be between 0 and 0.3"),
        ("[outline]\ntier_ratios = [1.2, 1.5]", "tier_ratios must fall"),
        ("[outline]\nweights = { bold = 2 }", "weights are 0 to 1"),
        ("[reading]\nocr = 'maybe'", "ocr must be 'auto' or 'never' or 'always'"),
        ("[statement]\noverlap = 5", "overlap (5) must be smaller than chunk_pages (5)"),
        ("[statement]\ntolerance = 'much'", "tolerance must be a number"),
        ("outline = 3", "outline must be a table"),
        ("name =", "not valid TOML"),
    ],
)
def test_a_mistake_is_refused_by_name(text: str, says: str) -> None:
    with pytest.raises(UsageError) as refused:
        profiles.loads(text)
    assert says in str(refused.value)


def test_profiles_are_saved_and_found_by_name(tmp_path: Path) -> None:
    profiles.save(CHANGED, tmp_path)
    assert profiles.saved(tmp_path) == ["Norvik statements"]
    assert profiles.load("Norvik statements", tmp_path) == CHANGED
    assert profiles.load(str(tmp_path / "Norvik statements.toml")) == CHANGED
    assert profiles.load("default", tmp_path).id() == Profile().id()


@pytest.mark.parametrize("name", ["../evil", "", "a/b", "x" * 81, ".hidden"])
def test_a_name_is_never_a_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot name a profile"):
        profiles.save(replace(CHANGED, name=name), tmp_path)
    with pytest.raises(UsageError, match="no profile named"):
        profiles.load(name, tmp_path)


def test_every_profile_that_ships_loads() -> None:
    assert "default" in profiles.shipped()
    for name in profiles.shipped():
        assert profiles.load(name).name == name
