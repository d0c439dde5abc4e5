"""Local alignment with affine gaps over NumPy matrices and a traceback."""

from typing import NamedTuple

import numpy as np


class Alignment(NamedTuple):
    score: int
    top: str
    bottom: str
    start: tuple

    def identity(self) -> float:
        same = sum(a == b for a, b in zip(self.top, self.bottom))
        return same / len(self.top) if self.top else 0.0

    def pretty(self) -> str:
        marks = "".join(
            "|" if a == b else " " if "-" in (a, b) else "." for a, b in zip(self.top, self.bottom)
        )
        return "\n".join([self.top, marks, self.bottom])


PAIRS = {"A": "R", "G": "R", "C": "Y", "T": "Y"}


def score_of(a: str, b: str) -> int:
    if a == b:
        return 5
    return -1 if PAIRS[a] == PAIRS[b] else -3


def align(s: str, t: str, gap_open: int = 8, gap_extend: int = 1) -> Alignment:
    n, m = len(s), len(t)
    H = np.zeros((n + 1, m + 1), dtype=np.int64)
    E = np.full((n + 1, m + 1), -(10**6), dtype=np.int64)
    F = np.full((n + 1, m + 1), -(10**6), dtype=np.int64)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            E[i, j] = max(E[i, j - 1] - gap_extend, H[i, j - 1] - gap_open)
            F[i, j] = max(F[i - 1, j] - gap_extend, H[i - 1, j] - gap_open)
            H[i, j] = max(0, H[i - 1, j - 1] + score_of(s[i - 1], t[j - 1]), E[i, j], F[i, j])
    i, j = np.unravel_index(int(H.argmax()), H.shape)
    best = int(H[i, j])
    top, bottom = [], []
    while H[i, j] > 0:
        if H[i, j] == H[i - 1, j - 1] + score_of(s[i - 1], t[j - 1]):
            i, j = i - 1, j - 1
            top.append(s[i])
            bottom.append(t[j])
        elif H[i, j] == F[i, j]:
            i -= 1
            top.append(s[i])
            bottom.append("-")
        else:
            j -= 1
            top.append("-")
            bottom.append(t[j])
    return Alignment(best, "".join(reversed(top)), "".join(reversed(bottom)), (int(i), int(j)))


def main(reference, reads):
    out = []
    for name, read in sorted(reads.items()):
        a = align(reference, read)
        out.append(
            {
                "read": name,
                "score": a.score,
                "start": a.start,
                "identity": round(a.identity(), 3),
                "text": a.pretty(),
            }
        )
    best = max(out, key=lambda row: (row["score"], row["read"]))
    return out, best["read"]


ARGS = [("ACGTTAGCCGATAGGCTTAACGCA", {"r1": "TTAGCGATAG", "r2": "GGCTTACGC", "r3": "CCGTTTAG"})]
