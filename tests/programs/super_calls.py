"""super() in classes with several bases, with `*args` and `**kwargs`."""


class Loggable:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.log = []

    def note(self, *xs):
        self.log.extend(xs)


class Timed:
    def __init__(self, *, start=0, **kw):
        super().__init__(**kw)
        self.start = start


class Base:
    def __init__(self, stock=0, **kw):
        super().__init__(**kw)
        self.stock = stock


class Cart(Loggable, Timed, Base):
    def add(self, x):
        self.stock += x
        self.note(x, self.start)
        return self

    def note(self, *xs):
        super().note(*xs)
        super().note(*[x * 2 for x in xs])


def mixed(n):
    c = Cart(stock=n, start=3)
    c.add(3).add(4)
    return c.stock, c.log, c.start


class A:
    def __init__(self, a, b=1):
        self.a, self.b = a, b

    def area(self, *k, scale=1):
        return self.a * self.b * scale + sum(k)


class B(A):
    def __init__(self, *args, extra=0, **kw):
        super().__init__(*args, **kw)
        self.extra = extra

    def area(self, *args, **kw):
        return super().area(*args, **kw) + self.extra


def passed_on(x):
    b = B(x, b=4, extra=2)
    return b.area(), b.area(1, 2), b.area(1, scale=3)


class Root:
    def __init__(self, **kw):
        super().__init__(**kw)


class Leaf(Root):
    def __init__(self, v, **kw):
        super().__init__(**kw)
        self.v = v


def to_object(v):
    return Leaf(v).v


def too_many(v):
    return Leaf(v, w=3).v


class P2:
    def __init__(self):
        super().__init__()
        self.k = 1


class Q2(P2):
    def __init__(self, n):
        super().__init__()
        self.n = n


def without_arguments(n):
    q = Q2(n)
    return q.k, q.n


CASES = [
    (mixed, (5,)),
    (passed_on, (3,)),
    (to_object, (2,)),
    (too_many, (2,)),
    (without_arguments, (4,)),
]
