#include "lower/kit/function_state.h"

#include "ir/layout.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

static bool byAddress(Value a, Value b) { return a.getAsOpaquePointer() < b.getAsOpaquePointer(); }

FunctionState::FunctionState(ModuleOp module, np::FuncOp source, SmallVectorImpl<Attribute> &sites)
    : module(module), source(source), b(source),
      recheck(np::NpDialect::RecheckAttrHelper(module.getContext()).isAttrPresent(module)),
      handles(byAddress), sites(sites) {
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    auto type = b.getFunctionType({pointer, pointer, pointer}, {b.getI32Type()});
    function = module.lookupSymbol<func::FuncOp>(source.getSymName()); // declared by a call
    if (!function)
        function = func::FuncOp::create(b, source.getLoc(), source.getSymName(), type);
    if (source.getRecursive()) {
        function.setPrivate();
        function->setAttr("passthrough",
                          b.getStrArrayAttr({"python_scalars"})); // see expandVectorMath
    }
    Block *entry = function.addEntryBlock();
    context = entry->getArgument(0);
    arguments = entry->getArgument(1);
    results = entry->getArgument(2);
    failure = new Block;
    b.setInsertionPointToEnd(entry);
}

Block *FunctionState::newBlock(TypeRange types, Location loc) {
    auto *block = new Block;
    function.getBody().push_back(block);
    for (Type type : types)
        block->addArgument(type, loc);
    return block;
}

SmallVector<Type> FunctionState::flatTypes(TypeRange types) {
    SmallVector<Type> flat;
    for (Type type : types) {
        if (auto array = dyn_cast<np::ArrayType>(type)) {
            flat.push_back(LLVM::LLVMPointerType::get(b.getContext()));
            flat.append(1 + dynamicStrides(array), b.getI64Type());
        } else {
            llvm::append_range(flat, registerTypes(type));
        }
    }
    return flat;
}

void FunctionState::flatten(Value value, Type as, SmallVectorImpl<Value> &values) {
    Location loc = value.getLoc();
    if (auto array = dyn_cast<np::ArrayType>(as)) {
        const Handle &handle = handles.at(value);
        values.push_back(address(loc, handle, array));
        values.push_back(handle.owner);
        for (unsigned d = 0; d < dynamicStrides(array); ++d)
            values.push_back(dims.emit(b, loc, handle.strides[d]));
    } else if (isRegister(as)) {
        appendParts(values, scalars.lookup(value));
    }
}

void FunctionState::take(Value target, ValueRange &values) {
    auto array = dyn_cast<np::ArrayType>(target.getType());
    if (!array) {
        if (isRegister(target.getType()))
            scalars[target] = takeParts(target.getType(), values);
        return;
    }
    Handle handle{values[0], values[1], np::dimConst(b.getContext(), 0), {}};
    SmallVector<DimAttr> dynamic;
    for (Value stride : values.slice(2, dynamicStrides(array)))
        dynamic.push_back(dims.fresh(stride, "stride"));
    handle.strides = np::stridesOf(array, dynamic);
    handles[target] = handle;
    values = values.drop_front(2 + dynamic.size());
}

void FunctionState::bindResults(ValueRange results, ValueRange values) {
    for (Value result : results)
        take(result, values);
}

Value FunctionState::truth(Value condition) {
    Scalar value = scalars.lookup(condition);
    DType dtype = dtypeOf(condition.getType());
    return isBool(dtype) ? value.re : emitCast(b, condition.getLoc(), value, dtype, DType::Bool).re;
}

Value FunctionState::address(Location loc, const Handle &handle, Type arrayType) {
    if (handle.offset.isConst(0))
        return handle.pointer;
    return elementAddress(b, loc, handle.pointer, dims.emit(b, loc, handle.offset),
                          dtypeOf(arrayType), /*inbounds=*/false);
}

} // namespace shapecast
