#include "bindings/call/forms.h"

#include "bindings/call/enum_forms.h"
#include "bindings/call/instance_forms.h"
#include "bindings/call/numpy_types.h"
#include "capture/external_names.h"
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
    size_t number = 0;                 // I: its class
    std::string name;                  // N

    std::string text() const {
        if (kind == 'm')
            return members->text;
        std::string made(1, kind);
        if (kind == 's')
            made += dtype;
        if (kind == 'N')
            made += std::to_string(name.size()) + ":" + name;
        if (kind == 'I')
            made += std::to_string(number) + ":";
        if (kind == 't' || kind == 'U')
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

bool join(Form &mine, Form theirs);

bool isInstances(const Form &form) {
    return form.kind == 'I' || (form.kind == 'U' && llvm::all_of(form.parts, isInstances));
}

// One of several kinds; false: of too many.
bool joinKinds(Form &mine, Form theirs) {
    constexpr size_t most = 4; // code has a branch for each
    bool isOptional = false;
    for (Form *one : {&mine, &theirs})
        if (one->kind == 'o') {
            isOptional = true;
            Form present = std::move(one->parts[0]);
            *one = std::move(present);
        }
    Form made{'U', 0, mine.kind == 'U' ? mine.parts : std::vector<Form>{mine}};
    for (Form &one : theirs.kind == 'U' ? theirs.parts : std::vector<Form>{theirs}) {
        // Objects are told apart by their kinds, tuples by their lengths.
        auto alike = llvm::find_if(made.parts, [&](const Form &known) {
            return known.kind == one.kind && known.number == one.number &&
                   (known.kind != 't' || known.parts.size() == one.parts.size());
        });
        if (alike == made.parts.end())
            made.parts.push_back(std::move(one));
        else if (!join(*alike, std::move(one)))
            return false;
    }
    const auto has = [&](llvm::StringRef kinds) {
        return llvm::any_of(made.parts, [&](const Form &one) { return kinds.contains(one.kind); });
    };
    if ((has("b") && has("ifs")) || (has("s") && has("if"))) // which may be one kind to code
        return false;
    llvm::sort(made.parts, [](const Form &a, const Form &b) { return a.text() < b.text(); });
    const bool areFew = made.parts.size() <= most;
    mine = isOptional ? optionalOf(std::move(made)) : std::move(made);
    return areFew;
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
    if (mine.kind == 'U' || theirs.kind == 'U' ||
        (isInstances(mine) && isInstances(theirs) && mine.number != theirs.number))
        return isInstances(mine) && isInstances(theirs) && joinKinds(mine, std::move(theirs));
    if (mine.kind != theirs.kind || mine.dtype != theirs.dtype || mine.members != theirs.members ||
        mine.number != theirs.number || mine.name != theirs.name ||
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

} // namespace

struct FormClasses {
    struct Attribute {
        PyObject *name; // borrowed: most instances have it as this very object
        std::string text;
        bool isAlways; // each instance has it
        int place;
        Form form;
    };
    struct Class {
        const InstanceForm *form;
        int place;
        std::vector<Attribute> attributes;
    };
    std::vector<Class> all;
    llvm::DenseSet<PyObject *> seen;               // their instances
    std::map<std::pair<int, size_t>, int> numbers; // of places, by what they are in and where
};

namespace {

class Scan {
public:
    Scan(int argument, FormPlaces &places) : argument(argument), places(places) {
        if (places.mergesInstances)
            places.merged = known;
    }

    std::optional<std::string> formOf(PyObject *object) {
        Form form;
        if (!item(object, form, 0, 0) || !readInstances())
            return std::nullopt;
        std::string text = form.text();
        if (places.mergesInstances && !classes.empty())
            text = "=" + text;
        for (const FormClasses::Class &one : classes) {
            text += "\x1f" + std::to_string(one.form->text.size()) + ":" + one.form->text;
            text += std::to_string(one.attributes.size()) + ":";
            for (const FormClasses::Attribute &its : one.attributes)
                text += std::to_string(its.text.size()) + ":" + its.text + its.form.text();
        }
        return text;
    }
    std::vector<PyObject *> foundClasses() const {
        std::vector<PyObject *> found;
        for (const EnumForm *one : enumForms)
            found.push_back(one->type);
        for (const FormClasses::Class &one : classes)
            found.push_back(one.form->made);
        return found;
    }

private:
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
        case ObjectClass::Type: // int, as the factory of a defaultdict
            own.kind = 'N';
            own.name = capture::externalName(object);
            if (own.name.empty())
                return false;
            break;
        default:
            if (PyAnySet_CheckExact(object)
                    ? depth == deepest || !container(object, own, place, depth)
                    : !instance(object, own))
                return false;
        }
        return join(form, std::move(own));
    }

    // Its attributes are read later: instances may refer to one another.
    bool instance(PyObject *object, Form &own) {
        own.kind = 'I';
        own.number = numberOf(object);
        return own.number < classes.size() && note(object, own.number);
    }

    // Of its class; of none, where instances of that have no form.
    size_t numberOf(PyObject *object) {
        if (!classes.empty() && Py_TYPE(object) == classes[last].form->type)
            return last;
        const InstanceForm *form =
            capture::isOfCollections(object) || capture::hasAttributes(object)
                ? instanceForm(Py_TYPE(object))
                : nullptr;
        if (!form)
            return SIZE_MAX;
        const auto its =
            llvm::find_if(classes, [&](const FormClasses::Class &one) { return one.form == form; });
        last = size_t(its - classes.begin());
        if (its == classes.end())
            classes.push_back({form, within(ofClasses, last), {}});
        return last;
    }

    bool note(PyObject *object, size_t number) {
        if (!add(object, classes[number].place))
            return false;
        if (seen.insert(object).second)
            pending.emplace_back(object, number);
        return true;
    }

    bool readInstances() {
        while (!pending.empty()) {
            const auto [object, number] = pending.back();
            pending.pop_back();
            const InstanceForm &its = *classes[number].form;
            size_t always = 0, next = 0;
            const bool isRead =
                forEachAttribute(object, its, places.kept, [&](PyObject *name, PyObject *value) {
                    const std::optional<size_t> at = placeOf(number, name, next++);
                    always += at && classes[number].attributes[*at].isAlways;
                    return at && attribute(number, *at, value);
                });
            // What stands for a deque is all or nothing: else Python does what is done with it.
            const bool isWhole = its.made == reinterpret_cast<PyObject *>(its.type) ||
                                 llvm::none_of(classes[number].attributes, [](const auto &one) {
                                     return one.form.kind == 'X' && one.text[0] == '_';
                                 });
            if (!isRead || !isWhole || always != its.always.size())
                return false;
        }
        return true;
    }

    // Of the attribute; none: there are too many. `guess`: where it is in most instances.
    std::optional<size_t> placeOf(size_t number, PyObject *name, size_t guess) {
        constexpr size_t most = 60; // a bit says of each whether it is set
        auto &attributes = classes[number].attributes;
        if (guess < attributes.size() && attributes[guess].name == name)
            return guess;
        const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : nullptr;
        if (!text)
            return PyErr_Clear(), std::nullopt;
        const size_t at =
            size_t(llvm::find_if(attributes, [&](const auto &one) { return one.text == text; }) -
                   attributes.begin());
        if (at == attributes.size())
            attributes.push_back({name, text,
                                  llvm::is_contained(classes[number].form->always, text),
                                  within(classes[number].place, at), Form()});
        return at < most ? std::optional(at) : std::nullopt;
    }

    bool attribute(size_t number, size_t at, PyObject *value) {
        const FormClasses::Attribute &known = classes[number].attributes[at];
        if (known.form.kind == 'X' || isOf(value, known.form))
            return true;
        const Form &present = known.form.kind == 'o' ? known.form.parts[0] : known.form;
        if (present.kind == 'I' && Py_TYPE(value) == classes[present.number].form->type)
            return note(value, present.number);
        Form form = known.form; // the scan may find more classes
        const int place = known.place;
        if (Form own; !item(value, form, place, 1) &&
                      !(item(value, own, place, 1) && joinKinds(form, std::move(own))))
            form = {'X', 0, {}};
        classes[number].attributes[at].form = std::move(form);
        return true;
    }

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
        if (!add(object, place)) // compiled code would have two copies
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
        return !llvm::is_contained({'o', 'I', 'N', 'U'}, form.kind) &&
               llvm::all_of(form.parts, isKey);
    }

    // The number of a place, as an item of what is at another one: negative, where that is a class.
    static constexpr int ofClasses = -1;
    int within(int place, size_t index) {
        auto &of = place < 0 ? known->numbers : numbers;
        const int next = int(of.size()) + 2;
        return of.try_emplace({place, index}, place < 0 ? -next : next).first->second;
    }
    bool add(PyObject *object, int place) {
        constexpr int merged = -2; // the number of no argument
        return places.add(object, place < 0 && places.mergesInstances ? merged : argument, place);
    }

    int argument;
    FormPlaces &places;
    std::map<std::pair<int, size_t>, int> numbers;
    llvm::SmallVector<const EnumForm *, 1> enumForms; // of the members, each once
    const std::shared_ptr<FormClasses> known =
        places.merged ? places.merged : std::make_shared<FormClasses>();
    std::vector<FormClasses::Class> &classes = known->all;
    size_t last = 0; // the class that was asked for last
    llvm::DenseSet<PyObject *> &seen = known->seen;
    std::vector<std::pair<PyObject *, size_t>>
        pending; // instances and the numbers of their classes
};

