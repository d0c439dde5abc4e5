#include "bindings/nested.h"
#include "capture/interrupts.h"

#include "bindings/errors.h"
#include "capture/records.h"

namespace shapecast::bindings {
namespace {

// Walks through tuples, lists and dicts. The structure in text: "." an argument or item, "(..)" a
// tuple of two, "[..]" a list, "{s1:a.i7;.}" a dict with the keys "a" and 7, "Lf" and "Li" a
// list of any length of floats or ints, which is one array then, "~0;" the first list or dict
// again, "R2;" a range with this step, which is two numbers, "@3;" an object of kind 3, "=0;" the
// object that is the first one too.
//
// Names ("pair[0]") are for the parameters of a new structure and for messages; usual walks make
// none.
struct Walk {
    JittedFunction &function;
    const bool naming;
    Walk(JittedFunction &function, PyObject *const *arguments, bool naming)
        : function(function), naming(naming) {
        const size_t visible = function.parameters.visible;
        for (size_t i = 0; i < visible; ++i)
            argument(arguments[i], i, i + function.takesRest + function.takesOthers >= visible);
    }
    std::string structure, problem;
    llvm::SmallVector<PyObject *, 16> items, objects, containers;
    llvm::SmallVector<PyObject *, 8> open; // the lists and dicts around
    std::vector<std::string> names, objectNames;
    llvm::SmallVector<Ref, 0> kept;

    // The class of a named tuple as RecordClass::text; null for other objects. Such classes live
    // on, and are asked again when they have been changed (a field replaced by a property).
    static const std::string *namedTuple(PyObject *object) {
        struct Known {
            unsigned version;
            std::string text;
        };
        static auto *known = new std::map<PyTypeObject *, Known>;
        if (!PyTuple_Check(object) || PyTuple_CheckExact(object))
            return nullptr;
        PyTypeObject *type = Py_TYPE(object);
        auto found = known->find(type);
        if (found != known->end() && found->second.version &&
            type->tp_version_tag == found->second.version)
            return &found->second.text;
        auto record = capture::recordClass(reinterpret_cast<PyObject *>(type));
        if (!record)
            return nullptr;
        Known &entry = (*known)[type]; // the look-ups have given the class a version
        entry = {type->tp_version_tag, record->text};
        return &entry.text;
    }
    // name + parts where names are wanted.
    template <class... Parts> std::string longer(const std::string &name, Parts... parts) const {
        std::string made;
        if (naming)
            ((made = name), ..., (made += part(parts)));
        return made;
    }
    static std::string part(const std::string &text) { return text; }
    static std::string part(Py_ssize_t number) { return std::to_string(number); }

