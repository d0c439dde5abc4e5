"""Index arrays, lists and masks: reads and stores against NumPy."""

import numpy as np
import pytest
from support.compare import Report, check, compare, make
from support.ulp import within

V = np.array([3.5, -1.0, 4.25, 7.25, 2.0, -6.5])
A = np.arange(20.0).reshape(4, 5)
T = np.arange(120).reshape(2, 3, 4, 5)
IX = np.array([0, 5, -1, 2, 2])
ROWS, COLUMNS = np.array([0, 3, 1]), np.array([4, 0, 2])
SQUARE = np.array([[0, 3], [-1, 1]])

READS = {
    "v[ix]": (V, IX),
    "v[ix.astype(np.int8)]": (V, IX),
    "v[ix.astype(np.uint16)[:2]]": (V, IX),
    "v[ix.astype(np.int32)]": (V, IX),
    "v[ix[::2]]": (V, IX),
    "v[ix[::-1]]": (V, IX),
    "v[::-1][ix]": (V, IX),
    "v[[0, 2, 1]]": (V, IX),
    "v[[]]": (V, IX),
    "v[[True, False, True, False, False, True]]": (V, IX),
    "v[[ix[0], 3]]": (V, IX),
    "v[ix][1]": (V, IX),
    "v[ix, None]": (V, IX),
    "v[None, ix]": (V, IX),
    "v[..., ix]": (V, IX),
    "v[(ix,)]": (V, IX),
    "v[ix > 1]": (V, np.arange(6)),
    "v[v > 1]": (V, IX),
    "v[v > 100]": (V, IX),
    "v[(v > 1) & (v < 5)] * 2": (V, IX),
    "v[True]": (V, IX),
    "v[False]": (V, IX),
    "v[None, True]": (V, IX),
    "v[np.array(2)]": (V, IX),
    "v[np.array(True)]": (V, IX),
    "v[ix[0] == 0]": (V, IX),
    "a[r]": (A, ROWS, COLUMNS),
    "a[r, c]": (A, ROWS, COLUMNS),
    "a[:, c]": (A, ROWS, COLUMNS),
    "a[r, :]": (A, ROWS, COLUMNS),
    "a[r, 2]": (A, ROWS, COLUMNS),
    "a[2, c]": (A, ROWS, COLUMNS),
    "a[-1, c]": (A, ROWS, COLUMNS),
    "a[r, 1:3]": (A, ROWS, COLUMNS),
    "a[1:, c]": (A, ROWS, COLUMNS),
    "a[::-1, c]": (A, ROWS, COLUMNS),
    "a[r[:, None], c]": (A, ROWS, COLUMNS),
    "a[r[:, None], c[None, :]]": (A, ROWS, COLUMNS),
    "a[r, c[:1]]": (A, ROWS, COLUMNS),
    "a[r][:, c]": (A, ROWS, COLUMNS),
    "a.T[c, r]": (A, ROWS, COLUMNS),
    "a.T[c]": (A, ROWS, COLUMNS),
    "a[np.array(1)]": (A, ROWS, COLUMNS),
    "a[np.array(1), 2]": (A, ROWS, COLUMNS),
    "a[np.array(1), 1:3]": (A, ROWS, COLUMNS),
    "a[np.array(1), c]": (A, ROWS, COLUMNS),
    "a[a > 7]": (A, ROWS, COLUMNS),
    "a[a[:, 0] > 4]": (A, ROWS, COLUMNS),
    "a[:, a[0] > 1]": (A, ROWS, COLUMNS),
    "a[a[:, 0] > 4, 1]": (A, ROWS, COLUMNS),
    "a[a[:, 0] > 4, 1:]": (A, ROWS, COLUMNS),
    "a[(a[:, 0] > 4)[:, None] & (a > 7)]": (A, ROWS, COLUMNS),
    "a[[True, False, True, False], [1, 2]]": (A, ROWS, COLUMNS),
    "a[r, c] + a[c % 4, r]": (A, ROWS, COLUMNS),
    "a[r[1]]": (A, ROWS, COLUMNS),
    "a[s]": (A, SQUARE),
    "a[s, s]": (A, SQUARE),
    "a[:, s]": (A, SQUARE),
    "a[s.T]": (A, SQUARE),
    "a[s > 0]": (np.arange(8.0).reshape(2, 2, 2), SQUARE),
    "t[:, [0, 1], [1, 2]]": (T,),
    "t[[0, 1], :, [1, 2]]": (T,),
    "t[[0, 1], [1, 2]]": (T,),
    "t[0, :, [1, 2]]": (T,),
    "t[0, :, [1, 2], 1:3]": (T,),
    "t[:, 0, [1, 2]]": (T,),
    "t[..., [1, 2]]": (T,),
    "t[..., [1, 2], :]": (T,),
    "t[[1], ..., [1, 2]]": (T,),
    "t[:, None, [1, 2]]": (T,),
    "t[:, [1, 2], None, [0, 1]]": (T,),
    "t[None, [0, 1], :, 2]": (T,),
    "t[:, t[0, :, 0, 0] > 10]": (T,),
    "t[:, t[0, :, :, 0] > 10]": (T,),
    "t[:, t[0, :, :, 0] > 10, 1:3]": (T,),
    "t[1, t[0, :, :, 0] > 10, [0]]": (T,),
    "t[t > 50]": (T,),
    "t[t[..., 0] > 50]": (T,),
    "t[[0, 1], t[0, :, 0, 0] > 10]": (T,),
    "t[:, ::2, [3, 1]]": (T,),
    "t[:, True, [1, 2]]": (T,),
}
NAMES = {1: "t", 2: None, 3: "a, r, c"}


