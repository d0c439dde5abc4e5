"""A quadtree with Optional children, range queries and nearest neighbour."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Iterator, Optional


@dataclass(frozen=True)
class Point:
    x: float
    y: float
    label: str = ""

    def distance(self, other: Point) -> float:
        return math.hypot(self.x - other.x, self.y - other.y)


@dataclass(frozen=True)
class Box:
    x0: float
    y0: float
    x1: float
    y1: float

    def __contains__(self, p: Point) -> bool:
        return self.x0 <= p.x < self.x1 and self.y0 <= p.y < self.y1

    def overlaps(self, o: Box) -> bool:
        return not (o.x0 >= self.x1 or o.x1 <= self.x0 or o.y0 >= self.y1 or o.y1 <= self.y0)

    def quarter(self) -> tuple[Box, Box, Box, Box]:
        mx, my = (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2
        return (
            Box(self.x0, self.y0, mx, my),
            Box(mx, self.y0, self.x1, my),
            Box(self.x0, my, mx, self.y1),
            Box(mx, my, self.x1, self.y1),
        )

    def distance(self, p: Point) -> float:
        dx = max(self.x0 - p.x, 0.0, p.x - self.x1)
        dy = max(self.y0 - p.y, 0.0, p.y - self.y1)
        return math.sqrt(dx * dx + dy * dy)


@dataclass
class QuadTree:
    box: Box
    capacity: int = 4
    points: list[Point] = field(default_factory=list)
    children: Optional[list[QuadTree]] = None

    def insert(self, p: Point) -> bool:
        if p not in self.box:
            return False
        if self.children is None:
            if len(self.points) < self.capacity:
                self.points.append(p)
                return True
            self._split()
        return any(c.insert(p) for c in self.children)

    def _split(self) -> None:
        self.children = [QuadTree(b, self.capacity) for b in self.box.quarter()]
        for p in self.points:
            for c in self.children:
                if c.insert(p):
                    break
        self.points.clear()

    def query(self, area: Box) -> Iterator[Point]:
        if not self.box.overlaps(area):
            return
        for p in self.points:
            if p in area:
                yield p
        if self.children is not None:
            for c in self.children:
                yield from c.query(area)

    def nearest(self, p: Point, best: Point | None = None) -> Point | None:
        if best is not None and self.box.distance(p) >= best.distance(p):
            return best
        for q in self.points:
            if best is None or q.distance(p) < best.distance(p):
                best = q
        for c in sorted(self.children or [], key=lambda c: c.box.distance(p)):
            best = c.nearest(p, best)
        return best

    def depth(self) -> int:
        return 1 + max((c.depth() for c in self.children), default=0) if self.children else 1

    def __len__(self) -> int:
        return len(self.points) + sum(len(c) for c in self.children or ())


def main(n, seed, queries):
    random.seed(seed)
    tree = QuadTree(Box(0.0, 0.0, 100.0, 100.0))
    rejected = 0
    pts = []
    for i in range(n):
        p = Point(random.uniform(-5, 100), random.triangular(0, 100, 20), f"p{i}")
        if tree.insert(p):
            pts.append(p)
        else:
            rejected += 1
    found = [sorted(p.label for p in tree.query(Box(*q))) for q in queries]
    near = [tree.nearest(Point(q[0], q[1])).label for q in queries]
    brute = [min(pts, key=lambda p: p.distance(Point(q[0], q[1]))).label for q in queries]
    return len(tree), rejected, tree.depth(), found, near, near == brute


ARGS = [(120, 3, [(10.0, 10.0, 25.0, 30.0), (50.0, 0.0, 80.0, 12.0), (90.0, 90.0, 100.0, 100.0)])]
