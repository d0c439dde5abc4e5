"""A ledger as text: lines are split, checked and added up per account, in a dict that the caller
gives and reads on (one variant for every text and every dict).
"""

import random

from _common import compare, size


def book(text, balances):
    refused = []
    for line in text.split("\n"):
        fields = line.split(",")
        if len(fields) != 3:
            continue
        account, kind, amount = fields[0].strip(), fields[1].strip(), float(fields[2])
        change = amount if kind == "in" else -amount
        if balances.get(account, 0.0) + change < 0.0:
            refused.append(f"{account}: {amount:.2f}")
            continue
        balances[account] = balances.get(account, 0.0) + change
    return refused


def main():
    chance = random.Random(1)
    accounts = [f"account {k}" for k in range(200)]
    lines = [
        f"{chance.choice(accounts)}, {chance.choice(('in', 'out'))}, {chance.random() * 100:.2f}"
        for _ in range(size(50000))
    ]
    text = "\n".join(lines)
    start = dict.fromkeys(accounts, 10.0)
    refused = compare(book, lambda: (text, dict(start)))
    print(f"{len(refused)} of {len(lines)} bookings are refused")
    print(f"the last one is {refused[-1]}")


if __name__ == "__main__":
    main()
