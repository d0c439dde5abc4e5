from collections.abc import Callable, Iterable, Sequence
from inspect import Signature
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    ParamSpec,
    Self,
    TypedDict,
    TypeVar,
    final,
    overload,
    type_check_only,
)

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ._jit import CallSignature, Inferred
from ._show import Explanation, Stages

__version__: str

_P = ParamSpec("_P")
_Rest = ParamSpec("_Rest")
_R = TypeVar("_R", covariant=True)

@final
class Jit(Generic[_P, _R]):
    """A jitted function, as `jit` makes it: call it as the plain one.

    `f.__wrapped__` is the plain function.
    """

    __name__: str
    __qualname__: str
    def __new__(
        cls,
        function: Callable[_P, _R],
        static_argnames: str | Iterable[str] = ...,
        fallback: bool = ...,
        debug: bool = ...,
        bigint: bool = ...,
    ) -> Self: ...
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    @overload
    def __get__(self, instance: None, owner: type | None = ..., /) -> Self: ...
    @overload
    def __get__(
        self: Jit[Concatenate[Any, _Rest], _R], instance: object, owner: type | None = ..., /
    ) -> Callable[_Rest, _R]: ...
    @property
    def __wrapped__(self) -> Callable[_P, _R]:
        """The plain Python function."""
    @property
    def py_func(self) -> Callable[_P, _R]:
        """The plain Python function, by Numba's name.

        Examples:
            >>> @jit
            ... def double(x):
            ...     return 2 * x
            >>> double.py_func("ab")
            'abab'
        """
    @property
    def __signature__(self) -> Signature: ...
    @property
    def __defaults__(self) -> tuple[Any, ...] | None: ...
    @property
    def __kwdefaults__(self) -> dict[str, Any] | None: ...
    @property
    def __globals__(self) -> dict[str, Any]: ...
    __annotations__: dict[str, Any]
    @property
    def __annotate__(self) -> Any: ...
    @property
    def __type_params__(self) -> tuple[Any, ...]: ...
    def compile(self, *specs: Any, **kwargs: Any) -> str | None:
        """Compiles for such a call without running it.

        Args:
            *specs: Example arguments, `spec(...)`, annotations and dtypes; parameters that have
                annotations may be left out.
            **kwargs: The same, by name.

        Returns:
            The signature, as in `signatures`. None: the function has a fallback, and runs as plain
                Python.

        Raises:
            Exception: What a call with such arguments raises when it compiles.

        Examples:
            >>> @jit
            ... def add(a, b):
            ...     return a + b
            >>> add.compile(("n",), np.dtype("int32"))
            'a: float64[s0], b: np.int32'
        """
    def on(self, device: Any, /) -> Callable[_P, _R]:
        """The function for NumPy arrays in and out that runs on a device.

        Arrays among the arguments, in lists, objects and globals, too, are copied to the device.
        Of what the call leaves, new arrays are copied back, and of the arguments the elements of
        those arrays that the function writes to. A result that is a view of an argument is a view
        of the caller's array. Without an array argument the function runs in the host.

        Args:
            device: "cuda:1", its number, or one of `shapecast.devices()`.

        Returns:
            A callable with the same parameters, of which a class can have one as a method.

        Raises:
            ValueError: That is no device.
            DeviceError: At a call: there is no such device, or no driver.

        Examples:
            >>> @jit
            ... def hypotenuse(a, b):
            ...     return np.sqrt(a * a + b * b)
            >>> if shapecast.devices():
            ...     c = hypotenuse.on("cuda:0")(np.array([3.0]), np.array([4.0]))
            ...     assert c.tolist() == [5.0]
        """
    def _call_on(self, ordinal: int, /, *args: Any, **kwargs: Any) -> Any: ...
    # Tools for documentation leave out functions of which there are overloads only.
    if TYPE_CHECKING:
        @overload
        def infer(
            self: Jit[..., tuple[Any, ...]], *specs: Any, **kwargs: Any
        ) -> tuple[Any, ...]: ...
        @overload
        def infer(self: Jit[..., None], *specs: Any, **kwargs: Any) -> None: ...
        @overload
        def infer(self, *specs: Any, **kwargs: Any) -> Inferred: ...
    else:
        def infer(self, *specs: Any, **kwargs: Any) -> Inferred:
            """Dtypes and symbolic shapes of the result, without compiling.

            Args:
                *specs: As of `compile`.
                **kwargs: The same, by name.

            Returns:
                `Inferred` (dtype, shape, ndim, device); a tuple of them for several results.

            Raises:
                ShapeError: Sizes never fit, whatever the symbols are.

            Examples:
                >>> @jit
                ... def pairs(x):
                ...     return x[:, None] - x
                >>> pairs.infer(("n",))
                float64[n, n]
            """
    def signature_of(self, *specs: Any, **kwargs: Any) -> CallSignature:
        """Types of the parameters and the result, and constraints on their sizes.

        Args:
            *specs: As of `compile`.
            **kwargs: The same, by name.

        Returns:
            A `CallSignature`: parameters, result, guards and requirements.

        Raises:
            ShapeError: Sizes never fit, whatever the symbols are.

        Examples:
            >>> @jit
            ... def product(a, b):
            ...     return a @ b
            >>> print(product.signature_of(("n", "k"), ("j", "m")))
            (a: float64[n, k], b: float64[k, m]) -> float64[n, m]
              checks k == j (line 3)
        """
    def stages(self, *args: Any, **kwargs: Any) -> Stages:
        """The IR after each stage of the compiler; nothing runs.

        Args:
            *args: Arguments, or specs as of `compile`.
            **kwargs: The same, by name.

        Returns:
            A dict: name of the stage, text of the IR. `print` shows all of them.

        Raises:
            Exception: What a call with such arguments raises when it compiles.

        Examples:
            >>> @jit
            ... def root(x):
            ...     return np.sqrt(x)
            >>> stages = root.stages(20.0)
            >>> 'np.ufunc "sqrt"' in stages["simplify"], "math.sqrt" in stages["loops"]
            (True, True)
        """
    def remarks(self, *args: Any, **kwargs: Any) -> list[str]:
        """LLVM's optimisation remarks for each loop: vectorised, or why not.

        Args:
            *args: Arguments, or specs as of `compile`.
            **kwargs: The same, by name.

        Returns:
            A line for each remark: function, line of the source, what LLVM says.

        Raises:
            Exception: What a call with such arguments raises when it compiles.

        Examples:
            >>> @jit
            ... def double(x):
            ...     return x * 2
            >>> any("vectorized loop" in line for line in double.remarks(np.ones(100)))
            True
        """
    def ptx(self, *specs: Any, target: str = ..., **kwargs: Any) -> str:
        """The kernels for arrays on a device (see `spec`), as PTX text.

        Args:
            *specs: As of `compile`, with arrays on a device.
            target: NVIDIA's name of an architecture, "sm_80" and later ones.
            **kwargs: Specs by name.

        Returns:
            PTX. Each kernel's parameters and launch are in comments at its head.

        Raises:
            UnsupportedError: The function needs something that kernels cannot do.

        Examples:
            >>> @jit
            ... def double(x):
            ...     return x * 2
            >>> text = double.ptx(shapecast.spec("float32", 1, device="cuda:0"))
            >>> ".visible .entry" in text
            True
        """
    def signatures(self) -> list[str]:
        """The signatures compiled so far.

        Returns:
            A text for each variant: the parameters' types, and after `if` what it assumes of sizes.

        Examples:
            >>> @jit
            ... def double(x):
            ...     return x * 2
            >>> double(3), double(np.float32(3))
            (6, np.float32(6.0))
            >>> double.signatures()
            ['x: int', 'x: np.float32']
        """
    def explain(self) -> Explanation:
        """Why each variant was compiled, how long it took, and what is called in Python.

        Of calls with arrays on a device also each kernel, with its elements, operations, blocks and
        bytes, and where the host works on copies or waits.

        Returns:
            A string with a line for each; rich and notebooks draw it as a table.

        Examples:
            >>> @jit
            ... def double(x):
            ...     return x * 2
            >>> double(3)
            6
            >>> print(double.explain().partition(",")[0])
            x: int: new key
        """
    def show(self) -> None:
        """Prints what a notebook shows: source, loop nests, hot loops in assembly, as plain text.

        `rich.print(f)` prints the same with colours. The newest three variants are shown in full;
        each is compiled once more for that.

        Examples:
            >>> @jit
            ... def double(x):
            ...     return x * 2
            >>> double.show()  # doctest: +ELLIPSIS
            <jit double>  0 variants compiled
            ...
        """
    def _repr_html_(self) -> str:
        """What notebooks show: source, signatures, stages."""
    def __rich__(self) -> Any:
        """The same for rich."""
    def _variants(self) -> list[tuple[str, str, float]]:
        """Signature, reason and milliseconds of each variant."""
    def _times(self) -> list[tuple[float, int, list[Any]]]: ...
    def _inspect_variant(self, index: int, /) -> dict[str, Any]:
        """Stages, remarks and loop nests of a variant, which is compiled once more."""
    def _copy_options(self, other: Jit[..., Any], /) -> None:
        """Copies the options of jit."""

