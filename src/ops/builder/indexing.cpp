#include "ops/builder/indexing.h"

#include "ops/builder/dynamic_list.h"
#include "ops/builder/elements.h"
#include "ops/builder/function.h"
#include "ops/builder/items.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/memory.h"
#include "ops/builder/record_class.h"
#include "ops/builder/stores.h"
#include "ops/ufunc/ufunc.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// Indexing where the sign of a slice's step, or whether a number is an integer, is known only at
// run time: branches on it, so that each arm knows it. None where all are known or assumed.
static std::optional<Val> splitOnKeys(TypedBuilder &e, ArrayRef<Val> keys,
                                      llvm::function_ref<Val(ArrayRef<Val>)> index) {
    const DimAttr one = e.dimConst(1), minus = e.dimConst(-1);
    for (auto [i, key] : llvm::enumerate(keys)) {
        if (key.weakFlag &&
            (key.weakKind == PyKind::Int) != isInteger(e.operandOf(strongSide(key)).dtype))
            return unionSplit(e, keys, i, index);
        if (key.kind != Val::Kind::Slice || key.items[2].isNone())
            continue;
        DimAttr step = sliceDim(e, key.items[2]);
        if (step.isConst() || e.assumeGreaterEqual(step, one) || e.assumeGreaterEqual(minus, step))
            continue;
        e.require("ne", {step, e.dimConst(0)}, "ValueError", "slice step cannot be zero");
        SmallVector<Val> known(keys); // the step as one expression, with a fact in each arm
        known[i].items[2] = e.sizeVal(step);
        return e.branch(compareInts(e, "ge", known[i].items[2], e.intVal(1)), [&](bool up) {
            e.facts.addGreaterEqual(up ? step : minus, up ? one : step);
            return index(known);
        });
    }
    return std::nullopt;
}

// A NumPy scalar can be indexed with the keys that add axes: any number of None and bools, and one
// `...`.
static Val scalarItem(TypedBuilder &e, const Val &number, ArrayRef<Val> keys) {
    auto dots = [](const Val &key) { return key.isStatic("ellipsis"); };
    if (keys.empty())
        return number;
    auto flag = [&](const Val &key) {
        const bool single = key.isScalar() || (key.isArray() && key.array().getRank() == 0);
        return single && !key.weakFlag && isBool(e.operandOf(key).dtype);
    };
    auto fits = [&](const Val &key) { return key.isNone() || dots(key) || flag(key); };
    if (llvm::count_if(keys, dots) > 1 || !llvm::all_of(keys, fits))
        e.fail("IndexError", "invalid index to scalar variable.");
    Val array = alloc(e, {}, e.operandOf(number).dtype);
    assign(e, array, number);
    return arrayItem(e, array, keys);
}

// The keys, with ranges and dynamic lists converted to index arrays; none where there are none.
static std::optional<SmallVector<Val>> withArrays(TypedBuilder &e, ArrayRef<Val> keys) {
    auto isRange = [](const Val &key) { return key.kind == Val::Kind::Range; };
    auto isList = [](const Val &key) { return key.isDynamicList() && key.list; };
    if (llvm::none_of(keys, [&](const Val &key) { return isList(key) || isRange(key); }))
        return std::nullopt;
    return llvm::map_to_vector(keys, [&](const Val &key) {
        return isRange(key)  ? callFunction(e, *findFunction("numpy.arange"), key.items.read(), {})
               : isList(key) ? arrayOfDynamicList(e, key)
                             : key;
    });
}

static bool isTupleOfKeys(ArrayRef<Val> keys) {
    return keys.size() == 1 && (keys[0].isTuple() || keys[0].isDynamicList()) && !keys[0].list;
}

// The keys in the one tuple. A tuple in it, x[(1, 2),], is an index array, as a list is.
static std::vector<Val> keysIn(TypedBuilder &e, ArrayRef<Val> keys) {
    std::vector<Val> inner = itemsIn(e, keys[0], "an index");
    if (inner.size() == 1 && inner[0].isTuple())
        inner[0].list = true;
    return inner;
}

