"""L-systems, a turtle with complex numbers, ASCII canvas, and a recursive fractal."""

import cmath
import math
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Rules:
    axiom: str
    table: dict[str, str]
    angle: float

    def expand(self, n: int) -> str:
        s = self.axiom
        for _ in range(n):
            s = "".join(self.table.get(c, c) for c in s)
        return s


@dataclass
class Turtle:
    pos: complex = 0j
    heading: complex = 1 + 0j
    lines: list = field(default_factory=list)
    stack: list = field(default_factory=list)

    def forward(self, d: float = 1.0):
        new = self.pos + d * self.heading
        self.lines.append((self.pos, new))
        self.pos = new

    def turn(self, deg: float):
        self.heading *= cmath.rect(1.0, math.radians(deg))

    def push(self):
        self.stack.append((self.pos, self.heading))

    def pop(self):
        self.pos, self.heading = self.stack.pop()

    @contextmanager
    def branch(self):
        self.push()
        try:
            yield
        finally:
            self.pop()


def draw(rules: Rules, n: int) -> Turtle:
    t = Turtle()
    for c in rules.expand(n):
        match c:
            case "F" | "G":
                t.forward()
            case "+":
                t.turn(rules.angle)
            case "-":
                t.turn(-rules.angle)
            case "[":
                t.push()
            case "]":
                t.pop()
    return t


class Canvas:
    def __init__(self, w, h, fill=" "):
        self.w, self.h = w, h
        self.cells = [[fill] * w for _ in range(h)]

    def __setitem__(self, xy, ch):
        x, y = xy
        if not (0 <= x < self.w and 0 <= y < self.h):
            raise IndexError(f"({x}, {y}) is off the canvas")
        self.cells[y][x] = ch

    def plot(self, lines):
        pts = [p for seg in lines for p in seg]
        x0, x1 = min(p.real for p in pts), max(p.real for p in pts)
        y0, y1 = min(p.imag for p in pts), max(p.imag for p in pts)
        sx, sy = (self.w - 1) / ((x1 - x0) or 1), (self.h - 1) / ((y1 - y0) or 1)
        for a, b in lines:
            for k in range(5):
                p = a + (b - a) * k / 4
                self[round((p.real - x0) * sx), round((p.imag - y0) * sy)] = (
                    "*" if k % 2 == 0 else "."
                )

    def __str__(self):
        return "\n".join("".join(r).rstrip() for r in reversed(self.cells))


def tree(t: Turtle, length: float, depth: int) -> int:
    if depth == 0:
        return 0
    t.forward(length)
    count = 1
    for a in (25, -25):
        with t.branch():
            t.turn(a)
            count += tree(t, length * 0.7, depth - 1)
    return count


SYSTEMS = {
    "koch": Rules("F", {"F": "F+F-F-F+F"}, 90.0),
    "dragon": Rules("FX", {"X": "X+YF+", "Y": "-FX-Y"}, 90.0),
    "plant": Rules("X", {"X": "F+[[X]-X]-F[-FX]+X", "F": "FF"}, 25.0),
}


def main(orders, width, height):
    out = {}
    for name, n in orders.items():
        t = draw(SYSTEMS[name], n)
        out[name] = (
            len(t.lines),
            round(abs(t.pos), 6),
            round(math.degrees(cmath.phase(t.heading)), 3),
        )
        c = Canvas(width, height)
        c.plot(t.lines)
        print(name)
        print(c)
    t = Turtle(heading=1j)
    n = tree(t, 10.0, 5)
    try:
        Canvas(2, 2)[5, 0] = "x"
    except IndexError as e:
        print("error:", e)
    return out, n, len(t.lines), round(max(b.imag for _, b in t.lines), 9), t.stack == []


ARGS = [({"koch": 2, "dragon": 6, "plant": 3}, 30, 10)]
