// np-gathers: see the header.
#include "passes/nests/gather_checks.h"

#include "ir/dim_facts.h"
#include "ir/gather_index.h"
#include "passes/analysis/clobbers.h"
#include "passes/analysis/scope_facts.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace shapecast {

using namespace np;

namespace {

constexpr StringLiteral truths = "?"
                                 "?->?"; // of np.logical_or; in one piece it is a trigraph

//===-- Nests that can check

// The array does not escape: only nests, loads, stores, views and the return use it.
bool doesNotEscape(Value array, Operation *but) {
    return llvm::all_of(array.getUsers(), [&](Operation *user) {
        if (auto view = dyn_cast<ViewOp>(user))
            return doesNotEscape(view.getResult(), but);
        return user == but || isa<NestOp, LoadOp, StoreOp, ReturnOp>(user);
    });
}

bool isIdentity(ArrayAttr map, size_t iterators) {
    if (map.size() != iterators)
        return false;
    for (auto [k, index] : llvm::enumerate(map.getAsRange<DimAttr>()))
        if (index != dimSymbol(map.getContext(), ("d" + Twine(k)).str()))
            return false;
    return true;
}

bool isContiguous(Value array) { return cast<ArrayType>(array.getType()).getLayout() == Layout::C; }

// Several axes must collapse into one loop, which threads need for a reduction.
bool isCollapsible(NestOp nest) {
    const size_t iterators = nest.getSpace().size();
    auto fits = [&](Value array, Attribute map) {
        return isIdentity(cast<ArrayAttr>(map), iterators) && isContiguous(array);
    };
    for (auto [array, map] : llvm::zip_equal(nest.getReads(), nest.getReadMaps()))
        if (!isGatherMap(cast<ArrayAttr>(map)) && !fits(array, map))
            return false;
    for (auto [array, map] : llvm::zip_equal(nest.getWrites(), nest.getWriteMaps()))
        if (!fits(array, map))
            return false;
    return true;
}

bool mayCheck(NestOp nest) {
    const int64_t iterators = nest.getSpace().size(), reduced = nest.getReduced();
    auto isAny = [](StringRef order) { return order == "any"; };
    auto finds = [](StringRef combine) { return combine.starts_with("arg"); };
    return iterators > 0 && (reduced == 0 || reduced == iterators) &&
           !nest.getBody().front().getOps<TakeOp>().empty() && nest.getOrder() &&
           nest.getGroups() &&
           llvm::all_of(nest.getOrder()->getAsValueRange<StringAttr>(), isAny) &&
           llvm::none_of(nest.getCombine().getAsValueRange<StringAttr>(), finds) &&
           llvm::all_of(nest.getWrites(), [](Value array) { return isFresh(array); }) &&
           (iterators == 1 || isCollapsible(nest));
}

//===-- Checks before a nest

// Value numbering over two nests of the same space: do both values agree at each point?
class SameValue {
public:
    SameValue(NestOp left, NestOp right) : left(left), right(right) {}

