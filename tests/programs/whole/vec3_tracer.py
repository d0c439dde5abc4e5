"""Whitted ray tracer: Vec3 with operators, materials, shapes with a common base, shadows."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple, Optional


@dataclass(frozen=True, slots=True)
class Vec3:
    x: float
    y: float
    z: float

    def __add__(self, o: Vec3) -> Vec3:
        return Vec3(self.x + o.x, self.y + o.y, self.z + o.z)

    def __sub__(self, o: Vec3) -> Vec3:
        return Vec3(self.x - o.x, self.y - o.y, self.z - o.z)

    def __mul__(self, k):
        if isinstance(k, Vec3):
            return Vec3(self.x * k.x, self.y * k.y, self.z * k.z)
        return Vec3(self.x * k, self.y * k, self.z * k)

    __rmul__ = __mul__

    def __matmul__(self, o: Vec3) -> float:
        return self.x * o.x + self.y * o.y + self.z * o.z

    def __neg__(self):
        return self * -1.0

    def __abs__(self):
        return math.sqrt(self @ self)

    def unit(self) -> Vec3:
        return self * (1 / abs(self))

    def reflect(self, n: Vec3) -> Vec3:
        return self - n * (2 * (self @ n))

    def __iter__(self):
        yield from (self.x, self.y, self.z)


class Material(NamedTuple):
    color: Vec3
    mirror: float = 0.0


class Hit(NamedTuple):
    t: float
    point: Vec3
    normal: Vec3
    material: Material


class Shape(ABC):
    def __init__(self, material: Material):
        self.material = material

    @abstractmethod
    def hit(self, origin: Vec3, direction: Vec3) -> Optional[Hit]: ...


class Sphere(Shape):
    def __init__(self, center, radius, material):
        super().__init__(material)
        self.center, self.radius = center, radius

    def hit(self, origin, direction):
        oc = origin - self.center
        b = oc @ direction
        disc = b * b - (oc @ oc - self.radius**2)
        if disc < 0:
            return None
        for t in (-b - math.sqrt(disc), -b + math.sqrt(disc)):
            if t > 1e-4:
                p = origin + t * direction
                return Hit(t, p, (p - self.center).unit(), self.material)
        return None


class Floor(Shape):
    def __init__(self, y, a, b):
        super().__init__(a)
        self.y, self.other = y, b

    def hit(self, origin, direction):
        if abs(direction.y) < 1e-9 or (t := (self.y - origin.y) / direction.y) < 1e-4:
            return None
        p = origin + t * direction
        odd = (math.floor(p.x) + math.floor(p.z)) % 2
        return Hit(t, p, Vec3(0, 1, 0), self.other if odd else self.material)


class Scene:
    def __init__(self, shapes, light):
        self.shapes, self.light = shapes, light

    def nearest(self, origin, direction):
        hits = [h for s in self.shapes if (h := s.hit(origin, direction)) is not None]
        return min(hits, key=lambda h: h.t, default=None)

    def trace(self, origin, direction, depth=2) -> Vec3:
        h = self.nearest(origin, direction)
        if h is None:
            return Vec3(0.2, 0.3, 0.5) * (0.5 + 0.5 * direction.y)
        to_light = (self.light - h.point).unit()
        lit = 0.1 if self.nearest(h.point, to_light) else max(0.1, h.normal @ to_light)
        color = h.material.color * lit
        if h.material.mirror and depth:
            m = h.material.mirror
            color = (
                color * (1 - m)
                + self.trace(h.point, direction.reflect(h.normal).unit(), depth - 1) * m
            )
        return color


def main(width, height):
    red, grey = Material(Vec3(0.9, 0.2, 0.2)), Material(Vec3(0.8, 0.8, 0.8), mirror=0.5)
    white, black = Material(Vec3(1, 1, 1)), Material(Vec3(0.1, 0.1, 0.1), 0.2)
    scene = Scene(
        [
            Sphere(Vec3(-1, 0, 4), 1, red),
            Sphere(Vec3(1.2, 0.3, 3.5), 0.8, grey),
            Floor(-1, white, black),
        ],
        Vec3(-3, 5, 0),
    )
    ramp = " .:-=+*#%@"
    rows, total = [], Vec3(0, 0, 0)
    for j in range(height):
        row = ""
        for i in range(width):
            d = Vec3((i - width / 2) / width * 2, (height / 2 - j) / height, 1).unit()
            c = scene.trace(Vec3(0, 0, -1), d)
            total += c
            row += ramp[min(9, int(10 * sum(c) / 3))]
        rows.append(row)
    return rows, tuple(total)


ARGS = [(24, 12)]
