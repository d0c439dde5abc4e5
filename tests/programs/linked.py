"""Objects that hold one another: trees, lists, graphs, queues of events, accounts."""

import heapq
import math
from collections import deque
from dataclasses import dataclass

import numpy as np


class Node:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None
        self.count = 1


class BST:
    def __init__(self):
        self.root = None
        self.size = 0

    def insert(self, key):
        if self.root is None:
            self.root = Node(key)
            self.size += 1
            return
        n = self.root
        while True:
            if key == n.key:
                n.count += 1
                return
            if key < n.key:
                if n.left is None:
                    n.left = Node(key)
                    self.size += 1
                    return
                n = n.left
            else:
                if n.right is None:
                    n.right = Node(key)
                    self.size += 1
                    return
                n = n.right

    def find(self, key):
        n = self.root
        while n is not None:
            if key == n.key:
                return n.count
            n = n.left if key < n.key else n.right
        return 0


def bst(a):
    t = BST()
    for x in a:
        t.insert(x)
    return t.size, t.find(5), t.find(100), t.root.key


def height(n):
    if n is None:
        return 0
    return 1 + max(height(n.left), height(n.right))


def inorder(n, out):
    if n is not None:
        inorder(n.left, out)
        out.append(n.key)
        inorder(n.right, out)


def bst_rec(a):
    t = BST()
    for x in a:
        t.insert(x)
    out = []
    inorder(t.root, out)
    return height(t.root), out


def insert_rec(n, key):
    if n is None:
        return Node(key)
    if key < n.key:
        n.left = insert_rec(n.left, key)
    elif key > n.key:
        n.right = insert_rec(n.right, key)
    return n


def bst_rec2(a):
    root = None
    for x in a:
        root = insert_rec(root, x)
    return height(root)


class DNode:
    def __init__(self, k, v):
        self.k = k
        self.v = v
        self.prev = None
        self.next = None


class LRU:
    def __init__(self, cap):
        self.cap = cap
        self.map = {}
        self.head = DNode(0, 0)
        self.tail = DNode(0, 0)
        self.head.next = self.tail
        self.tail.prev = self.head

    def _remove(self, n):
        n.prev.next = n.next
        n.next.prev = n.prev

    def _add(self, n):
        n.next = self.head.next
        n.prev = self.head
        self.head.next.prev = n
        self.head.next = n

    def get(self, k):
        if k not in self.map:
            return -1
        n = self.map[k]
        self._remove(n)
        self._add(n)
        return n.v

    def put(self, k, v):
        if k in self.map:
            self._remove(self.map[k])
        n = DNode(k, v)
        self.map[k] = n
        self._add(n)
        if len(self.map) > self.cap:
            last = self.tail.prev
            self._remove(last)
            del self.map[last.k]


def lru(n):
    c = LRU(5)
    hits = 0
    for i in range(n):
        k = i * i % 13
        if c.get(k) >= 0:
            hits += 1
        else:
            c.put(k, i)
    return hits


class Agent:
    def __init__(self, i, x):
        self.id = i
        self.x = x
        self.energy = 10.0
        self.alive = True

    def step(self, t):
        self.x += math.sin(self.id + t)
        self.energy -= abs(self.x) * 0.1
        if self.energy < 0:
            self.alive = False


def agents(n):
    pop = []
    for i in range(n):
        pop.append(Agent(i, 0.1 * i))
    t = 0
    while len(pop) > 2 and t < 50:
        for a in pop:
            a.step(t)
        pop = [a for a in pop if a.alive]
        t += 1
    return t, len(pop), [a.id for a in pop]


class Event:
    def __init__(self, time, kind):
        self.time = time
        self.kind = kind

    def __lt__(self, o):
        return self.time < o.time


def events(n):
    q = []
    for i in range(n):
        heapq.heappush(q, Event((i * 37 % 101) * 0.5, i % 3))
    out = []
    served = 0
    while q:
        e = heapq.heappop(q)
        if e.kind == 0:
            served += 1
        out.append(e.time)
    return out, served


class GNode:
    def __init__(self, name):
        self.name = name
        self.edges = []
        self.dist = -1

    def connect(self, o, w):
        self.edges.append((o, w))


def graph(n):
    nodes = [GNode(i) for i in range(n)]
    for i in range(n):
        nodes[i].connect(nodes[(i * 3 + 1) % n], i % 4 + 1)
        nodes[i].connect(nodes[(i * 7 + 2) % n], i % 3 + 1)
    nodes[0].dist = 0
    q = deque([nodes[0]])
    while q:
        u = q.popleft()
        for v, w in u.edges:
            if v.dist < 0 or v.dist > u.dist + w:
                v.dist = u.dist + w
                q.append(v)
    return [u.dist for u in nodes]


@dataclass
class Body:
    x: float
    v: float
    m: float = 1.0


def nbody(n):
    bs = []
    for i in range(n):
        bs.append(Body(i * 1.0, 0.0, 1.0 + i % 3))
    for _ in range(10):
        for a in bs:
            f = 0.0
            for b in bs:
                if a is not b:
                    f += b.m * (b.x - a.x) / (abs(b.x - a.x) + 0.1) ** 3
            a.v += f * 0.01
        for a in bs:
            a.x += a.v * 0.01
    return sum(b.x * b.m for b in bs), bs[0]


class Link:
    def __init__(self, v, n=None):
        self.v = v
        self.next = n


def build(n):
    head = None
    for i in range(n):
        head = Link(i, head)
    return head


def long_list(n):
    h = build(n)
    s = 0
    while h:
        s += h.v
        h = h.next
    return s


def reverse(n):
    h = build(n)
    prev = None
    while h is not None:
        nxt = h.next
        h.next = prev
        prev = h
        h = nxt
    out = []
    while prev is not None:
        out.append(prev.v)
        prev = prev.next
    return out


