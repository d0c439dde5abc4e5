"""L-systems: string rewriting plus a turtle drawing on a character grid."""

import math
from collections import Counter, namedtuple

System = namedtuple("System", "axiom rules angle")

SYSTEMS = {
    "koch": System("F", {"F": "F+F-F-F+F"}, 90),
    "dragon": System("FX", {"X": "X+YF+", "Y": "-FX-Y"}, 90),
    "plant": System("X", {"X": "F+[[X]-X]-F[-FX]+X", "F": "FF"}, 25),
    "hilbert": System("A", {"A": "+BF-AFA-FB+", "B": "-AF+BFB+FA-"}, 90),
    "algae": System("A", {"A": "AB", "B": "A"}, 0),
}


def rewrite(system, generations):
    text = system.axiom
    yield text
    for _ in range(generations):
        text = "".join(system.rules.get(ch, ch) for ch in text)
        yield text


def count_only(system, generations):
    """Length after many generations without building the string."""
    counts = Counter(system.axiom)
    for _ in range(generations):
        nxt = Counter()
        for ch, n in counts.items():
            for out in system.rules.get(ch, ch):
                nxt[out] += n
        counts = nxt
    return sum(counts.values())


class Turtle:
    def __init__(self, angle):
        self.x = self.y = 0.0
        self.heading = 0.0
        self.turn = math.radians(angle)
        self.stack = []
        self.points = [(0.0, 0.0)]
        self.max_depth = 0

    def forward(self):
        self.x += math.cos(self.heading)
        self.y += math.sin(self.heading)
        self.points.append((round(self.x, 9) + 0.0, round(self.y, 9) + 0.0))

    def left(self):
        self.heading += self.turn

    def right(self):
        self.heading -= self.turn

    def push(self):
        self.stack.append((self.x, self.y, self.heading))
        self.max_depth = max(self.max_depth, len(self.stack))

    def pop(self):
        self.x, self.y, self.heading = self.stack.pop()

    def run(self, commands):
        actions = {
            "F": self.forward,
            "+": self.left,
            "-": self.right,
            "[": self.push,
            "]": self.pop,
        }
        for ch in commands:
            if ch in actions:
                actions[ch]()
        return self

    def bounds(self):
        xs, ys = zip(*self.points)
        return min(xs), min(ys), max(xs), max(ys)

    def draw(self, max_width=40):
        x0, y0, x1, y1 = self.bounds()
        scale = min(1.0, (max_width - 1) / max(x1 - x0, y1 - y0, 1))
        width = int(round((x1 - x0) * scale)) + 1
        height = int(round((y1 - y0) * scale)) + 1
        grid = [[" "] * width for _ in range(height)]
        for x, y in self.points:
            col = int(round((x - x0) * scale))
            row = int(round((y1 - y) * scale))
            grid[row][col] = "*"
        return ["".join(r).rstrip() for r in grid]


def main(name, generations):
    system = SYSTEMS[name]
    strings = list(rewrite(system, generations))
    turtle = Turtle(system.angle).run(strings[-1])
    picture = turtle.draw()
    for line in picture[:12]:
        print(line)
    return {
        "lengths": [len(s) for s in strings],
        "start": strings[-1][:30],
        "symbols": dict(sorted(Counter(strings[-1]).items())),
        "predicted": count_only(system, generations),
        "huge": count_only(system, 60),
        "bounds": [round(v, 6) + 0.0 for v in turtle.bounds()],
        "distinct": len(set(turtle.points)),
        "depth": turtle.max_depth,
        "ink": sum(line.count("*") for line in picture),
        "size": (len(picture), max(map(len, picture))),
    }


ARGS = [("koch", 3), ("dragon", 8), ("plant", 4), ("algae", 12)]
