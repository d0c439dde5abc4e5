// Registers what the np dialect holds.
#include "ir/dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "ir/NpDialect.cpp.inc"
#include "ir/NpEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/NpTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/NpAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "ir/NpOps.cpp.inc"

namespace shapecast::np {

void NpDialect::initialize() {
    addTypes<
#define GET_TYPEDEF_LIST
#include "ir/NpTypes.cpp.inc"
        >();
    addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/NpAttrs.cpp.inc"
        >();
    addOperations<
#define GET_OP_LIST
#include "ir/NpOps.cpp.inc"
        >();
}

} // namespace shapecast::np
