from functools import lru_cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    for a, b, c in LINES:
        if board[a] != "." and board[a] == board[b] == board[c]:
            return board[a]
    return None


@lru_cache(maxsize=None)
def minimax(board, player):
    w = winner(board)
    if w == "X":
        return 1, None
    if w == "O":
        return -1, None
    if "." not in board:
        return 0, None
    best_move = None
    best = -2 if player == "X" else 2
    other = "O" if player == "X" else "X"
    for i, ch in enumerate(board):
        if ch == ".":
            score, _ = minimax(board[:i] + player + board[i + 1 :], other)
            if (player == "X" and score > best) or (player == "O" and score < best):
                best, best_move = score, i
    return best, best_move


def show(board):
    for r in range(0, 9, 3):
        print(" ".join(board[r : r + 3]))


def main(board, player):
    moves = []
    while winner(board) is None and "." in board:
        score, move = minimax(board, player)
        moves.append((player, move, score))
        board = board[:move] + player + board[move + 1 :]
        player = "O" if player == "X" else "X"
    show(board)
    return board, moves, winner(board)


ARGS = [("X...O....", "X"), ("XX.OO....", "O")]
