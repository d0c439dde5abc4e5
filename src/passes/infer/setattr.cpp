// np-infer: `x.name = value`. For arrays: real, imag and flat are stored to; a new shape makes a
// new value, so that the array may have no alias.
#include "passes/infer/setattr.h"

#include "facts/host_info.h"
#include "ops/builder/containers.h"
#include "ops/builder/flat.h"
#include "ops/builder/operators.h"
#include "ops/builder/stores.h"
#include "ops/numpy/functions_attributes.h"
#include "ops/numpy/functions_memory.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Value objectOf(Value handle) {
    while (handle && isa_and_nonnull<CastOp>(handle.getDefiningOp()))
        handle = handle.getDefiningOp()->getOperand(0);
    return handle;
}

static bool holds(const Val &v, Value object) {
    return (v.isArray() && objectOf(v.value) == object) ||
           llvm::any_of(v.items, [&](const Val &item) { return holds(item, object); });
}

// May a captured operation use the value after `op`, in this iteration of the enclosing loops or in
// a later one?
static bool usedAfter(Value captured, Operation *op) {
    Operation *home = captured.getParentRegion()->getParentOp();
    return llvm::any_of(captured.getUsers(), [&](Operation *user) {
        if (user == op)
            return false;
        for (Operation *around = op->getParentOp(); around; around = around->getParentOp())
            if (isa<ForEachOp, WhileOp>(around) && around->isProperAncestor(user) &&
                !(home && around->isAncestor(home)))
                return true;
        for (Operation *at = op; at; at = at->getParentOp())
            if (Operation *here = at->getBlock()->findAncestorOpInBlock(*user))
                return here != at && at->isBeforeInBlock(here);
        return true; // in another function: a caller of this one
    });
}

// Checks that this function made the array, and that only the assigned name refers to it from here
// on.
static void checkOnlyName(Inference &in, MethodOp op, const Val &array) {
    TypedBuilder &e = in.e;
    const Value object = objectOf(array.value);
    Operation *definition = object.getDefiningOp();
    if (!definition &&
        isa_and_nonnull<FuncOp>(cast<BlockArgument>(object).getOwner()->getParentOp()))
        e.unsupported(
            "assigning to the shape of an argument would change the caller's array; rebind "
            "the name to a view: x = x.reshape(...)");
    const bool carried = !definition || isa<IfOp, ForOp, WhileOp, CallOp>(definition);
    bool escapes = llvm::any_of(e.cells, [&](const Cell &cell) {
        return llvm::any_of(cell.items, [&](const Val &v) { return holds(v, object); });
    });
    for (auto &[captured, v] : in.env)
        escapes = escapes || (holds(v, object) && usedAfter(captured, op));
    std::function<bool(Value)> flows = [&](Value handle) {
        return llvm::any_of(handle.getUsers(), [&](Operation *user) {
            return isa<YieldOp, NextOp, ForOp, WhileOp, CallOp>(user) ||
                   (isa<CastOp>(user) && flows(user->getResult(0)));
        });
    };
    if (carried || escapes || flows(object))
        e.unsupported(
            "assigning to the shape of an array to which another name, or another iteration "
            "of a loop, may refer is not supported; rebind the name to a view: "
            "x = x.reshape(...)");
}

// Returns the new value of the name before `.name =`.
Val shapecast::setAttribute(Inference &in, MethodOp op) {
    TypedBuilder &e = in.e;
    const Val base = in.val(op.getBase()), value = in.val(op.getArgs()[1]);
    const StringRef name = in.val(op.getArgs()[0]).staticText();
    const bool number = base.isScalar() && e.operandOf(base).weak == PyKind::Strong;
    if (number && name == "shape")
        e.fail("AttributeError", "attribute 'shape' of 'numpy.generic' objects is not writable");
    if (base.isScalar() && name == "shape")
        e.fail("AttributeError", "'" + base.className() + "' object has no attribute 'shape'");
    if (!base.isArray()) {
        changeField(e, base, name, value);
        return base;
    }
    const Val all = e.staticVal("ellipsis", "");
    if (name == "imag" && !isComplex(e.operandOf(base).dtype))
        e.fail("TypeError",
               StringRef(hostInfo().message("array does not have imaginary part to set")));
    if (name == "real" || name == "imag") {
        setItem(e, attribute(e, base, name), {all}, value);
    } else if (name == "flat") {
        if (std::optional<Val> target = writeableOf(e, base, "array is read-only"))
            setFlat(e, *target, {all}, value);
    } else if (name == "shape") {
        checkOnlyName(in, op, base);
        return reshapedInPlace(e, base, value);
    } else if (llvm::is_contained({"T", "flags", "size", "ndim", "itemsize", "nbytes", "base"},
                                  name)) {
        e.fail("AttributeError",
               "attribute '" + name + "' of 'numpy.ndarray' objects is not writable");
    } else {
        e.unsupported("assigning to the attribute '" + name +
                      "' of an array is not supported; make a view, e.g. with view(dtype) or "
                      "numpy.lib.stride_tricks.as_strided");
    }
    return base;
}
