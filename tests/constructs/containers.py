"""deque, Counter, defaultdict, OrderedDict and the others of collections; heapq, bisect."""

from __future__ import annotations

from constructs.rows import after, expressions, programs

_KNOWN = {
    "x": [3, 1, 2, 1],
    "y": [1, 4, 4, 9],
    "words": ["b", "a", "b"],
    "pairs": [(2, "b"), (1, "a")],
    "text": "abba",
    "k": "b",
    "n": 2,
}

_DEQUE = """
q.append(n)
q.appendleft(n)
q.clear()
q.copy()
q.count(1)
q.extend(y)
q.extendleft(y)
q.index(2)
q.index(2, 1)
q.index(9)
q.insert(1, n)
q.pop()
q.popleft()
q.remove(1)
q.reverse()
q.rotate()
q.rotate(n)
q.rotate(-1)
q.maxlen
q[0]
q[n]
q[-1]
q[9]
len(q)
n in q
bool(q)
not q
q == q
q < q
q + q
q * n
list(q)
tuple(q)
sorted(q)
sum(q)
max(q)
list(reversed(q))
list(enumerate(q))
[v for v in q]
str(q)
deque()
deque(words)
deque([0] * n)
deque(x, maxlen=n)
deque(maxlen=n)
deque(k)
deque([(n, k)])
deque([[n]])
isinstance(q, deque)
"""

_DEQUE_PROGRAMS = """
## `q[i] = v`
q = collections.deque(x)
q[0] = n
return q
## `del q[i]`
q = collections.deque(x)
del q[0]
return q
## `q += y`
q = collections.deque(x)
q += y
return q
## `while q: q.popleft()`
q = collections.deque(x)
total = 0
while q:
    v = q.popleft()
    total += v
    if v > n:
        q.append(v - 1)
return total
## `for v in q`
q = collections.deque(x)
total = 0
for v in q:
    total = 10 * total + v
return total
## a deque of tuples
q = collections.deque([(0, n)])
while q[0][1] > 0:
    a, b = q.popleft()
    q.append((a + 1, b - 1))
return list(q)
## a deque with a length, that grows
q = collections.deque(maxlen=2)
for v in x:
    q.append(v)
return q
## a deque from outside
G = collections.deque([1, 2])

def f(n):
    return G[n - 1]
"""

_COUNTER = """
q.clear()
q.copy()
sorted(q.elements())
list(q.elements())
q.get("a")
q.get("z", n)
list(q.items())
list(q.keys())
list(q.values())
q.most_common()
q.most_common(1)
q.most_common(n)
Counter(a=n, b=2)
q.update(a=n)
+q
-q
q < q
q.pop("a")
q.popitem()
q.setdefault("z", n)
q.subtract(text)
q.total()
q.update(text)
q.update({"a": n})
Counter.fromkeys(x)
q["a"]
q["zz"]
q[k]
len(q)
k in q
q == q
q + q
q - q
q & q
q | q
q <= q
not q
sum(q.values())
max(q, key=lambda w: q[w])
sorted(q)
sorted(q.items(), key=lambda p: (-p[1], p[0]))
dict(q)
list(q)
{w: c for w, c in q.items() if c > 1}
str(q)
Counter()
Counter(x)
Counter(text)
Counter({"a": n})
Counter(v % n for v in x)
"""

_COUNTER_PROGRAMS = """
## `q[k] += 1`
q = collections.Counter()
for w in words:
    q[w] += 1
return q
## `q[k] = v`
q = collections.Counter(words)
q[k] = 7
return q
## `del q[k]`
q = collections.Counter(words)
del q[k]
del q["zz"]
return q
## `q += other`
q = collections.Counter(words)
q += collections.Counter(text)
return q
## `for v, w in q.items()`
total = 0
for v, w in collections.Counter(x).items():
    total += v * w
return total
"""

_DEFAULTDICT = """
q.clear()
q.copy()
q.default_factory
q.get(1)
q.get(7, n)
list(q.items())
list(q.keys())
list(q.values())
q.pop(1)
q.popitem()
q.setdefault(7, n)
q.update({7: n})
q | {7: n}
{7: n} | q
defaultdict.fromkeys(x, n)
q[1]
q[7]
len(q)
n in q
q == q
q | q
sorted(q)
dict(q)
sum(q.values())
defaultdict(int)
defaultdict(list)
defaultdict(lambda: n)
defaultdict(int, {1: n})
defaultdict(None)
defaultdict(float)[n]
defaultdict(set)[n]
defaultdict(dict)[n]
defaultdict(str)[n]
defaultdict(lambda: defaultdict(int))[n][n]
"""

