BASES = "TCAG"
AMINO = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
CODONS = {
    a + b + c: AMINO[16 * i + 4 * j + k]
    for i, a in enumerate(BASES)
    for j, b in enumerate(BASES)
    for k, c in enumerate(BASES)
}


def read_fasta(text):
    records = {}
    name = None
    for line in text.splitlines():
        line = line.strip()
        if not line:
            continue
        if line.startswith(">"):
            name = line[1:].split()[0]
            records[name] = []
        elif name is None:
            raise ValueError("sequence before header")
        else:
            records[name].append(line)
    return {k: "".join(v) for k, v in records.items()}


def translate(dna):
    protein = []
    for i in range(0, len(dna) - 2, 3):
        aa = CODONS.get(dna[i : i + 3], "X")
        if aa == "*":
            break
        protein.append(aa)
    return "".join(protein)


def orfs(dna, min_len=2):
    table = str.maketrans("ACGT", "TGCA")
    for strand, seq in (("+", dna), ("-", dna.translate(table)[::-1])):
        for frame in range(3):
            for i in range(frame, len(seq) - 2, 3):
                if seq[i : i + 3] == "ATG":
                    p = translate(seq[i:])
                    if len(p) >= min_len:
                        yield strand, frame, i, p


def main(text):
    best = {}
    for name, seq in read_fasta(text).items():
        found = list(orfs(seq))
        print(f"{name}: {len(seq)} bp, {len(found)} ORFs")
        if found:
            best[name] = max(found, key=lambda o: len(o[3]))
    return best


ARGS = [
    (
        ">seq1 test\nAGCCATGTAGCTAACTCAGGTTACATGGGGATGACCCCGCGACTTGGATTAGAGTCTCTTTTGGAATAAGCCTGAATGATCCGAGTAGCATCTCAG\n>seq2\nATGAAATGA\n",
    ),
    ("ACGT",),
]
