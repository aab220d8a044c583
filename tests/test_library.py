from __future__ import annotations

import io
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import upkeep
from pipeline.library import Crumb, Hit, Library
from pipeline.model import Section, StoreError
from pipeline.store import Key, Store, Tree

ROOT = Path(__file__).resolve().parent.parent
KEY = Key("0123456789ab", "1")
SERBIAN = "Закупац може раскинути уговор уз отказни рок од тридесет дана."


@pytest.fixture
def kept(tmp_path: Path) -> Store:
    return Store(tmp_path / "home", patience=0.3)


def section(section_id: str, parent: str | None, number: str | None, title: str, content: str) -> Section:
    level = 1 if parent is None else 2
    anchor = f"section-{number.replace('.', '-')}" if number else None
    return Section(section_id, parent, level, number, title, 1, anchor, content)


CATALOGUE = (
    section("sec_4", None, "4", "Industrial Fasteners", "All-purpose fasteners for structural applications."),
    section("sec_4_2", "sec_4", "4.2", "Stainless Steel", "Product X-204 | M8x40 hex bolt, grade 316L\nX-205 | M10x50"),
    section("sec_4_2_1", "sec_4_2", "4.2.1", "Care", "Wash with water. See 7.3(b)."),
    section("sec_4_3", "sec_4", "4.3", "Zinc", "Product X-2040 | M8x40 screw"),
    section("sec_7_3", None, "7.3", "Guarantee", "(a) Parts last. (b) Labour is not covered."),
)
LEASE = (
    section("sec_clan_5", None, "5", "Отказ", SERBIAN),
    section("sec_clan_6", None, "6", "Zakupnina", "Zakupnina iznosi 1.847,00 evra i plaća se Đorđu."),
)


def add(kept: Store, name: str, sections: tuple[Section, ...]) -> str:
    sections = tuple(replace(one, parent_id=None) for one in sections) if len(sections) == 1 else sections
    sha256 = kept.add_file(io.BytesIO(name.encode()), name).sha256
    kept.save_parse(sha256, KEY, Tree(sections, "", "{}"))
    return sha256


@pytest.fixture
def shelf(kept: Store) -> tuple[Library, str, str]:
    """A library of a catalogue and a Serbian lease."""
    catalogue, lease = add(kept, "catalogue.pdf", CATALOGUE), add(kept, "lease.pdf", LEASE)
    with kept.transaction() as db:
        db.execute("UPDATE documents SET language = 'en' WHERE sha256 = ?", (catalogue,))
        db.execute("UPDATE documents SET language = 'sr' WHERE sha256 = ?", (lease,))
    library = Library(kept)
    assert library.catch_up() == 2
    return library, catalogue, lease


def ids(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.section_id for hit in hits]


# ---------------------------------------------------------------- trees


def test_a_breadcrumb_leads_from_the_root_to_the_section(shelf: tuple[Library, str, str]) -> None:
    library, catalogue, lease = shelf
    assert library.breadcrumb(catalogue, "sec_4_2_1") == (
        Crumb("sec_4", "4", "Industrial Fasteners"),
        Crumb("sec_4_2", "4.2", "Stainless Steel"),
        Crumb("sec_4_2_1", "4.2.1", "Care"),
    )
    assert library.breadcrumb(lease, "sec_4_2_1") == ()
    assert library.breadcrumb("0" * 64, "sec_4") == ()


def test_a_subtree_is_the_section_and_what_is_under_it_in_reading_order(shelf: tuple[Library, str, str]) -> None:
    library, catalogue, _ = shelf
    assert library.subtree(catalogue, "sec_4") == CATALOGUE[:4]
    assert library.subtree(catalogue, "sec_4_2") == CATALOGUE[1:3]
    assert library.subtree(catalogue, "sec_7_3") == CATALOGUE[4:]
    assert library.subtree(catalogue, "sec_9") == ()
    assert library.section(catalogue, "sec_4_3") == CATALOGUE[3]
    assert library.section(catalogue, "sec_9") is None
    assert library.sections(catalogue) == CATALOGUE


def test_each_tree_is_one_statement(shelf: tuple[Library, str, str]) -> None:
    library, catalogue, _ = shelf
    asked: list[str] = []
    connection = library.store._connection

    def traced() -> sqlite3.Connection:
        db = connection()
        db.set_trace_callback(asked.append)
        return db

    library.store._connection = traced  # type: ignore[method-assign, assignment]
    library.subtree(catalogue, "sec_4")
    library.breadcrumb(catalogue, "sec_4_2_1")
    assert [one.split()[:2] for one in asked if "sections" in one] == [["WITH", "RECURSIVE"], ["WITH", "RECURSIVE"]]


# ---------------------------------------------------------------- searching


