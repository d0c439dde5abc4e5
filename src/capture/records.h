// Named tuples and plain dataclasses: classes of which compiled code makes values.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <vector>

namespace shapecast::capture {

// What compiled code knows of such a class: `text` is "17,3 Point x y", with the numbers, among
// python/shapecast/_objects.py's `records`, of the class and of those that it derives from; `kind`
// "namedtuple", "dataclass" or "frozen".
struct RecordClass {
    std::string kind, text;
    std::vector<std::string> fields;
    std::vector<pybind11::object> defaults; // of the last fields; null: none that is a constant
};

// None for other classes: an __init__, __new__ or __post_init__ written by hand is run by Python
// only.
std::optional<RecordClass> recordClass(pybind11::handle type);
std::string recordName(const RecordClass &record); // "record:17", as _objects.py finds it

} // namespace shapecast::capture
