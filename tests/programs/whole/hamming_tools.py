from itertools import combinations


def hamming(a, b):
    if len(a) != len(b):
        raise ValueError("strings must be of equal length")
    return sum(x != y for x, y in zip(a, b))


def consensus(seqs):
    profile = {base: [0] * len(seqs[0]) for base in "ACGT"}
    for s in seqs:
        for i, ch in enumerate(s):
            profile[ch][i] += 1
    text = "".join(max("ACGT", key=lambda b: profile[b][i]) for i in range(len(seqs[0])))
    return text, profile


def distance_matrix(seqs):
    n = len(seqs)
    d = [[0.0] * n for _ in range(n)]
    for i, j in combinations(range(n), 2):
        d[i][j] = d[j][i] = hamming(seqs[i], seqs[j]) / len(seqs[i])
    return d


def main(seqs):
    text, profile = consensus(seqs)
    print(text)
    for base, row in profile.items():
        print(f"{base}:", *row)
    d = distance_matrix(seqs)
    closest = min(combinations(range(len(seqs)), 2), key=lambda p: d[p[0]][p[1]])
    return text, d, closest


ARGS = [
    (["ATCCAGCT", "GGGCAACT", "ATGGATCT", "AAGCAACC", "TTGGAACT", "ATGCCATT", "ATGGCACT"],),
    (["ACG", "AC"],),
]
