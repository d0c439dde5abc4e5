"""Sorting algorithms by registry, with counting comparisons through a key wrapper class."""

import functools
from typing import Callable, List


@functools.total_ordering
class Counted:
    comparisons = 0

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value

    def __lt__(self, other):
        Counted.comparisons += 1
        return self.value < other.value


def insertion_sort(a, lo=0, hi=None):
    hi = len(a) if hi is None else hi
    for i in range(lo + 1, hi):
        x, j = a[i], i
        while j > lo and x < a[j - 1]:
            a[j] = a[j - 1]
            j -= 1
        a[j] = x
    return a


def merge_sort(a):
    if len(a) <= 1:
        return a
    mid = len(a) // 2
    left, right = merge_sort(a[:mid]), merge_sort(a[mid:])
    out, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if right[j] < left[i]:
            out.append(right[j])
            j += 1
        else:
            out.append(left[i])
            i += 1
    return out + left[i:] + right[j:]


def quick_sort(a):
    def go(lo, hi):
        while lo < hi:
            if hi - lo < 6:
                insertion_sort(a, lo, hi + 1)
                return
            p = partition(lo, hi)
            if p - lo < hi - p:
                go(lo, p)
                lo = p + 1
            else:
                go(p + 1, hi)
                hi = p

    def partition(lo, hi):
        pivot = a[(lo + hi) // 2]
        i, j = lo - 1, hi + 1
        while True:
            i += 1
            while a[i] < pivot:
                i += 1
            j -= 1
            while pivot < a[j]:
                j -= 1
            if i >= j:
                return j
            a[i], a[j] = a[j], a[i]

    go(0, len(a) - 1)
    return a


def heap_sort(a):
    def sift(i, n):
        while (child := 2 * i + 1) < n:
            if child + 1 < n and a[child] < a[child + 1]:
                child += 1
            if not a[i] < a[child]:
                return
            a[i], a[child] = a[child], a[i]
            i = child

    n = len(a)
    for i in reversed(range(n // 2)):
        sift(i, n)
    for end in range(n - 1, 0, -1):
        a[0], a[end] = a[end], a[0]
        sift(0, end)
    return a


def comb_sort(a):
    gap, swapped = len(a), True
    while gap > 1 or swapped:
        gap = max(1, int(gap / 1.3))
        swapped = False
        for i in range(len(a) - gap):
            if a[i + gap] < a[i]:
                a[i], a[i + gap] = a[i + gap], a[i]
                swapped = True
    return a


ALGORITHMS: List[Callable] = [insertion_sort, merge_sort, quick_sort, heap_sort, comb_sort]


def main(n, seed):
    x, data = seed, []
    for _ in range(n):
        x = (x * 16807) % 2147483647
        data.append(x % 997)
    report = {}
    for sort in ALGORITHMS:
        Counted.comparisons = 0
        result = sort([Counted(v) for v in data])
        report[sort.__name__] = (Counted.comparisons, [c.value for c in result] == sorted(data))
    words = [f"w{v % 50:02d}" for v in data[:30]]
    texts = {f.__name__: f(words[:])[:3] for f in ALGORITHMS}
    best = min(report, key=lambda k: report[k][0])
    return report, texts, best, Counted(3) >= Counted(2)


ARGS = [(80, 5)]
