"""Polygons with namedtuple points: area, centroid, clipping, convexity, and simplification."""

from __future__ import annotations

from collections import namedtuple
from itertools import cycle, islice
from math import atan2, degrees, hypot
from typing import Callable


class Point(namedtuple("Point", "x y")):
    __slots__ = ()

    def __sub__(self, other):
        return Point(self.x - other.x, self.y - other.y)

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def scale(self, k):
        return Point(self.x * k, self.y * k)

    def cross(self, other):
        return self.x * other.y - self.y * other.x


class Polygon:
    def __init__(self, points):
        self.points = [Point(*p) for p in points]

    def __len__(self):
        return len(self.points)

    def edges(self):
        return zip(self.points, islice(cycle(self.points), 1, None))

    @property
    def area(self):
        return sum(a.cross(b) for a, b in self.edges()) / 2

    @property
    def centroid(self):
        cx = sum((a.x + b.x) * a.cross(b) for a, b in self.edges())
        cy = sum((a.y + b.y) * a.cross(b) for a, b in self.edges())
        return Point(cx / (6 * self.area), cy / (6 * self.area))

    @property
    def perimeter(self):
        return sum(hypot(*(b - a)) for a, b in self.edges())

    def is_convex(self):
        e = [b - a for a, b in self.edges()]
        signs = {u.cross(v) > 0 for u, v in zip(e, e[1:] + e[:1])}
        return len(signs) == 1

    def contains(self, p):
        inside = False
        for a, b in self.edges():
            if (a.y > p.y) != (b.y > p.y):
                if p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x:
                    inside = not inside
        return inside

    def clip(self, keep: Callable[[Point], float]) -> Polygon:
        """keep is positive inside; linear."""
        out = []
        for a, b in self.edges():
            da, db = keep(a), keep(b)
            if da >= 0:
                out.append(a)
            if da * db < 0:
                out.append(a + (b - a).scale(da / (da - db)))
        return Polygon(out)


def clip_box(poly, x0, y0, x1, y1):
    for side in (lambda p: p.x - x0, lambda p: x1 - p.x, lambda p: p.y - y0, lambda p: y1 - p.y):
        poly = poly.clip(side)
        if len(poly) < 3:
            return None
    return poly


def describe(poly):
    if poly is None:
        return None
    c = poly.centroid
    return {
        "n": len(poly),
        "area": round(poly.area, 6),
        "c": (round(c.x, 6), round(c.y, 6)),
        "p": round(poly.perimeter, 6),
        "convex": poly.is_convex(),
        "angle": round(degrees(atan2(c.y, c.x)), 3),
    }


def main(shapes, box):
    report = {}
    for name, pts in shapes.items():
        poly = Polygon(pts)
        grid = sum(
            poly.contains(Point(i + 0.5, j + 0.5)) for i in range(-2, 8) for j in range(-2, 8)
        )
        report[name] = (describe(poly), describe(clip_box(poly, *box)), grid)
    return report


ARGS = [
    (
        {
            "square": [(0, 0), (4, 0), (4, 4), (0, 4)],
            "ell": [(0, 0), (6, 0), (6, 2), (2, 2), (2, 6), (0, 6)],
            "far": [(10, 10), (12, 10), (11, 13)],
            "tri": [(-1, 1), (5, 2), (2, 7)],
        },
        (1, 1, 5, 5),
    )
]
