"""Containers of Python's own and their functions: programs over few items, many, and none."""

from __future__ import annotations

import pytest
from support.standard import same_as_python

LISTS = """
## split None 1
return s.split(None, 1)
## split None 1 trailing
return (
    "  a b  c  ".split(None, n - 1), "  a b  ".split(None, n-2), "  a b  ".split(None, 0),
    "   ".split(None, 0),
)
## split maxsplit kw
return s.split(maxsplit=n - 1)
## split spaced
return (s + "  z  ").split(None, 1), (s + "  z  ").split(maxsplit=2), (s+"  ").split(None,0)
## rsplit None 1
return s.rsplit(None, 1)
## rsplit lead
return (
    ("  " + s + "  z  ").rsplit(None, 1), ("  " + s + "  z  ").rsplit(maxsplit=2),
    ("  " + s).rsplit(None, 0),
)
## rsplit ls
return ls.rsplit(None, 2), ls.split(None, 2)
## words split
return [w.split(None, 1) for w in ["a b c ", " d  e f ", "", "  "]]
## extend self
x.extend(x)
return x
## iadd self
x += x
return x
## extend self long
long.extend(long)
return len(long), long
## iadd long
long += long
return long
## made extend self
z = [k for k in range(n)]
z.extend(z)
z += z
return z
## made words
z = [str(k) for k in range(n)]
z.extend(z)
z += z
return z
## nested in memory
z = [[k] for k in range(n)]
z.extend(z)
return len(z)
## list + tuple
return x + (1, 2)
## long + tuple
return long + (1, 2)
## long + set
return long + {1}
## list + str
return lw + s
## list + array
return [str(k) for k in range(n)] + 3
## list += tuple
long += (1, 2)
return long
## list += str
lw += s
return lw
## list extend int
long.extend(3)
return long
## set or list
z = {k for k in range(n)}
return z | x
## set and list
z = {k for k in range(n)}
return z & x
## set sub list
z = {k for k in range(n)}
return z - x
## set xor list
z = {k for k in range(n)}
return z ^ x
## set lt list
z = {k for k in range(n)}
return z < x
## set le
z = {k for k in range(n)}
return z <= x
## set eq
z = {k for k in range(n)}
return z == x
## set or dict
z = {k for k in range(n)}
return z | i
## dict or list
z = {k: 1 for k in range(n)}
return z | pairs
## dict ior list
z = {k: 1.0 for k in range(n)}
z |= pairs
return z
## dict or set
z = {k: 1 for k in range(n)}
return z | {1}
## list lt tuple
return long < (1, 2)
## list mul float
return long * 1.5
## list lt tuple again
return long < (1, 2)
## list le
return long <= long, long < long, long >= long[1:], long > long[:-1], lw < lw[1:], lw >= lw, [] < lw
## list mul float again
return long * 1.5
## short missing
return x.index(9)
## long missing
return long.index(99)
## words missing
return words.index("q")
## lw missing
return lw.index("q")
## lw missing s
return lw.index(s)
## float missing
return y.index(n)
## long start
return (
    long.index(n, 1), long.index(50, 3, 55), long.index(50, -20), long.index(59, -1),
    long.index(5, -100, 100),
)
## long start missing
return long.index(n, 10)
## long stop missing
return long.index(n, 0, -58)
## x start
return x.index(1, 2)
## x start n
return x.index(1, n - 1)
## lw start
return lw.index("7", n)
## made
z = [k * k for k in range(n)]
return z.index(4, 1), z.index(4, -1)
## made missing
z = [k * k for k in range(n)]
return z.index(7)
## remove missing
long.remove(n + 100)
return long
"""

