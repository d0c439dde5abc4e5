"""Dicts, sets and lists whose keys and lengths are known only at run time, and that are held by
reference.
"""

from __future__ import annotations

import contextlib
import gc
import heapq
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import _core
from support.compare import case_id, check, jitted, make

RNG = np.random.default_rng(0)
A = RNG.integers(0, 50, 1000)
W = RNG.random(300)


def counts(a: Any) -> Any:
    c: Any = {}
    for v in a:
        c[v] = c.get(v, 0) + 1
    return c


def counts_by_test(a: Any) -> Any:
    c: Any = {}
    for v in a:
        if v in c:
            c[v] += 1
        else:
            c[v] = 1
    return c, len(c), sum(c.values())


def collatz(n: int) -> int:
    memo = {1: 1}
    best = 0
    for i in range(1, n):
        k, steps = i, 0
        while k not in memo:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            steps += 1
        memo[i] = memo[k] + steps
        best = max(best, memo[i])
    return best


def breadth_first(n: int, us: Any, vs: Any) -> Any:
    adjacent: Any = [[] for _ in range(n)]
    for i in range(len(us)):
        adjacent[us[i]].append(vs[i])
        adjacent[vs[i]].append(us[i])
    distance = {0: 0}
    todo = [0]
    while todo:
        u = todo.pop()
        for v in adjacent[u]:
            if v not in distance:
                distance[v] = distance[u] + 1
                todo.append(v)
    return len(distance), adjacent


def dijkstra(n: int, us: Any, vs: Any, weights: Any) -> Any:
    adjacent: Any = {}
    for i in range(n):
        adjacent[i] = []
    for i in range(len(us)):
        adjacent[us[i]].append((vs[i], weights[i]))
    best = {0: 0.0}
    queue = [(0.0, 0)]
    while queue:
        d, u = heapq.heappop(queue)
        if d > best[u]:
            continue
        for v, w in adjacent[u]:
            if v not in best or d + w < best[v]:
                best[v] = d + w
                heapq.heappush(queue, (d + w, v))
    return best


def islands(g: Any) -> int:
    h, w = g.shape
    seen = set()
    count = 0
    for i in range(h):
        for j in range(w):
            if g[i, j] == 0 or (i, j) in seen:
                continue
            count += 1
            stack = [(i, j)]
            while stack:
                y, x = stack.pop()
                if (y, x) in seen:
                    continue
                seen.add((y, x))
                for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                    a, b = y + dy, x + dx
                    if 0 <= a < h and 0 <= b < w and g[a, b] and (a, b) not in seen:
                        stack.append((a, b))
    return count


def sieve(n: int) -> Any:
    primes = set(range(2, n))
    for p in range(2, n):
        if p in primes:
            for m in range(p * p, n, p):
                primes.discard(m)
    return sorted(primes)


def two_sum(a: Any, target: int) -> Any:
    seen: Any = {}
    for i, x in enumerate(a):
        if target - x in seen:
            return seen[target - x], i
        seen[x] = i
    return None


def least_recently_used(keys: Any, most: int) -> Any:
    cache: Any = {}
    hits = 0
    for k in keys:
        if k in cache:
            hits += 1
            cache[k] = cache.pop(k)
        else:
            if len(cache) >= most:
                del cache[next(iter(cache))]
            cache[k] = k * 2
    return hits, cache


def knapsack(weights: Any, values: Any, most: int) -> Any:
    best = {0: 0}
    for i in range(len(weights)):
        better = dict(best)
        for w, v in best.items():
            k = w + weights[i]
            if k <= most and better.get(k, -1) < v + values[i]:
                better[k] = v + values[i]
        best = better
    return max(best.values())


def grouped(keys: Any, values: Any) -> Any:
    d: Any = {}
    for i in range(len(keys)):
        d.setdefault(keys[i], []).append(values[i])
    return d, {k: sum(v) for k, v in d.items()}


