"""Programs that fail, and their message: under `name-dtype`, or `name` for
all dtypes. Each is a strict xfail: once it works, its row has to go.
"""

FAILS: dict[str, str] = {}
