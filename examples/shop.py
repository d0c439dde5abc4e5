"""A shop with some tills, as one writes a simulation: customers and tills are objects, arrivals a
generator, what happens next is in a heap of events, who waits in a deque.
"""

import heapq
import math
from collections import deque

from _common import compare, size


class Random:
    """Numbers from 0 to 1 by a linear congruence, the same in every run."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (self.state * 1103515245 + 12345) % 2147483648
        return self.state / 2147483648

    def exponential(self, mean):
        return -mean * math.log(1 - self.uniform())


class Customer:
    def __init__(self, number, arrived, work):
        self.number = number
        self.arrived = arrived
        self.work = work
        self.waited = 0.0


class Till:
    def __init__(self):
        self.customer = None
        self.busy = 0.0
        self.served = 0

    @property
    def is_free(self):
        return self.customer is None

    def serve(self, customer, now):
        self.customer = customer
        customer.waited = now - customer.arrived
        self.busy += customer.work
        self.served += 1
        return now + customer.work

    def release(self):
        self.customer = None


class Event:
    def __init__(self, time, till, customer):
        self.time = time
        self.till = till  # None: the customer arrives
        self.customer = customer

    def __lt__(self, other):
        return self.time < other.time


def customers(count, random):
    now = 0.0
    for number in range(count):
        now += random.exponential(1.0)
        yield Customer(number, now, random.exponential(2.7))


def free_till(tills):
    for till in tills:
        if till.is_free:
            return till
    return None


def simulate(count, tills):
    random = Random(7)
    shop = [Till() for _ in range(tills)]
    events = []
    for customer in customers(count, random):
        heapq.heappush(events, Event(customer.arrived, None, customer))
    waiting = deque()
    longest_queue = 0
    longest_wait = 0.0
    waited = 0.0
    now = 0.0
    while events:
        event = heapq.heappop(events)
        now = event.time
        if event.till is None:
            waiting.append(event.customer)
            longest_queue = max(longest_queue, len(waiting))
        else:
            event.till.release()
        till = free_till(shop)
        while waiting and till is not None:
            customer = waiting.popleft()
            heapq.heappush(events, Event(till.serve(customer, now), till, customer))
            waited += customer.waited
            longest_wait = max(longest_wait, customer.waited)
            till = free_till(shop)
    busiest = max(till.busy for till in shop)
    return waited / count, longest_wait, longest_queue, busiest / now


def main():
    count = size(30_000)
    wait, longest, queue, busy = compare(simulate, lambda: (count, 3))
    print(f"{count} customers wait {wait:.2f} minutes on average, {longest:.1f} at most")
    print(f"up to {queue} stand in the queue; the busiest till works {100 * busy:.0f} % of the day")


if __name__ == "__main__":
    main()
