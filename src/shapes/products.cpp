// Shape rules of products: matmul, gemm, einsum.
#include "shapes/rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace llvm;

namespace shapecast::shapes {

//===-- matmul

// The batch axes, broadcast; NumPy's message where they do not fit.
static Dims broadcastBatch(ShapeScope &s, Shape a, Shape b, Shape left, Shape right) {
    const DimAttr one = s.dimConst(1);
    const Dims batches[] = {Dims(left.drop_back(2)), Dims(right.drop_back(2))};
    for (auto [n, m] : zip(reverse(batches[0]), reverse(batches[1]))) {
        if (s.assumeEqual(n, m) || s.assumeEqual(n, one) || s.assumeEqual(m, one))
            continue;
        SmallVector<DimAttr> payload;
        std::string message = "operands could not be broadcast together with remapped shapes "
                              "[original->remapped]: ";
        for (Shape shape : {a, b}) {
            Dims batch(shape.drop_back(std::min<size_t>(2, shape.size())));
            batch.append(2, s.dimConst(-1));
            message += shapeText(shape, payload) + "->" + shapeText(batch, payload) + " ";
        }
        message +=
            " and requested shape " + shapeText({left[left.size() - 2], right.back()}, payload);
        s.require("broadcast", {n, m}, "shapecast.ShapeError", message, payload);
    }
    return broadcast(s, batches);
}

Matmul matmul(ShapeScope &s, Shape a, Shape b) {
    if (a.empty() || b.empty())
        s.fail("ValueError", "matmul: Input operand " + Twine(a.empty() ? 0 : 1) +
                                 " does not have enough dimensions (has 0, gufunc core with "
                                 "signature (n?,k),(k,m?)->(n?,m?) requires 1)");
    Matmul product{Dims(a), Dims(b), {}, {}};
    if (a.size() == 1)
        product.left.insert(product.left.begin(), s.dimConst(1));
    if (b.size() == 1)
        product.right.push_back(s.dimConst(1));
    const DimAttr inner = product.left.back(), other = product.right[product.right.size() - 2];
    s.requireEqual(inner, other, "shapecast.ShapeError",
                   "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
                   "signature (n?,k),(k,m?)->(n?,m?) (size {1} is different from {0})",
                   {inner, other});
    for (Dims *dims : {&product.left, &product.right})
        for (DimAttr &dim : *dims)
            dim = s.facts.canonical(dim);
    product.batch = broadcastBatch(s, a, b, product.left, product.right);
    product.result = product.batch;
    if (a.size() > 1)
        product.result.push_back(product.left[product.left.size() - 2]);
    if (b.size() > 1)
        product.result.push_back(product.right.back());
    return product;
}

Dims gemm(ShapeScope &s, Shape a, Shape b, bool transposeA, bool transposeB,
          std::optional<Dims> c) {
    if (a.size() != 2 || b.size() != 2)
        s.fail("ValueError", "gemm takes matrices, not arrays of " + Twine(a.size()) + " and " +
                                 Twine(b.size()) + " dimensions");
    Dims left(a), right(b);
    if (transposeA)
        std::swap(left[0], left[1]);
    if (transposeB)
        std::swap(right[0], right[1]);
    Dims result = matmul(s, left, right).result;
    if (c)
        broadcastTo(s, *c, result);
    return result;
}

//===-- einsum

namespace {

constexpr StringLiteral ellipsis = "...";

struct Subscripts {
    SmallVector<std::string> inputs; // "..." is one '.'
    std::string output;
};

std::string labelsOf(ShapeScope &s, StringRef text) {
    std::string labels;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ' ')
            continue;
        if (text.substr(i).starts_with(ellipsis)) {
            if (StringRef(labels).contains('.'))
                s.fail("ValueError", "einstein sum subscripts string contains more than one '...'");
            labels += '.';
            i += 2;
        } else if (isAlpha(text[i])) {
            labels += text[i];
        } else {
            s.fail("ValueError", "invalid subscript '" + text.substr(i, 1) +
                                     "' in einstein sum subscripts string, subscripts must be "
                                     "letters");
        }
    }
    return labels;
}

