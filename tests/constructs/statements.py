"""Statements, expressions and match."""

from __future__ import annotations

import numpy as np
from constructs.rows import expressions, programs

_KNOWN = {
    "n": 3,
    "x": [3, 1, 2],
    "v": 2.5,
    "s": "ab",
    "a": np.array([1.0, 2.0, 4.0]),
    "t": (1, 2),
    "d": {"a": 1, "b": 2},
    "g": None,
}

_STATEMENTS = """
## `p = v`
p = n
return p
## `p = q = v`
p = q = n
return p + q
## `p, q = q, p`
p, q = n, v
p, q = q, p
return p, q
## `(p, q), r = ...`
(p, q), r = (n, 1), v
return p, q, r
## `p, *q = t`
p, *q = t
return p, q
## `p: int = v`
p: int = n
return p
## `p: int`
p: int
p = n
return p
## `p += v`
p = n
p += v
return p
## `a[i] = v`
a[0] = n
a[1:] = v
return a
## `a[i] += v`
a[1] += n
a *= 2
return a
## `del p`
p = n
del p
return n
## `del p`, then `p` (an error)
p = n
del p
return p
## a name that has no value (an error)
if n > 100:
    p = 1
return p
## a name that there is not (an error)
return no_such_name
## `pass`
pass
return n
## an expression as a statement
n + 1
"text"
...
return n
## `if`, `elif`, `else`
if n > 5:
    return 1
elif n > 2:
    return 2
else:
    return 3
## `while`, `break`, `continue`
t = 0
while True:
    t += 1
    if t == 2:
        continue
    if t > n:
        break
return t
## `while` ... `else`
t = 0
while t < n:
    t += 1
else:
    t = 100
return t
## `for k in range(n)`
t = 0
for k in range(n):
    t += k
return t
## `for` ... `else`
for k in range(n):
    if k == 10:
        break
else:
    k = -1
return k
## `for` with `break` and `continue` in another loop
t = 0
for i in range(n):
    for j in range(n):
        if j == i:
            continue
        if j > i + 1:
            break
        t += 1
return t
## `for p, (q, r) in ...`
t = 0
for p, (q, r) in [(1, (2, n)), (3, (4, n))]:
    t += p * q * r
return t
## `for d["k"] in x`
for d["k"] in x:
    pass
return d
## `for row in a` of an array
t = 0.0
for row in a:
    t += row
return t
## the loop's variable after the loop
for k in range(n):
    pass
return k
## `return` without a value
if n > 2:
    return
return
## `return` in a loop
for k in x:
    if k < n:
        return k
return -1
## `return` of a number or None
if n > 2:
    return None
return n
## `return` of an int or a float
if n > 2:
    return v
return n
## `return` of a number or a string
if n > 2:
    return s
return n
## `assert`
assert n > 2
return n
## `assert` with a text (an error)
assert n > 5, "too small"
return n
## `global`
G = 1

def f(n):
    global G
    G += n
    return G
## `nonlocal`
p = 1
def g():
    nonlocal p
    p += n
g()
return p
## `import` inside
import math
return math.sqrt(n)
## `from ... import` inside
from math import sqrt
return sqrt(n)
## `class` inside
class A:
    def __init__(self, v):
        self.v = v
return A(n).v
## `def` inside
def g(p):
    return p + n
return g(1)
## `type X = ...` before Python 3.12: `X: TypeAlias = ...`
from typing import TypeAlias

Number: TypeAlias = int

def f(n):
    p: Number = n
    return p
## `if __debug__`
if __debug__:
    return n
return 0
## `if TYPE_CHECKING`
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import decimal

def f(n):
    return n
## `if debug: breakpoint()`
if n > 100:
    breakpoint()
return n
## a comment, a docstring
"What it does."  # and why
return n
## several statements in a line
p = n; q = p + 1
return q
## lines that are continued
p = (n +
     1)
q = p + \\
    2
return q
"""

