def payment(principal, annual_rate, years):
    n = years * 12
    r = annual_rate / 12
    if r == 0:
        return principal / n
    return principal * r * (1 + r) ** n / ((1 + r) ** n - 1)


def schedule(principal, annual_rate, years, extra=0.0):
    pay = round(payment(principal, annual_rate, years), 2)
    balance = principal
    month = 0
    while balance > 0.005:
        month += 1
        interest = round(balance * annual_rate / 12, 2)
        principal_part = min(pay - interest + extra, balance)
        balance = round(balance - principal_part, 2)
        yield {
            "month": month,
            "interest": interest,
            "principal": principal_part,
            "balance": balance,
        }


def main(principal, annual_rate, years, extra=0.0):
    rows = list(schedule(principal, annual_rate, years, extra))
    total = sum(r["interest"] for r in rows)
    print(f"{'month':>5} {'interest':>10} {'principal':>10} {'balance':>12}")
    for r in rows[:3] + rows[-2:]:
        print(
            f"{r['month']:>5} {r['interest']:>10.2f} {r['principal']:>10.2f} {r['balance']:>12,.2f}"
        )
    by_year = {}
    for r in rows:
        y = (r["month"] - 1) // 12 + 1
        by_year[y] = by_year.get(y, 0) + r["interest"]
    return len(rows), round(total, 2), {y: round(v, 2) for y, v in by_year.items()}


ARGS = [(200000.0, 0.05, 15, 100.0), (1200, 0, 1)]
