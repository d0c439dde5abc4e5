"""NumPy's indexing functions: take, put, choose, select, nonzero, those that give index arrays."""

import numpy as np
import pytest
from support.compare import check, check_expressions, check_statements, make

ARGUMENTS = {
    "v": np.array([3.5, -1.0, 4.25, 7.25, 2.0, -6.5]),
    "a": np.arange(20.0).reshape(4, 5),
    "q": np.arange(16.0).reshape(4, 4),
    "t": np.arange(24).reshape(2, 3, 4),
    "ix": np.array([0, 5, -1, 2, 2]),
    "m": np.arange(20).reshape(4, 5) > 7,
    "i": np.arange(20).reshape(4, 5) % 4,
    "ch": np.array([0, 2, 1, 1]),
    "mr": np.array([True, False, True, True]),
}

EXPRESSIONS = """
np.take(v, ix)
np.take(a, ix)
np.take(a, [0, 3], axis=1)
np.take(a, ix, axis=0, mode='wrap')
np.take(a, ix, axis=-1, mode='clip')
np.take(v, 3)
np.take(v, ix+9)
np.take(a, i, axis=1)
np.take(v, ix, out=np.empty(5))
v.take(ix)
v.take([[0,1],[1,2]])
np.take(v, v)
np.take(v[:0], ix)
np.take(a, ix, axis=2)
np.compress([True, False, True], v)
np.compress(mr, a, axis=0)
np.compress(mr, a, axis=1)
v.compress([True, False, True])
np.extract(m, a)
np.extract(v > 1, v)
np.nonzero(m)
np.nonzero(v)[0]
np.nonzero(t)
m.nonzero()
np.where(v > 1)
np.where(m)[1]
np.argwhere(m)
np.argwhere(v > 1)
np.flatnonzero(m)
np.flatnonzero(v > 1)
np.choose(ch, [v[:4], v[1:5], v[2:]])
np.choose(ch, (v[:4], v[1:5]), mode='clip')
np.choose(ch, (v[:4], v[1:5]), mode='wrap')
np.choose(ch, (v[:4], v[1:5]))
ch.choose((1, 2, 3))
np.select([v < 0, v > 2], [v, v*2])
np.select([v < 0, v > 2], [v, v*2], default=-1)
np.select([a > 7], [a*2], a)
np.select([v < 0, v > 2], [1, 2])
np.take_along_axis(a, i, axis=0)
np.take_along_axis(a, i, axis=1)
np.take_along_axis(a, np.argmax(a, axis=1)[:, None], axis=1)
np.take_along_axis(a, i[:, :2], -1)
np.take_along_axis(v, ix, None)
np.indices((2, 3))
np.indices((2, 3), dtype=float)
np.indices((2, 3), sparse=True)
np.ix_([0, 1], [2, 3])
a[np.ix_([0, 1], [2, 3])]
a[np.ix_(mr, [2, 3])]
np.tril_indices(4)
np.triu_indices(4, 1)
np.triu_indices(3, -1, 5)
q[np.triu_indices(4)]
np.tril_indices_from(q)
np.triu_indices_from(q, k=1)
np.diag_indices(4)
q[np.diag_indices(4)]
np.diag_indices_from(q)
np.mask_indices(3, np.triu)
np.ravel_multi_index((ch, ch), (4, 5))
np.ravel_multi_index((1, 2), a.shape)
np.ravel_multi_index((ch, ch), (4, 5), order='F')
np.ravel_multi_index((ch + 3, ch), (4, 5))
np.ravel_multi_index((ch + 3, ch), (4, 5), mode='wrap')
np.ravel_multi_index((ch + 3, ch - 1), (4, 5), mode=('clip', 'wrap'))
np.unravel_index(ch * 4, (4, 5))
np.unravel_index(7, a.shape)
np.unravel_index(np.argmax(a), a.shape)
np.unravel_index(ch * 4, (4, 5), order='F')
np.unravel_index(ch * 40, (4, 5))
np.unravel_index(3, 6)
np.diagflat(a)
np.diagflat(v, 1)
np.diagflat(v, -2)
np.diagflat([[1,2],[3,4]])
"""

STATEMENTS = """
np.put(v, ix, 5)
np.put(v, ix, [1, 2])
np.put(a, ix, -1)
np.put(a.T, [1, 2], [7, 8])
np.put(v, ix + 3, 9, mode='wrap')
np.put(v, ix + 3, 9, mode='clip')
np.put(v, ix + 3, 9)
v.put(ix, 1)
np.place(v, v > 1, [1, 2])
np.place(a, m, [0.5])
np.place(a, m, [])
np.putmask(v, v > 1, 0)
np.putmask(v, v > 1, v * 2)
np.putmask(a, m, -a)
np.putmask(a, m, [1, 2, 3])
np.put_along_axis(a, i, 9.0, axis=0)
np.put_along_axis(a, np.argmax(a, axis=1)[:, None], 0, axis=1)
np.fill_diagonal(q, 0)
np.fill_diagonal(q, ch)
np.fill_diagonal(a, 1, wrap=True)
np.fill_diagonal(a.T, 1, wrap=True)
np.fill_diagonal(v, 1)
"""


def test_expressions_as_numpy() -> None:
    check_expressions(EXPRESSIONS, ARGUMENTS)


def test_statements_as_numpy() -> None:
    check_statements(STATEMENTS, ARGUMENTS)


