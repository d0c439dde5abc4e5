class ListNode:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


class LinkedList:
    def __init__(self, values=()):
        self.head = None
        self.size = 0
        for v in values:
            self.append(v)

    def append(self, value):
        node = ListNode(value)
        if self.head is None:
            self.head = node
        else:
            cur = self.head
            while cur.next:
                cur = cur.next
            cur.next = node
        self.size += 1

    def reverse(self):
        prev, cur = None, self.head
        while cur:
            cur.next, prev, cur = prev, cur, cur.next
        self.head = prev

    def remove(self, value):
        prev, cur = None, self.head
        while cur is not None:
            if cur.value == value:
                if prev is None:
                    self.head = cur.next
                else:
                    prev.next = cur.next
                self.size -= 1
                return
            prev, cur = cur, cur.next
        raise ValueError(f"{value} not in list")

    def __iter__(self):
        cur = self.head
        while cur:
            yield cur.value
            cur = cur.next

    def __len__(self):
        return self.size

    def __str__(self):
        return " -> ".join(str(v) for v in self) or "(empty)"


def merge_sorted(a, b):
    out = LinkedList()
    x, y = a.head, b.head
    while x and y:
        if x.value <= y.value:
            out.append(x.value)
            x = x.next
        else:
            out.append(y.value)
            y = y.next
    rest = x or y
    while rest:
        out.append(rest.value)
        rest = rest.next
    return out


def main(xs, ys, drop):
    a, b = LinkedList(xs), LinkedList(ys)
    m = merge_sorted(a, b)
    print(m)
    m.remove(drop)
    m.reverse()
    print(m, len(m))
    return list(m), len(m)


ARGS = [([1, 4, 9, 12], [2, 3, 10, 40, 50], 9), ([], [1], 5)]
