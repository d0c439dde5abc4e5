"""Variables, lists and dicts whose values are of several kinds: tuples, strings, containers."""


class EVaried(Exception):
    pass


def f_varied(k):
    if k % 3 == 0:
        raise EVaried("three")
    return k * 2


def a_varied(n):
    try:
        v = f_varied(n)
    except EVaried as e:
        return str(e)
    return (v, n)


def b_varied(n):
    if n % 2:
        return "odd"
    return (n, 2)


def c_varied(n):
    out = []
    for i in range(n):
        out.append((i, "x") if i % 2 else "none")
    return out


def d_varied(n):
    rows = []
    for i in range(n):
        if i % 2:
            rows.append((i, "a"))
        else:
            rows.append((i, "b", i * 2, 0.5))
    return (rows, [len(r) for r in rows], [r[0] for r in rows])


def e_varied(n):
    out = {}
    for i in range(n):
        if i % 2:
            out["k" + str(i)] = ([i, i + 1], i)
        else:
            out["k" + str(i)] = "bad"
    return (out, [v[0] for v in out.values() if isinstance(v, tuple)])


def g_varied(n):
    out = []
    for i in range(n):
        try:
            v = f_varied(i)
        except EVaried as e:
            out.append((str(e), i))
        else:
            out.append(v)
    return out


def k_varied(n):
    x = [1] if n > 2 else "abc"
    return len(x)


def l_varied(n):
    x = [1, n] if n > 2 else (1, 2)
    return x


def m_varied(n):
    d = {"a": 1, "b": n}
    x = d if n > 2 else [("a", 1)]
    return x


def c1_appended(n):
    out = []
    for i in range(n):
        if i % 2:
            out.append((i, "x"))
        else:
            out.append("none")
    return out


def c2_appended(n):
    out = []
    for i in range(n):
        v = (i, 2) if i % 2 else "none"
        out.append(v)
    return out


def c3_appended(n):
    out = []
    for i in range(n):
        if i % 2:
            out.append((i, 2))
        else:
            out.append(i)
    return out


def c4_appended(n):
    out = []
    for i in range(n):
        if i % 2:
            out.append((i, 2))
        else:
            out.append(i)
    return [x if isinstance(x, int) else x[0] for x in out]


def a_sliced(codes):
    runs = []
    for c in codes:
        if runs and runs[-1][0] == c:
            runs[-1][1] += 1
        else:
            runs.append([c, 1])
    return [tuple(r) for r in runs]


def b_sliced(text):
    toks = text.split()
    out = []
    for n in range(1, 3):
        for i in range(len(toks) - n + 1):
            out.append(" ".join(toks[i : i + n]))
    return out


def b2_sliced(text):
    toks = ["a", "b", "c"]
    out = []
    for n in range(1, len(text)):
        for i in range(len(toks) - n + 1):
            out.append(" ".join(toks[i : i + n]))
    return out


class FSliced:
    def features(self, text):
        tokens = text.lower().split()
        for n in range(1, 3):
            for i in range(len(tokens) - n + 1):
                yield " ".join(tokens[i : i + n])

    def train(self, text):
        d = {}
        for f in self.features(text):
            d[f] = d.get(f, 0) + 1
        return d


def c_sliced(text):
    return FSliced().train(text)


def d_sliced(n):
    t = {(0, 0, 1): 1, (0, 1, 0): 0}
    p = [0] * n + [1]
    q = [(0,) + tuple(p) + (0,)]
    return len(q)


def e_sliced(n):
    table = {}
    for k in range(8):
        table[k >> 2, k >> 1 & 1, k & 1] = k % 3 & 1
    cells = [0] * n + [1]
    p = (0,) + tuple(cells) + (0,)
    return [table[p[i : i + 3]] for i in range(n)]


def f_sliced(n):
    table = {}
    for k in range(8):
        table[k >> 2, k >> 1 & 1, k & 1] = k % 3 & 1
    cells = [0] * n + [1]
    p = [0] + cells + [0]
    return [table[tuple(p[i : i + 3])] for i in range(n)]


def g_sliced(text):
    try:
        r = a_sliced([ord(c) for c in text])
    except ValueError as e:
        return "error: " + str(e)
    return r


class ESliced(Exception):
    pass


def enc_sliced(text):
    if not text:
        raise ESliced("x")
    return (text, a_sliced([ord(c) for c in text]))


def g2_sliced(text):
    try:
        _t, r = enc_sliced(text)
    except ESliced as e:
        print("error:", e)
        return "error: " + str(e)
    return r


