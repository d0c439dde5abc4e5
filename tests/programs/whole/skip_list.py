class SkipNode:
    def __init__(self, value, level):
        self.value = value
        self.forward = [None] * (level + 1)


class SkipList:
    MAX_LEVEL = 6

    def __init__(self, seed=1):
        self.head = SkipNode(None, self.MAX_LEVEL)
        self.level = 0
        self.seed = seed

    def random_level(self):
        level = 0
        self.seed = (self.seed * 1103515245 + 12345) & 0x7FFFFFFF
        bits = self.seed >> 8
        while bits & 1 and level < self.MAX_LEVEL:
            level += 1
            bits >>= 1
        return level

    def insert(self, value):
        update = [self.head] * (self.MAX_LEVEL + 1)
        cur = self.head
        for i in range(self.level, -1, -1):
            while cur.forward[i] is not None and cur.forward[i].value < value:
                cur = cur.forward[i]
            update[i] = cur
        lvl = self.random_level()
        if lvl > self.level:
            self.level = lvl
        node = SkipNode(value, lvl)
        for i in range(lvl + 1):
            node.forward[i] = update[i].forward[i]
            update[i].forward[i] = node

    def __contains__(self, value):
        cur = self.head
        for i in range(self.level, -1, -1):
            while cur.forward[i] and cur.forward[i].value < value:
                cur = cur.forward[i]
        cur = cur.forward[0]
        return cur is not None and cur.value == value

    def __iter__(self):
        cur = self.head.forward[0]
        while cur:
            yield cur.value
            cur = cur.forward[0]


def main(values, probes):
    s = SkipList()
    for v in values:
        s.insert(v)
    found = [p in s for p in probes]
    print(list(s), found)
    return list(s), found, s.level


ARGS = [([3, 6, 7, 9, 12, 19, 17, 26, 21, 25, 1], [19, 20, 1]), ([], [1])]
