"""Measures kernels, calls, first calls and the import, beside NumPy and Numba in one run. It never
asserts a time.

    ./dev bench                 the whole run (some minutes)
    ./dev bench --quick         small sizes, fewer repeats
    ./dev bench --only jacobi   kernels whose name or kind contains the word
    ./dev bench --readme        prints the table of the README from the newest result

Everything runs on one thread. Contestants take turns within each repeat, and the least time
counts, so that a busy moment of the machine meets all of them. Results are checked against NumPy
before anything is timed.
"""

# ruff: noqa: E402 - the number of threads must be set before NumPy is imported

from __future__ import annotations

import os

for name in ("OPENBLAS", "OMP", "MKL", "NUMBA"):
    os.environ[f"{name}_NUM_THREADS"] = "1"

import argparse
import copy
import gc
import json
import linecache
import math
import platform
import statistics
import subprocess
import sys
import time
import types
import warnings
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))
import shapecast
from kernels import KERNELS, Kernel, add, first_element, source_of
from library_kernels import LIBRARY_KERNELS

RESULTS = Path(__file__).parent / "results"
REPEATS = 11  # the least of at least nine


# -------------------------------------------------------------------------------------- the machine


def machine() -> dict[str, Any]:
    model = platform.processor() or platform.machine()
    flags = ""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
            if line.startswith("flags"):
                flags = line
                break
    except OSError:
        pass
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    versions["shapecast"] = getattr(shapecast, "__version__", "unknown")
    try:
        import numba

        versions["numba"] = numba.__version__
    except ImportError:
        versions["numba"] = "not installed"
    vector = next((v for v in ("avx512f", "avx2") if v in flags), "")
    # Load tells a reader how far to trust the figures.
    return {"cpu": model, "vector": vector, "load": os.getloadavg()[0], **versions}


# ------------------------------------------------------------------------------------------- timing


def calibrated(call: Callable[[], object], target: float) -> int:
    """How many calls last about the target time."""
    count = 1
    while True:
        start = time.perf_counter()
        for _ in range(count):
            call()
        spent = time.perf_counter() - start
        if spent > target / 4 or count > 1_000_000:
            return max(1, round(count * target / max(spent, 1e-9)))
        count *= 4


def interleaved(
    calls: dict[str, Callable[[], object]], repeats: int, target: float
) -> dict[str, float]:
    """Least seconds of one call, contestants taking turns."""
    counts = {name: calibrated(call, target) for name, call in calls.items()}
    best = dict.fromkeys(calls, math.inf)
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats):
            for name, call in calls.items():
                count = counts[name]
                start = time.perf_counter()
                for _ in range(count):
                    call()
                best[name] = min(best[name], (time.perf_counter() - start) / count)
    finally:
        gc.enable()
    return best


# ------------------------------------------------------------------------------------------ kernels


def difference(got: Any, want: Any) -> float:
    """Largest difference relative to the largest number."""
    if isinstance(want, tuple):
        return max(difference(g, w) for g, w in zip(got, want, strict=True))
    if want is None:
        return 0.0 if got is None else math.inf
    wide = np.complex128 if np.iscomplexobj(want) else np.float64
    got, want = np.asarray(got, dtype=wide), np.asarray(want, dtype=wide)
    if got.shape != want.shape:
        return math.inf
    return float(
        np.max(np.abs(got - want), initial=0.0) / max(np.max(np.abs(want), initial=0.0), 1e-300)
    )


def numba_forms(kernel: Kernel) -> dict[str, Callable[..., Any]]:
    try:
        from numba import njit
    except ImportError:
        return {}
    plain = kernel.plain
    names = dict(plain.__globals__)  # a function that calls itself calls the compiled one
    names[plain.__name__] = njit(types.FunctionType(plain.__code__, names, plain.__name__))
    forms = {"numba": names[plain.__name__]}
    if kernel.port is not None:
        forms["numba loops"] = njit(kernel.port)
    return forms


