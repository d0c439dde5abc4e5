#include "bindings/call/forms.h"

#include "bindings/call/enum_forms.h"
#include "bindings/call/numpy_types.h"
#include "capture/object_class.h"
#include "capture/object_kind.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <mutex>
#include <vector>

namespace shapecast::bindings {

using capture::classify;
using capture::ObjectClass;

namespace {

struct Form {
    char kind = 'x';         // as in the text; x: of nothing
    char dtype = 0;          // s
    std::vector<Form> parts; // of a tuple's items, a container's key and value, what is optional
    const EnumForm *members = nullptr; // m: of one of them

    std::string text() const {
        if (kind == 'm')
            return members->text;
        std::string made(1, kind);
        if (kind == 's')
            made += dtype;
        if (kind == 't')
            made += std::to_string(parts.size()) + ":";
        for (const Form &part : parts)
            made += part.text();
        return made;
    }
};

Form optionalOf(Form form) {
    Form made{'o', 0, {}};
    made.parts.push_back(std::move(form));
    return made;
}

// The form of both; false: there is none.
bool join(Form &mine, Form theirs) {
    if (theirs.kind == 'x')
        return true;
    if (mine.kind == 'x') {
        mine = std::move(theirs);
        return true;
    }
    if (mine.kind == 'n' && theirs.kind != 'n') {
        mine = theirs.kind == 'o' ? std::move(theirs) : optionalOf(std::move(theirs));
        return true;
    }
    if (theirs.kind == 'n' && mine.kind != 'n') {
        if (mine.kind != 'o')
            mine = optionalOf(std::move(mine));
        return true;
    }
    if (mine.kind == 'o' || theirs.kind == 'o') {
        if (mine.kind != 'o')
            mine = optionalOf(std::move(mine));
        return join(mine.parts[0], theirs.kind == 'o' ? theirs.parts[0] : std::move(theirs));
    }
    if (mine.kind != theirs.kind || mine.dtype != theirs.dtype || mine.members != theirs.members ||
        mine.parts.size() != theirs.parts.size())
        return false;
    for (auto [part, other] : llvm::zip_equal(mine.parts, theirs.parts))
        if (!join(part, other))
            return false;
    return true;
}

// Whether it is certainly of that form, as most items of a container are of that of the first.
bool isOf(PyObject *object, const Form &form) {
    int overflow = 0;
    switch (form.kind) {
    case 'n':
        return object == Py_None;
    case 'b':
        return PyBool_Check(object);
    case 'i':
        if (!PyLong_CheckExact(object))
            return false;
        PyLong_AsLongLongAndOverflow(object, &overflow);
        return overflow == 0;
    case 'f':
        return PyFloat_CheckExact(object);
    case 'T':
        return PyUnicode_CheckExact(object);
    case 'm':
        return form.members->members.contains(object);
    case 'o':
        return object == Py_None || isOf(object, form.parts[0]);
    case 't': {
        const auto size = size_t(PyTuple_CheckExact(object) ? PyTuple_GET_SIZE(object) : -1);
        bool isSame = size == form.parts.size();
        for (size_t k = 0; isSame && k < size; ++k)
            isSame = isOf(PyTuple_GET_ITEM(object, Py_ssize_t(k)), form.parts[k]);
        return isSame;
    }
    default:
        return false;
    }
}

class Scan {
public:
    Scan(int argument, FormPlaces &places) : argument(argument), places(places) {}

    llvm::SmallVector<const EnumForm *, 1> enumForms; // of the members, each once

    bool item(PyObject *object, Form &form, int place, int depth) {
        constexpr int deepest = 6;
        if (isOf(object, form))
            return true;
        Form own;
        if (capture::isEnumMember(object))
            return member(object, own) && join(form, std::move(own));
        switch (classify(object)) {
        case ObjectClass::None:
            own.kind = 'n';
            break;
        case ObjectClass::Bool:
            own.kind = 'b';
            break;
        case ObjectClass::Int: {
            int overflow = 0;
            PyLong_AsLongLongAndOverflow(object, &overflow);
            if (overflow != 0)
                return false;
            own.kind = 'i';
            break;
        }
        case ObjectClass::Float:
            own.kind = 'f';
            break;
        case ObjectClass::Str:
            own.kind = 'T';
            break;
        case ObjectClass::NumpyScalar:
            if (!scalar(object, own))
                return false;
            break;
        case ObjectClass::Tuple:
            own.kind = 't';
            own.parts.resize(size_t(PyTuple_GET_SIZE(object)));
            for (size_t k = 0; k < own.parts.size(); ++k)
                if (depth == deepest || !item(PyTuple_GET_ITEM(object, Py_ssize_t(k)), own.parts[k],
                                              within(place, k), depth + 1))
                    return false;
            break;
        case ObjectClass::List:
        case ObjectClass::Dict:
            if (depth == deepest || !container(object, own, place, depth))
                return false;
            break;
        default:
            if (!PyAnySet_CheckExact(object) || depth == deepest ||
                !container(object, own, place, depth))
                return false;
        }
        return join(form, std::move(own));
    }

private:
    bool member(PyObject *object, Form &own) {
        own.kind = 'm';
        auto known = llvm::find_if(enumForms, [&](const EnumForm *one) {
            return one->type == reinterpret_cast<PyObject *>(Py_TYPE(object));
        });
        own.members = known != enumForms.end() ? *known : enumForm(Py_TYPE(object));
        if (!own.members || !own.members->members.contains(object))
            return false;
        if (known == enumForms.end())
            enumForms.push_back(own.members);
        return true;
    }

