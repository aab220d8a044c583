"""How fast a large library answers, beside plain `LIKE` and FTS5's own ranking over the same sections, in the same run.

Comes in: how many documents and sections (1 000 and 200 a document unless said), and a folder to keep the store in, so
that the next run need not make it again. Goes out: median and 95th percentile of search by kind of query, of subtrees
and breadcrumbs, of listing the documents, and how often ours go into the peers'. Texts are drawn from a seed: a few
words are in nearly every section, most in few, and each section holds a part code of its own.
"""

from __future__ import annotations

import argparse
import io
import itertools
import random
import sys
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median, quantiles

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pipeline.languages import PRINTED  # noqa: E402
from pipeline.library import Library  # noqa: E402
from pipeline.model import Document, Page, Reading, Section  # noqa: E402
from pipeline.store import Key, Store, Tree  # noqa: E402

PRINTED_SUBJECTS = """agreement termination notice supplier customer payment invoice delivery warranty liability
insurance confidentiality assignment governing law dispute renewal term fees schedule service maintenance price product
category thread steel bolt washer pump valve policy coverage exclusion employee training access data record audit"""
SUBJECTS = PRINTED_SUBJECTS.split()
SYLLABLES = ("ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo", "kra", "tri", "sno")
KEY = Key("benchmark", "1")


class Drawn:
    """Texts from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        rare = ["".join(self.random.choices(SYLLABLES, k=self.random.randint(2, 4))) for _ in range(20_000)]
        self.words = [*PRINTED["en"].split(), *SUBJECTS, *rare]
        self.weights = list(itertools.accumulate(1 / rank for rank in range(1, len(self.words) + 1)))

    def text(self, words: int) -> str:
        return " ".join(self.random.choices(self.words, cum_weights=self.weights, k=words))

    def sections(self, document: int, count: int) -> Iterator[Section]:
        """A tree of three levels: chapters of fifty sections, seven of which are under each of the second level."""
        for at in range(count):
            below = at % 50 - 1
            path = [at // 50 + 1, *([below // 7 + 1] if below >= 0 else []), *([below % 7] if below % 7 else [])]
            path = path if below >= 0 else path[:1]
            number = ".".join(map(str, path))
            parent = None if len(path) == 1 else "sec_" + "_".join(map(str, path[:-1]))
            name = "sec_" + "_".join(map(str, path))
            content = f"{self.text(self.random.randint(30, 120))}. Part {code(document, at)}: {self.text(8)}."
            yield Section(name, parent, len(path), number, self.text(4), at // 4 + 1, f"section-{name[4:]}", content)


def code(document: int, section: int) -> str:
    return f"K{document}-{section:03d}"


def made(home: Path, documents: int, sections: int) -> Store:
    """The store, made where it is not there; prints what that took."""
    store = Store(home)
    drawn, start = Drawn(1), time.perf_counter()
    for number in range(len(store.documents()), documents):
        tree = {section.section_id: section for section in drawn.sections(number, sections)}
        sha256 = store.add_file(io.BytesIO(f"%PDF {number}".encode()), f"Document {number}.pdf").sha256
        empty = array("f"), array("f"), array("H"), array("h"), array("f")
        page = Page(1, 595.0, 842.0, "text", 1.0, (), "", *empty, (), array("f"), array("f"))
        store.save_reading(Reading(Document(sha256, f"Document {number}.pdf", 1, "digital", "en"), (page,), ()), KEY)
        store.save_parse(sha256, KEY, Tree(tuple(tree.values()), "", "{}"))
    kept = time.perf_counter()
    Library(store).catch_up()
    size = store.file.stat().st_size / 1_000_000
    print(f"store: {kept - start:.0f} s kept, {time.perf_counter() - kept:.0f} s vectors, {size:.0f} MB\n")
    return store


def queries(drawn: Drawn, documents: int, sections: int) -> dict[str, Callable[[], str]]:
    """By kind, a function that draws a query of it."""
    pick = drawn.random
    rare = drawn.words[len(drawn.words) // 20 :]
    return {
        "a part code": lambda: f"which category is {code(pick.randrange(documents), pick.randrange(sections))} in",
        "rare words": lambda: " ".join(pick.sample(rare, 3)),
        "common words": lambda: " ".join(pick.sample(SUBJECTS, 4)),
        "a question": lambda: (
            f"what is the {pick.choice(SUBJECTS)} of the {pick.choice(SUBJECTS)} {pick.choice(rare)}?"
        ),
        "small words alone": lambda: "what is this of the",
        "a section number": lambda: f"section {pick.randint(1, 4)}.{pick.randint(1, 4)}",
    }


def taken(work: Callable[[], object]) -> float:
    """Milliseconds."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def line(name: str, times: list[float]) -> None:
    print(f"{name:34} {median(times):9.1f} {quantiles(times, n=20)[-1]:9.1f} ms")


