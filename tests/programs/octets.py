"""bytes: given, constants, made, taken apart."""

from dataclasses import dataclass

import numpy as np


def parts(b):
    return len(b), b[0], b[-1], b[1:3], b[::-1], b"abc" in b, 97 in b


def values(b):
    s = 0
    for c in b:
        s += c
    return s, sum(b), max(b), list(b), sorted(b)


def constant():
    return b"abc"


def compared(b):
    return b == b"abc", b != b"abc", b < b"abd", b + b"x", b * 2, hash(b)


def methods(b):
    return (
        b.decode(),
        b.hex(),
        b.upper(),
        b.find(b"c"),
        b.count(b"a"),
        b.split(b"b"),
        b.strip(),
        b.startswith(b"a"),
        b.isalpha(),
    )


def encoded(s):
    return s.encode(), s.encode()[0], len(s.encode("utf-8"))


def words(b):
    d = {}
    for w in b.split():
        d[w] = d.get(w, 0) + 1
    return d


TABLE = []
for i in range(256):
    c = i
    for _ in range(8):
        c = (c >> 1) ^ 0xEDB88320 if c & 1 else c >> 1
    TABLE.append(c)
T = np.array(TABLE, dtype=np.int64)


def crc(data, table):
    c = 0xFFFFFFFF
    for x in data:
        c = table[(c ^ x) & 0xFF] ^ (c >> 8)
    return c ^ 0xFFFFFFFF


def made(b):
    return (
        bytes([1, 2, 3]),
        bytes(3),
        bytes("ab", "utf8"),
        bytes(b),
        b"".join([b, b"--", b]),
        b.replace(b"a", b"zz"),
    )


def shown(b):
    print(b, repr(b), str(b))
    return f"{b}", f"{b!r}"


def shortened(b):
    b = b[1:]
    while b:
        b = b[2:]
    return b


def as_array(b):
    return np.array(list(b))


def kinds(x):
    return isinstance(x, bytes), isinstance(x, str), type(x) is bytes


class Shown:
    def __init__(s, x):
        s.x = x

    def __str__(s):
        return f"Shown<{s.x}>"

    def __repr__(s):
        return f"Shown({s.x!r})"


@dataclass
class Plain:
    x: int
    y: str = "a"


@dataclass(frozen=True)
class Frozen:
    x: int

    def __post_init__(s):
        pass


def instances_as_text(n):
    p = Shown(n)
    print(p)
    print(Plain(n), Frozen(n))
    return str(p), repr(p), f"{p}|{p!r}", str(Plain(n)), f"{Frozen(n)}", "%s" % n


def many_as_text(n):
    return [str(Shown(i)) for i in range(n)], ", ".join(str(Shown(i)) for i in range(n))


class Holder:
    def __init__(s, d):
        s.d = d

    def first(s):
        return s.d[0], len(s.d)


def attribute(h):
    return h.first()


def list_of_bytes(xs):
    return [len(x) for x in xs], xs[0]


def there_and_back(s):
    return s.encode().decode(), "é".encode(), b"\xc3\xa9".decode(), "aé€".encode()


def lengths(xs):
    return [len(x) for x in xs]


def length_of_first(xs):
    return len(xs[0])


def first(xs):
    return xs[0]


def first_value(xs):
    return xs[0][0]


def all_values(xs):
    s = 0
    for x in xs:
        for c in x:
            s += c
    return s


def in_a_dict(d):
    return d["a"][0], len(d["b"])


def in_a_tuple(t):
    return t[0][0]


def from_index(b, n=3):
    return b[n:]


def two(a, b):
    return a + b, a == b, a < b


def split_from_the_right(b):
    return b.rsplit(), b.rsplit(None, 1), b.rsplit(None, 0), b.hex("-"), b.decode("ascii")


CASES = [
    (split_from_the_right, (b" a bc  d \n",)),
    (split_from_the_right, (b"",)),
    (parts, (b"abcde",)),
    (values, (b"abc",)),
    (constant, ()),
    (compared, (b"abc",)),
    (methods, (b"abc",)),
    (encoded, ("héllo",)),
    (words, (b"a b a c",)),
    (crc, (b"123456789" * 10, T)),
    (crc, (b"123456789" * 10, TABLE)),
    (made, (b"abc",)),
    (shown, (b"a\n'\xff",)),
    (shortened, (b"abcdefg",)),
    (as_array, (b"abc",)),
    (kinds, (b"a",)),
    (kinds, ("a",)),
    (instances_as_text, (3,)),
    (many_as_text, (3,)),
    (attribute, (Holder(b"xyz"),)),
    (list_of_bytes, ([b"a", b"bcd"],)),
    (there_and_back, ("abc",)),
    (parts, (b"",)),
    (lengths, ([b"a", b"bcd"],)),
    (length_of_first, ([b"a", b"bcd"],)),
    (first, ([b"a", b"bcd"],)),
    (first_value, ([b"a", b"bcd"],)),
    (all_values, ([b"a", b"bcd"],)),
    (in_a_dict, ({"a": b"x", "b": b"yy"},)),
    (in_a_tuple, ((b"a", b"b"),)),
    (from_index, (b"abcde",)),
    (two, (b"a", b"b")),
]
