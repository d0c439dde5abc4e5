#include "capture/constants.h"

#include "capture/dependencies.h"
#include "capture/object_class.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

Attribute numberAttr(Session &session, py::handle object, Type &type) {
    MLIRContext *ctx = &session.context;
    switch (classify(object.ptr())) {
    case ObjectClass::Bool:
        type = np::PyBoolType::get(ctx);
        return Builder(ctx).getBoolAttr(object.ptr() == Py_True);
    case ObjectClass::Int: {
        int overflow = 0;
        long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
        type = np::PyIntType::get(ctx);
        if (!overflow)
            return Builder(ctx).getI64IntegerAttr(value);
        const llvm::APInt wide(256, text(py::str(object)), 10);
        if (!wide.isSignedIntN(128))
            return {};
        type = np::PyWideIntType::get(ctx);
        return np::wideIntAttr(ctx, wide.trunc(128));
    }
    case ObjectClass::Float:
        type = np::PyFloatType::get(ctx);
        return Builder(ctx).getF64FloatAttr(PyFloat_AS_DOUBLE(object.ptr()));
    case ObjectClass::Complex: {
        Py_complex value = PyComplex_AsCComplex(object.ptr());
        type = np::PyComplexType::get(ctx);
        return Builder(ctx).getF64ArrayAttr({value.real, value.imag});
    }
    default:
        return {};
    }
}

// Classes and dtypes: int, ValueError, np.float32, np.dtype("float32").
static Attribute classAttr(Session &session, py::handle object, bool isType) {
    auto make = [&](llvm::StringRef kind, llvm::StringRef value) {
        return np::PyAttr::get(&session.context, kind, value);
    };
    if (isType && stringAttribute(object, "__module__") == "builtins" &&
        llvm::is_contained({"int", "float", "bool", "complex", "str", "tuple", "list"},
                           stringAttribute(object, "__name__")))
        return make("type", stringAttribute(object, "__name__"));
    if (session.isException(object))
        return make("exception", session.externalName(object));
    if (std::string dtype = session.dtypeName(object); !dtype.empty())
        return make("dtype", isType ? "numpy." + dtype : dtype);
    return {};
}

Attribute staticAttr(Session &session, py::handle object) {
    auto make = [&](llvm::StringRef kind, llvm::StringRef value) {
        return np::PyAttr::get(&session.context, kind, value);
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
        return classAttr(session, object, ofClass == ObjectClass::Type);
    }
}

Attribute defaultAttr(Session &session, py::handle value) {
    Type type;
    Attribute number = numberAttr(session, value, type);
    if (number && isa<np::PyComplexType>(type)) { // a pair would read as a tuple
        const Py_complex parts = PyComplex_AsCComplex(value.ptr());
        return DenseF64ArrayAttr::get(&session.context, {parts.real, parts.imag});
    }
    if (number)
        return number;
    if (classify(value.ptr()) == ObjectClass::Tuple) {
        SmallVector<Attribute> elements;
        for (py::handle element : value)
            elements.push_back(defaultAttr(session, element));
        return llvm::is_contained(elements, Attribute())
                   ? Attribute()
                   : Builder(&session.context).getArrayAttr(elements);
    }
    return type ? Attribute() : staticAttr(session, value);
}

} // namespace shapecast::capture
