// See forward_pieces.h.
#include "passes/values/forward_pieces.h"

#include "ir/dim_facts.h"
#include "passes/analysis/clobbers.h"
#include "passes/analysis/scope_facts.h"
#include "passes/values/simplify.h"
#include "passes/values/subarrays.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

constexpr size_t maxBoxes = 9;         // a plane with other values along each of its edges
constexpr size_t maxOperations = 400;  // over all boxes: code size
constexpr int maxRecomputedFlops = 16; // per element of a piece that several expressions read

// A window of the array and the value stored there.
struct Piece {
    SmallVector<DimAttr> from, to; // per dimension of the array
    SmallVector<int64_t> axis;     // per dimension of the array: the value's, -1: fixed
    Value value;                   // of the window; a scalar: of each of its elements
};

struct AssembledArray {
    SmallVector<Piece> pieces; // a later one overwrites earlier ones
    SmallVector<ReadOp> reads;
};

bool isSink(Operation *op) { return isa<AssignOp, MaterializeOp>(op); }
Value valueOf(Operation *sink) { return sink->getOperand(0); }

// Collects the array's stores and reads; false if it has other uses.
bool onlyStoredAndRead(Value handle, Block *block, SmallVectorImpl<Operation *> &stores,
                       SmallVectorImpl<ReadOp> &reads) {
    return llvm::all_of(handle.getUsers(), [&](Operation *user) {
        if (user->getBlock() != block)
            return false;
        if (isa<ViewOp>(user))
            return onlyStoredAndRead(user->getResult(0), block, stores, reads);
        if (auto read = dyn_cast<ReadOp>(user))
            reads.push_back(read);
        else if (isa<AssignOp, StoreOp>(user))
            stores.push_back(user);
        else
            return false;
        return true;
    });
}

bool allConst(ArrayRef<DimAttr> dims, int64_t value) {
    return llvm::all_of(dims, [&](DimAttr dim) { return dim.isConst(value); });
}

Piece wholePiece(MaterializeOp array) {
    ArrayRef<DimAttr> dims = array.getType().getDims();
    return {SmallVector<DimAttr>(dims.size(), dimConst(array.getContext(), 0)),
            llvm::to_vector(dims),
            llvm::to_vector(llvm::seq<int64_t>(0, static_cast<int64_t>(dims.size()))),
            array.getValue()};
}

std::optional<Piece> pieceOf(Operation *store, Value array, const PointsTo &pointsTo) {
    Value handle = store->getOperand(1);
    Window window = pointsTo.window(handle);
    if (window.root != array || !allConst(window.step, 1))
        return std::nullopt;
    Piece piece{window.offset, {}, window.axis, store->getOperand(0)};
    DimAttr one = dimConst(store->getContext(), 1);
    ArrayRef<DimAttr> sizes = cast<ArrayType>(handle.getType()).getDims();
    if (auto element = dyn_cast<StoreOp>(store))
        for (auto [d, axis] : llvm::enumerate(window.axis))
            if (axis >= 0) {
                Attribute index = element.getIndices()[axis];
                piece.from[d] = dimAdd(piece.from[d], cast<DimAttr>(index));
                piece.axis[d] = -1;
            }
    for (auto [from, axis] : llvm::zip_equal(piece.from, piece.axis))
        piece.to.push_back(dimAdd(from, axis < 0 ? one : sizes[axis]));
    return piece;
}

