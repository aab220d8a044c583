"""Calls to Claude over the official SDK: the journal first, then the server; one clear line where it cannot answer.

Comes in: an `Account`, its `Key`, a `Store` for the journal; `Prompt`s. Goes out: the reply as parsed JSON that fits
the prompt's schema, from the journal where an equal call was answered before; how many tokens a prompt has. What a busy
or broken server refuses is sent again by the SDK, what breaks on the way by us; a reply that is cut is asked for with
more room, one that is empty or does not fit once more. Refuses, as EngineError: a limit that the next call could break,
and whatever is left of the faults above; what was answered is kept, so that the same run goes on from there.

The SDK takes seconds to import: it is, at the first call that the journal does not answer.
"""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from pipeline import budget, journal, prompts, scaled, tokens
from pipeline.account import Account, Key, Server
from pipeline.journal import Call, Kept, Outcome
from pipeline.model import Cancelled, EngineError
from pipeline.prompts import Prompt
from pipeline.store import Store
from pipeline.tokens import Usage

if TYPE_CHECKING:
    from anthropic import Anthropic, AnthropicBedrock, AnthropicVertex, APIError
    from anthropic.types import (
        Base64PDFSourceParam,
        DocumentBlockParam,
        ImageBlockParam,
        MessageParam,
        OutputConfigParam,
        RawMessageStreamEvent,
        TextBlockParam,
        Usage as TokensUsed,
    )
    from pydantic import BaseModel

    Client = Anthropic | AnthropicBedrock | AnthropicVertex

TRIES = 2  # of a call whose reply is of no use
LONGEST = 10  # times the silence that a reply may keep: how long it may take in all
WAITS = (0.5, 8.0)  # seconds between calls that broke on the way: first, and at most
UPLOADED = 6_000  # tokens that a page of an uploaded PDF has at most, its text and its picture; likely half of it
SHOWN = 300  # characters of a server's own words
GO_ON = "What was read is kept: run it again to go on."


class PicturesTooLarge(EngineError):
    """The server takes no pictures of this size for this model."""


class NotKept(Exception):
    """The journal does not answer the prompt, and nobody else was to be asked. It holds what would be asked: the call
    as the journal knows it, the prompt, and the tokens that the reply may have.
    """

    def __init__(self, call: Call, prompt: Prompt, room: int) -> None:
        super().__init__(call.request)
        self.call, self.prompt, self.room = call, prompt, room

    @property
    def most(self) -> Decimal:
        """US dollars that it may cost at most."""
        return _most_dollars(self.prompt, self.call.model, self.room)


class _Broken(Exception):
    """A reply that broke off on the way, or came too slowly."""


@dataclass
class _Heard:
    """What of a reply has come: words, why it ended (as the API says it), tokens; whole: it came to its end."""

    prompt: Prompt
    usage: Usage = Usage()
    texts: list[str] = field(default_factory=list)
    end: dict[str, Any] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)
    began: bool = False
    whole: bool = False

    def outcome(self, model: str) -> Outcome:
        """What it took until now. What was written until it broke off is counted by its letters, and so is all that a
        server which counts nothing does not tell: no limit is held by taking it for nothing.
        """
        used = self.usage
        written = sum(map(len, self.texts)) // 3
        if not self.whole or (self.began and not used.output):
            used = used._replace(output=max(used.output, written))
        if self.began and not used.sent:
            used = used._replace(input=likely_tokens(self.prompt))
        return Outcome(used, tokens.highest(model).cost(used), time.monotonic() - self.started)

    def message(self) -> str:
        """The reply as JSON, as one that was not streamed would be."""
        content = [{"type": "text", "text": "".join(self.texts)}]
        return json.dumps({"content": content, **self.end}, ensure_ascii=False)


def _never() -> bool:
    return False


