def lcs_table(a, b):
    table = [[0 for _ in range(len(b) + 1)] for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            if x == y:
                table[i + 1][j + 1] = table[i][j] + 1
            else:
                table[i + 1][j + 1] = max(table[i][j + 1], table[i + 1][j])
    return table


def diff(a, b):
    t = lcs_table(a, b)
    i, j = len(a), len(b)
    ops = []
    while i > 0 or j > 0:
        if i > 0 and j > 0 and a[i - 1] == b[j - 1]:
            ops.append((" ", a[i - 1]))
            i, j = i - 1, j - 1
        elif j > 0 and (i == 0 or t[i][j - 1] >= t[i - 1][j]):
            ops.append(("+", b[j - 1]))
            j -= 1
        else:
            ops.append(("-", a[i - 1]))
            i -= 1
    ops.reverse()
    return ops


def patch(ops):
    return [line for op, line in ops if op != "-"]


def main(old, new):
    a, b = old.split("\n"), new.split("\n")
    ops = diff(a, b)
    for op, line in ops:
        print(op + " " + line)
    assert patch(ops) == b
    stats = {op: sum(1 for o, _ in ops if o == op) for op in "+- "}
    return ops, stats


ARGS = [
    ("one\ntwo\nthree\nfour\nfive", "one\n2\nthree\nfive\nsix"),
    ("", "a\nb"),
]
