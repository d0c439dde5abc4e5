"""Aho-Corasick multi-pattern search with dict nodes and a deque."""

from collections import Counter, defaultdict, deque


class AhoCorasick:
    def __init__(self, patterns):
        self.goto = [{}]
        self.fail = [0]
        self.output = [set()]
        for index, word in enumerate(patterns):
            self._add(word, index)
        self.patterns = list(patterns)
        self._build()

    def _new(self):
        self.goto.append({})
        self.fail.append(0)
        self.output.append(set())
        return len(self.goto) - 1

    def _add(self, word, index):
        state = 0
        for ch in word:
            nxt = self.goto[state].get(ch)
            if nxt is None:
                nxt = self._new()
                self.goto[state][ch] = nxt
            state = nxt
        self.output[state].add(index)

    def _build(self):
        queue = deque(self.goto[0].values())
        while queue:
            state = queue.popleft()
            for ch, nxt in self.goto[state].items():
                queue.append(nxt)
                f = self.fail[state]
                while f and ch not in self.goto[f]:
                    f = self.fail[f]
                self.fail[nxt] = self.goto[f].get(ch, 0)
                if self.fail[nxt] == nxt:
                    self.fail[nxt] = 0
                self.output[nxt] |= self.output[self.fail[nxt]]

    def finditer(self, text):
        state = 0
        for pos, ch in enumerate(text):
            while state and ch not in self.goto[state]:
                state = self.fail[state]
            state = self.goto[state].get(ch, 0)
            for index in sorted(self.output[state]):
                word = self.patterns[index]
                yield pos - len(word) + 1, word


def main(patterns, text, repeat):
    machine = AhoCorasick(patterns)
    hits = list(machine.finditer(text * repeat))
    counts = Counter(word for _, word in hits)
    places = defaultdict(list)
    for start, word in hits:
        if len(places[word]) < 4:
            places[word].append(start)
    overlap = sum(1 for (a, w), (b, _) in zip(hits, hits[1:]) if b < a + len(w))
    return (len(machine.goto), counts.most_common(3), dict(sorted(places.items())), overlap)


ARGS = [(["he", "she", "his", "hers", "usher", "ers"], "ushershehishersxhe he", 30)]
