"""Lists, tuples, ranges and slices."""

from __future__ import annotations

import numpy as np
from constructs.rows import expressions, programs

_KNOWN = {
    "x": [3, 1, 2, 1],
    "y": [0.5, 2.5],
    "words": ["b", "a", "c"],
    "pairs": [(2, "b"), (1, "a")],
    "nested": [[1, 2], [3], []],
    "mixed": [1, "a", 2.5, None],
    "arrays": [np.arange(3.0), np.ones(3)],
    "empty": [],
    "t": (3, "a", 2.5),
    "u": (1, 2, 1),
    "a": np.array([1.0, 2.0, 4.0]),
    "n": 2,
    "s": "ab",
}

_METHODS = """
x.append(n)
x.clear()
x.copy()
x.count(1)
x.extend(y)
x.extend([n, n])
x.extend(range(n))
x.extend(k for k in range(n))
words.extend(s)
x.index(1)
x.index(1, 1)
x.index(9)
x.insert(0, n)
x.insert(-1, n)
x.insert(100, n)
x.pop()
x.pop(0)
x.pop(-n)
x.pop(9)
x.remove(1)
x.remove(9)
x.reverse()
x.sort()
x.sort(reverse=True)
x.sort(key=lambda v: -v)
words.sort()
pairs.sort()
pairs.sort(key=lambda p: p[1])
nested.sort()
mixed.sort()
words.append(s)
words.insert(n, s)
words.index("c")
words.count(s)
words.remove("a")
words.pop()
nested.append([n])
nested[0].append(n)
pairs.append((n, s))
arrays.append(a)
arrays.pop()
mixed.append(n)
empty.append(n)
empty.pop()
x.append("a")
x.append(2.5)
"""

_OPERATIONS = """
[]
[n, n + 1]
[n, s, 2.5, None]
[[n, n], [n]]
[*x, n, *y]
[n] * 4
[0.0] * n
[[0] * n for _ in range(n)]
[[]] * n
list()
list(x)
list(t)
list(range(n))
list(words)
list(a)
list(zip(x, words))
list(map(lambda v: v + 1, x))
list(k for k in range(n))
x + x
x + [n]
x + y
x + words
words + [s]
nested + nested
x * n
n * x
x - x
x[0]
x[n]
x[-1]
x[9]
x[-9]
x[1:n]
x[:n]
x[::-1]
x[::2]
x[n:]
x[-n:]
x[1:1]
words[n]
words[1:]
nested[0][1]
nested[0][n]
pairs[0][1]
mixed[1]
mixed[n]
t[0]
t[n]
t[-1]
t[1:]
t[::-1]
u[n]
u[n - 2:]
t + u
u + (n,)
u * n
() + u
(n,)
(n, s)
()
tuple(x)
tuple(u)
tuple(range(n))
tuple(k * 2 for k in u)
tuple(a)
(*u, *x)
u.count(1)
u.index(2)
u.index(9)
t.count("a")
t.index("a")
len(x)
len(nested)
len(t)
n in x
n in u
s in words
s not in words
"a" in t
[1, 2] in nested
x == x
x == [3, 1, 2, 1]
x == y
x != y
words == ["b", "a", "c"]
nested == [[1, 2], [3], []]
x < y
x < [3, 2]
words < ["c"]
u == (1, 2, 1)
u < (1, 3)
t == u
x is x
x is y
x is not None
not x
not empty
bool(nested)
sum(x)
sum(y)
sum(x, n)
sum(nested, [])
sum(u)
max(x)
min(words)
max(nested)
max(x, key=lambda v: -v)
max(pairs)
max(empty, default=0)
max(empty)
min(u)
sorted(x)
sorted(x, reverse=True)
sorted(words)
sorted(words, key=lambda w: (len(w), w))
sorted(words, key=str.upper)
max(x, key=x.count)
sorted(pairs)
sorted(pairs, key=lambda p: p[1], reverse=True)
sorted(nested)
sorted(u)
sorted(mixed)
reversed(x)
list(reversed(x))
list(reversed(words))
enumerate(x)
list(enumerate(words))
list(enumerate(words, 1))
zip(x, words)
list(zip(x, y))
list(zip(x, y, strict=True))
list(zip(*nested))
list(zip(*pairs))
any(v > n for v in x)
all(x)
[v * n for v in x]
[v for v in x if v > 1]
[v + w for v in x for w in y]
[[v + w for v in u] for w in x]
[v for row in nested for v in row]
[w.upper() for w in words]
[p for p, _ in pairs]
[i for i, v in enumerate(x) if v == 1]
[(i, w) for i, w in enumerate(words)]
[len(row) for row in nested]
[k if k > 1 else -k for k in x]
[a * k for k in range(n)]
[row[:] for row in nested]
sum(arrays)
np.array(x)
np.array(nested[:1])
np.stack(arrays)
arrays[0]
arrays[n - 1]
isinstance(x, list)
isinstance(t, (list, tuple))
type(x)
type(x) is list
str(x)
str(t)
repr(nested)
hash(u)
hash(t)
x.__len__()
x.__getitem__(0)
x.__contains__(n)
range(n)
list(range(1, 10, n))
list(range(10, 0, -n))
range(n)[1]
range(10)[n:]
range(10)[::-1][n]
len(range(n, 20, 3))
n in range(5)
range(n) == range(2)
range(5).index(n)
range(5).count(n)
range(n).start
range(n, 7).stop
range(n, 7, 2).step
sum(range(n))
max(range(n + 1))
reversed(range(n))
list(reversed(range(n)))
slice(n)
slice(1, n)
x[slice(1, n)]
a[slice(None, None, -1)]
slice(1, n).start
slice(1, n).stop
slice(1, n).step
slice(1, n).indices(10)
[*range(n)]
[w for w in words][::-1]
x.missing
array.array("d", y)
array.array("i", x)[n]
"""

