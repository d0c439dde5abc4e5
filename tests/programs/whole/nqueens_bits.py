def count(n):
    full = (1 << n) - 1

    def go(cols, d1, d2):
        if cols == full:
            return 1
        total = 0
        free = full & ~(cols | d1 | d2)
        while free:
            bit = free & -free
            free ^= bit
            total += go(cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1)
        return total

    return go(0, 0, 0)


def backtrack(n):
    board = [-1] * n
    found = []

    def safe(r, c):
        for i in range(r):
            if board[i] == c or abs(board[i] - c) == r - i:
                return False
        return True

    def place(r):
        if r == n:
            found.append(board[:])
            return
        for c in range(n):
            if safe(r, c):
                board[r] = c
                place(r + 1)
        board[r] = -1

    place(0)
    return found


def main(n):
    c = count(n)
    sols = backtrack(n)
    print(n, c, len(sols))
    for row in sols[0]:
        print("".join("Q" if i == row else "." for i in range(n)))
    return c, sols[-1]


ARGS = [(7,), (3,)]
