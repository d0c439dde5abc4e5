// Named tuples and plain dataclasses: classes whose instances compiled code constructs.
#pragma once

#include "capture/capture.h"

#include <optional>
#include <string>
#include <vector>

namespace shapecast::capture {

// Such a class: `text` is "17,3;__add__ Point x y", with the indices, in
// python/shapecast/_objects.py's `records`, of the class and its base classes, and the operators
// that it overrides; `kind` is "namedtuple", "dataclass" or "frozen".
struct RecordClass {
    std::string kind, text;
    std::vector<std::string> fields;
    std::vector<pybind11::object> defaults; // of the last fields; null: not a constant
    pybind11::object constructor;           // its __init__ or __new__, with the defaults
};

// How this thread reads frozen dataclasses while it lives: as records, which are values, or as
// classes whose instances are objects in memory, as others are, where that supports more.
class FrozenClasses {
public:
    // `seen`: set where there is one.
    FrozenClasses(bool areInstances, bool &seen);
    ~FrozenClasses();
    FrozenClasses(const FrozenClasses &) = delete;
    static bool areInstances(); // and notes that one was seen

private:
    const bool asInstances;
    bool &seen;
    FrozenClasses *const around;
};

// None for other classes: a custom __init__, __new__ or __post_init__ runs in Python only.
std::optional<RecordClass> recordClass(pybind11::handle type);
// Whether a class of named tuples has methods or properties of its own.
bool definesMembers(pybind11::handle namedTuple);
// Guards on a class: its fields and the methods that could be overridden, in its dict and those of
// its bases.
std::vector<GlobalUse> guardsOf(pybind11::handle type, const RecordClass &record);
// Operators that the class does not inherit from tuple or object, by name.
std::vector<std::pair<std::string, pybind11::object>> ownOperators(pybind11::handle type);
// "Model;__add__;__len__": the class of an object, and the operators that it has besides object's.
std::string classWithOperators(pybind11::handle type);
// Of other classes in Python, whose instances compiled code makes too (made_classes.h).
// Attributes that __init__ sets on each of them first stand as ";!x" among its operators.
std::string instanceText(pybind11::handle type);
// Of a frozen dataclass, of which those become the records that they are where __init__ has set all
// fields: as RecordClass::text, with ";made"; else "", also where FrozenClasses::areInstances().
std::string frozenText(pybind11::handle type);
std::string recordNumber(pybind11::handle type); // its index in `records`
std::vector<std::string> operatorNames();        // the methods behind operators
bool isGeneratedByDataclass(pybind11::handle method);
// Whether a call of the class makes no more than such a record: no default is created by it.
bool isSimple(const RecordClass &record);
std::string recordName(pybind11::handle type); // "record:17", the key in _objects.py

} // namespace shapecast::capture
