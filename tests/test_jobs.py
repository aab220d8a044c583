from __future__ import annotations

import io
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from pipeline import jobs, profiles, run
from pipeline.library import Library
from pipeline.model import StoreError, UsageError
from pipeline.profiles import Profile, StatementProfile
from pipeline.store import Job, JobOptions, Store

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 40.0


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Store]:
    """An empty store, whose job process ends with the test."""
    kept = Store(tmp_path / "home")
    yield kept
    if process := jobs.process_id(kept):
        os.kill(process, signal.SIGTERM)
        wait_for(lambda: jobs.process_id(kept) is None)


def wait_for(come: Callable[[], object], seconds: float = SECONDS) -> None:
    end = time.monotonic() + seconds
    while not come():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.02)


def pdf(pages: int, seed: int = 0) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=True)
    for number in range(1, pages + 1):
        for line in range(60):
            canvas.drawString(60, 780 - 12 * line, f"{seed} page {number} line {line} of a text to be read by words")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


@pytest.fixture(scope="module")
def long_pdf() -> bytes:
    return pdf(250)


def add(kept: Store, content: bytes, name: str = "a.pdf") -> str:
    return kept.add_file(io.BytesIO(content), name).sha256


def ended(kept: Store, job: Job) -> Job:
    wait_for(lambda: not state(kept, job).live)
    return state(kept, job)


def state(kept: Store, job: Job) -> Job:
    found = jobs.get(kept, job.id)
    assert found
    return found


def running(kept: Store) -> int:
    wait_for(lambda: jobs.process_id(kept))
    process = jobs.process_id(kept)
    assert process
    return process


def test_a_job_is_done_by_another_process(kept: Store) -> None:
    sha256 = add(kept, pdf(3), "Ugovor.pdf")
    job = jobs.submit(kept, "ingest", sha256, JobOptions())
    assert job.state == "queued"
    jobs.ensure_running(kept)
    job = ended(kept, job)
    assert (job.state, job.done, job.total, job.message) == ("done", 3, 3, "")
    reading = kept.reading(sha256, run.reading_key(Profile()))
    assert reading
    assert (reading.document.name, reading.document.pages) == ("Ugovor.pdf", 3)
    assert running(kept) != os.getpid()


def test_a_double_click_makes_one_job_and_one_process(kept: Store) -> None:
    sha256 = add(kept, pdf(2))
    first, second = (jobs.submit(kept, "ingest", sha256, JobOptions()) for _ in range(2))
    assert first == second
    for _ in range(5):
        jobs.ensure_running(kept)
    process = running(kept)
    ended(kept, first)
    jobs.ensure_running(kept)
    assert processes("pipeline.jobs", str(kept.home)) == [process]


def processes(*words: str) -> list[int]:
    """Living processes with all of `words` among their arguments, from the system's own list."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            arguments = (folder / "cmdline").read_text().split("\0")
            if all(word in arguments for word in words):
                found.append(int(folder.name))
    return found


def children(process: int) -> list[int]:
    """What its threads have started and still lives."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def test_the_job_process_reaches_the_end_of_the_queue_in_order(kept: Store) -> None:
    shas = [add(kept, pdf(2, seed)) for seed in range(4)]
    made = [jobs.submit(kept, "ingest", sha256, JobOptions()) for sha256 in shas]
    jobs.ensure_running(kept)
    started = [ended(kept, job).started for job in made]
    assert None not in started
    assert started == sorted(started, key=str)
    assert [entry.state for entry in kept.documents()] == ["read"] * 4


def test_the_job_process_ends_though_its_interruption_was_swallowed(kept: Store) -> None:
    job = jobs.submit(kept, "ingest", add(kept, pdf(1)), JobOptions())
    code = """if True:
        import signal, sys
        from contextlib import suppress
        from pathlib import Path
        from pipeline import jobs
        from pipeline.store import Store
        with suppress(SystemExit):
            jobs._ended(signal.SIGTERM, None)
        jobs.serve(Store(Path(sys.argv[1])), 600.0)
    """
    subprocess.run([sys.executable, "-c", code, kept.home], check=True, timeout=SECONDS)
    assert [one.state for one in kept.jobs()] == ["queued"]
    assert kept.jobs()[0].id == job.id


