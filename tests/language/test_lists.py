"""Lists of static length: one object under all names, stores, methods."""

from __future__ import annotations

import numpy as np
import pytest
from shapecast import UnsupportedError, jit
from support.compare import check, make, named_programs

V = np.array([0.5, 1.5, -2.0, 4.0])

PROGRAMS = named_programs("""
## append and pop
x = []
x.append(v)
x.append(s)
y = x.pop(0)
x.append(y * 2)
return x, y
## other methods
x = [3, 1, 2]
x.insert(1, 7)
x.insert(-1, 8)
x.reverse()
x.extend((4, s))
y = x.copy()
x.sort()
y.clear()
return x, y, len(y)
## stores
x = [1, 2, 3]
x[0] = v
x[-1] = s
x[1] += 5
del x[0]
return x
## aliases
x = [v]
y = x
y += [s]
y.append(1)
z = x + [2]
z[0] = 0
return x, len(x), z
## in a tuple
x = [1]
t = (x, 2)
t[0].append(3)
x[0] = 9
return t, x
## matrix of lists
m = [[0] * 3 for _ in range(2)]
m[0][1] = s
m[1][2] = m[0][1] + 1
return m
## shared rows
m = [[0] * 2] * 2
m[0][1] = s
return m
## stack
stack = [0]
out = []
for k in range(4):
    top = stack.pop()
    out.append(top)
    stack.append(top + 1)
return out, stack
## collected
x = []
for i in range(4):
    x.append(v[i] * i)
return np.array(x)
## carried
x = [0.0, 1.0]
for i in range(s * 30):
    x[0], x[1] = x[1], x[0] + x[1]
return x
## branch
x = [1, 2]
if v[0] > s:
    x[0] = 5
else:
    x[1] = 6
return x
## branch that raises
x = [1]
if v[0] > s:
    raise ValueError('no')
else:
    x.append(2)
return x
## created in a branch
if v[0] > s:
    x = [1, 2]
else:
    x = [3, 4]
return x
## created beside a raise
if v[0] > 9:
    raise ValueError
else:
    x = [v]
    y = x
y.append(s)
return x
## slices
sl = [slice(None)] * 2
sl[1] = 0
A = np.outer(v, v)
return A[tuple(sl)]
## times
x = y = [1]
x *= 3
return x, y
## over the rows
m = [[1], [2]]
for row in m:
    row.append(s)
return m
## default
def g(x, a=[]):
    return x
return g([1, 2])
## errors pop
return [].pop()
## errors store
x = [1]
x[1] = 2
## errors index
x = [1]
x['a'] = 2
## errors tuple
x = (1,)
x[0] = 2
## errors arguments
x = [1]
x.append(1, 2)
""")


def program(body: str):
    return make("def f(v, s):\n" + "".join(f"    {line}\n" for line in body.splitlines()))


@pytest.mark.parametrize("name", PROGRAMS)
def test_lists_do_what_pythons_do(name):
    check(program(PROGRAMS[name]), V, 2)


def starred(v, m):
    first, *rest = v
    *rows, last = m
    return first, rest, rows, last


@pytest.mark.parametrize("n", [1, 4, 7])
def test_an_array_is_unpacked_with_a_star(n):
    check(starred, np.arange(float(n)), np.ones((n, 2)))


def callee(x, value):
    x.append(value)
    return len(x)


def calls(v):
    x = []
    n = callee(x, v)
    return callee(x, n), x


def test_a_called_function_changes_the_callers_list():
    check(calls, V)


@pytest.mark.parametrize(
    "change",
    ["x[i] = 9", "x[-i] += 2", "x.insert(i, 7)", "y = x.pop(i)", "x[i + 9] = 1", "x[i] = s * 0.5"],
)
def test_an_index_known_only_at_run_time(change: str) -> None:
    check(
        make(f"""
            def f(v, s):
                x = [1, 2, 3]
                i = int(v[1])
                y = 0
                {change}
                return x, len(x), y, sum(x)
        """),
        V,
        2,
    )


def test_items_of_several_kinds_at_an_index_known_only_at_run_time():
    check(make("def f(v):\n    x = [1, 's']\n    x[int(v[0])] = 2\n    return x"), V)


def test_a_list_in_itself():
    made = jit(make("def f(n):\n    x = [n]\n    x.append(x)\n    return x"))(3)
    assert made[0] == 3
    assert made[1] is made


def test_a_function_of_python_that_may_change_a_list_is_refused():
    f = make("def f(s):\n    x = [s, 1, 2]\n    np.random.shuffle(x)\n    return x")
    with pytest.raises(UnsupportedError, match="shuffling what is not an array"):
        jit(f)(3)


@pytest.mark.parametrize(
    "search",
    [
        "[1, 2, x].index(7)",
        "[1, 2].index(x)",
        "['a', 'b'].index('c')",
        "['a', 'b', x].index('b')",
        "[None, x].index(None)",
        "[(1, 2), (x, 3)].index((x, 3))",
        "[1.5, x].index(x)",
        "(1, x).index(7)",
    ],
)
def test_a_missing_item_is_a_value_error(search: str) -> None:
    f = make(f"def f(x):\n    return {search}")
    g = make(f"""
        def f(x):
            try:
                return {search}
            except ValueError:
                return -1
    """)
    for x in (7, 1, 2, 9):
        check(f, x)
        check(g, x)


@pytest.mark.parametrize(
    "membership",
    [
        "x in range(0, 20, 2)",
        "x in range(20, 0, -3)",
        "x not in range(-7, 30, 5)",
        "5 in range(0, 10, x)",
        "8 in range(10, 0, -x)",
        "x in range(x, 20, 3), x in range(20, x, -1)",
    ],
)
def test_ranges_with_steps_contain_what_pythons_do(membership: str) -> None:
    f = make(f"def f(x):\n    return {membership}")
    for x in (9, 8, 1, 2, 20, 17, -7, -2):
        check(f, x)
    if "x)" in membership and membership[0].isdigit():
        check(f, 0)  # a range without a step


@pytest.mark.parametrize(
    "key", ["(1,)", "1,", "1.0", "None", "'a'", "v", "v[0]", "(0, 1)", "1:2.5", "[1]"]
)
@pytest.mark.parametrize(
    "items", ["[1, 2, 3]", "(1, 2, 3)", "range(3)", "'abc'", "[i for i in range(n)]"]
)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_keys_that_are_no_indices_are_type_errors(items: str, key: str) -> None:
    if (items, key) == ("range(3)", "1:2.5"):
        return  # slices of ranges are refused
    check(make(f"def f(v, n):\n    return {items}[{key}]"), np.array([1.5, 2.0]), 4)
    if items[0] == "[" and ":" not in key:
        check(make(f"def f(v, n):\n    l = {items}\n    l[{key}] = 3"), np.array([1.5, 2.0]), 4)


def test_a_tuple_of_one_is_a_key_of_its_own() -> None:
    f = make("""
        def f(d):
            d[1,] = 7
            seen = (1,) in d, d[(1,)], d[1]
            del d[(1,)]
            return seen, d
    """)
    check(f, {1: 6})
    check(make("def f(d):\n    return d[(1,)]"), {1: 6})
