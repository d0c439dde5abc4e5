"""shapecast: NumPy functions as machine code."""

from ._core import __version__

__all__ = ["__version__"]
