"""A server on loopback that speaks the bot API as far as it is used, and fails as it is told to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any
from urllib.parse import parse_qsl

TOKEN = "123456:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQr"
BOT = {"id": 123456, "is_bot": True, "first_name": "Queue", "username": "queue_bot"}


@dataclass
class Sent:
    """A message that the bot sent."""

    message: int
    chat: int
    text: str
    photo: bytes = b""
    buttons: dict[str, str] = field(default_factory=dict)


class Refused(Exception):
    """What the server answers with status 400."""


@dataclass
class Chat:
    """What happened. drop: how often a connection is cut, by method; late: cut after the request took effect."""

    sent: list[Sent] = field(default_factory=list)
    deleted: list[Sent] = field(default_factory=list)
    rested: list[str] = field(default_factory=list)
    updates: list[dict[str, Any]] = field(default_factory=list)
    drop: dict[str, int] = field(default_factory=dict)
    late: dict[str, int] = field(default_factory=dict)
    repeats: bool = False
    offsets: list[int] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)
    last: int = 100

    def number(self) -> int:
        self.last += 1
        return self.last

    def questions(self) -> list[Sent]:
        return [one for one in self.sent if re.search(r"#[0-9a-f]{16}", one.text)]

    def lines(self) -> list[str]:
        return [one.text for one in self.sent if one not in self.questions()]

    def says(self, text: str, to: Sent | None = None, chat: int = 7, name: str = "Ana") -> None:
        """A person writes, in reply to a message or not."""
        with self.lock:
            user = {"id": 40 + chat, "is_bot": False, "first_name": name}
            where = {"id": chat, "type": "private"}
            message: dict[str, Any] = {
                "message_id": self.number(),
                "date": 1,
                "chat": where,
                "from": user,
                "text": text,
            }
            if to:
                replied = {"message_id": to.message, "date": 1, "chat": where, "from": BOT, "caption": to.text}
                message["reply_to_message"] = replied
            self.updates.append({"update_id": 500 + len(self.updates), "message": message})

    def presses(self, question: Sent, button: str, name: str = "Ana") -> None:
        """A person presses a button below a question."""
        with self.lock:
            number = 500 + len(self.updates)
            where = {"id": question.chat, "type": "private"}
            below = {"message_id": question.message, "date": 1, "chat": where, "from": BOT, "caption": question.text}
            query = {"id": f"q{number}", "from": {"id": 40 + question.chat, "is_bot": False, "first_name": name},
                     "message": below, "chat_instance": "1", "data": question.buttons[button]}  # fmt: skip
            self.updates.append({"update_id": number, "callback_query": query})

    def _edited(self, values: dict[str, str]) -> None:
        """Only the bot's own messages can be edited, and only to something else."""
        ours = [one for one in self.sent if one.message == int(values["message_id"])]
        if not ours:
            raise Refused("Bad Request: message can't be edited")
        if ours[0].text == (values.get("caption") or values.get("text")):
            raise Refused("Bad Request: message is not modified: specified new message content is the same")
        raise AssertionError("another message was changed")

    def answer(self, method: str, values: dict[str, str], photo: bytes) -> object:
        with self.lock:
            match method:
                case "getMe":
                    return BOT
                case "getUpdates":
                    offset = int(values.get("offset", 0))
                    self.offsets.append(offset)
                    return [one for one in self.updates if self.repeats or one["update_id"] >= offset]
                case "sendPhoto" | "sendMessage":
                    text = values.get("caption") or values["text"]
                    rows = json.loads(values.get("reply_markup", "{}")).get("inline_keyboard", [])
                    buttons = {one["text"]: one["callback_data"] for row in rows for one in row}
                    made = Sent(self.number(), int(values["chat_id"]), text, photo, buttons)
                    self.sent.append(made)
                    return {"message_id": made.message, "date": 1, "chat": {"id": made.chat, "type": "private"}}
                case "editMessageCaption" | "editMessageText":
                    self._edited(values)
                case "deleteMessage":
                    [gone] = [one for one in self.sent if one.message == int(values["message_id"])]
                    self.sent.remove(gone)
                    self.deleted.append(gone)
                    return True
                case "answerCallbackQuery":
                    self.rested.append(values["callback_query_id"])
                    return True
        raise AssertionError(method)


def _values(content: str, body: bytes) -> tuple[dict[str, str], bytes]:
    if not content.startswith("multipart/"):
        return dict(parse_qsl(body.decode())), b""
    parsed = BytesParser().parsebytes(b"Content-Type: " + content.encode() + b"\r\n\r\n" + body)
    values: dict[str, str] = {}
    photo = b""
    for part in parsed.walk():
        payload = part.get_payload(decode=True)
        if not isinstance(payload, bytes):
            continue
        if part.get_filename():
            photo = payload
        else:
            values[str(part.get_param("name", header="content-disposition"))] = payload.decode()
    return values, photo


@contextmanager
def serving() -> Iterator[tuple[Chat, str]]:
    """The chat behind a server, and the server's address."""
    chat = Chat()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            token, method = self.path.removeprefix("/bot").split("/")
            if token != TOKEN:
                self.reply(401, {"ok": False, "error_code": 401, "description": "Unauthorized"})
                return
            if chat.drop.get(method, 0) > 0:
                chat.drop[method] -= 1
                self.connection.close()
                return
            try:
                result = chat.answer(method, *_values(self.headers.get("Content-Type", ""), body))
            except Refused as error:
                self.reply(400, {"ok": False, "error_code": 400, "description": str(error)})
                return
            if chat.late.get(method, 0) > 0:
                chat.late[method] -= 1
                self.connection.close()
                return
            self.reply(200, {"ok": True, "result": result})

        def reply(self, status: int, told: dict[str, object]) -> None:
            text = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield chat, f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
