"""Dates and times of Python and NumPy, and arrays of records."""

from __future__ import annotations

import datetime

import numpy as np
from constructs.rows import expressions, programs

_KNOWN = {
    "n": 3,
    "v": 2.5,
    "day": datetime.date(2024, 2, 29),
    "moment": datetime.datetime(2024, 2, 29, 12, 30),
    "span": datetime.timedelta(days=2),
    "record": np.array([(1, 2.5), (3, 4.5)], [("p", "i8"), ("q", "f8")]),
    "dates": np.array(["2024-01-31", "2024-02-05"], "M8[D]"),
    "spans": np.array([1, 2], "m8[D]"),
}

_DATES = """
day
day.year
day.month
day.day
day.weekday()
day.isoweekday()
day.isoformat()
day.isocalendar()
day.toordinal()
day.ctime()
day.strftime("%Y")
day.replace(day=1)
day.timetuple()
day + span
day - span
day - day
day < day
day == day
moment.hour
moment.minute
moment.date()
moment.time()
moment.timestamp()
moment + span
moment - moment
moment.isoformat()
moment.replace(hour=1)
span.days
span.total_seconds()
span * n
span / n
span + span
abs(span)
datetime.date(2024, 2, n)
datetime.date.today().year > 2000
datetime.date.fromisoformat("2024-02-29")
datetime.datetime(2024, 2, n)
datetime.datetime.now().year > 2000
datetime.datetime.fromtimestamp(n)
datetime.datetime.strptime("2024", "%Y")
datetime.timedelta(days=n)
datetime.time(n)
datetime.timezone.utc
datetime.UTC
str(day)
f"{day:%Y}"
hash(day)
isinstance(day, datetime.date)
dates[0]
dates - dates[0]
dates + spans
dates.max()
dates < dates[1]
np.datetime64("2024-01-01")
np.datetime64("2024-01-01") + spans
np.timedelta64(n, "D")
spans.sum()
spans * n
spans.astype("i8")
dates.astype("M8[M]")
np.diff(dates)
np.sort(dates)
np.isnat(dates)
"""

_RECORDS = """
record
record["p"]
record["q"].sum()
record["q"] * n
record[0]
record[0]["p"]
record[n - 2]["q"]
record["p"][1]
record[["p"]]
record.dtype.names
len(record)
record.copy()
record[1:]
record[1:]["q"]
record == record
np.zeros(n, record.dtype)
np.sort(record, order="q")
record.view(np.recarray).p
"""

_RECORD_PROGRAMS = """
## `record["p"][i] += v`
for i in range(len(record)):
    record["p"][i] += n
return record
## `record["q"] = v`
record["q"] = v
return record
## `record[i]["p"] = v`
record[0]["p"] = n
return record
## `record[i] = (p, q)`
record[0] = (n, v)
return record
## `for r in record`
t = 0.0
for r in record:
    t += r["q"]
return t
"""

SECTIONS = {
    "dates and times": expressions(_DATES, _KNOWN),
    "arrays of records": expressions(_RECORDS, _KNOWN) + programs(_RECORD_PROGRAMS, _KNOWN),
}
