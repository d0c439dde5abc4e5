"""Instances of classes as arguments: linked lists, trees, graphs, tables; changed there."""

from collections import Counter, deque
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np


class LinkedList:
    def __init__(self):
        self.head = None
        self.n = 0

    def push(self, v):
        node = LNode(v)
        node.next = self.head
        self.head = node
        self.n += 1

    def reverse(self):
        prev = None
        cur = self.head
        while cur is not None:
            nxt = cur.next
            cur.next = prev
            prev = cur
            cur = nxt
        self.head = prev

    def total(self):
        t = 0
        cur = self.head
        while cur:
            t += cur.v
            cur = cur.next
        return t


class LNode:
    __slots__ = ("next", "v")

    def __init__(self, v):
        self.v = v
        self.next = None


def make_list(vals):
    made = LinkedList()
    for v in vals:
        made.push(v)
    return made


def ll_reverse(values):
    values.reverse()
    return values.total()


def ll_remove(values, v):
    prev = None
    cur = values.head
    while cur is not None:
        if cur.v == v:
            if prev is None:
                values.head = cur.next
            else:
                prev.next = cur.next
            values.n -= 1
            return True
        prev, cur = cur, cur.next
    return False


@dataclass
class TreeNode:
    key: int
    val: float
    left: Optional["TreeNode"] = None
    right: Optional["TreeNode"] = None


def bst(keys):
    root = None
    for k in keys:
        if root is None:
            root = TreeNode(k, k * 0.5)
            continue
        c = root
        while True:
            if k < c.key:
                if c.left is None:
                    c.left = TreeNode(k, k * 0.5)
                    break
                c = c.left
            else:
                if c.right is None:
                    c.right = TreeNode(k, k * 0.5)
                    break
                c = c.right
    return root


def height(n):
    return 0 if n is None else 1 + max(height(n.left), height(n.right))


def inorder(n, out):
    if n is not None:
        inorder(n.left, out)
        out.append(n.key)
        inorder(n.right, out)
    return out


def invert(n):
    if n is None:
        return None
    n.left, n.right = invert(n.right), invert(n.left)
    return n


def find(n, k):
    while n is not None and n.key != k:
        n = n.left if k < n.key else n.right
    return n


def scale(n, f):
    stack = [n]
    while stack:
        x = stack.pop()
        x.val *= f
        if x.left:
            stack.append(x.left)
        if x.right:
            stack.append(x.right)
    return n.val


@dataclass
class P:
    x: float
    y: float
    vx: float = 0.0
    vy: float = 0.0
    hits: int = 0


def step(ps, dt):
    for p in ps:
        p.x += p.vx * dt
        p.y += p.vy * dt
        if p.x < 0 or p.x > 1:
            p.vx = -p.vx
            p.hits += 1
    return sum(p.x for p in ps)


def nearest(ps, q):
    best = None
    bd = 1e9
    for p in ps:
        d = (p.x - q.x) ** 2 + (p.y - q.y) ** 2
        if d < bd:
            best = p
            bd = d
    return best


class Graph:
    def __init__(self):
        self.adj = {}
        self.visited = 0

    def add(self, u, v):
        self.adj.setdefault(u, []).append(v)
        self.adj.setdefault(v, []).append(u)

    def dfs(self, u, seen):
        seen.add(u)
        self.visited += 1
        for v in self.adj[u]:
            if v not in seen:
                self.dfs(v, seen)
        return len(seen)


def graph():
    g = Graph()
    for u, v in [(0, 1), (1, 2), (2, 3), (5, 6)]:
        g.add(u, v)
    return g


def explore(g):
    return g.dfs(0, set()), g.visited


class Emp:
    def __init__(self, name, pay):
        self.name = name
        self.pay = pay
        self.boss = None
        self.reports = []


def org():
    a = Emp("ann", 100.0)
    b = Emp("bob", 50.0)
    c = Emp("cy", 40.0)
    b.boss = a
    c.boss = b
    a.reports = [b]
    b.reports = [c]
    return a


