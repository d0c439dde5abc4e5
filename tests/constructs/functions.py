"""Functions, closures, decorators, recursion, generators and coroutines."""

from __future__ import annotations

import numpy as np
from constructs.rows import programs

_KNOWN = {"n": 3, "x": [3, 1, 2], "v": 2.5, "s": "ab", "a": np.array([1.0, 2.0])}

_FUNCTIONS = """
## a call of a function
def g(p, q):
    return p - q

def f(n, v):
    return g(n, v)
## keywords: `g(q=1, p=2)`
def g(p, q):
    return p - q

def f(n, v):
    return g(q=n, p=v)
## defaults: `def g(p, q=2)`
def g(p, q=2):
    return p - q

def f(n):
    return g(n) + g(n, 1)
## a default that is a list, a dict or a set
def g(p, q=[2, 3], *, names={"a": 1}, odd={1, 3}):
    return p * q[0] + names["a"], p in odd

def f(n):
    return g(n), g(n, [n])
## a default that is a list, which the function changes
def g(p, q=[]):
    q.append(p)
    return len(q)

def f(n):
    return g(n) + g(n)
## `def g(*args)`
def g(*args):
    return len(args) + sum(args)

def f(n):
    return g(n, 1, 2)
## `def g(**kwargs)`
def g(**kwargs):
    return kwargs

def f(n):
    return g(p=n, q=2)
## `def g(p, /, q, *, r)`
def g(p, /, q, *, r=1):
    return p + 10 * q + 100 * r

def f(n):
    return g(n, q=2, r=3) + g(n, 1)
## `g(*args)` of a tuple
def g(p, q):
    return p - q

def f(n):
    t = (n, 1)
    return g(*t)
## `g(*x)` of a list
def g(p, q, r):
    return p - q + r

def f(x):
    return g(*x)
## `g(*y)` of a length known only at run time, with defaults
def g(p, q=1, r=2):
    return p - q + r

def f(x):
    return g(*[v for v in x if v > 1])
## a method as a value: `push = y.append`
def f(x):
    y = []
    push = y.append
    for v in x:
        push(v)
    return y
## `g(**d)`
def g(p, q):
    return p - q

def f(n):
    d = {"p": n, "q": 1}
    return g(**d)
## too few arguments (an error)
def g(p, q):
    return p - q

def f(n):
    return g(n)
## a keyword that there is not (an error)
def g(p):
    return p

def f(n):
    return g(n, r=1)
## several results: `return p, q`
def g(p):
    return p, p + 1

def f(n):
    p, q = g(n)
    return q, p
## no result
def g(p):
    pass

def f(n):
    return g(n)
## annotations
def g(p: int, q: "float" = 1.0) -> float:
    r: float = p + q
    return r

def f(n):
    return g(n)
## a docstring
def g(p):
    "Twice p."
    return 2 * p

def f(n):
    return g(n)
## `g.__name__`
def g(p):
    return p

def f(n):
    return g.__name__
## `g.__doc__`
def g(p):
    "Twice p."

def f(n):
    return g.__doc__
## `g.attribute`
def g(p):
    return p

g.attribute = 3

def f(n):
    return g.attribute
## `g.attribute = v`
def g(p):
    return p

def f(n):
    g.attribute = n
    return n
## recursion
def g(n):
    return 1 if n == 0 else n * g(n - 1)

def f(n):
    return g(n)
## two functions that call one another
def even(n):
    return True if n == 0 else odd(n - 1)

def odd(n):
    return False if n == 0 else even(n - 1)

def f(n):
    return even(n), odd(n)
## recursion without an end (an error)
def g(n):
    return g(n + 1) + 1

def f(n):
    return g(n)
## recursion over lists
def g(x):
    return 0 if not x else x[0] + g(x[1:])

def f(x):
    return g(x)
## recursion that returns a list
def g(n):
    return [] if n == 0 else [n] + g(n - 1)

def f(n):
    return g(n)
## `lambda`
g = lambda p: p + n
return g(2)
## `lambda` with defaults
g = lambda p, q=2: p * q
return g(n), g(n, q=3)
## `(lambda p: p)(n)`
return (lambda p: p + 1)(n)
## a function inside
def g(p):
    return p + n
return g(2)
## a closure that changes: late binding
def g():
    return k
k = 1
p = g()
k = n
return p, g()
## closures made in a loop
fs = []
for k in range(3):
    fs.append(lambda: k)
return [g() for g in fs]
## closures made in a loop, with a default
fs = [lambda k=k: k for k in range(3)]
return [g() for g in fs]
## `nonlocal`
count = 0
def step():
    nonlocal count
    count += n
step()
step()
return count
## a counter that is returned and called
def counter(start):
    count = start
    def step():
        nonlocal count
        count += 1
        return count
    return step

def f(n):
    c = counter(n)
    return c(), c()
## a function inside that is recursive
def g(k):
    return 1 if k == 0 else k * g(k - 1)
return g(n)
## two functions inside that call one another
def even(k):
    return True if k == 0 else odd(k - 1)
def odd(k):
    return False if k == 0 else even(k - 1)
return even(n)
## a function as an argument
def apply(g, p):
    return g(g(p))

def f(n):
    return apply(lambda p: p * 2, n)
## a function as a result, called
def adder(p):
    return lambda q: p + q

def f(n):
    return adder(n)(2)
## a function as f's result
def adder(p):
    return lambda q: p + q

def f(n):
    return adder(n)
## a function that is one of several
def one(p):
    return p + 1
def two(p):
    return p * 2

def f(n):
    g = one if n > 2 else two
    return g(n)
## `compose(g, h)`
def compose(g, h):
    return lambda p: g(h(p))

def f(n):
    return compose(lambda p: p + 1, lambda p: p * 2)(n)
## a decorator, outside
def twice(g):
    def inner(p):
        return g(g(p))
    return inner

@twice
def g(p):
    return p + 3

def f(n):
    return g(n)
## a decorator with arguments
def times(k):
    def wrap(g):
        def inner(p):
            return k * g(p)
        return inner
    return wrap

@times(3)
def g(p):
    return p + 3

def f(n):
    return g(n)
## a decorator with `*args, **kwargs`
def traced(g):
    def inner(*args, **kwargs):
        return g(*args, **kwargs)
    return inner

@traced
def g(p, q=1):
    return p + q

def f(n):
    return g(n, q=2)
## a decorator, inside
def twice(g):
    return lambda p: g(g(p))
@twice
def g(p):
    return p + 3
return g(n)
## a decorator that is a class
class Twice:
    def __init__(self, g):
        self.g = g

    def __call__(self, p):
        return self.g(self.g(p))

@Twice
def g(p):
    return p + 3

def f(n):
    return g(n)
## a global that is read
G = 2.5

def f(n):
    return G * n
## a global array
G = np.arange(3.0)

def f(n):
    G[0] = n
    return G.sum()
## `global`
G = 1

def f(n):
    global G
    G = n
    return G
## a global list that is read
G = [1, 2, 3]

def f(n):
    return G[n - 1] + len(G)
## a global list that is changed
G = [1, 2, 3]

def f(n):
    G.append(n)
    return len(G)
## `def f(*args)` as the jitted function
def g(*args):
    return args

def f(n):
    return shapecast.jit(g)(n, 1)
## a jitted function that calls another
import shapecast

@shapecast.jit
def g(p):
    return p + 1

def f(n):
    return g(n)
## a function of another library, called
import scipy.special

def f(v):
    return scipy.special.gamma(v)
## `shapecast.pyfunc`
import shapecast

@shapecast.pyfunc
def g(p):
    return p + 1.5

def f(n):
    return g(n)
## `async def`, `await`
async def g(p):
    return p

async def h(p):
    return await g(p)

def f(n):
    return asyncio.run(h(n))
## `async for`, `async with`
class A:
    async def __aenter__(self):
        return self

    async def __aexit__(self, *error):
        return None

async def numbers(n):
    yield n

async def h(n):
    async with A():
        async for k in numbers(n):
            return k

def f(n):
    return asyncio.run(h(n))
## `[k async for k in g()]`
async def numbers(n):
    yield n

async def h(n):
    return [k async for k in numbers(n)]

def f(n):
    return asyncio.run(h(n))
"""

