#include "bindings/nested.h"

#include "bindings/errors.h"

namespace shapecast::bindings {
namespace {

// Walks through tuples and lists. The structure in text: "." an argument or item, "(..)" a tuple of
// two, "[..]" a list.
struct Walk {
    std::string structure;
    llvm::SmallVector<PyObject *, 16> objects;
    std::vector<std::string> names;

    bool isNested(PyObject *object) const {
        return PyList_CheckExact(object) || (PyTuple_CheckExact(object) && !isStatic(object));
    }
    void item(PyObject *object, const std::string &name, bool nested) {
        if (!nested) {
            structure += '.';
            objects.push_back(object);
            names.push_back(name);
            return;
        }
        const bool list = PyList_CheckExact(object);
        structure += list ? '[' : '(';
        for (Py_ssize_t i = 0;
             i < PySequence_Fast_GET_SIZE(object) && objects.size() <= size_t(maxParameters); ++i) {
            PyObject *inner = PySequence_Fast_GET_ITEM(object, i);
            item(inner, name + "[" + std::to_string(i) + "]", isNested(inner));
        }
        structure += list ? ']' : ')';
    }
};

std::string textOfName(const Ref &name) {
    const char *utf8 = PyUnicode_AsUTF8(name.get());
    return utf8 ? utf8 : "?";
}

} // namespace

bool takeItems(JittedFunction &function, PyObject *const *arguments, Items &items) {
    Walk walk;
    const size_t visible = function.parameters.visible;
    for (size_t i = 0; i < visible; ++i) {
        const bool rest = function.takesRest && i + 1 == visible;
        walk.item(arguments[i], textOfName(function.parameters.names[i]),
                  rest || walk.isNested(arguments[i]));
    }
    if (walk.objects.size() > size_t(maxParameters)) {
        const std::string message =
            "the arguments of " + function.parameters.function + "() have more than " +
            std::to_string(maxParameters) +
            " items in all; pass np.array(x) for tuples and lists of numbers";
        raiseUserError({"shapecast.UnsupportedError", message, {}, {}});
        return false;
    }
    std::unique_ptr<JittedFunction> &found = function.nested[walk.structure];
    if (!found) {
        auto made = std::make_unique<JittedFunction>();
        made->function = Ref::share(function.function.get());
        made->structure = walk.structure;
        made->parameters.function = function.parameters.function;
        for (const std::string &name : walk.names)
            made->parameters.names.push_back(Ref::steal(PyUnicode_InternFromString(name.c_str())));
        made->parameters.visible = walk.names.size();
        found = std::move(made);
    }
    items.function = found.get();
    items.objects = std::move(walk.objects);
    return true;
}

} // namespace shapecast::bindings
