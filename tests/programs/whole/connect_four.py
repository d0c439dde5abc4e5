"""Connect four using bitboards and negamax."""

from functools import reduce

WIDTH, HEIGHT = 7, 6
H1 = HEIGHT + 1
ORDER = sorted(range(WIDTH), key=lambda c: abs(c - WIDTH // 2))


class ColumnFull(Exception):
    pass


class Position:
    __slots__ = ("boards", "heights", "history", "turn")

    def __init__(self):
        self.boards = [0, 0]
        self.heights = [c * H1 for c in range(WIDTH)]
        self.turn = 0
        self.history = []

    @classmethod
    def from_moves(cls, text):
        p = cls()
        for ch in text:
            p.drop(int(ch) - 1)
        return p

    def can_drop(self, col):
        return self.heights[col] < col * H1 + HEIGHT

    def drop(self, col):
        if not self.can_drop(col):
            raise ColumnFull(f"column {col + 1} is full after {len(self.history)} moves")
        self.boards[self.turn] |= 1 << self.heights[col]
        self.heights[col] += 1
        self.history.append(col)
        self.turn ^= 1

    def undo(self):
        col = self.history.pop()
        self.heights[col] -= 1
        self.turn ^= 1
        self.boards[self.turn] ^= 1 << self.heights[col]

    def wins(self, who):
        b = self.boards[who]
        pairs = ((b & b >> shift, shift) for shift in (1, H1 - 1, H1, H1 + 1))
        return any(m & m >> 2 * shift for m, shift in pairs)

    def evaluate(self, who):
        """Count open three-in-a-row style lines for each side."""
        mine, theirs = self.boards[who], self.boards[who ^ 1]
        score = 0
        for mask in LINES:
            a = bin(mine & mask).count("1")
            b = bin(theirs & mask).count("1")
            if a and b:
                continue
            score += (0, 1, 4, 16, 1000)[a] - (0, 1, 4, 16, 1000)[b]
        return score

    def __str__(self):
        rows = []
        for r in reversed(range(HEIGHT)):
            cells = []
            for c in range(WIDTH):
                bit = 1 << (c * H1 + r)
                cells.append("X" if self.boards[0] & bit else "O" if self.boards[1] & bit else ".")
            rows.append(" ".join(cells))
        return "\n".join(rows)


def all_lines():
    out = []
    for c in range(WIDTH):
        for r in range(HEIGHT):
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(c + k * dc, r + k * dr) for k in range(4)]
                if all(0 <= x < WIDTH and 0 <= y < HEIGHT for x, y in cells):
                    out.append(reduce(lambda acc, xy: acc | 1 << (xy[0] * H1 + xy[1]), cells, 0))
    return out


LINES = all_lines()


class Engine:
    def __init__(self, depth):
        self.depth = depth
        self.nodes = 0
        self.cache = {}

    def negamax(self, pos, depth, alpha, beta):
        self.nodes += 1
        me = pos.turn
        if pos.wins(me ^ 1):
            return -10000 - depth
        if len(pos.history) == WIDTH * HEIGHT:
            return 0
        if depth == 0:
            return pos.evaluate(me)
        key = (pos.boards[0], pos.boards[1], depth)
        if key in self.cache:
            return self.cache[key]
        best = -(10**9)
        for col in ORDER:
            if pos.can_drop(col):
                pos.drop(col)
                best = max(best, -self.negamax(pos, depth - 1, -beta, -alpha))
                pos.undo()
                alpha = max(alpha, best)
                if alpha >= beta:
                    return best
        self.cache[key] = best
        return best

    def analyse(self, pos):
        scores = {}
        for col in ORDER:
            if pos.can_drop(col):
                pos.drop(col)
                scores[col] = -self.negamax(pos, self.depth - 1, -(10**9), 10**9)
                pos.undo()
        return scores


def main(opening, depth, max_moves):
    try:
        pos = Position.from_moves(opening)
    except ColumnFull as e:
        print(e)
        return str(e)
    engine = Engine(depth)
    played = []
    result = "unfinished"
    for _ in range(max_moves):
        scores = engine.analyse(pos)
        col = max(scores, key=scores.get)
        played.append((col + 1, scores[col]))
        pos.drop(col)
        if pos.wins(pos.turn ^ 1):
            result = "XO"[pos.turn ^ 1] + " wins"
            break
    print(pos)
    print(result)
    return result, played, str(pos).split("\n"), engine.nodes, len(LINES)


ARGS = [("44", 2, 6), ("4455", 3, 2), ("171717", 2, 1), ("3333333", 2, 1)]
