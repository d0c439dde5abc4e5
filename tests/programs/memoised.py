"""Functions inside that call themselves, with a memo, a path or a set that is around them."""

import functools
from functools import cache

import numpy as np


def chain(d):
    memo = {}

    def f(i, j):
        if i == j:
            return 0
        if (i, j) not in memo:
            memo[i, j] = min(
                f(i, k) + f(k + 1, j) + d[i] * d[k + 1] * d[j + 1] for k in range(i, j)
            )
        return memo[i, j]

    return f(0, len(d) - 2)


def lcs(a, b):
    memo = {}

    def f(i, j):
        if i == len(a) or j == len(b):
            return 0
        if (i, j) in memo:
            return memo[(i, j)]
        if a[i] == b[j]:
            r = 1 + f(i + 1, j + 1)
        else:
            r = max(f(i + 1, j), f(i, j + 1))
        memo[(i, j)] = r
        return r

    return f(0, 0)


def fib(n):
    memo = {}

    def f(k):
        if k < 2:
            return k
        if k in memo:
            return memo[k]
        memo[k] = f(k - 1) + f(k - 2)
        return memo[k]

    return f(n)


def words(s, dic):
    memo = {}

    def f(i):
        if i == len(s):
            return 1
        if i in memo:
            return memo[i]
        t = 0
        for w in dic:
            if s[i : i + len(w)] == w:
                t += f(i + len(w))
        memo[i] = t
        return t

    return f(0)


def perms(a):
    out = []

    def go(path, rest):
        if not rest:
            out.append(path[:])
            return
        for i in range(len(rest)):
            go(path + [rest[i]], rest[:i] + rest[i + 1 :])

    go([], a)
    return out


def subsets(a):
    out = []

    def go(i, cur):
        if i == len(a):
            out.append(list(cur))
            return
        go(i + 1, cur)
        cur.append(a[i])
        go(i + 1, cur)
        cur.pop()

    go(0, [])
    return out


def islands(g):
    h, w = len(g), len(g[0])
    seen = set()

    def dfs(r, c):
        if not (0 <= r < h and 0 <= c < w) or (r, c) in seen or g[r][c] == 0:
            return 0
        seen.add((r, c))
        return 1 + dfs(r + 1, c) + dfs(r - 1, c) + dfs(r, c + 1) + dfs(r, c - 1)

    best = 0
    for r in range(h):
        for c in range(w):
            best = max(best, dfs(r, c))
    return best


def parens(n):
    out = []

    def go(s, o, c):
        if len(s) == 2 * n:
            out.append(s)
            return
        if o < n:
            go(s + "(", o + 1, c)
        if c < o:
            go(s + ")", o, c + 1)

    go("", 0, 0)
    return out


def cached_paths(rows, columns):
    @functools.lru_cache(maxsize=None)
    def paths(i, j):
        if i == 0 or j == 0:
            return 1
        return paths(i - 1, j) + paths(i, j - 1)

    return paths(rows, columns)


def cached_fib(n):
    @cache
    def fib(k):
        if k < 2:
            return k
        return fib(k - 1) + fib(k - 2)

    return fib(n), fib(3)


def cached_once(x):
    @functools.cache
    def square(k):
        x[k] += 1.0
        return k * k

    return square(1) + square(2) + square(1), x.sum()


CASES = [
    (chain, ([10, 30, 5, 60],)),
    (lcs, ("abcbdab", "bdcaba")),
    (lcs, ([1, 2, 3, 2], [2, 3, 1, 2])),
    (fib, (30,)),
    (words, ("aabab", ["a", "ab", "b"])),
    (perms, ([1, 2, 3],)),
    (subsets, ([1, 2, 3],)),
    (islands, ([[1, 1, 0], [0, 1, 0], [1, 0, 1]],)),
    (parens, (3,)),
    (cached_paths, (6, 7)),
    (cached_fib, (60,)),
    (cached_once, (np.zeros(3),)),
]
