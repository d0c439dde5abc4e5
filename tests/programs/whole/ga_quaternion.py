"""Quaternions: rotations, slerp, integration of angular velocity, with NumPy conversion."""

from __future__ import annotations

import math
from typing import Iterable, Iterator, Union

import numpy as np


class Quaternion:
    __slots__ = ("w", "x", "y", "z")

    def __init__(self, w=1.0, x=0.0, y=0.0, z=0.0):
        self.w, self.x, self.y, self.z = float(w), float(x), float(y), float(z)

    @classmethod
    def from_axis_angle(cls, axis: Iterable[float], angle: float) -> Quaternion:
        ax, ay, az = axis
        n = math.sqrt(ax * ax + ay * ay + az * az)
        if n == 0:
            raise ValueError("zero axis")
        s = math.sin(angle / 2) / n
        return cls(math.cos(angle / 2), ax * s, ay * s, az * s)

    def __iter__(self) -> Iterator[float]:
        return iter((self.w, self.x, self.y, self.z))

    def __mul__(self, other: Union[Quaternion, float]) -> Quaternion:
        if isinstance(other, (int, float)):
            return Quaternion(*(c * other for c in self))
        a, b, c, d = self
        e, f, g, h = other
        return Quaternion(
            a * e - b * f - c * g - d * h,
            a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e,
        )

    def __add__(self, other):
        return Quaternion(*(p + q for p, q in zip(self, other)))

    def __neg__(self):
        return self * -1.0

    @property
    def conjugate(self) -> Quaternion:
        return Quaternion(self.w, -self.x, -self.y, -self.z)

    def dot(self, other: Quaternion) -> float:
        return sum(p * q for p, q in zip(self, other))

    def norm(self) -> float:
        return math.sqrt(self.dot(self))

    def normalized(self) -> Quaternion:
        return self * (1.0 / self.norm())

    def rotate(self, v: tuple) -> tuple:
        r = self * Quaternion(0.0, *v) * self.conjugate
        return r.x, r.y, r.z

    def matrix(self) -> np.ndarray:
        w, x, y, z = self
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )

    def __repr__(self):
        return "Q(%.4f, %.4f, %.4f, %.4f)" % tuple(self)


def slerp(a: Quaternion, b: Quaternion, t: float) -> Quaternion:
    d = a.dot(b)
    if d < 0:
        b, d = -b, -d
    if d > 0.9995:
        return (a * (1 - t) + b * t).normalized()
    theta = math.acos(d)
    return a * (math.sin((1 - t) * theta) / math.sin(theta)) + b * (
        math.sin(t * theta) / math.sin(theta)
    )


def main(steps):
    q = Quaternion()
    for k in range(steps):
        omega = Quaternion(0.0, math.sin(k * 0.1), 0.5, math.cos(k * 0.07))
        q = (q + q * omega * 0.005).normalized()
    a = Quaternion.from_axis_angle((0, 0, 1), math.pi / 2)
    path = [repr(slerp(a, q, t / 4)) for t in range(5)]
    M = q.matrix()
    v = np.array([1.0, 2.0, 3.0])
    difference = float(np.abs(M @ v - np.array(q.rotate((1.0, 2.0, 3.0)))).max())
    try:
        Quaternion.from_axis_angle((0, 0, 0), 1.0)
    except ValueError as e:
        message = e.args[0]
    return (
        path,
        difference < 1e-12,
        [round(float(x), 9) for x in M.ravel()],
        a.rotate((1.0, 0.0, 0.0)),
        message,
    )


ARGS = [(80,)]
