"""Statements and expressions with index arrays, lists and masks, and the functions that pick and
place elements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from fuzz.choices import Chooser
from fuzz.expressions import Expressions, Family, Typed, atom, is_array

if TYPE_CHECKING:
    from fuzz.programs import Body

MODES = ["", "", "", ", mode='wrap'", ", mode='clip'"]
INDEX_CASTS = ["int8", "int32", "uint8", "uint64"]


def _listed(choose: Chooser, extent: int) -> str:
    """A list of numbers, or (not for every other size of the array) of truth values."""
    if choose.percent(15):
        return f"[{', '.join(choose.pick(['True', 'False']) for _ in range(extent))}]"
    count = choose.integer(0, 4) if extent else 0
    return f"[{', '.join(str(choose.integer(-extent, extent - 1)) for _ in range(count))}]"


def numbers_for(e: Expressions, extent: int, size: str, *, stored: bool = False) -> str:
    """An array of indices of an axis whose extent is `size` in the program; mostly within bounds.

    Of two stores to one element, and of two indices out of bounds, NumPy takes the last or the
    first one in the index's order in memory: what is `stored`, or may be out of bounds, is in C
    order.
    """
    choose = e.choose
    listed = _listed(choose, extent)
    forms = [listed, listed, f"np.arange({size})", f"np.arange({size})[::-1]"]
    if listed != "[]":
        forms.append(f"np.array({listed})")
    integers = e.names(lambda v: is_array(v) and v.dtype.kind in "iu" and v.ndim)
    if integers:
        name = choose.pick(integers)
        inside = f"({name} % {size}).copy()" if stored else f"({name} % {size})"
        turned = f"{inside}[::-1].copy()" if stored else f"{inside}[::-1]"
        forms += [inside] * 4 + [f"-{inside}", turned, f"{inside}[:, None]"]
        forms += [f"{inside}.astype(np.{choose.pick(INDEX_CASTS)})"]
        forms += [f"{name}.copy()"] if stored else [f"{name}.copy()", f"{inside}.T"]
    vectors = e.names(lambda v: is_array(v) and v.shape == (extent,))
    if vectors:
        name = choose.pick(vectors)
        forms.append(f"np.argsort({name}, kind='stable')")
        forms.append(f"np.flatnonzero({name} > {e.constant()})")
        forms.append(f"np.nonzero({name} > {e.constant()})[0]")
    return choose.pick(forms)


def mask_for(e: Expressions, shape: tuple[int, ...]) -> str | None:
    """A mask that covers some leading axes of what is left of a shape."""
    choose = e.choose

    def covers(v: Any) -> bool:
        return is_array(v) and v.ndim and v.ndim <= len(shape) and v.shape == shape[: v.ndim]

    names = e.names(covers)
    if not names:
        return None
    name = choose.pick(names)
    if e.env[name].dtype.kind == "c":
        name = f"{name}.real"
    forms = [f"{name} > {e.constant()}", f"{name} != {e.constant()}"]
    if e.env[name.removesuffix(".real")].dtype == bool:
        forms += [name, f"~{name}"]
    return choose.pick(forms)


def subscript(e: Expressions, array: str, value: np.ndarray, *, stored: bool = False) -> str:
    """A subscript: at least one index array, list or mask, if there is an axis."""
    choose, parts, axis = e.choose, [], 0
    arrays = 0
    while axis < value.ndim and (arrays == 0 or choose.percent(65)):
        kind = choose.weighted([(6, "array"), (3, "mask"), (3, "slice"), (2, "number")])
        mask = mask_for(e, value.shape[axis:]) if kind == "mask" else None
        if mask is not None:
            parts.append(mask)
            axis += np.asarray(e.evaluate(mask).value).ndim  # type: ignore[union-attr]
            arrays += 1
            continue
        if kind == "slice":
            parts.append(e.slice())
        elif kind == "number":
            parts.append(e.index(value.shape[axis], array, axis))
        else:
            size = _size(array, value, axis)
            parts.append(numbers_for(e, value.shape[axis], size, stored=stored))
            arrays += 1
        axis += 1
        if choose.percent(5):
            parts.append("None")
    if axis < value.ndim and choose.percent(20):
        parts.insert(choose.integer(0, len(parts)), "...")
    return ", ".join(parts) or choose.pick(["True", "False", "..."])


def _size(array: str, value: np.ndarray, axis: int) -> str:
    return f"{array}.shape[{axis}]" if array.isidentifier() else str(value.shape[axis])


def read(e: Expressions) -> str | None:
    """An array of elements gathered from one."""
    choose = e.choose
    arrays = e.names(is_array)
    if not arrays:
        return None
    name = choose.pick(arrays)
    if choose.percent(55):
        return f"{name}[{subscript(e, name, e.env[name])}]"
    return _picked(e, name, e.env[name])


def _picked(e: Expressions, name: str, value: np.ndarray) -> str | None:
    choose, constant = e.choose, e.constant()
    condition = f"{name}.real > {constant}" if value.dtype.kind == "c" else f"{name} > {constant}"
    forms = [f"np.extract({condition}, {name})", f"np.argwhere({condition})"]
    forms += [f"np.flatnonzero({condition})", f"{name}[np.nonzero({condition})]"]
    forms += [f"{name}[np.where({condition})]", f"np.select([{condition}], [{name}], 7)"]
    everywhere = numbers_for(e, value.size, f"{name}.size")
    forms += [f"np.take({name}, {everywhere}{choose.pick(MODES)})", f"{name}.take({everywhere})"]
    other = e.partner(value, 1)
    forms.append(f"np.select([{condition}, {name} == {constant}], [{name}, {other}])")
    forms.append(f"np.choose({condition}, ({name}, {other}))")
    forms.append(f"np.choose(({condition}) * 2, [{name}, {other}, {constant}], mode='clip')")
    if value.ndim:
        axis = choose.integer(-value.ndim, value.ndim - 1)
        along = numbers_for(e, value.shape[axis], _size(name, value, axis))
        forms.append(f"np.take({name}, {along}, axis={axis}{choose.pick(MODES)})")
        forms.append(f"np.compress({_listed(choose, value.shape[axis])}, {name}, axis={axis})")
        order = f"np.argsort({name}, axis={axis}, kind='stable')"
        forms.append(f"np.take_along_axis({name}, {order}, axis={axis})")
        mask = mask_for(e, (value.shape[axis],))
        if mask:
            forms.append(f"np.compress({mask}, {name}, axis={axis})")
            forms.append(f"{name}.compress({mask}, axis={axis})")
    return choose.pick(forms)


def statement(body: Body) -> list[str]:
    """A read, a store, or a call that stores."""
    choose = body.choose
    kind = choose.weighted([(4, _assign), (5, _store), (2, _call), (1, _unpack), (1, _beyond)])
    return kind(body)


def _assign(body: Body) -> list[str]:
    made = body.attempt(lambda: read(body), is_array)
    return body.bind(body.target(made.value, is_array), made) if made else []


def _writeable(body: Body) -> str | None:
    names = body.names(lambda v: is_array(v) and v.ndim and v.flags.writeable)
    return body.choose.pick(names) if names else None


def _window(body: Body) -> tuple[str, Typed] | None:
    """A name, and one of its windows through an index array."""
    name = _writeable(body)
    if name is None:
        return None
    value = body.env[name]
    target = body.attempt(lambda: f"{name}[{subscript(body, name, value, stored=True)}]")
    return (name, target) if target else None


def _value(body: Body, name: str, window: Any) -> str | None:
    choose = body.choose
    if not is_array(window) or choose.percent(25):
        return body.number(1)
    if choose.percent(25):
        # What is read and what is written are one array.
        base = choose.pick([name, f"{name}[::-1]", f"{name}.T"])
        text = f"{base}[{subscript(body, name, body.env[name])}]"
        return choose.pick([text, f"{text} + 1", f"{text} * 2"])
    if choose.percent(15) and window.ndim == 1:
        return f"np.arange({window.size})"
    return body.partner(window, 2)


def _fitting(body: Body, name: str, value: Typed) -> str:
    """What a store of a value means is defined: no float beyond an integer type."""
    if body.env[name].dtype.kind in "iub" and np.asarray(value.value).dtype.kind in "fc":
        return body.safe_for_integers(Typed(value.text, np.asarray(value.value)))
    return value.text


def _store(body: Body) -> list[str]:
    found = _window(body)
    if found is None:
        return []
    name, target = found
    value = body.attempt(lambda: _value(body, name, target.value))
    if value is None:
        return []
    sign = body.choose.weighted([(6, "="), (2, "+="), (1, "-="), (1, "*=")])
    if body.env[name].dtype.kind == "c" and sign == "*=":
        sign = "+="
    return body.run([f"{target.text} {sign} {_fitting(body, name, value)}"])


def _call(body: Body) -> list[str]:
    """Functions that store through an index or a mask."""
    choose, name = body.choose, _writeable(body)
    if name is None:
        return []
    value = body.env[name]
    window = body.attempt(lambda: f"{name}[{subscript(body, name, value)}]")
    one = body.attempt(lambda: body.partner(value, 1))
    if window is None or one is None:
        return []
    real = f"{name}.real" if value.dtype.kind == "c" else name
    condition = f"{real} > {body.constant()}"
    made = body.attempt(lambda: body.number(0))
    number = _fitting(body, name, made) if made else body.constant()
    if value.dtype.kind in "iub":  # what goes beyond the type is not defined
        number = str(choose.integer(0, 7))
    index = window.text[len(name) + 1 : -1]
    if ":" in index or "..." in index:
        index = numbers_for(body, value.shape[0], _size(name, value, 0))
    index = f"({index})" if "," in index and index[0] != "[" else index
    values = _fitting(body, name, one)
    if value.dtype.kind in "iub" and np.asarray(one.value).dtype.kind in "fc":
        values = f"np.asarray({values}).astype('{value.dtype}')"
    # NumPy 2.4's `at` reads beyond values that it broadcasts to an index of several dimensions.
    spread = f"np.broadcast_to({values}, {name}[{index}].shape).copy()"
    everywhere = numbers_for(body, value.size, f"{name}.size")
    axis = choose.integer(-value.ndim, value.ndim - 1)
    order = f"np.argsort({name}, axis={axis}, kind='stable')"
    forms = [
        f"np.add.at({name}, {index}, {number})", f"np.subtract.at({name}, {index}, {number})",
        f"np.add.at({name}, {index}, {spread})",
        f"np.copyto({name}, {values}, where={condition})",
        f"np.putmask({name}, {condition}, {values})",
        f"np.place({name}, {condition}, {choose.pick([f'np.array({values})', '[1, 2]'])})",
        f"np.put({name}, {everywhere}, {choose.pick([number, '[3, 4]'])}{choose.pick(MODES)})",
        f"{name}.put({everywhere}, {number})",
        f"np.put_along_axis({name}, {order}, {number}, axis={axis})",
        f"np.put_along_axis({name}, {order}[:1], {values}, axis={axis})",
        f"np.fill_diagonal({name}, {number})",
    ]  # fmt: skip
    if value.dtype.kind in "iu":
        forms.append(f"np.maximum.at({name}, {index}, {number})")
        forms.append(f"np.multiply.at({name}, {index}, {spread})")
    if name.startswith("p"):  # maybe read-only, which `at` does not check
        forms = [form for form in forms if ".at(" not in form]
    return body.run([choose.pick(forms)])


def _unpack(body: Body) -> list[str]:
    """The indices where something holds, a name for each axis."""
    choose = body.choose
    made = body.typed_array(1)
    if not made.value.ndim or made.value.dtype.kind == "c":
        return []
    names = [body.fresh() for _ in range(made.value.ndim)]
    function = choose.pick(["np.where", "np.nonzero"])
    lines = [f"{', '.join(names)}, = {function}({atom(made.text)} > {body.constant()})"]
    if not body.perform(lines):
        return []
    body.live += names
    body.laid -= set(names)
    return lines


def _beyond(body: Body) -> list[str]:
    """An index that is likely out of bounds, after others that are not: what is stored by then?"""
    choose, name = body.choose, _writeable(body)
    if name is None or not choose.percent(35):
        return []
    extent = body.env[name].shape[0]
    far = choose.pick([extent, extent + 2, -extent - 1])
    number = body.constant()
    fresh = body.fresh()
    lines = choose.pick([
        f"{name}[[0, {far}]] = {number}", f"{name}[np.array([{far}, 0])] += {number}",
        f"{fresh} = {name}[[{far}]]", f"{fresh} = np.take({name}, [0, {far}], axis=0)",
        f"np.add.at({name}, [0, {far}], {number})", f"np.put({name}, [0, 99], {number})",
        f"{name}[{name}[:1] > 0] = {number}", f"{name}[[True, False]] = {number}",
        f"{name}[[0, 1], [0, 1, 2]] = {number}", f"{name}[({body.array(0)}).copy()] = {number}",
    ])  # fmt: skip
    body.perform([lines])
    return [lines]


FAMILY = Family(simple=[(14, statement)], arrays=[(5, read)])
