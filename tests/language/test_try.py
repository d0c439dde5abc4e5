"""`try`: handlers, else, finally; what was stored before the exception stays."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
from shapecast import UnsupportedError, jit
from support.compare import case_id, check, jitted, make, named_programs

V = np.array([0.5, 1.5, -2.0, 4.0])

# Each with s from a list: some of them raise, others do not.
PROGRAMS = named_programs("""
## return
try:
    return 1 // (s - 2)
except ZeroDivisionError:
    return -1
## assign
try:
    x = v[s]
except IndexError:
    x = 0.0
return x
## old value
x = 1
try:
    x = v[s]
    x = v[s + 2]
except IndexError:
    pass
return x
## text
try:
    return v[s]
except IndexError as e:
    raise ValueError('seen: ' + str(e))
## printed
try:
    x = v[s]
except IndexError as e:
    print('no:', e)
    x = 0.0
return x
## several
try:
    a = 10 // (s - 1)
    b = v[a]
except (KeyError, ZeroDivisionError):
    return -1.0
except IndexError:
    return -2.0
else:
    return b

## not caught
try:
    x = v[s]
except ZeroDivisionError:
    x = 0.0
return x
## base class
try:
    x = v[s]
except LookupError:
    x = 0.0
return x
## everything
try:
    x = v[s] + 1 // (s - 1)
except:
    x = 0.0
return x
## raise again
try:
    x = v[s]
except IndexError:
    v[0] = 9
    raise
return x
## raise another
try:
    x = v[s]
except IndexError as e:
    raise ValueError('bad', s) from e
return x
## raised inside
try:
    if s > 2:
        raise ValueError(f'{s} is too much')
    x = s
except ValueError as e:
    raise TypeError(f'no {e}')
return x
## always
try:
    raise KeyError('k')
except KeyError:
    return s
## never
try:
    x = v * 2
except ValueError:
    x = v
return x
## stores
try:
    v[0] = s
    v[s] = 7
    v[1] = s
except IndexError:
    v[2] = -1
return v
## arrays
try:
    w = v[:s] + v[:2]
    k = 1
except ValueError:
    w = v * 2
    k = 2
return w, k
## else
try:
    x = v[s]
except IndexError:
    x = -1.0
else:
    x = x + 100
return x
## finally
try:
    v[0] = 1
    v[s] = 2
finally:
    v[1] = 3
return v
## finally and return
try:
    return v[s] * 2
finally:
    v[1] = 3
## all of it
try:
    v[3] = v[s]
except IndexError:
    v[0] = 5
else:
    v[0] = 6
finally:
    v[1] = 7
return v
## handler raises
try:
    v[3] = v[s]
except IndexError:
    v[0] = v[s + 1]
finally:
    v[1] = 7
return v
## loop inside
total = 0.0
try:
    for i in range(s + 2):
        total += v[i]
except IndexError:
    total = -total
return total
## loop, nothing read
try:
    total = 0.0
    for i in range(s + 2):
        total += v[i]
except IndexError:
    return -1.0
return total
## in a loop
n = 0
for i in range(6):
    try:
        v[i] = v[i] * s
    except IndexError:
        n += 1
        continue
return v, n
## leaves a loop
n = 0
while True:
    try:
        v[n] += 1
        n += 1
    except IndexError:
        break
    finally:
        v[0] += 10
return n, v
## loop jumps
out = 0.0
for i in range(4):
    try:
        if i == s:
            break
        if v[i] < 0:
            continue
        out += v[i + s]
    except IndexError:
        out += 100
    finally:
        v[i] = -i
return out, v
## returns from a loop
try:
    for i in range(9):
        if v[i] > s:
            return i
except IndexError:
    return -1
return -2
## nested
try:
    try:
        x = v[s]
    except ZeroDivisionError:
        x = 1.0
    y = x * 2
except IndexError:
    y = 3.0
return y
## nested handler
try:
    x = v[s]
except IndexError:
    try:
        x = v[s - 1]
    except IndexError as e:
        return -9.0
return x
## conversion
try:
    n = int(v[0] / (s - 2.0))
except (OverflowError, ZeroDivisionError) as e:
    n = -1
return n
## lists and functions
def g(i):
    return v[i]
t = (v, 2)
try:
    x = t[0][s] + g(s + 1)
except IndexError:
    x = 1.0
return x
## unbound
try:
    x = v[s]
except IndexError:
    pass
return x
## dict
d = {'a': 1.0}
try:
    x = d['a'] + v[s]
except (KeyError, IndexError):
    x = d['a']
return x
## missing key
d = {'a': 1.0}
try:
    x = d['b']
except KeyError as e:
    return str(e)
return str(e)
## assert
try:
    assert s < 3, 'large'
except AssertionError as e:
    return -1
return 1
## while that assigns
n = 0
try:
    while v[n] != 4.5:
        n += s
except IndexError:
    return -n
