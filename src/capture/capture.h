// Python functions into the np dialect: one structured np.func per function reached, every value
// `tensor<*x!np.any>`.
#pragma once

#include "capture/object_kind.h"
#include "compile.h"

#include <pybind11/pybind11.h>

#include <exception>

namespace shapecast::capture {

// Something outside the function that its meaning depends on, as capture saw it. The capture holds
// as long as every `holder[name] is seen` (a dict; `seen` null: the name was absent) or, with an
// empty name, the cell `holder` contains `seen`, or the list or dict the items or keys of the
// tuple, or the module is of the class `seen`, or the class has the __mro__ `seen`.
struct GlobalUse {
    pybind11::object holder; // dict, closure cell, list, module, or class
    std::string name;
    pybind11::object seen;
};

// An argument of the jitted function that is an object, as it is at the call that captures.
struct ObjectArgument {
    std::string parameter;
    pybind11::object object;
};

// An object that capture read through: an argument; what the object numbered `owner` holds under
// `name`; or `constant`, which stands outside the function. The capture holds as long as it is of
// this kind.
struct ReachedObject {
    int owner = -1;
    pybind11::object name, constant;
    ObjectKind kind;
    std::string label;      // "self.grid"
    bool isOwners = false;  // a method, bound to its owner
    bool isNumbers = false; // a list of numbers, of any length
};

// Arrays, numbers and strings that become hidden arguments of each call: holder[name] or the cell,
// as in GlobalUse; or what the object `owner` holds under `attribute`.
struct HiddenUse {
    pybind11::object holder;
    std::string name; // "self.grid.dx" of an attribute
    int owner = -1;
    pybind11::object attribute; // null: the array of the owner, which is a list of numbers
};

// A Python function reached; the capture holds as long as these attributes of it are the same
// objects.
struct FunctionUse {
    pybind11::object function, code, defaults, kwdefaults;
};

struct ParameterInfo {
    // Rest: *args, Others: **kwargs
    enum Kind { PositionalOnly, PositionalOrKeyword, KeywordOnly, Rest, Others };
    std::string name;
    Kind kind;
    pybind11::object value; // the default, or null
};

struct Captured {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    std::string entry; // symbol of the np.func of the function itself; the others are private
    std::vector<GlobalUse> globals;
    // Arrays, numbers that change, and what objects hold: numbered by np.global.
    std::vector<HiddenUse> hidden;
    std::vector<ReachedObject> objects; // first the arguments, in their order; owners before others
    // Attributes that there are not.
    struct Absent {
        int owner;
        pybind11::object attribute;
    };
    std::vector<Absent> absent;
    std::vector<int> changed;           // numbers of objects whose attributes the function assigns
    std::vector<FunctionUse> functions; // the first one is the function itself
    // All names that were looked up outside, also those that are taken to stay what they are while
    // the process runs: see dependencies.h. Not portable where the function imports something by
    // itself.
    std::vector<GlobalUse> looked;
    bool isPortable = true;
    std::vector<ParameterInfo> parameters;
};

// Thrown only across capture's own frames and the caller's.
struct CaptureError : std::exception {
    UserError error;
    explicit CaptureError(UserError error) : error(std::move(error)) {}
    const char *what() const noexcept override { return error.message.c_str(); }
};

struct WholeRecords {};

struct CaptureOptions {
    std::vector<GlobalUse> changing; // numbers outside that were seen to change: hidden arguments
    std::vector<ObjectArgument> objects; // arguments that are objects
    // Short lists of numbers that objects hold are not captured for their length.
    bool anyLength = false;
    // Arrays of records are handed on to Python, not read by their fields; throws WholeRecords
    // where that is needed, and not said.
    bool wholeRecords = false;
    // A statement in a branch that cannot be compiled is a call of shapecast.refuse: see np-infer.
    bool defersRefusals = true;
};

// `function` is a plain Python function or a jitted one. Throws CaptureError, or
// pybind11::error_already_set for errors that are not the user's. `context` has the np dialect
// loaded. The interpreter lock is held.
Captured captureFunction(pybind11::handle function, mlir::MLIRContext &context,
                         const CaptureOptions &options = {});

// Adds _capture_text(function), which gives the IR as text, for tests.
void bindCapture(pybind11::module_ &module);

} // namespace shapecast::capture
