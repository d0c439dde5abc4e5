"""Exceptions and with."""

from __future__ import annotations

import builtins

import numpy as np
from constructs.rows import programs

_KNOWN = {
    "n": 3,
    "x": [3, 1, 2],
    "s": "ab",
    "a": np.array([1.0, 2.0, 4.0]),
    "d": {"a": 1, "b": 2},
}

_EXCEPTIONS = """
## `raise ValueError`
if n > 2:
    raise ValueError
return n
## `raise ValueError(f"{n}")`
if n > 2:
    raise ValueError(f"n is {n}")
return n
## `raise ... from ...`
try:
    x[n]
except IndexError as error:
    raise KeyError("k") from error
## `raise ... from None`
try:
    x[n]
except IndexError:
    raise KeyError("k") from None
## `raise` alone
try:
    x[n]
except IndexError:
    x[0] = 9
    raise
## `raise` alone, outside `except` (an error)
raise
## `raise error`, of a variable
error = ValueError("late")
raise error
## `raise n` (an error)
raise n
## `try`, `except`
try:
    return x[n]
except IndexError:
    return -1
## `except (A, B)`
try:
    return x[n]
except (ValueError, IndexError):
    return -1
## `except A as error`
try:
    return x[n]
except IndexError as error:
    return str(error)
## `error.args`
try:
    raise ValueError("a", n)
except ValueError as error:
    return error.args
## `repr(error)`
try:
    raise ValueError("a", n)
except ValueError as error:
    return repr(error)
## `type(error).__name__`
try:
    return x[n]
except Exception as error:
    return type(error).__name__
## `isinstance(error, A)`
try:
    return x[n]
except Exception as error:
    return isinstance(error, LookupError)
## `error.__cause__`
try:
    try:
        x[n]
    except IndexError as first:
        raise KeyError("k") from first
except KeyError as error:
    return error.__cause__ is None
## `error.add_note(...)`
try:
    raise ValueError("a")
except ValueError as error:
    error.add_note("note")
    raise
## `error.__traceback__`
try:
    raise ValueError("a")
except ValueError as error:
    return error.__traceback__ is None
## `except Exception`, a base class
try:
    return d["z"]
except LookupError:
    return -1
## `except:`
try:
    return x[n]
except:
    return -1
## `except BaseException`
try:
    raise SystemExit(n)
except BaseException:
    return -1
## several `except`
try:
    return n // 0
except IndexError:
    return 1
except ZeroDivisionError:
    return 2
## `else`
try:
    p = x[0]
except IndexError:
    return -1
else:
    return p + 1
## `finally`
try:
    p = x[0]
finally:
    x[0] = n
return p, x
## `finally` after an error
try:
    x[n]
finally:
    x[0] = n
## `return` in `finally`
try:
    x[n]
finally:
    return n
## `try` in a loop, `continue`, `break`
t = 0
for k in range(5):
    try:
        if k == 3:
            break
        t += x[k]
    except IndexError:
        continue
    finally:
        t += 10
return t
## `try` in `try`
try:
    try:
        x[n]
    except ValueError:
        return 1
except IndexError:
    return 2
## an error in a function that is called
def g(x, n):
    return x[n]

def f(x, n):
    try:
        return g(x, n)
    except IndexError:
        return -1
## an exception class of one's own
class Mine(Exception):
    pass

def f(n):
    try:
        raise Mine("a")
    except Mine as error:
        return str(error)
## an exception class with attributes
class Mine(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code

def f(n):
    try:
        raise Mine(n)
    except Mine as error:
        return error.code
## `int(s)`, `except ValueError`
try:
    return int(s)
except ValueError as error:
    return str(error)
## `d["z"]`, `except KeyError`
try:
    return d["z"]
except KeyError as error:
    return str(error)
## `1 / 0`
return n / 0
## `x[9]`
return x[9]
## `d["z"]`
return d["z"]
## `None.a`
g = None
return g.missing
## `n.missing`
return n.missing
## `n()`
return n()
## `int("a")`
return int(s)
## `except*`
try:
    raise ExceptionGroup("g", [ValueError(n)])
except* ValueError:
    n = 1
return n
## `ExceptionGroup`
raise ExceptionGroup("g", [ValueError("a"), KeyError("b")])
## `assert`, `except AssertionError`
try:
    assert n > 5, "small"
except AssertionError as error:
    return str(error)
## a call in `else` of `except` with changed arrays
try:
    a[0] = 9.0
    a[n] = 1.0
except IndexError:
    a[1] = -1.0
return a
## `sys.exit()`
try:
    sys.exit(n)
except SystemExit as error:
    return error.code
## `contextlib.suppress`
with contextlib.suppress(IndexError):
    x[n]
return n
"""

