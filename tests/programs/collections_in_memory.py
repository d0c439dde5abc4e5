"""Deques, counters and the other dicts of `collections` as arguments, changed there."""

from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

import numpy as np


def hist(c, words):
    for w in words:
        c[w] += 1
        if w == "stop":
            raise StopIteration


def window(d, data, limit):
    for x in data:
        d.append(x)
        if sum(d) > limit:
            raise ValueError(list(d))


def lru(od, k, v, cap):
    if k in od:
        od.move_to_end(k)
    od[k] = v
    if len(od) > cap:
        od.popitem(last=False)
    return list(od)


def bfs(g, s):
    q = deque([s])
    d = {s: 0}
    while q:
        u = q.popleft()
        for v in g[u]:
            if v not in d:
                d[v] = d[u] + 1
                q.append(v)
    return d


def merge(c1, c2):
    for k, v in c2.items():
        c1[k] += v
    return c1.most_common(1)


g0 = defaultdict(list)
for a, b in [(0, 1), (1, 2), (0, 3), (3, 4)]:
    g0[a].append(b)
    g0[b].append(a)


def push(queue, v):
    queue.append(v)
    return len(queue)


def count(counts, k):
    counts[k] += 1


def in_place(counts, other):
    counts += other
    counts -= Counter("a")
    return counts


CASES: list[tuple[Any, tuple[Any, ...]]] = [
    (hist, (Counter(), ["a", "b", "a", "stop", "c"])),
    (hist, (Counter(x=1), ["a"])),
    (hist, (defaultdict(int), ["a", "stop"])),
    (window, (deque([1, 2], maxlen=3), [3, 4, 50, 6], 40)),
    (lru, (OrderedDict(a=1, b=2), "c", 3, 2)),
    (bfs, (g0, 0)),
    (bfs, (dict(g0), 0)),
    (merge, (Counter("aab"), Counter("bcc"))),
    (push, (deque([1.5]), 0)),
    (push, (deque([1]), True)),
    (push, (deque([1]), "s")),
    (push, (deque([[1]]), [2.5])),
    (push, (deque([1.5, None]), 2)),
    (push, (deque([np.ones(2)]), 2)),
    (count, (Counter({"a": 2}), None)),
    (count, (Counter(), (1, 2))),
    (count, (defaultdict(int, {3: 1.5}), 3)),
    (in_place, (Counter("aab"), Counter("bcc"))),
]
