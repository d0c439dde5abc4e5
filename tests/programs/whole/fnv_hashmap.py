"""A hash map with FNV-1a hashing, open addressing and tombstones."""

FNV_OFFSET = 0xCBF29CE484222325
FNV_PRIME = 0x100000001B3


def fnv1a(data):
    if isinstance(data, str):
        data = data.encode("utf-8")
    h = FNV_OFFSET
    for byte in data:
        h ^= byte
        h = (h * FNV_PRIME) % 2**64
    return h


_DELETED = object()


class FnvMap:
    def __init__(self, capacity=8):
        self._slots = [None] * capacity
        self._count = 0
        self._used = 0
        self.probes = 0
        self.resizes = 0

    def _find(self, key):
        n = len(self._slots)
        i = fnv1a(key) % n
        first_free = None
        for step in range(n):
            self.probes += 1
            slot = self._slots[(i + step) % n]
            if slot is None:
                return False, first_free if first_free is not None else (i + step) % n
            if slot is _DELETED:
                if first_free is None:
                    first_free = (i + step) % n
            elif slot[0] == key:
                return True, (i + step) % n
        return False, first_free

    def __setitem__(self, key, value):
        if (self._used + 1) * 3 > len(self._slots) * 2:
            self._resize()
        found, i = self._find(key)
        if not found:
            self._count += 1
            if self._slots[i] is None:
                self._used += 1
        self._slots[i] = (key, value)

    def __getitem__(self, key):
        found, i = self._find(key)
        if not found:
            raise KeyError(key)
        return self._slots[i][1]

    def __delitem__(self, key):
        found, i = self._find(key)
        if not found:
            raise KeyError(key)
        self._slots[i] = _DELETED
        self._count -= 1

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        return self._find(key)[0]

    def __len__(self):
        return self._count

    def items(self):
        for slot in self._slots:
            if slot is not None and slot is not _DELETED:
                yield slot

    def __iter__(self):
        return (k for k, _ in self.items())

    def _resize(self):
        old = list(self.items())
        self._slots = [None] * (len(self._slots) * 2)
        self._count = self._used = 0
        self.resizes += 1
        for k, v in old:
            self[k] = v


def main(text, n):
    counts = FnvMap()
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    numbers = FnvMap(4)
    for i in range(n):
        numbers[f"key{i}"] = i * i
    for i in range(0, n, 3):
        del numbers[f"key{i}"]
    missing = []
    for name in ("key0", "key1", "nothing"):
        try:
            numbers[name]
        except KeyError as e:
            missing.append(e.args[0])
    numbers["key0"] = -1
    total = sum(v for _, v in numbers.items())
    print(
        f"hash({text[:5]!r}) = {fnv1a(text[:5]):#x}; {len(numbers)} entries, {numbers.resizes} resizes"
    )
    return {
        "words": sorted(counts.items(), key=lambda kv: (-kv[1], kv[0])),
        "order": list(counts),
        "len": len(numbers),
        "total": total,
        "missing": missing,
        "probes": numbers.probes,
        "hashes": [hex(fnv1a(s)) for s in ("", "a", "foobar", "h\u00e9llo")],
        "bytes": fnv1a(bytes([1, 2, 3])),
    }


ARGS = [
    ("the cat and the dog and the bird", 20),
    ("To be or not to be that is the question", 200),
]
