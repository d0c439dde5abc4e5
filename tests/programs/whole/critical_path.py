"""Project scheduling: PERT estimates, critical path, slack, cycle detection with graphlib-like code."""

from collections import deque
from dataclasses import dataclass, field
from typing import Dict, Iterable, List, Set, Tuple


class CycleError(ValueError):
    def __init__(self, cycle: List[str]):
        super().__init__(" -> ".join(cycle))
        self.cycle = cycle


@dataclass(eq=False)
class Task:
    name: str
    optimistic: float
    likely: float
    pessimistic: float
    after: Tuple[str, ...] = ()
    earliest: float = field(default=0.0, init=False)
    latest: float = field(default=float("inf"), init=False)

    @property
    def duration(self) -> float:
        return (self.optimistic + 4 * self.likely + self.pessimistic) / 6

    @property
    def variance(self) -> float:
        return ((self.pessimistic - self.optimistic) / 6) ** 2

    @property
    def slack(self) -> float:
        return self.latest - self.earliest - self.duration

    @property
    def critical(self) -> bool:
        return abs(self.slack) < 1e-9


class Project:
    def __init__(self, tasks: Iterable[Task]):
        self.tasks: Dict[str, Task] = {t.name: t for t in tasks}
        self.order = self._toposort()

    def _toposort(self) -> List[Task]:
        remaining = {n: set(t.after) for n, t in self.tasks.items()}
        ready = deque(sorted(n for n, deps in remaining.items() if not deps))
        order = []
        while ready:
            name = ready.popleft()
            order.append(self.tasks[name])
            del remaining[name]
            for other in sorted(remaining):
                deps = remaining[other]
                if name in deps:
                    deps.discard(name)
                    if not deps:
                        ready.append(other)
        if remaining:
            raise CycleError(self._cycle(remaining))
        return order

    @staticmethod
    def _cycle(remaining: Dict[str, Set[str]]) -> List[str]:
        path = [min(remaining)]
        while True:
            nxt = min(d for d in remaining[path[-1]] if d in remaining)
            if nxt in path:
                return path[path.index(nxt) :] + [nxt]
            path.append(nxt)

    def plan(self) -> float:
        for t in self.order:
            t.earliest = max(
                (self.tasks[a].earliest + self.tasks[a].duration for a in t.after), default=0.0
            )
        end = max(t.earliest + t.duration for t in self.order)
        for t in reversed(self.order):
            t.latest = min(t.latest, end)
            for a in t.after:
                self.tasks[a].latest = min(self.tasks[a].latest, t.latest - t.duration)
        return end

    def gantt(self, scale: float = 1.0) -> List[str]:
        return [
            f"{t.name:<8}|"
            + " " * round(t.earliest * scale)
            + ("#" if t.critical else "-") * max(1, round(t.duration * scale))
            for t in self.order
        ]


def main(rows, loop):
    p = Project(Task(*r) for r in rows)
    end = p.plan()
    critical = [t.name for t in p.order if t.critical]
    sd = sum(t.variance for t in p.order if t.critical) ** 0.5
    try:
        Project(Task(*r) for r in loop)
    except CycleError as e:
        problem = (str(e), len(e.cycle))
    return (
        round(end, 6),
        critical,
        round(sd, 6),
        p.gantt(),
        {t.name: round(t.slack, 4) for t in p.order},
        problem,
    )


ARGS = [
    (
        [
            ("design", 2, 4, 7),
            ("order", 1, 2, 3, ("design",)),
            ("frame", 3, 5, 9, ("design",)),
            ("wire", 2, 3, 4, ("frame", "order")),
            ("paint", 1, 2, 2, ("frame",)),
            ("test", 2, 2, 5, ("wire", "paint")),
        ],
        [("a", 1, 1, 1, ("c",)), ("b", 1, 1, 1, ("a",)), ("c", 1, 1, 1, ("b",))],
    )
]
