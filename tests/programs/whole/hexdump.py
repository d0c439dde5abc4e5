def hexdump(data, width=16):
    lines = []
    for offset in range(0, len(data), width):
        chunk = data[offset : offset + width]
        hexa = " ".join(f"{b:02x}" for b in chunk)
        text = "".join(chr(b) if 32 <= b < 127 else "." for b in chunk)
        lines.append(f"{offset:08x}  {hexa:<{width * 3 - 1}}  |{text}|")
    return "\n".join(lines)


def parse_hex(text):
    digits = text.replace(" ", "").lower()
    if len(digits) % 2:
        raise ValueError("odd number of digits")
    return bytes(int(digits[i : i + 2], 16) for i in range(0, len(digits), 2))


def entropy(data):
    import math

    counts = [0] * 256
    for b in data:
        counts[b] += 1
    n = len(data)
    return -sum(c / n * math.log2(c / n) for c in counts if c)


def main(text):
    data = parse_hex(text)
    dump = hexdump(data)
    print(dump)
    return dump, round(entropy(data), 6), data[::-1].hex()


ARGS = [("48 65 6c 6c 6f 2c 20 77 6f 72 6c 64 21 00 01 02 ff fe 0a",), ("abc",)]