COLLECTIONS = """
## fromkeys
return dict.fromkeys(words), dict.fromkeys(words, 0), dict.fromkeys(range(n), n)
## fromkeys unique
return (
    list(dict.fromkeys(x)), list(dict.fromkeys(lw)), list(dict.fromkeys(s)),
    list(dict.fromkeys([])),
)
## fromkeys long
z = dict.fromkeys(long, 0)
z[n] += 5
return z, len(z)
## fromkeys list value
z = dict.fromkeys(x, [])
z[1].append(5)
return z
## fromkeys str
return dict.fromkeys(s, 0), "".join(dict.fromkeys(s))
## update kw
d.update(z=n)
return d
## update kw two
d.update({"q": 1}, z=n, a=5)
return d
## update kw only made
z = {str(k): k for k in range(n)}
z.update(z=n)
z.update([("p", 1)], q=2)
z.update()
return z
## dict kw made
z = {str(k): k for k in range(n)}
return dict(z, k=n), dict(z, **d), {**z, **d}, dict(**d), dict(a=n, b=2)
## defaultdict or
z = defaultdict(int, d)
return z | d, z | z, (z | {"q": 1})["zz"]
## defaultdict ror
z = defaultdict(int, d)
return d | z
## defaultdict ior
z = defaultdict(int, d)
z |= {"q": n}
return z
## OrderedDict or
z = OrderedDict(d)
return z | d, z | z
## OrderedDict ior
z = OrderedDict(d)
z |= {"q": n}
return z
## OrderedDict eq
z = OrderedDict(i)
y = OrderedDict([(1, 2), (3, 1)])
return z == y, z == i, y == i, z != y
## Counter kw
return Counter(a=n, b=2), Counter(words, a=n)["a"], Counter({"a": 1}, b=1)
## Counter pos neg
z = Counter(s)
z.subtract("hello" * 2)
return +z, -z
## Counter pos kw
z = Counter(a=n, b=-2)
return +z, -z
## Counter compare
z = Counter(s)
y = Counter(s + "xx")
return z <= y, z < y, y <= z, z >= y, y > z, z == y, z != y, z <= z, z < z
## Counter compare num
z = Counter(x)
y = Counter([1, 2])
return y <= z, z <= y, y < z, z > y, z == y, Counter({1: 0}) == Counter(), z == dict(z)
## Counter isum
z = Counter(x)
z += Counter([1, 5])
y = Counter(x)
y -= Counter([1])
w = Counter(x)
w |= Counter([1, 1, 1, 5])
u = Counter(x)
u &= Counter([1, 5])
return z, y, w, u
## Counter most_common
return (
    Counter(s).most_common(), Counter(s).most_common(2), Counter(x).most_common(1),
    Counter(long).most_common(3), Counter(lw).most_common(n),
)
## Counter most_common neg
return Counter(s).most_common(0), Counter(s).most_common(-1), Counter(s).most_common(99)
## Counter update kw
z = Counter(s)
z.update(l=5)
z.update("ll", q=1)
z.update()
z.subtract(l=1)
z.subtract("lo", h=4)
return z
## Counter del
z = Counter(s)
del z["l"]
del z["??"]
return z, z["l"], z.total(), sorted(z.elements()), "l" in z
## Counter elements
return list(Counter(x).elements()), list(Counter(s).elements())
## Counter fromkeys
return Counter.fromkeys(s)
## Counter pop
z = Counter(x)
return z.pop(1), z.pop(99, 5), z.popitem(), z
## Counter add
z = Counter(x)
return z + z, z - Counter([1]), z & z, z | Counter([9]), z + Counter()
## defaultdict dict
z = defaultdict(dict)
z[n][1] = 2
z[n][5] = 3
z[7][1] = 1
return z
## defaultdict nested
z = defaultdict(lambda: defaultdict(int))
for k in x:
    z[k][k % 2] += 1
return sum(sum(q.values()) for q in z.values())
## defaultdict set
z = defaultdict(set)
for k in x:
    z[k % 2].add(k)
return z
## defaultdict str
z = defaultdict(str)
for k in x:
    z[k % 2] += str(k)
return z
## defaultdict float list
z = defaultdict(float)
z["a"] += v
y = defaultdict(list)
y[n].append(v)
return z, y
## defaultdict update kw
z = defaultdict(int, a=1)
z.update(b=n)
z.update({"c": 1}, d=5)
return z
## defaultdict missing
z = defaultdict(None, d)
return z["zz"]
## defaultdict factory
z = defaultdict(lambda: n)
z["a"] += 1
return dict(z)
## defaultdict copy, get, setdefault
z = defaultdict(int, d)
y = z.copy()
y["q"] += 1
return (
    y, z.get("q"), z.get("q", n), z.setdefault("q", 5), z.pop("a"), len(z), list(z),
    list(z.items()),
)
## OrderedDict reversed
z = OrderedDict(d)
return list(reversed(z)), [k for k in reversed(z)]
## OrderedDict move
z = OrderedDict(i)
z.move_to_end(3)
y = OrderedDict(i)
y.move_to_end(1, last=False)
return z, y, list(reversed(z))
## OrderedDict move missing
z = OrderedDict(i)
z.move_to_end(99)
return z
## OrderedDict popitem
z = OrderedDict(i)
return z.popitem(last=False), z.popitem(), len(z)
## OrderedDict popitem empty
z = OrderedDict(i)
z.clear()
return z.popitem()
## OrderedDict kw
return OrderedDict(a=n, b=1), OrderedDict([(1, 2)]), OrderedDict()
## OrderedDict update kw
z = OrderedDict(d)
z.update(z=n)
z.update([("p", 1)])
return z
## deque index
q = deque(x)
return q.index(2), q.index(1), q.index(1, 2), q.index(1, 0, -1)
## deque index missing
q = deque(x)
return q.index(9)
## deque compare
q = deque(x)
p = deque(x + [1])
return q < p, q <= p, q > p, q >= q, q == p, q != p, deque([1]) > q, deque() < q
## deque add
q = deque(x)
return q + q, q + deque([n]), len(q + q)
## deque add maxlen
q = deque(x, maxlen=3)
return q + deque([n]), q * 2, q
## deque mul
q = deque(x)
return q * n, q * 0, q * -1, n * q
## deque imul
q = deque(x)
q *= n
return q
## deque imul maxlen
q = deque(x, 3)
q *= n
return q
## deque extend self
q = deque(x)
q.extend(q)
q += q
return q
## deque extendleft self
q = deque(x)
q.extendleft(q)
return q
## deque insert
q = deque(x)
q.insert(1, 9)
q.insert(-1, 8)
q.insert(100, 7)
q.insert(-100, 6)
return q, q.count(1), list(reversed(q))
## deque copy
q = deque(x, 3)
p = q.copy()
p.append(9)
return q, p, p.maxlen
## deque remove
q = deque(x)
q.remove(1)
del q[0]
q[0] = n
return q
## deque remove missing
q = deque(x)
q.remove(99)
return q
## deque add list
q = deque(x)
return q + x
## deque slice
q = deque(x)
return q[1:2]
## deque rotate
q = deque(x)
q.rotate(n)
p = deque(x)
p.rotate(-1)
return q, p
"""

