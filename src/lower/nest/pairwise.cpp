// NumPy's pairwise summation without recursion: leaves from left to right, and a stack of the
// pending right halves.
//
//   pairwise(n): n < lanes: a plain loop; n <= leaf: `lanes` accumulators, then their tree, then
//   the remainder; else the halves, the left one rounded down to a multiple of 8.
#include "lower/nest/pairwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

namespace {

using Values = SmallVector<Value>;
constexpr int64_t maxDepth = 64;

class Pairwise {
public:
    Pairwise(Location loc, const PairwiseShape &shape, const PairwiseCode &code)
        : loc(loc), shape(shape), code(code) {}
    Values run(OpBuilder &builder, Value n);

private:
    Value number(OpBuilder &b, int64_t value) {
        return arith::ConstantIntOp::create(b, loc, value, 64);
    }
    Value add(OpBuilder &b, Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
    Value sub(OpBuilder &b, Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); }
    Value less(OpBuilder &b, Value x, Value y) {
        return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, y);
    }
    Values loop(OpBuilder &b, Value from, Value to, int64_t step, ValueRange inits,
                llvm::function_ref<Values(OpBuilder &, Value, ValueRange)> body);
    Values tree(OpBuilder &b, Value n);
    Values leaf(OpBuilder &b, Value from, Value count);
    Values lanes(OpBuilder &b, Value from, Value to, Value end);
    Values inBlocks(OpBuilder &b, Value from, Value to, ValueRange inits);
    Values combineHalves(OpBuilder &b, Values vectors);
    Values laneTree(OpBuilder &b, ArrayRef<Values> lanes);
    Value slot(OpBuilder &b, Value stack, Value index, Type type);
    std::pair<Value, Value> descend(OpBuilder &b, Value count, Value depth);
    std::pair<Values, Value> ascend(OpBuilder &b, Values sum, Value depth);
    void allocateStacks(OpBuilder &b);

    Location loc;
    const PairwiseShape &shape;
    const PairwiseCode &code;
    Value
        sizes; // size of the pending right half per level; -1 once the left half's sum is in `sums`
    Values sums; // one stack per part
};

Values Pairwise::loop(OpBuilder &b, Value from, Value to, int64_t step, ValueRange inits,
                      llvm::function_ref<Values(OpBuilder &, Value, ValueRange)> body) {
    auto forOp = scf::ForOp::create(b, loc, from, to, number(b, step), inits);
    OpBuilder inside = OpBuilder::atBlockBegin(forOp.getBody());
    scf::YieldOp::create(inside, loc,
                         body(inside, forOp.getInductionVar(), forOp.getRegionIterArgs()));
    return Values(forOp.getResults());
}

// ((r0 + r1) + (r2 + r3)) + ((r4 + r5) + (r6 + r7))
Values Pairwise::laneTree(OpBuilder &b, ArrayRef<Values> lanes) {
    if (lanes.size() == 1)
        return lanes[0];
    size_t half = lanes.size() / 2;
    return code.combine(b, laneTree(b, lanes.take_front(half)),
                        laneTree(b, lanes.drop_front(half)));
}

// Combines the lanes of vectors, in any order: halves of the vectors first.
Values Pairwise::combineHalves(OpBuilder &b, Values vectors) {
    for (unsigned lanes = shape.lanes / 2; lanes > 1; lanes /= 2) {
        SmallVector<int32_t> low = llvm::to_vector(llvm::seq<int32_t>(0, lanes));
        SmallVector<int32_t> high = llvm::to_vector(llvm::seq<int32_t>(lanes, 2 * lanes));
        Values left, right;
        for (Value vector : vectors) {
            left.push_back(LLVM::ShuffleVectorOp::create(b, loc, vector, vector, low));
            right.push_back(LLVM::ShuffleVectorOp::create(b, loc, vector, vector, high));
        }
        vectors = code.combineLanes(b, lanes, left, right);
    }
    Values left, right;
    for (Value vector : vectors) {
        left.push_back(LLVM::ExtractElementOp::create(b, loc, vector, number(b, 0)));
        right.push_back(LLVM::ExtractElementOp::create(b, loc, vector, number(b, 1)));
    }
    return code.combine(b, left, right);
}