std::optional<AssembledArray> piecesOf(Value array, const PointsTo &pointsTo) {
    Operation *made = array.getDefiningOp();
    if (!isa_and_nonnull<AllocOp, MaterializeOp>(made))
        return std::nullopt;
    SmallVector<Operation *> stores;
    AssembledArray assembled;
    if (!onlyStoredAndRead(array, made->getBlock(), stores, assembled.reads) || stores.empty() ||
        assembled.reads.empty())
        return std::nullopt;
    llvm::sort(stores, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    if (!llvm::all_of(assembled.reads,
                      [&](ReadOp read) { return stores.back()->isBeforeInBlock(read); }))
        return std::nullopt;
    if (auto whole = dyn_cast<MaterializeOp>(made))
        assembled.pieces.push_back(wholePiece(whole));
    for (Operation *store : stores) {
        std::optional<Piece> piece = pieceOf(store, array, pointsTo);
        if (!piece)
            return std::nullopt;
        assembled.pieces.push_back(std::move(*piece));
    }
    return assembled;
}

// The cuts along one axis: ascending, from 0 to its size.
struct Cuts {
    SmallVector<DimAttr> at;

    bool add(DimAttr cut, const DimFacts &facts) {
        if (facts.provesGreaterEqual(at.front(), cut) || facts.provesGreaterEqual(cut, at.back()))
            return true;
        for (auto [k, next] : llvm::enumerate(at)) {
            if (facts.provesEqual(next, cut))
                return true;
            if (!facts.provesGreaterEqual(next, cut))
                continue;
            if (!facts.provesGreaterEqual(cut, at[k - 1]))
                return false;
            at.insert(at.begin() + k, cut);
            return true;
        }
        return false;
    }
    // The index of a cut that was added.
    size_t indexOf(DimAttr cut, const DimFacts &facts) const {
        if (facts.provesGreaterEqual(at.front(), cut))
            return 0;
        if (facts.provesGreaterEqual(cut, at.back()))
            return at.size() - 1;
        return llvm::find_if(at, [&](DimAttr next) { return facts.provesEqual(next, cut); }) -
               at.begin();
    }
};

struct Box {
    SmallVector<size_t> from, to;           // per axis, indices of cuts
    SmallVector<const Piece *> definitions; // per read of a pieced array: its definition
};

// A read that reads the same array in every box, at a shift that depends on the box.
struct ShiftedRead {
    Value root, array;                        // of its window; the handle in the pieces
    SmallVector<int64_t> axis;                // per dimension of the root: of the boxes, -1: fixed
    SmallVector<SmallVector<DimAttr>> shifts; // per dimension, and index of the box along its axis
};

//===-- One expression

class Boxes : SubarrayBuilder {
public:
    Boxes(Operation *sink, const PointsTo &pointsTo, unsigned number)
        : SubarrayBuilder(sink, pointsTo), sink(sink), facts(sink->getContext()), number(number) {}

    bool rewrite();

private:
    bool collect(Value value, bool mayBeAssembled);
    bool collectRead(ReadOp read, bool mayBeAssembled);
    bool isProfitable(const AssembledArray &assembled);
    int cost(Value value);
    void materialiseShared();
    bool cut();
    bool splitIntoBoxes();
    const Piece *pieceUnder(const Box &box, ReadOp read) const;
    bool covers(const Piece &piece, const Box &box, ReadOp read) const;
    void merge();
    std::optional<Value> replacementFor(Value value, const Subarray &part) override;
    Value partOfPiece(const Piece &piece, ReadOp read, const Subarray &part);
    bool hasNoOverlap() const;
    std::optional<ShiftedRead> shiftedRead(size_t k);
    bool areShiftedReads();
    DimAttr selectDim(ArrayRef<DimAttr> byIndex, DimAttr index) const;
    DimAttr bind(StringRef name, DimAttr value);
    Subarray enterLoops();
    bool emit();
    bool emitLoop();
    Value target();
    void store(Value value, Value target, const Subarray &part);
    Value shiftedPart(const ShiftedRead &read, const Subarray &part, Location loc);

    Operation *sink;
    DimFacts facts;                    // at the sink; set by `cut`
    unsigned number;                   // of the sink, in its function
    llvm::SetVector<Operation *> tree; // the operations of the expression
    llvm::MapVector<Operation *, AssembledArray> arrays;
    SmallVector<ReadOp> reads; // of these arrays, in the expression
    llvm::SetVector<Value> bases;
    llvm::DenseMap<Value, int> costs;
    llvm::DenseMap<Value, Value> materialised;
    SmallVector<Cuts> cuts;
    SmallVector<Box> boxes;
    const Box *currentBox = nullptr;
    SmallVector<ShiftedRead> shifted; // per read, in a loop over the boxes
    SmallVector<DimAttr> boxIndex;    // there: along each axis
    bool inLoop = false;
    unsigned names = 0;
};

// Whether all uses of the array are in expressions of its block that are stored; and if there are
// several, whether its pieces are cheap to recompute.
bool Boxes::isProfitable(const AssembledArray &assembled) {
    llvm::SetVector<Operation *> users;
    for (ReadOp read : assembled.reads)
        users.insert(read);
    size_t sinks = 0;
    for (size_t k = 0; k < users.size(); ++k)
        for (Operation *user : users[k]->getUsers()) {
            if (user->getBlock() != sink->getBlock() ||
                (!isSink(user) && !isa<UfuncOp, CastOp>(user)))
                return false;
            if (!isSink(user))
                users.insert(user);
            else
                ++sinks;
        }
    int maxCost = 0;
    for (const Piece &piece : assembled.pieces)
        maxCost = std::max(maxCost, cost(piece.value));
    const int times = static_cast<int>(std::max(sinks, assembled.reads.size()));
    return times == 1 || (times > 1 && maxCost <= maxRematerialisationCost &&
                          maxCost * times <= maxRecomputedFlops);
}

int Boxes::cost(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !isa<RankedTensorType>(value.getType()))
        return 0;
    if (auto found = costs.find(value); found != costs.end())
        return found->second;
    int sum = elementCost(op);
    if (isa<UfuncOp, CastOp, BroadcastOp>(op))
        for (Value operand : op->getOperands())
            sum = std::min(sum + cost(operand), 1000);
    return costs[value] = sum;
}

