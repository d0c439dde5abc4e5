"""Lists, dicts and sets whose length is known only at run time: texts, comparisons, unpacking."""

import numpy as np


def texts_of_lists(n):
    x = [i * i for i in range(n)]
    y = []
    for i in range(n):
        y.append(str(i))
    return (str(x), repr(y), f"{x} and {y!r}")


def texts_of_dicts_and_sets(n):
    d = {}
    for i in range(n):
        d[str(i)] = (i, float(i))
    s = set()
    for i in range(n):
        s.add(i % 3)
    return (str(d), repr(s), f"{d}", "%s" % d, "{}".format(s))


def text_of_nested(n):
    g = []
    for i in range(n):
        g.append([i] * i)
    return str(g)


def first_and_rest(s):
    a, *b = s.split()
    return (a, b)


def rest_and_last(s):
    *a, b = s.split()
    x, *y, z = s.split()
    return (a, b, x, y, z)


def heads_of_lines(s):
    r = []
    for line in s.split(";"):
        k, *v = line.split()
        r.append((k, len(v)))
    return r


def numbers_of_a_line(s):
    a, b, c = map(int, s.split())
    d, e, f = (int(x) for x in s.split())
    return a + b + c + d + e + f


def sorted_set_of_pairs(pts):
    r = sorted(set(pts))
    return r


def lists_compared(n):
    a = []
    for i in range(n):
        a.append(i % 3)
    b = [0, 1, 2, 0]
    c = [i % 3 for i in range(n)]
    return (a == b, a == c, a != c, a < b, b < a, a == [], [] == a)


def anagrams(words):
    d = {}
    for w in words:
        d.setdefault("".join(sorted(w)), []).append(w)
    return d


def complex_items(n):
    x = []
    for i in range(n):
        x.append(complex(i, 1))
    return (x, sum(x))


def complex_values(n):
    d = {}
    for i in range(n):
        d[i] = complex(i, 1)
    return d


def complex_rows(n):
    g = [[0j] * n for i in range(n)]
    for i in range(n):
        g[i][i] = 1j * i
    return g


s = "a b c d"


def digits(n):
    y = []
    for i in range(n):
        y.append(str(i))
    return y


def list_by_percent(n):
    return "%s %d" % (digits(n), 3)


def lists_by_format(n):
    return "{} {!r}".format(digits(n), digits(n))


def only_list_by_percent(n):
    return "%s" % digits(n)


def repr_by_percent(n):
    return "%r" % digits(n)


def list_in_a_tuple(n):
    return str((digits(n), 1))


def list_of_tuples(n):
    x = [(digits(2), i) for i in range(n)]
    return str(x)


def items_of_kinds(n):
    x = []
    for i in range(n):
        x.append((i, float(i), None if i % 2 else i, i % 2 == 0, "a'b"))
    return (str(x), f"{x[0]}", repr(x[1]))


def rows_printed(n):
    x = []
    for i in range(n):
        x.append([i, i + 1])
    print(x)
    print(f"x={x}")
    print("x=", x, len(x))
    s = " ".join((str(r) for r in x))
    return s


def dict_of_lists(n):
    d = {}
    for i in range(n):
        d[i] = [i] * i
    return f"{d}"


def floats_of_numpy(n):
    x = []
    for i in range(n):
        x.append(np.float64(i) / 3)
    return (str(x), repr(x))


def complex_list(n):
    x = []
    for i in range(n):
        x.append(1j * i)
    y = [x[:k] for k in range(n)]
    return (str(x), y, sum(x), x[1] * x[1], [abs(v) for v in x], x[1].real)