def ragged(n: int) -> Any:
    rows: Any = []
    for i in range(n):
        row: Any = []
        for j in range(i):
            row.append(j * 0.5)
        rows.append(row)
    total = 0.0
    for row in rows:
        for x in row:
            total += x
        row.append(-1.0)
    return rows, total, rows[-1], rows[1:3]


def pascal(n: int) -> Any:
    rows = [[1]]
    for _ in range(n):
        before = rows[-1]
        row = [1]
        for j in range(len(before) - 1):
            row.append(before[j] + before[j + 1])
        row.append(1)
        rows.append(row)
    return rows


def matrix(n: int) -> Any:
    m = [[float(i == j) for j in range(n)] for i in range(n)]
    for i in range(n):
        m[i][0] += i
    return m, np.array(m).sum(), sum(sum(r) for r in m), [max(r) for r in m]


def one_row_many_times(n: int) -> Any:
    a = [[0] * 3] * n
    a[0][1] = 5
    b = a
    b.append([9])
    return a


def one_of_several(n: int) -> Any:
    best = None
    d: Any = {}
    for i in range(n):
        d[i] = [i, i * i]
    for k in d:
        if best is None or d[k][1] > 5:
            best = d[k]
    best.append(100)  # type: ignore[union-attr]
    return best, d


def comprehensions(a: Any) -> Any:
    squares = {x: x * x for x in a if x % 2}
    back = {v: k for k, v in squares.items()}
    return squares, back, sorted({k % 4 for k in squares})


def deleted(n: int) -> Any:
    d: Any = {}
    for i in range(n):
        d[i] = i * i
    for i in range(0, n, 3):
        del d[i]
    d[0] = 7
    last = d.popitem()
    return list(d), list(d.values()), list(d.items()), d, last, d == dict(d), {**d, 5: 1}


def float_keys(a: Any) -> Any:
    d: Any = {}
    for i in range(len(a)):
        d[a[i]] = i
    return d, 3 in d, 2.5 in d, d.get(1, -1), d.get(2**53 + 1, -1), True in d, "a" in d


def keys_of_both_kinds(a: Any, n: int) -> Any:
    d = {n: 1.0}
    for v in a:
        d[v] = d.get(v, 0.0) + 0.5
    return d


def memberships(a: Any, n: int) -> Any:
    d = {}
    rows = [[i] for i in range(n)]
    for i in range(n):
        d[i] = (i, 0.5 * i)
    return (
        n - 1 in d, n in d, n not in d.keys(), (1, 0.5) in d.values(), (0, (0, 0.0)) in d.items(),
        [1] in rows, [n] not in rows, rows.index([2]), rows.count([0]), bool(d), not rows,
    )  # fmt: skip


def lists_in_place(n: int) -> Any:
    rows = [[i] for i in range(n)]
    rows[1] += [4]
    rows[0].extend([1, 2])
    rows.insert(1, [7])
    rows.insert(-100, rows[0])
    del rows[2]
    rows.reverse()
    popped = rows.pop(0)
    rows.remove([3])
    rows[-1][0] = 55
    return rows, popped, rows + [[8]], rows * 2, rows == rows.copy(), rows < [[9]]


def set_algebra(a: Any, b: Any) -> Any:
    s = set(a)
    t = {x for x in b if x > 3}
    u = s.copy()
    u |= t
    u -= {0, 4, 5}
    u ^= {6, 100}
    return (
        s | t, s & t, s - t, s ^ t, s <= t, s < s, s >= (s & t), s.isdisjoint(t), u, s == t,
        s.union(t, [1]), sorted(s), len(t), min(s), sum(t), s != s, s.issubset(s | t),
    )  # fmt: skip


def fibonacci(k: int, memo: Any) -> Any:
    if k in memo:
        return memo[k]
    memo[k] = fibonacci(k - 1, memo) + fibonacci(k - 2, memo)
    return memo[k]


def memoised(n: int) -> Any:
    memo = {0: 0, 1: 1}
    memo[n + 1000] = 0
    return fibonacci(n, memo), memo


