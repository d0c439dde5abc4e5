class DecodeError(ValueError):
    def __init__(self, position, reason):
        super().__init__(f"byte {position}: {reason}")
        self.position = position


def decode(data):
    out = []
    i = 0
    while i < len(data):
        b = data[i]
        if b < 0x80:
            cp, n = b, 1
        elif b >> 5 == 0b110:
            cp, n = b & 0x1F, 2
        elif b >> 4 == 0b1110:
            cp, n = b & 0x0F, 3
        elif b >> 3 == 0b11110:
            cp, n = b & 0x07, 4
        else:
            raise DecodeError(i, f"invalid start byte 0x{b:02x}")
        if i + n > len(data):
            raise DecodeError(i, "truncated sequence")
        for k in range(1, n):
            c = data[i + k]
            if c & 0xC0 != 0x80:
                raise DecodeError(i + k, "bad continuation byte")
            cp = cp << 6 | c & 0x3F
        out.append(cp)
        i += n
    return out


def encode(cp):
    if cp < 0x80:
        return bytes([cp])
    if cp < 0x800:
        return bytes([0xC0 | cp >> 6, 0x80 | cp & 0x3F])
    if cp < 0x10000:
        return bytes([0xE0 | cp >> 12, 0x80 | cp >> 6 & 0x3F, 0x80 | cp & 0x3F])
    return bytes([0xF0 | cp >> 18, 0x80 | cp >> 12 & 0x3F, 0x80 | cp >> 6 & 0x3F, 0x80 | cp & 0x3F])


def main(data):
    points = decode(data)
    text = "".join(map(chr, points))
    print(text, [f"U+{p:04X}" for p in points])
    again = b"".join(encode(p) for p in points)
    return text, again == data, len(points)


ARGS = [("h\u00e9llo \u20ac \U0001f600".encode("utf-8"),), (b"ok\xff",)]
