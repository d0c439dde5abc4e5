"""Special methods, dataclasses, enums and typing."""

from __future__ import annotations

from constructs.rows import expressions, programs

_KNOWN = {"n": 3, "v": 2.5, "x": [3, 1, 2]}

# Each as `p`'s class defines it, with an expression that calls it.
_SPECIAL = {
    "__add__": ("(self, o)", "self.v + o", "p + n"),
    "__radd__": ("(self, o)", "self.v + o", "n + p"),
    "__iadd__": ("(self, o)", "A(self.v + o)", ""),
    "__sub__": ("(self, o)", "self.v - o", "p - n"),
    "__rsub__": ("(self, o)", "o - self.v", "n - p"),
    "__mul__": ("(self, o)", "self.v * o", "p * n"),
    "__rmul__": ("(self, o)", "self.v * o", "n * p"),
    "__matmul__": ("(self, o)", "self.v * o", "p @ n"),
    "__truediv__": ("(self, o)", "self.v / o", "p / n"),
    "__floordiv__": ("(self, o)", "self.v // o", "p // n"),
    "__mod__": ("(self, o)", "self.v % o", "p % n"),
    "__divmod__": ("(self, o)", "(self.v, o)", "divmod(p, n)"),
    "__pow__": ("(self, o)", "self.v ** o", "p ** n"),
    "__lshift__": ("(self, o)", "self.v + o", "p << n"),
    "__rshift__": ("(self, o)", "self.v - o", "p >> n"),
    "__and__": ("(self, o)", "self.v & o", "p & n"),
    "__or__": ("(self, o)", "self.v | o", "p | n"),
    "__xor__": ("(self, o)", "self.v ^ o", "p ^ n"),
    "__neg__": ("(self)", "-self.v", "-p"),
    "__pos__": ("(self)", "self.v", "+p"),
    "__invert__": ("(self)", "~self.v", "~p"),
    "__abs__": ("(self)", "self.v", "abs(p)"),
    "__round__": ("(self, k=None)", "self.v", "round(p)"),
    "__int__": ("(self)", "self.v", "int(p)"),
    "__float__": ("(self)", "self.v * 1.0", "float(p)"),
    "__complex__": ("(self)", "self.v * 1j", "complex(p)"),
    "__bool__": ("(self)", "self.v > 2", "not p"),
    "__len__": ("(self)", "self.v", "len(p)"),
    "__length_hint__": ("(self)", "self.v", "operator.length_hint(p)"),
    "__eq__": ("(self, o)", "self.v == o", "p == n"),
    "__ne__": ("(self, o)", "self.v != o", "p != n"),
    "__lt__": ("(self, o)", "self.v < o", "p < n"),
    "__le__": ("(self, o)", "self.v <= o", "p <= n"),
    "__gt__": ("(self, o)", "self.v > o", "p > n"),
    "__ge__": ("(self, o)", "self.v >= o", "p >= n"),
    "__hash__": ("(self)", "self.v", "hash(p)"),
    "__call__": ("(self, o, k=1)", "self.v + o * k", "p(n, k=2)"),
    "__contains__": ("(self, o)", "self.v == o", "n in p"),
    "__getitem__": ("(self, o)", "self.v + o", "p[n]"),
    "__setitem__": ("(self, o, w)", "None", ""),
    "__delitem__": ("(self, o)", "None", ""),
    "__missing__": ("(self, o)", "None", "n"),
    "__iter__": ("(self)", "iter([self.v, 1])", "list(p)"),
    "__reversed__": ("(self)", "iter([1, self.v])", "list(reversed(p))"),
    "__str__": ("(self)", "'A'", "str(p)"),
    "__repr__": ("(self)", "'A'", "repr(p)"),
    "__format__": ("(self, how)", "'A' + how", 'f"{p:>3}"'),
    "__bytes__": ("(self)", "b'A'", "bytes(p)"),
    "__dir__": ("(self)", "['v']", "dir(p)"),
    "__sizeof__": ("(self)", "self.v", "p.__sizeof__()"),
    "__copy__": ("(self)", "self", "copy.copy(p).v"),
    "__deepcopy__": ("(self, memo)", "self", "copy.deepcopy(p).v"),
    "__instancecheck__": ("(self, o)", "True", "isinstance(n, A)"),
    "__array__": ("(self, dtype=None, copy=None)", "np.ones(self.v)", "np.array(p)"),
}

