#include "bindings/call/container_arguments.h"

#include "bindings/call/containers.h"
#include "bindings/call/errors.h"
#include "bindings/call/instance_classes.h"
#include "bindings/call/interpreter_lock.h"
#include "bindings/call/numpy_types.h"
#include "bindings/call/texts.h"
#include "ir/in_memory.h"
#include "ir/layout.h"
#include "runtime/containers.h"
#include "runtime/memory.h"

#include "llvm/ADT/STLExtras.h"

#include <bit>
#include <map>

namespace shapecast::bindings {

using runtime::Container;
using runtime::ContainerForm;
using runtime::ContainerLayout;

namespace {

constexpr size_t mostWords = 64; // of an entry

// Where the next words of an entry go: of a key those by which keys are compared stand before the
// others.
struct Words {
    int64_t *next, *nextOther; // null: there is one sequence
    void put(int64_t word) { *next++ = word; }
    void putOther(int64_t word) { *(nextOther ? nextOther : next)++ = word; }
};

// Of a form: reads on past it, and adds its words to the layout.
class LayoutReader {
public:
    explicit LayoutReader(const char *&at) : at(at) {}

    ContainerLayout layout() {
        const char kind = *at++;
        made.form = kind == 'D'   ? ContainerForm::Dict
                    : kind == 'S' ? ContainerForm::Set
                                  : ContainerForm::List;
        if (kind != 'L') {
            made.words = 1; // the hash
            isKey = true;
            item();
            isKey = false;
        }
        made.words += others;
        made.valueWord = made.words;
        if (kind != 'S')
            item();
        return made;
    }

private:
    void word(bool isFloatWord, bool isText, bool isOwned) {
        if (isFloatWord && isKey)
            made.floatWords |= int64_t{1} << made.keyWords;
        if (isText && isKey)
            made.textWords |= int64_t{1} << made.keyWords;
        if (isOwned)
            made.ownedWords |= int64_t{1} << made.words;
        made.keyWords += isKey;
        ++made.words;
    }
    void other() { (isKey ? others : made.words) += 1; }

    void item() {
        switch (*at++) {
        case 'f':
            return word(true, false, false);
        case 's': {
            const DType dtype = *dtypeFromChar(*at++);
            if (isComplex(dtype))
                word(true, false, false);
            return word(isFloat(dtype) || isComplex(dtype), false, false);
        }
        case 'j':
            word(false, false, false);
            return word(false, false, false);
        case 'z':
            word(true, false, false);
            return word(true, false, false);
        case 'A':
            return array();
        case 'R': {
            const char *names = at;
            at = std::strchr(at, ';') + 1;
            for (long left = std::count(names, at, ','); left > 0; --left)
                item();
            return;
        }
        case 'T':
            return word(false, true, true);
        case 'L':
        case 'S':
            skip();
            return word(false, false, true);
        case 'D':
            skip();
            skip();
            return word(false, false, true);
        case 'I':
            count();
            return word(false, false, true);
        case 't':
            for (long left = count(); left > 0; --left)
                item();
            return;
        case 'u': // keys are compared by which one it is, too
            for (long left = count(); left > 0; --left)
                item();
            return word(false, false, false);
        case 'o': // and by whether it is None
            item();
            return word(false, false, false);
        case 'w':
            item();
            return other();
        case 'W': // the number, a flag, Python's number
            item();
            other();
            return item();
        case 'V':
            item();
            other();
            ++at;
            count();
            return;
        case 'N':
        case 'c':
            at += count();
            return;
        case 'P':
            count();
            return;
        case 'n':
        case 'x':
            return;
        default:
            return word(false, false, false);
        }
    }
    // The owner, the address, strides and sizes.
    void array() {
        char *end = nullptr;
        const int rank = int(std::strtol(at, &end, 10));
        const auto layout = np::Layout(end[2] - '0');
        at = std::strchr(end, ';') + 1;
        word(false, false, true);
        const long sizes = std::count(static_cast<const char *>(end), at, '?');
        for (long left = 1 + np::dynamicStrides(layout, rank) + sizes; left > 0; --left)
            word(false, false, false);
    }
    long count() {
        char *end = nullptr;
        const long number = std::strtol(at, &end, 10);
        at = end + 1;
        return number;
    }
    void skip() {
        LayoutReader past(at);
        past.item();
    }

