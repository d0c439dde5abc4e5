ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
LOOKUP = {c: i for i, c in enumerate(ALPHABET)}


def encode(data):
    out = []
    for i in range(0, len(data), 3):
        chunk = data[i : i + 3]
        n = int.from_bytes(chunk + b"\x00" * (3 - len(chunk)), "big")
        group = [ALPHABET[(n >> s) & 63] for s in (18, 12, 6, 0)]
        for k in range(3 - len(chunk)):
            group[3 - k] = "="
        out.extend(group)
    return "".join(out)


def decode(text):
    if len(text) % 4:
        raise ValueError("length must be a multiple of 4")
    out = bytearray()
    for i in range(0, len(text), 4):
        chunk = text[i : i + 4]
        pad = chunk.count("=")
        n = 0
        for c in chunk.replace("=", "A"):
            n = (n << 6) | LOOKUP[c]
        out += n.to_bytes(3, "big")[: 3 - pad]
    return bytes(out)


def main(data):
    text = encode(data)
    print(text)
    back = decode(text)
    return text, back, back == data


ARGS = [(b"Many hands make light work.",), (b"\xff\xfe\x00",)]
