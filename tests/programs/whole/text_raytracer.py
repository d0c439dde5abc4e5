"""Ray tracer that draws spheres as ASCII art."""

import math
from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Vec:
    x: float
    y: float
    z: float

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y, self.z + o.z)

    def __sub__(self, o):
        return Vec(self.x - o.x, self.y - o.y, self.z - o.z)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k, self.z * k)

    __rmul__ = __mul__

    def dot(self, o):
        return self.x * o.x + self.y * o.y + self.z * o.z

    def length(self):
        return math.sqrt(self.dot(self))

    def unit(self):
        return self * (1 / self.length())

    def reflect(self, normal):
        return self - 2 * self.dot(normal) * normal


@dataclass(frozen=True)
class Ray:
    origin: Vec
    direction: Vec

    def at(self, t):
        return self.origin + self.direction * t


class Sphere:
    def __init__(self, centre, radius, colour=0.8, mirror=0.0):
        self.centre, self.radius = centre, radius
        self.colour, self.mirror = colour, mirror

    def hit(self, ray) -> Optional[float]:
        oc = ray.origin - self.centre
        b = oc.dot(ray.direction)
        c = oc.dot(oc) - self.radius**2
        disc = b * b - c
        if disc < 0:
            return None
        root = math.sqrt(disc)
        for t in (-b - root, -b + root):
            if t > 1e-4:
                return t
        return None

    def normal(self, p):
        return (p - self.centre).unit()

    def shade(self, p):
        return self.colour


class Floor:
    mirror = 0.1

    def __init__(self, y):
        self.y = y

    def hit(self, ray):
        if abs(ray.direction.y) < 1e-9:
            return None
        t = (self.y - ray.origin.y) / ray.direction.y
        return t if t > 1e-4 else None

    def normal(self, p):
        return Vec(0, 1, 0)

    def shade(self, p):
        return 0.9 if (math.floor(p.x) + math.floor(p.z)) % 2 else 0.25


class Scene:
    ramp = " .:-=+*#%@"

    def __init__(self, objects, light):
        self.objects = objects
        self.light = light
        self.rays = 0

    def nearest(self, ray):
        self.rays += 1
        best = None
        for obj in self.objects:
            t = obj.hit(ray)
            if t is not None and (best is None or t < best[0]):
                best = (t, obj)
        return best

    def trace(self, ray, depth=0):
        found = self.nearest(ray)
        if found is None:
            return max(0.0, 0.3 * ray.direction.y)
        t, obj = found
        p = ray.at(t)
        n = obj.normal(p)
        to_light = (self.light - p).unit()
        diffuse = max(0.0, n.dot(to_light))
        if diffuse and self.nearest(Ray(p, to_light)) is not None:
            diffuse *= 0.2
        value = obj.shade(p) * (0.1 + 0.9 * diffuse)
        if obj.mirror and depth < 2:
            bounced = self.trace(Ray(p, ray.direction.reflect(n).unit()), depth + 1)
            value = value * (1 - obj.mirror) + bounced * obj.mirror
        return value

    def render(self, width, height):
        eye = Vec(0, 0.5, -4)
        for row in range(height):
            line = ""
            for col in range(width):
                x = (col + 0.5) / width * 2 - 1
                y = (1 - (row + 0.5) / height * 2) * height * 2 / width
                value = self.trace(Ray(eye, Vec(x, y - 0.1, 1.6).unit()))
                line += self.ramp[min(len(self.ramp) - 1, int(value * len(self.ramp)))]
            yield line


def main(width, height, mirror):
    scene = Scene(
        [
            Sphere(Vec(-0.9, 0, 0.5), 1.0, 0.9, mirror),
            Sphere(Vec(1.1, -0.3, -0.3), 0.7, 0.6),
            Floor(-1.0),
        ],
        Vec(-4, 6, -5),
    )
    image = list(scene.render(width, height))
    for line in image:
        print(line)
    centre = scene.trace(Ray(Vec(0, 0, -3), Vec(-0.2, 0, 1).unit()))
    histogram = {ch: sum(r.count(ch) for r in image) for ch in scene.ramp}
    return scene.rays, round(centre, 6), histogram, image[height // 2]


ARGS = [(40, 14, 0.3), (30, 10, 0.0), (24, 12, 0.8)]
