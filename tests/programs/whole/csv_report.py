def parse_csv(text, sep=","):
    rows = []
    row = []
    field = ""
    quoted = False
    i = 0
    while i < len(text):
        c = text[i]
        if quoted:
            if c == '"':
                if i + 1 < len(text) and text[i + 1] == '"':
                    field += '"'
                    i += 1
                else:
                    quoted = False
            else:
                field += c
        elif c == '"':
            quoted = True
        elif c == sep:
            row.append(field)
            field = ""
        elif c == "\n":
            row.append(field)
            rows.append(row)
            row, field = [], ""
        else:
            field += c
        i += 1
    if field or row:
        row.append(field)
        rows.append(row)
    return rows


def to_records(rows):
    header, *body = rows
    return [dict(zip(header, r)) for r in body]


def group_totals(records, key, value):
    totals = {}
    for r in records:
        totals[r[key]] = totals.get(r[key], 0.0) + float(r[value])
    return totals


def main(text, key, value):
    records = to_records(parse_csv(text))
    totals = group_totals(records, key, value)
    width = max(len(k) for k in totals)
    for k, v in sorted(totals.items(), key=lambda kv: -kv[1]):
        print(f"{k.ljust(width)} {v:10.2f}")
    return records, totals


ARGS = [
    ('name,dept,pay\n"Smith, J",R&D,1200.50\nLee,Sales,900\n"O""Neil",R&D,1000\n', "dept", "pay"),
    ("a,b\n1,x\n", "a", "b"),
]
