"""Suffix array with prefix doubling, LCP array, and some queries on top."""

from bisect import bisect_left, bisect_right
from itertools import groupby


class SuffixArray:
    def __init__(self, text):
        self.text = text
        self.sa = self._build(text)
        self.lcp = self._kasai()

    @staticmethod
    def _build(s):
        n = len(s)
        sa = sorted(range(n), key=lambda i: s[i])
        rank = [ord(c) for c in s]
        k = 1
        while k < n:

            def key(i):
                return rank[i], rank[i + k] if i + k < n else -1

            sa.sort(key=key)
            new = [0] * n
            for r in range(1, n):
                new[sa[r]] = new[sa[r - 1]] + (key(sa[r]) != key(sa[r - 1]))
            rank = new
            if rank[sa[-1]] == n - 1:
                break
            k *= 2
        return sa

    def _kasai(self):
        n = len(self.text)
        rank = [0] * n
        for r, i in enumerate(self.sa):
            rank[i] = r
        lcp = [0] * n
        h = 0
        for i in range(n):
            if rank[i] == 0:
                h = 0
                continue
            j = self.sa[rank[i] - 1]
            while i + h < n and j + h < n and self.text[i + h] == self.text[j + h]:
                h += 1
            lcp[rank[i]] = h
            h = max(h - 1, 0)
        return lcp

    def __iter__(self):
        for i in self.sa:
            yield self.text[i:]

    def __len__(self):
        return len(self.sa)

    def find(self, needle):
        heads = [suffix[: len(needle)] for suffix in self]
        lo = bisect_left(heads, needle)
        hi = bisect_right(heads, needle)
        return sorted(self.sa[lo:hi])

    def __contains__(self, needle):
        return bool(self.find(needle))

    def distinct_substrings(self):
        n = len(self)
        return n * (n + 1) // 2 - sum(self.lcp)

    def longest_repeat(self):
        best = max(range(len(self)), key=self.lcp.__getitem__)
        return self.text[self.sa[best] : self.sa[best] + self.lcp[best]]


def longest_common(a, b, sep="#"):
    joined = SuffixArray(a + sep + b)
    best, where = 0, 0
    for r in range(1, len(joined)):
        i, j = joined.sa[r - 1], joined.sa[r]
        if (i < len(a)) != (j < len(a)) and joined.lcp[r] > best:
            best, where = joined.lcp[r], j
    return joined.text[where : where + best]


def bwt(sa):
    return "".join(sa.text[i - 1] if i else "$" for i in sa.sa)


def rle(s):
    return "".join(f"{len(list(g))}{c}" for c, g in groupby(s))


def main(text, other, needles):
    index = SuffixArray(text)
    assert list(index) == sorted(text[i:] for i in range(len(text)))
    for suffix, l in zip(index, index.lcp):
        if len(suffix) <= 8:
            print(f"{l:2d} {suffix}")
    places = {n: index.find(n) for n in needles if n in index}
    missing = [n for n in needles if n not in index]
    return (
        index.sa,
        places,
        missing,
        index.distinct_substrings(),
        index.longest_repeat(),
        longest_common(text, other),
        rle(bwt(index)),
    )


ARGS = [
    ("mississippi", "dissipated", ["ss", "i", "pip", "ippi"]),
    ("to be or not to be that is the question", "not to bed", ["to be", "t", "x"]),
]
