"""Values as they are supplied, what is refused of them, what is kept in the store, and the files that are made."""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline import leaves, run, supplied, verifications, verifiedfiles
from pipeline.model import Box, Place, Source, UsageError
from pipeline.profiles import Profile
from pipeline.store import Key, Store
from pipeline.supplied import Supplied
from pipeline.verify import Verdict, Verified
from tests.test_invoices_page import drawn

KEY = Key("profile", "reader/1")
HERE = Source((Place(2, Box(10.25, 20.5, 80.0, 31.0)), Place(3, Box(1, 2, 3, 4))), "1.847,00", "normalised")
VERIFIED = Verified(
    (
        Verdict(("net", "total"), Decimal("1847.00"), "confirmed", "", "printed", HERE),
        Verdict(("paid",), True, "review", "concluded", "yesno", Source((), "", "missing")),
        Verdict(("rows", 0, "code"), "=1+1", "review", "it stands on no page", "printed", Source((), "", "missing")),
    ),
    (Source((Place(2, Box(5, 6, 7, 8)),), "Row 9", "exact"),),
)


# ---------------------------------------------------------------- what is taken


def test_a_table_is_an_object_a_line_whatever_parts_its_cells() -> None:
    rows = [{"no": "A-1", "amount": "1.847,00"}, {"no": "A-2", "amount": ""}]
    for text in (
        "no;amount\nA-1;1.847,00\n\nA-2;\n",
        'no,amount\r\nA-1,"1.847,00"\r\nA-2,\r\n',
        "no\tamount\nA-1\t1.847,00\nA-2\t\n",
    ):
        assert supplied.values(text, "a.CSV") == rows
    assert supplied.taken("a.csv", "no;amount\nA-1;1\n".encode("utf-8-sig")).values() == [{"no": "A-1", "amount": "1"}]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", b"{'a': 1}", r"^a\.json is no JSON \("),
        ("a.json", b"%PDF-1.7", r"^a\.json is no JSON \("),
        ("a.json", b"\xff\xfe\x00", r"^a\.json is no text in UTF-8; save it as that$"),
        ("a.json", b'{"a": null, "b": "", "c": []}', r"^a\.json holds no values: nothing can be verified"),
        ("a.json", b"[" * 100_000, r"^a\.json is nested more than 64 deep; give the part that holds the fields$"),
        ("a.json", b"[" * 80 + b"1" + b"]" * 80, r"^a\.json is nested more than 64 deep; give the part"),
        ("a.json", b'{"a": NaN}', r"^a\.json holds NaN, which is no number that a page prints"),
        ("a.json", b'[{"total": 5, "total": 6}]', r"^a\.json has 'total' twice in one object; keep the one"),
        ("a.json", b"[" + b"1," * 20_000 + b"1]", r"^a\.json holds 20,001 values, and 20,000 are taken at once"),
        ("a.json", b" " * 20_000_001, r"^a\.json is larger than 20 MB"),
        ("a.csv", b"no;amount\n", r"^a\.csv has no row below its header"),
        ("a.csv", b"no;no\n1;2\n", r"^a\.csv has several columns called 'no'; name each otherwise$"),
    ],
)  # fmt: skip
def test_what_is_no_values_is_refused_in_one_line(name: str, content: bytes, said: str) -> None:
    with pytest.raises(UsageError, match=said) as refused:
        supplied.taken(name, content)
    assert "\n" not in str(refused.value)


def test_a_schema_is_told_from_values() -> None:
    assert supplied.is_schema('{"type": "object", "properties": {"a": {"type": "number"}}}')
    assert supplied.is_schema('{"$schema": "https://json-schema.org/draft/2020-12/schema"}')
    for text in ('{"type": "object", "a": 1}', '{"type": "invoice", "properties": {"a": 1}}', "[1]", "no JSON"):
        assert not supplied.is_schema(text)


# ---------------------------------------------------------------- the store


def test_a_verification_is_kept_exactly_and_made_again_by_another_version(tmp_path: Path) -> None:
    store = Store(tmp_path)
    sha256 = store.add_file(io.BytesIO(b"hello"), "a.pdf").sha256
    given = Supplied("a.json", '{"a": 1.10}', "s.json", "{}")
    number = verifications.supply(store, sha256, given)
    assert verifications.waiting(store, sha256, KEY) == [(number, given)]
    assert verifications.of(store, number, KEY) is None
    verifications.save(store, number, KEY, VERIFIED, 0.25)
    assert verifications.of(store, number, KEY) == verifications.Held(given, VERIFIED, 0.25)
    assert verifications.waiting(store, sha256, KEY) == []
    newer = KEY._replace(reader="reader/2")
    assert verifications.of(store, number, newer) is None
    assert verifications.waiting(store, sha256, newer) == [(number, given)]