_WITH = """
## `with A() as p`
class A:
    def __enter__(self):
        return 7

    def __exit__(self, kind, error, trace):
        return None

def f(n):
    with A() as p:
        n += p
    return n
## `with A() as p, B() as q`
class A:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.v = 0

def f(n):
    with A(n) as p, A(1) as q:
        n = p.v + q.v
    return n, p.v
## `with (A() as p, B() as q):`
class A:
    def __enter__(self):
        return 7

    def __exit__(self, kind, error, trace):
        return None

def f(n):
    with (A() as p, A() as q):
        return n + p + q
## `__exit__` that returns True
class A:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return True

def f(x, n):
    with A():
        x[n] = 1
    return x
## `__exit__` that looks at the error
class A:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is IndexError

def f(x, n):
    with A():
        x[n] = 1
    return x
## `@contextlib.contextmanager`
@contextlib.contextmanager
def added(x, n):
    x.append(n)
    yield len(x)
    x.pop()

def f(x, n):
    with added(x, n) as p:
        return p, len(x)
## `@contextlib.contextmanager`, with `try ... finally`
@contextlib.contextmanager
def added(x, n):
    x.append(n)
    try:
        yield
    finally:
        x.pop()

def f(x, n):
    with added(x, n):
        return x[n]
## `with np.errstate(...)`
with np.errstate(divide="ignore"):
    return 1 / (a - 1)
## `with np.errstate(divide="raise")`
with np.errstate(divide="raise"):
    return 1 / (a - 1)
## `with open(...)`
with open("/dev/null") as file:
    return file.read()
## `with contextlib.nullcontext()`
with contextlib.nullcontext(n) as p:
    return p
## `with contextlib.ExitStack()`
with contextlib.ExitStack() as stack:
    return n
## `with contextlib.redirect_stdout(...)`
with contextlib.redirect_stdout(None):
    return n
## `with warnings.catch_warnings()`
with warnings.catch_warnings():
    return n
## `with decimal.localcontext()`
with decimal.localcontext():
    return n
## `with` of something else (an error)
with n:
    return 1
"""

# Those whose arguments are not a text.
_ARGUMENTS = {
    "BaseExceptionGroup": '"m", [ValueError(1)]',
    "ExceptionGroup": '"m", [ValueError(1)]',
    "UnicodeDecodeError": '"utf-8", b"a", 0, 1, "m"',
    "UnicodeEncodeError": '"utf-8", "a", 0, 1, "m"',
    "UnicodeTranslateError": '"a", 0, 1, "m"',
    "OSError": '2, "m"',
}


def _classes() -> str:
    """A program for each class of exceptions: raised and caught."""
    made = ""
    for name, value in sorted(vars(builtins).items()):
        if isinstance(value, type) and issubclass(value, BaseException) and value.__name__ == name:
            given = _ARGUMENTS.get(name, '"m"')
            made += f"## `raise {name}`, `except {name}`\n"
            made += f"try:\n    if n > 2:\n        raise {name}({given})\n"
            made += f"    return n\nexcept {name}:\n    return -1\n"
    return made


SECTIONS = {
    "exceptions": programs(_EXCEPTIONS, _KNOWN),
    "classes of exceptions": programs(_classes(), _KNOWN),
    "with": programs(_WITH, _KNOWN),
}
