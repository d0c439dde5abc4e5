"""Measures kernels, calls, first calls and the import beside NumPy and the peers. It never asserts
a time.

    ./dev bench                    the full form: all sizes, dtypes and peers, on one core, on all
                                   (a day; every row is written when it is there)
    ./dev bench --resume           goes on with the newest run that was stopped
    ./dev bench --quick            one size in float64 on one core beside Numba, at most ten minutes
    ./dev bench --only jacobi      kernels whose name or kind contains the word, nothing else
    ./dev bench --operations       single operations over dtypes and layouts beside NumPy, five
                                   minutes; with a word: those that contain it
    ./dev bench --compile-time     the CPU time of first calls of long programs, and how it
                                   grows with their length; with a word: those that contain it
    ./dev bench --prepare          compiles what Pythran needs, ahead
    ./dev bench --show [FILE]      the tables of a result (the newest); --picture FILE.svg draws it
    ./dev bench --readme           the README's lines from the newest result

Peers that are not installed are rows that say so; `./dev bench --with-peers` installs them first
(3 GB; the extras bench-peers and bench-torch of pyproject.toml).
A row is a process of its own, contestants are interleaved in it, and the minimum counts; ratios
near 1 are measured again, in new processes: three times, in the quick form once.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from itertools import product
from pathlib import Path
from typing import Any

from rich.console import Console

from bench import compile_time, machine, report
from bench.kernel import Kernel
from bench.kernels import KERNELS
from bench.measure import Task
from bench.peers import PEERS
from bench.picture import picture

RESULTS = Path(__file__).parent / "results"
ROOT = Path(__file__).parent.parent
QUICK_SECONDS = 540  # of kernels and all else, so that ten minutes hold
ROW_LIMIT = {"quick": 60, "full": 1200}  # seconds
# Rows within so much of 1, and how often they are measured again, everyone's minimum counting: a
# busy neighbour hits the one who needs the shared cache, not the one beside him.
AGAIN = {"quick": (2.0, 1), "full": (1.25, 3)}

progress = Console(stderr=True, highlight=False, soft_wrap=True)


# -------------------------------------------------------------------------------- other processes


def environment(threads: int) -> dict[str, str]:
    """Threads are set before NumPy and its BLAS are loaded. What compiles, compiles."""
    names = ("OPENBLAS", "OMP", "MKL", "NUMBA", "NUMEXPR", "SHAPECAST")
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {
        **os.environ,
        **{f"{name}_NUM_THREADS": str(threads) for name in names},
        "SHAPECAST_CACHE_DIR": "off",
        "PYTHONPATH": path,
    }


def ask(module: str, *arguments: str, threads: int = 1, limit: float = 600.0) -> Any:
    """What a module of the bench prints last, as JSON."""
    command = [sys.executable, "-m", f"bench.{module}", *arguments]
    done = subprocess.run(
        command, env=environment(threads), capture_output=True, text=True, timeout=limit, cwd=ROOT
    )
    if done.returncode:
        raise RuntimeError(f"bench.{module}: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def attempt(task: Task, limit: float) -> tuple[dict[str, Any] | None, str, str]:
    """The row, or None with who was at work and what happened."""
    command = [sys.executable, "-m", "bench.measure", json.dumps(dataclasses.asdict(task))]
    process = subprocess.Popen(
        command, env=environment(task.threads), text=True, cwd=ROOT,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        out, err = process.communicate(timeout=limit)
        reason = (err.strip().splitlines() or [f"exit status {process.returncode}"])[-1][:160]
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
        reason = f"took more than {limit:.0f} s"
    lines = out.splitlines()
    if process.returncode == 0 and lines:
        return json.loads(lines[-1]), "", ""
    at_work = next((line[1:] for line in reversed(lines) if line.startswith("@")), "start")
    return None, at_work, reason


def measured(task: Task, limit: float) -> dict[str, Any]:
    """One row. A contestant that takes the process down is left out of the next try."""
    row: dict[str, Any] = {"contestants": {}, "failure": ""}
    while True:
        found, at_work, reason = attempt(task, limit)
        if found is not None:
            for name, why in row["contestants"].items():
                found["contestants"][name] = why
            return found
        row["contestants"][at_work] = {"status": f"failed: {reason}"}
        if at_work in ("start", "numpy", "timing") or at_work in task.without:
            row["failure"] = f"{at_work}: {reason}"
            return row
        task = dataclasses.replace(task, without=(*task.without, at_work))


def merged(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The minimum of several runs of one row."""
    best = rows[0]
    for row in rows[1:]:
        for name, figures in row["contestants"].items():
            known = best["contestants"].setdefault(name, figures)
            if figures.get("seconds", float("inf")) < known.get("seconds", 0.0):
                best["contestants"][name] = figures
    return best | {"runs": len(rows)}


