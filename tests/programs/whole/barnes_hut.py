"""Barnes-Hut gravity with a quadtree of cells, leapfrog integration."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import List, Optional


@dataclass
class Body:
    x: float
    y: float
    vx: float
    vy: float
    m: float
    ax: float = 0.0
    ay: float = 0.0


class Cell:
    def __init__(self, cx: float, cy: float, half: float):
        self.cx, self.cy, self.half = cx, cy, half
        self.mass = self.mx = self.my = 0.0
        self.body: Optional[Body] = None
        self.children: Optional[List[Optional[Cell]]] = None

    def quadrant(self, b: Body) -> int:
        return (b.x >= self.cx) + 2 * (b.y >= self.cy)

    def _child(self, k: int) -> Cell:
        if self.children[k] is None:
            q = self.half / 2
            self.children[k] = Cell(
                self.cx + (q if k & 1 else -q), self.cy + (q if k & 2 else -q), q
            )
        return self.children[k]

    def insert(self, b: Body, depth: int = 0) -> None:
        self.mass += b.m
        self.mx += b.m * b.x
        self.my += b.m * b.y
        if self.children is None:
            if self.body is None and self.mass == b.m:
                self.body = b
                return
            self.children = [None] * 4
            if depth < 40 and self.body is not None:
                old, self.body = self.body, None
                self._child(self.quadrant(old)).insert(old, depth + 1)
        self._child(self.quadrant(b)).insert(b, depth + 1)

    def force(self, b: Body, theta: float) -> tuple[float, float]:
        if self.mass == 0 or self.body is b:
            return 0.0, 0.0
        dx, dy = self.mx / self.mass - b.x, self.my / self.mass - b.y
        d = math.sqrt(dx * dx + dy * dy + 1e-4)
        if self.children is None or 2 * self.half / d < theta:
            f = self.mass / d**3
            return f * dx, f * dy
        fx = fy = 0.0
        for child in self.children:
            if child is not None:
                gx, gy = child.force(b, theta)
                fx += gx
                fy += gy
        return fx, fy


class Galaxy:
    def __init__(self, bodies: List[Body], theta=0.6):
        self.bodies, self.theta = bodies, theta

    def accelerate(self):
        span = max(max(abs(b.x), abs(b.y)) for b in self.bodies) + 1e-9
        root = Cell(0.0, 0.0, span)
        for b in self.bodies:
            root.insert(b)
        for b in self.bodies:
            b.ax, b.ay = root.force(b, self.theta)

    def step(self, dt):
        for b in self.bodies:
            b.vx += 0.5 * dt * b.ax
            b.vy += 0.5 * dt * b.ay
            b.x += dt * b.vx
            b.y += dt * b.vy
        self.accelerate()
        for b in self.bodies:
            b.vx += 0.5 * dt * b.ax
            b.vy += 0.5 * dt * b.ay

    @property
    def kinetic(self):
        return sum(0.5 * b.m * (b.vx**2 + b.vy**2) for b in self.bodies)


def main(n, steps):
    bodies = []
    for k in range(n):
        r, phi = 1 + (k * 37 % 11) / 5, 2.399963 * k
        x, y = r * math.cos(phi), r * math.sin(phi)
        bodies.append(Body(x, y, -y / r, x / r, 0.5 + (k % 3) * 0.25))
    galaxy = Galaxy(bodies)
    galaxy.accelerate()
    energies = []
    for _ in range(steps):
        galaxy.step(0.01)
        energies.append(galaxy.kinetic)
    px = sum(b.m * b.vx for b in bodies)
    return energies, px, [(b.x, b.y) for b in bodies[:3]]


ARGS = [(24, 4)]
