// np-infer: the function's result, and its changes to the caller's lists, dicts and objects.
#include "passes/infer/returns.h"

#include "ops/builder/cells.h"
#include "ops/builder/conversions.h"
#include "ops/builder/dict_views.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/heap.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/memory.h"
#include "ops/builder/operators.h"
#include "ops/builder/record_class.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Attribute contentsTree(Inference &in, const Val &v, SmallVectorImpl<Value> &leaves);

static bool isMutable(const Val &v) {
    return v.isDict() || ((v.isTuple() || v.isDynamicList()) && v.list);
}

bool shapecast::isCallers(Attribute target) {
    return isa_and_nonnull<CallersContainerAttr, ObjectStateAttr>(target);
}

// The `target` of a container that is the caller's; null for other values.
static Attribute targetOf(const Inference &in, const Val &v) {
    const TypedBuilder &e = in.e;
    const bool known = isMutable(v) && v.cell && v.cell < e.cells.size();
    return known && isCallers(e.cells[v.cell].target) ? e.cells[v.cell].target : Attribute();
}

// A returned variable is bound on every path to the return.
Val shapecast::boundValue(Inference &in, const Val &v) {
    TypedBuilder &e = in.e;
    if (v.kind != Val::Kind::Optional || v.attr)
        return v;
    e.require("eq", {v.dim, e.dimConst(1)}, "UnboundLocalError",
              "a returned variable is not associated with a value");
    return v.items[0];
}

Attribute shapecast::resultTree(Inference &in, const Val &v, SmallVectorImpl<Value> &leaves) {
    TypedBuilder &e = in.e;
    if (Attribute target = in.buildsResult ? targetOf(in, v) : Attribute()) // the caller's object
        return target;
    if (in.buildsResult && !in.keepsChanges)
        requestHeapForResult(e, v);
    Attribute tree = contentsTree(in, v, leaves);
    const bool hasIdentity = isMutable(v) || v.isRecord();
    if (!in.buildsResult || !hasIdentity || v.cell == unknownCell || !v.cell)
        return tree;
    if (auto list = dyn_cast<ResultListAttr>(tree))
        return ResultListAttr::get(e.ctx, list.getItems(), v.cell);
    auto call = cast<ResultCallAttr>(tree);
    return ResultCallAttr::get(e.ctx, call.getCallee(), call.getItems(), call.getElements(),
                               v.cell);
}

// The value below casts of an array to another array type.
static Value uncast(Value value) {
    for (auto cast = value.getDefiningOp<CastOp>(); cast; cast = value.getDefiningOp<CastOp>()) {
        if (!isa<ArrayType>(value.getType()) || !isa<ArrayType>(cast.getValue().getType()))
            break;
        value = cast.getValue();
    }
    return value;
}

// What NumPy gives as a scalar is an array without dimensions where arguments are on a device, so
// that nobody waits for it (np-device-scalars).
static Value onDevice(Inference &in, Value scalar) {
    TypedBuilder &e = in.e;
    if (!in.putsScalarsOnDevice || !isa<FloatType, IntegerType, ComplexType>(scalar.getType()))
        return scalar;
    Value &array = in.scalarsOnDevice[scalar];
    if (!array) {
        array = alloc(e, {}, operandType(scalar.getType())->dtype, Layout::C).value;
        StoreOp::create(e.b, e.loc, scalar, array, dimArray(e.ctx, {}));
    }
    return array;
}

