"""Epidemic/gossip agent simulation: Enum states, agents with state machines, grid neighbours, histories, NumPy counts."""

from __future__ import annotations

import random
from collections import Counter, deque
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import product
from typing import Iterable


class State(Enum):
    SUSCEPTIBLE = auto()
    EXPOSED = auto()
    INFECTED = auto()
    RECOVERED = auto()

    @property
    def letter(self):
        return self.name[0]

    def next(self) -> State:
        members = list(State)
        i = members.index(self)
        return members[min(i + 1, len(members) - 1)]


DURATION = {State.EXPOSED: 2, State.INFECTED: 4}


@dataclass
class Agent:
    row: int
    col: int
    state: State = State.SUSCEPTIBLE
    timer: int = 0
    infected_by: Agent | None = field(default=None, repr=False)

    def expose(self, source: Agent | None = None) -> bool:
        if self.state is not State.SUSCEPTIBLE:
            return False
        self.state = State.EXPOSED
        self.timer = DURATION[self.state]
        self.infected_by = source
        return True

    def tick(self):
        if self.state in DURATION:
            self.timer -= 1
            if self.timer == 0:
                self.state = self.state.next()
                self.timer = DURATION.get(self.state, 0)

    @property
    def generation(self) -> int:
        g, a = 0, self
        while a.infected_by is not None:
            a = a.infected_by
            g += 1
        return g


class World:
    def __init__(self, h: int, w: int, rate: float, rng: random.Random):
        if not 0 <= rate <= 1:
            raise ValueError(f"rate {rate} is not a probability")
        self.h, self.w, self.rate, self.rng = h, w, rate, rng
        self.agents = {(r, c): Agent(r, c) for r, c in product(range(h), range(w))}
        self.day = 0
        self.history: list[Counter] = []

    def neighbours(self, a: Agent) -> Iterable[Agent]:
        for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            n = self.agents.get((a.row + dr, a.col + dc))
            if n is not None:
                yield n

    def step(self):
        sick = [a for a in self.agents.values() if a.state is State.INFECTED]
        new = 0
        for a in sick:
            for n in self.neighbours(a):
                if self.rng.random() < self.rate and n.expose(a):
                    new += 1
        for a in self.agents.values():
            a.tick()
        self.day += 1
        self.history.append(Counter(a.state.letter for a in self.agents.values()))
        return new

    def run(self, limit=100):
        total = 0
        while self.day < limit:
            total += self.step()
            h = self.history[-1]
            if h["I"] + h["E"] == 0:
                break
        return total

    def clusters(self, state: State) -> list[int]:
        seen, sizes = set(), []
        for start, a in self.agents.items():
            if a.state is not state or start in seen:
                continue
            q, n = deque([a]), 0
            seen.add(start)
            while q:
                cur = q.popleft()
                n += 1
                for nb in self.neighbours(cur):
                    key = nb.row, nb.col
                    if nb.state is state and key not in seen:
                        seen.add(key)
                        q.append(nb)
            sizes.append(n)
        return sorted(sizes, reverse=True)

    def __str__(self):
        return "\n".join(
            "".join(self.agents[r, c].state.letter.replace("S", ".") for c in range(self.w))
            for r in range(self.h)
        )


def main(h, w, rates, seed):
    out = []
    for rate in rates:
        try:
            world = World(h, w, rate, random.Random(seed))
        except ValueError as e:
            print(e)
            continue
        world.agents[h // 2, w // 2].expose()
        total = world.run()
        peak = max(range(len(world.history)), key=lambda d: world.history[d]["I"])
        gens = Counter(a.generation for a in world.agents.values() if a.state is State.RECOVERED)
        out.append(
            (
                rate,
                world.day,
                total,
                peak,
                world.clusters(State.SUSCEPTIBLE)[:3],
                max(gens),
                gens.most_common(1)[0][1],
            )
        )
        print(world)
    return out


ARGS = [(9, 12, [0.2, 0.35, 1.5, 0.8], 6)]
