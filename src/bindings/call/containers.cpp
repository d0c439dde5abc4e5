#include "bindings/call/containers.h"

#include "bindings/call/instance_classes.h"
#include "bindings/call/numpy_types.h"
#include "bindings/call/result_arrays.h"
#include "bindings/call/texts.h"
#include "bindings/call/wide_ints.h"
#include "capture/interrupts.h"
#include "ir/layout.h"
#include "runtime/containers.h"

#include "llvm/ADT/DenseMap.h"

#include <bit>
#include <map>
#include <utility>

namespace shapecast::bindings {

using runtime::Container;
using runtime::ContainerForm;

const char *skipForm(const char *form) {
    switch (*form) {
    case 'L':
    case 'S':
    case 'o':
    case 'w':
        return skipForm(form + 1);
    case 'V':
        return std::strchr(skipForm(form + 1), ':') + 1;
    case 'W':
    case 'D':
        return skipForm(skipForm(form + 1));
    case 'u':
    case 't': {
        int64_t size = std::strtoll(form + 1, nullptr, 10);
        for (form = std::strchr(form, ':') + 1; size > 0; --size)
            form = skipForm(form);
        return form;
    }
    case 'I':
    case 'P':
    case 'Y':
        return std::strchr(form, ':') + 1;
    case 'A':
        return std::strchr(form, ';') + 1;
    case 'R': {
        const char *end = std::strchr(form, ';');
        int64_t left = std::count(form, end, ',');
        for (form = end + 1; left > 0; --left)
            form = skipForm(form);
        return form;
    }
    case 'c':
    case 'm':
    case 'N':
        return std::strchr(form, ':') + 1 + std::strtoll(form + 1, nullptr, 10);
    case 's':
        return form + 2;
    default:
        return form + 1;
    }
}

namespace {

// That Y stands for. The forms of the caller's containers have none.
const char *enclosingForm(const char *form) { return form - std::strtoll(form + 1, nullptr, 10); }

// The next words of an entry: those by which keys are compared stand before the others.
struct Words {
    const int64_t *compared;
    const int64_t *others; // null: there is one sequence
    int64_t next() { return *compared++; }
    int64_t nextOther() { return others ? *others++ : *compared++; }
};

class ContainerReader {
public:
    explicit ContainerReader(const char *form) : classes(instanceClasses(form)) {}
    Ref container(const char *&form, int64_t address);
    bool fillInstances(); // those that were made; false with an exception set
    bool rewrite(PyObject *object, const char *form, const Container &c);

private:
    bool rewriteReplaced(PyObject *object, const InstanceClass &its, const Container &c);
    bool rewriteInstance(PyObject *object, const InstanceClass &its, const Container &c);
    Ref instance(const char *&form, int64_t address);
    Ref string(const char *&form, int64_t address);
    bool fillInstance(PyObject *made, const InstanceClass &known, const Container &c);
    Ref item(const char *&form, Words &words);
    Ref number(const char *&form, Words &words);
    Ref array(const char *&form, Words &words);
    Ref record(const char *&form, Words &words);
    Ref strong(char dtype, int64_t word);
    Ref strongComplex(char dtype, double re, double im);
    bool fill(PyObject *made, const char *key, const char *value, const Container &c);
    size_t count(const char *&form);