bool Boxes::collectRead(ReadOp read, bool mayBeAssembled) {
    Value root = pointsTo.window(read.getBase()).root;
    Operation *array = root.getDefiningOp();
    bases.insert(read.getBase());
    if (!array || array->getBlock() != sink->getBlock())
        return true;
    if (!arrays.contains(array)) {
        std::optional<AssembledArray> assembled = piecesOf(root, pointsTo);
        if (!assembled || !isProfitable(*assembled))
            return true;
        arrays.insert({array, *assembled});
        for (const Piece &piece : assembled->pieces)
            if (!isScalar(piece.value.getType()) && !collect(piece.value, /*mayBeAssembled=*/false))
                return false;
    }
    Window window = pointsTo.window(read.getBase());
    if (!mayBeAssembled || !allConst(window.step, 1) ||
        valueDims(read.getType()) != valueDims(valueOf(sink).getType()))
        return false;
    reads.push_back(read);
    bases.remove(read.getBase());
    return true;
}

// Collects the operations of an expression; false where one of them cannot be split into boxes.
bool Boxes::collect(Value value, bool mayBeAssembled) {
    Operation *op = value.getDefiningOp();
    if (!tree.insert(op))
        return true;
    if (auto read = dyn_cast<ReadOp>(op))
        return collectRead(read, mayBeAssembled);
    if (!isa<UfuncOp, CastOp, BroadcastOp>(op))
        return isa<SplatOp, ReduceOp, MatmulOp>(op);
    mayBeAssembled &= !isa<BroadcastOp>(op);
    return llvm::all_of(op->getOperands(), [&](Value operand) {
        return !isa<RankedTensorType>(operand.getType()) || collect(operand, mayBeAssembled);
    });
}

// Materialises values that are no element-wise expressions, and those with other uses.
void Boxes::materialiseShared() {
    for (Operation *op : tree) {
        const bool isExpression = isa<ReadOp, SplatOp, UfuncOp, CastOp, BroadcastOp>(op);
        const bool isShared = llvm::any_of(
            op->getUsers(), [&](Operation *user) { return user != sink && !tree.contains(user); });
        Value value = op->getResult(0);
        if (isExpression && (!isShared || cost(value) <= maxRematerialisationCost))
            continue;
        OpBuilder after(op->getContext());
        after.setInsertionPointAfter(op);
        materialised[value] = MaterializeOp::create(after, op->getLoc(), value);
    }
}

