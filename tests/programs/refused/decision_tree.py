"""ID3 decision tree on categorical data, trees stored as tuples."""

import math
from collections import Counter, defaultdict

HEADER = ("outlook", "temp", "humidity", "windy", "play")
GOLF = """
sunny hot high no no
sunny hot high yes no
overcast hot high no yes
rainy mild high no yes
rainy cool normal no yes
rainy cool normal yes no
overcast cool normal yes yes
sunny mild high no no
sunny cool normal no yes
rainy mild normal no yes
sunny mild normal yes yes
overcast mild high yes yes
overcast hot normal no yes
rainy mild high yes no
"""

ANIMALS = """
legs covering flies kind
4 fur no mammal
4 scales no reptile
2 feathers yes bird
2 feathers no bird
0 scales no fish
4 fur no mammal
2 fur yes mammal
0 scales no reptile
0 scales no fish
"""


def load(text, header=None):
    lines = [ln.split() for ln in text.strip().splitlines()]
    header = header or tuple(lines.pop(0))
    return [dict(zip(header, ln)) for ln in lines], header[-1]


def entropy(rows, target):
    counts = Counter(r[target] for r in rows)
    n = len(rows)
    return -sum(c / n * math.log2(c / n) for c in counts.values())


def split(rows, attr):
    groups = defaultdict(list)
    for r in rows:
        groups[r[attr]].append(r)
    return groups


def gain(rows, attr, target):
    rest = sum(len(g) / len(rows) * entropy(g, target) for g in split(rows, attr).values())
    return entropy(rows, target) - rest


def majority(rows, target):
    counts = Counter(r[target] for r in rows)
    return min(counts, key=lambda k: (-counts[k], k))


def build(rows, attrs, target, max_depth=None):
    labels = {r[target] for r in rows}
    if len(labels) == 1:
        return ("leaf", labels.pop(), len(rows))
    if not attrs or max_depth == 0:
        return ("leaf", majority(rows, target), len(rows))
    best = max(attrs, key=lambda a: (round(gain(rows, a, target), 10), a))
    if gain(rows, best, target) < 1e-9:
        return ("leaf", majority(rows, target), len(rows))
    depth = None if max_depth is None else max_depth - 1
    rest = [a for a in attrs if a != best]
    children = {
        value: build(group, rest, target, depth)
        for value, group in sorted(split(rows, best).items())
    }
    return ("node", best, majority(rows, target), children)


def predict(tree, row):
    while tree[0] == "node":
        _, attr, default, children = tree
        if row.get(attr) not in children:
            return default
        tree = children[row[attr]]
    return tree[1]


def rules(tree, path=()):
    if tree[0] == "leaf":
        cond = " and ".join(f"{a}={v}" for a, v in path) or "always"
        yield f"if {cond} then {tree[1]} ({tree[2]})"
        return
    for value, child in tree[3].items():
        yield from rules(child, path + ((tree[1], value),))


def size(tree):
    return 1 if tree[0] == "leaf" else 1 + sum(map(size, tree[3].values()))


def accuracy(tree, rows, target):
    return sum(predict(tree, r) == r[target] for r in rows) / len(rows)


def leave_one_out(rows, attrs, target, max_depth):
    hits = 0
    for i, row in enumerate(rows):
        tree = build(rows[:i] + rows[i + 1 :], attrs, target, max_depth)
        hits += predict(tree, row) == row[target]
    return hits, len(rows)


def main(which, max_depth, query):
    rows, target = load(GOLF, HEADER) if which == "golf" else load(ANIMALS)
    attrs = [a for a in rows[0] if a != target]
    gains = {a: round(gain(rows, a, target), 6) for a in attrs}
    tree = build(rows, attrs, target, max_depth)
    text = list(rules(tree))
    print("\n".join(text))
    return {
        "gains": gains,
        "tree": tree,
        "rules": text,
        "size": size(tree),
        "accuracy": round(accuracy(tree, rows, target), 4),
        "loo": leave_one_out(rows, attrs, target, max_depth),
        "query": predict(tree, query),
    }


ARGS = [
    ("golf", None, {"outlook": "sunny", "humidity": "normal"}),
    ("golf", 1, {"outlook": "foggy"}),
    ("animals", None, {"legs": "0", "covering": "scales"}),
]
