"""itertools, functools, operator and other modules of the standard library."""

from __future__ import annotations

from constructs.rows import expressions, programs

_KNOWN = {
    "x": [3, 1, 2],
    "y": [0.5, 1.5, 2.5],
    "words": ["b", "a"],
    "s": "ab",
    "n": 2,
    "v": 1.5,
    "d": {"a": 1},
}

_ITERTOOLS = """
list(itertools.accumulate(x))
list(itertools.accumulate(x, max))
list(itertools.accumulate(x, lambda a, b: a * b, initial=n))
list(itertools.chain(x, y))
list(itertools.chain(*[x, x]))
list(itertools.chain.from_iterable([x, x]))
list(itertools.combinations(x, 2))
list(itertools.combinations(x, n))
list(itertools.combinations_with_replacement(x, 2))
list(itertools.compress(x, [1, 0, 1]))
list(itertools.dropwhile(lambda k: k > n, x))
list(itertools.filterfalse(lambda k: k > n, x))
[(k, list(g)) for k, g in itertools.groupby(x)]
[(k, len(list(g))) for k, g in itertools.groupby(sorted(x), key=lambda k: k % 2)]
list(itertools.islice(x, n))
list(itertools.islice(x, 1, None))
list(itertools.islice(x, 0, 3, 2))
list(itertools.pairwise(x))
list(itertools.permutations(x))
list(itertools.permutations(x, 2))
list(itertools.product(x, y))
list(itertools.product(x, repeat=2))
list(itertools.product(range(n), range(n)))
list(itertools.product(s, words))
list(itertools.repeat(n, 3))
list(zip(x, itertools.repeat(n)))
list(map(pow, x, itertools.repeat(2)))
list(itertools.starmap(lambda a, b: a * b, zip(x, y)))
list(itertools.takewhile(lambda k: k > 1, x))
itertools.tee(x)
list(itertools.zip_longest(x, [n]))
list(itertools.zip_longest(x, [n], fillvalue=0))
sum(a * b for a, b in itertools.product(x, y))
"""

_ITERTOOLS_PROGRAMS = """
## `for a, b in itertools.product(x, y)`
t = 0.0
for a, b in itertools.product(x, y):
    t += a * b
return t
## `it = itertools.count(n)`, `next(it)`
it = itertools.count(n)
return next(it), next(it)
## `for k in itertools.count(n)`
t = 0
for k in itertools.count(n):
    if k > 9:
        break
    t += k
return t
## `for k in itertools.count(n, 0.5)`
t = 0
for k in itertools.count(n, 0.5):
    if k > 9:
        break
    t += k
return t
## `zip(range(n), itertools.cycle(x))`
return [p * q for p, q in zip(range(7), itertools.cycle(x))]
## `zip(s, itertools.cycle(words))`
return list(zip(s, itertools.cycle(words)))
## `zip(itertools.count(), words)`
return list(zip(itertools.count(), words))
## `islice(itertools.count(n), 3)`
return list(itertools.islice(itertools.count(n), 3))
## `next(k for k in itertools.count(n) if ...)`
return next(k for k in itertools.count(n) if k * k > 50)
## `self.ids = itertools.count()`, `next(self.ids)`
class A:
    def __init__(self):
        self.ids = itertools.count()

    def new(self):
        return next(self.ids)

def f(n):
    p = A()
    return p.new(), p.new() + n
## `it = itertools.cycle(x)`, `next(it)`
it = itertools.cycle(x)
return next(it), next(it), next(it), next(it)
## `for k, g in itertools.groupby(s)`
out = []
for k, g in itertools.groupby(sorted(x)):
    out.append((k, len(list(g))))
return out
## `a, b = itertools.tee(x)`
a, b = itertools.tee(x)
return list(a), list(b)
## `for a, b in itertools.combinations(x, 2)`
t = 0
for a, b in itertools.combinations(x, 2):
    t += a * b
return t
## `for p in itertools.permutations(x)`
best = 0
for p in itertools.permutations(x):
    best = max(best, p[0] * 10 + p[1])
return best
"""

_FUNCTOOLS = """
functools.reduce(lambda a, b: a * b, x)
functools.reduce(lambda a, b: a + b, x, n)
functools.reduce(operator.add, x)
functools.partial(pow, n)(3)
functools.partial(max, n)(1)
sorted(x, key=functools.cmp_to_key(lambda a, b: b - a))
sorted(words, key=functools.cmp_to_key(lambda a, b: (a > b) - (a < b)))
"""

