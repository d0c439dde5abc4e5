import sys


def matrix_chain(dims):
    n = len(dims) - 1
    cost = [[0] * n for _ in range(n)]
    split = [[0] * n for _ in range(n)]
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i][j] = sys.maxsize
            for k in range(i, j):
                q = cost[i][k] + cost[k + 1][j] + dims[i] * dims[k + 1] * dims[j + 1]
                if q < cost[i][j]:
                    cost[i][j] = q
                    split[i][j] = k
    return cost, split


def parens(split, i, j):
    if i == j:
        return chr(ord("A") + i)
    k = split[i][j]
    return "(" + parens(split, i, k) + parens(split, k + 1, j) + ")"


def main(dims):
    cost, split = matrix_chain(dims)
    p = parens(split, 0, len(dims) - 2)
    print(f"{p}: {cost[0][-1]} multiplications")
    return cost[0][-1], p


ARGS = [([30, 35, 15, 5, 10, 20, 25] * 4,), ([10, 20, 30],)]
