// Mutable objects (lists, dicts, records): their state is in cells of the abstract heap.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

bool containsCell(const Val &v, unsigned cell);
// Cells for the lists, dicts and records in it that have none yet.
void allocateCells(TypedBuilder &e, Val &v);
// Updates it to the current state of its cells.
void reloadCells(TypedBuilder &e, Val &v);
Val loadCell(const TypedBuilder &e, unsigned cell);
void storeCell(TypedBuilder &e, unsigned cell, const Val &v);
// To be mutated; UnsupportedError where it must not be.
Cell &mutableCell(TypedBuilder &e, const Val &container);
inline constexpr char ofGlobals[] = "from outside the function";
// If an error is found in this operation, it is tried again with the global list or dict as an
// argument. Not where it is none.
void wishGlobal(TypedBuilder &e, const Val &container);

} // namespace shapecast
