"""Water jug puzzles, river crossing and sliding blocks as one generic BFS."""

from collections import deque
from functools import lru_cache
from itertools import combinations


class Puzzle:
    """Subclasses say where it starts, when it is over, and what moves there are."""

    def start(self):
        raise NotImplementedError

    def is_goal(self, state):
        raise NotImplementedError

    def moves(self, state):
        raise NotImplementedError

    def solve(self, limit=20000):
        first = self.start()
        came_from = {first: None}
        queue = deque([first])
        while queue:
            state = queue.popleft()
            if self.is_goal(state):
                return self._trace(came_from, state), len(came_from)
            for label, nxt in self.moves(state):
                if nxt not in came_from:
                    came_from[nxt] = (state, label)
                    queue.append(nxt)
            if len(came_from) > limit:
                break
        return None, len(came_from)

    def _trace(self, came_from, state):
        steps = []
        while came_from[state] is not None:
            state, label = came_from[state]
            steps.append(label)
        steps.reverse()
        return steps


class Jugs(Puzzle):
    def __init__(self, sizes, target):
        self.sizes = tuple(sizes)
        self.target = target

    def start(self):
        return (0,) * len(self.sizes)

    def is_goal(self, state):
        return self.target in state

    def moves(self, state):
        for i, (amount, size) in enumerate(zip(state, self.sizes)):
            if amount < size:
                yield f"fill {size}", state[:i] + (size,) + state[i + 1 :]
            if amount:
                yield f"empty {size}", state[:i] + (0,) + state[i + 1 :]
                for j in range(len(state)):
                    room = self.sizes[j] - state[j]
                    if j != i and room:
                        poured = min(amount, room)
                        new = list(state)
                        new[i] -= poured
                        new[j] += poured
                        yield f"{size}->{self.sizes[j]}", tuple(new)


class River(Puzzle):
    """A boat for two; nobody of `hates` may be left alone without the farmer."""

    def __init__(self, things, hates):
        self.things = frozenset(things)
        self.hates = [frozenset(pair) for pair in hates]

    def start(self):
        return self.things, True

    def is_goal(self, state):
        return not state[0]

    def safe(self, group):
        return not any(pair <= group for pair in self.hates)

    def moves(self, state):
        left, farmer_left = state
        here = left if farmer_left else self.things - left
        for n in (0, 1):
            for cargo in combinations(sorted(here), n):
                moved = frozenset(cargo)
                new = left - moved if farmer_left else left | moved
                unattended = new if farmer_left else self.things - new
                if self.safe(unattended):
                    yield "/".join(cargo) or "(alone)", (new, not farmer_left)


@lru_cache(maxsize=None)
def gcd_all(*numbers):
    if len(numbers) == 1:
        return numbers[0]
    a, b, *rest = numbers
    while b:
        a, b = b, a % b
    return gcd_all(a, *rest)


def main(sizes, target, things, hates):
    answer = {}
    solvable = target % gcd_all(*sizes) == 0
    for name, puzzle in (("jugs", Jugs(sizes, target)), ("river", River(things, hates))):
        steps, seen = puzzle.solve()
        if steps is None:
            print(f"{name}: impossible ({seen} states)")
        else:
            print(f"{name}: {len(steps)} steps, {seen} states: {', '.join(steps)}")
        answer[name] = steps
    return answer, solvable


ARGS = [
    ([3, 5], 4, ["wolf", "goat", "cabbage"], [("wolf", "goat"), ("goat", "cabbage")]),
    ([12, 8, 6], 5, ["cat", "dog", "rat"], [("cat", "dog"), ("cat", "rat"), ("dog", "rat")]),
]
