#include "lower/llvm/line_tables.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace shapecast {
namespace {

// The innermost function and place of a location.
struct Place {
    StringAttr function, file;
    unsigned line = 0, column = 0;
};

std::optional<Place> placeOf(Location loc) {
    if (auto call = dyn_cast<CallSiteLoc>(loc))
        return placeOf(call.getCallee());
    if (auto fused = dyn_cast<FusedLoc>(loc)) {
        for (Location one : fused.getLocations())
            if (std::optional<Place> place = placeOf(one))
                return place;
        return std::nullopt;
    }
    if (auto name = dyn_cast<NameLoc>(loc)) {
        std::optional<Place> place = placeOf(name.getChildLoc());
        if (place)
            place->function = name.getName();
        return place;
    }
    if (auto range = dyn_cast<FileLineColRange>(loc))
        return Place{StringAttr::get(loc.getContext(), ""), range.getFilename(),
                     range.getStartLine(), range.getStartColumn() + 1};
    return std::nullopt;
}

class LineTables {
public:
    explicit LineTables(ModuleOp module) : ctx(module.getContext()) {}

    void add(LLVM::LLVMFuncOp function) {
        std::optional<Place> first = outermost(function.getLoc());
        function.walk([&](Operation *op) {
            std::optional<Place> place = first ? first : outermost(op->getLoc());
            if (place && (!first || place->line < first->line))
                first = place;
        });
        if (!first)
            return;
        const Location start = at(*first);
        auto scope = subprogram(function.getNameAttr(), *first);
        for (Block &block : function.getBody())
            for (Operation &op : block)
                op.setLoc(converted(op.getLoc(), start, first->file));
        function->setLoc(FusedLoc::get(ctx, {start}, scope));
    }

private:
    static std::optional<Place> outermost(Location loc) {
        while (auto call = dyn_cast<CallSiteLoc>(loc))
            loc = call.getCaller();
        return placeOf(loc);
    }
    Location at(const Place &place) {
        return FileLineColLoc::get(place.file, place.line, place.column);
    }

    // In the function: its own line, or a callee's line at the line of the call.
    Location converted(Location loc, Location otherwise, StringAttr file) {
        if (auto call = dyn_cast<CallSiteLoc>(loc)) {
            const Location caller = converted(call.getCaller(), otherwise, file);
            const std::optional<Place> callee = placeOf(call.getCallee());
            return callee ? Location(CallSiteLoc::get(inlined(call.getCallee(), caller), caller))
                          : caller;
        }
        const std::optional<Place> place = placeOf(loc);
        return place && place->file == file ? at(*place) : otherwise;
    }
    // A callee may be a chain of call sites itself.
    Location inlined(Location loc, Location caller) {
        if (auto call = dyn_cast<CallSiteLoc>(loc)) {
            const Location outer = inlined(call.getCaller(), caller);
            return CallSiteLoc::get(inlined(call.getCallee(), outer), outer);
        }
        const std::optional<Place> place = placeOf(loc);
        if (!place)
            return caller;
        const auto key = std::pair(place->function, place->file);
        LLVM::DISubprogramAttr &scope = callees[key];
        if (!scope)
            scope = subprogram(place->function, *place);
        return FusedLoc::get(ctx, {at(*place)}, scope);
    }

    LLVM::DIFileAttr fileOf(const Place &place) {
        const StringRef path = place.file.getValue();
        return LLVM::DIFileAttr::get(ctx, llvm::sys::path::filename(path),
                                     llvm::sys::path::parent_path(path));
    }

    LLVM::DISubprogramAttr subprogram(StringAttr name, const Place &place) {
        const LLVM::DIFileAttr file = fileOf(place);
        if (!unit)
            unit = LLVM::DICompileUnitAttr::get(
                DistinctAttr::create(UnitAttr::get(ctx)), llvm::dwarf::DW_LANG_Python, file,
                StringAttr::get(ctx, "shapecast"), /*isOptimized=*/true,
                LLVM::DIEmissionKind::LineTablesOnly);
        auto type = LLVM::DISubroutineTypeAttr::get(ctx, llvm::dwarf::DW_CC_normal, {});
        return LLVM::DISubprogramAttr::get(
            ctx, DistinctAttr::create(UnitAttr::get(ctx)), unit, file, name, StringAttr(), file,
            place.line, place.line,
            LLVM::DISubprogramFlags::Definition | LLVM::DISubprogramFlags::Optimized, type,
            /*retainedNodes=*/{}, /*annotations=*/{});
    }

    MLIRContext *ctx;
    LLVM::DICompileUnitAttr unit;
    llvm::DenseMap<std::pair<StringAttr, StringAttr>, LLVM::DISubprogramAttr> callees;
};

} // namespace

void addLineTables(ModuleOp module) {
    LineTables tables(module);
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
        if (!function.isExternal())
            tables.add(function);
}

} // namespace shapecast
