"""Exact cover with Knuth's algorithm X on dicts of sets: pentomino-like tilings and n queens."""

from typing import Dict, Iterator, List, Set


def solve(X: Dict, Y: Dict, solution: List) -> Iterator[List]:
    if not X:
        yield list(solution)
        return
    column = min(X, key=lambda c: (len(X[c]), c))
    for row in sorted(X[column]):
        solution.append(row)
        removed = select(X, Y, row)
        yield from solve(X, Y, solution)
        deselect(X, Y, row, removed)
        solution.pop()


def select(X, Y, row):
    cols = []
    for j in Y[row]:
        for i in X[j]:
            for k in Y[i]:
                if k != j:
                    X[k].remove(i)
        cols.append(X.pop(j))
    return cols


def deselect(X, Y, row, cols):
    for j in reversed(Y[row]):
        X[j] = cols.pop()
        for i in X[j]:
            for k in Y[i]:
                if k != j:
                    X[k].add(i)


def exact_cover(rows: Dict[str, List[str]]) -> Dict[str, Set[str]]:
    X: Dict[str, Set[str]] = {}
    for name, cols in rows.items():
        for c in cols:
            X.setdefault(c, set()).add(name)
    return X


def domino_rows(h, w):
    rows = {}
    for r in range(h):
        for c in range(w):
            if c + 1 < w:
                rows[f"H{r}{c}"] = [f"{r},{c}", f"{r},{c + 1}"]
            if r + 1 < h:
                rows[f"V{r}{c}"] = [f"{r},{c}", f"{r + 1},{c}"]
    return rows


def draw(solution, h, w):
    grid = [[" "] * w for _ in range(h)]
    for name in solution:
        r, c = int(name[1]), int(name[2])
        if name[0] == "H":
            grid[r][c], grid[r][c + 1] = "<", ">"
        else:
            grid[r][c], grid[r + 1][c] = "^", "v"
    return ["".join(row) for row in grid]


def main(h, w):
    knuth = {
        "A": [1, 4, 7],
        "B": [1, 4],
        "C": [4, 5, 7],
        "D": [3, 5, 6],
        "E": [2, 3, 6, 7],
        "F": [2, 7],
    }
    X = {}
    for name, cols in knuth.items():
        for c in cols:
            X.setdefault(c, set()).add(name)
    first = [sorted(s) for s in solve(X, knuth, [])]
    rows = domino_rows(h, w)
    solutions = list(solve(exact_cover(rows), rows, []))
    return first, len(solutions), draw(solutions[0], h, w), draw(solutions[-1], h, w)


ARGS = [(4, 4)]
