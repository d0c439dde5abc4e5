#include "bindings/call/static_values.h"

#include "bindings/call/errors.h"
#include "bindings/call/numpy_types.h"
#include "capture/interrupts.h"
#include "capture/object_class.h"
#include "capture/object_kind.h"
#include "ir/np.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <string>
#include <vector>

namespace shapecast::bindings {

using capture::classify;
using capture::ObjectClass;

namespace {

// "numpy.sqrt" for a function found under that name in NumPy, else "".
std::string numpyFunctionName(PyObject *object) {
    if (!PyCallable_Check(object))
        return "";
    const ObjectClass ofClass = classify(object);
    if (ofClass == ObjectClass::Type || ofClass == ObjectClass::Method ||
        capture::hasAttributes(object))
        return "";
    static PyObject *numpy = PyImport_ImportModule("numpy");
    Ref name = Ref::steal(PyObject_GetAttrString(object, "__name__"));
    Ref found = name && numpy ? dictItem(PyModule_GetDict(numpy), name.get()) : Ref();
    capture::forgetError();
    return found.get() == object ? "numpy." + textOf(name.get()) : "";
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
    switch (classify(object)) {
    case ObjectClass::Tuple:
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(object); ++i)
            if (!isStatic(PyTuple_GET_ITEM(object, i)))
                return false;
        return true;
    case ObjectClass::Int: {
        int overflow = 0;
        PyLong_AsLongLongAndOverflow(object, &overflow);
        return !overflow;
    }
    case ObjectClass::None:
    case ObjectClass::Ellipsis:
    case ObjectClass::Str:
    case ObjectClass::Bool:
    case ObjectClass::Float:
    case ObjectClass::Complex:
    case ObjectClass::Dtype:
        return true;
    case ObjectClass::Type:
        return !capture::isObject(object);
    case ObjectClass::Array:
        return false;
    default:
        return !numpyFunctionName(object).empty();
    }
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

// np.float64 is as good as np.dtype("float64").
static mlir::Attribute typeAttribute(mlir::MLIRContext &context, PyObject *object) {
    const bool isType = classify(object) == ObjectClass::Type;
    for (auto [type, name] :
         {std::pair{&PyFloat_Type, "float"}, std::pair{&PyLong_Type, "int"},
          std::pair{&PyBool_Type, "bool"}, std::pair{&PyComplex_Type, "complex"}})
        if (object == reinterpret_cast<PyObject *>(type))
            return np::PyAttr::get(&context, "type", name);
    PyArray_Descr *descr = nullptr;
    if (PyArray_DescrConverter(object, &descr)) {
        Ref owner = Ref::steal(reinterpret_cast<PyObject *>(descr));
        std::optional<DType> dtype = dtypeOf(descr);
        if (dtype && PyArray_ISNBO(descr->byteorder))
            return np::PyAttr::get(&context, "dtype",
                                   (isType ? "numpy." : "") + dtypeName(*dtype).str());
        if (PyTypeNum_ISUSERDEF(descr->type_num)) // a library's: named by its scalar type
            return np::PyAttr::get(&context, "dtype", textOf(owner.get()));
    }
    capture::forgetError();
    return np::PyAttr::get(&context, "dtype", textOf(object));
}

mlir::Attribute staticAttribute(mlir::MLIRContext &context, PyObject *object) {
    mlir::Builder builder(&context);
    auto named = [&](const char *kind, const std::string &text) {
        return np::PyAttr::get(&context, kind, text);
    };
    switch (classify(object)) {
    case ObjectClass::None:
        return named("none", "");
    case ObjectClass::Ellipsis:
        return named("ellipsis", "");
    case ObjectClass::Str:
        return named("str", textOf(object));
    case ObjectClass::Bool:
        return builder.getBoolAttr(object == Py_True);
    case ObjectClass::Int:
    case ObjectClass::IntSubclass:
        return builder.getI64IntegerAttr(PyLong_AsLongLong(object));
    case ObjectClass::Float:
    case ObjectClass::FloatSubclass:
        return builder.getF64FloatAttr(PyFloat_AsDouble(object));
    case ObjectClass::Complex:
    case ObjectClass::ComplexSubclass: {
        const Py_complex value = PyComplex_AsCComplex(object);
        return builder.getDenseF64ArrayAttr({value.real, value.imag}); // as TypedBuilder::literal
    }
    case ObjectClass::Tuple: {
        llvm::SmallVector<mlir::Attribute> items;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(object); ++i)
            items.push_back(staticAttribute(context, PyTuple_GET_ITEM(object, i)));
        return builder.getArrayAttr(items);
    }
    case ObjectClass::Type:
    case ObjectClass::Dtype:
        return typeAttribute(context, object);
    default:
        return named("func", numpyFunctionName(object));
    }
}

} // namespace shapecast::bindings
