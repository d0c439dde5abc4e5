"""`with` over classes of the user's."""

import numpy as np


class Timer:
    def __init__(self):
        self.total = 0

    def __enter__(self):
        self.total += 1
        return self

    def __exit__(self, *args):
        self.total += 10


class Swallow:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.log.append(1 if kind is None else 2)
        return kind is not None


class Guard:
    def __init__(self, state):
        self.state = state

    def __enter__(self):
        self.state[0] += 1
        return self.state

    def __exit__(self, kind, value, trace):
        self.state[1] += 1


def with_timer(n):
    t = Timer()
    for i in range(n):
        with t as q:
            q.total += i
    return t.total


def with_plain(n):
    t = Timer()
    with t:
        n += 1
    return t.total, n


def swallow(x, k):
    log = []
    with Swallow(log):
        y = x[k]
    with Swallow(log):
        y = x[0]
    return log, y


def guard_return(state, n):
    for i in range(n):
        with Guard(state) as s:
            if i == 3:
                return s[0]
    return -1.0


def guard_raise(state, n):
    with Guard(state) as s:
        raise ValueError("no")


def guard_break(state, n):
    for i in range(n):
        with Guard(state):
            if i == 2:
                break
            if i == 1:
                continue
            state[0] += 0.5
    return state.copy()


def two(a, b):
    with Guard(a) as x, Guard(b) as y:
        x[0] += y[0]
    return a + b


def err(a):
    with np.errstate(divide="ignore"), Guard(a):
        return 1 / a


class Depth:
    def __init__(self):
        self.depth = 0
        self.events = []

    def __enter__(self):
        self.depth += 1
        self.events.append("in")
        return self

    def __exit__(self, *error):
        self.depth -= 1
        self.events.append("out")
        return False


def entered_twice(x):
    c = Depth()
    try:
        with c as same:
            same.events.append("body")
            with c:
                10 // x
    except ZeroDivisionError:
        c.events.append("caught")
    return c.events, c.depth


def callers_entered_twice(a, b, x):
    with a, b, a:
        return 10 // x


CASES = [
    (with_timer, (5,)),
    (with_plain, (5,)),
    (
        swallow,
        (
            [1.0, 2.0],
            5,
        ),
    ),
    (
        guard_return,
        (
            np.zeros(2),
            5,
        ),
    ),
    (
        guard_raise,
        (
            np.zeros(2),
            5,
        ),
    ),
    (
        guard_break,
        (
            np.zeros(2),
            5,
        ),
    ),
    (
        two,
        (
            np.zeros(2),
            np.zeros(2),
        ),
    ),
    (err, (np.zeros(2),)),
    (entered_twice, (0,)),
    (entered_twice, (2,)),
    (callers_entered_twice, (Depth(), Depth(), 0)),
    (callers_entered_twice, (Depth(), Depth(), 2)),
]