def test_a_failing_job_keeps_its_reason_and_the_next_one_runs(kept: Store) -> None:
    empty, text, good = add(kept, b"", "empty.pdf"), add(kept, b"Dear Sir", "letter.pdf"), add(kept, pdf(1))
    made = [jobs.submit(kept, "ingest", sha256, JobOptions()) for sha256 in (empty, text, good)]
    jobs.ensure_running(kept)
    after = [ended(kept, job) for job in made]
    assert [job.state for job in after] == ["failed", "failed", "done"]
    assert after[0].message.startswith("The file is empty (0 bytes).")
    assert after[1].message.startswith("The file is not a PDF")
    entry = kept.document(empty)
    assert entry
    assert (entry.state, entry.error) == ("failed", after[0].message)


def test_a_fault_of_ours_fails_the_job_and_not_the_process(kept: Store) -> None:
    bad, good = add(kept, pdf(1)), add(kept, pdf(2))
    deep = "name = " + "[" * 5_000  # the TOML reader recurses into it
    job = kept.add_job("ingest", bad, JobOptions(deep))
    second = jobs.submit(kept, "ingest", good, JobOptions())
    jobs.ensure_running(kept)
    assert ended(kept, second).state == "done"
    after = state(kept, job)
    assert after.state == "failed"
    assert after.message == f"An unexpected error (RecursionError). Look into jobs.log in {kept.home}."
    assert "Traceback" in (kept.home / "jobs.log").read_text()


def test_rows_are_extracted_by_the_job_process(kept: Store) -> None:
    sha256 = kept.add_file(run.sample_path("statement.pdf"), "statement.pdf").sha256
    profile = Profile(statement=StatementProfile(chunk_pages=8))
    job = jobs.submit(kept, "rows", sha256, JobOptions(profiles.dumps(profile)))
    jobs.ensure_running(kept)
    job = ended(kept, job)
    assert (job.state, job.message) == ("done", "")
    assert job.done == job.total == 6  # windows of 8 pages, one of them shared, over 40 pages
    assert kept.documents()[0].done == ("read", "rows")
    assert len(run.rows(kept, sha256, profile).windows) == 6


def test_what_is_read_is_searched_soon_after(kept: Store) -> None:
    sha256 = kept.add_file(run.sample_path("agreement.pdf"), "agreement.pdf").sha256
    job = jobs.submit(kept, "ingest", sha256, JobOptions())
    jobs.ensure_running(kept)
    assert ended(kept, job).state == "done"
    library = Library(kept)
    assert library.codes("section 4.2")[0].section_id == "sec_4_2_termination_for_convenience"
    assert [parse.count for parse in kept.parses(sha256)] == [158]
    wait_for(lambda: library.lacking() == [])  # by likeness only then
    assert "alike" in library.search("may the customer walk away early?")[0].why


def test_documents_that_an_older_version_read_are_searched_by_themselves(kept: Store) -> None:
    read = run.ingest(kept, add(kept, pdf(2)), Profile())
    assert Library(kept).documents() == []
    jobs.ensure_running(kept)
    wait_for(lambda: Library(kept).documents() == [read.document.sha256])
    assert [hit.section_id for hit in Library(kept).search("words to be read")] == ["sec_preamble"]


def test_the_words_of_a_deleted_document_leave_the_file_by_themselves(kept: Store) -> None:
    read = run.ingest(kept, add(kept, pdf(2)), Profile())
    run.outlined(kept, read, Profile())
    kept.delete(read.document.sha256)
    assert scratched(kept) == (1,)
    jobs.ensure_running(kept)
    wait_for(lambda: scratched(kept) == (0,))


def scratched(kept: Store) -> tuple[int]:
    """Whether words of deleted documents wait to leave the index."""
    with kept.snapshot() as db:
        found: tuple[int] = db.execute("SELECT deleted FROM upkeep").fetchone()
    return found


def test_a_wrong_profile_is_refused_at_once(kept: Store) -> None:
    sha256 = add(kept, pdf(1))
    with pytest.raises(UsageError, match="unknown key 'headng_ratio'; did you mean heading_ratio"):
        jobs.submit(kept, "ingest", sha256, JobOptions("[outline]\nheadng_ratio = 2.0"))
    assert kept.jobs() == []


