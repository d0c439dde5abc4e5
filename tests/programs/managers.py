"""Functions of contextlib.contextmanager with `yield` in a `try`; recursion in a `try`."""

from contextlib import contextmanager


class State:
    def __init__(self):
        self.x = 1.0
        self.log = []

    @contextmanager
    def saved(self):
        old = self.x
        try:
            yield self
        finally:
            self.x = old


@contextmanager
def section(log, name, *, mark="-"):
    log.append("<" + name + mark)
    try:
        yield len(log)
    except ValueError as e:
        log.append("caught " + str(e))
    else:
        log.append("fine")
    finally:
        log.append(name + ">")


@contextmanager
def plain(log):
    log.append("in")
    yield
    log.append("out")


def restored(n):
    t = State()
    with t.saved() as s:
        s.x += n
        y = t.x
    return y, t.x


def in_a_loop(n):
    log = []
    for i in range(n):
        with section(log, f"s{i}", mark="*") as k:
            if i == 1:
                raise ValueError("one")
            log.append(str(k))
    return log


def an_error_that_is_not_caught(n):
    log = []
    try:
        with section(log, "c"):
            if n > 3:
                raise KeyError("big")
            return log
    except KeyError as e:
        log.append("outer")
    return log


def several(n):
    log = []
    with plain(log), section(log, "x") as k:
        for i in range(n):
            if i == 2:
                break
            log.append("i")
    return log


def left_by_continue(n):
    log = []
    for i in range(n):
        with plain(log):
            if i % 2:
                continue
            log.append(str(i))
    return log


def one_in_another(n):
    log = []
    with section(log, "o"):
        with section(log, "i"):
            raise ValueError("inner")
        log.append("after")
    return log


@contextmanager
def never(n):
    if n > 100:
        yield n


def without_a_yield(n):
    with never(n) as k:
        pass
    return k


@contextmanager
def twice(n):
    yield n
    yield n


def with_two_yields(n):
    with twice(n) as k:
        pass
    return k


@contextmanager
def translate():
    try:
        yield
    except KeyError as e:
        raise ValueError("translated") from e


def another_error(n):
    with translate():
        return {1: 2}[n]


class Canvas:
    def __init__(self):
        self.x = 0.0
        self.seen = []

    @contextmanager
    def excursion(self, step, *, scale=1.0):
        before = self.x
        try:
            self.x += step * scale
            yield self
        finally:
            self.x = before

    def walk(self, n):
        self.seen.append(self.x)
        if n > 0:
            with self.excursion(1.0, scale=2.0):
                self.walk(n - 1)
            with self.excursion(0.5) as here:
                here.seen.append(self.x)


def methods_that_call_themselves(n):
    c = Canvas()
    c.walk(n)
    return c.x, c.seen


class Deep:
    def __init__(self):
        self.x = 0
        self.log = []

    def run(self, n):
        self.x += 1
        if n == 0:
            raise ValueError("bottom")
        try:
            self.run(n - 1)
        except ValueError as e:
            self.x += 100
            if n > 1:
                raise ValueError(str(e) + "!") from e
            self.log.append(str(e))
        finally:
            self.log.append(n)


def recursion_in_a_try(n):
    t = Deep()
    t.run(n)
    return t.x, t.log


class Lock:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("lock")
        return len(self.log)

    def __exit__(self, kind, error, traceback):
        self.log.append("unlock")
        return isinstance(error, ValueError)


def a_variable_that_an_error_leaves_unbound(n):
    log = []
    for i in range(n):
        with Lock(log) as k:
            if i == 1:
                raise ValueError("one")
            log.append(str(k))
    return log


@contextmanager
def transaction(items):
    mark = len(items)
    try:
        yield items
    except KeyError:
        while len(items) > mark:
            items.pop()
        raise
    else:
        items.append(-1)


def rolled_back(n):
    items, errors = [1], []
    for k in range(n):
        try:
            with transaction(items) as t:
                t.append(k)
                if k % 2:
                    raise KeyError(k)
        except KeyError as e:
            errors.append(e.args[0])
    return items, errors


def as_a_value(n):
    log = []
    m = section(log, "s")
    with m as k:
        log.append(str(k * n))
    return log


def raised_again(n):
    error = None
    for i in range(n):
        try:
            if error is not None:
                raise error
            error = KeyError("no", i)
        except KeyError as e:
            return e.args
    return None


CASES = [
    (restored, (2.0,)),
    (in_a_loop, (3,)),
    (an_error_that_is_not_caught, (2,)),
    (an_error_that_is_not_caught, (5,)),
    (several, (4,)),
    (left_by_continue, (4,)),
    (one_in_another, (1,)),
    (without_a_yield, (1,)),
    (without_a_yield, (101,)),
    (with_two_yields, (1,)),
    (another_error, (1,)),
    (another_error, (2,)),
    (methods_that_call_themselves, (3,)),
    (recursion_in_a_try, (3,)),
    (a_variable_that_an_error_leaves_unbound, (3,)),
    (rolled_back, (4,)),
    (as_a_value, (3,)),
    (raised_again, (3,)),
]
