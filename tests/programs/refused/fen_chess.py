"""Chess position from FEN: pseudo-legal moves, checks, perft, material."""

from dataclasses import dataclass, replace
from functools import cached_property

VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}
ORTHO = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAG = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
KNIGHT = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
RIDERS = {"b": DIAG, "r": ORTHO, "q": ORTHO + DIAG}
STEPPERS = {"n": KNIGHT, "k": ORTHO + DIAG}


def square(name):
    return "abcdefgh".index(name[0]), int(name[1]) - 1


def label(sq):
    return "abcdefgh"[sq[0]] + str(sq[1] + 1)


@dataclass(frozen=True, order=True)
class Move:
    start: tuple
    end: tuple
    promotion: str = ""

    def __str__(self):
        return label(self.start) + label(self.end) + self.promotion


@dataclass(frozen=True)
class Position:
    board: dict
    white: bool

    @classmethod
    def from_fen(cls, fen):
        rows, side = fen.split()[:2]
        board = {}
        for r, row in enumerate(rows.split("/")):
            f = 0
            for ch in row:
                if ch.isdigit():
                    f += int(ch)
                else:
                    board[f, 7 - r] = ch
                    f += 1
            if f != 8:
                raise ValueError(f"row {8 - r} has {f} files")
        return cls(board, side == "w")

    @cached_property
    def material(self):
        return sum(VALUES[p.lower()] * (1 if p.isupper() else -1) for p in self.board.values())

    def mine(self, piece):
        return piece is not None and piece.isupper() == self.white

    def pseudo(self):
        for (f, r), piece in sorted(self.board.items()):
            if not self.mine(piece):
                continue
            kind = piece.lower()
            if kind == "p":
                yield from self.pawn(f, r)
            elif kind in STEPPERS:
                for df, dr in STEPPERS[kind]:
                    to = f + df, r + dr
                    if 0 <= to[0] < 8 and 0 <= to[1] < 8 and not self.mine(self.board.get(to)):
                        yield Move((f, r), to)
            else:
                for df, dr in RIDERS[kind]:
                    x, y = f + df, r + dr
                    while 0 <= x < 8 and 0 <= y < 8:
                        target = self.board.get((x, y))
                        if not self.mine(target):
                            yield Move((f, r), (x, y))
                        if target:
                            break
                        x, y = x + df, y + dr

    def pawn(self, f, r):
        step, home, last = (1, 1, 7) if self.white else (-1, 6, 0)
        ends = []
        if (f, r + step) not in self.board:
            ends.append((f, r + step))
            if r == home and (f, r + 2 * step) not in self.board:
                ends.append((f, r + 2 * step))
        for df in (-1, 1):
            target = self.board.get((f + df, r + step))
            if target and not self.mine(target):
                ends.append((f + df, r + step))
        for end in ends:
            for promotion in "qn" if end[1] == last else ("",):
                yield Move((f, r), end, promotion)

    def play(self, move):
        board = dict(self.board)
        piece = board.pop(move.start)
        if move.promotion:
            piece = move.promotion.upper() if self.white else move.promotion
        board[move.end] = piece
        return Position(board, not self.white)

    def in_check(self):
        king = next(sq for sq, p in self.board.items() if p == ("K" if self.white else "k"))
        return any(m.end == king for m in replace(self, white=not self.white).pseudo())

    def legal(self):
        for move in self.pseudo():
            after = self.play(move)
            if not replace(after, white=self.white).in_check():
                yield move

    def show(self):
        for r in range(7, -1, -1):
            print(r + 1, *(self.board.get((f, r), ".") for f in range(8)))
        print(" ", *"abcdefgh")


def perft(position, depth):
    if depth == 0:
        return 1
    return sum(perft(position.play(m), depth - 1) for m in position.legal())


def main(fen, depth):
    position = Position.from_fen(fen)
    position.show()
    moves = sorted(position.legal())
    state = "check" if position.in_check() else "quiet"
    if not moves:
        state = "checkmate" if state == "check" else "stalemate"
    captures = [str(m) for m in moves if m.end in position.board]
    return [str(m) for m in moves], captures, state, position.material, perft(position, depth)


ARGS = [
    ("4k3/P6p/8/8/3q4/8/5PB1/4K2R w - - 0 1", 2),
    ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", 1),
]
