import heapq
from dataclasses import dataclass, field
from typing import Optional


@dataclass(order=True)
class Node:
    f: int
    g: int = field(compare=False)
    pos: tuple = field(compare=False)
    parent: Optional["Node"] = field(compare=False, default=None)


def heuristic(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def neighbours(grid, pos):
    rows, cols = len(grid), len(grid[0])
    r, c = pos
    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        nr, nc = r + dr, c + dc
        if 0 <= nr < rows and 0 <= nc < cols and grid[nr][nc] != "#":
            yield nr, nc


def find(grid, ch):
    for r, row in enumerate(grid):
        for c, x in enumerate(row):
            if x == ch:
                return r, c
    raise ValueError(f"{ch!r} not found")


def astar(grid, start, goal):
    open_heap = [Node(heuristic(start, goal), 0, start)]
    best = {start: 0}
    while open_heap:
        node = heapq.heappop(open_heap)
        if node.pos == goal:
            path = []
            while node is not None:
                path.append(node.pos)
                node = node.parent
            return path[::-1]
        if node.g > best[node.pos]:
            continue
        for nxt in neighbours(grid, node.pos):
            g = node.g + 1
            if g < best.get(nxt, float("inf")):
                best[nxt] = g
                heapq.heappush(open_heap, Node(g + heuristic(nxt, goal), g, nxt, node))
    return None


def main(text):
    grid = text.splitlines()
    start, goal = find(grid, "S"), find(grid, "G")
    path = astar(grid, start, goal)
    if path is None:
        print("no path")
        return None
    canvas = [list(row) for row in grid]
    for r, c in path[1:-1]:
        canvas[r][c] = "."
    out = "\n".join("".join(row) for row in canvas)
    print(out)
    return len(path) - 1, path


ARGS = [
    ("S   #    \n  # # ## \n  #   #G \n ###### #\n         ",),
    ("S##G\n ## ",),
]
