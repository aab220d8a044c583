"""The review queue by Telegram: questions with their crops to the allowed chats, each reply the decision of its writer.

Comes in: a `Store`, `Settings` (the bot's token, the chats that are allowed, the server). Goes out: messages; decisions
in the store. A chat has one question at a time, with buttons to accept, reject and skip; `posts` keeps what was sent
and answered, so that lost connections, updates that come twice and restarts lose nothing and decide nothing twice. A
message whose receipt was lost is sent again, and the first one deleted.
Refuses, as UsageError: no token, no chats, a token that the server does not know. The token stands in no message, log
or store. Other chats get no answer.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline import asked, cutout, decisions, docket, posts, run, waiting
from pipeline.account import Key
from pipeline.asked import Choice, Item, Question
from pipeline.decisions import Action, Part, Value
from pipeline.docket import Case
from pipeline.model import PipelineError, StoreError, UsageError
from pipeline.posts import Outcome, Post
from pipeline.store import Store

if TYPE_CHECKING:
    from telegram import Bot, InlineKeyboardMarkup, Message, Update, User

PREFIX = "PAGEWITNESS_TELEGRAM_"
SERVER = "https://api.telegram.org"
DPI = 150
COLOR = "#c2410c"
LONGEST = 1000  # characters of a caption
SLOWEST = 60.0  # seconds between two tries of a server that does not answer
ID = re.compile(r"#([0-9a-f]{16})\b")
ACCEPT, REJECT, SKIP, UNDO = (
    ("ok", "/ok", "✓", "👍"),
    ("/reject", "reject"),
    ("/skip", "skip", "/next"),
    ("/undo", "undo"),
)
BUTTONS = (("✓ Accept", "ok"), ("✗ Reject", "/reject"), ("Skip", "/skip"))  # what each says stands for what is typed
NEAR = 4  # messages before one that is sent again, among which the first is looked for
HELP = "Reply “ok”, or with the right value; /reject, /skip, /undo."
ONE = "Reply to the question that you mean."
GONE = "This is not asked any more: what was read was made anew."


@dataclass(frozen=True)
class Said:
    """What somebody wrote or pressed. post: the question that is meant, None where none is known."""

    chat: int
    text: str
    who: str
    post: Post | None


@dataclass(frozen=True)
class Settings:
    """token: of the bot; chats: that may decide; server: of the bot API; poll: seconds that one look may take."""

    token: Key
    chats: tuple[int, ...]
    server: str = SERVER
    poll: int = 25


def is_set(folder: Path, environment: Mapping[str, str]) -> bool:
    """Whether a bot was named at all."""
    return bool(environment.get(f"{PREFIX}TOKEN") or _table(folder / "settings.toml").get("token"))


def settings(folder: Path, environment: Mapping[str, str]) -> Settings:
    """What holds here: the table [telegram] of settings.toml, changed by variables named PAGEWITNESS_TELEGRAM_…"""
    table = _table(folder / "settings.toml")
    token, chats, server = (
        environment.get(PREFIX + name.upper()) or table.get(name) or "" for name in ("token", "chats", "server")
    )
    if not isinstance(token, str) or not token.strip():
        raise UsageError(f"Telegram needs the token of a bot: set {PREFIX}TOKEN (@BotFather gives one).")
    listed = re.split(r"[,\s]+", chats.strip()) if isinstance(chats, str) else chats
    try:
        numbers = tuple(int(str(one)) for one in listed if str(one)) if isinstance(listed, list) else ()
    except ValueError as error:
        raise UsageError(f"{PREFIX}CHATS holds numbers of chats, such as 123456,-100987.") from error
    if not numbers:
        raise UsageError(f"Say which chats may decide: set {PREFIX}CHATS to their numbers, such as 123456.")
    return Settings(Key(token.strip()), numbers, str(server or SERVER).rstrip("/"))


def _table(path: Path) -> Mapping[str, object]:
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8")).get("telegram", {})
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read as TOML. Mend it or move it away.") from error
    return found if isinstance(found, dict) else {}


def serve(store: Store, chosen: Settings, stopped: Callable[[], bool] = lambda: False) -> None:
    """Ask and listen until `stopped`; one process for a store."""
    for name in ("httpx", "httpcore", "telegram"):  # they would log addresses, which hold the token
        logging.getLogger(name).setLevel(logging.WARNING)
    with _alone(store.home / "telegram.lock"):
        asyncio.run(_serve(store, chosen, stopped))


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    with path.open("a") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StoreError("Telegram is served from this store already. End the other process first.") from error
        yield


async def _serve(store: Store, chosen: Settings, stopped: Callable[[], bool]) -> None:
    from telegram import Bot
    from telegram.error import Conflict, Forbidden, InvalidToken, NetworkError, RetryAfter, TelegramError

    bot, wait = Bot(chosen.token.tell(), base_url=f"{chosen.server}/bot"), 0.0
    try:
        while not stopped():
            try:
                await bot.initialize()
                await _round(store, bot, chosen)
                wait = 0.0
            except RetryAfter as error:
                after = error.retry_after
                await asyncio.sleep(after if isinstance(after, int) else after.total_seconds())
            except (InvalidToken, Forbidden, Conflict) as error:
                told = chosen.token.struck(str(error))
                raise UsageError(f"Telegram refuses the bot: {told} Look at {PREFIX}TOKEN and {PREFIX}CHATS.") from None
            except NetworkError:  # nothing is lost: what was not confirmed is asked for, or sent, again
                wait = min(SLOWEST, 2 * wait or 0.2)
                await asyncio.sleep(wait)
            except TelegramError as error:
                raise UsageError(f"Telegram refuses a message: {chosen.token.struck(str(error))}") from None
    finally:
        await bot.shutdown()


async def _round(store: Store, bot: Bot, chosen: Settings) -> None:
    """Send what is to be sent, and deal with what came in."""
    for chat in chosen.chats:
        _ask_next(store, bot.id, chat)
    for post in posts.unsent(store, bot.id):
        await _send(store, bot, post)
    first, kinds = posts.next_update(store, bot.id), ["message", "callback_query"]
    for update in await bot.get_updates(offset=first, timeout=chosen.poll, allowed_updates=kinds):
        take(store, bot.id, chosen.chats, update)
        query = update.callback_query
        if query and query.message and query.message.chat.id in chosen.chats:
            await _received(bot, query.id)


# ---------------------------------------------------------------- asking


def _ask_next(store: Store, bot: int, chat: int) -> None:
    """Have the most valuable question sent that this chat did not have, and that no chat has now."""
    everywhere = posts.asked(store, bot)
    if any(post.chat == chat and post.state != "closed" for post in everywhere):
        return
    busy = {post.finding for post in everywhere if post.state != "closed"}
    had = {(post.finding, post.sequence) for post in everywhere if post.chat == chat}
    number, count = 0, 1
    while number < count and (place := waiting.at(store, number)):
        target, sequence, text = _asking(place.case, place.question)
        if target not in busy and (target, sequence) not in had:
            posts.ask(store, bot, Post(0, chat, place.case.entry.sha256, target, sequence, text, None, "waiting", None))
            return
        number, count = number + 1, place.count


def _asking(case: Case, question: Question) -> tuple[str, int, str]:
    """What is asked about, how far it was decided, and the question in words."""
    item = question.items[0] if question.items else None
    mark = item.mark if item else question.mark
    where = f", page {question.page}" if question.page else ""
    lines = [question.cause, f"{case.entry.name}{where}", *question.why]
    if item:
        lines += [reason for reason in item.reasons if reason not in question.why]
        lines += [f"{read.by}: {read.text}" for read in item.reads] + [f"Now: {item.words}"]
    text = "\n".join(lines)
    end = f"\n{HELP}\n#{mark.id}"
    return mark.id, asked.sequence(case.judged, mark.id), text[: LONGEST - len(end)] + end


async def _send(store: Store, bot: Bot, post: Post) -> None:
    posts.mark(store, post, "sending")
    picture = _picture(store, post) if post.finding else None
    buttons = _buttons(post) if post.finding else None
    if picture:
        sent = await bot.send_photo(post.chat, picture, caption=post.text, reply_markup=buttons)
    else:
        sent = await bot.send_message(post.chat, post.text, reply_markup=buttons)
    posts.mark(store, post, "open" if post.finding else "closed", sent.message_id)
    if post.state == "sending":
        await _unsay(store, bot, post, sent, bool(picture))


def _buttons(post: Post) -> InlineKeyboardMarkup:
    from telegram import InlineKeyboardButton, InlineKeyboardMarkup

    return InlineKeyboardMarkup(
        [[InlineKeyboardButton(words, callback_data=f"{text} {post.number}") for words, text in BUTTONS]]
    )


async def _unsay(store: Store, bot: Bot, post: Post, sent: Message, pictured: bool) -> None:
    """Delete a message whose receipt was lost: one of the last before the one that was sent now, and none of those that
    are known. Nobody can edit what others wrote, and the same words are refused as no change.
    """
    from telegram.error import BadRequest

    known, message = posts.sent(store, bot.id, post.chat), sent.message_id
    for number in range(message - 1, max(0, message - 1 - NEAR), -1):
        if number in known:
            continue
        try:
            if pictured:
                await bot.edit_message_caption(post.chat, number, caption=post.text)
            else:
                await bot.edit_message_text(post.text, post.chat, number)
        except BadRequest as error:
            if "not modified" in str(error):
                await bot.delete_message(post.chat, number)
                return


async def _received(bot: Bot, query: str) -> None:
    """Have the button that was pressed rest; one that was pressed long ago rests already."""
    from telegram.error import BadRequest

    with suppress(BadRequest):
        await bot.answer_callback_query(query)


def _picture(store: Store, post: Post) -> bytes | None:
    """The crop of what is asked; None where it stands nowhere."""
    found = _found(store, post)
    if found is None:
        return None
    case, question, item = found
    page, box = asked.place(question, item) if question else (item.page, item.box) if item else (None, None)
    if page is None:
        return None
    image = run.page_image(store, case.entry.sha256, page, DPI)
    return cutout.cut(image, DPI, box, (box,) if box else (), COLOR).png


def _found(store: Store, post: Post) -> tuple[Case, Question | None, Item | None] | None:
    """The case that a post asks about, with its question and item as they are now."""
    for kept in waiting.kept(store):
        if kept.result.sha256 == post.sha256 and (case := waiting.case(store, kept.result)):
            question, item = asked.find(case.judged, post.finding)
            if question is None and item:
                question = next((one for one in case.judged.questions if item in one.items), None)
            if question or item or post.finding in case.judged.standing:
                return case, question, item
    return None


# ---------------------------------------------------------------- answers


def take(store: Store, bot: int, chats: tuple[int, ...], update: Update) -> None:
    """Deal with an update, once: what it decides and what its chat is told are written together."""
    if update.update_id < posts.next_update(store, bot):
        return
    said = _heard(store, bot, update)
    if said is None or said.chat not in chats:
        posts.settle(store, bot, Outcome(update.update_id, 0))
        return
    try:
        posts.settle(store, bot, _outcome(store, bot, update.update_id, said))
    except PipelineError as error:
        overtaken = said.post if isinstance(error, decisions.Overtaken) else None
        posts.settle(store, bot, Outcome(update.update_id, said.chat, (str(error),), closed=overtaken))


def _heard(store: Store, bot: int, update: Update) -> Said | None:
    """What an update says, by a message or a button; None where it says nothing."""
    if query := update.callback_query:
        text, _, number = (query.data or "").partition(" ")
        chat = query.message.chat.id if query.message else 0
        post = next((one for one in posts.asked(store, bot, chat) if str(one.number) == number), None)
        return Said(chat, text, _who(query.from_user, chat), post)
    message = update.message
    if message is None or not message.text:
        return None
    who = _who(message.from_user, message.chat_id)
    return Said(message.chat_id, message.text, who, _meant(store, bot, message))


def _outcome(store: Store, bot: int, update: int, said: Said) -> Outcome:
    chat, text, post = said.chat, " ".join(said.text.split()), said.post
    command = text.casefold().partition("@")[0]
    if command in UNDO:
        return _undone(store, bot, Outcome(update, chat), said.who)
    if command in ("/start", "/help"):
        return Outcome(update, chat, (HELP,))
    if post is None:
        return Outcome(update, chat, (ONE,))
    if command in SKIP:
        return Outcome(update, chat, closed=post)
    if post.answers is not None:
        return Outcome(update, chat, (_stands(store, post),))
    found = _found(store, post)
    if found is None:
        return Outcome(update, chat, (GONE,), closed=post)
    case, _, item = found
    if asked.sequence(case.judged, post.finding) > post.sequence:
        return Outcome(update, chat, (_stands(store, post),), closed=post)
    action, parts = _said(command, said.text, item)
    made = asked.decided(case.judged, Choice(post.finding, action, parts, said.who, post.sequence))
    return Outcome(update, chat, (f"{decisions.DONE[action]}: {_told(made[0].parts) or made[0].before}",), made, post)


def _meant(store: Store, bot: int, message: Message) -> Post | None:
    """The question that a message answers: that it replies to, else the one that is open and older than it."""
    asked_here = posts.asked(store, bot, message.chat_id)
    if replied := message.reply_to_message:
        if known := next((one for one in asked_here if one.message == replied.message_id), None):
            return known
        own = replied.from_user is not None and replied.from_user.id == bot
        named = ID.findall(replied.caption or replied.text or "") if own else []
        return next((one for one in reversed(asked_here) if named and one.finding == named[-1]), None)
    open_ones = [one for one in asked_here if one.state == "open" and (one.message or 0) < message.message_id]
    return open_ones[0] if len(open_ones) == 1 else None


def _said(command: str, text: str, item: Item | None) -> tuple[Action, tuple[Part, ...]]:
    """What a reply decides: a value as it was read is approved."""
    if command in ACCEPT:
        return "approve", ()
    if command in REJECT:
        return "reject", ()
    if item is None or not item.values or command.startswith("/"):
        raise UsageError(HELP)
    columns = [column for column, _ in item.values]
    lines = text.strip().splitlines()
    if len(columns) > 1 and all(line.partition("=")[0].strip().lower() in columns for line in lines):
        return "correct", docket.parts(lines)
    column, typed = "amount" if "amount" in columns else columns[0], " ".join(text.split())
    return ("approve", ()) if typed == item.value(column) else ("correct", ((Value(column, typed),),))


def _undone(store: Store, bot: int, outcome: Outcome, who: str) -> Outcome:
    """The last decision of this chat, taken back."""
    answered = [one for one in posts.asked(store, bot, outcome.chat) if one.answers is not None]
    post = max(answered, key=lambda one: one.answers or 0, default=None)
    found = _found(store, post) if post else None
    if post is None or found is None:
        return Outcome(outcome.update, outcome.chat, ("There is nothing to undo.",))
    made = asked.decided(found[0].judged, Choice(post.finding, "undo", (), who, post.sequence + 1))
    return Outcome(outcome.update, outcome.chat, (f"undone: {made[0].before}",), made, undone=post)


def _stands(store: Store, post: Post) -> str:
    made = [one for one in decisions.of(store, post.sha256 or "") if one.mark.id == post.finding]
    return f"This was {made[-1].told}; what you wrote was not kept." if made else GONE


def _told(parts: tuple[Part, ...]) -> str:
    return " | ".join(decisions.words(part) for part in parts)


def _who(user: User | None, chat: int) -> str:
    return f"{user.full_name} (Telegram {user.id})" if user else f"Telegram chat {chat}"
