// np-profile: see the header.
#include "passes/loops/profile.h"

#include "ir/frames.h"
#include "ir/symbols.h"
#include "ops/ufunc/types.h"
#include "passes/analysis/nest_report.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace shapecast {

using namespace np;

namespace {

// What has a row of its own wherever it stands.
bool isHeavy(Operation *op) {
    if (auto native = dyn_cast<NativeOp>(op))
        return native.getName() != "strip_bytes"; // np-strip-mine's: it reads a number
    return isa<NestOp, GemmOp, CallOp, PrintOp, ReshapeAnyOp>(op);
}

bool holdsHeavy(Operation *op) {
    return op
        ->walk([&](Operation *inner) {
            return isHeavy(inner) && inner != op ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
}

bool holdsLoop(Operation *op) {
    return op
        ->walk([&](Operation *inner) {
            return isa<ForOp, WhileOp>(inner) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
}

// Code is made for it as a whole, with all that is in it.
bool isOneUnit(Operation *loop) {
    auto counted = dyn_cast<ForOp>(loop);
    return loop->getAttrOfType<StringAttr>("placement") ||
           (counted &&
            (counted.getStripMined() || counted.getRegisterTiled() || counted.getOuterVector()));
}

// Nothing runs for it, or next to nothing.
bool isFree(Operation *op) {
    return op->hasTrait<OpTrait::IsTerminator>() || isPure(op) || isa<SymbolOp, RequireOp>(op);
}

// The line of what is fused into a nest, in the innermost function that the two share; "" where
// that is the nest's own.
std::string otherLine(Location nest, Location part) {
    const std::vector<Frame> own = framesOf(nest), other = framesOf(part);
    for (auto [k, pair] : llvm::enumerate(llvm::zip(own, other))) {
        const auto &[mine, its] = pair;
        if (mine.function != its.function)
            return "";
        if (mine.line != its.line)
            return std::to_string(its.line) + (k + 1 < own.size() ? " of " + its.function : "");
    }
    return "";
}

// Where its time counts: where it stores or sums, unless it only copies there what it computes of
// another line.
Location placeOf(const NestReport &nest) {
    const bool computesHere = nest.parts.empty() || llvm::any_of(nest.parts, [&](Location part) {
                                  return otherLine(nest.location, part).empty();
                              });
    return computesHere ? nest.location : nest.parts.back();
}

// "s0 x s1, sums along s1, with lines 4, 5"
std::string describe(const NestReport &nest, Location place) {
    std::string text = nest.space.empty() ? "one element" : nest.space;
    if (!nest.reductions.empty())
        text += ", " + nest.reductions;
    SmallVector<std::string> lines;
    for (Location part : llvm::concat<const Location>(nest.parts, ArrayRef(nest.location)))
        if (std::string line = otherLine(place, part);
            !line.empty() && !llvm::is_contained(lines, line))
            lines.push_back(line);
    if (lines.empty())
        return text;
    return text + (lines.size() == 1 ? ", with line " : ", with lines ") + llvm::join(lines, ", ");
}

DimAttr bytesOf(Value handle) {
    auto array = cast<ArrayType>(handle.getType());
    const std::optional<OperandType> element = operandType(array.getDtype());
    DimAttr bytes = dimConst(handle.getContext(), element ? int64_t(itemSize(element->dtype)) : 0);
    for (DimAttr size : array.getDims())
        bytes = dimMul(bytes, size);
    return bytes;
}

// Each element of its operands once.
DimAttr bytesOf(GemmOp product) {
    DimAttr sum = dimConst(product.getContext(), 0);
    for (Value operand : product->getOperands())
        sum = dimAdd(sum, bytesOf(operand));
    return sum;
}

// Of a strip-mined loop: arrays that its nests read once, those that they write once more. Not the
// rows that stay in the cache, which the loop allocates for the symbol rows<k>.
DimAttr bytesOf(ForOp strips) {
    DimAttr sum = dimConst(strips.getContext(), 0);
    llvm::SmallDenseSet<Value> read, written;
    auto add = [&](ValueRange handles, llvm::SmallDenseSet<Value> &seen) {
        for (Value handle : handles) {
            if (handle.getParentRegion() == &strips.getBody() || !seen.insert(handle).second)
                continue;
            bool isKept = false;
            DimAttr bytes = bytesOf(handle);
            dimSymbols(bytes, [&](StringRef name) { isKept |= name.starts_with("rows"); });
            if (!isKept)
                sum = dimAdd(sum, bytes);
        }
    };
    strips.getBody().walk([&](NestOp nest) {
        add(nest.getReads(), read);
        add(nest.getWrites(), written);
    });
    return sum;
}

std::string describeStrips(ForOp strips) {
    size_t count = 0;
    strips.getBody().walk([&](NestOp) { ++count; });
    return "of " + std::to_string(count) + (count == 1 ? " nest" : " nests");
}

// Nests beside a register-tiled loop, and those of one kernel, are emitted with the first of them.
bool isEmittedWithOneBefore(Operation *op) {
    Operation *before = op->getPrevNode();
    auto nest = dyn_cast<NestOp>(op), other = dyn_cast_or_null<NestOp>(before);
    auto tiled = dyn_cast<ForOp>(op), loop = dyn_cast_or_null<ForOp>(before);
    if (tiled)
        return tiled.getRegisterTiled() && other && other.getRegisterTiled() == "before";
    if (!nest)
        return false;
    if (other && nest.getRowGroup() && nest.getRowGroup() == other.getRowGroup())
        return true;
    return nest.getRegisterTiled() &&
           ((other && other.getRegisterTiled()) || (loop && loop.getRegisterTiled()));
}

class Marker {
public:
    explicit Marker(ModuleOp module) : module(module), b(module.getContext()) {}
    void run();

private:
    void block(Block &block, int64_t row);
    int64_t operation(Operation *op, int64_t row);
    int64_t inside(Operation *op, int64_t row);
    int64_t mark(Operation *before, int64_t row, DimAttr bytes = {});
    int64_t rowOf(Operation *op);
    int64_t rowOf(Location loc, StringRef kind, const Twine &text = "");
    bool isLineRow(int64_t row) const;

    ModuleOp module;
    OpBuilder b;
    llvm::MapVector<Attribute, int64_t> rows;
};

constexpr int64_t unknown = -1; // the row is not the same on all ways here

int64_t Marker::rowOf(Location loc, StringRef kind, const Twine &text) {
    auto row = ProfileRowAttr::get(b.getContext(), b.getStringAttr(kind), b.getStringAttr(text),
                                   LocationAttr(loc));
    return rows.insert({row, int64_t(rows.size())}).first->second;
}

bool Marker::isLineRow(int64_t row) const {
    return row >= 0 && cast<ProfileRowAttr>(rows.begin()[row].first).getKind().getValue() == "line";
}

int64_t Marker::rowOf(Operation *op) {
    Location loc = op->getLoc();
    return llvm::TypeSwitch<Operation *, int64_t>(op)
        .Case([&](NestOp nest) {
            const NestReport report = reportNest(nest);
            const Location place = placeOf(report);
            return rowOf(place, "nest", describe(report, place));
        })
        .Case([&](GemmOp) { return rowOf(loc, "product"); })
        .Case([&](NativeOp native) { return rowOf(loc, "library", native.getName()); })
        .Case([&](CallOp call) { return rowOf(loc, "call", shownCallee(call.getCallee())); })
        .Case([&](PrintOp) { return rowOf(loc, "call", "print"); })
        .Case([&](ForOp loop) {
            return loop.getStripMined() ? rowOf(loc, "strips", describeStrips(loop))
                                        : rowOf(loc, "loop");
        })
        .Case([&](WhileOp) { return rowOf(loc, "loop"); })
        .Case([&](ReshapeAnyOp) { return rowOf(loc, "library", "reshape"); })
        .Default([&](Operation *) { return rowOf(loc, "line"); });
}

int64_t Marker::mark(Operation *before, int64_t row, DimAttr bytes) {
    b.setInsertionPoint(before);
    MarkOp::create(b, before->getLoc(), uint64_t(row), bytes);
    return row;
}

// Marks in the regions of a branch or loop; returns the row after it.
int64_t Marker::inside(Operation *op, int64_t row) {
    const bool isLoop = isa<ForOp, WhileOp>(op);
    if (isLoop)
        row = mark(op, rowOf(op->getLoc(), "line"));
    for (Region &region : op->getRegions())
        for (Block &inner : region)
            block(inner, isLoop ? unknown : row);
    if (auto counted = dyn_cast<ForOp>(op); counted && counted.getMultithreaded()) {
        b.setInsertionPointAfter(op); // waiting for the other threads
        MarkOp::create(b, op->getLoc(), uint64_t(row), DimAttr());
        return row;
    }
    return unknown;
}

// Returns the row of what comes after it.
int64_t Marker::operation(Operation *op, int64_t row) {
    const bool isLoop = isa<ForOp, WhileOp>(op);
    const bool isUnit = isLoop && isOneUnit(op);
    const bool isOpen = op->getNumRegions() && !isa<NestOp>(op) && !isUnit;
    if (isOpen && (holdsHeavy(op) || (!isLoop && holdsLoop(op))))
        return inside(op, row);
    if (isEmittedWithOneBefore(op))
        return row;
    if (auto nest = dyn_cast<NestOp>(op))
        return mark(op, rowOf(op), reportNest(nest).bytes);
    if (auto strips = dyn_cast<ForOp>(op); strips && strips.getStripMined())
        return mark(op, rowOf(op), bytesOf(strips));
    if (auto product = dyn_cast<GemmOp>(op))
        return mark(op, rowOf(op), bytesOf(product));
    if (isLoop || isHeavy(op))
        return mark(op, rowOf(op));
    if (isFree(op) || isLineRow(row))
        return row;
    return mark(op, rowOf(op->getLoc(), "line")); // strip_bytes too
}

void Marker::block(Block &block, int64_t row) {
    for (Operation &op : llvm::make_early_inc_range(block))
        row = operation(&op, row);
}

void Marker::run() {
    for (auto func : module.getOps<FuncOp>()) {
        if (func.isDeclaration())
            continue;
        if (rows.empty())
            block(func.getBody().front(), rowOf(func.getLoc(), "start"));
        else
            block(func.getBody().front(), unknown);
    }
    SmallVector<Attribute> list;
    for (const auto &row : rows)
        list.push_back(row.first);
    NpDialect::ProfileAttrHelper(b.getContext()).setAttr(module, b.getArrayAttr(list));
}

} // namespace

LogicalResult markProfile(ModuleOp module) {
    if (NpDialect::ProfileAttrHelper(module.getContext()).getAttr(module))
        Marker(module).run();
    return success();
}

} // namespace shapecast
