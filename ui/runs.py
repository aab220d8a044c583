"""Questions that are answered one after the other while the page goes on: a thread for each run, no Streamlit in it.

Comes in: a `Desk`, questions, an engine. Goes out: a `Run` that fills; the last one of a document and an engine stays
until another is begun or the app ends. Refuses nothing: a run that fails says why, and keeps what it has.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event, Lock, Thread

from pipeline import questions
from pipeline.engine import Engine
from pipeline.model import PipelineError
from pipeline.questions import Answered, Question
from ui.desk import Desk

KEPT = 8  # runs, each of another document
FAILED = "The questions could not be answered to their end. The app's log says why."
log = logging.getLogger(__name__)


@dataclass
class Run:
    """A run over questions; `found` grows while it is live. by: the engine's name."""

    desk: Desk
    by: str
    asked: Sequence[Question]
    found: list[Answered] = field(default_factory=list)
    stopped: Event = field(default_factory=Event)
    ended: Event = field(default_factory=Event)
    error: str = ""

    @property
    def live(self) -> bool:
        return not self.ended.is_set()


_runs: OrderedDict[tuple[str, str], Run] = OrderedDict()
_guard = Lock()


def begin(desk: Desk, asked: Sequence[Question], by: str, engine: Engine) -> Run:
    """Have the engine answer the questions from now on; the run before on the same document is stopped."""
    run = made(desk, asked, by)
    Thread(target=_work, args=(run, engine), daemon=True, name="questions").start()
    return run


def made(desk: Desk, asked: Sequence[Question], by: str) -> Run:
    """A run in place of the one before, which is stopped; it is not begun yet."""
    run = Run(desk, by, asked)
    with _guard:
        if before := _runs.pop((desk.key, by), None):
            before.stopped.set()
        _runs[desk.key, by] = run
        while len(_runs) > KEPT:
            _, oldest = _runs.popitem(last=False)
            oldest.stopped.set()
    return run


def of(desk: Desk, by: str) -> Run | None:
    """The last run of the engine over the document, live or ended."""
    return _runs.get((desk.key, by))


def forget(desk: Desk, by: str) -> None:
    """Stop the run over the document and let it go."""
    with _guard:
        if run := _runs.pop((desk.key, by), None):
            run.stopped.set()


def answered(run: Run, engine: Engine, progress: Callable[[int, int], None] | None = None) -> None:
    """Answer the questions, until the run is stopped. Refusals are the engine's: what was answered stays."""
    for done, question in enumerate(run.asked):
        if run.stopped.is_set():
            return
        if progress:
            progress(done, len(run.asked))
        run.found += questions.ask([question], run.desk.book, engine)


def _work(run: Run, engine: Engine) -> None:
    try:
        answered(run, engine)
    except PipelineError as error:
        run.error = str(error)
    except Exception:
        log.exception("a run over questions failed")
        run.error = FAILED
    finally:
        run.ended.set()