// Without `->`: the axes of the ellipsis, then the labels that occur once, in alphabetical order.
std::string implicitOutput(ArrayRef<std::string> inputs) {
    std::map<char, int> count;
    for (const std::string &labels : inputs)
        for (char label : labels)
            ++count[label];
    std::string output = count.count('.') ? "." : "";
    for (auto [label, times] : count)
        if (label != '.' && times == 1)
            output += label;
    return output;
}

Subscripts parseSubscripts(ShapeScope &s, StringRef equation) {
    auto [left, right] = equation.split("->");
    Subscripts subscripts;
    SmallVector<StringRef> parts;
    left.split(parts, ',');
    for (StringRef part : parts)
        subscripts.inputs.push_back(labelsOf(s, part));
    subscripts.output =
        equation.contains("->") ? labelsOf(s, right) : implicitOutput(subscripts.inputs);
    for (auto [i, label] : enumerate(subscripts.output)) {
        if (StringRef(subscripts.output).take_front(i).contains(label))
            s.fail("ValueError", "einstein sum subscripts string includes output subscript '" +
                                     StringRef(&label, 1) + "' multiple times");
        if (label != '.' && none_of(subscripts.inputs, [&](const std::string &labels) {
                return StringRef(labels).contains(label);
            }))
            s.fail("ValueError", "einstein sum subscripts string included output subscript '" +
                                     StringRef(&label, 1) + "' which never appeared in an input");
    }
    return subscripts;
}

// The sizes of one operand's labels; a repeated label takes a diagonal.
void bindLabels(ShapeScope &s, StringRef labels, Shape shape, size_t operand,
                std::map<char, SmallVector<DimAttr>> &sizes, SmallVectorImpl<Dims> &batches) {
    const size_t named = labels.size() - labels.count('.');
    if (shape.size() < named || (shape.size() > named && !labels.contains('.')))
        s.fail("ValueError",
               shape.size() < named
                   ? "einstein sum subscripts string contains too many subscripts for operand " +
                         Twine(operand)
                   : "operand has more dimensions than subscripts given in einstein sum, but no "
                     "'...' ellipsis provided to broadcast the extra dimensions.");
    std::map<char, DimAttr> own;
    size_t axis = 0;
    for (char label : labels) {
        if (label == '.') {
            batches.push_back(Dims(shape.slice(axis, shape.size() - named)));
            axis += shape.size() - named;
            continue;
        }
        const DimAttr dim = shape[axis++];
        auto [known, isNew] = own.try_emplace(label, dim);
        if (!isNew)
            s.requireEqual(known->second, dim, "shapecast.ShapeError",
                           "dimensions in single operand for collapsing index '" +
                               Twine(StringRef(&label, 1)) + "' don't match ({0} != {1})",
                           {known->second, dim});
    }
    for (auto [label, dim] : own)
        sizes[label].push_back(dim);
}

} // namespace

Dims einsum(ShapeScope &s, StringRef equation, Shapes shapes) {
    const Subscripts subscripts = parseSubscripts(s, equation);
    if (subscripts.inputs.size() != shapes.size())
        s.fail("ValueError", "einsum: " + Twine(subscripts.inputs.size()) +
                                 " terms in the subscripts string, got: " + Twine(shapes.size()) +
                                 " operands");
    std::map<char, SmallVector<DimAttr>> sizes;
    SmallVector<Dims> batches;
    for (auto [k, labels] : enumerate(subscripts.inputs))
        bindLabels(s, labels, shapes[k], k, sizes, batches);
    const Dims batch = broadcast(s, batches);
    if (!batch.empty() && !StringRef(subscripts.output).contains('.'))
        s.fail("ValueError", "output has non-empty broadcasting axes '...' of the operands, but no "
                             "'...' to put them");
    std::map<char, DimAttr> size;
    for (auto &[label, dims] : sizes) {
        size[label] = dims[0];
        for (DimAttr dim : drop_begin(dims))
            size[label] = broadcastDim(s, size[label], dim, shapes);
    }
    Dims result;
    for (char label : subscripts.output)
        if (label == '.')
            result.append(batch);
        else
            result.push_back(size[label]);
    return result;
}

} // namespace shapecast::shapes
