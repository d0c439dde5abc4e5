class Collatz:
    def __init__(self):
        self.cache = {1: 1}

    def length(self, n):
        path = []
        m = n
        while m not in self.cache:
            path.append(m)
            m = m // 2 if m % 2 == 0 else 3 * m + 1
        base = self.cache[m]
        for i, v in enumerate(reversed(path), 1):
            self.cache[v] = base + i
        return self.cache[n]


def sequence(n):
    while n != 1:
        yield n
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    yield 1


def digits_happy(n):
    seen = set()
    while n != 1 and n not in seen:
        seen.add(n)
        n = sum(int(d) ** 2 for d in str(n))
    return n == 1


def main(limit):
    c = Collatz()
    best, best_len = max(((n, c.length(n)) for n in range(1, limit)), key=lambda t: t[1])
    print(f"{best} takes {best_len} steps, peak {max(sequence(best))}, cache {len(c.cache)}")
    happy = [n for n in range(1, 50) if digits_happy(n)]
    return best, best_len, max(sequence(best)), happy


ARGS = [(3000,), (5,)]
