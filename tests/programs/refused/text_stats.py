"""Text processing: word counts, readability, n-grams, wrap/justify, caesar/vigenere, acrostics."""

import string
from collections import Counter, OrderedDict, defaultdict
from functools import lru_cache
from itertools import groupby, zip_longest

VOWELS = set("aeiouy")
STOP = frozenset("the a an of and to in is it".split())


@lru_cache(maxsize=None)
def syllables(word):
    word = word.lower()
    count = sum(1 for k, _ in groupby(word, key=lambda c: c in VOWELS) if k)
    if word.endswith("e") and count > 1:
        count -= 1
    return max(count, 1)


def words(text):
    table = str.maketrans("", "", string.punctuation)
    return text.translate(table).lower().split()


def sentences(text):
    out, cur = [], []
    for ch in text:
        cur.append(ch)
        if ch in ".!?":
            out.append("".join(cur).strip())
            cur.clear()
    if cur and (rest := "".join(cur).strip()):
        out.append(rest)
    return out


def flesch(text):
    ws, ss = words(text), sentences(text)
    syl = sum(map(syllables, ws))
    return 206.835 - 1.015 * len(ws) / len(ss) - 84.6 * syl / len(ws)


def ngrams(seq, n):
    return zip(*(seq[i:] for i in range(n)))


def justify(text, width):
    lines, line, length = [], [], 0
    for w in text.split():
        if length + len(w) + len(line) > width:
            gaps = max(len(line) - 1, 1)
            for i in range(width - length):
                line[i % gaps] += " "
            lines.append("".join(line))
            line, length = [], 0
        line.append(w)
        length += len(w)
    lines.append(" ".join(line).ljust(width))
    return lines


def vigenere(text, key, decode=False):
    out = []
    k = 0
    for c in text:
        if c.isalpha():
            base = ord("A") if c.isupper() else ord("a")
            shift = ord(key[k % len(key)].lower()) - ord("a")
            k += 1
            out.append(chr((ord(c) - base + (-shift if decode else shift)) % 26 + base))
        else:
            out.append(c)
    return "".join(out)


def columns(*cols, fill="-"):
    width = max(len(str(c)) for col in cols for c in col) + 1
    for row in zip_longest(*cols, fillvalue=fill):
        yield "".join(str(c).center(width) for c in row).rstrip()


def main(text, width, key):
    ws = words(text)
    freq = Counter(w for w in ws if w not in STOP)
    by_len = defaultdict(set)
    for w in ws:
        by_len[len(w)].add(w)
    lens = OrderedDict(sorted((k, sorted(v)) for k, v in by_len.items()))
    lens.move_to_end(min(lens))
    bi = Counter(ngrams(ws, 2)).most_common(3)
    just = justify(text, width)
    enc = vigenere(text, key)
    assert vigenere(enc, key, decode=True) == text
    for row in columns(["word", *freq][:5], list(freq.values())[:3]):
        print(row)
    syllables.cache_clear()
    score = flesch(text)
    info = syllables.cache_info()
    return (
        freq.most_common(5),
        list(lens.items()),
        bi,
        just,
        enc[:40],
        round(score, 3),
        sentences(text)[-1],
        "".join(s[0] for s in sentences(text)),
        (info.hits, info.misses),
        text.swapcase()[:20],
        string.capwords(text[:30]),
    )


ARGS = [
    (
        "It was a bright cold day in April, and the clocks were striking thirteen. Winston Smith slipped quickly through "
        "the glass doors! Was it the glass? The hallway smelt of boiled cabbage and old rag mats. The end",
        34,
        "Lemon",
    )
]
