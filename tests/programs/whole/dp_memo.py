from functools import cache


@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@cache
def partitions(n, m):
    if n == 0:
        return 1
    if n < 0 or m == 0:
        return 0
    return partitions(n, m - 1) + partitions(n - m, m)


def coin_change(coins, amount):
    memo = {0: 0}

    def best(a):
        if a in memo:
            return memo[a]
        options = [best(a - c) for c in coins if c <= a]
        options = [o for o in options if o is not None]
        memo[a] = 1 + min(options) if options else None
        return memo[a]

    return best(amount)


def count_ways(coins, amount):
    ways = [1] + [0] * amount
    for c in coins:
        for a in range(c, amount + 1):
            ways[a] += ways[a - c]
    return ways[amount]


def lis(xs):
    from bisect import bisect_left

    tails = []
    for x in xs:
        i = bisect_left(tails, x)
        if i == len(tails):
            tails.append(x)
        else:
            tails[i] = x
    return len(tails)


def main(n, coins, amount, xs):
    r = {
        "fib": fib(n),
        "partitions": partitions(n, n),
        "coins": coin_change(coins, amount),
        "ways": count_ways(coins, amount),
        "lis": lis(xs),
    }
    for k, v in r.items():
        print(f"{k:>10} = {v}")
    return r


ARGS = [(30, [1, 5, 10, 25], 63, [10, 9, 2, 5, 3, 7, 101, 18]), (5, [4, 6], 7, [])]