_STATEMENTS_OF = {"__iadd__": "p += n", "__setitem__": "p[n] = 1", "__delitem__": "del p[n]"}

_SPECIAL_PROGRAMS = """
## `__iter__` and `__next__`
class A:
    def __init__(self, v):
        self.v = v

    def __iter__(self):
        return self

    def __next__(self):
        if self.v == 0:
            raise StopIteration
        self.v -= 1
        return self.v

def f(n):
    t = 0
    for k in A(n):
        t += k
    return t, list(A(n))
## `__iter__` that is a generator
class A:
    def __init__(self, v):
        self.v = v

    def __iter__(self):
        for k in range(self.v):
            yield k

def f(n):
    return list(A(n)), sum(A(n))
## `__getitem__` and `__len__`, in a loop
class A:
    def __len__(self):
        return 3

    def __getitem__(self, k):
        if k >= 3:
            raise IndexError
        return k * 2

def f(n):
    t = 0
    for k in A():
        t += k
    return t
## `__eq__` and `__hash__`, as a key
class A:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        return self.v == other.v

    def __hash__(self):
        return hash(self.v)

def f(n):
    return A(n) in {A(3)}
## `NotImplemented`
class A:
    def __add__(self, other):
        return NotImplemented

class B:
    def __radd__(self, other):
        return 7

def f(n):
    return A() + B()
## `__lt__`, in `sorted`
class A:
    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        return self.v < other.v

def f(x):
    return [p.v for p in sorted([A(v) for v in x])]
## a vector with operators
class V:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return V(self.x * k, self.y * k)

def f(n, v):
    p = V(n, v) + V(1, 2) * n
    return p.x, p.y
"""

_DATACLASSES = """
## `@dataclass`
from dataclasses import dataclass

@dataclass
class A:
    p: int
    q: float = 1.5

def f(n):
    return A(n), A(n, q=2.0).q
## `field(default_factory=list)`
from dataclasses import dataclass, field

@dataclass
class A:
    items: list = field(default_factory=list)

def f(n):
    p = A()
    p.items.append(n)
    return p.items, A().items
## `__post_init__`
from dataclasses import dataclass

@dataclass
class A:
    p: int

    def __post_init__(self):
        self.q = self.p * 2

def f(n):
    return A(n).q
## `@dataclass(frozen=True)`
from dataclasses import dataclass

@dataclass(frozen=True)
class A:
    p: int

def f(n):
    return A(n).p, A(n) == A(3), A(n) in {A(3)}
## an attribute of a frozen one that is assigned (an error)
from dataclasses import dataclass

@dataclass(frozen=True)
class A:
    p: int

def f(n):
    a = A(n)
    a.p = 1
    return a
## `@dataclass(order=True)`
from dataclasses import dataclass

@dataclass(order=True)
class A:
    p: int
    q: int = 0

def f(n):
    return A(n) < A(5), sorted([A(5), A(n)])[0].p
## `@dataclass(slots=True)`
from dataclasses import dataclass

@dataclass(slots=True)
class A:
    p: int

def f(n):
    return A(n).p
## `@dataclass(kw_only=True)`
from dataclasses import dataclass

@dataclass(kw_only=True)
class A:
    p: int

def f(n):
    return A(p=n).p
## `==` of dataclasses
from dataclasses import dataclass

@dataclass
class A:
    p: int
    q: float

def f(n, v):
    return A(n, v) == A(3, v), A(n, v) != A(n, 1.0)
## `repr` of a dataclass
from dataclasses import dataclass

@dataclass
class A:
    p: int

def f(n):
    return repr(A(n))
## inheritance of dataclasses
from dataclasses import dataclass

@dataclass
class A:
    p: int

@dataclass
class B(A):
    q: int

def f(n):
    return B(n, 2)
## `dataclasses.replace`
from dataclasses import dataclass, replace

@dataclass
class A:
    p: int
    q: int

def f(n):
    return replace(A(n, 2), q=n)
## `dataclasses.asdict`
from dataclasses import dataclass, asdict

@dataclass
class A:
    p: int

def f(n):
    return asdict(A(n))
## `dataclasses.astuple`
from dataclasses import dataclass, astuple

@dataclass
class A:
    p: int

def f(n):
    return astuple(A(n))
## `dataclasses.fields`
from dataclasses import dataclass, fields

@dataclass
class A:
    p: int

def f(n):
    return len(fields(A(n)))
## `ClassVar`
from dataclasses import dataclass
from typing import ClassVar

@dataclass
class A:
    k: ClassVar[int] = 3
    p: int = 1

def f(n):
    return A(n).p + A.k
## `InitVar`
from dataclasses import dataclass, InitVar

@dataclass
class A:
    p: InitVar[int]

    def __post_init__(self, p):
        self.q = p

def f(n):
    return A(n).q
"""

