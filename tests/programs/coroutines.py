"""Generators that are sent values: send(), close(), and `yield` in expressions."""


def average():
    total = count = 0
    mean = None
    while True:
        value = yield mean
        total += value
        count += 1
        mean = total / count


def averages(x):
    avg = average()
    next(avg)
    found = [round(avg.send(v), 2) for v in x]
    avg.close()
    return found


def doubled(n):
    x = 0
    while x is not None and x < n:
        x = yield x * 2


def until_it_returns(x):
    g = doubled(10)
    found = [next(g)]
    try:
        for v in x:
            found.append(g.send(v))
    except StopIteration:
        found.append(-1)
    return found


def summed():
    total = 0
    while True:
        total += yield total


def by_augmented_assignment(x):
    s = summed()
    s.send(None)
    for v in x:
        total = s.send(v)
    return total


def collected():
    got = []
    for k in range(3):
        got.append((yield k))
    yield got


def as_an_argument(x):
    g = collected()
    next(g)
    g.send(x[0])
    g.send(x[1])
    return g.send(x[2])


def two(n):
    first = yield
    second = yield first
    yield first + second + n


def in_turn(x):
    g = two(5)
    next(g)
    return g.send(x[0]), g.send(x[1])


def sent_before_it_started(x):
    g = two(5)
    return g.send(x[0])


def plain(n):
    yield from range(n)


def of_one_that_does_not_receive(x):
    g = plain(3)
    next(g)
    second = g.send(None)
    g.close()
    return second, next(g, "end")


def commanded(n):
    while True:
        command = yield n
        if command == "stop":
            return
        n += len(command)


def texts(x):
    g = commanded(1)
    next(g)
    found = [g.send("ab"), g.send("cde")]
    try:
        g.send("stop")
    except StopIteration:
        found.append(-1)
    return found, x


def stepping(n):
    step = 1
    while n < 20:
        got = yield n
        if got is not None:
            step = got
        n += step


def now_and_then(x):
    g = stepping(0)
    found = [next(g), next(g), g.send(x[0]), next(g), next(g)]
    for v in g:
        found.append(v)
    return found


def in_loops(x):
    return list(stepping(15)), [v for v in two(1) if v is None], [str(v) for v in collected()], x


def inner(x):
    def accumulated(start):
        total = start
        while True:
            v = yield total
            if v is None:
                break
            total += v

    g = accumulated(10)
    next(g)
    return [g.send(v) for v in x], [v for v in accumulated(1)]


def after_close(x):
    g = average()
    next(g)
    g.send(x[0])
    g.close()
    try:
        g.send(2)
    except StopIteration:
        return "stopped"


def priced(close):
    send = 0
    while send < 3:
        close += yield close
        send += 1


def names_of_methods_as_variables(x):
    g = priced(1)
    next(g)
    found = g.send(x[0]), g.send(x[1])
    g.close()
    return found


class Socket:
    def __init__(self):
        self.total, self.is_open = 0, True

    def send(self, v):
        self.total += v
        return self.total

    def close(self):
        self.is_open = False


def of_another_class(x):
    s = Socket()
    s.send(x[0])
    s.send(x[1])
    s.close()
    return s.total, s.is_open


class Holder:
    def __init__(self):
        self.total = 1


def of_an_attribute(holder):
    while True:
        holder.total = (yield holder.total) + holder.total


def attribute_read_afterwards(x):
    holder = Holder()
    g = of_an_attribute(holder)
    next(g)
    holder.total = 10
    return g.send(x[0]), holder.total


CASES = [
    (function, ([3, 4, 8],))
    for function in (
        averages, until_it_returns, by_augmented_assignment, as_an_argument, in_turn,
        sent_before_it_started, of_one_that_does_not_receive, texts, now_and_then, in_loops, inner,
        after_close, names_of_methods_as_variables, of_another_class, attribute_read_afterwards,
    )
]  # fmt: skip