def visit(node: Any, adjacent: Any, seen: Any, order: Any) -> None:
    if node in seen:
        return
    seen.add(node)
    order.append([node])
    for v in adjacent[node]:
        visit(v, adjacent, seen, order)


def depth_first(n: int, us: Any, vs: Any) -> Any:
    adjacent: Any = [[] for _ in range(n)]
    for i in range(len(us)):
        adjacent[us[i]].append(vs[i])
    seen: Any = set()
    order = [[-1]]
    for start in range(n):
        visit(start, adjacent, seen, order)
    return order, len(seen)


def permute(items: Any, k: int, found: Any) -> None:
    if k == len(items):
        found.append([x for x in items])
        return
    for i in range(k, len(items)):
        items[k], items[i] = items[i], items[k]
        permute(items, k + 1, found)
        items[k], items[i] = items[i], items[k]


def permutations(n: int) -> Any:
    found = [[0]]
    found.clear()
    rows = [[i for i in range(n)]]
    permute(rows[0], 0, found)
    return found


def squares(n: int) -> Any:
    if n == 0:
        return {0: 0}
    d = squares(n - 1)
    d[n] = n * n
    return d


PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (counts, (A,)), (counts, (A.astype(np.int16),)), (counts, (W,)), (counts, (A > 25,)),
    (counts, (list(range(30)) * 2,)), (counts, (A.astype(np.uint64) + 2**63,)),
    (counts_by_test, (A,)), (collatz, (3000,)),
    (breadth_first, (200, A[:400] % 200, A[400:800] * 7 % 200)),
    (dijkstra, (50, A[:300], A[300:600], W)), (islands, ((RNG.random((30, 30)) > 0.5) * 1,)),
    (sieve, (200,)), (two_sum, (A, 60)), (two_sum, (A, 1000)), (least_recently_used, (A, 20)),
    (knapsack, (A[:12] + 1, A[12:24], 100)), (grouped, (A[:100] % 7, A[:100] * 0.5)),
    (ragged, (6,)), (pascal, (8,)), (matrix, (5,)), (one_row_many_times, (4,)),
    (one_of_several, (6,)), (comprehensions, (A[:12],)), (deleted, (20,)),
    (float_keys, (np.array([1.0, 2.5, 3.0, 1.0, 2.0**53]),)),
    (float_keys, (np.array([1, 2, 3], np.float32),)), (keys_of_both_kinds, (A, 7)),
    (memberships, (A, 5)), (lists_in_place, (6,)),
    (memoised, (30,)), (depth_first, (20, A[:40] % 20, A[40:80] % 20)), (permutations, (4,)),
    (squares, (5,)), (set_algebra, (A[:10] % 9, A[20:35] % 12)), (set_algebra, (A[:0], A[:40])),
]  # fmt: skip


