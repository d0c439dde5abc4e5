"""Reed-Solomon over GF(256): tables at module level, encoding, syndromes, error correction."""

from functools import reduce

EXP = [0] * 512
LOG = [0] * 256


def _tables():
    x = 1
    for i in range(255):
        EXP[i] = x
        LOG[x] = i
        x <<= 1
        if x & 0x100:
            x ^= 0x11D
    for i in range(255, 512):
        EXP[i] = EXP[i - 255]


_tables()


class Uncorrectable(ValueError):
    """Too many errors."""


def mul(a, b):
    return EXP[LOG[a] + LOG[b]] if a and b else 0


def div(a, b):
    if not b:
        raise ZeroDivisionError("GF(256)")
    return EXP[(LOG[a] - LOG[b]) % 255] if a else 0


def poly_mul(p, q):
    r = [0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            r[i + j] ^= mul(a, b)
    return r


def poly_eval(p, x):
    return reduce(lambda acc, c: mul(acc, x) ^ c, p[1:], p[0])


def generator(n):
    return reduce(poly_mul, ([1, EXP[i]] for i in range(n)), [1])


def encode(message, nsym):
    gen = generator(nsym)
    out = list(message) + [0] * nsym
    for i in range(len(message)):
        if c := out[i]:
            for j in range(1, len(gen)):
                out[i + j] ^= mul(gen[j], c)
    out[: len(message)] = message
    return bytes(out)


def syndromes(word, nsym):
    return [poly_eval(list(word), EXP[i]) for i in range(nsym)]


def berlekamp(synd):
    C, B, L, m, b = [1], [1], 0, 1, 1
    for n in range(len(synd)):
        d = synd[n]
        for i in range(1, L + 1):
            if i < len(C):
                d ^= mul(C[i], synd[n - i])
        if d == 0:
            m += 1
            continue
        T = C[:]
        coef = div(d, b)
        shifted = [0] * m + [mul(coef, x) for x in B]
        C = [
            x ^ y
            for x, y in zip(
                C + [0] * (len(shifted) - len(C)), shifted + [0] * (len(C) - len(shifted))
            )
        ]
        if 2 * L <= n:
            L, B, b, m = n + 1 - L, T, d, 1
        else:
            m += 1
    return C[: L + 1], L


def decode(word, nsym):
    synd = syndromes(word, nsym)
    if not any(synd):
        return word[:-nsym], 0
    locator, count = berlekamp(synd)
    n = len(word)
    roots = [i for i in range(n) if poly_eval(locator[::-1], EXP[(255 - i) % 255]) == 0]
    if len(roots) != count:
        raise Uncorrectable(f"{count} errors, {len(roots)} roots")
    omega = poly_mul(synd, locator)[:nsym]
    fixed = bytearray(word)
    for i in roots:
        xi, inv = EXP[i], EXP[(255 - i) % 255]
        denom = 1
        for j in roots:
            if j != i:
                denom = mul(denom, 1 ^ mul(inv, EXP[j]))
        value = div(mul(xi, poly_eval(omega[::-1], inv)), denom)
        fixed[n - 1 - i] ^= value
    return bytes(fixed[:-nsym]), len(roots)


def main(message, nsym, errors):
    coded = encode(message, nsym)
    results = [coded.hex()]
    for places in errors:
        damaged = bytearray(coded)
        for k, p in enumerate(places):
            damaged[p] ^= 0x55 + k
        try:
            text, n = decode(bytes(damaged), nsym)
            results.append((text.decode("latin-1"), n))
        except Uncorrectable as e:
            results.append((str(e), -1))
    return results


ARGS = [(b"hello, shapes of arrays", 8, [[], [3], [0, 7, 20], [1, 2, 3, 4], [1, 2, 3, 4, 5, 6]])]
