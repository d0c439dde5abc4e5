def build_jumps(code):
    stack, jumps = [], {}
    for i, c in enumerate(code):
        if c == "[":
            stack.append(i)
        elif c == "]":
            if not stack:
                raise SyntaxError(f"unmatched ] at {i}")
            j = stack.pop()
            jumps[i], jumps[j] = j, i
    if stack:
        raise SyntaxError("unmatched [")
    return jumps


def run(code, data=""):
    jumps = build_jumps(code)
    tape = bytearray(300)
    ptr = pc = inp = 0
    out = []
    while pc < len(code):
        c = code[pc]
        if c == ">":
            ptr += 1
        elif c == "<":
            ptr -= 1
        elif c == "+":
            tape[ptr] = (tape[ptr] + 1) % 256
        elif c == "-":
            tape[ptr] = (tape[ptr] - 1) % 256
        elif c == ".":
            out.append(chr(tape[ptr]))
        elif c == ",":
            tape[ptr] = ord(data[inp]) if inp < len(data) else 0
            inp += 1
        elif c == "[" and tape[ptr] == 0:
            pc = jumps[pc]
        elif c == "]" and tape[ptr] != 0:
            pc = jumps[pc]
        pc += 1
    return "".join(out)


def main(code, data):
    result = run(code, data)
    print(repr(result))
    return result


ARGS = [
    (
        "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.",
        "",
    ),
    (",[.,]]", "abc"),
]
