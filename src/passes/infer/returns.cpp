// np-infer: the function's result, and its changes to the caller's lists, dicts and objects.
#include "ops/builder/cells.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/operators.h"
#include "ops/builder/record_class.h"
#include "ops/builder/values.h"
#include "passes/infer/infer.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static bool isMutable(const Val &v) {
    return v.isDict() || ((v.isTuple() || v.isDynamicList()) && v.list);
}

// Whether the `target` of a cell is one of the caller's objects; others say why it is immutable.
static bool isCallers(Attribute target) {
    return isa_and_nonnull<CallersContainerAttr, ObjectStateAttr>(target);
}

// The `target` of a container that is the caller's; null for other values.
Attribute Infer::targetOf(const Val &v) const {
    const bool known = isMutable(v) && v.cell && v.cell < e.cells.size();
    return known && isCallers(e.cells[v.cell].target) ? e.cells[v.cell].target : Attribute();
}

// A returned variable is bound on every path to the return.
Val Infer::boundValue(const Val &v) {
    if (v.kind != Val::Kind::Optional || v.attr)
        return v;
    e.require("eq", {v.dim, e.dimConst(1)}, "UnboundLocalError",
              "a returned variable is not associated with a value");
    return v.items[0];
}

Attribute Infer::resultTree(const Val &v, SmallVectorImpl<Value> &leaves) {
    if (Attribute target = buildsResult ? targetOf(v) : Attribute()) // the caller's object
        return target;
    Attribute tree = contentsTree(v, leaves);
    if (!buildsResult || !isMutable(v) || v.cell == unknownCell || !v.cell)
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

Attribute Infer::contentsTree(const Val &v, SmallVectorImpl<Value> &leaves) {
    auto leaf = [&](Value value) -> IntegerAttr { // `return v, v` is one object, twice
        value = uncast(value);
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
        Attribute tree = resultTree(v.items[0], leaves);
        for (size_t i = 1; i < v.items.size(); ++i) {
            Attribute one = resultTree(v.items[i], leaves);
            Val is = compare(e, "eq", e.sizeVal(v.dim), e.intVal(i));
            tree = choice(one, leaf(toPy(e, is, PyKind::Int).value), tree);
        }
        return tree;
    }
    if (v.isTyped())
        return leaf(v.value);
    if (v.kind == Val::Kind::Optional && !v.attr && !storesAttributes)
        return resultTree(boundValue(v), leaves);
    const Attribute absent = PyAttr::get(e.ctx, "absent", ""); // an attribute that is not set
    if (v.kind == Val::Kind::Unbound && storesAttributes)
        return absent;
    if (v.kind == Val::Kind::Optional) {
        const Attribute present = resultTree(v.items[0], leaves);
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
            items.push_back(
                e.b.getArrayAttr({resultTree(e.literal(key), leaves), resultTree(value, leaves)}));
        return called("builtins.dict", e.b.getArrayAttr(items));
    }
    if (v.isDynamicList()) {
        const DynamicListParts parts = dynamicListParts(e, v);
        items.push_back(PyAttr::get(e.ctx, "str", parts.words));
        for (const Val &column : parts.columns)
            items.push_back(resultTree(column, leaves));
        return called("shapecast._objects.listed", items, parts.elements);
    }
    const StringRef made = v.kind == Val::Kind::Object  ? v.staticText()
                           : v.kind == Val::Kind::Slice ? "builtins.slice"
                           : v.kind == Val::Kind::Range ? "builtins.range"
                                                        : "";
    if (v.kind != Val::Kind::Tuple && !v.isRecord() && made.empty())
        e.unsupported("returning " + describe(e, v));
    for (const Val &item : v.items)
        items.push_back(resultTree(item, leaves));
    Attribute tuple = e.b.getArrayAttr(items);
    if (!made.empty())
        return called(made, items);
    if (const std::string record = recordName(v); !record.empty())
        return called(record, items);
    return v.list ? Attribute(ResultListAttr::get(e.ctx, e.b.getArrayAttr(items), 0)) : tuple;
}

// The returned value. Never: control does not reach the return.
Val Infer::returned(ReturnOp op) {
    Val v = unreachable ? e.neverVal() : val(op.getValues()[0]);
    unreachable |= v.kind == Val::Kind::Never;
    return v;
}

// The changes to the caller's lists, dicts and objects; null: none.
ArrayAttr Infer::changedContents(SmallVectorImpl<Value> &leaves) {
    SmallVector<Attribute> writes;
    for (unsigned cell = 1; cell < e.cells.size(); ++cell) {
        const Attribute target = e.cells[cell].target;
        if (!isCallers(target) || !e.cells[cell].changes)
            continue;
        auto state = dyn_cast<ObjectStateAttr>(target);
        Val now = loadCell(e, cell);
        reloadCells(e, now);                             // the lists and dicts in it
        Attribute tree = PyAttr::get(e.ctx, "none", ""); // it raises: no contents
        if (unreachable) {
        } else if (state && state.getForm() == "names") { // attributes
            llvm::SaveAndRestore stores(storesAttributes, true);
            SmallVector<Attribute> values;
            for (const Val &item : now.items)
                values.push_back(resultTree(item, leaves));
            tree = e.b.getArrayAttr(values);
        } else {
            tree = contentsTree(now, leaves);
        }
        writes.push_back(ObjectWriteAttr::get(e.ctx, target, tree));
    }
    return writes.empty() ? ArrayAttr() : e.b.getArrayAttr(writes);
}

void Infer::emitReturn(ReturnOp op) {
    e.loc = op.getLoc();
    buildsResult = true;
    SmallVector<Value> leaves;
    const Val value = op.getValues().empty() ? e.noneVal() : returned(op);
    auto target = cast<FuncOp>(e.b.getInsertionBlock()->getParentOp());
    if (recursion)
        packResult(value, leaves);
    else
        target.setResultAttr(resultTree(unreachable ? e.noneVal() : value, leaves));
    if (ArrayAttr writes = recursion ? ArrayAttr() : changedContents(leaves))
        target.setWritesAttr(writes);
    SmallVector<int64_t> carried; // results of branches and loops: known only at run time
    for (auto [i, leaf] : llvm::enumerate(leaves))
        if (Operation *maker = uncast(leaf).getDefiningOp();
            maker && maker->getNumRegions() && isa<ArrayType>(leaf.getType()))
            carried.push_back(int64_t(i));
    if (!carried.empty() && !recursion)
        target.setCarriedAttr(e.b.getDenseI64ArrayAttr(carried));
    ReturnOp::create(e.b, e.loc, leaves);
    target.setFunctionType(
        e.b.getFunctionType(source.getArgumentTypes(), ValueRange(leaves).getTypes()));
}
