"""hasattr, getattr, callable and type of objects; types.SimpleNamespace; arrays that an object of
an extension type references.
"""

from __future__ import annotations

import collections
import functools
import types
from typing import Any

import numpy as np
import pytest
from shapecast import UnsupportedError, _callouts, jit
from support.compare import case_id, make


class Thing:
    k: Any
    shared = 4

    def __init__(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)

    def go(self, x: float) -> float:
        return x + 1


class Other(Thing):
    shared = 40

    def __call__(self, x: float) -> float:
        return x - 1


def outcome(f: Any, *arguments: Any) -> Any:
    try:
        return f(*arguments)
    except UnsupportedError:
        raise
    except Exception as error:
        return type(error)


QUERIES = [
    "hasattr(c, 'k')", "c.k if hasattr(c, 'k') else 7.5", "getattr(c, 'k', 7.5)",
    "getattr(c, 'k', None) is None", "getattr(c, 'k')", "hasattr(c, 'go')",
    "c.go(2.0) if hasattr(c, 'go') else 0.0", "getattr(c, 'go')(3.0)", "getattr(c, 'shared', 1)",
    "callable(c)", "callable(c.go)", "type(c) is Thing",
    "type(c) is not Thing", "type(c) == Other", "type(c).shared", "type(c) in (Thing, Other)",
    "isinstance(c, Thing) and hasattr(c, 'k')", "not hasattr(c, 'nothing')",
]  # fmt: skip
CHANGES = [  # of a global object, one after the other
    "", "c.k = 3", "c.k = 2.5", "c.k = np.float32(2)", "del c.k", "Thing.k = 9", "c.k = 5",
    "del c.k; del Thing.k", "c.shared = 2", "c = Other(k=1)", "c.__class__ = Thing",
    "c.go = lambda x: x * 3", "Thing.__call__ = lambda self, x: x * 2", "del Thing.__call__",
]  # fmt: skip


@pytest.mark.parametrize("query", QUERIES)
def test_queries_of_an_argument(query: str) -> None:
    f = make(f"def f(c):\n    return {query}", Thing=Thing, Other=Other)
    g = jit(f)
    for c in (Thing(), Thing(k=2.0), Other(k=3), Other(), Thing(k=np.float32(4)), Thing(k=5.0)):
        assert outcome(g, c) == outcome(f, c)


@pytest.mark.parametrize("query", QUERIES)
def test_queries_of_a_global_that_changes(query: str) -> None:
    classes = "class Thing:\n    shared = 4\n    def __init__(self, **given):\n"
    classes += "        self.__dict__.update(given)\n    def go(self, x):\n        return x + 1\n"
    classes += "class Other(Thing):\n    shared = 40\n    def __call__(self, x):\n"
    classes += "        return x - 1\nc = Thing()\n"
    f = make(f"{classes}def f():\n    return {query}")
    g = jit(f)
    for k, change in enumerate(CHANGES):
        exec(make_file(f"{query} {k}", change), f.__globals__)
        assert outcome(g) == outcome(f), change


def make_file(name: str, text: str) -> Any:
    """Code whose functions have a source."""
    import linecache

    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    return compile(text, file, "exec")


def test_names_of_the_program_are_not_pythons() -> None:
    names = {"Thing": Thing, "getattr": lambda c, name, other: 50}
    f = make("def f(c):\n    return getattr(c, 'k', 2)", **names)
    assert jit(f)(Thing()) == f(Thing()) == 50


def space(**more: Any) -> types.SimpleNamespace:
    inner = types.SimpleNamespace(k=2.0)
    return types.SimpleNamespace(lr=0.5, n=3, w=np.ones(3), name="abc", inner=inner, **more)


@pytest.mark.parametrize(
    "body",
    [
        "return x * c.lr + c.n + c.w.sum() + c.inner.k + len(c.name)",
        "c.lr = c.lr * 2\n    c.w[0] += x\n    c.count = c.n + 1\n    return c.lr",
        "c.inner.k += x\n    return c.inner.k",
        "return c.nothing",
        "return hasattr(c, 'lr'), hasattr(c, 'nothing'), getattr(c, 'nothing', 5)",
        "return c.w",
        "return c is None, callable(c), callable(c.inner)",
    ],
    ids=case_id,
)
def test_namespaces_as_arguments(body: str) -> None:
    f = make(f"def f(c, x):\n    {body}")
    g = jit(f)
    for x in (2.0, 3.0):
        mine, plain = space(), space()
        assert repr(outcome(g, mine, x)) == repr(outcome(f, plain, x))
        assert repr(mine) == repr(plain)


def test_a_global_namespace() -> None:
    f = make("def f(x):\n    return x * c.lr + c.w.sum() + c.inner.k", c=space())
    g = jit(f)
    changes = ["", "c.lr = 2.5", "c.lr = 3", "c.inner.k = 7", "c.w[0] = 5",
               "c.w = np.ones(4, 'f4')", "c.inner = c", "c.k = 1.5", "del c.lr"]  # fmt: skip
    for change in changes:
        exec(change, f.__globals__)
        assert repr(outcome(g, 2.0)) == repr(outcome(f, 2.0)), change


@pytest.mark.parametrize(
    "holder",
    [
        lambda: collections.deque([np.ones(3)]),
        lambda: np.array([np.ones(3), None], dtype=object),
        lambda: collections.deque([np.ones((3, 2))[:, 0]]),
    ],
    ids=["deque", "object array", "deque of a strided view"],
)
def test_stores_to_an_array_of_an_extension_object_reach_it(holder: Any) -> None:
    """Once a copy of it got them, and the object's own array did not."""
    f = make("def f(d, x):\n    d[0][0] += x\n    d[0][1:] = x\n    return d[0].sum() + d[0][0]")
    mine, plain = holder(), holder()
    assert jit(f)(mine, 2.0) == f(plain, 2.0)
    np.testing.assert_array_equal(mine[0], plain[0])


def test_stores_to_one_of_several_arrays_of_an_object_are_refused() -> None:
    f = make("def f(p):\n    p.args[0][0] = 5.0\n    return p.args[0].sum()")
    with pytest.raises(UnsupportedError, match="arrays that the object keeps"):
        jit(f)(functools.partial(np.add, np.ones(3)))


KEPT = np.ones(4)
KEPT_PAIR = (KEPT, 1)


@pytest.mark.parametrize(
    ("give", "kept"),
    [
        (lambda: np.ones(3), False),
        (lambda: np.ones((3, 4)).T, False),
        (lambda: np.frombuffer(bytes(16)), False),
        (lambda: (np.ones(3), np.ones((2, 2)).T, 5), False),
        (lambda: tuple(np.ones((3, 4))), False),
        (lambda: (np.zeros(2),) * 2, False),
        (lambda: [np.ones(2)], False),
        (lambda: KEPT, True),
        (lambda: KEPT[1:], True),
        (lambda: KEPT_PAIR, True),
        (lambda: (KEPT, 2), True),
        (lambda: (KEPT[1:], KEPT[2:]), True),
        (lambda: (KEPT, KEPT[1:]), True),
        (lambda: [1, KEPT], True),
    ],
    ids=[
        "array",
        "transposed",
        "of bytes",
        "tuple of arrays",
        "tuple of rows",
        "one array twice",
        "list",
        "global",
        "view of a global",
        "global tuple",
        "tuple of a global",
        "tuple of views",
        "global and its view",
        "list of a global",
    ],
)
def test_results_that_something_else_references(give: Any, kept: bool) -> None:
    assert _callouts._is_kept([give()], 0) == kept
