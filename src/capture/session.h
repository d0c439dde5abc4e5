// What the captures of a function and of all that it calls have in common.
#pragma once

#include "capture/external_names.h"
#include "capture/object_kind.h"
#include "capture/syntax.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace shapecast::capture {

// What a name refers to outside the function: `object` is holder[name], or in the cell `holder`
// where the name is empty. `holder` is null where no guard is needed. A member of an object (an
// attribute or item) has that object's number as `owner`, and `name` is the attribute.
struct ExternalRef {
    pybind11::object object = {}, holder = {};
    std::string name = {};
    int owner = -1;
    int number = -1;           // of an object that is numbered already
    bool property = false;     // `object` is the property's getter
    pybind11::object key = {}; // of an item: its index or key, for `name`
    std::shared_ptr<const ExternalRef> receiver = nullptr; // of a method: its `self`
};
// Of a method of instances that compiled code makes: their class. An __init__ that `constructs`
// makes the instance itself; its first argument is not used.
struct MethodOf {
    pybind11::object ofClass = {};
    bool constructs = false;
};
using Objects = std::map<std::string, ExternalRef>; // by parameter or variable name

// Attributes that the function assigns, as (the object's label, name): ("self.grid", "t"); and sets
// from outside that it may change: ("set", the address).
using AssignedAttributes = std::set<std::pair<std::string, std::string>>;
// Thrown where capture finds a new one: capture restarts, and reads of the attribute then read the
// mutable state.
struct RestartCapture {};

// A missing attribute of a module or object. Read in an expression it raises at run time, when
// control reaches it; elsewhere capture raises.
struct MissingAttribute : CaptureError {
    pybind11::handle node;
    MissingAttribute(UserError error, pybind11::handle node)
        : CaptureError(std::move(error)), node(node) {}
};

// The state of one captureFunction call.
struct Session {
    mlir::MLIRContext &context;
    Captured result;
    std::map<std::string, std::string> symbols; // functions captured or being captured, by key
    std::map<std::string, std::vector<ParameterInfo>> parameters; // by symbol
    std::set<std::string> usedSymbols;
    // Keys of result.globals and result.lookUps.
    std::set<std::pair<PyObject *, std::string>> guarded, lookedUp;
    std::vector<Frame> callStack; // outermost first
    const CaptureOptions &options;
    AssignedAttributes &assigned;
    std::vector<pybind11::object> reachedObjects; // the objects of result.objects
    // Numbers of the lists, dicts and tuples in objects, inner ones first; and those that are being
    // visited.
    std::vector<int> stateContainers, openContainers;
    std::vector<pybind11::object> constantSets; // sets that `in` looks through as constants
    bool seesInstances = false;                 // a global that holds some was read
    std::vector<pybind11::object> madeClasses;  // of instances that the captured functions make
    std::vector<std::pair<std::string, pybind11::object>> functionValues; // with their symbols
    pybind11::module_ numpy;

    Session(mlir::MLIRContext &context, const CaptureOptions &options,
            AssignedAttributes &assigned);
    // The symbol of a plain function of which these parameters are objects; captures it at the
    // first call. `number`: the function's own object number, or -1.
    std::string capture(pybind11::handle function, const Objects &objects, int number,
                        const MethodOf &method = {});
    void addMadeClass(pybind11::handle type);
    std::string freshSymbol(llvm::StringRef name);
    void eraseFunction(const std::string &symbol); // one whose capture failed half-way
    // The capture is valid as long as the name refers to this very object.
    void addGuard(pybind11::handle holder, const std::string &name, pybind11::handle seen);
    void addGuard(const ExternalRef &external);
    void watchClass(pybind11::handle module);
    // The name was looked up there; in this process nothing depends on it (yet).
    void noteLookUp(pybind11::handle holder, const std::string &name, pybind11::handle seen);
    // The number of the hidden argument for an array or changing number; none for other objects.
    // `isInMemory`: where it holds instances that are (outside_instances.h).
    std::optional<unsigned> hiddenArgument(const ExternalRef &external, bool isInMemory = false);
    std::optional<unsigned> hiddenAttribute(const ExternalRef &external);
    unsigned hiddenItself(int object); // of bytes
    // A global that a captured function assigns, as an attribute of its module; none: of others.
    std::optional<ExternalRef> assignedGlobal(pybind11::handle globals, const std::string &name);
    // The object's number in result.objects; each call checks that it is of the same
    // ObjectKind.
    int objectNumber(const ExternalRef &external);
    int addObject(ReachedObject object, pybind11::handle itself);
    std::string labelOf(const ExternalRef &external) const;
    // Of a set that is more than the right operand of `in`: the function may change it.
    void noteUseOfSet(pybind11::handle set);
    bool isUsedOtherwise(pybind11::handle set) const;
    bool isAssigned(int object, const std::string &name) const;
    // Whether a captured function assigns this attribute of the class itself.
    bool isAssignedInClass(pybind11::handle type, const std::string &name) const;
    // The number of a list, dict or tuple in an object, whose items become hidden arguments.
    int stateContainer(const ExternalRef &external,
                       const std::function<void(const std::string &)> &refuse);
    void describeStates(); // the entry's attribute `states`, see np-infer's bindStates
    void checkAliases() const;
    // Dotted name of a function or type of NumPy, math or builtins, whatever alias it was found
    // under; "" for others.
    std::string externalName(pybind11::handle object) const {
        return capture::externalName(object);
    }
    bool isException(pybind11::handle object) const; // an exception class with an external name
    // "float64" for np.float64 and np.dtype("f8"), "" for other objects.
    std::string dtypeName(pybind11::handle object) const { return capture::dtypeName(object); }
};

UserError unsupportedError(std::string message, std::vector<Frame> frames);

} // namespace shapecast::capture
