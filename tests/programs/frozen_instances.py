"""Frozen dataclasses from outside and in memory: lists that grow, links, tables, tuples of them."""

from dataclasses import dataclass, replace
from typing import Optional


@dataclass(frozen=True)
class P:
    x: int
    y: int = 0

    def __add__(self, o):
        return P(self.x + o.x, self.y + o.y)

    @property
    def norm(self):
        return abs(self.x) + abs(self.y)


@dataclass(frozen=True, order=True)
class Card:
    rank: int
    suit: str


@dataclass(frozen=True, slots=True)
class Cell:
    r: int
    c: int


@dataclass(frozen=True)
class Node:
    value: int
    rest: Optional["Node"] = None


ORIGIN = P(0, 0)
DIRS = (P(1, 0), P(0, 1))
TABLE = {"a": P(1, 2), "b": P(3, 4)}


def of_two(p, q):
    return p + q, p == q, p == P(1, 2), hash(p) == hash(P(1, 2)), repr(p)


def of_a_list(ps):
    best = ps[0]
    for p in ps:
        if p.norm > best.norm:
            best = p
    return best, best is ps[-1], P(1, 1) in ps, ps.index(P(3, 4))


def list_that_grows(ps):
    ps.append(P(9))
    ps.sort(key=lambda p: -p.x)
    return ps


def walked(n):
    seen = {ORIGIN}
    at = ORIGIN
    for i in range(n):
        at = at + DIRS[i % 2]
        seen.add(at)
    return len(seen), at, at in seen, P(99) in seen, sorted((p.x, p.y) for p in seen)


def shuffled(n):
    deck = [Card(r, s) for s in "SH" for r in range(n)]
    for i in range(len(deck) - 1, 0, -1):
        j = i * 7 % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck, sorted(deck)[0], max(deck), deck[0] < deck[1]


def of_cards(cards):
    return max(cards), sorted(cards), cards[0] > cards[1], {c: c.rank for c in cards}


def linked(n):
    lst = None
    for i in range(n):
        lst = Node(i, lst)
    total = 0
    node = lst
    while node is not None:
        total += node.value
        node = node.rest
    return total, lst


def length_of_linked(node):
    n = 0
    while node:
        n += 1
        node = node.rest
    return n


def no_store(p):
    p.x = 3


def store_caught(n):
    p = P(n)
    try:
        p.x = 4
    except AttributeError as e:
        return type(e).__name__, str(e)


def of_a_table(key):
    return TABLE[key], TABLE[key] + ORIGIN, TABLE.get("zz")


def as_keys(n):
    p = P(n, 2)
    q = replace(p, y=n)
    d = {p: 1, q: 2, P(n, 2): 3}
    return q.y, d, len(d), d[P(n, 2)]


def with_slots(n):
    cells = {Cell(i, j) for i in range(n) for j in range(n) if (i + j) % 2}
    return (
        len(cells),
        Cell(0, 1) in cells,
        sum(c.r for c in cells),
        sorted(cells, key=lambda c: (c.r, c.c)),
    )


def in_recursion(n):
    def go(p, k):
        return p if k == 0 else go(p + DIRS[0], k - 1)

    return go(ORIGIN, n)


def of_a_dict(d):
    return {k: v.norm for k, v in d.items()}, max(d, key=lambda k: d[k].norm)


def matched(p):
    match p:
        case P(x=0):
            return "zero"
        case P(x, y) if x == y:
            return "diag"
        case P():
            return "other"


class Tool:
    def __init__(self, size):
        self.size = size
        self.used = 0

    def use(self):
        self.used += 1
        return self.size


TOOLS = (Tool(1), Tool(2), Tool(3))


def tools_in_turn(n):
    total = 0
    for i in range(n):
        total += TOOLS[i % 3].use()
    return total, [t.used for t in TOOLS][0] > 0, max(TOOLS, key=lambda t: t.size).size


@dataclass(frozen=True)
class Sum:
    left: object
    right: object


def nested_sums(n):
    tree = P(0)
    for i in range(n):
        tree = Sum(tree, P(i))
    return tree


CASES = [
    (of_two, (P(1, 2), P(3, 4))),
    (of_a_list, ([P(1), P(3, 4)],)),
    (list_that_grows, ([P(1), P(3, 4)],)),
    (walked, (5,)),
    (shuffled, (4,)),
    (of_cards, ([Card(3, "S"), Card(2, "H")],)),
    (linked, (4,)),
    (length_of_linked, (Node(1, Node(2)),)),
    (no_store, (P(1),)),
    (store_caught, (3,)),
    (of_a_table, ("a",)),
    (as_keys, (3,)),
    (with_slots, (3,)),
    (in_recursion, (4,)),
    (of_a_dict, ({"u": P(1, 2), "v": P(2, 3)},)),
    (matched, (P(0),)),
    (matched, (P(2, 2),)),
    (matched, (P(1, 2),)),
    (tools_in_turn, (5,)),
    (nested_sums, (3,)),
]
