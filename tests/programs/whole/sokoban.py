"""Sokoban solved by breadth first search over frozensets of boxes."""

from collections import deque
from typing import FrozenSet, Iterable, NamedTuple, Optional, Tuple

Pos = Tuple[int, int]
MOVES = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}


class State(NamedTuple):
    player: Pos
    boxes: FrozenSet[Pos]


class Level:
    def __init__(self, text: str):
        self.walls = set()
        self.goals = set()
        boxes = set()
        player = None
        for r, line in enumerate(text.strip("\n").split("\n")):
            for c, ch in enumerate(line):
                if ch == "#":
                    self.walls.add((r, c))
                if ch in ".*+":
                    self.goals.add((r, c))
                if ch in "$*":
                    boxes.add((r, c))
                if ch in "@+":
                    player = (r, c)
        if player is None or len(boxes) != len(self.goals):
            raise ValueError("bad level")
        self.start = State(player, frozenset(boxes))

    def is_corner(self, p: Pos) -> bool:
        r, c = p
        up_down = (r - 1, c) in self.walls or (r + 1, c) in self.walls
        left_right = (r, c - 1) in self.walls or (r, c + 1) in self.walls
        return up_down and left_right and p not in self.goals

    def successors(self, s: State) -> Iterable[Tuple[str, State]]:
        for name, (dr, dc) in MOVES.items():
            nxt = (s.player[0] + dr, s.player[1] + dc)
            if nxt in self.walls:
                continue
            if nxt in s.boxes:
                beyond = (nxt[0] + dr, nxt[1] + dc)
                if beyond in self.walls or beyond in s.boxes or self.is_corner(beyond):
                    continue
                yield name, State(nxt, s.boxes - {nxt} | {beyond})
            else:
                yield name.lower(), State(nxt, s.boxes)

    def solve(self, limit: int = 20000) -> Optional[Tuple[str, int]]:
        parents = {self.start: None}
        queue = deque([self.start])
        while queue and len(parents) < limit:
            state = queue.popleft()
            if state.boxes == self.goals:
                steps = []
                while parents[state] is not None:
                    name, state = parents[state]
                    steps.append(name)
                return "".join(reversed(steps)), len(parents)
            for name, nxt in self.successors(state):
                if nxt not in parents:
                    parents[nxt] = (name, state)
                    queue.append(nxt)
        return None


def main(levels):
    out = []
    for text in levels:
        try:
            found = Level(text).solve()
            out.append(found if found else "no solution")
        except ValueError as e:
            out.append(f"{e}: {len(text)}")
    return out


ARGS = [
    (
        [
            """
#######
#.    #
# $   #
#  $@ #
#   . #
#######
""",
            """
#####
#@$.#
# $ #
#  .#
#####
""",
            "#####\n#.$ #\n#####",
        ],
    )
]
