"""Tables, and the excerpts of the README and of docs/user/benchmarks.md, from the JSON of a run."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

RESULTS = Path(__file__).parent / "results"
FOUND = "ok"

# Targets, printed next to the measurements.
AIMS = {"numpy": 0.97, "peer": 1.0, "mean numpy": 3.0, "mean peer": 1.5, "streaming": 0.9,
        "all cores": 0.95, "import": 40.0}  # fmt: skip

NAMES = {"numba": "Numba", "jax": "JAX", "pythran": "Pythran", "torch": "PyTorch"}

Row = dict[str, Any]

# ------------------------------------------------------------------------------------ what rows say


def seconds(row: Row, name: str) -> float | None:
    return row["contestants"].get(name, {}).get("seconds")


def best_peer(row: Row) -> tuple[str, float] | None:
    """The fastest of those with correct results, including fastmath and threads."""
    times = [
        (figures["seconds"], name)
        for name, figures in row["contestants"].items()
        if name not in ("numpy", "shapecast") and "seconds" in figures
    ]
    return (min(times)[1], min(times)[0]) if times else None


def over_numpy(row: Row) -> float | None:
    return quotient(seconds(row, "numpy"), seconds(row, "shapecast"))


def over_peer(row: Row) -> float | None:
    peer = best_peer(row)
    return quotient(peer[1] if peer else None, seconds(row, "shapecast"))


def quotient(slower: float | None, faster: float | None) -> float | None:
    return slower / faster if slower and faster else None


def is_close(row: Row, within: float = 1.25) -> bool:
    """A ratio so near 1 that noise may decide it."""
    ratios = (over_numpy(row), over_peer(row))
    return any(r is not None and 1 / within < r < within for r in ratios)


def is_far_behind(row: Row, name: str) -> bool:
    ours, theirs = seconds(row, "shapecast"), seconds(row, name)
    return name != "numpy" and (theirs is None or (ours is not None and theirs > 2 * ours))


def share_of_roof(row: Row) -> float | None:
    return quotient(row.get("roof"), seconds(row, "shapecast"))


def mean(ratios: Iterable[float | None]) -> float | None:
    known = [math.log(r) for r in ratios if r]
    return math.exp(sum(known) / len(known)) if known else None


def failures(row: Row) -> Iterator[str]:
    """Notes on a row: who failed, is wrong or missing."""
    if row.get("failure"):
        yield row["failure"]
    for name, figures in row["contestants"].items():
        if figures["status"] not in (FOUND, "no port"):
            yield f"{name}: {figures['status']}"


def stream_shares(rows: list[Row]) -> dict[str, float]:
    """Memory-bound kernels: bandwidth as a fraction of our own best copy or triad."""
    chosen = [
        r for r in rows
        if r["streaming"] and r["size"] == 2 and r["threads"] == 1 and r["dtype"] == "float64"
        and r.get("level") == "DRAM" and share_of_roof(r)
    ]  # fmt: skip
    shares = {r["kernel"]: share_of_roof(r) or 0.0 for r in chosen}
    best = max((shares[name] for name in ("copy", "triad") if name in shares), default=None)
    # Both are bounded by the same bandwidth, so it cancels out.
    return {name: share / best for name, share in shares.items()} if best else {}


# ---------------------------------------------------------------------------------- numbers as text


def duration(value: float | None) -> str:
    if value is None:
        return "-"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value * 1e9:.0f} ns"


def ratio(value: float | None) -> str:
    if not value:
        return "-"
    return f"{value:.0f} x" if value >= 99.5 else f"{value:.1f} x" if value >= 9.95 else (
        f"{value:.2f} x"
    )  # fmt: skip


def percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.0f} %"


def label(row: Row) -> str:
    return f"{row['kernel']} {row.get('n', '-'):,} {row['dtype']} x{row['threads']}" if (
        "n" in row
    ) else f"{row['kernel']} {row['dtype']} x{row['threads']}"  # fmt: skip


def line(row: Row) -> str:
    """A row while it is measured."""
    peer = best_peer(row)
    return (
        f"{label(row):48} {duration(seconds(row, 'shapecast')):>8}  "
        f"NumPy {ratio(over_numpy(row)):>7}  {peer[0] if peer else 'no peer'} "
        f"{ratio(over_peer(row)):>7}  {'; '.join(failures(row))}"
    )


def sentence(result: dict[str, Any]) -> str:
    m = result["machine"]
    peers = ", ".join(f"{name} {version}" for name, version in m["peers"].items()
                      if name in result["options"]["peers"])  # fmt: skip
    quick = ", quick form" if result["options"]["quick"] else ""
    return (
        f"{m['cpu']} {m['vector']}, {m['cores']} cores, load {m['load']:.1f}; "
        f"Python {m['python']}, NumPy {m['numpy']}, shapecast {m['shapecast']} "
        f"({m['build']} build); {peers}{quick}"
    )


# ------------------------------------------------------------------------------ aims and figures


def aims(result: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Targets, measurements, and the worst miss."""
    rows = [r for r in result["rows"] if r["threads"] == 1]
    found = []
    for name, of, least, aim in (
        ("NumPy", over_numpy, AIMS["numpy"], AIMS["mean numpy"]),
        ("best peer", over_peer, AIMS["peer"], AIMS["mean peer"]),
    ):
        known = [(value, label(r)) for r in rows if (value := of(r))]
        if not known:
            continue
        found.append((f"geometric mean over {name}: >= {aim} x",
                      ratio(mean(v for v, _ in known)), f"{len(known)} rows"))  # fmt: skip
        slow = sorted((v, who) for v, who in known if v < least)
        worst = ", ".join(f"{who} {v:.2f}" for v, who in slow[:4])
        found.append((f"every row >= {least} x {name}", f"{len(slow)} miss it", worst))
    if shares := stream_shares(result["rows"]):
        slow = sorted((v, k) for k, v in shares.items() if v < AIMS["streaming"])
        worst = ", ".join(f"{k} {percent(v)}" for v, k in slow[:4])
        found.append(("streaming from memory >= 90 % of our copy or triad",
                      f"{len(slow)} of {len(shares)} miss it", worst))  # fmt: skip
    refused = [f"{label(r)}: {r['contestants']['shapecast']['status']}" for r in result["rows"]
               if r["contestants"].get("shapecast", {}).get("status", FOUND) != FOUND]  # fmt: skip
    found.append(("every kernel runs, and is right", f"{len(refused)} do not", "; ".join(refused)))
    if shared := [r for r in result["rows"] if r["threads"] > 1]:
        found += threads_figures(shared, rows)
    if imported := result["latency"].get("import", {}).get("shapecast"):
        found.append(("import <= 40 ms beyond NumPy's", f"{imported:.0f} ms", ""))
    return found


