"""What random programs of the families found, reduced: each gave a wrong result or crashed, and is
fixed.
"""

from __future__ import annotations

from fuzz.programs import Program

SMALL = "a = np.arange(12).reshape(3, 4)\nv = np.arange(5.0)\nargs = (a, v)"


def _on_small(body: str) -> Program:
    return Program(f"def f(a, v):\n{body}", (SMALL,))


def _statements(text: str, after: str = "a, v") -> Program:
    lines = [f"    {line}" for line in text.strip().splitlines()]
    return _on_small("\n".join([*lines, f"    return {after}\n"]))


# Each of these raises or not; what it stored by then is compared too.
STATEMENTS = {
    "an array without axes stored by an index array": "v[[1]] = np.where(a[0, 1] > 0, 5.5, 0)",
    "a number of NumPy's is cast where an index array stores it": """
b = np.zeros(3, np.int8)
b[[0]] = np.sum(a) + 140
b[a[0, :3] > 1] = np.int64(300)
v[:3] = b
""",
    "a float of NumPy's is cast where an index array stores it": """
b = np.zeros(3)
b[[1]] = np.complex128(2 + 1j)
v[:3] = b
""",
    "an empty mask fits every size": "v[v[:0] > 0] = 2\na[a[:0] > 0] = 1\na[a[:, :0] > 0] = 1",
    "an empty mask beside another index": "v = a[[0, 1], v[:0] > 0]",
    "a mask of another size": "a[v[:2] > 0] = 1",
    "nothing is stored where an index of ufunc.at is outside": "np.add.at(v, [0, 5], 1)",
    "an index of the second axis of ufunc.at is outside": "np.add.at(a, ([0, 2], [0, 7]), 1)",
    "indices of ufunc.at that do not broadcast": "np.add.at(a, ([0, 1], [0, 1, 2]), 1)",
    "ufunc.at with floats for indices": "np.add.at(a, v, 1)",
    "ufunc.at with values that do not broadcast": "np.add.at(v, [0, 1, 1], v[:2])",
    "ufunc.at over what it reads": "np.add.at(v, [1, 2, 1], v[:3])\nnp.add.at(a, a % 3, 1)",
    "ufunc.at of a number outside": "np.add.at(a, (a[:0, 0], -7), 1)",
    "put at True and False": "np.put(v, [True, False, False], [7, 8, 9])\nnp.put(a, a > 1, [3, 4])",
    "put at floats": "np.put(v, v, 1)",
    "put into an empty array": "v[:0].put([1], 3)",
    "put at nothing": "np.put(v, [], 3)\nv.put([1.0], 3)",
    "message of an operation in place on an item": "v[a[0, 1] : a[0, 2]] -= v[a[0, 0] : a[0, 0]]",
    "putmask and place cast safely": "np.place(v, v > 1, np.arange(3))\nnp.putmask(a, a > 1, v)",
    "message of put_along_axis of a number": "np.put_along_axis(v[0], np.array([0]), 1, axis=0)",
    "message of reshape": "v.reshape(-1, 4)",
    "a mask stores what it stores to": "v[v > 1] = v[3:0:-1]",
    "a mask stores what is beside it, in runs": """
v[v != 2] = v[:4]
a[:2][a[:2] % 5 > 0] = a.ravel()[2:8]
""",
    "lexsort of numbers": "v[np.lexsort((v[0], v[1])) + 1] = 7\nnp.lexsort((v[0], v[1]), axis=1)",
    "an axis of lexsort": "np.lexsort((v, v), 1)",
    "lexsort of keys that differ": "np.lexsort((v, a))",
    "axes of tensordot": "np.tensordot(v, v, axes=2)",
    "an average of nothing": "np.average(a[:, :0], axis=1)\nnp.average(a[:0], axis=1)",
    "take looks at out first": "np.take(a[:0], [0], axis=0, out=a[:2])",
    "take of nothing gives out": "v = np.take(a[:0], [0, 1], axis=1, out=np.zeros((0, 2), 'i4'))",
    "take casts out": "np.take(a, [0, 1], axis=1, out=v[:4].reshape(2, 2))",
    "take casts out to the array": "np.take(a, [0, 1], out=v[:2])",
    "a value without elements and with more axes": "v[[]] = a[:, None, :0]\nv[[]] = a[:0, None]",
    "message of operations in place": "t = None\nif v[1] > 1:\n    t = 2\nt *= True",
    "message of a power in place": "t = (1, 2)\nt **= None",
    "None in an operation of NumPy's in place": "t = None\nt += v",
    "an array cannot hold what an object gives": "t = None\nif v[1] > 1:\n    t = 2\nv **= t",
    "a vector is no matrix in place": "t = v[:4]\nt @= v[:4]",
    "message of a product in place that cannot be stored": "t = a[:3, :3]\nt @= v[:3]",
    "message of a product in place with no array": "a @= None",
    "a complex number has no remainder in place": "t = v[1] * 1j\nt %= 2",
}

