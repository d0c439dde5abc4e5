"""Conditions of `while` that change lists, dicts, objects and class attributes."""


class Counted:
    comparisons = 0

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        Counted.comparisons += 1
        return self.value < other.value


class Source:
    def __init__(self, items):
        self.items = items
        self.at = 0

    def advance(self):
        if self.at >= len(self.items):
            return False
        self.at += 1
        return True

    def now(self):
        return self.items[self.at - 1]


def of_a_class(xs):
    a = [Counted(x) for x in xs]
    Counted.comparisons = 0
    i = 0
    while i + 1 < len(a) and a[i] < a[i + 1]:
        i += 1
    return i, Counted.comparisons


def sorted_by_insertion(xs):
    a = [Counted(x) for x in xs]
    Counted.comparisons = 0
    for i in range(1, len(a)):
        k = i
        while k > 0 and a[k] < a[k - 1]:
            a[k], a[k - 1] = a[k - 1], a[k]
            k -= 1
    return [c.value for c in a], Counted.comparisons


def of_an_object(n):
    source = Source([k * k for k in range(n)])
    total = 0
    while source.advance():
        total += source.now()
    return total, source.at


def popped(n):
    stack = [1, 2, 3]
    count = 0
    while stack.pop() > n:
        count += 1
    return count, stack


def taken(xs, n):
    xs.append(-1)
    kept = []
    while (x := xs.pop(0)) >= 0:
        if x == n:
            continue
        if x > 50:
            kept.append("large")
            break
        kept.append(str(x))
    else:
        kept.append("end")
    return kept, xs


def grows(n):
    seen = {}
    while seen.setdefault(len(seen), n) > len(seen):
        n -= 1
    return seen


def of_a_function(n):
    log = []

    def goes_on(k):
        log.append(k)
        return k < n

    k = 0
    while goes_on(k):
        k += 1
    return log, k


def returns(n):
    stack = list(range(n))
    while stack.pop() != 2:
        if len(stack) == 5:
            return "five", stack
    return "two", stack


def in_a_try(n):
    stack = list(range(n))
    count = 0
    try:
        while stack.pop() >= 0:
            count += 1
    except IndexError as error:
        return count, str(error), stack
    return count, "", stack


def in_a_loop(rows):
    sums = []
    for row in rows:
        total = 0
        while row and row.pop() > total:
            total += 1
        sums.append((total, row))
    return sums


CASES = [
    (of_a_class, ([1, 2, 0],)),
    (of_a_class, ([1, 2, 3],)),
    (sorted_by_insertion, ([3, 1, 2, 5, 4],)),
    (of_an_object, (5,)),
    (of_an_object, (0,)),
    (popped, (1,)),
    (popped, (5,)),
    (popped, (0,)),
    (taken, ([1, 2, 3], 2)),
    (taken, ([1, 99, 3], 2)),
    (grows, (5,)),
    (of_a_function, (4,)),
    (returns, (9,)),
    (returns, (4,)),
    (returns, (1,)),
    (in_a_try, (4,)),
    (in_a_loop, ([[1, 2, 3], [0], []],)),
]