HEAPS = """
## nlargest
return heapq.nlargest(n, x), heapq.nlargest(0, x), heapq.nlargest(-1, x), heapq.nlargest(99, x)
## nlargest key
return heapq.nlargest(n, words, key=lambda w: w), heapq.nlargest(2, lw, key=len)
## nsmallest
return (
    heapq.nsmallest(n, long), heapq.nsmallest(1, pairs),
    heapq.nsmallest(2, pairs, key=lambda p: p[1]),
)
## nsmallest dict
return heapq.nsmallest(1, d, key=lambda k: d[k])
## nlargest items
return heapq.nlargest(2, d.items(), key=lambda k: k[1])
## nlargest gen
return heapq.nlargest(2, (k * k % 7 for k in long)), heapq.nsmallest(2, np.array([3, 1, 2]))
## nlargest 1
return heapq.nlargest(1, long)[0], heapq.nsmallest(1, long)[0]
## merge
return list(heapq.merge(y, y)), list(heapq.merge(y, y, reverse=True))
## merge three
return list(heapq.merge(long, x, [n, 40], empty))
## merge for
r = 0
for k in heapq.merge(long, x):
    r = r * 3 % 1001 + k
return r
## merge key
return list(heapq.merge(lw[10:20], words, key=len)), list(heapq.merge(sorted(words), ["b", "d"]))
## merge pairs
return list(heapq.merge(sorted(pairs), [(0, 0.5)]))
## merge none
return list(heapq.merge()), list(heapq.merge(x)), list(heapq.merge(empty, empty))
## bisect key
return (
    bisect.bisect(long, n, key=lambda k: k // 2),
    bisect.bisect_left(pairs, 0, key=lambda p: p[0]),
)
## insort key
bisect.insort(long, n, key=lambda k: k)
bisect.insort_left(x, n, key=lambda k: -k)
return long, x
## cmp_to_key
return (
    sorted(x, key=functools.cmp_to_key(lambda a, b: b - a)),
    sorted(long, key=functools.cmp_to_key(lambda a, b: (a % 7) - (b % 7))),
)
## cmp_to_key words
return sorted(words, key=functools.cmp_to_key(lambda a, b: (a > b) - (a < b)))
## cmp_to_key concat
return sorted(lw, key=functools.cmp_to_key(lambda a, b: 1 if a + b < b + a else -1))
## cmp_to_key sort reverse
x.sort(key=functools.cmp_to_key(lambda a, b: a - b), reverse=True)
return x
## cmp_to_key def
def c(a, b):
    if a[1] < b[1]:
        return -1
    return 1 if a[1] > b[1] else 0
return (
    sorted(pairs, key=functools.cmp_to_key(c)), min(pairs, key=functools.cmp_to_key(c)),
    max(pairs, key=functools.cmp_to_key(c)),
)
## attrgetter
class A:
    def __init__(self, p, q):
        self.p = p
        self.q = q
def f(n):
    z = [A(k % 3, k) for k in range(n + 3)]
    return (
        [k.q for k in sorted(z, key=operator.attrgetter("p"))],
        [k.q for k in sorted(z, key=operator.attrgetter("p", "q"), reverse=True)],
    )
## attrgetter dotted
class A:
    def __init__(self, p):
        self.p = p
def f(n):
    z = A(A(n))
    return operator.attrgetter("p.p")(z), operator.attrgetter("real")(n)
## methodcaller
return (
    operator.methodcaller("upper")(s), list(map(operator.methodcaller("split", "o"), [s])),
    operator.methodcaller("count", "1")(lw),
)
## methodcaller own
class A:
    def __init__(self, p):
        self.p = p
    def g(self, q, r=1):
        return self.p * q + r
def f(n):
    return operator.methodcaller("g", n, r=3)(A(n))
## operators
return (
    operator.call(lambda k: k + 1, n), operator.countOf(x, 1), operator.countOf(long, n),
    operator.indexOf(x, 1), operator.indexOf(lw, "7"), operator.countOf(s, "l"),
)
## operators missing
return operator.indexOf(x, 99)
## delitem
operator.delitem(x, 0)
return x
## inplace
return (
    operator.iand(n, 1), operator.ifloordiv(n, 2), operator.ilshift(n, 1), operator.imod(n, 2),
    operator.ior(n, 4), operator.ipow(n, 2), operator.irshift(n, 1), operator.ixor(n, 5),
)
## iadd list
z = operator.iadd(x, [n])
return z, x
## bin hex oct
return (
    bin(n), hex(n), oct(n), bin(-n), hex(-n * 100), oct(0), hex(2**62), bin(True),
    hex(np.int64(n)), bin(flag),
)
## bin error
return bin(v)
## bin error str
return hex(s)
"""

