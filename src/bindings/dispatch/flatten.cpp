#include "bindings/dispatch/flatten.h"

#include "ir/call_structure.h"

#include "bindings/call/errors.h"
#include "bindings/call/forms.h"
#include "bindings/call/number_lists.h"
#include "bindings/call/static_values.h"
#include "capture/interrupts.h"
#include "capture/object_class.h"
#include "capture/object_kind.h"
#include "capture/record_classes.h"
#include "user_error.h"

namespace shapecast::bindings {
namespace {

using capture::classify;
using capture::ObjectClass;
using Kind = np::CallStructure::Kind;

// Of containers in memory: none is in two arguments; instances may be; none is in memory then.
enum class Sharing : uint8_t { None, OfInstances, Refused };

// Flattens tuples, lists and dicts, and notes the structure.
//
// Names ("pair[0]") are made only for the parameters of a new structure and for messages.
struct Walk {
    JittedFunction &function;
    const bool naming, allowsMemory, usesMemory;
    Walk(JittedFunction &function, PyObject *const *arguments, bool naming, Sharing sharing)
        : function(function), naming(naming), allowsMemory(sharing != Sharing::Refused),
          usesMemory(allowsMemory && function.parameters.inMemory != MemoryUse::None) {
        formPlaces.mergesInstances = sharing == Sharing::OfInstances;
        const size_t visible = function.parameters.visible;
        for (size_t i = 0; i < visible; ++i)
            argument(arguments[i], i, i + function.hasVarArgs + function.hasVarKeywords >= visible);
        for (PyObject *type : classes)
            object(type, "<" + std::string(reinterpret_cast<PyTypeObject *>(type)->tp_name) + ">");
    }
    np::CallStructure structure;
    std::string problem;
    llvm::SmallVector<PyObject *, 16> items, objects, containers;
    // Of what is in memory, and of named tuples with members of their own: after all others.
    llvm::SmallVector<PyObject *, 2> classes;
    llvm::SmallVector<PyObject *, 8> open; // the enclosing lists and dicts
    std::vector<std::string> names, objectNames;
    llvm::SmallVector<Ref, 0> kept;
    ParameterSet numberLists;
    FormPlaces formPlaces; // as the reader of the arguments will find them

    struct NamedTupleClass {
        unsigned version;
        std::string text; // RecordClass::text
        bool definesMembers;
    };
    // The class of a named tuple; null for other objects. Cached by the version of the class, which
    // changes where a field is replaced by a property, say.
    static const NamedTupleClass *namedTuple(PyObject *object) {
        static auto *known = new std::map<PyTypeObject *, NamedTupleClass>;
        if (classify(object) != ObjectClass::TupleSubclass)
            return nullptr;
        PyTypeObject *type = Py_TYPE(object);
        auto found = known->find(type);
        if (found != known->end() && found->second.version &&
            versionOf(type) == found->second.version)
            return &found->second;
        auto record = capture::recordClass(reinterpret_cast<PyObject *>(type));
        if (!record)
            return nullptr;
        const bool hasMembers = capture::definesMembers(reinterpret_cast<PyObject *>(type));
        NamedTupleClass &entry = (*known)[type]; // the look-ups have given the class a version
        entry = {versionOf(type), record->text, hasMembers};
        return &entry;
    }
    // name + parts, if names are wanted.
    template <class... Parts> std::string joined(const std::string &name, Parts... parts) const {
        std::string text;
        if (naming)
            ((text = name), ..., (text += part(parts)));
        return text;
    }
    static std::string part(const std::string &text) { return text; }
    static std::string part(Py_ssize_t number) { return std::to_string(number); }

