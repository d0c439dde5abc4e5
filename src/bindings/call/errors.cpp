// python/shapecast/_errors.py creates the exceptions: it has the classes and formats the source
// lines.
#include "bindings/call/errors.h"

#include "bindings/call/texts.h"

#include "capture/interrupts.h"
#include "runtime/abi.h"
#include "user_error.h"

#include <bit>

namespace shapecast::bindings {
namespace {

Ref frameTuple(const Frame &frame) {
    return Ref::steal(Py_BuildValue("(ssIIII)", frame.file.c_str(), frame.function.c_str(),
                                    frame.line, frame.column, frame.endLine, frame.endColumn));
}

template <class T, class Make> Ref tupleOf(const std::vector<T> &all, Make make) {
    Ref tuple = Ref::steal(PyTuple_New(Py_ssize_t(all.size())));
    for (size_t k = 0; tuple && k < all.size(); ++k) {
        Ref item = make(all[k]);
        if (!item)
            return Ref();
        PyTuple_SET_ITEM(tuple.get(), Py_ssize_t(k), item.release());
    }
    return tuple;
}

// A code object for a traceback entry of this frame (_errors.py); empty with an exception set.
Ref codeAt(const Frame &frame) {
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._errors"));
    Ref location = frameTuple(frame);
    if (!module || !location)
        return {};
    return Ref::steal(PyObject_CallMethod(module.get(), "code_at", "(O)", location.get()));
}

std::string reprOfText(int64_t address) {
    const Ref text = textObject(*reinterpret_cast<const runtime::Text *>(address));
    const Ref shown = text ? Ref::steal(PyObject_ASCII(text.get())) : Ref();
    const char *ascii = shown ? PyUnicode_AsUTF8(shown.get()) : nullptr;
    return ascii ? ascii : "'?'";
}

// The message with the record's payload put in: {0} is its first number, {0:f} the same bits as a
// float, {0:s} the string in memory at that address, {{ a brace.
std::string formatted(const std::string &message, const runtime::ErrorRecord &record) {
    std::string filled;
    for (size_t i = 0; i < message.size(); ++i) {
        const std::string_view text = std::string_view(message).substr(i);
        if (text.starts_with("{0:f}")) {
            char *shown = PyOS_double_to_string(std::bit_cast<double>(record.payload[0]), 'r', 0,
                                                Py_DTSF_ADD_DOT_0, nullptr);
            filled += shown ? shown : "?";
            PyMem_Free(shown);
            i += 4;
        } else if (text.size() > 2 && text[0] == '{' && text[1] >= '0' && text[1] <= '9' &&
                   text[2] == '}') {
            filled += std::to_string(record.payload[text[1] - '0']);
            i += 2;
        } else if (text.size() > 4 && text[0] == '{' && text.substr(2, 3) == ":s}") {
            filled += reprOfText(record.payload[text[1] - '0']);
            i += 4;
        } else {
            i += text.starts_with("{{");
            filled += text[0];
        }
    }
    return filled;
}

} // namespace

// A traceback entry per frame, as if the function had run in Python; innermost first, since each is
// prepended.
void addTraceback(const std::vector<Frame> &frames) {
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
        Ref raised = takeException(); // Python calls need a clear error indicator
        Ref code = codeAt(*frame);
        Ref globals = Ref::steal(PyDict_New());
        Ref created;
        if (code && globals)
            created = Ref::steal(reinterpret_cast<PyObject *>(
                PyFrame_New(PyThreadState_Get(), reinterpret_cast<PyCodeObject *>(code.get()),
                            globals.get(), nullptr)));
        if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) // Ctrl-C replaces it
            return;
        setException(std::move(raised));
        if (created)
            PyTraceBack_Here(reinterpret_cast<PyFrameObject *>(created.get()));
    }
}

