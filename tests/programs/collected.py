"""`collections`: breadth-first search, windows, counts, groups, caches."""

import collections
from collections import Counter, OrderedDict, defaultdict, deque

import numpy as np


def d1(n):
    q = deque([0])
    seen = set([0])
    order = []
    while q:
        u = q.popleft()
        order.append(u)
        for v in (u * 2 + 1, u * 3 + 2):
            if v < n and v not in seen:
                seen.add(v)
                q.append(v)
    return order


def d2(n):
    q = deque(maxlen=4)
    s = 0
    for i in range(n):
        q.append(i)
        s += sum(q)
    return s, list(q), q


def d3(n):
    q = deque()
    for i in range(n):
        q.append(i) if i % 3 else q.appendleft(-i)
    q.rotate(3)
    q.rotate(-1)
    return list(q), q[0], q[-1], len(q), 3 in q


def d4(n):
    q = collections.deque(range(n))
    while len(q) > 1:
        q.rotate(-2)
        q.popleft()
    return q[0]


def d5(n):
    q = deque()
    q.popleft()


def d6(a, k):
    """sliding window maximum"""
    q = deque()
    out = []
    for i in range(len(a)):
        while q and a[q[-1]] <= a[i]:
            q.pop()
        q.append(i)
        if q[0] <= i - k:
            q.popleft()
        if i >= k - 1:
            out.append(a[q[0]])
    return out


def d7(g):
    n = g.shape[0]
    dist = -np.ones((n, n), int)
    dist[0, 0] = 0
    q = deque([(0, 0)])
    while q:
        i, j = q.popleft()
        for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            a, b = i + di, j + dj
            if 0 <= a < n and 0 <= b < n and g[a, b] == 0 and dist[a, b] < 0:
                dist[a, b] = dist[i, j] + 1
                q.append((a, b))
    return dist


def c1(a):
    c = Counter(a.tolist())
    return c[1], c[7], len(c), c.most_common(1), sum(c.values())


def c2(a):
    c = Counter()
    for x in a:
        c[x] += 1
    return c.most_common(2), c


def c3(a, b):
    c = Counter(a.tolist())
    d = Counter(b.tolist())
    return c + d, c - d, c == d, c.total()


def c4(a):
    c = Counter(a.tolist())
    best = max(c, key=c.get)
    return best, sorted(c.items()), list(c), 3 in c


def f1(a):
    d = defaultdict(int)
    for x in a:
        d[x] += 1
    return sum(k * v for k, v in d.items()), dict(d)


def f2(a):
    d = defaultdict(list)
    for i, x in enumerate(a):
        d[x].append(i)
    t = 0
    for k in d:
        t += k * len(d[k]) + sum(d[k])
    return t, d


def f3(n):
    g = defaultdict(set)
    for i in range(n):
        g[i % 5].add(i * i % 7)
        g[i * i % 7].add(i % 5)
    return {k: len(v) for k, v in g.items()}


def f4(n):
    d = defaultdict(lambda: 7)
    d[1] += 1
    d[n]
    return dict(d), 5 in d, d.get(9)


def f5(n):
    d = defaultdict(float)
    for i in range(n):
        d[i % 4, i % 3] += i * 0.5
    return d[0, 0], len(d)


def o1(n):
    d = OrderedDict()
    for i in range(n):
        d[i % 5] = i
    d.move_to_end(0)
    return list(d.keys()), d.popitem(last=False), d


def lru(n):
    cache = OrderedDict()
    hits = 0
    for i in range(n):
        k = (i * i + 3 * i) % 17
        if k in cache:
            cache.move_to_end(k)
            hits += 1
        else:
            cache[k] = i
            if len(cache) > 6:
                cache.popitem(last=False)
    return hits, list(cache.items())


def topo(n):
    indeg = defaultdict(int)
    adj = defaultdict(list)
    for i in range(n):
        for j in (i * 2 + 1, i * 2 + 2):
            if j < n:
                adj[i].append(j)
                indeg[j] += 1
    q = deque([i for i in range(n) if indeg[i] == 0])
    out = []
    while q:
        u = q.popleft()
        out.append(u)
        for v in adj[u]:
            indeg[v] -= 1
            if indeg[v] == 0:
                q.append(v)
    return out


def isin(n):
    q = deque([1])
    return isinstance(q, deque), isinstance(q, list), isinstance(Counter(), dict)


A = np.array([1, 2, 1, 3, 2, 1])
CASES = [
    (d1, (200,)),
    (d2, (10,)),
    (d3, (10,)),
    (d4, (20,)),
    (d5, (1,)),
    (d6, (np.array([1, 3, -1, -3, 5, 3, 6, 7]), 3)),
    (d7, ((np.arange(64).reshape(8, 8) % 5 == 3).astype(int),)),
    (c1, (A,)),
    (c2, (A,)),
    (c3, (A, A[:3])),
    (c4, (A,)),
    (f1, (A,)),
    (f2, (A,)),
    (f3, (20,)),
    (f4, (3,)),
    (f5, (20,)),
    (o1, (9,)),
    (lru, (100,)),
    (topo, (20,)),
    (isin, (2,)),
]
