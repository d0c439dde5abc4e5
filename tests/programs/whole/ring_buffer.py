"""Fixed-size ring buffer and a little audio-style smoothing demo."""


class RingBuffer:
    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self._data = [None] * capacity
        self._start = 0
        self._size = 0
        self.dropped = 0

    @property
    def capacity(self):
        return len(self._data)

    def __len__(self):
        return self._size

    def __bool__(self):
        return self._size > 0

    def full(self):
        return self._size == self.capacity

    def push(self, value):
        end = (self._start + self._size) % self.capacity
        self._data[end] = value
        if self.full():
            self._start = (self._start + 1) % self.capacity
            self.dropped += 1
        else:
            self._size += 1

    def pop(self):
        if not self:
            raise IndexError("pop from empty ring buffer")
        value = self._data[self._start]
        self._data[self._start] = None
        self._start = (self._start + 1) % self.capacity
        self._size -= 1
        return value

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._size))]
        if index < 0:
            index += self._size
        if not 0 <= index < self._size:
            raise IndexError(index)
        return self._data[(self._start + index) % self.capacity]

    def __iter__(self):
        for i in range(self._size):
            yield self[i]

    def __contains__(self, value):
        return any(v == value for v in self)

    def __eq__(self, other):
        if isinstance(other, RingBuffer):
            return list(self) == list(other)
        return NotImplemented

    def __repr__(self):
        return f"RingBuffer({list(self)!r}, capacity={self.capacity})"


def triangle_wave(n, period):
    for i in range(n):
        phase = i % period
        yield phase if phase <= period // 2 else period - phase


def smooth(samples, width):
    window = RingBuffer(width)
    total = 0
    for s in samples:
        if window.full():
            total -= window[0]
        window.push(s)
        total += s
        yield total / len(window)


def main(n, capacity):
    rb = RingBuffer(capacity)
    popped = []
    for i in range(n):
        rb.push(i * i)
        if i % 5 == 4:
            popped.append(rb.pop())
    print(rb)
    twin = RingBuffer(capacity)
    for v in rb:
        twin.push(v)
    same = twin == rb
    smoothed = [round(x, 3) for x in smooth(triangle_wave(n, 12), capacity)]
    drained = []
    while rb:
        drained.append(rb.pop())
    try:
        rb.pop()
        message = "no error"
    except IndexError as e:
        message = str(e)
    return {
        "popped": popped,
        "last": twin[-1],
        "head": twin[:3],
        "reversed": twin[::-1],
        "has_49": 49 in twin,
        "same": same,
        "smoothed": smoothed,
        "drained": drained,
        "dropped": rb.dropped,
        "message": message,
    }


ARGS = [(8, 4), (23, 7), (60, 10)]
