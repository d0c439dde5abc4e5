"""What shapecast costs and gains: kernels, calls, first calls, beside NumPy and its peers.

`run.py` says how it is used; `kernels/` and `peers/` hold what is measured.
"""
