"""Dynamic lists: their length is known only at run time. They grow in loops, on one of two paths,
in comprehensions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from shapecast import UnsupportedError, jit
from support.compare import case_id, check, jitted, make

X = np.random.default_rng(0).random(12)


def function(body: str) -> Any:
    return make("def f(x, n):\n    " + body.replace("\n", "\n    "))


ITEMS = {
    "ints": "i * i % 7",
    "floats": "i * 0.5",
    "bools": "i > 2",
    "complex": "1j * i",
    "NumPy's": "x[i]",
    "int or NumPy's": "i if i % 2 else x[i]",
    "int or float": "i if i % 2 else i / 2",
    "tuples": "(i, x[i], i > 2)",
    "nested tuples": "(i, (x[i], (i, 2.5)))",
    "lists": "[i, i + 1]",
    "strings": "'one text'",
    "None": "None",
}
ARRAYS = ["x * i", "np.array(i * 0.5)", "np.outer(x[:3], x[:2]) + i", "x[2:5] + 1"]


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16])
def test_items_of_each_kind(item: str, dtype: Any) -> None:
    f = function(f"a = []\nfor i in range(n):\n    a.append({item})\nreturn a")
    for n in (0, 1, 9):
        check(f, (X * 10).astype(dtype), n)
    check(function(f"return [{item} for i in range(n)]"), X, 9)
    last = f"a = [{item} for i in range(n)]\nreturn a[-1], a[n // 2], len(a), a[1:], a[::-2]"
    check(function(last), X, 9)


@pytest.mark.parametrize("item", ARRAYS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16])
def test_items_that_are_arrays(item: str, dtype: Any) -> None:
    x = (X * 10).astype(dtype)
    f = function(f"a = []\nfor i in range(n):\n    a.append({item})\nreturn a")
    for n in (0, 1, 9):
        check(f, x, n)
    check(function(f"return [{item} for i in range(n)]"), x, 9)
    check(function(f"return [(i, {item}, 2.5) for i in range(n)][::2]"), x, 9)
    check(function(f"a = [{item} for i in range(n)]\nreturn a[-1] + a[n // 2], len(a)"), x, 9)
    check(function(f"return np.array([{item} for i in range(n)])"), x, 9)


def test_items_that_are_views() -> None:
    check(function("a = [x[2:5] for i in range(n)]\nreturn np.array(a), a[-1].sum()"), X, 3)
    check(function("a = [x[::-1] for i in range(n)]\nreturn np.stack(a)"), X, 3)
    check(make("def f(x):\n    return [row * 2 for row in x]"), X.reshape(3, 4).T)


PROGRAMS = [
    "a = [1.5]\nwhile a[-1] < n:\n    a.append(a[-1] * 2)\nreturn a",
    "a = []\nfor v in x:\n    if v > 0.5:\n        a.append(v)\nreturn a, np.array(a).sum()",
    "a = [0, 1]\nwhile len(a) < n:\n    a.append(a[-1] + a[-2])\nreturn a",
    "a = [0]\nif n > 3:\n    a.append(2)\nreturn a",
    "a = []\nb = a\nfor i in range(n):\n    a.append(i)\nb.append(-1)\nreturn a, len(b)",
    "a = []\nfor i in range(n):\n    for k in range(i):\n        a.append((i, k))\nreturn a",
    "a = []\nfor i in range(n):\n    a += [i, -i]\nreturn a",
    "a = []\nfor i in range(n):\n    a.append(i)\n    if i == 4:\n        return a, 1\nreturn a, 0",
    "a = [[], [1]]\nfor i in range(n):\n    a[0].append(i)\nreturn a[0], a[1]",
    "a = [v for v in x if v > 0.5]\na.append(7.0)\na[0] = 3.0\nreturn a",
    "a = [k * v for k in range(n) for v in x[:k]]\nreturn a",
    "a = [0] * (n + 1)\nfor i in range(1, n + 1):\n    a[i] = max(a[i - 1], i * 3 % 7)\nreturn a",
    "a = n * [x[0]]\na[-1] = x[1]\nreturn a",
    "stack = [(n, 0)]\nk = 0\nwhile stack:\n    m, d = stack.pop()\n    k += d\n    if m > 0:\n"
    "        stack.extend([(m - 1, d + 1), (m - 2, d + 2)])\nreturn k",
    "queue = [n]\nseen = []\nwhile len(queue) > 0:\n    v = queue.pop(0)\n    seen.append(v)\n"
    "    if v > 0:\n        queue.append(v // 2)\n        queue.insert(0, v // 3)\nreturn seen",
    "h = [x.copy()]\nfor _ in range(n):\n    x = x * 0.5\n    h.append(x)\nreturn np.array(h), h",
    "h = []\nfor _ in range(n):\n    y = np.zeros_like(x)\n    y[1:] = x[:-1]\n    x = y\n"
    "    h.append(y)\nreturn np.stack(h), np.concatenate(h), np.vstack(h), h[-1]",
    "def put(a, v):\n    a.append(v * 2)\na = []\nfor i in range(n):\n    put(a, i)\nreturn a",
]


@pytest.mark.parametrize("body", PROGRAMS, ids=case_id)
@pytest.mark.parametrize("n", [1, 7], ids="n={}".format)
def test_lists_that_programs_build(body: str, n: int) -> None:
    check(function(body), X, n)


USES = [
    "a.reverse()", "a.sort()", "a.insert(0, 3)", "a.insert(-2, 3)", "a.insert(50, 3)",
    "a.insert(-50, 3)", "a.pop()", "a.pop(0)", "a.pop(-2)", "a.remove(2)", "a.remove(9)",
    "a.index(2)", "a.index(9)", "a.count(2)", "a.copy()", "a.clear()", "a.extend(a)",
    "a.extend(range(n))", "a.extend(x)", "a.extend((1, 2))", "a.append(2.5)", "a + a", "a + [1]",
    "[1] + a", "len(a)", "bool(a)", "not a", "2 in a", "9 in a", "2 not in a", "sum(a)", "min(a)",
    "max(a)", "sorted(a)", "sorted(a, reverse=True)", "any(a)", "all(a)", "tuple(a)", "list(a)",
    "[v + 1 for v in a]", "[v for v in reversed(a)]", "[k * v for k, v in enumerate(a)]",
    "[v * w for v, w in zip(a, a[1:])]", "a[2:-1]", "a[n:]", "a[::-1]", "a[n]", "a[-n - 1]",
    "np.array(a)", "np.mean(a)", "np.asarray(a, dtype=np.float32)", "x[a]",
    "np.array(a) * x[:len(a)]", "np.median(a)", "np.cumsum(a)", "f'{a} {len(a)}'", "str(a)",
    "np.sort(a)", "np.unique(a)", "x[:n] * a", "x[:n] > a", "isinstance(a, list)",
]  # fmt: skip


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("n", [0, 1, 6], ids="n={}".format)
def test_expressions_with_dynamic_lists(use: str, n: int, capsys: Any) -> None:
    if n == 0 and ("np." in use or "x[a]" in use or "* a" in use or "> a" in use):
        n = 4  # arrays of empty lists: below
    check(function(f"a = [i * i % 5 for i in range(n)]\nb = {use}\nreturn a, b"), X, n)


CHANGES = [
    "print(a, len(a))", "a[0] = 9", "a[-1] = 2.5", "a[n] = 1", "del a[0]", "del a[-1]", "del a[n]",
    "p, q = a", "p, q, r = a", "a += [1]", "a += x[:2].tolist()", "a[1.5] = 1",
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_statements_that_change_dynamic_lists(change: str) -> None:
    for n in (3, 5):
        check(function(f"a = [i for i in range(n)]\n{change}\nreturn a"), X, n)


def test_an_array_of_an_empty_list_is_float64() -> None:
    f = function("return np.array([v for v in x if v > n])")
    check(f, X, 5)
    with pytest.raises(UnsupportedError, match="when it is empty"):
        jitted(f)(X.astype(np.float32), 5)
    check(function("a = [v for v in x if v > n]\nreturn x[a] if a else x"), X, 5)


def test_long_lists() -> None:
    f = function("a = []\nfor i in range(n):\n    a.append(i * 0.5)\nreturn np.array(a), len(a)")
    for n in (3, 4, 5, 1000, 100000):
        check(f, X, n)


# In memory: dynamic lists hold copies, all of one size.
ARRAYS_IN_MEMORY = [
    "a = []\nfor i in range(n):\n    a.append(x)\n    x *= 2\nreturn a",
    "a = []\nfor i in range(n):\n    a.append(x * i)\na[0][0] = 1\nreturn a",
    "a = []\ny = x * 2\nfor i in range(n):\n    y[i] = i\n    a.append(y)\nreturn a",
    "a = []\nfor i in range(n):\n    a.append(x[2:4])\nreturn a",
    "a = []\nfor i in range(n):\n    a.append(x[:i])\nreturn a",
]


@pytest.mark.parametrize("body", ARRAYS_IN_MEMORY, ids=case_id)
def test_arrays_in_lists_that_grow(body: str) -> None:
    check(function(body), X, 5)


def test_a_comprehension_of_arguments() -> None:
    given = X.copy()
    made = jitted(function("return [x for i in range(n)]"))(given, 5)
    assert len(made) == 5
    assert all(one is given for one in made)


def test_dynamic_lists_are_not_specialised_for_their_length() -> None:
    f = jit(function("a = []\nfor i in range(n):\n    a.append(i)\nreturn a"))
    for n in (2, 5, 100):
        assert f(X, n) == list(range(n))
    assert len(f.signatures()) == 1


MATRIX = np.arange(12.0).reshape(4, 3)

# Programs that could observe that dynamic lists hold copies, or that two names are one list.
OBSERVING_COPIES = [
    "l = []\nfor r in m:\n    l.append(r)\nm[0, 0] = 99\nreturn l[0][0]",
    "l = []\ny = m * 1\nfor i in range(n):\n    y += 1\n    l.append(y[i % 4])\nreturn l",
    "b = np.zeros((n, 3))\nl = []\nfor i in range(n):\n    l.append(b[i])\nb += 1\nreturn l",
    "l = []\ny = m * 2\nif x[0] > n:\n    l.append(y[n // 40])\ny[:] = 7\nreturn l",
    "l = []\nfor i in range(n):\n    l.append(x)\nreturn l[0]",
]


@pytest.mark.parametrize("body", OBSERVING_COPIES, ids=case_id)
def test_programs_that_could_observe_copies(body: str) -> None:
    check(make("def f(m, x, n):\n    " + body.replace("\n", "\n    ")), MATRIX, X, 80)


NAMES = [
    "best = []\nfor i in range(n):\n    a = []\n    for j in range(i):\n        a.append(j)\n"
    "    if len(a) > len(best):\n        best = a\nreturn best",
    "level = [0]\nfor k in range(n):\n    after = []\n    for v in level:\n"
    "        after.append(v + 1)\n        if v % 2 == 0:\n            after.append(v + 2)\n"
    "    level = after\nreturn level",
    "rows = [[0, 0]]\nr = rows[0]\nif x[0] > 0:\n    rows.append([1, 1])\n    r[0] = 3\n"
    "return rows",
    "rows = [[0, 0]]\nr = rows[0]\nif x[0] < 0:\n    rows.append([1, 1])\nelse:\n    r[0] = 4\n"
    "return rows",
    "a = [0.0, -0.0, 0.0, -0.0, 1.0]\nfor i in range(n):\n    a.append(-0.0)\n"
    "return sorted(a, reverse=True), sorted(a)",
]


@pytest.mark.parametrize("body", NAMES, ids=case_id)
def test_two_names_of_one_list(body: str) -> None:
    check(function(body), X, 6)


@pytest.mark.parametrize(
    "body",
    [
        "a = [1, 2.5]\nfor i in range(n):\n    a.append(1j)\nreturn a",
        "a = [0]\nfor i in range(n):\n    a.append(0.5)\na.append(x[0])\nreturn a",
    ],
    ids=case_id,
)
def test_items_of_three_types(body: str) -> None:
    check(function(body), X.astype(np.float32), 80)


def test_complex_items_have_no_order() -> None:
    f = function("a = [1j]\nfor i in range(n):\n    a.append(2j)\na.sort()\nreturn a")
    with pytest.raises(TypeError, match="'<' not supported between instances of 'complex'"):
        jitted(f)(X, 80)
