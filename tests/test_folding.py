from __future__ import annotations

import pytest

from pipeline import folding, passages


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Уговор о закупу, члан 5.", ["ugovor", "o", "zakupu", "clan", "5"]),
        ("Ugovor o zakupu, član 5.", ["ugovor", "o", "zakupu", "clan", "5"]),
        ("Ђорђе и Đorđe, Љубљана и Ljubljana", ["djordje", "i", "djordje", "ljubljana", "i", "ljubljana"]),
        ("Џеп, џез; džep", ["dzep", "dzez", "dzep"]),
        ("Geschäftsführer, Straße", ["geschaftsfuhrer", "strasse"]),
        ("naïve CAFÉ Łódź", ["naive", "cafe", "lodz"]),
        ("X-204 — M8x40", ["x", "204", "m8x40"]),
        ("", []),
    ],
)
def test_text_becomes_plain_latin_words(text: str, words: list[str]) -> None:
    assert folding.words(text) == words


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Product X-204, hex bolt", ["x_204", "x204"]),
        ("X‑204 with another dash", ["x_204", "x204"]),
        ("see section 7.3(b)", ["7_3_b", "7_3b"]),
        ("grade 316L steel", ["316l", "316"]),
        ("M8x40 or M8×40", ["m8x40", "m8", "x40", "m8x40", "m8", "x40"]),
        ("1.847,00 EUR", ["1_847_00"]),
        ("1,847.00 EUR", ["1_847_00"]),
        ("in 2024, and/or later", []),
        ("KX-1204/B", ["kx_1204_b", "kx1204b", "kx"]),
    ],
)
def test_codes_are_whole_and_in_their_parts(text: str, codes: list[str]) -> None:
    assert folding.codes(text) == codes


@pytest.mark.parametrize(
    ("number", "path"),
    [
        ("7.3", "7-3"),
        ("section 7.3", "7-3"),
        ("§ 5", "5"),
        ("Члан 5", "5"),
        ("Article IV", "4"),
        ("Schedule 2", "2"),
        ("B-3", "b-3"),
        ("no number", ""),
        ("", ""),
    ],
)
def test_printed_numbers_become_paths(number: str, path: str) -> None:
    assert passages.path(number) == path
