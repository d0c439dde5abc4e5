// See fuse.h.
#include "passes/nests/fuse.h"

#include "ir/dim_facts.h"
#include "ops/ufunc/types.h"
#include "passes/analysis/accesses.h"
#include "passes/analysis/clobbers.h"
#include "passes/nests/nests.h"
#include "passes/values/simplify.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

constexpr size_t maxStreams = 16; // accesses
constexpr size_t maxOperations = 200;

bool storesOnly(NestOp nest) {
    return nest.getNumResults() == 0 && llvm::all_of(nest.getCombine(), [](Attribute combine) {
               return cast<StringAttr>(combine).empty();
           });
}

// Its body runs twice at the extreme's index.
bool hasArgReduction(NestOp nest) {
    return llvm::any_of(nest.getCombine(), [](Attribute combine) {
        return cast<StringAttr>(combine).getValue().starts_with("arg");
    });
}

// Minima and maxima, and their indices, of contiguous elements without a function of them.
bool reducesToExtremes(NestOp nest) {
    auto isExtreme = [](Attribute combine) {
        return llvm::is_contained({"minimum", "maximum", "argmin", "argmax"},
                                  cast<StringAttr>(combine).getValue());
    };
    if (nest.getReads().size() != 1 || nest.getReduced() != 1 ||
        !llvm::hasSingleElement(nest.getBody().front()) ||
        !llvm::all_of(nest.getCombine(), isExtreme))
        return false;
    auto type = cast<ArrayType>(nest.getReads()[0].getType());
    const DType dtype = operandType(type.getDtype())->dtype;
    const auto map = cast<ArrayAttr>(nest.getReadMaps()[0]);
    const std::string last = ("d" + Twine(nest.getSpace().size() - 1)).str();
    const bool isAlongRows = type.getRank() < 2 || type.getLayout() == Layout::C;
    return !type.getDevice() && !isBool(dtype) && !isComplex(dtype) && !map.empty() &&
           isAlongRows && dimUses(cast<DimAttr>(map.getValue().back()), last);
}

// One search finds both results.
bool shareSearch(NestOp first, NestOp second) {
    return reducesToExtremes(first) && reducesToExtremes(second) &&
           first.getReads()[0] == second.getReads()[0] &&
           first.getReadMaps() == second.getReadMaps();
}

class Fuser {
public:
    Fuser(NestOp first, NestOp second, const PointsTo &pointsTo)
        : first(first), second(second), pointsTo(pointsTo), space(dimVector(second.getSpace())),
          reads1(readsOf(first, pointsTo)), reads2(readsOf(second, pointsTo)),
          writes1(writesOf(first, pointsTo)), writes2(writesOf(second, pointsTo)) {}

    bool isLegal() { return areAdjacent() && isLegalIfAdjacent(); }

    bool isLegalIfAdjacent() {
        return sameSpace() && isProfitable() && conflictFree(reads1, writes1) &&
               conflictFree(reads2, writes2) && pairsAgree();
    }

    NestOp fuse() {
        NestParts parts;
        parts.space = space;
        parts.reduced = std::max(first.getReduced(), second.getReduced());
        IRMapping mapping;
        append(first, parts, mapping);
        for (auto [k, source] : forwarded)
            mapping.map(second.getBody().getArgument(k),
                        mapping.lookupOrDefault(yielded(first)->getOperand(source)));
        append(second, parts, mapping);
        SmallVector<Value> values;
        for (bool results : {false, true})
            for (NestOp nest : {first, second})
                yields(nest, results, parts, mapping, values);
        OpBuilder inside = parts.inside(second.getContext());
        NestYieldOp::create(inside, second.getLoc(), values);
        OpBuilder builder(second);
        NestOp fused = createNest(builder, second.getLoc(), std::move(parts));
        size_t split = first.getNumResults();
        first.replaceAllUsesWith(fused.getResults().take_front(split));
        second.replaceAllUsesWith(fused.getResults().drop_front(split));
        first->erase();
        second->erase();
        pointsTo.forgetFacts();
        return fused;
    }

private:
    static Operation *yielded(NestOp nest) { return nest.getBody().front().getTerminator(); }

