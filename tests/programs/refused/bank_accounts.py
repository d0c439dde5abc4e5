class BankError(Exception):
    pass


class InsufficientFunds(BankError):
    def __init__(self, account, amount):
        self.account = account
        self.amount = amount
        self.shortfall = amount - account.balance
        BankError.__init__(self, "%s is short by %d" % (account.owner, self.shortfall))


class AccountLocked(BankError):
    def __init__(self, account):
        self.account = account
        super().__init__("account of %s is locked" % account.owner)


class Account:
    next_id = 100

    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.locked = False
        self.log = []
        self.id = Account.next_id
        Account.next_id += 1

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("deposit must be positive")
        self._check()
        self.balance += amount
        self.log.append(("deposit", amount))

    def withdraw(self, amount):
        self._check()
        if amount > self.available():
            raise InsufficientFunds(self, amount)
        self.balance -= amount
        self.log.append(("withdraw", amount))

    def available(self):
        return self.balance

    def _check(self):
        if self.locked:
            raise AccountLocked(self)

    def __repr__(self):
        return "%s(%s, %d)" % (type(self).__name__, self.owner, self.balance)


class SavingsAccount(Account):
    rate = 3

    def add_interest(self):
        gain = self.balance * self.rate // 100
        if gain > 0:
            self.deposit(gain)
        return gain


class OverdraftAccount(Account):
    def __init__(self, owner, balance=0, limit=500):
        super().__init__(owner, balance)
        self.limit = limit

    def available(self):
        return self.balance + self.limit


class Bank:
    def __init__(self):
        self.accounts = {}
        self.failures = 0

    def open(self, account):
        self.accounts[account.owner] = account
        return account

    def transfer(self, src, dst, amount):
        a = self.accounts[src]
        b = self.accounts[dst]
        a.withdraw(amount)
        try:
            b.deposit(amount)
        except BankError:
            # put the money back
            a.balance += amount
            a.log.append(("rollback", amount))
            raise

    def run(self, instructions):
        messages = []
        for src, dst, amount in instructions:
            try:
                self.transfer(src, dst, amount)
                messages.append("%s -> %s: %d ok" % (src, dst, amount))
            except InsufficientFunds as e:
                self.failures += 1
                messages.append("FAILED %s (short %d)" % (e, e.shortfall))
            except AccountLocked as e:
                self.failures += 1
                e.account.log.append(("denied", amount))
                messages.append("FAILED " + str(e))
            except KeyError as e:
                self.failures += 1
                messages.append("no account named " + e.args[0])
            finally:
                total = sum(a.balance for a in self.accounts.values())
                messages[-1] += " [total %d]" % total
        return messages


def main(instructions, years):
    Account.next_id = 100
    bank = Bank()
    bank.open(Account("alice", 300))
    bank.open(SavingsAccount("bob", 1000))
    bank.open(OverdraftAccount("carol", 50, limit=200))
    frozen = bank.open(Account("dave", 77))
    frozen.locked = True
    messages = bank.run(instructions)
    interest = [bank.accounts["bob"].add_interest() for _ in range(years)]
    for m in messages:
        print(m)
    accounts = sorted(bank.accounts.values(), key=lambda a: -a.balance)
    print(accounts)
    return (
        messages,
        interest,
        [repr(a) for a in accounts],
        bank.failures,
        [(a.id, a.log) for a in accounts],
    )


ARGS = [
    ([("alice", "bob", 120), ("carol", "alice", 240), ("carol", "alice", 240)], 2),
    ([("bob", "dave", 500), ("dave", "bob", 5), ("erin", "bob", 1), ("alice", "carol", 301)], 5),
]
