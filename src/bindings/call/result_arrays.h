// NumPy arrays over the memory of compiled code.
#pragma once

#include "bindings/call/result_plan.h"

namespace shapecast::bindings {

// Of the memory that the slots tell (runtime/abi.h); without an owner. Null with an exception set.
PyObject *newArray(const ResultOperand &operand, const int64_t *slot, int flags);

} // namespace shapecast::bindings