    bool isNested(PyObject *object) {
        return PyList_CheckExact(object) || PyDict_CheckExact(object) || namedTuple(object) ||
               PyRange_Check(object) || (PyTuple_CheckExact(object) && !isStatic(object));
    }
    size_t kindOf(PyObject *object) {
        for (auto [number, kind] : llvm::enumerate(function.kinds))
            if (kind.isOnly(object)) // a class, a member of an Enum: found without a look at it
                return number;
        const auto own = capture::ObjectKind::of(object);
        for (auto [number, kind] : llvm::enumerate(function.kinds))
            if (kind == own)
                return number;
        function.kinds.push_back(own);
        return function.kinds.size() - 1;
    }
    void object(PyObject *object, const std::string &name) {
        const auto same = llvm::find(objects, object);
        structure += same == objects.end() ? "@" + std::to_string(kindOf(object)) + ";"
                                           : "=" + std::to_string(same - objects.begin()) + ";";
        objects.push_back(object);
        if (naming)
            objectNames.push_back(name);
    }
    void argument(PyObject *object, size_t index, bool rest) {
        const char *utf8 = naming ? PyUnicode_AsUTF8(function.parameters.names[index].get()) : "";
        const std::string name = utf8 ? utf8 : "?";
        if (!rest && (isObjectArgument(object) || capture::holdsObjects(object) ||
                      (!function.wholeRecords && isRecords(object))))
            this->object(object, name);
        else
            item(object, name, rest || isNested(object));
    }
    void leaf(PyObject *object, const std::string &name) {
        items.push_back(object);
        if (naming)
            names.push_back(name);
    }
    void item(PyObject *object, const std::string &name, bool nested) {
        if (isObjectArgument(object) && problem.empty())
            problem = "the item " + name + " is a " + Py_TYPE(object)->tp_name +
                      ", and objects in tuples and lists are not supported; pass it as an "
                      "argument of its own";
        if (!nested) {
            structure += '.';
            return leaf(object, name);
        }
        const bool list = PyList_CheckExact(object), changes = list || PyDict_CheckExact(object);
        if (changes && isKnown(object, name))
            return;
        if (changes) {
            open.push_back(object);
            containers.push_back(object);
        }
        contents(object, name);
        if (changes)
            open.pop_back();
    }
    // One list or dict at two places: its changes are seen at both.
    bool isKnown(PyObject *object, const std::string &name) {
        const auto same = llvm::find(containers, object);
        if (same == containers.end())
            return false;
        if (llvm::is_contained(open, object) && problem.empty())
            problem = name + " holds itself, which is not supported; pass what is needed of it";
        structure += "~" + std::to_string(same - containers.begin()) + ";";
        return true;
    }
    void contents(PyObject *object, const std::string &name) {
        if (PyDict_CheckExact(object))
            return dict(object, name);
        if (PyRange_Check(object))
            return range(object, name);
        if (PyList_CheckExact(object) && PyList_GET_SIZE(object) > capture::mostItems)
            if (Ref array = numbersOf(object)) {
                structure += PyFloat_CheckExact(PyList_GET_ITEM(object, 0)) ? "Lf" : "Li";
                leaf(array.get(), name);
                kept.push_back(std::move(array));
                return;
            }
        const bool list = PyList_CheckExact(object);
        if (list || PyTuple_CheckExact(object)) {
            structure += list ? '[' : '(';
        } else {
            const std::string &text = *namedTuple(object);
            structure += "N" + std::to_string(text.size()) + ":" + text;
        }
        for (Py_ssize_t i = 0;
             i < PySequence_Fast_GET_SIZE(object) && items.size() <= size_t(maxParameters); ++i) {
            PyObject *inner = PySequence_Fast_GET_ITEM(object, i);
            if (list)
                kept.push_back(Ref::share(inner));
            item(inner, longer(name, "[", i, "]"), isNested(inner));
        }
        structure += list ? ']' : ')';
    }
    void range(PyObject *object, const std::string &name) {
        Ref step = Ref::steal(PyObject_GetAttrString(object, "step"));
        int overflow = 0; // then range() says so
        const long long known = PyLong_AsLongLongAndOverflow(step.get(), &overflow);
        structure += "R" + std::to_string(overflow ? 0 : known) + ";";
        for (const char *part : {"start", "stop"}) {
            kept.push_back(Ref::steal(PyObject_GetAttrString(object, part)));
            leaf(kept.back().get(), longer(name, ".", part));
        }
    }
    void dict(PyObject *object, const std::string &name) {
        structure += '{';
        PyObject *key, *inner;
        Py_ssize_t at = 0;
        while (PyDict_Next(object, &at, &key, &inner) && items.size() <= size_t(maxParameters)) {
            const std::string shown = keyText(key);
            if (shown.empty() && problem.empty())
                problem = "the keys of the dict " + name +
                          " are not all strings and integers; pass a dict with such keys";
            kept.push_back(Ref::share(inner));
            item(inner, longer(name, "[", shown, "]"), isNested(inner));
        }
        structure += '}';
    }
    // As messages have it, and added to the structure; "" for other objects.
    std::string keyText(PyObject *key) {
        if (PyUnicode_CheckExact(key)) {
            Py_ssize_t size = 0;
            const char *utf8 = PyUnicode_AsUTF8AndSize(key, &size);
            if (!utf8)
                return capture::forgetError(), "";
            structure += "s" + std::to_string(size) + ":" + utf8;
            return "'" + std::string(utf8) + "'";
        }
        int overflow = 0;
        if (!PyLong_CheckExact(key))
            return "";
        const long long number = PyLong_AsLongLongAndOverflow(key, &overflow);
        structure += "i" + std::to_string(number) + ";";
        return overflow ? "" : std::to_string(number);
    }
};

void take(Walk &walk, const std::shared_ptr<JittedFunction> &function, Items &items) {
    items.function = function;
    items.objects = std::move(walk.items);
    items.kept = std::move(walk.kept);
    items.objects.append(walk.objects.begin(), walk.objects.end());
    items.objects.append(walk.containers.begin(), walk.containers.end());
}

std::shared_ptr<JittedFunction> functionOf(const JittedFunction &function, Walk &walk) {
    auto made = std::make_shared<JittedFunction>();
    made->function = Ref::share(function.function.get());
    made->code = function.code;
    made->structure = walk.structure;
    made->containers = walk.containers.size();
    made->wholeRecords = function.wholeRecords;
    made->debug = function.debug;
    made->parameters.function = function.parameters.function;
    for (const std::string &name : walk.names)
        made->parameters.names.push_back(Ref::steal(PyUnicode_InternFromString(name.c_str())));
    made->parameters.visible = walk.names.size();
    made->objectParameters = std::move(walk.objectNames);
    return made;
}

// A structure that is not known, or a problem: walked again, for names.
bool takeNew(JittedFunction &function, PyObject *const *arguments, Items &items) {
    Walk walk(function, arguments, /*naming=*/true);
    if (!walk.problem.empty()) {
        raiseUserError({"shapecast.UnsupportedError", walk.problem, {}, {}});
        return false;
    }
    if (walk.items.size() > size_t(maxParameters)) {
        const std::string message =
            "the arguments of " + function.parameters.function + "() have more than " +
            std::to_string(maxParameters) +
            " items in all; pass np.array(x) for tuples and lists of numbers, and arrays of equal "
            "shape as one, np.stack(x)";
        raiseUserError({"shapecast.UnsupportedError", message, {}, {}});
        return false;
    }
    std::shared_ptr<JittedFunction> made = functionOf(function, walk);
    function.nested[walk.structure] = made;
    take(walk, made, items);
    return true;
}

} // namespace

Ref numbersOf(PyObject *list) {
    if (!capture::isOfNumbers(list))
        return {};
    npy_intp size = PyList_GET_SIZE(list);
    const bool floats = PyFloat_CheckExact(PyList_GET_ITEM(list, 0));
    Ref array = Ref::steal(PyArray_SimpleNew(1, &size, floats ? NPY_FLOAT64 : NPY_INT64));
    if (!array)
        return capture::forgetError(), Ref();
    void *data = PyArray_DATA(reinterpret_cast<PyArrayObject *>(array.get()));
    for (npy_intp i = 0; i < size; ++i) {
        PyObject *item = PyList_GET_ITEM(list, i);
        int overflow = 0;
        if (floats)
            static_cast<double *>(data)[i] = PyFloat_AS_DOUBLE(item);
        else
            static_cast<int64_t *>(data)[i] = PyLong_AsLongLongAndOverflow(item, &overflow);
        if (overflow)
            return {};
    }
    return array;
}

bool takeWholeRecords(JittedFunction &function, const JittedFunction &ofStructure) {
    if (!ofStructure.wholeRecords || function.wholeRecords)
        return false;
    capture::forgetError();
    function.wholeRecords = true;
    function.nested.clear(); // the caller keeps its own
    return true;
}

bool takeItems(JittedFunction &function, PyObject *const *arguments, Items &items) {
    if (std::max(function.nested.size(), function.kinds.size()) >=
        maxKeys) { // functions made anew for each call, say
        function.nested.clear();
        function.kinds.clear();
    }
    Walk walk(function, arguments, /*naming=*/false);
    const auto known = function.nested.find(walk.structure);
    if (known == function.nested.end() || !walk.problem.empty())
        return takeNew(function, arguments, items);
    take(walk, known->second, items);
    return true;
}

} // namespace shapecast::bindings