_PROGRAMS = """
## `x[i] = v`
x[n] = 7
x[-1] = n
return x
## `x[9] = v` (an error)
x[9] = 7
return x
## `x[i] += v`
x[0] += n
x[n] *= 3
return x
## `x[i:j] = y`
x[1:n] = [7, 8, 9]
return x
## `x[::2] = y`
x[::2] = [7, 8]
return x
## `x[:] = y`
x[:] = [n]
return x
## `del x[i]`
del x[0]
del x[-1]
return x
## `del x[i:j]`
del x[1:n]
return x
## `del x[:]`
del x[:]
return x
## `x += y`
x += [n]
return x
## `x *= n`
x *= n
return x
## `y = x`, then `x.append(v)`
y = x
x.append(n)
return y
## `x.append(v)` in a loop
out = []
for k in range(n):
    out.append(k * k)
return out
## `while x: x.pop()`
total = 0
while x:
    total = 2 * total + x.pop()
return total
## `x[i], x[j] = x[j], x[i]`
x[0], x[n] = x[n], x[0]
return x
## `for v in x`
total = 0
for v in x:
    total += v
return total
## `for v in mixed`
out = []
for v in mixed:
    if v is not None:
        out.append(v)
return out
## `for v in t`
for v in t:
    if v == "a":
        return v
## `for row in nested: for v in row`
total = 0
for row in nested:
    for v in row:
        total += v
return total
## `for p, q in pairs`
out = []
for p, q in pairs:
    out.append(q * p)
return out
## `for v, w in zip(x, y)`
total = 0.0
for v, w in zip(x, y):
    total += v * w
return total
## `for i in range(len(x))`
for i in range(len(x)):
    x[i] = x[i] * 2
return x
## `for v in reversed(x)`
total = 0
for v in reversed(x):
    total = 10 * total + v
return total
## `for v in x: x.append(v)`
for v in x:
    if len(x) < 8:
        x.append(v)
return x
## `p, q = pairs[0]`
p, q = pairs[0]
return q, p
## `p, q, r = x` (an error)
p, q, r = x
return p
## `p, *q = x`
p, *q = x
return p, q
## `p, *q, r = u`
p, *q, r = u
return p, q, r
## `*p, q = words`
*p, q = words
return p, q
## `(p, q), r = pairs`
(p, q), r = pairs
return p, q, r
## `[p, q] = u[:2]`
[p, q] = u[:2]
return p + q
## `t[0] = n` (an error)
t[0] = n
return t
## a matrix as a list of lists
m = [[0] * n for _ in range(n)]
for i in range(n):
    for j in range(n):
        m[i][j] = i + j
return m
## a list of lists that grow
m = [[] for _ in range(n)]
for v in x:
    m[v % n].append(v)
return m
## a list of dicts
m = [{"k": v} for v in x]
m[0]["k"] = n
return m
## a list of sets
m = [set() for _ in range(n)]
for v in x:
    m[v % n].add(v)
return m
## a list of functions
m = [lambda v: v + 1, lambda v: v * 2]
return [g(n) for g in m]
## a list of functions, one chosen at run time
m = [lambda v: v + 1, lambda v: v * 2]
return m[n % 2](n)
## a list of arrays that grows
out = []
for k in range(n):
    out.append(a * k)
return out
## a list that holds itself
x = [n]
y = [x]
x = y
y.append(y)
return len(y)
## a list of numbers and strings that grows
out = []
for v in x:
    out.append(v)
    out.append(str(v))
return out
## a list or None
out = None
if n > 1:
    out = [n]
return out
## a list or a number
out = 0
if n > 1:
    out = [n]
return out
## a list or a dict
out = {}
if n > 1:
    out = [n]
return out
## `it = iter(x)`, `next(it)`
it = iter(x)
p = next(it)
q = next(it)
return p, q
## `for v in it` after `next(it)`
it = iter(x)
p = next(it)
total = 0
for v in it:
    total += v
return p, total
## `next(it, default)`
it = iter(empty)
return next(it, n)
## a copy: `copy.copy(x)`
y = copy.copy(x)
y.append(n)
return x, y
## a deep copy: `copy.deepcopy(nested)`
y = copy.deepcopy(nested)
y[0].append(n)
return nested, y
## `class L(list)`
class L(list):
    def first(self):
        return self[0]

def f(x):
    return L(x).first()
## `class T(tuple)`
class T(tuple):
    def first(self):
        return self[0]

def f(u):
    return T(u).first()
"""

SECTIONS = {
    "methods of list": expressions(_METHODS, _KNOWN),
    "lists, tuples and ranges": expressions(_OPERATIONS, _KNOWN),
    "statements with lists and tuples": programs(_PROGRAMS, _KNOWN),
}