def test_select_is_of_the_dtype_of_all_choices() -> None:
    """Python's numbers among them are weak, and no choice goes through another dtype."""
    large = np.array([0, 5, 2**64 - 1, 2**63, 2**53 + 1], np.uint64)
    names = {"u": large, "i": large.astype(np.int64), "w": np.arange(5).astype(np.uint16),
             "b": np.array([-3, 0, 1, 5, 127], np.int8), "c": np.arange(5) > 1}  # fmt: skip
    check_expressions(
        """np.select([c], [u])
np.select([c, u == 0], [u, u], u[1])
np.select([c], [i], u)
np.select([c], [b], 300)
np.select([c], [w], -1)
np.select([c, ~c], [w, b], 1)
np.select([c], [2], b)
np.select([c], [2], w)
np.select([c], [1], u)
np.select([c], [2.5], b)
np.select([c], [c], b)""",
        names,
    )


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint32", "int64", "uint64", "float64"])
def test_indices_of_any_integer_dtype(dtype: str) -> None:
    """Sizes do not fit narrow dtypes, and -1 does not fit unsigned ones."""
    for places in (np.zeros(0, dtype), np.array([100, 127, 0]).astype(dtype)):
        check_expressions(
            """np.take(many, i, mode="wrap")
np.take(many, i, mode="clip")
np.take(none, i, mode="clip")
np.take(none, i, axis=0, mode="clip")
np.take(none[:, :0], i, axis=0)
np.take(none[:, :0], i, axis=0, mode="clip")
np.take(many, i.size)
np.take(many, 2.5)
np.choose(i, [1, 2, 3], mode="wrap")
np.choose(i, [1, 2, 3], mode="clip")
np.choose(i, [1, 2, 3])
np.ravel_multi_index((i, i), (300, 400))
np.ravel_multi_index((i, i), (3, 400), mode=("clip", "wrap"))
np.unravel_index(i, (300, 400))
np.unravel_index(i, (300,))""",
            {"i": places, "many": np.arange(300.0), "none": np.zeros((0, 2))},
        )
        check_statements(
            """np.put(many, i, 7, mode="wrap")
np.put(many, i, 7, mode="clip")
np.put(none, i, 7, mode="clip")
np.put(many, 2.5, i.size)""",
            {"i": places, "many": np.arange(300.0), "none": np.zeros((0, 2))},
        )


def test_scattered_sums_in_an_array_that_a_loop_carries() -> None:
    f = make("""
        def f(a, b, n):
            while n > 0:
                np.add.at(a, b % len(a), n)
                a = a[1:] if len(a) > 2 else a.copy()
                n -= 1
            for c in b:
                np.maximum.at(a, 1, c)
                a, b = b, a
            return a
    """)
    for n in (0, 1, 3):
        check(f, np.arange(5), np.arange(9)[::-2], n)


def test_a_library_function_in_a_loop() -> None:
    f = make("""
        def f(a, n):
            total = 0
            for k in range(n):
                rows, columns = np.nonzero(a > k)
                total += len(rows) + np.take(rows, [0, -1], mode="clip").sum()
                a[rows, columns] -= 1
                np.put(a, [k], 0)
            return total, a
    """)
    check(f, ARGUMENTS["a"], 3)


LOOPS = {
    "ndindex": """
        def f(t):
            total = 0
            for place in np.ndindex(t.shape):
                t[place] += place[0] * 100 + place[-1]
            for i, j in np.ndindex(2, 3):
                total += t[i, j].sum() * j
            for place in np.ndindex(*t.shape[:2]):
                t[place] -= 1
            for k in np.ndindex(0, 3):
                total += 1000
            return total, t
    """,
    "ndenumerate": """
        def f(t):
            best, where = -1, (0, 0, 0)
            for place, x in np.ndenumerate(t):
                if x % 7 == 6 and x > best:
                    best, where = x, place
            for (i, j, k), x in np.ndenumerate(t.T):
                best += i * x - j * k
            return best, where
    """,
    "flat": """
        def f(t):
            total = 0
            for n, x in enumerate(t.T.flat):
                total += n * x
            for x, y in zip(t.flat, t[0].flat):
                total += x * y
            t.flat[3] = 9
            t.flat[[0, 5]] = 1
            t.flat[10:14] = 7
            return total, t.flat[5], t.T.flat[:4], t.flat[[1, -1]], t
    """,
}


@pytest.mark.parametrize("kind", LOOPS)
def test_ndindex_and_ndenumerate_loops(kind: str) -> None:
    f = make(LOOPS[kind])
    check(f, ARGUMENTS["t"])
    check(f, ARGUMENTS["t"][:, ::-1, ::2].repeat(2, axis=2))


@pytest.mark.parametrize(
    "key", ["(1, 2),", "((1, 2),)", "i,", "(i,)", "1,", "(-1,)", "[0, 2],", "(),", "((),)", "()",
            "(True, False, True),", "(1, 2), (0, 1)", "..., (0, 1)", "(x[0] > 1,)", "slice(1, 3),"],
)  # fmt: skip
def test_a_tuple_in_a_tuple_is_an_index_array(key: str) -> None:
    x = np.arange(9.0).reshape(3, 3)
    check(make(f"def f(x, i):\n    return x[{key}]"), x, (1, 2))
    check(make(f"def f(x, i):\n    x[{key}] = 7\n    return x"), x, (1, 2))
    check(make(f"def f(x, i):\n    x[{key}] += 7\n    return x"), x, (1, 2))
