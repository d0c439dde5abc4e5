"""Dicts, sets and frozensets."""

from __future__ import annotations

import numpy as np
from constructs.rows import after, expressions, programs

_KNOWN = {
    "d": {"a": 1, "b": 2},
    "e": {"b": 3, "c": 4},
    "i": {1: 0.5, 2: 1.5},
    "nested": {"a": {"x": 1}, "b": {"y": 2}},
    "lists": {1: [1, 2], 2: []},
    "mixed": {"a": 1, "b": "x", "c": None},
    "arrays": {"a": np.arange(3.0), "b": np.ones(2)},
    "empty": {},
    "pairs": [("a", 1), ("c", 2)],
    "x": [3, 1, 2, 1],
    "words": ["b", "a", "b"],
    "t": (1, 2),
    "k": "a",
    "n": 2,
}

_METHODS = """
d.clear()
d.copy()
dict.fromkeys(words)
dict.fromkeys(words, 0)
dict.fromkeys(range(n), n)
d.get(k)
d.get("z")
d.get(k, 0)
d.get("z", n)
i.get(n)
i.get(n + 7, 0.0)
list(d.items())
list(d.keys())
len(d.keys())
str(d.keys())
d.keys().isdisjoint({"z"})
sum(d.values()) / len(d.values())
sorted(d.keys() & {"a", "z"})
sorted({"a", "z"} - d.keys())
d.keys() == {"a", "b", "c"}
sorted(d.items() - {("a", 1)})
d.pop(k)
d.pop("z")
d.pop("z", n)
d.popitem()
empty.popitem()
d.setdefault(k, 5)
d.setdefault("z", 5)
d.setdefault("z")
lists.setdefault(3, []).append(n)
d.update(e)
d.update(pairs)
d.update({"z": n})
d.update(z=n)
d.update({"y": n}, z=n)
sorted(d, key=d.get)
list(d.values())
sum(d.values())
max(d.values())
sorted(d.items())
sorted(d.items(), key=lambda p: -p[1])
"""

_OPERATIONS = """
{}
{k: n}
{"a": n, "b": [n]}
{n: k, n + 1: "z"}
{**d, "z": n}
{**d, **e}
{v: v * v for v in x}
{w: len(w) for w in words}
{v: w for v, w in pairs}
{v: k for k, v in d.items()}
{v: [] for v in x}
{(v, n): v for v in x}
{v: w for v in x for w in words if v > 1}
dict()
dict(d)
dict(a=n, b=2)
dict(pairs)
dict(zip(words, x))
dict(d, z=n)
dict([(n, k)])
d[k]
d["a"]
d["z"]
i[n]
i[7]
nested["a"]["x"]
nested[k]["x"]
lists[1][0]
lists[n - 1][n - 1]
arrays["a"]
arrays[k]
len(d)
len(empty)
k in d
k not in d
n in i
n in i.keys()
n in d.values()
(k, 1) in d.items()
d | e
d == e
d == {"b": 2, "a": 1}
d != e
d < e
d is d
not d
not empty
list(d)
set(d)
sorted(d)
sorted(i)
max(d)
max(d, key=d.get)
max(d, key=lambda v: d[v])
min(i)
sum(i)
sum(i.values())
sum(v for v in i.values())
list(reversed(d))
list(enumerate(d))
list(zip(d, e))
list(map(str, d))
[v for v in d]
[v + w for v, w in i.items()]
any(v > 1 for v in d.values())
all(v in e for v in d)
next(iter(d))
next(iter(d.values()))
list(d)[0]
list(d.items())[0]
str(d)
repr(i)
isinstance(d, dict)
type(d)
hash(d)
d.missing
d[[n]]
{[n]: n}
{n: 1, n * 1.0: 2}
{True: 1, 1: 2}
{None: n}
{t: n}[t]
{1.5: n, 2.5: k}
mixed["a"]
mixed[k]
types.MappingProxyType(d)["a"]
collections.ChainMap(d, e)["c"]
collections.UserDict(d)["a"]
"""

