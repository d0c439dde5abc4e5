// out= of functions. Each family of them has its own rules for the dtype and shape of the output
// array, and its own errors.
#include "ops/store_out.h"

#include "ops/builder/arguments.h"
#include "ops/builder/arrays.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/stores.h"
#include "ops/ufunc/ufunc.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// ValueError(message) where the shapes differ.
static void requireShape(TypedBuilder &e, const Val &out, const Val &result, const Twine &message) {
    const std::string text = message.str();
    const Dims have = dimsOf(out), need = dimsOf(result);
    if (have.size() != need.size())
        return e.require("false", {}, "ValueError", text);
    for (auto [a, b] : llvm::zip_equal(have, need))
        if (!e.assumeEqual(a, b))
            e.require("eq", {a, b}, "ValueError", text);
}

static void requireSameDType(TypedBuilder &e, const Function &function, const Val &out,
                             const Val &result) {
    if (e.operandOf(out).dtype != e.operandOf(result).dtype)
        e.unsupported("out= of " + function.name + " with another dtype than its result's, " +
                      dtypeName(e.operandOf(result).dtype) +
                      ", is not compiled yet; write target[...] =");
}

// For NumPy's error: the sizes of the result as axes of the operand, with -1 (newaxis) for the
// reduced ones.
static Dims remapped(TypedBuilder &e, const Arguments &in, ArrayRef<DimAttr> sizes, size_t rank) {
    if (sizes.size() == rank) // keepdims
        return Dims(sizes);
    const Val *axis = in.find("axis");
    const SmallVector<int64_t> reduced = axesOf(e, axis ? *axis : e.noneVal(), rank);
    Dims all;
    for (int64_t d = 0; d < int64_t(rank); ++d) {
        const bool isNew = llvm::is_contained(reduced, d);
        if (!isNew || !all.empty())
            all.push_back(isNew ? e.dimConst(-1) : sizes.front());
        sizes = sizes.drop_front(isNew ? 0 : 1);
    }
    return all;
}

// The checks of np.ufunc.reduce, which stores its result with an unsafe cast.
static void storeReduced(TypedBuilder &e, const Val &out, const Val &result, const Arguments &in,
                         StringRef ufunc) {
    const Dims from = dimsOf(asArray(e, in["a"])), have = dimsOf(out), need = dimsOf(result);
    if (have.size() != need.size())
        e.fail("ValueError", "output parameter for reduction operation " + ufunc +
                                 " has the wrong number of dimensions: Found " +
                                 Twine(have.size()) + " but expected " + Twine(need.size()) +
                                 (flagArgument(e, in, "keepdims", false)
                                      ? " (must match the operand's when keepdims=True)"
                                      : ""));
    SmallVector<DimAttr> payload;
    const std::string found = shapeText(have, payload);
    const std::string text = "operands could not be broadcast together with remapped shapes "
                             "[original->remapped]: " +
                             found + "->" + shapeText(remapped(e, in, have, from.size()), payload) +
                             " " + shapeText(from, payload) + " ";
    for (auto [x, y] : llvm::zip_equal(have, need))
        if (!e.assumeEqual(x, y))
            e.require("eq", {x, y}, "ValueError", text, payload);
    assign(e, out, castTo(e, result, e.operandOf(out).dtype));
}

// np.dot writes into out= directly, so it must be a matching C-contiguous array.
static void storeProduct(TypedBuilder &e, const Val &out, const Val &result) {
    const DType dtype = e.operandOf(result).dtype;
    if (e.operandOf(out).dtype != dtype || dimsOf(out).size() != dimsOf(result).size())
        e.fail("ValueError", "output array is not acceptable (must have the right datatype, "
                             "number of dimensions, and be a C-Array)");
    if (out.array().getLayout() != Layout::C)
        e.unsupported(
            "out= of numpy.dot that is not known to be C-contiguous is not supported; use "
            "target[...] =");
    requireShape(e, out, result, "output array has wrong dimensions");
    assign(e, out, result);
}

static void storeLike(TypedBuilder &e, const Function &function, StringRef name, const Val &out,
                      const Val &result, const Arguments &in) {
    static const std::pair<StringRef, StringRef> reductions[] = {
        {"sum", "add"},        {"prod", "multiply"},   {"min", "minimum"},
        {"max", "maximum"},    {"amin", "minimum"},    {"amax", "maximum"},
        {"any", "logical_or"}, {"all", "logical_and"}, {"mean", "add"}};
    for (auto [reduction, ufunc] : reductions)
        if (name == reduction)
            return storeReduced(e, out, result, in, ufunc);
    if (name == "var" || name == "std" || name == "ptp") {
        if (name == "ptp")
            checkOutput(e, "subtract", e.operandOf(result).dtype, out, Casting::SameKind);
        requireSameDType(e, function, out, result);
        return storeReduced(e, out, result, in, name == "ptp" ? "maximum" : "add");
    }
    if (name == "argmax" || name == "argmin") {
        checkCast(e, e.operandOf(out).dtype, DType::I64, Casting::Safe);
        requireShape(e, out, result, "output array does not match result of np." + name + ".");
        return assign(e, out, castTo(e, result, e.operandOf(out).dtype));
    }
    if (name == "dot")
        return storeProduct(e, out, result);
    storeOut(e, name == "outer" ? "multiply" : name, out, result);
}

Val shapecast::callWithOut(TypedBuilder &e, const Function &function, Arguments arguments) {
    const StringRef name = function.name.rsplit('.').second;
    if (name == "divmod" || name == "modf" || name == "frexp") // two results
        return function.emit(e, arguments);
    const bool isUfunc = name == "clip" || name == "matmul";
    Val out = arguments["out"];
    if (isUfunc && out.isTuple() && out.items.size() == 1)
        out = Val(out.items[0]);
    if (!out.isArray())
        e.fail("TypeError", "return arrays must be of ArrayType");
    arguments.byName["out"] = out;
    const bool rounds = name == "round" || name == "around";
    if (rounds || name == "concatenate" || name == "stack") // they store to it themselves
        return function.emit(e, arguments);
    const Val result = function.emit(e, arguments);
    storeLike(e, function, name, out, result, arguments);
    return out;
}
