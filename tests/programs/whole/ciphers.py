from string import ascii_lowercase, ascii_uppercase


def shift_char(c, k):
    if c.islower():
        return chr((ord(c) - ord("a") + k) % 26 + ord("a"))
    if c.isupper():
        return chr((ord(c) - ord("A") + k) % 26 + ord("A"))
    return c


def caesar(text, k):
    return "".join(shift_char(c, k) for c in text)


def vigenere(text, key, sign=1):
    out = []
    i = 0
    for c in text:
        if c.isalpha():
            k = ascii_lowercase.index(key[i % len(key)].lower())
            out.append(shift_char(c, sign * k))
            i += 1
        else:
            out.append(c)
    return "".join(out)


def atbash(text):
    table = dict(
        zip(ascii_lowercase + ascii_uppercase, ascii_lowercase[::-1] + ascii_uppercase[::-1])
    )
    return "".join(table.get(c, c) for c in text)


def rail_fence(text, rails):
    rows = [""] * rails
    r, step = 0, 1
    for c in text:
        rows[r] += c
        if r == 0:
            step = 1
        elif r == rails - 1:
            step = -1
        r += step
    return "".join(rows)


def crack(text):
    common = "etaoin"
    best = max(range(26), key=lambda k: sum(caesar(text, -k).lower().count(ch) for ch in common))
    return best


def main(text, key, k):
    enc = caesar(text, k)
    v = vigenere(text, key)
    assert caesar(enc, -k) == text
    assert vigenere(v, key, -1) == text
    print(enc)
    print(v)
    return {
        "caesar": enc,
        "vigenere": v,
        "atbash": atbash(text),
        "rail": rail_fence(text, 3),
        "crack": crack(enc),
    }


ARGS = [("Meet me at the Old Bridge, tonight at eleven!", "Lemon", 3), ("abc", "", 1)]
