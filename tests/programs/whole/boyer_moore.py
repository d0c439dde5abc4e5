"""Several exact string matching algorithms, cross-checked against each other."""


class Pattern:
    def __init__(self, text):
        if not text:
            raise ValueError("empty pattern")
        self.text = text
        self.comparisons = 0

    def __len__(self):
        return len(self.text)

    def __getitem__(self, i):
        return self.text[i]

    def same(self, ch, i):
        self.comparisons += 1
        return ch == self.text[i]


def naive(haystack, pattern):
    m = len(pattern)
    for i in range(len(haystack) - m + 1):
        for j in range(m):
            if not pattern.same(haystack[i + j], j):
                break
        else:
            yield i


def failure_function(p):
    fail = [0] * len(p)
    k = 0
    for i in range(1, len(p)):
        while k and p[i] != p[k]:
            k = fail[k - 1]
        if p[i] == p[k]:
            k += 1
        fail[i] = k
    return fail


def kmp(haystack, pattern):
    fail = failure_function(pattern)
    k = 0
    for i, ch in enumerate(haystack):
        while k and not pattern.same(ch, k):
            k = fail[k - 1]
        if pattern.same(ch, k):
            k += 1
        if k == len(pattern):
            yield i - k + 1
            k = fail[k - 1]


def good_suffix_table(p):
    m = len(p)
    shift = [0] * (m + 1)
    border = [0] * (m + 1)
    i, j = m, m + 1
    border[i] = j
    while i > 0:
        while j <= m and p[i - 1] != p[j - 1]:
            if shift[j] == 0:
                shift[j] = j - i
            j = border[j]
        i -= 1
        j -= 1
        border[i] = j
    j = border[0]
    for i in range(m + 1):
        if shift[i] == 0:
            shift[i] = j
        if i == j:
            j = border[j]
    return shift


def boyer_moore(haystack, pattern):
    last = {ch: i for i, ch in enumerate(pattern.text)}
    shift = good_suffix_table(pattern)
    m, n = len(pattern), len(haystack)
    s = 0
    while s <= n - m:
        j = m - 1
        while j >= 0 and pattern.same(haystack[s + j], j):
            j -= 1
        if j < 0:
            yield s
            s += shift[0]
        else:
            bad = j - last.get(haystack[s + j], -1)
            s += max(shift[j + 1], bad)


def builtin(haystack, pattern):
    at = haystack.find(pattern.text)
    while at != -1:
        yield at
        at = haystack.find(pattern.text, at + 1)


ALGORITHMS = {"naive": naive, "kmp": kmp, "boyer-moore": boyer_moore, "str.find": builtin}


def highlight(text, positions, width):
    covered = set()
    for p in positions:
        covered.update(range(p, p + width))
    return "".join(c.upper() if i in covered else c for i, c in enumerate(text))


def main(haystack, needles):
    report = {}
    for needle in needles:
        results = {}
        for name, fn in ALGORITHMS.items():
            pattern = Pattern(needle)
            found = list(fn(haystack, pattern))
            results[name] = (found, pattern.comparisons)
        answers = {tuple(found) for found, _ in results.values()}
        assert len(answers) == 1, f"disagreement on {needle!r}"
        positions = list(answers.pop())
        cheapest = min((n for n in results if n != "str.find"), key=lambda n: results[n][1])
        print(f"{needle!r}: {len(positions)} hit(s), cheapest is {cheapest}")
        print("   ", highlight(haystack, positions, len(needle)))
        report[needle] = {n: c for n, (_, c) in results.items()}
    return report


ARGS = [
    ("the cat sat on the mat with the other cat", ["cat", "the", "at", "dog"]),
    ("abababacabababacababa", ["aba", "acab", "bab"]),
]
