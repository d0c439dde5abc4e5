"""Burrows-Wheeler transform + move to front + run length encoding."""

EOT = "\x03"


def bwt(text):
    if EOT in text:
        raise ValueError("text must not contain the end marker")
    text += EOT
    n = len(text)
    order = sorted(range(n), key=lambda i: text[i:] + text[:i])
    return "".join(text[i - 1] for i in order)


def inverse_bwt(last):
    # stable sort gives the mapping from last column to first column
    order = sorted(range(len(last)), key=lambda i: last[i])
    i = last.index(EOT)
    out = []
    for _ in range(len(last)):
        i = order[i]
        out.append(last[i])
    return "".join(out).rstrip(EOT)


def mtf_encode(text, alphabet):
    symbols = list(alphabet)
    codes = []
    for ch in text:
        k = symbols.index(ch)
        codes.append(k)
        symbols.insert(0, symbols.pop(k))
    return codes


def mtf_decode(codes, alphabet):
    symbols = list(alphabet)
    out = ""
    for k in codes:
        ch = symbols.pop(k)
        out += ch
        symbols.insert(0, ch)
    return out


def rle_encode(values):
    runs = []
    for v in values:
        if runs and runs[-1][0] == v:
            runs[-1][1] += 1
        else:
            runs.append([v, 1])
    return [tuple(r) for r in runs]


def rle_decode(runs):
    return [v for v, n in runs for _ in range(n)]


def fm_count(last, pattern):
    """Count occurrences of pattern with backward search (FM index)."""
    first = {}
    for i, ch in enumerate(sorted(last)):
        first.setdefault(ch, i)
    ranks = {ch: [0] for ch in first}
    for ch in last:
        for key, table in ranks.items():
            table.append(table[-1] + (key == ch))
    lo, hi = 0, len(last)
    for ch in reversed(pattern):
        if ch not in first:
            return 0
        lo = first[ch] + ranks[ch][lo]
        hi = first[ch] + ranks[ch][hi]
        if lo >= hi:
            return 0
    return hi - lo


def overlapping(text, pattern):
    return sum(text.startswith(pattern, i) for i in range(len(text)))


def compress(text):
    last = bwt(text)
    alphabet = "".join(sorted(set(last)))
    codes = mtf_encode(last, alphabet)
    return alphabet, rle_encode(codes)


def decompress(alphabet, runs):
    return inverse_bwt(mtf_decode(rle_decode(runs), alphabet))


def main(text, patterns):
    try:
        alphabet, runs = compress(text)
    except ValueError as e:
        print("error:", e)
        return "error: " + str(e)
    last = bwt(text)
    restored = decompress(alphabet, runs)
    zeros = sum(n for v, n in runs if v == 0)
    counts = {p: fm_count(last, p) for p in patterns}
    check = all(counts[p] == overlapping(text, p) for p in patterns)
    shown = last.replace(EOT, "$")
    print(f"{shown[:60]}  runs={len(runs)} zeros={zeros}/{len(last)}")
    return {
        "bwt": shown,
        "alphabet": alphabet.replace(EOT, "$"),
        "runs": runs[:12],
        "n_runs": (len(rle_encode(text)), len(rle_encode(last)), len(runs)),
        "zeros": zeros,
        "restored": restored == text,
        "counts": counts,
        "check": check,
    }


ARGS = [
    ("banana", ["ana", "nan", "x", "a"]),
    ("she sells sea shells by the sea shore " * 4, ["she", "sea", "shell", " s", "zz"]),
    ("bad\x03text", []),
    ("", []),
]
