// Calls that start again in Python: see the header.
#include "bindings/call/restart.h"

#include "bindings/call/arguments.h"
#include "bindings/call/numpy_types.h"
#include "runtime/abi.h"
#include "user_error.h"

namespace shapecast::bindings {

static thread_local bool effects = false, undone = false;
static thread_local Restart *running = nullptr;

static bool isOverflow(const ErrorSite &site) { // of a limit that Python has not
    return site.exception == "OverflowError" &&
           llvm::StringRef(site.message).contains("does not fit in ");
}

// Of the exception that is set.
static bool isOverflowSet() {
    if (!PyErr_ExceptionMatches(PyExc_OverflowError))
        return false;
    Ref error = takeException();
    Ref text = Ref::steal(PyObject_Str(error.get()));
    const char *utf8 = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
    const bool is = utf8 && isOverflow({"OverflowError", utf8, {}, {}});
    PyErr_Clear();
    setException(std::move(error));
    return is;
}

bool startsAgain(const ErrorSite &site) { return running && isOverflow(site); }

void noteOverflow(const ErrorSite &site, bool bigint) {
    if (isOverflow(site))
        addNote(bigint
                    ? "the call cannot start again in Python (bigint=True), since it has "
                      "drawn random numbers or called Python"
                    : "@jit(bigint=True) runs such calls in Python, whose integers have any size");
}

static bool printNow(const Ref &arguments, const Ref &options) {
    Ref builtins = Ref::steal(PyImport_ImportModule("builtins"));
    Ref print = builtins ? Ref::steal(PyObject_GetAttrString(builtins.get(), "print")) : Ref();
    return print && bool(Ref::steal(PyObject_Call(print.get(), arguments.get(), options.get())));
}

bool printHeld(Ref arguments, Ref options) {
    if (!running || effects)
        return printNow(arguments, options);
    const Py_ssize_t count = PyTuple_GET_SIZE(arguments.get());
    Ref texts = Ref::steal(PyTuple_New(count)); // the arrays among them may change
    for (Py_ssize_t i = 0; texts && i < count; ++i) {
        PyObject *text = PyObject_Str(PyTuple_GET_ITEM(arguments.get(), i));
        if (!text)
            return false;
        PyTuple_SET_ITEM(texts.get(), i, text);
    }
    if (texts)
        running->prints.emplace_back(texts, std::move(options));
    return bool(texts);
}

bool noteEffect() {
    effects = true;
    return !running || running->print();
}

bool Restart::print() {
    Ref error = takeException();
    for (const auto &[arguments, options] : std::exchange(prints, {}))
        if (!printNow(arguments, options))
            return false;
    setException(std::move(error));
    return true;
}

Restart::Restart(const Call &call)
    : outer(std::exchange(effects, false)), around(std::exchange(running, this)) {
    undone = false;
    for (const ArrayArgument &one : call.arrays) {
        PyObject *object = call.arguments[one.parameter];
        auto *array = reinterpret_cast<PyArrayObject *>(object);
        if (!PyArray_Check(object) || !PyArray_ISWRITEABLE(array))
            continue;
        Ref copy = Ref::steal(PyArray_NewCopy(array, NPY_KEEPORDER));
        if (!copy) { // no memory: then what is stored stays
            PyErr_Clear();
            effects = true;
        }
        arrays.emplace_back(Ref::share(object), std::move(copy));
    }
}

Restart::~Restart() {
    effects |= outer;
    running = around;
}

bool Restart::undo(const std::vector<ErrorSite> &sites, const runtime::ErrorRecord &record,
                   bool drawn) {
    const bool known = record.site >= 0 && size_t(record.site) < sites.size(),
               is = PyErr_Occurred() ? isOverflowSet()
                                     : known && isOverflow(sites[size_t(record.site)]);
    if (!is || effects || drawn)
        return false;
    PyErr_Clear();
    for (auto &[array, copy] : arrays)
        if (PyArray_CopyInto(reinterpret_cast<PyArrayObject *>(array.get()),
                             reinterpret_cast<PyArrayObject *>(copy.get())) < 0)
            return false;
    return undone = true;
}

bool isBeyond64Bits() {
    if (std::exchange(undone, false))
        return true;
    Ref error = takeException();
    Ref text = error ? Ref::steal(PyObject_Str(error.get())) : Ref();
    const char *utf8 = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
    const llvm::StringRef message = utf8 ? utf8 : "";
    PyErr_Clear();
    const bool is = message.contains("does not fit into 128 bits") ||
                    message.contains("an integer beyond 128 bits");
    if (error)
        setException(std::move(error));
    return is;
}

} // namespace shapecast::bindings