@type_check_only
class UfuncRow(TypedDict):
    name: str
    nin: int
    nout: int
    types: list[str]

@final
class Dim:
    """A symbolic size: an expression over symbols."""

    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __add__(self, other: int | Dim, /) -> int | Dim: ...
    def __radd__(self, other: int, /) -> int | Dim: ...
    def __sub__(self, other: int | Dim, /) -> int | Dim: ...
    def __rsub__(self, other: int, /) -> int | Dim: ...
    def __mul__(self, other: int | Dim, /) -> int | Dim: ...
    def __rmul__(self, other: int, /) -> int | Dim: ...
    def __floordiv__(self, other: int | Dim, /) -> int | Dim: ...
    def __rfloordiv__(self, other: int, /) -> int | Dim: ...
    def __mod__(self, other: int | Dim, /) -> int | Dim: ...
    def __rmod__(self, other: int, /) -> int | Dim: ...
    def __pow__(self, exponent: int, /) -> int | Dim: ...
    def __neg__(self) -> int | Dim: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def min(self, other: int | Dim, /) -> int | Dim:
        """The smaller of two sizes."""
    def max(self, other: int | Dim, /) -> int | Dim:
        """The larger of two sizes."""
    def broadcast(self, other: int | Dim, /) -> int | Dim:
        """The other size where this one is 1."""
    def evaluate(self, values: dict[str, int], /) -> int:
        """Its value for these values of its symbols."""
    @property
    def symbols(self) -> set[str]: ...

