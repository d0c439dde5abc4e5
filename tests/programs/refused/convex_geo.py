"""Geometry: vectors, hull, polygon area, point in polygon, closest pair, ray segments."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import combinations, pairwise
from random import Random


@dataclass(frozen=True, order=True)
class Vec:
    x: float
    y: float

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __sub__(self, o):
        return Vec(self.x - o.x, self.y - o.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    def __matmul__(self, o):
        return self.x * o.x + self.y * o.y

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __iter__(self):
        yield self.x
        yield self.y

    def cross(self, o):
        return self.x * o.y - self.y * o.x

    def rotate(self, deg):
        c, s = math.cos(math.radians(deg)), math.sin(math.radians(deg))
        return Vec(c * self.x - s * self.y, s * self.x + c * self.y)


class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...
    @abstractmethod
    def perimeter(self) -> float: ...

    @property
    def compactness(self) -> float:
        return 4 * math.pi * self.area() / self.perimeter() ** 2

    def __lt__(self, other: Shape) -> bool:
        return self.area() < other.area()


class Circle(Shape):
    def __init__(self, c: Vec, r: float):
        if r <= 0:
            raise ValueError(f"radius must be positive, not {r}")
        self.c, self.r = c, r

    def area(self):
        return math.pi * self.r**2

    def perimeter(self):
        return math.tau * self.r


class Polygon(Shape):
    def __init__(self, *pts: Vec):
        self.pts = list(pts)

    def edges(self):
        yield from pairwise(self.pts + self.pts[:1])

    def area(self):
        return abs(sum(a.cross(b) for a, b in self.edges())) / 2

    def perimeter(self):
        return sum(abs(b - a) for a, b in self.edges())

    def __contains__(self, p: Vec) -> bool:
        inside = False
        for a, b in self.edges():
            if (a.y > p.y) != (b.y > p.y) and p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x:
                inside = not inside
        return inside


class Rect(Polygon):
    def __init__(self, w, h):
        super().__init__(Vec(0.0, 0.0), Vec(w, 0.0), Vec(w, h), Vec(0.0, h))


def hull(points):
    pts = sorted(set(points))
    if len(pts) <= 2:
        return pts

    def half(seq):
        out = []
        for p in seq:
            while len(out) >= 2 and (out[-1] - out[-2]).cross(p - out[-2]) <= 0:
                out.pop()
            out.append(p)
        return out[:-1]

    return half(pts) + half(reversed(pts))


def closest(points):
    return min(combinations(points, 2), key=lambda ab: abs(ab[0] - ab[1]))


def main(n, seed):
    rng = Random(seed)
    pts = [Vec(round(rng.uniform(0, 10), 3), round(rng.gauss(5, 2), 3)) for _ in range(n)]
    h = hull(pts)
    poly = Polygon(*h)
    shapes: list[Shape] = [
        poly,
        Circle(Vec(1, 1), 2.5),
        Rect(3.0, 4.0),
        Polygon(*(Vec(3.0, 0.0).rotate(d) for d in range(0, 360, 60))),
    ]
    try:
        shapes.append(Circle(Vec(0, 0), -1))
    except ValueError as e:
        print("oops:", e)
    a, b = closest(pts)
    cx, cy = Vec(1.5, 2.5) * 2
    rows = [
        f"{type(s).__name__:<8}|{s.area():>10.3f}|{s.perimeter():>10.3f}|{s.compactness:.1%}"
        for s in sorted(shapes)
    ]
    return (
        rows,
        [tuple(p) for p in h],
        sum(p in poly for p in pts),
        (a.x, a.y, b.x, b.y),
        (cx, cy),
        Vec(1, 2) @ Vec(3, 4),
        max(shapes).area(),
    )


ARGS = [(40, 7)]
