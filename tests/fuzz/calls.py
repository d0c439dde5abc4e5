"""Calls of functions of NumPy: those that the library defines, those that are called in Python,
methods of ufuncs, and keywords.

What is rounded differently from NumPy is compared to about four digits: multiplied by an odd number
and rounded to integers, which are then compared bit for bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from fuzz.expressions import Expressions, Family, Typed, atom, is_array, is_exact

if TYPE_CHECKING:
    from fuzz.programs import Body

UFUNCS = ["add", "multiply", "maximum", "minimum", "subtract", "logical_or", "bitwise_xor"]
PAD_MODES = ["edge", "reflect", "symmetric", "wrap", "maximum"]
METHODS = ["linear", "lower", "higher", "nearest", "midpoint", "hazen", "weibull"]
SUBSCRIPTS = {
    1: ["i->", "i,i", "i,i->i", "i,j->ij", "i,j", "...i->...", "i->i"],
    2: ["ij->ji", "ij->", "ij->i", "ij,ij->i", "ij,ij->", "ij,kj->ik", "ij,kj", "i...->...",
        "ij,kj->ijk"],
    3: ["ijk->kji", "ijk->j", "ijk,ijk->i", "ijk,ljk->il", "...k->...", "ijk->ik"],
}  # fmt: skip


def rounded(text: str) -> str:
    """Numbers that are not NumPy's to the last bit: 0 to 4 digits of them."""
    return f"(np.rint(np.clip({text}, -1e3, 1e3) * 17.13) + 0)"


def _source(e: Expressions, accept: Any = None) -> Typed | None:
    return e.attempt(lambda: e.array(1), accept or is_array)


def _real(e: Expressions, made: Typed) -> Typed:
    if made.value.dtype.kind == "c":
        return Typed(f"{atom(made.text)}.real", made.value.real)
    return made


def _ordered(made: Typed) -> str:
    """Of the two zeros and of equal complex numbers no order is promised."""
    return made.text if is_exact(made.value) else f"({made.text} + 0)"


def sorting(e: Expressions) -> str | None:
    choose, made = e.choose, _source(e, lambda v: is_array(v) and v.dtype.kind != "c")
    if made is None:
        return None
    x, rank = _ordered(made), made.value.ndim
    axis = choose.integer(-rank, rank - 1) if rank else -1
    number, other = e.constant(), e.typed_array(0)
    y = _ordered(_real(e, other))
    forms = [
        f"np.sort({x})", f"np.sort({x}, axis={axis})", f"np.sort({x}, axis=None)",
        f"np.argsort({x}, kind='stable')", f"np.argsort({x}, axis={axis}, kind='stable')",
        f"{atom(x)}.argsort(axis={axis}, stable=True)", f"np.unique({x})",
        f"np.unique({x}, return_counts=True)[{choose.integer(0, 1)}]",
        f"np.unique({x}, return_inverse=True)[{choose.integer(0, 1)}]",
        f"np.unique({x}, return_index=True)[{choose.integer(0, 1)}]",
        f"np.searchsorted(np.sort({x}, axis=None), {choose.pick([number, y])})",
        f"np.searchsorted(np.sort({x}, axis=None), {y}, side='right')",
        f"np.partition({x}, 0)[..., :1]", f"np.isin({x}, {y})",
        f"np.intersect1d({x}, {y})", f"np.union1d({x}, {y})", f"np.setdiff1d({x}, {y})",
        f"np.digitize({x}, [0, 1.5, 3])", f"np.lexsort(({x}, {x}))", f"np.flatnonzero({x})",
    ]  # fmt: skip
    return choose.pick(forms)


def scans(e: Expressions) -> str | None:
    choose, made = e.choose, _source(e)
    if made is None:
        return None
    x, small, rank = made.text, e._small(made), made.value.ndim
    axis = choose.integer(-rank, rank - 1) if rank else 0
    forms = [
        f"np.cumsum({small})", f"np.cumsum({small}, axis={axis})", f"{atom(small)}.cumsum({axis})",
        f"np.cumprod(({small} > 0) * 2, axis={axis})", f"np.diff({small}, axis={axis})",
        f"np.diff({small}, n=2, axis={axis})", f"np.diff({small}, prepend=0, axis={axis})",
        f"np.ediff1d({small})", f"np.cumsum({small}, axis={axis}, dtype=np.float64)",
        f"np.add.accumulate({small}, axis={axis})", f"np.maximum.accumulate({small} + 0)",
        f"np.nancumsum({small}, axis={axis})", f"np.gradient({small}, axis={axis})",
        f"np.roll({x}, {choose.integer(-3, 3)})", f"np.roll({x}, (1, -1), axis=({axis}, 0))",
        f"np.repeat({x}, {choose.integer(0, 3)})", f"np.repeat({x}, 2, axis={axis})",
        f"np.repeat({x}, [1, 0, 2], axis={axis})", f"np.tile({x}, {choose.integer(0, 3)})",
        f"np.tile({x}, (2, 1))", f"np.flip({x})", f"np.rot90({x})", f"np.fliplr({x})",
        f"np.split({x}, [1, 2], axis={axis})[{choose.integer(0, 2)}]",
        f"np.array_split({x}, 2, axis={axis})[{choose.integer(0, 1)}]",
        f"np.pad({x}, {choose.integer(0, 2)})", f"np.pad({x}, (1, 2), mode='edge')",
        f"np.pad({x}, 1, mode='{choose.pick(PAD_MODES)}')", f"np.trim_zeros({x})",
        f"np.pad({x}, (0, 1), constant_values={e.constant()})", f"np.insert({x}, 1, 5)",
        f"np.delete({x}, 0, axis={axis})", f"np.append({x}, {x})", f"np.triu({x})", f"np.tril({x})",
        f"np.diag({x})", f"np.trace({small})", f"np.column_stack(({x}, {x}))",
        f"np.kron([1, 2], {small})",
        f"np.atleast_2d({x})", f"np.squeeze({x})", f"np.block([[{x}, {x}]])", f"np.nan_to_num({x})",
    ]  # fmt: skip
    return choose.pick(forms)


