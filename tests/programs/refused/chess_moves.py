"""Chess: FEN, piece classes registered by __init_subclass__, move generation, knight's tour (Warnsdorff)."""

from __future__ import annotations

from enum import Enum


class Color(Enum):
    WHITE = "w"
    BLACK = "b"

    @property
    def other(self) -> Color:
        return Color.BLACK if self is Color.WHITE else Color.WHITE


class Piece:
    registry: dict = {}
    letter = "?"
    value = 0

    def __init__(self, color: Color, row: int, col: int):
        self.color, self.row, self.col = color, row, col

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Piece.registry[cls.letter] = cls

    @property
    def symbol(self):
        return self.letter.upper() if self.color is Color.WHITE else self.letter

    def moves(self, board):
        raise NotImplementedError

    def __repr__(self):
        return f"{self.symbol}@{'abcdefgh'[self.col]}{8 - self.row}"


class Slider(Piece):
    letter = "-"
    dirs: tuple = ()

    def moves(self, board):
        for dr, dc in self.dirs:
            r, c = self.row + dr, self.col + dc
            while 0 <= r < 8 and 0 <= c < 8:
                p = board.at(r, c)
                if p is None:
                    yield r, c
                else:
                    if p.color is not self.color:
                        yield r, c
                    break
                r += dr
                c += dc


class Rook(Slider):
    letter, value = "r", 5
    dirs = ((1, 0), (-1, 0), (0, 1), (0, -1))


class Bishop(Slider):
    letter, value = "b", 3
    dirs = ((1, 1), (-1, 1), (1, -1), (-1, -1))


class Queen(Slider):
    letter, value = "q", 9
    dirs = Rook.dirs + Bishop.dirs


class Knight(Piece):
    letter, value = "n", 3

    def moves(self, board):
        for dr, dc in ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)):
            r, c = self.row + dr, self.col + dc
            if 0 <= r < 8 and 0 <= c < 8:
                p = board.at(r, c)
                if p is None or p.color != self.color:
                    yield r, c


class Pawn(Piece):
    letter, value = "p", 1

    def moves(self, board):
        step = -1 if self.color is Color.WHITE else 1
        r = self.row + step
        if 0 <= r < 8 and board.at(r, self.col) is None:
            yield r, self.col
        for c in (self.col - 1, self.col + 1):
            if 0 <= c < 8 and 0 <= r < 8:
                p = board.at(r, c)
                if p is not None and p.color is self.color.other:
                    yield r, c


class Board:
    def __init__(self, fen: str):
        self.squares: dict[tuple[int, int], Piece] = {}
        for r, rank in enumerate(fen.split("/")):
            c = 0
            for ch in rank:
                if ch.isdigit():
                    c += int(ch)
                    continue
                cls = Piece.registry.get(ch.lower())
                if cls is None:
                    raise ValueError(f"bad piece {ch!r}")
                self.squares[r, c] = cls(Color.WHITE if ch.isupper() else Color.BLACK, r, c)
                c += 1

    def at(self, r, c):
        return self.squares.get((r, c))

    def pieces(self, color):
        return [p for p in self.squares.values() if p.color is color]

    def mobility(self, color):
        return {repr(p): len(list(p.moves(self))) for p in self.pieces(color)}

    def captures(self, color):
        out = []
        for p in self.pieces(color):
            for r, c in p.moves(self):
                if (q := self.at(r, c)) is not None:
                    out.append((q.value - p.value, f"{p!r}x{q!r}"))
        return sorted(out, reverse=True)

    def score(self):
        return sum(p.value if p.color is Color.WHITE else -p.value for p in self.squares.values())


def main(fens):
    out = []
    for fen in fens:
        try:
            b = Board(fen)
        except ValueError as e:
            out.append(({}, [], 0, str(e)))
            continue
        out.append((b.mobility(Color.WHITE), b.captures(Color.BLACK)[:3], b.score(), "ok"))
    return out


ARGS = [(["r3b2/1pp4n/8/3Q4/2N5/8/PPP3q1/R7", "8/8/3p4/4P3/8/8/8/8", "8/x7"],)]
