"""Reading order, columns, rows and blocks on drawn pages whose order is known."""

from __future__ import annotations

from array import array
from dataclasses import replace
from pathlib import Path

from pipeline import layout
from pipeline.model import Line
from tests.draw import Put, column, page, pdf, reading


def lines(tmp_path: Path, page: list[Put]) -> tuple[Line, ...]:
    return layout.lines(reading(pdf(tmp_path / "page.pdf", [page])).pages[0])


def texts(tmp_path: Path, page: list[Put]) -> list[str]:
    return [line.text for line in lines(tmp_path, page)]


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left, right = column(72, 100, 12), column(320, 100, 12, seed=50)
    assert texts(tmp_path, [*left, *right]) == [put.text for put in left + right]


def test_three_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    parts = [column(x, 100, 10, seed=index * 40, size=7) for index, x in enumerate((60, 220, 380))]
    page = [put for part in parts for put in part]
    assert texts(tmp_path, page) == [put.text for put in page]


def test_a_full_width_line_parts_the_columns_above_it_from_those_below(tmp_path: Path) -> None:
    above = [column(72, 100, 6), column(320, 100, 6, seed=50)]
    across = [Put(72, 190, "A heading that runs across the whole of the page and both of its columns", 14)]
    below = [column(72, 220, 6, seed=100), column(320, 220, 6, seed=150)]
    page = [put for part in (*above, across, *below) for put in part]
    assert texts(tmp_path, page) == [put.text for put in page]


def test_a_footer_and_page_number_do_not_glue_the_columns(tmp_path: Path) -> None:
    left, right = column(72, 100, 12), column(320, 100, 12, seed=50)
    footer = [Put(72, 800, "A footer of the document"), Put(320, 800, "Page 3")]
    found = texts(tmp_path, [*footer, *right, *left])
    assert found == [*(put.text for put in left + right), "A footer of the document Page 3"]


def test_rows_of_a_table_stay_whole(tmp_path: Path) -> None:
    rows = [
        [
            Put(72, 100 + 14 * row, f"X-{200 + row}"),
            Put(160, 100 + 14 * row, "hex bolt"),
            Put(330, 100 + 14 * row, "12,50"),
        ]
        for row in range(8)
    ]
    page = [cell for row in rows for cell in row]
    found = lines(tmp_path, page)
    assert [line.text for line in found] == [" ".join(cell.text for cell in row) for row in rows]
    assert [[word.text for word in cell] for cell in layout.cells(found[0])] == [["X-200"], ["hex", "bolt"], ["12,50"]]


def test_two_columns_that_each_hold_a_table_are_read_one_after_the_other(tmp_path: Path) -> None:
    def table(x: float, name: str) -> list[Put]:
        return [
            Put(x + offset, 100 + 14 * row, text)
            for row in range(10)
            for offset, text in ((0, f"{name}-{row}"), (60, "bolt M8"), (150, f"{row},50"))
        ]

    left, right = table(60, "L"), table(320, "R")
    found = texts(tmp_path, [*left, *right])
    assert found == [f"{name}-{row} bolt M8 {row},50" for name in "LR" for row in range(10)]


def test_a_raised_note_marker_stays_in_its_line(tmp_path: Path) -> None:
    page = [Put(72, 100, "The amount is due"), Put(153, 96, "2", 6), Put(160, 100, "at once")]
    assert texts(tmp_path, page) == ["The amount is due 2 at once"]


def test_blocks_part_at_wide_spaces_and_where_weight_changes(tmp_path: Path) -> None:
    page = [
        Put(72, 100, "Title", 10, "Helvetica-Bold"),
        Put(72, 112, "first line"),
        Put(72, 124, "second line"),
        Put(72, 150, "after a space"),
    ]
    assert [line.block for line in lines(tmp_path, page)] == [0, 1, 1, 2]


def test_hebrew_is_read_from_the_right_and_figures_in_it_from_the_left() -> None:
    drawn = page([("שלום", 400, 100), ("עולם", 370, 100), ("12", 330, 100), ("EUR", 345, 100), ("סוף", 300, 100)])
    assert [line.text for line in layout.lines(drawn)] == ["שלום עולם 12 EUR סוף"]


def test_full_width_figures_are_not_right_to_left() -> None:
    drawn = page([("第１章", 72, 100), ("概要", 110, 100)])
    assert [line.text for line in layout.lines(drawn)] == ["第１章 概要"]


def test_vertical_writing_is_marked_and_read_from_the_right() -> None:
    drawn = page([("右の行", 300, 100), ("左の行", 280, 100)])
    stood = array("f", [side for x in (300, 280) for side in (x, 100, x + 10, 140)])
    vertical = replace(drawn, boxes=stood)
    assert [word.vertical for word in vertical.words] == [True, True]
    assert [line.text for line in layout.lines(vertical)] == ["右の行", "左の行"]
    assert not any(word.vertical for word in drawn.words)


def test_a_font_with_tall_boxes_is_no_vertical_writing() -> None:
    drawn = page([("TRANSACTION", 52, 100), ("DATE", 130, 100)])
    tall = array("f", [52, 90, 104, 112, 130, 90, 149, 112])
    assert not any(word.vertical for word in replace(drawn, boxes=tall).words)


def test_two_letters_of_a_font_with_tall_boxes_stay_in_their_line() -> None:
    drawn = page([("What", 100, 100), ("is", 124, 100), ("new", 134, 100)])
    tall = array("f", [100, 90, 122, 107, 124, 90, 131, 107, 134, 90, 152, 107])
    assert [line.text for line in layout.lines(replace(drawn, boxes=tall))] == ["What is new"]


def test_columns_of_arabic_are_read_from_the_right() -> None:
    left = [("نص عربي طويل في عمود ثان".replace(" ", "‌"), 72, 100 + 12 * row) for row in range(6)]
    right = [("كلمات كثيرة في عمود أول".replace(" ", "‌"), 320, 100 + 12 * row) for row in range(6)]
    found = [line.text for line in layout.lines(page(left + right))]
    assert found == [text for text, _, _ in right + left]


def test_no_word_is_lost_or_doubled_on_the_samples(samples: Path) -> None:
    for path in sorted(samples.glob("*.pdf")):
        for one in reading(path).pages:
            found = sorted(word for line in layout.lines(one) for word in line.words)
            assert found == sorted(one.words), f"{path.name} page {one.number}"
