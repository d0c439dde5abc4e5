LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Game:
    def __init__(self):
        self.board = [" "] * 9
        self.memo = {}
        self.visited = 0

    def winner(self):
        for a, b, c in LINES:
            if self.board[a] == self.board[b] == self.board[c] != " ":
                return self.board[a]
        return None

    def moves(self):
        return [i for i, x in enumerate(self.board) if x == " "]

    def solve(self, player):
        key = "".join(self.board) + player
        if key in self.memo:
            return self.memo[key]
        self.visited += 1
        w = self.winner()
        if w:
            result = (1 if w == player else -1, -1)
        elif not self.moves():
            result = (0, -1)
        else:
            result = (-2, -1)
            opponent = "O" if player == "X" else "X"
            for m in self.moves():
                self.board[m] = player
                score = -self.solve(opponent)[0]
                self.board[m] = " "
                if score > result[0]:
                    result = (score, m)
        self.memo[key] = result
        return result


def main(start):
    g = Game()
    for i, ch in enumerate(start):
        g.board[i] = ch
    player = "X" if start.count("X") == start.count("O") else "O"
    result = g.solve(player)
    print(f"{player}: {result}, visited {g.visited}, memo {len(g.memo)}")
    return result, g.visited


ARGS = [("         ",), ("XOX OX   ",)]
