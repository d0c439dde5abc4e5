"""The cache on disk beside a program that is edited: each version of it is run in a new process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

RUN = """
import json, sys
import numpy as np
import shapecast
import main_
value = repr(main_.f(3.0))
print(json.dumps([value, {k: v for k, v in shapecast._core.cache_statistics().items()
                          if k in ("direct", "typed", "compiled") and v}]))
"""
MAIN = "from shapecast import jit\nfrom other import g\n@jit\ndef f(x):\n    return g(x)\n"


def run(folder: Path, other: str, main: str = MAIN) -> tuple[str, dict[str, int]]:
    (folder / "other.py").write_text(other)
    (folder / "main_.py").write_text(main)
    environment = os.environ | {
        "SHAPECAST_CACHE_DIR": str(folder / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", RUN], capture_output=True, text=True, cwd=folder, env=environment
    )
    assert done.returncode == 0, done.stderr
    value, origins = json.loads(done.stdout)
    return value, origins


def value_of(text: str) -> str:
    space: dict[str, Any] = {}
    exec(text, space)
    return repr(space["g"](3.0))


PLAIN = "def g(x):\n    return x * 2\n"
CAUGHT = (
    "def g(x):\n    try:\n        raise E()\n"
    "    except ValueError:\n        return x + 1\n    except KeyError:\n        return x + 2\n"
)
HISTORIES = {
    "a global that the first version had not": [
        PLAIN,
        "K = 4\ndef g(x):\n    return x * K\n",
        "K = 5\ndef g(x):\n    return x * K\n",
        "K = 4\ndef g(x):\n    return x * K\n",
        PLAIN,
    ],
    "a helper that the first version had not": [
        PLAIN,
        "def h(x):\n    return x + 1\ndef g(x):\n    return h(x)\n",
        "def h(x):\n    return x + 2\ndef g(x):\n    return h(x)\n",
    ],
    "a cell that the first version had not": [
        PLAIN,
        "def make(k):\n    return lambda x: x * k\ng = make(4)\n",
        "def make(k):\n    return lambda x: x * k\ng = make(5)\n",
    ],
    "a default": [
        PLAIN,
        "def g(x, k=4):\n    return x * k\n",
        "def g(x, k=5):\n    return x * k\n",
        "def g(x, *, k=6):\n    return x * k\n",
        "def g(x, *, k=7):\n    return x * k\n",
    ],
    "which exceptions an exception is one of": [
        "class E(ValueError):\n    pass\n" + CAUGHT,
        "class E(KeyError):\n    pass\n" + CAUGHT,
        "class E(ValueError):\n    pass\n" + CAUGHT,
    ],
    "a name that is imported inside": [
        "def g(x):\n    from math import pi as Z\n    return x * Z\n",
        "def g(x):\n    from math import e as Z\n    return x * Z\n",
    ],
    "a class attribute": [
        PLAIN,
        "class C:\n    a = 4\ndef g(x):\n    return x * C.a\n",
        "class C:\n    a = 5\ndef g(x):\n    return x * C.a\n",
    ],
    "a partial": [
        "from functools import partial\ng = partial(lambda x, k: x * k, k=2)\n",
        "from functools import partial\ng = partial(lambda x, k: x * k, k=3)\n",
        "from functools import partial\ng = partial(lambda x, k: x + k, k=3)\n",
    ],
    "a decorator": [
        "def d(f):\n    return lambda x: f(x) + 1\n@d\ndef g(x):\n    return x * 2\n",
        "def d(f):\n    return lambda x: f(x) + 2\n@d\ndef g(x):\n    return x * 2\n",
        "def d(f):\n    return f\n@d\ndef g(x):\n    return x * 2\n",
    ],
    "whether two names are of one dict": [
        f"A = {{'a': 4}}\nB = {b}\ndef g(x):\n    return x * A['a'] + B['a']\n"
        for b in ("A", "{'a': 5}", "{'a': 4}", "A", "{'a': 6}")
    ],
    "whether two names are of one list": [
        f"A = [4, 2]\nB = {b}\ndef g(x):\n    return x * A[0] + B[0]\n"
        for b in ("A", "[5, 2]", "[4, 2]", "[6]")
    ],
    "whether two names are of one function": [
        f"def make(k):\n    return lambda x: x * k\nA = make(4)\nB = {b}\n"
        "def g(x):\n    return A(x) + B(x + 1)\n"
        for b in ("A", "make(5)", "make(4)", "make(6)")
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", HISTORIES)
def test_each_version_gives_its_own_result(tmp_path: Path, name: str) -> None:
    for text in HISTORIES[name]:
        assert run(tmp_path, text)[0] == value_of(text)
    for text in HISTORIES[name]:
        value, origins = run(tmp_path, text)
        assert value == value_of(text) and "compiled" not in origins


def test_an_array_in_a_later_version_is_no_error(tmp_path: Path) -> None:
    array = "import numpy as np\nT = np.array([1, 2, {0}])\ndef g(x):\n    return x * T\n"
    for text in [PLAIN, *(array.format(k) for k in (3, 3, 4)), PLAIN, array.format(5)]:
        value, _ = run(tmp_path, text)
        assert value == value_of(text)
    assert run(tmp_path, array.format(6))[1] == {"direct": 1}


def test_the_last_eight_versions_are_found_without_capture(tmp_path: Path) -> None:
    texts = [f"K{k} = {k}\ndef g(x):\n    return x * K{k}\n" for k in range(8)]
    for text in texts:
        assert run(tmp_path, text) == (value_of(text), {"compiled": 1})
    for text in texts:
        assert run(tmp_path, text) == (value_of(text), {"direct": 1})


def test_a_ninth_version_evicts_the_oldest(tmp_path: Path) -> None:
    texts = [f"K{k} = {k}\ndef g(x):\n    return x * K{k}\n" for k in range(9)]
    for text in texts:
        assert run(tmp_path, text) == (value_of(text), {"compiled": 1})
    for text in texts:  # the first one is captured again, and its code found
        assert run(tmp_path, text) == (value_of(text), {"direct": 1})


def test_a_number_that_has_changed_in_a_process_is_an_argument_in_a_later_one(
    tmp_path: Path,
) -> None:
    main = MAIN + "f(1.0)\nimport other\nother.K = {0}\nf(1.0)\n"
    other = "K = 2.0\ndef g(x):\n    return x * K\n"
    assert run(tmp_path, other, main.format(3.0))[0] == "9.0"
    assert run(tmp_path, other, main.format(5.0))[0] == "15.0"
    assert run(tmp_path, other)[0] == "6.0"
    assert run(tmp_path, other.replace("2.0", "7.0"))[0] == "21.0"
