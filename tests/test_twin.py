"""Work done ahead by a fork: in order, and never missed where the fork fails."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

TAKEN = """
import os, signal, sys, time
from pipeline.twin import Twin

def made():
    {made}

twin = Twin(made)
{then}
"""


def told(made: str, then: str = "print([twin.take() for _ in range(4)]); twin.close()") -> str:
    """What a process without threads prints that has a twin."""
    code = TAKEN.format(made=made, then=then)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_what_it_makes_comes_in_order_and_then_nothing() -> None:
    assert told("yield from (b'one', b'', b'three')") == "[b'one', b'', b'three', b'']"


def test_more_than_a_pipe_holds_is_whole() -> None:
    then = "print([len(twin.take()) for _ in range(4)]); twin.close()"
    assert told("yield from (b'a' * 3_000_000, b'b' * 3_000_000)", then) == "[3000000, 3000000, 0, 0]"


def test_what_it_fails_at_is_missing_and_so_is_the_rest() -> None:
    assert told("yield b'one'; raise MemoryError") == "[b'one', b'', b'', b'']"
    assert told("yield b'one'; os.kill(os.getpid(), signal.SIGSEGV)") == "[b'one', b'', b'', b'']"


def test_one_that_hangs_is_killed() -> None:
    began = time.monotonic()
    assert told("yield b'one'; time.sleep(60)", "print(twin.take()); twin.close()") == "b'one'"
    assert time.monotonic() - began < 20


def test_it_holds_nothing_open_but_where_it_writes() -> None:
    held = "yield ' '.join(sorted(os.listdir('/proc/self/fd'))).encode()"
    assert told(held, "print(len(twin.take().split())); twin.close()") == "4"  # out, error, the pipe, the folder
