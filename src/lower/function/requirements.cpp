#include "lower/function/requirements.h"

#include "lower/kit/errors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

static Value relation(FunctionState &state, Location loc, StringRef kind, ArrayRef<DimAttr> args) {
    using Predicate = arith::CmpIPredicate;
    auto number = [&](int64_t value) { return np::dimConst(state.b.getContext(), value); };
    // An expression that overflows 64 bits is the size of no array: no relation holds for it.
    auto compare = [&](Predicate predicate, DimAttr left, DimAttr right) -> Value {
        Value overflows, a = state.dims.emitChecked(state.b, loc, left, overflows),
                         c = state.dims.emitChecked(state.b, loc, right, overflows);
        Value holds = arith::CmpIOp::create(state.b, loc, predicate, a, c);
        if (!overflows)
            return holds;
        Value fits = arith::XOrIOp::create(state.b, loc, overflows,
                                           arith::ConstantIntOp::create(state.b, loc, 1, 1));
        return arith::AndIOp::create(state.b, loc, holds, fits);
    };
    auto either = [&](Value x, Value y) -> Value {
        return arith::OrIOp::create(state.b, loc, x, y);
    };
    if (kind == "eq" || kind == "==")
        return compare(Predicate::eq, args[0], args[1]);
    if (kind == "ge" || kind == ">=")
        return compare(Predicate::sge, args[0], args[1]);
    if (kind == "ne" || kind == "!=")
        return compare(Predicate::ne, args[0], args[1]);
    if (kind == "index") { // -n <= i < n: the wrapped index lies in [0, n)
        return compare(Predicate::ult, np::dimWrap(args[0], args[1]), args[1]);
    }
    if (kind == "broadcast" || kind == "broadcast_to") {
        Value fits = either(compare(Predicate::eq, args[0], args[1]),
                            compare(Predicate::eq, args[0], number(1)));
        return kind == "broadcast" ? either(fits, compare(Predicate::eq, args[1], number(1)))
                                   : fits;
    }
    assert(kind == "false" && "a kind of np.require");
    return arith::ConstantIntOp::create(state.b, loc, 0, 1);
}

// An index that may count from the end, but seldom does: only one comparison for those that do not.
// Binds the wrapped index.
static void requireIndex(FunctionState &state, np::RequireOp op, DimAttr wrapped) {
    Location loc = op.getLoc();
    Value index = state.dims.emit(state.b, loc, wrapped.getOperands()[0]),
          size = state.dims.emit(state.b, loc, wrapped.getOperands()[1]);
    auto compareToSize = [&](arith::CmpIPredicate predicate, Value i) -> Value {
        return arith::CmpIOp::create(state.b, loc, predicate, i, size);
    };
    Block *next = state.newBlock(state.b.getI64Type(), loc), *fromEnd = state.newBlock({}, loc);
    cf::CondBranchOp::create(state.b, loc, compareToSize(arith::CmpIPredicate::ult, index), next,
                             index, fromEnd, ValueRange(), ArrayRef<int32_t>{2000, 1});
    state.b.setInsertionPointToEnd(fromEnd);
    Value shifted = arith::AddIOp::create(state.b, loc, index, size);
    raiseWhen(state, compareToSize(arith::CmpIPredicate::uge, shifted), loc, op.getError(),
              op.getMessage(), np::dimVector(op.getPayload()), op.getNotesAttr());
    cf::BranchOp::create(state.b, loc, next, shifted);
    state.b.setInsertionPointToEnd(next);
    state.dims.bind(wrapped, next->getArgument(0));
}

// A message without numbers is shown verbatim: text of the user's in it, a key say, may have braces
// (bindings/call/errors.cpp formats messages).
static std::string messageOf(np::RequireOp op) {
    if (!op.getPayload().empty())
        return op.getMessage().str();
    std::string text;
    for (char c : op.getMessage())
        text.append(c == '{' ? 2 : 1, c);
    return text;
}

void emitRequire(FunctionState &state, np::RequireOp op) {
    Location loc = op.getLoc();
    if (op.getKind() == "index" && !op.getProved()) {
        SmallVector<DimAttr> args = np::dimVector(op.getArgs());
        if (DimAttr wrapped = np::dimWrap(args[0], args[1]); wrapped.getKind() == np::DimKind::Wrap)
            return requireIndex(state, op, wrapped);
    }
    Value holds = relation(state, loc, op.getKind(), np::dimVector(op.getArgs()));
    Value fails = arith::XOrIOp::create(state.b, loc, holds,
                                        arith::ConstantIntOp::create(state.b, loc, 1, 1));
    if (op.getProved()) // np-checks left it for the re-check only
        return raiseWhen(state, fails, loc, "shapecast.InternalError",
                         ("re-check: np-checks proved it, but it fails: " + op.getMessage()).str(),
                         np::dimVector(op.getPayload()));
    raiseWhen(state, fails, loc, op.getError(), messageOf(op), np::dimVector(op.getPayload()),
              op.getNotesAttr());
}

Value emitAllHold(FunctionState &state, np::AllHoldOp op) {
    Location loc = op.getLoc();
    Value all = arith::ConstantIntOp::create(state.b, loc, 1, 1);
    for (auto guard : op.getRelations().getAsRange<np::GuardAttr>()) {
        Value holds = relation(state, loc, guard.getPred(), {guard.getLhs(), guard.getRhs()});
        all = arith::AndIOp::create(state.b, loc, all, holds);
    }
    return all;
}

} // namespace shapecast
