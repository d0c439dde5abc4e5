// Inlined random numbers: see the header.
#include "lower/kit/draws.h"

#include "lower/kit/native_call.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "passes/analysis/clobbers.h"
#include "runtime/abi.h"
#include "runtime/inline_draws.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

using arith::CmpIPredicate;

// As in runtime/ziggurat.h: the first bits of the layer, of the position in it, and the sign's.
struct Draws::Ziggurat {
    StringLiteral name;
    int64_t layer, position, positionBits, sign; // -1: no sign
};

namespace {

// A distribution: its standard form, and whether parameters shift and scale that.
struct Distribution {
    StringLiteral name, standard;
    bool isShifted, isScaled;
};

constexpr Distribution distributions[] = {
    {"draw_standard_uniform_float64", "uniform", false, false},
    {"draw_uniform", "uniform", true, true},
    {"draw_standard_normal_float64", "normal", false, false},
    {"draw_normal", "normal", true, true},
    {"draw_standard_exponential_float64", "exponential", false, false},
    {"draw_exponential", "exponential", false, true},
};

const Distribution *distributionOf(Operation *op) {
    auto native = dyn_cast<np::NativeOp>(op);
    if (!native)
        return nullptr;
    const auto *found = llvm::find_if(
        distributions, [&](const Distribution &d) { return d.name == native.getName(); });
    return found == std::end(distributions) ? nullptr : found;
}

// No such operation calls what could read or change a generator's state.
bool isPlain(Operation *op) {
    return isa<np::ForOp, np::WhileOp, np::IfOp, np::NextOp, np::TestOp, np::YieldOp, np::LoadOp,
               np::StoreOp, np::SymbolOp, np::RequireOp, np::RaiseOp, np::PyOp>(op) ||
           (isPureOp(op) && !isa<np::AllocOp>(op));
}

constexpr int64_t stateAlignment = 8;

} // namespace

Value Draws::generatorOf(Operation *loop) {
    Value found;
    const bool isSingle =
        !loop->walk([&](Operation *op) {
                 auto inner = dyn_cast<np::ForOp>(op);
                 if (inner && inner.getMultithreaded()) // iterations on several threads
                     return WalkResult::interrupt();
                 if (op == loop || isPlain(op))
                     return WalkResult::advance();
                 Value own = distributionOf(op) ? op->getOperand(0) : Value();
                 if (!own || (found && own != found))
                     return WalkResult::interrupt();
                 found = own;
                 return WalkResult::advance();
             })
             .wasInterrupted();
    const bool isAround = isSingle && found && isa<np::ObjectType>(found.getType()) &&
                          !loop->isAncestor(found.getParentRegion()->getParentOp());
    return isAround ? found : Value();
}

Value Draws::number(int64_t value) { return arith::ConstantIntOp::create(b, loc, value, 64); }

Draws::Draws(FunctionState &state, Operation *loop, Value generator)
    : state(state), b(state.b), loc(loop->getLoc()), pointer(state.context.getType()),
      wide(b.getIntegerType(128)), generator(generator), object(state.scalars.lookup(generator).re),
      outerFailure(state.failure) {
    Value found =
        RuntimeFunction<&runtime::sc_pcg64>(state.module).call(b, loc, state.context, object);
    Value null = LLVM::ZeroOp::create(b, loc, pointer);
    isPcg64 = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, found, null);
    stateAddress = arith::SelectOp::create(b, loc, isPcg64, found, stackSlots(state, loc, 4));
    localState = stackSlots(state, loc, 2);
    increment = LLVM::LoadOp::create(b, loc, wide, slotAddress(state, loc, stateAddress, 2),
                                     stateAlignment);
    loop->walk([&](Operation *op) {
        const Distribution *d = distributionOf(op);
        if (!d || tables.contains(d->standard))
            return;
        if (d->standard == "normal")
            tables[d->standard] = RuntimeFunction<&runtime::sc_ziggurat_normal>(state.module)
                                      .call(b, loc, state.context);
        else if (d->standard == "exponential")
            tables[d->standard] = RuntimeFunction<&runtime::sc_ziggurat_exponential>(state.module)
                                      .call(b, loc, state.context);
    });
    reload();
    failure = new Block;
    state.failure = failure;
}

void Draws::end() {
    writeBack();
    state.failure = outerFailure;
    if (failure->hasNoPredecessors()) {
        delete failure;
        return;
    }
    OpBuilder::InsertionGuard guard(b);
    state.function.getBody().push_back(failure);
    state.cold.push_back(failure);
    b.setInsertionPointToEnd(failure);
    writeBack();
    cf::BranchOp::create(b, loc, outerFailure);
}

void Draws::writeBack() {
    Value now = LLVM::LoadOp::create(b, loc, wide, localState, stateAlignment);
    LLVM::StoreOp::create(b, loc, now, stateAddress, stateAlignment);
}

void Draws::reload() {
    Value now = LLVM::LoadOp::create(b, loc, wide, stateAddress, stateAlignment);
    LLVM::StoreOp::create(b, loc, now, localState, stateAlignment);
}

bool Draws::isInlined(Operation *op) const {
    return distributionOf(op) && op->getOperand(0) == generator;
}