//===-- The boxes

bool Boxes::cut() {
    collectFacts(sink, facts);
    DimAttr zero = dimConst(sink->getContext(), 0);
    for (DimAttr size : valueDims(valueOf(sink).getType()))
        cuts.push_back({{zero, size}});
    for (ReadOp read : reads) {
        Window window = pointsTo.window(read.getBase());
        for (const Piece &piece : arrays[window.root.getDefiningOp()].pieces)
            for (auto [d, axis] : llvm::enumerate(window.axis)) {
                if (axis < 0)
                    continue;
                for (DimAttr edge : {piece.from[d], piece.to[d]})
                    if (!cuts[axis].add(facts.canonical(dimSub(edge, window.offset[d])), facts))
                        return false;
            }
    }
    return true;
}

bool Boxes::covers(const Piece &piece, const Box &box, ReadOp read) const {
    Window window = pointsTo.window(read.getBase());
    for (auto [d, axis] : llvm::enumerate(window.axis)) {
        DimAttr offset = window.offset[d];
        if (axis < 0) {
            if (!facts.provesGreaterEqual(offset, piece.from[d]) ||
                !facts.provesLess(offset, piece.to[d]))
                return false;
            continue;
        }
        auto indexOf = [&](DimAttr edge) {
            return cuts[axis].indexOf(facts.canonical(dimSub(edge, offset)), facts);
        };
        if (box.from[axis] < indexOf(piece.from[d]) || box.to[axis] > indexOf(piece.to[d]))
            return false;
    }
    return true;
}

// The piece that the read reads in the box; null: none, or it is not known which.
const Piece *Boxes::pieceUnder(const Box &box, ReadOp read) const {
    Window window = pointsTo.window(read.getBase());
    const AssembledArray &assembled = arrays.find(window.root.getDefiningOp())->second;
    for (const Piece &piece : llvm::reverse(assembled.pieces)) {
        if (covers(piece, box, read))
            return &piece;
        for (auto [d, axis] : llvm::enumerate(window.axis)) // disjoint from it?
            if (axis < 0 && !facts.provesLess(window.offset[d], piece.from[d]) &&
                !facts.provesGreaterEqual(window.offset[d], piece.to[d]) &&
                !(facts.provesGreaterEqual(window.offset[d], piece.from[d]) &&
                  facts.provesLess(window.offset[d], piece.to[d])))
                return nullptr;
    }
    return nullptr;
}

bool Boxes::splitIntoBoxes() {
    size_t count = 1;
    for (const Cuts &axis : cuts)
        if ((count *= axis.at.size() - 1) > 8 * maxBoxes)
            return false;
    for (size_t number = 0; number < count; ++number) {
        Box box;
        size_t rest = number;
        for (const Cuts &axis : cuts) {
            box.from.push_back(rest % (axis.at.size() - 1));
            box.to.push_back(box.from.back() + 1);
            rest /= axis.at.size() - 1;
        }
        for (ReadOp read : reads) {
            box.definitions.push_back(pieceUnder(box, read));
            if (!box.definitions.back())
                return false;
        }
        boxes.push_back(std::move(box));
    }
    return true;
}

// Merges adjacent boxes over the same pieces; along the last axis first.
void Boxes::merge() {
    auto tryMerge = [&](Box &a, const Box &b, size_t axis) {
        for (size_t k = 0; k < cuts.size(); ++k)
            if (k != axis && (a.from[k] != b.from[k] || a.to[k] != b.to[k]))
                return false;
        if (a.definitions != b.definitions || a.to[axis] != b.from[axis])
            return false;
        a.to[axis] = b.to[axis];
        return true;
    };
    for (size_t axis = cuts.size(); axis-- > 0;)
        for (size_t k = 0; k < boxes.size();) {
            auto next = llvm::find_if(boxes, [&](Box &b) { return tryMerge(boxes[k], b, axis); });
            if (next == boxes.end()) {
                ++k;
                continue;
            }
            boxes.erase(next);
            k = 0;
        }
}

