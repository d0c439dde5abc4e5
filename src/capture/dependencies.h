// What a capture depends on outside its function, in a form that is valid in another process: names
// by the path that leads to them, and objects by their contents, not by address.
#pragma once

#include "capture/capture.h"

namespace shapecast {
class ByteWriter;
class ByteReader;
} // namespace shapecast

namespace shapecast::capture {

// A look-up of a name. Objects found are numbered: 0 is the function, k + 1 the result of the
// look-up k.
struct Dependency {
    enum HolderKind : uint8_t {
        Globals,  // of the function `holder`
        Builtins, // likewise
        Cell,     // number `cell` of the function `holder`
        Module,   // an attribute of it
        Dict,     // an item
        Items     // all items of a list, or keys of a dict
    } holderKind = Globals;
    unsigned holder = 0, cell = 0;
    std::string name;
    bool isWatched = false;  // it has a guard: the very object must be there
    bool isFunction = false; // it was captured too
    bool isNumber = false;   // a hidden argument that is a number (that was seen to change)
    int hidden = -1;         // the number of the hidden argument, or -1
};

// Null where an object was found that cannot be identified in another process.
std::optional<std::vector<Dependency>> dependenciesOf(const Captured &captured);
void writeDependencies(ByteWriter &out, const std::vector<Dependency> &dependencies);
std::vector<Dependency> readDependencies(ByteReader &in);

// The look-ups of a capture, repeated in this process: their part of Captured (but no module), and
// as bytes the dependencies and everything that capture would read of the objects. Where the bytes
// are those of an earlier capture, capturing now would give the same: each of its look-ups depends
// only on the results of earlier ones. Null where a name is missing, or an object cannot be
// identified.
struct ReplayedLookUps {
    Captured captured;
    std::string text;
    // Whether the same objects (by identity) were found as by this capture.
    bool matches(const Captured &other) const;
};
std::optional<ReplayedLookUps> replayLookUps(pybind11::handle function,
                                             const std::vector<Dependency> &dependencies);

FunctionUse useOf(pybind11::handle function);
// Adds guards on its keyword-only parameters' defaults, which may be replaced singly in their dict.
void watchDefaults(const FunctionUse &use, std::vector<GlobalUse> &watched);
GlobalUse classOf(pybind11::handle module);

// A plain function as bytes: code, defaults, names. Null where the defaults cannot be identified.
std::optional<std::string> functionText(pybind11::handle function);
// A constant, or a function, class or module with an external name, as bytes; null for others.
std::optional<std::string> valueText(pybind11::handle value);

} // namespace shapecast::capture
