"""Questions that are answered one after the other while the page goes on: a thread for each run, no Streamlit in it.

Comes in: a `Desk`, questions. Goes out: a `Run` that fills; the last one of a document stays until another is begun or
the app ends. Refuses nothing: a run that fails says why, and keeps what it has.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Event, Lock, Thread

from pipeline import questions
from pipeline.model import PipelineError
from pipeline.questions import Answered, Question
from ui.desk import Desk

KEPT = 8  # runs, each of another document
FAILED = "The questions could not be answered to their end. The app's log says why."
log = logging.getLogger(__name__)


@dataclass
class Run:
    """A run over questions; `found` grows while it is live."""

    desk: Desk
    asked: Sequence[Question]
    found: list[Answered] = field(default_factory=list)
    stopped: Event = field(default_factory=Event)
    ended: Event = field(default_factory=Event)
    error: str = ""

    @property
    def live(self) -> bool:
        return not self.ended.is_set()


_runs: OrderedDict[str, Run] = OrderedDict()
_guard = Lock()


def begin(desk: Desk, asked: Sequence[Question]) -> Run:
    """Answer the questions from now on; the run before on the same document is stopped."""
    run = Run(desk, asked)
    with _guard:
        if before := _runs.pop(desk.key, None):
            before.stopped.set()
        _runs[desk.key] = run
        while len(_runs) > KEPT:
            _, oldest = _runs.popitem(last=False)
            oldest.stopped.set()
    Thread(target=_work, args=(run,), daemon=True, name="questions").start()
    return run


def of(desk: Desk) -> Run | None:
    """The last run over the document, live or ended."""
    return _runs.get(desk.key)


def forget(desk: Desk) -> None:
    """Stop the run over the document and let it go."""
    with _guard:
        if run := _runs.pop(desk.key, None):
            run.stopped.set()


def _work(run: Run) -> None:
    try:
        for question in run.asked:
            if run.stopped.is_set():
                return
            run.found += questions.ask([question], run.desk.book, run.desk.engine)
    except PipelineError as error:
        run.error = str(error)
    except Exception:
        log.exception("a run over questions failed")
        run.error = FAILED
    finally:
        run.ended.set()
