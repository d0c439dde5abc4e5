// Python's lists, dicts and sets from containers in memory (runtime/containers.h).
#pragma once

#include "bindings/call/arguments.h"
#include "bindings/call/result_plan.h"

#include "llvm/ADT/DenseMap.h"
#include <functional>
#include <string>

namespace shapecast::bindings {

// Of the container or string whose words are in that array. A new object, or null with an exception
// set. `form` says how entries are composed: L, D, S: a list, dict, set, with the forms of its key
// and value; T: a string; i, b, f: a Python int, bool, float; s and NumPy's character: its scalar;
// w and a scalar: that, or Python's where a flag is set; W: the same with a Python number of its
// own; V: or this constant, by kind and word; tN: a tuple of N; o: or None; n: None; cN: a string
// of N bytes; NN: the function or class of that name, of N bytes; x: nothing; PN: the N-th of
// _objects.py's `records`; mN: a member of an Enum by its constant of N bytes, in the forms of
// arguments; uN: one of N, whose number follows; A, the number of axes, NumPy's
// character, r or w (may be written to), the layout's number, a colon, the sizes (?: a word after
// the array's) and a semicolon: an array; Rrecord:N:, the names of fields, each with a comma, a
// semicolon and the forms of the fields: a named tuple or an instance of the N-th of `records`; IN:
// an instance of the class number N below; YN: a container of the form that begins N characters
// before. Containers that are one object become one. After each
// "\x1erecord:" follow N, the number of a class in _objects.py's `records`, the number of its
// attributes, for each its bit in the first word, which says whether it is set, and its name, and
// then their forms. While it lives, a container that is returned twice, or in two containers, is
// one object.
class SharedContainers {
public:
    // Makes the object of an array in a container from slots as those of a result (runtime/abi.h),
    // and takes the reference that the entry had to it.
    using ArrayMaker = std::function<PyObject *(const ResultOperand &, const int64_t *slots)>;
    // With the caller's containers of the call. Without `arrays` an array is copied.
    explicit SharedContainers(const Call &call, ArrayMaker arrays = {});
    ~SharedContainers();
    SharedContainers(const SharedContainers &) = delete;
    static SharedContainers *current(); // null: there is none

    // By address: of memory that is aligned, which DenseMap's hash of numbers does not expect.
    llvm::DenseMap<int64_t, Ref> known;
    static int64_t keyOf(int64_t address) { return address >> 6; }
    const ArrayMaker arrays;

private:
    SharedContainers *before;
};

const char *skipForm(const char *form); // past the form of an item
// The caller's lists, dicts, sets and instances that the call may have changed have what those in
// memory have now; false with an exception set.
bool rewriteContainers(const Call &call);
PyObject *containerObject(const std::string &form, PyObject *words);

} // namespace shapecast::bindings
