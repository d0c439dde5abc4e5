// hash() of tuples (ops/python/functions_python.cpp).
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

Val tupleHash(TypedBuilder &e, llvm::ArrayRef<Val> hashes); // from the hashes of its items

} // namespace shapecast
