def make_table():
    table = []
    for i in range(256):
        c = i
        for _ in range(8):
            c = (c >> 1) ^ 0xEDB88320 if c & 1 else c >> 1
        table.append(c)
    return table


TABLE = make_table()


def crc32(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def adler32(data):
    a, b = 1, 0
    for byte in data:
        a = (a + byte) % 65521
        b = (b + a) % 65521
    return b << 16 | a


def fletcher16(data):
    s1 = s2 = 0
    for byte in data:
        s1 = (s1 + byte) % 255
        s2 = (s2 + s1) % 255
    return (s2 << 8) | s1


def luhn(number):
    digits = [int(d) for d in str(number)][::-1]
    total = sum(digits[0::2]) + sum(sum(divmod(2 * d, 10)) for d in digits[1::2])
    return total % 10 == 0


def main(data, numbers):
    c = crc32(data)
    print(f"crc32 {c:08x} adler {adler32(data):#010x} fletcher {fletcher16(data):04X}")
    return c, adler32(data), fletcher16(data), [luhn(n) for n in numbers]


ARGS = [
    (b"The quick brown fox jumps over the lazy dog" * 20, [49927398716, 49927398717]),
    (b"", [0]),
]
