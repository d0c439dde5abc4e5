#include "bindings/call/enum_forms.h"

#include "capture/enum_members.h"
#include "capture/object_kind.h"

#include <map>
#include <memory>
#include <mutex>

namespace shapecast::bindings {

namespace py = pybind11;

static std::unique_ptr<EnumForm> readForm(PyTypeObject *type) {
    constexpr size_t mostMembers = 64; // code may have a branch for each
    const py::handle object(reinterpret_cast<PyObject *>(type));
    auto form = std::make_unique<EnumForm>();
    form->type = object.inc_ref().ptr(); // forms live as long as the process
    for (py::handle member : object) {
        if (!capture::isPlainMember(member) || capture::isFlagMember(member))
            return nullptr;
        const std::string text = capture::memberText(member);
        form->text += "m" + std::to_string(text.size()) + ":" + text;
        form->members.insert(member.ptr());
        form->values.emplace_back(Ref::share(py::object(member.attr("__dict__")).ptr()),
                                  Ref::share(py::object(member.attr("_value_")).ptr()));
    }
    if (form->members.empty() || form->members.size() > mostMembers)
        return nullptr;
    if (form->members.size() > 1)
        form->text = "u" + std::to_string(form->members.size()) + ":" + form->text;
    return form;
}

// Whether nobody has given a member another value since.
static bool isUpToDate(const EnumForm &form) {
    return llvm::all_of(form.values, [](const auto &known) {
        const auto &[own, value] = known;
        return dictItem(own.get(), "_value_").get() == value.get();
    });
}

const EnumForm *enumForm(PyTypeObject *type) {
    static auto *known = new std::map<PyTypeObject *, const EnumForm *>;
    static auto *mutex = new std::mutex;
    {
        const std::lock_guard lock(*mutex);
        if (auto found = known->find(type);
            found != known->end() && (!found->second || isUpToDate(*found->second)))
            return found->second;
    }
    const EnumForm *form = readForm(type).release(); // runs Python code: without the lock
    const std::lock_guard lock(*mutex);
    return (*known)[type] = form; // others may still read the one before
}

} // namespace shapecast::bindings
