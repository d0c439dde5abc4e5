// np-infer: functions as values, and checks that those with late-bound variables do not escape.
//
// A closure has its variables' values from when it was made; Python's looks them up when it is
// called (late binding). Capture marks a closure of which a variable is assigned again later
// (`assignedLater`). Until then both agree: it must not escape to the next iteration of a loop, nor
// out of a call.
#include "ops/builder/arrays.h"
#include "ops/builder/cells.h"
#include "ops/builder/record_class.h"
#include "ops/builder/slot.h"
#include "ops/builder/text.h"
#include "ops/builder/values.h"
#include "passes/infer/infer.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

void Infer::visitClosure(ClosureOp op) {
    Val v;
    v.kind = Val::Kind::Function;
    v.attr = op.getCalleeAttr();
    SmallVector<Val> captured = vals(op.getCaptured()), defaults = vals(op.getDefaults());
    v.items.assign({e.tupleVal({captured.begin(), captured.end()}),
                    e.tupleVal({defaults.begin(), defaults.end()})});
    if (std::optional<StringRef> later = op.getAssignedLater()) {
        v.items.push_back(e.staticVal("str", *later));
        hasLateBound = true;
    }
    env[op.getResult()] = std::move(v);
}

void Infer::visitApply(ApplyOp op) {
    const Val function = val(op.getFunction());
    SmallVector<Val> positional = expandStarred(op.getStarredAttr(), op.getArgs());
    SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), positional);
    Val result = apply(function, positional, named, op.getLoc());
    env[op.getResult()] = std::move(result);
}

static bool isLateBound(const Val &v) {
    return v.kind == Val::Kind::Function && v.items.size() == 3;
}

// Functions made by a late-bound one may use its variables too.
static void markLateBound(Val &v, const Val &variable) {
    if (v.kind == Val::Kind::Function && !isLateBound(v))
        v.items.push_back(variable);
    for (size_t i = 0; i < v.items.size(); ++i)
        markLateBound(v.items[i], variable);
}

Val Infer::apply(const Val &function, ArrayRef<Val> positional,
                 ArrayRef<std::pair<StringRef, Val>> named, Location location) {
    if (function.kind == Val::Kind::Function) {
        auto callee = SymbolTable::lookupNearestSymbolFrom<FuncOp>(
            source, cast<SymbolRefAttr>(function.attr));
        CallArguments<Val> call = callArguments(positional, named);
        llvm::append_range(call.captured, function.items[0].items);
        llvm::append_range(call.defaults, function.items[1].items);
        Val result = callCaptured(callee, call, location);
        if (isLateBound(function))
            markLateBound(result, function.items[2]);
        return result;
    }
    const SmallVector<Val> given(positional);
    if (function.isStatic("func"))
        return callNamed(function.staticText(), given, named);
    if (function.isStatic("exception")) {
        if (!named.empty())
            e.unsupported("an exception with keyword arguments is not supported");
        return objectVal(e, "exception", function.staticText(), given);
    }
    if (function.isStatic("type") ||
        (function.isStatic("class") && !function.staticText().contains('.')))
        return callNamed(("builtins." + function.staticText()).str(), given, named);
    if (function.isStatic("class"))
        return callNamed(function.staticText(), given, named);
    if (function.isStatic("dtype"))
        return callNamed(("numpy." + dtypeName(dtypeOf(e, function))).str(), given, named);
    if (function.isPython()) {
        SmallVector<Val> all{function};
        llvm::append_range(all, positional);
        return callOut("operator.call", all, named);
    }
    rejectOverloads(e, function, {"__call__"});
    e.fail("TypeError", "'" + classNameOf(e, function) + "' object is not callable");
}

//===-- Escapes of late-bound functions

// The first late-bound function in it.
static const Val *lateBoundIn(const Val &v) {
    if (isLateBound(v))
        return &v;
    for (const Val &item : v.items)
        if (const Val *found = lateBoundIn(item))
            return found;
    return nullptr;
}

static const Slot *lateBoundIn(const Slot &slot) {
    if (slot.valKind == Val::Kind::Function && slot.items.size() == 3)
        return &slot;
    for (const std::vector<Slot> &inner : {slot.items, slot.element})
        for (const Slot &item : inner)
            if (const Slot *found = lateBoundIn(item))
                return found;
    return nullptr;
}

void Infer::refuseEscaping(const Val &value) {
    Attribute symbol;
    StringRef variable;
    if (const Val *found = lateBoundIn(value)) {
        symbol = found->attr;
        variable = found->items[2].staticText();
    } else if (const Slot *slot = value.element ? lateBoundIn(*value.element) : nullptr) {
        symbol = slot->attr;
        variable = cast<PyAttr>(slot->items[2].attr).getText();
    } else {
        return;
    }
    auto made = SymbolTable::lookupNearestSymbolFrom<FuncOp>(source, cast<SymbolRefAttr>(symbol));
    e.loc = made.getLoc();
    e.unsupported(("this function is kept, and its variable '" + variable +
                   "' is assigned again later, so that Python's function sees another value (late "
                   "binding); bind the present value as a default, " +
                   variable + "=" + variable + ", or make it in a function that takes '" +
                   variable + "'")
                      .str());
}

Infer::Changes Infer::changesNow() const {
    return hasLateBound ? llvm::map_to_vector(e.cells, [](const Cell &c) { return c.changes; })
                        : Changes();
}

void Infer::refuseEscaping(ArrayRef<Val> values, const Changes &before) {
    if (!hasLateBound)
        return;
    for (const Val &v : values)
        refuseEscaping(v);
    for (size_t cell = 1; cell < std::min(before.size(), e.cells.size()); ++cell)
        if (e.cells[cell].changes != before[cell]) {
            Val now = loadCell(e, cell);
            for (size_t i = 0; i < now.items.size(); ++i)
                reloadCells(e, now.items[i]);
            refuseEscaping(now);
        }
}