//===-- The values in them

// `part` is of the read's result: a box, or a part of one.
Value Boxes::partOfPiece(const Piece &piece, ReadOp read, const Subarray &part) {
    if (isScalar(piece.value.getType()))
        return SplatOp::create(builder, read.getLoc(), piece.value, part.dims,
                               deviceOf(read.getType()));
    Window window = pointsTo.window(read.getBase());
    DimAttr one = dimConst(read.getContext(), 1);
    Subarray inner{{}, {}, SmallVector<int64_t>(part.axes.size(), -1), part.dims};
    const size_t rank = valueDims(piece.value.getType()).size(); // with axes that the view added
    inner.offsets.assign(rank, dimConst(read.getContext(), 0));
    inner.steps.assign(rank, one);
    for (auto [d, axis] : llvm::enumerate(piece.axis)) {
        if (axis < 0)
            continue;
        const int64_t along = window.axis[d];
        DimAttr at = along < 0 ? window.offset[d] : dimAdd(window.offset[d], part.offsets[along]);
        inner.offsets[axis] = facts.canonical(dimSub(at, piece.from[d]));
        auto result = llvm::find(part.axes, along);
        if (along >= 0 && result != part.axes.end())
            inner.axes[result - part.axes.begin()] = axis;
    }
    return this->subarray(piece.value, inner);
}

std::optional<Value> Boxes::replacementFor(Value value, const Subarray &part) {
    if (Value array = materialised.lookup(value))
        return readOf(array, part, value.getLoc());
    auto read = value.getDefiningOp<ReadOp>();
    auto found = llvm::find(reads, read);
    if (!read || found == reads.end())
        return std::nullopt;
    const size_t k = found - reads.begin();
    return inLoop ? shiftedPart(shifted[k], part, read.getLoc())
                  : partOfPiece(*currentBox->definitions[k], read, part);
}

// Whether no box reads what the boxes store.
bool Boxes::hasNoOverlap() const {
    auto assign = dyn_cast<AssignOp>(sink);
    return !assign || llvm::all_of(bases, [&](Value base) {
        return pointsTo.disjoint(assign.getBase(), base, sink);
    });
}

Value Boxes::target() {
    if (auto assign = dyn_cast<AssignOp>(sink))
        return assign.getBase();
    return AllocOp::create(builder, sink->getLoc(), sink->getResult(0).getType());
}

void Boxes::store(Value value, Value target, const Subarray &part) {
    Value view = ViewOp::create(builder, sink->getLoc(), target, part.offsets, part.steps,
                                part.axes, part.dims, facts);
    AssignOp::create(builder, sink->getLoc(), value, view);
}

bool Boxes::emit() {
    const size_t rank = cuts.size();
    auto ones = SmallVector<DimAttr>(rank, dimConst(sink->getContext(), 1));
    auto axes = llvm::to_vector(llvm::seq<int64_t>(0, static_cast<int64_t>(rank)));
    SmallVector<Subarray> parts;
    SmallVector<Value> values;
    for (const Box &box : boxes) {
        currentBox = &box;
        Subarray part{{}, ones, axes, {}};
        for (size_t k = 0; k < rank; ++k) {
            part.offsets.push_back(cuts[k].at[box.from[k]]);
            part.dims.push_back(
                facts.canonical(dimSub(cuts[k].at[box.to[k]], part.offsets.back())));
        }
        values.push_back(this->subarray(valueOf(sink), part));
        if (!values.back())
            return false;
        parts.push_back(std::move(part));
    }
    Value whole = target();
    for (auto [part, value] : llvm::zip_equal(parts, values))
        store(value, whole, part);
    if (isa<MaterializeOp>(sink))
        sink->getResult(0).replaceAllUsesWith(whole);
    sink->erase();
    return true;
}

