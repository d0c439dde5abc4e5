// Vectorisation of straight-line scalar code: a lane per instance (see the header).
#include "lower/kit/vector_code.h"

#include "lower/llvm/vector_math.h"
#include "ops/ufunc/emit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace shapecast {

bool isLaneCode(Block &code) {
    return llvm::all_of(code, [](Operation &inner) {
        auto call = dyn_cast<func::CallOp>(inner);
        return inner.getNumRegions() == 0 && inner.getNumResults() == 1 &&
               (isa<LLVM::GEPOp, LLVM::LoadOp>(inner) || inner.hasTrait<OpTrait::ConstantLike>() ||
                inner.hasTrait<OpTrait::Vectorizable>() ||
                (call && isVectorMath(call.getCallee())));
    });
}

Value splat(OpBuilder &builder, Location loc, Value scalar, VectorType type) {
    if (auto constant = scalar.getDefiningOp<arith::ConstantOp>())
        return arith::ConstantOp::create(builder, loc,
                                         DenseElementsAttr::get(type, constant.getValue()));
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
    Value undefined = LLVM::PoisonOp::create(builder, loc, type);
    Value first = LLVM::InsertElementOp::create(builder, loc, undefined, scalar, zero);
    SmallVector<int32_t> mask(type.getNumElements(), 0);
    return LLVM::ShuffleVectorOp::create(builder, loc, first, undefined, mask);
}

// Elements of one array at the lanes' indices.
static Value gather(OpBuilder &builder, Location loc, LLVM::LoadOp load, VectorType type,
                    llvm::function_ref<Value(Value)> mapped) {
    auto address = load.getAddr().getDefiningOp<LLVM::GEPOp>();
    Value index = mapped(cast<Value>(address.getIndices()[0]));
    Type pointers = VectorType::get(type.getNumElements(), address.getType());
    Value addresses =
        LLVM::GEPOp::create(builder, loc, pointers, address.getElemType(), address.getBase(),
                            ArrayRef<LLVM::GEPArg>{index}, address.getNoWrapFlags());
    auto truths = VectorType::get(type.getNumElements(), builder.getI1Type());
    Value all = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(truths, true));
    return LLVM::masked_gather::create(
        builder, loc, type, addresses, all, ValueRange(),
        builder.getI32IntegerAttr(type.getElementTypeBitWidth() / 8));
}

std::function<Value(Value)> emitLanes(OpBuilder &builder, Location loc, Block &code, unsigned lanes,
                                      IRMapping &map) {
    auto vectorOf = [lanes](Type element) { return VectorType::get(lanes, element); };
    auto mapped = [&builder, &map, loc, vectorOf](Value scalar) {
        if (Value known = map.lookupOrNull(scalar))
            return known;
        Value vector = splat(builder, loc, scalar, vectorOf(scalar.getType()));
        map.map(scalar, vector);
        return vector;
    };
    for (Operation &inner : code) {
        if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
            auto type = vectorOf(constant.getType());
            map.map(constant.getResult(),
                    arith::ConstantOp::create(builder, loc,
                                              DenseElementsAttr::get(type, constant.getValue()))
                        .getResult());
            continue;
        }
        if (isa<LLVM::GEPOp>(inner))
            continue; // emitted with its load
        if (auto load = dyn_cast<LLVM::LoadOp>(inner)) {
            map.map(load.getRes(), gather(builder, loc, load, vectorOf(load.getType()), mapped));
            continue;
        }
        SmallVector<Value> operands = llvm::map_to_vector(inner.getOperands(), mapped);
        if (auto call = dyn_cast<func::CallOp>(inner)) {
            Emit emit(builder, loc);
            map.map(call.getResult(0), emit.call(lanesName(call.getCallee(), lanes),
                                                 vectorOf(call.getType(0)), operands));
            continue;
        }
        OperationState state(loc, inner.getName());
        state.addOperands(operands);
        state.addTypes(vectorOf(inner.getResult(0).getType()));
        state.attributes = inner.getDiscardableAttrDictionary();
        state.propertiesAttr = inner.getPropertiesAsAttribute();
        map.map(inner.getResult(0), builder.create(state)->getResult(0));
    }
    return mapped;
}

} // namespace shapecast
