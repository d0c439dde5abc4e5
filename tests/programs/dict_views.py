"""`d.keys()` and `d.items()` as sets: operators, comparisons, in-place operators."""


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
]
