"""Programs that fail today, and the message with which they do: under `name-dtype`, or `name` for
all dtypes. Each is a strict xfail: once it works, its row has to go.
"""

FAILS = {
    "count_components-int32": (
        "UnsupportedError: a variable is int32 on one path and int64 on the other; give "
        "it the same kind of value on both (for example start from 0.0 instead of 0, or "
        "use another name)"
    ),
    "gauss_seidel-float64": (
        "result[1][2]: 1 of 1 elements are off by up to 2.78e-17, 2.56e-17 is allowed; at"
        " []: np.float64(0.0017988306322500591), expected "
        "np.float64(0.0017988306322500314)"
    ),
    "max_rectangle-int32": (
        "UnsupportedError: a number is a Python int on one path and int64 on another, and"
        " the dtype of what is computed from it differs; make it the same on both, for "
        "example with int(...)"
    ),
}