@dataclass
class Caller:
    """Whoever asks for one document in one run. stopped: asked between the parts of a reply, and before each call.

    replay: only the journal answers; NotKept where it cannot. numbers: the calls whose replies were of use.
    """

    account: Account
    key: Key = field(repr=False)
    store: Store
    sha256: str = ""
    run: str = field(default_factory=journal.new_run)
    stopped: Callable[[], bool] = _never
    replay: bool = False
    numbers: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._slots = threading.BoundedSemaphore(self.account.at_once)
        self._opening = threading.Lock()

    def ask(self, prompt: Prompt, model: str) -> dict[str, Any]:
        """The reply to a prompt, as its schema has it."""
        room = min(self.account.output_tokens, prompts.THINKING + 2 * prompt.output)
        tries = 0
        while True:
            kept = self._reply(prompt, model, room)
            data, fault = _understood(kept.reply, prompt)
            if data is not None:
                self.numbers.add(kept.number)
                return data
            if fault.startswith("cut"):
                if room == self.account.output_tokens:
                    journal.refute(self.store, kept.number, fault)
                    raise EngineError(f"Claude's reply was {fault}. Read fewer pages at once (--chunk-pages). {GO_ON}")
                room = min(self.account.output_tokens, 2 * room)
                continue
            journal.refute(self.store, kept.number, fault)
            tries += 1
            if tries == TRIES or fault.startswith("refused"):
                raise EngineError(f"Claude's reply is of no use: {self.key.struck(fault)}. {GO_ON}")

    def count(self, prompt: Prompt, model: str) -> int | None:
        """The tokens of a prompt as the server counts them, for nothing; None where it does not count."""
        if self.account.server == "bedrock":
            return None
        import anthropic

        system, messages, config = self.request(prompt)
        try:
            counted = self.client.messages.count_tokens(
                model=model, system=system, messages=messages, output_config=config
            )
        except (anthropic.APIConnectionError, anthropic.AuthenticationError) as error:
            self.refuse(error, model)
        except anthropic.APIError:
            return None  # it does not count: what is wrong besides is told by the call itself
        except anthropic.AnthropicError as error:
            raise self._unasked(error) from None
        except _cloud_faults(self.account.server) as error:
            raise self._unasked(error) from None
        return counted.input_tokens if isinstance(counted.input_tokens, int) else None

    # ------------------------------------------------------------ one call

    def _call(self, prompt: Prompt, model: str, room: int) -> Call:
        text = f"{prompt.fingerprint}\0{model}\0{self.account.effort}\0{room}"
        if self.account.origin:
            text += f"\0{self.account.origin}"
        request = hashlib.sha256(text.encode()).hexdigest()
        return Call(request, prompt.purpose, self.sha256, self.run, model, prompts.VERSION)

    def _reply(self, prompt: Prompt, model: str, room: int) -> Kept:
        """What was replied: of the journal, else now."""
        call = self._call(prompt, model, room)
        if kept := journal.kept(self.store, call.request):
            return kept
        if self.replay:
            raise NotKept(call, prompt, room)
        most = _most_dollars(prompt, model, room)
        wait = WAITS[0]
        with self._slots:
            for attempt in range(self.account.retries + 1):
                self._stop_if_asked()
                number = journal.begin(self.store, call, most, lambda spent: budget.check(self.account, spent, most))
                try:
                    return Kept(number, self._sent(number, prompt, model, room))
                except _Broken as fault:
                    if attempt == self.account.retries:
                        raise EngineError(f"Claude's reply broke off: {fault}. {GO_ON}") from None
                time.sleep(wait)
                wait = min(2 * wait, WAITS[1])
        raise AssertionError("the last attempt returns or raises")

    def _sent(self, number: int, prompt: Prompt, model: str, room: int) -> str:
        """The reply as it came, in the journal before anybody looks at it."""
        heard = _Heard(prompt)
        try:
            reply = self._streamed(prompt, model, room, heard)
        except BaseException as error:
            fault = self.key.struck(" ".join(str(error).split()))[:SHOWN] or type(error).__name__
            journal.failed(self.store, number, fault, heard.outcome(model))
            raise
        journal.answered(self.store, number, reply, heard.outcome(model))
        return reply

    def _streamed(self, prompt: Prompt, model: str, room: int, heard: _Heard) -> str:
        import anthropic
        import httpx2

        system, messages, config = self.request(prompt)
        try:
            stream = self.client.messages.create(
                model=model, max_tokens=room, system=system, messages=messages, output_config=config, stream=True
            )
        except anthropic.APIError as error:
            self.refuse(error, model)
        except anthropic.AnthropicError as error:
            raise self._unasked(error) from None
        except _cloud_faults(self.account.server) as error:
            raise self._unasked(error) from None
        try:
            if "json" in stream.response.headers.get("content-type", ""):
                return _unstreamed(stream.response.read(), heard)
            for event in stream:
                self._stop_if_asked()
                _hear(event, heard, self.account.seconds)
            if not heard.whole:
                raise _Broken("it ended before its end")
            return heard.message()
        except anthropic.APIStatusError as error:
            raise _Broken(self._line(error.api_message or error.message)) from None
        except (httpx2.HTTPError, anthropic.APIError, ValueError) as error:
            raise _Broken(self._line(str(error) or type(error).__name__)) from None
        except (AttributeError, TypeError):
            raise _Broken("it is not as the API has it") from None
        finally:
            stream.close()

    def _stop_if_asked(self) -> None:
        if self.stopped():
            raise Cancelled("The work was cancelled. Start it again when you want it.")

    # ------------------------------------------------------------ the SDK

    @cached_property
    def client(self) -> Client:
        with self._opening:
            client = self._opened()
            weakref.finalize(self, client.close)
            return client

    def _opened(self) -> Client:
        import anthropic

        account = self.account
        _cloud_faults(account.server)
        timeout = anthropic.Timeout(account.seconds, connect=min(10.0, account.seconds))
        url = account.base_url or None
        try:
            match account.server:
                case "bedrock":
                    return anthropic.AnthropicBedrock(base_url=url, timeout=timeout, max_retries=account.retries)
                case "vertex":
                    return anthropic.AnthropicVertex(base_url=url, timeout=timeout, max_retries=account.retries)
            secret = self.key.tell()
            return anthropic.Anthropic(
                api_key=None if self.key.bearer else secret,
                auth_token=secret if self.key.bearer else None,
                base_url=url,
                timeout=timeout,
                max_retries=account.retries,
                default_headers={"X-Api-Key": secret} if url and not self.key.bearer else None,
            )
        except (ImportError, RuntimeError, ValueError, anthropic.AnthropicError) as error:
            raise EngineError(self._line(f"Claude on {account.server} cannot be reached: {error}")) from None

    def request(self, prompt: Prompt) -> tuple[list[TextBlockParam], list[MessageParam], OutputConfigParam]:
        """What is sent: instructions and document first, both marked to be kept for the next call."""
        system: TextBlockParam = {
            "type": "text",
            "text": f"{prompts.DATA}\n\n{prompt.instructions}",
            "cache_control": {"type": "ephemeral"},
        }
        content: list[TextBlockParam | ImageBlockParam | DocumentBlockParam] = []
        if prompt.upload:
            data = base64.b64encode(prompt.upload.content).decode()
            source: Base64PDFSourceParam = {"type": "base64", "media_type": "application/pdf", "data": data}
            content.append({"type": "document", "source": source})
        for picture in prompt.pictures:
            content.append({"type": "text", "text": f"{picture.label}, {picture.width} × {picture.height} pixels:"})
            content.append(self._picture(picture.png))
        if prompt.document:
            content.append({"type": "text", "text": prompt.document})
        if content and prompt.keep:
            content[-1]["cache_control"] = {"type": "ephemeral"}
        content.append({"type": "text", "text": prompt.question})
        config: OutputConfigParam = {"format": {"type": "json_schema", "schema": prompt.schema}}
        if self.account.effort:
            config["effort"] = self.account.effort
        return [system], [{"role": "user", "content": content}], config

    def _picture(self, png: bytes) -> ImageBlockParam:
        block: ImageBlockParam = {
            "type": "image",
            "source": {"type": "base64", "media_type": "image/png", "data": base64.b64encode(png).decode()},
        }
        if self.account.server == "anthropic":
            block["transformations"] = {"oversized_image": "error"}  # else it is scaled, and boxes lead astray
        return block

    # ------------------------------------------------------------ faults in words

    def refuse(self, error: APIError, model: str) -> NoReturn:
        """What the server refused, after the SDK's own retries, as one line that says what helps."""
        import anthropic

        said = error.api_message if isinstance(error, anthropic.APIStatusError) else None
        said = " ".join((said or error.message).split())[:SHOWN]
        match error:
            case anthropic.APITimeoutError():
                line = f"Claude did not answer within {self.account.seconds:g} s. {GO_ON}"
            case anthropic.APIConnectionError():
                where = self.account.base_url or "its server"
                line = f"Claude cannot be reached at {where}: no network, or no server there. {GO_ON}"
            case anthropic.AuthenticationError():
                line = "Claude refused the key (401). Check ANTHROPIC_API_KEY, or the key that was typed in the app."
            case anthropic.NotFoundError() if self.account.base_url and "model" not in said.lower():
                line = (
                    f"{self.account.base_url} does not speak Claude's API (404: {said}). Check its address (base_url)."
                )
            case anthropic.NotFoundError():
                line = (
                    f"There is no model {model} (404). Choose another: in the app, or [claude] model in settings.toml."
                )
            case anthropic.RateLimitError() | anthropic.InternalServerError():
                line = f"Claude is busy or broken ({error.status_code}: {said}). Wait a while. {GO_ON}"
            case anthropic.BadRequestError() if "image" in said.lower() and "dimension" in said.lower():
                raise PicturesTooLarge(self._line(f"Claude takes no pictures of this size: {said}")) from None
            case anthropic.ContentTooLargeError():
                line = f"The request is too large for Claude (413). Read fewer pages at once (--chunk-pages). {GO_ON}"
            case anthropic.APIStatusError():
                line = f"Claude refused the request ({error.status_code}): {said}"
            case _:
                line = f"Claude's server sent what cannot be understood: {said}. {GO_ON}"
        raise EngineError(self._line(line)) from None

    def _unasked(self, error: Exception) -> EngineError:
        """What the SDK did not even send."""
        return EngineError(self._line(f"Claude cannot be asked: {error}"))

    def _line(self, text: str) -> str:
        return self.key.struck(" ".join(text.split()))