def test_a_part_code_is_found_whole(shelf: tuple[Library, str, str]) -> None:
    library, catalogue, _ = shelf
    [hit] = library.codes("X-204")
    assert hit == Hit(catalogue, "sec_4_2", "sec_4", 1.0, "holds X-204")
    assert ids(library.codes("x204")) == ["sec_4_2"]
    assert ids(library.codes("X-2040")) == ["sec_4_3"]
    assert ids(library.codes("M8x40")) == ["sec_4_2", "sec_4_3"]
    assert ids(library.codes("M8×40")) == ["sec_4_2", "sec_4_3"]
    assert ids(library.codes("316L")) == ["sec_4_2"]
    assert ids(library.codes("X-20")) == []
    first = library.search("which category is X-204 in")[0]
    assert (first.section_id, first.why.split(";")[0]) == ("sec_4_2", "holds X-204")


@pytest.mark.parametrize("number", ["section 7.3(b)", "7.3(b)", "Section 7.3", "7.3", "§ 7.3"])
def test_a_section_number_comes_before_what_mentions_it(shelf: tuple[Library, str, str], number: str) -> None:
    library = shelf[0]
    assert ids(library.codes(number))[0] == "sec_7_3"
    assert ids(library.search(number))[0] == "sec_7_3"
    assert ids(library.search(f"what does {number} say?"))[0] == "sec_7_3"


def test_what_mentions_a_paragraph_is_found_after_it(shelf: tuple[Library, str, str]) -> None:
    assert ids(shelf[0].codes("7.3(b)")) == ["sec_7_3", "sec_4_2_1"]


@pytest.mark.parametrize("query", ["отказни рок", "otkazni rok", "OTKAZNI ROK", "raskid ugovora", "раскид уговора"])
def test_serbian_is_found_in_either_script_and_form(shelf: tuple[Library, str, str], query: str) -> None:
    library, _, lease = shelf
    found = library.search(query)[0]
    assert (found.sha256, found.section_id) == (lease, "sec_clan_5")


@pytest.mark.parametrize("query", ["закупнина", "zakupnine", "Đorđu", "Ђорђу", "1.847,00"])
def test_latin_serbian_is_found_in_either_script_and_form(shelf: tuple[Library, str, str], query: str) -> None:
    library, _, lease = shelf
    found = library.search(query)[0]
    assert (found.sha256, found.section_id) == (lease, "sec_clan_6")


def test_a_word_in_the_heading_counts_more(kept: Store) -> None:
    sections = (
        section("sec_a", None, "1", "Fees", "The termination of this service is dealt with elsewhere in the text."),
        section("sec_b", None, "2", "Termination", "Either party may end this agreement by a notice of thirty days."),
    )
    add(kept, "a.pdf", sections)
    hits = Library(kept).search("termination")  # before there are vectors
    assert ids(hits) == ["sec_b", "sec_a"]
    assert [hit.why for hit in hits] == ["termination", "termination"]


def test_other_words_are_found_by_likeness(shelf: tuple[Library, str, str]) -> None:
    found = shelf[0].search("cleaning and maintenance instructions: rinse")
    assert found[0].section_id == "sec_4_2_1"
    assert found[0].why.startswith("alike 0.")


def test_only_the_chosen_documents_are_searched(shelf: tuple[Library, str, str]) -> None:
    library, catalogue, lease = shelf
    assert {hit.sha256 for hit in library.search("product zakupnina X-204", k=50)} == {catalogue, lease}
    assert {hit.sha256 for hit in library.search("product zakupnina X-204", {lease}, 50)} == {lease}
    assert library.codes("X-204", {lease}) == ()
    assert library.search("product", set()) == ()
    assert library.search("product", {"0" * 64}) == ()


def test_many_chosen_documents_are_searched_and_no_others(kept: Store) -> None:
    shas = [add(kept, f"{number}.pdf", (CATALOGUE[1 + number % 3],)) for number in range(90)]
    library = Library(kept)
    for chosen in (shas[::2], shas[:30], shas[7:8]):  # in too many pieces, in one piece, one
        hits = library.search("product", chosen, 100)
        wanted = {sha256 for sha256 in chosen if shas.index(sha256) % 3 != 1}
        assert {hit.sha256 for hit in hits} == wanted
        assert {hit.sha256 for hit in library.codes("M8x40", chosen, 100)} == wanted


def test_k_hits_at_most(shelf: tuple[Library, str, str]) -> None:
    assert len(shelf[0].search("product", k=1)) == 1
    assert shelf[0].search("product", k=0) == ()


@pytest.mark.parametrize(
    "query", ["", "   ", "the of and", '"', "a*b OR (", "NEAR(", "ćć", "\x00", "🙂", "-", "(((((", "x" * 5000]
)
def test_odd_queries_are_answered(shelf: tuple[Library, str, str], query: str) -> None:
    assert all(isinstance(hit, Hit) for hit in shelf[0].search(query))
    assert all(isinstance(hit, Hit) for hit in shelf[0].codes(query))


