"""Writes the captured library to the file given; the build of the package calls it."""

import sys

from ._store import write

write(sys.argv[1])
