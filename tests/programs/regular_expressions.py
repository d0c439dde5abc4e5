"""The module re: patterns from outside and made inside, matches, replacements, lexers."""

import re

PAIR = re.compile(r"(?P<key>\w+)=(?P<value>\d+)?")
WORD = re.compile(r"\w+")
RULES = [
    ("num", re.compile(r"\d+")),
    ("id", re.compile(r"[a-z]\w*")),
    ("op", re.compile(r"[-+*/]")),
]
BY_NAME = {"A": re.compile("a+"), "B": re.compile("b+")}
ANY = re.compile("|".join(f"(?P<{name}>{rule.pattern})" for name, rule in RULES))


class Finder:
    ours = re.compile("a+")

    def __init__(self, text):
        self.own = re.compile(text)
        self.others = [re.compile("b+"), re.compile("c")]

    def found(self, s):
        return bool(self.ours.match(s)), bool(self.own.match(s)), bool(self.others[0].search(s))


def of_a_match(s):
    m = PAIR.search(s)
    if m:
        return (
            (
                m.group(1),
                m["value"],
                m.groups(),
                m.groups("none"),
                m.groupdict(),
                m.group(2, "key"),
            ),
            (m.start(), m.end(2), m.span("key"), m.regs, m.pos, m.endpos),
            (m.lastindex, m.lastgroup, m.string, m.re, m.expand(r"\2-\1"), repr(m), str(m)),
        )
    return m


def truth(s):
    m = re.search("x", s)
    return m.group() if m else "none", bool(m), not m, m is None, isinstance(m, re.Match), m


def lexed(s):
    return [(m.lastgroup, m.group(), m.start()) for m in ANY.finditer(s)]


def lexed_by_rules(s):
    found, pos = [], 0
    while pos < len(s):
        for name, rule in RULES:
            if m := rule.match(s, pos):
                found.append((name, m.group()))
                pos = m.end()
                break
        else:
            pos += 1
    return found


class Lexer:
    RE = re.compile(
        r"(?P<NUM>\d+(\.\d*)?)|(?P<ID>[A-Za-z_]\w*)|(?P<SKIP>\s+)|(?P<OP>[-+*/=()])|(?P<BAD>.)"
    )

    def __init__(self, text):
        self.text = text

    def tokens(self):
        for m in self.RE.finditer(self.text):
            kind = m.lastgroup
            value = m.group()
            if kind == "SKIP":
                continue
            if kind == "BAD":
                raise SyntaxError(f"unexpected {value!r} at {m.start()}")
            if kind == "NUM":
                yield kind, float(value) if "." in value else int(value)
            else:
                yield kind, value


def tokens(s):
    return list(Lexer(s).tokens())


def all_found(s):
    return (
        re.findall(r"\w+", s),
        re.findall(r"(\w)=", s),
        re.findall(r"(\w)=(\w)?", s),
        WORD.findall(s, 2),
        WORD.findall(s, 1, 3),
        [m.span() for m in WORD.finditer(s, 1, 4)],
    )


def parts(s):
    return (
        re.split(r"\s+", s),
        re.split(r"(=)|\s", s),
        re.split("=", s, maxsplit=1),
        WORD.split(s),
        re.split("x*", s),
    )


def replaced(s):
    return (
        re.sub(r"\d", "#", s),
        re.subn(r"(\w)=", r"<\1>", s, count=1),
        re.sub("x*", "-", s),
        re.sub(r"(?P<a>\w)(\d)", r"\g<a>-\2\n", s),
        re.sub(r"\w+", lambda m: m.group().upper(), s),
        WORD.subn(lambda m: None if m.start() == 0 else f"[{m[0]}]", s),
        re.sub("(a)|b", r"[\1]", s),
    )


def replaced_by_a_closure(s):
    count = [0]

    def numbered(m):
        count[0] += 1
        return f"{m.group(0)}{count[0]}"

    return re.sub(r"[a-z]+", numbered, s), count


def limited(s, n):
    return (
        re.split("(-)", s, maxsplit=n),
        re.sub("-", "+", s, count=n),
        re.subn("-", lambda m: "", s, count=n),
    )


def until_nothing_changes(s):
    while (after := re.sub(r"\(([^()]*)\)", r"\1", s)) != s:
        s = after
    return s


def flags(s):
    verbose = re.compile(
        r"""
        (\d+)   # how many
        \s*
        ([a-z]+) # of what
        """,
        re.VERBOSE | re.I,
    )
    return [(int(n), unit) for n, unit in verbose.findall(s)], verbose.flags, re.match("A", s, re.I)


def patterns(s):
    again = re.compile(PAIR.pattern)
    return (
        (
            PAIR,
            again == PAIR,
            hash(again) == hash(PAIR),
            {PAIR: s}[again],
            isinstance(PAIR, re.Pattern),
        ),
        (PAIR.groups, PAIR.pattern, PAIR.flags, repr(PAIR), re.escape(s)),
    )


def from_containers(s):
    return [name for name, one in BY_NAME.items() if one.match(s)], BY_NAME["A"].fullmatch(s)


def given(p, s, default=WORD):
    return p.match(s), p.findall(s), p.split(s), default.search(s), re.sub(p, "-", s)


def of_an_object(finder, s):
    return finder.found(s), finder.others[1].findall(s), Finder("z").found(s)


