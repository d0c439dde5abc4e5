"""shapecast: NumPy functions as machine code."""

from ._core import __version__
from ._errors import InternalError, ShapeError, UnsupportedError
from ._jit import jit, spec

__all__ = ["InternalError", "ShapeError", "UnsupportedError", "__version__", "jit", "spec"]
