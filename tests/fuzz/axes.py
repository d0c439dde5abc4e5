"""Arrays, ranges, tuples and lists of integers where axes, shapes, indices to split at, shifts
and numbers of repetitions are expected, static or known only at run time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzz.arguments import OwnParameter
from fuzz.choices import Chooser
from fuzz.expressions import Expressions, Family, is_array, is_number

if TYPE_CHECKING:
    from fuzz.programs import Body


def parameters(choose: Chooser) -> list[Any]:
    """`o`, `u`: short arrays of integers; `x`: an array with two or three axes."""
    dtype = choose.pick(["'int64'", "'int64'", "'int32'", "'uint8'"])
    shape = choose.pick(["($n, $m)", "(2, $n, $m)", "($n, 3)", "(1, $n, 2)", "($n,)"])
    kept = choose.pick(["np.array({})", "np.array({})", "tuple(np.array({}))", "{}", "{}"])
    integers = str([choose.integer(0, 2) for _ in range(choose.integer(1, 3))])
    axes = choose.pick(["[0, 1]", "[1, 0]", "[2, 0, 1]", "[0]", "[-1]", "[0, 2]"])
    cuts = choose.pick([f"np.array({integers}, {dtype})", kept.format(integers)])
    return [
        OwnParameter("x", (f"filled({shape}, 'float64', {choose.integer(0, 5)}, 'small')",)),
        OwnParameter("o", (kept.format(axes),)), OwnParameter("u", (cuts,)),
    ]  # fmt: skip


def _form(e: Expressions, numbers: list[int]) -> str:
    """Integers as an array, a tuple, a list, a range."""
    choose = e.choose
    shown = ", ".join(map(str, numbers))
    comma = "," if len(numbers) == 1 else ""
    forms = [
        f"np.array([{shown}])", f"np.array([{shown}])", f"tuple(np.array([{shown}]))",
        f"[{shown}]", f"({shown}{comma})", f"list(np.array([{shown}]))",
        f"np.array([{', '.join(map(str, numbers[::-1]))}])[::-1]", f"np.array([{shown}]).tolist()",
        f"tuple(np.array([{shown}]).tolist())", f"tuple(int(q) for q in np.array([{shown}]))",
        f"tuple([q for q in ({shown}{comma})])", f"np.array([{shown}], np.int32)",
    ]  # fmt: skip
    if numbers == list(range(len(numbers))):
        count = len(numbers)
        forms += [f"range({count})", f"np.arange({count})", f"tuple(range({count}))"] * 2
    if numbers == sorted(numbers) and len(set(numbers)) == len(numbers) and len(numbers) > 1:
        forms.append(f"np.sort(np.array([{shown}]))")
    names = [n for n in e.live if n in ("o", "u") and _integers(e.env[n]) == numbers]
    return choose.pick(names) if names and choose.percent(40) else choose.pick(forms)


def _integers(value: Any) -> list[int] | None:
    if isinstance(value, (list, tuple)) or (is_array(value) and value.ndim == 1):
        return [int(v) for v in value] if all(is_number(v) for v in value) else None
    return None


def _known(e: Expressions, otherwise: list[int]) -> list[int]:
    """The items of a parameter, or other integers."""
    items = [_integers(e.env[n]) for n in ("o", "u") if n in e.live]
    known = [i for i in items if i]
    return e.choose.pick(known) if known and e.choose.percent(45) else otherwise


def _axes(e: Expressions, rank: int, low: int = 1) -> list[int]:
    chosen = e.choose.some(range(rank), min(low, rank), rank)
    return [a - rank if e.choose.percent(20) else a for a in chosen]


def read(e: Expressions) -> str | None:
    choose = e.choose
    arrays = e.names(lambda v: is_array(v) and 0 < v.ndim < 4 and v.size < 60)
    if not arrays:
        return None
    x = "x" if "x" in arrays and choose.percent(60) else choose.pick(arrays)
    value = e.env[x]
    rank = value.ndim
    # An axis known only at run time is refused.
    axes = _known(e, _axes(e, rank)) if choose.percent(5) else _axes(e, rank)
    several = _form(e, axes)
    order = _form(e, choose.some(range(rank), rank, rank))
    axis = choose.integer(-rank, rank - 1)
    cuts = _form(e, _known(e, sorted(choose.integer(0, 4) for _ in range(choose.integer(1, 2)))))
    counts = _form(
        e,
        _known(
            e,
            [
                choose.integer(-1 if choose.percent(5) else 0, 2)
                for _ in range(choose.integer(1, rank))
            ],
        ),
    )
    shape = _form(e, [choose.integer(1, 2), *value.shape])
    indices = _form(e, _known(e, [choose.integer(0, 2) for _ in range(2)]))
    small = _form(e, _known(e, [choose.integer(0, 3) for _ in range(choose.integer(1, 2))]))
    tuples = several if several.startswith(("tuple", "(")) else f"tuple({several})"
    sizes = _form(e, [value.size // value.shape[0], value.shape[0]] if value.shape[0] else [0, 1])
    sections = _form(e, [choose.integer(0, 2), choose.integer(0, 2)])
    number = choose.integer(0, 2)
    forms = [
        f"np.split({x}, {cuts})[{number}]", f"np.split({x}, {cuts}, axis={axis})[-1]",
        f"np.array_split({x}, {cuts})[0]", f"np.array_split({x}, {cuts}, {axis})[{number}]",
        f"np.hsplit({x}, {cuts})[0]", f"np.vsplit({x}, {cuts})[-1]",
        f"np.concatenate(np.split({x}, {cuts})[::-1])", f"np.roll({x}, {counts}, axis={several})",
        f"np.roll({x}, {number}, axis={several})", f"np.transpose({x}, {order})",
        f"{x}.transpose({order})", f"np.tile({x}, {counts})",
        f"{x}[{indices}]", f"{x}[tuple({indices})]", f"{x}[{tuples}]", f"{x}[range({number})]",
        f"np.moveaxis({x}, {several}, {_form(e, axes[::-1])})", f"np.flip({x}, {several})",
        f"np.flip({x}, {tuples})", f"{x}.sum(axis={tuples})", f"np.max({x}, axis={tuples}) + 0",
        f"np.sum({x}, {several})", f"np.any({x}, axis={tuples}, keepdims=True)",
        f"np.expand_dims({x}, {several})", f"np.expand_dims({x}, {tuples})",
        f"np.squeeze({x}[None], {_form(e, [0])})",
        f"np.squeeze({x}[None], axis=tuple(np.array([0])))",
        f"np.broadcast_to({x}, {shape})", f"{x}.reshape({sizes})", f"np.reshape({x}, {sizes})",
        f"np.zeros({small})", f"np.ones({small}, int)",
        f"np.full({small}, 3)", f"np.empty({small}).shape", f"np.pad({x}, {sections})",
        f"np.pad({x}, {_form(e, [number])})", f"np.repeat({x}, {counts}, axis={axis})",
        f"np.repeat({x}, {_form(e, [number])})", f"np.take({x}, {indices}, axis={axis})",
        f"np.delete({x}, {indices}, axis={axis})", f"np.insert({x}, {indices}, 7, axis={axis})",
        f"np.rot90({x}, 1, {_form(e, [0, 1])})", f"np.resize({x}, {small})", f"np.indices({small})",
        
        f"np.tensordot({x}, {x}, axes=({several}, {several}))", f"np.sum({x}, axis=o[0])",
        f"np.cumsum({x}, axis=u[0])", f"np.sort({x}, axis=o[-1])", f"{x}.argmax(o[0])",
        f"np.unravel_index({_form(e, [1, 2])}, {_form(e, [2, 3])})[0]", f"{x}[o[0]]", f"{x}[u]",
        f"np.ravel_multi_index(({_form(e, [1, 0])}, {_form(e, [2, 1])}), {_form(e, [3, 4])})",
        f"np.ix_({indices}, {indices})[0]", f"np.zeros({x}.shape)",
        f"np.ones(np.array({x}.shape) + 1)",
        f"np.zeros(tuple(np.array({x}.shape)[::-1]))", f"{x}.mean(axis={tuples}) + 0",
        f"np.count_nonzero({x}, axis={tuples})", f"np.rollaxis({x}, o[0])", f"{x}.take({indices})",
        f"{x}.repeat({_form(e, [number])}, {axis})", f"np.stack([{x}, {x}], axis=o[0])",
        f"np.diff({x}, axis=u[-1])", "np.linspace(0, 1, u[0])", "np.arange(u[0], u[-1] + 2)",
        "np.eye(u[0])", f"{x}[: u[0]]", f"{x}[slice(*{_form(e, [0, 2])})]", f"np.roll({x}, u)",
        f"np.fft.fftshift({x}, {several})", f"np.apply_over_axes(np.sum, {x}, {several})",
        f"np.take({x}, 0, {axis}, mode='clip')", f"np.take({x}, {number}, {axis}, mode='wrap')",
        f"np.ndarray({small}).shape", f"np.bincount({small})", f"np.copy({x}[{order}])",
    ]  # fmt: skip
    run_time = ("axis=o[", "axis=u[", "(o[0])", "axes(o[0]", "x, o[0]")
    if not choose.percent(5):
        forms = [form for form in forms if not any(part in form for part in run_time)]
    return choose.pick(forms)


def assign(body: Body) -> list[str]:
    made = body.attempt(lambda: read(body), lambda v: is_array(v) or is_number(v))
    if made is None:
        return []
    return body.bind(body.target(made.value, is_array if is_array(made.value) else is_number), made)


def store(body: Body) -> list[str]:
    choose = body.choose
    arrays = body.names(lambda v: is_array(v) and v.ndim and v.flags.writeable)
    if not arrays:
        return []
    x = choose.pick(arrays)
    indices = _form(body, _known(body, [choose.integer(0, 2) for _ in range(2)]))
    return body.run([choose.pick([
        f"{x}[{indices}] = 2", f"{x}[tuple({indices})] = 3", f"{x}[range(1)] = 1", f"{x}[u] += 1",
        f"np.put({x}, {indices}, 5)", f"{x}[tuple(o)] = 4",
        f"np.transpose({x}, range({body.env[x].ndim}))[0] = 1",
        f"np.split({x}, u)[0][...] = 6", f"np.flip({x}, np.array([0]))[0] = 3",
    ])])  # fmt: skip


def over(body: Body) -> list[str]:
    """A loop over the pieces of a split."""
    choose = body.choose
    arrays = body.names(lambda v: is_array(v) and v.ndim and v.size)
    numbers = [n for n in body.names(lambda v: type(v) is float) if n not in body.reserved]
    if not arrays or not numbers:
        return []
    x, total = choose.pick(arrays), choose.pick(numbers)
    cuts = _form(body, _known(body, sorted(choose.integer(0, 3) for _ in range(2))))
    header = choose.pick([
        f"for e in np.split({x}, {cuts}):", f"for e in np.array_split({x}, {cuts}):",
        f"for q1, e in enumerate(np.split({x}, {cuts})):", f"for e in tuple({cuts}):",
    ])  # fmt: skip
    return body.run([header, f"    {total} = {total} + np.size(e)"])


def statement(body: Body) -> list[str]:
    return body.choose.weighted([(8, assign), (2, store), (1, over)])(body)


FAMILY = Family(simple=[(60, statement)], parameters=parameters)