def whole_row(task: Task, kernel: Kernel, result: dict[str, Any], form: str) -> dict[str, Any]:
    limit = ROW_LIMIT[form]
    row = measured(task, limit)
    within, times = AGAIN[form]
    if not row.get("failure") and report.is_close(row, within):
        # Who is far behind need not compile again.
        slow = tuple(name for name in row["contestants"] if report.is_far_behind(row, name))
        again = dataclasses.replace(task, without=slow)
        row = merged([row, *(measured(again, limit) for _ in range(times))])
    row |= {
        "kernel": kernel.name,
        "kind": kernel.kind,
        "size": task.size,
        "dtype": task.dtype,
        "threads": task.threads,
        "streaming": kernel.streaming,
        "load": os.getloadavg()[0],
    }
    if "n" in row:
        n = row["n"]
        row["level"] = machine.level_of(row["working set"], result["machine"]["caches"])
        row["roof"] = machine.roof_seconds(
            kernel.items(n), kernel.flops(n), task.dtype, row["level"],
            result["ceilings"][str(task.threads)],
        )  # fmt: skip
    return row


# --------------------------------------------------------------------------------------- the plan


def plan(options: argparse.Namespace) -> Iterator[tuple[Kernel, Task]]:
    everyone = (1, machine.cores()) if machine.cores() > 1 else (1,)
    threads = options.threads or ((1,) if options.quick else everyone)
    sizes = options.sizes or ((1,) if options.quick else (0, 1, 2))
    short = {"repeats": 7, "target": 0.005, "brief": True} if options.quick else {}
    kernels = [
        kernel
        for kernel in KERNELS.values()
        if not options.only or options.only in f"{kernel.name} {kernel.kind}"
    ]
    # The most important first: one core, then all; a kernel's first dtype, then others.
    for count, which, kernel, size in product(threads, (0, 1), kernels, sizes):
        dtypes = [d for d in kernel.dtypes if not options.dtypes or d in options.dtypes]
        if which < len(dtypes[:1] if options.quick and not options.dtypes else dtypes):
            peers = tuple(options.peers)
            yield kernel, Task(kernel.name, size, dtypes[which], count, peers=peers, **short)


