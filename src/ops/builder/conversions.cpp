#include "ops/builder/conversions.h"

#include "ops/builder/elements.h"
#include "ops/builder/enum_values.h"
#include "ops/builder/heap_sites.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/memory.h"
#include "ops/builder/record_class.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

DimAttr shapecast::toDim(TypedBuilder &e, const Val &v, StringRef wording) {
    const bool integral = v.weakFlag && isInteger(e.operandOf(strongSide(v)).dtype);
    if (v.weakFlag && (!integral || !isExactAsPython(e, v)))
        return unionSplit(e, v, [&](const Val &side) { return e.sizeVal(toDim(e, side, wording)); })
            .dim;
    if (v.weakFlag)
        return toDim(e, strongSide(v), wording);
    if (v.isPyInt())
        return v.dim;
    if (v.isWideInt())
        return toPy(e, v, PyKind::Int).dim;
    if (v.isScalar()) {
        OperandType operand = e.operandOf(v);
        if (operand.weak == PyKind::Bool ||
            (operand.weak == PyKind::Strong && isInteger(operand.dtype))) {
            if (std::optional<int64_t> known = v.constInt())
                return e.dimConst(*known);
            for (Operation *user : v.value.getUsers()) // cast before: reuse its symbol
                if (isa<CastOp>(user) && user->getBlock() == e.b.getInsertionBlock())
                    for (Operation *named : user->getUsers())
                        if (auto symbol = dyn_cast<SymbolOp>(named))
                            return dimSymbol(e.ctx, symbol.getName());
            return e.typed(CastOp::create(e.b, e.loc, PyIntType::get(e.ctx), v.value)).dim;
        }
    }
    if (isValueMember(v) && !isTextMember(v))
        return toDim(e, asValue(e, v), wording);
    if (overloads(v, "__index__"))
        e.unsupported("an object of class " + v.className() +
                      " as an integer here is not supported; write int(x)");
    if (v.isArray() && v.array().getRank() == 0 && isInteger(e.operandOf(v).dtype))
        return toDim(e, e.typed(read(e, v)));
    if (v.isArray())
        e.fail("TypeError", "only integer scalar arrays can be converted to a scalar index");
    e.fail("TypeError", wording.empty()
                            ? "'" + v.className() + "' object cannot be interpreted as an integer"
                            : wording.str());
}

Val shapecast::integerOf(TypedBuilder &e, const Val &v) {
    const bool isPlain = v.isTyped() && !v.weakFlag && !v.isPython();
    const bool isWide = isPlain && operandType(v.type())->dtype == DType::U64;
    return toPy(e, v, isWide ? PyKind::WideInt : PyKind::Int);
}

Val shapecast::truth(TypedBuilder &e, const Val &v) {
    rejectOverloads(e, v, {"__bool__", "__len__"});
    if (isMember(v))
        return isValueMember(v) ? truth(e, asValue(e, v)) : e.boolVal(true);
    if (std::optional<bool> known = v.constBool())
        return e.boolVal(*known);
    if (v.isDynamicList())
        return compareInts(e, "ne", v.items[0], e.intVal(0));
    if (isHeap(v) || v.kind == Val::Kind::Text)
        return compareInts(e, "ne", heapLength(e, v), e.intVal(0));
    if (isDictView(v))
        return truth(e, v.items[0]);
    if (v.kind == Val::Kind::Range) { // it is empty where its step leads away from its end
        const Val up = compareInts(e, "gt", v.items[2], e.intVal(0));
        return e.branch(truth(e, up), [&](bool isUp) {
            return compareInts(e, isUp ? "lt" : "gt", v.items[0], v.items[1]);
        });
    }
    if (v.isUnion())
        return unionSplit(e, v,
                          [&](const Val &one) { return toPy(e, truth(e, one), PyKind::Bool); });
    if (v.kind == Val::Kind::Function || v.isStatic("func") || v.isStatic("exception") ||
        v.isStatic("type") || v.isStatic("class"))
        return e.boolVal(true);
    if (!v.isTyped())
        e.unsupported("the truth value of " + v.describe() + " is not supported");
    if (v.isPython())
        return e.callPython("operator.truth", {v});
    if (v.weakFlag)
        return isExactAsPython(e, v) ? truth(e, strongSide(v))
                                     : unionSplit(e, v, [&](const Val &side) {
                                           return toPy(e, truth(e, side), PyKind::Bool);
                                       });
    if (ArrayType array = v.array(); array && array.getRank() > 0) {
        const StringRef empty = "The truth value of an empty array is ambiguous. Use `array.size > "
                                "0` to check that an array is not empty.",
                        many = "The truth value of an array with more than one element is "
                               "ambiguous. Use a.any() or a.all()";
        DimAttr size = e.dimConst(1), one = size;
        for (DimAttr dim : array.getDims())
            size = dimMul(size, dim);
        if (e.assumeEqual(size, e.dimConst(0)))
            e.fail("ValueError", empty);
        if (e.assumeGreaterEqual(size, e.dimConst(2)))
            e.fail("ValueError", many);
        e.require("ge", {size, one}, "ValueError", empty);
        e.require("eq", {size, one}, "ValueError", many);
        return truth(e, firstElement(e, v));
    }
    Value scalar = read(e, v);
    if (isa<PyBoolType>(scalar.getType()))
        return v;
    if (v.isPyInt())
        return compareInts(e, "ne", v, e.intVal(0)); // with a fact for the arms of a branch
    if (isPyScalar(scalar.getType()))
        return toPy(e, v, PyKind::Bool);
    Val flag = e.typed(castValue(e, scalar, DType::Bool));
    return flag;
}