EXPRESSIONS = {
    "select does not promote for Python's numbers": (
        "np.select([a > 0], [a.astype(np.int8)], 300), np.select([v > 0], [np.float32(v)], 0.5), "
        "np.select([v > 0, v > 1], [2, 3], 0)"
    ),
    "select wants conditions": "np.select([a], [a], 0)",
    "what is chosen keeps the sign of its zero": (
        "[np.where((w > 0) * 2 == 2, 0, w) for w in (-v.astype('f2'), -v.astype('f4'), -v)], "
        "[np.where(w > 0, x(0), w.astype(x)) for w in (-v.astype('f2'), -v.astype('f4'), -v) "
        "for x in (np.float16, np.float32, np.float64)]"
    ),
    "sequences beside arrays and NumPy's numbers": (
        "v == [0, 1, 2, 3, 4], v < (3,) * 5, a[0] + range(4), range(4) - a[0], v[1] + (1, 2), "
        "(1, 2) < v[1], v[2] == [2, 3], a % range(1, 5), a @ range(4), np.matmul(range(3), a), "
        "[1, 2] in a[:, :2], v == {'a': 1}"
    ),
    "sequences equal nothing else": (
        "(1, 2) == 3, [1] != 2, range(3) == [0, 1, 2], range(0, 5, 2) == range(0, 6, 2), "
        "range(0) == range(4, 2), range(3) != range(len(v)), (1, 2) in [(1, 2), 3], {} == (1,)"
    ),
    "message of sequences times sequences": "[1, 2] * (1, 2)",
    "message of None times a sequence": "None * (1, 2)",
    "message of products of numbers": "v[0] @ (1, 2)",
    "None has no axes": "v @ None",
    "a number behind a truth value is an array": "v[1][v[1] > 0], v[1][None, False], a[0, 1][True]",
    "a number behind a truth value has no element": "v[1][v[1] > 1][-1]",
    "select of shapes that do not broadcast": "np.select([a > 0, a > 1], [a, v], 0)",
    "choose of shapes that do not broadcast": "np.choose(a > 1, (v, v))",
    "choose of numbers is a number": "np.choose(v[1] > 0, (v[0], v[1]))",
    "argsort of a number": "np.argsort(v[0]), np.argsort(3), np.argsort(np.array(3.0))",
    "take at an empty list": "v.take([]), np.take(a, [], axis=1), v.take([0.0, 1.7])",
    "take at floats": "v.take(v)",
    "take from what has no elements": (
        "np.take(a[:0, :0], [1], axis=1), np.compress([1, 1], a[:0, :0], axis=1)"
    ),
    "take from an empty axis": "np.take(a[:, :0], [1], axis=1)",
    "percentiles of nothing": "np.percentile(a[:0], [25, 75])",
    "split of a number": "np.split(v[0], [1, 2])",
    "split of an axis from the end": "np.split(a, 2, axis=-1), np.array_split(a, 3, axis=-2)",
    "partition of nothing": "np.partition(v[:0], 0), np.argpartition(a[:0], 0)",
    "a slice bound that is an integer on one path": ("v[min(6.5, 0) :], v[min(v[1].item(), 0) :]"),
    "comparisons of tuples are Python's": (
        "(a[0, 0], 2) == (a[0, 0], 2), [v[1]] == [v[2]], {'a': v[1]} == {'a': v[1]}, "
        "(2, v[:1]) == (2, v[:1])"
    ),
}

