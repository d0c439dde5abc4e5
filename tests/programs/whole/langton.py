"""Turmites on a NumPy grid and on a defaultdict, compared."""

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np

HEADINGS = [(-1, 0), (0, 1), (1, 0), (0, -1)]
TURN = {"L": -1, "R": 1, "N": 0, "U": 2}


@dataclass
class Ant:
    row: int
    col: int
    heading: int = 0

    def move(self, size=None):
        dr, dc = HEADINGS[self.heading % 4]
        self.row += dr
        self.col += dc
        if size is not None:
            self.row %= size
            self.col %= size


class Grid:
    def __init__(self, size, rule):
        self.cells = np.zeros((size, size), dtype=np.uint8)
        self.rule = [TURN[c] for c in rule]
        self.size = size

    def step(self, ant):
        state = int(self.cells[ant.row, ant.col])
        ant.heading = (ant.heading + self.rule[state]) % 4
        self.cells[ant.row, ant.col] = (state + 1) % len(self.rule)
        ant.move(self.size)

    def crop(self):
        rows = np.flatnonzero(self.cells.any(axis=1))
        cols = np.flatnonzero(self.cells.any(axis=0))
        if rows.size == 0:
            return self.cells[:0, :0]
        return self.cells[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]


def infinite(rule, steps):
    turns = [TURN[c] for c in rule]
    cells = defaultdict(int)
    ant = Ant(0, 0)
    for _ in range(steps):
        here = (ant.row, ant.col)
        ant.heading += turns[cells[here]]
        cells[here] = (cells[here] + 1) % len(turns)
        ant.move()
    return {k: v for k, v in cells.items() if v}, ant


def main(size, rules, steps):
    out = {}
    for rule in rules:
        grid = Grid(size, rule)
        ant = Ant(size // 2, size // 2)
        for _ in range(steps):
            grid.step(ant)
        cells, free = infinite(rule, steps)
        values, counts = np.unique(grid.cells, return_counts=True)
        picture = ["".join(".#o+"[v] for v in row) for row in grid.crop()]
        same = all(grid.cells[r + size // 2, c + size // 2] == v for (r, c), v in cells.items())
        out[rule] = (
            dict(zip(values.tolist(), counts.tolist())),
            picture[:3],
            same,
            Counter(cells.values())[1],
            (free.row, free.col, free.heading % 4),
        )
    return out


ARGS = [(41, ["RL", "RLR", "LLRR"], 1200)]