_Sizes = Sequence[int | Dim]
_Shape = tuple[int | Dim, ...]

@final
class ShapeScope:
    """The core of `shape_rules.Scope`, where the rules are documented."""

    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    origin: str
    @property
    def facts(self) -> list[tuple[str, str]]: ...
    def symbol(self, name: str, /) -> Dim: ...
    def fresh(self, /) -> Dim: ...
    def size(self, size: int | Dim, /) -> int | Dim: ...
    def equal(self, a: int | Dim, b: int | Dim, /) -> bool | None: ...
    def greater_equal(self, a: int | Dim, b: int | Dim, /) -> bool | None: ...
    def bounds(self, size: int | Dim, /) -> tuple[int, int]: ...
    def require_in_bounds(self, index: int | Dim, size: int | Dim, /) -> None: ...
    def require(self, relation: str, a: int | Dim, b: int | Dim, /) -> None: ...
    def merge(self, a: _Sizes | None, b: _Sizes | None, /) -> _Shape | None: ...
    def relax(self, a: _Sizes | None, b: _Sizes | None, /) -> _Shape | None: ...
    def full(self, sizes: _Sizes, /) -> _Shape: ...
    def reduce(self, shape: _Sizes, axes: Sequence[int], keepdims: bool, /) -> _Shape: ...
    def scan(self, shape: _Sizes, axis: int, /) -> _Shape: ...
    def transpose(self, shape: _Sizes, order: Sequence[int], /) -> _Shape: ...
    def squeeze(self, shape: _Sizes, axes: Sequence[int], /) -> _Shape: ...
    def unsqueeze(self, shape: _Sizes, axes: Sequence[int], /) -> _Shape: ...
    def flatten(self, shape: _Sizes, axis: int, /) -> _Shape: ...
    def broadcast_to(self, shape: _Sizes, to: _Sizes, /) -> _Shape: ...
    def reshape(self, shape: _Sizes, to: _Sizes, /) -> _Shape: ...
    def tile(self, shape: _Sizes, counts: _Sizes, /) -> _Shape: ...
    def pad(self, shape: _Sizes, before: _Sizes, after: _Sizes, /) -> _Shape: ...
    def gather(self, shape: _Sizes, indices: _Sizes, axis: int, /) -> _Shape: ...
    def gather_nd(self, shape: _Sizes, indices: _Sizes, batch_axes: int, /) -> _Shape: ...
    def scatter(self, shape: _Sizes, indices: _Sizes, updates: _Sizes, axis: int, /) -> _Shape: ...
    def scatter_nd(self, shape: _Sizes, indices: _Sizes, updates: _Sizes, /) -> _Shape: ...
    def resize(
        self, shape: _Sizes, numerators: Sequence[int], denominators: Sequence[int], /
    ) -> _Shape: ...
    def broadcast(self, shapes: Sequence[_Sizes], /) -> _Shape: ...
    def matmul(self, a: _Sizes, b: _Sizes, /) -> _Shape: ...
    def gemm(
        self, a: _Sizes, b: _Sizes, transpose_a: bool, transpose_b: bool, c: _Sizes | None, /
    ) -> _Shape: ...
    def einsum(self, equation: str, shapes: Sequence[_Sizes], /) -> _Shape: ...
    def concat(self, shapes: Sequence[_Sizes], axis: int, /) -> _Shape: ...
    def stack(self, shapes: Sequence[_Sizes], axis: int, /) -> _Shape: ...
    def split(self, shape: _Sizes, axis: int, parts: int, uneven: bool, /) -> list[_Shape]: ...
    def split_sizes(self, shape: _Sizes, axis: int, sizes: _Sizes, /) -> list[_Shape]: ...
    def slice(
        self, size: int | Dim, start: int | Dim | None, stop: int | Dim | None, step: int | Dim, /
    ) -> _Shape: ...
    def range(self, start: int | Dim, stop: int | Dim, step: int | Dim, /) -> _Shape: ...
    def one_hot(self, indices: _Sizes, depth: int | Dim, axis: int, /) -> _Shape: ...
    def top_k(self, shape: _Sizes, count: int | Dim, axis: int, /) -> _Shape: ...
    def compress(self, shape: _Sizes, count: int | Dim, axis: int | None, /) -> _Shape: ...
    def conv(
        self, x: _Sizes, w: _Sizes, options: dict[str, list[int]], padding: str, groups: int, /
    ) -> _Shape: ...
    def pool(
        self, x: _Sizes, window: _Sizes, options: dict[str, list[int]], padding: str, ceil: bool, /
    ) -> _Shape: ...
    def conv_transpose(
        self,
        x: _Sizes,
        w: _Sizes,
        options: dict[str, list[int]],
        padding: str,
        groups: int,
        outputs: _Sizes | None,
        /,
    ) -> _Shape: ...
    def recurrent(
        self, x: _Sizes, w: _Sizes, r: _Sizes, gates: int, directions: int, batch_first: bool, /
    ) -> list[_Shape]: ...

