#include "ops/builder/operators.h"

#include "ops/builder/arrays.h"
#include "ops/builder/cells.h"
#include "ops/builder/containers.h"
#include "ops/builder/flags.h"
#include "ops/builder/flat.h"
#include "ops/builder/heap.h"
#include "ops/builder/heap_constants.h"
#include "ops/builder/indexing.h"
#include "ops/builder/list_items.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/sequences.h"
#include "ops/builder/stores.h"
#include "ops/ufunc/ufunc.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static void checkInPlaceMatmul(TypedBuilder &e, const Val &target, const Val &value);

static Val heapOrDictItem(TypedBuilder &e, const Val &dict, ArrayRef<Val> keys) {
    const Val key = keys.size() == 1 ? keys[0] : e.tupleVal(keys.vec());
    const std::optional<Val> heap = heapOfConstants(e, dict, key);
    return heap ? heapItem(e, *heap, keys) : dictItem(e, dict, keys);
}

Val shapecast::getItem(TypedBuilder &e, const Val &base, ArrayRef<Val> keys) {
    if (isHeap(base))
        return heapItem(e, base, keys);
    if (base.isDynamicList())
        return listItem(e, base, keys);
    if (base.isTuple())
        if (std::optional<Val> slice = sliceAtRunTime(e, base, keys))
            return *slice;
    if (base.isTuple())
        return tupleItem(e, base, keys);
    if (base.kind == Val::Kind::Range)
        return rangeItem(e, base, keys);
    if (base.isDict())
        return heapOrDictItem(e, base, keys);
    if (std::optional<Val> item = textItem(e, base, keys))
        return *item;
    if (isIterator(base, "flat"))
        return flatItem(e, base.items[0], keys);
    if (isIterator(base, "flags"))
        return flagItem(e, base.items[0], keys);
    return arrayItem(e, base, keys);
}

void shapecast::setItem(TypedBuilder &e, const Val &base, ArrayRef<Val> keys, const Val &value) {
    if (isHeap(base))
        return setHeapItem(e, base, keys, value);
    if (base.isDict() || ((base.isTuple() || base.isDynamicList()) && base.list))
        return changeItem(e, base, keys, value);
    if (isIterator(base, "flat"))
        return setFlat(e, base.items[0], keys, value);
    storeArrayItem(e, base, keys, value);
}

Val shapecast::inplace(TypedBuilder &e, StringRef op, const Val &target, const Val &value) {
    const bool numpy = value.isArray() || (value.isScalar() && !isPyScalar(value.type()));
    if ((target.isTuple() || target.isDynamicList()) && target.list && op == "add" && !numpy) {
        if (listMethod(e, target, "extend", value))
            return target;
        wishHeap(e, target);
        e.unsupported("'+=' of a list and a " + value.className() +
                      " is not supported here; call extend");
    }
    if (target.isTuple() && target.list && op == "mul") {
        const Val repeated = binary(e, op, target, value);
        storeCell(e, unsigned(&mutableCell(e, target) - e.cells.data()), repeated);
        return target;
    }
    if (target.isDict() && value.isDict() && op == "or") {
        dictMethod(e, target, "update", value, {});
        return target;
    }
    llvm::SaveAndRestore augmented(e.inPlace, true);
    if (!target.isArray())
        return binary(e, op, target, value);
    if (value.weakFlag)
        return unionSplit(e, value, [&](const Val &side) { return inplace(e, op, target, side); });
    std::optional<Val> writeable = writeableOf(e, target, "output array is read-only");
    if (!writeable)
        return target;
    if (op == "matmul")
        checkInPlaceMatmul(e, *writeable, value);
    llvm::SaveAndRestore<const Val *> out(e.ufuncTarget, op == "matmul" ? nullptr : &*writeable);
    Val result = binary(e, op, target, value);
    storeResult(e, op == "pow" && value.constInt() == 2 ? "square" : ufuncOfOperator(op),
                *writeable, result, Casting::SameKind);
    return target;
}

// a @= b cannot have a 1-d b: the result would not have a's rank.
static void checkInPlaceMatmul(TypedBuilder &e, const Val &target, const Val &value) {
    const bool sequence = value.isTuple() || value.kind == Val::Kind::Range;
    const Val other = sequence ? asArray(e, value) : value;
    if (!other.isTyped())
        failOutput(e, "matmul", "O", e.operandOf(target).dtype, Casting::SameKind);
    checkOutput(e, "matmul", resultType({e.operandOf(target), e.operandOf(other)}), target,
                Casting::SameKind);
    if (target.array().getRank() > 0 && other.isArray() && other.array().getRank() == 1)
        e.fail("ValueError", "inplace matrix multiplication requires the first operand to have at "
                             "least one and the second at least two dimensions.");
}
