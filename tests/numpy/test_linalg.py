"""np.linalg without Python (python/shapecast/library/linalg.py, norms.py) against NumPy.

A row is an expression over the operands below, run for several dtypes (--full: for all), every time
in other layouts. What LAPACK gives has NumPy's bits.
"""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
import shapecast
from support.arrays import lay_out
from support.compare import Report, check, compare, jitted, make
from support.ulp import Tolerance, exact, near

DTYPES = [
    "float64", "complex128", "float32", "int32", "complex64", "bool", "uint8", "float16", "int64",
]  # fmt: skip
LAYOUTS = [
    "c", "f", "strided", "reversed", "rolled", "offset", "read_only", "inner", "zero_first",
    "step3", "zero_last", "reversed_last",
]  # fmt: skip

# name: shape; P is positive definite, T a stack, E, R, Z are empty
OPERANDS = {
    "Q": (4, 4), "P": (4, 4), "K": (3, 3), "T": (2, 3, 3), "U": (3, 1, 3, 3), "M": (5, 3),
    "W": (3, 5), "V": (2, 5, 3), "v": (4,), "w": (5,), "u": (3,), "B": (4, 2), "D": (5, 2),
    "E": (0, 3), "R": (3, 0), "Z": (2, 0, 0), "L": (0, 3, 3), "big": (40, 40), "tall": (60, 20),
    "X": (2, 3, 6), "Y": (2, 3),
}  # fmt: skip
FIXED = {
    "ones": np.ones((3, 3)), "nans": np.full((3, 3), np.nan), "k": 5,
    "some": np.stack([np.eye(3), np.ones((3, 3)), 2 * np.eye(3)]),
}  # fmt: skip


def numbers(name: str, dtype: str) -> np.ndarray:
    rng = np.random.default_rng([ord(name[0]), len(name), np.dtype(dtype).num])
    shape = OPERANDS[name]
    data = rng.normal(size=shape) * 3
    if np.dtype(dtype).kind == "c":
        data = data + 1j * rng.normal(size=shape)
    if name == "P":
        data = data @ data.conj().T + 4 * np.eye(4)
    return np.abs(data).astype(dtype) if dtype == "uint8" else data.astype(dtype)


def check_call(call: str, tolerance: Tolerance, dtypes: list[str], number: int) -> None:
    bare = re.sub("'[^']*'", "", call)
    names = [n for n in [*OPERANDS, *FIXED] if re.search(rf"(?<!\.)\b{n}\b", bare)]
    f = make(f"def f({', '.join(names)}):\n    return np.linalg.{call}")
    varies = any(n in OPERANDS for n in names)
    with Report(call) as report:
        for k, dtype in enumerate(dtypes if varies else ["float64"]):
            layout = LAYOUTS[(number + 5 * k) % len(LAYOUTS)] if k else "c"
            with report.case(dtype, layout):
                operands = [
                    lay_out(numbers(n, dtype), layout) if n in OPERANDS else FIXED[n] for n in names
                ]
                compare(f, *operands, tol=tolerance)


def some_dtypes(full: bool, number: int) -> list[str]:
    rest = DTYPES[1:]
    turned = [rest[(number + j) % len(rest)] for j in range(len(rest))]
    return ["float64", *(turned if full else turned[:3])]