    const char *&at;
    ContainerLayout made;
    int64_t others = 0;
    bool isKey = false;
};

class ContainerWriter {
public:
    ContainerWriter(runtime::Context *ctx, const Call &call, bool isChanged, std::string_view form)
        : ctx(ctx), call(call), isChanged(isChanged),
          text(std::make_shared<const std::string>(form)), classes(instanceClasses(text->c_str())) {
    }
    ~ContainerWriter() {
        for (const KnownText &known : texts)
            if (known.made)
                runtime::sc_release(ctx, reinterpret_cast<uintptr_t>(known.made));
    }
    ContainerWriter(const ContainerWriter &) = delete;

    bool fillArgument(Container &c, PyObject *object);
    void leaveOut() { // of what is written back
        for (ContainerArgument &argument : call.inMemory)
            argument.isChanged = false;
    }

private:
    bool fill(Container &c, PyObject *object, const char *form);
    bool fillInstance(Container &c, PyObject *object, const InstanceClass &its);
    bool fillInstances();
    bool instance(const char *&form, PyObject *object, Words &words);
    bool isKnown(const char *form, const char *end, PyObject *object, Words &words, bool &isRight);
    bool hasLayout(const Container &c, const ContainerLayout &layout);
    void remember(Container &c, PyObject *object, const char *form, const char *end);
    bool item(const char *&form, PyObject *object, Words &words);
    bool number(const char *&form, PyObject *object, Words &words);
    bool container(const char *&form, PyObject *object, Words &words);
    bool oneOf(const char *&form, PyObject *object, Words &words);
    bool oneOfNumbers(const char *&form, PyObject *object, Words &words);
    bool string(PyObject *object, Words &words);
    bool entry(Container &c, const ContainerLayout &layout, const char *form, PyObject *key,
               PyObject *value);
    void skip(const char *&form, Words &words);
    bool fail() { // it changed since the call began
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_RuntimeError,
                            "shapecast: another thread changed a list, dict or set while a call "
                            "with it began");
        return false;
    }

