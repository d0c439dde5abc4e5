"""Boggle/word ladder/word search games on strings."""

from collections import defaultdict, deque
from itertools import combinations, product
from string import ascii_lowercase


class Board:
    DIRS = [(dr, dc) for dr, dc in product((-1, 0, 1), repeat=2) if (dr, dc) != (0, 0)]

    def __init__(self, rows):
        self.rows = [r.lower() for r in rows]
        self.h, self.w = len(rows), len(rows[0])
        if any(len(r) != self.w for r in rows):
            raise ValueError("ragged board")

    def __getitem__(self, pos):
        r, c = pos
        return self.rows[r][c]

    def neighbours(self, r, c):
        for dr, dc in self.DIRS:
            if 0 <= r + dr < self.h and 0 <= c + dc < self.w:
                yield r + dr, c + dc

    def boggle(self, words):
        prefixes = {w[:i] for w in words for i in range(1, len(w) + 1)}
        targets, found = set(words), {}

        def dfs(pos, path, seen):
            if path in targets and path not in found:
                found[path] = list(seen)
            for n in self.neighbours(*pos):
                if n not in seen and path + self[n] in prefixes:
                    seen.append(n)
                    dfs(n, path + self[n], seen)
                    seen.pop()

        for pos in product(range(self.h), range(self.w)):
            if self[pos] in prefixes:
                dfs(pos, self[pos], [pos])
        return found

    def straight(self, word):
        for (r, c), (dr, dc) in product(product(range(self.h), range(self.w)), self.DIRS):
            for k, ch in enumerate(word):
                y, x = r + k * dr, c + k * dc
                if not (0 <= y < self.h and 0 <= x < self.w) or self[y, x] != ch:
                    break
            else:
                return r, c, dr, dc
        return None

    def columns(self):
        return ["".join(col) for col in zip(*self.rows)]


def ladder(start, goal, words):
    words = set(words) | {goal}
    prev = {start: None}
    q = deque([start])
    while q:
        w = q.popleft()
        if w == goal:
            path = []
            while w is not None:
                path.append(w)
                w = prev[w]
            return path[::-1]
        for i, ch in product(range(len(w)), ascii_lowercase):
            n = f"{w[:i]}{ch}{w[i + 1 :]}"
            if n in words and n not in prev:
                prev[n] = w
                q.append(n)
    return []


def anagrams(words):
    groups = defaultdict(list)
    for w in words:
        groups["".join(sorted(w))].append(w)
    return [sorted(g) for g in groups.values() if len(g) > 1]


def hangman(word, guesses, lives=3):
    shown = ["_"] * len(word)
    for n, g in enumerate(guesses, start=1):
        hits = [i for i, c in enumerate(word) if c == g]
        if not hits:
            lives -= 1
            if not lives:
                return "lost", n, "".join(shown)
        for i in hits:
            shown[i] = g
        if "_" not in shown:
            return "won", n, word
    return "open", len(guesses), "".join(shown)


def isograms(words):
    return [w for w in words if not any(a == b for a, b in combinations(w, 2))]


def main(rows, words):
    b = Board(rows)
    found = b.boggle(words)
    for w, path in sorted(found.items(), key=lambda kv: (-len(kv[0]), kv[0])):
        print(f"{w:>8}: {'-'.join(f'{r}{c}' for r, c in path)}")
    lines = {w: b.straight(w) for w in words if b.straight(w)}
    try:
        Board(["abc", "de"])
    except ValueError as e:
        err = str(e)
    return (
        sorted(found),
        lines,
        ladder("cold", "warm", ["cord", "card", "ward", "word", "worm", "corm"]),
        anagrams(words),
        [hangman("jazz", g) for g in ("aeiou", "zaj", "xzyqj")],
        isograms(words),
        b.columns(),
        err,
    )


ARGS = [
    (
        ["CATS", "RODE", "BLTA", "OWER"],
        [
            "cat",
            "cats",
            "act",
            "road",
            "bolt",
            "tea",
            "eat",
            "rode",
            "tower",
            "blow",
            "water",
            "owl",
            "dots",
        ],
    )
]