def test_progress_is_told_and_cancelling_is_quick(kept: Store, long_pdf: bytes) -> None:
    sha256 = add(kept, long_pdf)
    job = jobs.submit(kept, "ingest", sha256, JobOptions())
    jobs.ensure_running(kept)
    wait_for(lambda: state(kept, job).done)
    seen = state(kept, job)
    assert (seen.state, seen.total) == ("running", 250)
    assert 0 < seen.done < 250
    start = time.monotonic()
    jobs.cancel(kept, job.id)
    after = ended(kept, job)
    assert time.monotonic() - start < 1.5  # half a second where the machine is idle
    assert (after.state, after.message) == ("cancelled", "The work was cancelled. Start it again when you want it.")
    assert kept.document(sha256) is not None
    assert kept.reading(sha256, run.reading_key(Profile())) is None
    again = jobs.submit(kept, "ingest", sha256, JobOptions())
    assert again.id != job.id
    assert ended(kept, again).state == "done"


def test_a_document_deleted_under_a_running_job(kept: Store, long_pdf: bytes) -> None:
    sha256, other = add(kept, long_pdf), add(kept, pdf(1))
    job = jobs.submit(kept, "ingest", sha256, JobOptions())
    after = jobs.submit(kept, "ingest", other, JobOptions())
    jobs.ensure_running(kept)
    wait_for(lambda: state(kept, job).done)
    kept.delete(sha256)
    assert jobs.get(kept, job.id) is None
    assert ended(kept, after).state == "done"
    assert [entry.sha256 for entry in kept.documents()] == [other]


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_killed_at_any_moment_the_work_is_finished_once(kept: Store, seed: int) -> None:
    moments = random.Random(seed)
    shas = [add(kept, pdf(8, number)) for number in range(6)]
    made = [jobs.submit(kept, "ingest", sha256, JobOptions()) for sha256 in shas]
    kills = 0
    while any(state(kept, job).live for job in made) and kills < 6:
        jobs.ensure_running(kept)
        process = running(kept)
        time.sleep(moments.uniform(0.0, 0.8))
        os.kill(process, signal.SIGKILL)
        wait_for(lambda: jobs.process_id(kept) is None)
        kills += 1
    jobs.ensure_running(kept)
    assert [ended(kept, job).state for job in made] == ["done"] * 6
    with sqlite3.connect(kept.file) as db:
        assert db.execute("SELECT count(*) FROM readings").fetchone() == (6,)
        assert db.execute("SELECT count(*) FROM pages").fetchone() == (48,)
    db.close()
    assert kept.check() == []
    assert len(kept.jobs()) == 6


def test_a_killed_job_process_leaves_no_worker_behind(kept: Store, long_pdf: bytes) -> None:
    job = jobs.submit(kept, "ingest", add(kept, long_pdf), JobOptions())
    jobs.ensure_running(kept)
    wait_for(lambda: state(kept, job).done)
    process = running(kept)
    workers = children(process)
    assert set(workers) <= set(processes("pipeline.reader"))
    assert workers
    os.kill(process, signal.SIGKILL)
    wait_for(lambda: not set(workers) & set(processes("pipeline.reader")), 10)


def test_two_processes_at_once_and_one_serves(kept: Store, tmp_path: Path) -> None:
    copy = copied_code(tmp_path)
    made = [jobs.submit(kept, "ingest", add(kept, pdf(2, seed)), JobOptions()) for seed in range(3)]
    command = [sys.executable, "-m", "pipeline.jobs", "--home", str(kept.home), "--idle", "2.5"]
    code = {**os.environ, "PYTHONPATH": str(copy)}
    both = [subprocess.Popen(command, cwd=copy, stdout=subprocess.PIPE, text=True, env=code) for _ in range(2)]
    said = [process.communicate(timeout=60)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(text.count("starts") for text in said) == [0, 3]
    assert [state(kept, job).state for job in made] == ["done"] * 3


def test_the_process_ends_when_nobody_asks_and_comes_back(kept: Store) -> None:
    jobs.ensure_running(kept, idle=0.5)
    first = running(kept)
    wait_for(lambda: jobs.process_id(kept) is None, 20)
    wait_for(lambda: not Path(f"/proc/{first}").exists())  # no zombie either
    job = jobs.submit(kept, "ingest", add(kept, pdf(1)), JobOptions())
    jobs.ensure_running(kept, idle=0.5)
    assert ended(kept, job).state == "done"


def test_an_app_that_asks_keeps_the_process(kept: Store) -> None:
    jobs.ensure_running(kept, idle=1.0)
    process = running(kept)
    end = time.monotonic() + 3
    while time.monotonic() < end:
        jobs.ensure_running(kept, idle=1.0)
        time.sleep(0.1)
    assert jobs.process_id(kept) == process


def copied_code(folder: Path) -> Path:
    """The pipeline's code in a folder where nobody edits it."""
    shutil.copytree(ROOT / "pipeline", folder / "copy" / "pipeline", ignore=shutil.ignore_patterns("__pycache__"))
    return folder / "copy"


def test_an_upgrade_ends_the_process_and_its_successor_does_the_rest(kept: Store, tmp_path: Path) -> None:
    copy = copied_code(tmp_path)
    long, short = (jobs.submit(kept, "ingest", add(kept, pdf(*what)), JobOptions()) for what in ((60, 1), (2, 2)))
    command = [sys.executable, "-m", "pipeline.jobs", "--home", str(kept.home)]
    old = subprocess.Popen(command, cwd=copy, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(copy)})
    wait_for(lambda: state(kept, long).done)
    os.utime(copy / "pipeline" / "amounts.py", (0, 0))
    assert old.wait(SECONDS) == 0
    assert state(kept, long).state == "done"  # what it had begun it brought to its end
    assert ended(kept, short).state == "done"
    assert running(kept) != old.pid