def test_the_history_has_the_newest_first_and_the_same_values_once(tmp_path: Path) -> None:
    store = Store(tmp_path)
    sha256 = store.add_file(io.BytesIO(b"hello"), "a.pdf").sha256
    one = verifications.supply(store, sha256, Supplied("a.json", "[1]"))
    other = verifications.supply(store, sha256, Supplied("b.json", "[2]"))
    assert [past.number for past in verifications.history(store, sha256)] == [other, one]
    verifications.save(store, one, KEY, VERIFIED, 0.25)
    assert verifications.supply(store, sha256, Supplied("c.json", "[1]")) == one
    past = verifications.history(store, sha256)[0]
    assert (past.number, past.name, past.values, past.in_review) == (one, "c.json", 3, 3)
    assert verifications.supply(store, sha256, Supplied("c.json", "[1]", "s.json", "{}")) not in (one, other)
    verifications.drop(store, one)
    assert verifications.given(store, one) is None
    store.delete(sha256)
    assert verifications.history(store, sha256) == []


def test_run_verifies_what_waits_once_and_exactly(tmp_path: Path) -> None:
    store = Store(tmp_path / "home")
    sha256 = store.add_file(drawn(tmp_path / "a.pdf"), "a.pdf").sha256
    values = b'{"net": 100.00, "tax": "20.00", "total": 121.00}'
    number = verifications.supply(store, sha256, supplied.taken("a.json", values))
    run.verify_supplied(store, sha256, Profile())
    held = verifications.of(store, number, run.verify_key(Profile()))
    assert held is not None
    assert [(one.path, one.status) for one in held.verified.values] == [
        (("net",), "confirmed"), (("tax",), "confirmed"), (("total",), "review"),
    ]  # fmt: skip
    steps: list[tuple[int, int]] = []
    run.verify_supplied(store, sha256, Profile(), lambda done, total: steps.append((done, total)))
    assert steps == []  # nothing waits


# ---------------------------------------------------------------- files


def test_a_line_of_a_file_has_status_reason_and_box_beside_the_value() -> None:
    lines = list(csv.DictReader(io.StringIO(verifiedfiles.made(VERIFIED, "csv").decode("utf-8-sig"))))
    first, second, third, last = lines
    assert [first[name] for name in ("path", "value", "status", "printed", "page", "x0", "bottom")] == [
        "net.total", "1847.00", "confirmed", "1.847,00", "2", "10.25", "31.0",
    ]  # fmt: skip
    assert first["other_boxes"] == "page 3: 1 2 3 4"
    assert (second["value"], second["kind"], second["page"]) == ("true", "yesno", "")
    assert (third["path"], third["value"]) == ("rows[1].code", "'=1+1")  # starts no formula
    assert (last["status"], last["printed"], last["page"]) == ("missing", "Row 9", "2")
    assert verifiedfiles.made(VERIFIED, "xlsx").startswith(b"PK")


def test_the_nested_file_has_the_shape_of_the_values_and_a_verdict_in_each_ones_place() -> None:
    values = leaves.load('{"net": {"total": 1847.00}, "paid": true, "note": null, "rows": [{"code": "=1+1"}]}')
    told = json.loads(verifiedfiles.nested(values, VERIFIED))
    assert told["values"]["net"]["total"] == {
        "value": 1847, "status": "confirmed", "reason": "", "kind": "printed", "page": 2, "box": [10.25, 20.5, 80, 31],
        "places": [{"page": 2, "box": [10.25, 20.5, 80, 31]}, {"page": 3, "box": [1, 2, 3, 4]}],
        "quote": "1.847,00", "match": "normalised",
    }  # fmt: skip
    assert told["values"]["note"] is None
    assert told["values"]["rows"][0]["code"]["reason"] == "it stands on no page"
    assert told["summary"] == {"confirmed": 1, "review": 2, "missing": 1}
    assert told["missing"][0]["text"] == "Row 9"
