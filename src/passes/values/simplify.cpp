// Folds, common subexpressions and dead operations of the typed IR: see the header.
#include "passes/values/simplify.h"

#include "ops/ufunc/ufunc.h"
#include "passes/analysis/clobbers.h"
#include "passes/values/reshapes.h"

#include "mlir/IR/Iterators.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

//===-- Folds

bool isWholeView(ViewOp view) {
    if (view.getType() != view.getBase().getType())
        return false;
    int64_t next = 0;
    return llvm::all_of(view.getOffsets(),
                        [](Attribute a) { return cast<DimAttr>(a).isConst(0); }) &&
           llvm::all_of(view.getSteps(), [](Attribute a) { return cast<DimAttr>(a).isConst(1); }) &&
           llvm::all_of(view.getAxes(), [&](int64_t axis) { return axis == next++; });
}

// The object's identity escapes: to the caller, a callee, a branch's or a loop's result. There
// `a[:]` is not `a`.
bool escapes(Value handle) {
    return llvm::any_of(handle.getUsers(), [](Operation *user) {
        return isa<ReturnOp, CallOp, YieldOp, NextOp, ForOp, WhileOp, SetEntryOp>(user) ||
               (isa<CastOp>(user) && escapes(user->getResult(0)));
    });
}

// The operand that an identity operation returns; null: it is none.
Value identityOf(Operation *op) {
    return TypeSwitch<Operation *, Value>(op)
        .Case([](CastOp cast) {
            return cast.getValue().getType() == cast.getType() ? cast.getValue() : Value();
        })
        .Case([](BroadcastOp cast) {
            return cast.getValue().getType() == cast.getType() ? cast.getValue() : Value();
        })
        .Case([](ViewOp view) {
            return isWholeView(view) && !escapes(view) ? view.getBase() : Value();
        })
        .Default([](Operation *) { return Value(); });
}

bool provedByConstants(RequireOp op) {
    SmallVector<DimAttr> args = dimVector(op.getArgs());
    if (args.size() != 2)
        return false;
    StringRef kind = op.getKind();
    DimAttr a = args[0], b = args[1], difference = dimSub(a, b);
    if (kind == "eq")
        return a == b;
    if (kind == "ge")
        return difference.isConst() && difference.getValue() >= 0;
    if (kind == "ne")
        return difference.isConst() && difference.getValue() != 0;
    if (kind == "index")
        return a.isConst() && b.isConst() && -b.getValue() <= a.getValue() &&
               a.getValue() < b.getValue();
    if (kind == "broadcast")
        return a == b || a.isConst(1) || b.isConst(1);
    if (kind == "broadcast_to")
        return a == b || a.isConst(1);
    return false;
}

// The constant value of a scalar operand, through casts.
std::optional<double> constantOf(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto cast = dyn_cast_or_null<CastOp>(op))
        return isScalar(cast.getValue().getType()) ? constantOf(cast.getValue()) : std::nullopt;
    auto constant = dyn_cast_or_null<ConstOp>(op);
    if (!constant || isa<BoolAttr>(constant.getValue()))
        return std::nullopt;
    if (auto number = dyn_cast<IntegerAttr>(constant.getValue()))
        return static_cast<double>(number.getInt());
    if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
        return number.getValueAsDouble();
    return std::nullopt;
}

// NumPy's loops treat a constant exponent of 2, and for real numbers 0.5 and -1, as these functions
// (scalars, arrays of exponents and complex numbers go through pow; z ** 2 is np.square already).
StringRef powerBy(double exponent, char dtype) {
    const bool real = dtype == 'f' || dtype == 'd', complex = dtype == 'F' || dtype == 'D';
    return complex           ? ""
           : exponent == 2   ? "square"
           : !real           ? ""
           : exponent == 0.5 ? "sqrt"
           : exponent == -1  ? "reciprocal"
                             : "";
}

void reducePower(UfuncOp op) {
    if (op.getName() != "power" || !op.getLoop() || op.getOperands_().size() != 2 ||
        !isa<RankedTensorType>(op.getOperands_()[0].getType()))
        return;
    StringRef loop = *op.getLoop();
    std::optional<double> exponent = constantOf(op.getOperands_()[1]);
    if (!exponent || loop.size() != 5 || loop[0] != loop[4])
        return;
    StringRef name = powerBy(*exponent, loop[0]);
    if (name.empty())
        return;
    op.setName(name);
    op.setLoop((loop.take_front(1) + "->" + loop.take_back(1)).str());
    op->eraseOperand(1);
}

bool isComplexLoop(UfuncOp op) { return op.getLoop() && op.getLoop()->find_first_of("FD") == 0; }

// abs(abs(x)): the inner value.
Value idempotentOperand(UfuncOp op) {
    auto inner =
        op.getOperands_().size() == 1 ? op.getOperands_()[0].getDefiningOp<UfuncOp>() : UfuncOp();
    const Ufunc *ufunc = inner ? findUfunc(op.getName()) : nullptr;
    const bool same = ufunc && ufunc->isIdempotent && findUfunc(inner.getName()) == ufunc &&
                      inner.getType() == op.getType() && !isComplexLoop(op); // sign rounds
    return same ? inner.getResult() : Value();
}

