def fnv1a(data):
    h = 2166136261
    for b in data:
        h ^= b
        h = (h * 16777619) & 0xFFFFFFFF
    return h


def djb2(data):
    h = 5381
    for b in data:
        h = ((h << 5) + h + b) & 0xFFFFFFFF
    return h


class BloomFilter:
    def __init__(self, bits, hashes):
        self.bits = bits
        self.hashes = hashes
        self.array = bytearray(bits // 8 + 1)

    def positions(self, item):
        data = item.encode("utf-8")
        a, b = fnv1a(data), djb2(data)
        return [(a + i * b) % self.bits for i in range(self.hashes)]

    def add(self, item):
        for p in self.positions(item):
            self.array[p // 8] |= 1 << (p % 8)

    def __contains__(self, item):
        return all(self.array[p // 8] & (1 << (p % 8)) for p in self.positions(item))

    def fill(self):
        return sum(bin(x).count("1") for x in self.array) / self.bits


def main(words, queries):
    bf = BloomFilter(256, 3)
    for w in words:
        bf.add(w)
    hits = {q: q in bf for q in queries}
    print(f"fill {bf.fill():.3f}", hits)
    return hits, bytes(bf.array)


ARGS = [(["apple", "banana", "cherry"], ["apple", "grape", "cherry", "caf\u00e9"]), ([], ["x"])]
