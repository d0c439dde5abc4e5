"""Bytes: run-length, base64 by hand, varints, CRC32, bit writer/reader, Hamming(7,4), LZ77."""

from __future__ import annotations

import string
from functools import reduce
from itertools import groupby

B64 = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"


class CorruptError(ValueError):
    def __init__(self, offset: int, why: str = "corrupt"):
        super().__init__(f"{why} at offset {offset:#06x}")
        self.offset = offset


def rle(data: bytes) -> bytes:
    out = bytearray()
    for value, run in groupby(data):
        n = sum(1 for _ in run)
        while n > 255:
            out += bytes([255, value])
            n -= 255
        out.append(n)
        out.append(value)
    return bytes(out)


def unrle(data: bytes) -> bytes:
    if len(data) % 2:
        raise CorruptError(len(data), why="odd length")
    return b"".join(bytes([v]) * n for n, v in zip(data[::2], data[1::2]))


def b64encode(data: bytes) -> str:
    out = []
    for i in range(0, len(data), 3):
        chunk = data[i : i + 3]
        n = int.from_bytes(chunk.ljust(3, b"\0"), "big")
        quad = [B64[n >> s & 63] for s in (18, 12, 6, 0)]
        pad = 3 - len(chunk)
        if pad:
            quad[-pad:] = "=" * pad
        out.append("".join(quad))
    return "".join(out)


def varint(n: int) -> bytes:
    out = bytearray()
    while True:
        n, low = n >> 7, n & 0x7F
        out.append(low | (0x80 if n else 0))
        if not n:
            return bytes(out)


def varints(data: bytes):
    shift = value = 0
    for i, b in enumerate(data):
        value |= (b & 0x7F) << shift
        if b & 0x80:
            shift += 7
        else:
            yield value
            shift = value = 0
    if shift:
        raise CorruptError(i, "truncated")


def make_table():
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0xEDB88320 if n & 1 else 0)
        table.append(n)
    return tuple(table)


TABLE = make_table()


def crc32(data: bytes) -> int:
    return reduce(lambda c, b: TABLE[(c ^ b) & 255] ^ c >> 8, data, 0xFFFFFFFF) ^ 0xFFFFFFFF


class BitWriter:
    def __init__(self):
        self.bits: list[int] = []

    def __lshift__(self, pair: tuple[int, int]) -> BitWriter:
        value, width = pair
        self.bits.extend(value >> i & 1 for i in reversed(range(width)))
        return self

    def __bytes__(self) -> bytes:
        padded = self.bits + [0] * (-len(self.bits) % 8)
        return bytes(int("".join(map(str, padded[i : i + 8])), 2) for i in range(0, len(padded), 8))


def hamming_encode(nibble: int) -> int:
    d = [nibble >> i & 1 for i in range(4)]
    p1, p2, p3 = d[0] ^ d[1] ^ d[3], d[0] ^ d[2] ^ d[3], d[1] ^ d[2] ^ d[3]
    return sum(b << i for i, b in enumerate([p1, p2, d[0], p3, d[1], d[2], d[3]]))


def hamming_fix(code: int) -> tuple[int, int]:
    syndrome = 0
    for i in range(7):
        if code >> i & 1:
            syndrome ^= i + 1
    if syndrome:
        code ^= 1 << (syndrome - 1)
    return sum((code >> p & 1) << i for i, p in enumerate((2, 4, 5, 6))), syndrome


def lz77(data: bytes, window: int = 32):
    i = 0
    while i < len(data):
        best = (0, 0)
        for j in range(max(0, i - window), i):
            k = 0
            while i + k < len(data) - 1 and data[j + k] == data[i + k]:
                k += 1
            if k > best[1]:
                best = (i - j, k)
        off, ln = best
        yield off, ln, data[i + ln]
        i += ln + 1


def unlz77(items) -> bytes:
    out = bytearray()
    for off, ln, c in items:
        for _ in range(ln):
            out.append(out[-off])
        out.append(c)
    return bytes(out)


def main(text, numbers):
    data = text.encode()
    packed = rle(data)
    assert unrle(packed) == data
    stream = b"".join(varint(n) for n in numbers)
    errors = []
    for bad in (packed[:-1], stream + b"\xff"):
        try:
            errors.append(str(len(unrle(bad))))
            errors.append(str(list(varints(bad))))
        except CorruptError as e:
            errors.append(f"{e} [{e.offset}]")
    w = BitWriter()
    w << (5, 3) << (1, 1) << (200, 8)
    items = list(lz77(data))
    fixed = [hamming_fix(hamming_encode(n) ^ 1 << n % 7) for n in range(0, 16, 5)]
    return (
        packed.hex(" "),
        b64encode(data),
        list(varints(stream)),
        f"{crc32(data):08x}",
        bytes(w),
        fixed,
        items[:4],
        len(items),
        unlz77(items) == data,
        errors,
    )


ARGS = [("aaaabbbcabcabcabcabcdxx", [0, 127, 128, 300, 2**40])]
