"""shapecast: NumPy functions as machine code."""

from ._core import __version__
from ._errors import ShapeError, UnsupportedError
from ._jit import jit, spec

__all__ = ["ShapeError", "UnsupportedError", "__version__", "jit", "spec"]