//===-- A loop over the boxes

static Value viewedArray(Value handle) {
    while (auto view = handle.getDefiningOp<ViewOp>())
        handle = view.getBase();
    return handle;
}

// The k-th read as one of the same array in all boxes.
std::optional<ShiftedRead> Boxes::shiftedRead(size_t k) {
    Window window = pointsTo.window(reads[k].getBase());
    ShiftedRead shifted;
    for (const Box &box : boxes) {
        const Piece &piece = *box.definitions[k];
        auto read = piece.value.getDefiningOp<ReadOp>();
        if (!read || !reaches(read))
            return std::nullopt;
        Window inner = pointsTo.window(read.getBase());
        const size_t rank = inner.offset.size();
        if (!shifted.root) {
            shifted.root = inner.root;
            shifted.array = viewedArray(read.getBase());
            shifted.axis.assign(rank, -1);
            shifted.shifts.resize(rank);
        }
        if (inner.root != shifted.root || !allConst(inner.step, 1))
            return std::nullopt;
        for (size_t e = 0; e < rank; ++e) {
            int64_t along = -1;
            DimAttr shift = inner.offset[e];
            auto axis = llvm::find(piece.axis, inner.axis[e]);
            if (inner.axis[e] >= 0 && axis != piece.axis.end()) { // else added by the view
                const size_t d = axis - piece.axis.begin();
                along = window.axis[d];
                shift = facts.canonical(dimAdd(shift, dimSub(window.offset[d], piece.from[d])));
            }
            auto &byBoxIndex = shifted.shifts[e];
            if (byBoxIndex.empty()) {
                shifted.axis[e] = along;
                byBoxIndex.resize(along < 0 ? 1 : cuts[along].at.size() - 1);
            }
            DimAttr &entry = byBoxIndex[along < 0 ? 0 : box.from[along]];
            if (along != shifted.axis[e] || (entry && entry != shift))
                return std::nullopt;
            entry = shift;
        }
    }
    return shifted;
}

bool Boxes::areShiftedReads() {
    for (size_t k = 0; k < reads.size(); ++k) {
        std::optional<ShiftedRead> found = shiftedRead(k);
        if (!found)
            return false;
        shifted.push_back(std::move(*found));
    }
    return true;
}

DimAttr Boxes::bind(StringRef name, DimAttr value) {
    const std::string unique = (name + Twine(number) + "_" + Twine(names++)).str();
    Location loc = sink->getLoc();
    Value bound = SizeOp::create(builder, loc, PyIntType::get(loc.getContext()), value);
    SymbolOp::create(builder, loc, builder.getStringAttr(unique), bound);
    return dimSymbol(loc.getContext(), unique);
}

// byIndex[index] as a dim: a sum of steps, evaluated on entry to the box.
DimAttr Boxes::selectDim(ArrayRef<DimAttr> byIndex, DimAttr index) const {
    MLIRContext *ctx = sink->getContext();
    DimAttr zero = dimConst(ctx, 0), one = dimConst(ctx, 1), sum = byIndex.front();
    for (size_t k = 1; k < byIndex.size(); ++k) {
        DimAttr is = dimMax(zero, dimMin(one, dimPlus(index, 1 - static_cast<int64_t>(k))));
        sum = dimAdd(sum, dimMul(dimSub(byIndex[k], byIndex[k - 1]), is));
    }
    return sum;
}

