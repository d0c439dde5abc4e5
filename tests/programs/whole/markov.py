class Random:
    """Small linear congruential generator (MINSTD)."""

    def __init__(self, seed):
        self.state = seed % 2147483647 or 1

    def next_int(self):
        self.state = self.state * 48271 % 2147483647
        return self.state

    def choice(self, seq):
        return seq[self.next_int() % len(seq)]


def build_chain(text, order=2):
    words = text.split()
    chain = {}
    for i in range(len(words) - order):
        key = tuple(words[i : i + order])
        chain.setdefault(key, []).append(words[i + order])
    return chain


def generate(chain, rng, n):
    key = rng.choice(sorted(chain))
    out = list(key)
    while len(out) < n:
        options = chain.get(key)
        if not options:
            break
        nxt = rng.choice(options)
        out.append(nxt)
        key = key[1:] + (nxt,)
    return " ".join(out)


def main(text, seed, n):
    chain = build_chain(text)
    rng = Random(seed)
    sentences = [generate(chain, rng, n) for _ in range(3)]
    for s in sentences:
        print(s.capitalize() + ".")
    return sentences, len(chain)


ARGS = [
    (
        "the cat sat on the mat and the cat ate the rat and the rat sat on the cat and the dog ran",
        3,
        12,
    ),
    ("a b", 1, 5),
]
