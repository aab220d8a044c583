"""Runs of Claude while the page goes on: a thread for each, in the app's own process, no Streamlit in it.

Comes in: a `Claude` with its key, the work. Goes out: a `Run` that tells how far it is and what it cost; the last one
of a task stays until another is begun or the app ends. The engine, and with it the key, goes with the thread; the job
process never has it, for what that is given lies on the disk. Refuses nothing: a run that fails says why in one line.
What was answered is in the journal, so that the same work goes on from there.
"""

from __future__ import annotations

import logging
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Lock, Thread

from pipeline.claude import Claude
from pipeline.model import Cancelled, PipelineError
from pipeline.store import Store

KEPT = 40  # runs
FAILED = "Claude's run could not be finished. The app's log says why. What was read is kept: run it again to go on."
log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
Work = Callable[[Claude, Progress], object]


@dataclass
class Run:
    """Work that Claude does. name: of its calls in the journal."""

    store: Store
    name: str
    done: int = 0
    total: int = 0
    stopped: Event = field(default_factory=Event)
    ended: Event = field(default_factory=Event)
    error: str = ""

    @property
    def live(self) -> bool:
        """Whether it goes on; one that was cancelled does not, even where its last call is not hung up on yet."""
        return not (self.ended.is_set() or self.stopped.is_set())


_runs: OrderedDict[str, Run] = OrderedDict()
_guard = Lock()


def begin(task: str, engine: Claude, work: Work) -> Run:
    """Have the work done from now on; where the same task is being done, that run goes on, and is the one."""
    caller = engine.caller
    with _guard:
        before = _runs.get(task)
        if before and before.live:
            return before
        run = Run(caller.store, caller.run)
        caller.stopped = run.stopped.is_set
        _runs[task] = run
        _runs.move_to_end(task)
        for name in [name for name, one in _runs.items() if not one.live][: max(0, len(_runs) - KEPT)]:
            del _runs[name]
    Thread(target=_work, args=(run, engine, work), daemon=True, name="claude").start()
    return run


def of(task: str) -> Run | None:
    """The last run of the task, live or ended."""
    return _runs.get(task)


def forget(task: str) -> None:
    """Let an ended run go."""
    with _guard:
        if (run := _runs.get(task)) and not run.live:
            del _runs[task]


def _work(run: Run, engine: Claude, work: Work) -> None:
    def progress(done: int, total: int) -> None:
        run.done, run.total = done, total

    try:
        work(engine, progress)
    except Cancelled:
        run.stopped.set()
    except PipelineError as error:
        run.error = str(error)
    except Exception:  # noqa: BLE001  # its text may hold the key: it is struck out before it is logged
        log.error("a run of Claude failed\n%s", engine.caller.key.struck(traceback.format_exc()))
        run.error = FAILED
    finally:
        run.ended.set()
