"""`./dev edits --seeds 0:1000 --minutes 10`: programs that are edited, with one cache on disk.

Each seed is a program and a number of edits of it. After each edit a new process runs it, compiled
and plain, and what comes of both is compared; in some of them the program is changed while it runs.
Most of these processes are forks of one that has imported NumPy and shapecast and nothing of a
program, one of forty is started from nothing. All programs are the same files, so that what the
cache holds of one is there for the others. Every difference is printed, and appended with its
texts to --log; `--show SEED` prints a program.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from fuzz.edits import execute, programs
from fuzz.edits.actions import actions
from fuzz.edits.execute import ARGUMENTS

STARTED = 1_000_000_000  # files are written at this time, and a second later each time
SECONDS = 60  # of the processor for one process; ten times as long on the clock


class Failed(Exception):
    """A process that ended in another way than by its result."""


class Runner:
    """A folder with a program and a cache, and processes that run it."""

    def __init__(self, folder: Path) -> None:
        self.program, self.cache, self.writes = folder / "program", folder / "cache", 0
        self.program.mkdir()
        self.counted: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        os.environ["SHAPECAST_CACHE_DIR"] = str(self.cache)
        os.environ["SHAPECAST_NUM_THREADS"] = "1"
        sys.path.insert(0, str(self.program))
        sys.dont_write_bytecode = True
        execute.warm()

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self.program / f"{name}.py"
            if path.exists() and path.read_text() == text:
                continue
            path.write_text(text)
            self.writes += 1
            os.utime(path, (STARTED + 10 * self.writes,) * 2)

    def run(self, step: Step) -> dict[str, Any]:
        self.counted["processes"] += 1
        self.counted["started from nothing"] += step.anew
        what = (step.arguments, step.actions)
        result = self.started(what) if step.anew else self.forked(what)
        for key in ("compared", "refused"):
            self.counted[key] += result[key]
        for key in ("direct", "typed", "compiled"):
            self.counted[key] += result["made"][key]
        self.refusals.update(re.sub(r"'[^']*'|\d+", "_", text) for text in result["refusals"])
        return result

    def started(self, what: tuple[list[str], list[str]]) -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "-m", "fuzz.edits.execute", str(self.program), json.dumps(what)],
            cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=10 * SECONDS,
        )  # fmt: skip
        if done.returncode:
            raise Failed(f"exit status {done.returncode}: {done.stderr[-800:]}")
        return dict(json.loads(done.stdout))

    def forked(self, what: tuple[list[str], list[str]]) -> dict[str, Any]:
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            os.close(reader)
            self.child(what, writer)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            text = pipe.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status:
            raise Failed(f"exit status {status}: {text.decode()[-800:]}")
        return dict(json.loads(text))

    def child(self, what: tuple[list[str], list[str]], writer: int) -> None:
        """Never returns."""
        import signal
        import traceback

        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        signal.alarm(10 * SECONDS)
        status = 1
        try:
            text = json.dumps(execute.run(self.program, *what))
            status = 0
        except BaseException:
            text = traceback.format_exc()
        with os.fdopen(writer, "w") as pipe:
            pipe.write(text)
        os._exit(status)


class Step(NamedTuple):
    what: str  # was edited
    files: dict[str, str]
    arguments: list[str]
    actions: list[str]
    anew: bool  # in a process that is started from nothing


def history(seed: int, edits: int) -> Iterator[Step]:
    """A program and what becomes of it."""
    rng = random.Random(f"history {seed}")
    program = programs.make(seed)
    before: list[dict[str, str]] = []
    arguments = rng.sample(ARGUMENTS, 2)
    for number in range(edits):
        what = programs.edit(program, rng) if number else "made"
        files = program.files()
        if before and rng.random() < 0.15:  # a version control's checkout
            what, files = "taken back", rng.choice(before)
        before.append(files)
        statements = actions(program, rng, rng.randint(1, 4)) if rng.random() < 0.4 else []
        yield Step(what, files, arguments, statements, rng.random() < 1 / 40)


def check(runner: Runner, seed: int, edits: int) -> Iterator[dict[str, Any]]:
    """The differences."""
    last: dict[str, str] = {}
    for number, step in enumerate(history(seed, edits)):
        runner.write(step.files)
        try:
            found = runner.run(step)["differences"]
        except (Failed, subprocess.TimeoutExpired) as failure:
            found = [str(failure)]
        if found:
            yield {"seed": seed, "edit": number, "found": found, "before": last, **step._asdict()}
        last = step.files


def show(seed: int, edits: int) -> None:
    for number, step in enumerate(history(seed, edits)):
        print(f"#---- {number}: {step.what}; then {step.actions}")
        for name, text in step.files.items():
            print(f"#-- {name}.py\n{text.replace(programs.HEAD, '')}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="0:1000000", help="FIRST:END")
    parser.add_argument("--count", type=int, default=20_000, help="edits in all")
    parser.add_argument("--edits", type=int, default=25, help="edits of a program")
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--show", type=int, metavar="SEED")
    given = parser.parse_args()
    if given.show is not None:
        show(given.show, given.edits)
        return 0
    first, end = map(int, given.seeds.split(":"))
    started, failures = time.monotonic(), 0
    folder = Path(tempfile.mkdtemp(prefix="edits-"))
    runner = Runner(folder)
    try:
        for seed in range(first, end):
            late = time.monotonic() - started > given.minutes * 60
            if late or runner.counted["processes"] >= given.count:
                break
            if seed % 100 == 0 and seed > first:
                print(f"seed {seed}: {runner.counted['processes']} edits", flush=True)
            for failure in check(runner, seed, given.edits):
                failures += 1
                print(f"seed {seed}, edit {failure['edit']} ({failure['what']}), then "
                      f"{failure['actions']}: {failure['found'][0]}", flush=True)  # fmt: skip
                if given.log:
                    with given.log.open("a") as log:
                        log.write(json.dumps(failure) + "\n")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    minutes = (time.monotonic() - started) / 60
    counts = ", ".join(f"{number} {name}" for name, number in runner.counted.items())
    for why, number in runner.refusals.most_common(8):
        print(f"  refused {number:4} {why[:150]}")
    print(f"{minutes:.1f} minutes: {counts}; {failures} runs with differences")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
