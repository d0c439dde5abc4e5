"""Members of enums as values, and instances as keys."""

from collections import namedtuple
from dataclasses import dataclass
from enum import Enum, auto


class Color(Enum):
    RED = "r"
    GREEN = "g"
    BLUE = "b"


class State(Enum):
    IDLE = auto()
    RUN = auto()
    DONE = auto()


class Machine:
    def __init__(self):
        self.s = State.IDLE
        self.n = 0

    def step(self):
        if self.s == State.IDLE:
            self.s = State.RUN
        elif self.s is State.RUN:
            self.n += 1
            if self.n > 2:
                self.s = State.DONE


def machine(n):
    m = Machine()
    for _ in range(n):
        m.step()
    return m.s, m.n, m.s.name, m.s.value


def chosen(n):
    c = Color.RED
    for i in range(n):
        c = Color.GREEN if i % 2 else Color.BLUE
    return c, c is Color.BLUE, c.value


def listed(n):
    out = []
    for i in range(n):
        out.append(Color.RED if i % 2 else Color.GREEN)
    return out, [x.name for x in out], sum(1 for x in out if x is Color.RED)


def counted(n):
    cnt = {Color.RED: 0, Color.GREEN: 0}
    for i in range(n):
        if i % 3:
            cnt[Color.RED] += 1
        else:
            cnt[Color.GREEN] += 1
    return cnt


def matched(n):
    l = []
    for i in range(n):
        l.append((i, State.RUN if i > 2 else State.IDLE))
    t = 0
    for i, s in l:
        match s:
            case State.RUN:
                t += i
            case State.IDLE:
                t -= 1
    return t, l


@dataclass
class Order:
    price: float
    side: Color


def orders(n):
    os = [Order(i * 1.5, Color.RED if i % 2 else Color.BLUE) for i in range(n)]
    return sum(o.price for o in os if o.side is Color.RED), os[0].side


def given(k):
    if k is Color.RED:
        r = 1
    else:
        r = 2
    return r, k


def assigned(k, n):
    x = k
    for i in range(n):
        x = Color.RED if x is Color.BLUE else Color.BLUE
    return x


class Node:
    def __init__(self, v):
        self.v = v
        self.out = []


def graph(n):
    nodes = [Node(i) for i in range(n)]
    for i in range(n):
        nodes[i].out.append(nodes[(i * 3 + 1) % n])
        nodes[i].out.append(nodes[(i * 5 + 2) % n])
    seen = set()
    st = [nodes[0]]
    t = 0
    while st:
        x = st.pop()
        if x in seen:
            continue
        seen.add(x)
        t += x.v
        for y in x.out:
            st.append(y)
    return t, len(seen)


def dist(n):
    nodes = [Node(i) for i in range(n)]
    for i in range(n - 1):
        nodes[i].out.append(nodes[i + 1])
    d = {nodes[0]: 0}
    q = [nodes[0]]
    for u in q:
        for w in u.out:
            if w not in d:
                d[w] = d[u] + 1
                q.append(w)
    return d[nodes[-1]], sum(d.values())


def inlist(n):
    nodes = [Node(i) for i in range(n)]
    return nodes[2] in nodes, nodes.index(nodes[3]), Node(1) in nodes


@dataclass(frozen=True)
class Cell:
    row: int
    column: int

    def __add__(self, other):
        return Cell(self.row + other.row, self.column + other.column)


@dataclass(frozen=True)
class Tagged:
    cell: Cell
    name: str


Point = namedtuple("Point", "x y")


def walk(n):
    seen = {Cell(0, 0)}
    at = Cell(0, 0)
    for i in range(n):
        at = at + Cell(i % 2, (i + 1) % 2)
        if at in seen:
            return -1
        seen.add(at)
    return len(seen), Cell(1, 1) in seen, (1, 1) in seen


def life(alive, steps):
    """Conway's: cells as keys."""
    cells = {Cell(i, j) for i, j in alive}
    for _ in range(steps):
        counts = {}
        for c in cells:
            for i in (-1, 0, 1):
                for j in (-1, 0, 1):
                    if i or j:
                        near = c + Cell(i, j)
                        counts[near] = counts.get(near, 0) + 1
        cells = {c for c, k in counts.items() if k == 3 or (k == 2 and c in cells)}
    return sorted((c.row, c.column) for c in cells), cells


def tagged(n):
    found = {}
    for i in range(n):
        found[Tagged(Cell(i % 2, i % 3), str(i % 2))] = i
    return found, found.get(Tagged(Cell(0, 0), "0")), [key.name for key in found]


def listed_cells(n):
    cells = []
    for i in range(n):
        cells.append(Cell(i, i * 2))
    return cells, Cell(1, 2) in cells, cells.index(Cell(1, 2)), cells[0] == Cell(0, 0)


def named(n):
    found, lists = {}, {}
    for i in range(n):
        found[Point(i % 2, i % 3)] = i
        lists.setdefault(i % 2, []).append(Point(i, i * 2.0))
    return found, (0, 0) in found, lists


MISSING = object()


def no_sentinels(n):
    """A list of a run-time length, a function and a range are no sentinel and no None."""
    found = [k for k in range(n)]
    return found is MISSING, found[:2] is None, named is MISSING, range(n) is not MISSING


CASES = [
    (no_sentinels, (3,)),
    (machine, (6,)),
    (chosen, (5,)),
    (listed, (4,)),
    (counted, (7,)),
    (matched, (5,)),
    (orders, (5,)),
    (given, (Color.RED,)),
    (assigned, (Color.GREEN, 3)),
    (graph, (8,)),
    (dist, (8,)),
    (inlist, (8,)),
    (walk, (6,)),
    (life, ([(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)], 3)),
    (tagged, (9,)),
    (listed_cells, (5,)),
    (named, (7,)),
]