struct Forms {
    std::mutex mutex;
    std::map<std::string, int32_t> numbers;
    std::vector<const std::string *> texts;
    std::vector<std::vector<PyObject *>> classes;
};

Forms &forms() {
    static auto *all = new Forms;
    return *all;
}

} // namespace

bool isInstance(PyObject *object) {
    return capture::hasAttributes(object) && instanceForm(Py_TYPE(object));
}

bool isLinked(PyObject *object) {
    constexpr size_t most = 32;
    if (!isInstance(object))
        return false;
    llvm::SmallVector<PyObject *, most> reached{object};
    std::vector<Ref> kept;
    bool found = false;
    for (size_t next = 0; next < reached.size() && !found; ++next) {
        PyTypeObject *type = Py_TYPE(reached[next]);
        const auto reach = [&](PyObject *value) {
            if (!isInstance(value))
                return;
            found |= Py_TYPE(value) == type;
            if (reached.size() < most && !llvm::is_contained(reached, value))
                reached.push_back(value);
        };
        forEachAttribute(
            reached[next], *instanceForm(type), kept, [&](PyObject *, PyObject *value) {
                reach(value);
                for (Py_ssize_t k = 0; PyList_CheckExact(value) && k < PyList_GET_SIZE(value) &&
                                       size_t(k) < most && !found;
                     ++k)
                    reach(PyList_GET_ITEM(value, k));
                return !found;
            });
    }
    return found;
}

