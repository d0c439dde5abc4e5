#include "lower/function/print.h"

#include "lower/kit/errors.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "runtime/abi.h"
#include "runtime/callbacks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace shapecast {

using runtime::PrintItem;

static_assert(sizeof(PrintItem) == 4 * sizeof(int64_t));

static PrintItem::Kind kindOf(OperandType type) {
    switch (type.weak) {
    case PyKind::Strong:
        return PrintItem::Scalar;
    case PyKind::Bool:
        return PrintItem::PyBool;
    case PyKind::Int:
        return PrintItem::PyInt;
    case PyKind::WideInt:
        return PrintItem::PyWideInt;
    case PyKind::Float:
        return PrintItem::PyFloat;
    case PyKind::Complex:
        return PrintItem::PyComplex;
    }
    return PrintItem::None;
}

// The records of one operation, in the order of abi.h: a tuple's items follow the tuple.
class Records {
public:
    Records(FunctionState &state, Operation *op) : state(state), op(op), loc(op->getLoc()) {}

    void text(StringRef text, PrintItem::Kind kind = PrintItem::Text) {
        begin(kind);
        set(1, textAddress(state, loc, text));
        set(2, number(int64_t(text.size())));
    }

    void tree(Attribute tree) {
        if (isa<IntegerAttr>(tree))
            return leaf(operand(tree));
        if (auto items = dyn_cast<ArrayAttr>(tree))
            return sequence(PrintItem::Tuple, items);
        if (auto fixed = dyn_cast<np::PyAttr>(tree))
            return constant(fixed);
        if (auto list = dyn_cast<np::ResultListAttr>(tree))
            return sequence(PrintItem::List, list.getItems());
        if (auto call = dyn_cast<np::ResultCallAttr>(tree)) {
            text(call.getCallee(), PrintItem::Call);
            set(3, number(int64_t(call.getItems().size())));
            for (Attribute item : call.getItems())
                this->tree(item);
            return;
        }
        auto choice = cast<np::ResultChoiceAttr>(tree);
        begin(PrintItem::Optional);
        set(1, state.scalars.lookup(op->getOperand(unsigned(choice.getFlag()))).re);
        this->tree(choice.getValue());
        this->tree(choice.getOtherwise());
    }

    // Stores what was collected; the address of the first record.
    Value store() {
        Value items = stackSlots(state, loc, 4 * int64_t(records.size()));
        for (auto [k, record] : llvm::enumerate(records))
            for (auto [slot, value] : llvm::enumerate(record))
                if (value)
                    storeSlot(state, loc, items, 4 * int64_t(k) + int64_t(slot), value);
        return items;
    }

    int64_t count() const { return int64_t(records.size()); }

private:
    Value number(int64_t value) { return state.dims.constant(state.b, loc, value); }
    void set(unsigned slot, Value value) { records.back()[slot] = value; }
    Value operand(Attribute index) {
        return op->getOperand(unsigned(cast<IntegerAttr>(index).getInt()));
    }
    void begin(PrintItem::Kind kind) {
        records.push_back({});
        set(0, number(kind));
    }

    void sequence(PrintItem::Kind kind, ArrayAttr items) {
        begin(kind);
        set(1, number(int64_t(items.size())));
        for (Attribute item : items)
            tree(item);
    }

    void constant(np::PyAttr value) {
        if (value.getKind() == "none")
            begin(PrintItem::None);
        else if (value.getKind() == "str")
            text(value.getText());
        else if (value.getKind() == "ellipsis")
            text("builtins.Ellipsis", PrintItem::Named);
        else if (value.getKind() == "module")
            text(("module " + value.getText()).str(), PrintItem::Named);
        else if (value.getKind() == "dtype" && !value.getText().starts_with("numpy."))
            text(("dtype " + value.getText()).str(), PrintItem::Named);
        else
            text(value.getText(), PrintItem::Named);
    }

