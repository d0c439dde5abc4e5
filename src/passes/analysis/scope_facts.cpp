// Collects facts about symbols on the path from the function's entry to an operation.
#include "passes/analysis/scope_facts.h"

#include "passes/analysis/loop_extremes.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace shapecast::np;

namespace {

using shapecast::ScopeFact;

void add(SmallVectorImpl<ScopeFact> &facts, ScopeFact::Kind kind, DimAttr a, DimAttr b = {}) {
    facts.push_back({kind, a, b});
}

void addGuard(GuardAttr guard, SmallVectorImpl<ScopeFact> &facts) {
    if (guard.getPred() == "==")
        add(facts, ScopeFact::Equal, guard.getLhs(), guard.getRhs());
    else if (guard.getPred() == ">=")
        add(facts, ScopeFact::GreaterEqual, guard.getLhs(), guard.getRhs());
    else if (guard.getPred() == "!=")
        add(facts, ScopeFact::NotEqual, guard.getLhs(), guard.getRhs());
}

void addRange(SymbolOp op, SmallVectorImpl<ScopeFact> &facts) {
    auto cast = op.getValue().getDefiningOp<CastOp>();
    auto type = cast ? dyn_cast<IntegerType>(cast.getOperand().getType()) : IntegerType();
    if (!type || type.getWidth() > 32)
        return;
    const int64_t numbers = int64_t{1} << type.getWidth();
    const int64_t low = type.isSigned() ? -numbers / 2 : 0;
    DimAttr name = dimSymbol(op.getContext(), op.getName());
    add(facts, ScopeFact::GreaterEqual, name, dimConst(op.getContext(), low));
    add(facts, ScopeFact::GreaterEqual, dimConst(op.getContext(), low + numbers - 1), name);
}

void addRequire(RequireOp op, SmallVectorImpl<ScopeFact> &facts) {
    SmallVector<DimAttr> args = dimVector(op.getArgs());
    StringRef kind = op.getKind();
    if (args.size() != 2)
        return;
    if (kind == "eq")
        add(facts, ScopeFact::Equal, args[0], args[1]);
    else if (kind == "ge")
        add(facts, ScopeFact::GreaterEqual, args[0], args[1]);
    else if (kind == "ne")
        add(facts, ScopeFact::NotEqual, args[0], args[1]);
    else if (kind == "index") {
        add(facts, ScopeFact::GreaterEqual, dimPlus(args[1], -1), args[0]);
        add(facts, ScopeFact::GreaterEqual, args[0], dimNeg(args[1]));
    }
}

void addLoop(ForOp loop, SmallVectorImpl<ScopeFact> &facts) {
    std::optional<shapecast::LoopRange> range = shapecast::loopRange(loop);
    if (!range)
        return;
    DimAttr name = dimSymbol(loop.getContext(), loop.getVar());
    add(facts, ScopeFact::GreaterEqual, name, range->least);
    add(facts, ScopeFact::GreaterEqual, range->greatest, name);
}

struct Collector {
    SmallVectorImpl<ScopeFact> &facts;
    llvm::DenseSet<DimAttr> sizes = {};
    llvm::DenseSet<Type> types = {};

    void type(Type type) {
        auto array = dyn_cast<ArrayType>(type);
        if (!array || !types.insert(type).second)
            return;
        for (DimAttr dim : array.getDims())
            if (!dim.isConst() && sizes.insert(dim).second)
                add(facts, ScopeFact::Size, dim);
    }

    void entry(FuncOp func) {
        for (Type argument : func.getArgumentTypes())
            type(argument);
        if (auto guards = func.getGuardsAttr())
            for (auto guard : guards.getAsRange<GuardAttr>())
                addGuard(guard, facts);
        for (auto [i, j] : shapecast::aliasPairs(func, "same")) {
            auto a = dyn_cast<ArrayType>(func.getArgumentTypes()[i]);
            auto b = dyn_cast<ArrayType>(func.getArgumentTypes()[j]);
            if (!a || !b || a.getRank() != b.getRank())
                continue;
            for (auto [x, y] : llvm::zip(a.getDims(), b.getDims()))
                add(facts, ScopeFact::Equal, x, y);
        }
    }

