// np-infer: lists that change in place, by `x += items` and `x *= n`. A list is one object that
// several variables, tuples and functions may hold: all of them see the change.
#include "passes/infer.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// Wherever the list is held.
static void changeHeld(Val &v, const Val &changed) {
    if (v.isTuple() && v.list && v.serial == changed.serial)
        v.items = changed.items;
    else
        for (Val &item : v.items)
            changeHeld(item, changed);
}

Val Infer::inplace(InplaceOp op) {
    const Val target = val(op.getTarget()), value = val(op.getValue());
    const StringRef name = op.getOp();
    const bool numpy = value.isArray() || (value.isScalar() && !isPyScalar(value.type()));
    if (!target.isTuple() || !target.list || numpy || (name != "add" && name != "mul"))
        return e.inplace(name, target, value);
    if (target.serial == 0)
        e.unsupported("changing a list in place (+= or *=) that is an argument, or one of several, "
                      "is not supported; make a new one: x = x + [...]");
    if (target.serial <= outerSerial)
        e.unsupported("changing a list in place (+= or *=) in a branch or loop that only the run "
                      "decides on is not supported; make a new one: x = x + [...]");
    Val changed = target;
    if (name == "mul") {
        changed.items = e.binary("mul", target, value).items;
    } else {
        e.checkIterable(value);
        std::optional<std::vector<Val>> items =
            value.isText() ? charactersOf(e, value) : knownItems(value);
        if (!items)
            e.unsupported("'+=' of a list with " + e.describe(value) +
                          ", of which the length is known at run time only, is not supported");
        llvm::append_range(changed.items, *items);
    }
    for (auto &held : env)
        changeHeld(held.second, changed);
    return changed;
}
