#include "bindings/dispatch/prepare.h"

#include "bindings/call/errors.h"
#include "bindings/call/static_values.h"
#include "capture/object_class.h"
#include "capture/object_kind.h"
#include "user_error.h"

#include <algorithm>

namespace shapecast::bindings {

namespace {

// Whether the call goes to the function of its structure (flatten.h); this one is not captured
// then. In those of structures what is an object is in memory.
bool takesObjects(const JittedFunction &function, PyObject *const *arguments) {
    if (function.parameters.areFlattened)
        return false;
    return std::any_of(arguments, arguments + function.parameters.visible, [&](PyObject *object) {
        return isObjectArgument(object) ||
               (!function.wholeRecords && capture::isRecordArray(object));
    });
}

// Attributes and globals cannot be flattened as arguments are. False, with UnsupportedError set if
// that was the reason.
bool raiseIfNested(const JittedFunction &function, Call &call) {
    for (size_t k = function.parameters.visible; call.nested && k < call.all.size(); ++k) {
        PyObject *object = call.all[k];
        const capture::ObjectClass ofClass = capture::classify(object);
        const bool list = capture::isList(ofClass), dict = capture::isDict(ofClass);
        const bool range = ofClass == capture::ObjectClass::Range;
        if (!(list || dict || range || capture::isTuple(ofClass)) || isStatic(object) ||
            (function.parameters.globals.contains(k) &&
             (capture::isMutableContainer(object) || isInstance(object))))
            continue;
        call.nested = false;
        const char *name = PyUnicode_AsUTF8(function.parameters.names[k].get());
        raiseUserError({"shapecast.UnsupportedError",
                        std::string(name ? name : "an attribute") +
                            (dict    ? " is a dict; pass it, or its values, as an argument"
                             : range ? " is a range; pass it as an argument"
                             : list  ? " is a list; make it a tuple of numbers, or an array, or "
                                       "pass it as an argument"
                                     : " is a tuple with items other than numbers; pass it as an "
                                       "argument"),
                        {},
                        {}});
    }
    return false;
}

} // namespace

bool prepareCall(JittedFunction &function, PyObject *const *arguments, Call &call) {
    if (function.hasVarArgs || function.hasVarKeywords ||
        (!function.isCaptured() && takesObjects(function, arguments))) [[unlikely]] {
        call.nested = true;
        return false;
    }
    call.containers = function.containersOf(arguments);
    for (int attempt = 0; attempt < 100; ++attempt) {
        if (!function.valid()) [[unlikely]] {
            if (function.isCaptured())
                function.invalidate("compiled again: " + function.changed() + " changed");
            if (!function.capture(arguments))
                return false;
        }
        function.stamp(call);
        if (!function.hasHidden()) [[likely]]
            return readArguments(function.parameters, arguments, call);
        if (function.addHidden(arguments, call))
            return readArguments(function.parameters, call.all.data(), call) ||
                   raiseIfNested(function, call);
        if (PyErr_Occurred())
            return false;
        function.invalidate(
            "compiled again: a global, closure variable or attribute has another type");
    }
    PyErr_SetString(PyExc_RuntimeError,
                    "shapecast: globals, closure variables or attributes that the "
                    "function reads change faster than it compiles");
    return false;
}

} // namespace shapecast::bindings
