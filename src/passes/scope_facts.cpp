// Collects facts about symbols on the way from the function's entry to an operation.
#include "passes/scope_facts.h"

#include "passes/loop_extremes.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace shapecast::np;

namespace {

void learnGuard(GuardAttr guard, DimFacts &facts) {
    if (guard.getPred() == "==")
        facts.addEqual(guard.getLhs(), guard.getRhs());
    else if (guard.getPred() == ">=")
        facts.addGreaterEqual(guard.getLhs(), guard.getRhs());
    else if (guard.getPred() == "!=")
        facts.addNotEqual(guard.getLhs(), guard.getRhs());
}

struct Collector {
    DimFacts &facts;
    llvm::DenseSet<DimAttr> sizes;

    void size(DimAttr dim) {
        if (dim.isConst() || !sizes.insert(dim).second)
            return;
        if (dim.isSymbol())
            facts.addSize(dim.getName());
        else
            facts.addGreaterEqual(dim, dimConst(dim.getContext(), 0));
    }

    void type(Type type) {
        if (auto array = dyn_cast<ArrayType>(type))
            for (DimAttr dim : array.getDims())
                size(dim);
    }

    void entry(FuncOp func) {
        for (Type argument : func.getArgumentTypes())
            type(argument);
        if (auto guards = func->getAttrOfType<ArrayAttr>("guards"))
            for (auto guard : guards.getAsRange<GuardAttr>())
                learnGuard(guard, facts);
        for (auto [i, j] : shapecast::aliasPairs(func, "same")) {
            auto a = dyn_cast<ArrayType>(func.getArgumentTypes()[i]);
            auto b = dyn_cast<ArrayType>(func.getArgumentTypes()[j]);
            if (!a || !b || a.getRank() != b.getRank())
                continue;
            for (auto [x, y] : llvm::zip(a.getDims(), b.getDims()))
                facts.addEqual(x, y);
        }
    }

    void symbol(SymbolOp op) {
        DimAttr name = dimSymbol(op.getContext(), op.getName());
        if (auto size = op.getValue().getDefiningOp<SizeOp>())
            facts.addEqual(name, size.getExpr());
        else if (auto constant = op.getValue().getDefiningOp<ConstOp>())
            if (auto value = dyn_cast<IntegerAttr>(constant.getValue()))
                facts.addEqual(name, dimConst(op.getContext(), value.getInt()));
        shapecast::learnRange(op, facts);
    }

    void enter(Operation *parent, Block *block) {
        for (BlockArgument argument : block->getArguments())
            type(argument.getType());
        if (auto loop = dyn_cast<ForOp>(parent))
            shapecast::learnLoop(loop, facts);
    }

    void before(Operation *at) {
        for (Operation &op : llvm::make_range(at->getBlock()->begin(), at->getIterator())) {
            if (auto binding = dyn_cast<SymbolOp>(op))
                symbol(binding);
            else if (auto check = dyn_cast<RequireOp>(op))
                shapecast::learnRequire(check, facts);
            for (Type result : op.getResultTypes())
                type(result);
        }
    }
};

} // namespace

void shapecast::learnEntry(FuncOp func, DimFacts &facts) { Collector{facts, {}}.entry(func); }

void shapecast::learnRange(SymbolOp op, DimFacts &facts) {
    auto cast = op.getValue().getDefiningOp<CastOp>();
    auto type = cast ? dyn_cast<IntegerType>(cast.getOperand().getType()) : IntegerType();
    if (!type || type.getWidth() > 32)
        return;
    const int64_t numbers = int64_t{1} << type.getWidth();
    const int64_t low = type.isSigned() ? -numbers / 2 : 0;
    facts.addLower(op.getName(), dimConst(op.getContext(), low));
    facts.addUpper(op.getName(), dimConst(op.getContext(), low + numbers - 1));
}

void shapecast::learnRequire(RequireOp op, DimFacts &facts) {
    SmallVector<DimAttr> args = dimVector(op.getArgs());
    StringRef kind = op.getKind();
    if (args.size() != 2)
        return;
    if (kind == "eq")
        facts.addEqual(args[0], args[1]);
    else if (kind == "ge")
        facts.addGreaterEqual(args[0], args[1]);
    else if (kind == "ne")
        facts.addNotEqual(args[0], args[1]);
    else if (kind == "index") {
        facts.addGreaterEqual(dimSub(args[1], dimConst(op.getContext(), 1)), args[0]);
        facts.addGreaterEqual(args[0], dimNeg(args[1]));
    }
}

void shapecast::learnLoop(ForOp loop, DimFacts &facts) {
    if (std::optional<LoopRange> range = loopRange(loop)) {
        facts.addLower(loop.getVar(), range->least);
        facts.addUpper(loop.getVar(), range->greatest);
    }
}

void shapecast::collectFacts(Operation *at, DimFacts &facts) {
    SmallVector<Operation *> path; // innermost first, up to the function's own block
    for (Operation *op = at; op && !isa<FuncOp>(op); op = op->getParentOp())
        path.push_back(op);
    Collector collector{facts, {}};
    if (auto func = at->getParentOfType<FuncOp>())
        collector.entry(func);
    for (Operation *op : llvm::reverse(path)) {
        if (!isa<FuncOp>(op->getParentOp()))
            collector.enter(op->getParentOp(), op->getBlock());
        collector.before(op);
    }
}

SmallVector<std::pair<unsigned, unsigned>> shapecast::aliasPairs(FuncOp func, StringRef kind) {
    SmallVector<std::pair<unsigned, unsigned>> pairs;
    auto entries = func->getAttrOfType<ArrayAttr>("alias");
    for (Attribute attribute : entries ? entries.getValue() : ArrayRef<Attribute>()) {
        auto entry = dyn_cast<ArrayAttr>(attribute);
        if (!entry || entry.size() != 3 || cast<StringAttr>(entry[0]).getValue() != kind)
            continue;
        unsigned i = cast<IntegerAttr>(entry[1]).getInt(), j = cast<IntegerAttr>(entry[2]).getInt();
        pairs.emplace_back(std::min(i, j), std::max(i, j));
    }
    return pairs;
}
