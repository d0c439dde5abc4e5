"""Python's own functions called with arguments that they do not take: its TypeError."""

import itertools
import math
import operator

import pytest
from shapecast import UnsupportedError, jit
from support.compare import check, make

REFUSED = """
math.sqrt(x, foo=1) ; math.sqrt(x=x) ; math.sqrt() ; math.sqrt(x, 2.0) ; math.hypot(x, y=2)
math.atan2(x) ; math.atan2(x, x, x) ; math.gcd(1, b=2) ; math.log(x, base=2) ; math.log()
math.log(x, x, x) ; math.floor(x, 2) ; math.isqrt() ; math.perm(n=5, k=2) ; math.perm()
math.comb(5) ; math.comb(5, 2, 1) ; math.ulp(x, 3) ; math.fsum(seq=[x]) ; math.pow(x)
math.nextafter(x) ; math.isclose(x, 1.0, rtol=0.1) ; math.dist([x], [1.0], p=3)
math.degrees(x, 2) ; math.ldexp(x) ; math.ldexp(x, i=2) ; math.copysign(x) ; math.isnan()
math.fmod(x) ; math.remainder(x, y=2) ; math.trunc() ; math.factorial() ; math.exp(x, 2)
math.expm1(x=x) ; math.modf(x, 1) ; math.frexp(x, 1) ; abs(x, y=1) ; abs(x=x) ; abs()
abs(x, x) ; int(x=3) ; float(x=3) ; max(x, 1, foo=2) ; sum(iterable=[x]) ; sum() ; len(obj=[x])
len() ; divmod(x=x, y=2) ; divmod(x) ; range(start=1) ; bool(x=x) ; complex(re=x)
operator.add(a=x, b=2) ; isinstance(x, cls=int) ; any(iterable=[x]) ; tuple(iterable=[x])
list(a=[x]) ; slice(start=1) ; list(filter(None, [x], y=2)) ; list(reversed(sequence=[x]))
round() ; pow(x) ; callable()
""".replace("\n", " ; ").split(" ; ")  # fmt: skip
ACCEPTED = """
round(x, ndigits=1) ; round(number=x) ; sum([x], start=2) ; pow(base=x, exp=2)
pow(x, 2, mod=None) ; int(x) ; math.isclose(x, 1.0, rel_tol=0.1, abs_tol=5)
math.prod([x, 2], start=3) ; list(enumerate([x], start=5)) ; sorted([x, 1.0], reverse=True)
complex(real=x, imag=2) ; max([x], default=3) ; max(x, 2, key=abs)
list(itertools.accumulate([x, 2], initial=3)) ; list(zip([x], [2], strict=False))
str(object=x)
""".replace("\n", " ; ").split(" ; ")  # fmt: skip


def of(expression: str):
    modules = {"math": math, "operator": operator, "itertools": itertools}
    return make(f"def f(x):\n    return {expression}", **modules)


@pytest.mark.parametrize("expression", [e for e in REFUSED + ACCEPTED if e])
def test_arguments_of_pythons_functions(expression: str) -> None:
    check(of(expression), 2.5)


def test_keywords_that_are_not_compiled_are_not_ignored() -> None:
    """steps= is new in Python 3.12."""
    f = of("math.nextafter(x, 4.0, steps=3)")
    try:
        f(2.5)
    except TypeError:
        check(f, 2.5)
    else:
        with pytest.raises(UnsupportedError, match=r"math\.nextafter"):
            jit(f)(2.5)
