"""Products of integers beyond 64 bits, of which a remainder, quotient or the low bits are kept."""

A, C, M = 25214903917, 11, 2**48
P = 2305843009213693951  # 2**61 - 1
BIG = 9223372036854775783  # the largest prime below 2**63


def linear_congruence(n):
    x = 42
    s = 0
    for _ in range(n):
        x = (A * x + C) % M
        s ^= x
    return s


def low_bits(n):
    z = 1
    for i in range(n):
        z = (z * 6364136223846793005 + i) & 0xFFFFFFFF
    return z


def low_63_bits(n):
    z = 88172645463325252
    for i in range(n):
        z ^= (z << 13) & 0x7FFFFFFFFFFFFFFF
        z ^= z >> 7
        z ^= (z << 17) & 0x7FFFFFFFFFFFFFFF
    return z


def power(base, exponent, modulus):
    result = 1
    base %= modulus
    while exponent > 0:
        if exponent & 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent >>= 1
    return result


def powers(n):
    return [power(3 + k, BIG - 1, BIG) for k in range(n)] + [power(7, n, P)]


def rolling_hash(n):
    h = 0
    for i in range(n):
        h = (h * 257 + i * i + 1) % P
    return h


def negative(n):
    found = []
    for i in range(-n, n):
        found.append((i * 4611686018427387904 * 3 + 5) % 1000003)
        found.append((-i * BIG - 7) % -1000003)
        found.append((i * BIG) // 12345678912345)
        found.append((i * BIG) // -12345678912345)
        found.append((i * BIG) >> 64)
        found.append((BIG - i * P) & 255)
    return found


def matrix_power(n):
    a, b, c, d = 1, 1, 1, 0
    x, y = 1, 0
    for _ in range(n):
        x, y = (a * x + b * y) % BIG, (c * x + d * y) % BIG
        a, b, c, d = (
            (a * a + b * c) % BIG,
            (a * b + b * d) % BIG,
            (c * a + d * c) % BIG,
            (c * b + d * d) % BIG,
        )
    return x, y


def scaled(n):
    return [(BIG - k) * (k + 3) // (k + 5) for k in range(n)]


def middle_square(n):
    x = 675248123
    found = []
    for _ in range(n):
        x = (x * x >> 16) & 0xFFFFFFFFFF
        found.append(x)
    return found


def binomials(n):
    c = 1
    found = []
    for k in range(n):
        c = c * (60 - k) // (k + 1)
        found.append(c)
    return found


def of_lists(n):
    xs = [P - i for i in range(n)]
    total = 0
    for i in range(n):
        for j in range(n):
            total = (total + xs[i] * xs[j]) % BIG
    return total


def triple(n):
    return (n * n * n + n) % 1000


def by_zero(n):
    return [P * k % (k - 2) for k in range(n)]


def quotient_by_zero(n):
    return [P * k // (k - 2) for k in range(n)]


def shift_by_negative(n):
    return [P * k >> (2 - k) for k in range(n)]


def minus_one(n):
    least = -9223372036854775807 - 1
    return [(least * k) % -1 for k in range(n)] + [(least + 1) * 1 // -1]


def masked_product(n):
    return [(P * P * (k + 3) - k) & 0xFFFF for k in range(n)]


def used_twice(n):
    x = n * 3
    return x % 7 + x // 2


def bools(n):
    return [((k > 1) * P * 5 + (k == 2)) % 97 for k in range(n)]


CASES = [
    (f, (n,))
    for f in (
        linear_congruence,
        low_bits,
        low_63_bits,
        powers,
        rolling_hash,
        negative,
        matrix_power,
        scaled,
        middle_square,
        binomials,
        of_lists,
        triple,
        by_zero,
        quotient_by_zero,
        shift_by_negative,
        minus_one,
        masked_product,
        used_twice,
        bools,
    )
    for n in (2, 5, 30)
]