def statistics(e: Expressions) -> str | None:
    choose, found = e.choose, _source(e)
    if found is None:
        return None
    made = _real(e, found)
    small, rank = e._small(made), made.value.ndim
    axis = choose.integer(-rank, rank - 1) if rank else None
    where = choose.pick([f"axis={axis}", "", f"axis={axis}, keepdims=True"])
    q = choose.pick(["50", "[25, 75]", "0", "100", "37.5", f"{choose.integer(0, 100)}"])
    bins = choose.pick(["4", "[0, 1, 2.5, 3]", "3, range=(0, 2)", "5, density=True"])
    points, values = "[0, 1.5, 2, 4]", "[1, -1, 2, 0.5]"
    forms = [
        f"np.median({small}, {where})", f"np.percentile({small}, {q}, {where})",
        f"np.quantile({small}, 0.25, {where})", f"np.average({small}, {where.split(',')[0]})",
        f"np.percentile({small}, {q}, method='{choose.pick(METHODS)}')",
        f"np.var({small}, {where})", f"np.std({small}, ddof=1)", f"np.mean({small}, {where})",
        f"np.nanmean({small}, {where})", f"np.nanmedian({small}, {where})",
        f"np.interp({small}, {points}, {values})",
        f"np.interp({small}, {points}, {values}, left=9)",
        f"np.cov({small})", f"np.corrcoef({small})", f"np.convolve({small}, [1, 2, 1])",
        f"np.convolve({small}, [1, 2], mode='{choose.pick(['same', 'valid'])}')",
        f"np.correlate({small}, [1, 0, -1], 'full')", f"np.polyval([1, 2, 3], {small})",
        f"np.trapezoid({small})", f"np.ptp({small}, {where})",
    ]  # fmt: skip
    exact = [
        f"np.histogram({small}, bins={bins})[{choose.integer(0, 1)}]",
        f"np.bincount(abs({small}).astype(int))",
        f"np.bincount(np.ravel(abs({small}).astype(int)), minlength=3)",
        f"np.histogram({small}, bins=3)[0]", f"np.count_nonzero({small}, {where})",
    ]  # fmt: skip
    return choose.pick(exact) if choose.percent(25) else rounded(choose.pick(forms))


def products(e: Expressions) -> str | None:
    choose, found = e.choose, _source(e, lambda v: is_array(v) and v.ndim)
    if found is None:
        return None
    made = _real(e, found)
    small, rank = e._small(made), made.value.ndim
    subscripts = choose.pick(SUBSCRIPTS[rank]) if rank in SUBSCRIPTS else "...i->..."
    operands = ", ".join([small] * (subscripts.count(",") + 1))
    n = made.value.shape[-1]
    square = f"({small} @ {atom(small)}.T + 9 * np.eye({made.value.shape[0]}))"
    if rank != 2:
        square = "np.array([[3.0, 1], [1, 2]])"
    right = choose.pick([f"np.ones({square}.shape[0])", f"{square}[0]", square])
    forms = [
        f"np.einsum('{subscripts}', {operands})", f"np.inner({small}, {small})",
        f"np.outer({small}, [1, 2])", f"np.tensordot({small}, {small}, axes={rank})",
        f"np.vdot({small}, {small})", f"np.cross({small}, {small})", f"np.vecdot({small}, {small})",
    ]  # fmt: skip
    inexact = [
        f"np.linalg.solve({square}, {right})", f"np.linalg.inv({square})",
        f"np.linalg.det({square})",
        f"np.linalg.norm({small})", f"np.linalg.norm({small}, axis=-1)",
        f"np.fft.fft({small}).real",
        f"np.linalg.norm({small}, ord=1)", f"np.fft.ifft({small}).imag",
        f"np.fft.rfft({small}).real",
        f"np.linalg.eigvalsh({square})", f"np.linalg.matrix_power({square}, 2)",
        f"np.linalg.cholesky({square})", f"np.linalg.solve({small}, {small})",
        f"np.linalg.inv({small} - {small})", f"np.fft.fftfreq({n})",
        f"np.linalg.matrix_rank({square})",
    ]  # fmt: skip
    return choose.pick(forms) if choose.percent(50) else rounded(choose.pick(inexact))


