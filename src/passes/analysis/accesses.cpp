// Dependence tests of pairs of accesses: see the header.
#include "passes/analysis/accesses.h"

#include "ir/dim_facts.h"

using namespace mlir;
using namespace shapecast::np;

namespace shapecast {

Access accessOf(Value handle, ArrayAttr map, const PointsTo &pointsTo) {
    Window window = pointsTo.window(handle);
    Access access{handle, window.root, {}};
    for (size_t d = 0; d < window.axis.size(); ++d) {
        DimAttr index = window.offset[d];
        if (window.axis[d] >= 0)
            index = dimAdd(index, dimMul(window.step[d], cast<DimAttr>(map[window.axis[d]])));
        access.index.push_back(index);
    }
    return access;
}

static SmallVector<Access> accessesOf(OperandRange handles, ArrayAttr maps,
                                      const PointsTo &pointsTo) {
    SmallVector<Access> accesses;
    for (auto [handle, map] : llvm::zip_equal(handles, maps))
        accesses.push_back(accessOf(handle, cast<ArrayAttr>(map), pointsTo));
    return accesses;
}

SmallVector<Access> readsOf(NestOp nest, const PointsTo &pointsTo) {
    return accessesOf(nest.getReads(), nest.getReadMaps(), pointsTo);
}

SmallVector<Access> writesOf(NestOp nest, const PointsTo &pointsTo) {
    return accessesOf(nest.getWrites(), nest.getWriteMaps(), pointsTo);
}

bool Dependence::isLoopIndependent() const {
    return kind == Disjoint ||
           (kind == Ordered && llvm::all_of(direction, [](int d) { return d == 0; }));
}

namespace {

// The index along one dimension: coefficient * iterator + rest.
struct Subscript {
    enum { None = -1, Several = -2 };         // ZIV, MIV
    int64_t iterator = None, coefficient = 0; // coefficient 0: not linear
    DimAttr rest;
};

Subscript subscriptOf(DimAttr index, size_t iterators) {
    Subscript term{Subscript::None, 0, index};
    for (size_t k = 0; k < iterators; ++k) {
        std::string name = ("d" + Twine(k)).str();
        if (!dimUses(index, name))
            continue;
        if (term.iterator != Subscript::None)
            return {Subscript::Several, 0, index};
        term.iterator = k;
        if (std::optional<DimLinear> linear = dimLinearIn(index, name)) {
            term.coefficient = linear->coefficient;
            term.rest = linear->rest;
        }
    }
    return term;
}

class SubscriptTest {
public:
    SubscriptTest(size_t iterators, const DimFacts &facts)
        : facts(facts), direction(iterators, 0), pinned(iterators, false) {}

    void add(DimAttr write, DimAttr other) {
        Subscript w = subscriptOf(write, direction.size()),
                  o = subscriptOf(other, direction.size());
        if (write == other) {
            if (w.iterator >= 0)
                pinned[w.iterator] = true;
            return;
        }
        if (w.iterator == Subscript::None && o.iterator == Subscript::None) {
            Answer equal = facts.equal(write, other);
            disjoint |= equal == Answer::No;
            identical &= equal == Answer::Yes;
            return;
        }
        if (w.iterator < 0 || w.iterator != o.iterator || w.coefficient == 0 ||
            w.coefficient != o.coefficient) {
            unknown = true;
            return;
        }
        pinned[w.iterator] = true;
        strongSiv(w.iterator, w.coefficient, dimSub(o.rest, w.rest));
    }

    Dependence result(ArrayRef<DimAttr> space) {
        for (size_t k = 0; k < space.size(); ++k)
            unknown |= !pinned[k] && !space[k].isConst(1);
        if (disjoint)
            return {Dependence::Disjoint, direction, false};
        if (unknown)
            return {};
        return {Dependence::Ordered, direction, identical};
    }

private:
    // The strong SIV test: along one dimension, with the same coefficient of the iterator, `other`
    // is `distance` elements ahead of the write.
    void strongSiv(int64_t iterator, int64_t coefficient, DimAttr distance) {
        DimAttr zero = dimConst(distance.getContext(), 0);
        if (facts.provesEqual(distance, zero))
            return;
        identical = false;
        int sign = facts.provesGreaterEqual(distance, zero)   ? 1
                   : facts.provesGreaterEqual(zero, distance) ? -1
                                                              : 0;
        disjoint |= distance.isConst() && distance.getValue() % coefficient != 0;
        if (coefficient < 0)
            sign = -sign;
        unknown |= sign == 0 || direction[iterator] == -sign;
        direction[iterator] = sign;
    }

    const DimFacts &facts;
    SmallVector<int> direction;
    SmallVector<bool> pinned; // iterations that differ in it differ in the element
    bool disjoint = false, unknown = false, identical = true;
};

} // namespace

Dependence dependenceOf(const Access &write, const Access &other, ArrayRef<DimAttr> space,
                        const PointsTo &pointsTo, Operation *at) {
    if (pointsTo.disjoint(write.handle, other.handle, at))
        return {Dependence::Disjoint, SmallVector<int>(space.size(), 0), false};
    if (write.root != other.root || pointsTo.selfOverlapping(write.handle))
        return {};
    SubscriptTest test(space.size(), pointsTo.factsAt(at));
    for (auto [w, o] : llvm::zip_equal(write.index, other.index))
        test.add(w, o);
    return test.result(space);
}

} // namespace shapecast