@dataclass
class Rehearsal(Caller):
    """A caller that asks nobody: what the journal does not answer is noted, and has the reply that there is nothing."""

    replay: bool = True
    missing: list[NotKept] = field(default_factory=list)

    def ask(self, prompt: Prompt, model: str) -> dict[str, Any]:
        try:
            return super().ask(prompt, model)
        except NotKept as one:
            self.missing.append(one)
            return {name: [] for name in prompt.schema["properties"]}  # each of our schemas is that of lists


def _cloud_faults(server: Server) -> tuple[type[Exception], ...]:
    """What the library raises that finds the credentials for a cloud; EngineError where it is not installed."""
    match server:
        case "anthropic":
            return ()
        case "bedrock":
            module, name = "botocore.exceptions", "BotoCoreError"
        case "vertex":
            module, name = "google.auth.exceptions", "GoogleAuthError"
    try:
        return RuntimeError, ValueError, getattr(import_module(module), name)
    except ImportError:
        raise EngineError(f"Claude on {server} needs a further library: pip install 'anthropic[{server}]'") from None


# ---------------------------------------------------------------- replies


def _hear(event: RawMessageStreamEvent, heard: _Heard, silence: float) -> None:
    """Note what an event of a reply tells; _Broken where the whole takes too long. The server may be anybody's: events
    that are not known say nothing, and tokens may be missing.
    """
    match event.type:
        case "message_start":
            heard.began = True
            heard.usage = _usage(_told(event.message.usage), Usage())
        case "content_block_start":
            if event.content_block.type == "text":
                heard.texts.append(event.content_block.text)
        case "content_block_delta":
            if event.delta.type == "text_delta":
                heard.texts.append(event.delta.text)
        case "message_delta":
            heard.usage = _usage(_told(event.usage), heard.usage)
            heard.end = event.delta.model_dump(mode="json", exclude_none=True, warnings=False)
        case "message_stop":
            heard.whole = True
    if time.monotonic() - heard.started > LONGEST * silence:
        raise _Broken(f"it was not whole after {LONGEST * silence:g} s")


