// np-infer: items that are taken one after another of iter(), zip(), map() and so on, where one
// loop over them is not enough (iterator_sites.h), and of several iterators in step.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// Of iter(), zip() and so on, at e.loc: the place is noted, or it is an instance already.
Val iteratorAt(Inference &in, Val iterator);
// zip() of which some operand is an iterator of a class in Python, or several are generators: a
// generator, which takes an item of each in turn. None: of others.
std::optional<Val> zipInTurn(Inference &in, np::CallOp zip);

} // namespace shapecast