    bool areAdjacent() {
        for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode())
            if (!op || !(isPureOp(op) || isa<SymbolOp>(op)) || dependsOnFirst(op))
                return false;
        return !dependsOnFirst(second);
    }

    bool dependsOnFirst(Operation *op) {
        WalkResult result = op->walk([&](Operation *inner) {
            bool uses = llvm::any_of(inner->getOperands(), [&](Value v) {
                return v.getDefiningOp() == first.getOperation();
            });
            return uses ? WalkResult::interrupt() : WalkResult::advance();
        });
        return result.wasInterrupted();
    }

    bool sameSpace() {
        SmallVector<DimAttr> other = dimVector(first.getSpace());
        if (other.size() != space.size())
            return false;
        for (auto [a, b] : llvm::zip(other, space))
            if (a != b && !pointsTo.factsAt(second).provesEqual(a, b))
                return false;
        return first.getReduced() == second.getReduced() ||
               storesOnly(first.getReduced() < second.getReduced() ? first : second);
    }

    bool isProfitable() {
        if ((hasArgReduction(first) || hasArgReduction(second)) && !shareSearch(first, second))
            return false;
        size_t streams = reads1.size() + reads2.size() + writes1.size() + writes2.size();
        size_t operations = first.getBody().front().getOperations().size() +
                            second.getBody().front().getOperations().size();
        if (streams > maxStreams || operations > maxOperations)
            return false;
        auto roots = [](ArrayRef<Access> a, ArrayRef<Access> b) {
            llvm::DenseSet<Value> found;
            for (const Access &access : a)
                found.insert(access.root);
            for (const Access &access : b)
                found.insert(access.root);
            return found;
        };
        llvm::DenseSet<Value> mine = roots(reads1, writes1);
        return llvm::any_of(roots(reads2, writes2),
                            [&](Value root) { return mine.contains(root); });
    }

    Dependence dependence(const Access &write, const Access &other) {
        return dependenceOf(write, other, space, pointsTo, second);
    }

    bool conflictFree(ArrayRef<Access> reads, ArrayRef<Access> writes) {
        for (const Access &write : writes)
            for (const Access &read : reads)
                if (!dependence(write, read).isLoopIndependent())
                    return false;
        return true;
    }

    bool pairsAgree() {
        for (auto [w, write] : llvm::enumerate(writes1)) {
            for (auto [k, read] : llvm::enumerate(reads2)) {
                Dependence seen = dependence(write, read);
                if (seen.kind == Dependence::Disjoint)
                    continue;
                if (!seen.identical || !cast<StringAttr>(first.getCombine()[w]).empty())
                    return false;
                forwarded[k] = w;
            }
            for (const Access &other : writes2)
                if (!dependence(write, other).isLoopIndependent())
                    return false;
        }
        return conflictFree(reads1, writes2);
    }

    // Clones the nest's reads and body; an element that is read already is not read again.
    void append(NestOp nest, NestParts &parts, IRMapping &mapping) {
        for (auto [k, argument] : llvm::enumerate(nest.getBody().getArguments())) {
            if (mapping.contains(argument))
                continue;
            SmallVector<DimAttr> map = dimVector(cast<ArrayAttr>(nest.getReadMaps()[k]));
            Value handle = nest.getReads()[k];
            size_t at = 0;
            while (at < parts.reads.size() &&
                   !(parts.reads[at] == handle && parts.readMaps[at] == map))
                ++at;
            if (at == parts.reads.size()) {
                parts.reads.push_back(handle);
                parts.readMaps.push_back(map);
                parts.body->addArgument(argument.getType(), argument.getLoc());
            }
            mapping.map(argument, parts.body->getArgument(at));
        }
        OpBuilder inside = parts.inside(nest.getContext());
        for (Operation &op : nest.getBody().front().without_terminator())
            inside.clone(op, mapping);
    }

    // What the fused nest yields: the writes of both nests first, then the results of both.
    void yields(NestOp nest, bool results, NestParts &parts, IRMapping &mapping,
                SmallVectorImpl<Value> &values) {
        size_t writes = nest.getWrites().size();
        size_t begin = results ? writes : 0,
               end = results ? yielded(nest)->getNumOperands() : writes;
        for (size_t k = begin; k < end; ++k) {
            values.push_back(mapping.lookupOrDefault(yielded(nest)->getOperand(k)));
            parts.combine.push_back(cast<StringAttr>(nest.getCombine()[k]).getValue());
            if (results) {
                parts.results.push_back(nest.getResult(k - writes).getType());
            } else {
                parts.writes.push_back(nest.getWrites()[k]);
                parts.writeMaps.push_back(dimVector(cast<ArrayAttr>(nest.getWriteMaps()[k])));
            }
        }
    }

    NestOp first, second;
    const PointsTo &pointsTo;
    SmallVector<DimAttr> space;
    SmallVector<Access> reads1, reads2, writes1, writes2;
    llvm::DenseMap<unsigned, unsigned> forwarded; // read of `second` -> write of `first`
};

void fuseBlock(Block &block, const PointsTo &pointsTo) {
    NestOp previous;
    for (Operation &op : llvm::make_early_inc_range(block)) {
        auto nest = dyn_cast<NestOp>(op);
        if (!nest) {
            if (!isPureOp(&op) && !isa<SymbolOp>(op))
                previous = {};
            for (Region &region : op.getRegions())
                for (Block &inner : region)
                    fuseBlock(inner, pointsTo);
            continue;
        }
        if (previous) {
            Fuser fuser(previous, nest, pointsTo);
            if (fuser.isLegal())
                nest = fuser.fuse();
        }
        previous = nest;
    }
}

// No dependence between the two: they may be swapped.
bool areIndependent(NestOp a, NestOp b, const PointsTo &pointsTo) {
    auto apart = [&](ValueRange written, ValueRange touched) {
        return llvm::all_of(written, [&](Value w) {
            return llvm::all_of(touched, [&](Value t) { return pointsTo.disjoint(w, t, b); });
        });
    };
    return apart(a.getWrites(), b.getReads()) && apart(a.getWrites(), b.getWrites()) &&
           apart(b.getWrites(), a.getReads());
}

