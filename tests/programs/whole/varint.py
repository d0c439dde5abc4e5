def encode_varint(n):
    if n < 0:
        raise ValueError("negative")
    out = []
    while True:
        byte = n & 0x7F
        n >>= 7
        if n:
            out.append(byte | 0x80)
        else:
            out.append(byte)
            return bytes(out)


def decode_varint(buf, pos):
    result = shift = 0
    while True:
        if pos >= len(buf):
            raise EOFError("truncated varint")
        b = buf[pos]
        pos += 1
        result |= (b & 0x7F) << shift
        if not b & 0x80:
            return result, pos
        shift += 7


def zigzag(n):
    return n * 2 if n >= 0 else -n * 2 - 1


def unzigzag(n):
    return n // 2 if n % 2 == 0 else -(n + 1) // 2


def main(numbers):
    buf = b""
    for n in numbers:
        buf += encode_varint(zigzag(n))
    print(buf.hex(" "))
    pos = 0
    back = []
    while pos < len(buf):
        v, pos = decode_varint(buf, pos)
        back.append(unzigzag(v))
    assert back == numbers
    try:
        decode_varint(b"\x80\x80", 0)
    except EOFError as e:
        print("caught", e)
    return buf, back


ARGS = [([0, 1, -1, 300, -123456, 2**31],), ([],)]