_ENUM = """
class C(enum.Enum):
    RED = 1
    BLUE = 2

    def twice(self):
        return self.value * 2

class I(enum.IntEnum):
    ONE = 1
    TWO = 2

class F(enum.Flag):
    R = 1
    W = 2
"""
_ENUMS = """
C.RED
C.RED.value
C.RED.name
C.RED.twice()
C(n - 2)
C(n)
C["RED"]
C.RED is C.RED
C.RED == C.BLUE
C.RED if n > 2 else C.BLUE
(C.RED if n > 2 else C.BLUE).value
(C.RED if n > 2 else C.BLUE).name
[c for c in C]
[c.name for c in C]
len(C)
{C.RED: n}[C.RED]
{C.RED, C.BLUE}
isinstance(C.RED, C)
C.RED in C
hash(C.RED) == hash(C.RED)
str(C.RED)
f"{C.RED}"
I.ONE + n
I.ONE < n
I(n - 1)
x[I.ONE]
I.ONE
I.ONE if n > 2 else I.TWO
(I.ONE if n > 2 else I.TWO).name
(I.ONE if n > 2 else I.TWO) + n
max(I)
sorted(I)
{I.ONE: n}[1]
(I.ONE if n > 2 else I.TWO) is I.ONE
(C.RED if n > 2 else C.BLUE).twice()
isinstance(C.RED if n > 2 else C.BLUE, enum.Enum)
F.R | F.W
F.R in (F.R | F.W)
F.R & F.W
(F.R | F.W).value
"""

_TYPING = """
typing.cast(float, n)
typing.Optional[int]
isinstance(n, typing.Any)
typing.TYPE_CHECKING
int | None
"""

_TYPING_PROGRAMS = """
## annotations of any kind
from typing import Any, Callable, Literal, Optional, Sequence, Union

def g(p: Optional[int], q: Union[int, float], r: Literal["a"] = "a") -> Sequence[int]:
    t: Callable[[int], Any] = abs
    return [t(p), q]

def f(n):
    return g(n, 2)
## `TypeVar`, `overload`
from typing import TypeVar, overload

T = TypeVar("T")

@overload
def g(p: int) -> int: ...
@overload
def g(p: float) -> float: ...
def g(p):
    return p

def f(n):
    return g(n)
## `NewType`
UserId = typing.NewType("UserId", int)

def f(n):
    return UserId(n)
## `TypedDict`
class D(typing.TypedDict):
    p: int

def f(n):
    d: D = {"p": n}
    return d["p"]
## `D(p=n)` of a `TypedDict`
class D(typing.TypedDict):
    p: int

def f(n):
    return D(p=n)
## `@typing.final`
@typing.final
class A:
    @typing.final
    def g(self):
        return 1

def f(n):
    return A().g() + n
## `typing.assert_never`
if n > 100:
    typing.assert_never(n)
return n
## `typing.reveal_type`
return typing.reveal_type(n)
"""


def _special() -> str:
    made = ""
    for name, (parameters, body, used) in _SPECIAL.items():
        statement = _STATEMENTS_OF.get(name, "")
        made += f"## `{name}`: `{used or statement}`\nclass A:\n"
        made += "    def __init__(self, v):\n        self.v = v\n\n"
        made += f"    def {name}{parameters}:\n        return {body}\n\n"
        made += f"def f({'x, n' if 'x[' in used else 'n'}):\n    p = A(n - 1)\n"
        made += f"    {statement}\n    return p.v\n" if statement else f"    return {used}\n"
    return made


SECTIONS = {
    "special methods": programs(_special() + _SPECIAL_PROGRAMS, _KNOWN),
    "dataclasses": programs(_DATACLASSES, _KNOWN),
    "enums": [
        one._replace(source=f"import enum\n{_ENUM}\n{one.source}")
        for one in expressions(_ENUMS, _KNOWN)
    ],
    "typing": expressions(_TYPING, _KNOWN) + programs(_TYPING_PROGRAMS, _KNOWN),
}