def test_the_same_question_gives_the_same_answer(shelf: tuple[Library, str, str]) -> None:
    library = shelf[0]
    assert library.search("product fasteners steel") == Library(library.store).search("product fasteners steel")


# ---------------------------------------------------------------- which tree


def test_the_tree_that_was_made_last_is_searched(kept: Store) -> None:
    sha256 = add(kept, "a.pdf", CATALOGUE)
    library = Library(kept)
    newer = (replace(CATALOGUE[0], title="Tools", content="Hammers"),)
    kept.save_parse(sha256, replace_key("other"), Tree(newer, "", "{}"))
    assert library.codes("X-204") == ()
    assert ids(library.search("hammers")) == ["sec_4"]
    kept.save_parse(sha256, KEY, Tree(CATALOGUE, "", "{}"))  # the same as before, asked for again
    assert ids(library.codes("X-204")) == ["sec_4_2"]
    assert library.search("hammers") == ()
    assert len(kept.parses(sha256)) == 2


def replace_key(profile: str) -> Key:
    return KEY._replace(profile=profile)


def test_a_document_is_taken_off_and_put_back(shelf: tuple[Library, str, str]) -> None:
    library, catalogue, _ = shelf
    library.remove(catalogue)
    assert library.codes("X-204") == ()
    assert library.subtree(catalogue, "sec_4") == ()
    assert library.lacking() == [catalogue]
    [parse] = library.store.parses(catalogue)
    library.index(catalogue, parse.number)
    assert ids(library.codes("X-204")) == ["sec_4_2"]
    assert library.lacking() == []


def test_a_deleted_document_is_found_no_longer_and_its_words_leave_the_file(shelf: tuple[Library, str, str]) -> None:
    library, catalogue, lease = shelf
    library.store.delete(catalogue)
    assert library.codes("X-204") == ()
    assert {hit.sha256 for hit in library.search("product fasteners zakupnina", k=50)} == {lease}
    with library.store.snapshot() as db:
        assert {table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES} == {
            "shelves": 1, "passages": 2, "passage_words": 2, "chunks": 2,
        }  # fmt: skip
    library.tidy()
    assert library.store.check() == []
    for file in library.store.home.glob("store.db*"):
        assert b"fasteners" not in file.read_bytes()


TABLES = ("shelves", "passages", "passage_words", "chunks")


def test_each_chunk_has_its_section_and_parent(shelf: tuple[Library, str, str]) -> None:
    with shelf[0].store.snapshot() as db:
        rows = db.execute(
            "SELECT section_id, parent_id, part, length(vector) FROM chunks ORDER BY section_id"
        ).fetchall()
    assert rows[:3] == [("sec_4", None, 1, 256), ("sec_4_2", "sec_4", 1, 256), ("sec_4_2_1", "sec_4_2", 1, 256)]


def test_a_store_of_an_older_version_is_searched_after_catching_up(kept: Store) -> None:
    sha256 = add(kept, "a.pdf", CATALOGUE)
    with kept.transaction() as db:
        db.execute("DELETE FROM shelves")  # as a store looks that was kept before there was a library
    library = Library(kept)
    assert library.codes("X-204") == ()
    assert library.lacking() == [sha256]
    assert library.catch_up() == 1
    assert ids(library.codes("X-204")) == ["sec_4_2"]
    assert library.catch_up() == 0


# ---------------------------------------------------------------- care


def test_check_sees_a_damaged_index_and_reindex_mends_it(shelf: tuple[Library, str, str]) -> None:
    library = shelf[0]
    with sqlite3.connect(library.store.file) as db:
        db.execute("DELETE FROM passage_words_content WHERE id = 2")
    db.close()
    [problem] = library.store.check()
    assert problem.startswith("library: the index of words is damaged")
    assert problem.endswith("mend it with: pagewitness store reindex")
    with pytest.raises(StoreError, match="is not whole: library: the index of words is damaged"):
        upkeep.check(library.store)
    assert upkeep.reindex(library.store) == "2 of 2 documents are searched, 7 sections"
    assert upkeep.check(library.store) == "whole, 2 documents"
    assert ids(library.codes("X-204")) == ["sec_4_2"]


def test_a_backup_holds_the_library(shelf: tuple[Library, str, str], tmp_path: Path) -> None:
    library, catalogue, _ = shelf
    (tmp_path / "copy").mkdir()
    library.store.backup(tmp_path / "copy" / "store.db")
    copy = Library(Store(tmp_path / "copy"))
    assert copy.search("X-204 bolt") == library.search("X-204 bolt")
    assert copy.breadcrumb(catalogue, "sec_4_2") == library.breadcrumb(catalogue, "sec_4_2")