_EXPRESSIONS = """
n
1, 2.5, 2j, "text", None, True, ...
n + 1 if n > 2 else v
n > 2 and v > 2
n and v
n or v
not n
n > 1 > 0
1 < n <= v < 9
n == v != 2
n is None
n is not None
n in x
n not in x
(p := n + 1) * p
[k for k in x]
[k for k in x if k > 1 if k < 3]
[(i, j) for i in range(n) for j in range(i)]
[[i * j for j in range(n)] for i in range(n)]
{k for k in x}
{k: k * k for k in x}
sum(k for k in x)
[p := k for k in x]
n > 2 and (p := n + 1)
(p := n) if n > 5 else (p := -n)
1 < n < (p := n * 2) < 50
any((p := k) > 2 for k in x) and p
lambda p: p
(lambda p: p + n)(1)
x[0]
x[1:n]
a[::2]
a[n - 1]
a[-1]
a[a > 1]
a[[0, 1]]
a[None, :]
a[..., 0]
v.real
a.sum()
a.T.shape
max(x)
max(*t)
max(*x)
dict(**d)
[*t, n]
(*t, n)
{*t, n}
{**d, "k": n}
f"{n} {v:.1f}"
f"{n!r:>5}"
"a" "b"
-n
+n
~n
n @ n
a @ a
n if n else None
(n, s) < (n, "b")
x < [3, 2]
s < "b"
t == (1, 2)
t == [1, 2]
x == t
n == s
None == n
"""

_MATCH = """
## `case 3`
match n:
    case 3:
        return "three"
    case _:
        return "other"
## `case -1`, `case 2.5`
match v:
    case -1:
        return 1
    case 2.5:
        return 2
## `case None`, `case True`
match n:
    case None:
        return 0
    case True:
        return 1
    case _:
        return 2
## `case "ab"`
match s:
    case "ab":
        return 1
    case "cd":
        return 2
    case _:
        return 3
## `case 1 | 2`
match n:
    case 1 | 2:
        return 1
    case 3 | 4:
        return 2
## `case p`
match n:
    case p:
        return p + 1
## `case p if p > 2`
match n:
    case p if p > 2:
        return p
    case _:
        return 0
## `case [p, q]`
match x:
    case [p, q]:
        return p
    case [p, q, r]:
        return r
## `case [p, *q]`
match x:
    case []:
        return 0
    case [p, *q]:
        return p, q
## `case (p, q)`
match t:
    case (1, q):
        return q
    case (p, q):
        return p
## `case [p, _]`
match t:
    case [p, _]:
        return p
## `case {"a": p}`
match d:
    case {"z": p}:
        return p
    case {"a": p}:
        return p + 1
## `case {"a": p, **q}`
match d:
    case {"a": p, **q}:
        return p, q
## `case int()`, `case str()`
match n:
    case str():
        return 1
    case int():
        return 2
## `case int(p)`
match n:
    case float(p):
        return -p
    case int(p):
        return p
## `case A(p=1)`
class A:
    def __init__(self, p):
        self.p = p

def f(n):
    match A(n):
        case A(p=1):
            return 1
        case A(p=q):
            return q
## `case A(p)` with `__match_args__`
@dataclasses.dataclass
class A:
    p: int
    q: int

def f(n):
    match A(n, 2):
        case A(1, _):
            return 1
        case A(p, 2):
            return p
## `case (p, q) as r`
match t:
    case (p, q) as r:
        return r, p
## `case int() | float() as p`
match v:
    case int() | float() as p:
        return p
## `case Colour.RED`
class Colour(enum.Enum):
    RED = 1
    BLUE = 2

def f(n):
    c = Colour.RED if n > 2 else Colour.BLUE
    match c:
        case Colour.RED:
            return "red"
        case Colour.BLUE:
            return "blue"
## `case math.pi`
match v:
    case math.pi:
        return 1
    case _:
        return 2
## no case matches
match n:
    case 100:
        return 1
return 0
## `match n, v`
match n, v:
    case 3, p:
        return p
## `match` in a loop over tuples
out = 0
for step in [("add", 1), ("sub", n)]:
    match step:
        case ("add", k):
            out += k
        case ("sub", k):
            out -= k
return out
## `match` of words: `s.split()`
match "go north".split():
    case ["go", where]:
        return where + s
    case _:
        return s
"""

SECTIONS = {
    "statements": programs(_STATEMENTS, _KNOWN),
    "expressions": expressions(_EXPRESSIONS, _KNOWN),
    "match": programs(_MATCH, _KNOWN),
}
