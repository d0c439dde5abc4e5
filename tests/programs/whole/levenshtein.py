from functools import lru_cache


def levenshtein(a, b):
    if len(a) < len(b):
        a, b = b, a
    prev = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        cur = [i]
        for j, cb in enumerate(b, 1):
            cur.append(min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + (ca != cb)))
        prev = cur
    return prev[-1]


def recursive(a, b):
    @lru_cache(None)
    def d(i, j):
        if i == 0 or j == 0:
            return i + j
        return min(d(i - 1, j) + 1, d(i, j - 1) + 1, d(i - 1, j - 1) + (a[i - 1] != b[j - 1]))

    return d(len(a), len(b))


def suggest(word, dictionary, limit=2):
    scored = [(levenshtein(word, w), w) for w in dictionary]
    return [w for dist, w in sorted(scored) if dist <= limit]


def main(words, dictionary):
    out = {}
    for w in words:
        out[w] = suggest(w, dictionary)
        print(f"{w}: {' / '.join(out[w]) if out[w] else 'no suggestion'}")
    assert recursive("kitten", "sitting") == levenshtein("kitten", "sitting") == 3
    return out


ARGS = [
    (
        ["speling", "korrect", "zzzzzzzz"],
        ["spelling", "correct", "select", "spewing", "corrupt", "direct"],
    ),
    (["a"], ["b", "ab", "abc", "abcd"]),
]
