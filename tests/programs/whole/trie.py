class TrieNode:
    def __init__(self):
        self.children = {}
        self.is_word = False
        self.count = 0


class Trie:
    def __init__(self):
        self.root = TrieNode()

    def insert(self, word):
        node = self.root
        for ch in word:
            if ch not in node.children:
                node.children[ch] = TrieNode()
            node = node.children[ch]
            node.count += 1
        node.is_word = True

    def find(self, prefix):
        node = self.root
        for ch in prefix:
            node = node.children.get(ch)
            if node is None:
                return None
        return node

    def starts_with(self, prefix):
        results = []
        start = self.find(prefix)
        if start is None:
            return results
        stack = [(start, prefix)]
        while stack:
            node, word = stack.pop()
            if node.is_word:
                results.append(word)
            for ch in sorted(node.children, reverse=True):
                stack.append((node.children[ch], word + ch))
        return results

    def __contains__(self, word):
        node = self.find(word)
        return node is not None and node.is_word


def main(text, prefixes):
    t = Trie()
    for w in text.split():
        t.insert(w)
    out = {}
    for p in prefixes:
        out[p] = t.starts_with(p)
        node = t.find(p)
        print(p, node.count if node else 0, out[p])
    return out, "car" in t, "ca" in t


ARGS = [("car card care cat dog do done dot carton", ["car", "do", "x"]), ("a", [""])]
