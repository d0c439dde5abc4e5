"""Numbers as bytes, ratios and texts and back, bounds of slices, tables for translate()."""

import math
import random


def of_bytes(b):
    return int.from_bytes(b, "big"), int.from_bytes(b, "big", signed=True), int.from_bytes(b)


def from_the_least(b):
    return int.from_bytes(b, "little"), int.from_bytes(b, byteorder="little", signed=True)


def signed_only(b):
    return int.from_bytes(b, "big", signed=True), int.from_bytes(b, "little", signed=True)


def of_lists(x):
    return (
        int.from_bytes(x, "big"),
        int.from_bytes([1, 2, 255], "little"),
        int.from_bytes(bytearray(x), "big"),
        int.from_bytes((1, 2), "big"),
        int.from_bytes(range(3), "big"),
    )


def in_order(b, order):
    return int.from_bytes(b, order)


def as_bytes(n, length, signed):
    return (
        n.to_bytes(length, "big", signed=signed),
        n.to_bytes(length, "little", signed=signed),
        n.to_bytes(length=length, byteorder="big", signed=signed),
    )


def with_defaults(n):
    return (
        n.to_bytes(),
        n.to_bytes(2),
        n.to_bytes(4, "little"),
        (n & 15).to_bytes(1, "big"),
        len([1, 2]).to_bytes(2, "big"),
        int.to_bytes(n, 3, "big"),
        True.to_bytes(1, "big"),
        (1000).to_bytes(2, "little"),
    )


def round_trip(n):
    return int.from_bytes(n.to_bytes(8, "little", signed=True), "little", signed=True)


def pack(values):
    out = bytearray()
    for v in values:
        out += v.to_bytes(4, "little")
    res = []
    for i in range(0, len(out), 4):
        res.append(int.from_bytes(out[i : i + 4], "little"))
    return bytes(out), res


class P:
    def __init__(self, x):
        self.x = x

    def to_bytes(self, n):
        return [self.x] * n

    def translate(self, d):
        return P(self.x + d)


def of_an_instance(n):
    p = P(n)
    return p.to_bytes(2), p.translate(3).x, P(n).to_bytes(1)


def drawn(n):
    random.seed(5)
    return random.randbytes(n), random.random()


class Encoder:
    def __init__(self, x):
        self.x = x

    def encode(self, a=1, *, b=3):
        return [self.x, a, b]


def encodings(n):
    p = Encoder(n)
    return (
        p.encode(),
        Encoder(n).encode(4),
        Encoder(n).encode(b=5),
        "é".encode("latin-1"),
        "é".encode(encoding="utf-8", errors="strict"),
        "x".encode(errors="strict"),
    )


def given_instance(p):
    return p.to_bytes(2), p.translate(3).x


def hexes(s):
    return bytes.fromhex(s), bytearray.fromhex(s), bytes.fromhex("0a0B")


def tables(s):
    t = str.maketrans("abc", "xyz")
    return (
        s.translate(t),
        s.translate(str.maketrans("abc", "xyz", "d ")),
        s.translate(str.maketrans({"a": "AA", "b": ""})),
        t,
    )


def some_dropped(s):
    return s.translate(str.maketrans({"a": "AA", "b": None, 99: "q"}))


def of_two(a, b, s):
    t = str.maketrans(a, b)
    return s.translate(t)


def words(s):
    t = str.maketrans("", "", ",.!")
    return s.translate(t).lower().split()


def of_a_dict(s, d):
    return s.translate(str.maketrans(d))


def displays(s):
    return (
        s.translate({ord(c): None for c in "aeiou"}),
        s.translate({ord("a"): "1", ord("b"): "2"}),
        s.translate({97: 98}),
    )


ROT = str.maketrans(
    "ABCDEFGHIJKLMabcdefghijklmNOPQRSTUVWXYZnopqrstuvwxyz",
    "NOPQRSTUVWXYZnopqrstuvwxyzABCDEFGHIJKLMabcdefghijklm",
)


def rot13(s):
    return s.translate(ROT)


def complement(dna):
    return dna.translate(str.maketrans("ACGT", "TGCA"))[::-1]


def of_octets(b):
    t = bytes.maketrans(b"abc", b"xyz")
    return b.translate(t), b.translate(None, b"a"), len(t), b.translate(t, b"z")