Values Pairwise::lanes(OpBuilder &b, Value from, Value to, Value end) {
    Values identity = code.identities(b);
    SmallVector<Values> sums(shape.lanes);
    if (shape.vector) {
        Values inits;
        for (Value part : identity) {
            auto type = VectorType::get(shape.lanes, part.getType());
            auto constant = part.getDefiningOp<arith::ConstantOp>();
            assert(constant && "identities are constants");
            inits.push_back(arith::ConstantOp::create(
                b, loc, DenseElementsAttr::get(type, constant.getValue())));
        }
        Values vectors = code.prefetch && shape.leaf == 0
                             ? inBlocks(b, from, to, inits)
                             : loop(b, from, to, shape.lanes, inits, code.atLanes);
        if (shape.overlap)
            vectors = code.atLanes(b, sub(b, end, number(b, shape.lanes)), vectors);
        if (code.combineLanes)
            return combineHalves(b, vectors);
        for (unsigned k = 0; k < shape.lanes; ++k)
            for (Value vector : vectors)
                sums[k].push_back(LLVM::ExtractElementOp::create(b, loc, vector, number(b, k)));
        return laneTree(b, sums);
    }
    Values inits;
    for (unsigned k = 0; k < shape.lanes; ++k)
        llvm::append_range(inits, identity);
    size_t parts = identity.size();
    Values flat =
        loop(b, from, to, shape.lanes, inits, [&](OpBuilder &inside, Value iv, ValueRange carried) {
            Values next;
            for (unsigned k = 0; k < shape.lanes; ++k)
                llvm::append_range(next, code.at(inside, add(inside, iv, number(inside, k)),
                                                 carried.slice(k * parts, parts)));
            return next;
        });
    for (unsigned k = 0; k < shape.lanes; ++k)
        sums[k] = Values(ArrayRef(flat).slice(k * parts, parts));
    return laneTree(b, sums);
}

Values Pairwise::inBlocks(OpBuilder &b, Value from, Value to, ValueRange inits) {
    constexpr int64_t block = 512;
    return loop(b, from, to, block, inits, [&](OpBuilder &inside, Value begin, ValueRange carried) {
        Value next = add(inside, begin, number(inside, block));
        Value end = arith::MinSIOp::create(inside, loc, next, to);
        code.prefetch(inside, begin, end);
        return loop(inside, begin, end, shape.lanes, carried, code.atLanes);
    });
}

Values Pairwise::leaf(OpBuilder &b, Value from, Value count) {
    Value mask = number(b, ~int64_t(shape.lanes - 1));
    Value end = add(b, from, count);
    Value whole = add(b, from, arith::AndIOp::create(b, loc, count, mask));
    Value isShort = less(b, count, number(b, shape.lanes));
    auto branch = scf::IfOp::create(b, loc, code.types, isShort, /*withElse=*/true);
    OpBuilder few = OpBuilder::atBlockBegin(branch.thenBlock());
    OpBuilder many = OpBuilder::atBlockBegin(branch.elseBlock());
    scf::YieldOp::create(many, loc, lanes(many, from, whole, end));
    if (shape.overlap && shape.vector) {
        Values all = loop(few, from, end, 1, code.identities(few), code.at);
        scf::YieldOp::create(few, loc, all);
        return Values(branch.getResults());
    }
    scf::YieldOp::create(few, loc, code.identities(few));
    return loop(b, whole, end, 1, branch.getResults(), code.at);
}

