"""Fills the marked excerpts of README.md and the pages of docs/ from real runs: `./dev docs`.

An excerpt is `<!-- BEGIN kind arguments -->` to `<!-- END -->`. OUTPUT and ERROR are what the
program above them prints, and the error that it ends in; the other kinds are functions below.
`python docs/fill.py docs/user/errors.md ...` fills these pages only, and leaves benchmarks alone.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import linecache
import os
import re
import sys
import textwrap
import traceback
from pathlib import Path
from typing import Any

os.environ["SHAPECAST_CACHE_DIR"] = "off"  # what is shown is compiled here

import numpy as np
from shapecast import jit

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]


@jit
def step(a, b, n):
    for k in range(n):
        b[1:-1] = 0.5 * (a[:-2] + a[2:])
        a, b = b, a
    return a


@jit
def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@jit
def total(a, n):
    s = 0.0
    for i in range(n):
        s += a[i]
    return s


@jit
def foo(x):
    return np.sqrt(x)


X = np.arange(8.0)
CALLS = {
    "step": (step, (X, X.copy(), 3)),
    "softmax": (softmax, (np.ones((4, 5)),)),
    "total": (total, (X, 8)),
    "foo": (foo, (20.0,)),
}


def functions(text: str) -> dict[str, str]:
    """Name and text of each function of a module, without its attributes."""
    found = {}
    for body in re.findall(r"^  (?:np|func|llvm)\.func .*?^  }$", text, re.M | re.S):
        body = re.sub(r" attributes \{.*\} \{$", " {", body, count=1, flags=re.M)
        body = "\n".join(line[2:] for line in body.splitlines())
        found[re.search(r"@(?:py\.)?([\w.]+)", body)[1]] = body
    return found


def excerpt(name: str, stage: str, part: str = "") -> str:
    """`part`: another function of the module, or a block of the optimised LLVM IR."""
    call, arguments = CALLS[name]
    text = call.stages(*arguments)["llvm" if stage == "optimised" else stage]
    if stage != "optimised":
        return functions(text)[part or name]
    lines = [line.removeprefix("//").removeprefix(" ") for line in text.splitlines()]
    optimised = "\n".join(lines[lines.index("optimised:") + 1 :])
    if part:
        block = re.search(rf"^{re.escape(part)}:.*?(?=^$)", optimised, re.M | re.S)[0]
    else:
        block = re.search(r"^define .*?^}$", optimised, re.M | re.S)[0]
    block = re.sub(r" +; preds = .*", "", block)
    return re.sub(r", !llvm.loop !\d+| #\d+", "", block).rstrip()


def stage(name: str, which: str, part: str = "") -> str:
    return f"```mlir\n{excerpt(name, which, part)}\n```"


def stages(name: str, *which: str) -> str:
    parts = [f"// {w}\n{excerpt(name, w).replace('// ', '; ')}" for w in which]
    return "```mlir\n" + "\n".join(parts) + "\n```"


def remarks(name: str, function: str) -> str:
    call, arguments = CALLS[name]
    found = [r for r in call.remarks(*arguments) if r.startswith(f"{function} ")]
    return "```\n" + "\n".join(re.sub(r"\(line \d+\)", "(line ...)", r) for r in found) + "\n```"


def example() -> str:
    source = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
    path = ROOT / "build" / "readme_example.py"
    path.write_text(source)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(source, str(path), "exec"), {"__name__": "example"})
    return f"```\n{out.getvalue()}```"


def explain(of: str = "") -> str:
    if of == "device":
        return explain_on_device()
    fresh = jit(step.__wrapped__)
    x, y = X, X.copy()
    fresh(x, y, 3)
    fresh(x, x, 3)
    fresh(x.astype(np.float32), y.astype(np.float32), 3)
    return f"```\n{re.sub(r'[0-9.]+ ms', '... ms', str(fresh.explain()))}\n```"


def explain_on_device() -> str:
    from shapecast import to_device

    def normalised(x):
        y = np.sort(x)
        scale = np.sqrt((x * x).mean(axis=1, keepdims=True))
        if scale.max() > 100:
            scale *= 0.5
        return y / scale

    fresh = jit(normalised)
    fresh(to_device(np.ones((4, 5))))
    first = normalised.__code__.co_firstlineno - 1

    def own(match: re.Match[str]) -> str:
        numbers = re.sub(r"\d+", lambda line: str(int(line[0]) - first), match[2])
        return f"{match[1]}{numbers})"

    source = textwrap.dedent(inspect.getsource(normalised))
    text = re.sub(r"(\(lines? )([\d, ]+)\)", own, str(fresh.explain()))
    return f"```python\n{source}```\n\n```\n{re.sub(r'[0-9.]+ ms', '... ms', text)}\n```"


def device_table() -> str:
    """The counts of docs/user/gpu-table.md, which `./dev docs` without names writes before."""
    text = (ROOT / "docs" / "user" / "gpu-table.md").read_text()
    return re.search(r"^\| \|.*?(?=\n\n)", text, re.M | re.S)[0]


def python_table(part: str) -> str:
    """A chapter of docs/user/python.md, or the numbers of all."""
    import python_table as table

    return table.summary() if part == "summary" else table.chapter(part)


def run_block(source: str, space: dict[str, Any], file: str) -> tuple[str, str]:
    """Runs a program as a file of its own: what it prints, and the error it ends in, as Python
    prints it, or "".
    """
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(source, file, "exec"), space)
    except Exception as error:
        return out.getvalue(), "".join(traceback.format_exception_only(error)).rstrip()
    return out.getvalue(), ""


_PROGRAM = re.compile(
    r"```python\n(.*?)```(\n\n<!-- BEGIN (OUTPUT|ERROR) -->\n.*?<!-- END -->)?", re.S
)


def examples(text: str, every: bool = True) -> str:
    """The page, with what each of its programs prints or ends in where it has an excerpt for that.

    The programs of a page share their names. every: also those without such an excerpt are run;
    one that ends in an error must show it.
    """
    space: dict[str, Any] = {"__name__": "example"}
    count = 0

    if ">>> " in text:  # a doctest
        return text

    def replace(match: re.Match[str]) -> str:
        nonlocal count
        program, excerpt, kind = match.groups()
        if not (every or excerpt):
            return match[0]
        count += 1
        # Functions are compiled when they are called, perhaps by a later program of the page.
        file = "example.py" if kind == "ERROR" else f"example{count}.py"
        printed, error = run_block(program, space, file)
        if (kind == "ERROR") != bool(error):
            raise ValueError(f"{error or 'no error'} from\n{program}")
        if not excerpt:
            return match[0]
        shown = error if kind == "ERROR" else printed.rstrip("\n")
        return f"```python\n{program}```\n\n<!-- BEGIN {kind} -->\n```\n{shown}\n```\n<!-- END -->"

    return _PROGRAM.sub(replace, text)


def source(file: str, name: str) -> str:
    """A function of the compiler, as it stands in its file."""
    text = (ROOT / file).read_text()
    found = re.search(rf"^[^\n]*\b{name}\(.*?^}}$", text, re.M | re.S)
    return f"```cpp\n{found[0]}\n```"


def view(name: str) -> str:
    """What a notebook's view says of the newest variant, as text: lines in nests, and the nests."""
    from shapecast import _nests, _show

    call, arguments = CALLS[name]
    jitted = jit(call.__wrapped__)
    jitted(*arguments)
    nests = _nests.describe(jitted._inspect_variant(0))
    rows = _show.source_rows(jitted.__wrapped__, nests)
    first = rows[0][0] - 1
    shown = [f"{n - first:4}  {line}{mark}" for n, line, mark in rows]
    shown += [f"nest {k}: {nest.text}" for k, nest in enumerate(nests, 1)]
    return "```\n" + "\n".join(shown) + "\n```"


