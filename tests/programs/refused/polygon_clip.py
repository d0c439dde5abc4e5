"""Polygon toolbox: Sutherland-Hodgman clipping, area, centroid, ear clipping."""

from fractions import Fraction
from typing import NamedTuple


class Point(NamedTuple):
    x: Fraction
    y: Fraction

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Point(self.x - other.x, self.y - other.y)

    def scaled(self, k):
        return Point(self.x * k, self.y * k)

    def cross(self, other):
        return self.x * other.y - self.y * other.x

    def __str__(self):
        return f"({self.x}, {self.y})"


def orient(a, b, c):
    return (b - a).cross(c - a)


class Polygon:
    def __init__(self, points):
        self.points = [
            p if isinstance(p, Point) else Point(Fraction(p[0]), Fraction(p[1])) for p in points
        ]
        if self.signed_area() < 0:
            self.points.reverse()

    def __len__(self):
        return len(self.points)

    def edges(self):
        yield from zip(self.points, self.points[1:] + self.points[:1])

    def signed_area(self):
        return sum((a.cross(b) for a, b in self.edges()), Fraction(0)) / 2

    @property
    def area(self):
        return abs(self.signed_area())

    @property
    def convex(self):
        n = len(self)
        p = self.points
        return all(orient(p[i], p[(i + 1) % n], p[(i + 2) % n]) >= 0 for i in range(n))

    def centroid(self):
        cx = cy = Fraction(0)
        for a, b in self.edges():
            w = a.cross(b)
            cx += (a.x + b.x) * w
            cy += (a.y + b.y) * w
        k = 6 * self.signed_area()
        return Point(cx / k, cy / k)

    def clip(self, window):
        out = self.points
        for a, b in window.edges():
            inside = [orient(a, b, p) for p in out]
            result = []
            for i, p in enumerate(out):
                q, dp, dq = out[i - 1], inside[i], inside[i - 1]
                if (dp >= 0) != (dq >= 0):
                    t = dq / (dq - dp)
                    result.append(q + (p - q).scaled(t))
                if dp >= 0:
                    result.append(p)
            out = result
            if not out:
                return None
        return Polygon(out)

    def triangulate(self):
        left = list(self.points)
        while len(left) > 3:
            for i in range(len(left)):
                a, b, c = left[i - 1], left[i], left[(i + 1) % len(left)]
                if orient(a, b, c) <= 0:
                    continue
                others = [p for p in left if p not in (a, b, c)]
                if any(
                    orient(a, b, p) >= 0 and orient(b, c, p) >= 0 and orient(c, a, p) >= 0
                    for p in others
                ):
                    continue
                yield a, b, c
                del left[i]
                break
            else:
                raise ValueError("no ear found")
        yield tuple(left)


def main(subject, window):
    poly, win = Polygon(subject), Polygon(window)
    if not win.convex:
        raise ValueError("the window has to be convex")
    clipped = poly.clip(win)
    if clipped is None:
        print("nothing left")
        return None
    print(" ".join(map(str, clipped.points)))
    triangles = list(poly.triangulate())
    total = sum(orient(a, b, c) for a, b, c in triangles) / 2
    share = clipped.area / poly.area
    print(f"{clipped.area} of {poly.area} = {float(share):.2%}")
    return (
        str(clipped.area),
        str(share),
        total == poly.area,
        len(triangles),
        str(poly.centroid()),
        poly.convex,
    )


ARGS = [
    ([(0, 0), (6, 0), (6, 4), (3, 1), (0, 4)], [(1, 1), (5, 1), (5, 5), (1, 5)]),
    ([(0, 0), (7, 2), (3, 7)], [(2, 0), (6, 3), (2, 6)]),
]
