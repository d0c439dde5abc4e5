"""Defaults of parameters that are lists, dicts and sets, which are only read, and `print`."""

SMALL = [2, 3, 5, 7]
UNITS = {"kb": 1024, "mb": 1048576}


def divisors_among(n, bases=[2, 3, 5, 7]):
    return [b for b in bases if n % b == 0]


def divisors(n):
    return divisors_among(n), divisors_among(n, [11, 2]), divisors_among(n, bases=(3,))


def priced(n, bases=SMALL, *, table={"a": 1, "b": 2}):
    return sum(bases) + table["a"] * n + len(table)


def prices(n):
    return priced(n), priced(n, [1]), priced(n, table={"a": 10})


def without_stops(w, stop={"the", "a"}):
    return [x for x in w.split() if x not in stop]


def words(w):
    return without_stops(w)


class Shelf:
    def __init__(self, items=[], names={}):
        self.items = list(items)
        self.names = names

    def pick(self, ks=[0, 1]):
        return [self.items[k] for k in ks]


def shelves(n):
    c = Shelf([n, n + 1, n + 2])
    d = Shelf()
    return c.pick(), c.pick([2]), len(d.items), len(d.names)


def of_an_inner_function(n):
    def inner(k, xs=[1, 2, 3]):
        return xs[k % 3]

    return [inner(k) for k in range(n)]


def weighted(x, weights=[0.5, 0.25], key=lambda v: v):
    t = 0.0
    for w in weights:
        t += key(w) * x
    return t


def weighted_by_map(xs):
    return [weighted(x) for x in xs], list(map(weighted, xs))


def in_units(n, unit="kb", units=UNITS):
    return n * units[unit]


def units(n):
    return in_units(n), in_units(n, "mb"), in_units(n, units={"kb": 1000})


def in_digits(n, digits=["0", "1", "2"]):
    if n < 3:
        return digits[n]
    return in_digits(n // 3, digits) + digits[n % 3]


def in_own_digits(n, digits=["0", "1", "2"]):
    return digits[n] if n < 3 else in_own_digits(n // 3) + digits[n % 3]


def digits_of(n):
    return in_digits(n), in_own_digits(n)


def is_seen(x, seen=set()):
    return x in seen


def seen_before(x):
    return is_seen(x), is_seen(x, {x})


def path_to(p, path=[]):
    path = path + [p]
    return path


def paths(p):
    return path_to(p), path_to(p, [1]), path_to(p)


def on_grid(moved=[[1, 2], [3, 4]], dirs=[(0, 1), (1, 0)]):
    return [moved[a][b] for a, b in dirs]


def grid_cells():
    return on_grid()


def same_object(a, b=[]):
    return a is b, b


def objects_apart():
    return same_object([])[0], same_object([])[1]


def logged(x, log=print):
    log("x", x)


def logs(x):
    logged(x)
    return x


class Walker:
    def __init__(self, k):
        self.k = k

    def walk(self, n, path=[]):
        if n == 0:
            return path
        return self.walk(n - 1, path + [n * self.k])

    def names(self, skip={"a"}, *, table={1: "x"}):
        return [w for w in ("a", "b") if w not in skip], table[1]

    def __call__(self, n, xs=[3]):
        return xs[0] + n


def walked(n):
    return Walker(2).walk(n)


def named(n):
    return Walker(2).names(), Walker(n).names({"b"}), Walker(n).names(table={1: "y"}), Walker(1)(n)


def larger(n, xs=[1, 2, 3]):
    for x in xs:
        if x > n:
            yield x


def of_generators(n):
    return list(larger(n)), sum(larger(n, [9, n])), [a for a in larger(0)]


def applied(f, x):
    return f(x)


def as_values(n):
    return (
        applied(divisors_among, n),
        [divisors_among(k) for k in range(n)],
        list(map(divisors_among, range(1, 4))),
        sorted([3, 4, 5], key=divisors_among),
    )


class Style:
    def __init__(self, v):
        self.v = v


def styled(x, opts={}, more=[1]):
    return (opts.v if isinstance(opts, Style) else len(opts)), more[0] + x


def given_instances(n):
    return styled(n), styled(n, Style(3)), styled(n, Style(4), [n]), styled(n, more=[0])


def collected(*a, k=[1]):
    return list(a) + k


def keyword_only(n):
    return collected(), collected(n, n), collected(*[1, 2]), collected(k=[])


def starred_calls(n):
    a = (n,)
    return divisors_among(*a), divisors_among(**{"n": n})


def moved(n, moves=[(0, 1), (1, 0), (0, -1), (-1, 0)], names={"N": (0, 1), "Walker": (0, -1)}):
    return sum(dx * n + dy for dx, dy in moves), names["Walker"]


def moves(n):
    return moved(n), [moved(k)[0] for k in range(3)]


def nested(t=[[1, [2, 3]], [4, []]]):
    return t[0][1][1], len(t[1][1])


def nested_lists():
    return nested()


def updated(x, seen={}):
    d = dict(seen)
    d[x] = 1
    l = sorted(seen)
    return d, l


def copied_dicts(x):
    return updated(x), updated(x, {5: 2})


def name_of(x, names=["zero", "one"], default="?"):
    return names[x] if x < len(names) else default


def by_map(n):
    return [name_of(k) for k in range(n)], "".join(map(name_of, [0, 1]))


def extended(xs=[]):
    xs = list(xs)
    xs.append(2)
    return xs


def copied_lists():
    return extended(), extended([5]), extended()


CASES = [
    (divisors, (30,)),
    (divisors_among, (30,)),
    (prices, (4,)),
    (priced, (4,)),
    (words, ("the cat a b",)),
    (shelves, (3,)),
    (of_an_inner_function, (4,)),
    (weighted_by_map, ([1.0, 2.0],)),
    (units, (3,)),
    (digits_of, (17,)),
    (in_own_digits, (17,)),
    (seen_before, (2,)),
    (paths, (2,)),
    (grid_cells, ()),
    (objects_apart, ()),
    (logs, (3,)),
    (walked, (3,)),
    (named, (3,)),
    (of_generators, (1,)),
    (as_values, (6,)),
    (given_instances, (6,)),
    (keyword_only, (6,)),
    (starred_calls, (6,)),
    (moves, (3,)),
    (nested_lists, ()),
    (copied_dicts, (3,)),
    (by_map, (3,)),
    (copied_lists, ()),
]
