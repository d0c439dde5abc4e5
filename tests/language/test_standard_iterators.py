"""itertools, and methods and keys as functions: programs over few items, many, and none."""

from __future__ import annotations

import pytest
from support.standard import same_as_python

ENDLESS = """
## for k in count
r = 0
for k in itertools.count(n):
    if k > 10:
        break
    r += k
return r
## for k in count step
r = 0
for k in itertools.count(n, 2):
    if k > 10:
        break
    r += k
return r
## for k in count float
r = 0.0
for k in itertools.count(0.5, v):
    if k > 10:
        break
    r += k
return r
## count step keyword
r = 0
for k in itertools.count(start=n, step=2):
    if k > 10:
        break
    r += k
return r
## zip range cycle
return [p * q for p, q in zip(range(n), itertools.cycle(x))]
## zip count x
return [p * q for p, q in zip(itertools.count(), x)]
## for zip count x
r = 0
for p, q in zip(itertools.count(), x):
    r += p * q
return r
## zip x count
return list(zip(x, itertools.count(n)))
## dict zip
return dict(zip(words, itertools.count()))
## enumerate count
r = 0
for p, q in enumerate(itertools.count(5)):
    if p == n:
        break
    r += q
return r
## islice count
return list(itertools.islice(itertools.count(n), 4))
## islice cycle
return list(itertools.islice(itertools.cycle(x), 7))
## map count
r = 0
for k in map(lambda p: p * p, itertools.count(n)):
    if k > 100:
        break
    r += k
return r
## zip of two of them
r = 0
for p, q in zip(itertools.count(), itertools.cycle(x)):
    if p > 7:
        break
    r += p * q
return r
## zip of three
return [p + q + k for p, q, k in zip(itertools.count(), x, itertools.cycle(x))]
## from import
from itertools import count, cycle
def f(n, x):
    r = 0
    for k in count(n):
        if k > 10:
            break
        r += k
    return r, [a * b for a, b in zip(range(n), cycle(x))], list(zip(count(), x))
## argument of own function
def g(it, n):
    r = 0
    for k in it:
        if k > n:
            break
        r += k
    return r
def f(n, x):
    return g(itertools.count(1), n)
## cycle argument
def g(it, n):
    r = 0
    for k in zip(range(n), it):
        r += k[1]
    return r
def f(n, x):
    return g(itertools.cycle(x), n), g(itertools.cycle(words), n) if False else 0
## variable
c = itertools.count(n)
r = 0
for k in c:
    if k > 10:
        break
    r += k
return r
## variable cycle
c = itertools.cycle(x)
r = []
for p, k in zip(range(n * 3), c):
    r.append(k)
return r
## next of variable and for
c = itertools.count(n)
p = next(c)
for k in c:
    if k > 10:
        break
    p += k
return p
## next cycle
c = itertools.cycle(x)
return next(c), next(c), next(c), next(c), next(c)
## next cycle words
c = itertools.cycle(words)
return [next(c) for k in range(n + 4)]
## cycle string
return ["".join(p) for p in zip(t, itertools.cycle(s))]
## cycle of empty
r = 0
for k in itertools.cycle(empty):
    r += 1
    if r > 5:
        break
return r
## cycle of generator
r = 0
for p, k in zip(range(7), itertools.cycle(q * q for q in x)):
    r += k
return r
## takewhile count
return list(itertools.takewhile(lambda k: k < 10, itertools.count(n)))
## takewhile for
r = 0
for k in itertools.takewhile(lambda k: k < 10, itertools.count(n)):
    r += k
return r
## next(genexp over count)
return next(k for k in itertools.count(n) if k * k > 50)
## attribute
class A:
    def __init__(self):
        self.c = itertools.count()
    def new(self):
        return next(self.c)
def f(n):
    p = A()
    return p.new(), p.new()
## cycle for break
r = []
for k in itertools.cycle(x):
    r.append(k)
    if len(r) > n + 4:
        break
return r
## from inside import
from itertools import count
r = 0
for k in count(n):
    if k > 10:
        break
    r += k
return r
## cycle range
return [q for p, q in zip(range(7), itertools.cycle(range(n)))]
## cycle long
return [q for p, q in zip(range(130), itertools.cycle(long))]
## cycle dict
return [q for p, q in zip(range(7), itertools.cycle(d))]
## cycle tuple
return [q for p, q in zip(range(n), itertools.cycle((True, False)))]
## map two
return list(map(lambda p, q: p * q, x, itertools.count(1)))
## starts text
return list(zip(t, itertools.count(1)))
## xor
return "".join(chr(ord(p) ^ ord(q)) for p, q in zip(s, itertools.cycle(t)))
## next filter
return next(filter(lambda k: k % 7 == 0, itertools.count(n)))
## islice of filter
return list(itertools.islice(filter(lambda k: k % 7 == 0, itertools.count(n)), 3))
## any of genexp
return any(k * k > 50 for k in itertools.count(n))
## zip of three in all
return [p + q + k for p, q, k in zip(x, itertools.count(), long)]
## enumerate zip
return [(p, q) for p, q in enumerate(zip(x, itertools.count(n)))]
## count negative step
return [q for p, q in zip(x, itertools.count(n, -1))]
## list of count
return sum(itertools.islice(itertools.count(n), 2, 7, 2))
## nested loops
r = 0
for p in itertools.count():
    for q in itertools.count(p, 2):
        r += q
        if q > 7:
            break
    else:
        r += 100
    if p > n:
        return r, p
## bool start
return list(zip(itertools.count(flag), words))
## mixed cycle
return list(zip(range(5), itertools.cycle((1, "a", 2.5))))
## mixed cycle in for
for p, q in zip(range(5), itertools.cycle((1, 2.5))):
    v += q
return v
## attribute again
class A:
    def __init__(self):
        self.c = itertools.count()
    def new(self):
        return next(self.c)
def f(n):
    p = A()
    return p.new(), p.new()
## attribute cycle
class A:
    def __init__(self, x):
        self.c = itertools.cycle(x)
    def new(self):
        return next(self.c)
def f(n, x):
    p = A(x)
    r = 0
    for k in range(9):
        r += p.new() * k
    return r
## returned
class A:
    def __init__(self):
        self.c = itertools.count()
    def new(self):
        return next(self.c)
    def __repr__(self):
        return repr(self.c)
def f(n):
    p = A()
    p.new()
    return p
"""

