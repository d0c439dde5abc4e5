"""The in-memory cache: which calls share a variant, why another is compiled, and that a variant
never serves wrongly.
"""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from shapecast import jit
from support.arrays import LAYOUTS, filled, lay_out
from support.compare import case_id, check, jitted, make

SIZES = np.random.default_rng(50).integers(4, 400, (50, 2)).tolist()


@pytest.mark.parametrize(
    "body",
    [
        "x * 2 + y",
        "np.sqrt(x * x + y * y)",
        "(x + y).sum()",
        "x[1:-1] - y[2:]",
        "np.where(x > y, x, y)",
        "x.max() - y",
    ],
)
def test_fifty_random_sizes_share_one_variant(body: str) -> None:
    f = make(f"def f(x, y):\n    return {body}")
    for n, m in SIZES:
        check(f, filled((n,), "float64", m), filled((n,), "float64", m + 1))
    assert len(jitted(f).signatures()) == 1, jitted(f).explain()


def test_fifty_random_sizes_share_one_variant_in_two_dimensions() -> None:
    f = make("""
        def f(a, b):
            for t in range(3):
                b[1:-1, 1:-1] = a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1]
                a, b = b, a
            return a
    """)
    for n, m in SIZES:
        check(
            f,
            filled((n, m % 60 + 4), "float64", 1, "finite"),
            filled((n, m % 60 + 4), "float64", 2, "finite"),
        )
    assert len(jitted(f).signatures()) == 1, jitted(f).explain()


def test_run_time_scalars_do_not_make_variants() -> None:
    f = make(
        "def f(x, k, n):\n    total = 0.0\n    for i in range(n):\n        total += x[i] * k\n   "
        " return total"
    )
    for k in range(30):
        check(f, filled((40,), "float64", k), k * 0.5, k)
    assert len(jitted(f).signatures()) == 1, jitted(f).explain()


def test_empty_and_one_element_arrays_share_the_variant_where_no_size_matters() -> None:
    f = make("def f(x):\n    return x * 2 + 1")
    for n in (5, 0, 1, 100):
        check(f, filled((n,), "float64"))
    assert len(jitted(f).signatures()) == 1, jitted(f).explain()


@pytest.mark.parametrize(
    "order", [(5, 1, 5), (1, 5, 1), (1, 1, 5), (0, 1, 5), (5, 0, 1)], ids=case_id
)
def test_broadcasting_is_never_assumed_from_the_first_call(order: tuple[int, ...]) -> None:
    """Sizes that were equal, or one, in the call that compiled need not be so in the next."""
    f = make("def f(x, y):\n    return x + y, x * 2")
    for n in order:
        for m in (5, 1, 0, 4):
            check(f, filled((n,), "float64"), filled((m,), "float64"))
            check(f, filled((3, n), "float64"), filled((3, m), "float64"))


def test_broadcasting_between_computed_sizes() -> None:
    f = make("def f(x, y):\n    return x[1:] + y[:-1]")
    for n in (6, 2, 1, 0):
        for m in (6, 2, 1, 3, 0):
            check(f, filled((n,), "float64"), filled((m,), "float64"))


def test_many_different_patterns_of_ones_stay_bounded_and_right() -> None:
    """More guards than variants are kept: the general form takes over."""
    f = make("def f(a, b, c, d):\n    return a + b * c - d")
    for pattern in range(16):
        sizes = [1 if pattern >> k & 1 else 6 for k in range(4)]
        check(f, *(filled((2, n), "float64", k) for k, n in enumerate(sizes)))
    assert len(jitted(f).signatures()) <= 10, jitted(f).explain()


@pytest.mark.parametrize("attribute", ["dtype", "rank", "layout", "scalar kind"])
def test_attributes_that_make_another_variant(attribute: str) -> None:
    f = make("def f(x):\n    return x + 1")
    values = {
        "dtype": [np.ones(3), np.ones(3, np.float32)],
        "rank": [np.ones(3), np.ones((3, 3))],
        "layout": [np.ones(3), np.ones(6)[::2]],
        "scalar kind": [1.0, 1],
    }[attribute]
    for value in values:
        check(f, value)
    assert len(jitted(f).signatures()) == 2


def test_signatures_name_dtypes_and_ranks() -> None:
    f = jit(make("def f(x, k):\n    return x * k"))
    f(np.ones((2, 3), np.float32), 2)
    (signature,) = f.signatures()
    assert "float32" in signature and "int" in signature


def test_explain_says_why_each_variant_was_compiled() -> None:
    f = jit(make("def f(x, y):\n    return x + y"))
    f(np.ones(3), np.ones(3))
    f(np.ones(3, np.float32), np.ones(3, np.float32))
    f(np.ones(3), np.ones(1))
    text = f.explain()
    assert "float32" in text and text.count("\n") >= 2, text


def test_every_order_of_layouts_is_served_rightly() -> None:
    f = make("def f(x, y):\n    x += y\n    return x * 2 - y.T")
    for k in range(len(LAYOUTS)):
        for layout in (LAYOUTS[k], "c", LAYOUTS[-k]):
            if not layout.startswith("zero"):
                check(
                    f,
                    lay_out(filled((4, 4), "float64"), layout),
                    lay_out(filled((4, 4), "float64", 1), LAYOUTS[k]),
                )


def test_longlong_equals_int64() -> None:
    f = make("def f(x):\n    return x + 1")
    check(f, np.ones(3, np.int64))
    assert np.array_equal(jitted(f)(np.ones(3, np.longlong)), np.full(3, 2))


def test_subclass_of_float_and_numpy_float_are_distinguished_from_float() -> None:
    f = make("def f(x, a):\n    return a * x")
    a = np.ones(3, np.float32)
    check(f, 2.0, a)
    check(f, np.float64(2.0), a)
    check(f, 2.0, a)
    check(f, True, a)
    check(f, 1, a)


def test_a_jit_object_and_its_code_are_freed() -> None:
    def f(x):
        return x + 1

    compiled = jit(f)
    compiled(np.ones(2))
    seen = weakref.ref(f)
    del compiled, f
    gc.collect()
    assert seen() is None


@pytest.mark.parametrize(
    "body",
    [
        "return x + 1",
        "return np.cumsum(x)",
        "return [i for i in range(3)]",
        "return x * factor",
        "return x * len(table)",
        "table.append(1)",
    ],
    ids=["expression", "numpy name", "builtin", "global", "global list", "changed global list"],
)
def test_a_module_that_holds_a_jitted_function_is_freed(body: str) -> None:
    f = make(f"def f(x):\n    {body}", factor=2.0, table=[1, 2])
    space = f.__globals__
    space["compiled"] = jit(f)
    space["compiled"](np.ones(3))
    seen = weakref.ref(f)
    del f, space
    gc.collect()
    assert seen() is None


def test_result_outlives_the_function_that_made_it() -> None:
    f = jit(make("def f(x):\n    return x + 1"))
    out = f(np.ones(1000))
    del f
    gc.collect()
    assert out.sum() == 2000.0


def test_compilation_that_fails_leaves_the_cache_usable() -> None:
    f = make("def f(x, y):\n    return x & y")
    check(f, np.ones(3), np.ones(3))
    check(f, np.ones(3, int), np.ones(3, int))
    check(f, np.ones(3), np.ones(3))
    check(f, np.ones(4, int), np.ones(3, int))
    check(f, np.ones(3, int), np.ones(3, int))


def test_infer_does_not_compile() -> None:
    f = jit(make("def f(x):\n    return x * 2"))
    assert f.infer(np.ones(3)).dtype == np.float64
    assert f.signatures() == []