    void symbol(SymbolOp op) {
        DimAttr name = dimSymbol(op.getContext(), op.getName());
        if (auto size = op.getValue().getDefiningOp<SizeOp>()) {
            if (!dimIsHeavy(size.getExpr()))
                add(facts, ScopeFact::Equal, name, size.getExpr());
        } else if (auto constant = op.getValue().getDefiningOp<ConstOp>())
            if (auto value = dyn_cast<IntegerAttr>(constant.getValue()))
                add(facts, ScopeFact::Equal, name, dimConst(op.getContext(), value.getInt()));
        addRange(op, facts);
    }

    void enter(Operation *parent, Block *block) {
        for (BlockArgument argument : block->getArguments())
            type(argument.getType());
        if (auto loop = dyn_cast<ForOp>(parent))
            addLoop(loop, facts);
    }

    void before(Operation *at) {
        for (Operation &op : llvm::make_range(at->getBlock()->begin(), at->getIterator())) {
            if (auto binding = dyn_cast<SymbolOp>(op))
                symbol(binding);
            else if (auto check = dyn_cast<RequireOp>(op))
                addRequire(check, facts);
            for (Type result : op.getResultTypes())
                type(result);
        }
    }

    void all(Operation *at) {
        SmallVector<Operation *> path; // innermost first, up to the function's own block
        for (Operation *op = at; op && !isa<FuncOp>(op); op = op->getParentOp())
            path.push_back(op);
        if (auto func = at->getParentOfType<FuncOp>())
            entry(func);
        for (Operation *op : llvm::reverse(path)) {
            if (!isa<FuncOp>(op->getParentOp()))
                enter(op->getParentOp(), op->getBlock());
            before(op);
        }
    }
};

// Adds what `collect` finds.
template <class Collect> void addFound(DimFacts &facts, Collect collect) {
    SmallVector<ScopeFact> found;
    collect(found);
    for (const ScopeFact &fact : found)
        fact.addTo(facts);
}

} // namespace

void ScopeFact::addTo(DimFacts &facts) const {
    if (kind == Size && a.isSymbol())
        facts.addSize(a.getName());
    else if (kind == Size)
        facts.addGreaterEqual(a, dimConst(a.getContext(), 0));
    else if (kind == Equal)
        facts.addEqual(a, b);
    else if (kind == GreaterEqual)
        facts.addGreaterEqual(a, b);
    else
        facts.addNotEqual(a, b);
}

void shapecast::addEntryFacts(FuncOp func, DimFacts &facts) {
    addFound(facts, [&](auto &found) { Collector{found}.entry(func); });
}

void shapecast::addRangeFacts(SymbolOp op, DimFacts &facts) {
    addFound(facts, [&](auto &found) { addRange(op, found); });
}

void shapecast::addRequireFacts(RequireOp op, DimFacts &facts) {
    addFound(facts, [&](auto &found) { addRequire(op, found); });
}

void shapecast::addLoopFacts(ForOp loop, DimFacts &facts) {
    addFound(facts, [&](auto &found) { addLoop(loop, found); });
}

void shapecast::collectFacts(Operation *at, DimFacts &facts) {
    addFound(facts, [&](auto &found) { Collector{found}.all(at); });
}

const DimFacts &shapecast::PointFacts::at(Operation *point) {
    if (!facts)
        facts = std::make_unique<DimFacts>(point->getContext());
    SmallVector<ScopeFact> wanted;
    Collector{wanted}.all(point);
    size_t common = 0;
    while (common < std::min(wanted.size(), added.size()) && wanted[common] == added[common])
        ++common;
    if (common < added.size()) {
        facts->rewind(marks[common]);
        added.truncate(common);
        marks.truncate(common);
    }
    for (const ScopeFact &fact : ArrayRef(wanted).drop_front(common)) {
        marks.push_back(facts->mark());
        added.push_back(fact);
        fact.addTo(*facts);
    }
    return *facts;
}

SmallVector<std::pair<unsigned, unsigned>> shapecast::aliasPairs(FuncOp func, StringRef kind) {
    SmallVector<std::pair<unsigned, unsigned>> pairs;
    auto entries = dyn_cast_or_null<ArrayAttr>(func.getAliasAttr());
    for (Attribute attribute : entries ? entries.getValue() : ArrayRef<Attribute>()) {
        auto entry = dyn_cast<ArrayAttr>(attribute);
        if (!entry || entry.size() != 3 || cast<StringAttr>(entry[0]).getValue() != kind)
            continue;
        unsigned i = cast<IntegerAttr>(entry[1]).getInt(), j = cast<IntegerAttr>(entry[2]).getInt();
        pairs.emplace_back(std::min(i, j), std::max(i, j));
    }
    return pairs;
}