def threads_figures(shared: list[Row], alone: list[Row]) -> Iterator[tuple[str, str, str]]:
    """What all cores reach, and which kernels are slower there than on one."""
    for name, of in (("NumPy", over_numpy), ("best peer", over_peer)):
        yield f"all cores: geometric mean over {name}", ratio(mean(map(of, shared))), ""

    def of_kernel(r: Row) -> tuple[Any, ...]:
        return r["kernel"], r["size"], r["dtype"]

    one = {of_kernel(r): seconds(r, "shapecast") for r in alone}
    gains = [
        (gain, label(r))
        for r in shared
        if (gain := quotient(one.get(of_kernel(r)), seconds(r, "shapecast")))
    ]
    if gains:
        slow = sorted((v, who) for v, who in gains if v < AIMS["all cores"])
        worst = ", ".join(f"{who} {v:.2f}" for v, who in slow[:4])
        yield (f"all cores: every row >= {AIMS['all cores']} x one core",
               f"{len(slow)} miss it", worst)  # fmt: skip
        yield "all cores: geometric mean over one core", ratio(mean(v for v, _ in gains)), ""


# ----------------------------------------------------------------------------------- the terminal


def table(title: str, *columns: str) -> Table:
    made = Table(title, *columns)
    for column in made.columns[1:]:
        column.justify = "right"
    return made


