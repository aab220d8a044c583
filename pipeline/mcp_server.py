"""The store for agents: an MCP server, over standard input and output or over HTTP on this machine.

Comes in: the data folder, requests of MCP clients. Goes out: what the desk says, as structured results; what cannot be
said as a tool error of one line. Nothing is written: neither to the store nor to standard output, which belongs to the
protocol; what there is to log goes to standard error. Refuses, over HTTP: requests whose Host or Origin is not this
server's own name, so that no page in a browser can reach it by a name of its own.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import anyio
import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import Field, ValidationError

from pipeline import __version__, replies
from pipeline.citations import Cited
from pipeline.desk import Desk, Text
from pipeline.model import PipelineError, UsageError

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::")
RESOURCE_CHARACTERS = 100_000
INSTRUCTIONS = f"""Sections of PDFs, each with its page, read from the user's own store.
Find a document with list_documents. To read, ask outline for the tree, then get_section for one section by any written
number ("4.2", "§ 7(b)", "Schedule 2"): it gives that section and only that; subtree=true adds what is below it. search
looks through all documents. Cite by anchor or section_id with a verbatim quote, and check each quote with
verify_citation before you rely on it. {replies.NOTICE}"""
LOOKS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

log = logging.getLogger(__name__)

Document = Annotated[
    str,
    Field(
        max_length=300,
        description="Which document: its id as list_documents gives it (or more of its sha256), its name, or a part of"
        " the name that no other has. May be left empty where the store holds one document only.",
    ),
]
Section = Annotated[
    str,
    Field(
        min_length=1,
        max_length=300,
        description="Which section: a number in any written form (4.2, Section 7.3(b), § 4 Abs. 2, Schedule 2), an"
        " anchor (section-7-3-b), a section_id, or a title.",
    ),
]
Within = Annotated[str, Field(max_length=300, description="Only what is under this section; empty: the whole tree.")]
Offset = Annotated[int, Field(ge=0, description="Where to go on: next_offset of the part before.")]
Query = Annotated[str, Field(min_length=1, max_length=1000, description="What is looked for, in words or as a code.")]


@dataclass(frozen=True)
class Listen:
    """Where HTTP is served; port 0: any that is free."""

    host: str = "127.0.0.1"
    port: int = 8765


class Tools:
    """What an agent can ask. The text under each name is what the agent reads."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def list_documents(
        self,
        name: Annotated[str, Field(max_length=300, description="Only documents whose name holds this.")] = "",
        offset: Offset = 0,
    ) -> replies.Documents:
        """Lists the documents of the store, the newest first: id, name, pages, number of sections, and whether each
        can be asked (state "read") or what is the matter with it."""
        return self.desk.documents(name, offset)

    def outline(
        self,
        document: Document = "",
        section: Within = "",
        depth: Annotated[int, Field(ge=0, le=50, description="Levels to tell, 1: the top only; 0: all.")] = 0,
        offset: Offset = 0,
    ) -> replies.Tree:
        """Gives a document's section tree without its text: section_id, anchor, number, title, page, level, and how
        many sections and characters each holds. Begin with depth=1 or 2 on long documents."""
        return self.desk.outline(document, section, depth, offset)

    def get_section(
        self,
        section: Section,
        document: Document = "",
        subtree: Annotated[bool, Field(description="Also the text of all sections below it.")] = False,
        offset: Offset = 0,
        limit: Annotated[int, Field(ge=200, le=100_000, description="Characters of text at most.")] = 20_000,
    ) -> replies.Text:
        """Gives the text of one section and only that ("give me section 4.2"), with its breadcrumb, page and
        children. Long texts come in parts: call again with offset=next_offset until that is null."""
        return self.desk.section(document, section, Text(subtree, offset, limit))

    def search(
        self,
        query: Query,
        documents: Annotated[
            list[Document] | None, Field(max_length=100, description="Only these documents; left out: all.")
        ] = None,
        limit: Annotated[int, Field(ge=1, le=50, description="Sections at most.")] = 10,
    ) -> replies.Search:
        """Finds sections by words, by meaning, and by exact codes and numbers (X-204, 7.3(b)), the best first, each
        with its breadcrumb, page and a snippet. Read the whole section with get_section before you cite it."""
        return self.desk.search(query, documents or [], limit)

    def verify_citation(
        self,
        anchor: Annotated[str, Field(max_length=300, description="The section that is cited, in any written form.")],
        quote: Annotated[str, Field(max_length=20_000, description="The words quoted from it, verbatim.")],
        document: Document = "",
    ) -> replies.Citation:
        """Checks a quote against the document: verified, wrong_section (found_in says where it stands), invented
        (nearest is the likest text, with the differences) or not_found; with page and box of the words."""
        return self.desk.verify(document, Cited(anchor, quote))

    def clauses(self, query: Query, document: Document = "") -> replies.Clauses:
        """Lists all clauses of a document about something ("termination", "Haftung", "late payment"), in reading
        order, each with the words that say so, their page and the verdict on the quote."""
        return self.desk.clauses(document, query)

    def ask(self, question: Query, document: Document = "") -> replies.Answered:
        """Answers a lookup ("what is the governing law", "which category is X-204 in") in the document's own words
        with the section that says it. answer is null where the document does not say: then do not guess."""
        return self.desk.ask(document, question)

    def all(self) -> tuple[Any, ...]:
        """The tools, in the order in which they are listed."""
        asked = (self.list_documents, self.outline, self.get_section, self.search, self.verify_citation)
        return (*asked, self.clauses, self.ask)


