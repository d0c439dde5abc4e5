#include "bindings/call/probe.h"

#include "bindings/call/interpreter_lock.h"

namespace shapecast::bindings {

static ProbeLog *currentLog = nullptr; // under the compile lock

ProbeLog::ProbeLog() : outer(std::exchange(currentLog, this)) {}
ProbeLog::~ProbeLog() { currentLog = outer; }

std::string probeCallOut(llvm::StringRef call) {
    WithInterpreterLock locked;
    std::string text;
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._callouts"));
    Ref result = module ? Ref::steal(PyObject_CallMethod(module.get(), "probe", "s#", call.data(),
                                                         Py_ssize_t(call.size())))
                        : Ref();
    if (const char *utf8 = result ? PyUnicode_AsUTF8(result.get()) : nullptr)
        text = utf8;
    else
        PyErr_WriteUnraisable(nullptr);
    if (currentLog)
        currentLog->probes.emplace_back(call.str(), text);
    return text;
}

} // namespace shapecast::bindings
