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
void requestGlobal(const Cell &cell); // StaticArgumentRequest where it is a global list or dict

} // namespace shapecast
