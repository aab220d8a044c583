"""How windows were read, told on the page Statements: states, merged rows with their reason, second tries."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def _drawn() -> None:
    from decimal import Decimal

    from pipeline.model import Box, Cell, Place, Reconciliation, Row, SecondTry, Source, State, Statement, Window
    from ui import handed

    box = Box(40.0, 212.0, 555.0, 224.0)
    cell = Cell("amount", "2.00", Source((Place(5, box),), "2.00", "exact"))
    parted = ("window 1 read amount “2.00”, window 2 “3.00”",)
    rows = (Row((cell,), 5, box, (1, 2), "review", parted), Row((cell,), 6, box, (2,), "confirmed"))
    state = State(4, "Norvik", Decimal("312.40"), ("Amount",), "A-1 · 2.00")
    windows = (Window(1, 1, 5, State(0, "", None, (), "")), Window(2, 5, 9, state))
    tries = (SecondTry(2, 6, 6, True, ("A-9 · 2.00",), ("A-9 · 3.00",)), SecondTry(1, 3, 4, False))
    verdict = Reconciliation("human_review", ())
    handed.told(Statement(rows, verdict, (), windows, ("amount",), tries))


def test_states_merged_rows_and_second_tries_are_told() -> None:
    app = AppTest.from_function(_drawn, default_timeout=30).run()
    assert not app.exception
    assert app.expander[0].label == "2 windows: 1 row merged, 2 windows read a second time"
    states, merged, changed = (frame.value for frame in app.dataframe)
    assert list(states["Subtotal"]) == ["", "312.40"]
    assert list(states["Supplier"]) == ["nothing before it", "Norvik"]
    assert list(merged["Why it is one row"]) == [
        "windows 1 and 2 read the line 212 to 224 points from the top; window 1 read amount “2.00”, window 2 “3.00”"
    ]
    assert list(changed["Row"]) == ["A-9 · 2.00", "A-9 · 3.00"]
    captions = [caption.value for caption in app.caption]
    assert "Page 6, window 2: read a second time, kept, since all sums then agreed." in captions
    assert "Pages 3 to 4, window 1: read a second time, not kept: something still spoke against it." in captions
    assert captions[-1] == "It read the same rows."