def measure_kernel(kernel: Kernel, size: int, repeats: int, target: float) -> dict[str, Any]:
    arguments = kernel.arguments(size, np.random.default_rng(1))
    row: dict[str, Any] = {"name": kernel.name, "kind": kernel.kind, "size": size, "notes": []}
    reference_arguments = copy.deepcopy(arguments)
    start = time.perf_counter()
    reference = kernel.plain(*reference_arguments)
    numpy_once = time.perf_counter() - start

    contestants: dict[str, Callable[..., Any]] = {
        "shapecast": shapecast.jit(kernel.plain),
        **numba_forms(kernel),
    }
    if not kernel.slow_numpy:
        contestants["numpy"] = kernel.plain
    calls: dict[str, Callable[[], object]] = {}
    for name, f in contestants.items():
        own = copy.deepcopy(arguments)
        try:
            start = time.perf_counter()
            got = f(*own)
            row.setdefault("first call ms", {})[name] = (time.perf_counter() - start) * 1e3
        except Exception as error:
            row["notes"].append(
                f"{name}: {type(error).__name__}: {str(error).splitlines()[0][:100]}"
            )
            continue
        # In-place kernels: what counts is what they leave in their arguments.
        off = max(
            difference(got, reference),
            *(difference(a, b) for a, b in zip(own, reference_arguments, strict=True)),
        )
        row.setdefault("difference", {})[name] = off
        if off > (kernel.tolerance if name == "shapecast" else max(kernel.tolerance, 1e-10)):
            row["notes"].append(f"{name}: WRONG, off by {off:.1e}")
            continue
        # In-place kernels run on and on over their own arrays; all of them converge or stay
        # bounded.
        calls[name] = lambda f=f, own=own: f(*own)
    seconds = interleaved(calls, repeats, target)
    if kernel.slow_numpy:
        seconds["numpy"] = numpy_once
    row["seconds"] = seconds
    return row


def numba_best(row: dict[str, Any]) -> float | None:
    times = [t for name, t in row["seconds"].items() if name.startswith("numba")]
    return min(times) if times else None


# ----------------------------------------------------------------------- calls, first calls, import


def measure_calls(repeats: int) -> list[dict[str, Any]]:
    """Nanoseconds of a call where almost nothing is computed."""
    small = np.arange(8.0)
    rows = []
    for name, f, arguments in (
        ("two arrays of 8, new array", add, (small, small)),
        ("one element", first_element, (small,)),
        ("two Python floats", add, (1.5, 2.5)),
    ):
        calls: dict[str, Callable[[], object]] = {}
        contestants: dict[str, Callable[..., Any]] = {"numpy": f}
        if arguments[0] is small and f is add:
            contestants["np.add"] = np.add
        contestants["shapecast"] = shapecast.jit(f)
        try:
            from numba import njit

            contestants["numba"] = njit(f)
        except ImportError:
            pass
        notes = []
        for who, g in contestants.items():
            try:
                g(*arguments)
            except Exception as error:
                notes.append(f"{who}: {type(error).__name__}: {str(error).splitlines()[0][:100]}")
                continue
            # The arguments as defaults: no closure lookups in the timed call.
            space: dict[str, Any] = {"g": g, "v": arguments}
            names = ", ".join(f"a{k}" for k in range(len(arguments)))
            exec(
                f"def call(g=g, {', '.join(f'a{k}=v[{k}]' for k in range(len(arguments)))}):\n  "
                f"  g({names})",
                space,
            )
            calls[who] = space["call"]
        calls["empty call"] = _empty
        seconds = interleaved(calls, repeats, 0.02)
        floor = seconds.pop("empty call")
        rows.append(
            {"name": name, "ns": {k: (v - floor) * 1e9 for k, v in seconds.items()}, "notes": notes}
        )
    return rows


def _empty() -> None:
    pass


def from_source(source: str, file: str) -> Callable[..., Any]:
    source = "import numpy as np\n" + source  # as in a file
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    space: dict[str, Any] = {}
    exec(compile(source, file, "exec"), space)
    return space["f"]


def measure_first_calls(repeats: int, with_numba: bool) -> list[dict[str, Any]]:
    """Milliseconds from jit(f) to the first result, for fresh functions; the process is warm. On a
    busy machine the processor's time says more than the clock's."""
    arguments = tuple(np.random.default_rng(2).uniform(1, 2, (3, 1000)))
    contestants: dict[str, Callable[..., Any]] = {"shapecast": shapecast.jit}
    if with_numba:
        try:
            from numba import njit

            contestants["numba"] = njit
        except ImportError:
            pass
    rows = []
    tag = 0
    for operations in (1, 10, 100):
        times: dict[str, list[float]] = {name: [] for name in contestants}
        notes: list[str] = []
        for repeat in range(repeats + 1):
            for name, jit in contestants.items():
                # Numba is slow here: its figure needs no more than three.
                if (name == "numba" and repeat > 3) or notes:
                    continue
                tag += 1
                f = from_source(source_of(operations, tag), f"<bench {operations} {tag}>")
                try:
                    start, busy = time.perf_counter(), time.process_time()
                    jit(f)(*arguments)
                    spent = (time.perf_counter() - start) * 1e3
                    worked = (time.process_time() - busy) * 1e3
                except Exception as error:
                    notes.append(
                        f"{name}: {type(error).__name__}: {str(error).splitlines()[0][:100]}"
                    )
                    continue
                if repeat:  # the first warms up
                    times[name].append(spent)
                    times.setdefault(f"{name}, processor", []).append(worked)
        row = {"operations": operations, "notes": notes, "ms": {}, "median ms": {}}
        for name, spent in times.items():
            if spent:
                row["ms"][name] = min(spent)
                row["median ms"][name] = statistics.median(spent)
        rows.append(row)
    return rows


