"""The door to PDF bytes: what crosses it, what survives, what leaks."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from pipeline import frames, worker
from pipeline.model import Damaged, NotAPdf
from pipeline.profiles import ReadingProfile
from tests.draw import Put, pdf, reading


def test_a_page_crosses_the_pipe_whole(tmp_path: Path) -> None:
    page = reading(pdf(tmp_path / "a.pdf", [[Put(72, 100, "Žuti Ђорђе", 11), Put(72, 130, "b", 9)]])).pages[0]
    header, payload = frames.packed(page)
    again = frames.unpacked({**header, "fonts": [list(font) for font in header["fonts"]]}, payload)
    assert again == page
    assert again.words == page.words


def test_a_page_that_does_not_add_up_is_refused(tmp_path: Path) -> None:
    header, payload = frames.packed(reading(pdf(tmp_path / "a.pdf", [[Put(72, 100, "Text")]])).pages[0])
    with pytest.raises(Damaged, match="does not add up"):
        frames.unpacked(header, payload[:-1])


def test_progress_counts_pages(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = pdf(tmp_path / "a.pdf", [[Put(72, 100, "Text")]] * 3)
    worker.read(path, ReadingProfile(), lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_a_refused_file_leaves_the_worker_warm_for_the_next(tmp_path: Path) -> None:
    worker.close()
    worker.warm()
    first = worker._idle[0].process.pid
    (tmp_path / "no.pdf").write_bytes(b"hello")
    with pytest.raises(NotAPdf):
        worker.read(tmp_path / "no.pdf", ReadingProfile())
    assert reading(pdf(tmp_path / "a.pdf", [[Put(72, 100, "Text")]])).pages[0].text == "Text"
    assert worker._idle[0].process.pid == first


def killed(done: int, total: int) -> None:
    """Kill this process's workers after the first page."""
    if done == 1:
        for child in Path("/proc").glob("[0-9]*/cmdline"):
            command = child.read_bytes() if child.exists() else b""
            if b"pipeline.reader" in command and int((child.parent / "stat").read_text().split()[3]) == os.getpid():
                os.kill(int(child.parent.name), signal.SIGKILL)


def test_a_worker_that_is_killed_once_costs_nothing(tmp_path: Path) -> None:
    path = pdf(tmp_path / "a.pdf", [[Put(72, 100, f"Page {number}")] for number in range(1, 201)])
    worker.close()
    read = worker.read(path, ReadingProfile(ocr="never"), killed)
    assert [page.text for page in read.pages] == [f"Page\n{number}" for number in range(1, 201)]
    assert [page.reasons for page in read.pages] == [()] * 200


def test_the_worker_sees_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-not-for-the-worker")
    worker.close()
    worker.warm()
    environment = Path(f"/proc/{worker._idle[0].process.pid}/environ")
    end = time.monotonic() + 5
    while not (content := environment.read_bytes()) and time.monotonic() < end:
        time.sleep(0.01)
    assert b"PYTHONPATH" in content
    assert b"sk-not-for-the-worker" not in content


def test_threads_may_read_at_once(tmp_path: Path) -> None:
    paths = [pdf(tmp_path / f"{n}.pdf", [[Put(72, 100, f"Number{n}")]] * 5) for n in range(6)]
    found: dict[int, str] = {}

    def read(number: int) -> None:
        found[number] = reading(paths[number]).pages[4].text

    threads = [threading.Thread(target=read, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: f"Number{number}" for number in range(6)}


def test_a_page_is_drawn_as_png(tmp_path: Path) -> None:
    picture = worker.render(pdf(tmp_path / "a.pdf", [[Put(72, 100, "Text")]]), 1, 72)
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20], "big") == 596
    with pytest.raises(Damaged, match="Page 2 cannot be drawn"):
        worker.render(tmp_path / "a.pdf", 2, 72)