_ROW = re.compile(
    r'^// (?P<group>[A-Z].*)$|^STAGE\("(?P<name>[\w-]+)", \w+, \w+, \w+, (?P<side>\w+),\s*'
    r'"(?P<sentence>(?:[^"\\]|\\.)*)"\)',
    re.M,
)


def pipeline() -> str:
    """The stages of src/pipeline.def, a table for each of its groups."""
    text = (ROOT / "src" / "pipeline.def").read_text()
    lines: list[str] = []
    group = ""
    for row in _ROW.finditer(text):
        if row["group"]:
            group = row["group"]
            continue
        if group:
            lines += ["", group, "", "| stage | what it does |", "|---|---|"]
            group = ""
        side = {"Both": "", "Host": " (host)", "Device": " (device)"}[row["side"]]
        lines.append(f"| `{row['name']}` | {row['sentence']}{side} |")
    return "\n".join(lines[1:])


def bench(part: str) -> str:
    """summary: the README's lines; kinds: a table by kind of kernel; rows: every row."""
    from bench import report

    made = {"summary": report.summary, "kinds": report.kinds, "rows": report.all_rows}[part]
    return made(report.newest())


def explain_picture() -> str:
    """The README's picture of `explain()`, as rich draws it in a terminal."""
    from rich.console import Console

    fresh, x = jit(softmax.__wrapped__), np.ones((200, 100))
    for argument in (x, x.astype(np.float32), x.T, np.ones((200, 0))):
        with contextlib.suppress(ValueError):  # no maximum of an empty row
            fresh(argument)
    console = Console(record=True, file=io.StringIO(), width=70)
    console.print(fresh.explain())
    return console.export_svg(title="rich.print(softmax.explain())", unique_id="explain")


