from collections.abc import Callable, Iterable
from typing import Any, TypedDict

__version__: str

class Jit:
    """A jitted function: call it as the plain one."""

    __wrapped__: Any
    __name__: str
    __qualname__: str
    def __init__(
        self,
        function: Callable[..., Any],
        static_argnames: str | Iterable[str] = ...,
        fallback: bool = ...,
    ) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __get__(self, instance: object, owner: type | None = ...) -> Any: ...
    def infer(self, *specs: Any, **kwargs: Any) -> Any:
        """Dtypes and symbolic shapes of the result, without compiling."""
    def stages(self, *args: Any, **kwargs: Any) -> dict[str, str]:
        """The IR after each stage of the compiler, by the stage's name."""
    def remarks(self, *args: Any, **kwargs: Any) -> list[str]:
        """What LLVM's optimiser says of each loop: vectorised how, or why not."""
    def ptx(self, *specs: Any, target: str = ..., **kwargs: Any) -> str:
        """The kernels for arrays on a device (see `spec`), as PTX text for NVIDIA's `target`.

        Each kernel's parameters and launch stand in comments at its head.
        """
    def signatures(self) -> list[str]:
        """The signatures compiled so far."""
    def explain(self) -> str:
        """Why each variant was compiled, a line each."""

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
