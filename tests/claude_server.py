"""A server on loopback that speaks the wire format of Anthropic's Messages API, answers from what it was sent, and
misbehaves on demand.

Every request is checked against the SDK's own types before it is answered, and so is every reply before it is sent. A
simulation: it reads statements of the sample's layout by rules, out of the text of the request and of nothing else.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from anthropic.types import Message, MessageTokensCount
from anthropic.types.message_count_tokens_params import MessageCountTokensParams
from anthropic.types.message_create_params import MessageCreateParamsStreaming
from anthropic.types.messages import MessageBatch, MessageBatchIndividualResponse
from anthropic.types.messages.batch_create_params import BatchCreateParams
from anthropic.types.raw_message_stream_event import RawMessageStreamEvent
from pydantic import ConfigDict, TypeAdapter, with_config

KEY = "sk-ant-test-0123456789"
FENCED = re.compile(r"^<<< (.+?) ([0-9a-f]{12})\n(.*?)\n>>> \2$", re.MULTILINE | re.DOTALL)
WIDE = re.compile(r" {3,}")
MODELS = ("claude-sonnet-5-5", "claude-haiku-5-5", "claude-opus-5-5")

Fault = Literal[
    "429", "529", "500", "reset", "slow", "broken", "unended", "silent", "max_tokens", "refusal", "no_json",
    "no_schema", "empty", "strange_page", "stream_error", "unstreamed", "odd",
]  # fmt: skip


@dataclass
class Asked:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def content(self) -> list[dict[str, Any]]:
        content: list[dict[str, Any]] = self.body["messages"][0]["content"]
        return content

    @property
    def text(self) -> str:
        return "\n".join(part["text"] for part in self.content if part["type"] == "text")

    @property
    def instructions(self) -> str:
        return "\n".join(part["text"] for part in self.body["system"])

    @property
    def fences(self) -> list[tuple[str, str]]:
        """What stands between fences, with its name."""
        return [(name, text) for name, _, text in FENCED.findall(self.text)]

    @property
    def pages(self) -> dict[int, list[str]]:
        return {int(name.split()[1]): text.split("\n") for name, text in self.fences if name.startswith("page ")}


Answer = Callable[[Asked], dict[str, Any]]


@dataclass
class Batch:
    """A batch as it was sent; looks: how often its state was asked for; it ends at the second."""

    number: int
    requests: list[dict[str, Any]]
    looks: int = 0
    cancelled: bool = False

    @property
    def ended(self) -> bool:
        return self.looks >= 2 or self.cancelled

    def told(self, url: str) -> bytes:
        counts = dict.fromkeys(("canceled", "errored", "expired", "processing", "succeeded"), 0)
        counts["succeeded" if self.ended else "processing"] = len(self.requests)
        now = datetime.now(UTC)
        told = {
            "id": f"msgbatch_{self.number}",
            "type": "message_batch",
            "created_at": now.isoformat(),
            "expires_at": (now + timedelta(hours=24)).isoformat(),
            "ended_at": now.isoformat() if self.ended else None,
            "processing_status": "ended" if self.ended else "in_progress",
            "request_counts": counts,
            "results_url": f"{url}/v1/messages/batches/msgbatch_{self.number}/results" if self.ended else None,
        }
        MessageBatch.model_validate_json(json.dumps(told), strict=True)
        return json.dumps(told).encode()


@dataclass
class Server:
    """What it was asked, and how it is to behave. faults: for each call that comes (counted from 0, retries too), the
    fault to make, or None. A call that is not named is answered rightly. endings: of each call of a batch (by its
    number in it): succeeded, errored, invalid, expired, canceled, or a fault of the reply; batch_faults: of the next
    batches that are sent.
    """

    answer: Answer
    faults: Callable[[int, Asked], Fault | None] = lambda number, asked: None
    endings: Callable[[Batch, int, Asked], str] = lambda batch, number, asked: "succeeded"
    batch_faults: list[Fault | None] = field(default_factory=list)
    batches: list[Batch] = field(default_factory=list)
    delay: float = 0.0
    asked: list[Asked] = field(default_factory=list)
    counted: list[Asked] = field(default_factory=list)
    answered: int = 0
    busy: int = 0
    busiest: int = 0
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextmanager
def serving(answer: Answer) -> Iterator[Server]:
    """A server that answers by the function, on a free port."""
    state = Server(answer)

    class Handler(_Handler):
        server_state = state

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_state: Server

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""

    def do_GET(self) -> None:
        if self._is_known():
            self._tell_batch()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or "{}")
        asked = Asked(self.path, self._names(), body)
        if not self._is_known():
            return
        if self.path.startswith("/v1/messages/batches"):
            self._take_batch(asked)
        elif not self.path.startswith("/v1/"):
            self._refuse(404, "not_found_error", "Not Found")
        elif body["model"] not in MODELS:
            self._refuse(404, "not_found_error", f"model: {body['model']}")
        elif self.path == "/v1/messages/count_tokens":
            self._count(asked)
        else:
            self._create(asked)

    def _names(self) -> dict[str, str]:
        return {name.lower(): text for name, text in self.headers.items()}

    def _is_known(self) -> bool:
        given = self._names().get("authorization", "").removeprefix("Bearer ")
        if given != KEY:
            self._refuse(401, "authentication_error", f"invalid key: {given}")
        return given == KEY

    def _take_batch(self, asked: Asked) -> None:
        state = self.server_state
        if self.path.endswith("/cancel"):
            batch = state.batches[int(self.path.split("_")[1].split("/")[0])]
            batch.cancelled = True
            self._send(200, batch.told(state.url))
            return
        BATCHING.validate_python(asked.body)
        fault = state.batch_faults.pop(0) if state.batch_faults else None
        if fault in ("429", "529"):
            self._reply(asked, fault)
            return
        with state.lock:
            batch = Batch(len(state.batches), asked.body["requests"])
            state.batches.append(batch)
        if fault == "reset":
            self._reset()  # it arrived, and nobody was told
        else:
            self._send(200, batch.told(state.url))

    def _tell_batch(self) -> None:
        state = self.server_state
        if self.path.split("?")[0] == "/v1/messages/batches":
            newest = [json.loads(batch.told(state.url)) for batch in reversed(state.batches)]
            self._send(200, json.dumps({"data": newest, "has_more": False, "first_id": None, "last_id": None}).encode())
            return
        batch = state.batches[int(self.path.split("_")[1].split("/")[0])]
        if self.path.endswith("/results"):
            self._send(200, b"\n".join(self._results(batch)), {"content-type": "application/x-jsonl"})
        else:
            batch.looks += 1
            self._send(200, batch.told(state.url))

    def _results(self, batch: Batch) -> Iterator[bytes]:
        """The results, the last call's first."""
        for number, request in reversed(list(enumerate(batch.requests))):
            asked = Asked("/v1/messages", {}, {**request["params"], "messages": list(request["params"]["messages"])})
            ending = "canceled" if batch.cancelled else self.server_state.endings(batch, number, asked)
            result: dict[str, Any] = {"type": ending}
            if ending == "errored":
                result["error"] = {"type": "error", "error": {"type": "api_error", "message": "broken"}}
            elif ending == "invalid":
                error = {"type": "invalid_request_error", "message": "prompt is too long"}
                result = {"type": "errored", "error": {"type": "error", "error": error}}
            elif ending not in ("canceled", "expired"):
                fault: Any = None if ending == "succeeded" else ending
                result = {"type": "succeeded", "message": spoken(asked, fault, self.server_state.answer)}
            line = {"custom_id": request["custom_id"], "result": result}
            MessageBatchIndividualResponse.model_validate(line, strict=True)
            yield json.dumps(line).encode()

    def _count(self, asked: Asked) -> None:
        COUNTING.validate_python(asked.body)
        with self.server_state.lock:
            self.server_state.counted.append(asked)
        counted = {"input_tokens": len(json.dumps(asked.body)) // 3}
        MessageTokensCount.model_validate(counted, strict=True)
        self._send(200, json.dumps(counted).encode())

    def _create(self, asked: Asked) -> None:
        state = self.server_state
        assert self.path == "/v1/messages", self.path
        CREATING.validate_python(asked.body)
        check_pictures(asked)
        with state.lock:
            number = len(state.asked)
            state.asked.append(asked)
            state.busy += 1
            state.busiest = max(state.busiest, state.busy)
        try:
            time.sleep(state.delay)
            self._reply(asked, state.faults(number, asked))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            with state.lock:
                state.busy -= 1

    def _reply(self, asked: Asked, fault: Fault | None) -> None:
        match fault:
            case "429":
                self._refuse(429, "rate_limit_error", "too many requests")
            case "529":
                self._refuse(529, "overloaded_error", "Overloaded")
            case "500":
                self._refuse(500, "api_error", "Internal server error")
            case "reset":
                self._reset()
            case "silent":
                time.sleep(1.5)
                self._reset()
            case _:
                self._message(asked, fault)

    def _message(self, asked: Asked, fault: Fault | None) -> None:
        message = spoken(asked, fault, self.server_state.answer)
        Message.model_validate(message, strict=True)
        if fault == "odd":
            self._stream_oddly(message)
        elif fault == "unstreamed":
            self._send(200, json.dumps(message).encode())
        else:
            self._stream(message, fault)
        with self.server_state.lock:
            self.server_state.answered += fault in (None, "slow", "unstreamed", "odd")

    def _stream_oddly(self, message: dict[str, Any]) -> None:
        """As a server that only resembles the real one: compressed, other line ends, comments, parts and events that
        nobody knows, the text in two blocks, and no word of tokens.
        """
        text = message["content"][0]["text"]
        half = len(text) // 2
        blocks = [{"type": "hologram"}, *({"type": "text", "text": part} for part in (text[:half], text[half:]))]
        odd = {**message, "id": 7, "model": None, "content": blocks, "stop_reason": "well"}
        told = [": hello\r\n\r\n"]
        for event in events(odd):
            event.pop("usage", None)
            event.get("message", {}).pop("usage", None)
            for one in (event, {"type": "mood", "of": event["type"]}):
                told.append(f"event: {one['type']}\r\ndata:{json.dumps(one)}\r\n\r\n")
        body = gzip.compress("".join(told).encode())
        self._send(200, body, {"content-type": "Text/Event-Stream", "content-encoding": "gzip"})

    def _stream(self, message: dict[str, Any], fault: Fault | None) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for number, event in enumerate(events(message)):
            EVENTS.validate_python(event)
            if fault == "broken" and number == 4:
                self._reset()
                return
            if fault == "stream_error" and number == 4:
                self._event({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
                break
            if fault == "unended" and event["type"] == "message_delta":
                break
            self._event(event)
            if fault == "slow":
                self._event({"type": "ping"})
                time.sleep(0.15)
        self.wfile.write(b"0\r\n\r\n")

    def _event(self, event: dict[str, Any]) -> None:
        self._chunk(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

    def _chunk(self, part: bytes) -> None:
        self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        self.wfile.flush()

    def _reset(self) -> None:
        """Close so that the other side sees a reset, not an end."""
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def _refuse(self, status: int, kind: str, message: str) -> None:
        body = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
        self._send(status, json.dumps(body).encode(), {"retry-after-ms": "20"} if status in (429, 500, 529) else {})

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, text in {
            "content-type": "application/json",
            "content-length": str(len(body)),
            **(headers or {}),
        }.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)


# ---------------------------------------------------------------- the wire format, by the SDK's own types

STRICT = ConfigDict(extra="forbid")
CREATING: TypeAdapter[Any] = TypeAdapter(with_config(STRICT)(MessageCreateParamsStreaming))
BATCHING: TypeAdapter[Any] = TypeAdapter(with_config(STRICT)(BatchCreateParams))
COUNTING: TypeAdapter[Any] = TypeAdapter(with_config(STRICT)(MessageCountTokensParams))
EVENTS: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)


def check_pictures(asked: Asked) -> None:
    """Each picture has the size that the words before it say."""
    for before, part in zip(asked.content, asked.content[1:], strict=False):
        if part["type"] == "image":
            png = base64.b64decode(part["source"]["data"])
            width, height = struct.unpack(">II", png[16:24])
            assert f"{width} × {height} pixels" in before["text"]


def spoken(asked: Asked, fault: Fault | None, answer: Answer) -> dict[str, Any]:
    """The whole message that answers the request."""
    data = answer(asked) if fault not in ("empty", "refusal") else {}
    text = json.dumps(data, ensure_ascii=False)
    reason = "end_turn"
    match fault:
        case "max_tokens":
            text, reason = text[: len(text) // 2], "max_tokens"
        case "refusal":
            text, reason = "", "refusal"
        case "empty":
            text = ""
        case "no_json":
            text = text[:-2] + ","
        case "no_schema":
            text = json.dumps(dict.fromkeys(data, "what?"))
        case "strange_page":
            data["pages"][0]["page"] = 999
            text = json.dumps(data, ensure_ascii=False)
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": asked.body["model"],
        "content": [{"type": "text", "text": text}] if text else [],
        "stop_reason": reason,
        "usage": {"input_tokens": len(json.dumps(asked.body)) // 3, "output_tokens": len(text) // 3 + 1},
    }


def events(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The message as it is streamed."""
    usage = {**message["usage"], "output_tokens": 1}
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None, "usage": usage}}
    for index, block in enumerate(message["content"]):
        text = block.get("text", "")
        yield {"type": "content_block_start", "index": index, "content_block": {"type": block["type"], "text": ""}}
        size = len(text) // 6 + 1
        for at in range(0, len(text), size):
            delta = {"type": "text_delta", "text": text[at : at + size]}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": message["usage"]["output_tokens"]}}
    yield {"type": "message_stop"}


# ---------------------------------------------------------------- reading statements of the sample's layout

ROW = re.compile(
    r"^(?P<invoice_number>\S+) {3,}(?P<date>\d\d\.\d\d\.\d{4}) {2,}(?P<description>.+?) {2,}(?P<quantity>[-\d.,]+) {2,}"
    r"(?P<unit_price>[-\d.,]+) {2,}(?P<amount>[-\d.,]+)$"
)
TOTAL = re.compile(
    r"^(?P<label>(?P<kind>Subtotal|Grand total|Carried forward|Brought forward)\b.*?) {3,}(?P<amount>[-\d.,]+)$"
)
TOTALS = {"Subtotal": "supplier", "Grand total": "document", "Carried forward": "carried", "Brought forward": "brought"}
HEAD = re.compile(r"^Invoice no\. +Date +Description +Qty +Unit price +Amount EUR$")
TITLES = {
    "invoice_number": "Invoice no.", "date": "Date", "description": "Description", "quantity": "Qty",
    "unit_price": "Unit price", "amount": "Amount EUR",
}  # fmt: skip


def read_rows(asked: Asked) -> dict[str, Any]:
    """The rows of the pages that were sent, read as a model should."""
    return {"pages": [_read_page(number, lines) for number, lines in asked.pages.items()]}


def _read_page(number: int, lines: list[str]) -> dict[str, Any]:
    items: list[dict[str, Any]] = []
    inside = False
    columns = [{"column": name, "title": title} for name, title in TITLES.items()]
    for line in map(str.strip, lines):
        if HEAD.match(line):
            inside = True
        elif not inside or line.startswith("Statement no."):
            continue
        elif found := ROW.match(line):
            cells = [{"column": name, "text": " ".join(text.split())} for name, text in found.groupdict().items()]
            items.append({"kind": "row", "cells": cells})
        elif found := TOTAL.match(line):
            items.append(_total(found))
        elif line.startswith("Supplier: "):
            name = WIDE.split(line)[0].removeprefix("Supplier: ")
            items.append({"kind": "supplier", "name": name, "labelled": True})
        elif line.startswith("Breakdown of "):
            items.append({"kind": "other", "text": line})
        elif items and items[-1]["kind"] in ("row", "continuation"):
            cell = next(cell for cell in items[-1]["cells"] if cell["column"] == "description")
            cell["text"] += " " + line
        else:
            items.append({"kind": "continuation", "cells": [{"column": "description", "text": line}]})
    return {"page": number, "columns": columns, "items": items}


def _total(found: re.Match[str]) -> dict[str, Any]:
    kind, label = found["kind"], found["label"].strip()
    name = label.removeprefix("Subtotal ") if kind == "Subtotal" else None
    cells = [{"column": "amount", "text": found["amount"]}]
    return {"kind": "total", "total": TOTALS[kind], "label": label, "name": name, "in_table": True, "cells": cells}