def pictures() -> None:
    """The README's bar chart and table of variants, and the picture of every row."""
    from bench import picture, report

    result = report.newest()
    (ROOT / "docs" / "explain.svg").write_text(explain_picture())
    (ROOT / "docs" / "bench.svg").write_text(picture.bars(result))
    (ROOT / "docs" / "user" / "benchmarks.svg").write_text(picture.picture(result))


KINDS = {
    "STAGE": stage, "STAGES": stages, "EXAMPLE": example, "EXPLAIN": explain, "BENCH": bench,
    "REMARKS": remarks, "SOURCE": source, "VIEW": view, "PIPELINE": pipeline,
    "DEVICES": device_table, "PYTHON": python_table,
}  # fmt: skip


def fill(path: Path, kinds: tuple[str, ...] = tuple(KINDS)) -> None:
    def replace(match: re.Match[str]) -> str:
        kind, *arguments = match[1].split()
        if kind not in kinds:
            return match[0]
        return f"<!-- BEGIN {match[1]} -->\n{KINDS[kind](*arguments)}\n<!-- END -->"

    text = path.read_text()
    made = re.sub(r"<!-- BEGIN ([^\n]*?) -->\n.*?<!-- END -->", replace, text, flags=re.S)
    if made != text:
        path.write_text(made)


def pages() -> list[Path]:
    """Every page with programs or excerpts."""
    docs = ROOT / "docs"
    return [
        ROOT / "README.md",
        *sorted(docs.glob("user/*.md")),
        *sorted(docs.glob("internals/*.md")),
    ]


def runs_every_program(page: Path) -> bool:
    """Of pages on the compiler's code, only programs with an excerpt of their output are run."""
    return page.parent.name != "internals"


if __name__ == "__main__":
    chosen = [Path(name).resolve() for name in sys.argv[1:]]
    if not chosen:
        import device_table as of_devices
        import numpy_table

        (ROOT / "docs" / "user" / "numpy.md").write_text(numpy_table.page())
        (ROOT / "docs" / "user" / "gpu-table.md").write_text(of_devices.page())
        pictures()
    for page in chosen or pages():
        fill(page, tuple(kind for kind in KINDS if kind != "BENCH" or not chosen))
        page.write_text(examples(page.read_text(), runs_every_program(page)))