class Marked:
    """Whose methods have the names of those of slices and floats."""

    def __init__(self, n):
        self.n = n

    def indices(self, step):
        for k in range(self.n):
            if k % step:
                yield k

    def hex(self):
        return f"h{self.n}"

    def as_integer_ratio(self):
        return self.n


def of_marked(n):
    marked = Marked(n)
    total = 0
    for k in marked.indices(2):
        total += k
    return total, list(Marked(n + 1).indices(3)), marked.hex(), marked.as_integer_ratio()


def indices_of_slices(n):
    bounds = (None, 0, 1, -3, 9)
    return [
        slice(start, stop, step).indices(n)
        for start in bounds
        for stop in bounds
        for step in (None, 1, -1, 2, -3)
    ]


class Window:
    def __init__(self, items):
        self.items = items

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self.items)))]
        return self.items[index] * 10


def windows(n):
    window = Window(list(range(n)))
    return window[:], window[1:-1], window[::-1], window[n:1:-2], window[0]


def no_step(n):
    return slice(0, n, n - 3).indices(n)


def no_length(n):
    return slice(n).indices(3 - n)


def ratios(n):
    return [x.as_integer_ratio() for x in (n, n / 4, True, 0.1, -0.75, 0.0, 1e15 * n)]


def ratio_of_nan(n):
    return (math.nan if n == 3 else 0.5).as_integer_ratio()


def ratio_of_infinity(n):
    return (math.inf if n == 3 else 0.5).as_integer_ratio()


def hexes_of_floats(n):
    tiny = [1e-320 * n, 5e-324, 2.0**-1022, 1e-310]
    return [x.hex() for x in [n / 7, 0.0, -0.0, -1e300, math.inf, -math.inf, math.nan, *tiny]]


CASES = [
    *(
        (f, (n,))
        for f in (
            of_marked,
            indices_of_slices,
            windows,
            no_step,
            no_length,
            ratios,
            ratio_of_nan,
            ratio_of_infinity,
            hexes_of_floats,
        )
        for n in (3, 5)
    ),
    *((of_bytes, (b,)) for b in (b"", b"\x00", b"\x01\x02", b"\xff\xfe", b"\0" * 10 + b"\1")),
    (of_bytes, (b"\x7f" + b"\xff" * 7,)),
    *((from_the_least, (b,)) for b in (b"", b"\xff\xfe", b"\1" + b"\0" * 10)),
    (from_the_least, (b"\xff" * 7 + b"\x7f",)),
    *((signed_only, (b,)) for b in (b"\x80" + b"\0" * 7, b"\xff" * 9)),
    (of_lists, ([1, 2, 3],)),
    (of_lists, ([1, 300],)),
    (in_order, (b"ab", "big")),
    (in_order, (b"ab", "middle")),
    *(
        (as_bytes, (n, l, s))
        for n in (0, 1, -1, 127, 128, -128, -129, 255, 256, 65535, 2**62, -(2**63), 2**63 - 1)
        for l in (0, 1, 2, 8, 9, -1)
        for s in (False, True)
    ),
    (with_defaults, (7,)),
    (with_defaults, (200,)),
    (with_defaults, (300,)),
    *((round_trip, (n,)) for n in (0, -1, 2**63 - 1, -(2**63))),
    (pack, ([1, 2, 70000],)),
    (encodings, (3,)),
    *((drawn, (n,)) for n in (0, 1, 4, 7, 8, 20, -1)),
    (of_an_instance, (3,)),
    (given_instance, (P(3),)),
    (hexes, ("ff 00aB",)),
    (hexes, ("",)),
    (hexes, ("fg",)),
    (hexes, ("f",)),
    (hexes, ("ff f ff",)),
    (tables, ("abcd e",)),
    (tables, ("",)),
    (some_dropped, ("abc",)),
    (of_two, ("ab", "xy", "cab")),
    (of_two, ("ab", "xyz", "cab")),
    (words, ("Hello, World. Yes!",)),
    (of_a_dict, ("abc", {"a": "b"})),
    (of_a_dict, ("abc", {"a": None})),
    (of_a_dict, ("abc", {"ab": "b"})),
    (displays, ("abcde",)),
    (rot13, ("Hello",)),
    (complement, ("ACGTT",)),
    (of_octets, (b"abcz",)),
]
