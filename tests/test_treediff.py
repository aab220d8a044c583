"""What became of sections: the edit that was made is the edit that is told, and nothing else."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings, strategies as st

from pipeline import numbering, slugs, treediff
from pipeline.model import Section, UsageError
from pipeline.slugs import Named
from pipeline.treediff import Change, Kind, TreeDiff


@dataclass(frozen=True)
class Node:
    """A section before it has an id."""

    level: int
    title: str
    content: str = ""
    number: str | None = None
    page: int = 1


def sections(nodes: Sequence[Node]) -> tuple[Section, ...]:
    """Nodes in reading order as sections, with the ids that the outline gives."""
    parents: list[int | None] = []
    path: list[int] = []
    for at, node in enumerate(nodes):
        while path and nodes[path[-1]].level >= node.level:
            path.pop()
        parents.append(path[-1] if path else None)
        path.append(at)
    numbers = [numbering.parse(node.number) if node.number else None for node in nodes]
    named = [
        Named(number, node.title, parent, node.content)
        for node, number, parent in zip(nodes, numbers, parents, strict=True)
    ]
    ids, anchors = slugs.section_ids(named), slugs.anchors(named)
    return tuple(
        Section(ids[at], None if parent is None else ids[parent], node.level, node.number, node.title, node.page,
                anchors[at], node.content)
        for at, (node, parent) in enumerate(zip(nodes, parents, strict=True))
    )  # fmt: skip


def compared(old: Sequence[Node], new: Sequence[Node]) -> TreeDiff:
    return treediff.compare(sections(old), sections(new))


def edits(diff: TreeDiff) -> list[tuple[str, int, int]]:
    """(kind, older sections, newer sections) of all that is not kept."""
    return [(change.kind, len(change.old), len(change.new)) for change in diff.changes if change.kind != "kept"]


def prose(seed: int, words: int = 30) -> str:
    """Text that no other seed gives."""
    return " ".join(f"w{seed}x{at}" if at % 2 else "the" for at in range(words))


@st.composite
def trees(draw: st.DrawFn, smallest: int = 1) -> list[Node]:
    """Sections with text of their own; titles repeat in places, some are numbered, some have no text."""
    count = draw(st.integers(smallest, 25))
    nodes: list[Node] = []
    for at in range(count):
        level = draw(st.integers(1, (nodes[-1].level if nodes else 0) + 1))
        title = draw(st.sampled_from(["Scope", "Notes", f"Title {at} alone", f"Heading of {at * 7}"]))
        bare = title.startswith("Title") and draw(st.booleans())
        number = draw(st.sampled_from([None, f"{at}.1"]))
        nodes.append(Node(level, title, "" if bare else prose(at), number))
    return nodes


def descendants(nodes: Sequence[Node], at: int) -> int:
    """The index behind the last section under this one."""
    end = at + 1
    while end < len(nodes) and nodes[end].level > nodes[at].level:
        end += 1
    return end


@settings(deadline=None, max_examples=60)
@given(trees())
def test_the_identity_gives_only_kept(nodes: list[Node]) -> None:
    diff = compared(nodes, nodes)
    assert edits(diff) == []
    assert all(diff.resolve(one.section_id) == (one.section_id,) for one in sections(nodes))


@settings(deadline=None, max_examples=60)
@given(trees(), st.data())
def test_an_insertion_is_an_insertion(nodes: list[Node], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(nodes)))
    deepest = nodes[at].level if at < len(nodes) else 1  # a leaf, so that nothing comes to stand under it
    level = data.draw(st.integers(deepest, max(deepest, nodes[at - 1].level + 1 if at else 1)))
    fresh = Node(level, "Something new", prose(900))
    diff = compared(nodes, [*nodes[:at], fresh, *nodes[at:]])
    assert edits(diff) == [("added", 0, 1)]


@settings(deadline=None, max_examples=60)
@given(trees(2), st.data())
def test_a_deletion_is_a_deletion(nodes: list[Node], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(nodes) - 1))
    end = descendants(nodes, at)
    diff = compared(nodes, [*nodes[:at], *nodes[end:]])
    assert edits(diff) == [("removed", 1, 0)] * (end - at)
    gone = [one.section_id for one in sections(nodes)[at:end]]
    assert [change.old[0] for change in diff.changes if change.kind == "removed"] == gone
    assert all(diff.resolve(name) == () for name in gone)


@settings(deadline=None, max_examples=60)
@given(trees(), st.data())
def test_a_rename_is_a_rename(nodes: list[Node], data: st.DataObject) -> None:
    at = data.draw(st.sampled_from([at for at, node in enumerate(nodes) if node.content or node.number] or [0]))
    nodes[at] = replace(nodes[at], content=nodes[at].content or prose(at))
    after = [*nodes[:at], replace(nodes[at], title="Renamed altogether"), *nodes[at + 1 :]]
    diff = compared(nodes, after)
    assert edits(diff) == [("renamed", 1, 1)]
    assert diff.resolve(sections(nodes)[at].section_id) == (sections(after)[at].section_id,)


@settings(deadline=None, max_examples=60)
@given(trees(), st.data())
def test_a_split_is_a_split_and_back_it_is_a_merge(nodes: list[Node], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(nodes) - 1))
    nodes[at] = replace(nodes[at], content=prose(at, 40))
    words = nodes[at].content.split()
    cut = data.draw(st.integers(8, 32))
    one = replace(nodes[at], content=" ".join(words[:cut]))
    leaf = descendants(nodes, at) == at + 1
    rest = Node(one.level + (0 if leaf else 9), "The second half", " ".join(words[cut:]))  # what stood under it stays
    after = [*nodes[:at], one, rest, *nodes[at + 1 :]]
    diff = compared(nodes, after)
    assert edits(diff) == [("split", 1, 2)]
    assert diff.resolve(sections(nodes)[at].section_id) == tuple(s.section_id for s in sections(after)[at : at + 2])
    back = compared(after, nodes)
    assert edits(back) == [("merged", 2, 1)]
    assert {back.resolve(s.section_id) for s in sections(after)[at : at + 2]} == {(sections(nodes)[at].section_id,)}


@settings(deadline=None, max_examples=60)
@given(trees(2), st.data())
def test_what_stands_elsewhere_was_moved(nodes: list[Node], data: st.DataObject) -> None:
    nodes = [replace(node, title=f"{node.title} {at}", content=prose(at)) for at, node in enumerate(nodes)]
    tops = [at for at, node in enumerate(nodes) if node.level == 1]
    if len(tops) < 3:
        return
    at = data.draw(st.sampled_from(tops[:-2]))
    end = descendants(nodes, at)
    diff = compared(nodes, [*nodes[:at], *nodes[end:], *nodes[at:end]])
    assert edits(diff) == [("moved", 1, 1)]
    [moved] = [change for change in diff.changes if change.kind == "moved"]
    assert moved.notes == ("order changed",)


@settings(deadline=None, max_examples=60)
@given(trees(), trees())
def test_every_section_of_both_is_in_a_change(old: list[Node], new: list[Node]) -> None:
    diff = compared(old, new)
    assert {name for change in diff.changes for name in change.old} == {one.section_id for one in sections(old)}
    assert {name for change in diff.changes for name in change.new} == {one.section_id for one in sections(new)}
    for change in diff.changes:
        shapes = {"added": (0, 1), "removed": (1, 0), "kept": (1, 1), "moved": (1, 1), "renamed": (1, 1)}
        shape = (len(change.old), len(change.new))
        assert shape == shapes.get(change.kind, shape)
        assert change.kind != "split" or (shape[0] == 1 and shape[1] >= 2)
        assert change.kind != "merged" or (shape[0] >= 2 and shape[1] == 1)


# ---------------------------------------------------------------- what people meet

AGREEMENT = [
    Node(1, "Services", prose(1), "3"),
    Node(2, "Scope", prose(2), "3.1"),
    Node(2, "Fees", prose(3), "3.2"),
    Node(1, "Termination", "", "4"),
    Node(2, "Term", prose(4), "4.1"),
    Node(2, "Notice", prose(5), "4.2"),
]


def test_numbers_that_count_on_leave_a_section_kept() -> None:
    later = [replace(node, number=node.number.replace("4", "5", 1)) for node in AGREEMENT[3:] if node.number]
    diff = compared(AGREEMENT, [*AGREEMENT[:3], Node(1, "Data", prose(9), "4"), *later])
    assert edits(diff) == [("added", 0, 1)]
    assert diff.resolve("sec_4_2_notice") == ("sec_5_2_notice",)
    assert diff.changes[-1] == Change("kept", ("sec_4_2_notice",), ("sec_5_2_notice",), ("number 4.2 → 5.2",))


def test_a_reworded_title_is_found_by_its_number_also_without_text() -> None:
    after = [*AGREEMENT[:3], replace(AGREEMENT[3], title="How it ends"), *AGREEMENT[4:]]
    diff = compared(AGREEMENT, after)
    assert edits(diff) == [("renamed", 1, 1)]
    assert diff.resolve("sec_4_termination") == ("sec_4_how_it_ends",)
    assert diff.counts == {
        "kept": 5, "moved": 0, "renamed": 1, "split": 0, "merged": 0, "added": 0, "removed": 0,
    }  # fmt: skip


def test_a_section_that_was_reworded_and_edited_is_still_found() -> None:
    words = AGREEMENT[5].content.split()
    edited = Node(2, "Notice of termination", " ".join([*words[:20], *prose(77, 16).split()]))
    plain = [replace(node, number=None) for node in AGREEMENT]
    [renamed] = [change for change in compared(plain, [*plain[:5], edited]).changes if change.kind != "kept"]
    assert renamed == Change(
        "renamed",
        ("sec_notice",),
        ("sec_notice_of_termination",),
        ("title Notice → Notice of termination", "text changed"),
    )


def test_a_heading_without_text_and_number_is_known_by_what_stands_under_it() -> None:
    plain = [replace(node, number=None) for node in AGREEMENT]
    diff = compared(plain, [*plain[:3], replace(plain[3], title="How it ends"), *plain[4:]])
    assert edits(diff) == [("renamed", 1, 1)]
    assert diff.resolve("sec_termination") == ("sec_how_it_ends",)


def test_another_section_under_the_same_number_is_another_one() -> None:
    diff = compared(AGREEMENT, [*AGREEMENT[:5], Node(2, "Insurance", prose(70), "4.2")])
    assert edits(diff) == [("added", 0, 1), ("removed", 1, 0)]


def test_a_number_that_is_taken_for_a_part_of_the_title_is_no_new_name() -> None:
    plain = [replace(node, number=None, title=f"{node.number} {node.title}") for node in AGREEMENT]
    diff = compared(AGREEMENT, plain)
    assert edits(diff) == []
    assert diff.changes[-1].notes == ("number 4.2 → none", "title Notice → 4.2 Notice")


def test_a_section_under_another_parent_was_moved() -> None:
    after = [*AGREEMENT[:1], *AGREEMENT[2:], replace(AGREEMENT[1], number="4.3")]
    [moved] = [change for change in compared(AGREEMENT, after).changes if change.kind != "kept"]
    assert moved == Change(
        "moved",
        ("sec_3_1_scope",),
        ("sec_4_3_scope",),
        ("number 3.1 → 4.3", "from under 3 Services to under 4 Termination"),
    )


def test_a_heading_over_all_moves_nothing() -> None:
    deeper = [replace(node, level=node.level + 1) for node in AGREEMENT]
    diff = compared(AGREEMENT, [Node(1, "The whole agreement"), *deeper])
    assert edits(diff) == [("added", 0, 1)]
    assert edits(compared([Node(1, "The whole agreement"), *deeper], AGREEMENT)) == [("removed", 1, 0)]


def test_a_heading_that_another_profile_does_not_find_is_merged_into_the_text_above() -> None:
    lost = f"{AGREEMENT[1].content}\n3.2 Fees\n{AGREEMENT[2].content}"
    after = [AGREEMENT[0], replace(AGREEMENT[1], content=lost), *AGREEMENT[3:]]
    diff = compared(AGREEMENT, after)
    assert edits(diff) == [("merged", 2, 1)]
    assert diff.resolve("sec_3_2_fees") == diff.resolve("sec_3_1_scope") == ("sec_3_1_scope",)
    assert edits(compared(after, AGREEMENT)) == [("split", 1, 2)]


def test_a_short_heading_without_text_is_found_in_the_text_above() -> None:
    old = [Node(1, "Rules", prose(1)), Node(2, "Reserved"), Node(1, "Annex", prose(2))]
    new = [Node(1, "Rules", f"{prose(1)}\nReserved"), Node(1, "Annex", prose(2))]
    assert edits(compared(old, new)) == [("merged", 2, 1)]
    assert edits(compared(new, old)) == [("split", 1, 2)]
    assert edits(compared(old, [Node(1, "Rules", prose(1)), new[1]])) == [("removed", 1, 0)]


def test_two_headings_that_become_one_are_merged() -> None:
    old = [Node(1, "Chapter"), Node(1, "Introduction", prose(1)), Node(1, "End", prose(2))]
    new = [Node(1, "Chapter Introduction", prose(1)), Node(1, "End", prose(2))]
    assert edits(compared(old, new)) == [("merged", 2, 1)]


def test_changed_text_pages_and_levels_are_notes() -> None:
    after = [*AGREEMENT[:5], replace(AGREEMENT[5], content="Nothing of it.", page=3, level=3)]
    last = compared(AGREEMENT, after).changes[-1]
    assert (last.kind, last.notes) == (
        "moved",
        ("from under 4 Termination to under 4.1 Term", "level 2 → 3", "page 1 → 3", "text changed"),
    )


def test_text_without_spaces_is_compared_too() -> None:
    text = "この規格はアプリケーションの安全性を検証するための要件を定める。すべての要件は検証できなければならない。"
    old = [Node(1, "概要", text), Node(1, "範囲", "別の章の本文がここに続いている。")]
    new = [Node(1, "概要", text[:28]), Node(1, "検証", text[28:]), old[1]]
    assert edits(compared(old, new)) == [("split", 1, 2)]


def test_an_id_that_never_was_is_refused() -> None:
    with pytest.raises(UsageError, match="no section 'sec_9'"):
        compared(AGREEMENT, AGREEMENT).resolve("sec_9")


def big(seed: int, drop: int = 0) -> list[Node]:
    """1 000 sections of 200 words each."""
    chance = random.Random(seed)
    words = [f"word{at}" for at in range(4000)]
    nodes = []
    for at in range(1000):
        text = " ".join(chance.choices(words, k=200))
        nodes.append(Node(1 + at % 4, " ".join(chance.choices(words, k=4)), text[drop:]))
    return nodes


@pytest.mark.parametrize(("case", "kind"), [("same", "kept"), ("edited", "kept"), ("renamed", "renamed")])
def test_a_thousand_sections_take_half_a_second(case: str, kind: Kind) -> None:
    old = big(1)
    new = big(1, drop=90) if case == "edited" else old
    if case == "renamed":
        new = [replace(node, title=f"New {at}", content=f"{node.content} more") for at, node in enumerate(old)]
    one, other = sections(old), sections(new)
    took = []
    for _ in range(3):
        start = time.process_time()
        diff = treediff.compare(one, other)
        took.append(time.process_time() - start)
        assert diff.counts[kind] == 1000
    assert min(took) < 0.5, took


def test_two_documents_that_share_nothing_share_nothing() -> None:
    diff = compared(big(1), big(2))
    assert (diff.counts["removed"], diff.counts["added"]) == (1000, 1000)
