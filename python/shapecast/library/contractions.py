"""np.einsum: its subscripts are parsed at compile time; products and sums are left."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import implements
from ._shared import stored
from .primitives import diagonal, same_size

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
BROADCAST = "0123456789"  # labels of the axes of '...', from the last one


def split_at(text: Any, mark: Any) -> Any:
    """The parts of a text between the marks, without blanks."""
    parts: Any = ()
    part = ""
    for c in tuple(text):
        if c == mark:
            parts = parts + (part,)
            part = ""
        elif c != " ":
            part = part + c
    return parts + (part,)


def letters_of(entries: Any) -> Any:
    """[0, Ellipsis, 1] as "A...B"."""
    text = ""
    for entry in entries:
        text = text + ("..." if entry is ... else LETTERS[entry])
    return text


def text_form(args: Any) -> Any:
    """Subscripts and operands of both call forms of einsum."""
    if isinstance(args[0], str):
        return args[0], args[1:]
    pairs = len(args) // 2
    text = letters_of(args[1])
    operands: Any = (args[0],)
    for k in tuple(range(1, pairs)):
        text = text + "," + letters_of(args[2 * k + 1])
        operands = operands + (args[2 * k],)
    if len(args) % 2 == 1:
        text = text + "->" + letters_of(args[-1])
    return text, operands


def numbered(items: Any) -> Any:
    """enumerate, as a tuple: a loop over it is fully unrolled."""
    return tuple([(k, items[k]) for k in range(len(items))])


def count_of(labels: Any, label: Any) -> Any:
    return len([c for c in labels if c == label])


def without_ellipsis(labels: Any, rank: Any, number: Any) -> Any:
    """The labels of one operand, '...' replaced by those of its axes."""
    for c in tuple(labels):
        if c != "." and c not in LETTERS:
            raise ValueError(
                f"invalid subscript '{c}' in einstein sum subscripts string, "
                "subscripts must be letters"
            )
    named = len(labels) - count_of(labels, ".")
    if named > rank:
        raise ValueError(
            f"einstein sum subscripts string contains too many subscripts for operand {number}"
        )
    if "..." not in labels:
        if "." in labels:
            raise ValueError(
                "einstein sum subscripts string contains a '.' that is not part of an "
                f"ellipsis ('...') in operand {number}"
            )
        if named < rank:
            raise ValueError(
                "operand has more dimensions than subscripts given in einstein sum, but no "
                "'...' ellipsis provided to broadcast the extra dimensions."
            )
        return labels
    before, after = around_ellipsis(labels)
    return before + broadcast_labels(rank - named) + after


def around_ellipsis(labels: Any) -> Any:
    before = ""
    after = ""
    dots = 0
    for c in tuple(labels):
        if c == ".":
            dots = dots + 1
        elif dots == 0:
            before = before + c
        else:
            after = after + c
    return before, after


def broadcast_labels(count: Any) -> Any:
    labels = ""
    for k in tuple(range(count)):
        labels = BROADCAST[k] + labels
    return labels


def implied_output(inputs: Any, extra: Any) -> Any:
    """The output labels where '->' is missing: letters that occur once, in alphabetical order."""
    every = ""
    for labels in inputs:
        every = every + labels
    output = broadcast_labels(extra)
    for c in tuple(LETTERS):
        if count_of(every, c) == 1:
            output = output + c
    return output


def given_output(text: Any, inputs: Any, extra: Any) -> Any:
    every = ""
    for labels in inputs:
        every = every + labels
    for c in tuple(text):
        if c != "." and count_of(text, c) > 1:
            raise ValueError(
                f"einstein sum subscripts string includes output subscript '{c}' multiple times"
            )
        if c != "." and c not in every:
            raise ValueError(
                f"einstein sum subscripts string included output subscript '{c}' which never "
                "appeared in an input"
            )
    if "..." in text:
        before, after = around_ellipsis(text)
        return before + broadcast_labels(extra) + after
    if extra > 0:
        raise ValueError(
            "output has more dimensions than subscripts given in einstein sum, but no '...' "
            "ellipsis provided to broadcast the extra dimensions."
        )
    return text


def index_of(labels: Any, label: Any) -> Any:
    """The index of the label's first occurrence, or -1."""
    found = [k for k, c in numbered(labels) if c == label]
    return found[0] if len(found) > 0 else -1


