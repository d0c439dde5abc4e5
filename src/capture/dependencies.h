// What a capture depends on outside its function, in words that another process understands: names
// by the way that leads to them, and what was found there by what it says, not by address.
#pragma once

#include "capture/capture.h"

namespace shapecast {
class ByteWriter;
class ByteReader;
} // namespace shapecast

namespace shapecast::capture {

// A name that is looked up. Things found are numbered: 0 is the function, k + 1 what the
// dependency k finds.
struct Dependency {
    enum Where : uint8_t {
        Globals,  // of the function `holder`
        Builtins, // likewise
        Cell,     // number `cell` of the function `holder`
        Module,   // an attribute of it
        Dict,     // an item
        Items     // all items of a list, or keys of a dict
    } where = Globals;
    unsigned holder = 0, cell = 0;
    std::string name;
    bool isWatched = false;  // the capture holds as long as the very object is there
    bool isFunction = false; // it was captured too
    bool isNumber = false;   // a hidden argument that is a number: it was seen to change
    int hidden = -1;         // the number of the hidden argument that it is
};

// Null where something was found that cannot be told apart in another process.
std::optional<std::vector<Dependency>> dependenciesOf(const Captured &captured);
void writeDependencies(ByteWriter &out, const std::vector<Dependency> &dependencies);
std::vector<Dependency> readDependencies(ByteReader &in);

// The dependencies as they are in this process now: what Captured has of them (but no module), and
// the dependencies and all that capture would read of them as bytes. Where the bytes are those of a
// capture, that capture is what would be made now: each of its look-ups followed from what those
// before had found. Null where they are not there, or are nothing that can be told apart.
struct FoundAgain {
    Captured captured;
    std::string text;
    // Whether the very objects were found that this capture has seen.
    bool sees(const Captured &other) const;
};
std::optional<FoundAgain> findAgain(pybind11::handle function,
                                    const std::vector<Dependency> &dependencies);

FunctionUse useOf(pybind11::handle function);
// Its keyword-only parameters' defaults, which may be replaced one by one in the dict that they are
// in.
void watchDefaults(const FunctionUse &use, std::vector<GlobalUse> &watched);
GlobalUse classOf(pybind11::handle module);

// A plain function by itself: code, defaults, names. Null where the defaults cannot be told apart.
std::optional<std::string> functionText(pybind11::handle function);
// A constant, or a function, class or module that is known by name; null for others.
std::optional<std::string> valueText(pybind11::handle value);

} // namespace shapecast::capture
