"""Tiny search engine: inverted index with tf-idf and boolean queries."""

import math
from collections import Counter, defaultdict, namedtuple

Posting = namedtuple("Posting", ["doc", "positions"])
Hit = namedtuple("Hit", "title score snippet")

STOP = frozenset("a an and are as at be by for in is it of on or the to was with".split())

DOCS = {
    "Cats": "The cat is a small domesticated carnivore. A cat can be a house cat or a farm cat.",
    "Dogs": "The dog is a domesticated descendant of the wolf. Dogs and cats are popular pets.",
    "Wolves": "The wolf is a large canine. A pack of wolves hunts in the forest at night.",
    "Python": "Python is a programming language. The name comes from Monty Python, not the snake.",
    "Snakes": "Snakes are elongated carnivorous reptiles. The python is a large snake.",
    "Forest": "A forest is land with trees. Wolves, owls and deer live in the forest.",
}


def stem(word):
    for suffix, repl in (("ves", "f"), ("ies", "y"), ("ing", ""), ("s", "")):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)] + repl
    return word


def terms(text):
    for pos, raw in enumerate(text.split()):
        word = raw.strip(".,!?\"'").lower()
        if word and word not in STOP:
            yield pos, stem(word)


class Index:
    def __init__(self):
        self.docs = {}
        self.postings = defaultdict(list)
        self.norms = {}

    def add(self, title, text):
        self.docs[title] = text
        places = defaultdict(list)
        for pos, term in terms(text):
            places[term].append(pos)
        for term, positions in places.items():
            self.postings[term].append(Posting(title, tuple(positions)))

    def idf(self, term):
        df = len(self.postings.get(term, ()))
        return math.log((1 + len(self.docs)) / (1 + df)) + 1

    def finish(self):
        squares = Counter()
        for term, plist in self.postings.items():
            for p in plist:
                squares[p.doc] += (len(p.positions) * self.idf(term)) ** 2
        self.norms = {d: math.sqrt(s) for d, s in squares.items()}

    def search(self, query, top=3):
        scores = defaultdict(float)
        first = {}
        for _, term in terms(query):
            weight = self.idf(term)
            for doc, positions in self.postings.get(term, []):
                scores[doc] += weight * weight * len(positions)
                first[doc] = min(positions[0], first.get(doc, positions[0]))
        ranked = sorted(scores.items(), key=lambda kv: (-kv[1] / self.norms[kv[0]], kv[0]))
        return [
            Hit(d, round(s / self.norms[d], 4), self.snippet(d, first[d])) for d, s in ranked[:top]
        ]

    def snippet(self, doc, pos, width=3):
        ws = self.docs[doc].split()
        lo, hi = max(0, pos - width), min(len(ws), pos + width + 1)
        out = [f"[{w}]" if i == pos else w for i, w in enumerate(ws[lo:hi], lo)]
        return ("... " if lo else "") + " ".join(out) + (" ..." if hi < len(ws) else "")

    def boolean(self, query):
        """'a AND b', 'a OR b', 'NOT a', evaluated left to right."""
        result, op, negate = None, "OR", False
        for token in query.split():
            if token in ("AND", "OR"):
                op = token
            elif token == "NOT":
                negate = True
            else:
                docs = {p.doc for p in self.postings.get(stem(token.lower()), [])}
                if negate:
                    docs, negate = set(self.docs) - docs, False
                if result is None:
                    result = docs
                else:
                    result = result & docs if op == "AND" else result | docs
        return sorted(result or ())

    def phrase(self, a, b):
        left = {p.doc: set(p.positions) for p in self.postings.get(stem(a), [])}
        return [
            p.doc
            for p in self.postings.get(stem(b), [])
            if any(q - 1 in left.get(p.doc, ()) for q in p.positions)
        ]


def main(queries, bools):
    index = Index()
    for title, text in DOCS.items():
        index.add(title, text)
    index.finish()
    found = {}
    for q in queries:
        hits = index.search(q)
        found[q] = hits
        print(f"== {q}")
        for h in hits:
            print(f"   {h.score:6.3f} {h.title}: {h.snippet}")
    logic = {b: index.boolean(b) for b in bools}
    rare = sorted(t for t, p in index.postings.items() if len(p) >= 2)
    return found, logic, rare, index.phrase("monty", "python"), index.phrase("large", "snake")


ARGS = [
    (
        ["cat", "wolf in the forest", "python"],
        ["wolf AND forest", "NOT domesticated AND carnivore"],
    ),
    (
        ["large snakes", "unicorn", "domesticated wolves"],
        ["cat OR dog", "python AND NOT snake", "nothing"],
    ),
]