std::vector<Frame> framesOfError(const std::vector<ErrorSite> &sites,
                                 const runtime::ErrorRecord &record) {
    constexpr auto room = int64_t(std::size(runtime::ErrorRecord{}.calls));
    auto siteAt = [&](int64_t number) {
        return number >= 0 && size_t(number) < sites.size() ? &sites[size_t(number)] : nullptr;
    };
    std::vector<Frame> frames;
    const ErrorSite *site = siteAt(record.site);
    for (int64_t k = 0; site; ++k) {
        const bool isOutermost = k == std::min(record.callCount, room);
        frames.insert(frames.begin(),
                      site->frames.begin() + std::ptrdiff_t(isOutermost ? 0 : site->callers),
                      site->frames.end());
        site = isOutermost ? nullptr : siteAt(record.calls[k]);
    }
    return frames;
}

void raiseUserError(const UserError &error) {
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._errors"));
    if (!module)
        return;
    Ref frames = tupleOf(error.frames, frameTuple);
    Ref notes = tupleOf(error.notes, [](const std::string &note) {
        return Ref::steal(PyUnicode_FromString(note.c_str()));
    });
    if (!frames || !notes)
        return;
    Ref created = Ref::steal(PyObject_CallMethod(module.get(), "make_user_error", "ssOO",
                                                 error.exception.c_str(), error.message.c_str(),
                                                 frames.get(), notes.get()));
    if (!created)
        return;
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(created.get())), created.get());
    addTraceback(error.frames);
}

void raiseSite(const std::vector<ErrorSite> &sites, const runtime::ErrorRecord &record,
               bool withLocations) {
    if (record.site == -2) {
        PyErr_NoMemory();
        return;
    }
    if (record.site < 0 || size_t(record.site) >= sites.size()) {
        PyErr_Format(PyExc_SystemError,
                     "compiled code reported the unknown error %lld; this is a compiler bug, "
                     "please report it",
                     (long long)record.site);
        return;
    }
    const ErrorSite &site = sites[size_t(record.site)];
    UserError error{site.exception, "", {}, {}};
    if (withLocations) {
        error.frames = framesOfError(sites, record);
        error.notes = site.notes;
    }
    error.message = formatted(site.message, record);
    raiseUserError(error);
}

static bool isOwn(PyTracebackObject *entry) {
    Ref names = Ref::steal(PyFrame_GetGlobals(entry->tb_frame));
    const Ref name = dictItem(names.get(), "__name__");
    const char *text = name && PyUnicode_Check(name.get()) ? PyUnicode_AsUTF8(name.get()) : nullptr;
    return text && std::string_view(text).starts_with("shapecast._");
}

void dropOwnFrames() {
    Ref raised = takeException();
    if (!raised)
        return;
    const Ref all = Ref::steal(PyException_GetTraceback(raised.get()));
    auto *entry = reinterpret_cast<PyTracebackObject *>(all.get());
    while (entry && isOwn(entry))
        entry = entry->tb_next;
    auto *rest = entry ? reinterpret_cast<PyObject *>(entry) : Py_None;
    PyException_SetTraceback(raised.get(), rest);
    setException(std::move(raised));
}

void addLocation(const std::vector<ErrorSite> &sites, const runtime::ErrorRecord &record) {
    dropOwnFrames();
    if (record.site >= 0 && size_t(record.site) < sites.size())
        addTraceback(framesOfError(sites, record));
}

void addNote(const std::string &text) {
    Ref raised = takeException();
    if (!Ref::steal(PyObject_CallMethod(raised.get(), "add_note", "s", text.c_str())))
        PyErr_Clear();
    setException(std::move(raised));
}

void raiseUnsupported(const std::string &message) {
    raiseUserError({"shapecast.UnsupportedError", message, {}, {}});
}

std::string textOf(PyObject *object) {
    Ref text = Ref::steal(PyObject_Str(object));
    const char *utf8 = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
    if (!utf8)
        capture::forgetError();
    return utf8 ? utf8 : "?";
}

} // namespace shapecast::bindings
