"""Views of dicts: as sets, kept in variables while the dict changes, printed, passed on."""

from collections import Counter, defaultdict


def of_two(d, e):
    return (
        sorted(d.keys() & e.keys()),
        sorted(d.keys() - e.keys()),
        sorted(d.keys() | e.keys()),
        sorted(d.keys() ^ e.keys()),
    )


def beside_a_set(xs, d):
    return sorted(set(xs) - d.keys()), sorted(set(xs) & d.keys()), sorted(set(xs) | d.keys())


def before_a_list(xs, d):
    return sorted(d.keys() - set(xs)), sorted(d.keys() & xs), sorted(d.keys() - xs)


def made_inside(n):
    d = {str(i): i for i in range(n)}
    e = {str(2 * i): i for i in range(n)}
    s = {"1", "x"}
    return (
        sorted(d.keys() & e.keys()),
        sorted(s - d.keys()),
        sorted(d.keys() - s),
        sorted(d.keys() ^ s),
        d.keys() == set(d),
        d.keys() >= {"1"},
        len(d.keys() & s),
        {"0"} <= d.keys(),
        d.keys() <= e.keys(),
        {"a": 1, "b": n}.keys() == {"b": 2, "a": n}.keys(),
    )


def of_items(d, e):
    return sorted(d.items() & e.items()), sorted(d.items() - e.items()), d.items() == e.items()


def in_place(xs, d):
    s = set(xs)
    s -= d.keys()
    t = set(xs)
    t |= d.keys()
    t &= d.keys()
    xs += d.keys()
    return sorted(s), sorted(t), xs


def merged(d, e):
    return [(k, d.get(k, 0), e.get(k, 0)) for k in sorted(d.keys() | e.keys())]


def lengths(n):
    d = {}
    keys, values, items = d.keys(), d.values(), d.items()
    seen = []
    for i in range(n):
        d[i % 7] = i
        seen.append((len(keys), len(values), len(items)))
    return seen, list(keys), list(values), list(items)


def of_few():
    d = {"a": 1, "b": 2}
    keys = d.keys()
    d["c"] = 3
    return len(keys), list(keys), "c" in keys


def disjoint(xs, ys):
    d, e = {x: 1 for x in xs}, {y: 1 for y in ys}
    keys = d.keys()
    return keys.isdisjoint(e), keys.isdisjoint(e.keys()), keys.isdisjoint(ys)


def views_in_place(xs):
    d = {x: x * x for x in xs}
    some = d.keys()
    some &= {1, 2, 3}
    more = d.keys()
    more |= {100}
    return sorted(some), sorted(more), len(d)


def grows(n):
    d = {i: i for i in range(n)}
    for k in d.keys():
        if k < 3:
            d[k + 100] = 1
    return d


def truth_and_equality(n):
    d = {i: i for i in range(n)}
    v = d.values()
    same = v
    return (
        bool(v),
        bool(d.keys()),
        not d.items(),
        v == d.values(),
        same == v,
        d.keys() == d.keys(),
        d.items() == d.items(),
    )


def told(keys, values, d):
    d[1000] = 2.0
    return len(keys), sum(values), max(keys)


def passed_on(n):
    d = {i: i * 1.5 for i in range(n)}
    return told(d.keys(), d.values(), d)


def shown(n):
    d = {i: str(i) for i in range(n)}
    few = {"a": 1.5}
    print(d.keys(), d.values(), few.items())
    return str(d.keys()), repr(d.items()), f"{d.values()} {few.keys()!r}"


def formatted(n):
    d = {i: i for i in range(n)}
    return f"{d.keys():>10}"


def in_order(n):
    d = {i: i for i in range(n)}
    k = d.keys()
    first = next(iter(k))
    d[77] = 1
    return first, list(reversed(k)), sorted(k, reverse=True), set(k), tuple(d.items())


