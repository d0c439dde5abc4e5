// np-infer: calls of ufuncs that are not in our table (ops/ufunc/ufunc.h), mostly SciPy's: of their
// C loops.
//
// Python resolves the loop for these operands (shapecast/_ufuncs.py); the call is an
// np.native with the attribute `loop`, the loop's name (runtime/ufunc_loops.h).
#include "passes/infer/ufuncs.h"

#include "ir/layout.h"
#include "ops/builder/arrays.h"
#include "ops/builder/conversions.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/items.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/memory.h"
#include "ops/builder/stores.h"
#include "ops/ufunc/ufunc.h"
#include "passes/frontend/callout.h"
#include "passes/infer/callouts.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;
namespace json = llvm::json;

namespace {

struct FoundLoop {
    std::string name;
    SmallVector<DType> in, out;
};

} // namespace

static json::Value described(TypedBuilder &e, const Val &v) {
    if (v.isStatic("dtype"))
        return dtypeName(dtypeOf(e, v)).str();
    static const char *const weak[] = {"", "bool", "int", "int", "float", "complex"};
    const OperandType type = e.operandOf(v);
    return type.weak == PyKind::Strong || type.weak == PyKind::Bool
               ? json::Value(dtypeName(type.dtype).str())
               : json::Value(json::Array{weak[int(type.weak)]});
}

// None where NumPy has no loop for these operands, or one that only NumPy can call. `core`: of a
// generalised ufunc.
static std::optional<FoundLoop> findLoop(TypedBuilder &e, StringRef ufunc, ArrayRef<Val> operands,
                                         bool core) {
    json::Array types;
    for (const Val &v : operands)
        types.push_back(described(e, v));
    std::string request;
    llvm::raw_string_ostream(request) << json::Value(
        json::Object{{"ufunc", ufunc}, {"operands", std::move(types)}, {"core", core}});
    llvm::Expected<json::Value> answer = json::parse(probePython(request));
    if (!answer) {
        llvm::consumeError(answer.takeError());
        return std::nullopt;
    }
    const json::Object &found = *answer->getAsObject();
    const std::optional<StringRef> name = found.getString("loop");
    if (!name)
        return std::nullopt;
    FoundLoop loop{name->str(), {}, {}};
    for (auto [key, dtypes] : {std::pair("in", &loop.in), std::pair("out", &loop.out)})
        for (const json::Value &dtype : *found.getArray(key))
            dtypes->push_back(*dtypeFromName(*dtype.getAsString()));
    return loop;
}

static void callNative(TypedBuilder &e, StringRef form, StringRef loop, ArrayRef<Val> written,
                       ArrayRef<Val> read) {
    const Val status = native(e, form, written, read);
    status.value.getDefiningOp<NativeOp>().setLoop(loop);
}

// The operand cast to the loop's dtype: an array, or a scalar.
static Val loopOperand(TypedBuilder &e, const Val &v, DType dtype) {
    if (!v.isArray() || v.array().getRank() == 0) {
        Val number;
        number.kind = Val::Kind::Typed;
        number.value = castValue(e, read(e, v), dtype);
        return number;
    }
    return e.operandOf(v).dtype == dtype ? v : castTo(e, v, dtype);
}

static Val callFound(TypedBuilder &e, const FoundLoop &loop, ArrayRef<Val> operands) {
    checkWeakBounds(e, *findUfunc("positive"), Loop{{loop.in.begin(), loop.in.end()}, loop.out[0]},
                    operands);
    SmallVector<Dims> shapes;
    for (const Val &v : operands)
        shapes.push_back(dimsOf(v));
    const Dims dims = broadcastOperands(e, shapes);
    SmallVector<Val> read;
    for (auto [v, dtype] : llvm::zip_equal(operands, loop.in))
        read.push_back(loopOperand(e, v, dtype));
    if (dims.empty() && loop.out.size() == 1) {
        Val number = native(e, "ufunc_number", {}, read, "", "", scalarType(e.ctx, loop.out[0]));
        number.value.getDefiningOp<NativeOp>().setLoop(StringRef(loop.name));
        return number;
    }
    std::vector<Val> results;
    for (DType dtype : loop.out)
        results.push_back(alloc(e, dims, dtype, resultLayout(operands)));
    callNative(e, "ufunc_rows", loop.name, results, read);
    if (dims.empty())
        for (Val &result : results)
            result = materialize(e, shapecast::read(e, result));
    return results.size() == 1 ? results[0] : e.tupleVal(results);
}

// Functions of scipy.special that we implement, and the range in which we do: outside of it SciPy
// may report an error (scipy.special.errstate).
struct SpecialFunction {
    StringLiteral name;
    double low, high;
};
static constexpr SpecialFunction specialFunctions[] = {
    {"erf", -26, 26}, {"erfc", -26, 26}, {"gammaln", 1e-300, 1e300}};

