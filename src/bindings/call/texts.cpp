#include "bindings/call/texts.h"

#include "bindings/call/interpreter_lock.h"
#include "capture/object_kind.h"

#include <vector>

namespace shapecast::bindings {

using runtime::Text;
using runtime::TextCase;
using runtime::TextTest;

Ref textObject(const Text &text) {
    const int kind = text.width == 1 ? PyUnicode_1BYTE_KIND : PyUnicode_4BYTE_KIND;
    return Ref::steal(PyUnicode_FromKindAndData(kind, text.data, Py_ssize_t(text.length)));
}

static bool readCharacters(runtime::Context *ctx, Text &out, PyObject *string) {
    const auto length = int64_t(PyUnicode_GET_LENGTH(string));
    const void *data = PyUnicode_DATA(string);
    if (PyUnicode_KIND(string) == PyUnicode_1BYTE_KIND)
        return makeText(ctx, out, {static_cast<const char *>(data), size_t(length)});
    if (PyUnicode_KIND(string) == PyUnicode_4BYTE_KIND)
        return makeWideText(ctx, out, static_cast<const uint32_t *>(data), length);
    const auto *narrow = static_cast<const Py_UCS2 *>(data);
    const std::vector<uint32_t> wide(narrow, narrow + length);
    return makeWideText(ctx, out, wide.data(), length);
}

Ref keyOfPattern(PyObject *pattern) {
    const Ref module = Ref::steal(PyImport_ImportModule("shapecast.library.regular_expressions"));
    return module ? Ref::steal(PyObject_CallMethod(module.get(), "key_of_pattern", "O", pattern))
                  : Ref();
}

bool readText(runtime::Context *ctx, Text &out, PyObject *string) {
    if (PyBytes_Check(string))
        return makeText(ctx, out, {PyBytes_AS_STRING(string), size_t(PyBytes_GET_SIZE(string))});
    if (capture::isPattern(string)) {
        const Ref key = keyOfPattern(string);
        return key && readCharacters(ctx, out, key.get());
    }
    if (!readCharacters(ctx, out, string))
        return false;
    const Py_hash_t known = reinterpret_cast<PyASCIIObject *>(string)->hash; // -1: not known yet
    out.hash = known == -1 ? 0 : known;
    return true;
}

static bool isOfClass(uint32_t character, TextTest test) {
    switch (test) {
    case TextTest::Alpha:
        return Py_UNICODE_ISALPHA(character);
    case TextTest::Digit:
        return Py_UNICODE_ISDIGIT(character);
    case TextTest::Decimal:
        return Py_UNICODE_ISDECIMAL(character);
    case TextTest::Numeric:
        return Py_UNICODE_ISNUMERIC(character);
    case TextTest::Space:
        return Py_UNICODE_ISSPACE(character);
    case TextTest::Upper:
        return Py_UNICODE_ISUPPER(character);
    case TextTest::Lower:
        return Py_UNICODE_ISLOWER(character);
    case TextTest::Alnum: // of the others
    case TextTest::Ascii:
        break;
    }
    return false;
}

static bool cased(runtime::Context *ctx, Text &out, const Text &text, TextCase method) {
    static const char *const names[] = {"upper",      "lower",    "title",
                                        "capitalize", "swapcase", "casefold"};
    const WithInterpreterLock locked;
    const Ref given = textObject(text);
    const Ref made =
        given ? Ref::steal(PyObject_CallMethod(given.get(), names[int64_t(method)], nullptr))
              : Ref();
    if (made)
        return readText(ctx, out, made.get());
    PyErr_Clear(); // no memory
    ctx->error.site = -2;
    return false;
}

static bool read(runtime::Context *ctx, Text &out, int64_t object) {
    return readText(ctx, out, reinterpret_cast<PyObject *>(object));
}

static int decimal(uint32_t character) { return Py_UNICODE_TODECIMAL(character); }

static int64_t hash(const void *bytes, int64_t count) {
    static const PyHash_FuncDef *const its = PyHash_GetFuncDef();
    const Py_hash_t made = its->hash(bytes, Py_ssize_t(count));
    return made == -1 ? -2 : made;
}

void setTextCallbacks() { runtime::setTextCallbacks({isOfClass, decimal, cased, read, hash}); }

} // namespace shapecast::bindings
