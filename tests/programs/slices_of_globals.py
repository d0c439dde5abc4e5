"""Slices of lists, tuples and strings, with bounds known only at run time."""

DAYS = [31, 28, 31, 30]
T = (31, 28, 31, 30)
W = ["a", "b", "c"]
S = "abcdef"


def days(m):
    t = 0
    for d in DAYS[:m]:
        t += d
    return t


def parts(m):
    return sum(DAYS[:m]), DAYS[m:], len(DAYS[1:m])


def of_a_local(m):
    loc = [3, 1, 2, 5]
    return sum(loc[:m]), loc[-m:], [x for x in loc[m:]]


def of_a_tuple(m):
    return sum(T[:m]), T[m:], max(T[:m])


def of_words(m):
    return W[:m], "-".join(W[m:]), S[:m], S[m::-1]


def words_in_turn(m):
    loc = ["x", "y", "z"]
    out = []
    for w in loc[:m]:
        out.append(w)
    return out, loc[m:]


def of_arguments(ps, m):
    return ps[:m], ps[m:], sum(x for x in ps[:m])


def of_tuples(m):
    pts = [(1, 2), (3, 4), (5, 6)]
    return sum(a * b for a, b in pts[:m]), pts[m:]


CASES = [
    (days, (3,)),
    (parts, (2,)),
    (of_a_local, (2,)),
    (of_a_tuple, (2,)),
    (of_words, (2,)),
    (words_in_turn, (2,)),
    (of_arguments, ([1, 2, 3], 2)),
    (of_arguments, ((1, 2, 3), 1)),
    (of_tuples, (2,)),
]
