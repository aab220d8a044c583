from __future__ import annotations

import os
import subprocess
import sys

import numpy as np

from pipeline import embedding


def test_texts_that_say_the_like_lie_near_each_other() -> None:
    found = embedding.vectors(["termination of the agreement", "either party may end this contract", "insurance cover"])
    assert found.shape == (3, 256)
    assert found.dtype == np.dtype("float32")
    assert np.allclose(np.linalg.norm(found, axis=1), 1)
    assert found[0] @ found[1] > found[0] @ found[2] + 0.2


def test_nothing_gives_nothing() -> None:
    assert embedding.vectors([]).shape == (0, 256)
    assert not embedding.vectors([""]).any()


def test_the_model_needs_no_network_and_is_loaded_only_when_asked_for() -> None:
    script = """
import socket, sys
def refused(*_):
    raise AssertionError("asked the network")
socket.socket.connect = refused
from pipeline import clauses, embedding
assert "wordllama" not in sys.modules and "numpy" not in sys.modules
print(embedding.vectors(["clause"]).shape)
import logging
logging.getLogger("httpx2").info("a request that nobody wants to read about")
"""
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HOME": os.devnull}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False)
    assert (done.stdout, done.stderr) == ("(1, 256)\n", "")