class Server(MCPServer[None]):
    """An MCP server whose errors are one line each, in our words."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """The tool's result, or an error result of one line."""
        try:
            self._check_names(name, arguments)
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            return CallToolResult(content=[TextContent(type="text", text=_told(name, error))], is_error=True)

    def _check_names(self, name: str, arguments: dict[str, Any]) -> None:
        tools = {tool.name: tool for tool in self._tool_manager.list_tools()}
        if name not in tools:
            raise ToolError(f"There is no tool {name!r}. There are: {', '.join(tools)}")
        known = list(tools[name].parameters["properties"])
        for argument in arguments:
            if argument not in known:
                raise ToolError(f"{name} takes no argument {argument!r}. It takes: {', '.join(known)}")


def _told(name: str, error: ToolError) -> str:
    """What went wrong, on one line; what was not foreseen is logged, and not told."""
    match error.__cause__:
        case ValidationError() as cause:
            told = "; ".join(_wrong(one["loc"], one["type"], one["msg"]) for one in cause.errors())
            return " ".join(f"{name}: {told}".split())
        case PipelineError() as cause:
            return " ".join(str(cause).split())
        case None:
            return " ".join(str(error).split())
    log.error("%s failed", name, exc_info=error.__cause__)
    return f"{name} failed inside pagewitness; its log on standard error says why"


def _wrong(where: tuple[int | str, ...], kind: str, message: str) -> str:
    argument = ".".join(map(str, where))
    return f"{argument} is missing" if kind == "missing" else f"{argument}: {message[:1].lower()}{message[1:]}"


def build(home: Path) -> Server:
    """The server over the store in a folder."""
    desk = Desk(home)
    server = Server("pagewitness", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    for tool in Tools(desk).all():
        server.add_tool(tool, description=" ".join(tool.__doc__.split()), annotations=LOOKS, structured_output=True)

    @server.resource(
        "pagewitness://documents/{document}/sections/{section}",
        name="section",
        description=f"The text of one section. {replies.NOTICE}",
        mime_type="text/plain",
    )
    def section(document: str, section: str) -> str:
        try:
            found = desk.section(document, section, Text(limit=RESOURCE_CHARACTERS))
        except PipelineError as error:
            raise ResourceNotFoundError(" ".join(str(error).split())) from error
        more = f"\n[{found.characters} characters in all: get_section, offset={found.next_offset}]"
        return found.content + (more if found.next_offset else "")

    return server


def serve(home: Path, listen: Listen | None = None) -> int:
    """Serve until the client goes, over standard input and output; or over HTTP until stopped. The exit code."""
    server = build(home)
    if listen is None:
        if sys.stdin.isatty():
            sys.stderr.write("pagewitness: waiting for an MCP client on standard input; Ctrl-D ends\n")
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # the thread that waits for a line would hold the exit up
        anyio.run(server.run_stdio_async)
        return 0
    with _bound(listen) as bound:
        host, port = (f"[{listen.host}]" if ":" in listen.host else listen.host), bound.getsockname()[1]
        app = server.streamable_http_app(transport_security=_guarded(host, port), host=listen.host)
        options = uvicorn.Config(app, log_config=None, log_level="warning", ws="none", timeout_graceful_shutdown=2)
        if host not in LOOPBACK:
            sys.stderr.write(f"pagewitness: whoever reaches {host} can read all documents of the store\n")
        sys.stderr.write(f"pagewitness: MCP at http://{host}:{port}/mcp\n")
        uvicorn.Server(options).run(sockets=[bound])
    return 0


def _bound(listen: Listen) -> socket.socket:
    """The socket to listen on; UsageError where it cannot be had."""
    try:
        family = socket.getaddrinfo(listen.host, listen.port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((listen.host, listen.port), family=family)
    except OverflowError as error:
        raise UsageError(f"there is no port {listen.port}: --port is 0 to 65535") from error
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise UsageError(f"cannot listen on {listen.host}:{listen.port}: {why}. Choose another --port") from error


def _guarded(host: str, port: int) -> TransportSecuritySettings:
    """The names by which the server may be called: its own, and this machine's where it listens everywhere; through a
    tunnel also at another port. Of pages in a browser only its own may call, and it has none.
    """
    names = {*LOOPBACK, host}
    if host.strip("[]") in EVERYWHERE:
        names |= {socket.gethostname(), *_addresses()}
    hosts = [form for name in sorted(names) for form in (name, f"{name}:*")]
    origins = [f"http://{name}:{port}" for name in sorted(names)]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)


def _addresses() -> list[str]:
    """This machine's own addresses, as a Host header has them."""
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)
    except OSError:
        return []
    plain = [str(one[4][0]) for one in found]
    return [f"[{one}]" if ":" in one else one for one in plain]
