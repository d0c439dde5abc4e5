// _core._capture_text: a function's captured IR as text, for tests and for inspection.
#include "capture/capture.h"

#include "mlir/IR/Verifier.h"

namespace shapecast::capture {

namespace py = pybind11;

namespace {

std::string captureText(py::handle function, bool locations) {
    try {
        mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
        context.loadDialect<np::NpDialect>();
        Captured captured = captureFunction(function, context);
        if (mlir::failed(mlir::verify(*captured.module)))
            throw std::runtime_error("captured IR does not verify");
        std::string text;
        llvm::raw_string_ostream stream(text);
        mlir::OpPrintingFlags flags;
        if (locations)
            flags.enableDebugInfo(true, /*prettyForm=*/false);
        captured.module->print(stream, flags);
        return text;
    } catch (const CaptureError &problem) {
        py::list frames, notes;
        for (const Frame &f : problem.error.frames)
            frames.append(
                py::make_tuple(f.file, f.function, f.line, f.column, f.endLine, f.endColumn));
        for (const std::string &note : problem.error.notes)
            notes.append(note);
        py::object raise = py::module_::import("shapecast._errors").attr("raise_user_error");
        raise(problem.error.exception, problem.error.message, frames, notes);
        return "";
    }
}

} // namespace

void bindCapture(py::module_ &module) {
    module.def("_capture_text", &captureText, py::arg("function"), py::arg("locations") = false);
}

} // namespace shapecast::capture
