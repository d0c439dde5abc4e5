"""`:=` where it may not be evaluated."""

import numpy as np


def hit(y, d, eps):
    if abs(d) < 1e-9 or (t := y / d) < eps:
        return None
    return t * 2


def or_in_a_test(ds):
    return [hit(1.0, d, 1e-4) for d in ds]


def near(i):
    return [i - 1, i + 1]


def and_in_a_test(n):
    queue = [n]
    for i in range(n):
        if i % 2 and len(more := near(i)) >= 2:
            queue.extend(more)
    return queue


def keeps_its_value(xs):
    last = -1
    for x in xs:
        x > 2 and (last := x)
    return last


def keeps_its_value_in_a_condition(x):
    y = 7
    z = (y := x * 2) if x > 3 else 0
    return y, z


def either_arm(x):
    z = (y := x + 1) if x > 3 else (y := x - 1)
    return y * z


def chained(a, b):
    if 0 < a < (c := b * 2) < 50:
        return c
    return -1


def chained_twice(a, b):
    c = 0
    found = 0 < a < 10 < (c := b * 2) < 50
    return found, c


def maybe_unbound(x):
    if x > 0 and (y := x * 2) > 4:
        return y
    return y + 1


def in_a_while(xs):
    i = 0
    total = 0
    while i < len(xs) and (x := xs[i]) >= 0:
        total += x
        i += 1
    return total, i


def in_a_comprehension(xs):
    return [y for x in xs if x % 2 and (y := x * x) > 4]


def comprehension_over_nothing(xs):
    y = 5
    squares = [(y := x * x) for x in xs]
    return y, squares


def the_last_one(xs):
    ys = [last := x * 2 for x in xs]
    return ys, last


def witness(xs):
    if any((w := x) > 3 for x in xs):
        return w
    return -w


def counter_example(rows):
    if not all((bad := row) and (col := sum(row)) not in (5, 11) for row in rows):
        return bad[0], len(bad), col
    return None


def running_sums(xs):
    total = 0
    return [total := total + x for x in xs], total


def running_in_two_loops(n, m):
    k = 0
    pairs = [(i, j, k := k + 1) for i in range(n) for j in range(m) if (i + j) % 2]
    return pairs, k


def in_a_dict(words):
    n = 0
    return {w: (n := n + len(w)) for w in words}, n


def in_a_set(xs):
    n = 0
    s = {(n := n + 1) % 3 for _ in xs}
    return sorted(s), n


def in_a_loop(rows):
    m = 0
    out = []
    for row in rows:
        out.append([m := max(m, x) for x in row])
    return out, m


def summed(xs):
    s = sum((y := x) * 2 for x in xs)
    return s, y


def first_of(xs):
    found = next((y for x in xs if (y := x * x) > 4), None)
    return found


def of_several(a, b):
    ok = (p := a.find(",")) >= 0 and (q := b.find(",", p)) >= 0 and (r := q - p) > 0
    return (ok, p, q, r) if ok else (ok, p)


def as_arguments(x):
    return max(x and (n := x + 1), 3) + (n if x else 0)


def of_arrays(a):
    if a.size and (m := a.mean()) > 1.0:
        return a - m
    return a


def in_an_assert(x):
    assert x > 0 and (half := x // 2) < 10  # noqa: RUF018
    return half


def of_a_nonlocal(xs):
    total = 0

    def add(x):
        nonlocal total
        return x > 0 and (total := total + x) > 4

    def add_all():
        nonlocal total
        return [total := total + x for x in xs]

    return [add(x) for x in xs], add_all(), total


def nested(xs):
    best = None
    for x in xs:
        if x > 1 and ((y := x % 7) == 0 or ((z := x % 5) == 0 and y > 1)):
            best = (x, y)
    return best


CASES = [
    (or_in_a_test, ([0.0, 2.0, -1.0],)),
    (and_in_a_test, (5,)),
    (and_in_a_test, (0,)),
    (keeps_its_value, ([1, 5, 2, 3, 0],)),
    (keeps_its_value, ([1],)),
    (keeps_its_value_in_a_condition, (5,)),
    (keeps_its_value_in_a_condition, (2,)),
    (either_arm, (5,)),
    (either_arm, (2,)),
    (chained, (5, 10)),
    (chained, (-5, 10)),
    (chained, (5, 1)),
    (chained, (5, 30)),
    (chained_twice, (5, 10)),
    (chained_twice, (50, 10)),
    (maybe_unbound, (5,)),
    (maybe_unbound, (1,)),
    (maybe_unbound, (-1,)),
    (in_a_while, ([1, 2, -1, 4],)),
    (in_a_while, ([1, 2],)),
    (in_a_comprehension, ([1, 2, 3, 4, 5],)),
    (comprehension_over_nothing, ([],)),
    (comprehension_over_nothing, ([1, 2],)),
    (the_last_one, ([1, 2],)),
    (the_last_one, ([],)),
    (witness, ([1, 5, 2],)),
    (witness, ([1, 2],)),
    (witness, ([],)),
    (counter_example, ([[1, 2], [3, 8], [4]],)),
    (counter_example, ([[1, 2], [5], [4]],)),
    (counter_example, ([[1, 2]],)),
    (running_sums, ([1, 5, 2],)),
    (running_sums, ([],)),
    (running_in_two_loops, (3, 4)),
    (in_a_dict, (["a", "bcd"],)),
    (in_a_set, ([1, 2, 3, 4],)),
    (in_a_loop, ([[1, 5, 2], [], [9, 3]],)),
    (summed, ([1, 2],)),
    (first_of, ([1, 2, 3, 4],)),
    (first_of, ([1],)),
    (of_several, ("a,b", "cd,e")),
    (of_several, ("ab", "c")),
    (of_several, ("a,b", "c")),
    (as_arguments, (5,)),
    (as_arguments, (0,)),
    (of_arrays, (np.arange(4.0),)),
    (of_arrays, (np.zeros(0),)),
    (of_arrays, (np.zeros(3),)),
    (in_an_assert, (4,)),
    (in_an_assert, (0,)),
    (in_an_assert, (90,)),
    (of_a_nonlocal, ([1, -2, 7],)),
    (nested, ([7, 10, 12, 22, 25],)),
    (nested, ([],)),
]