// The operations between `after` and the nest that it depends on, in order; none if other nests are
// among them. Sizes refer to symbols by name, so all symbols count.
std::optional<SmallVector<Operation *>> dependencesBetween(NestOp after, NestOp nest) {
    llvm::SetVector<Operation *> needed;
    auto addOperands = [&](Operation *op) {
        op->walk([&](Operation *inner) {
            for (Value operand : inner->getOperands())
                if (Operation *source = operand.getDefiningOp();
                    source && source->getBlock() == nest->getBlock() &&
                    !source->isBeforeInBlock(after))
                    needed.insert(source);
        });
    };
    addOperands(nest);
    for (Operation *op = after->getNextNode(); op != nest; op = op->getNextNode())
        if (isa<SymbolOp>(op))
            needed.insert(op);
    for (size_t k = 0; k < needed.size(); ++k) {
        if (isa<NestOp>(needed[k]))
            return std::nullopt;
        addOperands(needed[k]);
    }
    auto inOrder = needed.takeVector();
    llvm::sort(inOrder, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    return inOrder;
}

// Fuses a nest that only stores with one of the earlier ones, hoisting it over the nests between,
// which it must not depend on; the fused nest replaces that one in `earlier`. Null if that is not
// possible.
NestOp fuseWithEarlier(MutableArrayRef<NestOp> earlier, NestOp nest, const PointsTo &pointsTo) {
    for (NestOp &first : llvm::reverse(earlier)) {
        Fuser fuser(first, nest, pointsTo);
        if (storesOnly(first) && storesOnly(nest) && fuser.isLegalIfAdjacent())
            if (auto needed = dependencesBetween(first, nest)) {
                for (Operation *op : *needed)
                    op->moveBefore(first);
                nest->moveAfter(first);
                return first = fuser.fuse();
            }
        if (!areIndependent(first, nest, pointsTo))
            break;
    }
    return {};
}

void fuseAcross(Block &block, const PointsTo &pointsTo, llvm::function_ref<void(NestOp)> schedule) {
    constexpr size_t maxCandidates = 4;
    SmallVector<NestOp> earlier; // the last ones, with only pure operations in between
    for (Operation &op : llvm::make_early_inc_range(block)) {
        auto nest = dyn_cast<NestOp>(op);
        if (!nest) {
            if (!isPureOp(&op) && !isa<SymbolOp>(op))
                earlier.clear();
            for (Region &region : op.getRegions())
                for (Block &inner : region)
                    fuseAcross(inner, pointsTo, schedule);
        } else if (NestOp fused = fuseWithEarlier(earlier, nest, pointsTo)) {
            schedule(fused);
        } else {
            earlier.push_back(nest);
            if (earlier.size() > maxCandidates)
                earlier.erase(earlier.begin());
        }
    }
}

void dropWrite(NestOp nest, unsigned w) {
    SmallVector<Attribute> maps(nest.getWriteMaps().begin(), nest.getWriteMaps().end());
    SmallVector<Attribute> combine(nest.getCombine().begin(), nest.getCombine().end());
    maps.erase(maps.begin() + w);
    combine.erase(combine.begin() + w);
    if (auto known = nest.getGroups()) {
        SmallVector<int64_t> groups(*known);
        groups.erase(groups.begin() + nest.getReads().size() + w);
        nest.setGroups(groups);
    }
    nest.getBody().front().getTerminator()->eraseOperand(w);
    nest.getWritesMutable().erase(w);
    nest.setWriteMapsAttr(ArrayAttr::get(nest.getContext(), maps));
    nest.setCombineAttr(ArrayAttr::get(nest.getContext(), combine));
    if (nest.getWrites().empty() && nest.getNumResults() == 0)
        nest->erase();
}

// Dead store elimination: a fresh array that nests only write is not live.
void dropDeadStores(FuncOp func) {
    SmallVector<AllocOp> arrays;
    func->walk([&](AllocOp array) { arrays.push_back(array); });
    for (AllocOp array : arrays) {
        bool unread = llvm::all_of(array->getUses(), [](OpOperand &use) {
            auto nest = dyn_cast<NestOp>(use.getOwner());
            return nest && use.getOperandNumber() >= nest.getReads().size();
        });
        while (unread && !array->use_empty()) {
            OpOperand &use = *array->use_begin();
            auto nest = cast<NestOp>(use.getOwner());
            dropWrite(nest, use.getOperandNumber() - nest.getReads().size());
        }
    }
}

} // namespace

void shapecast::fuseNests(FuncOp func) {
    PointsTo pointsTo(func);
    fuseBlock(func.getBody().front(), pointsTo);
    dropDeadStores(func);
    eraseDead(func);
}

void shapecast::fuseScheduled(FuncOp func, const PointsTo &pointsTo,
                              llvm::function_ref<void(NestOp)> schedule) {
    fuseAcross(func.getBody().front(), pointsTo, schedule);
    dropDeadStores(func);
    eraseDead(func);
}
