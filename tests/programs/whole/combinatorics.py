"""Combinatorics by hand: permutations, combinations, partitions, coins, subsets."""

from functools import lru_cache


def permutations(items):
    if len(items) <= 1:
        yield list(items)
        return
    for i in range(len(items)):
        rest = items[:i] + items[i + 1 :]
        for p in permutations(rest):
            yield [items[i]] + p


def next_permutation(a):
    """Lexicographic successor in place; False when wrapped around."""
    i = len(a) - 2
    while i >= 0 and a[i] >= a[i + 1]:
        i -= 1
    if i < 0:
        a.reverse()
        return False
    j = len(a) - 1
    while a[j] <= a[i]:
        j -= 1
    a[i], a[j] = a[j], a[i]
    a[i + 1 :] = reversed(a[i + 1 :])
    return True


def multiset_permutations(text):
    a = sorted(text)
    out = ["".join(a)]
    while next_permutation(a):
        out.append("".join(a))
    return out


def combinations(items, k):
    if k == 0:
        return [()]
    if not items:
        return []
    head, *tail = items
    with_head = [(head,) + c for c in combinations(tail, k - 1)]
    return with_head + combinations(tail, k)


def powerset(items):
    return ([x for i, x in enumerate(items) if mask >> i & 1] for mask in range(1 << len(items)))


def pascal(n):
    row = [1]
    for _ in range(n):
        yield row
        row = [1] + [a + b for a, b in zip(row, row[1:])] + [1]


def partitions(n, largest=None):
    largest = largest or n
    if n == 0:
        yield []
        return
    for k in range(min(n, largest), 0, -1):
        for rest in partitions(n - k, k):
            yield [k] + rest


@lru_cache(maxsize=None)
def partition_count(n):
    """Euler's pentagonal recurrence."""
    if n < 0:
        return 0
    if n == 0:
        return 1
    total, k = 0, 1
    while True:
        a, b = k * (3 * k - 1) // 2, k * (3 * k + 1) // 2
        if a > n:
            return total
        sign = 1 if k % 2 else -1
        total += sign * (partition_count(n - a) + partition_count(n - b))
        k += 1


def coin_ways(amount, coins):
    ways = [1] + [0] * amount
    for c in coins:
        for v in range(c, amount + 1):
            ways[v] += ways[v - c]
    return ways[amount]


def fewest_coins(amount, coins):
    best = {0: []}
    for v in range(1, amount + 1):
        options = [best[v - c] + [c] for c in coins if v - c in best]
        if options:
            best[v] = min(options, key=len)
    return sorted(best[amount], reverse=True) if amount in best else None


def subset_sum(numbers, target):
    reach = {0: ()}
    for n in numbers:
        for s, used in list(reach.items()):
            reach.setdefault(s + n, used + (n,))
    return reach.get(target)


@lru_cache(maxsize=None)
def catalan(n):
    return 1 if n == 0 else sum(catalan(i) * catalan(n - 1 - i) for i in range(n))


def balanced(n, opened=0, closed=0, text=""):
    if closed == n:
        return [text]
    out = []
    if opened < n:
        out += balanced(n, opened + 1, closed, text + "(")
    if closed < opened:
        out += balanced(n, opened, closed + 1, text + ")")
    return out


def main(n, amount, coins):
    rows = list(pascal(n + 1))
    for row in rows[:7]:
        print(" ".join(map(str, row)).center(30))
    letters = "abcdefghijk"[: min(n, 5)]
    perms = ["".join(p) for p in permutations(list(letters))]
    return {
        "perms": (len(perms), perms[0], perms[-1], perms == sorted(perms)),
        "multiset": multiset_permutations("noon")[1:4],
        "combos": ["".join(c) for c in combinations(list(letters), 2)],
        "powerset": sum(len(s) for s in powerset(range(n))),
        "pascal": rows[-1],
        "partitions": [p for p in partitions(min(n, 6))],
        "p": (partition_count(n), partition_count(amount)),
        "ways": coin_ways(amount, coins),
        "fewest": fewest_coins(amount, coins),
        "subset": subset_sum([3, 34, 4, 12, 5, 2, 50], amount),
        "catalan": [catalan(i) for i in range(n)],
        "balanced": balanced(min(n, 4)),
    }


ARGS = [(4, 63, (1, 5, 10, 21, 25)), (8, 100, (7, 30)), (10, 200, (1, 2, 5, 10, 20, 50, 100, 200))]