def halves(xs):
    n = len(xs)
    if n <= 1:
        return xs
    e = halves(xs[0::2])
    o = halves(xs[1::2])
    r = [0j] * n
    for k in range(n // 2):
        t = o[k] * (0.5 + 0.5j)
        r[k] = e[k] + t
        r[k + n // 2] = e[k] - t
    return r


def fft(n):
    x = [complex(i) for i in range(n)]
    return halves(x)


def dict_of_complex(n):
    d = {}
    for i in range(n):
        d[str(i)] = complex(i, 2)
    return (d, d["1"].imag)


def complex_of_numpy(n):
    x = []
    for i in range(n):
        x.append((np.complex64(i), 1j))
    d = {0: x}
    return d


class Link:
    def __init__(self, k, v):
        self.k, self.v = (k, v)
        self.next = None


def links(n):
    if n:
        yield (n.k, n.v)
        yield from links(n.next)


def walked(ps):
    root = None
    for k, v in ps:
        m = Link(k, v)
        m.next = root
        root = m
    return list(links(root))


def low_links(graph):
    index = {}
    low = {}

    def visit(n):
        index[n] = 0
        low[n] = 0
        for s in graph.get(n, []):
            if s not in index:
                visit(s)
                low[n] = min(low[n], low[s])
            else:
                low[n] = min(low[n], index[s])

    for n in graph:
        if n not in index:
            visit(n)
    return low


def postorder(graph):
    order = []
    seen = set()

    def visit(n):
        if n in seen:
            return
        seen.add(n)
        for s in graph[n]:
            visit(s)
        order.append(n)

    for n in graph:
        visit(n)
    return order[::-1]


def permutations(s):
    out = []

    def perm(p, rest):
        if not rest:
            out.append(p)
        for i, c in enumerate(rest):
            perm(p + c, rest[:i] + rest[i + 1 :])

    perm("", s)
    return out


def parentheses(n):
    res = []

    def go(k, o, c, cur):
        if len(cur) == 2 * k:
            res.append(cur)
            return
        if o < k:
            go(k, o + 1, c, cur + "(")
        if c < o:
            go(k, o, c + 1, cur + ")")

    go(n, 0, 0, "")
    return res


def hanoi(n):

    def hanoi(k, a, b, c):
        if k == 0:
            return []
        return hanoi(k - 1, a, c, b) + [(a, c)] + hanoi(k - 1, b, a, c)

    return hanoi(n, "A", "B", "C")


def binary_words(n):

    def gen(k):
        if k == 0:
            yield ""
            return
        for x in gen(k - 1):
            yield (x + "0")
            yield (x + "1")

    return (list(gen(n)), [x for x in gen(2)], ",".join(gen(2)))


def popped(n):
    st = []
    for i in range(n):
        st.append("a" * i)
    w = {}
    while st:
        s = st.pop()
        w[s] = len(s)
        stack2 = []
        stack2.append(s)
    return w


G = {"a": ["b"], "b": ["c", "e"], "c": ["a"], "e": []}
CASES = [
    (texts_of_lists, (4,)),
    (texts_of_dicts_and_sets, (5,)),
    (text_of_nested, (4,)),
    (first_and_rest, (s,)),
    (rest_and_last, (s,)),
    (heads_of_lines, ("a b c;d;e f",)),
    (numbers_of_a_line, ("1 2 3",)),
    (sorted_set_of_pairs, ([(1, 2), (0, 1), (1, 2)],)),
    (lists_compared, (4,)),
    (anagrams, (["ab", "ba", "c"],)),
    (complex_items, (4,)),
    (complex_values, (4,)),
    (complex_rows, (4,)),
    (list_by_percent, (4,)),
    (lists_by_format, (4,)),
    (only_list_by_percent, (4,)),
    (repr_by_percent, (4,)),
    (list_in_a_tuple, (4,)),
    (list_of_tuples, (4,)),
    (items_of_kinds, (4,)),
    (rows_printed, (4,)),
    (dict_of_lists, (4,)),
    (floats_of_numpy, (4,)),
    (complex_list, (4,)),
    (fft, (4,)),
    (dict_of_complex, (4,)),
    (complex_of_numpy, (4,)),
    (walked, ([(1, "a"), (2, "b")],)),
    (low_links, (G,)),
    (postorder, (G,)),
    (permutations, ("abc",)),
    (parentheses, (3,)),
    (hanoi, (3,)),
    (binary_words, (3,)),
    (popped, (3,)),
]
