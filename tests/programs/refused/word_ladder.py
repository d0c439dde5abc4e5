"""Lewis Carroll's word ladder puzzle using wildcard buckets."""

from collections import defaultdict, deque

WORDS = """
cold cord card ward warm word wood food fool foot boot root goat coat boat
cool pool poll pole pale sale tale tall ball bell belt bolt colt told gold
bold bald band land lend lead head heal teal tell tail mail main rain pain
pair fair hair hail sail soil foil foal coal coil wine wind wild mild mind
mine line lone long lung love live give gave game same lame lace face fact
cat cot dog dot cog bat bag big dig fog
ape apt opt oat mat man can
black slack stack stick stink slink blink blank bland brand braid
wheat cheat cheap cheep creep creed breed bread tread treat great
""".split()


class NoLadder(LookupError):
    pass


def build_buckets(words):
    buckets = defaultdict(set)
    for w in words:
        for i in range(len(w)):
            buckets[w[:i] + "*" + w[i + 1 :]].add(w)
    return buckets


class Ladder:
    def __init__(self, words):
        self.words = set(words)
        self.buckets = build_buckets(self.words)

    def neighbours(self, word):
        found = set()
        for i in range(len(word)):
            found |= self.buckets.get(word[:i] + "*" + word[i + 1 :], set())
        return sorted(found - {word})

    def solve(self, start, goal):
        if len(start) != len(goal):
            raise ValueError(f"{start} and {goal} have different lengths")
        for w in (start, goal):
            if w not in self.words:
                raise NoLadder(f"{w} is not in the dictionary")
        parent = {start: None}
        queue = deque([start])
        while queue:
            word = queue.popleft()
            if word == goal:
                path = []
                while word:
                    path.append(word)
                    word = parent[word]
                return path[::-1]
            for n in self.neighbours(word):
                if n not in parent:
                    parent[n] = word
                    queue.append(n)
        raise NoLadder(f"no ladder from {start} to {goal}")

    def all_shortest(self, start, goal):
        """Every shortest ladder, using layered BFS."""
        layer = {start: [[start]]}
        seen = {start}
        while layer and goal not in layer:
            nxt = defaultdict(list)
            for word, paths in layer.items():
                for n in self.neighbours(word):
                    if n not in seen:
                        nxt[n].extend(p + [n] for p in paths)
            seen.update(nxt)
            layer = nxt
        return sorted(layer.get(goal, []))

    def components(self):
        left = set(self.words)
        groups = []
        while left:
            root = min(left)
            todo, comp = [root], {root}
            while todo:
                for n in self.neighbours(todo.pop()):
                    if n not in comp:
                        comp.add(n)
                        todo.append(n)
            groups.append(sorted(comp))
            left -= comp
        groups.sort(key=lambda g: (-len(g), g[0]))
        return groups


def mark(path):
    """Capitalise the letter that changed at every rung."""
    out = [path[0]]
    for a, b in zip(path, path[1:]):
        out.append("".join(y.upper() if x != y else y for x, y in zip(a, b)))
    return out


def main(pairs):
    ladder = Ladder(WORDS)
    results = []
    for start, goal in pairs:
        try:
            path = ladder.solve(start, goal)
        except NoLadder as e:
            results.append(str(e))
        except ValueError as e:
            results.append("ValueError: " + str(e))
        else:
            results.append((mark(path), len(ladder.all_shortest(start, goal))))
        print(f"{start} -> {goal}: {results[-1]}")
    groups = ladder.components()
    hub = max(sorted(ladder.words), key=lambda w: len(ladder.neighbours(w)))
    return results, [len(g) for g in groups], groups[-1], hub, ladder.neighbours(hub)


ARGS = [
    ([("cold", "warm"), ("cat", "dog"), ("head", "tail")],),
    (
        [
            ("black", "braid"),
            ("wheat", "bread"),
            ("ape", "man"),
            ("love", "cat"),
            ("zzzz", "cold"),
            ("gold", "lung"),
        ],
    ),
]
