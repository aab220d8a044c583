"""Tables of scanned pages: titles by their shapes, rows by where words stand, and pictures without rules."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from pipeline import labels, lookalike, scanrows, unruled
from pipeline.model import Box, Word


def words(*lines: str) -> list[Word]:
    """Lines of `x:text`, 20 points apart."""
    found = []
    for at, line in enumerate(lines):
        for part in line.split("|"):
            x, text = part.split(":")
            top = 20.0 * at
            found.append(Word(text, Box(float(x), top, float(x) + 5.0 * len(text), top + 8), 9.0, "ocr"))
    return found


@pytest.mark.parametrize(
    ("title", "name"), [("Kon.", "quantity"), ("Кол.", "quantity"), ("NOB %", "tax_rate"), ("Износ", "amount")]
)
def test_titles_are_known_by_their_shapes_in_either_script(title: str, name: str) -> None:
    assert lookalike.named(title.split(), labels.item_titles()) == name


def test_titles_that_only_look_a_little_alike_name_nothing() -> None:
    assert lookalike.named(["Hotel"], labels.item_titles()) == ""


def test_rows_hold_the_rate_that_stands_between_them_and_know_their_products() -> None:
    table = scanrows.find(
        words(
            "50:Опис|300:Kon.|350:Цена|420:ПДВ|500:Износ",
            "50:Сифон|300:4|350:818,80|500:3.275,20",
            "420:20%",
            "50:Бојлер|300:2|350:100,00|500:200,00",
        ),
        labels.item_titles(),
        lambda top: 400.0,
    )
    assert table is not None
    assert table.closing == 2
    assert [scanrows.text(row.cells["amount"][0]) for row in table.rows] == ["3.275,20", "200,00"]
    assert [scanrows.text(row.cells["tax_rate"][0]) for row in table.rows] == ["20%", "20%"]


def test_a_figure_that_was_read_in_pieces_is_one() -> None:
    assert scanrows.text(words("0:16.|20:240,|50:00")) == "16.240,00"


def test_rules_are_taken_off_and_letters_stay() -> None:
    picture = Image.new("L", (600, 400), 255)
    draw = ImageDraw.Draw(picture)
    draw.line((300, 0, 300, 399), fill=0, width=2)
    draw.rectangle((100, 100, 103, 120), fill=0)
    clear = np.asarray(unruled.cleared(picture, 200))
    assert clear[200, 300] > 200
    assert clear[110, 101] < 50