_FUNCTOOLS_PROGRAMS = """
## `@functools.cache`
@functools.cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def f(n):
    return fib(n + 10)
## `@functools.lru_cache`
@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def f(n):
    return fib(n + 10)
## `@functools.lru_cache(maxsize=2)`
@functools.lru_cache(maxsize=2)
def g(n):
    return n * 2

def f(n):
    return g(n) + g(n)
## `g.cache_info()`
@functools.cache
def g(n):
    return n * 2

def f(n):
    return g(n), g.cache_info()
## `g.cache_clear()`
@functools.cache
def g(n):
    return n * 2

def f(n):
    g.cache_clear()
    return g(n)
## `@functools.cache` inside
@functools.cache
def fib(k):
    return k if k < 2 else fib(k - 1) + fib(k - 2)
return fib(n + 10)
## `g.cache_info()` of one inside
@functools.cache
def g(k):
    return k if k < 2 else g(k - 1) + g(k - 2)
return g(n + 10), g.cache_info()
## `g.cache_info().hits` with `maxsize=2`
@functools.lru_cache(maxsize=2)
def g(k):
    return k * 2
return g(n) + g(n), g(n + 1), g(n + 2), g(n), g.cache_info().hits
## `g.cache_clear()` of one inside
@functools.cache
def g(k):
    return k * 2
a = g(n)
g.cache_clear()
return a + g(n), g.cache_info()
## `@functools.cached_property`
class A:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def twice(self):
        return self.n * 2

def f(n):
    a = A(n)
    return a.twice + a.twice
## `@functools.wraps`
def doubled(g):
    @functools.wraps(g)
    def inner(n):
        return g(n) * 2
    return inner

@doubled
def g(n):
    return n + 1

def f(n):
    return g(n)
## `@functools.total_ordering`
@functools.total_ordering
class A:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __lt__(self, other):
        return self.n < other.n

def f(n):
    return A(n) >= A(1), A(n) <= A(1)
## `@functools.singledispatch`
@functools.singledispatch
def g(n):
    return 0

@g.register
def _(n: int):
    return n

def f(n):
    return g(n)
## `functools.partialmethod`
class A:
    def add(self, a, b):
        return a + b
    twice = functools.partialmethod(add, 2)

def f(n):
    return A().twice(n)
## `functools.singledispatchmethod`
class A:
    @functools.singledispatchmethod
    def g(self, n):
        return 0

def f(n):
    return A().g(n)
## `functools.partial`, outside
double = functools.partial(lambda a, b: a * b, 2)

def f(n):
    return double(n)
"""

_OPERATOR = """
operator.abs(-n)
operator.add(n, v)
operator.and_(n, 3)
operator.attrgetter("real")(v)
operator.call(lambda k: k + 1, n)
operator.concat(x, x)
operator.contains(x, n)
operator.countOf(x, n)
operator.delitem(x, 0)
operator.eq(n, 2)
operator.floordiv(n, 2)
operator.ge(n, v)
operator.getitem(x, n)
operator.gt(n, v)
operator.iadd(n, 1)
operator.iand(n, 1)
operator.iconcat(x, y)
operator.ifloordiv(n, 1)
operator.ilshift(n, 1)
operator.imatmul(n, 1)
operator.imod(n, 1)
operator.imul(n, 1)
operator.index(n)
operator.indexOf(x, n)
operator.inv(n)
operator.invert(n)
operator.ior(n, 1)
operator.ipow(n, 1)
operator.irshift(n, 1)
operator.is_(n, None)
operator.is_not(n, None)
operator.isub(n, 1)
operator.itemgetter(1)(x)
operator.itemgetter(0, 1)(x)
operator.itruediv(n, 1)
operator.ixor(n, 1)
operator.le(n, v)
operator.length_hint(x)
operator.lshift(n, 3)
operator.lt(n, v)
operator.matmul(n, n)
operator.methodcaller("upper")(s)
operator.mod(n, 3)
operator.mul(n, v)
operator.ne(n, v)
operator.neg(n)
operator.not_(n)
operator.or_(n, 1)
operator.pos(n)
operator.pow(n, 3)
operator.rshift(n, 1)
operator.setitem(x, 0, n)
operator.sub(n, v)
operator.truediv(n, 3)
operator.truth(n)
operator.xor(n, 3)
sorted([(1, 2), (0, n)], key=operator.itemgetter(1))
"""

