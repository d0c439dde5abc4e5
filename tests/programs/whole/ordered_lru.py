from collections import OrderedDict


class LRU:
    def __init__(self, size):
        self.size = size
        self.data = OrderedDict()

    def __getitem__(self, key):
        value = self.data[key]
        self.data.move_to_end(key)
        return value

    def __setitem__(self, key, value):
        self.data[key] = value
        self.data.move_to_end(key)
        if len(self.data) > self.size:
            self.data.popitem(last=False)

    def __len__(self):
        return len(self.data)


def slow_square(n, cache):
    try:
        return cache[n], True
    except KeyError:
        v = sum(n for _ in range(n))
        cache[n] = v
        return v, False


def main(size, requests):
    cache = LRU(size)
    hits = 0
    out = []
    for r in requests:
        v, hit = slow_square(r, cache)
        hits += hit
        out.append(v)
    print(f"{hits}/{len(requests)} hits, {len(cache)} kept")
    return out, hits, list(cache.data.items())


ARGS = [(3, [1, 2, 3, 1, 4, 2, 5, 1, 1, 3]), (1, [7, 7])]