def in_fresh_process(program: str, repeats: int) -> float:
    """Least of what a program prints."""
    values = []
    for _ in range(repeats):
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        )
        values.append(float(done.stdout))
    return min(values)


def measure_import(repeats: int) -> dict[str, float]:
    timed = (
        "import time, numpy\nstart = time.perf_counter()\nimport {}\n"
        "print((time.perf_counter() - start) * 1e3)"
    )
    result = {"shapecast": in_fresh_process(timed.format("shapecast"), repeats)}
    try:
        result["numba"] = in_fresh_process(timed.format("numba"), 3)
    except subprocess.CalledProcessError:
        pass
    result["numpy itself"] = in_fresh_process(timed.replace(", numpy", "").format("numpy"), repeats)
    # Source by way of linecache: -c programs have no file to read.
    program = (
        "import time, linecache, numpy as np, shapecast\n"
        "s = 'def f(x):\\n    return x + 1\\n'\n"
        "linecache.cache['<first>'] = (len(s), None, s.splitlines(True), '<first>')\n"
        "n = {'np': np}\nexec(compile(s, '<first>', 'exec'), n)\nx = np.ones(3)\n"
        "start = time.perf_counter()\nshapecast.jit(n['f'])(x)\nprint((time.perf_counter() - "
        "start) * 1e3)"
    )
    try:
        result["first call of the process"] = in_fresh_process(program, repeats)
    except subprocess.CalledProcessError:
        pass
    return result


# ------------------------------------------------------------------------------------------- output