TRIES = {
    "a jump out of try in front of a finally that assigns": """\
def f(a, v):
    k = 3
    for i in range(2, 5):
        try:
            if a[0, 0] == 0:
                k = 6
                continue
        finally:
            k = 1
    return v + k
""",
    "a break out of try in front of a finally that assigns": """\
def f(a, v):
    k = 3
    while k < 4:
        try:
            if a[0, 0] == 0:
                k = 2
                break
        finally:
            k = 7
    return v + k
""",
    "an outer handler reads what an inner body assigned": """\
def f(a, v):
    q = 1
    try:
        try:
            q = q + 4
            v[9] = 1
        except TypeError:
            raise
        finally:
            v[0] = 8
    except IndexError:
        v[1] = q
    return q
""",
    "a name of a handler inside another try": """\
def f(a, v):
    try:
        try:
            v[9] = 1
        except TypeError as e:
            print(e)
    except IndexError as e:
        print(e)
        try:
            v[7] = 1
        except IndexError as e:
            print(e)
    finally:
        print('at last')
""",
    "two handlers of one name, of which the outer one may see the inner one's": """\
def f(a, v):
    t = 0
    try:
        try:
            v[9] = 1
        except IndexError as e:
            print('inner', e)
            t = 1
        v[8] = t
    except LookupError as e:
        print('outer', e)
    return t
""",
    "the truth of a condition is evaluated in the try": """\
def f(a, v):
    t = 1
    try:
        if v > 2:
            t = 2
    except ValueError:
        t += 3
    try:
        while v - 1:
            t += 2
    except ValueError:
        t += 5
    return t
""",
    "a try in a finally with jumps": """\
def f(a, v):
    for i in range(3):
        try:
            if v[i] == 1:
                continue
            v[i + 4] = 1
        finally:
            try:
                v[3 * i] += 1
            except IndexError:
                v[0] = 9
    return v
""",
}  # fmt: skip

OTHERS = {
    "an index that is a float on another path, beside an index array": """\
def f(a, v):
    k = 1 if v.size else np.max(v)
    i = np.array([0, 1])
    a[k, i] += 2
    j = np.max(v) if v[0] > 100 else 0
    return a[j, i], a[i, k]
""",
    "np.put to a number": """\
def f(a, v):
    for e in v:
        np.put(e, 0, 0, mode="wrap")
""",
    "unsigned indices beyond the largest signed one": """\
def f(a, v):
    k = np.array([1, 2], np.uint64) - np.uint64(3)
    return np.take(v, k, mode="clip"), np.take(v, k), np.take(v, k, mode="wrap")
""",
    "an operation that raises for None and for what is there otherwise": """\
def f(a, v):
    t = None
    if v.any():
        t = 3
    return t[0]
""",
    "sizes that a call-out gives behind a library function that is refused": """\
def f(a, v):
    return np.cov(np.linalg.matrix_power(a @ a.T, 2))
""",
    "what may be None among the items of a tuple": """\
def f(a, v):
    t = None
    for i, e in enumerate(v):
        if t is None or e > 3:
            t = i
    return sum((t, -6)), max(t, 2), np.array([t, 1]), sorted((t, 1))
""",
    "a cause that a handler inside may have forgotten": """\
def f(a, v):
    try:
        v[a[1, 3]] = 1
    except IndexError as e:
        try:
            v[0] = 3
        except KeyError as e:
            pass
        raise ValueError('from ' + str(e)) from e
""",
    "a list that is changed in a loop that always raises": """\
def f(a, v):
    w, d = [1], {'a': v[1]}
    for i in range(len(a)):
        w[-1] *= a[0, 1]
        d['a'] *= 2
        x, y = v
    return w, d
""",
}