    static bool isNested(PyObject *object) {
        switch (classify(object)) {
        case ObjectClass::List:
        case ObjectClass::Dict:
        case ObjectClass::Range:
            return true;
        case ObjectClass::Tuple:
            return !isStatic(object);
        case ObjectClass::TupleSubclass:
            return namedTuple(object);
        default:
            return false;
        }
    }
    size_t kindOf(PyObject *object) {
        for (auto [number, kind] : llvm::enumerate(function.kinds))
            if (kind.isExactly(object)) // a class, a member of an Enum: by identity
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
        if (same == objects.end())
            structure.add(Kind::Object, int64_t(kindOf(object)));
        else
            structure.add(Kind::SameObject, same - objects.begin());
        objects.push_back(object);
        if (naming)
            objectNames.push_back(name);
    }
    void argument(PyObject *object, size_t index, bool rest) {
        const char *utf8 = naming ? PyUnicode_AsUTF8(function.parameters.names[index].get()) : "";
        const std::string name = utf8 ? utf8 : "?";
        if (isInMemory(object)) {
            structure.add(Kind::Item);
            leaf(object, name);
        } else if (!rest && (isObjectArgument(object) || capture::containsObjects(object) ||
                             (!function.wholeRecords && capture::isRecordArray(object))))
            this->object(object, name);
        else
            item(object, name, rest || isNested(object));
    }
    bool isInMemory(PyObject *object) {
        const bool mayBe = allowsMemory && mayBeInMemory(object, function.parameters.inMemory);
        const int32_t form = mayBe ? formNumberOf(object, int(items.size()), formPlaces) : -1;
        if (form < 0)
            return false;
        for (PyObject *type : classesOfForm(form))
            noteClass(type);
        return true;
    }
    void noteClass(PyObject *type) {
        if (!llvm::is_contained(classes, type))
            classes.push_back(type);
    }
    void namedTuple(PyObject *object, const NamedTupleClass &known) {
        structure.add(Kind::NamedTuple, known.text);
        if (known.definesMembers)
            noteClass(reinterpret_cast<PyObject *>(Py_TYPE(object)));
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
        if (!nested && capture::isOfCollections(object))
            isInMemory(object); // notes the class
        if (!nested) {
            structure.add(Kind::Item);
            return leaf(object, name);
        }
        const ObjectClass ofClass = classify(object);
        const bool isMutable = ofClass == ObjectClass::List || ofClass == ObjectClass::Dict;
        if (isMutable && isKnown(object, name))
            return;
        if (isMutable && usesMemory)
            formPlaces.add(object, /*argument=*/-1, int(containers.size()));
        if (isMutable) {
            open.push_back(object);
            containers.push_back(object);
        }
        contents(object, name);
        if (isMutable)
            open.pop_back();
    }
    // One list or dict that occurs twice: its changes are seen through both references.
    bool isKnown(PyObject *object, const std::string &name) {
        const auto same = llvm::find(containers, object);
        if (same == containers.end())
            return false;
        if (llvm::is_contained(open, object) && problem.empty())
            problem = name + " holds itself, which is not supported; pass what is needed of it";
        structure.add(Kind::SameContainer, same - containers.begin());
        return true;
    }
    void contents(PyObject *object, const std::string &name) {
        const ObjectClass ofClass = classify(object);
        const bool list = ofClass == ObjectClass::List;
        if (ofClass == ObjectClass::Dict)
            return dict(object, name);
        if (ofClass == ObjectClass::Range)
            return range(object, name);
        if (list && PyList_GET_SIZE(object) > capture::maxListItems)
            if (Ref array = numbersOf(object)) {
                const bool floats =
                    PyArray_TYPE(reinterpret_cast<PyArrayObject *>(array.get())) == NPY_FLOAT64;
                structure.add(floats ? Kind::FloatList : Kind::IntList);
                numberLists.insert(items.size());
                leaf(array.get(), name);
                kept.push_back(std::move(array));
                return;
            }
        if (list || ofClass == ObjectClass::Tuple)
            structure.add(list ? Kind::List : Kind::Tuple);
        else
            this->namedTuple(object, *namedTuple(object));
        for (Py_ssize_t i = 0;
             i < PySequence_Fast_GET_SIZE(object) && items.size() <= size_t(maxParameters); ++i) {
            kept.push_back(sequenceItem(object, i));
            PyObject *inner = kept.back().get();
            if (!inner) // another thread has shortened the list
                break;
            item(inner, joined(name, "[", i, "]"), isNested(inner));
        }
        structure.add(Kind::End);
    }
    void range(PyObject *object, const std::string &name) {
        Ref step = Ref::steal(PyObject_GetAttrString(object, "step"));
        int overflow = 0; // then the step is 0, which range() rejects
        const long long known = PyLong_AsLongLongAndOverflow(step.get(), &overflow);
        structure.add(Kind::Range, overflow ? 0 : known);
        for (const char *part : {"start", "stop"}) {
            kept.push_back(Ref::steal(PyObject_GetAttrString(object, part)));
            leaf(kept.back().get(), joined(name, ".", part));
        }
    }
    void dict(PyObject *object, const std::string &name) {
        structure.add(Kind::Dict);
        PyObject *key, *inner;
        Py_ssize_t at = 0;
        ObjectLock lock(object);
        while (PyDict_Next(object, &at, &key, &inner) && items.size() <= size_t(maxParameters)) {
            kept.push_back(Ref::share(key));
            const std::string shown = keyText(key);
            if (shown.empty() && problem.empty())
                problem = "the keys of the dict " + name +
                          " are not all strings and integers; pass a dict with such keys";
            kept.push_back(Ref::share(inner));
            item(inner, joined(name, "[", shown, "]"), isNested(inner));
        }
        structure.add(Kind::End);
    }
    // The key for messages, which is added to the structure; "" for a key that is not supported.
    std::string keyText(PyObject *key) {
        const ObjectClass ofClass = classify(key);
        if (ofClass == ObjectClass::Str) {
            Py_ssize_t size = 0;
            const char *utf8 = PyUnicode_AsUTF8AndSize(key, &size);
            if (!utf8)
                return capture::forgetError(), "";
            structure.add(Kind::StringKey, llvm::StringRef(utf8, size_t(size)));
            return "'" + std::string(utf8) + "'";
        }
        int overflow = 0;
        if (ofClass != ObjectClass::Int)
            return "";
        const long long number = PyLong_AsLongLongAndOverflow(key, &overflow);
        structure.add(Kind::IntKey, number);
        return overflow ? "" : std::to_string(number);
    }
};

void fill(FlatArguments &flat, const std::shared_ptr<JittedFunction> &function, Walk &walk) {
    flat.function = function;
    flat.objects = std::move(walk.items);
    flat.kept = std::move(walk.kept);
    flat.objects.append(walk.objects.begin(), walk.objects.end());
    flat.objects.append(walk.containers.begin(), walk.containers.end());
}

std::shared_ptr<JittedFunction> functionOf(const JittedFunction &function, Walk &walk) {
    auto created = std::make_shared<JittedFunction>();
    created->function = Ref::share(function.function.get());
    created->code = function.code;
    created->structure = walk.structure;
    created->containers = walk.containers.size();
    created->wholeRecords = function.wholeRecords;
    created->frozenInMemory = function.frozenInMemory;
    created->triedFrozen = function.triedFrozen;
    created->knowsMemory = function.knowsMemory ||
                           (function.parameters.inMemory != MemoryUse::None && !walk.usesMemory);
    created->parameters.areFlattened = true;
    created->parameters.mergesInstances = walk.formPlaces.mergesInstances;
    created->parameters.inMemory = walk.usesMemory ? function.parameters.inMemory : MemoryUse::None;
    created->parameters.longestConstant = function.parameters.longestConstant;
    created->debug = function.debug;
    created->bigint = function.bigint;
    created->profile = function.profile;
    created->times = function.times;
    created->changingGlobals = function.changingGlobals;
    created->parameters.function = function.parameters.function;
    for (const std::string &name : walk.names)
        created->parameters.names.push_back(Ref::steal(PyUnicode_InternFromString(name.c_str())));
    created->parameters.visible = walk.names.size();
    created->parameters.numberLists = walk.numberLists;
    created->objectParameters = std::move(walk.objectNames);
    return created;
}

// For a new structure, or a problem: walks again, with names.
bool flattenNew(JittedFunction &function, PyObject *const *arguments, FlatArguments &flat,
                Sharing sharing) {
    Walk walk(function, arguments, /*naming=*/true, sharing);
    if (!walk.problem.empty()) {
        function.wasRefused = true; // in memory it may be supported
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
    std::shared_ptr<JittedFunction> created = functionOf(function, walk);
    function.nested[walk.structure] = created;
    fill(flat, created, walk);
    return true;
}

} // namespace

bool switchToWholeRecords(JittedFunction &function, const JittedFunction &ofStructure) {
    if (!ofStructure.wholeRecords || function.wholeRecords)
        return false;
    capture::forgetError();
    function.wholeRecords = true;
    function.nested.clear(); // the caller keeps its own
    return true;
}

// Without those of *args and **kwargs.
static llvm::ArrayRef<PyObject *> namedArguments(const JittedFunction &function,
                                                 PyObject *const *arguments) {
    return {arguments, function.parameters.visible - function.hasVarArgs - function.hasVarKeywords};
}

static bool isString(PyObject *object) { return classify(object) == ObjectClass::Str; }

// After None: containers; then strings, too; then instances of classes, up to `most`; and then none
// again, for good.
static std::optional<MemoryUse> nextUse(const JittedFunction &function, PyObject *const *arguments,
                                        MemoryUse most) {
    const auto given = namedArguments(function, arguments);
    const MemoryUse now = function.parameters.inMemory;
    const auto isContainer = [](PyObject *object) {
        return mayBeInMemory(object, MemoryUse::Containers);
    };
    if (now == MemoryUse::None && llvm::any_of(given, isContainer))
        return MemoryUse::Containers;
    for (auto [k, object] : llvm::enumerate(given)) // others stay constants
        if (now < MemoryUse::Strings && isString(object) &&
            !function.parameters.requestedStatic.contains(k))
            return MemoryUse::Strings;
    if (now < most && most == MemoryUse::Instances && llvm::any_of(given, isInstance))
        return MemoryUse::Instances;
    return std::nullopt;
}

bool switchToMemory(JittedFunction &function, const JittedFunction &ofStructure,
                    PyObject *const *arguments) {
    if (!ofStructure.wasRefused || function.knowsMemory)
        return false;
    capture::forgetError();
    const std::optional<MemoryUse> next = nextUse(function, arguments, MemoryUse::Instances);
    if (!next && function.readGlobals(ofStructure))
        return true;
    if (!next)
        function.forgetGlobals();
    if (!next && function.putFrozenInMemory(ofStructure))
        return true;
    function.knowsMemory = !next;
    function.useMemory(next.value_or(function.worksWith));
    return true;
}

// Numbers in lists in a list, a table or a board say, up to a few more than `limit`.
static Py_ssize_t numbersOfRows(PyObject *list, Py_ssize_t limit) {
    Py_ssize_t count = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list) && count <= limit; ++i) {
        PyObject *row = PyList_GET_ITEM(list, i);
        if (!PyList_CheckExact(row) ||
            (PyList_GET_SIZE(row) && !capture::isNumber(classify(PyList_GET_ITEM(row, 0)))))
            return 0;
        count += PyList_GET_SIZE(row);
    }
    return count;
}

