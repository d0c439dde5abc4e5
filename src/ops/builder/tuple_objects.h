// Tuples as objects in memory: what plain tuples of one variable are carried as where they are of
// ever new kinds, as those of an expression that is a tree of tuples. Such an object is an instance
// of the class `tuple` of library/long_tuples.py, with a list of the items. Nobody changes a tuple:
// so any becomes an object where it is carried as one.
//
// Only in programs that were captured with that class (CaptureOptions::tuplesInMemory); elsewhere
// HeapSites::wantsTuples says that they are to be.
#pragma once

#include "ops/builder/heap_sites.h"

namespace shapecast {

bool isPlainTuple(const Val &v); // of any length; no named tuple
bool isTupleObject(const TypedBuilder &e, const Val &v);
bool isTupleObject(const TypedBuilder &e, const Slot &slot);
bool isTupleRecord(const TypedBuilder &e, const Val &v); // such an object that is not in memory
// A new object with the items of a plain tuple.
Val tupleObject(TypedBuilder &e, const Val &tuple);
Val tupleObjectAs(TypedBuilder &e, const Slot &slot, const Val &tuple); // to be carried as `slot`
// As what both are carried, where one of them is a tuple object and the other one plain.
std::optional<Slot> joinTupleObject(TypedBuilder &e, const Slot &slot, const Val &v);
// Plain tuples in it are objects from now on, where they can be. False: there are none.
bool useTupleObjects(TypedBuilder &e, Slot &slot);
// A Union of which at most one member is a tuple object, instead of plain tuples.
Val mergeTuples(TypedBuilder &e, const Val &several);
// The members of a Union: its plain tuples are one object, if they are nested in each other's items
// deeper than that, or `isTooLarge`.
void limitTuples(TypedBuilder &e, Slot &members, bool isTooLarge);

} // namespace shapecast