def raise_all(e, pct):
    e.pay *= 1 + pct
    t = e.pay
    for r in e.reports:
        t += raise_all(r, pct)
    return t


def chain(e):
    names = []
    while e.reports:
        names.append(e.name)
        e = e.reports[0]
    names.append(e.name)
    return names


class Inv:
    def __init__(self):
        self.items = {}
        self.log = []

    def take(self, name, k):
        try:
            it = self.items[name]
            if it.qty < k:
                raise ValueError(f"only {it.qty} of {name}")
            it.qty -= k
            self.log.append((name, k))
            return True
        except KeyError:
            self.log.append((name, 0))
            return False


class Item:
    def __init__(self, qty, price):
        self.qty = qty
        self.price = price


def inv():
    i = Inv()
    i.items = {"a": Item(3, 1.5), "b": Item(5, 2.5)}
    return i


def orders(i, os):
    done = 0
    for n, k in os:
        if i.take(n, k):
            done += 1
    return done, sum(x.qty * x.price for x in i.items.values())


class Matrix:
    def __init__(self, n):
        self.a = np.zeros((n, n))
        self.n = n
        self.ops = 0

    def fib(self, k):
        self.ops += 1
        if k < 2:
            return k
        return self.fib(k - 1) + self.fib(k - 2)


def fibs(m, k):
    return m.fib(k), m.ops


class Shape:
    def __init__(self, w):
        self.w = w

    def area(self):
        return 0.0


class Sq(Shape):
    def area(self):
        return self.w**2


class Ci(Shape):
    def area(self):
        return 3.0 * self.w**2


def areas(ss):
    t = 0.0
    for s in ss:
        t += s.area()
    return t


def grow(ss, k):
    for s in ss:
        s.w += k
    return ss[-1].w


def swap_nodes(a, b):
    a.next, b.next = b.next, a.next
    return a.v + b.v


def two():
    a = LNode(1)
    b = LNode(2)
    a.next = LNode(3)
    b.next = LNode(4)
    return a, b


def cyc():
    a = LNode(1)
    b = LNode(2)
    c = LNode(3)
    a.next = b
    b.next = c
    c.next = a
    return a


def has_cycle(n):
    slow = fast = n
    while fast and fast.next:
        slow = slow.next
        fast = fast.next.next
        if slow is fast:
            return True
    return False


class Member:
    def __init__(self, v):
        self.v = v
        self.kids = []
        self.parent = None

    def add(self, c):
        c.parent = self
        self.kids.append(c)


def family():
    r = Member(0)
    a = Member(1)
    b = Member(2)
    c = Member(3)
    r.add(a)
    r.add(b)
    a.add(c)
    return r, a, b, c


def depth(n):
    d = 0
    while n.parent is not None:
        n = n.parent
        d += 1
    return d


def lca(p, q):
    seen = []
    x = p
    while x is not None:
        seen.append(x)
        x = x.parent
    x = q
    while x is not None:
        for s in seen:
            if s is x:
                return x
        x = x.parent
    return None


def moved(root, n, to):
    old = n.parent
    k = 0
    for i in range(len(old.kids)):
        if old.kids[i] is n:
            k = i
    old.kids.pop(k)
    to.add(n)
    return len(root.kids)


def same_one(a, b):
    a.v += 1
    b.v += 10
    return a.v, a is b


def push_both(s, t):
    s.items.append(1)
    t.items.append("x")
    return len(s.items) + len(t.items)


class Stack:
    def __init__(self, *i):
        self.items = list(i)


class Account:
    def __init__(s, b):
        s.b = b
        s.log = []


def transfer(x, y, k):
    if x is y:
        raise ValueError("same")
    if x.b < k:
        raise ValueError("low")
    x.b -= k
    y.b += k
    for one in (x, y):
        one.log.append(k)
    return x.b + y.b


