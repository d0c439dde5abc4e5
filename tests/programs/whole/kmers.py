from collections import Counter, defaultdict

COMPLEMENT = {"A": "T", "C": "G", "G": "C", "T": "A"}


def reverse_complement(seq):
    return "".join(COMPLEMENT[b] for b in reversed(seq))


def kmers(seq, k):
    for i in range(len(seq) - k + 1):
        yield seq[i : i + k]


def canonical(kmer):
    rc = reverse_complement(kmer)
    return min(kmer, rc)


def de_bruijn(seq, k):
    graph = defaultdict(list)
    for kmer in kmers(seq, k):
        graph[kmer[:-1]].append(kmer[1:])
    return graph


def gc_content(seq):
    return 100 * (seq.count("G") + seq.count("C")) / len(seq)


def main(seq, k):
    seq = seq.upper()
    counts = Counter(canonical(x) for x in kmers(seq, k))
    for kmer, n in counts.most_common(3):
        print(kmer, n)
    g = de_bruijn(seq, k)
    branching = sorted(node for node, nexts in g.items() if len(set(nexts)) > 1)
    print(f"GC {gc_content(seq):.1f}%")
    return dict(counts), branching, gc_content(seq)


ARGS = [("acgtacgtgacctgacgtagctagcatcgatcgatcagctacgactagcgcgatatcg", 4), ("ACGTN", 3)]
