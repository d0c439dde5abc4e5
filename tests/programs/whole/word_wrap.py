import string


def wrap(text, width):
    lines = []
    current = []
    length = 0
    for word in text.split():
        if length + len(word) + len(current) > width and current:
            lines.append(" ".join(current))
            current, length = [], 0
        current.append(word)
        length += len(word)
    if current:
        lines.append(" ".join(current))
    return lines


def justify(line, width):
    words = line.split()
    if len(words) == 1:
        return line.ljust(width)
    gaps = len(words) - 1
    spaces = width - sum(len(w) for w in words)
    each, extra = divmod(spaces, gaps)
    out = ""
    for i, w in enumerate(words):
        out += w
        if i < gaps:
            out += " " * (each + (1 if i < extra else 0))
    return out


def word_freq(text):
    freq = {}
    for w in text.lower().split():
        w = w.strip(string.punctuation)
        if w:
            freq[w] = freq.get(w, 0) + 1
    return sorted(freq.items(), key=lambda kv: (-kv[1], kv[0]))


def main(text, width):
    lines = wrap(text, width)
    block = [justify(l, width) for l in lines[:-1]] + [lines[-1].center(width)]
    print("+" + "-" * (width + 2) + "+")
    for l in block:
        print("| " + l + " |")
    print("+" + "-" * (width + 2) + "+")
    return block, word_freq(text)[:5], text.title()[:20]


ARGS = [
    (
        "The quick brown fox jumps over the lazy dog. The dog sleeps, and the fox (quick as ever) runs away!",
        24,
    ),
    ("", 10),
]
