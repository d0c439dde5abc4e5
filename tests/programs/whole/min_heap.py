class MinHeap:
    def __init__(self, items=None, key=None):
        self.key = key if key is not None else (lambda x: x)
        self.data = []
        for it in items or []:
            self.push(it)

    def __len__(self):
        return len(self.data)

    def __bool__(self):
        return bool(self.data)

    def push(self, item):
        self.data.append(item)
        i = len(self.data) - 1
        while i > 0:
            p = (i - 1) // 2
            if self.key(self.data[i]) < self.key(self.data[p]):
                self.data[i], self.data[p] = self.data[p], self.data[i]
                i = p
            else:
                break

    def pop(self):
        if not self.data:
            raise IndexError("pop from empty heap")
        top = self.data[0]
        last = self.data.pop()
        if self.data:
            self.data[0] = last
            self._sift_down(0)
        return top

    def _sift_down(self, i):
        n = len(self.data)
        while True:
            smallest = i
            for c in (2 * i + 1, 2 * i + 2):
                if c < n and self.key(self.data[c]) < self.key(self.data[smallest]):
                    smallest = c
            if smallest == i:
                return
            self.data[i], self.data[smallest] = self.data[smallest], self.data[i]
            i = smallest


def heap_sort(xs):
    h = MinHeap(xs)
    out = []
    while h:
        out.append(h.pop())
    return out


def main(xs, words):
    s = heap_sort(xs)
    assert s == sorted(xs)
    by_len = MinHeap(words, key=len)
    first = [by_len.pop() for _ in range(min(3, len(by_len)))]
    print(s, first)
    return s, first, by_len.pop()


ARGS = [([5, 3, 8, 1, 9, 2, 7], ["pear", "fig", "banana", "kiwi", "plum"]), ([], ["a"])]