_PROGRAMS = """
## `d[k] = v`
d[k] = 7
d["z"] = n
return d
## `d[k] += v`
d[k] += n
return d
## `d["z"] += v` (an error)
d["z"] += n
return d
## `d[k] = d.get(k, 0) + 1`
out = {}
for w in words:
    out[w] = out.get(w, 0) + 1
return out
## `if v in d`
out = {}
for v in x:
    if v in out:
        out[v] += 1
    else:
        out[v] = 1
return out
## `d.setdefault(k, []).append(v)`
out = {}
for v in x:
    out.setdefault(v % n, []).append(v)
return out
## `del d[k]`
del d[k]
return d
## `del d["z"]` (an error)
del d["z"]
return d
## `d |= e`
d |= e
return d
## `for v in d`
out = []
for v in d:
    out.append(v)
return out
## `for v, w in d.items()`
total = 0
for v, w in d.items():
    total += w * len(v)
return total
## `for v in d.values()`
total = 0
for v in d.values():
    total += v
return total
## `for v in sorted(d)`
out = ""
for v in sorted(d):
    out += v
return out
## `for v in list(d): del d[v]`
for v in list(d):
    if d[v] > 1:
        del d[v]
return d
## `for v in d: d[...] = ...` (an error)
for v in i:
    i[v + 10] = 1.0
return i
## `for v in d: d[v] += 1`
for v in i:
    i[v] += 1
return i
## `while d: d.popitem()`
total = 0
while d:
    v, w = d.popitem()
    total = total * 10 + w
return total
## `p, q = d`
p, q = d
return p + q
## `nested[k][l] = v`
nested["a"]["x"] = n
nested["z"] = {"y": n}
return nested
## a dict of lists that grow
lists[1].append(n)
lists[n + 1] = [n]
return lists
## a dict of dicts
out = {}
for v in x:
    if v not in out:
        out[v] = {}
    out[v][n] = v
return out
## a dict of sets
out = {}
for v in x:
    out[v] = {v, n}
return out
## a dict of tuples
out = {}
for v in x:
    out[v] = (v, n)
return out
## a dict of functions
out = {"a": lambda v: v + 1, "b": lambda v: v * 2}
return out["b"](n)
## a dict of functions, one chosen at run time
out = {"a": lambda v: v + 1, "b": lambda v: v * 2}
return out[k](n)
## a dict of arrays
out = {}
for v in x:
    out[v] = np.arange(v)
return out
## a dict of arrays and numbers
return {"a": np.arange(n), "b": n}
## a dict of numbers and strings
out = {}
for w in words:
    out[w] = n
    out[w + "s"] = w
return out
## keys of two kinds
out = {}
for v in x:
    out[v] = n
    out[str(v)] = n
return out
## keys that are tuples
out = {}
for v in x:
    out[v, n] = v
return out, (1, n) in out
## keys that are tuples with frozensets
out = {}
for v in x:
    out[n, frozenset([v, n])] = v
return len(out), (n, frozenset([n, 1])) in out
## keys that are floats
out = {}
for v in x:
    out[v / 2] = v
return out
## keys that are NaN
out = {float("nan"): n}
return float("nan") in out, len(out)
## `e = d`, then `d[k] = v`
e = d
d[k] = n
return e
## a dict or None
out = None
if n > 1:
    out = {n: n}
return out
## a dict from outside, that is read
G = {"a": 1}

def f(k):
    return G["a"], G[k]
## a dict from outside, with other keys than strings
G = {1: 2}

def f(n):
    return G[n - 1]
## a dict from outside, that is changed
G = {"a": 1}

def f(n):
    G["a"] = n
    return G
## `class D(dict)`
class D(dict):
    def __missing__(self, key):
        return 0

def f(k):
    return D()[k]
## a memo: `if n in memo`
def fib(n, memo):
    if n in memo:
        return memo[n]
    memo[n] = n if n < 2 else fib(n - 1, memo) + fib(n - 2, memo)
    return memo[n]

def f(n):
    return fib(n + 20, {})
"""

_SETS = {
    "given": {1, 2, 3},
    "frozen": frozenset({1, 2}),
    "x": [3, 1, 1],
    "y": ["b", "a", "b"],
    "k": "a",
    "n": 2,
}

