"""The command `pagewitness`.

Comes in: arguments. Goes out: JSON by contract (`--json`), or a short table for a person; errors as one line on
standard error. Exit codes: 0 done, 1 something is in review under `--strict`, 2 wrong usage, 3 the document cannot
be read, 4 the engine failed or has no key, 5 the store.

Heavy modules are imported by the command that needs them: `sections` and `rows` start fast.
"""

from __future__ import annotations

import argparse
import errno
import gc
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from pipeline import __version__
from pipeline.model import Document, Outline, Page, PipelineError, Reading, Statement, StoreError, UsageError
from pipeline.profiles import Profile

if TYPE_CHECKING:
    from pipeline.answer import Book
    from pipeline.arms import Case
    from pipeline.budget import Estimate
    from pipeline.claude import Claude
    from pipeline.decisions import Decision
    from pipeline.engine import Engine
    from pipeline.many import Progress as RunProgress
    from pipeline.model import Section
    from pipeline.store import Store
    from pipeline.treediff import TreeDiff

AS_READ_HELP = "leave out what people decided of this file in the store (see review)"
EPILOG = "Exit codes: 0 done, 1 in review (--strict), 2 wrong usage, 3 unreadable document, 4 engine, 5 store."

UNPRINTABLE = "backslashreplace"  # what no encoding has: half a pair, a byte of a file's name; JSON stays JSON
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # the disk, the share of it, the file
PASSWORD = "PAGEWITNESS_PASSWORD"
PASSWORD_HELP = f"of a locked PDF; - asks for it. Others on this machine can see a WORD; they cannot see {PASSWORD}"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}. See: {self.prog} --help\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=UNPRINTABLE)
    arguments = _parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = arguments.command
    try:
        code = command(arguments)
        sys.stdout.flush()
        return code
    except PipelineError as error:
        where = f"{arguments.file}: " if getattr(arguments, "file", None) else ""
        print(f"pagewitness: {where}{' '.join(str(error).split())}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("pagewitness: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        _drop_output()
        return 0
    except OSError as error:
        if error.errno not in FULL:
            raise
        _drop_output()
        print(f"pagewitness: not all can be written: {error.strerror}. Make room, and run it again.", file=sys.stderr)
        return UsageError.exit_code


def _drop_output() -> None:
    """What is still held back goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="pagewitness", description="Data from PDFs, each value with its place.", epilog=EPILOG)
    parser.add_argument("--version", action="version", version=f"pagewitness {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    words = _document(commands, "words", "the words of each page, with boxes", _words)
    words.add_argument("--page", type=int, metavar="N", help="only this page, counted from 1")
    sections = _document(commands, "sections", "the section tree and the boilerplate ledger", _sections)
    sections.add_argument("--ignore-outline", action="store_true", help="do not use the PDF's own outline")
    sections.add_argument(
        "--format",
        choices=["json", "jsonl", "md", "html", "chunks", "sqlite"],
        help="what to print instead of a table; sqlite needs -o",
    )
    sections.add_argument(
        "--tokens", action="store_true", help="what the file weighs in each form: as a table, or in the JSON"
    )
    sections.add_argument(
        "--links", action="store_true", help="where references lead, and terms: in the JSON, or what is missing as text"
    )
    rows = _document(commands, "rows", "the rows of a statement, reconciled with its printed totals", _rows)
    rows.add_argument("--chunk-pages", type=int, metavar="N", help="pages a window has (profile: 5)")
    rows.add_argument("--overlap", type=int, metavar="N", help="pages that windows share (profile: 1)")
    _engine_choice(rows, "who reads")
    rows.add_argument(
        "--format",
        choices=["json", "jsonl", "csv", "xlsx", "parquet", "accounting"],
        help="what to print instead of a report; xlsx and parquet need -o; accounting: only where nothing is in review",
    )
    rows.add_argument("--as-read", action="store_true", help=AS_READ_HELP)
    rows.add_argument("--strict", action="store_true", help="exit 1 where the verdict is human review")
    fields = _document(commands, "fields", "the fields of invoices, each with its place and its witnesses", _fields)
    _engine_choice(fields, "who reads")
    fields.add_argument(
        "--format", choices=["json", "csv", "xlsx"], help="what to print instead of a report; xlsx needs -o"
    )
    fields.add_argument("--as-read", action="store_true", help=AS_READ_HELP)
    fields.add_argument("--strict", action="store_true", help="exit 1 where a field is in review")
    _ask_command(commands)
    _contract_commands(commands)
    _verify_command(commands)
    _report_command(commands)
    _batch_command(commands)
    _evaluate_command(commands)
    changes = _command(commands, "changes", "what became of the sections of a file's older version", _changes)
    changes.add_argument("older", type=Path, help="a PDF")
    changes.add_argument("newer", type=Path, help="its newer version")
    changes.add_argument("--profile", default="default", help="name of a profile, or path of a .toml file")
    changes.add_argument("--section", metavar="ID", help="only where this id or anchor of the older version leads")
    changes.add_argument("--json", action="store_true", help="print JSON")
    changes.add_argument("--password", metavar="WORD", help=PASSWORD_HELP)
    _profile_commands(commands)
    _store_commands(commands)
    doctor = _command(commands, "doctor", "what is installed, what waits for what, and how the store is", _doctor)
    doctor.add_argument("--online", action="store_true", help="ask the model's server, too, whether it would answer")
    doctor.add_argument("--strict", action="store_true", help="exit 1 where something is wrong")
    doctor.add_argument("--json", action="store_true", help="print JSON")
    app = _command(commands, "app", "open the app in a browser", _app)
    app.add_argument("--port", type=int, default=8501, help="port on this machine; the next free one is taken")
    app.add_argument("--sample", metavar="NAME", help="open on this sample document")
    _review_commands(commands)
    _command(commands, "telegram", "nothing: asks the review queue's questions in chats until it is ended", _telegram)
    _mcp_command(commands)
    return parser


Seen = Callable[[Page], None]
Progress = Callable[[int, int], None]
Commands = Any  # argparse does not name the type of its subparsers


def _command(commands: Commands, name: str, text: str, run: Callable[..., int]) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=text, description=f"Prints {text}.")
    parser.set_defaults(command=run)
    return parser


def _document(
    commands: Commands, name: str, text: str, run: Callable[..., int], file: str = "a PDF"
) -> argparse.ArgumentParser:
    parser = _command(commands, name, text, run)
    parser.add_argument("file", type=Path, help=file)
    parser.add_argument("--profile", default="default", help="name of a profile, or path of a .toml file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help="write there instead of printing")
    parser.add_argument("--password", metavar="WORD", help=PASSWORD_HELP)
    return parser


def _engine_choice(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--engine", choices=["local", "claude"], default="local", help=what)
    parser.add_argument("--yes", action="store_true", help="what Claude may cost is confirmed: nobody is asked")
    parser.add_argument(
        "--count",
        action="store_true",
        help="the server counts what it would be sent, for nothing, before anybody is asked",
    )


def _ask_command(commands: Commands) -> None:
    ask = _document(commands, "ask", "the answer to a question, quoted, with its section and page", _ask)
    ask.add_argument("question", metavar="QUESTION", nargs="?", help='"Which category is X-204 in?"')
    ask.add_argument("--questions", type=Path, metavar="CSV", help="many at once: a column question, perhaps expected")
    _engine_choice(ask, "who answers")
    ask.add_argument("--strict", action="store_true", help="exit 1 where an answer is in review or missing")


def _contract_commands(commands: Commands) -> None:
    clauses = _document(commands, "clauses", "the clauses about something, each quote checked on its page", _clauses)
    clauses.add_argument("query", metavar="QUERY", help='what about: "termination", or a question in words')
    _engine_choice(clauses, "who looks for them")
    citations = _document(commands, "citations", "the verdict on each citation of an answer", _citations)
    citations.add_argument(
        "cited", metavar="CITED", help='JSON, [{"anchor": …, "quote": …}], or an answer as text or Markdown; - is input'
    )
    for parser in (clauses, citations):
        parser.add_argument("--strict", action="store_true", help="exit 1 where a citation is not verified")


def _verify_command(commands: Commands) -> None:
    what = "each value of a JSON or CSV held against the page"
    verify = _document(commands, "verify", what, _verify, "a PDF, or a picture")
    verify.add_argument("values", metavar="VALUES", help="the JSON or CSV, whatever made it; - is input, as JSON")
    verify.add_argument("--schema", metavar="JSON", help="a JSON Schema that says what the values are")
    verify.add_argument("--strict", action="store_true", help="exit 1 where a value is in review or a row is missing")
    verify.add_argument("--as-read", action="store_true", help=AS_READ_HELP)
    verify.add_argument(
        "--format", choices=["nested", "csv", "xlsx"],
        help="instead of a report: JSON of the shape of the values, or a line a value; xlsx needs -o",
    )  # fmt: skip


def _report_command(commands: Commands) -> None:
    what = "a document with all that was found in it, as one HTML file to open offline, mail or print"
    report = _command(commands, "report", what, _report)
    report.add_argument("file", type=Path, help="a PDF; where the store has results of it, these with what was decided")
    report.add_argument("-o", "--output", type=Path, required=True, metavar="PATH", help="the HTML file")
    report.add_argument("--profile", default="default", help="name of a profile, or path of a .toml file")
    report.add_argument("--password", metavar="WORD", help=PASSWORD_HELP)


def _batch_command(commands: Commands) -> None:
    batch = _command(commands, "batch", "what became of many PDFs, each result a JSON file and part of a table", _batch)
    batch.add_argument(
        "folder", help="a folder, a pattern ('in/**/*.pdf'), a list of files (.txt), or an address (s3://…)"
    )
    batch.add_argument(
        "-o", "--output", dest="out", metavar="OUT", required=True, help="write there; a folder or an address"
    )
    batch.add_argument("--do", choices=["sections", "rows", "fields"], default="rows", help="what is read (rows)")
    batch.add_argument("--profile", default="default", help="name of a profile, or path of a .toml file")
    _engine_choice(batch, "who reads; claude: by Message Batches, at half the price, within 24 hours")
    batch.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="of a Dask scheduler, such as tcp://10.0.0.5:8786"
    )
    batch.add_argument(
        "--workers", type=int, metavar="N", help="so many here (one for each processor); 0: this process alone"
    )
    batch.add_argument("--no-wait", action="store_true", help="send the calls and end; the same command collects them")
    batch.add_argument("--cancel", action="store_true", help="cancel the batches that wait for this folder")
    batch.add_argument("--every", type=float, default=60.0, metavar="SECONDS", help="between two looks (60)")
    batch.add_argument("--json", action="store_true", help="print JSON")


def _evaluate_command(commands: Commands) -> None:
    evaluate = _command(commands, "evaluate", "how ways to read a document fare against truth", _evaluate)
    evaluate.add_argument(
        "suite", nargs="?", default="all", choices=["all", "catalogue", "contracts", "invoices", "statements"]
    )
    _engine_choice(evaluate, "claude: each way to put the document to it, which takes a key; local: the rules alone")
    evaluate.add_argument("--document", type=Path, metavar="PDF", help="instead of the sample; X.truth.json beside it")
    evaluate.add_argument("--most", type=int, metavar="N", help="questions of a catalogue that are asked (all)")
    evaluate.add_argument("--kept", action="store_true", help="measure nothing: what was measured before")
    evaluate.add_argument("--json", action="store_true", help="print JSON")
    evaluate.add_argument("-o", "--output", type=Path, metavar="PATH", help="write there: Markdown, or .parquet")


def _profile_commands(commands: Commands) -> None:
    parser = commands.add_parser("profile", help="the profiles of templates: list, show, check, suggest, diff")
    actions = parser.add_subparsers(required=True, metavar="ACTION", parser_class=_Parser)
    _command(actions, "list", "the names of all profiles", _profile_list)
    show = _command(actions, "show", "a profile as TOML", _profile_show)
    show.add_argument("name", help="name, or path of a .toml file")
    check = _command(actions, "check", "what is wrong with a profile, or what it does on a PDF", _profile_check)
    check.add_argument("name", metavar="NAME|FILE", help="name, or path of a .toml file or of a PDF")
    check.add_argument("--profile", metavar="NAME", help="with a PDF: the profile to try on it (default)")
    check.add_argument("--remember", action="store_true", help="with a PDF: the profile keeps what it looks like")
    suggest = _command(actions, "suggest", "the known templates that a PDF looks like, and why", _profile_suggest)
    suggest.add_argument("file", type=Path, help="a PDF")
    differ = _command(actions, "diff", "what differs between two profiles, and what that does on a PDF", _profile_diff)
    differ.add_argument("one", help="name, or path of a .toml file")
    differ.add_argument("other", help="name, or path of a .toml file")
    differ.add_argument("file", type=Path, nargs="?", help="a PDF")
    for action in (check, suggest, differ):
        action.add_argument("--json", action="store_true", help="print JSON")
        action.add_argument("--password", metavar="WORD", help=PASSWORD_HELP)


def _store_commands(commands: Commands) -> None:
    parser = commands.add_parser("store", help="the store: list, check, backup, export, reindex, delete, vacuum")
    actions = parser.add_subparsers(required=True, metavar="ACTION", parser_class=_Parser)
    listing = _command(actions, "list", "the store's documents: id, pages, searched sections, name", _store_list)
    listing.add_argument("--json", action="store_true", help="print JSON")
    _command(actions, "check", "whether the store is whole", _store_check)
    _command(actions, "reindex", "how much is searched, after indexing all anew", _store_reindex)
    backup = _command(actions, "backup", "where a copy of the store was written", _store_backup)
    backup.add_argument("path", type=Path, help="a new file")
    export = _command(actions, "export", "where the store's documents were written as plain files", _store_export)
    export.add_argument("path", type=Path, help="a new folder")
    export.add_argument("documents", nargs="*", metavar="DOCUMENT", help="an id or a name; all where none is given")
    delete = _command(actions, "delete", "what was deleted of the store, and that nothing of it is left", _store_delete)
    delete.add_argument("documents", nargs="*", metavar="DOCUMENT", help="its id as `store list` shows it, or its name")
    delete.add_argument(
        "--older-than", type=float, metavar="DAYS", help="all that were added longer than so many days ago"
    )
    delete.add_argument("--yes", action="store_true", help="do not ask")
    _command(actions, "vacuum", "how much of the disk was given back after deletions", _store_vacuum)


def _review_commands(commands: Commands) -> None:
    parser = commands.add_parser("review", help="what a person must see of statements: list, show, decide")
    actions = parser.add_subparsers(required=True, metavar="ACTION", parser_class=_Parser)
    listing = _command(actions, "list", "the open questions of the store's statements, the dearest first", _review_list)
    listing.add_argument("--document", metavar="NAME|SHA256", default="", help="only documents that begin so")
    listing.add_argument("--strict", action="store_true", help="exit 1 where a question is open")
    show = _command(actions, "show", "a question or a row, and what was decided", _review_show)
    decide = _command(actions, "decide", "what was decided, and the verdict that follows", _review_decide)
    trail = _command(actions, "audit", "every decision that was made, as CSV", _review_audit)
    trail.add_argument("--document", metavar="NAME|SHA256", default="", help="only documents that begin so")
    trail.add_argument("-o", "--output", type=Path, metavar="PATH", help="write there instead of printing")
    for action in (show, decide):
        action.add_argument("id", metavar="ID", help="of a question or a row, or how it begins")
    decide.add_argument("action", choices=["approve", "correct", "reject", "split", "add", "undo"])
    decide.add_argument(
        "--value",
        action="append",
        default=[],
        metavar="COLUMN=VALUE",
        help="amount=312.40; again for each row of a split",
    )
    decide.add_argument("--by", metavar="NAME", default="", help="who decides (the user of this machine)")
    decide.add_argument("--sequence", type=int, metavar="N", help="refuse where more was decided than you saw (show)")
    for action in (listing, show, decide):
        action.add_argument("--json", action="store_true", help="print JSON")


def _mcp_command(commands: Commands) -> None:
    parser = commands.add_parser(
        "mcp",
        help="serve the store to agents by MCP, to read only",
        description="Serves the store to an MCP client on standard input and output, or by HTTP; it is only read.",
    )
    parser.set_defaults(command=_mcp)
    parser.add_argument("--http", action="store_true", help="serve streamable HTTP, at /mcp")
    parser.add_argument("--host", help="with --http: the address to listen on (127.0.0.1: this machine only)")
    parser.add_argument("--port", type=int, help="with --http: the port (8765); 0: any that is free")


# ---------------------------------------------------------------- documents


def _words(arguments: argparse.Namespace) -> int:
    _start_reader()
    from pipeline import render

    reading, _ = _read(arguments)
    pages = reading.pages
    if arguments.page is not None:
        pages = tuple(page for page in pages if page.number == arguments.page)
        if not pages:
            raise UsageError(f"there is no page {arguments.page}; the document has {len(reading.pages)}")
    if arguments.json:
        return _print_parts(render.words_json(reading.document, pages), arguments)
    lines = [
        f"page {page.number}: {len(page)} words, {page.origin}, health {page.health:.2f} {'; '.join(page.reasons)}"
        for page in pages
    ]
    return _print("\n".join(map(str.rstrip, lines)), arguments)


def _sections(arguments: argparse.Namespace) -> int:
    if arguments.format == "sqlite" and (arguments.output is None or arguments.json):
        raise UsageError("--format sqlite writes a file: name it with -o, and leave --json out")
    if (arguments.tokens or arguments.links) and arguments.format not in (None, "json"):
        raise UsageError("--tokens and --links print a table, or go into the JSON: leave --format out, or use --json")
    _start_reader()
    from pipeline import render

    reading, result, profile = _outlined(arguments)
    if arguments.tokens:
        return _weighed(reading, result, profile, arguments)
    if arguments.json or arguments.format == "json":
        return _print_json({**render.sections_json(reading, result, profile), **_linked(result, arguments)}, arguments)
    if arguments.links:
        return _missing(result, arguments)
    if arguments.format:
        return _sections_file(reading, result, profile, arguments)
    lines = [
        f"{'  ' * max(0, section.level - 1)}{section.number or ''} {section.title} · page {section.page}".strip()
        for section in result.sections
    ]
    summary = f"{len(result.sections)} sections, {len(result.removed)} lines of boilerplate in the ledger"
    return _print("\n".join([*lines, summary]), arguments)


def _sections_file(reading: Reading, result: Outline, profile: Profile, arguments: argparse.Namespace) -> int:
    """The sections in one of the formats besides JSON."""
    from pipeline import export, render

    match arguments.format:
        case "md":
            return _print(render.markdown(result), arguments)
        case "html":
            from pipeline import html

            return _print(html.page(reading.document, result).removesuffix("\n"), arguments)
        case "chunks":
            from pipeline import chunks

            found = chunks.of(result.sections, profile.chunks.chunk_tokens)
            return _print(chunks.to_jsonl(found).removesuffix("\n"), arguments)
        case "jsonl":
            return _print(export.sections_jsonl(result.sections).removesuffix("\n"), arguments)
    export.sections_sqlite(result.sections, arguments.output)
    return 0


def _weighed(reading: Reading, result: Outline, profile: Profile, arguments: argparse.Namespace) -> int:
    """What the document weighs in each form: beside its sections in the JSON, or as a table."""
    from pipeline import html, inputs, render

    page = html.page(reading.document, result)
    found = inputs.compare(reading, result, page, profile.chunks.chunk_tokens)
    if not arguments.json and arguments.format != "json":
        return _print(inputs.to_text(found), arguments)
    sections = render.sections_json(reading, result, profile)
    return _print_json({**sections, "tokens": inputs.to_json(found), **_linked(result, arguments)}, arguments)


def _linked(result: Outline, arguments: argparse.Namespace) -> dict[str, Any]:
    """What --links puts into the JSON."""
    if not arguments.links:
        return {}
    from pipeline import links

    return links.to_json(links.find(result.sections))


def _missing(result: Outline, arguments: argparse.Namespace) -> int:
    """How many references lead where, and which parts they miss."""
    from pipeline import links

    return _print(links.to_text(links.find(result.sections)), arguments)


def _rows(arguments: argparse.Namespace) -> int:
    if arguments.format in ("xlsx", "parquet") and (arguments.output is None or arguments.json):
        raise UsageError(f"--format {arguments.format} writes a file: name it with -o, and leave --json out")
    _start_reader()
    from pipeline import decisions, paid, review, run, statements

    profile = _windowed(_profile(arguments.profile), arguments)
    run.engine(arguments.engine)  # a missing key is told before anything is read
    reading = _path_read(arguments, profile)
    engine = _engine(arguments, reading)
    _confirm(engine, paid.rows(engine, reading, profile.statement, _is_counted(arguments)), arguments)
    with _told_cost(engine):
        book = statements.read(reading, profile, engine, _live_cost(engine))
    made = () if arguments.as_read else _decisions(reading.document, decisions.of_rows)
    statement = review.reviewed(review.ground(reading.document.sha256, book), made).statement
    code = 1 if arguments.strict and statement.reconciliation.action == "human_review" else 0
    if arguments.json or arguments.format == "json":
        told = {**statements.to_json(statement), "decisions": [decisions.to_json(one) for one in made]}
        return _print_json(told, arguments) or code
    if arguments.format:
        return _rows_file(statement, arguments) or code
    return _print(_told(statement), arguments) or code


def _decisions(document: Document, of: Callable[[Sequence[Decision]], tuple[Decision, ...]]) -> tuple[Decision, ...]:
    """What people decided of the same file in the store, said on standard error; none where there is no store.

    of: which of the decisions are about what is read now.
    """
    from pipeline import decisions
    from pipeline.files import home
    from pipeline.readonly import ReadOnlyStore

    store = ReadOnlyStore(home())
    if not store.there:
        return ()
    try:
        made = of(decisions.of(store, document.sha256))
    except StoreError as error:
        print(f"pagewitness: decisions in the store were left out: {error}", file=sys.stderr)
        return ()
    if standing := [stack[-1] for stack in decisions.standing(made).values()]:
        who = ", ".join(dict.fromkeys(one.who for one in standing))
        print(
            f"pagewitness: what {who} decided of this file in the store holds here, too ({len(standing)} in all);"
            " --as-read leaves it out",
            file=sys.stderr,
        )
    return made


def _rows_file(statement: Statement, arguments: argparse.Namespace) -> int:
    """The rows in one of the formats besides JSON: bytes, as they are."""
    from pipeline import rowfiles

    return _print_file(rowfiles.made(statement, arguments.format, arguments.file.name), arguments)


def _print_file(content: bytes, arguments: argparse.Namespace) -> int:
    """A table as it is, to a file or as text."""
    from pipeline import tablefiles

    if arguments.output:
        tablefiles.write(arguments.output, content)
    else:
        sys.stdout.write(content.decode("utf-8"))
    return 0


def _told(statement: Statement) -> str:
    """Rows, sums and verdict for a person."""
    review = sum(row.status == "review" for row in statement.rows)
    lines = [f"{len(statement.rows)} rows, {review} of them in review"]
    for scope in statement.reconciliation.scopes:
        where = " ".join(filter(None, (scope.scope, scope.name, f"page {scope.page}" if scope.page else "")))
        if scope.scope == "document" or scope.delta:
            lines.append(
                f"{where}: printed {scope.printed}, computed {scope.computed}, delta {scope.delta} {scope.currency}"
            )
    lines += [f"{finding.severity}: {finding.message}" for finding in statement.findings]
    return "\n".join([*lines, f"verdict: {statement.reconciliation.action.replace('_', ' ')}"])


def _fields(arguments: argparse.Namespace) -> int:
    if arguments.format == "xlsx" and (arguments.output is None or arguments.json):
        raise UsageError("--format xlsx writes a file: name it with -o, and leave --json out")
    _start_reader()
    from pipeline import decisions, fieldfiles, fieldreview, files, invoices, run, worker

    profile = _profile(arguments.profile)
    run.engine(arguments.engine)
    arguments.password = _password(arguments.password)
    access = files.access(files.home(), arguments.password)
    leaves = worker.leaves(arguments.file, access)
    reading = _path_read(arguments, profile)
    embedded = [one.content for one in worker.attachments(arguments.file, access)]
    engine = _engine(arguments, reading)
    _confirm_run(engine, lambda reader: invoices.extract(reading, profile, reader), arguments)
    with _told_cost(engine):
        read = invoices.extract(reading, profile, engine, leaves=leaves, embedded=embedded)
    made = () if arguments.as_read else _decisions(reading.document, decisions.of_fields)
    found = fieldreview.reviewed(reading.document.sha256, read, profile.fields, made).invoices
    code = int(arguments.strict and any(field.status == "review" for field in found.fields))
    if arguments.json or arguments.format == "json":
        told = {**invoices.to_json(found, engine.name), "decisions": [decisions.to_json(one) for one in made]}
        return _print_json(told, arguments) or code
    if arguments.format:
        lines = [fieldfiles.Read(arguments.file.name, found)]
        return _print_file(fieldfiles.made(lines, arguments.format, profile.fields), arguments) or code
    return _print(invoices.to_text(found), arguments) or code


def _ask(arguments: argparse.Namespace) -> int:
    if (arguments.question is None) == (arguments.questions is None):
        raise UsageError(
            'name a question, or a file of them with --questions: pagewitness ask FILE "Who is the Client?"'
        )
    _start_reader()
    from pipeline import answer, run

    run.engine(arguments.engine)
    if arguments.questions:
        return _ask_many(arguments)
    book = _book(arguments)
    engine = _engine(arguments, book.reading)
    _confirm_questions(engine, [arguments.question], book, arguments)
    with _told_cost(engine):
        found = answer.ask(arguments.question, book, engine)
    code = int(arguments.strict and found.status == "review")
    if arguments.json:
        return (
            _print_json({**answer.answer_json(found, engine.name), "document_tokens": book.tokens}, arguments) or code
        )
    return _print(answer.answer_text(found, book.tokens), arguments) or code


def _ask_many(arguments: argparse.Namespace) -> int:
    """The answers to a file of questions: as CSV with -o, and how they fared."""
    from pipeline import questions

    asked = questions.read(_text_of(str(arguments.questions)))
    book = _book(arguments)
    engine = _engine(arguments, book.reading)
    _confirm_questions(engine, [one.text for one in asked], book, arguments)
    with _told_cost(engine):
        found = questions.ask(asked, book, engine)
    code = int(arguments.strict and any(one.answer.status == "review" or one.right is False for one in found))
    if arguments.json:
        return _print_json(questions.to_json(found, book, engine.name), arguments) or code
    if arguments.output:
        _print(questions.to_csv(found).decode().removesuffix("\n"), arguments)
    print(questions.to_text(found, book))
    return code


def _confirm_questions(engine: Engine, asked: Sequence[str], book: Book, arguments: argparse.Namespace) -> None:
    """What questions may cost, each looked for as widely as can be."""
    from pipeline import answer

    _confirm_run(engine, lambda reader: [answer.ask(one, book, reader) for one in asked], arguments, at_most=True)


def _book(arguments: argparse.Namespace) -> Book:
    """The document that questions are put to."""
    from pipeline import answer, facts

    reading, outline, _ = _outlined(arguments)
    return answer.Book(outline.sections, reading, facts.find(outline.removed))


def _clauses(arguments: argparse.Namespace) -> int:
    if not any(map(str.isalnum, arguments.query)):
        raise UsageError('the question has no word; say what the clauses are about, for example "termination"')
    _start_reader()
    from pipeline import answer, run
    from pipeline.engine import Query

    run.engine(arguments.engine)
    reading, outline, profile = _outlined(arguments)
    engine = _engine(arguments, reading)
    query = Query(arguments.query, profile.clauses.synonyms)
    _confirm_run(engine, lambda reader: answer.clauses(query, outline.sections, reading, reader), arguments)
    with _told_cost(engine):
        found = answer.clauses(query, outline.sections, reading, engine)
    code = int(arguments.strict and any(clause.verdict.verdict != "verified" for clause in found))
    if arguments.json:
        return _print_json(answer.to_json(query, found, engine.name), arguments) or code
    return _print(answer.to_text(query, found), arguments) or code


def _citations(arguments: argparse.Namespace) -> int:
    _start_reader()
    from pipeline import citations, pasted

    answer = pasted.loads(_text_of(arguments.cited), arguments.cited)
    reading, outline, _ = _outlined(arguments)
    checker = citations.Checker(outline.sections, reading)
    verdicts = [checker.verdict(one) for one in answer.citations]
    code = int(arguments.strict and any(verdict.verdict != "verified" for verdict in verdicts))
    unquoted = checker.unquoted(answer.unquoted)
    if arguments.json:
        return _print_json(citations.to_json(verdicts, unquoted), arguments) or code
    return _print(citations.to_text(verdicts, unquoted), arguments) or code


def _verify(arguments: argparse.Namespace) -> int:
    if arguments.format == "xlsx" and not arguments.output:
        raise UsageError("--format xlsx writes a file: name it with -o")
    _start_reader()
    from pipeline import decisions, leaves, supplied, valuereview, verifiedfiles, verify

    values = supplied.values(_text_of(arguments.values), arguments.values)
    schema = leaves.load(_text_of(arguments.schema), arguments.schema) if arguments.schema else None
    reading, _ = _read(arguments)
    found, sha256 = verify.verify(reading, values, schema), reading.document.sha256
    made = () if arguments.as_read else _decisions(reading.document, decisions.of_values)
    verified = valuereview.reviewed(sha256, Path(arguments.values).name, found, made).verified
    code = int(arguments.strict and bool(verified.count("review") or verified.missing))
    match arguments.format:
        case "nested":
            return _print(verifiedfiles.nested(values, verified), arguments) or code
        case "csv" | "xlsx":
            return _print_file(verifiedfiles.made(verified, arguments.format), arguments) or code
    if arguments.json:
        return _print_json(verify.to_json(verified), arguments) or code
    return _print(verify.to_text(verified), arguments) or code


def _report(arguments: argparse.Namespace) -> int:
    """From the store, with what people decided, where the file has results there; else made now, and not kept."""
    from tempfile import TemporaryDirectory

    from pipeline import docket, report
    from pipeline.files import home
    from pipeline.readonly import ReadOnlyStore
    from pipeline.store import Store

    profile, kept = _profile(arguments.profile), ReadOnlyStore(home())
    with TemporaryDirectory(prefix="pagewitness-") as folder:
        store = Store(Path(folder))
        sha256 = store.add_file(arguments.file, arguments.file.name).sha256
        if kept.there and docket.results(kept, sha256):
            return _print(report.of(Store(home()), sha256, profile), arguments)
        kinds = report.gather(store, sha256, profile, _password(arguments.password))
        return _print(report.of(store, sha256, profile, kinds), arguments)


def _progress_bar(drawn: Callable[[RunProgress], str]) -> Callable[[RunProgress], None]:
    """Shows on standard error how far a run is: in one line on a terminal, else as a line now and then."""
    last = 0.0
    terminal = sys.stderr.isatty()

    def show(progress: RunProgress) -> None:
        nonlocal last
        ended = progress.done + progress.failed == progress.total
        if time.monotonic() - last < (0.2 if terminal else 10.0) and not ended:
            return
        last = time.monotonic()
        if terminal:
            print(f"\r\x1b[K{drawn(progress)}", end="\n" if ended else "", file=sys.stderr, flush=True)
        else:
            print(f"pagewitness: {drawn(progress)}", file=sys.stderr, flush=True)

    return show


def _batch(arguments: argparse.Namespace) -> int:
    from pipeline import batch, run

    run.engine(arguments.engine)
    if arguments.workers is not None and not 0 <= arguments.workers <= 64:
        raise UsageError("--workers takes a number from 0 to 64")
    profile = _profile(arguments.profile)
    work = batch.Work(
        arguments.folder, arguments.out, arguments.do, profile, arguments.engine, arguments.scheduler, arguments.workers
    )
    arguments.output = None
    if arguments.cancel:
        return _print(f"{batch.cancel(_store(), work)} batches were cancelled", arguments)
    desk = batch.Desk(
        lambda line: print(f"pagewitness: {line}", file=sys.stderr),
        _asker(),
        arguments.yes,
        not arguments.no_wait,
        arguments.every,
        arguments.count,
        _progress_bar(batch.bar),
    )
    found = batch.finish(_store(), work, desk)
    if arguments.json:
        return _print_json(batch.to_json(found), arguments) or found.exit_code
    return _print(batch.to_text(found), arguments) or found.exit_code


def _evaluate(arguments: argparse.Namespace) -> int:
    from pipeline import arms, measures, paid, run

    if arguments.document and arguments.suite == "all":
        raise UsageError("--document needs its suite: pagewitness evaluate statements --document FILE")
    suites = tuple(arms.ARMS) if arguments.suite == "all" else (arguments.suite,)
    store = _store()
    engine = run.engine(arguments.engine)
    if not arguments.kept:
        cases = {suite: _case(arguments, suite) for suite in suites}
        if paid.claude(engine):
            _confirm_arms(engine, cases, arguments)
        for suite, case in cases.items():
            for one in arms.run(suite, case, arguments.engine, arguments.most):
                measures.save(store, one)
                outcome = one.fault or f"{one.right} of {one.expected}"
                print(f"pagewitness: {suite}, {one.arm}: {outcome}", file=sys.stderr)
    found = [one for suite in suites for one in measures.kept(store, suite)]
    if arguments.output and arguments.output.suffix == ".parquet":
        arms.frame(found).write_parquet(arguments.output)
        return 0
    if arguments.json:
        return _print_json(arms.frame(found).to_dicts(), arguments)
    return _print("\n\n".join(arms.markdown(suite, measures.kept(store, suite)) for suite in suites), arguments)


def _confirm_arms(engine: Engine, cases: Mapping[str, Case], arguments: argparse.Namespace) -> None:
    """What each arm is likely to cost, and all of them."""
    from pipeline import arms, budget

    estimates = []
    for suite, case in cases.items():
        for arm, estimate in arms.estimates(suite, case, arguments.most, arguments.count):
            print(f"pagewitness: {suite}, {arm}: {estimate.to_text()}", file=sys.stderr)
            estimates.append(estimate)
    _confirm(engine, budget.together(estimates), arguments)


def _case(arguments: argparse.Namespace, suite: str) -> Case:
    """The document that a suite is measured on."""
    from pipeline import arms, files, run

    path = arguments.document or run.sample_path(arms.SAMPLES[suite])
    return arms.Case(path, files.read(path, _profile("default")))


def _text_of(name: str) -> str:
    """What a file holds; of - what comes in."""
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is no text in UTF-8; save it as that") from error


def _outlined(arguments: argparse.Namespace) -> tuple[Reading, Outline, Profile]:
    """A document's reading and sections; pages are laid out while the next ones are read."""
    from pipeline import outline
    from pipeline.shapes import Shaped, shaped

    ready: list[Shaped] = []
    reading, profile = _read(arguments, lambda page: ready.append(shaped(page)))
    if getattr(arguments, "ignore_outline", False):
        profile = replace(profile, outline=replace(profile.outline, by_bookmarks=False))
    return reading, outline.build(outline.features(reading, ready), profile.outline), profile


def _windowed(profile: Profile, arguments: argparse.Namespace) -> Profile:
    from pipeline import profiles

    part = profile.statement
    chunk = part.chunk_pages if arguments.chunk_pages is None else arguments.chunk_pages
    overlap = min(part.overlap, max(0, chunk - 1)) if arguments.overlap is None else arguments.overlap
    cut = replace(part, chunk_pages=chunk, overlap=overlap)
    profiles.check_bounds(cut, "--chunk-pages and --overlap")
    return replace(profile, statement=cut)


def _engine(arguments: argparse.Namespace, reading: Reading) -> Engine:
    """The chosen engine, to be asked about a document."""
    from pipeline import run
    from pipeline.engines import About

    return run.engine(arguments.engine, About(reading.document.sha256, arguments.file, arguments.password))


def _confirm(engine: Engine, estimate: Estimate | None, arguments: argparse.Namespace) -> None:
    """Say what a run is likely to cost, and ask whether to go on where somebody is there and did not say so before."""
    from pipeline import paid

    if estimate is None:
        return
    print(f"pagewitness: {estimate.to_text()}", file=sys.stderr)
    if not arguments.yes:
        paid.confirm(engine, estimate, _asker())


def _confirm_run(
    engine: Engine, run: Callable[[Claude], object], arguments: argparse.Namespace, at_most: bool = False
) -> None:
    """Say what the work of `run` is likely to cost, and ask; at_most: fewer calls may do."""
    from pipeline import paid

    estimate = paid.estimate(engine, run, _is_counted(arguments))
    _confirm(engine, estimate and replace(estimate, at_most=at_most), arguments)


def _is_counted(arguments: argparse.Namespace) -> bool:
    """Whether the server may count the tokens: that sends it the document, so only who said so has it done."""
    return bool(arguments.yes or arguments.count)


def _asker() -> Callable[[str], bool] | None:
    """How a person is asked; None: nobody is there."""
    return _asked if sys.stdin and sys.stdin.isatty() else None


def _asked(question: str) -> bool:
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


@contextmanager
def _told_cost(engine: Engine) -> Iterator[None]:
    """Say what a run took, also where it failed."""
    from pipeline import paid

    try:
        yield
    finally:
        if line := paid.told(engine):
            print(f"pagewitness: {line}", file=sys.stderr)


def _live_cost(engine: Engine) -> Progress | None:
    """Says on a terminal how far a run is and what it took."""
    from pipeline import paid

    if not sys.stderr.isatty() or not paid.claude(engine):
        return None
    return lambda done, total: print(f"window {done} of {total}: {paid.told(engine)}", file=sys.stderr)


def _start_reader() -> None:
    """Start the process that reads while this one still imports what it needs; collect garbage seldom, for there is
    little of it and what is kept is large.
    """
    from pipeline import worker

    worker.warm()
    gc.set_threshold(100_000, 50, 50)


def _read(arguments: argparse.Namespace, seen: Seen | None = None) -> tuple[Reading, Profile]:
    profile = _profile(arguments.profile)
    return _path_read(arguments, profile, seen), profile


def _path_read(arguments: argparse.Namespace, profile: Profile, seen: Seen | None = None) -> Reading:
    from pipeline import files

    arguments.password = _password(arguments.password)
    return files.read(arguments.file, profile, password=arguments.password, seen=seen)


def _password(given: str | None) -> str:
    """The password: as given, asked for where that is -, or from the environment."""
    if given is None:
        return os.environ.get(PASSWORD, "")
    if given != "-":
        return given
    if sys.stdin.isatty():
        from getpass import getpass

        return getpass("Password of the PDF: ")
    return sys.stdin.readline().rstrip("\r\n")


def _profile(name: str) -> Profile:
    from pipeline import profiles
    from pipeline.files import home

    return profiles.load(name, home() / "profiles")


def _store() -> Store:
    from pipeline.files import home
    from pipeline.store import Store

    return Store(home())


def _print_json(value: object, arguments: argparse.Namespace) -> int:
    return _print(json.dumps(value, ensure_ascii=False, separators=(",", ":")), arguments)


def _print(text: str, arguments: argparse.Namespace) -> int:
    return _print_parts([text], arguments)


def _print_parts(parts: Iterable[str], arguments: argparse.Namespace) -> int:
    """Print what comes in parts, so that the whole need not be held at once."""
    if getattr(arguments, "output", None) is None:
        sys.stdout.writelines(parts)
        sys.stdout.write("\n")
        return 0
    try:
        with arguments.output.open("w", encoding="utf-8", errors=UNPRINTABLE) as stream:
            stream.writelines(parts)
            stream.write("\n")
    except OSError as error:
        raise UsageError(f"{arguments.output} cannot be written: {error.strerror}") from error
    return 0


# ---------------------------------------------------------------- profiles, store, machine


def _profile_list(arguments: argparse.Namespace) -> int:
    from pipeline import profiles
    from pipeline.files import home

    for name in sorted({*profiles.shipped(), *profiles.saved(home() / "profiles")}):
        print(name)
    return 0


def _profile_show(arguments: argparse.Namespace) -> int:
    from pipeline import profiles

    return _print(profiles.dumps(_profile(arguments.name)).rstrip(), arguments)


def _profile_check(arguments: argparse.Namespace) -> int:
    if arguments.profile or arguments.name.lower().endswith(".pdf"):
        arguments.file = Path(arguments.name)
        return _profile_on_file(arguments)
    if arguments.remember:
        raise UsageError("--remember needs a PDF: pagewitness profile check FILE --profile NAME --remember")
    profile = _profile(arguments.name)
    if arguments.json:
        return _print_json({"profile": profile.name, "id": profile.id()}, arguments)
    print(f"{profile.name}: good (id {profile.id()})")
    return 0


def _profile_on_file(arguments: argparse.Namespace) -> int:
    """What a profile does on a PDF."""
    from pipeline import fit, likeness, outline, profiles
    from pipeline.files import home

    profile = _profile(arguments.profile or "default")
    if arguments.remember and profile.name not in profiles.saved(home() / "profiles"):
        raise UsageError(f"{profile.name} is not a profile that you saved, so it can remember nothing")
    reading = _path_read(arguments, profile)
    features = outline.features(reading)
    found = fit.check(reading, features, profile)
    if arguments.remember:
        profiles.save(replace(profile, fingerprint=likeness.taken(reading, features)), home() / "profiles")
    if arguments.json:
        return _print_json({"profile": profile.name, "id": profile.id(), **fit.to_json(found)}, arguments)
    return _print(fit.to_text(found), arguments)


def _profile_suggest(arguments: argparse.Namespace) -> int:
    from pipeline import likeness, outline, run
    from pipeline.files import home

    reading = _path_read(arguments, _profile("default"))
    store = _store() if (home() / "store.db").is_file() else None
    ranking = run.suggest(reading, outline.features(reading), home() / "profiles", store)
    if arguments.json:
        return _print_json(likeness.to_json(ranking), arguments)
    return _print(likeness.to_text(ranking), arguments)


def _profile_diff(arguments: argparse.Namespace) -> int:
    from pipeline import profiles, treediff

    one, other = _profile(arguments.one), _profile(arguments.other)
    values = profiles.differences(one, other)
    diff = _file_diff(arguments, one, other) if arguments.file else None
    if arguments.json:
        told = [value._asdict() for value in values]
        return _print_json({"values": told, "sections": treediff.to_json(diff) if diff else None}, arguments)
    lines = [f"{value.name}: {json.dumps(value.one)} → {json.dumps(value.other)}" for value in values]
    lines = lines or ["the two profiles have the same values"]
    return _print("\n".join([*lines, *([treediff.to_text(diff)] if diff else [])]), arguments)


def _file_diff(arguments: argparse.Namespace, one: Profile, other: Profile) -> TreeDiff:
    """What becomes of a PDF's sections from one profile to the other; it is read once where both read alike."""
    from pipeline import outline, treediff

    features = outline.features(_path_read(arguments, one))
    old = outline.build(features, one.outline)
    if one.reading != other.reading:
        features = outline.features(_path_read(arguments, other))
    return treediff.compare(old.sections, outline.build(features, other.outline).sections)


def _changes(arguments: argparse.Namespace) -> int:
    from pipeline import treediff

    profile = _profile(arguments.profile)
    older, newer = (_file_sections(arguments, path, profile) for path in (arguments.older, arguments.newer))
    diff = treediff.compare(older, newer)
    if arguments.section:
        return _leads(treediff.called(older, arguments.section), diff, arguments)
    if arguments.json:
        return _print_json(treediff.to_json(diff), arguments)
    return _print(treediff.to_text(diff), arguments)


def _file_sections(arguments: argparse.Namespace, path: Path, profile: Profile) -> tuple[Section, ...]:
    from pipeline import outline

    arguments.file = path
    return outline.build(outline.features(_path_read(arguments, profile)), profile.outline).sections


def _leads(was: Section | None, diff: TreeDiff, arguments: argparse.Namespace) -> int:
    """Where a section of the older version leads."""
    if was is None:
        raise UsageError(f"{arguments.older} has no section {arguments.section!r}")
    now = diff.resolve(was.section_id)
    if arguments.json:
        return _print_json({"section_id": was.section_id, "successors": list(now)}, arguments)
    return _print("\n".join(now) or f"{was.section_id} was removed", arguments)


def _review_list(arguments: argparse.Namespace) -> int:
    from pipeline import docket

    found = docket.cases(_store(), arguments.document)
    code = 1 if arguments.strict and any(case.judged.questions for case in found) else 0
    if arguments.json:
        return _print_json(docket.list_json(found), arguments) or code
    return _print(docket.list_text(found), arguments) or code


def _review_show(arguments: argparse.Namespace) -> int:
    from pipeline import docket

    case, whole = docket.find(docket.cases(_store()), arguments.id)
    if arguments.json:
        return _print_json(docket.show_json(case, whole), arguments)
    return _print(docket.show_text(case, whole), arguments)


def _review_decide(arguments: argparse.Namespace) -> int:
    from pipeline import docket
    from pipeline.asked import Choice

    store = _store()
    case, whole = docket.find(docket.cases(store), arguments.id)
    parts = docket.parts(arguments.value)
    choice = Choice(whole, arguments.action, parts, arguments.by, arguments.sequence)
    case, made = docket.decide(store, case, choice)
    if arguments.json:
        return _print_json(docket.decided_json(case, made), arguments)
    return _print(docket.told(case, made), arguments)


def _review_audit(arguments: argparse.Namespace) -> int:
    from pipeline import trail

    table = trail.to_csv(_store(), arguments.document)
    return _print(table.decode("utf-8-sig").removesuffix("\r\n"), arguments)


def _telegram(arguments: argparse.Namespace) -> int:
    from pipeline import telegram

    store = _store()
    chosen = telegram.settings(store.home, os.environ)
    print("The review queue is on Telegram until this is ended (Ctrl+C).", file=sys.stderr)
    telegram.serve(store, chosen)
    return 0


def _store_list(arguments: argparse.Namespace) -> int:
    from pipeline import upkeep

    found = upkeep.listed(_store())
    if arguments.json:
        return _print_json(upkeep.to_json(found), arguments)
    return _print(upkeep.to_text(found), arguments)


def _store_check(arguments: argparse.Namespace) -> int:
    from pipeline import upkeep
    from pipeline.files import home

    print(f"{home()}: {upkeep.check(_store())}")
    return 0


def _store_reindex(arguments: argparse.Namespace) -> int:
    from pipeline import upkeep
    from pipeline.files import home

    print(f"{home()}: {upkeep.reindex(_store())}")
    return 0


def _store_backup(arguments: argparse.Namespace) -> int:
    _store().backup(arguments.path)
    print(arguments.path)
    return 0


def _store_delete(arguments: argparse.Namespace) -> int:
    from pipeline import retention

    if bool(arguments.documents) == (arguments.older_than is not None):
        raise UsageError("name documents, or an age: pagewitness store delete --older-than 365")
    store = _store()
    if arguments.documents:
        meant = retention.named(store, arguments.documents)
    else:
        meant = retention.older(store, arguments.older_than)
    if not meant:
        return _print("no document is that old", arguments)
    names = ", ".join(one.name for one in meant[:5]) + (", …" if len(meant) > 5 else "")
    ask = _asker()
    question = f"Delete {len(meant)} of the store's documents ({names}) and all that was made of them? [y/N] "
    if not arguments.yes and not (ask and ask(question)):
        raise UsageError("Nothing was deleted. To delete without being asked: --yes")
    for line in retention.to_text(retention.delete(store, meant)):
        print(line)
    return 0


def _store_export(arguments: argparse.Namespace) -> int:
    from pipeline import archive, retention

    store = _store()
    meant = retention.named(store, arguments.documents) if arguments.documents else store.documents()
    print(archive.write(store, meant, arguments.path))
    return 0


def _store_vacuum(arguments: argparse.Namespace) -> int:
    from pipeline import retention

    print(retention.vacuum(_store()))
    return 0


def _doctor(arguments: argparse.Namespace) -> int:
    from pipeline import doctor, vitals
    from pipeline.files import home

    found = doctor.examine()
    signs = vitals.examine(home(), os.environ, arguments.online)
    code = int(arguments.strict and any(sign.state == "bad" for sign in signs))
    if arguments.json:
        return _print_json(doctor.to_json(found, signs), arguments) or code
    return _print(doctor.to_text(found, signs), arguments) or code


def _app(arguments: argparse.Namespace) -> int:
    from pipeline import serve

    return serve.app(arguments.port, arguments.sample)


def _mcp(arguments: argparse.Namespace) -> int:
    from pipeline.files import home

    if not arguments.http and (arguments.host is not None or arguments.port is not None):
        raise UsageError("--host and --port go with --http: pagewitness mcp --http --port 8765")
    try:
        from pipeline import mcp_server
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise UsageError("the package mcp is not installed. Install it: pip install 'mcp>=2.3,<3'") from error
    if not arguments.http:
        return mcp_server.serve(home())
    usual = mcp_server.Listen()
    port = usual.port if arguments.port is None else arguments.port
    return mcp_server.serve(home(), mcp_server.Listen(arguments.host or usual.host, port))


if __name__ == "__main__":
    sys.exit(main())
