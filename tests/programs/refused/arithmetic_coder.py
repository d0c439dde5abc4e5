"""Adaptive arithmetic coding with bit streams as generators."""

from collections import Counter
from itertools import chain, repeat

BITS = 16
TOP = (1 << BITS) - 1
HALF = 1 << (BITS - 1)
QUARTER = HALF >> 1


class Model:
    def __init__(self, alphabet):
        self.symbols = sorted(alphabet) + ["\0"]
        self.index = {s: i for i, s in enumerate(self.symbols)}
        self.freq = [1] * len(self.symbols)

    @property
    def total(self):
        return sum(self.freq)

    def range_of(self, symbol):
        i = self.index[symbol]
        low = sum(self.freq[:i])
        return low, low + self.freq[i]

    def find(self, target):
        acc = 0
        for s, f in zip(self.symbols, self.freq):
            if acc <= target < acc + f:
                return s, acc, acc + f
            acc += f
        raise LookupError(target)

    def update(self, symbol):
        self.freq[self.index[symbol]] += 1


def encode(text, model):
    low, high, pending = 0, TOP, 0

    def emit(bit, pending):
        yield bit
        yield from repeat(1 - bit, pending)

    for symbol in chain(text, "\0"):
        width = high - low + 1
        a, b = model.range_of(symbol)
        total = model.total
        high = low + width * b // total - 1
        low = low + width * a // total
        model.update(symbol)
        while True:
            if high < HALF:
                yield from emit(0, pending)
                pending = 0
            elif low >= HALF:
                yield from emit(1, pending)
                pending = 0
                low -= HALF
                high -= HALF
            elif low >= QUARTER and high < 3 * QUARTER:
                pending += 1
                low -= QUARTER
                high -= QUARTER
            else:
                break
            low, high = 2 * low, 2 * high + 1
    yield from emit(int(low >= QUARTER), pending + 1)


def decode(bits, model):
    stream = chain(bits, repeat(0))
    value = 0
    for _ in range(BITS):
        value = value << 1 | next(stream)
    low, high = 0, TOP
    out = []
    while True:
        width = high - low + 1
        total = model.total
        symbol, a, b = model.find(((value - low + 1) * total - 1) // width)
        if symbol == "\0":
            return "".join(out)
        out.append(symbol)
        high = low + width * b // total - 1
        low = low + width * a // total
        model.update(symbol)
        while high < HALF or low >= HALF or (low >= QUARTER and high < 3 * QUARTER):
            shift = 0 if high < HALF else HALF if low >= HALF else QUARTER
            low, high, value = low - shift, high - shift, value - shift
            low, high, value = 2 * low, 2 * high + 1, 2 * value + next(stream)


def main(texts):
    rows = []
    for text in texts:
        bits = list(encode(text, Model(set(text))))
        back = decode(bits, Model(set(text)))
        rows.append(
            (len(text), len(bits), back == text, Counter(bits)[1], "".join(map(str, bits[:20])))
        )
    return rows


ARGS = [(["abracadabra", "mississippi river", "aaaaaaaaaaaaaaaaaaaaaaaaab"],)]
