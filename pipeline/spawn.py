"""Starts the process that reads PDFs: with a whitelisted environment, away from the checkout, in a group of its own.

Comes in: the most memory it may have, in MB. Goes out: the process, its standard input and output as pipes.
`ahead` starts one before it is known what it will read: the modules that a command needs are imported meanwhile. So
this module imports nothing of ours, and little else.
"""

from __future__ import annotations

import os
import subprocess
import sys

MEMORY_MB = 2_000
MODULE = "pipeline.reader"
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BESIDE = "PAGEWITNESS_BESIDE"  # set: as many readers as processors are at work, so that none forks
KEPT = (
    *("PATH", "LANG", "LC_ALL", "TMPDIR", "TESSDATA_PREFIX", "OMP_THREAD_LIMIT", "SYSTEMROOT"),
    *("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", BESIDE),
)
ALONE = {"OPENBLAS_NUM_THREADS": "1"}  # numpy starts no threads: a process that has some is not forked, see reader.py

Process = subprocess.Popen[bytes]
_ahead: list[Process] = []


def process(memory_mb: int) -> Process:
    """The one that was started ahead, if it has these limits, or another."""
    return _ahead.pop() if _ahead and memory_mb == MEMORY_MB else _started(memory_mb)


def ahead() -> None:
    """Start one now. It ends by itself if nobody takes it."""
    _ahead.append(_started(MEMORY_MB))


def _started(memory_mb: int) -> Process:
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-P", "-m", MODULE, str(memory_mb << 20)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=os.path.abspath(os.sep),
        env=environment | ALONE | {"PYTHONPATH": PACKAGE},
        start_new_session=True,
    )
