// Warnings about what is compiled (python/shapecast/_progress.py has their texts).
#include "bindings/cache/variants.h"
#include "ir/error_names.h"

namespace shapecast::bindings {

// shapecast.PerformanceWarning, which is off unless the program or the environment asks for it.
static bool warnOfCallOuts(const Ref &function, const std::vector<std::string> &callOuts) {
    if (callOuts.empty())
        return true;
    Ref texts = Ref::steal(PyList_New(0));
    for (const std::string &called : callOuts) {
        Ref text =
            Ref::steal(PyUnicode_FromStringAndSize(called.data(), Py_ssize_t(called.size())));
        if (!texts || !text || PyList_Append(texts.get(), text.get()) < 0)
            return false;
    }
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._progress"));
    return module && Ref::steal(PyObject_CallMethod(module.get(), "warn_of_call_outs", "OO",
                                                    function.get(), texts.get()));
}

// Once for each location, which may be in a callee.
bool JittedFunction::warnOfRefusals(const Variant &variant) {
    for (const ErrorSite &site : variant.sites) {
        if (site.exception != np::refusedInBranch || site.frames.empty())
            continue;
        const Frame &frame = site.frames.back();
        const std::string location = frame.file + ":" + std::to_string(frame.line);
        if (!refusals.insert(location + ": " + site.message).second)
            continue;
        note(location + " is not supported, raises when it is reached: " + site.message);
        Ref module = Ref::steal(PyImport_ImportModule("shapecast._progress"));
        Ref done = module ? Ref::steal(PyObject_CallMethod(module.get(), "warn_of_refusal", "OsIs",
                                                           function.get(), frame.file.c_str(),
                                                           frame.line, site.message.c_str()))
                          : Ref();
        if (!done) {
            refusals.clear(); // so that the next call warns again
            return false;
        }
    }
    return warnOfCallOuts(function, variant.callOuts);
}

// Before a key is dropped for the first time.
bool JittedFunction::warnOfManyKeys() {
    if (entries.size() < maxKeys || std::exchange(hasWarnedOfKeys, true))
        return true;
    Ref texts = Ref::steal(PyList_New(0));
    for (const auto &entry : entries) {
        Ref text = Ref::steal(
            PyUnicode_FromStringAndSize(entry->text.data(), Py_ssize_t(entry->text.size())));
        if (!texts || !text || PyList_Append(texts.get(), text.get()) < 0)
            return false;
    }
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._progress"));
    return module && Ref::steal(PyObject_CallMethod(module.get(), "warn_of_keys", "OO",
                                                    function.get(), texts.get()));
}

} // namespace shapecast::bindings
