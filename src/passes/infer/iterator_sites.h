// np-infer: generator functions whose calls make instances of a class (`iterator` of the np.func),
// of which next() takes one item after another: where one loop over what they give is not enough.
// The function is a site then, as a place that makes containers in memory is (heap_sites.h).
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// What a call of a generator function gives that makes no instances: generators.h.
bool isGenerator(const Val &v);
bool makesIterators(Inference &in, np::FuncOp generator);
// Where its calls make them: a function that calls itself makes all at one place, whatever the depth
// of the calls, as its instances hold one another.
mlir::Location placeOfIterators(Inference &in, np::FuncOp generator, mlir::Location call);
// Calls of the generator's function make instances from the next attempt on, which this begins.
// Returns where they cannot.
void requestIterator(Inference &in, const Val &generator, bool callsItself = false);

} // namespace shapecast
