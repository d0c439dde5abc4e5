"""One object bound to a name in each of two modules, of which one name is rebound later."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

HOLDER = "class C:\n    def __init__(self, k):\n        self.k = k\n"
KINDS = {  # what A and B are, and how A is used
    "static methods": (
        "class A:\n    go = staticmethod(lambda x: x + 1)\n"
        "class B:\n    go = staticmethod(lambda x: x + 50)\n",
        "A.go(x)",
    ),
    "methods": (f"{HOLDER}    def go(self, x):\n        return x + self.k\nA, B = C(1), C(50)\n",
                "A.go(x)"),
    "attributes": (f"{HOLDER}A, B = C(1), C(50)\n", "A.k + x"),
    "an instance's function": (
        f"{HOLDER}A, B = C(1), C(50)\nA.go = lambda x: x + 1\nB.go = lambda x: x + 50\n",
        "A.go(x)",
    ),
    "a class later": (
        f"{HOLDER}A = C(1)\nA.go = lambda x: x + 1\n"
        "class B:\n    go = staticmethod(lambda x: x + 50)\n",
        "A.go(x)",
    ),
    "properties": (
        "class C:\n    k = property(lambda self: 1)\nclass D:\n    k = property(lambda self: 50)\n"
        "A, B = C(), D()\n",
        "A.k + x",
    ),
    "class attributes": ("class A:\n    k = 1\nclass B:\n    k = 50\n", "A.k + x"),
    "callables": (f"{HOLDER}    def __call__(self, x):\n        return x + self.k\n"
                  "A, B = C(1), C(50)\n", "A(x)"),
    "nested objects": (f"{HOLDER}A, B = C(C(1)), C(C(50))\n", "A.k.k + x"),
    "objects in dicts": (f"{HOLDER}A, B = {{'o': C(1)}}, {{'o': C(50)}}\n", "A['o'].k + x"),
    "functions": ("def A(x):\n    return x + 1\ndef B(x):\n    return x + 50\n", "A(x)"),
    "jitted functions": ("from shapecast import jit\nA, B = jit(lambda x: x + 1), "
                         "jit(lambda x: x + 50)\n", "A(x)"),
    "partials": ("import functools\ndef f(x, k):\n    return x + k\n"
                 "A, B = functools.partial(f, k=1), functools.partial(f, k=50)\n", "A(x)"),
    "bound methods": (f"{HOLDER}    def go(self, x):\n        return x + self.k\n"
                      "A, B = C(1).go, C(50).go\n", "A(x)"),
    "ufuncs": ("import numpy as np\nA, B = np.negative, np.exp\n", "A(x)"),
    "functions of NumPy": ("import numpy as np\nA, B = np.sum, np.ndim\n", "A(x)"),
    "dicts": ("A, B = {'a': 1}, {'a': 50}\n", "A['a'] + x"),
    "lists": ("A, B = [1], [50]\n", "A[0] + x"),
    "tuples": ("A, B = (1,), (50,)\n", "A[0] + x"),
    "arrays": ("import numpy as np\nA, B = np.ones(2), np.ones(2) * 50\n", "A[0] + x"),
    "numbers": ("A, B = 1.5, 50.5\n", "A + x"),
    "texts": ("A, B = 'ab', 'abc'\n", "len(A) + x"),
    "modules": ("import math as A\nimport cmath as B\n", "A.sqrt(x).imag + A.pi * len(A.__name__)"),
    "members": ("import enum\nclass E(enum.Enum):\n    a = 1\n    b = 50\nA, B = E.a, E.b\n",
                "A.value + x"),
    "enums": ("import enum\nclass A(enum.Enum):\n    a = 1\nclass B(enum.Enum):\n    a = 50\n",
              "A.a.value + x"),
    "classes of tuples": (
        "from typing import NamedTuple\nclass A(NamedTuple):\n    a: float\n    b: float = 1\n"
        "class B(NamedTuple):\n    a: float\n    b: float = 50\n",
        "A(x).b + x",
    ),
    "dtypes": ("import numpy as np\nA, B = np.dtype('f8'), np.dtype('i4')\n",
               "np.zeros(2, A).itemsize + x"),
    "types": ("A, B = float, int\n", "A(x * 1.25)"),
    "ranges": ("A, B = range(2), range(20)\n", "sum(A) + x"),
    "None": ("A, B = None, 50\n", "x if A is None else x + 50"),
    "truths": ("A, B = True, False\n", "x if A else x + 50"),
}  # fmt: skip


def module(folder: Path, name: str, text: str) -> ModuleType:
    (folder / f"{name}.py").write_text(text)
    sys.modules.pop(name, None)
    importlib.invalidate_caches()
    return importlib.import_module(name)


@pytest.mark.parametrize("first", ["its own", "the callee's"])
@pytest.mark.parametrize("kind", KINDS)
def test_rebinding_either_name_is_seen(
    kind: str, first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    things, use = KINDS[kind]
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    low = module(tmp_path, "names_low", things)
    head = "import numpy as np\nfrom names_low import A\n"
    two = module(tmp_path, "names_two", f"{head}def g(x):\n    return {use}\n")
    own, callee = f"own = {use}", "other = names_two.g(x)"
    lines = [own, callee] if first == "its own" else [callee, own]
    body = "def f(x):\n" + "".join(f"    {line}\n" for line in lines) + "    return own, other\n"
    text = f"{head}import names_two\nfrom shapecast import jit\n{body}plain, f = f, jit(f)\n"
    one = module(tmp_path, "names_one", text)
    for changed, thing in [(None, None), (two, low.B), (one, low.B), (two, low.A), (one, low.A)]:
        if changed:
            changed.A = thing
        assert one.f(2.0) == one.plain(2.0)