def imported_inside(s):
    import re as expressions
    from re import IGNORECASE, match

    return match("A+", s, IGNORECASE), expressions.fullmatch("a+", s)


def as_values(s):
    found = list(map(re.escape, s.split()))
    search = re.search
    return (
        found,
        sum(1 for _ in re.finditer("a", s)),
        any(re.match("a", w) for w in s.split()),
        search("c", s),
    )


def taken_in_turn(s):
    found = re.finditer(r"\w+", s)
    first = next(found)
    return first.group(), [m.group() for m in found], next(found, None)


def kept(s):
    found = list(re.finditer(r"(?P<k>\w)(?P<v>\d)?", s))
    return len(found), [m["k"] for m in found], found[0].groupdict(), found[-1].groups(), found


def text_of_a_pattern(n, s):
    m = re.match("(?P<x>" + "a" * n + ")(?P<y>.)", s)
    a, b = m.groups()
    p = re.compile("(" + "a" * n + ")(b)?")
    return (a, b, m["x"], m.groupdict(), m.lastgroup, m.regs), (p.findall(s), p.split(s), p.groups)


def plain_text_of_a_pattern(n, s):
    p = re.compile("a" * n)
    return p.findall(s), [len(x) for x in p.findall(s)], p.sub("x", s), p.sub(lambda m: "<>", s)


def any_of(words, s):
    p = re.compile("|".join(map(re.escape, words)), re.I)
    return p.findall(s), [m.span() for m in p.finditer(s)], p.sub("*", s)


def settings(lines):
    found = {}
    for line in lines:
        if not (m := re.match(r"(\w+)\s*=\s*(.*)", line)):
            continue
        key, value = m.groups()
        found[key] = value
    return found


def record(s):
    m = PAIR.match(s)
    if m is None:
        raise ValueError(f"bad {s!r}")
    rec = m.groupdict()
    rec["value"] = int(rec["value"])
    return rec


def counted(s):
    counts = {}
    for word in re.findall(r"[a-z']+", s.lower()):
        counts[word] = counts.get(word, 0) + 1
    return counts, dict(re.findall(r"(\w)=(\w)", s))


def date(s):
    m = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", s)
    if m is None:
        return None
    year, month, day = (int(x) for x in m.groups())
    return year * 10000 + month * 100 + day


def of_other_characters(s):
    return (
        re.compile("é+").findall(s),
        re.findall(r"\w+", s),
        re.search("ñ", s),
        re.sub("é", "\U0001f600", s),
    )


def compiled(s):
    try:
        return re.compile(s)
    except re.error as e:
        return "no pattern: " + str(e)


def no_pattern(s):
    return re.sub("(", "", s)


def no_such_group(s):
    return re.sub("(a)", r"\2", s)


def group_of_name(s):
    return re.match("a", s)["zz"]


def group_of_number(s, n):
    return re.match("(a)", s).group(n), re.match("(a)", s).span(n)


def not_text(s):
    return re.match("a", s)


def flags_of_a_pattern(s):
    return re.match(PAIR, s, re.I)


def of_nothing(s):
    return re.match("b", s).group()


CASES = [
    *((of_a_match, (s,)) for s in ("abc=12", "zz u= 2", "zzz")),
    (truth, ("axb",)),
    (truth, ("ab",)),
    (lexed, ("x1 + 23*y",)),
    (lexed_by_rules, ("x1 + 23*y",)),
    (tokens, ("x = 3.5*(y+2)",)),
    (tokens, ("x ? 1",)),
    *((f, ("a=b c1 d=",)) for f in (all_found, parts, replaced)),
    (replaced_by_a_closure, ("ab cd1",)),
    *((limited, ("a-b-c", n)) for n in (0, 1, 5, -1)),
    (until_nothing_changes, ("((a)b(c))",)),
    (flags, ("12 km 3M",)),
    (flags, ("a",)),
    (patterns, ("a+b",)),
    (from_containers, ("aa",)),
    (given, (PAIR, "k=1 l=")),
    (given, (re.compile("k"), "k=1 l=")),
    (given, (re.compile(" "), "k=1 l=")),
    (of_an_object, (Finder("b"), "ab c")),
    (of_an_object, (Finder("a+"), "ab c")),
    (imported_inside, ("aAa",)),
    (as_values, ("a.b ca",)),
    (taken_in_turn, ("ab cd ef",)),
    (kept, ("a1b2c",)),
    (text_of_a_pattern, (1, "aab")),
    (text_of_a_pattern, (2, "aab")),
    (plain_text_of_a_pattern, (2, "baab")),
    (any_of, (["a.b", "c"], "A.B c axb")),
    (settings, (["a = 1", "# x", "b=2 3"],)),
    (record, ("ab=12",)),
    (record, ("ab",)),
    (counted, ("It's a dog's life, it's a=b",)),
    (date, ("2024-02-03",)),
    (date, ("x",)),
    (of_other_characters, ("éé ñu",)),
    (compiled, ("a(",)),
    (compiled, ("a+",)),
    (no_pattern, ("a",)),
    (no_such_group, ("a",)),
    (group_of_name, ("a",)),
    *((group_of_number, ("a", n)) for n in (0, 1, 2, -1)),
    (not_text, (None,)),
    (not_text, (1,)),
    (flags_of_a_pattern, ("a",)),
    (of_nothing, ("a",)),
]