def _told(usage: BaseModel | None) -> dict[str, Any]:
    return usage.model_dump(warnings=False) if usage else {}


def _usage(told: dict[str, Any], before: Usage) -> Usage:
    """Tokens as the API names them; what it does not tell is as before."""
    names = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return Usage(*(max(0, int(told.get(name) or known)) for name, known in zip(names, before, strict=True)))


def used(told: TokensUsed | None) -> Usage:
    """The tokens of a whole reply."""
    return _usage(_told(told), Usage())


def _unstreamed(body: bytes, heard: _Heard) -> str:
    """The reply of a server that does not stream."""
    message = json.loads(body)
    if not isinstance(message, dict) or not isinstance(message.get("content"), list):
        raise _Broken("it is no message")
    heard.usage, heard.began, heard.whole = _usage(message.get("usage") or {}, Usage()), True, True
    heard.texts += [_text(block) for block in message["content"]]
    return json.dumps(message, ensure_ascii=False)


def _text(block: object) -> str:
    """The words of a part of a message."""
    return str(block.get("text") or "") if isinstance(block, dict) and block.get("type") == "text" else ""


def _understood(reply: str, prompt: Prompt) -> tuple[dict[str, Any] | None, str]:
    """The data of a reply, or what is wrong with it."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    message = json.loads(reply)
    match message.get("stop_reason"):
        case "refusal":
            category = (message.get("stop_details") or {}).get("category")
            return None, f"refused by its own rules{f' ({category})' if category else ''}"
        case "max_tokens" | "model_context_window_exceeded" as reason:
            return None, f"cut ({reason})"
    text = "".join(map(_text, message["content"]))
    if not text.strip():
        return None, "it is empty"
    try:
        data = json.loads(text[text.find("{") : text.rfind("}") + 1])
    except ValueError:
        return None, "it is no JSON"
    if error := best_match(Draft202012Validator(prompt.schema).iter_errors(data)):  # our schemas are sound: see tests
        return None, f"it does not fit the schema at {error.json_path}"
    return data, ""


def likely_tokens(prompt: Prompt) -> int:
    """Our own estimate of the tokens of a prompt."""
    pictures = sum(scaled.tokens(picture.width, picture.height) for picture in prompt.pictures)
    upload = UPLOADED // 2 * prompt.upload.pages if prompt.upload else 0
    texts = [prompts.DATA, prompt.instructions, prompt.document, prompt.question, json.dumps(prompt.schema)]
    return sum(tokens.counts(texts)) + pictures + upload


def _most_dollars(prompt: Prompt, model: str, room: int) -> Decimal:
    """What a call may cost at most."""
    return tokens.highest(model).cost(Usage(cache_write=_most_tokens(prompt), output=room))


def _most_tokens(prompt: Prompt) -> int:
    """The tokens that a prompt may have at most: two bytes make one."""
    texts = (prompts.DATA, prompt.instructions, prompt.document, prompt.question, json.dumps(prompt.schema))
    letters = sum(len(text.encode("utf-8", "replace")) for text in texts)
    pictures = sum(scaled.tokens(picture.width, picture.height) + 30 for picture in prompt.pictures)
    upload = UPLOADED * prompt.upload.pages if prompt.upload else 0
    return letters // 2 + pictures + upload + 200
