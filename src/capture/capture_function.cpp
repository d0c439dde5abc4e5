// Captures a function and all that it calls: see capture.h.
#include "capture/capture.h"
#include "capture/dependencies.h"
#include "capture/emitter.h"
#include "capture/enum_members.h"
#include "capture/function_bodies.h"
#include "capture/made_classes.h"
#include "capture/session.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

std::string Session::capture(py::handle function, const Objects &objects, int number,
                             const MethodOf &method) {
    std::string key =
        std::to_string(reinterpret_cast<uintptr_t>(function.ptr())) + " " + std::to_string(number);
    for (const auto &[parameter, object] : objects)
        key += " " + parameter + "=" + std::to_string(objectNumber(object));
    if (method.ofClass)
        key += (method.constructs ? " makes " : " of ") +
               std::to_string(reinterpret_cast<uintptr_t>(method.ofClass.ptr()));
    auto found = symbols.find(key);
    if (found != symbols.end())
        return found->second;
    if (callStack.size() > 100) // object.next.next ... never ends
        throw CaptureError(unsupportedError("methods that call one another through ever more "
                                            "objects are not supported; pass arrays",
                                            callStack));
    std::string base = text(function.attr("__name__"));
    if (base == "<lambda>")
        base = "lambda";
    std::string symbol = freshSymbol(base);
    symbols[key] = symbol;
    result.functions.push_back(useOf(function));
    watchDefaults(result.functions.back(), result.globals);
    try {
        FunctionEmitter emitter(*this, function, symbol, objects, number);
        emitter.method = method;
        emitFunction(emitter);
    } catch (...) { // an unsupported call in a branch is deferred, so capture may continue
        eraseFunction(symbol);
        symbols.erase(key);
        throw;
    }
    return symbol;
}

static Captured captureOnce(py::handle plain, MLIRContext &context, const CaptureOptions &options,
                            AssignedAttributes &assigned) {
    Session session(context, options, assigned);
    Objects parameters;
    for (const auto &[parameter, object] : options.objects) {
        int number = session.addObject({-1, {}, {}, ObjectKind::of(object), parameter}, object);
        if (parameter.front() == '<') { // a class: see CaptureOptions::objects
            if (isEnumClass(object))
                noteMembers(session, object);
            else
                noteInstances(session, object);
            continue;
        }
        parameters[parameter] = {object, {}, parameter, -1, number};
    }
    session.result.entry = session.capture(plain, parameters, -1);
    captureMembers(session);
    session.describeStates();
    if (size_t hidden = session.result.hidden.size())
        session.result.module->lookupSymbol<np::FuncOp>(session.result.entry).setHidden(hidden);
    session.result.parameters = session.parameters[session.result.entry];
    return std::move(session.result);
}

Captured captureFunction(py::handle function, MLIRContext &context, const CaptureOptions &options) {
    py::object plain = unwrapJitted(function);
    if (!isPlainFunction(plain))
        throw CaptureError(unsupportedError("'" + className(plain) +
                                                "' object is not a plain Python function; "
                                                "jit takes functions written with def or lambda",
                                            {}));
    CaptureOptions now = options;
    for (AssignedAttributes assigned;;) {
        try {
            return captureOnce(plain, context, now, assigned);
        } catch (RestartCapture &) {
        } catch (InstancesInMemory &) {
            now.instancesInMemory = true;
        }
    }
}

} // namespace shapecast::capture
