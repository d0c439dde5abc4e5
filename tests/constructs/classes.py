"""Classes and objects."""

from __future__ import annotations

import numpy as np
from constructs.rows import programs

_KNOWN = {"n": 3, "v": 2.5, "x": [3, 1, 2], "s": "ab", "a": np.array([1.0, 2.0])}

_CLASSES = """
## `A(n)`, `p.v`
class A:
    def __init__(self, v):
        self.v = v

def f(n):
    p = A(n)
    p.v += 1
    return p.v
## an object that is returned
class A:
    def __init__(self, v):
        self.v = v

def f(n):
    return A(n)
## `p.v = ...` of a new attribute
class A:
    pass

def f(n):
    p = A()
    p.v = n
    return p.v
## an attribute that there is not (an error)
class A:
    pass

def f(n):
    return A().missing
## `del p.v`
class A:
    def __init__(self, v):
        self.v = v

def f(n):
    p = A(n)
    del p.v
    return n
## a method
class A:
    def __init__(self, v):
        self.v = v

    def plus(self, w, k=1):
        return self.v + w * k

def f(n):
    return A(n).plus(2, k=3)
## a class derived from a named tuple
class P(collections.namedtuple("P", "p q")):
    __slots__ = ()

    def total(self):
        return self.p + self.q

def f(n):
    return P(n, 2).total(), P(n, 2)
## a method that is kept: `g = p.plus`
class A:
    def __init__(self, v):
        self.v = v

    def plus(self, w):
        return self.v + w

def f(n):
    g = A(n).plus
    return g(2)
## `A.plus(p, 2)`
class A:
    def __init__(self, v):
        self.v = v

    def plus(self, w):
        return self.v + w

def f(n):
    return A.plus(A(n), 2)
## a class attribute that is read
class A:
    scale = 3

def f(n):
    return A.scale * n + A().scale
## a class attribute that is assigned
class A:
    count = 0

def f(n):
    A.count += n
    return A.count
## a class attribute that `__init__` assigns, read of instances
class A:
    count = 0
    def __init__(self):
        A.count += 1

def f(n):
    A.count = 0
    return [A().count for _ in range(n)], A.count
## `cls.count += n`, `type(self).count += n`, `self.__class__.count += n`
class A:
    count = 0
    @classmethod
    def of_class(cls, n):
        cls.count += n
    def of_instance(self, n):
        type(self).count += n
        self.__class__.count += n

def f(n):
    A.count = 0
    A.of_class(n)
    A().of_instance(n)
    return A.count
## `@property`
class A:
    def __init__(self, v):
        self.v = v

    @property
    def twice(self):
        return self.v * 2

def f(n):
    return A(n).twice
## `@p.setter`
class A:
    def __init__(self, v):
        self._v = v

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self._v = value * 2

def f(n):
    p = A(1)
    p.v = n
    return p.v
## `@p.deleter`
class A:
    @property
    def v(self):
        return 1

    @v.deleter
    def v(self):
        pass

def f(n):
    p = A()
    del p.v
    return n
## `@staticmethod`
class A:
    @staticmethod
    def twice(v):
        return v * 2

def f(n):
    return A.twice(n) + A().twice(n)
## `@classmethod`
class A:
    def __init__(self, v):
        self.v = v

    @classmethod
    def of(cls, v):
        return cls(v + 1)

def f(n):
    return A.of(n).v
## inheritance, `super()`
class A:
    def __init__(self, v):
        self.v = v

    def name(self):
        return "A"

class B(A):
    def __init__(self, v, w):
        super().__init__(v)
        self.w = w

    def name(self):
        return super().name() + "B"

def f(n):
    p = B(n, 2)
    return p.v + p.w, p.name()
## two base classes
class A:
    def one(self):
        return 1

class B:
    def two(self):
        return 2

class C(A, B):
    pass

def f(n):
    return C().one() + C().two() + n
## an abstract base class
class A(abc.ABC):
    @abc.abstractmethod
    def area(self):
        pass

class B(A):
    def area(self):
        return 2

def f(n):
    return B().area() * n
## one of two classes, chosen at run time
class A:
    def area(self):
        return 1

class B:
    def area(self):
        return 2

def f(n):
    p = A() if n > 2 else B()
    return p.area()
## a list of objects of two classes
class A:
    def area(self):
        return 1

class B:
    def area(self):
        return 2

def f(n):
    return [p.area() for p in [A(), B(), A()]]
## `isinstance(p, A)`
class A:
    pass

class B(A):
    pass

def f(n):
    return isinstance(B(), A), isinstance(A(), B), isinstance(n, A)
## `issubclass(B, A)`
class A:
    pass

class B(A):
    pass

def f(n):
    return issubclass(B, A)
## `type(p) is A`
class A:
    pass

def f(n):
    return type(A()) is A
## `type(p).__name__`
class A:
    pass

def f(n):
    return type(A()).__name__
## `p.__class__`
class A:
    pass

def f(n):
    return A().__class__ is A
## `p.__dict__`
class A:
    def __init__(self, v):
        self.v = v

def f(n):
    return A(n).__dict__
## `p is q`
class A:
    pass

def f(n):
    p = A()
    q = p
    return p is q, p is A(), p == q
## `hash(p)`
class A:
    pass

def f(n):
    p = A()
    return hash(p) == hash(p)
## an object or None
class A:
    def __init__(self, v):
        self.v = v

def f(n):
    p = None
    if n > 2:
        p = A(n)
    return p.v if p is not None else 0
## an attribute that is a number or None
class A:
    def __init__(self):
        self.v = None

def f(n):
    p = A()
    if n > 2:
        p.v = n
    return p.v
## an attribute of two kinds
class A:
    def __init__(self):
        self.v = 1

def f(n):
    p = A()
    p.v = "text"
    return p.v
## attributes that are lists and dicts
class A:
    def __init__(self):
        self.items = []
        self.counts = {}

    def add(self, v):
        self.items.append(v)
        self.counts[v] = self.counts.get(v, 0) + 1

def f(x):
    p = A()
    for v in x:
        p.add(v)
    return p.items, p.counts
## attributes that are arrays
class A:
    def __init__(self, a):
        self.a = a

    def scale(self, k):
        self.a *= k

def f(a, n):
    p = A(a)
    p.scale(n)
    return p.a
## a list of objects that grows
class A:
    def __init__(self, v):
        self.v = v

def f(x):
    out = []
    for v in x:
        out.append(A(v))
    return sum(p.v for p in out)
## a dict of objects
class A:
    def __init__(self, v):
        self.v = v

def f(x):
    out = {}
    for v in x:
        out[v] = A(v)
    return out[x[0]].v
## objects as keys, and in sets
class A:
    pass

def f(n):
    p = A()
    return p in {p}, {p: n}[p], A() in {p}
## a linked list
class Node:
    def __init__(self, v, after):
        self.v = v
        self.after = after

def f(x):
    head = None
    for v in x:
        head = Node(v, head)
    t = 0
    while head is not None:
        t = 10 * t + head.v
        head = head.after
    return t
## a tree
class Node:
    def __init__(self, v):
        self.v = v
        self.left = None
        self.right = None

def insert(node, v):
    if node is None:
        return Node(v)
    if v < node.v:
        node.left = insert(node.left, v)
    else:
        node.right = insert(node.right, v)
    return node

def total(node):
    return 0 if node is None else node.v + total(node.left) + total(node.right)

def f(n):
    root = None
    for v in (n, 1, 2, 5):
        root = insert(root, v)
    return total(root), root.v
## objects that refer to one another
class A:
    def __init__(self):
        self.other = None
        self.v = 1

def f(n):
    p, q = A(), A()
    p.other = q
    q.other = p
    p.other.other.v = n
    return p.v
## an object from outside
class A:
    def __init__(self):
        self.v = 2

G = A()

def f(n):
    return G.v * n
## an object from outside that is changed
class A:
    def __init__(self):
        self.v = 2

G = A()

def f(n):
    G.v = n
    return G.v
## `__slots__`
class A:
    __slots__ = ("v",)

    def __init__(self, v):
        self.v = v

def f(n):
    return A(n).v
## `__new__`
class A:
    def __new__(cls, v):
        return super().__new__(cls)

    def __init__(self, v):
        self.v = v

def f(n):
    return A(n).v
## `__del__`
class A:
    def __del__(self):
        pass

def f(n):
    A()
    return n
## `__getattr__`
class A:
    def __getattr__(self, name):
        return 3

def f(n):
    return A().missing
## `__getattribute__`
class A:
    def __getattribute__(self, name):
        return 3

def f(n):
    return A().missing
## `__setattr__`
class A:
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)

def f(n):
    p = A()
    p.v = n
    return p.v
## a descriptor: `__get__`
class D:
    def __get__(self, one, kind):
        return 3

class A:
    v = D()

def f(n):
    return A().v
## `__init_subclass__`
class A:
    def __init_subclass__(cls):
        cls.k = 3

class B(A):
    pass

def f(n):
    return B().k
## a metaclass
class M(type):
    pass

class A(metaclass=M):
    pass

def f(n):
    A()
    return n
## `__private` names
class A:
    def __init__(self, v):
        self.__v = v

    def get(self):
        return self.__v

def f(n):
    return A(n).get()
## a class in a class
class A:
    class B:
        k = 3

def f(n):
    return A.B.k + A.B().k
## a class that is an argument of a function
class A:
    def __init__(self, v):
        self.v = v

def make(cls, v):
    return cls(v)

def f(n):
    return make(A, n).v
## `class` inside the function
class A:
    k = 1
return A().k
## `typing.Protocol`
class P(typing.Protocol):
    def area(self): ...

class A:
    def area(self):
        return 2

def total(p: P):
    return p.area()

def f(n):
    return total(A())
"""

SECTIONS = {"classes and objects": programs(_CLASSES, _KNOWN)}
