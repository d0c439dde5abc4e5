MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def is_leap(y):
    return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)


def days_in_month(y, m):
    if m == 2:
        return 29 if is_leap(y) else 28
    return 30 if m in (4, 6, 9, 11) else 31


def weekday(y, m, d):
    """0 = Monday (Zeller)."""
    if m < 3:
        m += 12
        y -= 1
    k, j = y % 100, y // 100
    h = (d + 13 * (m + 1) // 5 + k + k // 4 + j // 4 + 5 * j) % 7
    return (h + 5) % 7


def month_lines(y, m):
    lines = [f"{MONTHS[m - 1]} {y}".center(20).rstrip(), "Mo Tu We Th Fr Sa Su"]
    cells = ["  "] * weekday(y, m, 1) + [f"{d:2d}" for d in range(1, days_in_month(y, m) + 1)]
    while cells:
        lines.append(" ".join(cells[:7]).rstrip())
        cells = cells[7:]
    return lines


def easter(y):
    a, b, c = y % 19, y // 100, y % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    l = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * l) // 451
    month, day = divmod(h + l - 7 * m + 114, 31)
    return month, day + 1


def parse_date(s):
    y, m, d = map(int, s.split("-"))
    if not 1 <= m <= 12:
        raise ValueError(f"month out of range: {m}")
    return y, m, d


def main(date):
    y, m, d = parse_date(date)
    lines = month_lines(y, m)
    print("\n".join(lines))
    doy = sum(days_in_month(y, k) for k in range(1, m)) + d
    friday13 = [MONTHS[k - 1][:3] for k in range(1, 13) if weekday(y, k, 13) == 4]
    return lines, doy, easter(y), friday13, is_leap(y)


ARGS = [("2024-02-29",), ("2023-13-01",)]