def g3_sliced(n):
    try:
        r = [tuple(x) for x in [[k, n] for k in range(n)]]
    except ESliced as e:
        return "error: " + str(e)
    return r


class PUnpacked:
    def __init__(self, x, y):
        self.x, self.y = (x, y)

    def __iter__(self):
        yield self.x
        yield self.y


def a_unpacked(n):
    x, y = PUnpacked(n, 2)
    return x - y


def b_unpacked(n):
    s = 0
    for x, y in [PUnpacked(i, 1) for i in range(n)]:
        s += x * y
    return s


def c_unpacked(n):
    ts = [tuple(range(k)) for k in range(n)]
    a, *r = ts[2]
    x, y, z = ts[3]
    return (a, r, x + y + z)


def d_unpacked(n):
    ts = [tuple([k, k * 2]) for k in range(n)]
    return ([p * q for p, q in ts], {p: q for p, q in ts})


def e_unpacked(n):
    ts = {k: tuple([k, k * 2]) for k in range(n)}
    return [p * q + k for k, (p, q) in ts.items()]


def f_unpacked(n):
    ts = [tuple(range(k)) for k in range(n)]
    x, _y = ts[n - 1]
    return x


def a_tupled(n):
    ts = [tuple([k, k * 2]) for k in range(n)]
    return [p for p, q in ts for _ in range(q)]


def b_tupled(n):
    ts = [[k, k * 2] for k in range(n)]
    us = [tuple(t) for t in ts]
    return [p for p, q in us for _ in range(q)]


def b2_tupled(n):
    ts = [[k, k * 2] for k in range(n)]
    us = [tuple(t) for t in ts]
    return [p for p, q in us]


def b3_tupled(n):
    ts = [[k, k * 2] for k in range(n)]
    ts[0].append(3)
    us = [tuple(t) for t in ts[1:]]
    return [p for p, q in us]


def b4_tupled(n):
    ts = [[k, k * 2] for k in range(n)]
    ts[0].append(3)
    us = [tuple(t) for t in ts[1:]]
    s = 0
    for p, q in us:
        s += p * q
    return s


def b5_tupled(n):
    ts = [[k, k * 2] for k in range(n)]
    ts[0].append(3)
    us = [tuple(t) for t in ts[1:]]
    return [p for p, q in us for _ in range(q)]


def number(text):
    return float(text) if "." in text else int(text)


def bits(text):
    """A method that numbers of one of both kinds have."""
    try:
        return number(text).bit_length()
    except AttributeError as error:
        return str(error)


def ratio(text):
    return number(text).as_integer_ratio(), number(text).conjugate()


def parsed(text, at):
    if text[at] == "n":
        return None
    if text[at] == "{":
        return {"a": parsed(text, at + 1)}
    return number(text[at:])


def depth(text):
    """`items` is no method of either kind of number."""
    value, n = parsed(text, 0), 0
    while isinstance(value, dict):
        ((_, value),) = value.items()
        n += 1
    return n, value


CASES = [
    *((f, (text,)) for f in (bits, ratio) for text in ("3", "3.5", "-8")),
    *((depth, (text,)) for text in ("1", "{2", "{{n", "{{{2.5")),
    *[
        (x, (q,))
        for x in (
            a_varied,
            b_varied,
            c_varied,
            d_varied,
            e_varied,
            g_varied,
            k_varied,
            l_varied,
            m_varied,
        )
        for q in (2, 3, 6)
    ],
    *[(x, (5,)) for x in (c1_appended, c2_appended, c3_appended, c4_appended)],
    *[
        (a_sliced, ([1, 1, 2, 3, 3],)),
        (b_sliced, ("a b c a",)),
        (b_sliced, ("a b c a " * 20,)),
        (b2_sliced, ("abcd",)),
        (c_sliced, ("a b c a",)),
        (c_sliced, ("a b c a " * 20,)),
        (d_sliced, (3,)),
        (e_sliced, (5,)),
        (f_sliced, (5,)),
    ],
    *[(g_sliced, ("aabbbc",)), (g2_sliced, ("aabbbc",)), (g3_sliced, (4,))],
    *[
        (x, (q,))
        for x in (a_unpacked, b_unpacked, c_unpacked, d_unpacked, e_unpacked, f_unpacked)
        for q in (4,)
    ],
    *[
        (x, (q,))
        for x in (a_tupled, b_tupled, b2_tupled, b3_tupled, b4_tupled, b5_tupled)
        for q in (4,)
    ],
]