def parameters(source: str, count: int) -> str:
    if count == 2:
        return "a, s" if source.startswith("a[") else "v, ix"
    return NAMES[count]


def test_reads_with_arrays_lists_and_masks_as_numpy() -> None:
    with Report("reads") as report:
        for source, arguments in READS.items():
            with report.case(source):
                names = parameters(source, len(arguments))
                check(make(f"def f({names}):\n    return {source}"), *arguments)


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "f2", "i4", "f4", "c8", "f8", "c16"])
def test_every_item_size_moves(dtype: str) -> None:
    f = make("""
        def f(a, r, c, m, x, y):
            a[r] = a[r[::-1]]
            x[m] = y
            return a[r, c], a[:, c], a[r], x[m], a[m[0]], x[r, 1:]
    """)
    a = np.arange(20).reshape(4, 5).astype(dtype)
    mask = (np.arange(20).reshape(5, 4) % 3 == 0).T[:, ::-1]
    for order in ("C", "F"):
        x = np.asarray(a * 2, dtype=dtype, order=order)
        check(
            f, np.asarray(a, order=order), ROWS, COLUMNS, mask[:, :5][:4], x, np.array(1, dtype)[()]
        )


STORES = {
    "v[ix] = 9": (V, IX),
    "v[ix] = [1, 2, 3, 4, 5]": (V, IX),
    "v[ix] = v[ix][::-1]": (V, IX),
    "v[ix] = ix": (V, IX),
    "v[ix] = np.arange(5)[None]": (V, IX),
    "v[ix] += 1": (V, IX),
    "v[ix] *= v[ix]": (V, IX),
    "v[[0, 1]] = v[[1, 0]]": (V, IX),
    "v[v > 1] = -1": (V, IX),
    "v[v > 1] += 1": (V, IX),
    "v[v > 1] = v[v > 1] ** 2 + 1": (V, IX),
    "v[v > 1] = np.arange(4)": (V, IX),
    "v[v > 100] = np.arange(0)": (V, IX),
    "v[v > 1] = [7]": (V, IX),
    "v[ix[:2] > 1] = 0": (V, IX),
    "v[True] = 3": (V, IX),
    "v[False] = 3": (V, IX),
    "v[np.array(2)] = 3": (V, IX),
    "v[ix[1:]] = v[:4]": (V, IX),
    "v[ix] = v[1:]": (V, IX),
    "ix[ix[:2]] = 1": (V, np.array([1, 0, 2])),
    "ix[ix] = np.arange(3)": (V, np.array([1, 2, 0])),
    "ix[ix] += 1": (V, np.array([1, 2, 0])),
    "ix[ix] = 2.7": (V, np.array([1, 2, 0])),
    "a[r] = 1": (A, ROWS, COLUMNS),
    "a[r] = a[r + 0][:, ::-1]": (A, ROWS, COLUMNS),
    "a[r] = np.arange(5)": (A, ROWS, COLUMNS),
    "a[r, c] = 1.5": (A, ROWS, COLUMNS),
    "a[r, c] = r": (A, ROWS, COLUMNS),
    "a[r, c] += c": (A, ROWS, COLUMNS),
    "a[:, c] = np.arange(3)": (A, ROWS, COLUMNS),
    "a[:, c] = np.arange(4)[:, None]": (A, ROWS, COLUMNS),
    "a[:, c] = a[:, c[::-1]]": (A, ROWS, COLUMNS),
    "a[r[:, None], c] = np.arange(9).reshape(3, 3)": (A, ROWS, COLUMNS),
    "a[1:3, c] -= 3": (A, ROWS, COLUMNS),
    "a[a > 7] = 0": (A, ROWS, COLUMNS),
    "a[a > 7] = a[a > 7] * 2": (A, ROWS, COLUMNS),
    "a.T[a.T > 7] = np.arange(12)": (A, ROWS, COLUMNS),
    "a[a[:, 0] > 4] = 9": (A, ROWS, COLUMNS),
    "a[a[:, 0] > 4] = np.arange(5)": (A, ROWS, COLUMNS),
    "a[a[:, 0] > 4, 1] = 9": (A, ROWS, COLUMNS),
    "a[:, a[0] > 1] = np.arange(3)": (A, ROWS, COLUMNS),
    "a[2, c] = c": (A, ROWS, COLUMNS),
    "a[[1, 2]], a[0] = a[[2, 1]], 5": (A, ROWS, COLUMNS),
    "a[r[0]], a[r[1]] = a[r[1]], a[r[0]]": (A, ROWS, COLUMNS),
    "a[[0, 1]], a[[2, 3]] = a[[2, 3]], a[[0, 1]]": (A, ROWS, COLUMNS),
    "t[:, [0, 1], [1, 2]] = 3": (T,),
    "t[[0, 1], :, [1, 2]] = 3": (T,),
    "t[[0, 1], :, [1, 2]] = np.arange(15).reshape(3, 5)": (T,),
    "t[:, [0, 1], None, [1, 2]] = np.arange(5)": (T,),
    "t[:, t[0, :, :, 0] > 10] = np.arange(5)": (T,),
    "t[t > 50] -= 50": (T,),
    "t[0, :, [1, 2], 1:3] = np.arange(2)": (T,),
}


