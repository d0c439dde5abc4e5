// What each nest computes, from which arrays, and where in the user's source.
#include "passes/analysis/nest_report.h"
#include "ir/dim.h"
#include "passes/analysis/points_to.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// The initial value of a loop's carried argument or result `k`.
Value beforeLoop(Operation *loop, unsigned k) {
    if (auto counted = dyn_cast<ForOp>(loop))
        return counted.getInits()[k];
    return cast<WhileOp>(loop).getInits()[k];
}

// The array that a handle views. A loop-carried handle counts as its initial value: in the source
// it has the same name.
Value arrayOf(Value handle) {
    for (;;) {
        Operation *op = handle.getDefiningOp();
        if (Value base = mayShareWith(op)) {
            handle = base;
        } else if (isa_and_nonnull<ForOp, WhileOp>(op)) {
            handle = beforeLoop(op, cast<OpResult>(handle).getResultNumber());
        } else if (auto argument = dyn_cast<BlockArgument>(handle);
                   argument && isa<ForOp, WhileOp>(argument.getOwner()->getParentOp())) {
            Operation *loop = argument.getOwner()->getParentOp();
            const unsigned counters = isa<ForOp>(loop);
            handle = beforeLoop(loop, argument.getArgNumber() - counters);
        } else {
            return handle;
        }
    }
}

int parameterNumber(Value array) {
    auto argument = dyn_cast<BlockArgument>(array);
    return argument && isa<FuncOp>(argument.getOwner()->getParentOp())
               ? int(argument.getArgNumber())
               : -1;
}

std::vector<ArrayUse> usesOf(ValueRange handles) {
    llvm::MapVector<Value, SmallVector<Value>> views;
    for (Value handle : handles) {
        SmallVector<Value> &seen = views[arrayOf(handle)];
        if (!llvm::is_contained(seen, handle))
            seen.push_back(handle);
    }
    std::vector<ArrayUse> uses;
    for (auto &[array, seen] : views)
        uses.push_back({parameterNumber(array), array.getLoc(), unsigned(seen.size())});
    return uses;
}

int64_t bytesOf(Type element) {
    if (auto number = dyn_cast<ComplexType>(element))
        return 2 * bytesOf(number.getElementType());
    return element.isIntOrFloat() ? std::max(8u, element.getIntOrFloatBitWidth()) / 8 : 0;
}

// The bytes of what the nest accesses of an array: the product of those of its sizes over which the
// index runs. Along others, which are 1 or may be, there is at least one element.
DimAttr bytesOf(Value handle, ArrayAttr map, ArrayAttr space) {
    MLIRContext *ctx = handle.getContext();
    DimAttr bytes = dimConst(ctx, bytesOf(cast<ArrayType>(handle.getType()).getDtype()));
    for (auto [k, size] : llvm::enumerate(space.getAsRange<DimAttr>())) {
        const std::string iterator = "d" + std::to_string(k);
        if (llvm::any_of(map.getAsRange<DimAttr>(), [&](DimAttr index) {
                std::optional<DimLinear> linear = dimLinearIn(index, iterator);
                return linear && linear->coefficient != 0;
            }))
            bytes = dimMul(bytes, size);
    }
    return bytes;
}

DimAttr bytesOf(ValueRange handles, ArrayAttr maps, ArrayAttr space) {
    llvm::MapVector<Value, DimAttr> most; // of an array's windows
    for (auto [handle, map] : llvm::zip_equal(handles, maps.getAsRange<ArrayAttr>())) {
        DimAttr bytes = bytesOf(handle, map, space);
        DimAttr &known = most[arrayOf(handle)];
        known = known ? dimMax(known, bytes) : bytes;
    }
    DimAttr sum = dimConst(maps.getContext(), 0);
    for (auto [array, bytes] : most)
        sum = dimAdd(sum, bytes);
    return sum;
}

std::string product(ArrayRef<Attribute> sizes) {
    std::string text;
    for (Attribute size : sizes) {
        const std::string factor = dimText(cast<DimAttr>(size));
        const bool isSum = factor.find(' ') != std::string::npos;
        text += (text.empty() ? "" : " x ") + (isSum ? "(" + factor + ")" : factor);
    }
    return text;
}

// "sums", or "add" of what has no such word.
StringRef wordFor(StringRef reduction) {
    return llvm::StringSwitch<StringRef>(reduction)
        .Case("add", "sums")
        .Case("multiply", "products")
        .Case("maximum", "maxima")
        .Case("minimum", "minima")
        .Case("logical_and", "all")
        .Case("logical_or", "any")
        .Default(reduction);
}

NestReport begin(Operation *op) {
    NestReport report(op->getLoc());
    for (Operation *around = op->getParentOp(); !isa<FuncOp>(around);
         around = around->getParentOp())
        if (isa<ForOp, WhileOp>(around))
            report.loops.insert(report.loops.begin(), around->getLoc());
    return report;
}

NestReport ofNest(NestOp nest) {
    NestReport report = begin(nest);
    report.space = product(nest.getSpace().getValue());
    report.reads = usesOf(nest.getReads());
    report.writes = usesOf(nest.getWrites());
    report.bytes = dimAdd(bytesOf(nest.getReads(), nest.getReadMaps(), nest.getSpace()),
                          bytesOf(nest.getWrites(), nest.getWriteMaps(), nest.getSpace()));
    SmallVector<StringRef> words;
    for (auto reduction : nest.getCombine().getAsValueRange<StringAttr>())
        if (!reduction.empty()) {
            ++report.operations;
            if (!llvm::is_contained(words, wordFor(reduction)))
                words.push_back(wordFor(reduction));
        }
    if (!words.empty())
        report.reductions =
            llvm::join(words, " and ") + " along " +
            product(nest.getSpace().getValue().take_back(size_t(nest.getReduced())));
    nest.getBody().walk([&](Operation *op) {
        if (!isa<NestYieldOp, ConstOp>(op))
            report.parts.push_back(op->getLoc());
        report.operations += isa<UfuncOp, PyOp>(op);
    });
    return report;
}

NestReport ofProduct(GemmOp product) {
    NestReport report = begin(product);
    report.isProduct = true;
    report.reads = usesOf(SmallVector<Value>{product.getLhs(), product.getRhs()});
    if (Value out = product.getOut())
        report.writes = usesOf(out);
    return report;
}

} // namespace

NestReport shapecast::reportNest(NestOp nest) { return ofNest(nest); }

std::vector<NestReport> shapecast::reportNests(ModuleOp module) {
    std::vector<NestReport> reports;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (auto nest = dyn_cast<NestOp>(op))
            reports.push_back(ofNest(nest));
        else if (auto product = dyn_cast<GemmOp>(op))
            reports.push_back(ofProduct(product));
    });
    return reports;
}
