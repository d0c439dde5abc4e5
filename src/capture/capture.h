// Imports Python functions into the np dialect: one structured np.func per function reached, every
// value `tensor<*x!np.any>`.
#pragma once

#include "capture/object_kind.h"
#include "ir/np.h"
#include "user_error.h"

#include <pybind11/pybind11.h>

#include <exception>

namespace shapecast::capture {

// A guard on something outside the function. The capture is valid as long as every `holder[name] is
// seen` (a dict; `seen` null: the name was absent) or, with an empty name, the cell `holder`
// contains `seen`, or the list or dict the items or keys in the tuple `seen`, or the module is of
// the class `seen`, or the class has the __mro__ `seen`.
struct GlobalUse {
    pybind11::object holder; // dict, closure cell, list, module, or class
    std::string name;
    pybind11::object seen;
};

// An argument of the jitted function that is an object, as it is at the call that is captured.
struct ObjectArgument {
    std::string parameter;
    pybind11::object object;
};

// An object that capture read through: an argument; the member `name` of the object numbered
// `owner`; or `constant`, found outside the function. The capture is valid as long as it is of this
// kind.
struct ReachedObject {
    int owner = -1;
    pybind11::object name, constant;
    ObjectKind kind;
    std::string label;           // "self.grid"
    bool isBoundToOwner = false; // a method
    bool isNumberList = false;   // a list of numbers, of any length
};

// Arrays, numbers and strings that become hidden arguments of each call: holder[name] or the cell,
// as in GlobalUse; or the member `attribute` of the object `owner`.
struct HiddenUse {
    pybind11::object holder;
    std::string name; // "self.grid.dx" of an attribute
    int owner = -1;
    pybind11::object attribute; // null: the owner itself, bytes, or a list of numbers as an array
};

// A Python function reached; the capture is valid as long as these attributes of it are the same
// objects.
struct FunctionUse {
    pybind11::object function, code, defaults, kwdefaults, doc;
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
    // Arrays, numbers that change, lists, dicts and sets that the function changes, and members of
    // objects: numbered by np.global.
    std::vector<HiddenUse> hidden;
    std::vector<pybind11::object> classesInMemory; // of instances and members in hidden arguments
    std::vector<GlobalUse> containers;  // other lists and dicts: by the number in np.tuple
    std::vector<ReachedObject> objects; // first the arguments, in their order; owners before others
    // Guards: the object has no such attribute.
    struct Absent {
        int owner;
        pybind11::object attribute;
    };
    std::vector<Absent> absent;
    std::vector<int> changed;           // numbers of objects whose attributes the function assigns
    std::vector<FunctionUse> functions; // the first one is the function itself
    // All names that were looked up outside, also those without a guard in this process: see
    // dependencies.h. Not portable to another process where the function itself imports something.
    std::vector<GlobalUse> lookUps;
    bool isPortable = true;
    std::vector<ParameterInfo> parameters;
};

// Thrown only across capture's own frames and the caller's.
struct CaptureError : std::exception {
    UserError error;
    explicit CaptureError(UserError error) : error(std::move(error)) {}
    const char *what() const noexcept override { return error.message.c_str(); }
};

// Thrown where fields of a structured array do not suffice: see CaptureOptions::wholeRecords.
struct WholeRecords {};

// Thrown inside a capture, which begins again: see CaptureOptions::instancesInMemory.
struct InstancesInMemory {};

struct CaptureOptions {
    // Hidden arguments: numbers that were seen to change, lists and dicts that the function
    // changes.
    std::vector<GlobalUse> changing;
    // Arguments that are objects; and as "<Name>" classes: Enums of whose members lists in
    // arguments are, those of instances in memory, and of named tuples that have members of their
    // own.
    std::vector<ObjectArgument> objects;
    // Short lists of numbers in objects are not specialised for their length.
    bool anyLength = false;
    // Structured arrays are passed on to Python as opaque objects, instead of as one array per
    // field. Capture throws WholeRecords where it must be set and is not.
    bool wholeRecords = false;
    // tuple(x) of a length known only at run time makes an instance of library/long_tuples.py.
    bool tuplesInMemory = false;
    // Global lists and dicts that hold instances of classes in Python, and such instances, are
    // hidden arguments in memory.
    bool instancesInMemory = false;
    // An unsupported statement in a branch becomes a call of shapecast.refuse, which raises where
    // control reaches it: see np-infer.
    bool defersRefusals = true;
};

// `function` is a plain Python function or a jitted one. Throws CaptureError, or
// pybind11::error_already_set for errors that are not the user's. `context` has the np dialect
// loaded. The caller holds the GIL.
Captured captureFunction(pybind11::handle function, mlir::MLIRContext &context,
                         const CaptureOptions &options = {});

// Adds _capture_text(function), which gives the IR as text, for tests.
void bindCapture(pybind11::module_ &module);

} // namespace shapecast::capture
