"""Numbers to English words and back, ordinals, with generators and divmod."""

from typing import Dict, Iterator, List

ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = [None, None, "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SCALES = ["", "thousand", "million", "billion"]
VALUES: Dict[str, int] = {w: i for i, w in enumerate(ONES)}
VALUES.update({w: 10 * i for i, w in enumerate(TENS) if w})
IRREGULAR = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}


class WordError(ValueError):
    pass


def chunks(n: int) -> Iterator[int]:
    while n:
        n, r = divmod(n, 1000)
        yield r


def below_thousand(n: int) -> List[str]:
    words = []
    hundreds, rest = divmod(n, 100)
    if hundreds:
        words += [ONES[hundreds], "hundred"]
        if rest:
            words.append("and")
    if rest >= 20:
        tens, ones = divmod(rest, 10)
        words.append(TENS[tens] + (f"-{ONES[ones]}" if ones else ""))
    elif rest:
        words.append(ONES[rest])
    return words


def to_words(n: int) -> str:
    if n == 0:
        return "zero"
    if n < 0:
        return "minus " + to_words(-n)
    if n >= 10**12:
        raise OverflowError(f"{n} is too large")
    parts = []
    for scale, chunk in zip(SCALES, chunks(n)):
        if chunk:
            parts.append(" ".join(below_thousand(chunk) + ([scale] if scale else [])))
    return ", ".join(reversed(parts))


def from_words(text: str) -> int:
    sign, total, current = 1, 0, 0
    for word in text.replace(",", "").replace("-", " ").split():
        if word == "minus":
            sign = -1
        elif word == "and":
            continue
        elif word in VALUES:
            current += VALUES[word]
        elif word == "hundred":
            current *= 100
        elif word in SCALES:
            total += current * 1000 ** SCALES.index(word)
            current = 0
        else:
            raise WordError(f"what is {word!r}?")
    return sign * (total + current)


def ordinal(n: int) -> str:
    words = to_words(n)
    head, sep, last = words.rpartition("-" if "-" in words.split()[-1] else " ")
    if last in IRREGULAR:
        last = IRREGULAR[last]
    elif last.endswith("y"):
        last = last[:-1] + "ieth"
    else:
        last += "th"
    return head + sep + last


def main(numbers, phrases):
    table = {n: to_words(n) for n in numbers}
    back = [from_words(w) == n for n, w in table.items()]
    results = []
    for p in phrases:
        try:
            results.append(from_words(p))
        except WordError as e:
            results.append(str(e))
    longest = max(range(1, 200), key=lambda n: len(to_words(n)))
    return table, all(back), results, [ordinal(n) for n in (1, 12, 20, 33, 101, 115)], longest


ARGS = [
    (
        [0, 7, 19, 42, 100, 999, 1001, 70013, -1234567, 10**9 + 1],
        ["two hundred and six", "nine million, four", "a dozen"],
    )
]
