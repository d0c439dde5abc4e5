"""An error in a line is raised when the line is reached: one that is not reached, or in a `try`
that catches all, disturbs nothing.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
import random

import pytest
import shapecast
from support.compare import jitted, make

NAMES = {m.__name__: m for m in (functools, itertools, math, operator, random)}
FORMS = [
    "if x > 0:\n        return {}\n    return 1.5",
    "if x > 0:\n        y = {}\n    return 1.5",
    "return 1.5 if x <= 0 else {}",
    "for i in range(int(x > 0)):\n        {}\n    return 1.5",
    "try:\n        {}\n    except Exception:\n        pass\n    return 1.5",
]
# Each raises in Python, or would, where x is a float.
WRONG = """
np.zeros(-1)
np.zeros((2, 3))[5]
np.zeros((2, 3))[0, 0, 0]
np.zeros((2, 3)) @ np.zeros((2, 3))
np.zeros(3) + np.zeros(4)
np.concatenate([np.zeros(3), np.zeros((2, 2))])
np.reshape(np.zeros(6), (4, 2))
np.zeros(3).sum(axis=1)
np.zeros(3, dtype='nonsense')
np.arange(1, 2, 0)
np.linspace(0, 1, -3)
np.eye(-2)
np.ones(3).reshape(2, -1)
np.stack([np.zeros(2), np.zeros(3)])
np.take(np.zeros(3), 7)
np.linalg.inv(np.zeros((2, 3)))
np.linalg.solve(np.zeros((2, 2)), np.zeros(3))
np.linalg.cholesky(-np.eye(2))
np.einsum('ij,jk', np.zeros((2, 3)), np.zeros((2, 3)))
np.dot(np.zeros(2), np.zeros(3))
np.cross(np.zeros(4), np.zeros(4))
np.argmax(np.zeros(0))
np.max(np.zeros(0))
np.median(np.zeros(3), axis=2)
np.percentile(np.zeros(3), 200)
np.quantile(np.zeros(3), -1)
np.interp(1.0, [1, 2], [1])
np.convolve([], [1])
np.histogram(np.zeros(3), bins=0)
np.searchsorted(np.zeros((2, 2)), 1)
np.broadcast_to(np.zeros(3), (2, 2))
np.transpose(np.zeros((2, 3)), (0, 0))
np.swapaxes(np.zeros(3), 0, 1)
np.moveaxis(np.zeros(3), 0, 3)
np.expand_dims(np.zeros(3), 5)
np.squeeze(np.zeros(3), axis=0)
np.split(np.zeros(5), 2)
np.repeat(np.zeros(3), [1, 2])
np.tile(np.zeros(2), -1)
np.pad(np.zeros(2), -1)
np.roll(np.zeros(2), 1, axis=3)
np.diff(np.zeros(3), n=-1)
np.trapezoid(np.zeros(3), np.zeros(4))
np.cumsum(np.zeros(3), axis=4)
np.sort(np.zeros(3), axis=2)
np.unique(np.zeros(3), axis=1)
np.delete(np.zeros(3), 9)
np.insert(np.zeros(3), 9, 1)
np.full((-2,), 0)
np.bincount([-1])
np.random.rand(-1)
np.random.randint(3, 1)
np.random.normal(0, -1)
np.random.choice([])
np.fft.fft(np.zeros(0))
np.vander(np.zeros((2, 2)))
np.polyfit([1], [1, 2], 1)
np.where(x)
np.sin()
np.sin(1, 2, 3, 4)
np.zeros()
np.zeros(2).foo
np.foo
np.zeros(2).reshape(3)
np.zeros(2).nothing()
np.zeros(2)['a']
np.zeros(2)[1.5]
np.zeros(2)[[5]]
np.zeros(2)[np.array([True])]
np.array([1, 'a']) + 1
np.array([[1, 2], [3]])
np.int8(300)
np.uint8(-1)
math.sqrt(-1)
int('abc')
float('x')
chr(-1)
ord('ab')
math.log(0)
math.factorial(-1)
math.factorial(1.5)
math.acos(2)
math.gcd(1.5, 2)
math.comb(-1, 2)
math.nothing
math.sqrt('a')
math.sqrt()
math.pow(0, -1)
math.fmod(1, 0)
1 / 0
1 // 0
1 % 0
1.0 / 0
0 ** -1
divmod(1, 0)
[1, 2][5]
(1, 2)[5]
{'a': 1}['b']
'abc'[10]
[1, 2].index(9)
[].pop()
min([])
max(())
sum(['a'])
int(float('nan'))
int(float('inf'))
round(float('nan'))
len(3)
abs('a')
range(1.5)
range(1, 2, 0)
list(3)
sorted([1, 'a'])
zip(1, 2)
[1, 2] + 3
(1,) + [1]
'a' + 1
'a' * 'b'
None + 1
None[0]
None.foo
(1)(2)
x.foo
x[0]
x()
len(x)
-'a'
not_there
not_there.attribute
not_there(1)
[] < 1
1 < 'a'
1j < 2j
next(iter([]))
isinstance(1, 2)
bool(np.zeros(3))
int(np.zeros(3))
float(np.zeros(3))
(lambda a: a)(1, 2)
(lambda a: a)()
(lambda *, a: a)(1)
[a for a in 3]
[a for a, b in [1, 2]]
{[]: 1}
{**1}
f(*1)
f(1, 2, 3)
f(1, y=2)
random.randint(1)
random.nothing()
random.choice([])
functools.reduce(lambda a, b: a, [])
operator.itemgetter()(1)
operator.add(1)
np.maximum.reduce([])
np.add.reduceat(np.zeros(3), [5])
np.ix_(np.zeros((2, 2)))
np.meshgrid(1, 2, indexing='zz')
np.array(3)[0]
np.cov(np.zeros((2, 2, 2)))
np.gradient(np.zeros(1))
np.nanmax([])
np.clip(1)
np.linspace(0)
np.random.nothing(3)
np.linalg.nothing(3)
np.linalg.norm(np.zeros((2, 2, 2)), 'fro')
np.linalg.det(np.zeros(3))
np.trace(np.zeros(3))
np.diag(np.zeros((2, 2, 2)))
np.kron()
"""
# These are refused as what they are, wherever they are.
REFUSED = """
np.sqrt('a')
np.add('a', 1)
np.float64('abc')
complex('q')
print(1, wrong=2)
itertools.combinations([1], -1)
"""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", WRONG.strip().splitlines())
def test_errors_that_are_not_reached_disturb_nothing(line: str) -> None:
    for form in FORMS:
        f = make(f"def f(x):\n    {form.format(line)}\n", **NAMES)
        assert jitted(f)(-1.0) == 1.5, form


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_unsupported_lines_are_refused_as_such(line: str) -> None:
    # Refused in a loop and in a `try`; an iterator where its type meets another's at a join.
    refused = (0, 2) if "combinations" in line else (3, 4)
    for k, form in enumerate(FORMS):
        f = make(f"def f(x):\n    {form.format(line)}\n", **NAMES)
        if k in refused:
            with pytest.raises(shapecast.UnsupportedError):
                jitted(f)(-1.0)
        else:
            assert jitted(f)(-1.0) == 1.5, form