def without_repeats(a: Any, labels: Any, number: Any) -> Any:
    """The diagonal where a label is repeated."""
    for c in tuple(labels):
        if count_of(labels, c) > 1:
            one = index_of(labels, c)
            rest = labels[:one] + "?" + labels[one + 1 :]
            other = index_of(rest, c)
            if a.shape[one] != a.shape[other]:
                raise ValueError(
                    f"dimensions in operand {number} for collapsing index '{c}' don't match "
                    f"({a.shape[one]} != {a.shape[other]})"
                )
            a = diagonal(a, one, other)
            kept = ""
            for k, label in numbered(labels):
                if k != one and k != other:
                    kept = kept + label
            labels = kept + c
    return a, labels


def summed(a: Any, labels: Any, kept: Any) -> Any:
    """Summed over the axes whose labels nothing else has."""
    axes = tuple([k for k, c in numbered(labels) if c not in kept])
    if len(axes) == 0:
        return a, labels
    rest = ""
    for c in tuple(labels):
        if c in kept:
            rest = rest + c
    return np.sum(a, axis=axes, dtype=a.dtype), rest


def arranged(a: Any, labels: Any, order: Any) -> Any:
    """Transposed to this order of labels; missing ones become axes of size 1."""
    axes = tuple([index_of(labels, c) for c in order if c in labels])
    moved = a if axes == tuple(range(a.ndim)) else a.transpose(axes)
    if len(axes) == len(order):
        return moved
    return moved[tuple([slice(None) if c in labels else None for c in order])]


def spread(a: Any, labels: Any, b: Any, labels_b: Any) -> Any:
    """Axes of size 1, broadcast to the size of the other operand's."""
    same = True
    for k, c in numbered(labels):
        if c in labels_b and not same_size(a.shape[k], b.shape[index_of(labels_b, c)]):
            same = False
    if same:
        return a
    sizes: Any = ()
    for k, c in numbered(labels):
        size = a.shape[k]
        if c in labels_b:
            size = np.broadcast_shapes((size,), (b.shape[index_of(labels_b, c)],))[0]
        sizes = sizes + (size,)
    return np.broadcast_to(a, sizes)


def grouped(a: Any, labels: Any, groups: Any) -> Any:
    """Each group of labels as one axis; a group without labels is an axis of size 1, but the first
    one (of the batch) is left out then.
    """
    order = groups[0] + groups[1] + groups[2]
    moved = arranged(a, labels, order)
    if len(groups[1]) == 1 and len(groups[2]) == 1 and len(groups[0]) <= 1:
        return moved
    sizes: Any = ()
    for k, group in numbered(groups):
        if k > 0 or len(group) > 0:
            sizes = sizes + (math.prod([a.shape[index_of(labels, c)] for c in group]),)
    return moved.reshape(sizes)


def contracted(a: Any, labels_a: Any, b: Any, labels_b: Any, kept: Any) -> Any:
    """Contracts two arrays: products, summed over the labels that are not kept."""
    a, labels_a = summed(a, labels_a, kept + labels_b)
    b, labels_b = summed(b, labels_b, kept + labels_a)
    batch = ""
    inner = ""
    rest_a = ""
    rest_b = ""
    for c in labels_a:
        if c not in labels_b:
            rest_a = rest_a + c
        elif c in kept:
            batch = batch + c
        else:
            inner = inner + c
    for c in labels_b:
        if c not in labels_a:
            rest_b = rest_b + c
    labels = batch + rest_a + rest_b
    if inner == "" or (rest_a == "" and rest_b == ""):
        full = labels + inner
        product = arranged(a, labels_a, full) * arranged(b, labels_b, full)
        return summed(product, full, kept)
    wide_a = spread(a, labels_a, b, labels_b)
    wide_b = spread(b, labels_b, wide_a, labels_a)
    left = grouped(wide_a, labels_a, (batch, rest_a, inner))
    right = grouped(wide_b, labels_b, (batch, inner, rest_b))
    sizes: Any = ()
    for c in tuple(labels):
        if c in labels_a:
            sizes = sizes + (wide_a.shape[index_of(labels_a, c)],)
        else:
            sizes = sizes + (wide_b.shape[index_of(labels_b, c)],)
    product = np.matmul(left, right)
    if len(batch) <= 1 and len(rest_a) == 1 and len(rest_b) == 1:
        return product, labels
    return product.reshape(sizes), labels