def key(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["kernel"], row["size"], row["dtype"], row["threads"]


def new_result(options: argparse.Namespace) -> tuple[Path, dict[str, Any]]:
    if options.resume:
        for path in sorted(RESULTS.glob("*.json"), reverse=True):
            result = json.loads(path.read_text())
            if "rows" in result and not result["complete"]:
                vars(options).update(result["options"])
                return path, result
        raise SystemExit("nothing to resume: no run was stopped")
    when = datetime.now().isoformat(timespec="seconds")
    kept = ("quick", "only", "threads", "sizes", "dtypes", "peers")
    result = {
        "when": when,
        "options": {name: getattr(options, name) for name in kept},
        "machine": machine.facts(),
        "ceilings": {},
        "rows": [],
        "calls": [],
        "latency": {},
        "complete": False,
    }
    return RESULTS / f"{when.replace(':', '-')}.json", result


def save(path: Path, result: dict[str, Any]) -> None:
    """In one step, so that a stop in between loses nothing."""
    path.parent.mkdir(exist_ok=True)
    spare = path.with_suffix(".part")
    spare.write_text(json.dumps(result, indent=1))
    spare.replace(path)


def run(options: argparse.Namespace) -> None:
    path, result = new_result(options)
    begun = time.monotonic()
    form = "quick" if options.quick else "full"
    tasks = list(plan(options))
    for threads in sorted({task.threads for _, task in tasks}):
        if str(threads) not in result["ceilings"]:
            progress.print(f"ceilings of {threads} threads", style="dim")
            found = ask("machine", str(threads), threads=threads)
            result["ceilings"][str(threads)] = found
            save(path, result)
    if not options.only and not result["latency"]:
        for name in ("calls", "latency"):
            progress.print(name, style="dim")
            result[name] = ask(name, form, limit=1800)
            save(path, result)
    done = {key(row) for row in result["rows"]}
    for kernel, task in tasks:
        if (task.kernel, task.size, task.dtype, task.threads) in done:
            continue
        if options.quick and time.monotonic() - begun > QUICK_SECONDS:
            progress.print("ten minutes are over: the rest was not measured")
            break
        row = whole_row(task, kernel, result, form)
        result["rows"].append(row)
        save(path, result)
        progress.print(report.line(row), style="dim")
    result["complete"] = True
    result["planned"] = len(tasks)
    save(path, result)
    report.show(result)
    print(f"written to {os.path.relpath(path)}")


def run_operations(word: str) -> None:
    when = datetime.now().isoformat(timespec="seconds")
    found = ask("operations", word, limit=3600)
    result = {"when": when, "machine": machine.facts(), "word": word, "operations": found}
    path = RESULTS / f"operations-{when.replace(':', '-')}.json"
    save(path, result)
    report.show_operations(result)
    print(f"written to {os.path.relpath(path)}")


def options_of(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./dev bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="one size, one dtype, at most ten minutes")
    add("--resume", action="store_true", help="go on with the newest run that was stopped")
    add("--only", metavar="WORD", help="kernels whose name or kind contains it; nothing else")
    add("--operations", nargs="?", const="", metavar="WORD", help="single operations; nothing else")
    add("--compile-time", nargs="?", const="", metavar="WORD", help="first calls; nothing else")
    add("--threads", type=int, nargs="+", help="numbers of threads (1 and all cores)")
    add("--sizes", type=int, nargs="+", choices=(0, 1, 2), help="0 L1/L2, 1 L3, 2 memory")
    add("--dtypes", nargs="+", help="float64, float32, ...")
    add("--peers", nargs="*", choices=list(PEERS), help="who else runs (all; quick: numba)")
    add("--prepare", action="store_true", help="compile what Pythran needs, ahead")
    add("--show", nargs="?", const="", metavar="FILE", help="print the tables of a result")
    add("--picture", metavar="FILE", help="draw the ratios of the newest result as SVG")
    add("--readme", action="store_true", help="print the README's lines")
    options = parser.parse_args(arguments)
    if options.peers is None:
        options.peers = ["numba"] if options.quick else list(PEERS)
    return options


def main() -> None:
    options = options_of()
    if options.readme:
        print(report.summary(report.newest()))
    elif options.picture:
        Path(options.picture).write_text(picture(report.newest()))
    elif options.show is not None:
        report.show(json.loads(Path(options.show).read_text()) if options.show else report.newest())
    elif options.operations is not None:
        run_operations(options.operations)
    elif options.compile_time is not None:
        compile_time.show(options.compile_time)
    elif options.prepare:
        PEERS["pythran"].prepare()
    else:
        run(options)


if __name__ == "__main__":
    main()