static Attribute contentsTree(Inference &in, const Val &v, SmallVectorImpl<Value> &leaves) {
    TypedBuilder &e = in.e;
    auto leaf = [&](Value value) -> IntegerAttr { // `return v, v` is one object, twice
        value = onDevice(in, uncast(value));
        size_t index = llvm::find(leaves, value) - leaves.begin();
        if (index == leaves.size())
            leaves.push_back(value);
        return e.b.getI64IntegerAttr(index);
    };
    auto choice = [&](Attribute value, IntegerAttr flag, Attribute otherwise) {
        return ResultChoiceAttr::get(e.ctx, value, flag.getInt(), otherwise);
    };
    if (v.isTyped() && v.weakFlag) { // a Python number on some paths
        const IntegerAttr number = leaf(v.value), flag = leaf(e.sizeVal(v.weakFlag).value),
                          python = leaf(weakSide(e, v).value);
        return choice(python, flag, number);
    }
    if (v.isUnion()) {
        Attribute tree = resultTree(in, v.items[0], leaves);
        for (size_t i = 1; i < v.items.size(); ++i) {
            Attribute one = resultTree(in, v.items[i], leaves);
            Val is = compare(e, "eq", e.sizeVal(v.dim), e.intVal(i));
            tree = choice(one, leaf(toPy(e, is, PyKind::Int).value), tree);
        }
        return tree;
    }
    if (v.isTyped())
        return leaf(v.value);
    if (v.kind == Val::Kind::Optional && !v.attr && !in.storesAttributes)
        return resultTree(in, boundValue(in, v), leaves);
    const Attribute absent = PyAttr::get(e.ctx, "absent", ""); // an attribute that is not set
    if (v.kind == Val::Kind::Unbound && in.storesAttributes)
        return absent;
    if (v.kind == Val::Kind::Optional) {
        const Attribute present = resultTree(in, v.items[0], leaves);
        const IntegerAttr flag = leaf(e.sizeVal(v.dim).value);
        return choice(present, flag, v.attr ? v.attr : absent);
    }
    int64_t object = 0; // the number of one whose attributes capture read
    if (v.isStatic("object") && !v.staticText().getAsInteger(10, object))
        return CallersObjectAttr::get(e.ctx, object);
    if (v.kind == Val::Kind::Static && !v.isStatic("limits"))
        return v.attr;
    SmallVector<Attribute> items;
    auto called = [&](StringRef callee, ArrayRef<Attribute> arguments, StringRef elements = "") {
        return ResultCallAttr::get(e.ctx, callee, e.b.getArrayAttr(arguments), elements, 0);
    };
    if (v.isDict()) { // dict(((key, value), ...))
        for (auto [key, value] : llvm::zip_equal(cast<ArrayAttr>(v.attr), v.items))
            items.push_back(e.b.getArrayAttr(
                {resultTree(in, e.literal(key), leaves), resultTree(in, value, leaves)}));
        return called("builtins.dict", e.b.getArrayAttr(items));
    }
    if (isHeap(v) || isHeapText(v)) {
        items.push_back(PyAttr::get(e.ctx, "str", heapFormat(e, v)));
        // Python gets a string of its own: a constant's memory is the module's. Of those that are
        // kept, one is made when they are needed (planKept).
        const bool copies = isHeapText(v) && !in.keepsChanges;
        const Val given = copies ? textFunction(e, "copy", {v}) : v;
        items.push_back(leaf(given.items[0].value));
        return called("shapecast._objects.contained", items);
    }
    if (v.isDynamicList()) {
        const DynamicListParts parts = dynamicListParts(e, v);
        items.push_back(PyAttr::get(e.ctx, "str", parts.words));
        for (const Val &column : parts.columns)
            items.push_back(resultTree(in, column, leaves));
        return called("shapecast._objects.listed", items, parts.elements);
    }
    if (const Val *of = constructedClass(v))
        return called("shapecast._objects.class_named",
                      {PyAttr::get(e.ctx, "str", of->staticText())});
    if (v.kind == Val::Kind::Function)
        e.unsupported("returning a function, or an object that holds one (the factory of a "
                      "defaultdict, say), is not supported; return what it computes, or dict(d)");
    if (isDictView(v))
        return called("builtins.dict." + cast<StringAttr>(v.attr).str(),
                      {resultTree(in, v.items[0], leaves)});
    const StringRef made = v.kind == Val::Kind::Object  ? v.staticText()
                           : v.kind == Val::Kind::Slice ? "builtins.slice"
                           : v.kind == Val::Kind::Range ? "builtins.range"
                                                        : "";
    if (v.kind != Val::Kind::Tuple && !v.isRecord() && made.empty())
        e.unsupported("returning " + v.describe());
    {
        const bool isText = v.kind == Val::Kind::Object; // Python makes it of NumPy's scalars
        llvm::SaveAndRestore puts(in.putsScalarsOnDevice, in.putsScalarsOnDevice && !isText);
        for (const Val &item : v.items)
            items.push_back(resultTree(in, item, leaves));
    }
    Attribute tuple = e.b.getArrayAttr(items);
    if (!made.empty())
        return called(made, items);
    if (isPlainInstance(v) || overloads(v, "made")) {
        items.insert(items.begin(), PyAttr::get(e.ctx, "str", instanceForm(v)));
        return called("shapecast._objects.instance", items);
    }
    if (const std::string record = recordName(v); !record.empty())
        return called(record, items);
    return v.list ? Attribute(ResultListAttr::get(e.ctx, e.b.getArrayAttr(items), 0)) : tuple;
}

// The returned value. Never: control does not reach the return.
Val shapecast::returned(Inference &in, ReturnOp op) {
    TypedBuilder &e = in.e;
    Val v = in.unreachable ? e.neverVal() : in.val(op.getValues()[0]);
    in.unreachable |= v.kind == Val::Kind::Never;
    return v;
}

