// The np dialect: its types, attributes and operations.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ir/NpDialect.h.inc"
#include "ir/NpEnums.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/NpTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/NpAttrs.h.inc"
#define GET_OP_CLASSES
#include "ir/NpOps.h.inc"
