"""A* over a hexagonal map with cube coordinates as a NamedTuple."""

import heapq
from typing import Dict, Iterator, List, NamedTuple, Optional


class Hex(NamedTuple):
    q: int
    r: int

    @property
    def s(self) -> int:
        return -self.q - self.r

    def __add__(self, other: "Hex") -> "Hex":
        return Hex(self.q + other.q, self.r + other.r)

    def distance(self, other: "Hex") -> int:
        return max(abs(self.q - other.q), abs(self.r - other.r), abs(self.s - other.s))

    def neighbours(self) -> Iterator["Hex"]:
        for d in DIRECTIONS:
            yield self + d


DIRECTIONS = [Hex(1, 0), Hex(1, -1), Hex(0, -1), Hex(-1, 0), Hex(-1, 1), Hex(0, 1)]
TERRAIN = {"plain": 1, "forest": 2, "hill": 3, "lake": None}


class HexMap:
    def __init__(self, radius: int):
        self.radius = radius
        self.terrain: Dict[Hex, str] = {}
        kinds = list(TERRAIN)
        for q in range(-radius, radius + 1):
            for r in range(-radius, radius + 1):
                cell = Hex(q, r)
                if abs(cell.s) <= radius:
                    k = (q * q * 7 + r * r * 13 + q * r * 5) % 11
                    self.terrain[cell] = kinds[0 if k < 5 else 1 if k < 7 else 2 if k < 9 else 3]

    def cost(self, cell: Hex) -> Optional[int]:
        name = self.terrain.get(cell)
        return TERRAIN[name] if name else None

    def path(self, start: Hex, goal: Hex) -> Optional[List[Hex]]:
        frontier = [(0, start)]
        came: Dict[Hex, Optional[Hex]] = {start: None}
        spent = {start: 0}
        while frontier:
            _, current = heapq.heappop(frontier)
            if current == goal:
                break
            for nxt in current.neighbours():
                step = self.cost(nxt)
                if step is None:
                    continue
                total = spent[current] + step
                if nxt not in spent or total < spent[nxt]:
                    spent[nxt] = total
                    heapq.heappush(frontier, (total + nxt.distance(goal), nxt))
                    came[nxt] = current
        else:
            return None
        path = [goal]
        while (previous := came[path[-1]]) is not None:
            path.append(previous)
        return path[::-1]


def main(radius, trips):
    world = HexMap(radius)
    report = []
    for (a, b), (c, d) in trips:
        path = world.path(Hex(a, b), Hex(c, d))
        if path is None:
            report.append(("no way", 0, []))
        else:
            report.append(
                ("ok", sum(world.cost(p) for p in path[1:]), [tuple(p) for p in path[:4]])
            )
    return report


ARGS = [(7, [((0, 0), (7, -3)), ((-7, 7), (7, -7)), ((1, 1), (-4, 0)), ((3, -7), (-2, 7))])]
