"""Tetris with piece rotations, a greedy player with an evaluation function, and scoring."""

from dataclasses import dataclass
from typing import Iterator, List, Tuple

SHAPES = {
    "I": ["####"],
    "O": ["##", "##"],
    "T": ["###", ".#."],
    "S": [".##", "##."],
    "L": ["#..", "###"],
}


def rotations(rows: List[str]) -> List[Tuple[str, ...]]:
    out, current = [], tuple(rows)
    for _ in range(4):
        if current not in out:
            out.append(current)
        current = tuple("".join(col) for col in zip(*current[::-1]))
    return out


@dataclass(frozen=True)
class Placement:
    name: str
    cells: Tuple[Tuple[int, int], ...]
    width: int
    height: int


def placements() -> dict:
    table = {}
    for name, rows in SHAPES.items():
        table[name] = []
        for shape in rotations(rows):
            cells = tuple(
                (r, c) for r, row in enumerate(shape) for c, ch in enumerate(row) if ch == "#"
            )
            table[name].append(Placement(name, cells, len(shape[0]), len(shape)))
    return table


class GameOver(Exception):
    pass


class Board:
    def __init__(self, width=8, height=12):
        self.width, self.height = width, height
        self.grid = [[0] * width for _ in range(height)]
        self.lines = self.score = 0

    def fits(self, p: Placement, row: int, col: int) -> bool:
        return all(row + r < self.height and not self.grid[row + r][col + c] for r, c in p.cells)

    def drop_row(self, p: Placement, col: int) -> int:
        row = 0
        if not self.fits(p, 0, col):
            return -1
        while row + p.height < self.height and self.fits(p, row + 1, col):
            row += 1
        return row

    def place(self, p: Placement, row: int, col: int) -> int:
        for r, c in p.cells:
            self.grid[row + r][col + c] = 1
        kept = [line for line in self.grid if not all(line)]
        cleared = self.height - len(kept)
        self.grid = [[0] * self.width for _ in range(cleared)] + kept
        self.lines += cleared
        self.score += (0, 40, 100, 300, 1200)[cleared]
        return cleared

    def heights(self) -> Iterator[int]:
        for col in zip(*self.grid):
            yield self.height - col.index(1) if 1 in col else 0

    def holes(self) -> int:
        return sum(
            self.grid[r][c] == 0 and any(self.grid[k][c] for k in range(r))
            for r in range(self.height)
            for c in range(self.width)
        )

    def copy(self) -> "Board":
        other = Board(self.width, self.height)
        other.grid = [line[:] for line in self.grid]
        return other


def evaluate(board: Board, cleared: int) -> float:
    hs = list(board.heights())
    bumps = sum(abs(a - b) for a, b in zip(hs, hs[1:]))
    return 0.76 * cleared - 0.51 * sum(hs) - 0.36 * board.holes() - 0.18 * bumps


def play(pieces: str, board: Board):
    table = placements()
    for k, name in enumerate(pieces):
        best = None
        for p in table[name]:
            for col in range(board.width - p.width + 1):
                if (row := board.drop_row(p, col)) < 0:
                    continue
                trial = board.copy()
                value = evaluate(trial, trial.place(p, row, col))
                if best is None or value > best[0]:
                    best = (value, p, row, col)
        if best is None:
            raise GameOver(f"piece {k} ({name})")
        board.place(*best[1:])


def main(pieces, repeat):
    board = Board()
    try:
        play(pieces * repeat, board)
        end = "done"
    except GameOver as e:
        end = str(e)
    return (
        end,
        board.lines,
        board.score,
        ["".join(".#"[x] for x in row) for row in board.grid[-4:]],
        list(board.heights()),
    )


ARGS = [("TIOLSLTO", 2)]
