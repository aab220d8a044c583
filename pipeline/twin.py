"""Work done ahead by a fork of this process, and taken over in order.

Comes in: a function that makes a run of bytes; it is called in the twin. Goes out: these, one by one; empty ones where
the twin made nothing, failed or died: what is missing is for the caller to make. A process with threads is not forked.
"""

from __future__ import annotations

import fcntl
import os
import signal
import struct
from collections.abc import Callable, Iterable

from pipeline.spawn import BESIDE

SIZE = struct.Struct("<I")
AHEAD = 1 << 20  # bytes that wait to be taken, at most
FILES = 1 << 16  # higher descriptors are not in use


class Twin:
    """The fork. It ends when all is made, or is killed by `close`."""

    def __init__(self, made: Callable[[], Iterable[bytes]]) -> None:
        taken, put = os.pipe()
        fcntl.fcntl(put, fcntl.F_SETPIPE_SZ, AHEAD)
        self.process = os.fork()
        if not self.process:
            _work(made, put)
        os.close(put)
        self.stream = os.fdopen(taken, "rb")

    def take(self) -> bytes:
        """The next that it made; empty where there is none."""
        size = self.stream.read(SIZE.size)
        content = self.stream.read(SIZE.unpack(size)[0]) if len(size) == SIZE.size else b""
        return content if content and len(content) == SIZE.unpack(size)[0] else b""

    def close(self) -> None:
        """Kill it, whatever it does."""
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        self.stream.close()


def possible() -> bool:
    """Whether a twin can be had and has a processor to itself; not where other readers work beside this one."""
    if os.environ.get(BESIDE):
        return False
    try:
        return len(os.listdir("/proc/self/task")) == 1 and len(os.sched_getaffinity(0)) > 1
    except OSError:
        return False


def _work(made: Callable[[], Iterable[bytes]], put: int) -> None:
    """Never returns. Nothing is held open that the first process has: it must be seen to end."""
    try:
        os.close(0)
        os.closerange(3, put)
        os.closerange(put + 1, FILES)
        with os.fdopen(put, "wb") as stream:
            for content in made():
                stream.write(SIZE.pack(len(content)) + content)
                stream.flush()
    finally:
        os._exit(0)
