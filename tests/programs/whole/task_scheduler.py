"""Project planning: topological order, critical path, cycle exception, PERT."""

import heapq
from collections import defaultdict, deque
from dataclasses import dataclass, field


class CycleError(Exception):
    def __init__(self, path):
        self.path = path
        super().__init__(" -> ".join(path))


@dataclass(order=True)
class Task:
    sort_index: tuple = field(init=False, repr=False)
    name: str
    duration: int
    deps: list = field(default_factory=list, compare=False)
    start: int = field(default=0, compare=False)

    def __post_init__(self):
        self.sort_index = (-self.duration, self.name)

    @property
    def end(self):
        return self.start + self.duration


class Project:
    def __init__(self, name):
        self.name = name
        self.tasks = {}

    def add(self, name, duration, *deps):
        self.tasks[name] = Task(name, duration, list(deps))
        return self

    def __iter__(self):
        return iter(self.tasks.values())

    def __len__(self):
        return len(self.tasks)

    def __contains__(self, name):
        return name in self.tasks

    def __getitem__(self, name):
        return self.tasks[name]

    def check(self):
        WHITE, GREY, BLACK = 0, 1, 2
        color = defaultdict(int)
        stack = []

        def visit(n):
            color[n] = GREY
            stack.append(n)
            for d in self.tasks[n].deps:
                if d not in self:
                    raise KeyError(d)
                if color[d] == GREY:
                    raise CycleError(stack[stack.index(d) :] + [d])
                if color[d] == WHITE:
                    visit(d)
            stack.pop()
            color[n] = BLACK

        for n in self.tasks:
            if color[n] == WHITE:
                visit(n)

    def order(self):
        indeg = {n: len(t.deps) for n, t in self.tasks.items()}
        users = defaultdict(list)
        for t in self:
            for d in t.deps:
                users[d].append(t.name)
        q = deque(n for n, k in indeg.items() if not k)
        while q:
            n = q.popleft()
            yield n
            for u in users[n]:
                indeg[u] -= 1
                if indeg[u] == 0:
                    q.append(u)

    def critical(self):
        self.check()
        prev = {}
        for n in self.order():
            t = self[n]
            if t.deps:
                best = max(t.deps, key=lambda d: self[d].end)
                t.start = self[best].end
                prev[n] = best
        last = max(self, key=lambda t: t.end)
        path = [last.name]
        while (p := prev.get(path[-1])) is not None:
            path.append(p)
        return last.end, path[::-1]

    def workers(self, count):
        ready, running, done, out, now = [], [], set(), [], 0
        waiting = dict(self.tasks)
        while waiting or ready or running:
            for n in [n for n, t in waiting.items() if done.issuperset(t.deps)]:
                heapq.heappush(ready, waiting.pop(n))
            while ready and len(running) < count:
                t = heapq.heappop(ready)
                heapq.heappush(running, (now + t.duration, t.name))
                out.append((now, t.name))
            now, n = heapq.heappop(running)
            done.add(n)
        return now, out


def main(spec, bad):
    p = Project("house")
    for name, dur, deps in spec:
        p.add(name, dur, *deps)
    length, path = p.critical()
    plans = [p.workers(k) for k in (1, 2, 3)]
    errs = []
    for b in bad:
        q = Project("bad")
        for name, deps in b.items():
            q.add(name, 1, *deps)
        try:
            q.check()
        except CycleError as e:
            errs.append((len(e.path), str(e)))
        except KeyError as e:
            errs.append((0, repr(e)))
        else:
            errs.append((-1, "fine"))
    return (
        length,
        path,
        plans,
        errs,
        len(p),
        "roof" in p,
        [t.name for t in sorted(p)],
        repr(p["roof"]),
    )


ARGS = [
    (
        [
            ("plan", 3, []),
            ("dig", 5, ["plan"]),
            ("walls", 8, ["dig"]),
            ("roof", 4, ["walls"]),
            ("pipes", 6, ["dig"]),
            ("wires", 4, ["walls"]),
            ("paint", 3, ["roof", "wires"]),
            ("move", 1, ["paint", "pipes"]),
        ],
        [{"a": ["b"], "b": ["c"], "c": ["a"]}, {"a": ["z"]}, {"a": [], "b": ["a"]}],
    )
]
