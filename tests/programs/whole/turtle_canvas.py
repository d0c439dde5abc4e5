"""Turtle graphics on a character canvas, with a LOGO-like language."""

import math
from contextlib import contextmanager


class LogoError(Exception):
    def __init__(self, word):
        super().__init__("I don't know how to " + word)


class Turtle:
    def __init__(self):
        self.x = self.y = 0.0
        self.heading = 90
        self.down = True
        self.segments = []
        self.saved = []

    @property
    def position(self):
        return round(self.x, 6), round(self.y, 6)

    def forward(self, distance):
        a = math.radians(self.heading)
        nx, ny = self.x + distance * math.cos(a), self.y + distance * math.sin(a)
        if self.down:
            self.segments.append(((self.x, self.y), (nx, ny)))
        self.x, self.y = nx, ny

    def turn(self, degrees):
        self.heading = (self.heading - degrees) % 360

    @contextmanager
    def excursion(self):
        state = (self.x, self.y, self.heading, self.down)
        try:
            yield self
        finally:
            self.x, self.y, self.heading, self.down = state


def read_block(words, i):
    """The index just past the bracket that closes the one at words[i]."""
    depth = 0
    while True:
        depth += {"[": 1, "]": -1}.get(words[i], 0)
        i += 1
        if depth == 0:
            return i


class Logo:
    def __init__(self):
        self.turtle = Turtle()
        self.procedures = {}
        self.steps = 0

    def run(self, source):
        self.execute(source.lower().replace("[", " [ ").replace("]", " ] ").split(), {})

    def value(self, word, scope):
        if "*" in word:
            a, b = word.split("*")
            return self.value(a, scope) * self.value(b, scope)
        if word.startswith(":"):
            return scope[word[1:]]
        return float(word)

    def execute(self, words, scope):
        t = self.turtle
        i = 0
        while i < len(words):
            self.steps += 1
            word = words[i]
            i += 1
            if word in ("fd", "bk", "rt", "lt"):
                amount = self.value(words[i], scope)
                i += 1
                if word in ("bk", "lt"):
                    amount = -amount
                t.forward(amount) if word in ("fd", "bk") else t.turn(amount)
            elif word == "pu":
                t.down = False
            elif word == "pd":
                t.down = True
            elif word == "repeat":
                n = int(self.value(words[i], scope))
                end = read_block(words, i + 1)
                for _ in range(n):
                    self.execute(words[i + 2 : end - 1], scope)
                i = end
            elif word == "branch":
                end = read_block(words, i)
                with t.excursion():
                    self.execute(words[i + 1 : end - 1], scope)
                i = end
            elif word == "to":
                name, i = words[i], i + 1
                params = []
                while words[i].startswith(":"):
                    params.append(words[i][1:])
                    i += 1
                end = read_block(words, i)
                self.procedures[name] = (params, words[i + 1 : end - 1])
                i = end
            elif word in self.procedures:
                params, body = self.procedures[word]
                inner = {p: self.value(words[i + k], scope) for k, p in enumerate(params)}
                i += len(params)
                if inner.get("depth", 1) >= 1:
                    self.execute(body, inner)
            else:
                raise LogoError(word)


def render(segments, width, height):
    points = [p for s in segments for p in s]
    x0, x1 = min(p[0] for p in points), max(p[0] for p in points)
    y0, y1 = min(p[1] for p in points), max(p[1] for p in points)
    scale = min((width - 1) / max(x1 - x0, 1e-9), (height - 1) / max(y1 - y0, 1e-9))
    grid = [[" "] * width for _ in range(height)]
    for (ax, ay), (bx, by) in segments:
        n = max(1, int(max(abs(bx - ax), abs(by - ay)) * scale))
        for k in range(n + 1):
            x, y = ax + (bx - ax) * k / n, ay + (by - ay) * k / n
            grid[height - 1 - int((y - y0) * scale + 0.25)][int((x - x0) * scale + 0.25)] = "*"
    return "\n".join("".join(row).rstrip() for row in grid)


def main(source, width, height):
    logo = Logo()
    try:
        logo.run(source)
    except LogoError as e:
        print(e)
    picture = render(logo.turtle.segments, width, height)
    print(picture)
    length = sum(math.dist(a, b) for a, b in logo.turtle.segments)
    return len(logo.turtle.segments), round(length, 6), logo.turtle.position, logo.steps


ARGS = [
    ("to poly :n :s [ repeat :n [ fd :s rt 60 ] ] poly 6 5 pu fd 3 pd poly 3 2 jump 4", 24, 14),
    (
        "to tree :size :depth [ fd :size branch [ lt 30 tree :size*0.7 :depth*0.5 ] "
        "branch [ rt 40 tree :size*0.6 0 ] ] tree 10 4 branch [ rt 90 fd 6 ]",
        20,
        12,
    ),
]
