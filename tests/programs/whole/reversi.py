"""Reversi with bitboards and an alpha-beta player."""

from dataclasses import dataclass
from typing import Iterator, List, Optional, Tuple

FULL = (1 << 36) - 1
N = 6
LEFT = sum(1 << (r * N) for r in range(N))
RIGHT = LEFT << (N - 1)
WEIGHTS = [
    20,
    -3,
    5,
    5,
    -3,
    20,
    -3,
    -7,
    1,
    1,
    -7,
    -3,
    5,
    1,
    1,
    1,
    1,
    5,
    5,
    1,
    1,
    1,
    1,
    5,
    -3,
    -7,
    1,
    1,
    -7,
    -3,
    20,
    -3,
    5,
    5,
    -3,
    20,
]


def shift(b: int, d: int) -> int:
    if d in (1, N + 1, 1 - N):
        b &= ~RIGHT
    elif d in (-1, N - 1, -N - 1):
        b &= ~LEFT
    return (b << d if d > 0 else b >> -d) & FULL


DIRS = (1, -1, N, -N, N + 1, N - 1, 1 - N, -N - 1)


def bits(b: int) -> Iterator[int]:
    while b:
        low = b & -b
        yield low.bit_length() - 1
        b ^= low


@dataclass(frozen=True)
class Position:
    mine: int
    theirs: int

    def moves(self) -> int:
        empty = FULL & ~(self.mine | self.theirs)
        result = 0
        for d in DIRS:
            x = shift(self.mine, d) & self.theirs
            for _ in range(N - 3):
                x |= shift(x, d) & self.theirs
            result |= shift(x, d) & empty
        return result

    def play(self, square: int) -> "Position":
        new = 1 << square
        flips = 0
        for d in DIRS:
            x, line = shift(new, d), 0
            while x & self.theirs:
                line |= x
                x = shift(x, d)
            if x & self.mine:
                flips |= line
        return Position(self.theirs & ~flips, self.mine | new | flips)

    def swap(self) -> "Position":
        return Position(self.theirs, self.mine)

    def score(self) -> int:
        return sum(WEIGHTS[i] for i in bits(self.mine)) - sum(WEIGHTS[i] for i in bits(self.theirs))


class Player:
    def __init__(self, depth: int):
        self.depth = depth
        self.nodes = 0

    def search(self, pos: Position, depth: int, alpha: int, beta: int) -> Tuple[int, Optional[int]]:
        self.nodes += 1
        moves = pos.moves()
        if depth == 0:
            return pos.score(), None
        if not moves:
            if not pos.swap().moves():
                return 100 * (pos.mine.bit_count() - pos.theirs.bit_count()), None
            value, _ = self.search(pos.swap(), depth - 1, -beta, -alpha)
            return -value, None
        best = None
        for m in sorted(bits(moves), key=lambda s: -WEIGHTS[s]):
            value = -self.search(pos.play(m), depth - 1, -beta, -alpha)[0]
            if value > alpha or best is None:
                alpha, best = max(alpha, value), m
            if alpha >= beta:
                break
        return alpha, best


def main(depth_black, depth_white, limit):
    pos = Position(1 << 15 | 1 << 20, 1 << 14 | 1 << 21)
    players = [Player(depth_black), Player(depth_white)]
    record: List[str] = []
    turn = passes = 0
    while passes < 2 and turn < limit:
        _, move = players[turn % 2].search(pos, players[turn % 2].depth, -(10**6), 10**6)
        if move is None:
            passes += 1
            pos = pos.swap()
            record.append("--")
        else:
            passes = 0
            pos = pos.play(move)
            record.append("abcdef"[move % N] + str(move // N + 1))
        turn += 1
    return (
        " ".join(record),
        [p.nodes for p in players],
        pos.mine.bit_count(),
        pos.theirs.bit_count(),
    )


ARGS = [(2, 3, 12)]