    bool operator()(Value a, Value b) {
        auto x = dyn_cast<BlockArgument>(a), y = dyn_cast<BlockArgument>(b);
        if (x && y && x.getOwner() == &left.getBody().front() &&
            y.getOwner() == &right.getBody().front()) {
            const unsigned i = x.getArgNumber(), j = y.getArgNumber();
            return left.getReads()[i] == right.getReads()[j] &&
                   left.getReadMaps()[i] == right.getReadMaps()[j];
        }
        Operation *def = a.getDefiningOp(), *other = b.getDefiningOp();
        if (a == b || !def || !other)
            return a == b;
        const bool isInside = def->getParentOp() == left && other->getParentOp() == right;
        return (isInside || isa<ConstOp, SizeOp>(def)) && def->getName() == other->getName() &&
               def->getAttrDictionary() == other->getAttrDictionary() &&
               def->getResultTypes() == other->getResultTypes() &&
               def->getNumOperands() == other->getNumOperands() &&
               llvm::all_of(
                   llvm::zip_equal(def->getOperands(), other->getOperands()),
                   [&](auto pair) { return (*this)(std::get<0>(pair), std::get<1>(pair)); });
    }

private:
    NestOp left, right;
};

Value baseOf(NestOp nest, TakeOp take) {
    return nest.getReads()[cast<BlockArgument>(take.getBase()).getArgNumber()];
}

DimAttr sizeOf(NestOp nest, TakeOp take, size_t axis) {
    return cast<ArrayType>(baseOf(nest, take).getType()).getDims()[axis];
}

// Over all points, the array's elements are the nest's indices of this axis of the base.
bool isIndexArray(NestOp nest, Value base, size_t axis, Value indices) {
    return llvm::any_of(nest.getBody().front().getOps<TakeOp>(), [&](TakeOp take) {
        if (baseOf(nest, take) != base || axis >= take.getIndices().size())
            return false;
        auto element = dyn_cast<BlockArgument>(take.getIndices()[axis]);
        if (!element || element.getOwner() != &nest.getBody().front())
            return false;
        const unsigned k = element.getArgNumber();
        return nest.getReads()[k] == indices &&
               isIdentity(cast<ArrayAttr>(nest.getReadMaps()[k]), nest.getSpace().size());
    });
}

// The runtime's check of whole index arrays: (base, how many, axis, indices, axis, indices, ...).
bool checksWhole(NativeOp call, NestOp nest) {
    if (call.getName() != "check_indices" || !call.getResult().use_empty())
        return false;
    for (unsigned k = 2; k + 1 < call.getNumOperands(); k += 2)
        if (!isIndexArray(nest, call.getOperand(0), k / 2 - 1, call.getOperand(k + 1)))
            return false;
    return true;
}

// The predicate yields v < -size or v >= size, where v is an index of the nest.
bool testsBounds(NestOp predicate, NestOp nest) {
    auto comparison = [](Value of, StringRef name) {
        auto ufunc = of.getDefiningOp<UfuncOp>();
        return ufunc && ufunc.getName() == name ? ufunc : UfuncOp();
    };
    UfuncOp either =
        comparison(predicate.getBody().front().getTerminator()->getOperand(0), "logical_or");
    UfuncOp low = either ? comparison(either.getOperands_()[0], "less") : UfuncOp();
    UfuncOp high = low ? comparison(either.getOperands_()[1], "greater_equal") : UfuncOp();
    if (!high || low.getOperands_()[0] != high.getOperands_()[0])
        return false;
    auto least = low.getOperands_()[1].getDefiningOp<SizeOp>(),
         size = high.getOperands_()[1].getDefiningOp<SizeOp>();
    if (!least || !size || least.getExpr() != dimNeg(size.getExpr()))
        return false;
    SameValue same(predicate, nest);
    return llvm::any_of(nest.getBody().front().getOps<TakeOp>(), [&](TakeOp take) {
        for (auto [axis, index] : llvm::enumerate(take.getIndices()))
            if (sizeOf(nest, take, axis) == size.getExpr() && same(low.getOperands_()[0], index))
                return true;
        return false;
    });
}

// The nest that computes an np.if's condition, whether any index is out of bounds, before it calls
// the runtime.
NestOp predicateOf(IfOp branch, NestOp nest) {
    if (branch.getNumResults() || branch.getElseRegion().front().getOperations().size() != 1)
        return {};
    auto cast = branch.getCondition().getDefiningOp<CastOp>();
    auto predicate = cast ? cast->getOperand(0).getDefiningOp<NestOp>() : NestOp();
    if (!predicate || !cast->hasOneUse() || !predicate->hasOneUse() ||
        predicate->getBlock() != branch->getBlock() || predicate.getNumResults() != 1 ||
        !predicate.getWrites().empty() || predicate.getSpace() != nest.getSpace() ||
        predicate.getReduced() != predicate.getSpace().size())
        return {};
    const bool isAny = llvm::equal(predicate.getCombine().getAsValueRange<StringAttr>(),
                                   ArrayRef<StringRef>{"logical_or"});
    return isAny && testsBounds(predicate, nest) ? predicate : NestOp();
}

// The checks right before the nest, of its indices, in program order. The operations in between may
// as well run before them: nobody can observe the difference.
SmallVector<Operation *> checksBefore(NestOp nest) {
    SmallVector<Operation *> found;
    for (Operation *op = nest->getPrevNode(); op; op = op->getPrevNode()) {
        auto call = dyn_cast<NativeOp>(op);
        auto branch = dyn_cast<IfOp>(op);
        auto other = dyn_cast<NestOp>(op);
        if ((call && checksWhole(call, nest)) || (branch && predicateOf(branch, nest)))
            found.push_back(op);
        else if (!(other && other.getWrites().empty()) && !isa<SymbolOp>(op) && !isPureOp(op))
            break;
    }
    return {found.rbegin(), found.rend()};
}

//===-- The nest with its checks

class Gather {
public:
    Gather(NestOp nest, ArrayRef<Operation *> checks)
        : nest(nest), checks(checks), loc(nest.getLoc()), builder(nest) {}

