"""What random programs found, reduced: fixed, or open with a reason (a strict xfail)."""

from __future__ import annotations

from fuzz.programs import Program

FIXED = {
    "a guard of a number that only code behind an exception used": Program(
        """\
def f(a, b, c, q):
    for i in range(0, 1):
        v4 = c.max(axis=2)
    for i in range(1, 0, -1):
        b[i, i, q:1] = a
""",
        (
            "a = filled((0,), 'int64', 5, 'small')\nb = filled((2, 0, 0), 'int64', 5, 'small')\n"
            "c = filled((2, 0, 0), 'int64', 6, 'small')\nq = 2\nargs = (a, b, c, q)",
        ),
    ),
    "float() of a complex NumPy number": Program(
        """\
def f(b, k):
    v1 = 0
    v3 = float(b[k, v1])
    if b[0, 2]:
        pass
""",
        ("a = filled((4, 1), 'complex128', 7, 'small')\nb = a\nk = 0\nargs = (b, k)",),
    ),
    "a type error behind a broadcast that would fail": Program(
        """\
def f(a):
    v2 = np.stack([a, a], axis=1)
    for v8 in v2:
        for i in range(0, -1, -1):
            v9 = v2.real.sum(axis=0)
            if v9[i, 1]:
                v10 = np.any(a.swapaxes(0, 1), axis=1, keepdims=True)
            else:
                v2 -= v8[1, 1:]
            v9 += v2.ravel()
""",
        ("a = filled((4, 2), 'complex128', 9, 'small')\nargs = (a,)",),
    ),
    "a diagonal of what may be a copy is read-only": Program(
        """\
def f(a):
    return np.expand_dims(a.diagonal().ravel(), 0).diagonal()
""",
        ("args = (np.ones((4, 6)),)", "args = (np.ones((1, 6)),)"),
    ),
    "a NumPy float beyond the dtype of the element it is stored to": Program(
        """\
def f(a, k):
    for v in a:
        v[1] += k
""",
        (
            "args = (np.ones((3, 4), 'int32'), np.float64(2.25))",
            "args = (np.full((3, 4), 2**31 - 1, 'int32'), np.float64(2.25))",
            "args = (np.ones((3, 4), 'int32'), np.float64('nan'))",
            "args = (np.ones((3, 4), 'uint8'), np.float64(300.0))",
        ),
    ),
    "a lambda whose variable is assigned again": Program(
        """\
def f(k):
    v = k
    g = lambda e: e * v
    w = g(2)
    v = 3
    return w + g(2)
""",
        ("args = (5,)", "args = (5.5,)"),
    ),
    "sizes that contradict each other behind a requirement": Program(
        """\
def f(a, k):
    v = np.dot(a, a[0, 2][None])
    w = a.diagonal() > 7.5
    if k:
        w[1] = w.T
    if np.min(w, axis=1):
        w[1:1,] = w
""",
        ("args = (np.ones((2, 6, 2)), True)", "args = (np.ones((1, 6, 1)), True)"),
    ),
    "a loop over what a later guard makes empty": Program(
        """\
def f(a):
    v = np.concatenate((a.T, a.T), axis=1)
    u = v.all(axis=1)
    w = a.reshape(-1)[2:1:-1]
    if np.count_nonzero(v // 2):
        for i in range(0, w.shape[0], 2):
            v[i] = w
    else:
        a[::2,] -= a[2:2:2, -1]
""",
        ("args = (np.zeros((1, 1), 'uint64'),)", "args = (np.full((1, 1), 9, 'uint64'),)"),
    ),
    "a loop over what cannot be iterated": Program(
        """\
def f(a):
    for x in a:
        pass
""",
        ("args = (np.array(1),)", "args = (np.int32(1),)", "args = (1.5,)", "args = (True,)"),
    ),
    "a number from the back": Program(
        """\
def f(a):
    for x in reversed(a):
        pass
""",
        ("args = (np.array(1),)", "args = (np.int32(1),)", "args = (2,)", "args = (np.arange(2),)"),
    ),
    "a number is unpacked": Program(
        """\
def f(a):
    x, y = a
    return x
""",
        ("args = (np.array(1),)", "args = (np.float64(1),)", "args = (2,)", "args = (1j,)"),
    ),
    "a name that is nowhere after a store": Program(
        """\
def f(a, k):
    a[0] = 7
    if k > 1:
        return a
    if k:
        return nowhere(a)
    return a + nothing.nowhere
""",
        ("args = (np.arange(3), 2)", "args = (np.arange(3), 1)", "args = (np.arange(3), 0)"),
    ),
    "a reduction of a number along an axis": Program(
        """\
def f(k):
    return (
        np.int32(k).min(axis=-1, keepdims=True),
        np.int32(k).sum(axis=0),
        np.any(np.int32(k), axis=0, keepdims=True),
        np.array(k).prod(axis=-1),
    )
""",
        ("args = (4,)",),
    ),
    "a copy of a number is a number": Program(
        """\
def f(a):
    v = a.prod(axis=0).copy()
    a[0] = 5
    return v[::2]
""",
        ("args = (np.arange(3),)", "args = (np.ones((2, 3)),)"),
    ),
    "complex numbers are divided with a rest": Program(
        """\
def f(a, b, c):
    c += 1
    if c[0] == 1:
        return a // b
    return a % b
""",
        (
            "args = (1j, 2.5, np.zeros(1))",
            "args = (2, 1j, np.ones(1))",
            "args = (1j, np.float32(2), np.zeros(1))",
            "args = (1j, np.complex128(2), np.ones(1))",
            "args = (np.complex64(2), True, np.zeros(1))",
            "args = (np.array(1j), 2, np.ones(1))",
        ),
    ),
    "stores before an error that is known early": Program(
        """\
def f(b, d, k):
    b[1] *= 3
    d[0, 1] = k
""",
        ("args = (np.arange(3), np.arange(3), True)",),
    ),
    "an error in a loop that does not run": Program(
        """\
def f(c, d):
    while d.all():
        v = c[0, 1]
    for i in range(d.size - d.size):
        v = np.flip(c, 1)
    return c.sum()
""",
        ("args = (np.arange(4.0), np.zeros((3, 4)))", "args = (np.arange(4.0), np.ones(0))"),
    ),
    "an error in the test of a loop": Program(
        """\
def f(a, b):
    a[0] = 7
    while a:
        a[1] = 3
    return a
""",
        ("args = (np.arange(3.0), 1)",),
    ),
    "an error in a called function": Program(
        """\
def h(p):
    while p > 1:
        v = np.moveaxis(p, 0, 1)
    p += 1

def f(a):
    h(a)
    return a + 1
""",
        ("args = (np.array(0.5),)", "args = (np.array(3.5),)"),
    ),
    "an iteration over a number after a store": Program(
        """\
def f(a):
    a[...] = 2
    for i in 0:
        pass
""",
        ("args = (np.array(1.0),)",),
    ),
    "one view under two names": Program(
        """\
def f(c):
    v = np.expand_dims(c, 2)
    w = v
    e = c[0:0]
    g = e
    return v, w, e, g
""",
        ("args = (np.ones((3, 3)),)",),
    ),
    "sizes of an arm that returns": Program(
        """\
def f(a):
    if a[0, 0]:
        pass
    elif a:
        pass
    else:
        if a:
            a = np.moveaxis(a, 0, 1)
        return a
""",
        (
            "args = (np.ones((3, 3), bool),)",
            "args = (np.zeros((3, 3), bool),)",
            "args = (np.zeros((1, 1), bool),)",
        ),
    ),
    "a number takes None as index": Program(
        """\
def f(b):
    v = b.min(axis=-1)
    return v[None], v[...], v[()], v[None, ..., None], np.repeat(v, 2, axis=0)
""",
        ("args = (np.arange(6.0),)",),
    ),
    "a number takes no number as index": Program(
        """\
def f(b):
    return b.min()[0]
""",
        ("args = (np.arange(6.0),)",),
    ),
    "np.array of a NumPy number and a Python number": Program(
        """\
def f(k, s):
    return np.array([np.float32(k), 0]), np.array([s, k]), np.array([s, 1.5]), np.array([s, True])
""",
        ("args = (1, np.int32(4))", "args = (1.5, np.float32(4))", "args = (True, np.int8(4))"),
    ),
    "read-only before the index": Program(
        """\
def f(b, k):
    b[k] = 1
""",
        (
            "args = (lay_out(filled((3, 4), 'int64', 2, 'small'), 'read_only'), 4)",
            "args = (lay_out(filled((3, 4), 'int64', 2, 'small'), 'read_only'), 1)",
        ),
    ),
    "the transpose of an array without axes is another object": Program(
        """\
def f(a):
    return a.T, a.transpose()
""",
        ("args = (np.array(3.0),)", "args = (np.arange(3.0),)"),
    ),
    "an axis of size 1 under another name is left out by a reshape": Program(
        """\
def f(a):
    a[1] = a
    v = a[:3]
    a = v[1::2]
    return np.expand_dims(a, 0).reshape(-1)
""",
        ("args = (np.arange(2),)", "args = (np.arange(1),)"),
    ),
    "an array is unpacked into more or fewer names": Program(
        """\
def f(a):
    x, y = a
    return x
""",
        ("args = (np.ones(1),)", "args = (np.ones(3),)", "args = (np.ones((2, 2)),)"),
    ),
    "the largest of zeros": Program(
        """\
def f(x):
    return (x + 0).max()
""",
        ("args = (np.array([-0.0, -0.0]),)",),
    ),
    "a reduction of a number along an axis with keepdims": Program(
        """\
def f(k):
    return np.int32(k).min(axis=-1, keepdims=True)
""",
        ("args = (4,)",),
    ),
    "a NumPy integer beyond the dtype of the slice it is stored to": Program(
        """\
def f(a, c):
    c[1] = np.sum(a)
""",
        ("args = (np.full((4, 40), 1, 'int8'), np.zeros((4, 3), 'int8'))",),
    ),
    "an array with axes is stored to an element, and added to one": Program(
        """\
def f(a, b, k):
    if k:
        a[0] -= b[()]
    else:
        a[-1] = b
    return a
""",
        (
            "args = (np.zeros(3), np.ones(()), 1)",
            "args = (np.zeros(3), np.ones((3, 4)), 1)",
            "args = (np.zeros(3), np.ones(1), 0)",
            "args = (np.zeros(3, complex), np.ones(2), 1)",
            "args = (np.zeros(3, bool), np.ones((1, 1)), 0)",
            "args = (np.zeros(3, bool), np.ones(2), 0)",
        ),
    ),
    "an index that is a number of another kind on another path": Program(
        """\
def f(a, k, q):
    if q:
        v = k
    else:
        v = a[k]
    return a[v % 1]
""",
        ("args = (np.arange(3.0), 6, True)",),
    ),
    "a number has no items and is not iterated over": Program(
        """\
def f(a, k):
    if k > 2:
        a[0] = 1
    for i in reversed(a) if k else a:
        pass
    return a[0]
""",
        (
            "args = (np.int32(3), 3)",
            "args = (np.float64(3), 1)",
            "args = (2.5, 0)",
            "args = (None, 1)",
        ),
    ),
    "an array under two names is changed in a loop": Program(
        """\
def f(a):
    v = a + 1
    w = v
    for i in range(a.shape[0]):
        v *= 2
    v[0] = 77
    return v, w
""",
        ("args = (np.arange(3),)", "args = (np.arange(5000.0),)"),
    ),
    "a function uses what a branch or loop assigns after it is created": Program(
        """\
def f(a, k):
    def g(e):
        return v * e
    h = lambda e: g(e) + 1
    if a[0] > 0:
        v = a
    t = 0
    for i in range(2):
        t = t + h(k)
        v = v + 1
    return t, g(2)
""",
        ("args = (np.ones(2), 3)", "args = (np.zeros(2), 3)"),
    ),
    "a default of a lambda is computed once": Program(
        """\
def f(k):
    v = k
    g = lambda e, n=v: e * n
    v = 3
    return g(2), v
""",
        ("args = (5,)", "args = (5.5,)"),
    ),
    "what is no integer in a slice": Program(
        """\
def f(a, k):
    return a[k:], a[: 2 : k]
""",
        (
            "args = (np.arange(3), np.float32(1))",
            "args = (np.arange(3), np.array(1))",
            "args = (np.arange(3), np.array(1.0))",
            "args = (np.arange(3), np.array([1]))",
            "args = (np.arange(3), np.True_)",
        ),
    ),
    "an array with axes is no Python number": Program(
        """\
def f(a, k):
    if k > 1:
        return int(a)
    return float(a) if k else a.item()
""",
        (
            "args = (np.ones((2, 2)), 1)",
            "args = (np.ones(1), 1)",
            "args = (np.ones((1, 1)), 2)",
            "args = (np.ones((1, 1)), 0)",
            "args = (np.array(1.5), 2)",
        ),
    ),
    "divmod of complex numbers": Program(
        """\
def f(a, k):
    return divmod(a, k)
""",
        (
            "args = (1j, np.ones(2))",
            "args = (np.complex64(1), np.float32(2))",
            "args = (np.complex64(1), np.arange(2))",
            "args = (np.int8(-7), 2.5)",
            "args = (True, np.True_)",
        ),
    ),
    "the larger of two arrays": Program(
        """\
def f(a, k):
    return max(a, k), min(k, a)
""",
        (
            "args = (np.ones(3), np.zeros(3))",
            "args = (np.ones(1), np.zeros(1))",
            "args = (np.ones((1, 1)), np.full((1, 1), 2.0))",
            "args = (np.ones((0, 2)), np.ones((0, 2)))",
            "args = (np.ones(3), 2.5)",
            "args = (np.ones(3), np.ones(2))",
        ),
    ),
    "np.array of what does not go on alike": Program(
        """\
def f(a, b):
    v = np.array([[1, 2], b])
    return v, np.array([a, b])
""",
        (
            "args = (1.5, np.ones(3))",
            "args = (np.ones(2), np.ones(2))",
            "args = (1.5, np.ones(2))",
            "args = (np.ones((2, 3)), np.ones((2, 2)))",
        ),
    ),
    "matrix products of numbers": Program(
        """\
def f(a, b):
    return a @ b
""",
        (
            "args = (np.float64(2), np.float64(2))",
            "args = (2, np.True_)",
            "args = (np.float64(2), np.ones(2))",
            "args = (np.array(2), 2)",
        ),
    ),
    "parts of a fresh array may be written": Program(
        """\
def f(a):
    return (a * 1j).real, (a * 1j)[1:].imag
""",
        ("args = (np.ones(2),)",),
    ),
    "an index that raises as an int and as a float": Program(
        """\
def f(c, q):
    v = q
    if v:
        k = 0
    else:
        k = q
    c[0] = 7
    return c[k, 1]
""",
        (
            "args = (np.ones((3, 1)), 3.5)",
            "args = (np.ones((3, 2)), 3.5)",
            "args = (np.ones((3, 2)), 0.0)",
        ),
    ),
    "the larger of a bool and a constant": Program(
        """\
def f(b):
    return min(max(b, -50), 50), np.int32(min(max(b, 0), 9)), min(b, True), max(2, b)
""",
        ("args = (np.True_,)", "args = (False,)"),
    ),
    "seven sizes in one message": Program(
        """\
def f(a, b, n):
    return a[: n[0], : n[1], : n[2]] @ b[: n[3], : n[4], : n[5], : n[6]]
""",
        (
            "args = (np.ones((9, 9, 9)), np.ones((9, 9, 9, 9)), np.full(7, 2))",
            "args = (np.ones((9, 9, 9)), np.ones((9, 9, 9, 9)), np.array([3, 4, 5, 6, 7, 5, 8]))",
        ),
    ),
    "a return between two exceptions": Program(
        """\
def h(c):
    for i in range(c.size):
        if nowhere:
            return c
    c[0] += nowhere

def f(c):
    c[...] = 1
    v = h(c)
    return v + 1
""",
        ("args = (np.zeros(2),)", "args = (np.zeros(0),)"),
    ),
    "iterators over a range whose step is an argument": Program(
        """\
def f(a, b, step, v):
    t = 0
    for i, x in enumerate(range(a, b, step)):
        t = 10 * t + i * x
    for x in reversed(range(a, b, step)):
        t = 10 * t + x
    for x, y in zip(range(a, b, step), v):
        t = 10 * t + x * y
    return t, len(range(a, b, step))
""",
        (
            "args = (0, 10, 3, np.arange(3))",
            "args = (10, 0, -3, np.arange(9))",
            "args = (0, 10, -1, np.arange(3))",
            "args = (2, 3, 100, np.arange(3))",
            "args = (0, 10, 0, np.arange(3))",
        ),
    ),
    "a float beyond C's long is stored to an integer": Program(
        """\
def f(a, k):
    a[0] = 5
    a[1:] = k
    a[-1] *= 6.5
""",
        (
            "args = (np.full(3, 2**62), 1)",
            "args = (np.full(3, 2), 1e30)",
            "args = (np.full(3, 2, 'int8'), np.float32(-1e30))",
            "args = (np.full(3, 2), np.float64('inf'))",
            "args = (np.full(3, 2, 'int32'), 3)",
            "args = (np.full(3, 2), 2**60)",
        ),
    ),
    "a loop that is unrolled after an attempt": Program(
        """\
def f(a, b):
    v = a
    for i in range(1, 3):
        for j, row in enumerate(a):
            if a.argmin() == (j + 4) % 2:
                b = v
            else:
                k = i - b[i]
""",
        ("args = (lay_out(filled((5,), 'int64', 3, 'small'), 'read_only'), np.arange(5))",),
    ),
    "a variable that a break leaves without a value": Program(
        """\
def f(a):
    v1 = (np.maximum(a, a[...]) + 0).min(axis=0)
    if (True < np.int32(2)) != v1[-1]:
        v2 = v1.ndim
    else:
        v2 = v1.shape[-1] % 101
    for i in range(0, v1.shape[0], 2):
        for v3 in v1.T:
            if 6 <= (i == i) < a[0, -i]:
                v2, v4 = (v4, v2)
            elif a.any() and abs(0) < v2:
                pass
            if (v1 > 1).all():
                break
            v2 = int(min(max(np.argmax(v1[..., None].astype('float16')), -50), 50)) % 101
        v2 = i
""",
        ("args = (np.array([[True, False]]),)",),
    ),
    "a mask that overlaps what it stores to": Program(
        "def f(b, c):\n    c[b] = 1\n",
        tuple(
            f"base = np.array({bits})\nargs = (base[2:6], base[{at}:{at + 4}])"
            for bits in ([0, 0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 1, 0, 0, 0])
            for at in range(5)
        ),
    ),
    "a mask of another size and values of two dimensions": Program(
        "def f(a, m, v):\n    a[m] = v\n",
        tuple(
            f"args = (np.zeros(3), np.ones({n}, bool), np.ones((1, {k})))"
            for n in (3, 1)
            for k in (3, 1)
        ),
    ),
    "copyto of what is read-only to itself": Program(
        "def f(a, b):\n    np.copyto(a, a, where=1)\n    np.copyto(a, b)\n",
        ("a = np.arange(3)\na.flags.writeable = False\nargs = (a, a + 1)",),
    ),
    "a view in a caller's list and in a named tuple": Program(
        """\
from collections import namedtuple
Pair = namedtuple('Pair', 'first second')

def f(b, s):
    a = b[0]
    s[1] = a
    return Pair(second=a, first=b)
""",
        ("args = (np.ones((3, 4)), [np.ones(2), 1])",),
    ),
    "a view in a caller's dict that went through a branch": Program(
        """\
def f(b, d, k):
    v = b[0]
    d['a'] = v
    w = b[:, 1]
    for i in range(k):
        v, w = w, v
    return v, w, d
""",
        tuple(f"args = (np.ones((3, 3)), {{'a': 1}}, {k})" for k in range(3)),
    ),
    "the cast comes before the sizes for what is None on one path": Program(
        """\
def f(a, d):
    v, w = np.where(d)
    x = None
    if v.any():
        x = v
    y = x
    y += a
""",
        ("args = (np.ones((5, 5)), np.eye(5))", "args = (np.ones((5, 5)), np.zeros((5, 5)))"),
    ),
    "vecdot of numbers": Program(
        "def f(a, b):\n    return np.vecdot(a, b)\n",
        tuple(f"args = ({a}, {b})" for a in ("2.5", "np.ones(3)") for b in ("np.ones(3)", "1")),
    ),
    "no value on one path, and on the other None or an array": Program(
        """\
def f(a, k, n):
    v = None
    if k:
        v = a
    if n:
        pass
    else:
        w = v
    return w
""",
        ("args = (np.ones(3), 5, 0)", "args = (np.ones(3), 0, 0)", "args = (np.ones(3), 5, 1)"),
    ),
    "an item of an array of two ranks that raises for one of them, in a list": Program(
        """\
def f(b, c, k):
    for v3, v4 in zip(c, c):
        if c[k]:
            v8 = np.array([c[e] for e in range(2)])
        else:
            c = b
""",
        (
            """\
a = filled((5, 3), 'int64', 6, 'small')
b = a
c = filled((5,), 'int64', 1, 'small')
k = 0
args = (b, c, k, )
""",
        ),
    ),
    "jammed rows of a loop with few iterations": Program(
        """\
def f(a):
    c = np.corrcoef(a)
    return c, np.fft.rfft(np.tile(a, 2))
""",
        ("args = (np.arange(15.0).reshape(5, 3),)",),
    ),
    "an item that is no pair": Program(
        """\
def f(w, k):
    return dict(w[k % 3])
""",
        ("args = ([(1.5, 2), (1, 2), (np.ones(2), 1)], 3)", "args = ([(1,), (2,), (3,)], 1)"),
    ),
    "a name of underscores beside one with such a prefix": Program(
        """\
def __len__(x):
    return x + 3

class Thing:
    def __(self, x):
        return x * 2
thing = Thing()

def f(q):
    return thing.__(__len__(q))
""",
        ("args = (np.float64(5.5),)",),
    ),
    "one array twice in a dynamic list that is returned": Program(
        """\
def f(a, n):
    v = [a.copy()]
    for i in range(n):
        v.append(v[0])
    return v
""",
        ("args = (np.ones(3), 100)",),
    ),
    "one array twice in a list that has two lengths": Program(
        """\
def f(a):
    v = [a.copy(), a.copy()]
    try:
        pass
    except:
        pass
    else:
        v.extend((v[0],))
    return v
""",
        ("args = (np.ones(3),)",),
    ),
}

# These crashed the compiler or gave a wrong value; now they raise UnsupportedError.
REFUSED = {
    "a function that either arm makes sees what is assigned later": Program(
        """\
def f(k):
    v = k
    if k > 1:
        g = lambda e: e * v
    else:
        g = lambda e: e + v
    v = 3
    return g(2), v
""",
        ("args = (5,)",),
    ),
}

FIXED |= {
    f"a string made at run time in {use}": Program(
        f"def f(k):\n    s = str(k)\n    for c in {use}:\n        print(c)\n", ("args = (12,)",)
    )
    for use in ("reversed(s)", "enumerate(s)", "zip(s, s)", "iter(s)", "[next(iter(s))]")
}

OPEN: dict[str, tuple[str, Program]] = {}
