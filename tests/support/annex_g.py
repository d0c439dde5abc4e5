"""Complex arithmetic as Python has it since 3.14 (C11's annex G), for Pythons before it.

A float beside a complex has no imaginary part, and infinities that came out as NaN are recovered.
"""

import math
from collections.abc import Callable

Number = float | complex
isinf, isnan = math.isinf, math.isnan


def _is_infinite(z: complex) -> bool:
    return isinf(z.real) or isinf(z.imag)


def _is_lost(z: complex) -> bool:
    return isnan(z.real) and isnan(z.imag)


def _boxed(z: complex) -> complex:
    return complex(*(math.copysign(1.0 if isinf(x) else 0.0, x) for x in (z.real, z.imag)))


def _without_nan(z: complex) -> complex:
    return complex(*(math.copysign(0.0, x) if isnan(x) else x for x in (z.real, z.imag)))


def _plain_product(z: complex, w: complex) -> complex:
    return complex(z.real * w.real - z.imag * w.imag, z.real * w.imag + z.imag * w.real)


def product(z: complex, w: complex) -> complex:
    result = _plain_product(z, w)
    if not _is_lost(result):
        return result
    terms = (z.real * w.real, z.imag * w.imag, z.real * w.imag, z.imag * w.real)
    recalculated = _is_infinite(z) or _is_infinite(w)
    if _is_infinite(z):
        z, w = _boxed(z), _without_nan(w)
    if _is_infinite(w):
        z, w = _without_nan(z), _boxed(w)
    if not recalculated and any(map(isinf, terms)):
        z, w, recalculated = _without_nan(z), _without_nan(w), True
    if not recalculated:
        return result
    direction = _plain_product(z, w)
    return complex(math.inf * direction.real, math.inf * direction.imag)


def quotient(z: Number, w: complex) -> complex:
    """By Smith's formula; of a float there are only the terms of its real part."""
    if w == 0:
        raise ZeroDivisionError(_said(lambda: 1j / 0j))
    real_wins = abs(w.real) >= abs(w.imag)
    big, small = (w.real, w.imag) if real_wins else (w.imag, w.real)
    ratio = small / big if big else math.nan
    denominator = big + small * ratio
    if isnan(w.real) or isnan(w.imag):
        parts = (math.nan, math.nan)
    elif not isinstance(z, complex):
        parts = (z, -z * ratio) if real_wins else (z * ratio, -z)
    elif real_wins:
        parts = (z.real + z.imag * ratio, z.imag - z.real * ratio)
    else:
        parts = (z.real * ratio + z.imag, z.imag * ratio - z.real)
    result = complex(parts[0] / denominator, parts[1] / denominator)
    if not _is_lost(result):
        return result
    if isinstance(z, complex) and _is_infinite(z) and not _is_infinite(w):
        direction = _times_conjugate(_boxed(z), w)
        return complex(math.inf * direction.real, math.inf * direction.imag)
    finite = math.isfinite(z.real) and math.isfinite(z.imag)
    if _is_infinite(w) and finite and isinstance(z, complex):
        direction = _times_conjugate(z, _boxed(w))
        return complex(0.0 * direction.real, 0.0 * direction.imag)
    if _is_infinite(w) and finite:
        box = _boxed(w)
        return complex(0.0 * (z.real * box.real), 0.0 * (-z.real * box.imag))
    return result


def _times_conjugate(z: complex, w: complex) -> complex:
    return complex(z.real * w.real + z.imag * w.imag, z.imag * w.real - z.real * w.imag)


def integer_power(z: complex, exponent: int) -> complex:
    count, result = abs(exponent), complex(1, 0)
    while count:
        if count & 1:
            result = product(result, z)
        z = product(z, z)
        count >>= 1
    if exponent <= 0:
        if result == 0:
            raise ZeroDivisionError(_said(lambda: 0j**-1j))
        result = quotient(complex(1, 0), result)
    if _is_infinite(result):
        raise OverflowError("complex exponentiation")
    return result


def power(z: Number, w: Number) -> complex:
    exponent = complex(w)
    small = abs(exponent.real) <= 100 and exponent.real == math.floor(exponent.real)
    if exponent.imag == 0 and small:
        return integer_power(complex(z), int(exponent.real))
    return complex(z) ** exponent  # as before 3.14


def _add(z: Number, w: Number) -> complex:
    if not isinstance(z, complex):
        z, w = w, z
    imaginary = z.imag + w.imag if isinstance(w, complex) else z.imag
    return complex(z.real + w.real, imaginary)


def _sub(z: Number, w: Number) -> complex:
    if not isinstance(w, complex):
        return complex(z.real - w, z.imag)
    return complex(z.real - w.real, z.imag - w.imag if isinstance(z, complex) else -w.imag)


def _mul(z: Number, w: Number) -> complex:
    if isinstance(z, complex) and isinstance(w, complex):
        return product(z, w)
    if not isinstance(z, complex):
        z, w = w, z
    return complex(z.real * w.real, z.imag * w.real)


def _truediv(z: Number, w: Number) -> complex:
    if isinstance(w, complex):
        return quotient(z, w)
    if w == 0:
        raise ZeroDivisionError(_said(lambda: 1j / 0j))
    return complex(z.real / w, z.imag / w)


def _said(failing: Callable[[], object]) -> str:
    try:
        failing()
    except ZeroDivisionError as error:
        return str(error)
    raise AssertionError("nothing was raised")


# Of two numbers one of which, at least, is complex.
OPERATORS: dict[str, Callable[[Number, Number], complex]] = {
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "truediv": _truediv,
    "pow": power,
}
