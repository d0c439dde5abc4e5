"""Check digit schemes: Luhn, ISBN-10, ISBN-13, EAN-8, IBAN, Verhoeff."""

import string
from functools import reduce

D = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
    [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
    [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
    [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
    [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
    [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
    [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
    [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
]
P = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]]
for _i in range(2, 8):
    P.append([P[_i - 1][P[1][_j]] for _j in range(10)])

VALIDATORS = {}


def validator(name, *lengths):
    def register(fn):
        VALIDATORS[name] = (lengths, fn)
        return fn

    return register


def digits(text):
    return [int(c) for c in text if c.isdigit()]


@validator("luhn", 13, 15, 16)
def luhn(code):
    total = 0
    for i, d in enumerate(reversed(digits(code))):
        if i % 2:
            d *= 2
            if d > 9:
                d -= 9
        total += d
    return total % 10 == 0


@validator("isbn10", 10)
def isbn10(code):
    if any(c not in string.digits for c in code[:-1]):
        return False
    values = [10 if c in "xX" else int(c) for c in code]
    return sum((10 - i) * v for i, v in enumerate(values)) % 11 == 0


@validator("isbn13", 13)
def isbn13(code):
    return code.startswith(("978", "979")) and ean(code)


@validator("ean8", 8)
def ean(code):
    weights = [3 if (len(code) - i) % 2 == 0 else 1 for i in range(len(code))]
    return code.isdigit() and sum(w * int(c) for w, c in zip(weights, code)) % 10 == 0


@validator("verhoeff", 4, 6, 12)
def verhoeff(code):
    if not code.isdigit():
        return False
    return reduce(lambda c, p: D[c][P[p[0] % 8][p[1]]], enumerate(digits(code)[::-1]), 0) == 0


@validator("iban", 22, 24)
def iban(code):
    if not code[:2].isalpha():
        return False
    moved = code[4:] + code[:4]
    remainder = 0
    for c in moved:
        value = c if c.isdigit() else str(string.ascii_uppercase.index(c) + 10)
        for d in value:
            remainder = (remainder * 10 + int(d)) % 97
    return remainder == 1


def complete_luhn(prefix):
    for d in "0123456789":
        if luhn(prefix + d):
            return prefix + d
    raise AssertionError("impossible")


def classify(raw):
    code = raw.replace("-", "").replace(" ", "").upper()
    good, bad = [], []
    for name, (lengths, fn) in sorted(VALIDATORS.items()):
        if len(code) in lengths:
            (good if fn(code) else bad).append(name)
    return code, good, bad


def main(codes, prefix):
    table = {}
    width = max(len(c) for c in codes)
    for raw in codes:
        code, good, bad = classify(raw)
        if good:
            verdict = "valid " + "/".join(good)
        elif bad:
            verdict = "INVALID " + "/".join(bad)
        else:
            verdict = "unknown format"
        print(f"{raw:{width}} | {verdict}")
        table[code] = bool(good)
    return table, complete_luhn(prefix), sum(table.values())


ARGS = [
    (["4539 1488 0343 6467", "0-306-40615-2", "978-0-306-40615-7", "73513537"], "7992739871"),
    (
        ["DE89 3704 0044 0532 0130 00", "080442957X", "8273123273520569", "2363", "12"],
        "453201511283036",
    ),
]
