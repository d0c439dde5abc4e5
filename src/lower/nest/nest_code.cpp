#include "lower/nest/nest_code.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using shapecast::np::NpDialect;

namespace shapecast {

static NestCode codeOf(func::FuncOp function) {
    MLIRContext *ctx = function.getContext();
    NestCode code;
    if (StringAttr reason = NpDialect::NotMultithreadedAttrHelper(ctx).getAttr(function))
        code.singleThreadReason = reason.str();
    code.isStripMined = NpDialect::StripMinedAttrHelper(ctx).isAttrPresent(function);
    code.isNonTemporal = NpDialect::NonTemporalAttrHelper(ctx).isAttrPresent(function);
    code.isPrefetched = NpDialect::PrefetchedAttrHelper(ctx).isAttrPresent(function);
    code.hasVectors = function
                          .walk([](Operation *op) {
                              return llvm::any_of(op->getResultTypes(), llvm::IsaPred<VectorType>)
                                         ? WalkResult::interrupt()
                                         : WalkResult::advance();
                          })
                          .wasInterrupted();
    return code;
}

void reportNestCode(ModuleOp module, std::vector<NestReport> &nests) {
    llvm::DenseMap<Location, func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
        if (!function.isDeclaration() && function.isPrivate())
            functions.try_emplace(function.getLoc(), function);
    for (NestReport &nest : nests)
        if (func::FuncOp function = functions.lookup(nest.location))
            nest.code = codeOf(function);
}

} // namespace shapecast
