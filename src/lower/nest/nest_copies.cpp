#include "lower/nest/nest_copies.h"

#include "runtime/transpose.h"

#include "lower/kit/runtime_function.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

// The loops may run in any order, nothing is reduced, and no array that is written is read or
// overlaps another: so stores at different points may be reordered, too.
bool isInAnyOrder(NestEmitter &nest) {
    if (hasReduction(nest.plan))
        return false;
    for (const NestAccess &write : nest.plan.writes)
        if (!nest.plan.noalias[write.pointer] ||
            llvm::any_of(nest.plan.reads,
                         [&](const NestAccess &read) { return read.pointer == write.pointer; }))
            return false;
    return llvm::all_of(nest.plan.loops, [](const NestLoop &loop) { return loop.any; });
}

// The nest copies elements, unchanged, to contiguous targets.
static bool isCopy(NestEmitter &nest, llvm::function_ref<bool(const NestAccess &)> isRead) {
    Block &code = nest.op.getBody().front();
    if (nest.plan.reads.empty() || nest.plan.reads.size() != nest.plan.writes.size() ||
        nest.nonLinear || !nest.env.context || nest.plan.form != NestForm::Plain ||
        nest.plan.loops.empty() || nest.plan.parallel != nest.plan.loops.size())
        return false;
    for (auto [k, read, write] : llvm::enumerate(nest.plan.reads, nest.plan.writes))
        if (code.getTerminator()->getOperand(k) != code.getArgument(k) ||
            read.dtype != write.dtype || !read.gatherAxes.empty() ||
            !write.steps.back().isConst(1) || !isRead(read))
            return false;
    return isInAnyOrder(nest);
}

bool isRunCopy(NestEmitter &nest) {
    return isCopy(nest, [](const NestAccess &read) { return read.steps.back().isConst(1); });
}

bool isTransposedCopy(NestEmitter &nest) {
    return isCopy(nest, [&](const NestAccess &read) {
        return nest.plan.loops.size() > 1 && !read.steps.back().isConst() &&
               read.steps[nest.plan.loops.size() - 2].isConst(1);
    });
}

// Blocks that are transposed in registers (runtime/transpose.h), some rows of the target at a time.
void transposedCopy(NestEmitter &nest, OpBuilder &builder, const NestPoint &point) {
    constexpr int64_t together = 512;
    const unsigned last = nest.plan.loops.size() - 1;
    RuntimeFunction<&runtime::sc_transpose> transpose(nest.env.poll->getParentOfType<ModuleOp>());
    Value to = nest.end(builder, last - 1), from = nest.first(builder, last);
    Value some = nest.constant(builder, together);
    Value columns = arith::SubIOp::create(builder, nest.loc, nest.end(builder, last), from);
    auto forOp = scf::ForOp::create(builder, nest.loc, nest.first(builder, last - 1), to, some);
    DimValues::Scope scope(nest.env.dims);
    OpBuilder inside = OpBuilder::atBlockBegin(forOp.getBody());
    Value row = forOp.getInductionVar();
    const NestPoint at = nest.step(inside, nest.step(inside, point, last - 1, row), last, from);
    Value left = arith::SubIOp::create(inside, nest.loc, to, row);
    Value rows = arith::MinSIOp::create(inside, nest.loc, left, some);
    auto address = [&](const NestAccess &access, Value offset) {
        return elementAddress(inside, nest.loc, nest.env.pointers[access.pointer], offset,
                              access.dtype);
    };
    auto stride = [&](DimAttr step) { return nest.env.dims.emit(inside, nest.loc, step); };
    for (auto [k, read, write] : llvm::enumerate(nest.plan.reads, nest.plan.writes)) {
        Value target = address(write, at.offsets[nest.plan.reads.size() + k]),
              source = address(read, at.offsets[k]),
              item = nest.constant(inside, int64_t(itemSize(read.dtype))),
              sourceStride = stride(read.steps[last]), targetStride = stride(write.steps[last - 1]);
        transpose.call(inside, nest.loc, target, source, item, rows, columns, sourceStride,
                       targetStride);
    }
    nest.pollWhen(inside,
                  arith::CmpIOp::create(inside, nest.loc, arith::CmpIPredicate::sgt, left, some));
}