static std::string argumentError(PyKind kind) {
    return kind == PyKind::Int
               ? "int() argument must be a string, a bytes-like object or a real number"
               : "float() argument must be a string or a real number";
}

Val shapecast::toPy(TypedBuilder &e, const Val &v, PyKind kind) {
    if (v.isUnion())
        return unionSplit(e, v, [&](const Val &one) { return toPy(e, one, kind); });
    rejectOverloads(e, v, {"__float__", "__int__", "__index__", "__complex__"});
    if (!v.isTyped())
        e.fail("TypeError", argumentError(kind) + ", not '" + v.className() + "'");
    if (v.weakFlag)
        return isExactAsPython(e, v)
                   ? toPy(e, strongSide(v), kind)
                   : unionSplit(e, v, [&](const Val &side) { return toPy(e, side, kind); });
    Type target = pyType(e.ctx, kind);
    Val scalar = v;
    if (v.isArray() && v.array().getRank() > 0)
        e.fail("TypeError", "only 0-dimensional arrays can be converted to Python scalars");
    if (v.isArray())
        scalar = firstElement(e, v);
    if (scalar.type() == target)
        return scalar;
    OperandType from = e.operandOf(scalar);
    if (kind == PyKind::WideInt && from == OperandType{DType::U64})
        return pyop(
            e, "of_words",
            {e.typed(CastOp::create(e.b, e.loc, PyIntType::get(e.ctx), scalar.value)), e.intVal(0)},
            target);
    if (isComplex(from.dtype) && kind != PyKind::Complex && kind != PyKind::Bool) {
        if (!v.isArray() && from.weak == PyKind::Strong)
            return toPy(e, partOf(e, v, "real"), kind); // NumPy only warns (ComplexWarning)
        e.fail("TypeError", argumentError(kind) + ", not 'complex'");
    }
    if (std::optional<int64_t> known = scalar.constInt()) {
        if (kind == PyKind::Int)
            return e.intVal(*known);
        if (kind == PyKind::WideInt)
            return e.constant(wideIntAttr(e.ctx, APInt(128, uint64_t(*known), /*isSigned=*/true)),
                              target);
        if (kind == PyKind::Bool)
            return e.boolVal(*known != 0);
        if (kind == PyKind::Float && std::abs(*known) < (int64_t(1) << 53))
            return e.floatVal(double(*known));
    }
    // A NumPy scalar first becomes the Python number of its kind, exactly, so that int(float)
    // raises as Python's.
    if (from.weak == PyKind::Strong) {
        PyKind natural = isBool(from.dtype)      ? PyKind::Bool
                         : isInteger(from.dtype) ? PyKind::Int
                         : isFloat(from.dtype)   ? PyKind::Float
                                                 : PyKind::Complex;
        Val py = e.typed(CastOp::create(e.b, e.loc, pyType(e.ctx, natural), scalar.value));
        return natural == kind ? py : toPy(e, py, kind);
    }
    StringRef names[] = {"", "bool", "int", "widen", "float", "complex"};
    return pyop(e, names[int(kind)], {scalar}, target);
}
