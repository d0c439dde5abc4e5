"""Petri net simulation and reachability with multisets (Counter) and frozen markings."""

from collections import Counter, deque
from dataclasses import dataclass
from typing import Dict, FrozenSet, List, Tuple

Marking = FrozenSet[Tuple[str, int]]


@dataclass
class Transition:
    name: str
    needs: Counter
    gives: Counter

    def enabled(self, tokens: Counter) -> bool:
        return all(tokens[p] >= n for p, n in self.needs.items())

    def fire(self, tokens: Counter) -> Counter:
        result = tokens.copy()
        result.subtract(self.needs)
        result.update(self.gives)
        return +result


class PetriNet:
    def __init__(self, spec: str):
        self.transitions: List[Transition] = []
        for line in spec.strip().splitlines():
            name, rule = line.split(":")
            left, right = rule.split("->")
            self.transitions.append(Transition(name.strip(), self.bag(left), self.bag(right)))

    @staticmethod
    def bag(text: str) -> Counter:
        c = Counter()
        for word in text.split():
            n, star, place = word.rpartition("*")
            c[place] += int(n) if star else 1
        return c

    @property
    def places(self):
        return sorted({p for t in self.transitions for p in [*t.needs, *t.gives]})

    def freeze(self, tokens: Counter) -> Marking:
        return frozenset(tokens.items())

    def reachable(self, start: Counter, limit: int = 500):
        seen: Dict[Marking, int] = {self.freeze(start): 0}
        queue = deque([start])
        dead = []
        edges = 0
        while queue and len(seen) < limit:
            tokens = queue.popleft()
            depth = seen[self.freeze(tokens)]
            moved = False
            for t in self.transitions:
                if t.enabled(tokens):
                    moved = True
                    edges += 1
                    nxt = t.fire(tokens)
                    key = self.freeze(nxt)
                    if key not in seen:
                        seen[key] = depth + 1
                        queue.append(nxt)
            if not moved:
                dead.append(dict(sorted(tokens.items())))
        return seen, dead, edges

    def run(self, start: Counter, steps: int, seed: int):
        tokens, trace, x = start, [], seed
        for _ in range(steps):
            ready = [t for t in self.transitions if t.enabled(tokens)]
            if not ready:
                break
            x = (x * 75 + 74) % 65537
            chosen = ready[x % len(ready)]
            tokens = chosen.fire(tokens)
            trace.append(chosen.name)
        return tokens, trace


def main(spec, start, steps):
    net = PetriNet(spec)
    tokens = PetriNet.bag(start)
    seen, dead, edges = net.reachable(tokens)
    final, trace = net.run(tokens, steps, 7)
    return (
        net.places,
        len(seen),
        max(seen.values()),
        dead,
        edges,
        sorted(final.items()),
        Counter(trace).most_common(2),
        trace[:5],
    )


ARGS = [
    (
        """
take_left1: idle1 fork1 -> half1
eat1: half1 fork2 -> eating1
done1: eating1 -> idle1 fork1 fork2
take_left2: idle2 fork2 -> half2
eat2: half2 fork1 -> eating2
done2: eating2 -> idle2 fork1 fork2
""",
        "idle1 idle2 fork1 fork2",
        40,
    )
]