static bool isZero(Value value) {
    np::ConstOp constant = underlyingConstant(value);
    if (!constant)
        return false;
    if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
        return number.getValue().isPosZero();
    auto number = dyn_cast<IntegerAttr>(constant.getValue());
    return number && number.getValue().isZero();
}

bool isZeroRun(NestEmitter &nest) {
    Block &code = nest.op.getBody().front();
    return nest.plan.reads.empty() && nest.plan.form == NestForm::Plain && !nest.nonLinear &&
           nest.env.context && !nest.plan.loops.empty() &&
           nest.plan.parallel == nest.plan.loops.size() &&
           llvm::all_of(nest.plan.writes,
                        [](const NestAccess &write) { return write.steps.back().isConst(1); }) &&
           llvm::all_of(code.getTerminator()->getOperands(), isZero);
}

// Long runs call memcpy or memset, which write whole lines without reading them first.
void moveRun(NestEmitter &nest, OpBuilder &builder, const NestPoint &point, Value from, Value to,
             llvm::function_ref<void(OpBuilder &)> otherwise) {
    constexpr int64_t minBytes = 2048;
    size_t narrowest = SIZE_MAX;
    for (const NestAccess &write : nest.plan.writes)
        narrowest = std::min(narrowest, itemSize(write.dtype));
    Value count = arith::SubIOp::create(builder, nest.loc, to, from);
    Value isLongRun = arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::sge, count,
                                            nest.constant(builder, minBytes / int64_t(narrowest)));
    if (nest.plan.reads.empty()) { // vectors of zeros are as fast in the nearer caches
        constexpr int64_t minTotalBytes = 1 << 20;
        DimAttr items = np::dimConst(builder.getContext(), 1);
        for (const NestLoop &loop : nest.plan.loops)
            items = np::dimMul(items, loop.size);
        Value isMuch =
            arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::sge,
                                  nest.env.dims.emit(builder, nest.loc, items),
                                  nest.constant(builder, minTotalBytes / int64_t(narrowest)));
        isLongRun = arith::AndIOp::create(builder, nest.loc, isLongRun, isMuch);
    }
    auto branch = scf::IfOp::create(builder, nest.loc, isLongRun, /*withElseRegion=*/true);
    OpBuilder then = branch.getThenBodyBuilder(), rest = branch.getElseBodyBuilder();
    {
        DimValues::Scope scope(nest.env.dims);
        const NestPoint first = nest.step(then, point, nest.plan.loops.size() - 1, from);
        for (auto [k, write] : llvm::enumerate(nest.plan.writes)) {
            Value target = elementAddress(then, nest.loc, nest.env.pointers[write.pointer],
                                          first.offsets[nest.plan.reads.size() + k], write.dtype);
            Value bytes = arith::MulIOp::create(
                then, nest.loc, count, nest.constant(then, int64_t(itemSize(write.dtype))));
            if (nest.plan.reads.empty()) {
                Value zero = arith::ConstantIntOp::create(then, nest.loc, 0, 8);
                LLVM::MemsetOp::create(then, nest.loc, target, zero, bytes, /*isVolatile=*/false);
                continue;
            }
            const NestAccess &read = nest.plan.reads[k];
            Value source = elementAddress(then, nest.loc, nest.env.pointers[read.pointer],
                                          first.offsets[k], read.dtype);
            LLVM::MemcpyOp::create(then, nest.loc, target, source, bytes, /*isVolatile=*/false);
        }
    }
    DimValues::Scope scope(nest.env.dims);
    otherwise(rest);
}

} // namespace shapecast