ArrayAttr shapecast::changedContents(Inference &in, SmallVectorImpl<Value> &leaves) {
    TypedBuilder &e = in.e;
    SmallVector<Attribute> writes;
    for (unsigned cell = 1; cell < e.cells.size(); ++cell) {
        const Attribute target = e.cells[cell].target;
        if (!isCallers(target) || !e.cells[cell].changes)
            continue;
        auto state = dyn_cast<ObjectStateAttr>(target);
        Val now = loadCell(e, cell);
        reloadCells(e, now);                             // the lists and dicts in it
        Attribute tree = PyAttr::get(e.ctx, "none", ""); // it raises: no contents
        if (in.unreachable) {
        } else if (state && state.getForm() == "names") { // attributes
            llvm::SaveAndRestore stores(in.storesAttributes, true);
            SmallVector<Attribute> values;
            const bool isInMemory = llvm::is_contained(in.recursions.statesInMemory, state);
            for (const Val &item : now.items) {
                Attribute value = resultTree(in, item, leaves);
                if (isInMemory)
                    value = ResultCallAttr::get(e.ctx, "shapecast._objects.first",
                                                e.b.getArrayAttr(value), "", 0);
                values.push_back(value);
            }
            tree = e.b.getArrayAttr(values);
        } else {
            tree = contentsTree(in, now, leaves);
        }
        writes.push_back(ObjectWriteAttr::get(e.ctx, target, tree));
    }
    return writes.empty() ? ArrayAttr() : e.b.getArrayAttr(writes);
}

void shapecast::emitReturn(Inference &in, ReturnOp op) {
    TypedBuilder &e = in.e;
    e.loc = op.getLoc();
    in.buildsResult = true;
    SmallVector<Value> leaves;
    const Val value = op.getValues().empty() ? e.noneVal() : returned(in, op);
    auto target = cast<FuncOp>(e.b.getInsertionBlock()->getParentOp());
    if (in.recursion) {
        packResult(in, value, leaves);
    } else {
        llvm::SaveAndRestore puts(in.putsScalarsOnDevice, bool(e.device));
        target.setResultAttr(resultTree(in, in.unreachable ? e.noneVal() : value, leaves));
    }
    if (ArrayAttr writes = in.recursion ? ArrayAttr() : changedContents(in, leaves))
        target.setWritesAttr(writes);
    const auto arrays = llvm::make_second_range(in.scalarsOnDevice);
    SmallVector<int64_t> scalars; // on a device
    SmallVector<int64_t> carried; // results of branches and loops: known only at run time
    for (auto [i, leaf] : llvm::enumerate(leaves)) {
        if (llvm::is_contained(arrays, leaf))
            scalars.push_back(int64_t(i));
        if (Operation *maker = uncast(leaf).getDefiningOp();
            maker && maker->getNumRegions() && isa<ArrayType>(leaf.getType()))
            carried.push_back(int64_t(i));
    }
    if (!scalars.empty())
        target.setScalarsAttr(e.b.getDenseI64ArrayAttr(scalars));
    if (!carried.empty() && !in.recursion)
        target.setCarriedAttr(e.b.getDenseI64ArrayAttr(carried));
    ReturnOp::create(e.b, e.loc, leaves);
    target.setFunctionType(
        e.b.getFunctionType(in.source.getArgumentTypes(), ValueRange(leaves).getTypes()));
}

// Whether a Slot can represent it.
static bool fitsSlot(const Val &v) {
    using Kind = Val::Kind;
    return (!llvm::is_contained({Kind::Slice, Kind::Iterator}, v.kind) || isDictView(v)) &&
           llvm::all_of(v.items, fitsSlot);
}

// A symbolic size is only meaningful inside the function: it is a result beside the array.
static Slot callIndependent(Slot slot) {
    for (Slot &item : slot.items)
        item = callIndependent(std::move(item));
    if (slot.list)
        slot.serial = 0;
    auto array = dyn_cast_if_present<ArrayType>(slot.type);
    if (!array)
        return slot;
    Dims dims;
    for (auto [d, dim] : llvm::enumerate(array.getDims())) {
        slot.dynamicDims[d] = slot.dynamicDims[d] || !dim.isConst();
        dims.push_back(slot.dynamicDims[d] ? dimSymbol(array.getContext(), "size") : dim);
    }
    slot.type = ArrayType::get(array.getContext(), dims, array.getDtype(), array.getLayout(),
                               array.getReadonly(), array.getDevice());
    return slot;
}

// Joins a returned value into the result of the function that is being inferred, and packs it.
void shapecast::packResult(Inference &in, const Val &given, SmallVectorImpl<Value> &leaves) {
    TypedBuilder &e = in.e;
    const Val v = boundValue(in, given);
    wishIterators(e, v);
    if (!fitsSlot(v))
        e.unsupported(
            "an iterator or slice that the body of a 'try' makes, or a function that calls "
            "itself returns, is not supported; make a list of its items");
    Slot &result = in.recursion->result;
    result = callIndependent(join(e, result, v, "return value"));
    pack(e, result, v, leaves);
}