TEXTS = """
## expandtabs
return (
    s.expandtabs(), s.expandtabs(n), "a\\tbc\\td\\n\\te".expandtabs(n),
    (s + "\\r\\ta\\t").expandtabs(0), s.expandtabs(tabsize=1),
)
## istitle
return (
    s.istitle(), s.title().istitle(), (t + "1A").istitle(), s[:0].istitle(), ls.istitle(),
    ls.title().istitle(),
)
## istitle words
return [w.istitle() for w in ["Ab Cd", "AB", "ab", "1", "", "A1B", "ǅa", "ǅA", "aǅ"] + words]
## translate strs
return ls.translate({97: "x", 98: "yy"})
## translate arg
z = {}
for k in s:
    z[ord(k)] = k + k
return s.translate(z), s.translate({})
## translate ord
return s.translate({ord("l"): "L", ord("o"): None})
## dunders
return s.__len__(), s.__contains__(t), s.__add__(t), s.__eq__(t), s.__getitem__(n)
## reversed s
return list(reversed(s)), "".join(reversed(s)), [k for k in reversed(s)], "".join(reversed(ls))
## sorted s
return sorted(s), "".join(sorted(s)), sorted(s, reverse=True), max(s), min(s), sorted(ls)[0]
## enumerate s
return (
    list(enumerate(s)), list(enumerate(s, n)), list(enumerate(words, start=1)),
    dict(enumerate(words)),
)
## zip s
return list(zip(s, t)), list(zip(s, s[1:])), dict(zip(words, x))
## sum lists made
z = [[k, k + 1] for k in range(n)]
return sum(z, []), sum(z, [5])
## sum tuples
return sum([(1, 2), (n,)], ())
## max default
return (
    max(empty, default=n), max(x, default=0), min([], default=None),
    max((k for k in x if k > 50), default=-1), max([k for k in range(n)], default=7),
)
## max key default
return max(words, key=len, default=""), min(lw, key=len, default=""), max([], key=len, default="q")
## max empty
return max(empty)
## zip strict
return list(zip(x, x, strict=True))
## zip strict for
r = 0
for p, q in zip(x, x, strict=True):
    r += p * q
return r
## iter sentinel
z = [3, 1, 0, 5]
def g():
    return z.pop()
r = []
for k in iter(g, 0):
    r.append(k)
return r
## iter sentinel lambda
z = list(x)
return sum(iter(lambda: z.pop(), 3))
## copy
y2 = copy.copy(x)
y2.append(1)
return y2, x, copy.copy(n), copy.copy(s), copy.copy(d), copy.copy(long)
## copy made
z = [[k] for k in range(n)]
w = copy.copy(z)
w[0].append(5)
w.append([1])
return z, w
## copy dict made
z = {k: k for k in range(n)}
w = copy.copy(z)
w[99] = 1
u = copy.copy({k for k in x})
u.add(98)
return z, w, u, copy.copy(np.arange(n)), copy.copy((1, 2))
## deepcopy
w = copy.deepcopy(x)
w.append(5)
return w, x, copy.deepcopy(d), copy.deepcopy(n), copy.deepcopy(s)
## median empty
return statistics.median(empty)
## isidentifier
return t.isidentifier()
## strip lower
return s.strip().lower().replace("l", "").split()
## copy deque
q = deque(x)
p = copy.copy(q)
p.append(9)
return q, p
## copy instance own
class A:
    def __init__(self, p):
        self.p = p
    def __copy__(self):
        return A(self.p + 1)
def f(n):
    return copy.copy(A(n)).p
## copy tuple
return copy.copy((1, n)), copy.deepcopy(None), copy.copy(None), copy.deepcopy((1, 2))
"""


@pytest.mark.parametrize("inputs", ["short", "long", "empty"])
def test_lists_sets_and_splits(inputs: str) -> None:
    same_as_python(LISTS, inputs)


@pytest.mark.parametrize("inputs", ["short", "long", "empty"])
def test_collections(inputs: str) -> None:
    same_as_python(COLLECTIONS, inputs)


@pytest.mark.parametrize("inputs", ["short", "long", "empty"])
def test_heaps_keys_and_operators(inputs: str) -> None:
    same_as_python(HEAPS, inputs)


@pytest.mark.parametrize("inputs", ["short", "long", "empty"])
def test_texts_and_copies(inputs: str) -> None:
    same_as_python(TEXTS, inputs)
