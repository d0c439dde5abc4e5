"""Each builtin function and class, and printing."""

from __future__ import annotations

import numpy as np
from constructs.rows import expressions, programs

_KNOWN = {
    "n": 3,
    "x": [3, 1, 2],
    "y": [0.5, 1.5, 2.5],
    "v": 2.5,
    "s": "ab",
    "z": 1 + 2j,
    "a": np.array([1.0, 2.0]),
    "words": ["b", "a"],
    "d": {"a": 1},
    "t": (1, "b"),
    "g": None,
}

_FUNCTIONS = """
abs(-n)
abs(a)
aiter(x)
all(x)
all(k > n for k in x)
anext(x)
any(x)
any(k > n for k in x)
ascii(s)
bin(n)
bool(n)
bool(x)
breakpoint()
bytearray(n)
bytes(n)
callable(n)
callable(abs)
chr(n + 97)
compile("1", "", "eval")
complex(n, v)
complex("1+2j")
delattr(n, "a")
dict(a=n)
dir(n)
dir()
divmod(n, 2)
divmod(v, 2)
list(enumerate(x))
list(enumerate(x, n))
list(enumerate(x, start=1))
eval("n + 1")
exec("n + 1")
list(filter(None, x))
list(filter(lambda k: k > 1, x))
float(n)
float("1.5")
format(v, ".2f")
format(n)
frozenset(x)
getattr(z, "real")
getattr(z, "missing", n)
getattr(z, s, n)
globals()
globals()["n"]
hasattr(z, "real")
hasattr(n, "missing")
hash(n)
hash(t)
hex(n)
id(x)
input()
int(v)
int("12")
int()
isinstance(n, int)
isinstance(n, (int, float))
isinstance(n, int | float)
isinstance(x, list)
issubclass(bool, int)
issubclass(int, (str, float))
iter(x)
next(iter(x))
next(iter([]), n)
next(iter([]))
len(x)
len(s)
len(d)
len(a)
len(n)
list(x)
list(s)
locals()
list(map(abs, x))
list(map(lambda p, q: p * q, x, y))
list(map(str, x))
max(x)
max(n, v)
max(x, key=lambda k: -k)
max([], default=n)
max(words, key=len)
memoryview(b"ab")
min(x)
min(n, v, 2)
min(x, default=0)
object()
oct(n)
open("/dev/null")
ord("a")
pow(n, 2)
pow(n, 2, 5)
pow(n, -1, 5)
property(abs)
range(n)
repr(n)
repr(s)
list(reversed(x))
round(v)
round(v, 1)
round(n, -1)
set(x)
setattr(n, "a", 1)
slice(1, n)
sorted(x)
sorted(x, reverse=True)
sorted(x, key=lambda k: -k)
sorted(s)
sorted(d)
staticmethod(abs)
classmethod(abs)
str(n)
str(v)
str()
sum(x)
sum(y)
sum(y, v)
sum(k * k for k in x)
sum(x, start=n)
super()
tuple(x)
type(n)
type(n).__name__
type(n) is int
type("C", (), {})
vars(n)
vars()
list(zip(x, y))
list(zip(x, y, words))
list(zip(x))
list(zip())
list(zip(x, y, strict=True))
__import__("math").pi
__name__
__debug__
__file__
__doc__
__build_class__
Ellipsis
...
None
True
False
"""

_PROGRAMS = """
## `callable(g)` of a function
def g(n):
    return n

def f(n):
    return callable(g)
## `for i, v in enumerate(x)`
out = 0
for i, v in enumerate(x):
    out += i * v
return out
## `for p, q in zip(x, y)`
out = 0.0
for p, q in zip(x, y):
    out += p * q
return out
## `for v in map(g, x)`
out = 0
for v in map(lambda v: v * v, x):
    out += v
return out
## `for v in filter(g, x)`
out = 0
for v in filter(lambda v: v > 1, x):
    out += v
return out
## `it = zip(x, y)`, `next(it)`
it = zip(x, y)
return next(it), next(it)
## `it = map(g, x)`, `list(it)` twice
it = map(abs, x)
return list(it), list(it)
## `getattr(p, name)` with a name known at run time
class P:
    def __init__(self):
        self.ab = 1

def f(s):
    return getattr(P(), s)
## `setattr(p, "a", v)`
class P:
    def __init__(self):
        self.a = 1

def f(n):
    p = P()
    setattr(p, "a", n)
    return p.a
## `delattr(p, "a")`
class P:
    def __init__(self):
        self.a = 1

def f(n):
    p = P()
    delattr(p, "a")
    return hasattr(p, "a")
## `vars(p)`
class P:
    def __init__(self):
        self.a = 1

def f(n):
    return vars(P())
## `with open(path) as file`
with open("/dev/null") as file:
    return len(file.read())
## `object()` as a mark
mark = object()
v = mark if n > 2 else n
return v is mark
"""

_PRINTING = """
## `print(n)`
print(n)
## `print(n, s, x)`
print(n, s, x)
## `print()`
print()
## `print(..., sep=..., end=...)`
print(n, v, sep=", ", end="!")
## `print(..., flush=True)`
print(n, flush=True)
## `print(..., file=sys.stderr)`
print(n, file=sys.stderr)
## `print(f"{v:.2f}")`
print(f"{v:.2f} {n:5d}")
## `print("%d" % n)`
print("%d %s" % (n, s))
## `print("{}".format(n))`
print("{} {:>5}".format(n, s))
## `print(a)` of an array
print(a, a[0])
## `print(d)`
print(d, t, words, None, z)
## `print(s)` in a loop
for k in range(n):
    print(k, s * k)
## `print(p)` of an object with `__repr__`
class P:
    def __repr__(self):
        return "P()"

def f(n):
    print(P())
## `print(p)` of a dataclass
@dataclasses.dataclass
class P:
    a: int

def f(n):
    print(P(n))
## `print(*x)`
print(*x)
## `n > 2 and print(n)`
return n > 2 and print(n)
## `print(n)` in a lambda
show = lambda p: print(p, v)
show(n)
## `for_each(print)`
def for_each(items, act):
    for item in items:
        act(item)

def f(x):
    for_each(x, print)
## `print(x, sep=s)` of a list, `print(len(x))`
print(len(x), x, sep=s)
## `pprint.pprint(x)`
pprint.pprint(x)
## `sys.stdout.write(s)`
sys.stdout.write(s)
return n
"""

SECTIONS = {
    "builtin functions and classes": [
        *expressions(_FUNCTIONS, _KNOWN),
        *programs(_PROGRAMS, _KNOWN),
    ],
    "printing": programs(_PRINTING, _KNOWN),
}
