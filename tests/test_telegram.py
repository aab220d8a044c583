"""The review queue by Telegram, over HTTP against a server on loopback: nothing is lost, nothing is decided twice."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import decisions, run, telegram, waiting
from pipeline.account import Key
from pipeline.asked import Choice, decide
from pipeline.decisions import Decision
from pipeline.model import UsageError
from pipeline.profiles import Profile
from pipeline.store import Store
from pipeline.telegram import Settings
from tests.drawn import item, statement
from tests.telegram_server import TOKEN, Chat, serving

SAW = item("A-1", "Saw", "2", "10.00", "20.00")
LIMIT = 20.0  # seconds


class Desk:
    """A store with two statements that need a person, and a chat about them."""

    def __init__(self, store: Store, chat: Chat, server: str) -> None:
        self.store, self.chat = store, chat
        self.settings = Settings(Key(TOKEN), (7, 8), server, 0)

    def until(self, reached: Callable[[], bool]) -> None:
        """Serve until something is so; each call is a start of the program anew."""
        ends = time.monotonic() + LIMIT
        telegram.serve(self.store, self.settings, lambda: reached() or time.monotonic() > ends)
        assert reached()

    def made(self) -> list[Decision]:
        return list(decisions.newest(self.store, 50))[::-1]

    def asked(self, chat: int = 7) -> list[str]:
        return [one.text.splitlines()[1] for one in self.chat.questions() if one.chat == chat]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    store = Store(tmp_path / "home")
    for name, amount in (("dear.pdf", "910.00"), ("cheap.pdf", "70.00")):
        path = statement(tmp_path / name, SAW, item("A-2", "Glue", "4", "2.50", amount), printed="30.00")
        run.rows(store, store.add_file(path, name).sha256, Profile())
    with serving() as (chat, server):
        yield Desk(store, chat, server)


def test_a_question_comes_with_its_crop_and_a_typed_reply_is_its_writers_decision(desk: Desk) -> None:
    desk.until(lambda: len(desk.chat.questions()) == 2)
    assert (desk.asked(7), desk.asked(8)) == (["dear.pdf, page 1"], ["cheap.pdf, page 1"])  # not the same to both
    first = desk.chat.questions()[0]
    assert first.photo.startswith(b"\x89PNG")
    assert "4 × 2.50 is 10.00, not 910.00" in first.text
    desk.chat.says("10,00", first)
    desk.until(lambda: bool(desk.chat.lines()))
    [made] = desk.made()
    assert (made.who, made.action, made.parts[0][0].value) == ("Ana (Telegram 47)", "correct", "10.00")
    assert desk.chat.lines() == ["corrected: amount 10.00"]


def test_a_reply_without_a_mark_counts_for_the_one_open_question_and_nonsense_is_told(desk: Desk) -> None:
    desk.chat.says("10.00")  # before anything was asked
    desk.until(lambda: len(desk.chat.lines()) == 1)
    desk.chat.says("ten")
    desk.until(lambda: len(desk.chat.lines()) == 2)
    desk.chat.says("ok")
    desk.until(lambda: len(desk.chat.lines()) == 3)
    assert desk.chat.lines()[0] == telegram.ONE
    assert "“ten” is no amount" in desk.chat.lines()[1]
    assert [one.action for one in desk.made()] == ["approve"]


def test_lost_connections_repeated_updates_and_restarts_decide_once(desk: Desk) -> None:
    desk.chat.drop = {"getMe": 1, "sendPhoto": 2, "getUpdates": 1}
    desk.until(lambda: len(desk.chat.questions()) == 2)
    desk.chat.repeats = True  # whatever offset is asked for
    desk.chat.late = {"getUpdates": 1, "sendMessage": 1}
    desk.chat.says("10.00", desk.chat.questions()[0])
    desk.until(lambda: len(desk.chat.deleted) == 1)  # the line whose receipt was lost was said again
    desk.until(lambda: len(desk.chat.offsets) > 6)
    assert desk.chat.lines() == ["corrected: amount 10.00"]
    assert [one.action for one in desk.made()] == ["correct"]


def test_a_question_whose_receipt_was_lost_stands_once_and_a_reply_to_either_counts(desk: Desk) -> None:
    desk.chat.says("hello", chat=7)  # what others wrote stays
    desk.chat.late = {"sendPhoto": 1}
    desk.until(lambda: len(desk.chat.deleted) == 1 and len(desk.chat.questions()) == 2)
    [lost] = desk.chat.deleted
    [again] = [one for one in desk.chat.questions() if one.chat == lost.chat]
    assert lost.text == again.text
    desk.chat.says("10.00", lost)
    desk.until(lambda: len(desk.made()) == 1)
    desk.chat.says("11.00", again)
    desk.until(lambda: any("This was corrected by Ana (Telegram 47), " in line for line in desk.chat.lines()))
    assert len(desk.made()) == 1


def test_buttons_accept_reject_and_skip(desk: Desk) -> None:
    desk.until(lambda: len(desk.chat.questions()) == 2)
    dear, cheap = desk.chat.questions()
    assert list(dear.buttons) == ["✓ Accept", "✗ Reject", "Skip"]
    desk.chat.presses(dear, "✓ Accept")
    desk.chat.presses(dear, "✗ Reject")  # it was decided by then
    desk.chat.presses(cheap, "Skip", "Bo")
    desk.until(lambda: len(desk.chat.rested) == 3)
    assert [(one.who, one.action) for one in desk.made()] == [("Ana (Telegram 47)", "approve")]
    desk.until(lambda: len(desk.chat.lines()) == 2)
    assert "This was approved by Ana (Telegram 47)" in desk.chat.lines()[1]
    stranger = replace(cheap, chat=99)
    desk.chat.presses(stranger, "✓ Accept")
    desk.until(lambda: 504 in desk.chat.offsets)
    assert (len(desk.made()), len(desk.chat.rested)) == (1, 3)


def test_a_process_that_ends_between_a_decision_and_the_next_look_decides_once(desk: Desk) -> None:
    desk.until(lambda: len(desk.chat.questions()) == 2)
    desk.chat.says("/reject", desk.chat.questions()[0])
    desk.until(lambda: len(desk.made()) == 1)  # ends before the next update is asked for
    desk.until(lambda: bool(desk.chat.lines()))
    assert [one.action for one in desk.made()] == ["reject"]


def test_an_old_question_that_was_decided_elsewhere_is_told(desk: Desk) -> None:
    desk.until(lambda: len(desk.chat.questions()) == 2)
    place = waiting.at(desk.store, 0)
    assert place
    decide(desk.store, place.case.judged, Choice(place.question.items[0].mark.id, "reject", (), "Bo"))
    desk.chat.says("10.00", desk.chat.questions()[0])
    desk.until(lambda: any("This was rejected by Bo" in line for line in desk.chat.lines()))
    assert [one.who for one in desk.made()] == ["Bo"]


def test_skip_and_undo(desk: Desk) -> None:
    desk.until(lambda: len(desk.chat.questions()) == 2)
    desk.chat.says("10.00", desk.chat.questions()[0])
    desk.until(lambda: len(desk.made()) == 1)
    desk.chat.says("/undo")
    desk.until(lambda: len(desk.made()) == 2)
    desk.chat.says("/undo")
    desk.until(lambda: "There is nothing to undo." in desk.chat.lines())
    assert [one.action for one in desk.made()] == ["correct", "undo"]
    desk.until(lambda: desk.asked(7)[-1] == "dear.pdf, page 1" and len(desk.asked(7)) == 2)  # it is asked again


def test_strangers_get_no_answer(desk: Desk) -> None:
    desk.until(lambda: len(desk.chat.questions()) == 2)
    desk.chat.says("10.00", desk.chat.questions()[0], chat=99)
    desk.until(lambda: 501 in desk.chat.offsets)
    assert (desk.made(), desk.chat.lines(), {one.chat for one in desk.chat.sent}) == ([], [], {7, 8})


def test_the_token_is_in_no_error_log_or_store(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    desk.until(lambda: len(desk.chat.questions()) == 2)
    assert TOKEN not in caplog.text and TOKEN.partition(":")[2] not in caplog.text
    assert TOKEN.encode() not in desk.store.file.read_bytes()
    wrong = "654321:wrongwrongwrongwrongwrongwrongwrong"
    with pytest.raises(UsageError) as raised:
        telegram.serve(desk.store, Settings(Key(wrong), (7,), desk.settings.server, 0))
    assert wrong not in str(raised.value) and "Telegram refuses the bot" in str(raised.value)
    assert wrong not in repr(desk.settings) and TOKEN not in repr(desk.settings)


def test_the_command_goes_on_where_it_was_killed_and_shows_its_token_to_nobody(desk: Desk, tmp_path: Path) -> None:
    told = {"TOKEN": TOKEN, "CHATS": "7", "SERVER": desk.settings.server}
    environment = os.environ | {f"PAGEWITNESS_TELEGRAM_{name}": value for name, value in told.items()}
    environment["PAGEWITNESS_HOME"] = str(desk.store.home)
    said = tmp_path / "said.txt"

    def killed(reached: Callable[[], bool]) -> None:
        """Start the command, and kill it once something is so."""
        with said.open("ab") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "pipeline", "telegram"], env=environment, stdout=out, stderr=out
            )
            ends = time.monotonic() + LIMIT
            while not reached() and process.poll() is None and time.monotonic() < ends:
                time.sleep(0.01)
            listed = Path(f"/proc/{process.pid}/cmdline")
            assert process.poll() is None and not (listed.exists() and TOKEN.encode() in listed.read_bytes())
            process.kill()
            process.wait()
        assert reached()

    desk.chat.says("hello")
    killed(lambda: len(desk.chat.questions()) == 1)
    desk.chat.says("10.00", desk.chat.questions()[0])
    killed(lambda: len(desk.made()) == 1)
    killed(lambda: len(desk.chat.questions()) == 2)  # the next one
    assert [one.action for one in desk.made()] == ["correct"]
    assert desk.chat.lines() == [telegram.ONE, "corrected: amount 10.00"]
    kept = [path for path in desk.store.home.rglob("*") if path.is_file()]
    assert all(TOKEN.partition(":")[2].encode() not in path.read_bytes() for path in [said, *kept])


def test_settings_come_from_the_environment_and_the_settings_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs the token of a bot"):
        telegram.settings(tmp_path, {})
    with pytest.raises(UsageError, match="which chats may decide"):
        telegram.settings(tmp_path, {"PAGEWITNESS_TELEGRAM_TOKEN": TOKEN})
    (tmp_path / "settings.toml").write_text('[telegram]\nchats = [7, -100]\nserver = "http://localhost:1/"\n')
    found = telegram.settings(tmp_path, {"PAGEWITNESS_TELEGRAM_TOKEN": TOKEN})
    assert (found.chats, found.server, found.token.tell()) == ((7, -100), "http://localhost:1", TOKEN)
    assert telegram.settings(
        tmp_path, {"PAGEWITNESS_TELEGRAM_TOKEN": TOKEN, "PAGEWITNESS_TELEGRAM_CHATS": "1, 2"}
    ).chats == (1, 2)
