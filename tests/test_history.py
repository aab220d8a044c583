"""What was asked of a document before."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from pipeline import history
from pipeline.history import Asked
from pipeline.model import StoreError
from pipeline.store import Store


@pytest.fixture
def store(home: Path) -> Store:
    return Store(home)


def added(store: Store, content: bytes) -> str:
    return store.add_file(io.BytesIO(content), "a.pdf").sha256


def told(question: str, answer: str | None = None) -> Asked:
    return Asked(question, answer, "sec_4_2", 12, "confirmed")


def test_questions_of_a_document_come_back_the_newest_first(store: Store) -> None:
    one, other = added(store, b"one"), added(store, b"other")
    history.add(store, one, told("What is the law?", "that of Austria"))
    history.add(store, one, told("Who pays?"))
    history.add(store, other, told("What is the law?", "that of Malta"))
    found = history.of(store, one)
    assert [(item.question, item.answer, item.page) for item in found] == [
        ("Who pays?", None, 12),
        ("What is the law?", "that of Austria", 12),
    ]


def test_a_question_that_is_asked_again_stands_there_once(store: Store) -> None:
    sha256 = added(store, b"one")
    for question in ("Who pays?", "What is the law?", "Who pays?"):
        history.add(store, sha256, told(question, "Malta"))
    assert [item.question for item in history.of(store, sha256)] == ["Who pays?", "What is the law?"]


def test_the_oldest_questions_are_let_go(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "KEPT", 2)
    sha256 = added(store, b"one")
    for question in ("1", "2", "3"):
        history.add(store, sha256, told(question))
    assert [item.question for item in history.of(store, sha256)] == ["3", "2"]


def test_questions_end_with_their_document(store: Store) -> None:
    sha256 = added(store, b"one")
    history.add(store, sha256, told("Who pays?"))
    store.delete(sha256)
    assert history.of(store, sha256) == ()
    with pytest.raises(StoreError, match="not in the store"):
        history.add(store, sha256, told("Who pays?"))


def test_questions_are_forgotten_when_asked_to(store: Store) -> None:
    sha256 = added(store, b"one")
    history.add(store, sha256, told("Odd \ud800 letters", "\ud800"))
    assert history.of(store, sha256)[0].question == "Odd ? letters"
    history.clear(store, sha256)
    assert history.of(store, sha256) == ()
