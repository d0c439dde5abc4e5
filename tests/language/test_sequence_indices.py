"""Keys that are no indices of lists, tuples, ranges and strings: Python's TypeErrors."""

import pytest
from support.compare import check, make

SEQUENCES = ["[1, 2, 3]", "(1, 2, 3)", "[1, 'a', None]", "range(3)", "'abc'",
    "[i for i in range(x)]"]  # fmt: skip
KEYS = ["1.0", "None", "'a'", "(1,)", "1, 2", "[1]", "1j", "np.float64(1)", "np.bool_(True)",
    "y", "np.arange(2)", "True", "np.int8(1)", "np.uint64(2)"]  # fmt: skip


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_a_key_of_another_class_is_a_type_error(sequence: str, key: str) -> None:
    check(make(f"def f(x, y):\n    return ({sequence})[{key}]"), 3, 0.5)
