"""Textbook RSA with smallish numbers (do not use this for real!)."""

import random
from dataclasses import dataclass

SMALL = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]


def miller_rabin(n, bases=SMALL):
    if n < 2:
        return False
    for p in SMALL:
        if n % p == 0:
            return n == p
    d, r = n - 1, 0
    while d % 2 == 0:
        d //= 2
        r += 1
    for a in bases:
        x = pow(a, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(r - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def egcd(a, b):
    if b == 0:
        return a, 1, 0
    g, x, y = egcd(b, a % b)
    return g, y, x - (a // b) * y


def inverse(a, m):
    g, x, _ = egcd(a, m)
    if g != 1:
        raise ZeroDivisionError(f"{a} has no inverse modulo {m}")
    return x % m


@dataclass(frozen=True)
class PublicKey:
    n: int
    e: int

    def encrypt(self, m):
        if not 0 <= m < self.n:
            raise ValueError("message out of range")
        return pow(m, self.e, self.n)

    verify = encrypt


@dataclass(frozen=True)
class PrivateKey:
    p: int
    q: int
    d: int

    def decrypt(self, c):
        # Chinese remainder theorem version
        mp = pow(c, self.d % (self.p - 1), self.p)
        mq = pow(c, self.d % (self.q - 1), self.q)
        h = (inverse(self.q, self.p) * (mp - mq)) % self.p
        return mq + h * self.q


def random_prime(bits, rng):
    tries = 0
    while True:
        tries += 1
        candidate = rng.getrandbits(bits) | 1 | (1 << (bits - 1))
        if miller_rabin(candidate):
            return candidate, tries


def generate(bits, seed):
    rng = random.Random(seed)
    e = 65537
    while True:
        p, _ = random_prime(bits, rng)
        q, _ = random_prime(bits, rng)
        phi = (p - 1) * (q - 1)
        if p != q and phi % e:
            return PublicKey(p * q, e), PrivateKey(p, q, inverse(e, phi))


def to_blocks(text, size):
    data = text.encode()
    return [int.from_bytes(data[i : i + size], "big") for i in range(0, len(data), size)]


def from_blocks(blocks):
    return b"".join(b.to_bytes((b.bit_length() + 7) // 8, "big") for b in blocks).decode()


def main(text, bits, seed):
    public, private = generate(bits, seed)
    size = (public.n.bit_length() - 1) // 8
    blocks = to_blocks(text, size)
    cipher = [public.encrypt(b) for b in blocks]
    plain = from_blocks([private.decrypt(c) for c in cipher])
    signature = pow(sum(blocks) % public.n, private.d, public.n)
    signed_ok = public.verify(signature) == sum(blocks) % public.n
    print("n =", public.n)
    print("cipher:", " ".join(format(c, "x") for c in cipher))
    try:
        public.encrypt(public.n + 1)
    except ValueError as err:
        problem = str(err)
    try:
        inverse(6, 9)
    except ZeroDivisionError as err:
        problem += "; " + str(err)
    return public, cipher, plain, plain == text, signed_ok, problem


ARGS = [("attack at dawn", 64, 1), ("Grüße aus Köln", 128, 7), ("x", 32, 99)]
