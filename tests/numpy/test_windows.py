"""np-windows: windows of an expression are rematerialised in the loop that reads them."""

from __future__ import annotations

import pytest
import shapecast
from support.arrays import LAYOUTS, filled, lay_out
from support.compare import check, make

# Body after `d = EXPRESSION`: each reads windows of d.
READS = {
    "shifted": "return d[1:] - d[:-1]",
    "reversed": "return d[::-1] + d",
    "strided": "return d[::2, 1:] * d[1::2, :-1]",
    "transposed": "return d.T * 2 + d.T[::-1, ::-1]",
    "rows": "return d[0] + d[-1]",
    "outer": "return d[:, None, 1] * d[None, 0]",
    "chained": "e = d[2:] - d[:-2]\n    return e[:, 1:] + e[:, :-1]",
    "index": "k = d.shape[0] // 2\n    return d[k] - d[k - 1], d[k:] + 1",
    "sum": "return (d[1:, 1:] + d[:-1, :-1]).sum(axis=0), d[1:].max()",
    "empty": "return d[5:2] + d[:0]",
}
EXPRESSIONS = {
    "difference": "a - b",
    "row": "a + b[0]",
    "column": "a * b[:, :1]",
    "scalar": "a + 3",
    "cast": "a.astype(np.float32) - b",
    "where": "np.where(a > b, a, b)",
    "one row": "a[:1] + b",
    "limited": "np.where((a - b) * (a[:, ::-1] - b) > 0.0, 0.0, a - b)",
}


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("read", READS)
def test_windows_match_numpy(read: str, expression: str) -> None:
    f = make(f"def f(a, b):\n    d = {EXPRESSIONS[expression]}\n    {READS[read]}\n")
    for layout in LAYOUTS:
        for shape in [(6, 5), (2, 2)]:
            check(f, lay_out(filled(shape, "float64"), layout), filled(shape, "float64", seed=3))
    check(f, filled((6, 5), "int16"), filled((6, 5), "int8", seed=5))


def test_a_store_to_an_operand_between_prevents_rematerialisation() -> None:
    f = make("""
        def f(a):
            d = a[1:] - a[:-1]
            a[0] = 100.0
            e = d[1:] + d[:-1]
            a[:] = 0.0
            return e, d[2:]
    """)
    check(f, filled((9,), "float64"))


def test_windows_in_loops_and_branches() -> None:
    f = make("""
        def f(a, n):
            total = np.zeros(a.shape[0] - 2)
            d = a[1:] - a[:-1]
            for i in range(n):
                e = a[1:] * i - a[:-1]
                total += e[1:] + e[:-1] * d[1:]
                if i % 2:
                    total -= d[:-1]
                    a[i] += 1.0
            return total
    """)
    check(f, filled((9,), "float64"), 5)
    check(f, filled((9,), "float64"), 0)


def test_an_array_with_other_uses_is_stored_once() -> None:
    f = make("""
        def f(a):
            d = a[1:] - a[:-1]
            return d, d[1:] + d[:-1]
    """)
    check(f, filled((9,), "float64"))
    stages = shapecast.jit(f).stages(filled((9,), "float64"))
    assert stages["windows"].count("np.materialize") == 2


def test_sobel_needs_no_temporary() -> None:
    f = make("""
        def sobel(image):
            across = image[:, 2:] - image[:, :-2]
            along = image[2:] - image[:-2]
            gx = across[:-2] + 2 * across[1:-1] + across[2:]
            gy = along[:, :-2] + 2 * along[:, 1:-1] + along[:, 2:]
            return np.sqrt(gx * gx + gy * gy)
    """)
    for shape in [(7, 9), (3, 3), (2, 5), (1, 1)]:
        check(f, filled(shape, "float64"))
    stages = shapecast.jit(f).stages(filled((7, 9), "float64"))
    assert stages["windows"].count("np.materialize") == 1
    assert stages["reuse"].count("np.nest ") == 1
