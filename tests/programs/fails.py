"""Programs that fail today, and the message with which they do: under `name-dtype`, or `name` for
all dtypes. Each is a strict xfail: once it works, its row has to go.
"""

FAILS = {
    "autocorrelation": (
        "UnsupportedError: a comprehension over something of which the length is known at "
        "run time only is not supported; fill an array in a loop"
    ),
    "checkerboard": (
        "UnsupportedError: the function numpy.kron is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "convex_hull_area": ("UnsupportedError: the method 'append' of list is not compiled yet"),
    "count_components-int32": (
        "UnsupportedError: a variable is int32 on one path and int64 on the other; give "
        "it the same kind of value on both (for example start from 0.0 instead of 0, or "
        "use another name)"
    ),
    "equalise_short": (
        "UnsupportedError: the function numpy.bincount is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "exponential_smoothing": ("UnsupportedError: the method 'append' of list is not compiled yet"),
    "flood_fill": ("UnsupportedError: the method 'pop' of list is not compiled yet"),
    "gauss_seidel": ("UnsupportedError: the method 'append' of list is not compiled yet"),
    "interpolate": (
        "UnsupportedError: the function numpy.searchsorted is not compiled yet; compute "
        "it outside and pass the result in"
    ),
    "lstm_cell": (
        "UnsupportedError: the function numpy.split is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "max_rectangle-int32": (
        "UnsupportedError: a number is a Python int on one path and int64 on another, and the "
        "dtype of what is computed from it differs; make it the same on both, for example with "
        "int(...)"
    ),
    "median_filter": (
        "UnsupportedError: the function numpy.pad is not compiled yet; compute it outside "
        "and pass the result in"
    ),
    "moving_average_cumsum": (
        "UnsupportedError: the function numpy.cumsum is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "named_filter": (
        "UnsupportedError: a value of type 'dict' from outside the function is not "
        "supported; pass it as an argument"
    ),
    "peaks": ("UnsupportedError: the method 'append' of list is not compiled yet"),
    "pi_digits": (
        "UnsupportedError: a comprehension over something of which the length is known at "
        "run time only is not supported; fill an array in a loop"
    ),
    "predator_prey": ("UnsupportedError: the method 'append' of list is not compiled yet"),
    "random_walk_stats": (
        "UnsupportedError: the function numpy.cumsum is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "range_sums": (
        "UnsupportedError: a comprehension over something of which the length is known at "
        "run time only is not supported; fill an array in a loop"
    ),
    "wave_1d": ("UnsupportedError: the method 'append' of list is not compiled yet"),
}