def iterators(n):
    d = {i: i for i in range(n)}
    it = iter(d.keys())
    a = next(it)
    b = next(it)
    return a, b, list(it)


def of_arguments(d):
    k = d.keys()
    d["new"] = 5
    return sum(d[x] for x in k), len(k), list(k)


def no_subscript(n):
    d = {i: i for i in range(n)}
    return d.keys()[0]


def no_append(d):
    return d.values().append(3)


def no_iterator(d):
    return next(d.keys())


def one_of_two(n, flag):
    d = {i: i + 1 for i in range(n)}
    e = {"x": 1, "y": 2}
    v = d.keys() if flag else d.values()
    w = e.values() if flag else {"z": n}.values()
    d[99] = 0
    return list(v), len(v), sum(w)


def returned(d, n):
    made = {i: i for i in range(n)}
    return d.keys(), made.values(), {"a": n}.items()


def counted_down(k, n):
    return n if n == 0 else counted_down(k, n - 1) + len(k)


def in_recursion(n):
    return counted_down({"a": 1, "b": 2}.keys(), n), counted_down(
        {i: 1 for i in range(n)}.values(), n
    )


def in_a_try(n):
    d = {"a": 1}
    v = d.values()
    try:
        d["b"] = n
        if n > 3:
            raise ValueError(len(v))
    except ValueError as e:
        return str(e), sum(v)
    return list(v), 1


def in_containers(n):
    d = {"a": n}
    pair = (d.keys(), d.values())
    views = []
    views.append(d.keys())
    views.append(d.items())
    d["z"] = 1
    return len(pair[0]), list(pair[1]), [len(v) for v in views]


class Register:
    def __init__(self):
        self.items = {}

    def names(self):
        return self.items.keys()

    def add(self, name):
        self.items[name] = len(self.items)


def of_instances(n):
    register = Register()
    names = register.names()
    register.values = register.items.values()
    for i in range(n):
        register.add(f"k{i}")
    return len(names), list(names), "k1" in names, sum(register.values)


def of_collections(xs):
    c, groups = Counter(xs), defaultdict(list)
    k, v = c.keys(), groups.values()
    for i, x in enumerate(xs):
        groups[x].append(i)
    groups[99].append(1)
    c["q"] = 3
    return len(k), list(k), [len(x) for x in v], len(v), k & {1, 2}, groups.keys() == c.keys()


def means(d):
    return sum(d.values()) / len(d.values()), max(d.values()) - min(d.values())


A = {"city": 1, "mercy": 2}
B = {"city": 3, "moon": 4, "mercy": 2}
CASES = [
    (of_two, (A, B)),
    (beside_a_set, (["city", "moon"], A)),
    (before_a_list, (["city", "moon"], A)),
    (made_inside, (4,)),
    (made_inside, (0,)),
    (of_items, (A, B)),
    (in_place, (["city", "moon"], A)),
    (merged, (A, B)),
    (lengths, (10,)),
    (of_few, ()),
    (disjoint, ([1, 2], [3])),
    (disjoint, ([1, 2], [2])),
    (views_in_place, ([1, 2, 5],)),
    (grows, (5,)),
    (grows, (0,)),
    (truth_and_equality, (5,)),
    (truth_and_equality, (0,)),
    (passed_on, (4,)),
    (shown, (4,)),
    (formatted, (4,)),
    (in_order, (5,)),
    (iterators, (5,)),
    (of_arguments, ({"a": 1, "b": 2},)),
    (no_subscript, (4,)),
    (no_append, ({"a": 1},)),
    (no_iterator, ({"a": 1},)),
    (one_of_two, (4, True)),
    (one_of_two, (4, False)),
    (in_recursion, (3,)),
    (in_a_try, (1,)),
    (in_a_try, (5,)),
    (in_containers, (3,)),
    (of_instances, (3,)),
    (of_collections, ([1, 1, 2],)),
    (means, ({"a": 1, "b": 4},)),
]