def ret_list(n):
    return build(n).next.next


def ret_cycle(n):
    h = build(n)
    t = h
    while t.next is not None:
        t = t.next
    t.next = h
    return h.next.v


class Account:
    def __init__(self, owner, balance=0.0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, x):
        if x <= 0:
            raise ValueError("bad amount")
        self.balance += x
        self.history.append(x)


class Bank:
    def __init__(self):
        self.accounts = {}

    def open(self, k):
        self.accounts[k] = Account(k)
        return self.accounts[k]

    def transfer(self, a, b, x):
        A = self.accounts[a]
        B = self.accounts[b]
        A.balance -= x
        B.deposit(x)

    def total(self):
        return sum(a.balance for a in self.accounts.values())


def bank(n):
    b = Bank()
    for i in range(n):
        b.open(i * 3).deposit(100.0 + i)
    for i in range(n - 1):
        b.transfer(i * 3, i * 3 + 3, 10.0)
    return b.total(), b.accounts[0].history, b.accounts[3].balance


def bank_err(n):
    b = Bank()
    b.open(1)
    b.open(2)
    b.transfer(1, 2, n)
    return 1


def key_err(n):
    b = Bank()
    b.open(1)
    return b.accounts[n].balance


def none_attr(n):
    h = build(n)
    return h.next.next.next.v


class Two:
    def __init__(self, c):
        if c:
            self.a = 1

    def get(self):
        return self.a


def unset(n):
    ts = []
    for i in range(n):
        ts.append(Two(True))
    return ts[0].get()


class Matrix3:
    def __init__(self, rows):
        self.rows = rows

    def mul(self, o):
        n = len(self.rows)
        return Matrix3(
            [
                [sum(self.rows[i][k] * o.rows[k][j] for k in range(n)) for j in range(n)]
                for i in range(n)
            ]
        )


def fibmat(n):
    r = Matrix3([[1, 0], [0, 1]])
    m = Matrix3([[1, 1], [1, 0]])
    while n:
        if n & 1:
            r = r.mul(m)
        m = m.mul(m)
        n >>= 1
    return r.rows[0][1]


class Trie:
    def __init__(self):
        self.kids = {}
        self.end = False

    def add(self, w):
        n = self
        for c in w:
            if c not in n.kids:
                n.kids[c] = Trie()
            n = n.kids[c]
        n.end = True

    def has(self, w):
        n = self
        for c in w:
            if c not in n.kids:
                return False
            n = n.kids[c]
        return n.end


def trie(a):
    t = Trie()
    for i in range(len(a) - 2):
        t.add((a[i], a[i + 1], a[i + 2]))
    return t.has((a[0], a[1], a[2])), t.has((9, 9, 9)), len(t.kids)


class Shape:
    def area(self):
        return 0.0


class Sq(Shape):
    def __init__(self, a):
        self.a = a

    def area(self):
        return self.a * self.a


class Ci(Shape):
    def __init__(self, r):
        self.r = r

    def area(self):
        return 3.0 * self.r**2


def poly(n):
    s = []
    for i in range(n):
        if i % 2:
            s.append(Sq(i * 1.0))
        else:
            s.append(Ci(i * 1.0))
    return sum(x.area() for x in s)


def swap(n):
    a = Link(1)
    b = Link(2)
    for i in range(n):
        a, b = b, a
    a.v = 10
    return a.v, b.v, a is b


def removal(n):
    ps = [Link(i) for i in range(n)]
    keep = ps[3]
    ps.remove(keep)
    ps.pop(0)
    del ps[1]
    keep.v = 99
    return [p.v for p in ps], keep.v, keep in ps, ps[0] in ps, ps.index(ps[2])


def sorted_o(n):
    ps = []
    for i in range(n):
        ps.append(Link(i * 7 % n))
    ps.sort(key=lambda p: p.v)
    qs = sorted(ps, key=lambda p: -p.v)
    return [p.v for p in ps], [q.v for q in qs], max(ps, key=lambda p: p.v).v


def opt(n):
    best = None
    for i in range(n):
        p = Link(i * 5 % n)
        if best is None or p.v > best.v:
            best = p
    return best.v


def two_lists(n):
    a = []
    b = []
    for i in range(n):
        p = Link(i)
        a.append(p)
        b.append(p)
    for p in a:
        p.v += 1
    return [p.v for p in b]


def objs_in_tuple(n):
    L = []
    for i in range(n):
        L.append((i, Link(i)))
    for k, p in L:
        p.v += k
    return [p.v for _, p in L]


def expr(n):
    return Link(n).v + Link(2).v


CASES = [
    (bst, (np.array([5, 2, 8, 1, 5, 9, 3]),)),
    (bst_rec, (np.array([5, 2, 8, 1, 9, 3]),)),
    (bst_rec2, (np.array([5, 2, 8, 1, 9, 3]),)),
    (lru, (60,)),
    (agents, (30,)),
    (events, (40,)),
    (graph, (20,)),
    (nbody, (12,)),
    (long_list, (10,)),
    (long_list, (1000000,)),
    (reverse, (9,)),
    (ret_list, (6,)),
    (ret_cycle, (5,)),
    (bank, (6,)),
    (bank_err, (-1.0,)),
    (key_err, (7,)),
    (none_attr, (2,)),
    (unset, (3,)),
    (fibmat, (30,)),
    (trie, (np.array([1, 2, 3, 1, 2, 4, 5]),)),
    (poly, (9,)),
    (swap, (3,)),
    (removal, (8,)),
    (sorted_o, (9,)),
    (opt, (9,)),
    (two_lists, (5,)),
    (objs_in_tuple, (4,)),
    (expr, (3,)),
]
