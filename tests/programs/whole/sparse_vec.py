"""Sparse vectors & matrices over dict, TF-IDF, cosine similarity, power iteration, with MutableMapping-like dunders."""

from __future__ import annotations

import math
from collections import Counter
from functools import reduce
from operator import itemgetter, mul


class SparseVector:
    def __init__(self, data=None, **named):
        self.data = dict(data or {})
        self.data.update(named)

    def __getitem__(self, key):
        return self.data.get(key, 0.0)

    def __setitem__(self, key, value):
        if value == 0:
            self.data.pop(key, None)
        else:
            self.data[key] = value

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __len__(self):
        return len(self.data)

    def __contains__(self, key):
        return key in self.data

    def items(self):
        return self.data.items()

    def __add__(self, other):
        out = SparseVector(self.data)
        for k, v in other.items():
            out[k] += v
        return out

    def __mul__(self, k):
        return SparseVector({i: v * k for i, v in self.items()})

    __rmul__ = __mul__

    def __sub__(self, other):
        return self + -1.0 * other

    def __matmul__(self, other):
        if len(other) < len(self):
            return other @ self
        return sum(v * other[k] for k, v in self.items())

    def norm(self):
        return math.sqrt(self @ self)

    def unit(self):
        n = self.norm()
        if n == 0:
            raise ZeroDivisionError("zero vector has no direction")
        return self * (1 / n)

    def __eq__(self, other):
        return self.data == other.data

    def __repr__(self):
        return "{" + ", ".join(f"{k}: {v:.3f}" for k, v in sorted(self.items())) + "}"


def tokens(doc):
    return [w.strip(".,!?").lower() for w in doc.split()]


def tfidf(docs):
    counts = [Counter(tokens(d)) for d in docs]
    df = Counter(w for c in counts for w in c)
    n = len(docs)
    return [
        SparseVector({w: k / c.total() * math.log(n / df[w]) for w, k in c.items() if df[w] < n})
        for c in counts
    ]


def similarity(a, b):
    try:
        return a.unit() @ b.unit()
    except ZeroDivisionError:
        return 0.0


def search(query, docs, vecs, top=2):
    q = SparseVector(Counter(tokens(query)))
    scored = ((similarity(q, v), i) for i, v in enumerate(vecs))
    return [
        (i, round(s, 6), docs[i][:12])
        for s, i in sorted(scored, key=itemgetter(0), reverse=True)[:top]
        if s > 0
    ]


def power_iteration(rows, steps):
    v = SparseVector({k: 1.0 for k in rows})
    for _ in range(steps):
        v = SparseVector({k: row @ v for k, row in rows.items()}).unit()
    rayleigh = sum(v[k] * (row @ v) for k, row in rows.items())
    return v, rayleigh


def cluster(vecs, threshold):
    groups = []
    for i, v in enumerate(vecs):
        for g in groups:
            if any(similarity(v, vecs[j]) > threshold for j in g):
                g.append(i)
                break
        else:
            groups.append([i])
    return groups


def main(docs, queries):
    vecs = tfidf(docs)
    hits = [search(q, docs, vecs) for q in queries]
    sims = [[round(similarity(a, b), 4) for b in vecs] for a in vecs]
    rows = {
        "x": SparseVector(x=2.0, y=1.0),
        "y": SparseVector(x=1.0, y=3.0, z=0.5),
        "z": SparseVector(y=0.5, z=1.0),
    }
    v, lam = power_iteration(rows, 50)
    a = SparseVector(p=1.0, q=2.0)
    b = a - SparseVector(q=2.0)
    b["r"] = 4.0
    del b["p"]
    try:
        del b["nope"]
    except KeyError as e:
        print("no", e)
    print(v, b, "p" in b, len(a))
    norm = reduce(mul, (x.norm() for x in vecs if len(x)), 1.0)
    return (
        hits,
        sims,
        round(lam, 9),
        cluster(vecs, 0.1),
        a == SparseVector({"q": 2.0, "p": 1.0}),
        round(norm, 9),
        max(vecs[0].items(), key=itemgetter(1))[0],
    )


ARGS = [
    (
        [
            "The cat sat on the mat.",
            "A dog and a cat fight!",
            "Stocks fell on Monday.",
            "The market and stocks rose",
            "the the the",
        ],
        ["cat fight", "stocks market", "zebra"],
    )
]