EXACT: dict[str, list[str]] = {
    "systems": [
        "inv(Q)", "inv(K)", "inv(T)", "inv(U)", "inv(Z)", "inv(L)", "inv(big)", "inv(ones)",
        "inv(some)", "inv(nans)", "inv(v)", "inv(M)", "inv([[1, 2], [3, 4]])", "inv(Q.T)",
    ],
    "determinants": [
        "det(Q)", "det(K)", "det(T)", "det(U)", "det(Z)", "det(L)", "det(big)", "det(ones)",
        "det(nans)", "det(v)", "det(2.0)", "det(W)", "slogdet(Q)",
        "slogdet(T)", "slogdet(U)", "slogdet(Z)",
        "slogdet(L)", "slogdet(ones)", "slogdet(big)", "slogdet(M)", "slogdet(Q).sign",
        "slogdet(T)[1]",
    ],
    "Cholesky": [
        "cholesky(P)", "cholesky(P, upper=True)", "cholesky(P.T)", "cholesky(-P)", "cholesky(L)",
        "cholesky(Z, upper=True)", "cholesky(np.stack([P, P]))", "cholesky(M)", "cholesky(v)",
        "cholesky(nans)", "cholesky(ones)",
    ],
    "QR": [
        *[f"qr({a}, mode='{m}')" for a in "QMWVERZ" for m in ("reduced", "complete", "r", "raw")],
        "qr(tall)", "qr(tall.T).R", "qr(v)", "qr(Q, 'other')", "qr(nans)",
    ],
    "eigenvalues": [
        "eigvalsh(Q)", "eigvalsh(T)", "eigvalsh(P, UPLO='U')", "eigvalsh(U, 'u')", "eigvalsh(Z)",
        "eigvalsh(L)", "eigvalsh(M)", "eigvalsh(v)", "eigvalsh(Q, 'X')", "eigvalsh(nans)",
        "eigh(Q)", "eigh(T, 'l')", "eigh(P, UPLO='U')", "eigh(U)", "eigh(Z)", "eigh(L)",
        "eigh(big)", "eigh(M)", "eigh(Q).eigenvectors", "eigh(nans)", "eig(Q + 1j)", "eig(T * 1j)",
        "eigvals(Q + 1j)", "eigvals(Z * 1j)", "eigvals(nans * 1j)", "eig(M + 1j)",
        "eigvals(v)", "eigvals(M)", "eig(W)",
    ],
    "singular values": [
        *[f"svd({a}{k})" for a in "QMWVERZ" for k in ("", ", False", ", compute_uv=False")],
        "svd(tall, full_matrices=False)", "svd(nans)", "svd(v)", "svdvals(M)", "svdvals(T)",
        "svd(P, hermitian=True)", "svd(T, compute_uv=False, hermitian=True)", "svdvals(u)",
        "svd(T, hermitian=True)", "svd(M).S", "norm(Q, 2)", "norm(M, -2)", "norm(W, ord=2)",
        "norm(V, 2, axis=(0, 2))", "norm(V, -2, (1, 0), True)", "matrix_norm(V, ord=2)",
        "cond(Q)", "cond(M)", "cond(T)", "cond(T, -2)", "cond(ones)", "cond(nans)", "cond(Z)",
        "cond(L)", "cond(v)", "cond(some)", "cond(Q, p=2)",
    ],
    "least squares": [
        "lstsq(M, w)", "lstsq(M, D)", "lstsq(W, u)", "lstsq(Q, v)", "lstsq(ones, u)",
        "lstsq(M, D, rcond=0.5)", "lstsq(M, D, rcond=-1)", "lstsq(M, D[:, :0])", "lstsq(E, w[:0])",
        "lstsq(R, u)", "lstsq(tall, tall[:, 0])", "lstsq(M, v)", "lstsq(T, u)", "lstsq(M, V)",
        "lstsq(M, w + 1j)", "lstsq(nans, u)", "lstsq(M, 2)",
    ],
    "ranks": [
        "matrix_rank(Q)", "matrix_rank(ones)", "matrix_rank(V)", "matrix_rank(v)",
        "matrix_rank(Q, tol=2)", "matrix_rank(T, rtol=0.3)", "matrix_rank(T, tol=u[:2])",
        "matrix_rank(P, hermitian=True)", "matrix_rank(Q, 1, rtol=1)", "matrix_rank(E)",
        "matrix_rank(L)", "matrix_rank(2.0)", "matrix_rank(some)",
    ],
}  # fmt: skip

