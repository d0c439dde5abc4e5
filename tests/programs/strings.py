"""Operations and methods of strings."""

import numpy as np


def parts(s):
    return s.split(), s.split(" "), s.strip(), s.replace("a", "bb"), s.upper(), s.title()


def selected(s):
    return [c for c in s if c.isalpha()], sum(c in "aeiou" for c in s), s[::-1], s[1:-1:2], s[-1]


def by_length(s):
    out = {}
    for w in s.split():
        out.setdefault(len(w), []).append(w)
    return out


def built(n):
    s = ""
    for i in range(n):
        s += chr(97 + i % 26)
    return (
        s,
        len(s),
        s.find("xyz"),
        s.count("a"),
        "c" in s,
        s.startswith("abc"),
        s.endswith(("z", "d")),
    )


def joined(n):
    return "-".join(str(i) for i in range(n)), ",".join([f"{i:02d}" for i in range(n)])


def ordered(s):
    return sorted(s), sorted(set(s)), max(s), min(s), list(reversed(s))


def places(s):
    d = {}
    for i, c in enumerate(s):
        if c not in d:
            d[c] = []
        d[c].append(i)
    return d


def numbers(s):
    return int(s[0:2]) + float(s[3:6]), s.partition(":"), s.isdigit(), s[0:2].isdigit()


def number_or_message(s):
    try:
        return int(s)
    except ValueError as e:
        return str(e)


def compared(a, b):
    return a < b, a == b, a + b, a * 2, a != b, a >= b


def sorted_words(words):
    words.sort(key=lambda w: (len(w), w))
    return words


def lengths(words):
    return {w: len(w) for w in words}, sorted(words), max(words, key=len)


def in_another(s, t):
    return all(c in t for c in s), any(c == "q" for c in s), [a + b for a, b in zip(s, t)]


def stack(n):
    stack = []
    for i in range(n):
        stack.append("x" * i)
    while stack and len(stack[-1]) > 2:
        stack.pop()
    return stack


def settings(text):
    lines = text.split("\n")
    rows = []
    for line in lines:
        if not line:
            continue
        name, value = line.split("=")
        rows.append((name.strip(), float(value)))
    return rows


def repeats(s):
    prev = ""
    count = 0
    for c in s:
        if c == prev:
            count += 1
        prev = c
    return count, prev


def cyclic(n):
    names = ["a", "b", "c"]
    return [names[i % 3] for i in range(n)]


def digits(n):
    s = set()
    for i in range(n):
        s.add(str(i % 4))
    return sorted(s), len(s), "3" in s


def counted(d, key):
    if key in d:
        d[key] += 1
    else:
        d[key] = 1
    return d


def last_digit(s):
    x = None
    for c in s:
        if c.isdigit():
            x = c
    return x


def raised(s):
    raise KeyError(s[1:])


def looked_up(d, k):
    return d[k + "x"]


def padded(s):
    return (
        s.zfill(8),
        s.center(9, "*"),
        s.rjust(6),
        s.ljust(6, "."),
        s.capitalize(),
        s.swapcase(),
        s.lower(),
    )


def longest(ws):
    best = ""
    for w in ws:
        if len(w) > len(best):
            best = w
    return best


def alternating(s):
    return "".join([c.upper() if i % 2 else c for i, c in enumerate(s)])


def quoted(s):
    i = 0
    out = []
    while i < len(s):
        if s[i] == '"':
            j = s.index('"', i + 1)
            out.append(s[i + 1 : j])
            i = j + 1
        else:
            i += 1
    return out


def by_mode(a, mode):
    return a.sum() if mode == "sum" else a.max()


def weighted(a, s):
    total = 0.0
    for i in range(a.size):
        total += a[i] * (ord(s[i % len(s)]) - 48)
    return total


def walls(grid):
    return [(r, c) for r, row in enumerate(grid) for c, v in enumerate(row) if v == "#"]


def fixed(numbers):
    out = []
    for x in numbers:
        s = f"{x:.2f}|{x:.0f}|{x:.7f}"
        out.append(s + str(len(s)))
    return out


def of_base(s, base):
    return int(s, base)


def no_characters(s, n):
    return s[:3] * n == "", len(s[:3] * n), s[:3] * n in {"": 1}


CASES = [
    (of_base, ("12", 1)),
    (of_base, ("12", 37)),
    (of_base, ("zz", 36)),
    (of_base, ("１２", 10)),
    (of_base, ("1_2", 10)),
    (of_base, ("1__2", 10)),
    (of_base, ("12_", 10)),
    (no_characters, ("漢字x", 0)),
    (fixed, ([0.5, 1.5, 2.5, -0.005, 1e20, 1e-9, float("inf"), float("nan"), -0.0, 123456.785],)),
    (parts, ("  a cat  sat ",)),
    (selected, ("hello world",)),
    (by_length, ("the cat sat on a mat",)),
    (built, (30,)),
    (joined, (7,)),
    (ordered, ("banana",)),
    (places, ("abracadabra",)),
    (numbers, ("12:3.5",)),
    (number_or_message, ("12x",)),
    (number_or_message, (" 42 ",)),
    (compared, ("abc", "abd")),
    (sorted_words, (["ccc", "a", "bb", "aa"],)),
    (lengths, (["ccc", "a", "bb"],)),
    (in_another, ("abc", "cbad")),
    (stack, (6,)),
    (settings, ("a = 1\nb=2.5\n\nc=3",)),
    (repeats, ("aabbbc",)),
    (cyclic, (5,)),
    (digits, (9,)),
    (counted, ({"a": 1}, "a")),
    (counted, ({"a": 1}, "b")),
    (last_digit, ("ab3c",)),
    (last_digit, ("abc",)),
    (raised, ("abc",)),
    (looked_up, ({"ax": 3}, "a")),
    (looked_up, ({"ax": 3}, "b")),
    (padded, ("aBc",)),
    (longest, (["a", "ccc", "bb"],)),
    (alternating, ("hello",)),
    (quoted, ('a "b c" d "e"',)),
    (by_mode, (np.arange(4.0), "sum")),
    (by_mode, (np.arange(4.0), "max")),
    (weighted, (np.arange(5.0), "123")),
    (walls, (["..#", "#.."],)),
]