class Device:
    """A device of this machine: see shapecast.devices."""

    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def ordinal(self) -> int: ...
    @property
    def memory_bytes(self) -> int: ...
    @property
    def multiprocessors(self) -> int: ...
    @property
    def compute_capability(self) -> tuple[int, int]: ...

class DeviceArray(NDArrayOperatorsMixin):
    """An array on a device: see shapecast.to_device."""

    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def device(self) -> str: ...
    @property
    def base(self) -> Any: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]: ...
    def copy_to_host(self) -> np.ndarray[Any, Any]:
        """A NumPy array with its elements; waits for them."""

    def copy_from_host(self, values: Any) -> None:
        """Assigns values, which are broadcast and cast as by `x[...] = values`."""

    def copy(self) -> DeviceArray:
        """An array with the same elements, in memory of its own on the device."""

    def item(self) -> Any: ...
    def tolist(self) -> Any: ...
    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, /, *inputs: Any, **options: Any
    ) -> Any: ...
    def __copy__(self) -> DeviceArray: ...
    def __deepcopy__(self, memo: Any, /) -> DeviceArray: ...
    def __getitem__(self, index: Any, /) -> DeviceArray: ...
    def __setitem__(self, index: Any, values: Any, /) -> None: ...
    def __len__(self) -> int: ...
    def __float__(self) -> float: ...
    def __int__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __complex__(self) -> complex: ...
    def __index__(self) -> int: ...
    def __round__(self, digits: int = ..., /) -> Any: ...