CLOSE: dict[str, list[str]] = {
    "norms": [
        "norm(Q)", "norm(V)", "norm(Q, 'nuc')", "norm(V, 'nuc', (0, 1), keepdims=True)",
        "norm(Q, 'fro')", "norm(Q, 1)", "norm(V, -1, axis=(1, 2))", "norm(V, np.inf, (2, 0))",
        "norm(V, -np.inf, (-1, 0), True)", "norm(v, 3)", "norm(V, axis=1)", "norm(E)", "norm(v, 0)",
        "norm(E, 2)", "norm(E, -2)", "norm(V, 2)", "norm(Q, 'other')", "norm(Q, 2, (0, 0))",
        "norm(Q, 1, (0, 0))", "norm(Q, 2, (0, 2))", "norm(V, 2, (0, 1, 2))", "norm(v, -np.inf)",
        "matrix_norm(V)", "matrix_norm(V, ord=1, keepdims=True)", "matrix_norm(V, ord='nuc')",
        "matrix_norm(v)", "vector_norm(V)", "vector_norm(V, axis=1)", "vector_norm(v, ord=1)",
        "vector_norm(V, axis=(2, 0))", "vector_norm(V, axis=(0, 1), keepdims=True, ord=np.inf)",
        "vector_norm(V, keepdims=True)", "vector_norm(V, axis=-1, keepdims=True)",
        "vector_norm(V, axis=(0, 0))", "vector_norm(V, axis=3)",
        "cond(Q, 1)", "cond(T, np.inf)", "cond(Q, 'fro')", "cond(Q, 'nuc')", "cond(some, 1)",
        "cond(ones, -1)", "cond(nans, 1)", "cond(M, 1)", "cond(Q, 'other')", "cond(T, -np.inf)",
    ],
    "solutions": [  # of systems of a few unknowns, which do not call LAPACK
        "solve(Q, B)", "solve(Q, v)", "solve(T, u)", "solve(T, K)", "solve(K, T)", "solve(T, U)",
        "solve(U[:, 0], T[1])", "solve(Z, Z)", "solve(L, L)", "solve(big, big)", "solve(Q, w)",
        "solve(Q, D)", "solve(ones, u)", "solve(v, v)", "solve(Q, 2)", "solve(T, u + 1j)",
        "solve(Q, np.float32(2) * B)", "solve(K, T[:, :, :1])", "solve(M, u)", "solve(some, u)",
    ],
    "inverses": [
        "pinv(Q)", "pinv(M)", "pinv(W)", "pinv(V)", "pinv(ones)", "pinv(M, 0.4)", "pinv(T, u[:2])",
        "pinv(M, rtol=0.3)", "pinv(P, hermitian=True)", "pinv(M, 0.1, rtol=0.1)", "pinv(v)",
        "pinv(nans)", "tensorinv(X.reshape(6, 2, 3), ind=1)", "tensorinv(Q, 0)", "tensorinv(Q, 1)",
        "tensorinv(np.eye(24).reshape(4, 6, 8, 3))", "tensorsolve(X.reshape(2, 3, 2, 3), Y)",
        "tensorsolve(X.reshape(2, 3, 2, 3).transpose(2, 0, 1, 3), Y, axes=(1,))",
        "tensorsolve(Q, v)", "tensorsolve(T, u)",
    ],
    "products": [
        *[f"matrix_power(Q, {n})" for n in (0, 1, 2, 3, 4, 7, 12, -1, -3)], "matrix_power(T, 6)",
        "matrix_power(Q, k)", "matrix_power(Q, 1.5)", "matrix_power(M, 2)", "matrix_power(v, 2)",
        "matrix_power(ones, -1)", "matrix_power(T, 0)", "matrix_power(Q * 1j, np.int64(3))",
        "multi_dot([Q, B])", "multi_dot([W, M, K])", "multi_dot((M, W, D))",
        "multi_dot([M, W, M, K])", "multi_dot([w, M, W, w])", "multi_dot([v, Q, B])",
        "multi_dot([Q, Q, v])", "multi_dot([v, Q, v])", "multi_dot([Q])", "multi_dot([Q, T, Q])",
        "multi_dot([Q, M, Q])", "matmul(T, u)", "trace(T)", "trace(Q, offset=1)",
    ],
}  # fmt: skip


@pytest.fixture(autouse=True)
def no_callouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """No call of the table may be a callout."""
    monkeypatch.setattr("shapecast._callouts.probe", lambda text: "")


@pytest.mark.parametrize("title", [*EXACT, *CLOSE])
def test_linalg_functions_are_numpys(title: str, full: bool) -> None:
    rows = EXACT.get(title) or CLOSE[title]
    with Report(title) as report:
        for number, call in enumerate(rows):
            with report.case(call):
                check_call(call, exact if title in EXACT else near,
                           some_dtypes(full, number), number)  # fmt: skip


def test_linalgerror_can_be_caught() -> None:
    f = make(
        "def f(stack):\n    total = 0.0\n    for k in range(len(stack)):\n        try:\n"
        "            total += np.linalg.inv(stack[k])[0, 0]\n"
        "        except np.linalg.LinAlgError:\n            total += 100.0\n    return total"
    )
    check(f, FIXED["some"])
    check(f, FIXED["some"][:1])


def test_a_stack_of_shapes_that_do_not_fit_is_an_error() -> None:
    f = jitted(make("def f(a, b):\n    return np.linalg.solve(a, b)"))
    with pytest.raises(ValueError, match="shape mismatch"):
        f(np.ones((2, 3, 3)), np.ones((3, 3, 3)))


def test_a_decomposition_releases_its_workspace() -> None:
    f = jitted(make("def f(a):\n    return np.linalg.svd(a)[1], np.linalg.eigh(a @ a.T)[0]"))
    matrix = np.random.default_rng(3).normal(size=(30, 30))
    f(matrix)
    before = shapecast._core.live_allocations()
    for _ in range(5):
        f(matrix)
    assert shapecast._core.live_allocations() == before


def test_without_openblas_linalg_functions_are_callouts() -> None:
    script = (
        "import numpy as np\nimport shapecast\nfrom shapecast import _core, library\n"
        "_core._needs_blas = lambda: True\n"
        "assert library.find('numpy.linalg.det') is None\n"
        "assert library.find('numpy.cumsum') is not None\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