GROUPED = """
## groupby
return [(k, list(g)) for k, g in itertools.groupby(x)]
## groupby sorted key
return [(k, len(list(g))) for k, g in itertools.groupby(sorted(x), key=lambda k: k % 2)]
## groupby for
out = []
for k, g in itertools.groupby(sorted(x)):
    out.append((k, len(list(g))))
return out
## groupby str
return "".join(k + str(len(list(g))) for k, g in itertools.groupby(s))
## groupby str list
return [(k, "".join(g)) for k, g in itertools.groupby(s)]
## groupby sum
return [(k, sum(1 for q in g)) for k, g in itertools.groupby(s)]
## groupby dict
return {k: list(g) for k, g in itertools.groupby(long, lambda q: q // 10)}
## groupby dict words
return {k: list(g) for k, g in itertools.groupby(sorted(words), key=len)}
## groupby lw
return {k: list(g) for k, g in itertools.groupby(lw, key=len)}
## groupby first
return [next(g) for k, g in itertools.groupby(x)]
## groupby unique
return [k for k, q in itertools.groupby(sorted(x))]
## groupby max
return max(len(list(g)) for k, g in itertools.groupby(x))
## groupby max tuple
return max((len(list(g)), k) for k, g in itertools.groupby(s))
## groupby empty
return [(k, list(g)) for k, g in itertools.groupby(empty)]
## groupby pairs
return [(k, [q[1] for q in g]) for k, g in itertools.groupby(sorted(pairs), key=lambda p: p[0])]
## groupby itemgetter
first = operator.itemgetter(0)
return [(k, [q[1] for q in g]) for k, g in itertools.groupby(sorted(pairs), key=first)]
## groupby range
return [list(g) for k, g in itertools.groupby(range(n * 3), lambda q: q // 3)]
## groupby nested for
r = 0
for k, g in itertools.groupby(x):
    for q in g:
        r += q * k
return r
## groupby consecutive
return [[q[1] for q in g] for k, g in itertools.groupby(enumerate(x), lambda p: p[1] - p[0])]
## groupby break
for k, g in itertools.groupby(long, lambda q: q // 7):
    if k == n:
        return list(g)
return None
## groupby array
return [(k, len(list(g))) for k, g in itertools.groupby(np.array([1, 1, 2]))]
## tee
a, b = itertools.tee(x)
return list(a), list(b)
## tee gen
a, b = itertools.tee(k * k for k in long)
return list(a), sum(b)
## tee 3
a, b, c = itertools.tee(words, 3)
return list(a), list(b), list(c)
## zip_longest 0
return list(itertools.zip_longest(x, [n], fillvalue=0))
## zip_longest lists
return [p + q for p, q in itertools.zip_longest(x, long, fillvalue=0)]
## zip_longest strs
return [p + q for p, q in itertools.zip_longest(s, t, fillvalue="-")]
## zip_longest words
return [p + q for p, q in itertools.zip_longest(words, lw, fillvalue="-")]
## zip_longest None in memory
r = 0
for p, q in itertools.zip_longest(long, x):
    if q is None:
        r += p
    else:
        r += p * q
return r
## zip_longest empty
return (
    list(itertools.zip_longest()), list(itertools.zip_longest(empty, empty)),
    list(itertools.zip_longest(x)),
)
## zip_longest of gens
return list(itertools.zip_longest((k for k in x), range(n), fillvalue=-1))
## zip_longest grouper
return [list(p) for p in itertools.zip_longest(long[::2], long[1::2], fillvalue=0)]
"""