void Pairwise::allocateStacks(OpBuilder &b) {
    OpBuilder::InsertionGuard guard(b);
    Operation *parent = b.getInsertionBlock()->getParentOp();
    auto function = dyn_cast<func::FuncOp>(parent);
    if (!function)
        function = parent->getParentOfType<func::FuncOp>();
    b.setInsertionPointToStart(&function.getBody().front());
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    Value depth = number(b, maxDepth);
    sizes = LLVM::AllocaOp::create(b, loc, pointer, b.getI64Type(), depth);
    for (Type type : code.types)
        sums.push_back(LLVM::AllocaOp::create(b, loc, pointer, type, depth));
}

Value Pairwise::slot(OpBuilder &b, Value stack, Value index, Type type) {
    return LLVM::GEPOp::create(b, loc, stack.getType(), type, stack, ArrayRef<LLVM::GEPArg>{index},
                               LLVM::GEPNoWrapFlags::inbounds);
}

// Halves until the left part is a leaf; the right parts go on the stack. Returns the leaf's size
// and the depth.
std::pair<Value, Value> Pairwise::descend(OpBuilder &b, Value count, Value depth) {
    Type i64 = b.getI64Type();
    auto loopOp = scf::WhileOp::create(b, loc, TypeRange{i64, i64}, ValueRange{count, depth});
    Block *before = b.createBlock(&loopOp.getBefore(), {}, {i64, i64}, {loc, loc});
    Value big = less(b, number(b, shape.leaf), before->getArgument(0));
    scf::ConditionOp::create(b, loc, big, before->getArguments());
    Block *after = b.createBlock(&loopOp.getAfter(), {}, {i64, i64}, {loc, loc});
    Value size = after->getArgument(0), level = after->getArgument(1);
    Value half = arith::ShRSIOp::create(b, loc, size, number(b, 1));
    // Complex sums count parts in NumPy, two per element: rounding to 8 parts is rounding to
    // `lanes` elements.
    Value left = arith::AndIOp::create(b, loc, half, number(b, ~int64_t(shape.lanes - 1)));
    LLVM::StoreOp::create(b, loc, sub(b, size, left), slot(b, sizes, level, i64));
    scf::YieldOp::create(b, loc, ValueRange{left, add(b, level, number(b, 1))});
    b.setInsertionPointAfter(loopOp);
    return {loopOp.getResult(0), loopOp.getResult(1)};
}

// Adds the sum to left halves whose right half it completes. Returns the sum and the depth.
std::pair<Values, Value> Pairwise::ascend(OpBuilder &b, Values sum, Value depth) {
    Type i64 = b.getI64Type();
    SmallVector<Type> types(code.types);
    types.push_back(i64);
    SmallVector<Location> locs(types.size(), loc);
    Values inits = sum;
    inits.push_back(depth);
    auto loopOp = scf::WhileOp::create(b, loc, types, inits);
    Block *before = b.createBlock(&loopOp.getBefore(), {}, types, locs);
    Value level = before->getArguments().back();
    Value pending = less(b, number(b, 0), level);
    auto check = scf::IfOp::create(b, loc, TypeRange{b.getI1Type()}, pending, /*withElse=*/true);
    {
        OpBuilder top = OpBuilder::atBlockBegin(check.thenBlock());
        Value above = sub(top, level, number(top, 1));
        Value size = LLVM::LoadOp::create(top, loc, i64, slot(top, sizes, above, i64));
        scf::YieldOp::create(top, loc, ValueRange{less(top, size, number(top, 0))});
        OpBuilder empty = OpBuilder::atBlockBegin(check.elseBlock());
        scf::YieldOp::create(
            empty, loc, ValueRange{arith::ConstantIntOp::create(empty, loc, 0, 1).getResult()});
    }
    scf::ConditionOp::create(b, loc, check.getResult(0), before->getArguments());
    Block *after = b.createBlock(&loopOp.getAfter(), {}, types, locs);
    Value above = sub(b, after->getArguments().back(), number(b, 1));
    Values left;
    for (auto [stack, type] : llvm::zip_equal(sums, code.types))
        left.push_back(LLVM::LoadOp::create(b, loc, type, slot(b, stack, above, type)));
    Values next = code.combine(b, left, after->getArguments().drop_back());
    next.push_back(above);
    scf::YieldOp::create(b, loc, next);
    b.setInsertionPointAfter(loopOp);
    return {Values(loopOp.getResults().drop_back()), loopOp.getResults().back()};
}

