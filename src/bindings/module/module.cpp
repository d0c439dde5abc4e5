// The Python module shapecast._core.
#define SHAPECAST_IMPORTS_NUMPY
#include "bindings/cache/compile_lock.h"
#include "bindings/cache/disk.h"
#include "bindings/cache/library_store.h"
#include "bindings/call/callouts.h"
#include "bindings/call/caught_exceptions.h"
#include "bindings/call/container_arguments.h"
#include "bindings/call/containers.h"
#include "bindings/call/device_array.h"
#include "bindings/call/devices.h"
#include "bindings/call/dlpack.h"
#include "bindings/call/find_ufunc_loops.h"
#include "bindings/call/generators.h"
#include "bindings/call/interpreter_lock.h"
#include "bindings/call/probe.h"
#include "bindings/call/recorded_values.h"
#include "bindings/call/results.h"
#include "bindings/call/sorts.h"
#include "bindings/call/texts.h"
#include "bindings/dispatch/dispatcher.h"
#include "bindings/dispatch/timed.h"
#include "bindings/inspect/inspect.h"
#include "bindings/inspect/ops_module.h"
#include "bindings/inspect/shapes_module.h"
#include "capture/capture.h"
#include "capture/external_names.h"
#include "capture/interrupts.h"
#include "facts/host_info.h"
#include "ops/ufunc/ufunc.h"
#include "passes/frontend/callout.h"
#include "passes/frontend/library.h"
#include "runtime/callbacks.h"
#include "runtime/memory.h"
#include "runtime/openblas.h"
#include "runtime/random.h"
#include "runtime/threads.h"
#include "runtime/ufunc_loops.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;
using namespace shapecast;

// Whether instances of the class have the attribute; none where it is no known class.
static std::optional<bool> hasAttribute(std::string_view className, std::string_view attribute) {
    const bindings::WithInterpreterLock locked;
    const bool isNumpys = className.starts_with("numpy.");
    const py::module_ module = py::module_::import(isNumpys ? "numpy" : "builtins");
    const py::str name(std::string(className.substr(isNumpys ? 6 : 0)));
    const py::object found =
        className == "NoneType" ? py::type::of(py::none()) : py::getattr(module, name, py::none());
    if (!PyType_Check(found.ptr()))
        return std::nullopt;
    // Not hasattr(class): a class has attributes (__name__) that its instances do not have.
    for (const py::handle base : found.attr("__mro__"))
        if (base.attr("__dict__").contains(attribute))
            return true;
    return false;
}

// The message of the TypeError that Python raises for these arguments; none where it takes them.
static std::optional<std::string> argumentError(const std::string &function, size_t count,
                                                const std::vector<std::string> &names) {
    const bindings::WithInterpreterLock locked;
    try {
        const py::module_ refusals = py::module_::import("shapecast._argument_errors");
        const py::object message =
            refusals.attr("argument_error")(function, count, py::tuple(py::cast(names)));
        return message.is_none() ? std::nullopt : std::optional(py::cast<std::string>(message));
    } catch (py::error_already_set &error) {
        error.discard_as_unraisable(function.c_str());
        return std::nullopt;
    }
}

// Python's messages by those of Python 3.11 and NumPy 2.4, and HostInfo's flags by name.
static void setHostInfo(const py::dict &messages, std::string unexpectedField,
                        const py::kwargs &given) {
    static const std::pair<const char *, bool HostInfo::*> flags[] = {
        {"where_checks_integers", &HostInfo::whereChecksIntegers},
        {"complex_by_annex_g", &HostInfo::complexByAnnexG},
        {"sum_is_compensated", &HostInfo::sumIsCompensated},
        {"casts_saturate", &HostInfo::castsSaturate},
        {"unpack_error_has_count", &HostInfo::unpackErrorHasCount},
        {"meshgrid_views_are_tuples", &HostInfo::meshgridViewsAreTuples},
    };
    hostInfo() = {.messages = {},
                  .hasAttribute = &hasAttribute,
                  .argumentError = &argumentError,
                  .unexpectedField = std::move(unexpectedField)};
    for (auto [reference, actual] : messages)
        hostInfo().messages[py::cast<std::string>(reference)] = py::cast<std::string>(actual);
    for (const auto &[name, flag] : flags)
        hostInfo().*flag = given.contains(name) && py::cast<bool>(given[name]);
}

// Rows in terms of numpy.ufunc. A function of two results has a row for each in the table:
// "modf.0", "modf.1".
static py::list ufuncTable() {
    py::list rows;
    for (const Ufunc *ufunc : allUfuncs()) {
        auto [name, part] = ufunc->name.split('.');
        py::list types;
        if (!part.empty() && part != "0") {
            py::dict row = rows[rows.size() - 1];
            row["nout"] = row["nout"].cast<int>() + 1;
            for (auto [first, loop] : llvm::zip(row["types"], ufuncLoops(*ufunc)))
                types.append(py::str(first) + py::str(loop.text().substr(loop.text().size() - 1)));
            row["types"] = types;
            continue;
        }
        for (const Loop &loop : ufuncLoops(*ufunc))
            if (loop.in.size() < 2 || loop.in[0] == loop.in[1] ||
                loop.out != DType::Bool) // NumPy: qQ->?, not lL->?
                types.append(loop.text());
        py::dict row;
        row["name"] = name.str();
        row["nin"] = ufunc->inputs;
        row["nout"] = 1;
        row["types"] = types;
        rows.append(row);
    }
    return rows;
}