def like(store: Store, query: str) -> object:
    word = max(query.split(), key=len)
    with store.snapshot() as db:
        return db.execute("SELECT section_id FROM sections WHERE content LIKE ? LIMIT 10", (f"%{word}%",)).fetchall()


def plain(store: Store, query: str) -> object:
    words = " OR ".join(f'"{word.strip("?")}"' for word in query.split())
    with store.snapshot() as db:
        return db.execute(
            "SELECT rowid FROM passage_words WHERE passage_words MATCH ? ORDER BY rank LIMIT 10", (words,)
        ).fetchall()


def searches(store: Store, drawn: Drawn, options: argparse.Namespace) -> None:
    library, sha256s = Library(store), [entry.sha256 for entry in store.documents()]
    library.search("warm")
    ours: list[float] = []
    peers: dict[str, list[float]] = {"LIKE, 10 rows, no order": [], "FTS5 by its own rank, no vectors": []}
    for name, draw in queries(drawn, options.documents, options.sections).items():
        asked = [draw() for _ in range(options.rounds)]
        times = [taken(partial(library.search, query)) for query in asked]
        ours += times
        line(f"search: {name}", times)
        few = asked[: max(2, options.rounds // 10)]
        peers["LIKE, 10 rows, no order"] += [taken(partial(like, store, query)) for query in few]
        peers["FTS5 by its own rank, no vectors"] += [taken(partial(plain, store, query)) for query in few]
    line("search: all", ours)
    one = [taken(lambda: library.search("termination notice", [drawn.random.choice(sha256s)])) for _ in ours]
    line("search in one document", one)
    ten = [taken(lambda: library.search("termination notice", sha256s[::10])) for _ in range(options.rounds)]
    line("search in a tenth of them", ten)
    for name, times in peers.items():
        line(name, times)
        print(f"    ours go {median(times) / median(ours):.1f} times into it")


def trees(store: Store, drawn: Drawn, rounds: int) -> None:
    library, sha256s = Library(store), [entry.sha256 for entry in store.documents()]
    at = [(drawn.random.choice(sha256s), drawn.random.choice(["sec_1", "sec_2", "sec_1_1"])) for _ in range(rounds)]
    line("subtree", [taken(partial(library.subtree, *one)) for one in at])
    line("breadcrumb", [taken(partial(library.breadcrumb, one[0], "sec_1_1_1")) for one in at])
    line("list of documents", [taken(store.documents) for _ in range(rounds)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--sections", type=int, default=200, help="of each document")
    parser.add_argument("--rounds", type=int, default=50, help="queries of each kind")
    parser.add_argument("--home", type=Path, help="a folder that keeps the store")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = made(options.home or Path(folder), options.documents, options.sections)
        print(f"{options.documents * options.sections} sections{'median':>30} {'95 %':>9}")
        drawn = Drawn(2)
        searches(store, drawn, options)
        trees(store, drawn, options.rounds)


if __name__ == "__main__":
    main()
