"""Statement parsing with regular expressions, categories by rules, monthly report with f-strings."""

import re
from collections import Counter, defaultdict
from enum import Enum
from itertools import accumulate, groupby
from operator import attrgetter, itemgetter
from statistics import mean, median, pstdev
from typing import NamedTuple

LINE = re.compile(r"^(\d{4})-(\d\d)-(\d\d)\s+([+-]?\d+(?:\.\d{1,2})?)\s+(.*?)(?:\s+#(\w+))?$")


class Category(str, Enum):
    FOOD = "food"
    RENT = "rent"
    PAY = "pay"
    OTHER = "other"


RULES = [
    (re.compile(r"market|bakery|pizza", re.I), Category.FOOD),
    (re.compile(r"\brent\b", re.I), Category.RENT),
    (re.compile(r"salary|wage"), Category.PAY),
]


class Entry(NamedTuple):
    month: str
    day: int
    amount: float
    text: str
    tag: str | None

    @property
    def category(self):
        for rx, cat in RULES:
            if rx.search(self.text):
                return cat
        return Category.OTHER

    def signed(self) -> str:
        return f"{self.amount:+.2f}"


class BadLine(ValueError):
    def __init__(self, number, line):
        self.number = number
        self.line = line
        super().__init__(f"line {number}: {line[:12]!r}...")


def parse(text, strict=False):
    bad = []
    out = []
    for no, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith(";"):
            continue
        m = LINE.match(line)
        if m is None:
            if strict:
                raise BadLine(no, line)
            bad.append(no)
            continue
        y, mo, d, amount, desc, tag = m.groups()
        if not 1 <= int(mo) <= 12:
            bad.append(no)
            continue
        out.append(Entry(f"{y}-{mo}", int(d), float(amount), desc, tag))
    return out, bad


def report(entries):
    entries = sorted(entries, key=attrgetter("month", "day"))
    for month, group in groupby(entries, key=attrgetter("month")):
        items = list(group)
        income = sum(e.amount for e in items if e.amount > 0)
        spent = -sum(e.amount for e in items if e.amount < 0)
        ratio = spent / income if income else float("inf")
        yield month, len(items), income, spent, ratio


def main(text):
    entries, bad = parse(text)
    lines = []
    for month, n, inc, spent, ratio in report(entries):
        lines.append(f"{month:<8}{n:>3}{inc:>12,.2f}{spent:>12,.2f}{ratio:>8.1%}")
    print("\n".join(lines))
    by_cat = defaultdict(list)
    for e in entries:
        by_cat[e.category.value].append(e.amount)
    stats = {
        k: (len(v), round(mean(v), 4), median(v), round(pstdev(v), 4))
        for k, v in sorted(by_cat.items())
    }
    tags = Counter(e.tag for e in entries if e.tag)
    balance = list(accumulate((e.amount for e in entries), initial=100.0))
    try:
        parse(text, strict=True)
    except BadLine as e:
        err = (e.number, str(e))
    worst = min(entries, key=itemgetter(2))
    masked = re.sub(r"\d(?=\d{2})", "*", "card 12345678 ok")
    return (
        stats,
        bad,
        tags.most_common(),
        [round(b, 2) for b in balance],
        err,
        worst.signed(),
        worst.text,
        masked,
        min(balance) < 0,
        re.split(r"[;,]\s*", "a; b,c"),
    )


ARGS = [
    (
        """; account 1
2023-01-03 2500.00 salary Initech
2023-01-05 -850 Rent January #home
2023-01-09 -45.30 Super Market   #weekly
2023-02-01 -12.5 pizza place #fun
garbage here
2023-02-03 2500 salary Initech
2023-13-01 5 bad month
2023-02-04 -850.00 rent Feb #home
2023-02-17 -60 cinema and dinner #fun
2023-03-02 -3.20 Bakery
""",
    )
]
