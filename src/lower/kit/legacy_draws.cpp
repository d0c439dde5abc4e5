// Inlined numbers of np.random: see the header.
#include "lower/kit/legacy_draws.h"

#include "lower/kit/native_call.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "runtime/abi.h"
#include "runtime/inline_draws.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

using arith::CmpIPredicate;

static std::optional<int64_t> constantOf(Value value) {
    auto known = value.getDefiningOp<np::ConstOp>();
    auto number = known ? dyn_cast<IntegerAttr>(known.getValue()) : IntegerAttr();
    return number ? std::optional(number.getInt()) : std::nullopt;
}

// The generator 0 is np.random's. Integers are drawn by masks and rejection where the last operand
// is true.
bool LegacyDraw::isInlined(np::NativeOp op) {
    const StringRef name = op.getName();
    if (!name.starts_with("draw_") || constantOf(op.getOperand(0)) != 0)
        return false;
    if (name == "draw_integers_int64")
        return constantOf(op.getOperand(3)).value_or(0) != 0;
    return name == "draw_standard_uniform_float64" || name == "draw_uniform" ||
           name == "draw_legacy_standard_exponential_float64" ||
           name == "draw_legacy_exponential" || name == "draw_legacy_weibull";
}

LegacyDraw::LegacyDraw(FunctionState &state, np::NativeOp op)
    : state(state), b(state.b), op(op), loc(op.getLoc()), other(state.newBlock({}, loc)) {
    state.cold.push_back(other);
}

Value LegacyDraw::word(uint32_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(value)));
}

Value LegacyDraw::wide(int64_t value) { return arith::ConstantIntOp::create(b, loc, value, 64); }

Value LegacyDraw::real(double value) {
    return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(value));
}

Value LegacyDraw::parameter(unsigned k) { return state.scalars.lookup(op.getOperand(k)).re; }

Value LegacyDraw::isSet(Value pointer) {
    return LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, pointer,
                                LLVM::ZeroOp::create(b, loc, pointer.getType()));
}

Value LegacyDraw::wordAt(Value index) {
    return LLVM::GEPOp::create(b, loc, twister.getType(), b.getI32Type(), twister,
                               ArrayRef<LLVM::GEPArg>{index});
}

void LegacyDraw::continueIf(Value condition, Block *otherwise) {
    Block *then = state.newBlock({}, loc);
    cf::CondBranchOp::create(b, loc, condition, then, otherwise);
    b.setInsertionPointToEnd(then);
}

void LegacyDraw::findState() {
    Type pointer = state.context.getType();
    Value drawn = loadSlot(state, loc, state.context, runtime::contextGeneratorsSlot, pointer);
    continueIf(isSet(drawn), other);
    Value generator = loadSlot(state, loc, drawn, runtime::lockedGeneratorSlot, b.getI64Type());
    twister = loadSlot(state, loc, drawn, runtime::lockedMt19937Slot, pointer);
    Value isNumpys = arith::CmpIOp::create(b, loc, CmpIPredicate::eq, generator, wide(0));
    continueIf(arith::AndIOp::create(b, loc, isNumpys, isSet(twister)), other);
}

// `count` words of the state, tempered: Mt19937::next.
SmallVector<Value> LegacyDraw::words(uint32_t count) {
    Type i32 = b.getI32Type();
    Value indexAddress = wordAt(word(runtime::mt19937Words)),
          index = LLVM::LoadOp::create(b, loc, i32, indexAddress);
    continueIf(arith::CmpIOp::create(b, loc, CmpIPredicate::ule, index,
                                     word(runtime::mt19937Words - count)),
               other);
    LLVM::StoreOp::create(b, loc, arith::AddIOp::create(b, loc, index, word(count)), indexAddress);
    SmallVector<Value> drawnWords;
    for (uint32_t k = 0; k < count; ++k) {
        Value at = wordAt(arith::AddIOp::create(b, loc, index, word(k)));
        Value bits = LLVM::LoadOp::create(b, loc, i32, at);
        auto mix = [&](bool isLeft, uint32_t by, uint32_t kept) {
            Value shifted = isLeft ? Value(arith::ShLIOp::create(b, loc, bits, word(by)))
                                   : Value(arith::ShRUIOp::create(b, loc, bits, word(by)));
            Value some = arith::AndIOp::create(b, loc, shifted, word(kept));
            bits = arith::XOrIOp::create(b, loc, bits, some);
        };
        mix(false, 11, UINT32_MAX);
        mix(true, 7, 0x9d2c5680);
        mix(true, 15, 0xefc60000);
        mix(false, 18, UINT32_MAX);
        drawnWords.push_back(bits);
    }
    return drawnWords;
}

// Mt19937::nextDouble: 27 bits and 26.
Value LegacyDraw::unit() {
    const SmallVector<Value> two = words(2);
    auto part = [&](Value bits, uint32_t without) -> Value {
        Value shifted = arith::ShRUIOp::create(b, loc, bits, word(without));
        return arith::ExtUIOp::create(b, loc, b.getI64Type(), shifted);
    };
    Value high = arith::ShLIOp::create(b, loc, part(two[0], 5), wide(26));
    Value whole = arith::OrIOp::create(b, loc, high, part(two[1], 6));
    Value x = arith::SIToFPOp::create(b, loc, b.getF64Type(), whole);
    return arith::MulFOp::create(b, loc, x, real(0x1p-53));
}

