"""A tiny wave function collapse over tile sets with bit masks and propagation by a stack."""

import random
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from operator import or_
from typing import Dict, List, Optional, Tuple


class Side(Enum):
    NORTH = (0, -1)
    EAST = (1, 0)
    SOUTH = (0, 1)
    WEST = (-1, 0)

    @property
    def opposite(self) -> "Side":
        return {
            Side.NORTH: Side.SOUTH,
            Side.SOUTH: Side.NORTH,
            Side.EAST: Side.WEST,
            Side.WEST: Side.EAST,
        }[self]


@dataclass(frozen=True)
class Tile:
    glyph: str
    sockets: Tuple[int, int, int, int]
    weight: int = 1

    def socket(self, side: Side) -> int:
        return self.sockets[list(Side).index(side)]


TILES = [
    Tile(" ", (0, 0, 0, 0), 4),
    Tile("-", (0, 1, 0, 1), 2),
    Tile("|", (1, 0, 1, 0), 2),
    Tile("+", (1, 1, 1, 1)),
    Tile("L", (1, 1, 0, 0)),
    Tile("r", (0, 1, 1, 0)),
    Tile("7", (0, 0, 1, 1)),
    Tile("J", (1, 0, 0, 1)),
]


class Contradiction(Exception):
    pass


class Wave:
    def __init__(self, width: int, height: int, rng: random.Random):
        self.width, self.height, self.rng = width, height, rng
        self.options: List[List[int]] = [[(1 << len(TILES)) - 1] * width for _ in range(height)]
        self.allowed: Dict[Side, List[int]] = {
            side: [
                sum(
                    1 << j
                    for j, other in enumerate(TILES)
                    if other.socket(side.opposite) == tile.socket(side)
                )
                for tile in TILES
            ]
            for side in Side
        }
        self.propagations = 0

    def candidates(self, x, y) -> List[int]:
        mask = self.options[y][x]
        return [k for k in range(len(TILES)) if mask >> k & 1]

    def pick(self) -> Optional[Tuple[int, int]]:
        best = None
        for y in range(self.height):
            for x in range(self.width):
                n = self.options[y][x].bit_count()
                if n > 1 and (best is None or n < best[0]):
                    best = (n, x, y)
        return None if best is None else best[1:]

    def propagate(self, x, y):
        stack = [(x, y)]
        while stack:
            x, y = stack.pop()
            for side in Side:
                dx, dy = side.value
                u, v = x + dx, y + dy
                if not (0 <= u < self.width and 0 <= v < self.height):
                    continue
                possible = reduce(or_, (self.allowed[side][k] for k in self.candidates(x, y)), 0)
                new = self.options[v][u] & possible
                if not new:
                    raise Contradiction((u, v))
                if new != self.options[v][u]:
                    self.options[v][u] = new
                    self.propagations += 1
                    stack.append((u, v))

    def collapse(self) -> List[str]:
        while (cell := self.pick()) is not None:
            x, y = cell
            ks = self.candidates(x, y)
            k = self.rng.choices(ks, [TILES[k].weight for k in ks])[0]
            self.options[y][x] = 1 << k
            self.propagate(x, y)
        return ["".join(TILES[m.bit_length() - 1].glyph for m in row) for row in self.options]


def main(width, height, seeds):
    out = []
    for seed in seeds:
        wave = Wave(width, height, random.Random(seed))
        try:
            out.append((wave.collapse(), wave.propagations))
        except Contradiction as e:
            out.append(([f"stuck at {e}"], wave.propagations))
    return out


ARGS = [(9, 5, [1, 2, 3])]
