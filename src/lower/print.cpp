// Lowering of np.print: the values go to the run time's sc_print as records on the stack.
#include "lower/function_state.h"

#include "runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

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
    case PyKind::Float:
        return PrintItem::PyFloat;
    case PyKind::Complex:
        return PrintItem::PyComplex;
    }
    return PrintItem::Text;
}

Value FunctionState::stackSlots(Location loc, int64_t count) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(
        &function.getBody().front()); // once per call, not once per iteration
    Value size = arith::ConstantIntOp::create(b, loc, count, 64);
    return LLVM::AllocaOp::create(b, loc, context.getType(), b.getI64Type(), size);
}

void FunctionState::printArray(Location loc, Value value, Value items, int64_t first) {
    auto type = cast<np::ArrayType>(value.getType());
    const Handle &handle = handles.at(value);
    const int64_t rank = type.getRank();
    Value shape = stackSlots(loc, std::max<int64_t>(2 * rank, 1));
    for (int64_t d = 0; d < rank; ++d) {
        storeSlot(loc, shape, d, dims.emit(b, loc, type.getDims()[d]));
        storeSlot(loc, shape, rank + d, dims.emit(b, loc, handle.strides[d]));
    }
    storeSlot(loc, items, first, dims.constant(b, loc, PrintItem::Array));
    storeSlot(loc, items, first + 1, dims.constant(b, loc, int64_t(dtypeOf(type)) + 256 * rank));
    storeSlot(loc, items, first + 2, address(loc, handle, type));
    storeSlot(loc, items, first + 3, shape);
}

// Text known when compiling, as bytes in the module.
void FunctionState::printText(Location loc, StringRef text, Value items, int64_t first) {
    std::string name = "text" + std::to_string(nextText++);
    OpBuilder outer = OpBuilder::atBlockBegin(module.getBody());
    auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), unsigned(text.size()) + 1);
    LLVM::GlobalOp::create(outer, loc, bytes, /*isConstant=*/true, LLVM::Linkage::Internal,
                           (source.getSymName() + "_" + name).str(),
                           outer.getStringAttr(text.str() + '\0'));
    Value address = LLVM::AddressOfOp::create(b, loc, context.getType(),
                                              (source.getSymName() + "_" + name).str());
    storeSlot(loc, items, first, dims.constant(b, loc, PrintItem::Text));
    storeSlot(loc, items, first + 1, address);
    storeSlot(loc, items, first + 2, dims.constant(b, loc, int64_t(text.size())));
}

void FunctionState::printScalar(Location loc, Value value, Value items, int64_t first) {
    const OperandType type = *operandType(value.getType());
    const PrintItem::Kind kind = kindOf(type);
    storeSlot(loc, items, first++, dims.constant(b, loc, kind));
    if (kind == PrintItem::Scalar)
        storeSlot(loc, items, first++, dims.constant(b, loc, int64_t(type.dtype)));
    const Scalar scalar = scalars.lookup(value);
    storeSlot(loc, items, first, scalar.re);
    if (scalar.im)
        storeSlot(loc, items, first + 1, scalar.im);
}

void FunctionState::print(np::PrintOp op) {
    Location loc = op.getLoc();
    auto sep = op->getAttrOfType<StringAttr>("sep"), end = op->getAttrOfType<StringAttr>("end");
    SmallVector<Attribute> texts{sep ? sep : b.getStringAttr(" "),
                                 end ? end : b.getStringAttr("\n")};
    if (auto given = op->getAttrOfType<ArrayAttr>("texts"))
        texts.append(given.begin(), given.end());
    else
        texts.append(op.getValues().size(), b.getUnitAttr());
    Value items = stackSlots(loc, 4 * int64_t(texts.size()));
    auto next = op.getValues().begin();
    for (auto [i, text] : llvm::enumerate(texts)) {
        const int64_t first = 4 * int64_t(i);
        if (auto known = dyn_cast<StringAttr>(text))
            printText(loc, known.getValue(), items, first);
        else if (Value value = *next++; isa<np::ArrayType>(value.getType()))
            printArray(loc, value, items, first);
        else
            printScalar(loc, value, items, first);
    }
    Values operands{context, items, dims.constant(b, loc, int64_t(texts.size()))};
    auto callee = runtimeFunction("sc_print", ValueRange(operands).getTypes(), {b.getI32Type()});
    Value status = func::CallOp::create(b, loc, callee, operands).getResult(0);
    Value ok = arith::ConstantIntOp::create(b, loc, 0, 32);
    failWhen(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, status, ok), loc);
}

} // namespace shapecast
