"""IDA* for the 8-puzzle with an incremental Manhattan heuristic and a parity check."""

from __future__ import annotations

import sys
from typing import NamedTuple

GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)
WHERE = {v: divmod(i, 3) for i, v in enumerate(GOAL)}
FOUND = "found"


class Unsolvable(Exception):
    """Odd permutation."""


class Result(NamedTuple):
    moves: str
    nodes: int

    def __len__(self):
        return len(self.moves)


def manhattan(board: tuple[int, ...]) -> int:
    total = 0
    for i, v in enumerate(board):
        if v:
            r, c = WHERE[v]
            total += abs(r - i // 3) + abs(c - i % 3)
    return total


def inversions(board) -> int:
    tiles = [v for v in board if v]
    return sum(a > b for i, a in enumerate(tiles) for b in tiles[i + 1 :])


class Solver:
    MOVES = {"U": -3, "D": 3, "L": -1, "R": 1}
    OPPOSITE = dict(zip("UDLR", "DURL"))

    def __init__(self, board):
        if sorted(board) != list(range(9)):
            raise ValueError(f"not a board: {board}")
        if inversions(board) % 2:
            raise Unsolvable(board)
        self.board = list(board)
        self.nodes = 0
        self.path: list[str] = []

    def legal(self, blank: int):
        last = self.path[-1] if self.path else None
        for name, step in self.MOVES.items():
            if last and name == self.OPPOSITE[last]:
                continue
            if (name == "L" and blank % 3 == 0) or (name == "R" and blank % 3 == 2):
                continue
            if 0 <= blank + step < 9:
                yield name, blank + step

    def search(self, blank, g, h, bound):
        self.nodes += 1
        f = g + h
        if f > bound:
            return f
        if h == 0:
            return FOUND
        smallest = sys.maxsize
        for name, target in list(self.legal(blank)):
            tile = self.board[target]
            r, c = WHERE[tile]
            change = (abs(r - blank // 3) + abs(c - blank % 3)) - (
                abs(r - target // 3) + abs(c - target % 3)
            )
            self.board[blank], self.board[target] = tile, 0
            self.path.append(name)
            t = self.search(target, g + 1, h + change, bound)
            if t == FOUND:
                return FOUND
            smallest = min(smallest, t)
            self.path.pop()
            self.board[blank], self.board[target] = 0, tile
        return smallest

    def solve(self) -> Result:
        bound = manhattan(self.board)
        while True:
            t = self.search(self.board.index(0), 0, manhattan(self.board), bound)
            if t == FOUND:
                return Result("".join(self.path), self.nodes)
            bound = t


def main(boards):
    out = []
    for b in boards:
        try:
            r = Solver(b).solve()
            out.append((r.moves, len(r), r.nodes))
        except Unsolvable as e:
            out.append(("unsolvable", *e.args[0][:2]))
        except ValueError as e:
            out.append((str(e),))
    return out


ARGS = [
    (
        [
            (1, 2, 3, 4, 5, 6, 0, 7, 8),
            (1, 2, 3, 0, 4, 6, 7, 5, 8),
            (4, 1, 3, 7, 2, 6, 0, 5, 8),
            (2, 1, 3, 4, 5, 6, 7, 8, 0),
            (1, 1, 3, 4, 5, 6, 7, 8, 0),
            (0, 1, 3, 5, 2, 6, 4, 7, 8),
        ],
    )
]
