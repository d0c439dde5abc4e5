"""A few classic 64-bit pseudo random generators and crude statistics."""

MASK64 = (1 << 64) - 1
MASK32 = 0xFFFFFFFF


def rotl(x, k):
    return ((x << k) | (x >> (64 - k))) & MASK64


class SplitMix64:
    name = "splitmix64"

    def __init__(self, seed):
        self.state = seed & MASK64

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK64
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
        return z ^ (z >> 31)


class XorShift64Star:
    name = "xorshift64*"

    def __init__(self, seed):
        self.x = seed & MASK64 or 88172645463325252

    def next(self):
        x = self.x
        x ^= x >> 12
        x = (x ^ (x << 25)) & MASK64
        x ^= x >> 27
        self.x = x
        return (x * 0x2545F4914F6CDD1D) & MASK64


class Xoshiro256:
    name = "xoshiro256**"

    def __init__(self, seed):
        sm = SplitMix64(seed)
        self.s = [sm.next() for _ in range(4)]

    def next(self):
        s = self.s
        result = (rotl((s[1] * 5) & MASK64, 7) * 9) & MASK64
        t = (s[1] << 17) & MASK64
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 45)
        return result


class PCG32:
    name = "pcg32"
    MULT = 6364136223846793005

    def __init__(self, seed, seq=54):
        self.inc = ((seq << 1) | 1) & MASK64
        self.state = 0
        self._next32()
        self.state = (self.state + seed) & MASK64
        self._next32()

    def _next32(self):
        old = self.state
        self.state = (old * self.MULT + self.inc) & MASK64
        xorshifted = (((old >> 18) ^ old) >> 27) & MASK32
        rot = old >> 59
        return ((xorshifted >> rot) | (xorshifted << (-rot & 31))) & MASK32

    def next(self):
        return self._next32() << 32 | self._next32()


def to_float(u64):
    return (u64 >> 11) / (1 << 53)


def bounded(gen, n):
    """Unbiased integer in range(n) by rejection."""
    limit = MASK64 - (MASK64 + 1) % n
    while True:
        x = gen.next()
        if x <= limit:
            return x % n


def shuffle(gen, items):
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = bounded(gen, i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def chi_square(gen, buckets, samples):
    counts = [0] * buckets
    for _ in range(samples):
        counts[bounded(gen, buckets)] += 1
    expected = samples / buckets
    return sum((c - expected) ** 2 / expected for c in counts)


def main(seed, samples):
    report = {}
    for cls in (SplitMix64, XorShift64Star, Xoshiro256, PCG32):
        gen = cls(seed)
        first = [gen.next() for _ in range(3)]
        mean = sum(to_float(gen.next()) for _ in range(samples)) / samples
        ones = sum(bin(gen.next()).count("1") for _ in range(samples))
        chi = chi_square(gen, 10, samples)
        deck = shuffle(gen, range(10))
        print(f"{gen.name:<13} first=0x{first[0]:016x} mean={mean:.4f} chi2={chi:.2f}")
        report[gen.name] = (first, mean, ones / samples, round(chi, 6), deck)
    return report


ARGS = [(42, 500), (0, 300), (2**64 - 1, 1000)]
