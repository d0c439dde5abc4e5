#include "ops/builder/flags.h"

#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/memory.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Val isContiguous(TypedBuilder &e, const Val &a, bool fortran) {
    const ArrayType array = a.array();
    if (array.getLayout() == (fortran && array.getRank() > 1 ? Layout::F : Layout::C))
        return e.boolVal(true);
    const Val known = native(e, "contiguous", {}, {a, e.intVal(fortran)});
    return compareInts(e, "ne", known, e.intVal(0));
}

Val shapecast::flagOf(TypedBuilder &e, const Val &a, StringRef name) {
    const auto order = [&](bool fortran) { return isContiguous(e, a, fortran); };
    if (name == "c_contiguous" || name == "contiguous")
        return order(false);
    if (name == "f_contiguous" || name == "fortran")
        return order(true);
    if (name == "fnc")
        return logicalAnd(e, order(true), unary(e, "not", order(false)));
    if (name == "forc")
        return logicalOr(e, order(false), order(true));
    if (name == "writeable" || name == "behaved")
        return isWriteable(e, a);
    if (name == "carray")
        return logicalAnd(e, isWriteable(e, a), order(false));
    if (name == "farray") // NumPy: (aligned or writeable or F) and not C
        return unary(e, "not", order(false));
    if (name == "aligned")
        return e.boolVal(true);
    if (name == "owndata")
        e.unsupported("flags.owndata is not supported: ownership of an array's memory is decided "
                      "at compile time");
    e.fail("AttributeError",
           "'numpy._core.multiarray.flagsobj' object has no attribute '" + name + "'");
}

Val shapecast::flagItem(TypedBuilder &e, const Val &a, ArrayRef<Val> keys) {
    const StringRef key = keys.size() == 1 && keys[0].isStatic("str") ? keys[0].staticText() : "";
    const StringRef name = llvm::StringSwitch<StringRef>(key)
                               .Cases({"C", "CONTIGUOUS", "C_CONTIGUOUS"}, "c_contiguous")
                               .Cases({"F", "FORTRAN", "F_CONTIGUOUS"}, "f_contiguous")
                               .Cases({"W", "WRITEABLE"}, "writeable")
                               .Cases({"A", "ALIGNED"}, "aligned")
                               .Cases({"B", "BEHAVED"}, "behaved")
                               .Cases({"CA", "CARRAY"}, "carray")
                               .Cases({"FA", "FARRAY"}, "farray")
                               .Cases({"O", "OWNDATA"}, "owndata")
                               .Case("FNC", "fnc")
                               .Case("FORC", "forc")
                               .Default("");
    if (name.empty())
        e.fail("KeyError", "Unknown flag");
    return flagOf(e, a, name);
}

// Whether it is writeable: read-only arguments and results of np.broadcast_to are not; for reshapes
// of these it depends on the strides at run time.
Val shapecast::isWriteable(TypedBuilder &e, const Val &a) {
    if (!a.array().getReadonly())
        return e.boolVal(true);
    Value root = a.value;
    while (isa_and_nonnull<ViewOp, ReshapeOp, DiagonalOp, WindowsOp, PartOp, ReinterpretOp,
                           AsStridedOp, CastOp>(root.getDefiningOp()))
        root = root.getDefiningOp()->getOperand(0);
    if (root.getDefiningOp<ReshapeAnyOp>())
        e.unsupported("flags.writeable of a reshape that is a view or a copy, depending on strides "
                      "known only at run time, is not supported; copy it first");
    return e.boolVal(false);
}
