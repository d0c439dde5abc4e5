"""Objects that build themselves by recursion: trees of many kinds, expressions, tries."""

import numpy as np


class Node:
    def __init__(self, v):
        self.v = v
        self.l = None
        self.r = None

    def insert(self, v):
        if v < self.v:
            if self.l is None:
                self.l = Node(v)
            else:
                self.l.insert(v)
        elif self.r is None:
            self.r = Node(v)
        else:
            self.r.insert(v)

    def __iter__(self):
        if self.l:
            yield from self.l
        yield self.v
        if self.r:
            yield from self.r

    def walk(self, out):
        if self.l:
            self.l.walk(out)
        out.append(self.v)
        if self.r:
            self.r.walk(out)

    def has(self, v):
        if v == self.v:
            return True
        if v < self.v:
            return self.l.has(v) if self.l else False
        return self.r is not None and self.r.has(v)

    def depth(self):
        return 1 + max(self.l.depth() if self.l else 0, self.r.depth() if self.r else 0)


class Tree:
    def __init__(self):
        self.root = None

    def insert(self, v):
        if self.root is None:
            self.root = Node(v)
        else:
            self.root.insert(v)


def shuffled(n):
    root = Node(n // 2)
    for i in range(n):
        root.insert((i * 7) % n)
    return root


def inserted(n):
    root = shuffled(n)
    return root.v, root.depth(), root.has(3), root.has(99)


def walked(n):
    out = []
    shuffled(n).walk(out)
    return out


def iterated(n):
    return list(shuffled(n))


def held(n):
    t = Tree()
    for i in range(n):
        t.insert((i * 7) % n)
    return t.root.depth(), list(t.root)


def few(n):
    root = Node(5)
    root.insert(3)
    root.insert(8)
    root.insert(n)
    return root.l.v, root.r.v, root.depth()


class Segments:
    def __init__(self, a, lo, hi):
        self.lo = lo
        self.hi = hi
        if hi - lo == 1:
            self.sum = a[lo]
            self.left = None
            self.right = None
        else:
            m = (lo + hi) // 2
            self.left = Segments(a, lo, m)
            self.right = Segments(a, m, hi)
            self.sum = self.left.sum + self.right.sum

    def query(self, lo, hi):
        if hi <= self.lo or self.hi <= lo:
            return 0
        if lo <= self.lo and self.hi <= hi:
            return self.sum
        return self.left.query(lo, hi) + self.right.query(lo, hi)

    def update(self, i, v):
        if self.hi - self.lo == 1:
            self.sum = v
            return
        (self.left if i < self.left.hi else self.right).update(i, v)
        self.sum = self.left.sum + self.right.sum


def segments(n):
    t = Segments([(i * 7) % 11 for i in range(n)], 0, n)
    q = t.query(1, n - 1)
    t.update(2, 50)
    return q, t.query(0, n)


def float_segments(n):
    return Segments(np.arange(n) * 0.5, 0, n).query(1, n - 1)


class Link:
    def __init__(self, v):
        self.v = v
        self.next = None

    def append(self, v):
        if self.next is None:
            self.next = Link(v)
        else:
            self.next.append(v)

    def total(self):
        return self.v + (self.next.total() if self.next else 0)


def links(n):
    head = Link(0)
    for i in range(n):
        head.append(i * 1.5)
    return head.total()


class Expression:
    def eval(self, x):
        raise NotImplementedError


class Num(Expression):
    def __init__(self, v):
        self.v = v

    def eval(self, x):
        return self.v


class X(Expression):
    def eval(self, x):
        return x


class Binary(Expression):
    def __init__(self, a, b):
        self.a = a
        self.b = b


class Add(Binary):
    def eval(self, x):
        return self.a.eval(x) + self.b.eval(x)


class Mul(Binary):
    def eval(self, x):
        return self.a.eval(x) * self.b.eval(x)


def line(n):
    e = Add(Mul(Num(2.0), X()), Num(1.0))
    return sum(e.eval(float(i)) for i in range(n))


def horner(n):
    e = Num(1.0)
    for _ in range(n):
        e = Add(Mul(e, X()), Num(1.0))
    return e.eval(2.0)


class Family:
    def __init__(self, name):
        self.name = name
        self.kids = []

    def add(self, depth, width):
        if depth == 0:
            return
        for i in range(width):
            k = Family(self.name * 10 + i)
            k.add(depth - 1, width)
            self.kids.append(k)

    def count(self):
        return 1 + sum(k.count() for k in self.kids)

    def names(self):
        out = [self.name]
        for k in self.kids:
            out.extend(k.names())
        return out


def families(n):
    t = Family(1)
    t.add(2, n)
    return t.count(), t.names()[:9]


class Balanced:
    def __init__(self, k):
        self.k = k
        self.l = None
        self.r = None
        self.h = 1


def height(n):
    return n.h if n else 0


def measured(n):
    n.h = 1 + max(height(n.l), height(n.r))
    return n


def turned_right(n):
    x = n.l
    n.l = x.r
    x.r = n
    measured(n)
    return measured(x)


def turned_left(n):
    x = n.r
    n.r = x.l
    x.l = n
    measured(n)
    return measured(x)


def added(n, k):
    if n is None:
        return Balanced(k)
    if k < n.k:
        n.l = added(n.l, k)
    else:
        n.r = added(n.r, k)
    measured(n)
    balance = height(n.l) - height(n.r)
    if balance > 1:
        if k >= n.l.k:
            n.l = turned_left(n.l)
        return turned_right(n)
    if balance < -1:
        if k < n.r.k:
            n.r = turned_right(n.r)
        return turned_left(n)
    return n


def avl(n):
    root = None
    for i in range(n):
        root = added(root, (i * 37) % 101)
    return root.h, root.k


class Trie:
    def __init__(self):
        self.kids = {}
        self.end = False

    def add(self, word):
        if not word:
            self.end = True
            return
        if word[0] not in self.kids:
            self.kids[word[0]] = Trie()
        self.kids[word[0]].add(word[1:])

    def has(self, word):
        if not word:
            return self.end
        return word[0] in self.kids and self.kids[word[0]].has(word[1:])


def trie(n):
    t = Trie()
    for i in range(n):
        t.add([i % 3, i % 5, i])
    return t.has([1, 1, 1]), t.has([1, 2])


class Quarters:
    def __init__(self, x, y, s):
        self.x = x
        self.y = y
        self.s = s
        self.points = []
        self.kids = None

    def insert(self, p):
        if self.kids is None:
            self.points.append(p)
            if len(self.points) > 2 and self.s > 1e-3:
                q = self.s / 2
                self.kids = [
                    Quarters(self.x, self.y, q),
                    Quarters(self.x + q, self.y, q),
                    Quarters(self.x, self.y + q, q),
                    Quarters(self.x + q, self.y + q, q),
                ]
                for o in self.points:
                    self.child(o).insert(o)
                self.points = []
        else:
            self.child(p).insert(p)

    def child(self, p):
        q = self.s / 2
        return self.kids[(1 if p[0] >= self.x + q else 0) + (2 if p[1] >= self.y + q else 0)]

    def depth(self):
        return 1 + (max(k.depth() for k in self.kids) if self.kids else 0)


def quarters(n):
    t = Quarters(0.0, 0.0, 1.0)
    for i in range(n):
        t.insert(((i * 0.37) % 1, (i * 0.71) % 1))
    return t.depth()


class Joined:
    def __init__(self, i):
        self.parent = self
        self.i = i

    def find(self):
        if self.parent is self:
            return self
        self.parent = self.parent.find()
        return self.parent


def joined(n):
    nodes = [Joined(i) for i in range(n)]
    for i in range(0, n - 2, 2):
        a, b = nodes[i].find(), nodes[i + 2].find()
        if a is not b:
            a.parent = b
    return len({x.find().i for x in nodes})


class Even:
    def __init__(self, n):
        self.odd = Odd(n - 1) if n > 0 else None

    def depth(self):
        return 1 + (self.odd.depth() if self.odd else 0)


class Odd:
    def __init__(self, n):
        self.even = Even(n - 1) if n > 0 else None

    def depth(self):
        return 1 + (self.even.depth() if self.even else 0)


def mutual(n):
    return Even(n).depth()


def mutual_loop(n):
    e = Even(n)
    k = 0
    while e is not None:
        o = e.odd
        k += 1
        e = o.even if o is not None else None
    return k


CASES = [
    (program, (n,))
    for program in (
        inserted,
        walked,
        iterated,
        held,
        few,
        segments,
        float_segments,
        links,
        line,
        horner,
        families,
        avl,
        trie,
        quarters,
        joined,
        mutual,
        mutual_loop,
    )
    for n in (8, 11)
]