def test_stores_with_arrays_lists_and_masks_as_numpy() -> None:
    with Report("stores") as report:
        for source, arguments in STORES.items():
            with report.case(source):
                names = parameters(source, len(arguments))
                if source.startswith("ix["):
                    names = "v, ix"
                check(make(f"def f({names}):\n    {source}\n    return {names}"), *arguments)


ERRORS = {
    "return v[ix]": (V, np.array([0, 9])),
    "return v[ix - 9]": (V, np.array([9, 1])),
    "return v[ix, ix]": (V, IX),
    "return v[[0.5]]": (V, IX),
    "return v[v]": (V, IX),
    "return v[ix > 1]": (V, IX),
    "v[ix] = 1": (V, np.array([0, 9])),
    "v[ix] += 1": (V, np.array([0, -9])),
    "v[ix] = np.arange(3)": (V, IX),
    "v[v > 1] = np.arange(3)": (V, IX),
    "v[v > 1] = np.ones((2, 2))": (V, IX),
    "v[ix > 1] = 1": (V, IX),
    "return a[r, c]": (A, np.array([0, 4]), np.array([0, 1])),
    "return a[c, r]": (A, np.array([0, 4]), np.array([0, 5])),
    "return a[:, r]": (A, np.array([0, 5]), COLUMNS),
    "return a[0, r]": (A, np.array([0, 5]), COLUMNS),
    "return a[..., r]": (A, np.array([0, 5]), COLUMNS),
    "return a[r, c[:2]]": (A, ROWS, COLUMNS),
    "return a[r, r, r]": (A, ROWS, COLUMNS),
    "return a[:, a[:, 0] > 1]": (A, ROWS, COLUMNS),
    "return a[a[:, :2] > 1]": (A, ROWS, COLUMNS),
    "a[r] = np.arange(4)": (A, ROWS, COLUMNS),
    "a[r, c] = np.arange(4)": (A, ROWS, COLUMNS),
    "a[:, a[0] > 1] = np.arange(5)": (A, ROWS, COLUMNS),
    "a[0] = 7\n    a[r] = 1": (A, np.array([1, 9]), COLUMNS),
    "return v[7, ix]": (V, IX),
    "return v.sum()[ix]": (V, IX),
}


