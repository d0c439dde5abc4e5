"""`vectorize`: functions of numbers, or of small arrays, as NumPy's universal functions are."""

from __future__ import annotations

import itertools
import linecache
import re
import sys
import zlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, overload

import numpy as np

from . import _array_ufunc, _pickling
from ._core_axes import CoreAxes
from ._jit import jit
from ._reads import Reads


class Signature(NamedTuple):
    """The core dimensions of a generalised ufunc: "(m,n),(n,p)->(m,p)"."""

    inputs: tuple[tuple[str, ...], ...]
    outputs: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, text: str) -> Signature:
        one = r"\((?:\s*\w+\s*(?:,\s*\w+\s*)*)?\)"
        several = rf"\s*{one}(?:\s*,\s*{one})*\s*"
        if not re.fullmatch(rf"{several}->{several}", text):
            raise ValueError(f"not a valid gufunc signature: {text}")
        sides = [
            tuple(tuple(re.findall(r"\w+", part)) for part in re.findall(one, side))
            for side in text.split("->")
        ]
        return cls(*sides)


class Vectorized:
    """A function over arrays, which broadcasts as NumPy's ufuncs do: see `vectorize`.

    A call takes `out=`, `where=`, `dtype=` and `casting=` as ufuncs do, and with a signature
    `axes=`, `axis=` and `keepdims=`; `reduce`, `accumulate`, `outer` and `at` are there for
    functions of two numbers.
    Arrays of other kinds (Dask, xarray, pandas, masked arrays) give results of theirs.
    """

    identity = None

    def __init__(
        self, function: Callable[..., Any], signature: str | None, combine: Any = None
    ) -> None:
        self.__wrapped__ = function
        for name in ("__module__", "__qualname__", "__doc__"):
            setattr(self, name, getattr(function, name, None))
        self.__name__ = getattr(function, "__name__", "function")
        self.signature = signature
        self._core = Signature.of(signature) if signature else None
        self.combine = self._combiner(combine)
        self._jitted = jit(function)
        self._kernels: dict[Any, Any] = {}
        self._results: dict[Any, list[Any]] = {}  # dtypes, by those of the arguments
        self._reads: Reads | None = None  # what the results hold for
        self._loops: set[str] = set()
        code = getattr(function, "__code__", None)
        self.nin = len(self._core.inputs) if self._core else code.co_argcount if code else 1
        self.nout = len(self._core.outputs) if self._core else 1
        self.nargs = self.nin + self.nout

    def __repr__(self) -> str:
        return f"<shapecast.vectorize of {self.__name__!r}>"

    def __reduce__(self) -> Any:
        made = (_made_again, (self.signature, self.combine))
        return _pickling.reduced_as(self, self.__wrapped__, made, sys._getframe(1).f_globals)

    def __copy__(self) -> Vectorized:
        return self

    def __deepcopy__(self, _: Any) -> Vectorized:
        return self

    @property
    def types(self) -> list[str]:
        """The loops that were compiled: "dd->d"."""
        return sorted(self._loops)

    @property
    def ntypes(self) -> int:
        return len(self._loops)

    def __call__(
        self,
        *args: Any,
        out: Any = None,
        where: Any = True,
        dtype: Any = None,
        casting: str = "same_kind",
        **axes: Any,
    ) -> Any:
        """Broadcasts the arguments (arrays, NumPy scalars, and Python numbers, which are weak as in
        NEP 50) and returns an array, or a scalar where all of them are; `out`, `where`, `dtype`,
        `casting`, `axes`, `axis` and `keepdims` are those of NumPy's ufuncs.
        """
        if len(args) == self.nargs and out is None:
            args, out = args[: self.nin], args[self.nin :]
        if len(args) != self.nin:
            raise TypeError(
                f"{self.__name__}() takes from {self.nin} to {self.nargs} positional arguments "
                f"but {len(args)} were given"
            )
        outs = () if out is None else out if isinstance(out, tuple) else (out,)
        is_plain = _array_ufunc.are_plain((*args, *outs))
        if not is_plain:
            named = {"where": where, "dtype": dtype, "casting": casting}
            named = {k: v for k, v in named.items() if v is not _DEFAULTS[k]} | axes
            named |= {"out": outs} if outs else {}
            if any(hasattr(a, "__cuda_array_interface__") for a in (*args, *outs)):
                return self._on_device(args, named)
            found = _array_ufunc.overridden(self, "__call__", args, named)
            if found is not NotImplemented:
                return found
        moved = CoreAxes(self.__name__, self._core, axes) if axes else None
        inputs = moved.inputs(args) if moved else args
        targets = moved.targets(outs) if moved else outs
        results = self._computed(inputs, targets or None, where, dtype, casting)
        if outs:
            results = [r if o is None else o for o, r in zip(outs, results, strict=True)]
            for k, o in enumerate(outs):
                if isinstance(o, np.ma.MaskedArray):  # gets the mask
                    context: Any = self, tuple(args), k
                    o.__array_wrap__(o, context)
        else:
            results = moved.results(results) if moved else results
            results = results if is_plain else _array_ufunc.wrapped(self, args, results)
            results = [r[()] if type(r) is np.ndarray and r.ndim == 0 else r for r in results]
        return results[0] if self.nout == 1 else tuple(results)

    def _computed(
        self, args: Sequence[Any], out: Any, where: Any, dtype: Any, casting: str
    ) -> list[Any]:
        given = [a if type(a) in (bool, int, float, complex) else np.asarray(a) for a in args]
        rule: Any = casting
        if dtype is not None:
            given = [np.asarray(a).astype(dtype, casting=rule) for a in given]
        cores = self._core.inputs if self._core else ((),) * self.nin
        sizes = self._core_sizes(given, cores)
        loops = [_shape(a)[: _rank(a) - len(core)] for a, core in zip(given, cores, strict=True)]
        masked = where is not True
        mask = np.asarray(where, dtype=bool) if masked else None
        shape = np.broadcast_shapes(*loops, *((mask.shape,) if mask is not None else ()))
        parts = [_flat(a, shape, core) for a, core in zip(given, cores, strict=True)]
        dtypes = self._result_types(parts, cores)
        outs = self._outputs(out, shape, sizes, dtypes, casting)
        targets = [np.empty(_flat_shape(o, shape), d) for o, d in zip(outs, dtypes, strict=True)]
        flags = [] if mask is None else [np.broadcast_to(mask, shape).reshape(-1)]
        loop = "".join(np.asarray(p).dtype.char for p in parts) + "->"
        self._loops.add(loop + "".join(d.char for d in dtypes))
        flat = tuple(isinstance(p, np.ndarray) for p in parts)
        self._kernel("call", flat, masked)(*parts, *flags, *targets)
        for o, t in zip(outs, targets, strict=True):
            if mask is None:
                np.copyto(o, t.reshape(o.shape), casting=rule)
            else:
                chosen = np.broadcast_to(mask, shape)
                np.copyto(
                    o,
                    t.reshape(o.shape),
                    where=chosen.reshape(shape + (1,) * (o.ndim - len(shape))),
                    casting=rule,
                )
        return outs

    def _on_device(self, args: Sequence[Any], named: dict[str, Any]) -> Any:
        """With arrays on a device: the results are there, too, of the arguments' library."""
        if named or self._core:
            what = f"{sorted(named)[0]}=" if named else "a signature"
            raise TypeError(
                f"{self.__name__}: arrays on a device with {what} are not supported; pass arrays "
                "of the host, or write the loop in a jitted function"
            )
        dtypes = self._learn_results([_array_ufunc.stand_in(a) for a in args])
        flat = tuple(type(a) not in (bool, int, float, complex) for a in args)
        return self._kernel("device", flat, tuple(d.name for d in dtypes))(*args)

    def reduce(
        self, array: Any, axis: int | None = 0, keepdims: bool = False, initial: Any = None
    ) -> Any:
        """Reduces one axis (None: all) from the left, as `functools.reduce` does. Of a Dask array
        each chunk first, and then the results of the chunks: the function must be associative.
        """
        named = {"axis": axis, "keepdims": keepdims}
        named |= {} if initial is None else {"initial": initial}
        found = self._overridden("reduce", array, **named)
        if found is not NotImplemented:
            return found
        self._refuse_masked("reduce", array)
        rows, rest = self._rows(array, axis)
        if len(rows) == 0 and initial is None:
            raise ValueError(
                f"zero-size array to reduction operation {self.__name__} which has no identity"
            )
        start = rows[0] if initial is None else np.full(rows.shape[1], initial, rows.dtype)
        total = np.array(start)
        self._kernel("reduce")(rows[1 if initial is None else 0 :], total)
        shape = rest
        if keepdims:
            rank = np.ndim(array)
            shape = (1,) * rank if axis is None else (*rest[: axis % rank], 1, *rest[axis % rank :])
        result = total.reshape(shape)
        return result[()] if result.ndim == 0 else result

    def accumulate(self, array: Any, axis: int = 0) -> Any:
        """All partial results of `reduce`."""
        found = self._overridden("accumulate", array, axis=axis)
        if found is not NotImplemented:
            return found
        self._refuse_masked("accumulate", array)
        rows, rest = self._rows(array, axis)
        out = rows.copy()
        self._kernel("accumulate")(out)
        return np.moveaxis(out.reshape(len(rows), *rest), 0, axis)

    def outer(self, a: Any, b: Any) -> Any:
        """The function of all pairs of elements of `a` and `b`."""
        found = self._overridden("outer", a, b)
        if found is not NotImplemented:
            return found
        a, b = np.asanyarray(a), np.asanyarray(b)
        return self(a.reshape(a.shape + (1,) * b.ndim), b)

    def at(self, array: Any, indices: Any, *other: Any) -> None:
        """`array[i] = function(array[i], other[i])` for one index after the other, unbuffered."""
        found = self._overridden("at", array, indices, *other)
        if found is not NotImplemented:
            return
        self._refuse_masked("at", array, *other)
        chosen = np.arange(array.size).reshape(array.shape)[indices]
        flat_indices = np.reshape(chosen, -1)
        others = [np.broadcast_to(o, np.shape(chosen)).reshape(-1) for o in map(np.asarray, other)]
        flat = array.reshape(-1)
        self._kernel("at", (True,) * len(others))(flat, flat_indices, *others)
        if not np.shares_memory(flat, array):
            array[...] = flat.reshape(array.shape)

    def _refuse_masked(self, method: str, *arrays: Any) -> None:
        if any(isinstance(a, np.ma.MaskedArray) for a in arrays):
            raise TypeError(
                f"{self.__name__}.{method} takes no masked array: pass x.compressed(), or "
                "x.filled(v)"
            )

    def _overridden(self, method: str, *inputs: Any, **named: Any) -> Any:
        if _array_ufunc.are_plain(inputs):
            return NotImplemented
        if any(hasattr(type(a), "__cuda_array_interface__") for a in inputs):
            raise TypeError(
                f"{self.__name__}.{method}: arrays on a device are not supported; pass arrays of "
                "the host, or write the loop in a jitted function"
            )
        return _array_ufunc.overridden(self, method, inputs, named)

    def _combiner(self, combine: Any) -> Vectorized | None:
        """Checked: a function of two results."""
        if combine is None or isinstance(combine, Vectorized):
            found = combine
        else:
            found = Vectorized(combine, None)
        if found is None:
            return None
        names = {name for core in self._core.inputs for name in core} if self._core else set()
        if not self._core or len(names) != 1 or self._core.outputs != ((),):
            raise ValueError(
                "combine= is for a signature with one core dimension, to numbers: '(n),(n)->()'"
            )
        if found.nin != 2 or found.signature:
            raise ValueError("combine= takes a function of two numbers")
        return found

    def _cores(self) -> Signature:
        """The signature; that of a function of numbers has no core dimensions."""
        return self._core or Signature(((),) * self.nin, ((),) * self.nout)

    def _learn_results(self, inputs: Sequence[Any]) -> list[Any]:
        """The dtypes of the results, and so their number, from the dtypes of the arguments."""
        parts: list[Any] = []
        cores = self._core.inputs if self._core else ((),) * self.nin
        for a, core in zip(inputs, cores, strict=True):
            if type(a) in (bool, int, float, complex):
                parts.append(a)
                continue
            try:
                dtype = np.dtype(getattr(a, "dtype", None) or np.asarray(a).dtype)
            except TypeError:
                dtype = np.dtype(object)
            if dtype.hasobject:  # a frame of several, or one of pandas's own: not known here
                dtype = np.dtype(float)
            parts.append(np.empty((0, *(9 for _ in core)), dtype))
        return self._result_types(parts, cores)

    def _rows(self, array: Any, axis: int | None) -> tuple[Any, tuple[int, ...]]:
        if self.nin != 2 or self._core:
            raise ValueError("reduce only supported for binary functions")
        array = np.asarray(array)
        moved = array.reshape(-1) if axis is None else np.moveaxis(array, axis, 0)
        rest = moved.shape[1:]
        return moved.reshape(len(moved), int(np.prod(rest, dtype=int))), rest

    def _core_sizes(self, given: Sequence[Any], cores: Any) -> dict[str, int]:
        sizes: dict[str, int] = {}
        for k, (a, core) in enumerate(zip(given, cores, strict=True)):
            if _rank(a) < len(core):
                raise ValueError(
                    f"{self.__name__}: Input operand {k} does not have enough dimensions (has "
                    f"{_rank(a)}, gufunc core with signature {self.signature} requires {len(core)})"
                )
            for name, size in zip(core, _shape(a)[_rank(a) - len(core) :], strict=True):
                if sizes.setdefault(name, size) != size:
                    raise ValueError(
                        f"{self.__name__}: Input operand {k} has a mismatch in its core dimension "
                        f"{core.index(name)}, with gufunc signature {self.signature} (size {size} "
                        f"is different from {sizes[name]})"
                    )
        return sizes

    def _result_types(self, parts: Sequence[Any], cores: Any) -> list[Any]:
        """The dtypes of the function's results for these elements."""
        key = tuple(
            (p.dtype, p.ndim) if isinstance(p, np.ndarray) else (type(p), None) for p in parts
        )
        if self._reads is None or not self._reads.are_unchanged():
            self._reads = Reads(self.__wrapped__)
            self._results = _results_of(self._reads.key)
        if key not in self._results:
            self._results[key] = self._inferred(parts, cores)
        found = self._results[key]
        if not self._core:
            self.nout = len(found)
            self.nargs = self.nin + self.nout
        return found

    def _inferred(self, parts: Sequence[Any], cores: Any) -> list[Any]:
        samples = [
            p
            if not isinstance(p, np.ndarray)
            else np.zeros(p.shape[1:], p.dtype)
            if core
            else p.dtype.type(0)
            for p, core in zip(parts, cores, strict=True)
        ]
        result = self._jitted.infer(*samples)
        found = result if isinstance(result, tuple) else (result,)
        if self._core and len(found) != self.nout:
            raise ValueError(f"{self.__name__}() returns {len(found)} results, not {self.nout}")
        return [np.dtype(getattr(r, "dtype", type(r))) for r in found]

    def _outputs(
        self,
        out: Any,
        shape: tuple[int, ...],
        sizes: dict[str, int],
        dtypes: list[Any],
        casting: Any,
    ) -> list[Any]:
        cores = self._core.outputs if self._core else ((),) * self.nout
        for name in itertools.chain(*cores):
            if name not in sizes:
                raise ValueError(f"{self.__name__}: no input has the core dimension {name!r}")
        shapes = [shape + tuple(sizes[name] for name in core) for core in cores]
        outs = out if isinstance(out, tuple) else (out,) * self.nout if out is None else (out,)
        if len(outs) != self.nout:
            raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
        result = []
        for o, s, d in zip(outs, shapes, dtypes, strict=True):
            if o is None:
                o = np.zeros(s, d)
            elif o.shape != s:
                raise ValueError(
                    f"non-broadcastable output operand with shape {o.shape} doesn't match the "
                    f"broadcast shape {s}"
                )
            elif not np.can_cast(d, o.dtype, casting):
                raise TypeError(
                    f"Cannot cast ufunc '{self.__name__}' output from {d!r} to {o.dtype!r} with "
                    f"casting rule '{casting}'"
                )
            result.append(o)
        return result

    def _kernel(self, kind: str, flat: tuple[bool, ...] = (), more: Any = False) -> Any:
        key = (kind, flat, more)
        if key not in self._kernels:
            self._kernels[key] = self._compiled(*key)
        return self._kernels[key]

    def _compiled(self, kind: str, flat: tuple[bool, ...], more: Any) -> Any:
        """Generates the source of the loop, which is compiled like a function of the user's.

        `more`: whether there is a mask; on a device the dtypes of the results.
        """
        masked = kind == "call" and more
        given = [f"a{k}" for k in range(len(flat))]
        outs = [f"out{k}" for k in range(self.nout)]
        items = ", ".join(f"{a}[i]" if f else a for a, f in zip(given, flat, strict=True))
        targets = ", ".join(f"{o}[i]" for o in outs)
        if kind == "call":
            names = [*given, *(["where"] if masked else []), *outs]
            body = ["for i in range(out0.shape[0]):"]
            body += ["    if where[i]:"] if masked else []
            body += [f"{'    ' * (1 + masked)}{targets} = function({items})"]
        elif kind == "device":
            names = given
            arrays = [a for a, f in zip(given, flat, strict=True) if f]
            shapes = ", ".join(f"{a}.shape" for a in arrays)
            body = [f"shape = np.broadcast_shapes({shapes})"]
            body += [f"{a} = np.broadcast_to({a}, shape).reshape(-1)" for a in arrays]
            kinds = zip(outs, more, strict=True)
            body += [f"{o} = np.empty({arrays[0]}.shape, np.dtype({d!r}))" for o, d in kinds]
            body += ["for i in range(out0.shape[0]):", f"    {targets} = function({items})"]
            body += ["return " + ", ".join(f"{o}.reshape(shape)" for o in outs)]
        elif kind == "reduce":
            names = ["rows", "total"]
            body = ["for i in range(rows.shape[0]):", "    for j in range(total.size):"]
            body += ["        total[j] = function(total[j], rows[i, j])"]
        elif kind == "accumulate":
            names = ["rows"]
            body = ["for i in range(1, rows.shape[0]):", "    for j in range(rows.shape[1]):"]
            body += ["        rows[i, j] = function(rows[i - 1, j], rows[i, j])"]
        else:
            names = ["array", "indices", *given]
            body = ["for i in range(indices.size):", "    k = indices[i]"]
            body += [f"    array[k] = function(array[k]{', ' if items else ''}{items})"]
        source = f"def kernel({', '.join(names)}):\n" + "".join(f"    {line}\n" for line in body)
        # A name for each text: a worker generates the same again for each task.
        filename = f"<shapecast.vectorize of {self.__name__} {zlib.crc32(source.encode()):x}>"
        linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
        scope: dict[str, Any] = {"function": self.__wrapped__, "np": np}
        exec(compile(source, filename, "exec"), scope)
        scope["kernel"].__qualname__ = self.__name__  # for profiles
        return jit(scope["kernel"])


