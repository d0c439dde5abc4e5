"""Bioinformatics: FASTA parsing, translation, ORFs, GC windows, edit distance."""

import re
from collections import Counter
from itertools import islice, product

BASES = "TCAG"
AMINO = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
CODON = {"".join(c): a for c, a in zip(product(BASES, repeat=3), AMINO)}
COMP = str.maketrans("ACGT", "TGCA")


def read_fasta(text):
    name, chunks = None, []
    for line in text.splitlines():
        if line.startswith(">"):
            if name is not None:
                yield name, "".join(chunks)
            name, chunks = line[1:].split()[0], []
        elif line:
            chunks.append(line.strip().upper())
    if name is not None:
        yield name, "".join(chunks)


def reverse_complement(seq):
    return seq.translate(COMP)[::-1]


def codons(seq, frame=0):
    for i in range(frame, len(seq) - 2, 3):
        yield seq[i : i + 3]


def translate(seq, frame=0):
    return "".join(CODON.get(c, "X") for c in codons(seq, frame))


def orfs(seq, min_len=3):
    found = []
    for strand, s in (("+", seq), ("-", reverse_complement(seq))):
        for frame in range(3):
            prot = translate(s, frame)
            for m in re.finditer(r"M[^*]*\*", prot):
                if len(m.group()) > min_len:
                    found.append((strand, frame, m.start(), m.group()[:-1]))
    return sorted(found, key=lambda t: (-len(t[3]), t[0], t[1]))


def gc_content(seq):
    n = Counter(seq)
    return 100.0 * (n["G"] + n["C"]) / max(1, len(seq))


def windows(seq, size, step):
    for i in range(0, len(seq) - size + 1, step):
        yield i, seq[i : i + size]


def kmers(seq, k):
    return Counter(seq[i : i + k] for i in range(len(seq) - k + 1))


def edit_distance(a, b):
    prev = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        cur = [i]
        for j, y in enumerate(b, 1):
            cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j - 1] + (x != y)))
        prev = cur
    return prev[-1]


def hamming(a, b):
    if len(a) != len(b):
        raise ValueError("sequences differ in length")
    return sum(x != y for x, y in zip(a, b))


def main(text):
    seqs = dict(read_fasta(text))
    report = {}
    for name, seq in seqs.items():
        top = kmers(seq, 3).most_common(3)
        report[name] = (
            len(seq),
            round(gc_content(seq), 2),
            translate(seq)[:10],
            list(islice(orfs(seq), 3)),
            top,
        )
    names = list(seqs)
    dist = [[edit_distance(seqs[a], seqs[b]) for b in names] for a in names]
    gc = [(i, f"{gc_content(w):5.1f}%") for i, w in windows(seqs[names[0]], 20, 15)]
    try:
        h = hamming(seqs[names[0]], seqs[names[1]])
    except ValueError as e:
        h = str(e)
    for n, row in zip(names, dist):
        print(f"{n:<8}" + "".join(f"{d:>5d}" for d in row))
    return report, dist, gc, h


ARGS = [
    (
        """>seq1 first one
ATGGCCATTGTAATGGGCCGCTGAAAGGGTGCCCGATAG
TTATGCCCTGATCCGGAATCATGA
>seq2
atggccattgtaatgggccgctgaaagggtgcccgatagacca

>seq3 other stuff
GGGTTTCATCATCATTAAATGAAATTTGGGCCCTAGN
""",
    )
]