def _standard_input() -> bytes: ...
def _set_disabled(disabled: bool) -> None: ...
def _turn_disk_cache_off() -> None: ...
def _set_profiling(on: bool) -> None: ...
def _profiled_functions() -> list[Jit[..., Any]]: ...
def _is_disabled() -> bool: ...
def devices() -> list[Device]: ...
def to_device(array: Any, device: Any = "cuda:0") -> DeviceArray: ...
def _device_ordinal(name: Any) -> int: ...
def live_allocations() -> int:
    """Buffers of compiled code that are not yet freed."""

def original(module: str, name: str) -> Any: ...
def cache_directory() -> str:
    """The directory of the cache of compiled code; empty where the cache is off."""

def cache_limit() -> int:
    """The cache's limit in bytes."""

def cache_statistics() -> dict[str, int]:
    """Variants of this process: found on disk without capture and inference (`direct`), code found
    by the typed module (`typed`), compiled; and entries found (`hits`), not found, stored, damaged.
    """

def ufunc_table() -> list[UfuncRow]:
    """The element-wise functions that shapecast compiles, with their loops."""

def _set_blas_library(path: str) -> None: ...
def _set_host_info(messages: dict[str, str], unexpected_field: str, /, **flags: bool) -> None: ...
def _needs_blas() -> bool: ...
def _caught_error(number: int) -> BaseException: ...
def _container(form: str, words: Any) -> Any: ...
def _has_distributions() -> bool: ...
def _has_legacy_distributions() -> bool: ...
def _has_pythons_random() -> bool: ...
def _add_ufunc_loop(name: str, ufunc: object, number: int) -> bool: ...
def _build_id() -> bytes: ...
def _captured_bytes(function: object) -> bytes | None: ...
def _capture_text(function: object, locations: bool = ...) -> str: ...
def _get_num_threads() -> int: ...
def _set_num_threads(count: int) -> None: ...
def _set_non_temporal_bytes(bytes: int) -> int:
    """Nests that touch so many bytes use non-temporal stores; returns the old value."""

def _set_strip_bytes(count: int) -> int:
    """The bytes that a strip of strip-mined loops touches; returns the old value."""

def _set_min_parallel_work(work: int) -> int:
    """Loops with so much work (sixteenths of a nanosecond) are parallel; returns the old value."""
