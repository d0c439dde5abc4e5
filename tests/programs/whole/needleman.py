def score_matrix(a, b, match, mismatch, gap):
    rows, cols = len(a) + 1, len(b) + 1
    f = [[0] * cols for _ in range(rows)]
    for i in range(rows):
        f[i][0] = i * gap
    for j in range(cols):
        f[0][j] = j * gap
    for i in range(1, rows):
        for j in range(1, cols):
            s = match if a[i - 1] == b[j - 1] else mismatch
            f[i][j] = max(f[i - 1][j - 1] + s, f[i - 1][j] + gap, f[i][j - 1] + gap)
    return f


def traceback(f, a, b, match, mismatch, gap):
    i, j = len(a), len(b)
    top, bottom = [], []
    while i > 0 or j > 0:
        s = match if i and j and a[i - 1] == b[j - 1] else mismatch
        if i > 0 and j > 0 and f[i][j] == f[i - 1][j - 1] + s:
            top.append(a[i - 1])
            bottom.append(b[j - 1])
            i -= 1
            j -= 1
        elif i > 0 and f[i][j] == f[i - 1][j] + gap:
            top.append(a[i - 1])
            bottom.append("-")
            i -= 1
        else:
            top.append("-")
            bottom.append(b[j - 1])
            j -= 1
    return "".join(reversed(top)), "".join(reversed(bottom))


def main(a, b, match=1, mismatch=-1, gap=-2):
    f = score_matrix(a, b, match, mismatch, gap)
    x, y = traceback(f, a, b, match, mismatch, gap)
    bars = "".join("|" if p == q else " " for p, q in zip(x, y))
    print(x, bars, y, sep="\n")
    identity = bars.count("|") / len(bars) * 100
    return f[-1][-1], x, y, round(identity, 2)


ARGS = [("GATTACAGATTACAGGC" * 4, "GCATGCUGATTTACAGC" * 4), ("AC", "")]