static void storeItem(TypedBuilder &e, const Val &base, const BasicIndex &to, const Val &given) {
    DType dtype = e.operandOf(base).dtype;
    const Val value = given.isScalar() ? storedNumber(e, given, dtype) : given;
    if (!to.element)
        return assign(e, view(e, base, to.offsets, to.steps, to.axes, to.dims), value);
    std::optional<Val> number = elementOf(e, value, dtype);
    if (!number)
        return;
    checkComplexStore(e, *number, dtype);
    checkWeakBounds(e, *findUfunc("positive"), Loop{{dtype}, dtype}, *number);
    StoreOp::create(e.b, e.loc, castValue(e, read(e, *number), dtype), base.value,
                    dimArray(e.ctx, to.offsets));
}

Val shapecast::arrayItem(TypedBuilder &e, const Val &base, ArrayRef<Val> keys) {
    const bool isNumber = base.isScalar() && e.operandOf(base).weak == PyKind::Strong;
    rejectOverloads(e, base, {"__getitem__"});
    if (!base.isArray() && !isNumber)
        e.fail("TypeError", "'" + base.className() + "' object is not subscriptable");
    if (isTupleOfKeys(keys))
        return arrayItem(e, base, keysIn(e, keys));
    if (std::optional<SmallVector<Val>> known = withArrays(e, keys))
        return arrayItem(e, base, *known);
    if (isNumber)
        return scalarItem(e, base, keys);
    if (usesAdvancedIndexing(e, base, keys))
        return gather(e, base, keys);
    if (std::optional<Val> item =
            splitOnKeys(e, keys, [&](ArrayRef<Val> known) { return arrayItem(e, base, known); }))
        return *item;
    BasicIndex at = basicIndex(e, base, keys);
    if (at.element)
        return e.typed(LoadOp::create(e.b, e.loc, base.array().getDtype(), base.value,
                                      dimArray(e.ctx, at.offsets)));
    return view(e, base, at.offsets, at.steps, at.axes, at.dims);
}

void shapecast::storeArrayItem(TypedBuilder &e, const Val &base, ArrayRef<Val> keys,
                               const Val &value) {
    rejectOverloads(e, base, {"__setitem__"});
    if (!base.isArray())
        e.fail("TypeError", "'" + base.className() + "' object does not support item assignment");
    if (isTupleOfKeys(keys))
        return storeArrayItem(e, base, keysIn(e, keys), value);
    if (std::optional<SmallVector<Val>> known = withArrays(e, keys))
        return storeArrayItem(e, base, *known, value);
    if (value.isDynamicList())
        return storeArrayItem(e, base, keys, arrayOfDynamicList(e, value));
    // Before the index is checked, as in NumPy.
    std::optional<Val> writeable = writeableOf(e, base, "assignment destination is read-only");
    if (!writeable)
        return;
    if (base.array().getReadonly())
        return storeArrayItem(e, *writeable, keys, value);
    auto store = [&](ArrayRef<Val> known) {
        storeArrayItem(e, base, known, value);
        return e.noneVal();
    };
    if (!usesAdvancedIndexing(e, base, keys) && splitOnKeys(e, keys, store))
        return;
    if (usesAdvancedIndexing(e, base, keys)) {
        if (!value.weakFlag || storeIsSame(e, value, e.operandOf(base).dtype))
            return scatter(e, base, keys, value.weakFlag ? strongSide(value) : value);
        unionSplit(e, value, [&](const Val &side) {
            scatter(e, base, keys, side);
            return e.noneVal();
        });
        return;
    }
    BasicIndex at = basicIndex(e, base, keys);
    if (!value.weakFlag || storeIsSame(e, value, e.operandOf(base).dtype))
        return storeItem(e, base, at, value.weakFlag ? strongSide(value) : value);
    unionSplit(e, value, [&](const Val &side) {
        storeItem(e, base, at, side);
        return e.noneVal();
    });
}
