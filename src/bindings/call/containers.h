// Python's lists, dicts and sets from containers in memory (runtime/containers.h).
#pragma once

#include "bindings/call/arguments.h"

#include "llvm/ADT/DenseMap.h"
#include <string>

namespace shapecast::bindings {

// Of the container or string whose words are in that array. A new object, or null with an exception
// set. `form` says how entries are composed: L, D, S: a list, dict, set, with the forms of its key
// and value; T: a string; i, b, f: a Python int, bool, float; s and NumPy's character: its scalar;
// w and a scalar: that, or Python's where a flag is set; W: the same with a Python number of its
// own; V: or this constant, by kind and word; tN: a tuple of N; o: or None; n: None; cN: a string
// of N bytes; x: nothing; PN: the N-th of _objects.py's `records`; uN: one of N, whose number
// follows; IN: an instance of the class number N below. Containers that are one object become one.
// After each "\x1erecord:" follow N, the number of a class in _objects.py's `records`, the number
// of its attributes, for each its bit in the first word, which says whether it is set, and its
// name, and then their forms. While it lives, a container that is returned twice, or in two
// containers, is one object.
class SharedContainers {
public:
    explicit SharedContainers(const Call &call); // with the caller's containers of the call
    ~SharedContainers();
    SharedContainers(const SharedContainers &) = delete;
    static llvm::DenseMap<int64_t, Ref> *current(); // by address; null: there is none

private:
    llvm::DenseMap<int64_t, Ref> known, *before;
};

const char *skipForm(const char *form); // past the form of an item
// The caller's list, dict or set has what that in memory has now; false with an exception set.
bool rewriteContainer(PyObject *object, int64_t address, const std::string &form, const Call &call);
PyObject *containerObject(const std::string &form, PyObject *words);

} // namespace shapecast::bindings
