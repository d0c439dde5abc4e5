"""k-nearest neighbours with a k-d tree, bounded heap, cross validation, labels as strings."""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass
from statistics import mean
from typing import List, Optional, Sequence, Tuple

Vector = Tuple[float, ...]


@dataclass
class KDNode:
    point: Vector
    label: str
    axis: int
    left: Optional[KDNode] = None
    right: Optional[KDNode] = None


def build(items: Sequence[Tuple[Vector, str]], depth: int = 0) -> Optional[KDNode]:
    if not items:
        return None
    axis = depth % len(items[0][0])
    ordered = sorted(items, key=lambda item: item[0][axis])
    mid = len(ordered) // 2
    point, label = ordered[mid]
    return KDNode(
        point, label, axis, build(ordered[:mid], depth + 1), build(ordered[mid + 1 :], depth + 1)
    )


class KNN:
    def __init__(self, k: int):
        self.k = k
        self.visited = 0

    def fit(self, points: List[Vector], labels: List[str]) -> KNN:
        self.root = build(list(zip(points, labels)))
        return self

    def _search(self, node: Optional[KDNode], target: Vector, heap: list) -> None:
        if node is None:
            return
        self.visited += 1
        d = sum((a - b) ** 2 for a, b in zip(node.point, target))
        if len(heap) < self.k:
            heapq.heappush(heap, (-d, node.label))
        elif d < -heap[0][0]:
            heapq.heapreplace(heap, (-d, node.label))
        diff = target[node.axis] - node.point[node.axis]
        near, far = (node.left, node.right) if diff < 0 else (node.right, node.left)
        self._search(near, target, heap)
        if len(heap) < self.k or diff * diff < -heap[0][0]:
            self._search(far, target, heap)

    def predict(self, target: Vector) -> str:
        heap: List[Tuple[float, str]] = []
        self._search(self.root, target, heap)
        votes = Counter(label for _, label in sorted(heap, reverse=True))
        return votes.most_common(1)[0][0]


def folds(n: int, k: int):
    for i in range(k):
        test = set(range(i, n, k))
        yield [j for j in range(n) if j not in test], sorted(test)


def dataset(n: int):
    points, labels = [], []
    for i in range(n):
        t = i * 2.399963
        kind = ("red", "green", "blue")[i % 3]
        cx, cy = {"red": (0, 0), "green": (2, 0.5), "blue": (1, 2)}[kind]
        points.append(
            (cx + ((t * 7919) % 1.7) - 0.85, cy + ((t * 104729) % 1.7) - 0.85, (i * 31 % 17) / 17)
        )
        labels.append(kind)
    return points, labels


def main(n, ks):
    points, labels = dataset(n)
    report = {}
    for k in ks:
        scores, visited = [], 0
        confusion = Counter()
        for train, test in folds(n, 4):
            model = KNN(k).fit([points[i] for i in train], [labels[i] for i in train])
            guesses = [model.predict(points[i]) for i in test]
            scores.append(mean(g == labels[i] for g, i in zip(guesses, test)))
            confusion.update((labels[i], g) for g, i in zip(guesses, test))
            visited += model.visited
        report[k] = (round(mean(scores), 6), visited, sorted(confusion.items())[:3])
    return report, max(report, key=lambda k: report[k][0])


ARGS = [(60, [1, 3, 5])]