_OTHERS = """
copy.copy(x)
copy.copy(n)
copy.deepcopy(x)
copy.deepcopy(d)
time.time() > 0
time.perf_counter() > 0
time.perf_counter_ns() > 0
time.monotonic() > 0
time.process_time() > 0
time.time_ns() > 0
time.sleep(0)
time.strftime("%Y", time.gmtime(0))
time.localtime(0).tm_year
typing.cast(int, n)
typing.TYPE_CHECKING
typing.get_type_hints(dict)
sys.version_info[0]
sys.argv
sys.getsizeof(n)
sys.getrecursionlimit()
sys.stdout.write(s)
sys.stderr.flush()
sys.intern(s)
sys.exc_info()
sys.platform
os.getcwd()
os.getpid()
os.environ["HOME"]
os.path.join(s, s)
os.path.exists(s)
os.listdir("/dev/null")
os.sep
pathlib.Path(s)
pathlib.Path(s) / "c"
io.StringIO(s).read()
json.dumps(x)
json.loads("[1]")
pickle.dumps(x)
csv.reader([s])
gc.collect()
inspect.signature(len)
types.SimpleNamespace(a=n).a
weakref.ref(str)
threading.current_thread().name
threading.get_ident() > 0
threading.Lock().acquire()
uuid.uuid4()
hashlib.sha256(s.encode()).hexdigest()
secrets.token_hex(n)
getpass.getuser()
platform.system()
tempfile.gettempdir()
zoneinfo.ZoneInfo("UTC")
subprocess.run(["true"])
ast.literal_eval("1")
dis.dis(len)
traceback.format_exc()
pprint.pprint(x)
pprint.pformat(x)
abc.ABC
contextlib.nullcontext(n)
dataclasses.asdict(n)
dataclasses.is_dataclass(n)
enum.auto()
numbers.Number
collections.abc.Sequence
isinstance(x, collections.abc.Sequence)
issubclass(dict, collections.abc.Mapping)
calendar.isleap(2024)
calendar.monthrange(2024, n)
colorsys.rgb_to_hsv(v, v, v)
graphlib.TopologicalSorter({1: {2}})
keyword.iskeyword(s)
locale.getlocale()
reprlib.repr(x)
shutil.which("sh")
"""

_OTHER_PROGRAMS = """
## `logging.getLogger(...).debug(...)`
log = logging.getLogger("shapecast.test")

def f(n):
    log.debug("n is %d", n)
    return n
## `warnings.warn(...)`
warnings.warn("text")
return n
## `threading.Thread(...)`
t = threading.Thread(target=len, args=(x,))
t.start()
t.join()
return n
## `lock = threading.Lock()`, `with lock`
lock = threading.Lock()

def f(n):
    with lock:
        return n + 1
## `asyncio.run(...)`
async def g(n):
    return n

def f(n):
    return asyncio.run(g(n))
## `concurrent.futures`
from concurrent.futures import ThreadPoolExecutor

def f(x):
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(abs, x))
## `from math import sqrt`, outside
from math import sqrt

def f(n):
    return sqrt(n)
## `import math`, inside
import math
return math.sqrt(n)
## `from math import sqrt`, inside
from math import sqrt
return sqrt(n)
## `import numpy as np`, inside
import numpy as np
return np.arange(n)
## `import collections.abc`, inside
import collections.abc
return isinstance(n, int)
## `from math import *`, outside
from math import *

def f(n):
    return sqrt(n) + pi
"""

SECTIONS = {
    "itertools": expressions(_ITERTOOLS, _KNOWN) + programs(_ITERTOOLS_PROGRAMS, _KNOWN),
    "functools": expressions(_FUNCTOOLS, _KNOWN) + programs(_FUNCTOOLS_PROGRAMS, _KNOWN),
    "operator": expressions(_OPERATOR, _KNOWN),
    "other modules": expressions(_OTHERS, _KNOWN) + programs(_OTHER_PROGRAMS, _KNOWN),
}