int32_t formNumberOf(PyObject *object, int argument, FormPlaces &places) {
    Scan scan(argument, places);
    const std::optional<std::string> form =
        capture::isReadAsText(object) ? std::string("T") : scan.formOf(object);
    if (!form)
        return -1;
    Forms &all = forms();
    const std::lock_guard lock(all.mutex);
    const auto [known, isNew] = all.numbers.try_emplace(*form, int32_t(all.texts.size()));
    if (isNew) {
        all.texts.push_back(&known->first);
        all.classes.push_back(scan.foundClasses());
    }
    return known->second;
}

const std::string &formOfNumber(int32_t number) {
    Forms &all = forms();
    const std::lock_guard lock(all.mutex);
    return *all.texts[size_t(number)];
}

std::vector<PyObject *> classesOfForm(int32_t number) {
    Forms &all = forms();
    const std::lock_guard lock(all.mutex);
    return all.classes[size_t(number)];
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

// The name of the class of an I.
static std::string instanceName(const char *&at) {
    char *end = nullptr;
    long number = std::strtol(at, &end, 10);
    const char *its = at = end + 1;
    for (++number; number > 0; --number)
        its = std::strchr(its, '\x1f') + 1;
    const long size = std::strtol(its, &end, 10);
    return llvm::StringRef(end + 1, size_t(size)).split(' ').second.str();
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
    case 'I':
        return instanceName(at);
    case 'm':
        return enumName(at);
    case 'U': {
        char *end = nullptr;
        long count = std::strtol(at, &end, 10);
        std::string kinds;
        for (at = end + 1; count > 0; --count)
            kinds += (kinds.empty() ? "" : " | ") + textAt(at);
        return kinds;
    }
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
    const char *at = form.c_str() + (form[0] == '=');
    return textAt(at);
}

} // namespace shapecast::bindings