Values Pairwise::run(OpBuilder &b, Value n) {
    if (shape.leaf == 0)
        return leaf(b, number(b, 0), n);
    allocateStacks(b);
    if (!shape.mayBeShort)
        return tree(b, n);
    Value isLong = less(b, number(b, shape.leaf), n);
    auto branch = scf::IfOp::create(b, loc, code.types, isLong, /*withElse=*/true);
    OpBuilder many = OpBuilder::atBlockBegin(branch.thenBlock()),
              few = OpBuilder::atBlockBegin(branch.elseBlock());
    scf::YieldOp::create(many, loc, tree(many, n));
    scf::YieldOp::create(few, loc, leaf(few, number(few, 0), n));
    return Values(branch.getResults());
}

Values Pairwise::tree(OpBuilder &b, Value n) {
    Type i64 = b.getI64Type();
    // Carried: where the next leaf starts, the size of the next segment (-1: none left), the depth,
    // the last sum.
    SmallVector<Type> types{i64, i64, i64};
    llvm::append_range(types, code.types);
    SmallVector<Location> locs(types.size(), loc);
    Values inits{number(b, 0), n, number(b, 0)};
    llvm::append_range(inits, code.identities(b));
    auto loopOp = scf::WhileOp::create(b, loc, types, inits);
    Block *before = b.createBlock(&loopOp.getBefore(), {}, types, locs);
    Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, before->getArgument(1),
                                       number(b, 0));
    scf::ConditionOp::create(b, loc, more, before->getArguments());

    Block *after = b.createBlock(&loopOp.getAfter(), {}, types, locs);
    auto [count, depth] = descend(b, after->getArgument(1), after->getArgument(2));
    Value from = after->getArgument(0);
    Value next = add(b, from, count);
    if (code.prefetch)
        code.prefetch(b, from, next);
    Values sum = leaf(b, from, count);
    if (code.poll)
        code.poll(b, from, next);
    auto [total, level] = ascend(b, sum, depth);
    Value pending = less(b, number(b, 0), level);
    auto right = scf::IfOp::create(b, loc, TypeRange{i64}, pending, /*withElse=*/true);
    {
        OpBuilder some = OpBuilder::atBlockBegin(right.thenBlock());
        Value above = sub(some, level, number(some, 1));
        Value sizeSlot = slot(some, sizes, above, i64);
        Value size = LLVM::LoadOp::create(some, loc, i64, sizeSlot);
        LLVM::StoreOp::create(some, loc, number(some, -1), sizeSlot);
        for (auto [stack, value] : llvm::zip_equal(sums, total))
            LLVM::StoreOp::create(some, loc, value, slot(some, stack, above, value.getType()));
        scf::YieldOp::create(some, loc, ValueRange{size});
        OpBuilder none = OpBuilder::atBlockBegin(right.elseBlock());
        scf::YieldOp::create(none, loc, ValueRange{number(none, -1)});
    }
    Values carried{next, right.getResult(0), level};
    llvm::append_range(carried, total);
    scf::YieldOp::create(b, loc, carried);
    b.setInsertionPointAfter(loopOp);
    return Values(loopOp.getResults().drop_front(3));
}

} // namespace

PairwiseCode::Values emitPairwise(OpBuilder &builder, Location loc, const PairwiseShape &shape,
                                  const PairwiseCode &code, Value n, DimValues &) {
    return Pairwise(loc, shape, code).run(builder, n);
}

} // namespace shapecast
