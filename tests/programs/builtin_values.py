"""Builtin functions as values, of instances whose classes have methods for them."""


class Several:
    def __init__(self, n):
        self.n = n
        self.items = [n] * n

    def __len__(self):
        return len(self.items)

    def __abs__(self):
        return self.n + 0.5

    def __str__(self):
        return f"{self.n} of them"

    def __repr__(self):
        return f"Several({self.n})"

    def __int__(self):
        return self.n

    def __float__(self):
        return self.n * 1.0

    def __bool__(self):
        return self.n > 1

    def __hash__(self):
        return self.n + 100

    def __eq__(self, other):
        return self.n == other.n


def made(n):
    return [Several(k * 7 % 5) for k in range(n)]


def mapped(n):
    x = made(n)
    return list(map(len, x)), list(map(str, x)), list(map(repr, x)), list(map(abs, x))


def mapped_to_numbers(n):
    x = made(n)
    return list(map(int, x)), list(map(float, x)), list(map(bool, x)), list(map(hash, x))


def keys(n):
    x = made(n)
    by_length = [one.n for one in sorted(x, key=len)]
    return by_length, max(x, key=abs).n, min(x, key=str).n, [v.n for v in sorted(x, key=repr)]


def filtered(n):
    return [one.n for one in filter(len, made(n))], sum(map(len, made(n)))


def of_bytes(n):
    x = [bytearray(n), bytearray(b"a"), bytearray()]
    x.sort(key=len)
    return x, sorted([b"abc", b"d", b"ef"], key=len), list(map(len, x))


def of_others(words, numbers):
    return (
        sorted(words, key=len),
        max(words, key=len),
        list(map(len, words)),
        sum(map(int, "1 2 3".split())),
        ",".join(map(str, numbers)),
        sorted(numbers, key=abs),
        sorted(numbers, key=str),
        list(map(float, numbers)),
        list(filter(len, words)),
    )


CASES = [
    (mapped, (4,)),
    (mapped_to_numbers, (4,)),
    (keys, (4,)),
    (filtered, (4,)),
    (of_bytes, (3,)),
    (of_others, (["abc", "", "de"], [3, -20, 1])),
]
