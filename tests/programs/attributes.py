"""Attributes that not every instance has; deleted slices; generators that end too early."""


class Q:
    pass


class W:
    z = 7

    def __init__(self, i):
        if i % 2:
            self.z = i

    def get(self):
        return self.z


class W2:
    def set(self, i):
        self.z = i


def set_on_one_path(n):
    L = []
    for i in range(n):
        p = Q()
        if i % 2:
            p.z = i
        L.append(p)
    return L


def asked_for(n):
    L = set_on_one_path(n)
    return L[1].z, sum([1 for x in L if hasattr(x, "z")]), [getattr(x, "z", -1) for x in L], L[0].z


def class_default(n):
    L = []
    for i in range(n):
        L.append(W(i))
    return [w.z for w in L], [w.get() for w in L], L


def set_by_a_method(n):
    L = []
    for i in range(n):
        L.append(W2())
    L[0].set(4)
    return L[0].z, L[1].z


def set_after_it_is_held(n):
    p = Q()
    L = []
    for i in range(n):
        if i > 0:
            L.append(p)
        if i == 3:
            p.z = 4
    return L, p.z


class N:
    def __init__(self, v):
        self.v = v
        self.d = {}
        self.kids = []


def identity_with_dicts(n):
    z = N(1)
    x, y = z, N(4)
    for i in range(n):
        x, y = y, x
        x.d[i % 3] = 10
    return z, x, y


def deleted_slices(n):
    L = [N(1), N(2), N(3)]
    for i in range(n):
        if len(L) > 12:
            del L[4:]
        L.append(N(i))
    del L[1:3]
    del L[::2]
    return [x.v for x in L]


def deleted_rows(n):
    L = [[i] for i in range(n)]
    L.append([n])
    del L[-2:]
    del L[5:1:-2]
    del L[100:]
    return L


def gen(n):
    for i in range(n):
        if i == 3:
            raise StopIteration
        yield i


def stopped(n):
    return list(gen(n))


def caught(n):
    try:
        L = []
        for i in range(n):
            L.append(W2())
        return L[1].z
    except AttributeError as e:
        return str(e)


class E1:
    def __init__(self, v, reg):
        reg.append(self)
        self.v = v


class E2:
    def __init__(self, v):
        self.a = self.b
        self.b = v


class E3:
    def __init__(self, v):
        self.setup(v)
        self.w = v

    def setup(self, v):
        if v > 1:
            self.u = v


class E4(E3):
    def __init__(self, v):
        self.q = 1
        super().__init__(v)
        self.z = 2


def seen_in_init(n):
    reg = []
    for i in range(n):
        E1(i, reg)
    return [x.v for x in reg], reg


def read_before_it_is_set(n):
    L = []
    for i in range(n):
        L.append(E2(i))
    return L


def set_by_a_helper(n):
    L = []
    for i in range(n):
        L.append(E4(i))
    return [x.q + x.w + x.z for x in L], [hasattr(x, "u") for x in L], L


def not_set_by_a_helper(n):
    L = []
    for i in range(n):
        L.append(E4(i))
    return L[0].u


CASES = [
    (set_on_one_path, (6,)),
    (asked_for, (6,)),
    (class_default, (6,)),
    (set_by_a_method, (3,)),
    (set_after_it_is_held, (2,)),
    (set_after_it_is_held, (5,)),
    (identity_with_dicts, (4,)),
    (deleted_slices, (50,)),
    (deleted_rows, (12,)),
    (stopped, (5,)),
    (caught, (3,)),
    (seen_in_init, (4,)),
    (read_before_it_is_set, (2,)),
    (set_by_a_helper, (4,)),
    (not_set_by_a_helper, (3,)),
]