def kernel_table(rows: list[Row], threads: int) -> Table:
    names = ("size", "level", "shapecast", "NumPy", "best peer", "", "vs NumPy", "vs peer", "roof")
    made = table(f"kernel, {threads} thread{'s' * (threads > 1)}", *names)
    kind = None
    for row in rows:
        if row["threads"] != threads:
            continue
        if row["kind"] != kind:
            made.add_section()
            kind = row["kind"]
        name, peer = best_peer(row) or ("", None)
        made.add_row(
            f"{row['kernel']} {row['dtype'].replace('float', 'f')}", f"{row.get('n', 0):,}",
            row.get("level", "-"), duration(seconds(row, "shapecast")),
            duration(seconds(row, "numpy")), duration(peer), name, ratio(over_numpy(row)),
            ratio(over_peer(row)), percent(share_of_roof(row)),
        )  # fmt: skip
    return made


def call_table(rows: list[Row], title: str, key: str, unit: str, digits: int) -> Table:
    who = list(dict.fromkeys(name for row in rows for name in row[key]))
    made = table(title, *who, "aim")
    for row in rows:
        cells = [f"{row[key][w]:,.{digits}f} {unit}" if w in row[key] else "-" for w in who]
        made.add_row(row["name"], *cells, f"{row['aim']} {unit}" if row["aim"] else "")
    return made


def latency_lines(latency: dict[str, Any]) -> Iterator[str]:
    def figures(values: dict[str, Any], unit: str) -> str:
        known = {k: v for k, v in values.items() if isinstance(v, float)}
        return ", ".join(f"{name} {value:.1f} {unit}" for name, value in known.items())

    yield f"import beyond NumPy's: {figures(latency['import'], 'ms')}"
    for who, starts in latency["start"].items():
        yield f"first call of a process, {who}: {figures(starts, 'ms')}"
    yield f"peak memory: {figures(latency['memory'], 'MB')}"
    size = latency["size"]
    wheel = f"{size['wheel MB']:.1f} MB" if size["wheel MB"] else size["note"]
    yield f"on disk: wheel {wheel}, module {size['module MB']:.1f} MB"


def show(result: dict[str, Any]) -> None:
    console = Console(highlight=False, width=max(140, Console().width))
    console.print(sentence(result))
    for threads in sorted({row["threads"] for row in result["rows"]}):
        console.print(kernel_table(result["rows"], threads))
    for row in result["rows"]:
        if notes := "; ".join(failures(row)):
            console.print(f"  {label(row)}: {notes}", markup=False, style="dim")
    if result["calls"]:
        console.print(call_table(result["calls"], "a call", "ns", "ns", 0))
    if latency := result["latency"]:
        console.print(call_table(latency["first calls"], "a first call", "ms", "ms", 1))
        console.print(call_table(latency["first calls"], "of the processor", "busy", "ms", 1))
        for text in latency_lines(latency):
            console.print(text, markup=False)
    made = Table("aimed at", "found", "by")
    for row in aims(result):
        made.add_row(*row)
    console.print(made)
    missing = result.get("planned", 0) - len(result["rows"])
    if missing > 0:
        console.print(f"{missing} rows were not measured for want of time")


# ------------------------------------------------------------------------------- single operations


def operation_label(row: Row) -> str:
    return f"{row['dtype']} {row['layout']}"


def by_operation(rows: list[Row]) -> Iterator[tuple[str, float | None, str, int, int, str]]:
    """Each operation: geometric mean over NumPy, its slowest row, how many rows miss the aim, of
    how many, and what failed."""
    for name in dict.fromkeys(row["operation"] for row in rows):
        own = [row for row in rows if row["operation"] == name]
        known = [(r, operation_label(row)) for row in own if (r := operation_ratio(row))]
        worst = f"{min(known)[1]} {ratio(min(known)[0])}" if known else "-"
        missed = sum(r < AIMS["numpy"] for r, _ in known)
        failed = "; ".join(f"{operation_label(r)}: {r['failure']}" for r in own if "failure" in r)
        yield name, mean(r for r, _ in known), worst, missed, len(known), failed