def _made_again(function: Any, options: tuple[Any, ...], texts: dict[str, str]) -> Any:
    return _pickling.made_once(lambda f: Vectorized(f, *options), function, options, texts)


# Those of equal functions: a worker gets a new object with each task.
_shared: dict[Any, dict[Any, list[Any]]] = {}


def _results_of(key: Any) -> dict[Any, list[Any]]:
    if key is None:
        return {}
    if len(_shared) > 1000:
        _shared.clear()
    return _shared.setdefault(key, {})


_DEFAULTS: dict[str, Any] = {"where": True, "dtype": None, "casting": "same_kind"}


def _shape(a: Any) -> tuple[int, ...]:
    return a.shape if isinstance(a, np.ndarray) else ()


def _rank(a: Any) -> int:
    return len(_shape(a))


def _flat(a: Any, shape: tuple[int, ...], core: tuple[str, ...]) -> Any:
    """With one axis for the loop; Python's numbers stay numbers."""
    if not isinstance(a, np.ndarray):
        return a
    inner = a.shape[a.ndim - len(core) :]
    return np.broadcast_to(a, shape + inner).reshape((-1, *inner))


def _flat_shape(out: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    return (int(np.prod(shape, dtype=int)), *out.shape[len(shape) :])


@overload
def vectorize(
    function: Callable[..., Any],
    /,
    *,
    signature: str | None = ...,
    combine: Callable[..., Any] | None = ...,
) -> Vectorized: ...
@overload
def vectorize(
    *, signature: str | None = ..., combine: Callable[..., Any] | None = ...
) -> Callable[[Callable[..., Any]], Vectorized]: ...
def vectorize(
    function: Callable[..., Any] | None = None,
    /,
    *,
    signature: str | None = None,
    combine: Callable[..., Any] | None = None,
) -> Any:
    """Makes a compiled function of arrays from one of numbers, with the rules of NumPy's ufuncs.

    Args:
        function: A plain function of numbers; with `signature` one of arrays.
        signature: Core dimensions, for a function of arrays (a generalised ufunc):
            "(m,n),(n,p)->(m,p)" calls it with matrices; the other, loop dimensions broadcast.
        combine: With a signature of one core dimension to numbers, "(n)->()": an associative
            function that makes the result from those of two parts, for Dask arrays with several
            chunks along the core dimension.

    Returns:
        A callable with `out=`, `where=`, `reduce`, `accumulate`, `outer` and `at`; without
            `function` a decorator.

    Raises:
        ShapeError: At a call, sizes do not broadcast or do not fit the signature.

    Examples:
        >>> @shapecast.vectorize
        ... def relu(x, slope):
        ...     return x if x > 0 else slope * x
        >>> relu(np.linspace(-1, 1, 5), 0.1)
        array([-0.1 , -0.05,  0.  ,  0.5 ,  1.  ])
        >>> @shapecast.vectorize(signature="(n),(n)->()")
        ... def dot(a, b):
        ...     return (a * b).sum()
        >>> dot(np.ones((2, 3)), np.arange(3.0))
        array([3., 3.])
    """
    if function is None:
        return lambda function: Vectorized(function, signature, combine)
    return Vectorized(function, signature, combine)