def test_errors_are_numpys_and_nothing_is_stored_before_them() -> None:
    with Report("errors") as report:
        for source, arguments in ERRORS.items():
            with report.case(source):
                names = "v, ix" if len(arguments) == 2 else "a, r, c"
                check(make(f"def f({names}):\n    {source}"), *arguments)


def test_sizes_that_depend_on_data() -> None:
    f = make("""
        def f(z, c, steps):
            index = np.arange(len(z))
            count = np.zeros(len(z), dtype=int)
            w = z.copy()
            for i in range(steps):
                if len(w) == 0:
                    break
                w = w * w + c[index]
                gone = np.abs(w) > 2
                count[index[gone]] = i
                keep = ~gone
                w, index = w[keep], index[keep]
            return count, w, index
    """)
    z = np.linspace(-2, 2, 40) + 1j * np.linspace(-1, 1, 40)
    for points in (z, z * 9, z[:0]):
        compare(f, points, points, 30, tol=within(200))  # of complex products, one after the other


def test_an_array_whose_size_changes_in_a_loop() -> None:
    f = make("""
        def f(v, n):
            out = v[:1]
            for i in range(n):
                out = np.concatenate((out, v[v > i]))
                if len(out) > 30:
                    return out, i
            return out, -1
    """)
    for n in (0, 3, 100):
        check(f, np.arange(8.0), n)


def test_index_arrays_in_loops_and_calls() -> None:
    f = make("""
        def rows(a, m):
            return a[m]

        def f(a, n):
            total = 0.0
            for i in range(n):
                part = rows(a, a[:, 0] > i)
                part[:1] = 100
                total += part.sum()
                a[a[:, 1] > i + 8] -= 1
            return total, a
    """)
    check(f, A, 5)
    check(f, A, 0)


def test_gathers_and_scatters_of_large_arrays() -> None:
    rng = np.random.default_rng(1)
    x = rng.standard_normal(70_001)
    indices = rng.integers(-70_001, 70_001, 50_000)
    f = make("""
        def f(x, i, m):
            y = x.copy()
            y[i] = np.arange(len(i))
            y[m] = 1
            y[m] += x[m]
            return x[i], x[m], y, m.nonzero()[0], x[i[x[i] > 0]]
    """)
    for density in (0.001, 0.5, 1):
        check(f, x, indices, rng.random(70_001) < density)
    g = make("""
        def g(x, r, c):
            x[r[:, None], c] *= 2
            return x[r], x[:, c], x[r[:, None], c], x[x > 0]
    """)
    matrix = rng.standard_normal((300, 700))
    for a in (matrix, np.asfortranarray(matrix), matrix[::-1, ::2]):
        check(g, a, rng.integers(0, 300, 200), rng.integers(0, 350, 100))