def duration(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def ratio(slower: float | None, faster: float | None) -> str:
    if not slower or not faster:
        return "-"
    value = slower / faster
    return (
        f"{value:.0f} x"
        if value >= 99.5
        else f"{value:.2g} x"
        if value < 9.95
        else f"{value:.1f} x"
    )


def show(result: dict[str, Any]) -> None:
    console = Console(highlight=False, width=max(100, Console().width))
    m = result["machine"]
    console.print(
        f"{m['cpu']} {m['vector']}, one thread, load {m['load']:.1f}; Python {m['python']}, "
        f"NumPy {m['numpy']}, "
        f"Numba {m['numba']}, shapecast {m['shapecast']}"
    )
    table = Table("kernel", "size", "shapecast", "NumPy", "Numba", "vs NumPy", "vs Numba")
    for column in table.columns[1:]:
        column.justify = "right"
    kind = None
    for row in result["kernels"]:
        if row["kind"] != kind:
            table.add_section()
            kind = row["kind"]
        ours, numpys, numbas = (
            row["seconds"].get("shapecast"),
            row["seconds"].get("numpy"),
            numba_best(row),
        )
        mark = (
            ""
            if "numba loops" not in row["seconds"] or numbas == row["seconds"].get("numba")
            else "*"
        )
        table.add_row(
            row["name"], f"{row['size']:,}", duration(ours), duration(numpys),
            duration(numbas) + mark,
            ratio(numpys, ours), ratio(numbas, ours),
        )  # fmt: skip
    console.print(table)
    console.print("*: explicit loops were faster for Numba than the plain source", style="dim")
    for row in result["kernels"] + result["calls"] + result["first calls"]:
        for note in row["notes"]:
            console.print(f"  {row.get('name', row.get('operations'))}: {note}", markup=False)

    for title, key, unit, digits, rows in (
        ("a call", "ns", "ns", 0, result["calls"]),
        ("a first call", "ms", "ms", 1, result["first calls"]),
    ):
        if not rows:
            continue
        names = list(dict.fromkeys(name for row in rows for name in row[key]))
        table = Table(title, *names)
        for column in table.columns[1:]:
            column.justify = "right"
        for row in rows:
            label = row.get("name") or f"{row['operations']} operations"
            table.add_row(
                label,
                *(f"{row[key][n]:,.{digits}f} {unit}" if n in row[key] else "-" for n in names),
            )
        console.print(table)
    if result["import"]:
        parts = ", ".join(f"{name} {ms:.1f} ms" for name, ms in result["import"].items())
        console.print(f"import beyond NumPy's, and around it: {parts}")


def readme(result: dict[str, Any]) -> str:
    """The README's table: the larger size of each kernel."""
    m = result["machine"]
    lines = [
        "| kernel | size | NumPy | Numba | shapecast | vs NumPy | vs Numba |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    largest = {row["name"]: row for row in result["kernels"]}
    for row in largest.values():
        ours, numpys, numbas = (
            row["seconds"].get("shapecast"),
            row["seconds"].get("numpy"),
            numba_best(row),
        )
        lines.append(
            f"| {row['name']} | {row['size']:,} | {duration(numpys)} | {duration(numbas)} | "
            f"{duration(ours)} "
            f"| {ratio(numpys, ours)} | {ratio(numbas, ours)} |"
        )
    calls = {row["name"]: row["ns"] for row in result["calls"]}
    facts = []
    if pair := calls.get("two arrays of 8, new array"):
        facts.append(
            f"a call with two arrays of 8 elements {pair.get('shapecast', math.nan):.0f} ns "
            f"(`np.add` {pair.get('np.add', math.nan):.0f}, Numba "
            f"{pair.get('numba', math.nan):.0f})"
        )
    firsts = {
        row["operations"]: row["ms"].get("shapecast, processor") for row in result["first calls"]
    }
    if firsts.get(10):
        facts.append(
            "the first call of a function of 1, 10, 100 operations "
            + ", ".join(f"{firsts[n]:.0f}" if firsts.get(n) else "-" for n in (1, 10, 100))
            + " ms (of the processor's time)"
        )  # fmt: skip
    if result["import"]:
        facts.append(f"`import shapecast` {result['import']['shapecast']:.0f} ms beyond NumPy's")
    machine_line = (
        f"{m['cpu']}, one thread; Python {m['python']}, NumPy {m['numpy']}, Numba {m['numba']}; "
        f"least of "
        f"{result['repeats']} interleaved repeats, float64, results checked against NumPy. "
        f"Reproduce with `./dev bench`, then `./dev bench --readme`."
    )
    text = "\n".join(lines)
    if facts:
        text += "\n\n" + "; ".join(facts)[0].upper() + "; ".join(facts)[1:] + "."
    return f"{text}\n\n{machine_line}"


def newest() -> dict[str, Any]:
    """The newest result of a whole run; if there is none, of any."""
    results = [json.loads(file.read_text()) for file in sorted(RESULTS.glob("*.json"))]
    if not results:
        raise SystemExit("no results yet: run ./dev bench first")
    return next((r for r in reversed(results) if r["calls"] and not r["quick"]), results[-1])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="small sizes, shorter repeats")
    parser.add_argument(
        "--only", metavar="WORD", help="kernels whose name or kind contains it; nothing else"
    )
    parser.add_argument(
        "--readme", action="store_true", help="print the README's table from the newest result"
    )
    parser.add_argument("--no-numba", action="store_true", help="leave Numba out")
    options = parser.parse_args()
    if options.readme:
        print(readme(newest()))
        return
    if options.no_numba:
        sys.modules["numba"] = None  # type: ignore[assignment]
    warnings.simplefilter("ignore")

    repeats = 9 if options.quick else REPEATS
    target = 0.002 if options.quick else 0.02
    result: dict[str, Any] = {
        "when": datetime.now().isoformat(timespec="seconds"),
        "machine": machine(),
    }
    result |= {
        "quick": options.quick,
        "repeats": repeats,
        "kernels": [],
        "calls": [],
        "first calls": [],
        "import": {},
    }
    progress = Console(stderr=True)
    with np.errstate(all="ignore"):
        for kernel in KERNELS + LIBRARY_KERNELS:
            if options.only and options.only not in f"{kernel.name} {kernel.kind}":
                continue
            for size in kernel.sizes[:1] if options.quick else kernel.sizes:
                progress.print(f"{kernel.name} {size:,}", style="dim")
                result["kernels"].append(measure_kernel(kernel, size, repeats, target))
        if not options.only:
            progress.print("calls, first calls, import", style="dim")
            result["calls"] = measure_calls(repeats)
            result["first calls"] = measure_first_calls(repeats, with_numba=not options.quick)
            result["import"] = measure_import(5 if options.quick else 9)
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{result['when'].replace(':', '-')}.json"
    path.write_text(json.dumps(result, indent=1))
    show(result)
    print(f"written to {os.path.relpath(path)}")


if __name__ == "__main__":
    main()