// legacy::standardExponential.
Value LegacyDraw::exponential() {
    Value rest = arith::SubFOp::create(b, loc, real(1.0), unit());
    auto log = runtimeFunctionNamed(state.module, "log");
    return arith::NegFOp::create(b, loc, func::CallOp::create(b, loc, log, rest).getResult(0));
}

// legacy::powerOf. For y = 0.5 the square root is inlined if its error is below some 0.45 ULP.
Value LegacyDraw::power(Value x, Value y) {
    Block *half = state.newBlock({}, loc), *any = state.newBlock({}, loc),
          *done = state.newBlock(b.getF64Type(), loc);
    Value isHalf = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, y, real(0.5));
    cf::CondBranchOp::create(b, loc, isHalf, half, any);
    b.setInsertionPointToEnd(half);
    Value root = LLVM::SqrtOp::create(b, loc, b.getF64Type(), x),
          rest = LLVM::FMAOp::create(b, loc, b.getF64Type(), arith::NegFOp::create(b, loc, root),
                                     root, x),
          bits = arith::BitcastOp::create(b, loc, b.getI64Type(), root),
          exponent = arith::AndIOp::create(b, loc, bits, wide(0x7ff0'0000'0000'0000)),
          binade = arith::BitcastOp::create(b, loc, b.getF64Type(), exponent),
          unit = arith::MulFOp::create(b, loc, binade, real(0x1p-52)),
          most =
              arith::MulFOp::create(b, loc, arith::MulFOp::create(b, loc, real(0.9), root), unit),
          off = LLVM::FAbsOp::create(b, loc, b.getF64Type(), rest);
    Value isNear = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, off, most);
    cf::CondBranchOp::create(b, loc, isNear, done, root, any, ValueRange());
    b.setInsertionPointToEnd(any);
    cf::BranchOp::create(
        b, loc, done, RuntimeFunction<&runtime::sc_legacy_power>(state.module).call(b, loc, x, y));
    b.setInsertionPointToEnd(done);
    return done->getArgument(0);
}

// Rejection sampling: words of as many bits as the range has, until one is in it. A range of 32
// bits or more, or of one value, is a call.
Value LegacyDraw::integer() {
    auto is = [&](CmpIPredicate predicate, Value x, Value y) -> Value {
        return arith::CmpIOp::create(b, loc, predicate, x, y);
    };
    Value low = parameter(1), last = arith::SubIOp::create(b, loc, parameter(2), low);
    Value before = arith::SubIOp::create(b, loc, last, wide(1));
    continueIf(is(CmpIPredicate::ult, before, wide(UINT32_MAX - 1)), other);
    Value most = arith::TruncIOp::create(b, loc, b.getI32Type(), last);
    Value zeros = LLVM::CountLeadingZerosOp::create(b, loc, b.getI32Type(), most, true);
    Value mask = arith::ShRUIOp::create(b, loc, word(UINT32_MAX), zeros);
    Block *again = state.newBlock({}, loc);
    cf::BranchOp::create(b, loc, again);
    b.setInsertionPointToEnd(again);
    Value bits = arith::AndIOp::create(b, loc, words(1)[0], mask);
    continueIf(is(CmpIPredicate::ule, bits, most), again);
    Value number = arith::ExtUIOp::create(b, loc, b.getI64Type(), bits);
    return arith::AddIOp::create(b, loc, low, number);
}

Value LegacyDraw::number() {
    const StringRef name = op.getName();
    if (name == "draw_integers_int64")
        return integer();
    if (name == "draw_standard_uniform_float64")
        return unit();
    if (name == "draw_uniform") {
        Value share = arith::MulFOp::create(b, loc, parameter(2), unit());
        return arith::AddFOp::create(b, loc, parameter(1), share);
    }
    if (name == "draw_legacy_weibull") {
        Value shape = parameter(1);
        continueIf(arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, shape, real(0.0)),
                   other);
        Value x = exponential();
        return power(x, arith::DivFOp::create(b, loc, real(1.0), shape));
    }
    Value x = exponential();
    if (name == "draw_legacy_exponential")
        x = arith::MulFOp::create(b, loc, parameter(1), x);
    return x;
}

void LegacyDraw::draw() {
    findState();
    Value drawn = number();
    Block *next = state.newBlock(drawn.getType(), loc);
    cf::BranchOp::create(b, loc, next, drawn);
    b.setInsertionPointToEnd(other);
    {
        DimValues::Scope scope(state.dims);
        callNative(state, op);
    }
    cf::BranchOp::create(b, loc, next, state.scalars.lookup(op.getResult()).re);
    b.setInsertionPointToEnd(next);
    state.scalars[op.getResult()] = {next->getArgument(0), Value()};
}

} // namespace shapecast
