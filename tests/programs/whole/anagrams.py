from collections import defaultdict


def signature(word):
    return "".join(sorted(word.lower()))


def group_anagrams(words):
    groups = defaultdict(list)
    for w in words:
        groups[signature(w)].append(w)
    return [sorted(g) for g in groups.values() if len(g) > 1]


def is_palindrome(s):
    cleaned = [c.lower() for c in s if c.isalnum()]
    return cleaned == cleaned[::-1]


def letter_counts(word):
    counts = [0] * 26
    for ch in word:
        counts[ord(ch) - 97] += 1
    return tuple(counts)


def group_by_counts(words):
    d = {}
    for w in words:
        d.setdefault(letter_counts(w), []).append(w)
    return sorted(d.values(), key=len, reverse=True)


def permutations(s):
    if len(s) <= 1:
        return [s]
    out = []
    for i, ch in enumerate(s):
        for rest in permutations(s[:i] + s[i + 1 :]):
            out.append(ch + rest)
    return out


def main(words, phrase):
    g = group_anagrams(words)
    for grp in g:
        print(", ".join(grp))
    perms = permutations(words[0])
    return g, group_by_counts(words), is_palindrome(phrase), len(perms), perms[:3], len(set(perms))


ARGS = [
    (["eat", "tea", "tan", "ate", "nat", "bat"], "A man, a plan, a canal: Panama"),
    (["noon"], "nope"),
]
