"""Programs that fail today, and the message with which they do: under `name-dtype`, or `name` for
all dtypes. Each is a strict xfail: once it works, its row has to go.
"""

FAILS = {
    "autocorrelation": (
        "UnsupportedError: a comprehension over something of which the length is known at "
        "run time only is not supported; fill an array in a loop"
    ),
    "batch_norm": "UnsupportedError: the method 'var' of float64[s0, s1] is not compiled yet",
    "bouncing_balls": "UnsupportedError: the keyword 'out' of numpy.clip is not compiled yet",
    "breadth_first": (
        "UnsupportedError: a variable is bool on one path and int64 on the other; give it "
        "the same kind of value on both (for example start from 0.0 instead of 0, or use "
        "another name)"
    ),
    "checked_mean": (
        "UnsupportedError: 'raise' is not supported; check the arguments before the call, "
        "or return a flag"
    ),
    "checkerboard": (
        "UnsupportedError: the function numpy.kron is not compiled yet; compute it outside "
        "and pass the result in"
    ),
    "cholesky": (
        "UnsupportedError: 'raise' is not supported; check the arguments before the call, "
        "or return a flag"
    ),
    "cholesky_columns": (
        "UnsupportedError: the function numpy.tril is not compiled yet; compute it outside "
        "and pass the result in"
    ),
    "convex_hull_area": (
        "UnsupportedError: the function numpy.lexsort is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "count_components-int32": (
        "UnsupportedError: a variable is int32 on one path and int64 on the other; give it "
        "the same kind of value on both (for example start from 0.0 instead of 0, or use "
        "another name)"
    ),
    "cross_correlation": "UnsupportedError: the method 'type' of dtype float64 is not compiled yet",
    "cross_entropy": (
        "UnsupportedError: indexing with int64[s2] is not compiled yet; use slices and "
        "integers, or np.where for masks"
    ),
    "determinant": "UnsupportedError: the method 'type' of dtype float64 is not compiled yet",
    "equalise_short": (
        "UnsupportedError: the function numpy.bincount is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "exponential_smoothing": "UnsupportedError: the method 'append' of list is not compiled yet",
    "fft_in_place": (
        "UnsupportedError: the function builtins.complex is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "fibonacci_recursive": (
        "UnsupportedError: recursive calls are not compiled yet (fibonacci_recursive calls "
        "itself); write a loop"
    ),
    "flood_fill": "UnsupportedError: the method 'pop' of list is not compiled yet",
    "floyd_warshall_paths": (
        "UnsupportedError: the function numpy.tile is not compiled yet; compute it outside "
        "and pass the result in"
    ),
    "gauss_jordan_inverse": (
        "UnsupportedError: the function numpy.hstack is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "gauss_seidel": "UnsupportedError: the method 'append' of list is not compiled yet",
    "gram_schmidt": (
        "UnsupportedError: the function numpy.linalg.norm is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "great_circle": (
        "UnsupportedError: the function builtins.map is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "householder": (
        "UnsupportedError: the function numpy.outer is not compiled yet; compute it outside"
        " and pass the result in"
    ),
    "integrate_sampled": (
        "UnsupportedError: the function numpy.diff is not compiled yet; compute it outside "
        "and pass the result in"
    ),
    "interpolate": (
        "UnsupportedError: the function numpy.searchsorted is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "jacobi_eigenvalues": (
        "UnsupportedError: the function numpy.diag is not compiled yet; compute it outside "
        "and pass the result in"
    ),
    "jacobi_method": (
        "UnsupportedError: the function numpy.diag is not compiled yet; compute it outside "
        "and pass the result in"
    ),
    "k_nearest": (
        "UnsupportedError: the function numpy.argsort is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "kahan_sum": "UnsupportedError: the method 'type' of dtype float64 is not compiled yet",
    "kmeans_vectorised": (
        "UnsupportedError: the function numpy.linalg.norm is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "layer_norm_var": "UnsupportedError: the method 'var' of float64[s0, s1] is not compiled yet",
    "life_by_loops": (
        "UnsupportedError: a variable is int64 on one path and bool on the other; give it "
        "the same kind of value on both (for example start from 0.0 instead of 0, or use "
        "another name)"
    ),
    "life_by_roll": (
        "UnsupportedError: the function numpy.roll is not compiled yet; compute it outside "
        "and pass the result in"
    ),
    "lstm_cell": (
        "UnsupportedError: the function numpy.split is not compiled yet; compute it outside"
        " and pass the result in"
    ),
    "lu_pivoted": (
        "UnsupportedError: the function numpy.argmax is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "mandelbrot": (
        "UnsupportedError: the function builtins.complex is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "mandelbrot_by_mask": (
        "UnsupportedError: indexing with bool[s0, s1] is not compiled yet; use slices and "
        "integers, or np.where for masks"
    ),
    "mandelbrot_real": (
        "UnsupportedError: an array or a number is needed here, not a variable that may be"
        " unassigned"
    ),
    "mandelbrot_by_where": (
        "UnsupportedError: the attribute 'real' of complex128[s0, s1] is not compiled yet"
    ),
    "matmul_by_loops": (
        "UnsupportedError: 'assert' is not supported; check the arguments before the call"
    ),
    "matrix_chain": (
        "UnsupportedError: the function numpy.iinfo is not compiled yet; compute it outside"
        " and pass the result in"
    ),
    "max_rectangle-int32": "result: int64 np.int64(26) expected int32 np.int32(26)",
    "median_filter": (
        "UnsupportedError: the function numpy.pad is not compiled yet; compute it outside "
        "and pass the result in"
    ),
    "moving_average_cumsum": (
        "UnsupportedError: the function numpy.concatenate is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "multi_head": (
        "UnsupportedError: the function builtins.slice is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "named_filter": (
        "UnsupportedError: a value of type 'dict' from outside the function is not "
        "supported; pass it as an argument"
    ),
    "nearest_neighbour": (
        "UnsupportedError: the function numpy.argmin is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "pagerank": "RuntimeError: stage infer: 'np.cast' op uses symbol p0, which is not bound here",
    "peaks": "UnsupportedError: the method 'append' of list is not compiled yet",
    "pi_digits": (
        "UnsupportedError: a comprehension over something of which the length is known at "
        "run time only is not supported; fill an array in a loop"
    ),
    "predator_prey": "UnsupportedError: the method 'append' of list is not compiled yet",
    "prefix_sums": "UnsupportedError: the method 'type' of dtype float64 is not compiled yet",
    "prim": "UnsupportedError: the method 'argmin' of float64[s0] is not compiled yet",
    "primes_up_to": "crash: segmentation fault",
    "quick_sort_all": (
        "UnsupportedError: recursive calls are not compiled yet (quick_sort calls itself); "
        "write a loop"
    ),
    "random_walk_stats": (
        "UnsupportedError: the function numpy.cumsum is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "range_sums": (
        "UnsupportedError: a comprehension over something of which the length is known at "
        "run time only is not supported; fill an array in a loop"
    ),
    "sample_every-float32": "result: <f4[6] strides (4,) expected <f8[6] strides (8,)",
    "search_all": (
        "UnsupportedError: an array or a number is needed here, not a variable that may be "
        "unassigned"
    ),
    "solve_by_cholesky": (
        "UnsupportedError: the function numpy.tril is not compiled yet; compute it outside "
        "and pass the result in"
    ),
    "standardise": "UnsupportedError: the method 'std' of float64[s0, s1] is not compiled yet",
    "tabulate-float32": "result[0]: <f8[3] strides (8,) expected <f4[3] strides (4,)",
    "transformer_block": (
        "UnsupportedError: the function builtins.slice is not compiled yet; compute it "
        "outside and pass the result in"
    ),
    "verlet_chain": (
        "UnsupportedError: the function numpy.diff is not compiled yet; compute it outside "
        "and pass the result in"
    ),
    "wave_1d": "UnsupportedError: the method 'append' of list is not compiled yet",
    "welford": "TypeError: float() argument must be a string or a real number, not 'str nan'",
}
