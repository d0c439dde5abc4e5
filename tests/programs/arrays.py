"""Arrays in containers and attributes: of several sizes, changed there, returned."""

from collections import defaultdict

import numpy as np

X = np.arange(12.0).reshape(4, 3)


def rows(x):
    out = []
    for i in range(4):
        out.append(x[i])
    return out


def rows_changed(x):
    out = []
    for i in range(4):
        out.append(x[i])
    out[0][1] = 99
    x[2] += 1
    return out


def ragged(x, n):
    out = []
    for i in range(n):
        out.append(x[i][:i])
    return out, len(out[2]), out[2].sum()


def byname(x):
    d = {}
    for i, name in enumerate(["a", "b", "c"]):
        d[name] = x[i] * 2
    return d


def masks(x):
    out = []
    for t in range(3):
        out.append(x[x > t * 4])
    return out


def ints(x):
    out = {}
    for i in x:
        out[int(i)] = x[:i]
    return out


class Body:
    def __init__(self, pos, vel, name):
        self.pos = pos
        self.vel = vel
        self.name = name

    def step(self, dt):
        self.pos = self.pos + dt * self.vel


def bodies(x, n):
    bs = []
    for i in range(4):
        bs.append(Body(x[i].copy(), x[i] * 0.5, str(i)))
    for _ in range(n):
        for b in bs:
            b.step(0.1)
    return [b.pos for b in bs], sum(b.pos.sum() for b in bs)


def pairs(x):
    out = []
    for i in range(4):
        out.append((i, x[i]))
    out.sort(key=lambda p: -p[1].sum())
    return [p[0] for p in out], out[0][1]


def queue(x):
    q = [x[0]]
    n = 0
    while q:
        v = q.pop()
        n += 1
        if v.size > 1:
            q.append(v[: v.size // 2])
            q.append(v[v.size // 2 :])
    return n


def gl(x):
    groups = defaultdict(list)
    for r in x:
        groups[r[0] > 4].append(r)
    return {k: np.array(v) for k, v in groups.items()}


def stackit(x):
    parts = []
    for r in x:
        if r[0] > 1:
            parts.append(r)
    return (
        np.vstack(parts),
        np.stack(parts),
        np.concatenate(parts),
        np.mean(parts, axis=0),
        np.array(parts),
        sum(parts),
    )


def ragcat(x):
    parts = []
    for i, r in enumerate(x):
        parts.append(r[:i])
    return np.concatenate(parts), np.hstack(parts)


def argdict(x):
    d = {"w": x, "b": np.zeros(3)}
    for k in ["w", "b"]:
        d[k] = d[k] - 0.1
    return d


def twice(x, n):
    out = []
    for i in range(n):
        y = x[i]
        out.append(y)
        out.append(y)
    out[0][:] = 0
    return out[1].sum(), len(out)


def zero(x):
    out = []
    for i in range(3):
        out.append(np.array(x[i].sum()))
    out.append(x[0].sum())
    return out[0], len(out)


def recur(x):
    seen = {}

    def go(k):
        if k not in seen:
            seen[k] = x[k] if k == 0 else go(k - 1) + x[k]
        return seen[k]

    go(3)
    return seen


def group_rows(x, labels):
    groups = defaultdict(list)
    for row, label in zip(x, labels):
        groups[int(label)].append(row)
    return {k: np.mean(v, axis=0) for k, v in groups.items()}


def group_sums(x, labels):
    sums = {}
    for i in range(len(labels)):
        k = labels[i]
        if k not in sums:
            sums[k] = np.zeros(x.shape[1])
        sums[k] += x[i]
    return sums


def kmeans(points, k):
    centers = [points[i] for i in range(k)]
    for _ in range(3):
        clusters = [[] for _ in range(k)]
        for p in points:
            j = min(range(k), key=lambda c: np.sum((p - centers[c]) ** 2))
            clusters[j].append(p)
        centers = [np.mean(c, axis=0) if c else centers[i] for i, c in enumerate(clusters)]
    return np.array(centers)


def stack_of_none(x):
    parts = []
    for row in x:
        if row[0] > 1000:
            parts.append(row[: int(row[1])])
    return np.concatenate(parts)


def differing(x):
    parts = []
    for i, row in enumerate(x):
        parts.append(row[:i])
    return np.stack(parts)


def best_so_far(x):
    best = {}
    for i, row in enumerate(x):
        kind = "even" if i % 2 == 0 else "odd"
        if kind not in best or row.sum() > best[kind].sum():
            best[kind] = row
    return best


def tree_of_boxes(points, leaf):
    """A k-d tree: boxes of points, split at the median, until they are small."""
    todo = [(points, 0)]
    leaves = []
    while todo:
        part, axis = todo.pop()
        if len(part) <= leaf:
            leaves.append(part)
            continue
        order = np.argsort(part[:, axis], kind="stable")
        half = len(part) // 2
        following = (axis + 1) % part.shape[1]
        todo.append((part[order[:half]], following))
        todo.append((part[order[half:]], following))
    return sorted(len(part) for part in leaves), np.concatenate(leaves).sum()


def rows_by_name(x):
    found = {}
    for i, name in enumerate(["a", "b"]):
        found[name] = x[i]
    return found


def rows_changed_by_name(x):
    found = rows_by_name(x)
    for name in ["a", "b"]:
        found[name][0] = 3
    return found


CASES = [
    (rows, (X,)),
    (rows_changed, (X,)),
    (
        ragged,
        (
            X,
            3,
        ),
    ),
    (byname, (X,)),
    (masks, (X,)),
    (ints, (np.arange(6),)),
    (
        bodies,
        (
            X,
            5,
        ),
    ),
    (pairs, (X,)),
    (queue, (X,)),
    (gl, (X,)),
    (stackit, (X,)),
    (ragcat, (X,)),
    (argdict, (X,)),
    (
        twice,
        (
            X,
            4,
        ),
    ),
    (zero, (X,)),
    (recur, (X,)),
    (group_rows, (X, np.array([0, 1, 0, 2]))),
    (group_sums, (X, np.array([0, 1, 0, 2]))),
    (kmeans, (X[:, :2], 2)),
    (stack_of_none, (X,)),
    (differing, (X,)),
    (best_so_far, (X,)),
    (tree_of_boxes, (np.sin(np.arange(40.0)).reshape(20, 2), 3)),
]