// So many items that none is to be known by itself. Lists of numbers are arrays.
static bool isLong(PyObject *object) {
    constexpr Py_ssize_t mostOfRows = 16; // a matrix of 4 x 4 is one
    if (PyDict_CheckExact(object))
        return PyDict_GET_SIZE(object) > capture::maxListItems;
    if (PySet_CheckExact(object))
        return PySet_GET_SIZE(object) > capture::maxListItems;
    if (!PyList_CheckExact(object))
        return false;
    const Py_ssize_t size = PyList_GET_SIZE(object);
    if (size > mostOfRows && isInstance(PyList_GET_ITEM(object, 0)))
        return true;
    return numbersOfRows(object, mostOfRows) > mostOfRows ||
           (size > capture::maxListItems &&
            !capture::isNumber(classify(PyList_GET_ITEM(object, 0))));
}

bool stopSpecialising(JittedFunction &function, PyObject *const *arguments) {
    // One more variant of a program that takes long to compile costs more than it can gain.
    constexpr size_t many = 8, manyOfSlow = 2;
    constexpr double slow = 2000; // milliseconds
    const auto given = namedArguments(function, arguments);
    const MemoryUse now = function.parameters.inMemory;
    if (now == MemoryUse::None && !function.knowsMemory && llvm::any_of(given, isLinked)) {
        function.useMemory(MemoryUse::Instances);
        return true;
    }
    double spent = function.compilingMilliseconds;
    for (const auto &[structure, state] : function.nested)
        spent += state->compilingMilliseconds;
    const size_t most = spent > slow ? manyOfSlow : many;
    const bool hasMany = std::max(function.nested.size(), function.keyCount()) >= most,
               hasLong = now == MemoryUse::None && llvm::any_of(given, isLong);
    if (function.knowsMemory || now >= MemoryUse::Strings || (!hasMany && !hasLong))
        return false;
    const std::optional<MemoryUse> next = nextUse(function, arguments, MemoryUse::Strings);
    if (next) {
        function.worksWith = hasMany ? now : MemoryUse::None;
        function.useMemory(*next);
    }
    return next.has_value();
}

bool flattenArguments(JittedFunction &function, PyObject *const *arguments, FlatArguments &flat) {
    if (std::max(function.nested.size(), function.kinds.size()) >=
        maxKeys) { // a new function object for each call, say
        function.nested.clear();
        function.kinds.clear();
    }
    // Of a container in two arguments there would be two copies in memory.
    Sharing sharing = Sharing::None;
    std::optional<Walk> walk(std::in_place, function, arguments, /*naming=*/false, sharing);
    for (Sharing next : {Sharing::OfInstances, Sharing::Refused})
        if (walk->formPlaces.areShared)
            walk.emplace(function, arguments, /*naming=*/false, sharing = next);
    const auto known = function.nested.find(walk->structure);
    if (known == function.nested.end() || !walk->problem.empty())
        return flattenNew(function, arguments, flat, sharing);
    fill(flat, known->second, *walk);
    return true;
}

} // namespace shapecast::bindings