def operation_ratio(row: Row) -> float | None:
    return quotient(row.get("numpy"), row.get("shapecast"))


def operations_sentence(result: dict[str, Any]) -> str:
    m, rows = result["machine"], result["operations"]
    known = [r for row in rows if (r := operation_ratio(row))]
    return (
        f"{m['cpu']} {m['vector']}, load {m['load']:.1f}; NumPy {m['numpy']}, shapecast "
        f"{m['shapecast']} ({m['build']} build), one thread: {len(known)} rows, geometric mean "
        f"{ratio(mean(known))} NumPy, {sum(r < AIMS['numpy'] for r in known)} below "
        f"{AIMS['numpy']}, {sum('failure' in row for row in rows)} failed"
    )


def show_operations(result: dict[str, Any]) -> None:
    console = Console(highlight=False, width=max(140, Console().width))
    made = table("operation", "vs NumPy", "slowest", "missed")
    for name, over, worst, missed, of, failed in by_operation(result["operations"]):
        made.add_row(name, ratio(over), worst, f"{missed} of {of}" if missed else "")
        if failed:
            made.add_row(f"  {failed}")
    console.print(made)
    for row in sorted(result["operations"], key=lambda row: operation_ratio(row) or math.inf):
        if (over := operation_ratio(row)) and over < AIMS["numpy"]:
            console.print(
                f"{over:.2f}  {row['operation']:32} {operation_label(row):24} NumPy "
                f"{duration(row['numpy'])}, shapecast {duration(row['shapecast'])}", markup=False,
            )  # fmt: skip
    console.print(operations_sentence(result))


# ---------------------------------------------------------------------------------- README and docs


def largest(result: dict[str, Any]) -> list[Row]:
    """One row a kernel: the largest size, the first dtype, one thread."""
    chosen: dict[str, Row] = {}
    for row in result["rows"]:
        old = chosen.get(row["kernel"])
        better = old is None or (row["dtype"] == old["dtype"] and row["size"] > old["size"])
        if row["threads"] == 1 and better:
            chosen[row["kernel"]] = row
    return list(chosen.values())


def kinds(result: dict[str, Any]) -> str:
    """By kind of kernel: means, and the slowest relative to NumPy and to the best peer."""
    rows = largest(result)
    lines = [
        "| kind | kernels | vs NumPy | vs best peer | worst case vs NumPy | worst vs best peer |",
        "|---|---:|---:|---:|---|---|",
    ]
    groups = {row["kind"]: [r for r in rows if r["kind"] == row["kind"]] for row in rows}
    for kind, group in [*groups.items(), ("**all**", rows)]:
        cells = [ratio(mean(map(of, group))) for of in (over_numpy, over_peer)]
        cells += [least(group, of) for of in (over_numpy, over_peer)]
        lines.append(f"| {kind} | {len(group)} | {' | '.join(cells)} |")
    if facts := call_facts(result):
        lines += ["", f"{capitalised('; '.join(facts))}."]
    lines += ["", f"{sentence(result)}. {method(result)}"]
    return "\n".join(lines)


def capitalised(text: str) -> str:
    return text[0].upper() + text[1:]


def method(result: dict[str, Any]) -> str:
    """How the figures are computed, and the command that makes them again."""
    quick, peers = (result["options"][name] for name in ("quick", "peers"))
    command = f"--quick --peers {' '.join(peers)}" if quick else "--with-peers"
    return (
        f"Geometric means, one thread, {'one' if quick else 'the largest'} size of each kernel, "
        f"results checked against NumPy. Reproduce with `./dev bench {command}`."
    )


