"""Keys that may be None, or are of several kinds."""


def squares(n):
    d = {}
    for i in range(n):
        d[i] = i * i
    return d


class Holder:
    def __init__(self, holders=None):
        self.holders = holders


def holders(n):
    ks = []
    for i in range(n):
        ks.append(Holder(i) if i % 2 else Holder())
    return ks


def counted(n):
    d = squares(n)
    r = []
    for k in holders(n):
        if k.holders in d:
            r.append(1)
        else:
            r.append(0)
    return r


def summed(n):
    d = squares(n)
    s = 0
    for k in holders(n):
        if k.holders is not None:
            s += d[k.holders]
    return s


def deleted(n):
    d = squares(n)
    ks = holders(n)
    del d[ks[1].holders]
    return d


def with_default(n):
    d = squares(n)
    s = 0
    for k in holders(n):
        s += d.get(k.holders, 100)
    return s


def popped_or_default(n):
    d = squares(n)
    s = 0
    for k in holders(n):
        s += d.pop(k.holders, 100)
    return (s, d)


def stored(n):
    d = {}
    s = 0
    for k in holders(n):
        d[k.holders] = 1
    return (s, d)


def missing_none(n):
    d = squares(n)
    ks = holders(n)
    return d[ks[0].holders]


def deleted_by_name(n):
    d = squares(n)
    ks = holders(n)
    k = ks[1].holders
    if n > 2:
        del d[k]
    return d


def discarded(n):
    s = set(squares(n))
    for k in holders(n):
        s.discard(k.holders)
    return s


def removed(n):
    s = set(squares(n))
    for k in holders(n):
        if k.holders is not None:
            s.remove(k.holders)
    return s


def in_a_list(n):
    s = []
    for k in holders(n):
        s.append(k.holders)
    return (s, s.count(None), s.index(3), None in s, 3 in s)


def grouped(n):
    d = {}
    for k in holders(n):
        d.setdefault(k.holders, []).append(1)
    return d


def none_and_texts(n):
    d = {}
    for i in range(n):
        k = None if i % 3 == 0 else str(i % 5) if i % 3 == 1 else "x" * (i % 4)
        d[k] = d.get(k, 0) + 1
    return (d, d.get(None), d.get("x"), "zz" in d)


def ints_and_texts(n):
    d = {}
    for i in range(n):
        if i % 2:
            d[i] = 1
        else:
            d[str(i)] = 2
    r = 0
    for k in d:
        if isinstance(k, str):
            r += 10
        else:
            r += k
    return (d, r, d[1], d["2"], 7 in d, "7" in d, list(d), sorted(d.values()))


def in_tuples(n):
    d = {}
    for i in range(n):
        d[i, None if i % 2 else i] = i
    return (d, d[0, 0], d[1, None], (1, 1) in d)


def floats_and_texts(n):
    d = {}
    for i in range(n):
        k = 1.5 * i if i % 2 else str(i)
        d.setdefault(k, []).append(i)
    for i in range(n):
        for k in list(d):
            d[k].append(1)
    return d


def pairs_of_words(ws):
    d = {None: 0}
    for w in ws:
        d[w] = len(w)
    m = {}
    prev = None
    for w in ws:
        m[prev, w] = m.get((prev, w), 0) + 1
        prev = w
    m[prev, None] = 1
    return (d, m)


class Thing:
    def __init__(s, v):
        s.v = v


def instances_and_none(n):
    d = {}
    xs = [Thing(i) for i in range(n)]
    for i in range(n):
        k = xs[i] if i % 2 else None
        d[k] = i
    return ([d.get(x, -1) for x in xs], d[None], len(d))


def none_popped(n):
    d = {}
    for i in range(n):
        d[i if i % 2 else None] = i
        if i > 3:
            d.pop(None, 0)
    return d


def counter_of_none(n):
    from collections import Counter

    c = Counter()
    for i in range(n):
        c[None if i % 3 else "a"] += 1
    return c.most_common()


W = ["a", "bb", "a", "ccc" * 20, "bb"]
CASES = [
    (counted, (6,)),
    (summed, (6,)),
    (deleted, (6,)),
    (with_default, (6,)),
    (popped_or_default, (6,)),
    (stored, (6,)),
    (missing_none, (6,)),
    (deleted_by_name, (6,)),
    (discarded, (6,)),
    (removed, (6,)),
    (in_a_list, (6,)),
    (grouped, (6,)),
    (none_and_texts, (9,)),
    (ints_and_texts, (9,)),
    (in_tuples, (9,)),
    (floats_and_texts, (9,)),
    (instances_and_none, (9,)),
    (none_popped, (9,)),
    (counter_of_none, (9,)),
    (pairs_of_words, (W,)),
]