OTHERS |= {
    "an index outside where there is nothing to take": """\
def f(a, v):
    b = a.reshape(2, 6)[1:0:2]
    return np.compress([2, 2, 1, 0, 0, 0, 5], b, axis=1), b.take([7], 1)
""",
    "values without axes that do not cast": """\
def f(a, v):
    np.place(a, a > 3, np.array(v.sum()))
""",
    "values of a dict that are lists and tuples": """\
def f(a, v):
    t = {'x': ('x', 1), 'y': [a, 2.5], 'z': 3}
    r = []
    for e in t.values():
        r.append(1)
        print(e)
        t['z'] = e
    for k, e in t.items():
        print(k, e)
    return e, t, r
""",
    "values that do not cast": """\
def f(a, v):
    np.putmask(a, a > 3, v)
""",
    "two variables that are one array after a loop": """\
def f(a, v):
    w = v
    for i in range(1, 9):
        v = v + 1
        w = v
    return v, w
""",
}

NO_ITERATIONS = Program(
    """\
def h0(p0, p1, p2):
    for i, v1 in enumerate(p0):
        v2 = p0.reshape(-1)
        if v2[p2 % v2.shape[0]]:
            pass

def h1(p0, p1):
    h0(p0, p0, 2)

def f(b, d):
    v1 = 4
    v2 = v1
    v3 = d
    d[1] -= b
    h1(np.moveaxis(v3[::2, v1:v2 + 1:2], 0, 1), v1)
""",
    ("b = np.array(2 + 1j)\nd = np.arange(20.0).reshape(5, 4) * 1j\nargs = (b, d)",),
)

NEWER = {
    "rows of complex numbers are not sorted": Program(
        """\
def f(b):
    v = sorted(b, key=lambda e: e + 1)
    return 1
""",
        ("args = (np.ones((3, 2)) * 1j,)", "args = (np.ones((1, 2)) * 1j,)"),
    ),
    "time spans of two units": Program(
        "def f(x):\n    return x - x[0], x[-1] - x[0]\n",
        tuple(f"args = (np.arange(3).astype('{of}'),)" for of in ("M8[s]", "m8[D]", "m8[h]")),
    ),
    "indices that are the array that is stored to": Program(
        "def f(o):\n    np.put(o, o, 5)\n    o[:3].put(o[3:] - 3, 9)\n    return o\n",
        ("args = (np.array([2, 0, 1, 3, 4]),)", "args = (np.array([2, 2, 0, 3]),)"),
    ),
    "text of what is Python's own": Program(
        """\
def f(d, u, k):
    s = f"at {d[0]}"
    print(s, f"{u}", f"{d}, {u[0]!r:>20}, {k}, {u['x'][0]:.2f}")
    if k > 1:
        raise ValueError(f"{d[1]} is {k}")
    return s, f"{d[0]}{k}", f"{str(d[0])}"
""",
        tuple(
            f"args = (np.arange(2).astype('M8[D]'), np.ones(2, [('x', float)]), {k})"
            for k in (1, 2)
        ),
    ),
    "a structured array that is returned, row by row": Program(
        """\
def f(u):
    for i in range(len(u)):
        u[i]['x'] += u[i]['y']
    return u
""",
        tuple(f"args = (np.ones({n}, [('x', float), ('y', int)]),)" for n in (1, 3, 20)),
    ),
}

FIXED = (
    {name: _statements(text) for name, text in STATEMENTS.items()}
    | {name: _on_small(f"    return {text}\n") for name, text in EXPRESSIONS.items()}
    | {name: Program(source, (SMALL,)) for name, source in (TRIES | OTHERS).items()}
    | {"a remainder by a size that is 0, of a loop that does not run": NO_ITERATIONS}
    | NEWER
)