    runtime::Context *ctx;
    const Call &call;
    bool isChanged;
    const std::shared_ptr<const std::string> text;
    const std::map<size_t, InstanceClass> classes; // by their numbers in the text
    const ContainerLayout &layoutOf(const InstanceClass &its);
    llvm::DenseMap<const InstanceClass *, ContainerLayout> layouts;
    struct Absent {
        llvm::SmallVector<int64_t, 2> words;
        size_t size; // of the form
    };
    llvm::DenseMap<const char *, Absent> absent; // by the form
    // Instances whose attributes are not read yet, so that a list of a million of them, each of
    // which holds the next one, takes no recursion.
    struct Unfilled {
        Container *made;
        PyObject *object;
        const InstanceClass *its;
    };
    std::vector<Unfilled> unfilled;
    // Names stand in containers many times, as one object: so they are made, and hashed, once.
    struct KnownText {
        PyObject *object;
        runtime::Text *made; // of which this owns a share
    };
    static constexpr size_t knownTexts = 1024;
    std::vector<KnownText> texts;
    // By the form of a union, in the text of the outermost container.
    struct Alternatives {
        std::vector<const char *> forms;
        llvm::DenseMap<PyObject *, size_t> members; // those that are members of Enums
        const char *end;
    };
    const Alternatives &alternativesAt(const char *form);
    bool isOfForm(const char *form, PyObject *object) const;
    std::map<const char *, Alternatives> unions;
};

const ContainerWriter::Alternatives &ContainerWriter::alternativesAt(const char *form) {
    const auto [found, isNew] = unions.try_emplace(form);
    Alternatives &known = found->second;
    if (!isNew)
        return known;
    char *at = nullptr;
    long left = std::strtol(form + 1, &at, 10);
    for (known.end = at + 1; left > 0; --left) {
        if (*known.end == 'P')
            known.members.try_emplace(recordClass(size_t(std::atol(known.end + 1))).get(),
                                      known.forms.size());
        known.forms.push_back(known.end);
        known.end = skipForm(known.end);
    }
    return known;
}

// Whether the object is of that form, of those that the caller's containers have.
bool ContainerWriter::isOfForm(const char *form, PyObject *object) const {
    switch (*form) {
    case 'n':
        return object == Py_None;
    case 'b':
        return PyBool_Check(object);
    case 'i':
        return PyLong_CheckExact(object);
    case 'f':
        return PyFloat_CheckExact(object);
    case 'T':
        return PyUnicode_CheckExact(object);
    case 'L':
        return PyList_CheckExact(object);
    case 'D':
        return PyDict_CheckExact(object);
    case 'S':
        return PyAnySet_CheckExact(object);
    case 't': {
        char *at = nullptr;
        const long size = std::strtol(form + 1, &at, 10);
        const char *next = at + 1;
        bool isSame = PyTuple_CheckExact(object) && PyTuple_GET_SIZE(object) == size;
        for (long k = 0; isSame && k < size; ++k, next = skipForm(next))
            isSame = llvm::is_contained({'u', 'o', 'w', 'W', 'V', 's'}, *next) ||
                     isOfForm(next, PyTuple_GET_ITEM(object, k));
        return isSame;
    }
    case 'I':
        return classes.at(std::strtoul(form + 1, nullptr, 10)).isOf(object);
    default:
        return false;
    }
}

bool ContainerWriter::oneOf(const char *&form, PyObject *object, Words &words) {
    const Alternatives &known = alternativesAt(form);
    const auto member = known.members.find(object);
    const size_t which =
        member != known.members.end()
            ? member->second
            : size_t(llvm::find_if(known.forms,
                                   [&](const char *one) { return isOfForm(one, object); }) -
                     known.forms.begin());
    if (which == known.forms.size())
        return fail();
    for (auto [k, one] : llvm::enumerate(known.forms)) {
        const char *at = one;
        if (k != which)
            skip(at, words);
        else if (!item(at, object, words))
            return false;
    }
    form = known.end;
    words.put(int64_t(which));
    return true;
}

bool ContainerWriter::number(const char *&form, PyObject *object, Words &words) {
    const char kind = *form++;
    if (kind == 'f' || (kind == 's' && isFloat(*dtypeFromChar(*form)))) {
        const double value = PyFloat_AsDouble(object);
        words.put(std::bit_cast<int64_t>(value));
        form += kind == 's';
        return !(value == -1 && PyErr_Occurred());
    }
    form += kind == 's';
    const Ref index = Ref::steal(PyNumber_Index(object));
    if (!index)
        return false;
    const bool isUnsigned = kind == 's' && form[-1] == 'Q';
    const int64_t value = isUnsigned ? int64_t(PyLong_AsUnsignedLongLong(index.get()))
                                     : PyLong_AsLongLong(index.get());
    words.put(value);
    return !(value == -1 && PyErr_Occurred());
}

bool ContainerWriter::string(PyObject *object, Words &words) {
    if (!PyUnicode_Check(object))
        return fail();
    if (texts.empty())
        texts.resize(knownTexts);
    KnownText &known = texts[(reinterpret_cast<uintptr_t>(object) >> 4) % knownTexts];
    if (known.object != object) {
        auto *made = static_cast<runtime::Text *>(runtime::sc_alloc(ctx, sizeof(runtime::Text)));
        if (!made || !readText(ctx, *made, object))
            return false;
        if (known.made)
            runtime::sc_release(ctx, reinterpret_cast<uintptr_t>(known.made));
        known = {object, made};
    }
    runtime::sc_retain(reinterpret_cast<uintptr_t>(known.made));
    words.put(reinterpret_cast<int64_t>(known.made));
    return true;
}

// Whether a container in memory was made of it before; then that is shared.
bool ContainerWriter::isKnown(const char *form, const char *end, PyObject *object, Words &words,
                              bool &isRight) {
    const auto at = call.placesInMemory.find(object);
    if (at == call.placesInMemory.end())
        return false;
    const ContainerArgument &known = call.inMemory[at->second];
    isRight = known.form.compare(0, std::string::npos, form, size_t(end - form)) == 0;
    runtime::sc_share(known.address);
    words.put(known.address);
    return true;
}

const ContainerLayout &ContainerWriter::layoutOf(const InstanceClass &its) {
    auto [known, isNew] = layouts.try_emplace(&its);
    if (!isNew)
        return known->second;
    std::string form = "Lt" + std::to_string(its.attributes.size() + 1) + ":i";
    const char *end = its.forms;
    for (size_t left = its.attributes.size(); left > 0; --left)
        end = skipForm(end);
    form.append(its.forms, end);
    const char *at = form.c_str();
    return known->second = LayoutReader(at).layout();
}

bool ContainerWriter::instance(const char *&form, PyObject *object, Words &words) {
    const char *start = form;
    const size_t number = std::strtoul(form + 1, nullptr, 10);
    form = skipForm(form);
    if (bool isRight = true; isKnown(start, form, object, words, isRight))
        return isRight || fail();
    const InstanceClass &its = classes.at(number);
    if (!its.isOf(object))
        return fail();
    Container *made = newContainer(ctx, layoutOf(its));
    if (!made)
        return false;
    remember(*made, object, start, form);
    unfilled.push_back({made, object, &its});
    words.put(reinterpret_cast<int64_t>(made));
    return true;
}

bool ContainerWriter::fillInstance(Container &c, PyObject *object, const InstanceClass &its) {
    llvm::SmallVector<int64_t, mostWords> entry(size_t(c.words), 0);
    int64_t areSet = int64_t{1} << np::bitOfAll;
    Words words{entry.data() + 1, nullptr};
    const char *form = its.forms;
    const Ref dict = ownDict(object, its);
    if (!dict && PyErr_Occurred())
        return false;
    for (const InstanceClass::Attribute &attribute : its.attributes) {
        const Ref value = ownAttribute(object, dict.get(), attribute);
        if (!value)
            skip(form, words);
        else if (!item(form, value.get(), words))
            return false;
        else
            areSet |= int64_t{1} << attribute.bit;
    }
    entry[0] = areSet;
    const int64_t at = newEntry(ctx, c, entry.data());
    if (at >= 0)
        std::copy(entry.begin(), entry.end(), wordsOfEntry(c, at));
    return at >= 0;
}

bool ContainerWriter::fillInstances() {
    while (!unfilled.empty()) {
        const auto [made, object, its] = unfilled.back();
        unfilled.pop_back();
        if (!fillInstance(*made, object, *its))
            return false;
    }
    return true;
}

// Where the call starts: of the code, with the layout that it has there.
bool ContainerWriter::fillArgument(Container &c, PyObject *object) {
    const char *form = text->c_str();
    if (form[0] != 'L' || form[1] != 'I' || PyList_CheckExact(object))
        return fill(c, object, form) && fillInstances();
    const char *end = form; // an instance, as the item of a list
    const ContainerLayout layout = LayoutReader(end).layout();
    return hasLayout(c, layout) && entry(c, layout, form + 1, nullptr, object) && fillInstances();
}

bool ContainerWriter::container(const char *&form, PyObject *object, Words &words) {
    const char *start = form;
    if (bool isRight = true; isKnown(start, skipForm(start), object, words, isRight)) {
        form = skipForm(start);
        return isRight || fail();
    }
    Container *made = newContainer(ctx, LayoutReader(form).layout());
    if (!made || !fill(*made, object, start))
        return false;
    words.put(reinterpret_cast<int64_t>(made));
    return true;
}

bool ContainerWriter::item(const char *&form, PyObject *object, Words &words) {
    switch (*form) {
    case 'T':
        return ++form, string(object, words);
    case 'L':
    case 'D':
    case 'S':
        return container(form, object, words);
    case 'I':
        return instance(form, object, words);
    case 't': {
        char *end = nullptr;
        const long size = std::strtol(form + 1, &end, 10);
        form = end + 1;
        if (!PyTuple_CheckExact(object) || PyTuple_GET_SIZE(object) != size)
            return fail();
        for (long k = 0; k < size; ++k)
            if (!item(form, PyTuple_GET_ITEM(object, k), words))
                return false;
        return true;
    }
    case 'o': {
        ++form;
        if (object != Py_None) {
            if (!item(form, object, words))
                return false;
            return words.put(1), true;
        }
        skip(form, words);
        words.put(0);
        return true;
    }
    case 'w':
    case 'V':
    case 'W':
        return oneOfNumbers(form, object, words);
    case 'u':
        return oneOf(form, object, words);
    case 'N':
    case 'P':
    case 'c':
        form = skipForm(form);
        return true;
    case 'n':
    case 'x':
        ++form;
        return object == Py_None || fail();
    default:
        return number(form, object, words);
    }
}

// A number, NumPy's or of one kind of Python's, or one of another kind of Python's.
bool ContainerWriter::oneOfNumbers(const char *&form, PyObject *object, Words &words) {
    const char kind = *form++;
    const bool isOther = *form == 's' ? PyLong_CheckExact(object) || PyFloat_CheckExact(object) ||
                                            PyBool_Check(object)
                                      : !isOfForm(form, object);
    if (kind != 'w' && isOther)
        skip(form, words);
    else if (!number(form, object, words))
        return false;
    words.putOther(isOther);
    if (kind == 'V') // the constant, by its kind and word
        form = std::strchr(form, ':') + 1;
    if (kind != 'W')
        return true;
    return isOther ? number(form, object, words) : (skip(form, words), true);
}

// The words of what is absent: zeros, and owners of nothing.
void ContainerWriter::skip(const char *&form, Words &words) {
    const auto [known, isNew] = absent.try_emplace(form);
    if (isNew) {
        const std::string list = "L" + std::string(form, skipForm(form));
        const char *at = list.c_str();
        const ContainerLayout layout = LayoutReader(at).layout();
        for (int64_t k = 0; k < layout.words; ++k)
            known->second.words.push_back(
                layout.ownedWords >> k & 1 ? int64_t(runtime::ownerArgument) : 0);
        known->second.size = list.size() - 1;
    }
    for (int64_t word : known->second.words)
        words.put(word);
    form += known->second.size;
}

// `form`: of the key and the value.
bool ContainerWriter::entry(Container &c, const ContainerLayout &layout, const char *form,
                            PyObject *key, PyObject *value) {
    int64_t compared[mostWords], others[mostWords], values[mostWords];
    Words ofKey{compared, others}, ofValue{values, nullptr};
    if ((key && !item(form, key, ofKey)) || (value && !item(form, value, ofValue)))
        return false;
    const int64_t at = newEntry(ctx, c, compared);
    if (at < 0)
        return false;
    int64_t *words = wordsOfEntry(c, at);
    if (key) {
        std::copy(others, ofKey.nextOther, words + 1 + c.keyWords);
        for (int64_t k = 0; k < c.keyWords; ++k) // the entry has its own reference
            if (c.textWords >> k & 1)
                runtime::sc_release(ctx, uintptr_t(compared[k]));
    }
    std::copy(values, ofValue.next, words + layout.valueWord);
    return true;
}

bool ContainerWriter::hasLayout(const Container &c, const ContainerLayout &layout) {
    const bool has = layout.words == c.words && layout.keyWords == c.keyWords &&
                     layout.ownedWords == c.ownedWords && layout.textWords == c.textWords;
    if (!has)
        PyErr_SetString(PyExc_SystemError,
                        "shapecast: an argument has another layout in memory "
                        "than its code; this is a compiler bug, please report it");
    return has;
}

void ContainerWriter::remember(Container &c, PyObject *object, const char *form, const char *end) {
    runtime::sc_retain(reinterpret_cast<uintptr_t>(&c)); // until forgetContainers()
    call.placesInMemory.try_emplace(object, call.inMemory.size());
    call.inMemory.push_back({Ref::share(object), reinterpret_cast<int64_t>(&c),
                             std::string(form, end), isChanged, text});
}

bool ContainerWriter::fill(Container &c, PyObject *object, const char *form) {
    const char *end = form, *start = form;
    const ContainerLayout layout = LayoutReader(end).layout();
    if (!hasLayout(c, layout))
        return false;
    const char kind = *form++;
    if (kind == 'L') {
        if (!PyList_CheckExact(object))
            return fail();
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(object); ++i)
            if (!entry(c, layout, form, nullptr, PyList_GET_ITEM(object, i)))
                return false;
    } else if (kind == 'D') {
        if (!PyDict_CheckExact(object))
            return fail();
        PyObject *key, *value;
        Py_ssize_t at = 0;
        while (PyDict_Next(object, &at, &key, &value))
            if (!entry(c, layout, form, key, value))
                return false;
    } else {
        if (!PyAnySet_CheckExact(object))
            return fail();
        const Ref iterator = Ref::steal(PyObject_GetIter(object));
        while (const Ref key = Ref::steal(PyIter_Next(iterator.get())))
            if (!entry(c, layout, form, key.get(), nullptr))
                return false;
    }
    remember(c, object, start, end);
    return true;
}

bool readContainer(runtime::Context *ctx, Container &container, int64_t object,
                   std::string_view form, bool isChanged) {
    const WithInterpreterLock locked;
    ContainerWriter writer(ctx, *static_cast<const Call *>(ctx->call), isChanged, form);
    if (writer.fillArgument(container, reinterpret_cast<PyObject *>(object)))
        return true;
    if (PyErr_Occurred())
        ctx->error.site = -3;
    writer.leaveOut(); // some are filled in part
    return false;
}

} // namespace

void setContainerReader() { runtime::setContainerReader(readContainer); }

bool writeBackContainers(const Call &call) {
    const bool any = llvm::any_of(
        call.inMemory, [](const ContainerArgument &argument) { return argument.isChanged; });
    return !any || rewriteContainers(call);
}

void forgetContainers(runtime::Context *ctx, const Call &call) {
    for (const ContainerArgument &argument : call.inMemory)
        runtime::sc_release(ctx, uintptr_t(argument.address));
    call.inMemory.clear();
    call.placesInMemory.clear();
    call.made.clear();
}

} // namespace shapecast::bindings
