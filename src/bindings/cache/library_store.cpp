#include "bindings/cache/library_store.h"

#include "bindings/call/interpreter_lock.h"
#include "capture/capture.h"
#include "capture/interrupts.h"
#include "context.h"
#include "ir/fingerprint.h"
#include "support/build_id.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <pybind11/stl.h>

namespace py = pybind11;

namespace shapecast::bindings {

using Module = mlir::OwningOpRef<mlir::ModuleOp>;

static Module captured(py::handle function) {
    capture::Captured captured = capture::captureFunction(function, context());
    capture::throwInterrupts();
    return std::move(captured.module);
}

// MLIR bytecode; none where the module has numbers of this process. Without locations: what
// np-infer inlines gets the location of the call.
static std::optional<py::bytes> toBytes(py::handle function) {
    Module module = captured(function);
    const mlir::Location unknown = mlir::UnknownLoc::get(module->getContext());
    module->walk([&](mlir::Operation *op) {
        op->setLoc(unknown);
        for (mlir::Region &region : op->getRegions())
            for (mlir::BlockArgument argument : region.getArguments())
                argument.setLoc(unknown);
    });
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    if (mlir::failed(mlir::writeBytecodeToFile(module.get(), stream)))
        throw std::runtime_error("shapecast.library: a function cannot be written as bytecode");
    return np::isPortable(bytes) ? std::optional(py::bytes(bytes)) : std::nullopt;
}

static Module fromBytes(std::string_view bytes) {
    const mlir::ParserConfig config(&context(), /*verifyAfterParse=*/false);
    const llvm::MemoryBufferRef buffer({bytes.data(), bytes.size()}, "shapecast.library");
    mlir::Block read;
    if (mlir::failed(mlir::readBytecodeFile(buffer, &read, config)))
        throw std::runtime_error("the store of shapecast.library is damaged; reinstall shapecast");
    auto stored = llvm::cast<mlir::ModuleOp>(read.front());
    stored->remove();
    return stored;
}

std::optional<Module> libraryModule(llvm::StringRef name) {
    WithInterpreterLock interpreter;
    try {
        const py::module_ library = py::module_::import("shapecast.library");
        const py::object stored = library.attr("stored")(name.str());
        if (!stored.is_none())
            return fromBytes(py::cast<std::string_view>(stored));
        const py::object function = library.attr("find")(name.str());
        return function.is_none() ? std::nullopt : std::optional(captured(function));
    } catch (const capture::CaptureError &problem) {
        const Frame &frame = problem.error.frames.back();
        throw std::runtime_error("shapecast.library: " + problem.error.message + " (" + frame.file +
                                 ":" + std::to_string(frame.line) + ")");
    } catch (const py::error_already_set &problem) { // what() needs the interpreter lock
        if (problem.matches(PyExc_KeyboardInterrupt))
            throw;
        throw std::runtime_error(problem.what());
    }
}

void bindLibraryStore(py::module_ &module) {
    module.def(
        "_build_id", [] { return py::bytes(buildId()); }, "Identifies the build of the compiler.");
    module.def(
        "_captured_bytes", &toBytes,
        "A captured library function as MLIR bytecode; None where another process cannot read it.");
}

} // namespace shapecast::bindings