def cost(labels_a: Any, labels_b: Any, kept: Any) -> Any:
    """How many axes the result has beyond the operands': the smallest is contracted first."""
    union = labels_a
    for c in labels_b:
        if c not in union:
            union = union + c
    left = len([c for c in union if c in kept])
    return left - max(len(labels_a), len(labels_b))


def labels_but(inputs: Any, i: Any, j: Any, output: Any) -> Any:
    """The labels that the output and the other operands use."""
    kept = output
    for k, labels in numbered(inputs):
        if k != i and k != j:
            kept = kept + labels
    return kept


def best_pair(inputs: Any, output: Any) -> Any:
    best = (0, 1)
    least = cost(inputs[0], inputs[1], labels_but(inputs, 0, 1, output))
    for i in tuple(range(len(inputs))):
        for j in tuple(range(i + 1, len(inputs))):
            here = cost(inputs[i], inputs[j], labels_but(inputs, i, j, output))
            if here < least:
                best = (i, j)
                least = here
    return best


def check_sizes(arrays: Any, inputs: Any) -> Any:
    for i in tuple(range(len(inputs))):
        for j in tuple(range(i)):
            for k, c in numbered(inputs[i]):
                if c in inputs[j]:
                    m = arrays[i].shape[k]
                    n = arrays[j].shape[index_of(inputs[j], c)]
                    if m != n and m != 1 and n != 1:
                        raise ValueError(
                            "operands could not be broadcast together with remapped shapes "
                            "[original->remapped]: "
                        )


def working(operands: Any, dtype: Any, casting: Any) -> Any:
    """The operands in the dtype of the computation."""
    arrays = tuple([np.asarray(one) for one in operands])
    common = arrays[0].dtype
    for one in arrays:
        common = np.promote_types(common, one.dtype)
    if dtype is not None:
        common = np.dtype(dtype)
    for k, one in numbered(arrays):
        if not np.can_cast(one.dtype, common, casting):
            raise TypeError(
                f"Iterator operand {k} dtype could not be cast from dtype('{one.dtype.name}') "
                f"to dtype('{common.name}') according to the rule '{casting}'"
            )
    return tuple([one.astype(common, copy=False) for one in arrays])


@implements("numpy.einsum")
def einsum(
    *operands: Any,
    out: Any = None,
    dtype: Any = None,
    order: Any = "K",
    casting: Any = "safe",
    optimize: Any = False,
) -> Any:
    text, given = text_form(operands)
    arrays = working(given, dtype, casting)
    sides = split_at(text, ">")
    inputs = split_at(sides[0][:-1] if len(sides) > 1 else sides[0], ",")
    if len(inputs) > len(arrays):  # NumPy has the two messages the wrong way round
        raise ValueError(
            "more operands provided to einstein sum function than specified in the "
            "subscripts string"
        )
    if len(inputs) < len(arrays):
        raise ValueError(
            "fewer operands provided to einstein sum function than specified in the "
            "subscripts string"
        )
    extra = 0
    for k, labels in numbered(inputs):
        if "..." in labels:
            extra = max(extra, arrays[k].ndim - len(labels) + 3)
    inputs = tuple([without_ellipsis(labels, arrays[k].ndim, k) for k, labels in numbered(inputs)])
    if len(sides) > 1:
        output = given_output(sides[1], inputs, extra)
    else:
        output = implied_output(inputs, extra)
    plain: Any = ()
    names: Any = ()
    for k, labels in numbered(inputs):
        one, kept = without_repeats(arrays[k], labels, k)
        plain = plain + (one,)
        names = names + (kept,)
    check_sizes(plain, names)
    for _ in tuple(range(len(arrays) - 1)):
        i, j = best_pair(names, output)
        kept = labels_but(names, i, j, output)
        result, labels = contracted(plain[i], names[i], plain[j], names[j], kept)
        plain = (result,) + tuple([one for k, one in numbered(plain) if k != i and k != j])
        names = (labels,) + tuple([one for k, one in numbered(names) if k != i and k != j])
    result, labels = summed(plain[0], names[0], output)
    if np.ndim(result) > 0:
        result = result.transpose(tuple([index_of(labels, c) for c in output]))
    return stored(out, result)