@pytest.mark.parametrize(("f", "args"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_programs_do_what_pythons_do(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    check(f, *args)


ERRORS = [
    "d = {}\nfor v in a:\n    d[v] = 1\nreturn d[77]",
    "d = {}\nfor v in a:\n    d[v] = 1\nreturn d[n, 1]",
    "d = {}\nfor v in a:\n    d[v] = 1\ndel d[1000]",
    "d = {}\nfor v in a:\n    d[v] = 1\nreturn d.pop(n)",
    "d = {}\nfor v in a:\n    d[v] = 1\nfor k in d:\n    d[k + 1000] = 2",
    "d = {}\nfor v in a:\n    d[v] = 1\nfor k, v in d.items():\n    del d[k]",
    "d = {}\nfor v in a:\n    d[v] = 1\nd.clear()\nreturn d.popitem()",
    "d = {n: 1}\nd[a] = 2",
    "d = {n: 1}\nreturn [1] in d",
    "s = {v for v in a}\ns.remove(n + 1000)",
    "s = {v for v in a}\nfor x in s:\n    s.add(x + 100)",
    "s = set(a)\ns.clear()\nreturn s.pop()",
    "s = set(a)\nreturn s[0]",
    "s = set(a)\ns.add([n])",
    "s = set(a)\nreturn s.append(1)",
    "l = [[v] for v in a]\nreturn l[len(a)]",
    "l = [[v] for v in a]\nl[0][n] = 1",
    "l = [[v] for v in a]\nl.clear()\nreturn l.pop()",
    "l = [[v] for v in a]\nl.remove([-1])",
    "l = [[v] for v in a]\nreturn l['a']",
    "x, y = {v for v in a}",
]


@pytest.mark.parametrize("body", ERRORS, ids=case_id)
def test_errors_are_pythons(body: str) -> None:
    check(make("def f(a, n):\n    " + body.replace("\n", "\n    ")), A, 100)


# Found by strangers' programs.
FOUND = [
    "d = {}\ntry:\n    d['a'] = a[n]\nexcept IndexError:\n    pass\nreturn d",
    "d = {}\ntry:\n    d['a'] = a[n + 100]\nexcept IndexError:\n    pass\nreturn d",
    "d = {}\nk = 0\nfor v in a:\n    try:\n        d[v] += 1\n    except KeyError:\n"
    "        d[v] = 1\n        k += 1\nreturn d, k",
    "memo = {0: 0, 1: 1}\ndef fib(k):\n    if k in memo:\n        return memo[k]\n"
    "    memo[k] = fib(k - 1) + fib(k - 2)\n    return memo[k]\nreturn fib(n), len(memo)",
    "d = {}\nfor i in range(n):\n    d[i] = None\nd[0] = [1]\nreturn d",
    "d = {}\nfor i in range(n):\n    d[i] = [i] if i % 2 else None\n"
    "if d[1] is not None:\n    d[0] = d[1]\nreturn d",
    "d = {}\nfor i in range(n):\n    d[i] = None\nd[0] = [1]\n"
    "if d[0] is not None:\n    return d[0][0]\nreturn 0",
    "l = [None] * n\nfor i in range(2 * n):\n    if l[i % 3] is None:\n        l[i % 3] = [i]\n"
    "    else:\n        l[i % 3].append(i)\nreturn l",
    "d = {}\nfor i in range(n):\n    d[i] = i\nd[0] = True\nreturn d",
    "d = {}\nfor i in range(n):\n    d[i] = i / 2\nd[0] = 3\nreturn d, sum(d.values())",
    "d = {}\nfor i in range(n):\n    if i % 3 == 0:\n        d[i] = i\n    else:\n"
    "        d[i] = i > 3\nreturn d",
    "c = [7]\nc.append(n)\nfor i in range(n):\n    c.append(i)\n    c = [y for y in c if y != n]\n"
    "return c",
    "c = [7, 8]\ni = 0\nwhile i < n:\n    c.append(i)\n    c = [y for y in c if y != 1]\n"
    "    i += 1\nreturn c",
    "c = [[7]]\nc.append([n])\nfor i in range(n):\n    c.append([i])\n"
    "    c = [y for y in c if y[0] != 3]\nreturn c",
    "d = {}\nd[a[0]] = 1\nfor k in d:\n    del d[k]",
    "d = {}\nd[a[0]] = 1\nfor v in d.values():\n    d[500] = v",
    "d = {}\nd[a[0]] = 1\nfor k in d:\n    del d[k]\n    break\nreturn d",
    "s = {n}\nfor k in s:\n    s.remove(k)",
    "s = {n}\nfor i, k in enumerate(s):\n    s.add(k + 1)",
    "d = {n: 1}\nreturn d[n + 1, a[0]]",
    "d = {(n, 1): 1}\nreturn d[n + 1, a[0]]",
    "d = {v: 1 for v in a}\nreturn d[a[0] + 1000]",
    "d = {v: 1 for v in a}\ne = {v + 20: 2 for v in a}\nreturn sorted(d.keys() & e.keys())",
    "d = {v: 1 for v in a}\nreturn 1 in d, 1.5 in d, n in d, len(d.items() ^ {(1, 1)})",
]


@pytest.mark.parametrize("body", FOUND, ids=case_id)
def test_found_by_strangers_programs(body: str) -> None:
    check(make("def f(a, n):\n    " + body.replace("\n", "\n    ")), A[:40], 6)


def test_keys_that_a_loop_replaces_are_not_read() -> None:
    """Python goes on with the next key that is there, and raises at the end if there are more."""
    f = jitted(
        make("def f(n):\n    d = {}\n    for i in range(n):\n        d[i] = [i]\n    t = 0\n"
             "    for v in d.values():\n        if t + 1 in d:\n            del d[t + 1]\n"
             "            d[t + 1000] = [1]\n        v.append(1)\n        t += 1\n    return t")
    )  # fmt: skip
    with pytest.raises(RuntimeError, match="dictionary keys changed during iteration"):
        f(5)


def test_words_of_unsigned_keys_are_no_negative_keys() -> None:
    f = make("def f(a, w):\n    d = {}\n    for v in a:\n        d[v] = 1\n    return w in d")
    large = np.array([2**64 - 1, 5], np.uint64)
    for keys, wanted in ((A - 30, large[0]), (A - 30, large[1]), (large, -1), (large, 5)):
        check(f, keys, wanted)
    check(f, large, large[0])


def test_nans_are_keys_of_their_own() -> None:
    f = make("def f(a):\n    s = set()\n    for v in a:\n        s.add(v)\n    return len(s)")
    check(f, np.full(20000, np.nan))  # compared with each other they took seconds


def test_a_loop_over_a_set_has_cpythons_order() -> None:
    def mixed(ops: Any) -> Any:
        s = {1, 2, 3, 400, 5}
        out = []
        for x in ops:
            if x >= 0:
                s.add(x)
            elif x == -1:
                if s:
                    out.append(s.pop())
            else:
                s.discard(-x - 2)
        t = s | {7, 90, 1000, 3}
        t ^= s.copy()
        for x in s:
            out.append(x)
        for x in t:
            out.append(x)
        return out

    compiled = jitted(mixed)
    rng = np.random.default_rng(1)
    for _ in range(60):
        n, most = int(rng.integers(1, 300)), int(rng.integers(5, 2000))
        a = rng.integers(0, most, n)
        how = rng.random(n)
        ops = np.where(how < 0.2, -1, np.where(how < 0.5, -2 - a, a))
        assert compiled(ops) == mixed(ops)
    floats = rng.random(200) * 100
    order = make(
        "def f(a):\n    s = set()\n    for x in a:\n        s.add(x)\n    return [x for x in s]"
    )
    check(order, floats)
    check(order, -floats)
    pairs = make(
        "def f(a):\n    s = set()\n    for i in range(len(a)):\n        s.add((i % 7, a[i], -i))\n"
        "    r = []\n    for x in s:\n        r.append(x)\n    return r"
    )
    check(pairs, floats)
    check(pairs, A[:90] - 25)


OPERATIONS = [
    "d[k] = v", "d[k] = d.get(k, 0) + v", "d.setdefault(k, v)", "d.pop(k, None)", "s.add(k)",
    "s.discard(v)", "n += d.get(v, -1)", "n += k in d", "n += (k in s) * 2", "n += len(d) + len(s)",
    "l[k % len(l)].append(v)", "n += len(l[v % len(l)])", "l.append([k, v])",
    "n += sum(l[k % len(l)])", "l[0] = l[k % len(l)]", "e.setdefault(k % 5, []).append(v)",
    "e[k % 3] = l[-1]", "for x in d:\n            n = (n * 3 + x) % 1009",
    "for x, y in d.items():\n            n = (n * 3 + x + y) % 1009",
    "for x in s:\n            n = (n * 3 + x) % 1009",
    "for y in e.values():\n            n += len(y)",
    "if d:\n            n += d.popitem()[0]", "if s:\n            n += s.pop()",
    "if k in d:\n            del d[k]", "s |= {k, v}", "s = s - {k}", "d = dict(d)",
    "d = {x: y for x, y in d.items() if x != k}", "l = l[:6]", "t = s.copy()\n        s = t",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(24))
def test_random_programs(seed: int) -> None:
    choose = random.Random(seed)
    body = "".join(f"        {one}\n" for one in choose.sample(OPERATIONS, 7))
    source = (
        "def f(ks, vs, m):\n    d, e, n = {m: 0}, {}, 0\n    s = {m}\n    l = [[m], [m, m]]\n"
        f"    for i in range(len(ks)):\n        k, v = ks[i], vs[i]\n{body}"
        "    return n, d, e, sorted(s), l"
    )
    rng = np.random.default_rng(seed)
    check(make(source), rng.integers(0, 12, 60), rng.integers(0, 12, 60), 3)
    check(make(source), rng.integers(0, 500, 400), rng.integers(0, 500, 400), 3)


def test_nothing_leaks() -> None:
    raises = make(
        "def f(n):\n    rows = [[i] for i in range(n)]\n    d = {}\n    for row in rows:\n"
        "        d[row[0]] = row\n    return rows[n + 1], d"
    )
    gc.collect()
    before = _core.live_allocations()
    for f, args in PROGRAMS:
        with contextlib.suppress(ValueError):
            jitted(f)(*args)
    compiled = jitted(raises)
    for _ in range(3):
        with pytest.raises(IndexError):
            compiled(50)
    gc.collect()
    assert _core.live_allocations() == before


def test_memory_is_freed_at_the_last_use() -> None:
    f = jitted(
        make(
            "def f(rounds, n):\n    t = 0\n    for r in range(rounds):\n        s = set()\n"
            "        rows = [[i, r] for i in range(n)]\n        for i in range(n):\n"
            "            s.add(rows[i][0] * r)\n        t += len(s)\n    return t"
        )
    )
    f(2, 1000)
    _core._drop_kept_blocks()
    f(2, 1000)
    one = _core._memory_use()[1]
    f(50, 1000)
    assert _core._memory_use()[1] < 2 * one


def test_returned_objects_are_the_same_where_they_are_one() -> None:
    f = jitted(
        make("def f(n):\n    row = [0] * n\n    rows = [[i] for i in range(n)]\n    rows[0] = row\n"
             "    rows[1] = row\n    return rows")
    )  # fmt: skip
    rows = f(4)
    assert rows[0] is rows[1]
    assert rows[2] is not rows[3]
    g = jitted(
        make("def f(n):\n    a = [[i] for i in range(n)]\n    d = {}\n    d[n] = a[1]\n    b = a\n"
             "    return a, b, d, d[n], a[:2], {1: a, 2: a}")
    )  # fmt: skip
    a, b, d, row, part, twice = g(4)
    assert a is b and d[4] is a[1] and row is a[1] and part[1] is row and part is not a
    assert twice[1] is twice[2] and twice[1] is a


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("d = {}\nfor i in range(n):\n    d[1j * i] = i\nreturn d", "complex"),
        ("s = {n, 0.5}\ns.add(a[0])\nreturn s is a", "such items of a set"),
        ("s = {n, 'x'}\nreturn [k for k in s]", "order of a set with items of several kinds"),
    ],
    ids=case_id,
)
def test_what_is_not_supported_is_named(body: str, message: str) -> None:
    with pytest.raises(shapecast.UnsupportedError, match=message):
        jitted(make("def f(a, n):\n    " + body.replace("\n", "\n    ")))(A, 5)


def test_columns_of_no_rows_are_refused_where_there_are_none():
    f = shapecast.jit(
        make(
            "def f(n):\n    rows = []\n    for i in range(n):\n        rows.append((i, i * 0.5))\n"
            "    return [list(column) for column in zip(*rows)]"
        )
    )
    assert f(2) == [[0, 1], [0.0, 0.5]]
    with pytest.raises(shapecast.UnsupportedError, match="no rows"):
        f(0)