def summary(result: dict[str, Any]) -> str:
    """The README's three lines."""
    rows = largest(result)
    peers = [NAMES.get(name, name) for name in result["options"]["peers"]]
    one = [ratio(mean(map(of, rows))) for of in (over_numpy, over_peer)]
    worst = [least(rows, of) for of in (over_numpy, over_peer)]
    named = " and".join(", ".join(peers).rsplit(",", 1))
    all_cores = next((fact for fact in call_facts(result) if fact.startswith("on all")), "")
    facts = [fact for fact in call_facts(result) if not fact.startswith("on all")]
    return "\n".join([
        f"- {len(rows)} kernels, one thread: **{one[0]} NumPy**, {one[1]} the best of {named} "
        f"(geometric means; worst cases {worst[0]} and {worst[1]})"
        + (f"; {all_cores}." if all_cores else "."),
        f"- {capitalised('; '.join(facts))}." if facts else "- Calls were not measured.",
        f"- {sentence(result)}. {method(result)}",
    ])  # fmt: skip


def least(group: list[Row], of: Callable[[Row], float | None]) -> str:
    known = [(value, row["kernel"]) for row in group if (value := of(row))]
    return f"{min(known)[1]} {ratio(min(known)[0])}" if known else "-"


def call_facts(result: dict[str, Any]) -> list[str]:
    facts = []
    if shared := [r for r in result["rows"] if r["threads"] > 1]:
        over = (ratio(mean(map(of, shared))) for of in (over_numpy, over_peer))
        facts.append("on all cores {} NumPy, {} the best peer".format(*over))
    calls = {row["name"]: row["ns"] for row in result["calls"]}
    if pair := calls.get("two arrays of 8"):
        facts.append(
            f"a call with two arrays of 8 elements {pair['shapecast']:.0f} ns (`np.add` "
            f"{pair['np.add']:.0f}" + (f", Numba {pair['numba']:.0f})" if "numba" in pair else ")")
        )
    if latency := result["latency"]:
        busy = [row["busy"].get("shapecast", math.nan) for row in latency["first calls"][:3]]
        facts.append(
            "the first call of a function of 1, 10, 100 operations "
            + ", ".join(f"{b:.0f}" for b in busy)
            + " ms (of the processor's time)"
        )
        if imported := latency["import"]["shapecast"]:
            facts.append(f"`import shapecast` {imported:.0f} ms beyond NumPy's")
    return facts


def all_rows(result: dict[str, Any]) -> str:
    """Every row, and who did not run."""
    lines = [
        "| kernel | dtype | threads | size | level | NumPy | best peer | shapecast | vs NumPy "
        "| vs peer | of the roof |",
        "|---|---|---:|---:|---|---:|---:|---:|---:|---:|---:|",
    ]  # fmt: skip
    for row in result["rows"]:
        name, peer = best_peer(row) or ("-", None)
        lines.append(
            f"| {row['kernel']} | {row['dtype']} | {row['threads']} | {row.get('n', 0):,} | "
            f"{row.get('level', '-')} | {duration(seconds(row, 'numpy'))} | "
            f"{duration(peer)} {name} | {duration(seconds(row, 'shapecast'))} | "
            f"{ratio(over_numpy(row))} | {ratio(over_peer(row))} | {percent(share_of_roof(row))} |"
        )
    notes = [f"- {label(row)}: {'; '.join(failures(row))}" for row in result["rows"]]
    lines += ["", "### Kernels that a peer cannot run, or gets wrong", ""]
    lines += [note for note, row in zip(notes, result["rows"], strict=True) if any(failures(row))]
    return "\n".join(lines)


def newest() -> dict[str, Any]:
    """The newest whole run of the full form; if there is none, the newest of any."""
    found = [json.loads(file.read_text()) for file in sorted(RESULTS.glob("*.json"))]
    found = [result for result in found if "rows" in result]
    if not found:
        raise SystemExit("no results yet: run ./dev bench first")
    whole = [r for r in found if r["latency"] and not r["options"]["quick"] and r["complete"]]
    return (whole or [r for r in found if r["latency"]] or found)[-1]
