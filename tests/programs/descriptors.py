"""Descriptors of classes in Python."""


class Doubled:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, cls=None):
        return getattr(obj, self.name)

    def __set__(self, obj, value):
        setattr(obj, self.name, 2 * value)


class Config:
    curve = Doubled()
    rate = Doubled()

    def __init__(self, curve, rate):
        self.curve = curve
        self.rate = rate


class Sub(Config):
    def bump(self):
        self.curve += self.rate
        return self.curve


def data_descriptors(x):
    c = Config(x, 1)
    c.curve = c.curve + 1
    s = Sub(x, 2)
    return c.curve, s.bump(), [Config(i, i).curve for i in range(3)]


class Counted:
    def __init__(self):
        self.reads = 0

    def __get__(self, obj, cls=None):
        self.reads += 1
        return obj.w * obj.h


class Box:
    area = Counted()

    def __init__(self, w, h):
        self.w, self.h = w, h


def without_set(n):
    return sum(Box(i, 2).area for i in range(n))


class Celsius:
    def __get__(self, obj, cls=None):
        return (obj.f - 32) * 5 / 9

    def __set__(self, obj, v):
        obj.f = v * 9 / 5 + 32


class Temp:
    c = Celsius()

    def __init__(self, f):
        self.f = f


def of_an_argument(t, v):
    t.c = v
    return t.f, t.c


def in_a_list(n):
    ts = [Temp(i * 10.0) for i in range(n)]
    for t in ts:
        t.c += 1
    return [round(t.f, 3) for t in ts]


class Bounded:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, cls=None):
        return getattr(obj, "_" + self.name)

    def __set__(self, obj, value):
        if not self.low <= value <= self.high:
            raise ValueError(f"{self.name} must be in [{self.low}, {self.high}], not {value}")
        setattr(obj, "_" + self.name, value)


class Knob:
    level = Bounded(0.0, 10.0)

    def __init__(self, level):
        self.level = level


def checked(levels):
    out = []
    for level in levels:
        try:
            out.append(str(Knob(level).level))
        except ValueError as e:
            out.append(str(e))
    return out


CASES = [
    (data_descriptors, (3,)),
    (without_set, (4,)),
    (of_an_argument, (Temp(50.0), 10.0)),
    (in_a_list, (3,)),
    (checked, ([1.0, 11.0, 3.5],)),
]
