"""Conway's game of life on a torus: the rule by loops, and a glider that must come home."""

import numpy as np
from _common import compare, size


def life(board, generations):
    rows, cols = board.shape
    board = board.copy()
    following = np.empty_like(board)
    for _ in range(generations):
        for y in range(rows):
            up, down = (y - 1) % rows, (y + 1) % rows
            for x in range(cols):
                left, right = (x - 1) % cols, (x + 1) % cols
                alive = (
                    board[up, left] + board[up, x] + board[up, right]
                    + board[y, left] + board[y, right]
                    + board[down, left] + board[down, x] + board[down, right]
                )  # fmt: skip
                following[y, x] = alive == 3 or (alive == 2 and board[y, x] == 1)
        board, following = following, board
    return board


def life_numpy(board, generations):
    """The usual NumPy form."""
    for _ in range(generations):
        alive = sum(
            np.roll(board, (dy, dx), axis=(0, 1))
            for dy in (-1, 0, 1)
            for dx in (-1, 0, 1)
            if dy or dx
        )
        board = ((alive == 3) | ((alive == 2) & (board == 1))).astype(board.dtype)
    return board


def main():
    n = size(400)
    soup = (np.random.default_rng(3).random((n, n)) < 0.3).astype(np.int64)
    after = compare(life, lambda: (soup, 40), reference=life_numpy)
    glider = np.zeros((10, 10), np.int64)
    glider[0, 1] = glider[1, 2] = glider[2, :3] = 1
    # One cell down and to the right in 4 generations, so once around the torus in 40.
    home = compare(life, lambda: (glider, 40), reference=life_numpy)
    print(f"{after.sum()} cells live; the glider is home: {np.array_equal(home, glider)}")


if __name__ == "__main__":
    main()