_DEFAULTDICT_PROGRAMS = """
## `q[k] += 1` of a defaultdict(int)
q = collections.defaultdict(int)
for w in words:
    q[w] += 1
return q
## `q[k].append(v)` of a defaultdict(list)
q = collections.defaultdict(list)
for v, w in pairs:
    q[w].append(v)
return q
## `q[k].add(v)` of a defaultdict(set)
q = collections.defaultdict(set)
for v in x:
    q[v % n].add(v)
return q
## `q[k][l] += v` of a defaultdict of defaultdicts
q = collections.defaultdict(lambda: collections.defaultdict(int))
for v in x:
    q[v % n][v] += 1
return q
## `q[k] += v` of a defaultdict(float)
q = collections.defaultdict(float)
for v in x:
    q[v] += 0.5
return q
## `del q[k]` of a defaultdict
q = collections.defaultdict(int, {1: n})
del q[1]
return q
"""

_ORDERED = """
q.clear()
q.copy()
q.get(1)
list(q.items())
list(q.keys())
list(q.values())
q.move_to_end(1)
q.move_to_end(2, last=False)
q.move_to_end(9)
q.pop(1)
q.popitem()
q.popitem(last=False)
q.setdefault(7, n)
q.update({7: n})
q | {7: n}
q == OrderedDict([(7, n)])
OrderedDict.fromkeys(x)
q[1]
q[7]
len(q)
n in q
q == q
q | q
list(reversed(q))
list(q)
OrderedDict()
OrderedDict(pairs)
"""

_ORDERED_PROGRAMS = """
## `q[k] = v` of an OrderedDict
q = collections.OrderedDict()
for v in x:
    q[v] = n
return q
## `del q[k]` of an OrderedDict
q = collections.OrderedDict(pairs)
del q[1]
return q
## a cache with a limit
q = collections.OrderedDict()
for v in x:
    if v in q:
        q.move_to_end(v)
    q[v] = n
    if len(q) > n:
        q.popitem(last=False)
return q
## `collections.namedtuple`, outside
P = collections.namedtuple("P", "a b")

def f(n):
    p = P(n, b=2.5)
    return p, p.a, p[1], p._replace(a=1), p._asdict(), P._fields, len(p)
## `collections.namedtuple`, inside
P = collections.namedtuple("P", "a b")
return P(n, 2).a
## `p._make(x)` of a named tuple
P = collections.namedtuple("P", "a b")

def f(n):
    return P._make([n, 2])
## `typing.NamedTuple`
from typing import NamedTuple

class P(NamedTuple):
    a: int
    b: float = 2.5

    def total(self):
        return self.a + self.b

def f(n):
    p = P(n)
    a, b = p
    return p, p.total(), a
## `collections.ChainMap`
return collections.ChainMap({1: 2}, {n: 3})[n]
## `collections.UserString`
return collections.UserString(k).upper()
## `queue.Queue`
q = queue.Queue()
q.put(n)
return q.get()
"""

_HEAPS = """
heapq.heapify(x)
heapq.heappop(y)
heapq.heappush(y, n)
heapq.heappushpop(y, n)
heapq.heapreplace(y, n)
heapq.nlargest(n, x)
heapq.nlargest(n, words, key=lambda w: w)
heapq.nlargest(1, words, key=len)
heapq.nsmallest(n, x)
heapq.nsmallest(1, pairs)
list(heapq.merge(y, y))
list(heapq.merge(y, y, reverse=True))
heapq.heappop([])
bisect.bisect(y, n)
bisect.bisect(y, n, 1)
bisect.bisect_left(y, 4)
bisect.bisect_left(y, 4, 0, n)
bisect.bisect_right(y, 4)
bisect.bisect_left(y, -4, key=lambda v: -v)
bisect.bisect_left(words, k)
bisect.insort(y, n)
bisect.insort_left(y, n)
bisect.insort_right(y, n)
bisect.insort(pairs, (3, "c"))
"""

_HEAP_PROGRAMS = """
## a heap of tuples
h = []
for v in x:
    heapq.heappush(h, (v, n))
out = []
while h:
    out.append(heapq.heappop(h)[0])
return out
## a heap of tuples with strings
h = []
for v, w in pairs:
    heapq.heappush(h, (w, v))
return heapq.heappop(h)
"""

_DICT = "q = {kind}\nfor v in x:\n    q[v] = v * 10"
SECTIONS = {
    "deque": after({"q": "q = deque(x)"}, _DEQUE, _KNOWN) + programs(_DEQUE_PROGRAMS, _KNOWN),
    "Counter": after({"q": "q = Counter(words)"}, _COUNTER, _KNOWN)
    + programs(_COUNTER_PROGRAMS, _KNOWN),
    "defaultdict": [
        *after({"q": _DICT.format(kind="defaultdict(int)")}, _DEFAULTDICT, _KNOWN),
        *programs(_DEFAULTDICT_PROGRAMS, _KNOWN),
    ],
    "OrderedDict and the others of collections": [
        *after({"q": _DICT.format(kind="OrderedDict()")}, _ORDERED, _KNOWN),
        *programs(_ORDERED_PROGRAMS, _KNOWN),
    ],
    "heapq and bisect": expressions(_HEAPS, _KNOWN) + programs(_HEAP_PROGRAMS, _KNOWN),
}
