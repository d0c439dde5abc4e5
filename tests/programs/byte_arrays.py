"""bytearray: made, changed, compared, given out."""

import random

import numpy as np


def made(n):
    return (
        bytearray(n),
        bytearray(),
        bytearray(b"ab"),
        bytearray([n, 2, 3]),
        bytearray(range(n)),
        bytearray("aé", "utf-8"),
        bytearray(k * k for k in range(n)),
        bytearray((1, n)),
        bytearray(bytearray(b"xy")),
        bytearray(3),
    )


def from_arrays(x):
    return bytearray(x), bytes(bytearray(x)), len(bytearray(x))


def changed(n):
    a = bytearray(n)
    a[0] = 3
    a[-1] = 255
    a[n // 2] += 7
    a.append(n)
    a.extend([1, 2])
    a.extend(b"xyz")
    a.extend(range(2))
    a += b"!"
    a += bytearray(b"?")
    a.insert(1, 9)
    a.insert(-1, 8)
    a.insert(100, 7)
    p = a.pop()
    q = a.pop(0)
    a.remove(9)
    a.reverse()
    del a[1]
    return a, p, q, len(a), a[0], a[-2]


def slices(n):
    a = bytearray(range(10))
    b = a[2:5]
    b[0] = 77
    c = a[:]
    c[0] = 55
    a[1:3] = b"abc"
    a[0:0] = [n]
    d = a[::-1]
    d[::2] = b"z" * len(d[::2])
    e = bytearray(a)
    del e[2:4]
    del e[::2]
    e[n:] = b""
    f = bytearray(8)
    f[n::2] = bytes([1]) * len(range(n, 8, 2))
    return a, b, c, d, e, f


def self_slices(n):
    a = bytearray(b"abc")
    a[1:2] = a
    b = a
    b += b
    a *= 2
    return a, b is a, a * n, n * bytearray(b"x"), a * 0


def compared(n):
    a = bytearray(b"abc")
    return (
        a == b"abc",
        b"abc" == a,
        a == bytearray([97, 98, n]),
        a != b"abd",
        a < b"abd",
        b"abd" > a,
        a <= bytearray(b"abc"),
        a > b"ab",
        a >= bytearray(b"b"),
        a == [97, 98, 99],
        a == "abc",
        not bytearray(),
        not a,
    )


def joined(n):
    a = bytearray(b"ab")
    return a + b"c", b"c" + a, a + a, b"-".join([a, b"x", a]), a.join([b"1", a]), bytes(a) * n


def looked_for(n):
    a = bytearray(b"hello world")
    return (
        n in a,
        b"lo w" in a,
        bytearray(b"zz") in a,
        a.find(b"o"),
        a.find(111, 5),
        a.rfind(b"o"),
        a.index(b"w"),
        a.count(b"l"),
        a.count(108),
        a.startswith(b"he"),
        a.endswith((b"x", b"ld")),
        b"hello".find(bytearray(b"l")),
    )


def read(n):
    a = bytearray(b"az\x00\xff")
    total = 0
    for c in a:
        total += c
    return (
        total,
        sum(a),
        max(a),
        min(a),
        list(a),
        sorted(a),
        bytes(a),
        a.hex(),
        tuple(a),
        [c * n for c in a],
        list(reversed(a)),
        list(enumerate(a)),
        list(zip(a, b"1234")),
        len(a),
    )


def texts(n):
    a = bytearray("añb".encode())
    b = bytearray(b" Ab cd ")
    return (
        a.decode(),
        bytearray(b"abc").decode("ascii"),
        b.upper(),
        b.lower(),
        b.strip(),
        b.split(),
        b.split(b"b"),
        b.replace(b"c", b"xx"),
        b.partition(b"b"),
        bytearray(b"a").ljust(n),
        bytearray(b"12").zfill(n),
        bytearray(b"ab1").isalnum(),
        b.title(),
        b.swapcase(),
        int(bytearray(b"12")),
    )


def methods_of_bytes(b):
    return (
        b.capitalize(),
        b.title(),
        b.swapcase(),
        b.istitle(),
        b.title().istitle(),
        b.expandtabs(4),
        b.translate(None, b"A"),
        b.translate(bytes(range(255, -1, -1))),
        b.translate(bytes(range(256)), b"b"),
    )


def shown(n):
    a = bytearray(b"a'\n\xff")
    a[0] = n
    print(a, [a])
    return repr(a), str(a), f"{a}", f"{a!r}", bytearray(b"'x")


def kinds(n):
    a = bytearray(n)
    b = bytes(a)
    return (
        isinstance(a, bytearray),
        isinstance(a, bytes),
        isinstance(b, bytearray),
        isinstance(a, (bytes, bytearray)),
        isinstance(b, (bytes, bytearray)),
        isinstance(n, (bytes, bytearray)),
        type(a) is bytearray,
        type(a).__name__,
    )


def one_object(n):
    a = bytearray(n)
    b = a
    b[0] = 1
    c = a.copy()
    c[0] = 2
    return a, b, a is b, c, c is a


def emptied(n):
    a = bytearray(n)
    b = a
    a.clear()
    return a, b, len(b)


def in_containers(n):
    rows = [bytearray(n) for _ in range(3)]
    rows[1][0] = 9
    d = {"a": rows[0], "b": bytearray(b"x")}
    d["a"][1] = 5
    return rows, d, [sum(r) for r in rows]


def filled(buffer, value):
    for k in range(len(buffer)):
        buffer[k] = value
    return len(buffer)


def passed(n):
    a = bytearray(n)
    return filled(a, 7), a


def ranges(n, value):
    a = bytearray(3)
    a[n] = value
    return a


def read_at(n):
    a = bytearray(3)
    return a[n]


def appended(value):
    a = bytearray()
    a.append(value)
    return a


def wrong_extend(value):
    a = bytearray(b"x")
    a.extend([1, value])
    return a


def wrong_pop(n):
    return bytearray(n).pop(n)


def wrong_remove(n):
    return bytearray(n).remove(5)


def wrong_slice(n):
    a = bytearray(n)
    a[::2] = b"x"


def wrong_text(n):
    return bytearray("x" * n)


def wrong_size(n):
    return bytearray(n)


def wrong_sum(n):
    return bytearray(n) + "x"


def wrong_value(n):
    a = bytearray(n)
    a[0] = "x"


def wrong_key(n):
    return {bytearray(n): 1}


def wrong_hash(n):
    return hash(bytearray(n))


def wrong_index(n):
    return bytearray(n).index(b"zz")


def wrong_member(n):
    return n in bytearray(2)


def caught(n):
    a = bytearray(2)
    try:
        a[0] = n
    except ValueError as e:
        return str(e), a
    return "fine", a


def brainfuck(code, n):
    tape = bytearray(30000)
    out = bytearray()
    stack = []
    jump = {}
    for i, c in enumerate(code):
        if c == "[":
            stack.append(i)
        elif c == "]":
            j = stack.pop()
            jump[i] = j
            jump[j] = i
    p = 0
    i = 0
    while i < len(code):
        c = code[i]
        if c == ">":
            p += 1
        elif c == "<":
            p -= 1
        elif c == "+":
            tape[p] = (tape[p] + 1) % 256
        elif c == "-":
            tape[p] = (tape[p] - 1) & 0xFF
        elif c == ".":
            out.append(tape[p])
        elif c == "[" and not tape[p]:
            i = jump[i]
        elif c == "]" and tape[p]:
            i = jump[i]
        i += 1
    return out.decode("latin-1"), bytes(out), n


def sieve(n):
    flags = bytearray(b"\x01") * (n + 1)
    flags[0:2] = b"\x00\x00"
    for i in range(2, int(n**0.5) + 1):
        if flags[i]:
            flags[i * i :: i] = bytes(len(flags[i * i :: i]))
    return [i for i, f in enumerate(flags) if f], sum(flags)


class Bloom:
    def __init__(self, size, k):
        self.bits = bytearray((size + 7) // 8)
        self.size = size
        self.k = k

    def places(self, word):
        for i in range(self.k):
            h = 2166136261 ^ i
            for c in word.encode():
                h = ((h ^ c) * 16777619) & 0xFFFFFFFF
            yield h % self.size

    def add(self, word):
        for p in self.places(word):
            self.bits[p >> 3] |= 1 << (p & 7)

    def __contains__(self, word):
        return all(self.bits[p >> 3] & (1 << (p & 7)) for p in self.places(word))


def bloom(words, n):
    b = Bloom(256, 3)
    for w in words[:n]:
        b.add(w)
    return [w in b for w in words], bytes(b.bits)


def run_lengths(data):
    out = bytearray()
    i = 0
    while i < len(data):
        j = i
        while j < len(data) and data[j] == data[i] and j - i < 255:
            j += 1
        out.append(j - i)
        out.append(data[i])
        i = j
    back = bytearray()
    for k in range(0, len(out), 2):
        back += bytes([out[k + 1]]) * out[k]
    return out, bytes(back) == data


def base64(data):
    letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    out = bytearray()
    for i in range(0, len(data), 3):
        chunk = data[i : i + 3]
        v = 0
        for c in chunk:
            v = (v << 8) | c
        v <<= 8 * (3 - len(chunk))
        for j in range(4):
            out.append(letters[(v >> (18 - 6 * j)) & 63])
        if len(chunk) < 3:
            out[-(3 - len(chunk)) :] = b"=" * (3 - len(chunk))
    return out.decode()


def exclusive_or(data, key):
    out = bytearray(len(data))
    for i in range(len(data)):
        out[i] = data[i] ^ key[i % len(key)]
    return bytes(out), out.hex()


def changes(ops):
    b = bytearray(b"start")
    sizes = []
    for op, x, y in ops:
        if op == 0:
            b.insert(x, y & 255)
        elif op == 1:
            b[x:y] = bytes(y & 3)
        elif op == 2:
            b[x:x] = b
        elif op == 3:
            del b[x :: (y & 3) + 1]
        elif op == 4:
            del b[x:y:-2]
        elif op == 5:
            n = len(b[x:y:3])
            b[x:y:3] = bytes([n & 255]) * n
        elif op == 6 and len(b) < 100:
            b *= y & 3
        elif op == 7 and len(b) > 0:
            sizes.append(b.pop())
        if len(b) > 200:
            del b[20:]
        sizes.append(len(b))
    return b, sizes


def searches(ops):
    b = bytearray(b"abracadabra")
    found = []
    for op, x, y in ops:
        if op == 0:
            found.append(b.find(b[x : x + 2], x, y))
        elif op == 1:
            found.append(b.rfind(b[x : x + 2]))
        elif op == 2:
            found.append(b.count(b[x : x + 1], x, y))
        elif op == 3:
            found.append(sum(b[x : y : -1 - (y & 1)]))
        elif op == 4:
            found.append(int(b[x:] < b[y:]) + 2 * int(b[x:] == bytes(b)[x:]))
        elif op == 5:
            b.reverse()
        elif op == 6:
            b[x:y] = (v ^ 1 for v in b[x:y])
    return b, found


def some_operations(seed):
    rng = random.Random(seed)
    return [(rng.randrange(8), rng.randrange(-12, 12), rng.randrange(-12, 12)) for _ in range(200)]


CASES = [
    *((one, (some_operations(seed),)) for one in (changes, searches) for seed in range(3)),
    (made, (4,)),
    (from_arrays, (np.arange(5, dtype=np.uint8),)),
    (from_arrays, (np.arange(3),)),
    (changed, (4,)),
    (slices, (3,)),
    (self_slices, (3,)),
    (compared, (99,)),
    (joined, (2,)),
    (looked_for, (104,)),
    (looked_for, (256,)),
    (read, (2,)),
    (texts, (5,)),
    (methods_of_bytes, (b"Ab cD\tab'c x1y",)),
    (shown, (65,)),
    (kinds, (3,)),
    (one_object, (3,)),
    (emptied, (3,)),
    (in_containers, (3,)),
    (passed, (3,)),
    *((ranges, (n, v)) for n, v in ((0, 255), (2, 256), (-3, -1), (3, 0), (-4, 1))),
    *((read_at, (n,)) for n in (0, -3, 3, -4)),
    *((appended, (v,)) for v in (0, 255, 256, -1)),
    (wrong_extend, (300,)),
    (wrong_pop, (0,)),
    (wrong_pop, (2,)),
    (wrong_remove, (3,)),
    (wrong_slice, (4,)),
    (wrong_text, (2,)),
    (wrong_size, (-1,)),
    (wrong_sum, (2,)),
    (wrong_value, (2,)),
    (wrong_key, (2,)),
    (wrong_hash, (2,)),
    (wrong_index, (2,)),
    *((wrong_member, (n,)) for n in (0, 1, 256, -1)),
    (caught, (3,)),
    (caught, (256,)),
    (brainfuck, ("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.", 1)),
    (sieve, (100,)),
    (bloom, (["a", "bc", "def", "gh", "x"], 3)),
    (run_lengths, (b"aaabccddddd",)),
    (run_lengths, (b"",)),
    *((base64, (b,)) for b in (b"hello world", b"abc", b"ab", b"")),
    (exclusive_or, (b"hello", b"key")),
]