// Pcg64::next
Value Draws::bits() {
    const llvm::APInt by(128, {4865540595714422341u, 2549297995355413924u});
    Value factor = arith::ConstantOp::create(b, loc, IntegerAttr::get(wide, by));
    Value before = LLVM::LoadOp::create(b, loc, wide, localState, stateAlignment);
    Value next =
        arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, before, factor), increment);
    LLVM::StoreOp::create(b, loc, next, localState, stateAlignment);
    Value half = arith::ConstantOp::create(b, loc, IntegerAttr::get(wide, 64));
    Value high =
        arith::TruncIOp::create(b, loc, b.getI64Type(), arith::ShRUIOp::create(b, loc, next, half));
    Value low = arith::TruncIOp::create(b, loc, b.getI64Type(), next);
    Value mixed = arith::XOrIOp::create(b, loc, high, low),
          by64 = arith::ShRUIOp::create(b, loc, high, number(58));
    return LLVM::FshrOp::create(b, loc, mixed, mixed, by64);
}

Value Draws::toDouble(Value whole) {
    return arith::SIToFPOp::create(b, loc, b.getF64Type(), whole);
}

// 99 of 100 numbers are width * position; NumPy's function makes the others of the same bits.
Value Draws::drawZiggurat(const Ziggurat &ziggurat) {
    Value drawn = bits(), table = tables.lookup(ziggurat.name);
    auto part = [&](int64_t from, int64_t count) -> Value {
        Value shifted = arith::ShRUIOp::create(b, loc, drawn, number(from));
        return arith::AndIOp::create(b, loc, shifted, number((int64_t{1} << count) - 1));
    };
    Value layer = part(ziggurat.layer, 8),
          position = part(ziggurat.position, ziggurat.positionBits);
    auto entry = [&](Type type, int64_t offset) -> Value {
        Value index = arith::AddIOp::create(b, loc, layer, number(offset));
        Value address = LLVM::GEPOp::create(b, loc, pointer, b.getI64Type(), table,
                                            ArrayRef<LLVM::GEPArg>{index});
        return LLVM::LoadOp::create(b, loc, type, address);
    };
    Value isInner =
        arith::CmpIOp::create(b, loc, CmpIPredicate::ult, position, entry(b.getI64Type(), 0));
    Block *inner = state.newBlock({}, loc), *rare = state.newBlock({}, loc),
          *next = state.newBlock(b.getF64Type(), loc);
    cf::CondBranchOp::create(b, loc, isInner, inner, rare, ValueRange(),
                             ArrayRef<int32_t>{2000, 1});
    state.cold.push_back(rare);
    b.setInsertionPointToEnd(inner);
    Value x = arith::MulFOp::create(b, loc, toDouble(position), entry(b.getF64Type(), 256));
    if (ziggurat.sign >= 0) { // no branch: it would be mispredicted half of the time
        Value sign = arith::ShLIOp::create(b, loc, part(ziggurat.sign, 1), number(63));
        Value pattern = arith::BitcastOp::create(b, loc, b.getI64Type(), x);
        x = arith::BitcastOp::create(b, loc, b.getF64Type(),
                                     arith::XOrIOp::create(b, loc, pattern, sign));
    }
    cf::BranchOp::create(b, loc, next, x);
    b.setInsertionPointToEnd(rare);
    writeBack();
    Value numpys = ziggurat.name == "normal"
                       ? RuntimeFunction<&runtime::sc_ziggurat_slow_normal>(state.module)
                             .call(b, loc, state.context, object, drawn)
                       : RuntimeFunction<&runtime::sc_ziggurat_slow_exponential>(state.module)
                             .call(b, loc, state.context, object, drawn);
    reload();
    cf::BranchOp::create(b, loc, next, numpys);
    b.setInsertionPointToEnd(next);
    return next->getArgument(0);
}

Value Draws::standard(StringRef name) {
    if (name == "normal")
        return drawZiggurat({"normal", 0, 9, 52, 8});
    if (name == "exponential")
        return drawZiggurat({"exponential", 3, 11, 53, -1});
    Value unit = arith::ConstantOp::create(b, loc, b.getF64FloatAttr(0x1p-53));
    Value whole = arith::ShRUIOp::create(b, loc, bits(), number(11));
    return arith::MulFOp::create(b, loc, toDouble(whole), unit);
}

void Draws::draw(np::NativeOp op) {
    const Distribution &d = *distributionOf(op);
    Block *own = state.newBlock({}, loc), *other = state.newBlock({}, loc),
          *next = state.newBlock(b.getF64Type(), loc);
    cf::CondBranchOp::create(b, loc, isPcg64, own, other, ValueRange(), ArrayRef<int32_t>{2000, 1});
    state.cold.push_back(other);
    b.setInsertionPointToEnd(other);
    {
        DimValues::Scope scope(state.dims);
        callNative(state, op);
    }
    cf::BranchOp::create(b, loc, next, state.scalars.lookup(op.getResult()).re);
    b.setInsertionPointToEnd(own);
    Value x = standard(d.standard);
    auto parameter = [&](unsigned k) { return state.scalars.lookup(op.getOperand(k)).re; };
    if (d.isScaled)
        x = arith::MulFOp::create(b, loc, parameter(d.isShifted ? 2 : 1), x);
    if (d.isShifted)
        x = arith::AddFOp::create(b, loc, parameter(1), x);
    cf::BranchOp::create(b, loc, next, x);
    b.setInsertionPointToEnd(next);
    state.scalars[op.getResult()] = {next->getArgument(0), Value()};
}

} // namespace shapecast
