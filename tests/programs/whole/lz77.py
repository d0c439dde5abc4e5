def compress(data, window=32, lookahead=8):
    i = 0
    tokens = []
    while i < len(data):
        best_len, best_off = 0, 0
        for j in range(max(0, i - window), i):
            length = 0
            while (
                length < lookahead
                and i + length < len(data) - 1
                and data[j + length] == data[i + length]
            ):
                length += 1
            if length > best_len:
                best_len, best_off = length, i - j
        tokens.append((best_off, best_len, data[i + best_len]))
        i += best_len + 1
    return tokens


def decompress(tokens):
    out = []
    for off, length, ch in tokens:
        for _ in range(length):
            out.append(out[-off])
        out.append(ch)
    return "".join(out)


def rle(s):
    if not s:
        return ""
    out = []
    prev, n = s[0], 1
    for c in s[1:]:
        if c == prev:
            n += 1
        else:
            out.append(f"{n}{prev}" if n > 1 else prev)
            prev, n = c, 1
    out.append(f"{n}{prev}" if n > 1 else prev)
    return "".join(out)


def unrle(s):
    out = ""
    num = ""
    for c in s:
        if c.isdigit():
            num += c
        else:
            out += c * int(num or "1")
            num = ""
    return out


def main(text):
    tokens = compress(text)
    assert decompress(tokens) == text
    r = rle(text)
    assert unrle(r) == text
    print(f"{len(text)} chars -> {len(tokens)} tokens, rle {len(r)}")
    print(*tokens[:4])
    return tokens, r


ARGS = [("abracadabra abracadabra aaaaaaaaaabbbbb" * 6,), ("x",)]
