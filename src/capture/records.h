// Named tuples and plain dataclasses: classes of which compiled code makes values.
#pragma once

#include "capture/capture.h"

#include <optional>
#include <string>
#include <vector>

namespace shapecast::capture {

// What compiled code knows of such a class: `text` is "17,3;__add__ Point x y", with the numbers,
// among python/shapecast/_objects.py's `records`, of the class and of those that it derives from,
// and the operators that it has of its own; `kind` "namedtuple", "dataclass" or "frozen".
struct RecordClass {
    std::string kind, text;
    std::vector<std::string> fields;
    std::vector<pybind11::object> defaults; // of the last fields; null: none that is a constant
    pybind11::object maker;                 // the function that has them
};

// None for other classes: an __init__, __new__ or __post_init__ written by hand is run by Python
// only.
std::optional<RecordClass> recordClass(pybind11::handle type);
// What a class of records is told by: its fields and the methods that could be written by hand, as
// they stand in its dict and those of its bases.
std::vector<GlobalUse> dependsOn(pybind11::handle type, const RecordClass &record);
std::string recordName(const RecordClass &record); // "record:17", as _objects.py finds it

} // namespace shapecast::capture
