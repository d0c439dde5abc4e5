"""Fills the marked places of README.md and docs/*.md from real runs: `./dev docs`.

A place is `<!-- BEGIN kind arguments -->` to `<!-- END -->`; the kinds are the functions below.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import os
import re
import sys
import traceback
from pathlib import Path
from typing import Any

os.environ["SHAPECAST_CACHE_DIR"] = "off"  # what is shown is compiled here

import numpy as np
from shapecast import jit

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))


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


def explain() -> str:
    fresh = jit(step.__wrapped__)
    x, y = X, X.copy()
    fresh(x, y, 3)
    fresh(x, x, 3)
    fresh(x.astype(np.float32), y.astype(np.float32), 3)
    return f"```\n{re.sub(r'[0-9.]+ ms', '... ms', str(fresh.explain()))}\n```"


def run_block(source: str, space: dict[str, Any]) -> str:
    """Runs a program as a file of its own; the error it ends in, as Python prints it, or ""."""
    file = "example.py"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    try:
        exec(compile(source, file, "exec"), space)
    except Exception as error:
        return "".join(traceback.format_exception_only(error)).rstrip()
    return ""


def errors(text: str) -> str:
    """The page with the error of each program that has a place for it behind it."""
    space: dict[str, Any] = {"__name__": "example"}

    def replace(match: re.Match[str]) -> str:
        shown = run_block(match[1], space)
        if bool(match[2]) != bool(shown):
            raise ValueError(f"{shown or 'no error'} from\n{match[1]}")
        place = f"\n\n<!-- BEGIN ERROR -->\n```\n{shown}\n```\n<!-- END -->" if match[2] else ""
        return f"```python\n{match[1]}```{place}"

    block = r"```python\n(.*?)```(\n\n<!-- BEGIN ERROR -->\n.*?<!-- END -->)?"
    return re.sub(block, replace, text, flags=re.S)


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
    nests = _nests.describe(jitted._look(0))
    rows = _show.source_rows(jitted.__wrapped__, nests)
    first = rows[0][0] - 1
    shown = [f"{n - first:4}  {line}{mark}" for n, line, mark in rows]
    shown += [f"nest {k}: {nest.text}" for k, nest in enumerate(nests, 1)]
    return "```\n" + "\n".join(shown) + "\n```"


def bench() -> str:
    """The README's table; the page with every row and its picture are written on the way."""
    from bench import report
    from bench.picture import picture

    result = report.newest()
    (ROOT / "docs" / "bench.md").write_text(report.page(result))
    (ROOT / "docs" / "bench.svg").write_text(picture(result))
    return report.readme(result)


def fill(path: Path) -> None:
    def replace(match: re.Match[str]) -> str:
        kind, *arguments = match[1].split()
        made = {"STAGE": stage, "STAGES": stages, "EXAMPLE": example, "EXPLAIN": explain,
                "BENCH": bench, "REMARKS": remarks, "SOURCE": source,
                "VIEW": view}[kind](*arguments)  # fmt: skip
        return f"<!-- BEGIN {match[1]} -->\n{made}\n<!-- END -->"

    text = path.read_text()
    made = re.sub(r"<!-- BEGIN ([^\n]*?) -->\n.*?<!-- END -->", replace, text, flags=re.S)
    path.write_text(made)


if __name__ == "__main__":
    for page in ("README.md", "docs/tutorial.md", "docs/add-an-op.md"):
        fill(ROOT / page)
    page = ROOT / "docs" / "errors.md"
    page.write_text(errors(page.read_text()))
    import numpy_table

    (ROOT / "docs" / "numpy.md").write_text(numpy_table.page())
