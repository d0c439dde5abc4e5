NUMERALS = [
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
]
VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def to_roman(n):
    if not 0 < n < 4000:
        raise ValueError(f"{n} out of range")
    parts = []
    for value, symbol in NUMERALS:
        count, n = divmod(n, value)
        parts.append(symbol * count)
    return "".join(parts)


def from_roman(s):
    total = 0
    for cur, nxt in zip(s, s[1:] + " "):
        v = VALUES[cur]
        if nxt != " " and VALUES[nxt] > v:
            total -= v
        else:
            total += v
    return total


def main(numbers):
    table = {}
    for n in numbers:
        r = to_roman(n)
        assert from_roman(r) == n, "round trip failed"
        table[n] = r
        print(f"{n:>5} {r:<12}|")
    longest = max(table.values(), key=len)
    return table, longest


ARGS = [([1, 4, 9, 14, 40, 90, 400, 1994, 2024, 3999, 3888],), ([10, 4000],)]
