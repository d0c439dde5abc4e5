#include "capture/constants.h"

#include "capture/dependencies.h"
#include "capture/object_class.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

Attribute numberAttr(FunctionEmitter &f, py::handle object, Type &type) {
    MLIRContext *ctx = &f.session.context;
    switch (classify(object.ptr())) {
    case ObjectClass::Bool:
        type = np::PyBoolType::get(ctx);
        return f.builder.getBoolAttr(object.ptr() == Py_True);
    case ObjectClass::Int: {
        int overflow = 0;
        long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
        type = np::PyIntType::get(ctx);
        if (!overflow)
            return f.builder.getI64IntegerAttr(value);
        const llvm::APInt wide(256, text(py::str(object)), 10);
        if (!wide.isSignedIntN(128))
            return {};
        type = np::PyWideIntType::get(ctx);
        return np::wideIntAttr(ctx, wide.trunc(128));
    }
    case ObjectClass::Float:
        type = np::PyFloatType::get(ctx);
        return f.builder.getF64FloatAttr(PyFloat_AS_DOUBLE(object.ptr()));
    case ObjectClass::Complex: {
        Py_complex value = PyComplex_AsCComplex(object.ptr());
        type = np::PyComplexType::get(ctx);
        return f.builder.getF64ArrayAttr({value.real, value.imag});
    }
    default:
        return {};
    }
}

// Classes and dtypes: int, ValueError, np.float32, np.dtype("float32").
static Attribute classAttr(FunctionEmitter &f, py::handle object, bool isType) {
    auto make = [&](llvm::StringRef kind, llvm::StringRef value) {
        return np::PyAttr::get(&f.session.context, kind, value);
    };
    if (isType && stringAttribute(object, "__module__") == "builtins" &&
        llvm::is_contained({"int", "float", "bool", "complex", "str", "tuple", "list"},
                           stringAttribute(object, "__name__")))
        return make("type", stringAttribute(object, "__name__"));
    if (f.session.isException(object))
        return make("exception", f.session.externalName(object));
    if (std::string dtype = f.session.dtypeName(object); !dtype.empty())
        return make("dtype", isType ? "numpy." + dtype : dtype);
    return {};
}

Attribute staticAttr(FunctionEmitter &f, py::handle object) {
    auto make = [&](llvm::StringRef kind, llvm::StringRef value) {
        return np::PyAttr::get(&f.session.context, kind, value);
    };
    switch (const ObjectClass ofClass = classify(object.ptr())) {
    case ObjectClass::None:
        return make("none", "");
    case ObjectClass::Ellipsis:
        return make("ellipsis", "");
    case ObjectClass::Str:
        return make("str", text(object));
    case ObjectClass::Module:
        return make("module", stringAttribute(object, "__name__"));
    default:
        if (object.ptr() == Py_NotImplemented)
            return make("notimplemented", "");
        return classAttr(f, object, ofClass == ObjectClass::Type);
    }
}

Attribute defaultAttr(FunctionEmitter &f, py::handle value) {
    Type type;
    Attribute number = numberAttr(f, value, type);
    if (number && !isa<np::PyComplexType>(type)) // its attribute, a pair, would read as a tuple
        return number;
    if (classify(value.ptr()) == ObjectClass::Tuple) {
        SmallVector<Attribute> elements;
        for (py::handle element : value)
            elements.push_back(defaultAttr(f, element));
        return llvm::is_contained(elements, Attribute()) ? Attribute()
                                                         : f.builder.getArrayAttr(elements);
    }
    return type ? Attribute() : staticAttr(f, value);
}

} // namespace shapecast::capture
