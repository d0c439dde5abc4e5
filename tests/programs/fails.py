"""Programs that fail today, and the message with which they do: under `name-dtype`, or `name` for
all dtypes. Each is a strict xfail: once it works, its row has to go.
"""

FAILS = {
    "convex_hull_area": (
        "UnsupportedError: a list of 2 items on one path and of 1 on the other is not "
        "supported (it grows in a loop, say); store to the items of an array"
    ),
    "count_components-int32": (
        "UnsupportedError: a variable is int32 on one path and int64 on the other; give "
        "it the same kind of value on both (for example start from 0.0 instead of 0, or "
        "use another name)"
    ),
    "exponential_smoothing": (
        "UnsupportedError: a list of 3 items on one path and of 4 on the other is not "
        "supported (it grows in a loop, say); store to the items of an array"
    ),
    "flood_fill": (
        "UnsupportedError: a list of 0 items on one path and of 4 on the other is not "
        "supported (it grows in a loop, say); store to the items of an array"
    ),
    "gauss_seidel": (
        "UnsupportedError: a list of 2 items on one path and of 3 on the other is not "
        "supported (it grows in a loop, say); store to the items of an array"
    ),
    "max_rectangle-int32": (
        "UnsupportedError: a number is a Python int on one path and int64 on another, and"
        " the dtype of what is computed from it differs; make it the same on both, for "
        "example with int(...)"
    ),
    "median_filter": (
        "UnsupportedError: a comprehension over something of which the length is known at"
        " run time only is not supported; fill an array in a loop"
    ),
    "named_filter": (
        "UnsupportedError: a value of type 'dict' from outside the function is not "
        "supported; pass it as an argument"
    ),
    "peaks": (
        "UnsupportedError: a list of 1 items on one path and of 0 on the other is not "
        "supported (it grows in a loop, say); store to the items of an array"
    ),
    "pi_digits": (
        "UnsupportedError: a comprehension over something of which the length is known at"
        " run time only is not supported; fill an array in a loop"
    ),
    "predator_prey": (
        "UnsupportedError: a list of 2 items on one path and of 3 on the other is not "
        "supported (it grows in a loop, say); store to the items of an array"
    ),
    "range_sums": (
        "UnsupportedError: a comprehension over something of which the length is known at"
        " run time only is not supported; fill an array in a loop"
    ),
    "wave_1d": (
        "UnsupportedError: a list of 3 items on one path and of 4 on the other is not "
        "supported (it grows in a loop, say); store to the items of an array"
    ),
}