return n

## deleted
d = {'a': 1}
try:
    del d['b']
except KeyError:
    return -1
return 1

## unpacked with a store
x = 0
try:
    x, v[s] = 7, 8.0
except IndexError:
    v[0] = 5
return v

## wrong type
try:
    x = v + 'text'
except TypeError:
    x = v
return s
""")


def program(body: str, parameters: str = "v, s"):
    return make(f"def f({parameters}):\n" + "".join(f"    {line}\n" for line in body.splitlines()))


@pytest.mark.parametrize("s", [1, 2, 3, 5])
@pytest.mark.parametrize("name", [n for n in PROGRAMS if n not in ("wrong type",)])
def test_try_does_what_pythons_does(name, s):
    check(program(PROGRAMS[name]), V, s)


def test_printed_text_is_pythons(capfd):
    f = jit(program(PROGRAMS["printed"]))
    assert f(V, 9) == 0.0
    assert capfd.readouterr().out == "no: index 9 is out of bounds for axis 0 with size 4\n"


def parse(v, i):
    if i > 2:
        raise ValueError("large")
    return v[i] / i


def calls(v, s):
    results = np.zeros(5)
    for i in range(5):
        try:
            results[i] = parse(v, i - s)
        except ValueError:
            results[i] = -1
        except (ZeroDivisionError, IndexError):
            results[i] = -2
    return results


@pytest.mark.parametrize("s", [0, 2, 9])
def test_errors_of_called_functions_are_caught(s):
    check(calls, V, s)


def depth(n):
    if n == 0:
        raise ValueError("bottom")
    return depth(n - 1) + 1


def recursive(n):
    try:
        return depth(n)
    except ValueError:
        return -n


def test_a_recursive_function_raises_into_a_handler():
    check(recursive, 5)


def test_a_reraised_exception_is_the_same_object():
    f = jit(program("try:\n    x = v[s]\nfinally:\n    v[0] = 1\nreturn x"))
    with pytest.raises(IndexError, match="index 9 is out of bounds for axis 0 with size 4"):
        f(V.copy(), 9)


LOOPS = {
    "array": "for x in a[1:, 0]:\n    t += x\n    a[int(t)] += 1",
    "zip": "for x, y in zip(a[1:, 0], a[:-1, 1]):\n    t += x * y\n    a[int(t) % 5] += 1",
    "tuple": "for x in (a[0], a[1], a[k + 1] + 1):\n    t += x[1]\n    a[3 * k] += t",
    "enumerate": "for k, x in enumerate(a[k:]):\n    t += x[0] * k\n    a[2 * k] = t",
    "range": "for k in range(5 // (2 * k)):\n    t += k\n    a[k, t] = 1",
    "reversed": "for x in reversed(a[1:]):\n    t = x[k] + t\n    a[int(t) % 4] = 0",
    "outside": "for x in a[3 * k]:\n    t += x",
    "nothing to go over": "for x in a[0, k]:\n    t += x",
    "else": "for x in a[k:]:\n    if x[0] > 5:\n        break\nelse:\n    t = a[4 * k, 0]",
}


@pytest.mark.parametrize("name", LOOPS)
@pytest.mark.parametrize("k", [0, 1, 2])
def test_a_loop_over_an_iterable_that_may_raise(name, k):
    body = textwrap.indent(LOOPS[name], "        ")
    f = make(f"""
def f(a, k):
    t = 0.0
    try:
{body}
    except (IndexError, TypeError, ZeroDivisionError):
        return True, t, a
    return False, t, a
""")
    check(f, np.arange(6.0).reshape(3, 2), k)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("try:\n    x = 1\nexcept s:\n    x = 2\nreturn x", "class of exceptions"),
        ("x = 0\ntry:\n    x, v[9] = 1, 2\nexcept IndexError:\n    pass\nreturn x", "in 'try'"),
        ("try:\n    x = 1\nexcept* ValueError:\n    x = 2\nreturn x", "try"),
    ],
    ids=case_id,
)
def test_unsupported_forms_of_try_are_refused(body, message):
    with pytest.raises(UnsupportedError, match=message):
        jit(program(body))(V, 1)


def test_a_try_in_a_function_that_a_closure_calls() -> None:
    """Its parameters belong to no function while it is inferred: this crashed."""
    f = jitted(
        make("""
        def up(g, w, names, more):
            for a in names:
                try:
                    v = getattr(w, a)
                except AttributeError:
                    pass
                else:
                    setattr(g, a, v)
            return g

        def bound(fn, *given, **named):
            def called(*more, **others):
                return fn(*given, *more, **{**named, **others})
            return called

        def f(x):
            def g(v):
                return v
            return bound(up, w=abs, names=("__doc__", "__name__"), more=2)(g)(x)
    """)
    )
    with pytest.raises(UnsupportedError, match="returning a function"):
        f(np.arange(3.0))
