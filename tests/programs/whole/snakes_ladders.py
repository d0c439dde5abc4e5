"""Board games: snakes & ladders, monopoly-like dice stats, Connect four with a minimax, all with random.seed."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import cycle, product


@dataclass
class Player:
    name: str
    pos: int = 0
    rolls: list[int] = field(default_factory=list)

    def __hash__(self):
        return hash(self.name)


class SnakesAndLadders:
    SIZE = 30

    def __init__(self, jumps: dict[int, int], names):
        self.jumps = jumps
        self.players = [Player(n) for n in names]

    def play(self, limit=500):
        for turn, p in enumerate(cycle(self.players), 1):
            if turn > limit:
                return None, turn
            roll = random.randint(1, 6)
            p.rolls.append(roll)
            if p.pos + roll <= self.SIZE:
                p.pos += roll
                p.pos = self.jumps.get(p.pos, p.pos)
            if p.pos == self.SIZE:
                return p, turn


class Connect:
    ROWS, COLS = 4, 5

    def __init__(self):
        self.grid = [["."] * self.COLS for _ in range(self.ROWS)]
        self.moves: list[int] = []

    def legal(self):
        return [c for c in range(self.COLS) if self.grid[0][c] == "."]

    def drop(self, col: int, who: str) -> int:
        for r in reversed(range(self.ROWS)):
            if self.grid[r][col] == ".":
                self.grid[r][col] = who
                self.moves.append(col)
                return r
        raise ValueError(f"column {col} is full")

    def undo(self):
        col = self.moves.pop()
        for r in range(self.ROWS):
            if self.grid[r][col] != ".":
                self.grid[r][col] = "."
                return

    def winner(self) -> str | None:
        for r, c in product(range(self.ROWS), range(self.COLS)):
            w = self.grid[r][c]
            if w == ".":
                continue
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(r + k * dr, c + k * dc) for k in range(3)]
                if all(
                    0 <= y < self.ROWS and 0 <= x < self.COLS and self.grid[y][x] == w
                    for y, x in cells
                ):
                    return w
        return None

    def negamax(self, who, depth, alpha=-100, beta=100):
        if (w := self.winner()) is not None:
            return (10 + depth if w == who else -10 - depth), None
        if depth == 0 or not self.legal():
            return 0, None
        best = None
        for c in sorted(self.legal(), key=lambda c: abs(c - self.COLS // 2)):
            self.drop(c, who)
            score = -self.negamax("ox"[who == "o"], depth - 1, -beta, -alpha)[0]
            self.undo()
            if score > alpha:
                alpha, best = score, c
            if alpha >= beta:
                break
        return alpha, best

    def __str__(self):
        return "\n".join(map("".join, self.grid))


@lru_cache(maxsize=None)
def ways(total, dice, sides=6):
    if dice == 0:
        return int(total == 0)
    return sum(ways(total - s, dice - 1, sides) for s in range(1, sides + 1) if s <= total)


def nim(piles):
    x = 0
    for p in piles:
        x ^= p
    if x == 0:
        return None
    for i, p in enumerate(piles):
        if p ^ x < p:
            return i, p - (p ^ x)


def main(seed, jumps, games):
    random.seed(seed)
    wins = Counter()
    lengths = []
    for _ in range(games):
        p, turns = SnakesAndLadders(jumps, ["ann", "bob", "cid"]).play()
        wins[p.name if p else "nobody"] += 1
        lengths.append(turns)
    g = Connect()
    who = "x"
    while g.winner() is None and g.legal():
        if who == "x":
            _, col = g.negamax("x", 4)
        else:
            col = random.choice(g.legal())
        g.drop(g.legal()[0] if col is None else col, who)
        who = "o" if who == "x" else "x"
    print(g)
    try:
        for _ in range(9):
            g.drop(0, "x")
    except ValueError as e:
        full = str(e)
    dist = {t: ways(t, 3) for t in range(3, 19)}
    return (
        sorted(wins.items()),
        max(lengths),
        g.winner(),
        g.moves,
        full,
        dist,
        sum(dist.values()) == 6**3,
        nim([3, 4, 5]),
        nim([1, 2, 3]),
    )


ARGS = [(4, {3: 22, 5: 8, 11: 26, 20: 29, 27: 1, 21: 9, 17: 4, 19: 7}, 12)]
