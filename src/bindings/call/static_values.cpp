#include "bindings/call/static_values.h"

#include "bindings/call/errors.h"
#include "bindings/call/numpy_types.h"
#include "capture/interrupts.h"
#include "capture/object_kind.h"
#include "ir/np.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <string>
#include <vector>

namespace shapecast::bindings {

namespace {

// "numpy.sqrt" for a function found under that name in NumPy, else "".
std::string numpyFunctionName(PyObject *object) {
    if (!PyCallable_Check(object) || PyType_Check(object) || PyMethod_Check(object) ||
        capture::hasAttributes(object))
        return "";
    static PyObject *numpy = PyImport_ImportModule("numpy");
    Ref name = Ref::steal(PyObject_GetAttrString(object, "__name__"));
    PyObject *found =
        name && numpy ? PyDict_GetItemWithError(PyModule_GetDict(numpy), name.get()) : nullptr;
    capture::forgetError();
    return found == object ? "numpy." + textOf(name.get()) : "";
}

// Objects that were static arguments, by type and text: equal ones share a number. They are few
// (names of axes, dtypes) and stay for the life of the process.
struct Statics {
    std::vector<Ref> objects;
    std::map<std::pair<PyTypeObject *, std::string>, int32_t> numbers;
    llvm::SmallDenseMap<PyObject *, int32_t> seen; // numbers by identity, which needs no text
};
Statics &statics() {
    static auto *all = new Statics; // never destroyed: Python is gone by then
    return *all;
}

} // namespace

bool isStatic(PyObject *object) {
    if (PyTuple_CheckExact(object)) {
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(object); ++i)
            if (!isStatic(PyTuple_GET_ITEM(object, i)))
                return false;
        return true;
    }
    if (PyLong_CheckExact(object)) {
        int overflow = 0;
        PyLong_AsLongLongAndOverflow(object, &overflow);
        return !overflow;
    }
    return object == Py_None || object == Py_Ellipsis || PyUnicode_CheckExact(object) ||
           PyBool_Check(object) || PyFloat_CheckExact(object) || PyComplex_CheckExact(object) ||
           PyArray_DescrCheck(object) || (PyType_Check(object) && !capture::isObject(object)) ||
           !numpyFunctionName(object).empty();
}

int32_t staticNumber(PyObject *object) {
    Statics &all = statics();
    if (const auto seen = all.seen.find(object); seen != all.seen.end())
        return seen->second;
    Ref text = Ref::steal(PyObject_Repr(object));
    const char *utf8 = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
    if (!utf8)
        return -1;
    auto [found, isNew] =
        all.numbers.try_emplace({Py_TYPE(object), utf8}, int32_t(all.objects.size()));
    if (isNew) {
        all.objects.push_back(Ref::share(object));
        all.seen[object] = found->second;
    }
    return found->second;
}

PyObject *staticObject(int32_t number) { return statics().objects[size_t(number)].get(); }

mlir::Attribute staticAttribute(mlir::MLIRContext &context, PyObject *object) {
    mlir::Builder builder(&context);
    auto named = [&](const char *kind, const std::string &text) {
        return np::PyAttr::get(&context, kind, text);
    };
    if (object == Py_None)
        return named("none", "");
    if (object == Py_Ellipsis)
        return named("ellipsis", "");
    if (PyUnicode_Check(object))
        return named("str", textOf(object));
    if (PyBool_Check(object))
        return builder.getBoolAttr(object == Py_True);
    if (PyLong_Check(object))
        return builder.getI64IntegerAttr(PyLong_AsLongLong(object));
    if (PyFloat_Check(object))
        return builder.getF64FloatAttr(PyFloat_AsDouble(object));
    if (PyComplex_Check(object)) {
        const Py_complex value = PyComplex_AsCComplex(object);
        return builder.getArrayAttr(
            {builder.getF64FloatAttr(value.real), builder.getF64FloatAttr(value.imag)});
    }
    if (PyTuple_Check(object)) {
        llvm::SmallVector<mlir::Attribute> items;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(object); ++i)
            items.push_back(staticAttribute(context, PyTuple_GET_ITEM(object, i)));
        return builder.getArrayAttr(items);
    }
    for (auto [type, name] :
         {std::pair{&PyFloat_Type, "float"}, std::pair{&PyLong_Type, "int"},
          std::pair{&PyBool_Type, "bool"}, std::pair{&PyComplex_Type, "complex"}})
        if (object == reinterpret_cast<PyObject *>(type))
            return named("type", name);
    if (PyArray_DescrCheck(object) ||
        PyType_Check(object)) { // np.float64 is as good as np.dtype("float64")
        PyArray_Descr *descr = nullptr;
        if (PyArray_DescrConverter(object, &descr)) {
            Ref owner = Ref::steal(reinterpret_cast<PyObject *>(descr));
            std::optional<DType> dtype = dtypeOf(descr);
            if (dtype && PyArray_ISNBO(descr->byteorder))
                return named("dtype",
                             (PyType_Check(object) ? "numpy." : "") + dtypeName(*dtype).str());
            if (PyTypeNum_ISUSERDEF(descr->type_num)) // a library's: named by its scalar type
                return named("dtype", textOf(owner.get()));
        }
        capture::forgetError();
        return named("dtype", textOf(object));
    }
    return named("func", numpyFunctionName(object));
}

} // namespace shapecast::bindings