// What the C library read last from standard input, up to its buffer's 4 KiB: the program of
// `python -`, which is in a pipe. The buffer's end may hold something older.
static py::bytes standardInput() {
#ifdef __GLIBC__
    const char *start = stdin->_IO_buf_base;
    return start ? py::bytes(start, strnlen(start, size_t(stdin->_IO_buf_end - start))) : "";
#else
    return "";
#endif
}

// Without the interpreter lock it works as well: see "Without the interpreter lock" in
// capture/python.h.
PYBIND11_MODULE(_core_of_the_main_interpreter, m, py::mod_gil_not_used()) {
    if (_import_array() < 0 || !CoreLock::init() || !bindings::initResults() ||
        !bindings::initSorts() || !bindings::addJitType(m.ptr(), bindings::jitMethods))
        throw py::error_already_set();
    bindings::watchFinalisation();
    bindings::watchForks();
    m.attr("__version__") = SHAPECAST_VERSION;
    capture::snapshotModuleNames();
    m.def(
        "original",
        [](const std::string &module, const std::string &name) {
            CoreLock core;
            const py::object found = capture::originalAttribute(module, name);
            return found ? found : py::none();
        },
        "The attribute that a library's module had when it was loaded; None for other modules.");
    m.def("_set_host_info", &setHostInfo);
    runtime::setCaller(&bindings::callOut);
    setCallOutProbe(&bindings::probeCallOut);
    setLibraryCapture(&bindings::libraryModule);
    runtime::setPrinter(&bindings::printItems);
    bindings::setTextCallbacks();
    bindings::setContainerReader();
    runtime::setRaiser(&bindings::raiseItems);
    runtime::setCatcher(&bindings::catchError);
    runtime::setPoller(&bindings::pollSignals);
    runtime::setOpener(&bindings::openGenerator);
    runtime::setRaised(&bindings::hasRaised);
    m.def("live_allocations", &runtime::liveAllocations,
          "Buffers of compiled code that are not yet freed.");
    m.def("_memory_use", [] {
        const runtime::MemoryUse use = runtime::memoryUse();
        return py::make_tuple(use.bytes, use.peak, use.blocks);
    });
    m.def("_container", [](const std::string &form, py::handle words) {
        PyObject *made = bindings::containerObject(form, words.ptr());
        if (!made)
            throw py::error_already_set();
        return py::reinterpret_steal<py::object>(made);
    });
    m.def("_standard_input", &standardInput);
    m.def("_set_disabled", &bindings::setDisabled);
    m.def("_is_disabled", &bindings::isDisabled);
    m.def("_set_profiling", &bindings::setProfiling);
    m.def("_profiled_functions", [] {
        py::list functions;
        for (const Ref &function : bindings::profiledFunctions())
            functions.append(py::reinterpret_borrow<py::object>(function.get()));
        return functions;
    });
    m.def("_get_num_threads", &runtime::threadCount);
    m.def("_set_num_threads", &runtime::setThreadCount);
    m.def("_set_min_parallel_work", &runtime::setMinParallelWork);
    m.def("_set_strip_bytes", &runtime::setStripBytes);
    m.def("_set_non_temporal_bytes", &runtime::setNonTemporalBytes);
    m.def("_drop_kept_blocks", &runtime::dropKeptBlocks);
    m.def("_caught_error", [](int64_t number) {
        auto error = py::reinterpret_steal<py::object>(bindings::caughtError(number));
        return error ? error : throw py::error_already_set();
    });
    m.def("_set_blas_library",
          [](const std::string &path) { runtime::setBlasLibrary(path.c_str()); });
    bindOps(m);
    bindings::bindShapes(m);
    bindings::bindDiskCache(m);
    bindings::bindLibraryStore(m);
    bindings::bindDevices(m);
    bindings::bindDeviceArray(m);
    bindings::bindDlpack(m);
    m.def("ufunc_table", &ufuncTable,
          "The element-wise functions that shapecast compiles, with their loops.");
    capture::bindCapture(m);
    m.def("_needs_blas", &runtime::needsBlas,
          "Whether no OpenBLAS is in the process and no path is set.");
    m.def("_has_distributions", &bindings::hasDistributions,
          "Whether NumPy lets others call its distributions.");
    m.def("_has_pythons_random", &bindings::hasPythonsRandom,
          "Whether compiled code may draw from the generator of Python's random.");
    m.def("_has_legacy_distributions", &bindings::hasLegacyDistributions,
          "And whether the memory layout of its RandomState is known.");
    m.def(
        "_add_ufunc_loop",
        [](const std::string &name, py::handle ufunc, int number) {
            return bindings::addUfuncLoop(name, ufunc.ptr(), number);
        },
        "Registers a loop of a ufunc for compiled code; False where it cannot be called.");
}

// In a subinterpreter pybind11's initialisation, and callbacks from other threads, would deadlock.
extern "C" PYBIND11_EXPORT PyObject *PyInit__core() {
    if (PyInterpreterState_Get() == PyInterpreterState_Main())
        return PyInit__core_of_the_main_interpreter();
    PyErr_SetString(PyExc_ImportError, "shapecast runs in the main interpreter only, not in a "
                                       "subinterpreter; use threads or processes");
    return nullptr;
}
