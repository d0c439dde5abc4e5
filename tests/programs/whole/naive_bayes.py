"""Naive Bayes text classifier with Laplace smoothing."""

import math
from collections import Counter, defaultdict

TRAINING = [
    ("spam", "win money now click here to claim your free prize"),
    ("spam", "cheap pills free shipping buy now"),
    ("spam", "you are a winner claim free money"),
    ("spam", "limited offer buy cheap watches now"),
    ("ham", "are we still meeting for lunch now or later"),
    ("ham", "please review the attached report before the meeting"),
    ("ham", "lunch was great see you at the office"),
    ("ham", "can you send me the report and the money for lunch"),
    ("news", "the government announced a new budget for schools"),
    ("news", "scientists report a new planet near a cheap small star"),
    ("news", "the team won the final after a great second half"),
]

TEST = [
    ("spam", "claim your cheap prize"),
    ("ham", "see you at lunch"),
    ("news", "new planet announced by the team"),
    ("spam", "free free free report"),
    ("ham", "budget meeting now"),
]


class NotTrained(RuntimeError):
    pass


class NaiveBayes:
    def __init__(self, alpha=1.0, ngrams=1, ignore=()):
        self.alpha = alpha
        self.ngrams = ngrams
        self.ignore = set(ignore)
        self.words = defaultdict(Counter)
        self.docs = Counter()
        self.vocab = set()

    def features(self, text):
        tokens = [t for t in text.lower().split() if t not in self.ignore]
        for n in range(1, self.ngrams + 1):
            for i in range(len(tokens) - n + 1):
                yield " ".join(tokens[i : i + n])

    def train(self, label, text):
        self.docs[label] += 1
        for f in self.features(text):
            self.words[label][f] += 1
            self.vocab.add(f)

    def log_scores(self, text):
        if not self.docs:
            raise NotTrained("call train() first")
        total_docs = sum(self.docs.values())
        scores = {}
        for label, n in self.docs.items():
            score = math.log(n / total_docs)
            denom = sum(self.words[label].values()) + self.alpha * len(self.vocab)
            for f in self.features(text):
                if f in self.vocab:
                    score += math.log((self.words[label][f] + self.alpha) / denom)
            scores[label] = score
        return scores

    def probabilities(self, text):
        scores = self.log_scores(text)
        top = max(scores.values())
        exps = {k: math.exp(v - top) for k, v in scores.items()}
        z = sum(exps.values())
        return {k: v / z for k, v in exps.items()}

    def classify(self, text):
        probs = self.probabilities(text)
        return max(probs, key=probs.get)

    def telling(self, label, n=3):
        """Words that speak most strongly for a label."""

        def ratio(f):
            mine = (self.words[label][f] + self.alpha) / (self.docs[label] + 2 * self.alpha)
            rest = sum(c[f] for lab, c in self.words.items() if lab != label)
            others = sum(self.docs.values()) - self.docs[label]
            return mine / ((rest + self.alpha) / (others + 2 * self.alpha))

        return sorted(self.vocab, key=lambda f: (-ratio(f), f))[:n]


def confusion(model, data):
    table = defaultdict(Counter)
    for label, text in data:
        table[label][model.classify(text)] += 1
    return {k: dict(v) for k, v in table.items()}


def print_table(table, labels):
    print("actual".ljust(8) + "".join(x.rjust(6) for x in labels))
    for row in labels:
        print(row.ljust(8) + "".join(str(table.get(row, {}).get(c, 0)).rjust(6) for c in labels))


def main(alpha, ngrams, messages, ignore=()):
    model = NaiveBayes(alpha, ngrams, ignore)
    try:
        model.classify("hello")
    except NotTrained as e:
        first = f"{type(e).__name__}: {e}"
    for label, text in TRAINING:
        model.train(label, text)
    table = confusion(model, TEST)
    print_table(table, sorted(model.docs))
    correct = sum(table[k].get(k, 0) for k in table)
    answers = []
    for m in messages:
        probs = model.probabilities(m)
        best = model.classify(m)
        answers.append((best, {k: round(p, 6) for k, p in sorted(probs.items())}))
        print(f"{m!r}: {best} ({probs[best]:.1%})")
    return {
        "first": first,
        "table": table,
        "accuracy": correct / len(TEST),
        "answers": answers,
        "vocab": len(model.vocab),
        "telling": {lab: model.telling(lab) for lab in sorted(model.docs)},
    }


ARGS = [
    (1.0, 1, ["free money", "the lunch report", "xyzzy"]),
    (0.5, 2, ["a new report", "claim free money now"], ("a", "the", "for")),
]