def test_told_to_end_it_puts_its_job_back(kept: Store, long_pdf: bytes) -> None:
    job = jobs.submit(kept, "ingest", add(kept, long_pdf), JobOptions())
    jobs.ensure_running(kept)
    wait_for(lambda: state(kept, job).done)
    os.kill(running(kept), signal.SIGTERM)
    wait_for(lambda: jobs.process_id(kept) is None)
    assert state(kept, job).state == "queued"
    jobs.ensure_running(kept)
    assert ended(kept, job).state == "done"


def test_asked_while_the_old_one_is_ending_a_new_one_comes(kept: Store) -> None:
    for _ in range(4):
        jobs.ensure_running(kept)
        old = running(kept)
        os.kill(old, signal.SIGTERM)
        while jobs.process_id(kept) == old:
            pass  # no pause: the lock is free a moment before the process is gone
        jobs.ensure_running(kept)
        wait_for(lambda: jobs.process_id(kept), 10)


def test_the_process_of_a_damaged_store_ends_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "store.db").write_bytes(b"not a database" * 1000)
    command = [sys.executable, "-m", "pipeline.jobs", "--home", str(tmp_path)]
    after = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (after.returncode, after.stderr) == (5, "")
    assert "is damaged. Put a backup in its place" in after.stdout
    assert after.stdout.count("\n") == 1


def test_a_folder_that_vanished_is_a_store_error(tmp_path: Path) -> None:
    kept = Store(tmp_path / "home")
    shutil.rmtree(kept.home)
    with pytest.raises(StoreError):
        jobs.ensure_running(kept)


def test_no_key_is_written_anywhere(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret-of-this-test")
    job = jobs.submit(kept, "ingest", add(kept, pdf(1)), JobOptions())
    jobs.ensure_running(kept)
    ended(kept, job)
    os.kill(running(kept), signal.SIGTERM)  # its files come and go while it runs
    wait_for(lambda: jobs.process_id(kept) is None)
    for path in kept.home.rglob("*"):
        assert path.is_dir() or b"sk-secret-of-this-test" not in path.read_bytes(), path


def test_nobody_waits_behind_all_of_anothers_jobs(kept: Store, long_pdf: bytes) -> None:
    theirs = [
        jobs.submit(kept, "ingest", add(kept, long_pdf + b"%" + str(n).encode()), JobOptions(), "ana") for n in range(4)
    ]
    jobs.ensure_running(kept)
    wait_for(lambda: state(kept, theirs[0]).done)
    mine = jobs.submit(kept, "ingest", add(kept, pdf(2)), JobOptions(), "ben")
    assert ended(kept, mine).state == "done"
    assert [state(kept, job).state for job in theirs].count("queued") >= 1
    for job in theirs[2:]:
        jobs.cancel(kept, job.id)
    assert [ended(kept, job).state for job in theirs[:2]] == ["done", "done"]
    again = jobs.retry(kept, state(kept, theirs[3]))
    assert (again.asker, ended(kept, again).state) == ("ana", "done")