    void leaf(Value value) {
        if (auto type = dyn_cast<np::ArrayType>(value.getType()))
            return array(value, type);
        if (isa<np::ObjectType>(value.getType())) {
            begin(PrintItem::Object);
            return set(1, state.scalars.lookup(value).re);
        }
        const OperandType type = *operandType(value.getType());
        const PrintItem::Kind kind = kindOf(type);
        begin(kind);
        set(1, number(int64_t(type.dtype)));
        const Scalar scalar = state.scalars.lookup(value);
        set(2, scalar.re);
        set(3, scalar.im);
    }

    void array(Value value, np::ArrayType type) {
        const Handle &handle = state.handles.at(value);
        const int64_t rank = type.getRank();
        Value shape = stackSlots(state, loc, 2 * rank + 1);
        for (int64_t d = 0; d < rank; ++d) {
            Value size = state.dims.emit(state.b, loc, type.getDims()[d]);
            storeSlot(state, loc, shape, d, size);
            Value stride = state.dims.emit(state.b, loc, handle.strides[d]);
            storeSlot(state, loc, shape, rank + d, stride);
        }
        storeSlot(state, loc, shape, 2 * rank, handle.owner);
        begin(PrintItem::Array);
        set(1, number(int64_t(dtypeOf(type)) + 256 * rank + (int64_t(type.getReadonly()) << 16)));
        set(2, state.address(loc, handle, type));
        set(3, shape);
    }

    FunctionState &state;
    Operation *op;
    Location loc;
    SmallVector<std::array<Value, 4>> records;
};

void emitPrint(FunctionState &state, np::PrintOp op) {
    Location loc = op.getLoc();
    Records records(state, op.getOperation());
    records.text(op.getSep().value_or(" "));
    records.text(op.getEnd().value_or("\n"));
    records.text(op.getFile().value_or(""));
    auto flush = op.getFlushAttr();
    records.text(flush && flush.getValue() ? "flush" : "");
    auto trees = op.getTreeAttr();
    for (int64_t k = 0, n = int64_t(trees ? trees.size() : op.getValues().size()); k < n; ++k)
        records.tree(trees ? trees[k] : state.b.getI64IntegerAttr(k));
    Value items = records.store(), count = state.dims.constant(state.b, loc, records.count());
    Value status = RuntimeFunction<&runtime::sc_print>(state.module)
                       .call(state.b, loc, state.context, items, count);
    failUnlessZero(state, status, loc);
}

// The run time creates the exception; the site has its location. What follows is unreachable.
void emitRaise(FunctionState &state, np::RaiseOp op) {
    Location loc = op.getLoc();
    Records records(state, op.getOperation());
    for (Attribute tree : op.getTreeAttr())
        records.tree(tree);
    storeSlot(state, loc, state.context, 0,
              state.dims.constant(state.b, loc, addSite(state, loc, "", "")));
    Value items = records.store(), count = state.dims.constant(state.b, loc, records.count());
    RuntimeFunction<&runtime::sc_raise> raise(state.module);
    // LLVM lays its block out last.
    raise.callee->setAttr("passthrough", state.b.getStrArrayAttr({"cold"}));
    raise.call(state.b, loc, state.context, items, count);
    failWhen(state, arith::ConstantIntOp::create(state.b, loc, 1, 1), loc);
}

// The run time calls and stores the results; the site has the location.
void emitCallOut(FunctionState &state, np::CallOp op) {
    Location loc = op.getLoc();
    Records records(state, op.getOperation());
    records.tree(op.getTreeAttr());
    const StringRef expected = op.getExpectedAttr().getValue();
    const SmallVector<Type> types = state.flatTypes(op.getResultTypes());
    Value outcome = stackSlots(state, loc, std::max<size_t>(types.size(), 1));
    Value items = records.store(),
          site = state.dims.constant(state.b, loc, addSite(state, loc, "", "")),
          text = textAddress(state, loc, expected),
          length = state.dims.constant(state.b, loc, int64_t(expected.size()));
    Value status = RuntimeFunction<&runtime::sc_call_out>(state.module)
                       .call(state.b, loc, state.context, items, site, text, length, outcome);
    failUnlessZero(state, status, loc);
    state.bindResults(op.getOutputs(), loadSlots(state, loc, outcome, 0, types));
}

} // namespace shapecast
