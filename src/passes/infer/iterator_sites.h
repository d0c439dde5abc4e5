// np-infer: iterators of which next() takes one item after another, as instances of a class, where
// one loop over them is not enough: what generator functions give (`iterator` of the np.func), and
// iter(), zip(), map() and so on. The function, or the place of the call, is a site then, as a
// place that makes containers in memory is (heap_sites.h).
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// What a call of a generator function gives that makes no instances: generators.h.
bool isGenerator(const Val &v);
bool makesIterators(Inference &in, np::FuncOp generator);
// Where its calls make them: a function that calls itself makes all at one place, whatever the
// depth of the calls, as its instances hold one another.
mlir::Location placeOfIterators(Inference &in, np::FuncOp generator, mlir::Location call);
// Before an attempt without instances of generator functions that call themselves; false: there
// were none.
bool refuseRecursiveIterators(HeapSites &sites);
np::FuncOp constructorOfIterator(Inference &in); // of the items of a list; null: there is none
// Calls of the generator's function make instances from the next attempt on, which this begins.
// The same for what is no generator. Returns where they cannot.
void requestIterator(Inference &in, const Val &iterator, bool callsItself = false);

} // namespace shapecast