KEYS = """
## key=str.lower
return sorted(words, key=str.lower), sorted(lw, key=str.upper), max(words, key=str.lower)
## map(str.upper)
return list(map(str.upper, words)), list(map(str.strip, s.split("o"))), list(map(str.title, lw))[:3]
## filter(str.isalpha)
return "".join(filter(str.isalpha, s)), list(filter(str.isdigit, lw))[:2]
## str.upper(s)
return str.upper(s), str.join(t, words), str.split(s, "o"), str.replace(s, "l", "L")
## max key=d.get
return max(d, key=d.get), min(d, key=d.get), sorted(d, key=d.get, reverse=True)
## max key=d.get in memory
return max(i, key=i.get), min(i, key=i.get), sorted(i, key=i.get)
## made d.get
z = {}
for k in x:
    z[k] = z.get(k, 0) + 1
return max(z, key=z.get), sorted(z, key=z.get)
## Counter get
z = Counter(s)
return max(z, key=z.get), min(z, key=z.get), max(z, key=z.__getitem__)
## defaultdict get
z = defaultdict(int)
for k in x:
    z[k] += 1
return max(z, key=z.get)
## key=x.index
return sorted(x, key=x.index), sorted(words, key=words.index), max(set(x), key=x.count)
## most common word
return max(set(words), key=words.count), max(x, key=x.count), max(s, key=s.count)
## map(d.get)
return list(map(d.get, ["a", "b"])), [k for k in map(i.get, [1, 3])]
## map join
return list(map("-".join, [words, words])), list(map(",".join, zip(words, words)))
## map attribute of an instance
class A:
    def __init__(self, p):
        self.get = p
        self.count = abs
    def index(self, k):
        return -k
def f(n, x):
    z = A(lambda k: -k)
    return sorted(x, key=z.get), sorted(x, key=z.count), sorted(x, key=z.index), list(map(z.get, x))
## map set contains
z = set(x)
return (
    list(map(z.__contains__, [1, n, 50])), list(filter(d.__contains__, words)),
    list(filter(z.__contains__, long)),
)
## map append
z = []
for k in map(z.append, x):
    pass
return z
## int methods
return list(map(int.bit_length, x)), list(map(float.is_integer, y)), int.bit_length(n)
## sort by dict value then
return (
    sorted(words, key=lambda k: (d.get(k, 0), k)),
    sorted(words, key={"a": 2, "b": 1, "c": 0}.get),
)
## sorted key getitem
return (
    sorted(range(3), key=x.__getitem__), sorted(d, key=d.__getitem__),
    max(range(len(x)), key=x.__getitem__),
)
## map startswith
return (
    list(map(s.startswith, ["h", "x"])), any(map(s.endswith, words)),
    any(map(s.__contains__, words)),
)
## map str.split
return list(map(str.split, ["a b", "c"])), list(map(str.split, ["a b", "c"]))[0]
## functools.reduce method
return functools.reduce(str.replace, [], s)
## map list.copy
return list(map(list.copy, nested)), list(map(len, nested))
## dict.items loop
return list(map(dict.keys, [d])) if False else 0
## sorted d.get str
z = {}
for k in s:
    z[k] = z.get(k, 0) + 1
return sorted(z, key=z.get, reverse=True), max(z, key=z.get)
## sorted one missing
z = {}
for k in long:
    z[k % 7] = z.get(k % 7, 0) + k
return sorted([99], key=z.get), sorted([], key=z.get)
## in a loop
best = []
for k in range(n):
    e = {q: (q * (k + 3)) % 5 for q in x}
    best.append(max(x, key=e.get))
    best.extend(sorted(x, key=e.get))
    best.append(sum(map(e.get, x)))
return best
## in a loop words
best = []
for w in words:
    e = w + "bca"
    best.append(sorted(words, key=e.index))
    best.append(list(map(e.count, words)))
return best
## in inner function
def g(e):
    return max(x, key=e.get)
return g({1: 2, 2: 3, 3: 1}), g({1: 2, 2: 3, 3: 4})
## in comprehension
return [max(x, key=e.get) for e in [{1: 2, 2: 3, 3: 1}, {1: 2, 2: 3, 3: 5}]]
## lambda default
h = lambda e: min(x, key=e.get)
return h({1: 2, 2: 3, 3: 1})
"""


@pytest.mark.parametrize("inputs", ["short", "long", "empty"])
def test_count_and_cycle(inputs: str) -> None:
    same_as_python(ENDLESS, inputs)


@pytest.mark.parametrize("inputs", ["short", "long", "empty"])
def test_groupby_tee_and_zip_longest(inputs: str) -> None:
    same_as_python(GROUPED, inputs)


@pytest.mark.parametrize("inputs", ["short", "long", "empty"])
def test_methods_as_keys(inputs: str) -> None:
    same_as_python(KEYS, inputs)
