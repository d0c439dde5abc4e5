// Forms of lists, dicts, sets and strings that calls pass as one argument, for compiled code to
// have them in memory: see containers.h for what a form says.
#pragma once

#include "capture/python.h"

#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace shapecast::bindings {

inline bool mayBeInMemory(PyObject *object) {
    return PyList_CheckExact(object) || PyDict_CheckExact(object) || PySet_CheckExact(object);
}

// Where the containers of a call are: by their addresses, the number of the argument and the place
// in it. `areShared`: one is in two arguments.
struct FormPlaces {
    llvm::DenseMap<PyObject *, std::pair<int, int>> known;
    bool areShared = false;

    // Whether it is there for the first time, or in the same place as before.
    bool add(PyObject *container, int argument, int place) {
        const std::pair here(argument, place);
        const std::pair before = known.try_emplace(container, here).first->second;
        areShared |= before.first != argument;
        return before == here;
    }
};

// The number of the object's form, as that argument of a call; negative: it has none, since its
// items are of several kinds, or of a kind that is not stored in memory, or one container is in two
// places of the call. Nothing raises.
int32_t formNumberOf(PyObject *object, int argument, FormPlaces &places);
const std::string &formOfNumber(int32_t number);
// The Enums whose members it tells of: code depends on what they are.
std::vector<PyObject *> enumClassesOfForm(int32_t number);
std::string formText(const std::string &form); // "dict[str, list[int]]"

} // namespace shapecast::bindings