    void rewrite() {
        checkEmpty();
        NestOp checking = withResult(clampAll());
        builder.setInsertionPointAfter(checking);
        Type boolean = PyBoolType::get(builder.getContext());
        Value any = CastOp::create(builder, loc, boolean, checking.getResults().back());
        emitIf(any, [&](Operation *check) { cloneHere(check); });
        for (Operation *check : checks)
            remove(check);
        nest.erase();
    }

private:
    // The operations of a check where an index is out of bounds.
    template <typename F> void forEachOperation(Operation *check, F f) {
        auto branch = dyn_cast<IfOp>(check);
        if (!branch)
            return f(check);
        for (Operation &op : branch.getThenRegion().front().without_terminator())
            f(&op);
    }
    void cloneHere(Operation *check) {
        IRMapping map;
        forEachOperation(check, [&](Operation *op) { builder.clone(*op, map); });
    }
    void remove(Operation *check) {
        NestOp predicate;
        Operation *cast = nullptr;
        if (auto branch = dyn_cast<IfOp>(check)) {
            cast = branch.getCondition().getDefiningOp();
            predicate = cast->getOperand(0).getDefiningOp<NestOp>();
        }
        check->erase();
        if (predicate) {
            cast->erase();
            predicate.erase();
        }
    }
    void emitIf(Value condition, llvm::function_ref<void(Operation *)> run) {
        auto branch = IfOp::create(builder, loc, TypeRange(), condition);
        OpBuilder::InsertionGuard guard(builder);
        for (bool isThen : {true, false}) {
            builder.createBlock(isThen ? &branch.getThenRegion() : &branch.getElseRegion());
            for (Operation *check : isThen ? checks : ArrayRef<Operation *>())
                run(check);
            YieldOp::create(builder, loc, ValueRange());
        }
    }

    // In an empty axis every index is out of bounds, 0 too.
    void checkEmpty() {
        MLIRContext *ctx = builder.getContext();
        DimFacts facts(ctx);
        collectFacts(nest, facts);
        DimAttr all = dimConst(ctx, 1);
        for (TakeOp take : nest.getBody().front().getOps<TakeOp>())
            for (size_t axis = 0; axis < take.getIndices().size(); ++axis) {
                DimAttr size = sizeOf(nest, take, axis);
                if (facts.greaterEqual(size, dimConst(ctx, 1)) != Answer::Yes && sizes.insert(size))
                    all = dimMin(all, size);
            }
        if (sizes.empty())
            return;
        Type number = PyIntType::get(ctx);
        Value least = SizeOp::create(builder, loc, number, all),
              one = ConstOp::create(builder, loc, number, builder.getI64IntegerAttr(1));
        Value isEmpty =
            PyOp::create(builder, loc, PyBoolType::get(ctx), "lt", ValueRange{least, one}, false);
        emitIf(isEmpty, [&](Operation *check) { cloneHere(check); });
    }

