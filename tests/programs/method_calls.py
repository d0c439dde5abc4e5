"""Methods of builtin classes: with `*`, through the class, as values."""

import functools


def differences(n):
    d = {k: [k, k + 1] for k in range(n)}
    a = set(range(10))
    return sorted(a.difference(*d.values())), sorted(
        a.difference(*(v for v in d.values() if v[0] > 1))
    )


def unions_and_intersections(n):
    rows = [[k, k * 2, 4] for k in range(n)]
    sets = [set(r) for r in rows]
    u = set().union(*rows)
    i = sets[0].intersection(*sets[1:]) if sets else set()
    return sorted(u), sorted(i), len(rows)


def through_the_class_starred(n):
    sets = [{k, 2, k + 1} for k in range(1, n)]
    return sorted(set.intersection(*sets)), sorted(set.union(*sets)), sorted(set.union({9}, *sets))


def through_the_class(a, b):
    x, y = set(a), set(b)
    return (
        sorted(set.union(x, y)),
        sorted(set.intersection(x, y)),
        sorted(set.difference(x, y)),
        sorted(set.symmetric_difference(x, y)),
        set.issubset(x, y),
    )


def of_a_list(n):
    l = []
    for k in range(n):
        list.append(l, k)
    list.sort(l, reverse=True)
    list.extend(l, [1])
    return (
        l,
        list.index(l, 1),
        list.pop(l),
        str.join("-", map(str, l)),
        str.upper("a"),
        dict.get({1: 2}, 1),
        list.count(l, 1),
    )


def as_keys_and_functions(w):
    return (
        list(map(str.upper, w)),
        sorted(w, key=str.lower),
        [f(x) for x in w for f in (str.strip, str.title)],
        max(w, key=len),
        list(filter(str.isdigit, w)),
    )


def from_keys(w):
    d = dict.fromkeys(w)
    e = dict.fromkeys(w, 0)
    f = dict.fromkeys((c for c in w), [1])  # noqa: RUF024
    g = dict.fromkeys(range(3), "x")
    return d, e, list(f), list(dict.fromkeys("abca")), list(dict.fromkeys([3, 1, 3])), g


def in_variables_and_tables(w):
    f = str.upper
    ops = {"u": str.upper, "l": str.lower, "s": str.strip}
    return f("a"), [ops[c](w) for c in "uls"], [fn(w) for fn in ops.values()]


def that_change_the_set(n):
    acc = set()
    gens = [range(k, k + 3) for k in range(n)]
    acc.update(*gens)
    acc.difference_update(*[[1], [2]])
    b = set(range(20))
    b.intersection_update(*[acc, range(5, 9)])
    return sorted(acc), sorted(b)


def of_frozen_sets(xs):
    fs = frozenset(xs)
    return (
        sorted(fs.union(*[[1], [2]])),
        sorted(frozenset().union(*(range(k) for k in xs))),
        sorted(frozenset.union(fs, [9])),
    )


def with_several_stars(n):
    base = {1, 2, 3}
    r = base.union(*[[k] for k in range(n)], [100])
    return sorted(r), sorted(base.union()), sorted(base.difference(*[])), base.isdisjoint(*[[5]])


def common_letters(words):
    common = set(words[0]).intersection(*words[1:])
    return "".join(sorted(common))


def of_mapped_sets(words):
    common = set.intersection(*map(set, words))
    return sorted(common), sorted(set.union(*[set(w) for w in words]))


def with_short_lists(n):
    args = [n, n + 1]
    xs = [0]
    xs.insert(*args)
    "{} {}".format(*args)
    return xs, "{}-{}".format(*args), "abc".replace(*["a", "b"]), "abcabc".count(*["a", 1])


def without_a_set(n):
    return set.union(*[])


def independent_of_the_first(n):
    a = {1, 2}
    r = a.union(*[a, {n}])
    r.add(7)
    return a, r, set.copy(a) == a, list.copy([1]), dict.items({1: 2}) == {1: 2}.items()


def reduced(w):
    return functools.reduce(set.union, [set(x) for x in w], set()) == set(
        "".join(w)
    ), functools.reduce(set.intersection, map(set, w))


def as_keys_by_name(w):
    key = str.lower
    return sorted(w, key=key), max(w, key=str.upper), sorted(w, key=str.casefold)


def of_rows(rows):
    return sorted(set().union(*rows)), sorted(set().union(*(set(r) for r in rows if r)))


def applied(f, x):
    return f(x)


def as_arguments(w):
    return applied(str.title, w), applied(str.split, w), [applied(f, w) for f in [str.upper, len]]


CASES = [
    (differences, (3,)),
    (unions_and_intersections, (3,)),
    (unions_and_intersections, (0,)),
    (through_the_class_starred, (3,)),
    (through_the_class, ([1, 2, 3], [2, 3, 4])),
    (of_a_list, (4,)),
    (as_keys_and_functions, (["b ", "A", "12"],)),
    (from_keys, ("hello",)),
    (in_variables_and_tables, (" Ab ",)),
    (that_change_the_set, (3,)),
    (of_frozen_sets, ([2, 3],)),
    (with_several_stars, (3,)),
    (common_letters, (["hello", "yellow", "lo"],)),
    (of_mapped_sets, (["hello", "yellow", "lo"],)),
    (with_short_lists, (1,)),
    (without_a_set, (1,)),
    (independent_of_the_first, (4,)),
    (reduced, (["hello", "yellow", "lo"],)),
    (as_keys_by_name, (["b", "A", "c"],)),
    (of_rows, ([[1, 2], [3], []],)),
    (as_arguments, ("ab c",)),
]