def methods(e: Expressions) -> str | None:
    """`reduce` and its like, with keywords."""
    choose, made = e.choose, _source(e, lambda v: is_array(v) and v.ndim and v.dtype.kind != "c")
    if made is None:
        return None
    small, rank = f"({e._small(made)} + 0)", made.value.ndim
    name = choose.pick(UFUNCS[:5] if not is_exact(made.value) else UFUNCS)
    axes = [str(choose.integer(-rank, rank - 1)), "None"] + [f"(0, {rank - 1})"] * (rank > 1)
    axis = choose.pick(axes)
    where = choose.pick(["True", f"{small} > 1", f"{small} != {e.constant()}"])
    forms = [
        f"np.{name}.reduce({small}, axis={axis})", f"np.{name}.outer({small}, [1, 2])",
        f"np.{name}.reduce({small}, axis={axis}, keepdims=True, initial=2)",
        f"np.{name}.reduce({small}, axis={axis}, where={where}, initial=1)",
        f"np.{name}.accumulate({small}, axis={axes[0]})", f"np.{name}.reduceat({small}, [0, 1])",
        f"np.add.reduce({small}, axis={axis}, dtype=np.float64)", f"np.subtract.outer({small}, 3)",
        f"{small}.sum(axis={axis}, where={where})", f"np.sum({small}, where={where}, initial=5)",
        f"{small}.max(axis={axis}, initial=0) + 0",
        f"np.min({small}, where={where}, initial=9) + 0",
        f"np.sum({small}, axis={axis}, dtype=np.int16)",
        f"np.any({small}, axis={axis}, where={where})",
        f"np.mean({small}, where={where})", f"np.prod({small} > 0, axis={axis}, keepdims=True)",
        f"np.cumsum({small}, dtype='float32')",
        f"np.multiply.reduce(({small} > 0) * 2, axis={axis})",
        f"np.add({small}, 1, where={where}, out=np.zeros({small}.shape))",
        f"np.add({small}, 1, dtype=np.float64)", f"np.equal({small}, 1).sum({axis})",
        f"np.divmod({small}, 3)[{choose.integer(0, 1)}]", f"np.modf({small})[0]",
    ]  # fmt: skip
    return choose.pick(forms)


MAKERS = [(4, sorting), (5, scans), (4, statistics), (3, products), (4, methods)]


def call(e: Expressions) -> str | None:
    return e.choose.weighted(MAKERS)(e)


def assign(body: Body) -> list[str]:
    made = body.attempt(lambda: call(body), lambda v: is_array(v) or isinstance(v, np.generic))
    if made is None:
        return []
    new = body.target(made.value, is_array) if is_array(made.value) else body.fresh()
    return body.bind(new, made)


def into(body: Body) -> list[str]:
    """A result that is stored to an existing array, or sorted in place."""
    choose = body.choose
    names = body.names(lambda v: is_array(v) and v.ndim and v.flags.writeable)
    made = body.typed_array(1)
    if not names or made.value.dtype.kind == "c":
        return []
    name = choose.pick(names)
    target = body.env[name]
    if target.dtype.kind == "c":
        return []
    small = f"({body._small(made)} + 0)"
    axis = choose.integer(-1, max(made.value.ndim - 1, 0))
    own = f"({body._small(Typed(name, target))} + 0)"
    forms = [
        f"np.add({own}, 1, out={name})", f"np.add({own}, {own}, out={name}, where={own} > 1)",
        f"np.multiply({own}, 2, {name})", f"np.sum({small}, axis={axis}, out={name})",
        f"np.cumsum({own}, axis={axis}, out={name})", f"np.maximum({own}, 1, out={name})",
        f"np.add({name}, {name}, out={name})", f"np.add({name}, 1, out={name}[::-1])",
        f"np.subtract({name}[1:], {name}[:-1], out={name}[1:])",
        f"np.clip({own}, 0, 3, out={name})", f"np.take({own}, [0], axis=0, out={name}[:1])",
        f"np.negative({own}, out={name}, casting='unsafe')", f"np.copyto({name}, {small})",
        f"np.add({own}, 1.5, out={name}, casting='unsafe')", f"np.power({own}, 2, out={name})",
    ]  # fmt: skip
    if is_exact(target):
        forms += [f"{name}.sort()", f"{name}.sort(axis=0)"]
    text = choose.pick(forms)
    return body.run([text])


FAMILY = Family(simple=[(12, assign), (3, into)], arrays=[(5, call)])