_GENERATORS = """
## `for k in g()`
def g(n):
    for k in range(n):
        yield k * k

def f(n):
    t = 0
    for k in g(n):
        t += k
    return t
## `list(g())`, `sum(g())`
def g(n):
    for k in range(n):
        yield k * k

def f(n):
    return list(g(n)), sum(g(n)), max(g(n))
## `while True: yield`, with `break`
def g(n):
    while True:
        yield n
        n += 1

def f(n):
    t = 0
    for k in g(n):
        if k > 10:
            break
        t += k
    return t
## `yield from g()`
def g(n):
    yield n
    yield from range(n)

def f(n):
    return list(g(n))
## `next(it)`
def g(n):
    yield n
    yield n + 1

def f(n):
    it = g(n)
    return next(it), next(it)
## `next(it)` after the end (an error)
def g(n):
    yield n

def f(n):
    it = g(n)
    next(it)
    return next(it)
## `next(it, default)` in a loop
def g(n):
    for k in range(n):
        yield k

def f(n):
    it = g(n)
    t = 0
    while (k := next(it, None)) is not None:
        t += k
    return t
## `return` in a generator
def g(n):
    for k in range(10):
        if k == n:
            return
        yield k

def f(n):
    return list(g(n))
## `r = yield from g()`
def g(n):
    yield n
    return 7

def h(n):
    r = yield from g(n)
    yield r

def f(n):
    return list(h(n))
## `p = yield`, `it.send(v)`
def g():
    total = 0
    while True:
        p = yield total
        total += p

def f(n):
    it = g()
    next(it)
    it.send(n)
    return it.send(n)
## `total += yield total`, `x = yield` in a loop that sends nothing
def g():
    total = 0
    while True:
        total += yield total

def h(n):
    x = yield n
    yield x

def f(n):
    it = g()
    it.send(None)
    it.send(n)
    return it.send(n), list(h(n))
## `it.send(v)` until it returns
def g(n):
    while n is not None:
        n = yield n

def f(n):
    it = g(n)
    found = [next(it), it.send(n + 1)]
    try:
        it.send(None)
    except StopIteration:
        found.append(-1)
    return found
## `it.close()`
def g(n):
    yield n

def f(n):
    it = g(n)
    next(it)
    it.close()
    return n
## `it.throw(...)`
def g(n):
    try:
        yield n
    except ValueError:
        yield 0

def f(n):
    it = g(n)
    next(it)
    return it.throw(ValueError())
## `yield` in `try`
def g(n):
    try:
        yield n
    finally:
        n = 0

def f(n):
    return list(g(n))
## a recursive generator
def g(n):
    if n > 0:
        yield n
        yield from g(n - 1)

def f(n):
    return list(g(n))
## a generator over a tree
class Node:
    def __init__(self, v, left=None, right=None):
        self.v = v
        self.left = left
        self.right = right

def walk(node):
    if node is not None:
        yield from walk(node.left)
        yield node.v
        yield from walk(node.right)

def f(n):
    return list(walk(Node(n, Node(1), Node(7))))
## a generator inside
def g():
    for k in range(n):
        yield k
return list(g())
## a generator that is returned
def g(n):
    yield n

def f(n):
    return g(n)
## a generator function that is jitted
def f(n):
    yield n
## a generator as an argument of a function
def g(n):
    for k in range(n):
        yield k

def total(it):
    t = 0
    for k in it:
        t += k
    return t

def f(n):
    return total(g(n))
## `zip(g(), x)`
def g(n):
    for k in range(n):
        yield k

def f(n, x):
    return list(zip(g(n), x))
## two generators in one `zip`
def g(n):
    for k in range(n):
        yield k

def f(n):
    return list(zip(g(n), g(n)))
## `enumerate(g())`
def g(n):
    for k in range(n):
        yield k * k

def f(n):
    return [i * k for i, k in enumerate(g(n))]
## `itertools.islice(g(), 3)` of one that does not end
def g(n):
    while True:
        yield n
        n += 1

def f(n):
    return list(itertools.islice(g(n), 3))
## `a, b = g()`
def g(n):
    yield n
    yield n + 1

def f(n):
    a, b = g(n)
    return b, a
## a generator of strings
def g(s):
    for c in s:
        yield c + c

def f(s):
    return list(g(s))
## a generator of arrays
def g(a):
    for k in range(3):
        yield a * k

def f(a):
    return list(g(a))
## `(k for k in x)` as a value
it = (k * n for k in x)
return sum(it)
## `(k for k in x)`, then `next`
it = (k * n for k in x)
return next(it), next(it)
## `(k for k in x)` twice
it = (k * n for k in x)
return list(it), list(it)
## `any(k > n for k in x)`
return any(k > n for k in x), all(k > n for k in x)
## `", ".join(str(k) for k in x)`
return ", ".join(str(k) for k in x)
## a pipeline of generators
def numbers(n):
    for k in range(n):
        yield k

def squares(it):
    for k in it:
        yield k * k

def f(n):
    return sum(squares(numbers(n)))
## a method that is a generator
class A:
    def __init__(self, n):
        self.n = n

    def items(self):
        for k in range(self.n):
            yield k

def f(n):
    return list(A(n).items())
"""

SECTIONS = {
    "functions and closures": programs(_FUNCTIONS, _KNOWN),
    "generators": programs(_GENERATORS, _KNOWN),
}
