def solve(numbers, target=24):
    if len(numbers) == 1:
        value, text = numbers[0]
        return text if abs(value - target) < 1e-9 else None
    for i in range(len(numbers)):
        for j in range(len(numbers)):
            if i == j:
                continue
            (a, ta), (b, tb) = numbers[i], numbers[j]
            rest = [numbers[k] for k in range(len(numbers)) if k not in (i, j)]
            options = [(a + b, f"({ta}+{tb})"), (a - b, f"({ta}-{tb})"), (a * b, f"({ta}*{tb})")]
            if b:
                options.append((a / b, f"({ta}/{tb})"))
            for option in options:
                found = solve(rest + [option], target)
                if found is not None:
                    return found
    return None


def main(hands):
    answers = {}
    for hand in hands:
        text = solve([(float(n), str(n)) for n in hand])
        answers[tuple(hand)] = text
        print(hand, "->", text or "impossible")
    return answers


ARGS = [([[4, 1, 8, 7], [3, 3, 8, 8], [1, 1, 1, 1]],), ([[6, 6, 6, 6]],)]
