"""Sorting, searching, counting and dynamic programming on arrays."""

import numpy as np
from program import FLOATS, INTEGERS, Program

PRIMES_BELOW_20 = (2, 3, 5, 7, 11, 13, 17, 19)
DAYS = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


def levenshtein(a, b):
    n, m = len(a), len(b)
    d = np.zeros((n + 1, m + 1), dtype=int)
    d[:, 0] = np.arange(n + 1)
    d[0, :] = np.arange(m + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[n, m]


def levenshtein_two_rows(a, b):
    previous = np.arange(len(b) + 1)
    current = np.empty_like(previous)
    for i, x in enumerate(a):
        current[0] = i + 1
        for j, y in enumerate(b):
            current[j + 1] = min(previous[j] + (x != y), previous[j + 1] + 1, current[j] + 1)
        previous, current = current, previous
    return previous[-1]


def knapsack(weights, values, capacity):
    best = np.zeros(capacity + 1, dtype=values.dtype)
    for w, v in zip(weights, values):
        for c in range(capacity, w - 1, -1):
            best[c] = max(best[c], best[c - w] + v)
    return best[capacity]


def knapsack_items(weights, values, capacity):
    n = len(weights)
    table = np.zeros((n + 1, capacity + 1), values.dtype)
    for i in range(1, n + 1):
        w, v = weights[i - 1], values[i - 1]
        table[i] = table[i - 1]
        table[i, w:] = np.maximum(table[i - 1, w:], table[i - 1, : capacity + 1 - w] + v)
    chosen = np.zeros(n, dtype=bool)
    c = capacity
    for i in range(n, 0, -1):
        if table[i, c] != table[i - 1, c]:
            chosen[i - 1] = True
            c -= weights[i - 1]
    return table[n, capacity], chosen


def longest_common_subsequence(a, b):
    n, m = a.size, b.size
    length = np.zeros((n + 1, m + 1), np.int32)
    for i in range(n):
        for j in range(m):
            if a[i] == b[j]:
                length[i + 1, j + 1] = length[i, j] + 1
            else:
                length[i + 1, j + 1] = max(length[i, j + 1], length[i + 1, j])
    result = np.empty(length[n, m], dtype=a.dtype)
    k = len(result) - 1
    i, j = n, m
    while i > 0 and j > 0:
        if a[i - 1] == b[j - 1]:
            result[k] = a[i - 1]
            i, j, k = i - 1, j - 1, k - 1
        elif length[i - 1, j] >= length[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return result


def longest_increasing_run(x):
    best = np.ones(len(x), dtype=np.int64)
    for i in range(len(x)):
        for j in range(i):
            if x[j] < x[i] and best[j] + 1 > best[i]:
                best[i] = best[j] + 1
    return best.max()


def matrix_chain(dimensions):
    n = len(dimensions) - 1
    cost = np.zeros((n, n), dtype=np.int64)
    split = np.zeros((n, n), dtype=np.int64)
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i, j] = np.iinfo(np.int64).max
            for k in range(i, j):
                q = (
                    cost[i, k]
                    + cost[k + 1, j]
                    + dimensions[i] * dimensions[k + 1] * dimensions[j + 1]
                )
                if q < cost[i, j]:
                    cost[i, j] = q
                    split[i, j] = k
    return cost[0, -1], split


def coin_change(coins, amount):
    ways = np.zeros(amount + 1, dtype=np.int64)
    ways[0] = 1
    fewest = np.full(amount + 1, amount + 1)
    fewest[0] = 0
    for coin in coins:
        for a in range(coin, amount + 1):
            ways[a] += ways[a - coin]
            fewest[a] = min(fewest[a], fewest[a - coin] + 1)
    return ways[amount], fewest[amount] if fewest[amount] <= amount else -1


def largest_sum(x):
    """Kadane: the largest sum of a run, and its bounds."""
    best = current = x[0]
    start = end = begin = 0
    for i in range(1, len(x)):
        if current < 0:
            current, begin = x[i], i
        else:
            current += x[i]
        if current > best:
            best, start, end = current, begin, i
    return best, (start, end)


def prefix_sums(x):
    total = np.empty_like(x)
    running = x.dtype.type(0)
    for i, v in enumerate(x):
        running += v
        total[i] = running
    return total


def range_sums(x, queries):
    prefix = np.zeros(len(x) + 1, dtype=np.int64)
    for i in range(len(x)):
        prefix[i + 1] = prefix[i] + x[i]
    return np.array([prefix[hi] - prefix[lo] for lo, hi in queries])


def sieve(n):
    is_prime = np.ones(n + 1, dtype=bool)
    is_prime[:2] = False
    for i in range(2, int(n**0.5) + 1):
        if is_prime[i]:
            is_prime[i * i :: i] = False
    return is_prime, is_prime.sum()


def primes_up_to(n):
    is_prime = np.ones(n + 1, dtype=np.bool_)
    is_prime[0:2] = False
    p = 2
    while p * p <= n:
        if is_prime[p]:
            is_prime[p * p : n + 1 : p] = False
        p += 1
    return np.nonzero(is_prime)[0]


def histogram(x, low, high, bins):
    counts = np.zeros(bins, dtype=np.int64)
    width = (high - low) / bins
    for v in x:
        if low <= v < high:
            counts[int((v - low) / width)] += 1
        elif v == high:
            counts[-1] += 1
    return counts


def histogram_2d(x, y, bins):
    counts = np.zeros((bins, bins), dtype=np.int32)
    for a, b in zip(x, y):
        i, j = int(a * bins), int(b * bins)
        counts[i, j] += 1
    return counts


def bubble_sort(x):
    n = len(x)
    for i in range(n):
        swapped = False
        for j in range(n - 1 - i):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
                swapped = True
        if not swapped:
            return i
    return n


def insertion_sort(x):
    for i in range(1, len(x)):
        key = x[i]
        j = i - 1
        while j >= 0 and x[j] > key:
            x[j + 1] = x[j]
            j -= 1
        x[j + 1] = key
    return x


def sift_down(heap, start, end):
    root = start
    while 2 * root + 1 < end:
        child = 2 * root + 1
        if child + 1 < end and heap[child] < heap[child + 1]:
            child += 1
        if heap[root] >= heap[child]:
            return
        heap[root], heap[child] = heap[child], heap[root]
        root = child


def heap_sort(x):
    x = x.copy()
    n = len(x)
    for start in range(n // 2 - 1, -1, -1):
        sift_down(x, start, n)
    for end in range(n - 1, 0, -1):
        x[0], x[end] = x[end], x[0]
        sift_down(x, 0, end)
    return x


def merge_sort(x):
    """Bottom up, between two arrays."""
    n = len(x)
    source, target = x.copy(), np.empty_like(x)
    width = 1
    while width < n:
        for left in range(0, n, 2 * width):
            middle, right = min(left + width, n), min(left + 2 * width, n)
            i, j = left, middle
            for k in range(left, right):
                if i < middle and (j >= right or source[i] <= source[j]):
                    target[k] = source[i]
                    i += 1
                else:
                    target[k] = source[j]
                    j += 1
        source, target = target, source
        width *= 2
    return source


def quick_sort(x, low, high):
    if low < high:
        pivot = x[high]
        i = low
        for j in range(low, high):
            if x[j] < pivot:
                x[i], x[j] = x[j], x[i]
                i += 1
        x[i], x[high] = x[high], x[i]
        quick_sort(x, low, i - 1)
        quick_sort(x, i + 1, high)


def quick_sort_all(x):
    quick_sort(x, 0, len(x) - 1)


def shell_sort(x):
    gap = len(x) // 2
    while gap > 0:
        for i in range(gap, len(x)):
            value = x[i]
            while i >= gap and x[i - gap] > value:
                x[i] = x[i - gap]
                i -= gap
            x[i] = value
        gap //= 2


def counting_sort(x, largest):
    counts = np.zeros(largest + 1, dtype=np.int64)
    for v in x:
        counts[v] += 1
    position = 0
    for value, count in enumerate(counts):
        x[position : position + count] = value
        position += count


def binary_search(x, wanted):
    low, high = 0, len(x) - 1
    while low <= high:
        middle = (low + high) // 2
        if x[middle] == wanted:
            return middle
        if x[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1


def search_all(x, queries):
    found = np.empty(len(queries), dtype=np.int64)
    for k, q in enumerate(queries):
        found[k] = binary_search(x, q)
    return found


def quick_select(x, k):
    x = x.copy()
    low, high = 0, len(x) - 1
    while low < high:
        pivot = x[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while x[i] < pivot:
                i += 1
            while x[j] > pivot:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i += 1
                j -= 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            break
    return x[k]


def remove_duplicates(x):
    if len(x) == 0:
        return 0
    keep = 1
    for i in range(1, len(x)):
        if x[i] != x[keep - 1]:
            x[keep] = x[i]
            keep += 1
    return keep


def two_sum(x, target):
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if x[i] + x[j] == target:
                return i, j
    return None


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def gcd_table(x, y):
    table = np.zeros((len(x), len(y)), x.dtype)
    for i, a in enumerate(x):
        for j, b in enumerate(y):
            table[i, j] = gcd(a, b)
    return table


def collatz(limit):
    longest, start = 0, 1
    for n in range(1, limit):
        steps, m = 0, n
        while m != 1:
            m = m // 2 if m % 2 == 0 else 3 * m + 1
            steps += 1
        if steps > longest:
            longest, start = steps, n
    return start, longest


def fibonacci(n):
    f = np.zeros(n, dtype=np.int64)
    f[1] = 1
    for i in range(2, n):
        f[i] = f[i - 1] + f[i - 2]
    return f


def fibonacci_recursive(n):
    return n if n < 2 else fibonacci_recursive(n - 1) + fibonacci_recursive(n - 2)


def pascal(n):
    triangle = np.zeros((n, n), dtype=int)
    triangle[0, 0] = 1
    for i in range(1, n):
        triangle[i, 0] = triangle[i, i] = 1
        triangle[i, 1:i] = triangle[i - 1, : i - 1] + triangle[i - 1, 1:i]
    return triangle


def smooth_numbers(limit):
    """How many numbers below the limit have no prime factor above 19."""
    count = 0
    for n in range(1, limit):
        for p in PRIMES_BELOW_20:
            while n % p == 0:
                n //= p
        count += n == 1
    return count


def day_of_year(days, months):
    out = np.empty_like(days)
    for i in range(len(days)):
        out[i] = days[i] + DAYS[: months[i] - 1].sum()
    return out


def queens(n):
    """Number of solutions, by backtracking with an explicit stack."""
    column = np.full(n, -1)
    row, solutions = 0, 0
    while row >= 0:
        column[row] += 1
        while column[row] < n:
            safe = True
            for r in range(row):
                if column[r] == column[row] or abs(column[r] - column[row]) == row - r:
                    safe = False
                    break
            if safe:
                break
            column[row] += 1
        if column[row] >= n:
            column[row] = -1
            row -= 1
        elif row == n - 1:
            solutions += 1
        else:
            row += 1
    return solutions


def max_rectangle(heights):
    stack = np.zeros(len(heights) + 1, dtype=np.int64)
    top, best = 0, 0
    for i in range(len(heights) + 1):
        h = heights[i] if i < len(heights) else 0
        while top > 0 and heights[stack[top - 1]] >= h:
            top -= 1
            left = stack[top - 1] if top > 0 else -1
            best = max(best, heights[stack[top]] * (i - left - 1))
        stack[top] = i
        top += 1
    return best


def crc32(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= int(byte)
        for _ in range(8):
            crc = (crc >> 1) ^ (0xEDB88320 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def xorshift(seed, n):
    out = np.empty(n, dtype=np.uint32)
    state = np.uint32(seed)
    for i in range(n):
        state ^= state << np.uint32(13)
        state ^= state >> np.uint32(17)
        state ^= state << np.uint32(5)
        out[i] = state
    return out


def popcounts(x):
    counts = np.zeros_like(x)
    while np.any(x):
        counts += x & 1
        x = x >> 1
    return counts


def smith_waterman(a, b, match=2, mismatch=-1, gap=-2):
    h = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    best, where = 0, (0, 0)
    for i, x in enumerate(a, start=1):
        for j, y in enumerate(b, start=1):
            score = match if x == y else mismatch
            h[i, j] = max(0, h[i - 1, j - 1] + score, h[i - 1, j] + gap, h[i, j - 1] + gap)
            if h[i, j] > best:
                best, where = h[i, j], (i, j)
    return best, where


def letters(n, t, rng):
    return rng.integers(0, 4, n).astype(t)


def whole(n, t, rng):
    return rng.integers(-50, 50, n).astype(t)


ALL = FLOATS + INTEGERS

PROGRAMS = [
    Program(
        levenshtein,
        lambda n, t, rng: (letters(n, t, rng), letters(n + 3, t, rng)),
        (4, 25),
        INTEGERS,
    ),
    Program(
        levenshtein_two_rows,
        lambda n, t, rng: (letters(n, t, rng), letters(n + 3, t, rng)),
        (4, 25),
        INTEGERS,
    ),
    Program(
        knapsack,
        lambda n, t, rng: (
            rng.integers(1, 9, n).astype(t),
            rng.integers(1, 50, n).astype(t),
            2 * n,
        ),
        (4, 20),
        INTEGERS,
    ),
    Program(
        knapsack_items,
        lambda n, t, rng: (
            rng.integers(1, 9, n).astype(t),
            rng.integers(1, 50, n).astype(t),
            2 * n,
        ),
        (5, 20),
        INTEGERS,
    ),
    Program(
        longest_common_subsequence,
        lambda n, t, rng: (letters(n, t, rng), letters(n + 3, t, rng)),
        (4, 25),
        INTEGERS,
    ),
    Program(longest_increasing_run, lambda n, t, rng: (whole(n, t, rng),), (4, 30), ALL),
    Program(matrix_chain, lambda n, t, rng: (rng.integers(2, 40, n).astype(t),), (4, 10), INTEGERS),
    Program(coin_change, lambda n, t, rng: (np.array([2, 5, 10], t), n), (7, 60), INTEGERS),
    Program(largest_sum, lambda n, t, rng: (whole(n, t, rng),), (5, 60), ALL),
    Program(prefix_sums, lambda n, t, rng: (whole(n, t, rng),), (5, 60), ALL),
    Program(
        range_sums,
        lambda n, t, rng: (whole(n, t, rng), np.sort(rng.integers(0, n, (6, 2)), axis=1)),
        (5, 60),
        INTEGERS,
    ),
    Program(sieve, lambda n, t, rng: (t(n),), (10, 200), INTEGERS),
    Program(primes_up_to, lambda n, t, rng: (n,), (10, 200), (np.int64,)),
    Program(
        histogram, lambda n, t, rng: (rng.standard_normal(n).astype(t), -2.0, 2.0, 9), (10, 200)
    ),
    Program(histogram_2d, lambda n, t, rng: (*rng.random((2, n)).astype(t), 5), (10, 200)),
    Program(bubble_sort, lambda n, t, rng: (whole(n, t, rng),), (5, 30), ALL),
    Program(insertion_sort, lambda n, t, rng: (whole(n, t, rng),), (5, 30), ALL),
    Program(heap_sort, lambda n, t, rng: (whole(n, t, rng),), (5, 50), ALL),
    Program(merge_sort, lambda n, t, rng: (whole(n, t, rng),), (5, 50), ALL),
    Program(quick_sort_all, lambda n, t, rng: (whole(n, t, rng),), (5, 50), ALL),
    Program(shell_sort, lambda n, t, rng: (whole(n, t, rng),), (5, 50), ALL),
    Program(
        counting_sort, lambda n, t, rng: (rng.integers(0, 20, n).astype(t), 20), (5, 50), INTEGERS
    ),
    Program(
        search_all, lambda n, t, rng: (np.sort(whole(n, t, rng)), whole(9, t, rng)), (5, 50), ALL
    ),
    Program(quick_select, lambda n, t, rng: (whole(n, t, rng), n // 3), (5, 50), ALL),
    Program(remove_duplicates, lambda n, t, rng: (np.sort(whole(n, t, rng)),), (5, 80), ALL),
    Program(two_sum, lambda n, t, rng: (whole(n, t, rng), t(7)), (5, 40), INTEGERS),
    Program(
        gcd_table,
        lambda n, t, rng: (rng.integers(1, 500, n).astype(t), rng.integers(1, 500, 4).astype(t)),
        (3, 20),
        INTEGERS,
    ),
    Program(collatz, lambda n, t, rng: (n,), (10, 120), (np.int64,)),
    Program(fibonacci, lambda n, t, rng: (n,), (5, 80), (np.int64,)),
    Program(fibonacci_recursive, lambda n, t, rng: (n,), (5, 12), (np.int64,)),
    Program(pascal, lambda n, t, rng: (n,), (5, 20), (np.int64,)),
    Program(smooth_numbers, lambda n, t, rng: (n,), (30, 200), (np.int64,)),
    Program(
        day_of_year,
        lambda n, t, rng: (rng.integers(1, 29, n).astype(t), rng.integers(1, 13, n).astype(t)),
        (4, 20),
        INTEGERS,
    ),
    Program(queens, lambda n, t, rng: (n,), (4, 6), (np.int64,)),
    Program(
        max_rectangle, lambda n, t, rng: (rng.integers(0, 20, n).astype(t),), (5, 40), INTEGERS
    ),
    Program(
        crc32, lambda n, t, rng: (rng.integers(0, 127, n).astype(t),), (5, 30), (np.uint8, np.int64)
    ),
    Program(xorshift, lambda n, t, rng: (2463534242, n), (5, 30), (np.uint32,)),
    Program(popcounts, lambda n, t, rng: (rng.integers(0, 5000, n).astype(t),), (5, 30), INTEGERS),
    Program(
        smith_waterman,
        lambda n, t, rng: (letters(n, t, rng), letters(n + 3, t, rng)),
        (4, 20),
        INTEGERS,
    ),
]