def test_the_documents_are_listed(shelf: tuple[Library, str, str]) -> None:
    library, catalogue, lease = shelf
    assert upkeep.to_text(upkeep.listed(library.store)) == (
        f"{lease[:12]}      -       2  lease.pdf\n{catalogue[:12]}      -       5  catalogue.pdf"
    )


READS = """
import sys
from pathlib import Path
from pipeline.library import Library
from pipeline.store import Store
library = Library(Store(Path(sys.argv[1])))
print("ready", flush=True)
sys.stdin.readline()
found = {tuple(hit.section_id for hit in library.codes("X-204")) for _ in range(60)}
hits = [library.search("fasteners for structural applications", k=1) for _ in range(20)]
found |= {tuple(hit.section_id for hit in one) for one in hits}
print(sorted(found), library.store.check())
"""


def test_many_processes_search_while_one_writes(shelf: tuple[Library, str, str]) -> None:
    library = shelf[0]
    command = [sys.executable, "-c", READS, str(library.store.home)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": ROOT}
    readers = [subprocess.Popen(command, **pipes) for _ in range(3)]  # type: ignore[call-overload]
    for reader in readers:
        assert reader.stdout.readline() == "ready\n"
    for reader in readers:
        reader.stdin.write("go\n")
        reader.stdin.flush()
    patient = Store(library.store.home)
    number = 0
    while any(reader.poll() is None for reader in readers):
        sha256 = add(patient, f"{number}.pdf", LEASE)
        Library(patient).catch_up()
        if number % 3 == 0:
            patient.delete(sha256)
        number += 1
        time.sleep(0.01)
    assert [reader.communicate()[0] for reader in readers] == ["[('sec_4',), ('sec_4_2',)] []\n"] * 3
    assert number > 3
    assert patient.check() == []


def test_a_locked_store_is_searched_and_says_that_it_is_busy(shelf: tuple[Library, str, str]) -> None:
    library, catalogue, _ = shelf
    locker = sqlite3.connect(library.store.file, isolation_level=None)
    locker.execute("BEGIN IMMEDIATE")
    assert ids(library.codes("X-204")) == ["sec_4_2"]
    for attempt in (lambda: library.remove(catalogue), library.rebuild):
        with pytest.raises(StoreError, match="is busy: another program keeps writing to it"):
            attempt()
    locker.close()
    assert ids(library.search("X-204")[:1]) == ["sec_4_2"]


FULL = """
import io, subprocess, sys
from pathlib import Path
from pipeline import upkeep
from pipeline.library import Library
from pipeline.model import Section, StoreError
from pipeline.store import Key, Store, Tree
home, key = Path(sys.argv[1]), Key("p", "1")
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(home)], check=True)
store = Store(home)
def tree(*words):
    return Tree(tuple(Section(f"sec_{at}", None, 1, str(at), "Title", 1, f"section-{at}", word)
                      for at, word in enumerate(words)), "", "{}")
def attempt(work):
    try: print(work() or "done")
    except StoreError as error: print(error)
first = store.add_file(io.BytesIO(b"hello"), "a.pdf").sha256
store.save_parse(first, key, tree("the part X-204 is here"))
Library(store).catch_up()
with (home / "filler").open("ab", buffering=0) as filler:
    try:
        while filler.write(bytes(4096)): pass
    except OSError: pass
attempt(lambda: store.save_parse(first, key, tree(*("word " * 500,) * 200)))
attempt(lambda: upkeep.reindex(store))
print(*(hit.section_id for hit in Library(Store(home)).codes("X-204")))
print(Library(store).subtree(first, "sec_0")[0].content)
(home / "filler").unlink()
attempt(lambda: upkeep.reindex(store))
print(store.check(), *(hit.section_id for hit in Library(store).search("X-204")))
"""


def test_a_full_disk_loses_nothing_of_the_library(tmp_path: Path) -> None:
    command = ["unshare", "--mount", "--map-root-user", sys.executable, "-c", FULL, str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if "unshare" in ended.stderr:
        pytest.skip("this system lets nobody mount")
    assert ended.stderr == ""
    full = f"The disk that holds {tmp_path} is full. Free some space and try again; nothing that was kept is lost."
    assert ended.stdout.splitlines() == [
        full,
        full,
        "sec_0",
        "the part X-204 is here",
        "1 of 1 documents are searched, 1 sections",
        "[] sec_0",
    ]


def test_the_benchmark_runs_and_a_small_library_is_fast() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "library.py"), "--documents", "20", "--sections", "100"]
    done = subprocess.run([*command, "--rounds", "10"], capture_output=True, text=True, check=True)
    medians = {line[:34].strip(): float(line[34:44]) for line in done.stdout.splitlines() if line.endswith(" ms")}
    assert medians["search: all"] <= 50
    assert medians["subtree"] <= 5
