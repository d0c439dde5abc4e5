"""docs/user/numpy.md: what becomes of each public function of NumPy in a jitted function."""

from __future__ import annotations

import functools
import sys
import warnings
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import shapecast

_ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(_ROOT / "tests" / "numpy"), str(_ROOT / "tests")]

from names import NAMESPACES, REASONS, arguments_of, call_of, public_functions  # noqa: E402
from support.compare import copy_arguments, make  # noqa: E402

_HEAD = """# NumPy's functions inside jitted functions

Each public function of NumPy, as `./dev docs` finds it with the call of `tests/numpy/names.py`;
other forms of a call may be another matter. `tests/numpy/test_public.py` compares each with NumPy.
Three things become of a function:

- **native**: machine code, of its own or from NumPy source in `shapecast/library`; fused with what
  is around it.
- **called**: NumPy's own function is called out of compiled code, under the interpreter lock. What
  it gives was found by two calls with samples, and is checked. `f.explain()` lists such calls with
  their lines.
- **refused**, with the reason.
"""


class State(NamedTuple):
    """native, called or refused; why; and the jitted function."""

    kind: str
    text: str
    function: Any


@functools.cache
def state_of(full: str) -> State:
    """Compiles and runs the function's call once."""
    if reason := REASONS.get(full.removeprefix("numpy.")):
        return State("refused", reason, None)
    arguments = arguments_of(full)
    plain: FunctionType = make(f"def f({', '.join(arguments)}):\n    return {call_of(full)}")
    jitted = shapecast.jit(plain)
    (given,), _ = copy_arguments(((arguments,), {}))
    random = np.random.get_state()  # noqa: NPY002
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            jitted(**given)
    except shapecast.UnsupportedError as problem:
        return State("refused", str(problem).split("\n")[0], jitted)
    finally:
        np.random.set_state(random)  # noqa: NPY002
    return State("called" if "calls Python:" in jitted.explain() else "native", "", jitted)


def page() -> str:
    """The text of docs/user/numpy.md."""
    lines = [_HEAD]
    for prefix in NAMESPACES:
        own = [full for full in public_functions() if full.rpartition(".")[0] == prefix]
        states = {full: state_of(full) for full in own}
        kinds = [state.kind for state in states.values()]
        count = ", ".join(f"{kinds.count(k)} {k}" for k in ("native", "called", "refused"))
        lines += [f"## {prefix}", "", f"{count}.", ""]
        for kind in ("native", "called"):
            names = [f"`{full.rpartition('.')[2]}`" for full in own if states[full].kind == kind]
            if names:
                lines += [f"**{kind}**: {' '.join(names)}", ""]
        refused = [full for full in own if states[full].kind == "refused"]
        if refused:
            lines += ["| refused | why |", "|---|---|"]
            lines += [f"| `{f.rpartition('.')[2]}` | {_cell(states[f].text)} |" for f in refused]
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    (_ROOT / "docs" / "user" / "numpy.md").write_text(page())