    std::map<size_t, InstanceClass> classes; // by number
    // Instances whose attributes are not set yet, by address: so a list of a million of them, each
    // of which holds the next one, takes no recursion.
    std::vector<std::pair<int64_t, size_t>> unfilled;
    llvm::DenseMap<int64_t, Ref> own;
    // Containers that were made, by address.
    llvm::DenseMap<int64_t, Ref> &known =
        SharedContainers::current() ? SharedContainers::current()->known : own;
};

size_t ContainerReader::count(const char *&form) {
    size_t number = 0;
    for (; *form != ':'; ++form)
        number = number * 10 + size_t(*form - '0');
    ++form;
    return number;
}

Ref ContainerReader::strong(char dtype, int64_t word) {
    PyArray_Descr *descr = descriptorOf(*dtypeFromChar(dtype));
    PyObject *type = reinterpret_cast<PyObject *>(descr->typeobj);
    if (isFloat(*dtypeFromChar(dtype)))
        return Ref::steal(PyObject_CallFunction(type, "d", std::bit_cast<double>(word)));
    if (dtype == '?')
        word = word != 0;
    return Ref::steal(scalarObject(*dtypeFromChar(dtype), &word));
}

Ref ContainerReader::number(const char *&form, Words &words) {
    const char kind = *form++;
    const int64_t word = words.next();
    switch (kind) {
    case 'i':
        return Ref::steal(PyLong_FromLongLong(word));
    case 'j': {
        const int64_t both[] = {word, words.next()};
        return Ref::steal(wideIntObject(both));
    }
    case 'b':
        return Ref::steal(PyBool_FromLong(word != 0));
    case 'f':
        return Ref::steal(PyFloat_FromDouble(std::bit_cast<double>(word)));
    case 'z':
        return Ref::steal(PyComplex_FromDoubles(std::bit_cast<double>(word),
                                                std::bit_cast<double>(words.next())));
    default:
        if (isComplex(*dtypeFromChar(*form)))
            return strongComplex(*form++, std::bit_cast<double>(word),
                                 std::bit_cast<double>(words.next()));
        return strong(*form++, word);
    }
}

Ref ContainerReader::strongComplex(char dtype, double re, double im) {
    PyObject *type = reinterpret_cast<PyObject *>(descriptorOf(*dtypeFromChar(dtype))->typeobj);
    return Ref::steal(PyObject_CallFunction(type, "dd", re, im));
}

// Then a flag says so, too.
bool isAbsent(int64_t address) {
    return address == 0 || (uintptr_t(address) & runtime::ownerArgument);
}

Ref ContainerReader::record(const char *&form, Words &words) {
    form += strlen("Rrecord:");
    const Ref type = recordClass(count(form));
    const llvm::StringRef names(form, size_t(std::strchr(form, ';') - form));
    form = names.end() + 1;
    llvm::SmallVector<llvm::StringRef> fields;
    names.split(fields, ',', -1, /*KeepEmpty=*/false);
    const Ref items = Ref::steal(PyTuple_New(Py_ssize_t(fields.size())));
    for (size_t k = 0; items && k < fields.size(); ++k) {
        Ref one = item(form, words);
        if (!one)
            return {};
        PyTuple_SET_ITEM(items.get(), Py_ssize_t(k), one.release());
    }
    if (!type || !items)
        return {};
    auto *its = reinterpret_cast<PyTypeObject *>(type.get());
    const bool isTuple = PyType_IsSubtype(its, &PyTuple_Type);
    const Ref arguments = Ref::steal(isTuple ? PyTuple_Pack(1, items.get()) : PyTuple_New(0));
    Ref made = Ref::steal(
        arguments
            ? (isTuple ? PyTuple_Type : PyBaseObject_Type).tp_new(its, arguments.get(), nullptr)
            : nullptr);
    for (size_t k = 0; made && !isTuple && k < fields.size(); ++k) {
        const Ref name =
            Ref::steal(PyUnicode_FromStringAndSize(fields[k].data(), Py_ssize_t(fields[k].size())));
        PyObject *value = PyTuple_GET_ITEM(items.get(), Py_ssize_t(k));
        if (!name || PyObject_GenericSetAttr(made.get(), name.get(), value) < 0)
            return {};
    }
    return made;
}

// The elements between neighbours along each axis; `given`: those that the layout does not tell.
void putStrides(const ResultOperand &operand, llvm::ArrayRef<int64_t> given, int64_t *slots) {
    int64_t *sizes = slots + 2, *strides = sizes + operand.rank, next = 1;
    std::copy(given.begin(), given.end(), strides);
    if (operand.layout == np::Layout::Inner && operand.rank > 0)
        strides[operand.rank - 1] = 1;
    for (int k = 0; k < operand.rank && operand.layout <= np::Layout::F; ++k) {
        const int axis = operand.layout == np::Layout::F ? k : operand.rank - 1 - k;
        strides[axis] = next;
        next *= sizes[axis];
    }
}

Ref ContainerReader::array(const char *&form, Words &words) {
    ResultOperand operand;
    char *end = nullptr;
    operand.rank = int(std::strtol(form + 1, &end, 10));
    operand.dtype = *dtypeFromChar(end[0]);
    operand.readonly = end[1] == 'r';
    operand.layout = np::Layout(end[2] - '0');
    form = end + 4; // past the colon
    int64_t slots[2 + 2 * NPY_MAXDIMS];
    auto *owner = const_cast<int64_t *>(words.compared);
    slots[1] = words.next();
    slots[0] = words.next();
    llvm::SmallVector<int64_t> strides;
    for (unsigned left = np::dynamicStrides(operand.layout, operand.rank); left > 0; --left)
        strides.push_back(words.next());
    for (int axis = 0; axis < operand.rank; ++axis) {
        slots[2 + axis] = *form == '?' ? words.next() : std::strtoll(form, nullptr, 10);
        form = std::strchr(form, ',') + 1;
    }
    ++form;            // the semicolon
    if (slots[0] == 0) // absent
        return Ref::share(Py_None);
    putStrides(operand, strides, slots);
    const SharedContainers *shared = SharedContainers::current();
    if (shared && shared->arrays) {
        *owner = 0;
        return Ref::steal(shared->arrays(operand, slots));
    }
    const Ref shown = Ref::steal(newArray(operand, slots, 0));
    return Ref::steal(
        shown ? PyArray_NewCopy(reinterpret_cast<PyArrayObject *>(shown.get()), NPY_KEEPORDER)
              : nullptr);
}

Ref ContainerReader::instance(const char *&form, int64_t address) {
    const size_t number = count(++form);
    if (isAbsent(address))
        return Ref::share(Py_None);
    if (auto found = known.find(SharedContainers::keyOf(address)); found != known.end())
        return Ref::share(found->second.get());
    const InstanceClass &its = classes.at(number);
    if (!its.type)
        return {};
    const Ref nothing = Ref::steal(PyTuple_New(0));
    Ref made = Ref::steal(PyBaseObject_Type.tp_new(reinterpret_cast<PyTypeObject *>(its.type.get()),
                                                   nothing.get(), nullptr));
    if (!made)
        return {};
    if (its.isReplaced) {
        if (!fillInstance(made.get(), its, *reinterpret_cast<const Container *>(address)))
            return {};
        made = Ref::steal(PyObject_CallMethod(made.get(), "_to_python", nullptr));
        if (!made)
            return {};
    } else {
        unfilled.emplace_back(address, number);
    }
    known.try_emplace(SharedContainers::keyOf(address), Ref::share(made.get()));
    return made;
}

bool ContainerReader::fillInstance(PyObject *made, const InstanceClass &its, const Container &c) {
    const char *form = its.forms;
    Words words{c.entries, nullptr};
    const int64_t areSet = words.next();
    for (const auto &[bit, name, isSlot] : its.attributes) {
        const Ref value = item(form, words);
        if (value && !(areSet >> bit & 1))
            continue;
        if (!value || PyObject_GenericSetAttr(made, name.get(), value.get()) < 0)
            return false;
    }
    return true;
}

bool ContainerReader::fillInstances() {
    while (!unfilled.empty()) {
        const auto [address, number] = unfilled.back();
        unfilled.pop_back();
        const Ref made = Ref::share(known.find(SharedContainers::keyOf(address))->second.get());
        if (!fillInstance(made.get(), classes.at(number),
                          *reinterpret_cast<const Container *>(address)))
            return false;
    }
    return true;
}

Ref ContainerReader::item(const char *&form, Words &words) {
    switch (*form) {
    case 'I':
        return instance(form, words.next());
    case 'T':
        return string(form, words.next());
    case 'L':
    case 'D':
    case 'S':
        return container(form, words.next());
    case 'Y': {
        const char *own = enclosingForm(form);
        form = skipForm(form);
        return container(own, words.next());
    }
    case 't': {
        const size_t size = count(++form);
        Ref tuple = Ref::steal(PyTuple_New(Py_ssize_t(size)));
        for (size_t k = 0; tuple && k < size; ++k) {
            Ref part = item(form, words);
            if (!part)
                return {};
            PyTuple_SET_ITEM(tuple.get(), Py_ssize_t(k), part.release());
        }
        return tuple;
    }
    case 'u': { // the one whose number follows
        std::vector<Ref> members(count(++form));
        for (Ref &member : members)
            if (!(member = item(form, words)))
                return {};
        return std::move(members[size_t(words.next())]);
    }
    case 'o': {
        Ref present = item(++form, words);
        return words.next() ? std::move(present) : Ref::share(Py_None);
    }
    case 'w': {
        ++form;
        const bool isFloatNumber = *form == 's' && isFloat(*dtypeFromChar(form[1]));
        const int64_t *at = words.compared;
        Ref numpys = number(form, words);
        if (!words.nextOther())
            return numpys;
        return isFloatNumber ? Ref::steal(PyFloat_FromDouble(std::bit_cast<double>(*at)))
                             : Ref::steal(PyLong_FromLongLong(*at));
    }
    case 'W': {
        Ref numpys = number(++form, words);
        const bool isPythons = words.nextOther() != 0;
        Ref pythons = number(form, words);
        return isPythons ? std::move(pythons) : std::move(numpys);
    }
    case 'V': {
        Ref numpys = number(++form, words);
        const char *kind = form;
        char *end = nullptr;
        const int64_t word = std::strtoll(form + 1, &end, 10);
        form = end + 1;
        Words constant{&word, nullptr};
        return words.nextOther() ? number(kind, constant) : std::move(numpys);
    }
    case 'c': {
        const size_t size = count(++form);
        form += size;
        return Ref::steal(PyUnicode_FromStringAndSize(form - size, Py_ssize_t(size)));
    }
    case 'N': {
        const size_t size = count(++form);
        form += size;
        const std::string name(form - size, size);
        const Ref module = Ref::steal(PyImport_ImportModule("shapecast._objects"));
        return module ? Ref::steal(PyObject_CallMethod(module.get(), "named", "s", name.c_str()))
                      : Ref();
    }
    case 'P': { // a class of ours stands for one of Python's
        const Ref found = recordClass(count(++form));
        const Ref module = Ref::steal(PyImport_ImportModule("shapecast._objects"));
        return found && module
                   ? Ref::steal(PyObject_CallMethod(module.get(), "original_of", "O", found.get()))
                   : Ref();
    }
    case 'A':
        return array(form, words);
    case 'R':
        return record(form, words);
    case 'n':
    case 'x':
        ++form;
        return Ref::share(Py_None);
    default:
        return number(form, words);
    }
}

bool ContainerReader::fill(PyObject *made, const char *key, const char *value, const Container &c) {
    for (int64_t at = 0; at < c.used; ++at) {
        const int64_t *entry = c.entries + at * c.words;
        const char *keyForm = key, *valueForm = value;
        if (c.form == ContainerForm::List) {
            Words words{entry, nullptr};
            Ref one = item(valueForm, words);
            if (!one || PyList_Append(made, one.get()) < 0)
                return false;
            continue;
        }
        if (*entry == runtime::removedHash)
            continue;
        Words words{entry + 1, entry + 1 + c.keyWords};
        Ref one = item(keyForm, words);
        if (!one || !fillInstances()) // its class may hash by its attributes
            return false;
        if (c.form == ContainerForm::Set) {
            if (PySet_Add(made, one.get()) < 0)
                return false;
            continue;
        }
        Words rest{words.others, nullptr};
        Ref its = item(valueForm, rest);
        if (!its || PyDict_SetItem(made, one.get(), its.get()) < 0)
            return false;
    }
    return true;
}

Ref ContainerReader::string(const char *&form, int64_t address) {
    ++form;
    return isAbsent(address) ? Ref::share(Py_None)
                             : textObject(*reinterpret_cast<const runtime::Text *>(address));
}

Ref ContainerReader::container(const char *&form, int64_t address) {
    if (*form == 'I')
        return instance(form, address);
    if (*form == 'T')
        return string(form, address);
    const char kind = *form, *key = form + 1;
    const char *value = kind == 'D' ? skipForm(key) : key;
    form = skipForm(form);
    if (isAbsent(address))
        return Ref::share(Py_None);
    if (auto found = known.find(SharedContainers::keyOf(address)); found != known.end())
        return Ref::share(found->second.get());
    Ref made = Ref::steal(kind == 'L'   ? PyList_New(0)
                          : kind == 'D' ? PyDict_New()
                                        : PySet_New(nullptr));
    if (!made || Py_EnterRecursiveCall(" while a result is made"))
        return {};
    known.try_emplace(SharedContainers::keyOf(address),
                      Ref::share(made.get())); // it may hold itself
    const bool isDone = fill(made.get(), key, value, *reinterpret_cast<const Container *>(address));
    Py_LeaveRecursiveCall();
    return isDone ? std::move(made) : Ref();
}

// Whether nobody can tell them apart but by `is`.
bool isSame(PyObject *a, PyObject *b) {
    if (a == b)
        return true;
    if (Py_TYPE(a) != Py_TYPE(b))
        return false;
    if (PyFloat_CheckExact(a))
        return std::bit_cast<int64_t>(PyFloat_AS_DOUBLE(a)) ==
               std::bit_cast<int64_t>(PyFloat_AS_DOUBLE(b));
    if (PyTuple_CheckExact(a)) {
        bool areSame = PyTuple_GET_SIZE(a) == PyTuple_GET_SIZE(b);
        for (Py_ssize_t i = 0; areSame && i < PyTuple_GET_SIZE(a); ++i)
            areSame = isSame(PyTuple_GET_ITEM(a, i), PyTuple_GET_ITEM(b, i));
        return areSame;
    }
    const bool isPlain = PyLong_CheckExact(a) || PyUnicode_CheckExact(a);
    return isPlain && PyObject_RichCompareBool(a, b, Py_EQ) == 1;
}

// Whether the word is of that float or int.
bool isSameNumber(char form, PyObject *object, int64_t word) {
    if (form == 'f')
        return PyFloat_CheckExact(object) &&
               std::bit_cast<int64_t>(PyFloat_AS_DOUBLE(object)) == word;
    if (form != 'i' || !PyLong_CheckExact(object))
        return false;
    int overflow = 0;
    return PyLong_AsLongLongAndOverflow(object, &overflow) == word && !overflow;
}

bool rewriteList(PyObject *list, PyObject *now) {
    const Py_ssize_t before = PyList_GET_SIZE(list), size = PyList_GET_SIZE(now);
    bool isChanged = before != size;
    for (Py_ssize_t i = 0; i < std::min(before, size); ++i) {
        PyObject *old = PyList_GET_ITEM(list, i);
        if (!isSame(old, PyList_GET_ITEM(now, i)))
            isChanged = true;
        else if (PyList_SetItem(now, i, Py_NewRef(old)) < 0) // items that stay are the same objects
            return false;
    }
    return !isChanged || PyList_SetSlice(list, 0, before, now) == 0;
}

bool rewriteDict(PyObject *dict, PyObject *now) {
    PyObject *key, *value, *oldKey, *oldValue;
    Py_ssize_t at = 0, oldAt = 0;
    bool hasSameKeys = PyDict_GET_SIZE(dict) == PyDict_GET_SIZE(now);
    while (hasSameKeys && PyDict_Next(now, &at, &key, &value) &&
           PyDict_Next(dict, &oldAt, &oldKey, &oldValue))
        hasSameKeys = isSame(key, oldKey);
    if (!hasSameKeys) {
        const Ref before = Ref::steal(PyDict_Copy(dict));
        if (!before)
            return false;
        PyDict_Clear(dict);
        at = 0;
        while (PyDict_Next(now, &at, &key, &value)) {
            const Ref old = dictItem(before.get(), key);
            if (PyDict_SetItem(dict, key, old && isSame(old.get(), value) ? old.get() : value) < 0)
                return false;
        }
        return true;
    }
    at = 0;
    while (PyDict_Next(now, &at, &key, &value)) {
        const Ref old = dictItem(dict, key);
        if ((!old || !isSame(old.get(), value)) && PyDict_SetItem(dict, key, value) < 0)
            return false;
    }
    return true;
}

bool rewriteSet(PyObject *set, PyObject *now) {
    const int areEqual = PyObject_RichCompareBool(set, now, Py_EQ);
    if (areEqual != 0)
        return areEqual > 0;
    if (PySet_Clear(set) < 0)
        return false;
    const Ref done = Ref::steal(PyObject_CallMethod(set, "update", "O", now));
    return bool(done);
}

// Attributes that stay are the same objects.
bool ContainerReader::rewriteInstance(PyObject *object, const InstanceClass &its,
                                      const Container &c) {
    if (its.isReplaced)
        return rewriteReplaced(object, its, c);
    const char *form = its.forms;
    Words words{c.entries, nullptr};
    const int64_t areSet = words.next();
    const Ref dict = ownDict(object, its);
    if (!dict && PyErr_Occurred())
        return false;
    for (const InstanceClass::Attribute &attribute : its.attributes) {
        const Ref old = ownAttribute(object, dict.get(), attribute);
        if (old && isSameNumber(*form, old.get(), *words.compared)) {
            ++form;
            words.next();
            continue;
        }
        const Ref value = item(form, words);
        if (!value)
            return false;
        if ((areSet >> attribute.bit & 1) && !(old && isSame(old.get(), value.get())) &&
            !setOwnAttribute(object, dict.get(), attribute, value.get()))
            return false;
    }
    return fillInstances();
}

bool ContainerReader::rewriteReplaced(PyObject *object, const InstanceClass &its,
                                      const Container &c) {
    const Ref nothing = Ref::steal(PyTuple_New(0));
    const Ref made = Ref::steal(PyBaseObject_Type.tp_new(
        reinterpret_cast<PyTypeObject *>(its.type.get()), nothing.get(), nullptr));
    const Ref module = Ref::steal(PyImport_ImportModule("shapecast.library.collections"));
    if (!made || !module || !fillInstance(made.get(), its, c) || !fillInstances())
        return false;
    return bool(
        Ref::steal(PyObject_CallMethod(module.get(), "store_in", "OO", object, made.get())));
}

bool ContainerReader::rewrite(PyObject *object, const char *form, const Container &c) {
    const char kind = *form++;
    if (kind == 'I')
        return rewriteInstance(object, classes.at(count(form)), c);
    const Ref now = Ref::steal(kind == 'L'   ? PyList_New(0)
                               : kind == 'D' ? PyDict_New()
                                             : PySet_New(nullptr));
    if (!now || !fill(now.get(), form, kind == 'D' ? skipForm(form) : form, c) || !fillInstances())
        return false;
    return kind == 'L'   ? rewriteList(object, now.get())
           : kind == 'D' ? rewriteDict(object, now.get())
                         : rewriteSet(object, now.get());
}

} // namespace

static thread_local SharedContainers *sharedContainers = nullptr;

SharedContainers::SharedContainers(const Call &call, ArrayMaker arrays)
    : arrays(std::move(arrays)), before(std::exchange(sharedContainers, this)) {
    known = call.made;
    for (const ContainerArgument &argument : call.inMemory)
        known.try_emplace(keyOf(argument.address), Ref::share(argument.object.get()));
}
SharedContainers::~SharedContainers() { sharedContainers = before; }
SharedContainers *SharedContainers::current() { return sharedContainers; }

PyObject *containerObject(const std::string &form, PyObject *words) {
    ContainerReader reader(form.c_str());
    const char *at = form.c_str();
    auto *data = static_cast<Container *>(PyArray_DATA(reinterpret_cast<PyArrayObject *>(words)));
    Ref made = reader.container(at, reinterpret_cast<int64_t>(data));
    if (made && reader.fillInstances())
        return made.release();
    data->ownedWords = 0; // the call's end releases them, while a traceback may hold the array
    return nullptr;
}

bool rewriteContainers(const Call &call) {
    SharedContainers shared(call);
    std::map<const std::string *, ContainerReader> readers;
    // What the items of a deque are in comes after it.
    for (const ContainerArgument &argument : llvm::reverse(call.inMemory)) {
        if (!argument.isChanged)
            continue;
        ContainerReader &reader =
            readers.try_emplace(argument.text.get(), argument.text->c_str()).first->second;
        if (!reader.rewrite(argument.object.get(), argument.form.c_str(),
                            *reinterpret_cast<const Container *>(argument.address)))
            return false;
    }
    call.made = std::move(shared.known);
    return true;
}

} // namespace shapecast::bindings
