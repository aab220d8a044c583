"""Tables: ruled and not, headers kept with every cell, over pages and sections; and what must not be taken for one."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from pipeline import layout, outline, render, tables, worker
from pipeline.bands import Draft
from pipeline.model import Outline, Page, Reading, Table
from pipeline.profiles import OutlineProfile, Profile, ReadingProfile
from tests.draw import HEIGHT, Put, column, pdf, prose, reading

BOLD = "Helvetica-Bold"
COLUMNS = (72.0, 220.0, 320.0, 420.0)
Pages = Iterable[Iterable[Put]]


def grid(
    across: Sequence[float], down: Sequence[float], without: Iterable[tuple[float, float, float]] = ()
) -> Callable[[Canvas], None]:
    """Draws rules from edge to edge; `without`: upright rules (x, from, to) that are left out."""
    gaps = set(without)

    def draw(canvas: Canvas) -> None:
        for y in down:
            canvas.line(across[0], HEIGHT - y, across[-1], HEIGHT - y)
        for x in across:
            for top, bottom in pairwise(down):
                if (x, top, bottom) not in gaps:
                    canvas.line(x, HEIGHT - top, x, HEIGHT - bottom)

    return draw


def row(y: float, *texts: str, font: str = "Helvetica", at: Sequence[float] = COLUMNS) -> list[Put]:
    return [Put(x, y, text, 10, font) for x, text in zip(at, texts, strict=False) if text]


def priced(y: float, count: int, first: int = 1) -> list[Put]:
    """Rows of four columns, 18 points apart."""
    return [
        put
        for at in range(count)
        for put in row(y + 18 * at, f"Item {first + at}", f"{at + 2}", f"{1.5 * (first + at):.2f}", f"{3.25 * at:.2f}")
    ]


HEADER = ("Product", "Quantity", "Unit price", "Amount")


def drafts(page: Page) -> tuple[Draft, ...]:
    return tables.laid(page).drafts


def built(path: Path, pages: Pages, prepare: Callable[[Canvas], None] | None = None) -> Outline:
    return outline.build(outline.features(reading(pdf(path / "doc.pdf", pages, prepare))), OutlineProfile())


def found(result: Outline) -> list[Table]:
    return [table for section in result.sections for table in section.tables]


def texts(table: Table) -> list[tuple[str, ...]]:
    return [one.texts(len(table.header)) for one in table.rows]


# ---------------------------------------------------------------- ruled


DOWN = [90.0, 115.0, 140.0, 165.0, 190.0]
ACROSS = [70.0, 200.0, 300.0, 400.0]
RULED = [
    *row(108, "Grade", "Use", "Price", at=(75, 205, 305)),
    *row(133, "304", "indoors", "12.50", at=(75, 205, 305)),
    *row(158, "316", "at sea", "18.00", at=(75, 205, 305)),
    *row(183, "410", "dry", "9.75", at=(75, 205, 305)),
]


def test_a_ruled_table_keeps_its_header_with_every_cell(tmp_path: Path) -> None:
    [table] = found(built(tmp_path, [RULED], grid(ACROSS, DOWN)))
    assert table.ruled
    assert table.header == ("Grade", "Use", "Price")
    assert texts(table) == [("304", "indoors", "12.50"), ("316", "at sea", "18.00"), ("410", "dry", "9.75")]


def test_a_ruled_table_stays_between_what_is_printed_above_and_below(tmp_path: Path) -> None:
    page = [Put(72, 70, "Above the table"), *RULED, Put(72, 220, "Below the table")]
    laid = tables.laid(reading(pdf(tmp_path / "doc.pdf", [page], grid(ACROSS, DOWN))).pages[0])
    texts_ = [line.text for line in laid.lines]
    assert texts_ == [
        "Above the table",
        "Grade Use Price",
        "304 indoors 12.50",
        "316 at sea 18.00",
        "410 dry 9.75",
        "Below the table",
    ]


def test_content_has_the_header_once_and_a_line_a_row(tmp_path: Path) -> None:
    [section] = built(tmp_path, [RULED], grid(ACROSS, DOWN)).sections
    assert section.content.split("\n") == [
        "Grade | Use | Price",
        "304 | indoors | 12.50",
        "316 | at sea | 18.00",
        "410 | dry | 9.75",
    ]


def test_merged_cells_are_marked_and_their_title_stands_over_each_column(tmp_path: Path) -> None:
    page = [
        *row(108, "Grade", "Price", at=(75, 205)),
        *row(133, "", "Sheet", "Bar", at=(75, 205, 305)),
        *row(158, "304", "12.50", "11.00", at=(75, 205, 305)),
        *row(183, "316", "18.00", "17.25", at=(75, 205, 305)),
    ]
    merged = grid(ACROSS, DOWN, [(300.0, 90.0, 115.0)])
    [table] = found(built(tmp_path, [page], merged))
    over = table.heads[0].cells[1]
    assert (over.text, over.column, over.columns) == ("Price", 1, 2)
    assert table.header == ("Grade", "Price / Sheet", "Price / Bar")
    assert texts(table) == [("304", "12.50", "11.00"), ("316", "18.00", "17.25")]


def test_lines_of_one_cell_stay_together_with_the_break_marked(tmp_path: Path) -> None:
    page = [
        *row(105, "Duty", "Who", "Days", at=(75, 205, 305)),
        *row(122, "Inspect the", "Supplier", "10", at=(75, 205, 305)),
        *row(133, "goods", at=(75,)),
        *row(150, "Repair or", "Supplier,", "30", at=(75, 205, 305)),
        *row(161, "replace", "at cost", at=(75, 205)),
        *row(180, "Pay", "Buyer", "45", at=(75, 205, 305)),
    ]
    result = built(tmp_path, [page], grid(ACROSS, [90.0, 110.0, 138.0, 166.0, 190.0]))
    [table] = found(result)
    assert texts(table) == [
        ("Inspect the\ngoods", "Supplier", "10"),
        ("Repair or\nreplace", "Supplier,\nat cost", "30"),
        ("Pay", "Buyer", "45"),
    ]
    assert "Repair or replace | Supplier, at cost | 30" in result.sections[0].content


def test_rows_without_rules_between_them_are_told_apart_in_a_ruled_table(tmp_path: Path) -> None:
    page = [
        *row(105, "Code", "Size", "Price", at=(75, 205, 305)),
        *(put for at in range(5) for put in row(130 + 12 * at, f"X-{at}", f"{at}.5", f"{at}2.00", at=(75, 205, 305))),
    ]
    [table] = found(built(tmp_path, [page], grid(ACROSS, [90.0, 115.0, 190.0])))
    assert texts(table) == [(f"X-{at}", f"{at}.5", f"{at}2.00") for at in range(5)]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_cells_lie_where_the_words_do_on_turned_and_cropped_pages(tmp_path: Path, rotation: int) -> None:
    with pikepdf.open(pdf(tmp_path / "plain.pdf", [RULED], grid(ACROSS, DOWN))) as document:
        document.pages[0].obj.update({"/Rotate": rotation, "/CropBox": pikepdf.Array([30, 40, 560, 800])})
        document.save(tmp_path / "turned.pdf")
    [page] = reading(tmp_path / "turned.pdf").pages
    cells = [(x0, top, x1, bottom) for _, x0, top, x1, bottom in zip(*[iter(page.cells)] * 5, strict=True)]
    assert len(cells) == 12
    for word in page.words:
        x, y = word.box.middle
        assert sum(x0 < x < x1 and top < y < bottom for x0, top, x1, bottom in cells) == 1
    assert all(0 <= x0 < x1 <= page.width and 0 <= top < bottom <= page.height for x0, top, x1, bottom in cells)
    [draft] = drafts(page)
    assert [entry.text for entry in draft.heads[0].entries] == ["Grade", "Use", "Price"]
    assert [[entry.text for entry in band.entries] for band in draft.rows][1] == ["316", "at sea", "18.00"]


def test_a_frame_around_the_page_is_no_table(tmp_path: Path) -> None:
    page = [
        *row(60, "Sheet 3", "Order 17", "Page 2", at=(60, 240, 400)),
        *(Put(60, 100 + 12 * at, prose(12, at)) for at in range(40)),
    ]
    frame = grid([50.0, 230.0, 390.0, 560.0], [40.0, 70.0, 600.0], [(230.0, 70.0, 600.0), (390.0, 70.0, 600.0)])
    assert drafts(reading(pdf(tmp_path / "framed.pdf", [page], frame)).pages[0]) == ()


# ---------------------------------------------------------------- by alignment


def test_a_table_without_rules_is_found_by_its_columns(tmp_path: Path) -> None:
    page = [*column(72, 80, 5), *row(170, *HEADER), *priced(190, 4), *column(72, 300, 5, 40)]
    result = built(tmp_path, [page])
    [table] = found(result)
    assert table.header == HEADER
    assert texts(table)[0] == ("Item 1", "2", "1.50", "0.00")
    assert len(table.rows) == 4
    assert not table.ruled
    content = result.sections[0].content.split("\n")
    assert content.index("Product | Quantity | Unit price | Amount") + 1 == content.index("Item 1 | 2 | 1.50 | 0.00")


def test_an_empty_cell_keeps_its_column(tmp_path: Path) -> None:
    page = [*row(100, *HEADER), *priced(120, 3), *row(174, "Item 4", "", "", "9.00")]
    [table] = found(built(tmp_path, [page]))
    assert texts(table)[-1] == ("Item 4", "", "", "9.00")


def test_header_lines_units_and_titles_over_columns(tmp_path: Path) -> None:
    at = (72.0, 250.0, 330.0, 410.0, 490.0)
    page = [
        Put(265, 100, "Domestic sales", 10, BOLD),
        Put(420, 100, "Exports to others", 10, BOLD),
        *row(114, "", "2023", "2024", "2023", "2024", font=BOLD, at=at),
        *row(126, "Metal", "t", "t", "t", "t", font=BOLD, at=at),
        *(put for n in range(5) for put in row(146 + 14 * n, f"Alloy {n}", "1.5", "2.5", "3.5", "4.5", at=at)),
    ]
    [table] = found(built(tmp_path, [page]))
    assert table.header[0] == "Metal"
    assert table.header[1:3] == ("Domestic sales / 2023 t", "Domestic sales / 2024 t")
    assert table.header[3:] == ("Exports to others / 2023 t", "Exports to others / 2024 t")


def test_a_wrapped_cell_is_one_cell_without_rules(tmp_path: Path) -> None:
    page = row(100, *HEADER, font=BOLD)
    for at in range(4):
        page += row(124 + 34 * at, f"Bolt M{at + 3}, zinc", "100", "0.25", f"{at}5.00")
        page += row(135 + 34 * at, "plated")
    [table] = found(built(tmp_path, [page]))
    assert texts(table)[0] == ("Bolt M3, zinc\nplated", "100", "0.25", "05.00")
    assert len(table.rows) == 4


def test_currency_signs_stand_with_their_amounts(tmp_path: Path) -> None:
    page = [Put(330, 100, "2023"), Put(430, 100, "2024")]
    for at in range(4):
        page += [Put(72, 120 + 14 * at, f"Revenue {at}"), Put(300, 120 + 14 * at, "$"), Put(400, 120 + 14 * at, "$")]
        page += [Put(330, 120 + 14 * at, f"{at}1,500"), Put(430, 120 + 14 * at, f"{at}2,750")]
    [table] = found(built(tmp_path, [page]))
    assert table.header == ("", "2023", "2024")
    assert texts(table)[1] == ("Revenue 1", "$ 11,500", "$ 12,750")


def test_a_second_header_begins_a_second_table(tmp_path: Path) -> None:
    page = [
        *row(100, *HEADER),
        *priced(118, 4),
        Put(72, 200, "Spare parts"),
        *row(220, "Part", "Quantity", "Unit price", "Amount"),
        *priced(238, 3),
    ]
    assert [table.header[0] for table in found(built(tmp_path, [page]))] == ["Product", "Part"]


# ---------------------------------------------------------------- over pages and sections


def over_two_pages(*second: Put) -> list[list[Put]]:
    first = [Put(72, 80, "1. Prices", 14, BOLD), *column(72, 110, 30), *row(500, *HEADER, font=BOLD), *priced(520, 14)]
    return [first, list(second)]


def test_a_header_printed_again_goes_to_the_ledger_with_its_reason(tmp_path: Path) -> None:
    result = built(tmp_path, over_two_pages(*row(80, *HEADER, font=BOLD), *priced(100, 5, 15)))
    [table] = found(result)
    assert [place.page for place in table.places] == [1, 2]
    assert [one.texts(4)[0] for one in table.rows] == [f"Item {n}" for n in range(1, 20)]
    [line] = result.removed
    assert (line.page, line.text) == (2, "Product Quantity Unit price Amount")
    assert line.reason == "header of a table, printed again where it goes on"
    assert "".join(section.content for section in result.sections).count("Unit price") == 1


def test_a_table_goes_on_without_its_header(tmp_path: Path) -> None:
    [table] = found(built(tmp_path, over_two_pages(*priced(80, 5, 15))))
    assert len(table.rows) == 19
    assert table.header == HEADER


def test_another_table_on_the_next_page_is_another_table(tmp_path: Path) -> None:
    second = [*row(80, "Region", "Visits", "Hours", "Fee", font=BOLD), *priced(100, 5)]
    assert [table.header[0] for table in found(built(tmp_path, over_two_pages(*second)))] == ["Product", "Region"]


def test_a_row_broken_by_the_end_of_a_page_is_one_row(tmp_path: Path) -> None:
    first, second = over_two_pages(*row(80, *HEADER, font=BOLD), *row(100, "", "and packed"), *priced(120, 5, 15))
    result = built(tmp_path, [first, second])
    [table] = found(result)
    broken = table.rows[13]
    assert broken.texts(4) == ("Item 14", "15\nand packed", "21.00", "42.25")
    assert [place.page for place in broken.cells[1].places] == [1, 2]
    assert "Item 14 | 15 and packed | 21.00 | 42.25" in result.sections[0].content
    assert len(table.rows) == 19


def test_rows_under_the_next_heading_have_the_header_that_was_printed_once(tmp_path: Path) -> None:
    page = [
        Put(72, 80, "1.1 Bolts", 10, BOLD),
        *row(110, *HEADER, font=BOLD),
        *priced(130, 5),
        Put(72, 240, "1.2 Nuts", 10, BOLD),
        *priced(262, 4, 6),
    ]
    bolts, nuts = built(tmp_path, [page]).sections
    assert [len(section.tables[0].rows) for section in (bolts, nuts)] == [5, 4]
    assert nuts.tables[0].header == HEADER
    assert nuts.content.split("\n")[:2] == ["Product | Quantity | Unit price | Amount", "Item 6 | 2 | 9.00 | 0.00"]


def test_a_table_set_sideways_is_read_like_any_other(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.rotate(90)
        canvas.translate(0, -HEIGHT)

    [table] = found(built(tmp_path, [[*row(320, *HEADER), *priced(340, 4)]], draw))
    assert table.header == HEADER
    assert texts(table)[3] == ("Item 4", "5", "6.00", "9.75")
    [place] = table.places
    assert place.box.height > place.box.width


def test_every_cell_in_json_names_its_header_page_and_box(tmp_path: Path) -> None:
    read = reading(pdf(tmp_path / "doc.pdf", over_two_pages(*row(80, *HEADER, font=BOLD), *priced(100, 5, 15))))
    result = outline.build(outline.features(read), OutlineProfile())
    [section] = [one for one in render.sections_json(read, result, Profile())["sections"] if one["tables"]]
    [table] = section["tables"]
    assert table["header"] == list(HEADER)
    cell = table["rows"][15]["cells"][2]
    assert (cell["text"], cell["header"], cell["column"], cell["columns"]) == ("24.00", ["Unit price"], 2, 1)
    [place] = cell["places"]
    assert place["page"] == 2
    assert place["box"][0] == pytest.approx(COLUMNS[2], abs=1)


# ---------------------------------------------------------------- what is no table


NO_TABLES = {
    "two columns of prose": [*column(60, 80, 40), *column(320, 80, 40, 60)],
    "a list with hanging numbers": [
        put
        for at in range(12)
        for put in (Put(72, 90 + 16 * at, f"({'abcdefghijkl'[at]})"), Put(100, 90 + 16 * at, prose(9, at)))
    ],
    "a list within a list": [
        put
        for at in range(12)
        for put in (
            Put(72, 90 + 16 * at, f"{at + 1}.1"),
            Put(110, 90 + 16 * at, "(i)"),
            Put(150, 90 + 16 * at, prose(8, at)),
        )
    ],
    "a form": [
        put
        for at, label in enumerate(("Name:", "Street:", "Town:", "Country:", "Phone:", "Date:"))
        for put in (Put(72, 100 + 20 * at, label), Put(200, 100 + 20 * at, f"answer {at}"))
    ],
    "a contents list": [
        put
        for at in range(10)
        for put in (
            Put(72, 100 + 14 * at, f"{at + 1}. {prose(3, at)} {'.' * 60}"),
            Put(500, 100 + 14 * at, f"{at * 3 + 2}"),
        )
    ],
    "code": [
        Put(72 + 24 * (at % 3), 100 + 12 * at, text, 9, "Courier")
        for at, text in enumerate(
            ("def area(r):", "half = r / 2", "return half * half", "", "for r in (1, 2):", "print(area(r))")
        )
    ],
    "definitions in code": [
        put
        for at, name in enumerate(("SIZE", "COUNT", "LEAST", "MOST", "STEP", "WIDTH"))
        for put in (
            Put(72, 100 + 12 * at, f"#define {name}", 9, "Courier"),
            Put(240, 100 + 12 * at, f"{at * 8}", 9, "Courier"),
        )
    ],
    "justified prose": [
        Put(72 + 68 * word + (at * 7 + word * 13) % 17, 90 + 12 * at, prose(1, at * 7 + word)[:-1])
        for at in range(20)
        for word in range(7)
    ],
}


@pytest.mark.parametrize("kind", NO_TABLES)
def test_no_table_is_seen_in(tmp_path: Path, kind: str) -> None:
    assert drafts(reading(pdf(tmp_path / "page.pdf", [NO_TABLES[kind]])).pages[0]) == ()


# ---------------------------------------------------------------- whole documents


@pytest.fixture(scope="module")
def catalogue(samples: Path) -> Reading:
    return worker.read(samples / "catalogue.pdf", ReadingProfile(ocr="never"))


def test_every_product_of_the_catalogue_keeps_its_header(catalogue: Reading) -> None:
    printed = Counter(
        word.text for page in catalogue.pages for word in page.words if re.fullmatch(r"[A-Z]-\d{3}", word.text)
    )
    result = outline.build(outline.features(catalogue), OutlineProfile())
    rows = [(table.header, row.texts(4)) for table in found(result) for row in table.rows]
    assert {header for header, _ in rows} == {("Code", "Product", "Pack", "EUR")}
    assert all(all(cells) for _, cells in rows)
    assert len(rows) > 1_500
    codes = Counter(cells[0] for _, cells in rows)
    assert set(printed) == set(codes)
    for section in result.sections:
        if re.search(r"^[A-Z]-\d{3} \| ", section.content, re.MULTILINE):
            assert "Code | Product | Pack | EUR" in section.content


def test_no_word_of_the_catalogue_is_lost_or_made_up(catalogue: Reading) -> None:
    result = outline.build(outline.features(catalogue), OutlineProfile())
    parts = [text for one in result.sections for text in (one.number or "", one.title, one.content)]

    def letters(of: Iterable[str]) -> Counter[str]:
        return Counter(re.sub(r"\W", "", "".join(of)))

    kept = letters([*parts, *(line.text for line in result.removed)])
    assert kept == letters(word.text for page in catalogue.pages for word in page.words)


def test_the_agreement_has_no_table_where_it_has_prose(samples: Path) -> None:
    read = worker.read(samples / "agreement.pdf", ReadingProfile(ocr="never"))
    result = outline.build(outline.features(read), OutlineProfile())
    assert len(found(result)) <= 5


def test_pdfplumber_stays_out_of_the_host_process(samples: Path) -> None:
    code = (
        "import pathlib, sys; from pipeline import files, render, outline; from pipeline.profiles import Profile\n"
        f"read = files.read(pathlib.Path({str(samples / 'catalogue.pdf')!r}), Profile())\n"
        "render.sections_json(read, outline.build(outline.features(read), Profile().outline), Profile())\n"
        "print(sorted({'pdfplumber', 'pdfminer', 'numpy', 'polars', 'pypdfium2'} & set(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"


def test_a_page_full_of_rules_costs_no_more_than_a_moment(tmp_path: Path) -> None:
    fine = [40 + 0.25 * at for at in range(2_000)]

    def draw(canvas: Canvas) -> None:
        for place in fine:
            canvas.line(40, place, 540, place)
            canvas.line(place, 40, place, 540)

    start = time.monotonic()
    [page] = reading(pdf(tmp_path / "drawing.pdf", [[Put(72, 100, "A drawing")]], draw)).pages
    assert [word.text for word in page.words] == ["A", "drawing"]
    assert len(page.cells) == 0
    assert time.monotonic() - start < 20


def test_the_columns_of_a_page_honour_a_ruled_table(tmp_path: Path) -> None:
    """Cells of prose look like two columns; the table is one part of the page all the same."""
    cells = [*column(80, 116, 12), *column(320, 116, 12, seed=50)]
    edges = (72.0, 300.0, 540.0), [100.0, 180.0, 264.0]
    drawn = reading(pdf(tmp_path / "doc.pdf", [cells], grid(*edges))).pages[0]
    assert len(layout.columns(drawn)) == 2
    (part,) = tables.columns(drawn)
    assert part.x0 < 90 and part.x1 > 450
