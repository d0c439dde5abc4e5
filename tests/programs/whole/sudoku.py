def candidates(grid, r, c):
    used = set(grid[r])
    used |= {grid[i][c] for i in range(9)}
    br, bc = 3 * (r // 3), 3 * (c // 3)
    for i in range(br, br + 3):
        used.update(grid[i][bc : bc + 3])
    return [d for d in range(1, 10) if d not in used]


def most_constrained(grid):
    best = None
    for r in range(9):
        for c in range(9):
            if grid[r][c] == 0:
                cand = candidates(grid, r, c)
                if best is None or len(cand) < len(best[2]):
                    best = (r, c, cand)
                    if len(cand) <= 1:
                        return best
    return best


def solve(grid):
    cell = most_constrained(grid)
    if cell is None:
        return True
    r, c, cand = cell
    for d in cand:
        grid[r][c] = d
        if solve(grid):
            return True
        grid[r][c] = 0
    return False


def main(puzzle):
    grid = [[int(ch) if ch != "." else 0 for ch in puzzle[9 * r : 9 * r + 9]] for r in range(9)]
    if not solve(grid):
        raise ValueError("unsolvable")
    for i, row in enumerate(grid):
        if i % 3 == 0 and i:
            print("------+-------+------")
        print(" | ".join(" ".join(map(str, row[j : j + 3])) for j in (0, 3, 6)))
    return grid


ARGS = [
    ("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",),
    ("55..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",),
]