// Opens one loop per axis with several boxes; the box of the innermost iteration.
Subarray Boxes::enterLoops() {
    MLIRContext *ctx = sink->getContext();
    Location loc = sink->getLoc();
    DimAttr zero = dimConst(ctx, 0), one = dimConst(ctx, 1);
    Subarray part;
    for (auto [k, axis] : llvm::enumerate(cuts)) {
        part.steps.push_back(one);
        part.axes.push_back(static_cast<int64_t>(k));
        const size_t count = axis.at.size() - 1;
        boxIndex.push_back(zero);
        if (count == 1)
            continue;
        const std::string name = ("box" + Twine(number) + "_" + Twine(k)).str();
        ForOp loop = ForOp::create(builder, loc, TypeRange(), builder.getStringAttr(name), zero,
                                   dimConst(ctx, static_cast<int64_t>(count)), one, ValueRange());
        Block *body = builder.createBlock(&loop.getBody());
        body->addArgument(PyIntType::get(ctx), loc);
        NextOp::create(builder, loc, ValueRange(), Value());
        builder.setInsertionPointToStart(body);
        boxIndex.back() = dimSymbol(ctx, name);
    }
    for (auto [axis, index] : llvm::zip_equal(cuts, boxIndex)) {
        DimAttr from = axis.at[0], extent = axis.at[1];
        if (axis.at.size() > 2) {
            from = bind("cut", selectDim(ArrayRef(axis.at).drop_back(), index));
            extent = bind("many", dimSub(selectDim(ArrayRef(axis.at).drop_front(), index), from));
        }
        part.offsets.push_back(from);
        part.dims.push_back(extent);
    }
    return part;
}

bool Boxes::emitLoop() {
    Value whole = target();
    Operation *before = sink->getPrevNode();
    Subarray part = enterLoops();
    inLoop = true;
    Value value = this->subarray(valueOf(sink), part);
    if (!value) {
        while (sink->getPrevNode() != before)
            sink->getPrevNode()->erase();
        return false;
    }
    store(value, whole, part);
    if (isa<MaterializeOp>(sink))
        sink->getResult(0).replaceAllUsesWith(whole);
    sink->erase();
    return true;
}

Value Boxes::shiftedPart(const ShiftedRead &read, const Subarray &part, Location loc) {
    Subarray inner{{}, {}, SmallVector<int64_t>(part.axes.size(), -1), part.dims};
    for (auto [e, along] : llvm::enumerate(read.axis)) {
        DimAttr shift = read.shifts[e].front();
        if (along >= 0) {
            if (llvm::any_of(read.shifts[e], [&](DimAttr other) { return other != shift; }))
                shift = bind("shift", selectDim(read.shifts[e], boxIndex[along]));
            shift = dimAdd(part.offsets[along], shift);
            inner.axes[along] = static_cast<int64_t>(e);
        }
        inner.offsets.push_back(shift);
        inner.steps.push_back(dimConst(sink->getContext(), 1));
    }
    return readOf(read.array, inner, loc);
}

bool Boxes::rewrite() {
    if (!isa<RankedTensorType>(valueOf(sink).getType()) || !collect(valueOf(sink), true) ||
        reads.empty() || !cut() || !splitIntoBoxes() || !hasNoOverlap())
        return false;
    // Boxes that only copy stay separate nests: np-strip-mine interleaves them with adjacent nests.
    // And on a device they are all launched at once.
    const bool computes = llvm::any_of(tree, [](Operation *op) { return elementCost(op) > 0; });
    const bool mayLoop =
        (computes || boxes.size() > maxBoxes) && !deviceOf(valueOf(sink).getType());
    if (mayLoop && areShiftedReads()) {
        materialiseShared();
        return emitLoop();
    }
    merge();
    if (boxes.size() > maxBoxes || boxes.size() * tree.size() > maxOperations)
        return false;
    materialiseShared();
    return emit();
}

} // namespace

void shapecast::forwardPieces(FuncOp func) {
    SmallVector<Operation *> sinks;
    func->walk([&](Operation *op) {
        if (isSink(op))
            sinks.push_back(op);
    });
    std::optional<PointsTo> pointsTo;
    bool changed = false;
    unsigned number = 0;
    for (Operation *sink : sinks) { // in program order: an assembled array may be a piece
        if (!pointsTo)
            pointsTo.emplace(func);
        if (!Boxes(sink, *pointsTo, number++).rewrite())
            continue;
        changed = true;
        pointsTo.reset();
    }
    if (changed)
        simplify(func);
}
