"""Wireworld with an IntEnum grid and a generator of generations, and elementary automata by rule."""

from enum import IntEnum
from itertools import islice
from typing import Iterator, List

import numpy as np


class Cell(IntEnum):
    EMPTY = 0
    HEAD = 1
    TAIL = 2
    WIRE = 3


CHARS = {" ": Cell.EMPTY, "H": Cell.HEAD, "t": Cell.TAIL, ".": Cell.WIRE}
NAMES = {v: k for k, v in CHARS.items()}


def parse(text: str) -> List[List[Cell]]:
    lines = text.strip("\n").split("\n")
    width = max(map(len, lines))
    return [[CHARS[ch] for ch in line.ljust(width)] for line in lines]


def neighbours(grid, r, c):
    for i in range(max(r - 1, 0), min(r + 2, len(grid))):
        for j in range(max(c - 1, 0), min(c + 2, len(grid[0]))):
            if (i, j) != (r, c):
                yield grid[i][j]


def step(grid):
    new = []
    for r, row in enumerate(grid):
        line = []
        for c, cell in enumerate(row):
            if cell is Cell.HEAD:
                line.append(Cell.TAIL)
            elif cell is Cell.TAIL:
                line.append(Cell.WIRE)
            elif (
                cell is Cell.WIRE and 1 <= sum(n == Cell.HEAD for n in neighbours(grid, r, c)) <= 2
            ):
                line.append(Cell.HEAD)
            else:
                line.append(cell)
        new.append(line)
    return new


def generations(grid) -> Iterator[List[List[Cell]]]:
    while True:
        yield grid
        grid = step(grid)


def show(grid) -> str:
    return "\n".join("".join(NAMES[c] for c in row).rstrip() for row in grid)


def elementary(rule: int, width: int, steps: int) -> List[str]:
    table = np.array([(rule >> k) & 1 for k in range(8)], dtype=np.uint8)
    row = np.zeros(width, dtype=np.uint8)
    row[width // 2] = 1
    lines = []
    for _ in range(steps):
        lines.append("".join("#" if x else "." for x in row))
        row = table[4 * np.roll(row, 1) + 2 * row + np.roll(row, -1)]
    return lines


def main(text, n, rules):
    frames = list(islice(generations(parse(text)), n))
    heads = [sum(cell == Cell.HEAD for row in f for cell in row) for f in frames]
    flow = [f[2][-1].name for f in frames]
    return heads, flow, show(frames[-1]), {rule: elementary(rule, 21, 6) for rule in rules}


ARGS = [
    (
        """
 tH.......
.         .....
 ...Ht....
""",
        14,
        [30, 90, 110],
    )
]
