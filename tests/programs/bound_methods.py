"""Methods of lists, dicts, sets and strings as values: `push = stack.append`."""


def reverse_polish(text):
    stack = []
    push, pop = stack.append, stack.pop
    for word in text.split():
        if word.isdigit():
            push(int(word))
        else:
            b, a = pop(), pop()
            push(a + b if word == "+" else a * b if word == "*" else a - b)
    return stack


def primes(n):
    found, seen = [], set()
    note, add = found.append, seen.add
    for k in range(2, n):
        if k in seen:
            continue
        note(k)
        for multiple in range(k * k, n, k):
            add(multiple)
    return found, len(seen)


def walked(tree, visit):
    for child in tree:
        if isinstance(child, tuple):
            walked(child, visit)
        else:
            visit(child)


def leaves(tree):
    out = []
    walked(tree, out.append)
    return out


def looked_up(words, extra):
    table = {"one": 1, "two": 2}
    table[extra] = 3
    find = table.get
    return [find(w) for w in words], [find(w, -1) for w in words], list(map(table.get, words))


def by_name(text):
    stack = [1]
    actions = {"push": stack.append, "drop": stack.remove}
    for number, word in enumerate(text.split()):
        if word == "drop":
            actions[word](stack[-1])
        else:
            actions["push"](number)
    return stack


class Log:
    def __init__(self):
        self.lines = []
        self.emit = self.lines.append

    def run(self, n):
        for k in range(n):
            self.emit(f"line {k}")
        return self


def logged(n):
    log = Log().run(n)
    return log.lines


def chosen(n):
    low, high = [], []
    for k in range(n):
        put = low.append if k * 2 < n else high.append
        put(k)
    return low, high


def collected(n):
    out = []

    def emit(k, put=out.append):
        if k % 2:
            put(k)

    for k in range(n):
        emit(k)
    return out


def of_callers(items, table):
    add, put = items.append, table.setdefault
    for k in range(3):
        add(k)
        put(str(k), k)
    return items, table


def of_text(words, sep):
    join, starts = sep.join, words[0].startswith
    upper = words[-1].upper
    return join(words), starts("a"), starts(("x", "b")), upper()


def ordered(n):
    items = [(k * 7) % 5 for k in range(n)]
    arrange, copy, count = items.sort, items.copy, items.count
    before = copy()
    arrange(key=lambda v: -v)
    return before, items, count(2), items.index(0)


def too_many(n):
    stack = [n]
    pop = stack.pop
    pop()
    try:
        pop()
    except IndexError as error:
        return str(error)


def missing(n):
    table = {}
    table[n] = 1
    take = table.pop
    try:
        take(n), take(n)
    except KeyError as error:
        return repr(error)


class Scaled:
    def __init__(self, factor):
        self.factor = factor

    def of(self, x, /, y=2, *, plus=1):
        return self.factor * x * y + plus


def keywords_behind_positional_only(n):
    of = Scaled(n).of
    return of(3, plus=5), of(1, y=3), of(2)


CASES = [
    (keywords_behind_positional_only, (4,)),
    *((reverse_polish, (text,)) for text in ("1 2 + 3 *", "4", "9 5 - 2 * 7 +")),
    *((primes, (n,)) for n in (2, 30)),
    (leaves, ((1, (2, (3, 4)), 5),)),
    *((looked_up, (["one", "three", "x"], extra)) for extra in ("three", "x")),
    *((by_name, (text,)) for text in ("push push drop push", "", "drop")),
    *((f, (n,)) for f in (logged, chosen, collected, ordered) for n in (3, 6)),
    (of_callers, ([7], {"1": 5})),
    *((of_text, (words, ", ")) for words in (["ab", "c"], ["b"])),
    (too_many, (3,)),
    (missing, (3,)),
]
