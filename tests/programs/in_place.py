"""`+=` of lists by what is no list, `|=` of sets; instances whose lists hold them."""


def a_extended(n):
    x = []
    for i in range(n):
        x.append([i])
    x += {1: 2}
    return x


def b_extended(n):
    x = []
    for i in range(n):
        x.append([i])
    x += "ab"
    return x


def c_extended(n):
    x = []
    for i in range(n):
        x.append([i])
    x.extend("ab")
    x.extend({3: 4})
    return x


def d_extended(n):
    x = []
    for i in range(n):
        x.append(str(i))
    x += "ab"
    return x


def e_extended(n):
    x = []
    for i in range(n):
        x.append(i)
    x += {1: 2}
    x += {7}
    x += (8, 9)
    return x


def f_extended(n):
    s = set()
    for i in range(n):
        s.add(i)
    s |= [3]
    return s


def g_extended(n):
    ys = [(i, 7) for i in range(n)]
    return max(*ys)


def a_plain(n):
    x = [n]
    x += {1: 2}
    return x


def b_plain(n):
    x = []
    for i in range(n):
        x.append(i)
    y = {1: 2}
    x += y
    return x


def c_plain(n):
    x = []
    for i in range(n):
        x.append(i)
    x += {n}
    return x


def d_plain(n):
    x = []
    for i in range(n):
        x.append(i)
    x += range(3)
    return x


class NodeUnited:
    def __init__(self, v):
        self.v = v


def united_united(n):
    r = NodeUnited(0)
    r.kids = []
    s = NodeUnited(1)
    s.kids = []
    t = NodeUnited(2)
    t.kids = []
    t.z = 1
    t.y = 2.5
    t.x = 3
    for i in range(n):
        r.kids.append(r)
        s.kids.append(t)
        t.kids.append(t)
    m = r if n > 2 else s
    return len(m.kids)


CASES = [
    *[(k, (3,)) for k in (a_extended, b_extended, c_extended, d_extended, e_extended, f_extended)],
    *[(k, (3,)) for k in (a_plain, b_plain, c_plain, d_plain)],
    *[(united_united, (3,)), (united_united, (1,))],
]
