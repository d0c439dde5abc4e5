"""Norvig-style spelling corrector trained on a short text."""

import re
from collections import Counter
from string import ascii_lowercase

CORPUS = """
It was the best of times, it was the worst of times, it was the age of wisdom,
it was the age of foolishness, it was the epoch of belief, it was the epoch of
incredulity, it was the season of Light, it was the season of Darkness, it was
the spring of hope, it was the winter of despair, we had everything before us,
we had nothing before us, we were all going direct to Heaven, we were all going
direct the other way. There were a king with a large jaw and a queen with a
plain face, on the throne of England; there were a king with a large jaw and a
queen with a fair face, on the throne of France. Spelling is hard and correct
spelling is harder; nobody writes without a mistake in the beginning.
"""


def words(text):
    return re.findall(r"[a-z']+", text.lower())


class SpellChecker:
    def __init__(self, corpus):
        self.counts = Counter(words(corpus))
        self.total = sum(self.counts.values())
        self.lookups = 0

    def probability(self, word):
        return self.counts[word] / self.total

    def known(self, candidates):
        self.lookups += 1
        return {w for w in candidates if w in self.counts}

    @staticmethod
    def edits1(word):
        splits = [(word[:i], word[i:]) for i in range(len(word) + 1)]
        deletes = [a + b[1:] for a, b in splits if b]
        swaps = [a + b[1] + b[0] + b[2:] for a, b in splits if len(b) > 1]
        replaces = [a + c + b[1:] for a, b in splits if b for c in ascii_lowercase]
        inserts = [a + c + b for a, b in splits for c in ascii_lowercase]
        return set(deletes + swaps + replaces + inserts)

    def edits2(self, word):
        # only keep those we know, otherwise this set is huge
        return {e2 for e1 in self.edits1(word) for e2 in self.edits1(e1) if e2 in self.counts}

    def candidates(self, word):
        return (
            self.known([word])
            or self.known(self.edits1(word))
            or (self.edits2(word) if len(word) < 9 else set())
            or {word}
        )

    def correct(self, word):
        return max(sorted(self.candidates(word)), key=self.probability)

    def fix_text(self, text):
        changes = {}

        def repl(match):
            w = match.group()
            fixed = self.correct(w.lower())
            if w.isupper():
                fixed = fixed.upper()
            elif w[0].isupper():
                fixed = fixed.capitalize()
            if fixed != w:
                changes[w] = fixed
            return fixed

        return re.sub(r"[A-Za-z']+", repl, text), changes


def main(text):
    checker = SpellChecker(CORPUS)
    fixed, changes = checker.fix_text(text)
    unknown = [w for w in words(fixed) if w not in checker.counts]
    suggestions = {}
    for w in changes:
        options = sorted(checker.candidates(w.lower()), key=lambda c: (-checker.counts[c], c))
        suggestions[w] = options[:3]
    print("before:", text)
    print("after: ", fixed)
    return {
        "fixed": fixed,
        "changes": changes,
        "suggestions": suggestions,
        "unknown": unknown,
        "vocabulary": len(checker.counts),
        "common": checker.counts.most_common(4),
        "edits": len(checker.edits1("king")),
        "lookups": checker.lookups,
    }


ARGS = [
    ("Teh kinf and the queeen",),
    ("Speling is hrd, nobdy WRITTES wihtout a mistaek!",),
    ("Zebras like the sesaon of lihgt.",),
]