    static bool scalar(PyObject *object, Form &own) {
        const Ref described =
            Ref::steal(reinterpret_cast<PyObject *>(PyArray_DescrFromScalar(object)));
        auto *descr = reinterpret_cast<PyArray_Descr *>(described.get());
        const auto [dtype, shift] = supportedType(descr->type_num);
        if (dtype == notSupported || isComplex(DType(dtype)))
            return false;
        own.kind = 's';
        own.dtype = isBool(DType(dtype)) ? '?' : dtypeChar(DType(dtype));
        return true;
    }

    bool container(PyObject *object, Form &own, int place, int depth) {
        if (!places.add(object, argument, place)) // compiled code would have two copies
            return false;
        if (PyList_CheckExact(object)) {
            own = {'L', 0, {Form()}};
            const int ofItems = within(place, 1);
            for (Py_ssize_t i = 0; i < PyList_GET_SIZE(object); ++i)
                if (!item(PyList_GET_ITEM(object, i), own.parts[0], ofItems, depth + 1))
                    return false;
            return true;
        }
        if (PyDict_CheckExact(object)) {
            own = {'D', 0, {Form(), Form()}};
            const int ofKeys = within(place, 0), ofValues = within(place, 1);
            PyObject *key, *value;
            Py_ssize_t at = 0;
            while (PyDict_Next(object, &at, &key, &value))
                if (!item(key, own.parts[0], ofKeys, depth + 1) ||
                    !item(value, own.parts[1], ofValues, depth + 1))
                    return false;
            return isKey(own.parts[0]);
        }
        own = {'S', 0, {Form()}};
        const Ref iterator = Ref::steal(PyObject_GetIter(object));
        while (const Ref key = Ref::steal(PyIter_Next(iterator.get())))
            if (!item(key.get(), own.parts[0], within(place, 0), depth + 1))
                return false;
        return isKey(own.parts[0]);
    }

    static bool isKey(const Form &form) {
        return form.kind != 'o' && llvm::all_of(form.parts, isKey);
    }

    // The number of a place, as an item of what is at another one.
    int within(int place, size_t index) {
        return numbers.try_emplace({place, index}, int(numbers.size()) + 1).first->second;
    }

    int argument;
    FormPlaces &places;
    std::map<std::pair<int, size_t>, int> numbers;
};

struct Forms {
    std::mutex mutex;
    std::map<std::string, int32_t> numbers;
    std::vector<const std::string *> texts;
    std::vector<std::vector<PyObject *>> enumClasses;
};

Forms &forms() {
    static auto *all = new Forms;
    return *all;
}

} // namespace

int32_t formNumberOf(PyObject *object, int argument, FormPlaces &places) {
    Form form;
    Scan scan(argument, places);
    if (capture::isReadAsText(object))
        form.kind = 'T';
    else if (!scan.item(object, form, 0, 0))
        return -1;
    Forms &all = forms();
    const std::lock_guard lock(all.mutex);
    const auto [known, isNew] = all.numbers.try_emplace(form.text(), int32_t(all.texts.size()));
    if (isNew) {
        all.texts.push_back(&known->first);
        auto &classes = all.enumClasses.emplace_back();
        for (const EnumForm *one : scan.enumForms)
            classes.push_back(one->type);
    }
    return known->second;
}

const std::string &formOfNumber(int32_t number) {
    Forms &all = forms();
    const std::lock_guard lock(all.mutex);
    return *all.texts[size_t(number)];
}

std::vector<PyObject *> enumClassesOfForm(int32_t number) {
    Forms &all = forms();
    const std::lock_guard lock(all.mutex);
    return all.enumClasses[size_t(number)];
}

// "record:5;9,3;Side;BUY;i1" in an 'm': the class's name.
static std::string enumName(const char *&at) {
    char *text = nullptr;
    const long size = std::strtol(at, &text, 10);
    at = text + 1 + size;
    llvm::SmallVector<llvm::StringRef> words;
    llvm::StringRef(text + 1, size_t(size)).split(words, ';');
    return words[2].str();
}

static std::string textAt(const char *&at) {
    auto of = [&](const char *name) { return std::string(name) + "[" + textAt(at) + "]"; };
    switch (*at++) {
    case 'i':
        return "int";
    case 'b':
        return "bool";
    case 'f':
        return "float";
    case 's': {
        const char dtype = *at++;
        return dtype == '?' ? "np.bool" : "np." + dtypeName(*dtypeFromChar(dtype)).str();
    }
    case 'T':
        return "str";
    case 'n':
        return "None";
    case 'm':
        return enumName(at);
    case 'u': { // members of one class
        char *end = nullptr;
        long count = std::strtol(at, &end, 10);
        std::string name;
        for (at = end + 1; count > 0; --count)
            name = enumName(++at);
        return name;
    }
    case 'L':
        return of("list");
    case 'S':
        return of("set");
    case 'o':
        return textAt(at) + " | None";
    case 'D': {
        const std::string key = textAt(at);
        return "dict[" + key + ", " + textAt(at) + "]";
    }
    case 't': {
        char *end = nullptr;
        const long count = std::strtol(at, &end, 10);
        at = end + 1;
        std::string items;
        for (long k = 0; k < count; ++k)
            items += (k ? ", " : "") + textAt(at);
        return "tuple[" + items + "]";
    }
    default:
        return "...";
    }
}

std::string formText(const std::string &form) {
    const char *at = form.c_str();
    return textAt(at);
}

} // namespace shapecast::bindings
