"""Hashes, generators and bit boards of 64 bits, as they are written for plain Python."""

import numpy as np

M64 = (1 << 64) - 1


def fmix64(k):
    k ^= k >> 33
    k = k * 18397679294719823053 & M64
    k ^= k >> 33
    k = k * 14181476777654086739 & M64
    k ^= k >> 33
    return k


def murmur_many(n):
    return [fmix64(i) for i in range(n)]


class Xoroshiro:
    def __init__(self, a, b):
        self.s0, self.s1 = (a, b)

    def next(self):
        r = self.s0 + self.s1 & M64
        t = self.s1 ^ self.s0
        self.s0 = (self.s0 << 24 | self.s0 >> 40) & M64 ^ t ^ t << 16 & M64
        self.s1 = (t << 37 | t >> 27) & M64
        return r

    def random(self):
        return (self.next() >> 11) * (1.0 / (1 << 53))


def xoro(n):
    g = Xoroshiro(11400714819323198485, 13787848793156543929)
    return ([g.next() for _ in range(n)], sum((g.random() for _ in range(n))))


def zobrist(n):
    state = 12345
    table = []
    for sq in range(n):
        row = []
        for piece in range(3):
            state = fmix64(state + sq * 7 + piece)
            row.append(state)
        table.append(row)
    h = 0
    for sq in range(n):
        h ^= table[sq][sq % 3]
    return (h, f"{h:016x}")


def rolling(s, k):
    base, mod = (257, (1 << 61) - 1)
    h = 0
    p = pow(base, k - 1, mod)
    out = {}
    for i, c in enumerate(s):
        if i >= k:
            h = (h - ord(s[i - k]) * p) % mod
        h = (h * base + ord(c)) % mod
        if i >= k - 1:
            out.setdefault(h, []).append(i - k + 1)
    return sorted((v for v in out.values() if len(v) > 1))


def knight_attacks(sq):
    NOT_A = 18374403900871474942
    NOT_AB = 18229723555195321596
    NOT_H = 9187201950435737471
    NOT_GH = 4557430888798830399
    b = 1 << sq
    return (
        b << 17 & NOT_A
        | b << 15 & NOT_H
        | b << 10 & NOT_AB
        | b << 6 & NOT_GH
        | b >> 17 & NOT_H
        | b >> 15 & NOT_A
        | b >> 10 & NOT_GH
        | b >> 6 & NOT_AB
    ) & M64


def bits(b):
    r = []
    while b:
        low = b & -b
        r.append(low.bit_length() - 1)
        b &= b - 1
    return r


def knights():
    return [bits(knight_attacks(s)) for s in (0, 27, 63)]


def crc64(data):
    poly = 14514072000185962306
    crc = M64
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ poly if crc & 1 else crc >> 1
    return crc ^ M64


def table64():
    poly = 14514072000185962306
    t = []
    for i in range(256):
        c = i
        for _ in range(8):
            c = c >> 1 ^ poly if c & 1 else c >> 1
        t.append(c)
    return t


def crc_table(data):
    t = table64()
    crc = M64
    for b in data:
        crc = t[(crc ^ b) & 255] ^ crc >> 8
    return hex(crc ^ M64)


def base36(n):
    d = "0123456789abcdefghijklmnopqrstuvwxyz"
    r = ""
    while n:
        n, k = divmod(n, 36)
        r = d[k] + r
    return r or "0"


def ids(n):
    return [base36(fmix64(i)) for i in range(n)]


def siphash_round(v0, v1, v2, v3):
    v0 = v0 + v1 & M64
    v1 = (v1 << 13 | v1 >> 51) & M64
    v1 ^= v0
    v0 = (v0 << 32 | v0 >> 32) & M64
    v2 = v2 + v3 & M64
    v3 = (v3 << 16 | v3 >> 48) & M64
    v3 ^= v2
    return (v0, v1, v2, v3)


def sip(n):
    v = (8317987319222330741, 7237128888997146477, 7816392313619706465, 8387220255154660723)
    for _ in range(n):
        v = siphash_round(*v)
    return v


def fib(n):
    a, b = (0, 1)
    for _ in range(n):
        a, b = (b, a + b)
    return a


def lru_hashes(words):
    seen = {}
    for w in words:
        h = 14695981039346656037
        for ch in w.encode():
            h = (h ^ ch) * 1099511628211 & M64
        seen[h] = seen.get(h, 0) + 1
    return (sorted(seen.items()), max(seen), min(seen), sum(seen.values()))


def arr(n):
    a = np.empty(n, dtype=np.uint64)
    for i in range(n):
        a[i] = fmix64(i)
    return (a, int(a.max()), int(a[0]) + 1, (a >> np.uint64(60)).astype(int))


CASES = [
    *[
        (murmur_many, (5,)),
        (xoro, (5,)),
        (zobrist, (6,)),
        (rolling, ("abcabcabc", 3)),
        (knights, ()),
        (crc64, (b"123456789",)),
        (crc_table, (b"123456789",)),
        (ids, (5,)),
        (sip, (5,)),
        (fib, (90,)),
        (lru_hashes, (["a", "b", "a"],)),
        (arr, (4,)),
        (fmix64, (2**64 - 1,)),
        (fmix64, (5,)),
    ],
]