// Ours where all operands are in its range, else SciPy's loop.
static std::optional<Val> callSpecial(TypedBuilder &e, StringRef name, const Val &x,
                                      llvm::function_ref<Val()> loop) {
    name.consume_front("scipy.special.");
    const auto *found =
        llvm::find_if(specialFunctions, [&](const auto &f) { return f.name == name; });
    if (found == std::end(specialFunctions) || !isFloat(e.operandOf(x).dtype) ||
        e.operandOf(x).dtype == DType::F16)
        return std::nullopt;
    const Val above = ufunc(e, "greater", {x, e.floatVal(found->low)}),
              below = ufunc(e, "less", {x, e.floatVal(found->high)});
    Val inside = ufunc(e, "logical_and", {above, below});
    if (inside.isArray())
        inside = callFunction(e, *findFunction("numpy.all"), {inside}, {});
    return e.branch(toPy(e, truth(e, inside), PyKind::Bool),
                    [&](bool inRange) { return inRange ? ufunc(e, name, x) : loop(); });
}

std::optional<Val> shapecast::callUfuncLoop(Inference &in, StringRef name, ArrayRef<Val> given,
                                            ArrayRef<std::pair<StringRef, Val>> named) {
    TypedBuilder &e = in.e;
    if (!name.starts_with("scipy.special.") && !name.starts_with("ufunc:"))
        return std::nullopt;
    Val out = e.noneVal();
    for (const auto &[keyword, value] : named) {
        if (keyword != "out")
            return std::nullopt;
        out = value;
    }
    SmallVector<Val> operands(given);
    listsToArrays(in, operands);
    for (Val &v : operands) {
        if (v.isTuple())
            v = asArray(e, v);
        if (!v.isTyped() || v.isPython())
            return std::nullopt;
    }
    auto callWithWeakResolved = [&](ArrayRef<Val> sides) {
        std::optional<Val> result = callUfuncLoop(in, name, sides, named);
        return result ? *result : callOut(in, name, sides, named);
    };
    if (std::optional<Val> result = unionSplitFirst(e, operands, callWithWeakResolved))
        return result;
    std::optional<FoundLoop> loop = findLoop(e, name, operands, /*core=*/false);
    if (!loop)
        return std::nullopt;
    if (operands.size() > loop->in.size() && out.isNone())
        out = operands.pop_back_val();
    if (operands.size() != loop->in.size() || !(out.isNone() || out.isArray()) ||
        (out.isArray() && loop->out.size() > 1))
        return std::nullopt;
    if (out.isNone()) {
        auto found = [&] { return callFound(e, *loop, operands); };
        if (std::optional<Val> result =
                operands.size() == 1 ? callSpecial(e, name, operands[0], found) : std::nullopt)
            return result;
        return found();
    }
    const StringRef label = name.substr(name.find_last_of(".:") + 1);
    checkOutput(e, label, loop->out[0], out, Casting::SameKind);
    llvm::SaveAndRestore<const Val *> target(e.ufuncTarget, &out);
    const Val result = callFound(e, *loop, operands);
    return storeOut(e, label, out, result);
}

// The primitives by which the library uses a ufunc's loops (library/primitives.py).
Val shapecast::callLoopPrimitive(Inference &in, StringRef name, ArrayRef<Val> operands) {
    TypedBuilder &e = in.e;
    const StringRef ufunc = operands[0].staticText();
    if (name.ends_with(".loop_dtypes")) {
        const auto loop = findLoop(e, ufunc, operands.drop_front(), /*core=*/true);
        if (!loop)
            return e.noneVal();
        std::vector<Val> dtypes;
        for (DType dtype : llvm::concat<const DType>(loop->in, loop->out))
            dtypes.push_back(e.staticVal("dtype", dtypeName(dtype)));
        return e.tupleVal(dtypes);
    }
    const Val &out = operands[1], &a = operands[2];
    const auto loop = findLoop(e, ufunc, operands.drop_front(2), /*core=*/true);
    if (!loop || e.operandOf(out).dtype != loop->out[0])
        e.unsupported("the loop of " + ufunc + " for these dtypes has an unexpected result dtype");
    callNative(e, "ufunc_transform", loop->name, out,
               {a, loopOperand(e, operands[3], loop->in[1])});
    return e.noneVal();
}

static bool holdsDynamicList(const Val &v) {
    return v.isDynamicList() || (v.isTuple() && llvm::any_of(v.items.read(), holdsDynamicList));
}

// NumPy converts lists to arrays. A short one after the first operand may be axes or a shape.
void shapecast::listsToArrays(Inference &in, MutableArrayRef<Val> operands) {
    TypedBuilder &e = in.e;
    constexpr int64_t maxAxes = 16;
    auto isShort = [&](const Val &v) {
        const std::optional<int64_t> seen = e.sizeHint(v.items[0].dim);
        return seen && *seen <= maxAxes;
    };
    for (Val &operand : operands) {
        if (operand.isDynamicList() && &operand != operands.begin() && isShort(operand))
            operand = e.tupleVal(itemsIn(e, operand, "a tuple"));
        else if (operand.isDynamicList())
            operand = arrayOfDynamicList(e, operand);
        else if (operand.isTuple() && llvm::any_of(operand.items.read(), holdsDynamicList))
            listsToArrays(in, operand.items.mutate());
    }
}
