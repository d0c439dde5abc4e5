"""Maze generation (recursive backtracker) and two solvers."""

import random
from collections import deque

N, S, E, W = 1, 2, 4, 8
STEP = {N: (0, -1), S: (0, 1), E: (1, 0), W: (-1, 0)}
BACK = {N: S, S: N, E: W, W: E}


class Maze:
    def __init__(self, width, height, seed):
        self.width, self.height = width, height
        self.cells = [[0] * width for _ in range(height)]
        self.rng = random.Random(seed)
        self._carve()

    def inside(self, x, y):
        return 0 <= x < self.width and 0 <= y < self.height

    def _carve(self):
        stack = [(0, 0)]
        seen = {(0, 0)}
        while stack:
            x, y = stack[-1]
            options = []
            for d, (dx, dy) in STEP.items():
                nx, ny = x + dx, y + dy
                if self.inside(nx, ny) and (nx, ny) not in seen:
                    options.append((d, nx, ny))
            if not options:
                stack.pop()
                continue
            d, nx, ny = self.rng.choice(options)
            self.cells[y][x] |= d
            self.cells[ny][nx] |= BACK[d]
            seen.add((nx, ny))
            stack.append((nx, ny))

    def neighbours(self, pos):
        x, y = pos
        for d, (dx, dy) in STEP.items():
            if self.cells[y][x] & d:
                yield x + dx, y + dy

    def bfs(self, start, goal):
        parent = {start: None}
        queue = deque([start])
        while queue:
            cur = queue.popleft()
            if cur == goal:
                break
            for nxt in self.neighbours(cur):
                if nxt not in parent:
                    parent[nxt] = cur
                    queue.append(nxt)
        path = []
        while cur is not None:
            path.append(cur)
            cur = parent[cur]
        return path[::-1]

    def wall_follower(self, start, goal):
        """Right hand on the wall; returns the number of moves."""
        right = {N: E, E: S, S: W, W: N}
        facing = E
        (x, y), moves = start, 0
        while (x, y) != goal:
            d = right[facing]
            while not self.cells[y][x] & d:
                d = BACK[right[d]]  # turn left
            dx, dy = STEP[d]
            x, y = x + dx, y + dy
            facing = d
            moves += 1
        return moves

    def dead_ends(self):
        return sum(bin(c).count("1") == 1 for row in self.cells for c in row)

    def render(self, path=()):
        marked = set(path)
        lines = ["+" + "--+" * self.width]
        for y, row in enumerate(self.cells):
            mid, low = "|", "+"
            for x, c in enumerate(row):
                body = "<>" if (x, y) in marked else "  "
                mid += body + (" " if c & E else "|")
                low += ("  " if c & S else "--") + "+"
            lines += [mid, low]
        return "\n".join(lines)


def directions(path):
    names = {(0, -1): "N", (0, 1): "S", (1, 0): "E", (-1, 0): "W"}
    raw = "".join(names[(b[0] - a[0], b[1] - a[1])] for a, b in zip(path, path[1:]))
    out, i = [], 0
    while i < len(raw):
        j = i
        while j < len(raw) and raw[j] == raw[i]:
            j += 1
        out.append(f"{raw[i]}{j - i}")
        i = j
    return " ".join(out)


def main(width, height, seed):
    maze = Maze(width, height, seed)
    start, goal = (0, 0), (width - 1, height - 1)
    path = maze.bfs(start, goal)
    picture = maze.render(path)
    print(picture)
    return {
        "steps": len(path) - 1,
        "route": directions(path),
        "wall": maze.wall_follower(start, goal),
        "dead_ends": maze.dead_ends(),
        "row0": maze.cells[0],
        "picture": picture.splitlines()[:3],
    }


ARGS = [(5, 4, 1), (12, 8, 42), (30, 15, 7)]