    Value ufunc(OpBuilder &b, StringRef name, ValueRange operands, StringRef loop, Type type) {
        return UfuncOp::create(b, loc, name, operands, loop, type).getResult();
    }

    // Replaces indices that are out of bounds by 0; whether there was one.
    Value clampAll() {
        Type boolean = builder.getI1Type(), number = PyIntType::get(builder.getContext());
        Value zero = ConstOp::create(builder, loc, number, builder.getI64IntegerAttr(0));
        Value any;
        for (TakeOp take : llvm::to_vector(nest.getBody().front().getOps<TakeOp>())) {
            OpBuilder inside(take);
            for (auto [axis, index] : llvm::enumerate(llvm::to_vector(take.getIndices()))) {
                DimAttr size = sizeOf(nest, take, axis);
                Value least = SizeOp::create(builder, loc, number, dimNeg(size)),
                      end = SizeOp::create(builder, loc, number, size);
                Value low = ufunc(inside, "less", {index, least}, "ll->?", boolean),
                      high = ufunc(inside, "greater_equal", {index, end}, "ll->?", boolean);
                Value isOut = ufunc(inside, "logical_or", {low, high}, truths, boolean);
                take.getIndicesMutable()[axis].set(
                    ufunc(inside, "where", {isOut, zero, index}, "?ll->l", index.getType()));
                any = any ? ufunc(inside, "logical_or", {any, isOut}, truths, boolean) : isOut;
            }
        }
        return any;
    }

    // The nest with this value as a result, or-reduced over all axes.
    NestOp withResult(Value any) {
        auto append = [&](ArrayAttr list, StringRef text) {
            SmallVector<Attribute> all(list.begin(), list.end());
            all.push_back(builder.getStringAttr(text));
            return builder.getArrayAttr(all);
        };
        Block &body = nest.getBody().front();
        body.getTerminator()->insertOperands(body.getTerminator()->getNumOperands(), any);
        SmallVector<Type> results(nest.getResultTypes());
        results.push_back(any.getType());
        auto made = NestOp::create(builder, loc, results, nest.getSpaceAttr(),
                                   builder.getI64IntegerAttr(nest.getSpace().size()),
                                   nest.getReads(), nest.getWrites(), nest.getReadMaps(),
                                   nest.getWriteMaps(), append(nest.getCombine(), "logical_or"),
                                   builder.getArrayAttr({}), nest.getGroupsAttr());
        made.setChecksAttr(builder.getUnitAttr());
        made.getBody().takeBody(nest.getBody());
        nest.replaceAllUsesWith(made.getResults().drop_back());
        return made;
    }

    NestOp nest;
    ArrayRef<Operation *> checks;
    Location loc;
    OpBuilder builder;
    llvm::SmallSetVector<DimAttr, 4> sizes; // that may be 0
};

} // namespace

mlir::LogicalResult fuseGatherChecks(ModuleOp module) {
    SmallVector<NestOp> nests;
    module->walk([&](NestOp nest) {
        if (mayCheck(nest))
            nests.push_back(nest);
    });
    for (NestOp nest : nests)
        if (SmallVector<Operation *> checks = checksBefore(nest); !checks.empty())
            Gather(nest, checks).rewrite();
    return success();
}

bool isFresh(Value array, Operation *but) {
    while (auto view = array.getDefiningOp<ViewOp>())
        array = view.getBase();
    return array.getDefiningOp<AllocOp>() && doesNotEscape(array, but);
}

} // namespace shapecast
