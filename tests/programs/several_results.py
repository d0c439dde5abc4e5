"""Results of several kinds; lists of run-time length compared; loops over long tables."""


class EResult(Exception):
    pass


def g_result(n):
    if n > 3:
        raise EResult(f"too large {n}")
    return n


def f_result(n):
    try:
        m = g_result(n)
    except EResult as e:
        return str(e)
    return (m, 2)


def f2_result(n):
    try:
        m = g_result(n)
    except EResult as e:
        print(e)
        return str(e)
    played = []
    for i in range(n):
        played.append((i, i * 2))
    return ("a" + str(m), played, [str(k) for k in range(n)])


def f3_result(n):
    if n > 3:
        return "text " + str(n)
    return (n, [1] * n)


def f4_result(n):
    if n > 3:
        return None
    return (n, "x" * n)


def a_tried(n):
    if n > 3:
        return "t" + str(n)
    p = []
    for i in range(n):
        p.append((i, i))
    return (n, p)


def b_tried(n):
    if n > 3:
        return "t" + str(n)
    return (n, [str(k) for k in range(n)])


def c_tried(n):
    if n > 3:
        return "t" + str(n)
    return (str(n), n)


def d_tried(n):
    try:
        if n > 3:
            raise ValueError(f"t{n}")
    except ValueError as e:
        return str(e)
    return (n, [str(k) for k in range(n)])


def e_tried(n):
    try:
        if n > 3:
            raise ValueError(f"t{n}")
    except ValueError as e:
        return str(e)
    p = []
    for i in range(n):
        p.append((i, i))
    return (n, p)


def g_tried(n):
    try:
        if n > 3:
            raise ValueError(f"t{n}")
    except ValueError as e:
        return str(e)
    return (n, str(n))


class PBoard:
    def __init__(self):
        self.boards = [0, 0]
        self.turn = 0

    def drop(self, c):
        self.boards[self.turn] |= 1 << c
        self.turn ^= 1

    def undo(self, c):
        self.turn ^= 1
        self.boards[self.turn] ^= 1 << c


def nega_board(pos, d):
    if d == 0:
        return pos.boards[0] - pos.boards[1]
    best = -100000
    for c in (0, 1, 2):
        pos.drop(c)
        best = max(best, -nega_board(pos, d - 1))
        pos.undo(c)
    return best


def a_board(n):
    p = PBoard()
    p.drop(4)
    return nega_board(p, n)


class FullBoard(Exception):
    pass


def make_board(n):
    p = PBoard()
    for i in range(n):
        if i > 5:
            raise FullBoard("f")
        p.drop(i)
    return p


def b_board(n):
    try:
        p = make_board(n)
    except FullBoard as e:
        return str(e)
    return nega_board(p, 3)


def c_board(n):
    p = make_board(n)
    r = []
    for i in range(2):
        r.append(nega_board(p, 3))
        p.drop(i + 5)
    return r


def f_compared(n, m):
    a = []
    for i in range(n):
        a.append(i * 1.5)
    b = []
    for i in range(m):
        b.append(i * 1.5)
    return (a == b, a != b, a < b, a <= b, a > b, a >= b, a == [0.0, 1.5], [] == a, [0.0] < b)


def g_compared(n):
    a = [(i, i % 3) for i in range(n)]
    b = [(i, i % 4) for i in range(n)]
    return (a == b, a < b, a != b)


def h_compared(n):
    a = []
    for i in range(n):
        a.append(i)
    return (a == (0, 1), a == "y", a == 3, a != "x")


D_TABLE = {i * 3: i * i for i in range(150)}


def f_table(n):
    t = 0
    for k in D_TABLE:
        a = k + n
        b = a * 2 + k
        c = b - a + n * k
        d = c ^ b
        e = (a + b + c + d) % 7
        t += a * b + c - d + e
        if t > 100000:
            t -= 5
    return t


def g_table(n):
    d = {i: i + 0.5 for i in range(130)}
    t = 0.0
    for k in d:
        a = k + n
        b = a * 2 + k
        c = b - a + n * k
        e = (a + b + c) % 7
        t += a * b + c - e
        if t > 100000:
            t -= 5
    return t


L_TABLE = [3, 1, 4, 1, 5, 9, 2, 6]


def h_table(n):
    t = 0
    for k in L_TABLE:
        for j in range(n):
            for m in range(j):
                t += (k * j + m) % 11
                if t % 5 == k:
                    t -= 1
                elif t % 7 == 2:
                    t += k
                else:
                    t ^= 1
    return t


def lst_table(n):
    q = [1, 2, 3, 4, 5, 6, 7, 8]
    t = 0
    for x in q:
        t += x * n
        q[3] = t
        t = t * 3 + x
        if x == 5:
            q[6] = 1
    return (t, q)


def brk_table(n):
    for x in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        if n % x == 0:
            return x
    else:
        x = -x
    return x


CASES = [
    *[
        (f_result, (3,)),
        (f_result, (5,)),
        (f2_result, (3,)),
        (f2_result, (5,)),
        (f3_result, (2,)),
        (f3_result, (5,)),
        (f4_result, (2,)),
        (f4_result, (7,)),
    ],
    *[(f, (k,)) for f in (a_tried, b_tried, c_tried, d_tried, e_tried, g_tried) for k in (2, 5)],
    *[(a_board, (3,)), (b_board, (3,)), (b_board, (8,)), (c_board, (2,))],
    *[
        (f_compared, (3, 3)),
        (f_compared, (3, 4)),
        (f_compared, (2, 1)),
        (f_compared, (0, 0)),
        (g_compared, (3,)),
        (g_compared, (7,)),
        (h_compared, (2,)),
    ],
    *[
        (f_table, (3,)),
        (g_table, (2,)),
        (h_table, (7,)),
        (lst_table, (3,)),
        (brk_table, (35,)),
        (brk_table, (41,)),
        (brk_table, (74,)),
    ],
]
