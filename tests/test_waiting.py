"""The review queue in its order: over all kinds and currencies, brought up to date by what is decided and extracted."""

from __future__ import annotations

import io
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline import asked, decisions, docket, fieldstore, profiles, run, valuereview, waiting
from pipeline.asked import Choice
from pipeline.fieldstore import Kept
from pipeline.model import Box, Check, Field, Invoices, Place, Source
from pipeline.profiles import Profile
from pipeline.store import Store
from pipeline.verify import Verdict, Verified
from tests.drawn import item, statement

SAW, GLUE = item("A-1", "Saw", "2", "10.00", "20.00"), item("A-2", "Glue", "4", "2.50", "70.00")


def doubted(*amounts: str) -> Verified:
    return Verified(
        tuple(
            Verdict(("items", n, "amount"), Decimal(text), "review", f"{n}: it stands on no page", "printed", NOWHERE)
            for n, text in enumerate(amounts)
        ),
        (),
    )


NOWHERE = Source((), "", "missing")


def invoice(total: str, currency: str) -> Invoices:
    def field(name: str, value: str, top: float) -> Field:
        place = (Place(1, Box(100, top, 160, top + 10)),)
        return Field(1, name, value, value, place, value, None, "review", (Check("label", "passed", "by its label"),))

    fields = (field("gross_total", total, 10), field("currency", currency, 30))
    doubts = tuple(replace(one, reasons=(f"nobody else says {one.name}",)) for one in fields)
    return Invoices(doubts, ((1,),), ())


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A statement, an invoice in dinars and values of another tool, all with something in review."""
    kept = Store(tmp_path / "home")
    path = statement(tmp_path / "rows.pdf", SAW, GLUE, printed="30.00")  # 60.00 EUR too much
    run.rows(kept, kept.add_file(path, "rows.pdf").sha256, Profile())
    invoiced = kept.add_file(io.BytesIO(b"invoice"), "invoice.pdf").sha256
    result = Kept(invoice("1000.00", "RSD"), profiles.dumps(Profile()), 0.1)  # about 9 EUR
    fieldstore.save(kept, invoiced, run.fields_key(Profile(), "local"), result)
    valuereview.send(kept, kept.add_file(io.BytesIO(b"values"), "values.pdf").sha256, "tool.json", doubted("10.00"))
    return kept


def order(store: Store) -> list[tuple[str, str]]:
    first = waiting.at(store, 0)
    places = [waiting.at(store, number) for number in range(first.count if first else 0)]
    return [(one.case.entry.name, str(one.question.stake)) for one in places if one]


def test_the_most_valuable_question_comes_first_over_kinds_and_currencies(store: Store) -> None:
    assert order(store)[:3] == [("rows.pdf", "60.00"), ("values.pdf", "10.00"), ("invoice.pdf", "1000.00")]
    assert [(one.name, one.result.kind, one.decided) for one in waiting.kept(store)] == [
        ("invoice.pdf", "fields", 0),
        ("rows.pdf", "rows", 0),
        ("values.pdf", "values", 0),
    ]


def test_the_queue_is_that_of_the_docket(store: Store) -> None:
    everywhere = {(case.entry.name, question.id) for question, case in docket.questions(docket.cases(store))}
    first = waiting.at(store, 0)
    assert first and first.count == len(everywhere)
    places = [waiting.at(store, number) for number in range(first.count)]
    assert {(one.case.entry.name, one.question.id) for one in places if one} == everywhere


def test_putting_results_in_order_tells_how_far_it_is_and_is_done_once(store: Store) -> None:
    told: list[tuple[int, int]] = []
    waiting.kept(store, lambda *far: told.append(far))
    waiting.kept(store, lambda *far: told.append(far))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_decision_of_anybody_moves_the_queue_on_at_once(store: Store) -> None:
    asked_first = waiting.at(store, 0)
    assert asked_first
    row = asked_first.question.items[0].mark.id
    choice = Choice(row, "correct", docket.parts(["amount=10.00"]), "Bo")
    asked.decide(store, asked_first.case.judged, choice)
    assert order(store)[0] == ("values.pdf", "10.00")
    asked.decide(store, waiting.case(store, asked_first.case.result).judged, Choice(row, "undo"))  # type: ignore[union-attr]
    assert order(store)[0] == ("rows.pdf", "60.00")


def test_what_is_sent_again_or_deleted_is_asked_anew_or_no_more(store: Store) -> None:
    values = next(one.result.sha256 for one in waiting.kept(store) if one.result.kind == "values")
    valuereview.send(store, values, "tool.json", doubted("10.00", "99.00"))
    assert order(store)[0] == ("values.pdf", "99.00")
    store.delete(values)
    assert "values.pdf" not in dict(order(store))


def test_one_document_by_itself_and_places_past_the_end(store: Store) -> None:
    values = next(one.result.sha256 for one in waiting.kept(store) if one.result.kind == "values")
    last = waiting.at(store, 7, values)
    assert last and (last.case.entry.name, last.number, last.count) == ("values.pdf", 0, 1)


def test_of_two_people_the_second_is_told_and_every_item_is_decided_once(store: Store) -> None:
    seen = [(waiting.at(store, 0), who) for who in ("Ana", "Bo")]
    written: list[decisions.Decision] = []
    for place, who in seen:
        assert place
        try:
            written += asked.decide(
                store, place.case.judged, Choice(place.question.items[0].mark.id, "approve", (), who)
            )
        except decisions.Overtaken as error:
            assert "approved by Ana" in str(error)
    assert [one.who for one in written] == ["Ana"]


def test_what_others_decide_while_the_queue_is_put_in_order_takes_no_document_out(store: Store) -> None:
    place = waiting.at(store, 0)
    assert place
    row, result = place.question.items[0].mark.id, place.case.result
    asked.decide(store, place.case.judged, Choice(row, "approve", (), "Ana"))
    others = [Choice(row, "undo", (), "Bo"), Choice(row, "reject", (), "Bo")]

    def meanwhile(done: int, total: int) -> None:
        if others and (now := docket.case(store, result)):
            asked.decide(store, now.judged, others.pop(0))

    kept = waiting.kept(store, meanwhile)
    assert [(one.name, one.decided) for one in kept if one.result == result] == [("rows.pdf", 1)]
    assert len(kept) == 3
