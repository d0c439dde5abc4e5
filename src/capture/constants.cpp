// See the header.
#include "capture/constants.h"

#include "capture/dependencies.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

Attribute numberAttr(FunctionEmitter &f, py::handle object, Type &type) {
    MLIRContext *ctx = &f.session.context;
    if (PyBool_Check(object.ptr())) {
        type = np::PyBoolType::get(ctx);
        return f.builder.getBoolAttr(object.ptr() == Py_True);
    }
    if (PyLong_CheckExact(object.ptr())) {
        int overflow = 0;
        long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
        type = np::PyIntType::get(ctx);
        return overflow ? Attribute() : f.builder.getI64IntegerAttr(value);
    }
    if (PyFloat_CheckExact(object.ptr())) {
        type = np::PyFloatType::get(ctx);
        return f.builder.getF64FloatAttr(PyFloat_AS_DOUBLE(object.ptr()));
    }
    if (PyComplex_CheckExact(object.ptr())) {
        Py_complex value = PyComplex_AsCComplex(object.ptr());
        type = np::PyComplexType::get(ctx);
        return f.builder.getF64ArrayAttr({value.real, value.imag});
    }
    return {};
}

Attribute staticAttr(FunctionEmitter &f, py::handle object) {
    auto make = [&](llvm::StringRef kind, llvm::StringRef value) {
        return np::PyAttr::get(&f.session.context, kind, value);
    };
    if (object.is_none())
        return make("none", "");
    if (object.ptr() == Py_Ellipsis)
        return make("ellipsis", "");
    if (PyUnicode_CheckExact(object.ptr()))
        return make("str", text(object));
    if (PyModule_Check(object.ptr()))
        return make("module", stringAttribute(object, "__name__"));
    if (PyType_Check(object.ptr()) && stringAttribute(object, "__module__") == "builtins" &&
        llvm::is_contained({"int", "float", "bool", "complex", "str", "tuple", "list"},
                           stringAttribute(object, "__name__")))
        return make("type", stringAttribute(object, "__name__"));
    if (f.session.isException(object))
        return make("exception", f.session.externalName(object));
    if (std::string dtype = f.session.dtypeName(object); !dtype.empty())
        return make("dtype", PyType_Check(object.ptr()) ? "numpy." + dtype : dtype);
    return {};
}

Attribute defaultAttr(FunctionEmitter &f, py::handle value) {
    Type type;
    Attribute number = numberAttr(f, value, type);
    if (number && !isa<np::PyComplexType>(type)) // its attribute, a pair, would read as a tuple
        return number;
    if (PyTuple_CheckExact(value.ptr())) {
        SmallVector<Attribute> elements;
        for (py::handle element : value)
            elements.push_back(defaultAttr(f, element));
        return llvm::is_contained(elements, Attribute()) ? Attribute()
                                                         : f.builder.getArrayAttr(elements);
    }
    return type ? Attribute() : staticAttr(f, value);
}

} // namespace shapecast::capture
