"""Programs that coverage is measured of."""

COUNTED = """import numpy as np
from shapecast import jit

print(end="")

@jit
def f(x):
    if x.sum() > 3:
        return x
    return 2 * x

print(f(np.ones(5)).sum(), len(f.signatures()))
"""

# Statements on one line, lines that nothing reaches, and branches that are half taken, on purpose.
STATEMENTS = """import numpy as np
import functools, operator
from shapecast import jit

def deco(f): return f

@jit
def t1(x, k):
    try:
        if k == 0:
            return x[20]
        elif k == 1:
            y = 1 // 0
        elif k == 2:
            raise KeyError("a")
        else:
            z = 3
    except IndexError:
        return -1.0
    except (ZeroDivisionError, ValueError) as e:
        z = 4
    except KeyError:
        z = 5
    else:
        z = 6
    finally:
        w = 1
    return z + w

@jit
def t2(x):
    for i in range(3):
        for j in range(3):
            if j == 1:
                break
            if i == 1:
                continue
        else:
            x = x + 1
    return x

@jit
def t3(x):
    @deco
    def inner(v,
              w=2):
        'doc'
        return v * w

    g = lambda q: q + 1
    return g(inner(x)) + sum(
        [a
         for a in range(3)
         if a > 1])

@jit
def t4(n):
    i = 0
    while i < n and i < 10:
        i += 1
        if i == 7: break
    else:
        i = 100
    while 1:
        i -= 1
        if i < 3:
            return i

@jit
def t5(x, mode):
    match mode:
        case "a" | "b":
            y = x + 1
        case "c":
            y = x + 2
        case str():
            y = x + 3
    return y

@jit
def t6(x, out):
    with np.errstate(divide="ignore"):
        for i in range(len(x)):
            if x[i] == 0:
                out[i] = 0
                continue
            out[i] = 1 / x[i]
        if out[0] > 100:
            return out
    return out + 1

@jit
def t7(a):
    x: int
    x: float = 1.0
    "a string"
    ...
    assert a > 0, "positive"
    if a > 1: pass
    return (x if a > 2
            else x + 1)

@jit
def t8(n):
    if n <= 1:
        return 1
    return n * t8(n - 1)

@jit
def t9(x):
    total = 0
    for a, b in zip(x, x):
        total += a * b
    for k, v in enumerate(x):
        if v > 100:
            total += k
    for i in []:
        total += 1
    return total

@jit
def t10(x, k):
    try:
        return x[k]
    finally:
        x[0] = 1

@jit
def t11(x, k):
    for i in range(4):
        try:
            if i == 2:
                break
            if i == 1:
                continue
            x[i + k] += 1
        except IndexError:
            break
    return x

@jit
def t12(x):
    if (x > 0 and
            x < 3):
        y = 1
    elif not (
        x == 5
    ):
        y = 2
    else: y = 3
    del x
    return y


@jit
def t13(x, n):
    try:
        if n > 0 and t13(x, n - 1) > 5:
            return 10
        while n > 1 and t13(x, n - 2) >= 0: n -= 2
        if n == 1 and t13(x, 0) < -1: n = 0
        return x[n]
    except IndexError:
        return 6.0

@jit
def a(x, n):
    'doc'
    total = 0.0
    for i in range(n):
        if x[i] > 0.5:
            total += x[i]
        elif x[i] > 2:
            total -= 1
        else:
            continue
        total += 1
    else:
        total += 5
    while n > 3:
        n -= 1
        if n == 5:
            break
    return total

def helper(v):
    if v > 100:
        return 1
    return 2

@jit
def b(x):
    y = (x +
         1)
    if y.sum() > 1e9:
        raise ValueError("x")
    z = [k for k in range(3)]
    def inner(q):
        if q > 1:
            return q
        return q + 1
    w = inner(2) + helper(
        y.sum())
    while True:
        w += 1
        if w > 20:
            break
    with np.errstate(all="ignore"):
        y = y / 2
    match len(x.shape):
        case 3:
            w += 1
        case 1:
            w += 2
        case _:
            w += 4
    return y, w

@jit
def c(x, k):
    total = 0.0
    try:
        total = x[k]
        total += 1
    except IndexError:
        total = -1.0
    except ValueError:
        total = -2.0
    finally:
        total += 0.5
    try:
        pass
    finally:
        total += 1
    return total

@jit
def e(x, k):
    if k:
        pass
    if k: total = 1.0
    else: total = 2.0
    for i in range(0):
        total += x[i]
    for r in x:
        if r > 3: return total
    total += helper(x[0] * 1000)
    assert total > 0

@jit
def never(x):
    return x

@jit
def raises(x):
    for i in range(3):
        if i == 2:
            raise ValueError("no")
    return 1

def main():
    x = np.arange(10.0)
    for k in range(4): print(t1(x, k))
    print(t2(x)[0], t3(x)[1], t4(5), t5(x, "b")[0], t5(x, "zz")[0])
    print(t6(x, np.zeros(10))[1], t7(2), t8(5), t9(x), t10(x, 3), t11(x, 0)[0])
    print(t11(x, 8)[0], t12(2), t12(5), t13(x, 5), t13(x, 0))
    try: t10(x, 30)
    except IndexError: print("ok")
    try: t5(x, "q")
    except UnboundLocalError: print("unbound")

    print(a(x / 9, 10), b(x)[1], c(x, 3), c(x, 30), e(x, 0))
    print(e(x + 1, 1), never)
    try: raises(x)
    except ValueError: print("raised")

main()
"""

# One function of a package, called in two contexts, and in a process that is forked after that.
PACKAGE = """import numpy as np
from shapecast import jit

@jit
def f(x):
    if x.sum() > 3:
        return 1
    elif x.sum() > 2:
        return 2
    return 3
"""
FORKS = """import multiprocessing
import numpy as np
from package.code import f

def test_small(): return f(np.zeros(3))
def test_large(): return f(np.ones(5))
def forked(): return f(np.ones(3))

test_small(), test_large()
process = multiprocessing.get_context("fork").Process(target=forked)
process.start()
process.join()
"""

# One measurement after another in one process.
MEASUREMENTS = """import os
import coverage
import numpy as np

def measured(*sizes):
    measuring = coverage.Coverage(config_file="settings", data_file=None)
    measuring.start()
    for size in sizes:
        f(np.ones(size))
    measuring.stop()
    f(np.ones(4))
    lines = measuring.get_data().lines(os.path.abspath("module.py")) or []
    print(",".join(map(str, sorted(lines))) or "none")

measuring = coverage.Coverage(config_file="settings", data_file=None)
measuring.start()
from module import f
measuring.stop()
measured(1)
measured(4, 5)
f(np.ones(4))
measured(3)
measured()
"""
