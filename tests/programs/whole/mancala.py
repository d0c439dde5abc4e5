"""Kalah (mancala) with alpha-beta search against a greedy player."""

PITS = 6


class Board:
    """Pits 0-5 and store 6 belong to player 0, pits 7-12 and store 13 to player 1."""

    def __init__(self, stones=4):
        self.pits = [stones] * 14
        self.pits[6] = self.pits[13] = 0
        self.player = 0

    def copy(self):
        b = Board.__new__(Board)
        b.pits = self.pits[:]
        b.player = self.player
        return b

    @property
    def scores(self):
        return self.pits[6], self.pits[13]

    def side(self, player):
        start = player * 7
        return range(start, start + PITS)

    def moves(self):
        return [i - self.player * 7 for i in self.side(self.player) if self.pits[i]]

    def finished(self):
        return any(not any(self.pits[i] for i in self.side(p)) for p in (0, 1))

    def play(self, pit):
        """Sow from the given pit; returns True if the player moves again."""
        me = self.player
        store, other_store = me * 7 + 6, (1 - me) * 7 + 6
        i = me * 7 + pit
        stones = self.pits[i]
        if not 0 <= pit < PITS or stones == 0:
            raise ValueError(f"player {me} cannot play pit {pit}")
        self.pits[i] = 0
        while stones:
            i = (i + 1) % 14
            if i == other_store:
                continue
            self.pits[i] += 1
            stones -= 1
        if i in self.side(me) and self.pits[i] == 1 and self.pits[12 - i]:
            self.pits[store] += 1 + self.pits[12 - i]
            self.pits[i] = self.pits[12 - i] = 0
        if self.finished():
            for p in (0, 1):
                for k in self.side(p):
                    self.pits[p * 7 + 6] += self.pits[k]
                    self.pits[k] = 0
            return False
        if i == store:
            return True
        self.player = 1 - me
        return False

    def over(self):
        return not any(self.pits[i] for p in (0, 1) for i in self.side(p))

    def __str__(self):
        top = " ".join(f"{n:2}" for n in self.pits[12:6:-1])
        low = " ".join(f"{n:2}" for n in self.pits[0:6])
        return f"   {top}\n{self.pits[13]:2} {' ' * 17} {self.pits[6]:2}\n   {low}"


class AlphaBeta:
    def __init__(self, depth):
        self.depth = depth
        self.nodes = 0

    def choose(self, board):
        me = board.player

        def search(b, depth, alpha, beta):
            self.nodes += 1
            if depth == 0 or b.over():
                s = b.scores
                return s[me] - s[1 - me]
            best = None
            for m in b.moves():
                child = b.copy()
                child.play(m)
                v = search(child, depth - 1, alpha, beta)
                if b.player == me:
                    best = v if best is None else max(best, v)
                    alpha = max(alpha, best)
                else:
                    best = v if best is None else min(best, v)
                    beta = min(beta, best)
                if beta <= alpha:
                    break
            return best

        values = {}
        for m in board.moves():
            child = board.copy()
            child.play(m)
            values[m] = search(child, self.depth - 1, -999, 999)
        return max(values, key=lambda m: (values[m], -m))


def greedy(board):
    def gain(m):
        b = board.copy()
        again = b.play(m)
        return b.scores[board.player] + (1 if again else 0)

    return max(board.moves(), key=gain)


def main(stones, depth, first="smart"):
    board = Board(stones)
    smart = AlphaBeta(depth)
    chooser = {0: smart.choose, 1: greedy} if first == "smart" else {0: greedy, 1: smart.choose}
    history = ""
    while not board.over():
        who = board.player
        move = chooser[who](board)
        history += "AB"[who] + str(move)
        board.play(move)
        assert sum(board.pits) == stones * 12
    print(board)
    a, b = board.scores
    try:
        board.play(2)
        error = None
    except ValueError as e:
        error = str(e)
    winner = "draw" if a == b else "first" if a > b else "second"
    print(f"{a} : {b} -> {winner}, {smart.nodes} nodes")
    return winner, (a, b), history, smart.nodes, error


ARGS = [(2, 3), (3, 3, "greedy"), (4, 3)]