//===-- Common subexpressions

struct SameOperation : llvm::DenseMapInfo<Operation *> {
    static unsigned getHashValue(const Operation *op) {
        return OperationEquivalence::computeHash(
            const_cast<Operation *>(op), OperationEquivalence::directHashValue,
            OperationEquivalence::ignoreHashValue, OperationEquivalence::IgnoreLocations);
    }
    static bool isEqual(const Operation *a, const Operation *b) {
        if (a == b)
            return true;
        if (a == getTombstoneKey() || a == getEmptyKey() || b == getTombstoneKey() ||
            b == getEmptyKey())
            return false;
        return OperationEquivalence::isEquivalentTo(const_cast<Operation *>(a),
                                                    const_cast<Operation *>(b),
                                                    OperationEquivalence::IgnoreLocations);
    }
};

class Folder {
public:
    explicit Folder(FuncOp func) : pointsTo(func) { block(func.getBody().front()); }

private:
    void block(Block &body) {
        size_t scope = undo.size();
        for (Operation &op : llvm::make_early_inc_range(body))
            operation(&op);
        while (undo.size() > scope)
            seen.erase(undo.pop_back_val());
    }

    void operation(Operation *op) {
        for (Region &region : op->getRegions())
            for (Block &inner : region)
                block(inner);
        if (auto ufunc = dyn_cast<UfuncOp>(op)) {
            reducePower(ufunc);
            if (Value value = idempotentOperand(ufunc))
                return replace(op, value);
        }
        if (auto require = dyn_cast<RequireOp>(op); require && provedByConstants(require))
            return op->erase();
        if (Value same = identityOf(op))
            return replace(op, same);
        if (auto read = dyn_cast<ReadOp>(op))
            if (Value value = onlyRead(read))
                return replace(op, value);
        if (op->getNumRegions() == 0 && op->getNumResults() == 1 && mayMerge(op))
            merge(op);
    }

    void replace(Operation *op, Value value) {
        op->getResult(0).replaceAllUsesWith(value);
        op->erase();
    }

    // The value of a temporary array that was made in this block and is only read, in this block.
    Value onlyRead(ReadOp read) {
        auto array = read.getBase().getDefiningOp<MaterializeOp>();
        if (!array || array.getValue().getType() != read.getType())
            return {};
        bool alone = llvm::all_of(array->getUsers(), [&](Operation *user) {
            return isa<ReadOp>(user) && user->getBlock() == array->getBlock();
        });
        return alone ? array.getValue() : Value();
    }

    static bool mayMerge(Operation *op) {
        if (isa<AllocOp>(op))
            return false;
        return isa<ReadOp, PyOp>(op) || isPureOp(op);
    }

    void merge(Operation *op) {
        auto [found, fresh] = seen.insert(op);
        if (fresh)
            return undo.push_back(op);
        Operation *earlier = *found;
        auto read = dyn_cast<ReadOp>(op);
        if (!read || !isClobberedBetween(read.getBase(), earlier, op, pointsTo))
            return replace(op, earlier->getResult(0));
        if (earlier->getBlock() != op->getBlock())
            return; // an inner scope: the outer one keeps the earlier read
        seen.erase(earlier);
        seen.insert(op);
        std::replace(undo.begin(), undo.end(), earlier, op);
    }

    PointsTo pointsTo;
    llvm::DenseSet<Operation *, SameOperation> seen;
    SmallVector<Operation *> undo;
};

//===-- Dead operations

bool removable(Operation *op) {
    return isPureOp(op) ||
           isa<ReadOp, TakeOp, LoadOp, MaterializeOp, AllocOp, MatmulOp, ReshapeAnyOp>(op);
}

// Stores to an array that is only written: all users of it and of its views are np.assign and
// np.store.
bool onlyWritten(Value handle, SmallVectorImpl<Operation *> &users) {
    return llvm::all_of(handle.getUses(), [&](OpOperand &use) {
        Operation *user = use.getOwner();
        if (!llvm::is_contained(users, user))
            users.push_back(user);
        if (borrowedFrom(user))
            return onlyWritten(user->getResult(0), users);
        auto store = dyn_cast<StoreOp>(user);
        return isa<AssignOp>(user) || (store && store.getBase() == handle);
    });
}

bool eraseOnce(FuncOp func) {
    SmallVector<Operation *> arrays;
    bool changed = false;
    func->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
        if (op != func.getOperation() && op->use_empty() && removable(op)) {
            op->erase();
            changed = true;
        } else if (isa<AllocOp, MaterializeOp>(op)) {
            arrays.push_back(op);
        }
    });
    for (Operation *array : arrays) {
        SmallVector<Operation *> users;
        if (!onlyWritten(array->getResult(0), users))
            continue;
        for (Operation *user : llvm::reverse(users)) // users before the views that they use
            user->erase();
        array->erase();
        changed = true;
    }
    return changed;
}

} // namespace

void shapecast::mergeEqual(FuncOp func) { Folder folder(func); }

void shapecast::eraseDead(FuncOp func) {
    while (eraseOnce(func)) {
    }
}

void shapecast::simplify(FuncOp func) {
    mergeEqual(func);
    eraseDead(func);
}
