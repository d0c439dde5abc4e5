import math
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Point:
    x: float
    y: float

    def __sub__(self, other):
        return Point(self.x - other.x, self.y - other.y)

    def cross(self, other):
        return self.x * other.y - self.y * other.x

    def distance(self, other):
        return math.hypot(self.x - other.x, self.y - other.y)


def half_hull(points):
    hull = []
    for p in points:
        while len(hull) >= 2 and (hull[-1] - hull[-2]).cross(p - hull[-2]) <= 0:
            hull.pop()
        hull.append(p)
    return hull


def convex_hull(points):
    points = sorted(set(points))
    if len(points) <= 2:
        return points
    lower = half_hull(points)
    upper = half_hull(reversed(points))
    return lower[:-1] + upper[:-1]


def area(poly):
    s = 0.0
    for a, b in zip(poly, poly[1:] + poly[:1]):
        s += a.cross(b)
    return abs(s) / 2


def main(coords):
    pts = [Point(x, y) for x, y in coords]
    hull = convex_hull(pts)
    per = sum(a.distance(b) for a, b in zip(hull, hull[1:] + hull[:1]))
    for p in hull:
        print(f"({p.x:g}, {p.y:g})")
    return hull, area(hull), per


ARGS = [
    (
        [
            (0.0, 0.0),
            (1.0, 1.0),
            (2.0, 2.0),
            (2.0, 0.0),
            (0.0, 2.0),
            (1.0, 0.5),
            (3.0, 1.0),
            (1.0, 1.0),
        ],
    ),
    ([(1.0, 1.0), (1.0, 1.0)],),
]