_SET_METHODS = """
s.add(n)
s.add(n + 7)
words.add(k)
s.clear()
s.copy()
s.difference(t)
s.difference(x)
s.difference_update(t)
s.discard(n)
s.discard(n + 7)
s.intersection(t)
s.intersection(x)
s.intersection_update(t)
s.isdisjoint(t)
s.issubset(t)
s.issuperset(t)
s.pop()
set().pop()
s.remove(n)
s.remove(n + 7)
s.symmetric_difference(t)
s.symmetric_difference_update(t)
s.union(t)
s.union(x)
s.union(t, x)
s.union(*[x, [n]])
set.union(*[s, t])
s.update(t)
s.update(x)
s.update(t, x)
words.update(y)
frozen.copy()
frozen.difference(given)
frozen.intersection(x)
frozen.isdisjoint(x)
frozen.issubset(given)
frozen.issuperset(x)
frozen.symmetric_difference(x)
frozen.union(frozen)
frozen.union(x)
"""

_SET_OPERATIONS = """
{n, n + 1}
{n, k}
{*x, n}
{v * 2 for v in x}
{v for v in x if v > 1}
{(v, n) for v in x}
{k, "z"}
{None, n}
{1.5, n}
set()
set(x)
set(y)
set(range(n))
set(v % 2 for v in x)
set(k)
frozenset()
frozenset(x)
frozenset({n})
{frozenset({n})}
s | t
s & t
s - t
s ^ t
s == t
s != t
s < t
s <= t
s > t
s >= t
s + t
n in s
n not in s
k in words
len(s)
not s
bool(t)
sum(s)
max(s)
min(words)
sorted(s)
sorted(words)
list(s)
tuple(s)
[v for v in s]
sum(v for v in s)
any(v > n for v in s)
{v: n for v in s}
str(s)
repr(s)
s is s
isinstance(s, set)
type(s)
hash(s)
s[0]
{[n]}
next(iter(s))
list(map(lambda v: v + 1, s))
set(y) - {"a"}
len(set(x))
len(set(y))
set(x) & set(range(n))
"""

_SET_ARGUMENTS = """
given.add(n)
given | given
n in given
len(given)
[v for v in given]
sum(given)
frozen | frozen
frozen & given
frozen - frozen
frozen == frozen
frozen <= frozen
n in frozen
len(frozen)
sorted(frozen)
list(frozen)
[v for v in frozen]
isinstance(frozen, frozenset)
hash(frozen)
"""

_SET_PROGRAMS = """
## `s.add(v)` in a loop
seen = set()
out = []
for v in x:
    if v not in seen:
        seen.add(v)
        out.append(v)
return out, seen
## `for v in s`
total = 0
for v in set(x):
    total += v
return total
## `for v in sorted(s)`
out = ""
for v in sorted(set(y)):
    out += v
return out
## `for v in frozen` of a frozenset
total = 0
for v in frozen:
    total += v
return total
## `for v in s: s.add(...)` (an error)
s = set(x)
for v in s:
    s.add(v + 10)
return s
## `s |= t`
s = set(x)
s |= set(range(n))
return s
## `s &= t`
s = set(x)
s &= set(range(n))
return s
## `s -= t`
s = set(x)
s -= set(range(n))
return s
## `s ^= t`
s = set(x)
s ^= set(range(n))
return s
## `while s: s.pop()`
total = 0
s = set(x)
while s:
    total += s.pop()
return total
## `u = s`, then `s.add(v)`
s = set(x)
u = s
s.add(n + 7)
return u
## a set of tuples
seen = set()
for v in x:
    seen.add((v, n))
return (1, n) in seen, len(seen)
## a set of numbers and strings
seen = set()
for v in x:
    seen.add(v)
    seen.add(str(v))
return len(seen)
## a set from outside
G = {1, 2}

def f(n):
    return n in G
## a frozenset from outside
G = frozenset({1, 2})

def f(n):
    return n in G
## a set of strings from outside
G = {"a", "b"}

def f(k):
    return k in G
## `class S(set)`
class S(set):
    def first(self):
        return min(self)

def f(x):
    return S(x).first()
"""

_MADE = {
    "s": "s = set(x)",
    "t": "t = set(range(n, n + 3))",
    "words": "words = set(y)",
}
SECTIONS = {
    "methods of dict": expressions(_METHODS, _KNOWN),
    "operations with dicts": expressions(_OPERATIONS, _KNOWN) + programs(_PROGRAMS, _KNOWN),
    "methods of set and frozenset": after(_MADE, _SET_METHODS, _SETS),
    "operations with sets": [
        *after(_MADE, _SET_OPERATIONS, _SETS),
        *programs(_SET_PROGRAMS, _SETS),
        *expressions(_SET_ARGUMENTS, _SETS),
    ],
}
