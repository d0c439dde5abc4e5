class ForthError(Exception):
    pass


class Forth:
    def __init__(self):
        self.stack = []
        self.words = {}
        self.output = []

    def push(self, x):
        self.stack.append(x)

    def pop(self):
        try:
            return self.stack.pop()
        except IndexError:
            raise ForthError("stack underflow")

    def evaluate(self, line):
        tokens = line.lower().split()
        if tokens and tokens[0] == ":":
            self.words[tokens[1]] = tokens[2:-1]
            return
        todo = list(reversed(tokens))
        while todo:
            tok = todo.pop()
            if tok in self.words:
                for t in reversed(self.words[tok]):
                    todo.append(t)
            elif tok.lstrip("-").isdigit():
                self.push(int(tok))
            elif tok == "+":
                self.push(self.pop() + self.pop())
            elif tok == "-":
                b = self.pop()
                self.push(self.pop() - b)
            elif tok == "*":
                self.push(self.pop() * self.pop())
            elif tok == "/":
                b = self.pop()
                if b == 0:
                    raise ForthError("divide by zero")
                self.push(self.pop() // b)
            elif tok == "dup":
                self.push(self.stack[-1])
            elif tok == "drop":
                self.pop()
            elif tok == "swap":
                b, a = self.pop(), self.pop()
                self.push(b)
                self.push(a)
            elif tok == ".":
                self.output.append(str(self.pop()))
            else:
                raise ForthError(f"undefined word: {tok}")


def main(lines):
    f = Forth()
    for n, line in enumerate(lines, start=1):
        try:
            f.evaluate(line)
        except ForthError as err:
            print(f"line {n}: {err}")
            break
    print(" ".join(f.output))
    return f.stack, f.output


ARGS = [
    ([": square dup * ;", ": quad square square ;", "3 quad .", "1 2 3 + swap", "10 3 /", "foo"],),
    (["1 +"],),
]