def family_of(*members):
    made = family()
    return tuple(made[k] for k in members)


class Cell:
    def __init__(self, v, kids=()):
        self.v = v
        self.kids = list(kids)


def put_at(cells, i, v):
    old = cells[i].v
    cells[i].v = v
    return old


def halve(cells, i):
    cells[i].v = cells[i].v // 2
    cells[i].v = round(cells[i].v)
    return [c.v for c in cells]


def total_of(cell):
    cell.v += 1
    return cell.v + sum([total_of(kid) for kid in cell.kids])


def attach(cells, v):
    made = Cell(v)
    cells.append(made)
    return made


def counted(state, name):
    state["counts"][name] += 1
    state["queue"].append(state["counts"][name])
    return state["queue"][-1]


def visit(cell, seen):
    cell.v = True
    seen.append(cell)
    for kid in cell.kids:
        if not kid.v:
            visit(kid, seen)
    return len(seen)


def mutual(n):
    cells = [Cell(False) for _ in range(n)]
    for cell in cells:
        cell.kids = list(cells)
    return cells[0]


CASES: list[tuple[Any, tuple[Any, ...]]] = [
    (ll_reverse, (make_list([1, 2, 3]),)),
    (ll_reverse, (LinkedList(),)),
    (ll_remove, (make_list([1, 2, 3]), 2)),
    (ll_remove, (make_list([1, 2, 3]), 3)),
    (height, (bst([5, 2, 8, 1, 9]),)),
    (inorder, (bst([5, 2, 8, 1, 9]), [])),
    (invert, (bst([5, 2, 8, 1, 9]),)),
    (find, (bst([5, 2, 8, 1, 9]), 8)),
    (find, (bst([5, 2, 8, 1, 9]), 7)),
    (scale, (bst([5, 2, 8]), 2.0)),
    (step, ([P(0.1 * i, 0.2, 1.0, 0.5) for i in range(8)], 0.3)),
    (step, ([P(0.01 * i, 0.2, 1.0, 0.5) for i in range(100)], 0.3)),
    (nearest, ([P(0.1 * i, 0.2) for i in range(60)], P(0.33, 0.1))),
    (explore, (graph(),)),
    (raise_all, (org(), 0.1)),
    (chain, (org(),)),
    (orders, (inv(), [("a", 2), ("c", 1), ("b", 1)])),
    (orders, (inv(), [("a", 2), ("a", 2), ("b", 1)])),
    (fibs, (Matrix(3), 10)),
    (areas, ([Sq(2.0), Ci(1.0)],)),
    (areas, ([Sq(2.0), Ci(1.0)] * 40,)),
    (grow, ([Sq(2.0), Ci(1.0)], 1.5)),
    (grow, ([Sq(2.0)] * 70, 1.5)),
    (swap_nodes, two()),
    (has_cycle, (cyc(),)),
    (has_cycle, (two()[0],)),
    (depth, family()[3:]),
    (lca, family_of(3, 2)),
    (lca, family_of(3, 1)),
    (moved, family_of(0, 3, 2)),
    (same_one, (Member(1),) * 2),
    (same_one, (Member(1), Member(2))),
    (push_both, (Stack(1), Stack("a"))),
    (transfer, (Account(10),) * 2 + (3,)),
    (transfer, (Account(10), Account(5), 3)),
    (put_at, ([Cell(2.5), Cell(2.5)], 1, 3)),
    (put_at, ([Cell(2.5), Cell(1)], 1, 3.5)),
    (put_at, ([Cell("s"), Cell(None)], 0, None)),
    (halve, ([Cell(2.5), Cell(7.5)], 1)),
    (total_of, (Cell(1, [Cell(2.5, [Cell(4)]), Cell(3)]),)),
    (attach, ([Cell(1)], 5)),
    (attach, ([Cell(1)] * 3, 5)),
    (counted, ({"counts": Counter(), "queue": deque([0])}, "a")),
    (visit, (mutual(4), [])),
]
