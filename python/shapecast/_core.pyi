from collections.abc import Callable, Iterable
from inspect import Signature
from typing import (
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

from ._jit import CallSignature
from ._show import Explanation, Stages

__version__: str

_P = ParamSpec("_P")
_Rest = ParamSpec("_Rest")
_R = TypeVar("_R", covariant=True)

@final
class Jit(Generic[_P, _R]):
    """A jitted function: call it as the plain one."""

    __name__: str
    __qualname__: str
    def __new__(
        cls,
        function: Callable[_P, _R],
        static_argnames: str | Iterable[str] = ...,
        fallback: bool = ...,
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
    def __signature__(self) -> Signature: ...
    def infer(self, *specs: Any, **kwargs: Any) -> Any:
        """Dtypes and symbolic shapes of the result, without compiling."""
    def signature_of(self, *specs: Any, **kwargs: Any) -> CallSignature:
        """Types of the parameters and the result, and what is asked of their sizes."""
    def stages(self, *args: Any, **kwargs: Any) -> Stages:
        """The IR after each stage of the compiler, by the stage's name."""
    def remarks(self, *args: Any, **kwargs: Any) -> list[str]:
        """What LLVM's optimiser says of each loop: vectorised how, or why not."""
    def ptx(self, *specs: Any, target: str = ..., **kwargs: Any) -> str:
        """The kernels for arrays on a device (see `spec`), as PTX text for NVIDIA's `target`.

        Each kernel's parameters and launch stand in comments at its head.
        """
    def signatures(self) -> list[str]:
        """The signatures compiled so far."""
    def explain(self) -> Explanation:
        """Why each variant was compiled, a line each."""
    def _repr_html_(self) -> str:
        """What notebooks show: source, signatures, stages."""
    def _variants(self) -> list[tuple[str, str, float]]:
        """Signature, reason and milliseconds of each variant."""
    def _look(self, index: int, /) -> dict[str, Any]:
        """Stages, remarks and nests of a variant, compiled once more."""

@type_check_only
class UfuncRow(TypedDict):
    name: str
    nin: int
    nout: int
    types: list[str]

def live_allocations() -> int:
    """Buffers of compiled code that are not yet freed."""

def ufunc_table() -> list[UfuncRow]:
    """The element-wise functions that shapecast compiles, with their loops."""

def _set_blas_library(path: str) -> None: ...
def _needs_blas() -> bool: ...
def _capture_text(function: object, locations: bool = ...) -> str: ...
