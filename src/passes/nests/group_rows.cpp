// np-group-rows: see the header.
#include "passes/nests/group_rows.h"

#include "ir/dim_facts.h"
#include "passes/analysis/accesses.h"
#include "passes/analysis/clobbers.h"

using namespace mlir;

namespace shapecast {

using namespace np;

namespace {

constexpr size_t mostRowIterators = 3;

struct Member {
    NestOp nest;
    SmallVector<Access> reads, writes;
    size_t iterators() { return nest.getSpace().size(); }
    DimAttr size(size_t k) { return cast<DimAttr>(nest.getSpace()[k]); }
};

bool uses(DimAttr index, size_t iterator) { return dimUses(index, ("d" + Twine(iterator)).str()); }

// Per row iterator, the subscript that uses it, alone; `broadcast` where none does.
constexpr size_t broadcast = size_t(-1);
using RowSubscripts = SmallVector<size_t, mostRowIterators>;

// None if a subscript uses a row iterator and another one, or two subscripts use one; or if others
// run along earlier subscripts than the row's: then a row's elements are not adjacent.
std::optional<RowSubscripts> rowSubscripts(const Access &access, size_t depth, size_t iterators) {
    RowSubscripts found(depth, broadcast);
    bool othersBefore = false;
    for (auto [d, index] : llvm::enumerate(access.index)) {
        size_t rows = 0, others = 0;
        for (size_t k = 0; k < iterators; ++k) {
            if (!uses(index, k))
                continue;
            if (k >= depth) {
                ++others;
                continue;
            }
            if (++rows > 1 || found[k] != broadcast)
                return std::nullopt;
            found[k] = d;
        }
        if (rows && (others || othersBefore))
            return std::nullopt;
        othersBefore |= others > 0;
    }
    return found;
}

// One pass over a function, for rows of so many iterators.
class Grouping {
public:
    Grouping(FuncOp func, const PointsTo &pointsTo, size_t depth, int64_t &groups)
        : func(func), pointsTo(pointsTo), depth(depth), groups(groups) {}

    void run() {
        func.walk([&](Block *block) {
            for (Operation &op : llvm::make_early_inc_range(*block))
                visit(&op);
            close();
        });
    }

private:
    void visit(Operation *op);
    bool add(NestOp nest);
    void close();
    bool isProfitable();
    bool staysInRow(const Access &a, Member &first, const Access &b, Member &second);
    bool isIndependent(Member &first, Member &second);

    FuncOp func;
    const PointsTo &pointsTo;
    size_t depth;
    int64_t &groups;
    SmallVector<Member> members;
    SmallVector<Operation *> makers, releases; // between the group's nests
};

void Grouping::visit(Operation *op) {
    if (auto nest = dyn_cast<NestOp>(op)) {
        if (add(nest))
            return;
        close();
        add(nest);
        return;
    }
    if (members.empty())
        return;
    if (isa<ReleaseOp>(op))
        releases.push_back(op);
    else if (isPureOp(op) || borrowedFrom(op) || isa<AllocOp, RetainOp, SymbolOp>(op))
        makers.push_back(op);
    else
        close();
}

bool isCandidate(NestOp nest, const PointsTo &pointsTo) {
    auto isOnDevice = [](Value array) { return bool(deviceOf(array.getType())); };
    if (nest.getNumResults() > 0 || nest.getWrites().empty() || nest.getRowGroup() ||
        !llvm::all_of(nest.getReads(), isOnDevice) || !llvm::all_of(nest.getWrites(), isOnDevice))
        return false;
    for (StringRef order : nest.getOrder()->getAsValueRange<StringAttr>())
        if (order != "any")
            return false;
    return llvm::none_of(nest.getWrites(), [&](Value v) { return pointsTo.selfOverlapping(v); }) &&
           llvm::none_of(nest.getBody().front(), [](Operation &op) { return isa<TakeOp>(op); });
}

bool Grouping::add(NestOp nest) {
    Member member{nest, {}, {}};
    const size_t reduced = size_t(nest.getReduced()), parallel = member.iterators() - reduced;
    if (!isCandidate(nest, pointsTo) || (reduced ? parallel != depth : parallel < depth))
        return false;
    member.reads = readsOf(nest, pointsTo);
    member.writes = writesOf(nest, pointsTo);
    auto byRows = [&](const Access &access) {
        return rowSubscripts(access, depth, member.iterators()).has_value();
    };
    if (!llvm::all_of(member.reads, byRows) || !llvm::all_of(member.writes, byRows))
        return false;
    for (size_t k = 0; k < depth && !members.empty(); ++k)
        if (!pointsTo.factsAt(nest).provesEqual(member.size(k), members.front().size(k)))
            return false;
    for (Member &earlier : members)
        if (!isIndependent(earlier, member))
            return false;
    members.push_back(std::move(member));
    return true;
}

// Whether the accesses, one of them a write, meet in the same row only.
bool Grouping::staysInRow(const Access &a, Member &first, const Access &b, Member &second) {
    if (pointsTo.disjoint(a.handle, b.handle, second.nest))
        return true;
    const auto rowOfA = rowSubscripts(a, depth, first.iterators());
    const auto rowOfB = rowSubscripts(b, depth, second.iterators());
    if (a.root != b.root || !rowOfA || rowOfA != rowOfB || llvm::is_contained(*rowOfA, broadcast))
        return false;
    const DimFacts &facts = pointsTo.factsAt(second.nest);
    return llvm::all_of(*rowOfA,
                        [&](size_t d) { return facts.provesEqual(a.index[d], b.index[d]); });
}

bool Grouping::isIndependent(Member &first, Member &second) {
    auto meetInRows = [&](ArrayRef<Access> earlier, ArrayRef<Access> later) {
        for (const Access &a : earlier)
            for (const Access &b : later)
                if (!staysInRow(a, first, b, second))
                    return false;
        return true;
    };
    return meetInRows(first.writes, second.reads) && meetInRows(first.writes, second.writes) &&
           meetInRows(first.reads, second.writes);
}

// Whether what a nest reduces is used for elements of the row by a later one.
bool Grouping::isProfitable() {
    for (size_t k = 0; k < members.size(); ++k) {
        if (members[k].nest.getReduced() == 0)
            continue;
        for (const Access &write : members[k].writes)
            for (Member &later : MutableArrayRef(members).drop_front(k + 1))
                if (later.iterators() > depth && llvm::any_of(later.reads, [&](const Access &read) {
                        return read.root == write.root;
                    }))
                    return true;
    }
    return false;
}

void Grouping::close() {
    if (isProfitable()) {
        Operation *first = members.front().nest, *last = members.back().nest;
        for (Operation *op : makers)
            if (op->isBeforeInBlock(last))
                op->moveBefore(first);
        for (Operation *op : releases)
            if (op->isBeforeInBlock(last))
                op->moveAfter(last);
        for (Member &member : members)
            member.nest.setRowGroup(groups);
        ++groups;
    }
    members.clear();
    makers.clear();
    releases.clear();
}

} // namespace

void groupRows(FuncOp func) {
    bool hasDevice = false;
    func.walk([&](NestOp nest) {
        hasDevice |= llvm::any_of(nest.getWrites(),
                                  [](Value array) { return bool(deviceOf(array.getType())); });
    });
    if (!hasDevice)
        return;
    const PointsTo pointsTo(func);
    int64_t groups = 0;
    for (size_t depth = 1; depth <= mostRowIterators; ++depth)
        Grouping(func, pointsTo, depth, groups).run();
}

} // namespace shapecast
