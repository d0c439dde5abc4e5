// Forms of lists, dicts, sets and strings that calls pass as one argument, for compiled code to
// have them in memory: see containers.h for what a form says.
#pragma once

#include "capture/object_kind.h"
#include "capture/python.h"

#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace shapecast::bindings {

// Which arguments compiled code has in memory (forms.h), each with those before it; others are
// known item by item, and strings are constants.
enum class MemoryUse : uint8_t { None, Containers, Strings, Instances };

bool isInstance(PyObject *object); // of a class in Python, that may be in memory
// Whether one that it reaches, of the first few, holds another one of its class: a tree, a list of
// nodes. Item by item each of them would have code of its own.
bool isLinked(PyObject *object);
inline bool mayBeInMemory(PyObject *object, MemoryUse use) {
    return capture::isOfCollections(object) ||
           (use != MemoryUse::None &&
            (PyList_CheckExact(object) || PyDict_CheckExact(object) || PySet_CheckExact(object) ||
             (use == MemoryUse::Instances && isInstance(object))));
}

struct FormClasses; // of the instances that forms tell of
// Where the containers of a call are: by their addresses, the number of the argument and the place
// in it. `areShared`: one is in two arguments.
struct FormPlaces {
    // Instances of one class, in whatever arguments, are in one place; so one may be in several
    // arguments. Else those of each argument are of a kind of their own.
    bool mergesInstances = false;
    std::shared_ptr<FormClasses> merged; // of the arguments so far
    llvm::DenseMap<PyObject *, std::pair<int, int>> known;
    std::vector<Ref> kept; // so that no other object gets the address of one of these
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
// places of the call. Nothing raises. Attributes of instances may have no form: X; or be of one of
// N kinds: UN:.
//
// A form is as containers.h says, after = where instances are merged; but IN: is an instance of the
// N-th of the classes at its end, each
// "\x1f", the length of InstanceForm::text, a colon, it, the number of attributes, a colon, and for
// each of these the length of its name, a colon, it and its form.
int32_t formNumberOf(PyObject *object, int argument, FormPlaces &places);
const std::string &formOfNumber(int32_t number);
// Classes of the instances and members of Enums in it: code depends on what they are.
std::vector<PyObject *> classesOfForm(int32_t number);
std::string formText(const std::string &form); // "dict[str, list[int]]"

} // namespace shapecast::bindings
